"""The file of a campaign: sides, ledger, tables, chapters and rows."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from readyroom.engine.facts import FactValue

FACT = "fact "
"""How the name of a fact begins where a ledger quantity could be named too."""
OPTION = "option."
"""How a path begins that is an option of the chapter's game."""
FAR = 10**9
"""The most of a number without a limit."""
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=-FAR, le=FAR)]
Key: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[\w.-]{1,60}\Z")]
Comparison: TypeAlias = Literal["is", "is not", "at least", "at most"]
Condition: TypeAlias = tuple[str, Comparison, int | str]
"""A ledger quantity or a fact, how it is compared, and with what."""
Lookup: TypeAlias = list[tuple[int, int | str]] | dict[str, int | str]
"""A table: pairs of the least number and the value, in order, or a value for each word."""


def as_conditions(given: list[Any]) -> list[Condition]:
    """Return one condition or a list of them, as a file has them, as a list; raise `msgspec.ValidationError`."""
    return msgspec.convert([given] if given and isinstance(given[0], str) else given, list[Condition])


class Quantity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ledger quantity: a number from `low` to `high`, a word, or a list of words, by the type of `start`.

    `source` is a rule, a page of history, or "own" for an assumption.
    """

    title: str
    start: FactValue
    source: str
    low: Number | None = None
    high: Number | None = None


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A link: takes a value, changes it, and puts it somewhere.

    The value is what `take` names (a ledger quantity or `fact NAME`), looked up in `table`, plus `plus`, times `times`,
    at least `low` and at most `high`; or `value`. `into` is a ledger quantity, a field of the scenario as a path, or
    several of them. `source` says on what the link is based, `why` is what players read, and `title` what they read for
    a field instead of its path.
    """

    into: str | list[str]
    take: str = ""
    value: Any = None
    table: str = ""
    plus: Number = 0
    times: Annotated[float, msgspec.Meta(ge=-1_000, le=1_000)] = 1
    low: Number | None = None
    high: Number | None = None
    how: Literal["add", "set", "join", "drop"] = "add"
    as_: Literal["number", "text", "yes", "no"] = msgspec.field(default="number", name="as")
    when: list[Any] = []
    why: str = ""
    source: str = ""
    title: str = ""

    @property
    def targets(self) -> list[str]:
        """What the row changes."""
        return [self.into] if isinstance(self.into, str) else self.into

    @property
    def conditions(self) -> list[Condition]:
        """The conditions, all of which must hold."""
        return as_conditions(self.when)


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sealed choice of a side before a chapter: what it changes in the scenario."""

    key: str
    title: str
    before: list[Row]


class Substitute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is played instead of a chapter; without a game and a scenario nothing is, and only `after` counts."""

    game: str = ""
    scenario: str | dict[str, Any] = ""
    seats: dict[str, str] = {}
    options: dict[str, str] = {}
    before: list[Row] = []
    after: list[Row] = []
    summary: str = ""


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A chapter: a match of a game, which seats a side has, and the rows before and after it.

    `scenario` is the game's, a file next to the campaign's, or written out. `place` is where it is on a map: degrees of
    longitude (those west of 180 are more than 180) and latitude. `order` are the sealed choices of the side
    `ordered_by`. If a condition of `unless` holds, `instead` is played. `history` has the facts of the real event: they
    are entered if the chapter is skipped.
    """

    key: str
    game: str
    scenario: str | dict[str, Any]
    seats: dict[str, str]
    title: str = ""
    date: str = ""
    summary: str = ""
    place: tuple[float, float] | None = None
    options: dict[str, str] = {}
    before: list[Row] = []
    after: list[Row] = []
    order: list[Order] = []
    ordered_by: str = ""
    unless: list[Any] = []
    instead: Substitute | None = None
    history: dict[str, FactValue] = {}

    @property
    def exceptions(self) -> list[Condition]:
        """The conditions, any of which calls the substitute."""
        return as_conditions(self.unless)


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who wins: the ledger quantity (above 0 the first side, below 0 the second), and the endings in its order.

    At 0 the winner of the chapter `tie` wins. A side that is behind by `behind` may once double a chapter (0: never).
    """

    ledger: str
    tie: str
    endings: list[tuple[Number, str]]
    behind: Number = 0


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A variant: chapters left out, other starts of the ledger, and other entries of chapters, by key."""

    title: str
    summary: str = ""
    without: list[str] = []
    start: dict[str, FactValue] = {}
    chapter: dict[str, dict[str, Any]] = {}


class Campaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A campaign as its file describes it."""

    campaign: Literal[1]
    key: Key
    title: str
    summary: str
    sides: dict[str, str]
    victory: Victory
    ledger: dict[str, Quantity]
    table: dict[str, Lookup] = {}
    chapter: list[Chapter]
    variant: dict[str, Variant] = {}

    def find_chapter(self, key: str) -> Chapter:
        """Return the chapter of this key; StopIteration if there is none."""
        return next(chapter for chapter in self.chapter if chapter.key == key)
