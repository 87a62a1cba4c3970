"""What programs ask for: the bodies of requests, as data, and what may stand behind an address."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar.params import Parameter
from msgspec import Meta

from readyroom.store import Pace
from readyroom.store.chat import TEXT_LENGTH
from readyroom.store.lobby import WORDS_LENGTH
from readyroom.store.players import NAME_LENGTH
from readyroom.web.new_match import SCENARIO_BYTES
from readyroom.web.table import PLAN_BYTES

PROGRAM = "a program"
"""What anyone who sits down from here is called, unless he tells a name."""

Key = Annotated[str, Meta(max_length=200)]
Words = Annotated[str, Meta(max_length=WORDS_LENGTH)]
Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Since = Annotated[
    int | None,
    Parameter(
        ge=0,
        le=1_000_000,
        description="Return only log lines from this number on; `lines` is the next.",
        schema_extra={"minimum": 0},  # Litestar leaves out a least value of 0
    ),
]
View = Annotated[bool, Parameter(description="Whether to include the seat's view.")]


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be opened.

    `seats` says for seats or whole sides who sits there: "me" (the secret is told, and the seat is taken), "friend"
    (the secret is told, and the match waits for anyone who brings it), "anyone", or "bot:NAME". Seats that are not told
    are "me". `own` is the text of a scenario of one's own.
    """

    game: Key
    scenario: Key | None = None
    own: Annotated[str, Meta(max_length=SCENARIO_BYTES)] | None = None
    options: dict[Key, Key] = {}
    seats: dict[Key, Key] = {}
    pace: Pace = "live"
    listed: bool = False
    words: Words = ""
    name: Name = PROGRAM


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Someone comes to the table; his words are mixed into the key of the dice, and the others read his name."""

    words: Words = ""
    name: Name = PROGRAM


class TakeSeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Someone takes a seat that is open to anyone."""

    seat: Key
    words: Words = ""
    name: Name = PROGRAM


class NewLinkRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new secret: the server draws one, or a program brings its own, so that it can ask again if the answer is lost.

    One's own is 256 random bits in URL-safe base 64: 43 characters.
    """

    secret: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")] | None = None


class AssignBotRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bot that is to play on."""

    bot: Key


class PlanRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan that was written down: the text of a file, and its name, which ends in .toml or .csv."""

    text: Annotated[str, Meta(max_length=PLAN_BYTES)]
    file: Key


class ChatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say, to all or to one's own side."""

    text: Annotated[str, Meta(min_length=1, max_length=TEXT_LENGTH)]
    to: Literal["all", "side"] = "all"


class TakebackAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the seat's side allows what someone wishes to take back; whose wish it is withdraws it by a no."""

    allow: bool


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer: the keys of the options, and the revision of the question that it is meant for."""

    keys: Annotated[list[Key], Meta(max_length=5000)]
    revision: Annotated[int, Meta(ge=0, le=2**31)]


BODIES = (
    NewMatch,
    JoinRequest,
    TakeSeatRequest,
    NewLinkRequest,
    AssignBotRequest,
    PlanRequest,
    Answer,
    ChatRequest,
    TakebackAnswer,
)
