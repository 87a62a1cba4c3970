"""The interface for programs: the same verbs as the pages, in JSON, with the secret of a seat's link as the bearer.

Without a secret one sees what spectators see. The schema is at /api/schema/openapi.json.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, cast

import msgspec
from litestar import Response, Router, get, post
from litestar.background_tasks import BackgroundTask
from litestar.concurrency import sync_to_thread
from litestar.exceptions import NotAuthorizedException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityRequirement, SecurityScheme
from litestar.params import Parameter
from litestar.response import Stream
from msgspec import Meta

from readyroom import __version__
from readyroom.engine.errors import UnknownSeat
from readyroom.engine.match import Match
from readyroom.engine.state import Outcome
from readyroom.store import MatchCard, Store, Who
from readyroom.store.errors import BadSeating, NotTheHost, NotYourSeat, SeatTaken, UnknownLink
from readyroom.web import library, shown, sight, takeback
from readyroom.web.cards import sitter
from readyroom.web.herald import Herald
from readyroom.web.opening import BOT, DICE_WORDS, SCENARIO_BYTES
from readyroom.web.pages import Asking, address
from readyroom.web.people import NAME_LETTERS
from readyroom.web.replay import NotOver
from readyroom.web.table import STAFF
from readyroom.web.table import WORDS as REMARK

ME = "me"
PROGRAM = "a program"
"""What whoever sits down from here is called, unless he tells a name."""
BODY = 4 * SCENARIO_BYTES

Key = Annotated[str, Meta(max_length=200)]
Words = Annotated[str, Meta(max_length=DICE_WORDS)]
Name = Annotated[str, Meta(min_length=1, max_length=NAME_LETTERS)]
Since = Annotated[
    int | None,
    Parameter(
        ge=0,
        le=1_000_000,
        description="Only log lines from this number on; `lines` told the next.",
        schema_extra={"minimum": 0},  # Litestar leaves out a least value of 0
    ),
]
View = Annotated[bool, Parameter(description="Whether to tell the table as the seat sees it, too.")]

OF_A_SEAT: list[SecurityRequirement] = [{"seat": []}]
OF_ANYBODY: list[SecurityRequirement] = [{}, *OF_A_SEAT]

_REFUSED = {
    400: "It is not understood.",
    401: "The bearer is no seat's secret, or there is none.",
    403: "The secret is that of a seat at another table, or another site's page has sent this.",
    404: "There is no such match or game.",
    409: "It is not your decision, the table has moved on, or the match is over or has not begun.",
    413: "It is too long.",
    422: "The answer is not legal, or the match cannot be set up so.",
    429: "Too many requests.",
}


# -- what is told ----------------------------------------------------------------------------------------------------


class ScenarioFacts(msgspec.Struct, frozen=True):
    """A scenario that comes with a game."""

    key: str
    title: str
    summary: str


class OptionFacts(msgspec.Struct, frozen=True):
    """A rule that may be set: its choices, each with its explanation, and the usual one."""

    key: str
    title: str
    rule: str
    choices: Mapping[str, str]
    default: str


class SeatFacts(msgspec.Struct, frozen=True):
    """A seat, its side, who sits there in words, and whether anybody may take it."""

    key: str
    name: str
    side: str
    bot: str = ""
    sits: str = ""
    open: bool = False


class GameFacts(msgspec.Struct, frozen=True):
    """A game; `seats` are those of its first scenario with the usual options."""

    key: str
    title: str
    summary: str
    players: str
    length: str
    version: str
    scenarios: list[ScenarioFacts]
    options: list[OptionFacts]
    seats: list[SeatFacts]
    bots: list[str]


class Choice(msgspec.Struct, frozen=True):
    """An option: the key that chooses it, its words, what may be known before, its price, and from which purse."""

    key: str
    text: str
    note: str | None
    chance: float | None
    cost: int
    limit: int
    purse: str | None


class Refusal(msgspec.Struct, frozen=True):
    """What one may look for among the options in vain, and why."""

    key: str
    text: str
    rule: str
    reason: str


class Pending(msgspec.Struct, frozen=True):
    """The question that a seat owes an answer to; an answer tells its `revision`."""

    kind: Literal["one", "some", "allot"]
    seat: str
    rule: str
    question: str
    wanted: str
    at_least: int
    at_most: int
    budget: int | None
    options: list[Choice]
    refused: list[Refusal]
    about: str
    usual: bool
    revision: int


class Die(msgspec.Struct, frozen=True):
    """A die's face, and whether it counts."""

    face: int
    hit: bool


class Dice(msgspec.Struct, frozen=True):
    """A roll, round by round."""

    name: str
    sides: int
    rounds: list[list[Die]]
    result: str
    side: str | None


class LogLine(msgspec.Struct, frozen=True):
    """A line of the log as the seat may read it."""

    turn: int
    phase: str
    title: str
    rule: str
    text: str
    rolls: list[Dice]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How a match stands for whoever asks: `seat` is null for a spectator.

    `lines` is how many log lines there are for this seat; a number smaller than before says that some were taken back.
    `view` is null unless it was asked for.
    """

    id: str
    game: str
    title: str
    scenario: str
    options: Mapping[str, str]
    seats: list[SeatFacts]
    pace: Literal["live", "days"]
    begun: bool
    revision: int
    turn: int
    phase: str
    waiting: Sequence[str]
    outcome: Outcome | None
    fingerprint: str
    secret: str | None = None
    seat: str | None = None
    pending: Pending | None = None
    can_undo: bool = False
    log: list[LogLine] = []
    lines: int = 0
    view: dict[str, Any] | None = None


class Opened(msgspec.Struct, frozen=True):
    """A new match: for each seat that is not a bot's or anybody's the secret of its link, told this once."""

    id: str
    url: str
    begun: bool
    seats: Mapping[str, str]


class Listed(msgspec.Struct, frozen=True):
    """A match that everybody may find: to sit down at where a seat is open, or to watch."""

    id: str
    game: str
    title: str
    scenario: str
    options: Mapping[str, str]
    seats: list[SeatFacts]
    pace: Literal["live", "days"]
    begun: bool
    fingerprint: str
    revision: int
    turn: int
    phase: str
    waiting: Sequence[str]


class Taken(msgspec.Struct, frozen=True):
    """A seat that is one's own from now on: the secret of its link, told this once, and whether the match has begun."""

    id: str
    seat: str
    secret: str
    begun: bool


class Remark(msgspec.Struct, frozen=True):
    """Something that was said, to all (`side` null) or to one side; `at` is when, in ISO 8601."""

    id: int
    name: str
    side: str | None
    text: str
    at: str


class Advised(msgspec.Struct, frozen=True):
    """What the game's first bot would answer for a seat; without a question, `bot` is empty and there are no keys."""

    bot: str
    keys: list[str]
    revision: int


class AskedBack(msgspec.Struct, frozen=True):
    """A wish to take back that waits for the others: whose it is, and how many decisions would go."""

    seat: str
    sentence: str
    decisions: int
    allowed: Sequence[str]


class Error(msgspec.Struct, frozen=True):
    """A refusal: its kind, a sentence for people, and for an answer that is not legal what would be."""

    error: str
    sentence: str
    rule: str | msgspec.UnsetType = msgspec.UNSET
    reason: str | msgspec.UnsetType = msgspec.UNSET
    legal: list[str] | msgspec.UnsetType = msgspec.UNSET


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """What a verb may refuse, for the schema."""
    return {
        status: ResponseSpec(Error, description=_REFUSED[status], generate_examples=False)
        for status in (*statuses, 400, 429)
    }


# -- what is asked for -----------------------------------------------------------------------------------------------


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be opened.

    `seats` says for seats or whole sides who sits there: "me" (the secret is told, and the seat is taken), "friend"
    (the secret is told, and the match waits for whoever brings it), "anyone", or "bot:NAME". Seats that are not told
    are "me". `own` is the text of a scenario of one's own.
    """

    game: Key
    scenario: Key | None = None
    own: Annotated[str, Meta(max_length=SCENARIO_BYTES)] | None = None
    options: dict[Key, Key] = {}
    seats: dict[Key, Key] = {}
    pace: Literal["live", "days"] = "live"
    listed: bool = False
    words: Words = ""
    name: Name = PROGRAM


class Coming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody comes to the table; his words are mixed into the key of the dice, and the others read his name."""

    words: Words = ""
    name: Name = PROGRAM


class Taking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody takes a seat that is open to anyone."""

    seat: Key
    words: Words = ""
    name: Name = PROGRAM


class Saying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say, to all or to one's own side."""

    text: Annotated[str, Meta(min_length=1, max_length=REMARK)]
    to: Literal["all", "side"] = "all"


class Allowing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the seat's side allows what somebody wishes to take back; whose wish it is withdraws it by a no."""

    allow: bool


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer: the keys of the options, and the revision of the question that it is meant for."""

    keys: Annotated[list[Key], Meta(max_length=5000)]
    revision: Annotated[int, Meta(ge=0, le=2**31)]


BODIES = (NewMatch, Coming, Taking, Answer, Saying, Allowing)

# -- who asks --------------------------------------------------------------------------------------------------------


class WrongSecret(NotAuthorizedException):
    """A bearer that is no seat's."""


def _seat(request: Asking, store: Store, id: str) -> tuple[MatchCard, str | None]:
    """The match, and the seat whose secret was brought; None without one."""
    secret = _bearer(request)
    if not secret:
        return store.card(id), None
    try:
        card, seat = store.link(secret)
    except UnknownLink as refusal:
        raise _stranger(str(refusal)) from refusal
    if card.id != id:
        store.card(id)
        raise NotYourSeat("This secret is that of a seat at another table.")
    return card, seat


def _bearer(request: Asking) -> str:
    """The secret that was brought; empty without one."""
    told = request.headers.get("authorization", "")
    kind, _, secret = told.partition(" ")
    if told and kind.lower() != "bearer":
        raise _stranger("Bring the secret of a seat as a bearer token.")
    return secret.strip()


def _own_seat(request: Asking, store: Store, id: str) -> tuple[MatchCard, str]:
    card, seat = _seat(request, store, id)
    if seat is None:
        raise _stranger("Only a seat may do this: bring its secret as a bearer token.")
    return card, seat


def _player(store: Store, card: MatchCard, seat: str, secret: str) -> str:
    """Who is meant by a seat where a name is needed: whoever sits there, or a program that sits down only now."""
    sitting = _sitting(card, seat)
    place = next(known for known in card.seats if known.key == seat)
    if place.bot:
        raise SeatTaken(f"The bot {place.bot} plays {place.name}; come to the seat first.")
    if sitting is None:
        sitting = store.enrol(PROGRAM).player.id
        store.sit(secret, sitting)
    return sitting


def _sitting(card: MatchCard, seat: str) -> str | None:
    """The first who sits on a seat."""
    players = next(known.players for known in card.seats if known.key == seat)
    return players[0][0] if players else None


def _stranger(sentence: str) -> WrongSecret:
    return WrongSecret(detail=sentence, headers={"WWW-Authenticate": "Bearer"})


# -- telling ---------------------------------------------------------------------------------------------------------


def standing(
    store: Store, card: MatchCard, seat: str | None, since: int | None, look: bool, reached: int | None = None
) -> Standing:
    """How a match stands for a seat, or for a spectator; `reached` is the revision that it has come to since."""
    facts = _facts(card)
    if not card.begun:
        return Standing(
            **facts, revision=card.revision, turn=card.turn, phase=card.phase, waiting=(), outcome=None, seat=seat
        )
    with store.match(card.id, reached or card.revision) as match:
        return Standing(**facts, **_moving(match, seat, since, look), seat=seat)


def _facts(card: MatchCard) -> dict[str, Any]:
    """What of a match does not move."""
    return {
        "id": card.id,
        "game": card.game,
        "title": card.title,
        "scenario": card.scenario,
        "options": card.options,
        "seats": [SeatFacts(s.key, s.name, s.side, s.bot, sitter(s), s.open) for s in card.seats],
        "pace": card.pace,
        "begun": card.begun,
        "fingerprint": card.fingerprint,
    }


def _moving(match: Match[Any, Any], seat: str | None, since: int | None, look: bool) -> dict[str, Any]:
    """What of a match moves; without `since` no log is told, and its length."""
    pending, at = match.pending, match.state.at
    lines = match.log(seat)
    told = lines[since:] if since is not None else []
    return {
        "revision": match.revision,
        "turn": at.turn,
        "phase": at.phase,
        "waiting": list(pending),
        "outcome": match.outcome,
        "secret": match.key_published,
        "pending": cast(Pending, shown.decision(pending[seat])) if seat in pending else None,
        "can_undo": seat is not None and match.can_undo(seat),
        "log": [cast(LogLine, shown.line(line, match.game, match.seats)) for line in told],
        "lines": len(lines),
        "view": match.view(seat) if look else None,
    }


def _answered(
    store: Store, card: MatchCard, seat: str, since: int | None, look: bool, reached: int
) -> Response[Standing]:
    """How the match stands after something was done; bots that are to go on do so once this is sent."""
    told = standing(store, card, seat, since, look, reached)
    bots = {seat.key for seat in card.seats if seat.bot}
    later = BackgroundTask(STAFF.goes_on, store, card.id) if bots.intersection(told.waiting) else None
    return Response(told, background=later)


# -- the verbs -------------------------------------------------------------------------------------------------------


@get("/games", sync_to_thread=False, summary="The games", responses=refusals())
def list_games() -> list[GameFacts]:
    """All games that are installed here."""
    return [game_facts(game) for game in library.games().values()]


@get("/games/{game:str}", sync_to_thread=False, summary="A game", responses=refusals(404))
def one_game(game: str) -> GameFacts:
    """A game with its scenarios, options, seats and bots."""
    return game_facts(library.find(game))


def game_facts(game: library.AnyGame) -> GameFacts:
    """A game for programs."""
    return GameFacts(
        game.key,
        game.title,
        game.summary,
        game.players,
        game.length,
        game.version,
        [ScenarioFacts(s.key, s.title, s.summary) for s in library.scenarios(game)],
        [OptionFacts(o.key, o.title, o.rule, o.choices, o.default) for o in game.options],
        [SeatFacts(seat.key, seat.name, seat.side) for seat in library.first_seats(game)],
        library.bots(game),
    )


@get("/matches", sync_to_thread=True, summary="Open seats and matches to watch", responses=refusals())
def list_matches(store: Store) -> list[Listed]:
    """The matches that their hosts show to everybody and that are not over, the last changed first."""
    return [
        Listed(**_facts(card), revision=card.revision, turn=card.turn, phase=card.phase, waiting=card.waiting)
        for card in store.listed()
    ]


@post(
    "/matches",
    sync_to_thread=True,
    request_max_body_size=BODY,
    summary="Open a match",
    responses=refusals(403, 404, 413, 422),
)
def open_match(request: Asking, store: Store, data: NewMatch) -> Opened:
    """Open a match; the secrets of its seats are told here and never again."""
    game = library.find(data.game)
    places = library.seats(game, data.scenario, data.own, data.options)
    told = {seat.key: data.seats.get(seat.key, data.seats.get(seat.side, ME)) for seat in places}
    strangers = data.seats.keys() - {name for seat in places for name in (seat.key, seat.side)}
    if strangers:
        raise UnknownSeat(min(strangers), told)
    opened = store.open_match(
        None,
        game.key,
        data.scenario,
        data.options,
        {seat: _who(sits) for seat, sits in told.items()},
        own=data.own,
        pace=data.pace,
        listed=data.listed,
    )
    mine = [secret for seat, secret in opened.links.items() if told[seat] == ME]
    player = store.enrol(data.name).player.id if mine else None
    for secret in mine:
        store.sit(secret, player, data.words)
    card = store.card(opened.id)
    return Opened(opened.id, f"{address(request)}/m/{opened.id}", card.begun, opened.links)


def _who(told: str) -> Who:
    if told.startswith(BOT):
        return Who("bot", told.removeprefix(BOT))
    if told in (ME, "friend"):
        return Who("friend")
    if told == "anyone":
        return Who("anyone")
    raise BadSeating(f"On a seat sits me, friend, anyone or bot:NAME, and not {told!r}.")


@get("/seat", sync_to_thread=True, security=OF_A_SEAT, summary="Whose secret this is", responses=refusals(401))
def my_seat(request: Asking, store: Store) -> Standing:
    """How the match stands at which the secret that is brought has a seat: for programs that know only a link."""
    try:
        card, seat = store.link(_bearer(request))
    except UnknownLink as refusal:
        raise _stranger(str(refusal)) from refusal
    return standing(store, card, seat, None, False)


@get(
    "/matches/{id:str}",
    sync_to_thread=True,
    security=OF_ANYBODY,
    summary="How a match stands",
    responses=refusals(401, 403, 404),
)
def look(request: Asking, store: Store, id: str, since: Since = None, view: View = False) -> Standing:
    """How a match stands for the seat whose secret is brought, or for a spectator."""
    card, seat = _seat(request, store, id)
    return standing(store, card, seat, since, view)


@post(
    "/matches/{id:str}/sit",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Come to the table",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def sit(request: Asking, store: Store, id: str, data: Coming) -> Standing:
    """Come to the seat whose secret is brought; the match begins when everybody is there."""
    card, seat = _own_seat(request, store, id)
    player = None if _sitting(card, seat) else store.enrol(data.name).player.id
    card = store.sit(_bearer(request), player, data.words)
    return standing(store, card, seat, None, False)


@post("/matches/{id:str}/take", sync_to_thread=True, summary="Take a seat", responses=refusals(403, 404, 409, 413, 422))
def take(store: Store, id: str, data: Taking) -> Taken:
    """Take a seat that is open to anyone; the secret of its link is told here and never again."""
    player = ""
    if any(seat.key == data.seat and seat.open for seat in store.card(id).seats):
        player = store.enrol(data.name).player.id
    card = store.take(id, data.seat, player, data.words)
    return Taken(id, data.seat, store.new_link(id, data.seat, player), card.begun)


@post(
    "/matches/{id:str}/begin",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Begin without the others",
    responses=refusals(401, 403, 404),
)
def begin(request: Asking, store: Store, id: str) -> Standing:
    """Begin without those who have not come: any seat may, at a match that a program has opened."""
    card, seat = _own_seat(request, store, id)
    if card.host:
        raise NotTheHost("begin it")
    store.begin(id, None)
    return standing(store, store.card(id), seat, None, False)


@post(
    "/matches/{id:str}/link",
    sync_to_thread=True,
    security=OF_A_SEAT,
    summary="A new link",
    responses=refusals(401, 403, 404, 409),
)
def new_link(request: Asking, store: Store, id: str) -> Taken:
    """A new secret for the seat whose secret is brought; the old one is dead from now on."""
    card, seat = _own_seat(request, store, id)
    secret = store.new_link(id, seat, _player(store, card, seat, _bearer(request)))
    return Taken(id, seat, secret, store.card(id).begun)


@post(
    "/matches/{id:str}/decisions",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Answer a question",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def decide(
    request: Asking,
    store: Store,
    id: str,
    data: Answer,
    since: Since = None,
    view: View = False,
) -> Response[Standing]:
    """Answer the question that the seat owes. When this returns, the answer is kept, and bots have answered."""
    card, seat = _own_seat(request, store, id)
    reached = store.answer(id, seat, data.keys, data.revision, card.revision)
    return _answered(store, card, seat, since, view, reached)


@post(
    "/matches/{id:str}/undo",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Take back",
    responses=refusals(401, 403, 404, 409),
)
def undo(request: Asking, store: Store, id: str, since: Since = None, view: View = False) -> Response[Standing]:
    """Take the seat's last decision back, unless dice, a disclosure or the enemy's move have come since."""
    card, seat = _own_seat(request, store, id)
    reached = store.undo(id, seat)
    return _answered(store, card, seat, since, view, reached)


@get(
    "/matches/{id:str}/ask-back",
    sync_to_thread=True,
    summary="Who asks to take back",
    responses=refusals(404),
)
def asked_back(store: Store, id: str) -> AskedBack | None:
    """The wish to take back that waits for the others, or null."""
    wish = takeback.wish(store, store.card(id))
    return None if wish is None else AskedBack(wish.asked.seat, wish.sentence, wish.decisions, wish.asked.allowed)


@post(
    "/matches/{id:str}/ask-back",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Ask to take back",
    responses=refusals(401, 403, 404, 409),
)
def ask_back(request: Asking, store: Store, id: str) -> Response[Standing]:
    """Ask the others for leave to return to before the seat's last decision; bots give it at once."""
    _, seat = _own_seat(request, store, id)
    store.ask_back(id, seat)
    card = store.card(id)
    return _answered(store, card, seat, None, False, card.revision)


@post(
    "/matches/{id:str}/allow-back",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Allow to take back",
    responses=refusals(401, 403, 404, 409),
)
def allow_back(request: Asking, store: Store, id: str, data: Allowing) -> Response[Standing]:
    """Allow what somebody wishes to take back, or refuse it; whoever wishes it withdraws it by refusing."""
    _, seat = _own_seat(request, store, id)
    store.allow_back(id, seat, data.allow)
    card = store.card(id)
    return _answered(store, card, seat, None, False, card.revision)


@get(
    "/matches/{id:str}/advice",
    sync_to_thread=True,
    security=OF_A_SEAT,
    summary="What the staff would do",
    responses=refusals(401, 403, 404, 409),
)
def advice(request: Asking, store: Store, id: str) -> Advised:
    """What the game's first bot would answer for the seat; it sees what the seat sees, and no more."""
    card, seat = _own_seat(request, store, id)
    with store.match(card.id, card.revision) as match:
        decision = match.pending.get(seat)
        if decision is None or not match.game.bots:
            return Advised("", [], match.revision)
        return Advised(*sight.advice(match, decision), decision.revision)


@get(
    "/matches/{id:str}/talk",
    sync_to_thread=True,
    security=OF_ANYBODY,
    summary="What was said",
    responses=refusals(401, 403, 404),
)
def heard(request: Asking, store: Store, id: str) -> list[Remark]:
    """The last that was said to all, and to the side of the seat whose secret is brought."""
    card, seat = _seat(request, store, id)
    sides = [known.side for known in card.seats if known.key == seat]
    return [Remark(said.id, said.name, said.side, said.text, said.at.isoformat()) for said in store.talk(id, sides)]


@post(
    "/matches/{id:str}/talk",
    sync_to_thread=True,
    status_code=204,
    security=OF_A_SEAT,
    summary="Say something",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def say(request: Asking, store: Store, id: str, data: Saying) -> None:
    """Say something to all, or to one's own side, under the name of whoever sits on the seat."""
    card, seat = _own_seat(request, store, id)
    side = next(known.side for known in card.seats if known.key == seat)
    speaker = _player(store, card, seat, _bearer(request))
    store.say(id, speaker, data.text, side if data.to == "side" else None)


@get(
    "/matches/{id:str}/record",
    sync_to_thread=True,
    media_type="application/jsonl",
    summary="The record",
    responses=refusals(404, 409),
)
def record(store: Store, id: str) -> str:
    """The record of a match that is over; until then it holds what sides hide."""
    if store.card(id).outcome is None:
        raise NotOver
    return store.record(id)


@get("/matches/{id:str}/events", media_type="text/event-stream", summary="What happens", responses=refusals(404))
async def events(store: Store, herald: Herald, id: str) -> Stream:
    """A stream of events: `here` at first, then `moved`, `talk`, `asked` and `seats`, each with the revision."""
    card = await sync_to_thread(store.card, id)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Stream(herald.stream(id, card.revision), media_type="text/event-stream", headers=headers)


class ExactRenderPlugin(JsonRenderPlugin):
    """Adds to the schema what Litestar leaves out: a body with a word that is not in its schema is refused."""

    def render(self, request: Asking, openapi_schema: dict[str, Any]) -> bytes:
        """The schema as JSON."""
        for asked in BODIES:
            openapi_schema["components"]["schemas"][asked.__name__]["additionalProperties"] = False
        return super().render(request, openapi_schema)


def openapi() -> OpenAPIConfig:
    """The schema of the interface; no page for it, as that would be loaded from elsewhere."""
    return OpenAPIConfig(
        title="Ready Room",
        version=__version__,
        description=__doc__ or "",
        path="/api/schema",
        render_plugins=[ExactRenderPlugin()],
        components=Components(security_schemes={"seat": SecurityScheme(type="http", scheme="bearer")}),
        use_handler_docstrings=True,
    )


router = Router(
    "/api/v1",
    route_handlers=[
        *(list_games, one_game, list_matches, open_match, my_seat, look, sit, take, begin, new_link),
        *(decide, undo, asked_back, ask_back, allow_back, advice, heard, say, record, events),
    ],
    tags=["v1"],
)
