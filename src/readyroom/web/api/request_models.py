"""Request bodies and query parameters of the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar.params import Parameter, QueryParameter
from msgspec import Meta

from readyroom.campaign import reading
from readyroom.engine.data import LONGEST
from readyroom.store import Pace
from readyroom.store.chat import TEXT_LENGTH
from readyroom.store.clock import LONGEST as LONGEST_CLOCK
from readyroom.store.limits import SEED_LENGTH, WORDS_LENGTH
from readyroom.store.names import NAME_LENGTH
from readyroom.store.tournaments.pairings import FEWEST, MOST, Format
from readyroom.store.tournaments.tournaments import TITLE_LENGTH
from readyroom.web.pages.home.new_match import SCENARIO_BYTES
from readyroom.web.pages.match.plans import PLAN_BYTES

Key = Annotated[str, Meta(max_length=200)]
Words = Annotated[str, Meta(max_length=WORDS_LENGTH)]
Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
REVISION: dict[str, Any] = {
    "ge": 0,
    "le": 1_000_000,
    "description": "A revision, as the status counts them.",
    "schema_extra": {"minimum": 0},  # Litestar leaves out a least value of 0
}
Since = Annotated[
    int | None,
    Parameter(
        ge=0,
        le=1_000_000,
        description="Return only log lines from this number on; `lines` is the next.",
        schema_extra={"minimum": 0},
    ),
]
Revision = Annotated[int, Parameter(**REVISION)]
LastRevision = Annotated[int | None, Parameter(**REVISION)]
OpenSeats = Annotated[
    bool | None,
    QueryParameter(name="open", description="Only matches with a seat open to anyone, or only matches in progress."),
]
GameKey = Annotated[str | None, Parameter(max_length=200, description="Only matches of this game.")]
Opponents = Annotated[
    Literal["new", "skilled"] | None,
    Parameter(description="Only matches whose host looks for newcomers, or for experienced players, or for anyone."),
]
View = Annotated[bool, Parameter(description="Whether to include the seat's view.")]


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be created.

    `seats` assigns seats or whole sides: "me" (the secret is returned and the seat is taken), "friend" (the secret is
    returned and the match waits for its bearer), "anyone", or "bot:NAME". Seats that are not named are "me". `own` is
    the text of a custom scenario. `minutes` is how long each side may think in all before its opponent may claim the
    win; 0 is no clock. `help` offers hints and analysis also if several people play; then it is not rated. `words` are
    mixed into the dice key; send random ones. With a `seed`, for studies and tests, anyone who knows it can predict
    the dice, and the match is labelled. Without a `name` one is drawn, which says that a program plays.
    """

    game: Key
    scenario: Key | None = None
    own: Annotated[str, Meta(max_length=SCENARIO_BYTES)] | None = None
    options: dict[Key, Key] = {}
    seats: dict[Key, Key] = {}
    pace: Pace = "live"
    minutes: Annotated[int, Meta(ge=0, le=LONGEST_CLOCK)] = 0
    listed: bool = False
    help: bool = False
    words: Words = ""
    seed: Annotated[str, Meta(max_length=SEED_LENGTH)] | None = None
    name: Name | None = None


class ScenarioText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a scenario file, and its game."""

    game: Key
    text: Annotated[str, Meta(max_length=SCENARIO_BYTES)]


class NewAttempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attempt at a challenge; a new player gets the name, or a random one that says that a program plays."""

    name: Name | None = None


class NewCampaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign to be created: a shipped one or the `text` of a file, with variants by their keys.

    `files` are the scenario files that the text names.

    `sides` assigns sides: "me" (the secret is returned), "friend" (the secret is returned, and the campaign waits for
    its bearer), or "bot:NAME". Sides that are not named are "me". `words` and `name` are as for a match.
    """

    campaign: Key = ""
    text: Annotated[str, Meta(max_length=LONGEST)] = ""
    files: Annotated[dict[Key, Annotated[str, Meta(max_length=SCENARIO_BYTES)]], Meta(max_length=reading.MOST)] = {}
    variants: Annotated[list[Key], Meta(max_length=20)] = []
    sides: dict[Key, Key] = {}
    pace: Pace = "live"
    listed: bool = False
    words: Words = ""
    name: Name | None = None


class CampaignChoices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Choices of a side, each of them optional.

    `order` is the key of a sealed order, `risk` whether to call calculated risk before the next chapter, `offer` an
    offer to the other side: to end the war with the ending that the tide shows, to let bots play the chapter on, or to
    skip it as in history. `accept` answers the other side's offer; false also withdraws an own one.
    """

    order: Key | None = None
    risk: bool | None = None
    offer: Literal["end", "bots", "skip"] | None = None
    accept: bool | None = None


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to be created: a game with two sides, and a scenario (its first, if none is named).

    `kind` is a round robin or a knockout; with `both`, each pair plays two matches with sides swapped. It starts when
    `places` players have joined. A match that waits for a player for `days` is lost by them. Only a `listed` one is
    found by everyone. `minutes`, `words` and `name` are as for a match.
    """

    title: Annotated[str, Meta(min_length=1, max_length=TITLE_LENGTH)]
    game: Key
    scenario: Key | None = None
    kind: Format = "robin"
    both: bool = False
    places: Annotated[int, Meta(ge=FEWEST, le=MOST["knockout"])] = 4
    pace: Pace = "days"
    days: Literal[1, 3, 7, 14] = 7
    minutes: Annotated[int, Meta(ge=0, le=LONGEST_CLOCK)] = 0
    listed: bool = True
    words: Words = ""
    name: Name | None = None


class JoinTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Join a tournament; everyone who sees it sees the name. `words` are mixed into the dice key of each match."""

    words: Words = ""
    name: Name | None = None


class TournamentChoices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player does, each of it optional: `concede` an open match (its id), or `withdraw` from the tournament.

    The organiser can also `remove` a player (by name), or `start` without waiting for more players.
    """

    concede: Key | None = None
    remove: Name | None = None
    start: bool = False
    withdraw: bool = False


class PuzzleAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a puzzle: the keys of the chosen options."""

    keys: Annotated[list[Key], Meta(max_length=5000)]


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Join a seat; the other players see the name.

    `words` are mixed into the dice key, with those of the other seats; send random ones. Once the match has started the
    dice are fixed, and they are ignored.
    """

    words: Words = ""
    name: Name | None = None


class TakeSeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Join a seat that is open to anyone; `words` are as for joining by link."""

    seat: Key
    words: Words = ""
    name: Name | None = None


class NewLinkRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new secret: drawn by the server, or sent by a program so that it can retry if the response is lost.

    A program's own secret is 256 random bits in URL-safe base 64: 43 characters.
    """

    secret: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")] | None = None


class AssignBotRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bot that is to play the seat."""

    bot: Key


class PlanRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan file: its text and its name, which ends in .toml or .csv."""

    text: Annotated[str, Meta(max_length=PLAN_BYTES)]
    file: Key


class ChatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chat message to everyone or to the player's side."""

    text: Annotated[str, Meta(min_length=1, max_length=TEXT_LENGTH)]
    to: Literal["all", "side"] = "all"


class TakebackAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the seat's side accepts the takeback; the seat that requested it cancels it with false."""

    allow: bool


class DrawAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the seat's side accepts the draw; the side that offered it withdraws it with false."""

    accept: bool


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer: the keys of the options, and the revision of the decision it is for."""

    keys: Annotated[list[Key], Meta(max_length=5000)]
    revision: Annotated[int, Meta(ge=0, le=2**31)]


BODIES = (NewMatch, NewAttempt, NewCampaign, CampaignChoices, NewTournament, JoinTournament, TournamentChoices,
          JoinRequest, TakeSeatRequest, NewLinkRequest, DrawAnswer,
          AssignBotRequest, PlanRequest, Answer, ChatRequest, TakebackAnswer, ScenarioText, PuzzleAnswer)  # fmt: skip
