"""[24.62, 51.31, HA, 20.51, 19.2] The tables: read by a strength and a modified roll, with their exact odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

import msgspec

from readyroom.engine.charts import Chart, row_range
from readyroom.engine.checks import Modifiers, RolledDice, Roller, with_signs

DICE, SIDES = 2, 6
"""All tables of two numbers are read with two dice."""


class Pair(NamedTuple):
    """A result of two numbers, as `1/3`: the graver one first (A3). A single number is `0`, nothing at all."""

    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.first}/{self.second}" if self.first or self.second else "0"

    def __add__(self, other: object) -> Pair:
        """Both results together."""
        if not isinstance(other, Pair):
            return NotImplemented
        return Pair(self.first + other.first, self.second + other.second)

    @property
    def worth(self) -> int:
        """[24.62.1] What it comes to on the ladder of results, where a first number is worth two second ones."""
        return 2 * self.first + self.second


def pair(cell: str) -> Pair:
    """A cell as a result of two numbers; one number alone stands first.

    >>> pair("1/3"), pair("0"), pair("4")
    (Pair(first=1, second=3), Pair(first=0, second=0), Pair(first=4, second=0))
    """
    first, _, second = cell.partition("/")
    return Pair(int(first), int(second or 0))


class Grid:
    """A table with a row for each strength and a column for each modified roll.

    A roll beyond the first or last column is read there. A strength beyond the last row is read in pieces, the last
    row as often as it goes and the row of the rest, all with the same roll [24.62.2].
    """

    def __init__(self, chart: Chart, pieces: int | None = None) -> None:
        self.chart = chart
        self.least = int(chart.columns[0])
        self.most = self.least + len(chart.columns) - 1
        self.pieces = pieces
        self.pairs = any("/" in cell for cells in chart.rows.values() for cell in cells)
        self.rows = {int(label): [pair(cell) for cell in cells] for label, cells in chart.rows.items()}

    def words(self, result: Pair) -> str:
        """A result as this table prints it: of tables with one number, that number."""
        return str(result) if self.pairs else str(result.first)

    @cached_property
    def heaviest(self) -> int:
        """The strength of the last row."""
        return max(self.rows)

    def read(self, strength: int, roll: int) -> Pair:
        """The result for a strength (0: nothing) and a modified roll."""
        column = min(max(roll, self.least), self.most) - self.least
        found = Pair(0, 0)
        for row in self.split(strength):
            found += self.rows[row][column]
        return found

    def split(self, strength: int) -> Iterator[int]:
        """[24.62.2] The rows that a strength is read in."""
        if self.pieces is not None:
            strength = min(strength, self.heaviest * self.pieces)
        while strength > self.heaviest:
            yield self.heaviest
            strength -= self.heaviest
        if strength > 0:
            yield strength

    def odds(self, strength: int, net: int) -> Mapping[Pair, Fraction]:
        """The exact chance of each result, the least first."""
        found: dict[Pair, Fraction] = {}
        for roll, chance in rolls(DICE).items():
            cell = self.read(strength, roll + net)
            found[cell] = found.get(cell, Fraction(0)) + chance
        return dict(sorted(found.items(), key=lambda one: one[0].worth))


class AirGrid(Grid):
    """[19.2] The Air Combat Table: beyond its last row results go on growing by a step for each factor (A23)."""

    def read(self, strength: int, roll: int) -> Pair:
        """The result for a strength (0: nothing) and a modified roll."""
        column = min(max(roll, self.least), self.most) - self.least
        if strength <= self.heaviest:
            return self.rows[strength][column] if strength else Pair(0, 0)
        return air_step(self.rows[self.heaviest][column].worth + strength - self.heaviest)


def air_step(worth: int) -> Pair:
    """[19.2] The result that stands so high on the ladder of the Air Combat Table, from the sixth step on."""
    first = worth // 3
    return Pair(first, worth - 2 * first)


@lru_cache(maxsize=16)
def rolls(dice: int) -> Mapping[int, Fraction]:
    """The exact chance of each sum of so many dice."""
    chances = {0: Fraction(1)}
    for _ in range(dice):
        more: dict[int, Fraction] = {}
        for total, chance in chances.items():
            for face in range(1, SIDES + 1):
                more[total + face] = more.get(total + face, Fraction(0)) + chance / SIDES
        chances = more
    return chances


class Read(msgspec.Struct, frozen=True):
    """A table that has been read with dice."""

    roll: TableRoll
    dice: bytes
    total: int
    result: Pair

    def __str__(self) -> str:
        return self.roll.grid.words(self.result)

    def to_log(self) -> RolledDice:
        """The roll for the log, with its arithmetic."""
        rows = ", ".join(f"row {row}" for row in self.roll.grid.split(self.roll.strength)) or "no row"
        sums = f"{len(self.dice)}d{SIDES}{with_signs(self.roll.modifiers)} = {self.total}, {rows}: {self}"
        return RolledDice(self.roll.name, (tuple(self.dice),), SIDES, sums)


class TableRoll(msgspec.Struct, frozen=True, eq=False):
    """A roll of two dice on a table, for a strength and with named modifiers."""

    rule: str
    name: str
    grid: Grid
    strength: int
    modifiers: Modifiers = ()

    def resolve(self, throw: Roller) -> Read:
        """Throw the dice and read the table."""
        dice = throw(DICE, SIDES, 0)
        total = sum(dice) + sum(value for _, value in self.modifiers if value)
        return Read(self, dice, total, self.grid.read(self.strength, total))


# -- Pearl Harbor ----------------------------------------------------------------------------------------------------

PEARL, PACIFIC, AUTO, SURPRISE = "Pearl", "Pacific", "Auto", "surprise"
"""The words of the Surprise Table, and the label of its last row, which is added to the die of surprise."""


class SurpriseTable:
    """[51.31] The Pearl Harbor Surprise Table: where each carrier force is, and how surprised the defence."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.columns = [row_range(label) or (0, 0) for label in chart.columns]
        self.cells = {int(row): cells for row, cells in chart.rows.items() if row != SURPRISE}
        self.drms = [int(cell) for cell in chart.rows[SURPRISE]]

    def label(self, column: int) -> str:
        """Return a column's tension range, such as `34–35`."""
        return self.chart.columns[column].replace("-", "–")

    def column(self, tension: int) -> int:
        """[51.31.1] The column of a tension, counted from 0; below the first column it is read there."""
        return next((at for at, (_, most) in enumerate(self.columns) if tension <= most), len(self.columns) - 1)

    def carrier(self, column: int, roll: int) -> str:
        """[51.31.2] Where a carrier force is: in Pearl Harbor, in the Pacific, automatic, or at sea at a distance."""
        return self.cells[min(max(roll, min(self.cells)), max(self.cells))][column]

    def level(self, column: int, die: int) -> int:
        """[51.31.4] The level of surprise."""
        return die + self.drms[column]

    def where(self, column: int) -> Mapping[str, Fraction]:
        """The exact chance of each place of a carrier force."""
        found: dict[str, Fraction] = {}
        for roll, chance in rolls(DICE).items():
            place = self.carrier(column, roll)
            found[place] = found.get(place, Fraction(0)) + chance
        return found

    def levels(self, column: int) -> Mapping[int, Fraction]:
        """The exact chance of each level of surprise."""
        return {self.level(column, die): Fraction(1, SIDES) for die in range(1, SIDES + 1)}


def intercepts(place: str) -> Fraction:
    """[51.31.3] The exact chance that a carrier force intercepts a second strike."""
    if place == AUTO:
        return Fraction(1)
    if place in (PEARL, PACIFIC):
        return Fraction(0)
    return Fraction(max(0, SIDES + 1 - int(place)), SIDES)
