"""The API's responses, as data."""

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
    """An option: its key, its text, its hint, its price, and the budget that pays.

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
    """The question that a seat has to answer; an answer gives its `revision`."""

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
    """The status of a match for the client: `seat` is null for a spectator.

    `lines` is how many log lines there are for this seat; a number smaller than before says that some were taken back.
    `view` is null unless it was requested. `lent` says that the sender of the seat's secret still knows it; ask for
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
    """A new match: the link secret of each seat that is neither a bot's nor open to anyone, returned this once."""

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
    """A joined seat: the secret of its link, returned this once, and whether the match has started."""

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
    """An analyzed answer: its keys, its text, and the bot that would choose it, if any.

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
    """The analysis: the answers, best first, and one sentence why, with the rule of the question.

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
