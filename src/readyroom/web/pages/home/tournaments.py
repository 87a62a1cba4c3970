"""Tournaments: the list, a new one, and the page of each with its standings, rounds and forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import NamedTuple, cast

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, Stream

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.text import count_noun
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.errors import NotYourSeat, UnknownMatchId
from readyroom.store.limits import WORDS_LENGTH
from readyroom.store.lobby.setup import random_words
from readyroom.store.names import NAME_LENGTH
from readyroom.store.tournaments.pairings import (
    FEWEST,
    MOST,
    Format,
    Pairing,
    Standing,
    is_decided,
    points_of,
    winner_of,
)
from readyroom.store.tournaments.tournaments import DAYS, TITLE_LENGTH, Tournament
from readyroom.web import catalog
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.live.open_pages import OpenPages
from readyroom.web.pages.cards import match_list
from readyroom.web.pages.home.new_match import CLOCKS, chosen_minutes
from readyroom.web.pages.home.opponents import PACES
from readyroom.web.pages.match.events import changes
from readyroom.web.pages.match.lobby import TOO_LONG, qr_code
from readyroom.web.pages.players.profile import get_or_create_player, random_name
from readyroom.web.rendering import AppRequest, Page, Reply, address

KINDS: Mapping[Format, str] = {"robin": "Round robin", "knockout": "Knockout"}
ROUNDS = {1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}
"""The names of the rounds of a knockout by their number of pairs."""


class OwnTournament(NamedTuple):
    """A tournament of a player: standing and points once it has started, and the opponents now with their matches."""

    found: Tournament
    standing: Standing | None
    points: str
    pairs: Sequence[tuple[str, str]]


class RoundView(NamedTuple):
    """A round: its title, its pairs, and the names of those who sit out, as one does where their number is odd."""

    title: str
    pairs: Sequence[PairView]
    sitting_out: Sequence[str]


class PairView(NamedTuple):
    """Two players of a round (or one with a bye): names, points, and whether they have won; their matches."""

    players: Sequence[tuple[str, str, bool]]
    games: Sequence[Pairing]


# -- the list and new tournaments ------------------------------------------------------------------------------------


@get("/tournaments", sync_to_thread=True)
def tournaments_page(page: Page, store: Store, player: Player | None) -> Response[str]:
    """Show the player's tournaments, and the public ones that are open, running or over."""
    me = player.id if player is not None else ""
    public = store.tournaments.public(me)
    groups = [("My tournaments", store.tournaments.of_player(me) if me else [])]
    for state, title in (("open", "Open"), ("running", "Running"), ("over", "Finished")):
        groups.append((title, [one for one in public if one.state == state]))
    own = {one.id: own_tournament(one, me) for one in groups[0][1]}
    return page("tournaments.html", groups=groups, own=own, describe=describe, games=_two_sided(), fewest=FEWEST)


def describe(found: Tournament) -> str:
    """Return the game, the form and the time for decisions of a tournament in a line."""
    both = ", both sides" if found.both else ""
    time = f"{count_noun(found.days, 'day')} for a decision"
    time += f", {found.minutes} minutes a side" if found.minutes else ""
    return f"{found.about}. {KINDS[found.kind]}{both}, {PACES[found.pace].lower()}, {time}."


@get("/tournaments/new", sync_to_thread=True)
def new_tournament(page: Page) -> Response[str]:
    """Show the form of a new tournament."""
    return _form(page, {"plays": "yes", "listed": "yes", "pace": "days"})


def _form(page: Page, fields: Mapping[str, str], error: str = "", *, status: int = 200) -> Response[str]:
    return page(
        "tournament-new.html",
        status=status,
        fields=fields,
        error=error,
        games=_two_sided(),
        kinds=KINDS,
        paces=PACES,
        days=DAYS,
        clocks=CLOCKS,
        fewest=FEWEST,
        most=MOST,
        letters=TITLE_LENGTH,
    )


def _two_sided() -> list[catalog.CatalogEntry]:
    return [entry for entry in catalog.list_games() if len(entry.sides) == 2]


@post("/tournaments/new", sync_to_thread=True)
def create_tournament(
    request: AppRequest, page: Page, store: Store, player: Player | None, form: FormMultiDict, client_tag: str
) -> Reply:
    """Create a tournament; show the form again with the error if that is not possible."""
    fields = {key: str(value) for key, value in form.multi_items()}
    game, _, scenario = fields.get("game", "").partition(" ")
    places, days = fields.get("places", ""), fields.get("days", "")
    arrival = get_or_create_player(request, store, player)
    try:
        created = store.tournaments.create(
            arrival.player,
            fields.get("title", ""),
            game,
            scenario or None,
            kind=cast(Format, fields.get("kind", "robin")),
            both="both" in fields,
            places=_number(places),
            pace="days" if fields.get("pace") == "days" else "live",
            days=_number(days),
            minutes=chosen_minutes(fields.get("minutes", "")),
            listed="listed" in fields,
            client=client_tag,
        )
    except ReadyRoomError as error:
        return arrival.seated(_form(page, fields, str(error), status=422))
    if "plays" in fields:
        store.tournaments.join(created, arrival.player.id, random_words(), client=client_tag)
    return arrival.seated(_back(created))


def my_tournaments(store: Store, player_id: str) -> list[OwnTournament]:
    """Return the tournaments of a player that are not over, as far as they play there."""
    found = [own_tournament(one, player_id) for one in store.tournaments.of_player(player_id) if one.state != "over"]
    return [one for one in found if one is not None]


def own_tournament(found: Tournament, player_id: str) -> OwnTournament | None:
    """Return how a player does in a tournament; None if they do not play there."""
    number = found.seed_of(player_id)
    if number is None:
        return None
    row = next((one for one in found.standings if one.player == number), None) if found.state != "open" else None
    unfinished = [one for one in found.pairings if not one.result and one.two is not None and number in one.players]
    pairs = [(found.name(next(each for each in one.players if each != number)), one.match) for one in unfinished]
    return OwnTournament(found, row, points_text(row.points) if row is not None else "", pairs)


# -- a tournament ----------------------------------------------------------------------------------------------------


@get("/tournaments/{id:str}", sync_to_thread=True)
def tournament_page(page: Page, store: Store, id: str) -> Response[str]:
    """Show a tournament: its players or its standings, its rounds, and what the visitor can do."""
    return _tournament(page, store, id)


@get("/tournaments/{id:str}/events", sync_to_thread=True, media_type="text/event-stream")
def events(
    store: Store, player: Player | None, broadcaster: EventBroadcaster, open_pages: OpenPages, id: str
) -> Stream:
    """Stream the changes of a tournament, for its open pages."""
    store.tournaments.find(id)
    return changes(broadcaster, open_pages, player, id)


def _tournament(
    page: Page, store: Store, id: str, *, name: str = "", wrong: str = "", status: int = 200
) -> Response[str]:
    found, player = store.tournaments.find(id), page.player
    number = found.seed_of(player.id) if player is not None else None
    mine = [one for one in found.pairings if not one.result and number in one.players]
    out = {one.number for one in found.entrants if one.is_out}
    return page(
        "tournament.html",
        status=status,
        secret=not found.public,
        found=found,
        about=describe(found),
        number=number,
        out=out,
        is_out=number in out,
        is_removed=player is not None and player.id in found.removed,
        is_host=player is not None and player.id == found.host,
        may_remove=player is not None and found.may_remove(player.id),
        may_repeat=found.state == "over"
        and player is not None
        and (number not in {None, *out} or player.id == found.host),
        matches=match_list(_summaries(store, mine), player, store),
        opponents={one.match: found.name(next(each for each in one.players if each != number)) for one in mine},
        crosstable=crosstable(found) if found.kind == "robin" else [],
        rounds=rounds_of(found),
        points=points_text,
        count_noun=count_noun,
        fewest=FEWEST,
        name=name or random_name(),
        name_letters=NAME_LENGTH,
        wrong=wrong,
        letters=WORDS_LENGTH,
        words=random_words(),
        link=f"{address(page.request)}/tournaments/{id}",
        qr_code=qr_code,
    )


def _summaries(store: Store, pairings: Sequence[Pairing]) -> list[MatchSummary]:
    known = []
    for one in pairings:
        with suppress(UnknownMatchId):  # it is being created
            known.append(store.listings.summary(one.match))
    return known


def points_text(points: float) -> str:
    """Return points as they are written.

    >>> points_text(1.5), points_text(0.5), points_text(0)
    ('1½', '½', '0')
    """
    half = "½" if points % 1 else ""
    return f"{int(points) if points >= 1 or not half else ''}{half}"


def crosstable(found: Tournament) -> list[tuple[Standing, list[str]]]:
    """Return the standings of a round robin, each with the player's points against the others in the same order."""
    order = [one.player for one in found.standings]
    games: dict[frozenset[int], list[Pairing]] = {}
    for pairing in found.pairings:
        games.setdefault(frozenset(pairing.players), []).append(pairing)

    def cell(one: int, other: int) -> str:
        played = games.get(frozenset((one, other)), [])
        if one == other or not any(each.result for each in played):
            return "–" if one == other else "·"
        return points_text(points_of(played)[one])

    return [(standing, [cell(standing.player, other) for other in order]) for standing in found.standings]


def rounds_of(found: Tournament) -> list[RoundView]:
    """Return the rounds."""
    rounds = []
    for number, played in groupby(found.pairings, key=lambda one: one.round):
        pairings = list(played)
        pairs = [_pair(found, list(games)) for _, games in groupby(pairings, key=lambda one: one.place)]
        title = ROUNDS.get(len(pairs), "") if found.kind == "knockout" else ""
        busy = {player for one in pairings for player in one.players}
        idle = [one.name for one in found.entrants if found.kind == "robin" and one.number not in busy]
        rounds.append(RoundView(title or f"Round {number}", pairs, idle))
    return rounds


def _pair(found: Tournament, games: Sequence[Pairing]) -> PairView:
    points, is_over = points_of(games), all(one.result for one in games)
    winners = {one for one in games[0].players if is_over and points[one] > sum(points.values()) / 2}
    if found.kind == "knockout" and is_decided(games):
        out = {one.number for one in found.entrants if one.is_out}
        winners = {winner_of(games, out)}
    shown = [
        (found.name(one), points_text(points[one]) if any(each.result for each in games) else "", one in winners)
        for one in games[0].players
    ]
    return PairView(shown, games)


@post("/tournaments/{id:str}/join", sync_to_thread=True)
def join(
    request: AppRequest,
    page: Page,
    store: Store,
    player: Player | None,
    form: FormMultiDict,
    client_tag: str,
    id: str,
) -> Reply:
    """Join a tournament."""
    name = " ".join(str(form.get("name", "")).split())
    if len(name) > NAME_LENGTH:
        return _tournament(page, store, id, name=name, wrong=TOO_LONG, status=422)
    store.tournaments.find(id)  # before a player is created
    arrival = get_or_create_player(request, store, player, name)
    words = str(form.get("words", "")).strip()[:WORDS_LENGTH]
    store.tournaments.join(id, arrival.player.id, words, client=client_tag)
    return arrival.seated(_back(id))


@post("/tournaments/{id:str}/{action:str}", sync_to_thread=True)
def act(store: Store, player: Player | None, form: FormMultiDict, client_tag: str, id: str, action: str) -> Redirect:
    """Leave or concede, as a player; start, cancel or remove a player, as the organiser; or play again."""
    if player is None:
        raise NotYourSeat("Only the players of a tournament can do this.")
    match action:
        case "leave":
            store.tournaments.withdraw(id, player.id)
        case "concede":
            store.tournaments.concede(id, str(form.get("match", "")), player.id)
        case "start":
            store.tournaments.start(id, player.id)
        case "remove":
            store.tournaments.remove(id, str(form.get("name", "")), player.id)
        case "cancel":
            store.tournaments.cancel(id, player.id)
            return Redirect("/tournaments", status_code=303)
        case "again":
            return _back(store.tournaments.repeat(id, player, client=client_tag))
        case _:
            raise NotFoundException
    return _back(id)


def _number(text: str) -> int:
    """Return a number of a field; 0, which is refused, for anything else."""
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _back(id: str) -> Redirect:
    return Redirect(f"/tournaments/{id}", status_code=303)


router = Router(
    "/",
    route_handlers=[tournaments_page, new_tournament, create_tournament, tournament_page, events, join, act],
    include_in_schema=False,
)
