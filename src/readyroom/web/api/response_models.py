"""What programs are told: the answers of the interface, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from readyroom.engine.state import Outcome
from readyroom.store import Pace


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
    """An option: the key that chooses it, its words, what may be known before, its price, and from which purse.

    `cell` is its row and column where the options are a sheet to be filled in.
    """

    key: str
    text: str
    note: str | None
    chance: float | None
    cost: int
    limit: int
    purse: str | None
    cell: tuple[str, str] | None


class UnavailableModel(msgspec.Struct, frozen=True):
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
    refused: list[UnavailableModel]
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


class LogLineModel(msgspec.Struct, frozen=True):
    """A line of the log as the seat may read it."""

    turn: int
    phase: str
    title: str
    rule: str
    text: str
    rolls: list[Dice]


class MatchStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How a match stands for anyone who asks: `seat` is null for a spectator.

    `lines` is how many log lines there are for this seat; a number smaller than before says that some were taken back.
    `view` is null unless it was asked for. `lent` says that anyone who sent the seat's secret still knows it; ask for
    a new one.
    """

    id: str
    game: str
    title: str
    scenario: str
    options: Mapping[str, str]
    seats: list[SeatFacts]
    pace: Pace
    begun: bool
    revision: int
    turn: int
    phase: str
    waiting: Sequence[str]
    outcome: Outcome | None
    fingerprint: str
    secret: str | None = None
    seat: str | None = None
    lent: bool = False
    pending: Pending | None = None
    can_undo: bool = False
    log: list[LogLineModel] = []
    lines: int = 0
    view: dict[str, Any] | None = None


class CreatedMatch(msgspec.Struct, frozen=True):
    """A new match: for each seat that is not a bot's or anybody's the secret of its link, told this once."""

    id: str
    url: str
    begun: bool
    seats: Mapping[str, str]


class ListedMatch(msgspec.Struct, frozen=True):
    """A match that everybody may find: to sit down at where a seat is open, or to watch."""

    id: str
    game: str
    title: str
    scenario: str
    options: Mapping[str, str]
    seats: list[SeatFacts]
    pace: Pace
    begun: bool
    fingerprint: str
    revision: int
    turn: int
    phase: str
    waiting: Sequence[str]


class ClaimedSeat(msgspec.Struct, frozen=True):
    """A seat that is one's own from now on: the secret of its link, told this once, and whether the match has begun."""

    id: str
    seat: str
    secret: str
    begun: bool


class ChatMessage(msgspec.Struct, frozen=True):
    """Something that was said, to all (`side` null) or to one side; `at` is when, in ISO 8601."""

    id: int
    name: str
    side: str | None
    text: str
    at: str


class HintModel(msgspec.Struct, frozen=True):
    """What the game's first bot would answer for a seat; without a question, `bot` is empty and there are no keys."""

    bot: str
    keys: list[str]
    revision: int


class RatedAnswerModel(msgspec.Struct, frozen=True):
    """An answer that the staff officer has tried: its keys, its words, and the doctrine that it is of, if of any.

    `worth` is what it comes to, from 0 to 1; `error` is half the width of its 95 % interval. `gain` is how much more it
    is worth than the usual answer, and `doubt` the same error of that.
    """

    keys: list[str]
    words: str
    doctrine: str
    worth: float
    error: float
    gain: float
    doubt: float
    trials: int


class AnalysisModel(msgspec.Struct, frozen=True):
    """What the staff officer advises: the answers, the best first, and one sentence why, with the rule of the question.

    `chances` says that `worth` is the chance to win; where one side plays alone it is what an ending is worth.
    """

    seat: str
    rule: str
    question: str
    revision: int
    judged: list[RatedAnswerModel]
    why: str
    chances: bool
    trials: int


class TakebackModel(msgspec.Struct, frozen=True):
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
