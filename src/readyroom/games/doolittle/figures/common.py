"""What all tables of figures share: where they come from, and numbers that are read by a range or by a die's parity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast, get_args

import msgspec

from readyroom.engine.rules.charts import Chart, plain_table, row_range
from readyroom.engine.rules.charts import Source as ChartSource

Source: TypeAlias = Literal["seed", "rulebook", "published", "reconstructed", "history"]
"""Where a table comes from: the issue, the rules, other print, our reasoning, or what happened in 1942."""
Light: TypeAlias = Literal["day", "night"]
Altitude: TypeAlias = Literal["low", "high"]
Weather: TypeAlias = Literal["calm", "gusty", "gale", "storm"]
WEATHERS: tuple[Weather, ...] = get_args(Weather)
Wind: TypeAlias = Literal["severe-headwind", "headwind", "crosswind", "severe-crosswind", "tailwind", "severe-tailwind"]
WINDS: tuple[Wind, ...] = get_args(Wind)
Icon: TypeAlias = Literal["", "triangle", "circle", "square", "line"]
Month: TypeAlias = Literal["january", "february", "march", "april"]
MONTHS: tuple[Month, ...] = get_args(Month)


class Plain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row or a part of a table."""


class Sourced(Plain, frozen=True, kw_only=True):
    """A table of figures, with where they come from."""

    source: Source
    origin: str

    def as_chart(
        self, id: str, title: str, rule: str, columns: Sequence[str], rows: Iterable[tuple[str, list[str]]]
    ) -> Chart:
        """Return a plain chart of these figures, with their source."""
        source = "reconstructed" if self.source in ("history", "seed") else self.source
        return plain_table(id, title, rule, cast(ChartSource, source), self.origin, list(columns), rows)


class Steps(Sourced, frozen=True, kw_only=True):
    """Numbers read by a range (`<=3`, `4`, `5-6`, `9+`); `reach` is what play can ask for, both ends included."""

    reach: tuple[int, int]
    rows: dict[str, int]

    def at(self, value: int) -> int:
        """Return the number for a value; KeyError where no range has it."""
        return self.rows[label_of(self.rows, value)]


class Crossing(Sourced, frozen=True, kw_only=True):
    """Numbers read by a named row and a column that is a range."""

    reach: tuple[int, int]
    columns: list[str]
    rows: dict[str, list[int]]

    def at(self, row: str, value: int) -> int:
        """Return the number in a row for a value; KeyError where no column has it."""
        return self.rows[row][self.columns.index(label_of(self.columns, value))]


class Parity(Sourced, frozen=True, kw_only=True):
    """What an even and what an odd die does."""

    even: str
    odd: str

    def of(self, face: int) -> str:
        """Return what this face does."""
        return self.odd if face % 2 else self.even


class Dice(Sourced, frozen=True, kw_only=True):
    """How many dice are rolled."""

    dice: int


class PhaseName(Plain, frozen=True, kw_only=True):
    """A phase of a turn and its rule."""

    key: str
    title: str
    rule: str


class PhaseList(Sourced, frozen=True, kw_only=True):
    """The phases of a turn, in their order."""

    phase: list[PhaseName]


class Markers(Plain, frozen=True, kw_only=True):
    """A number of equal markers."""

    count: int
    kind: str


M = TypeVar("M", bound=Markers)
K = TypeVar("K", bound=Plain)


class MarkerCup(Sourced, Generic[M], frozen=True, kw_only=True, dict=True):
    """[4.2.1, 8.3.1, 12.6.1, 13.5.2] A cup of hazards and how many markers it holds."""

    total: int
    marker: list[M]


class Kinds(Sourced, Generic[K], frozen=True, kw_only=True):
    """[4.6.3, 8.3.7, 12.6.6] All kinds of hazards of a cup or of several."""

    kind: dict[str, K]


def numbered(cups: Mapping[Any, Iterable[M]]) -> dict[str, M]:
    """Return every single marker of these cups by its key: the cup, and a number in it."""
    return {
        f"{name}-{number:02}": marker
        for name, markers in cups.items()
        for number, marker in enumerate((one for one in markers for _ in range(one.count)), start=1)
    }


def covering(labels: Iterable[str], value: int) -> list[str]:
    """Return the range labels that cover a value; labels that are no range cover nothing.

    >>> covering(["<=3", "4-7", "8+"], 7)
    ['4-7']
    """
    spans = ((label, row_range(label)) for label in labels)
    return [label for label, span in spans if span and span[0] <= value <= span[1]]


def label_of(labels: Iterable[str], value: int) -> str:
    """Return the first range label that covers a value; KeyError if none does."""
    for label in labels:
        span = row_range(label)
        if span and span[0] <= value <= span[1]:
            return label
    raise KeyError(value)
