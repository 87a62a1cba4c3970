"""[24.62, 51.31, HA, 20.51, 19.2] The combat tables, with exact odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeVar

import msgspec

from readyroom.engine.rules.charts import Chart, row_range
from readyroom.engine.rules.checks import Modifiers, RolledDice, Roller, sum_distribution, with_signs
from readyroom.engine.text import en_dashes

K = TypeVar("K")
DICE, SIDES = 2, 6
"""The combat tables use two six-sided dice."""


def add_up(results: Iterable[tuple[K, Fraction]]) -> dict[K, Fraction]:
    """Return the probability of each result, those of equal results added."""
    chances: dict[K, Fraction] = {}
    for result, chance in results:
        chances[result] = chances.get(result, Fraction(0)) + chance
    return chances


def mean(odds: Mapping[K, Fraction], value: Callable[[K], int | Fraction]) -> Fraction:
    """Return the mean of a value over all results."""
    return sum((chance * value(result) for result, chance in odds.items()), Fraction(0))


class Pair(NamedTuple):
    """A result of two numbers such as `1/3`, the more severe first (A3); printed `0` if both are 0."""

    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.first}/{self.second}" if self.first or self.second else "0"

    def __add__(self, other: object) -> Pair:
        """Return the sum of both results."""
        if not isinstance(other, Pair):
            return NotImplemented
        return Pair(self.first + other.first, self.second + other.second)

    @property
    def steps(self) -> int:
        """[24.62.1] The step on the ladder of results; the first number counts double."""
        return 2 * self.first + self.second


def pair(cell: str) -> Pair:
    """Parse a cell; a single number is the first one.

    >>> pair("1/3"), pair("0"), pair("4")
    (Pair(first=1, second=3), Pair(first=0, second=0), Pair(first=4, second=0))
    """
    first, _, second = cell.partition("/")
    return Pair(int(first), int(second or 0))


class Grid:
    """A table with a row for each strength and a column for each modified roll.

    A roll is clamped to the columns. A strength beyond the last row is split: the last row repeatedly and the row of
    the remainder, all with the same roll [24.62.2].
    """

    def __init__(self, chart: Chart, pieces: int | None = None) -> None:
        self.chart = chart
        self.least = int(chart.columns[0])
        self.most = self.least + len(chart.columns) - 1
        self.pieces = pieces
        self.pairs = any("/" in cell for cells in chart.rows.values() for cell in cells)
        self.rows = {int(label): [pair(cell) for cell in cells] for label, cells in chart.rows.items()}

    def format(self, result: Pair) -> str:
        """Return a result as this table prints it: one number or two."""
        return str(result) if self.pairs else str(result.first)

    @cached_property
    def heaviest(self) -> int:
        """The strength of the last row."""
        return max(self.rows)

    def read(self, strength: int, roll: int) -> Pair:
        """Return the result for a strength (0: none) and a modified roll."""
        column = min(max(roll, self.least), self.most) - self.least
        result = Pair(0, 0)
        for row in self.split(strength):
            result += self.rows[row][column]
        return result

    def split(self, strength: int) -> Iterator[int]:
        """[24.62.2] Return the rows for a strength."""
        if self.pieces is not None:
            strength = min(strength, self.heaviest * self.pieces)
        while strength > self.heaviest:
            yield self.heaviest
            strength -= self.heaviest
        if strength > 0:
            yield strength

    def odds(self, strength: int, net: int) -> Mapping[Pair, Fraction]:
        """Return the probability of each result, the smallest first."""
        rolls = sum_distribution(DICE, SIDES).items()
        chances = add_up((self.read(strength, roll + net), chance) for roll, chance in rolls)
        return dict(sorted(chances.items(), key=lambda item: item[0].steps))


class AirGrid(Grid):
    """[19.2] The Air Combat Table: beyond its last row results grow by a step of the ladder for each factor (A23)."""

    def read(self, strength: int, roll: int) -> Pair:
        """Return the result for a strength (0: none) and a modified roll."""
        column = min(max(roll, self.least), self.most) - self.least
        if strength <= self.heaviest:
            return self.rows[strength][column] if strength else Pair(0, 0)
        steps = self.rows[self.heaviest][column].steps + strength - self.heaviest
        return Pair(steps // 3, steps - 2 * (steps // 3))


class Read(msgspec.Struct, frozen=True):
    """The result of a roll on a table."""

    roll: TableRoll
    dice: bytes
    total: int
    result: Pair

    def __str__(self) -> str:
        return self.roll.grid.format(self.result)

    def to_log(self) -> RolledDice:
        """The roll for the log, with its arithmetic."""
        rows = ", ".join(f"row {row}" for row in self.roll.grid.split(self.roll.strength)) or "no row"
        rows += self.roll.scale()
        sums = f"{len(self.dice)}d{SIDES}{with_signs(self.roll.modifiers)} = {self.total}, {rows}: {self}"
        return RolledDice(self.roll.name, (tuple(self.dice),), SIDES, sums)


class TableRoll(msgspec.Struct, frozen=True, eq=False):
    """A roll of two dice on a table, for a strength and with named modifiers; `says` names what a result does."""

    rule: str
    name: str
    grid: Grid
    strength: int
    modifiers: Modifiers = ()
    says: Callable[[Pair], str] | None = None

    def scale(self) -> str:
        """Return what the least, the middle and the greatest sum of the dice do; empty without a strength."""
        if self.says is None or not self.strength:
            return ""
        added = sum(value for _, value in self.modifiers)
        sums = (DICE + added, DICE * (SIDES + 1) // 2 + added, DICE * SIDES + added)
        least, middle, most = (f"{each} {self.says(self.grid.read(self.strength, each))}" for each in sums)
        return f", a sum of {least}; {middle}; {most}"

    def resolve(self, roll: Roller) -> Read:
        """Roll the dice and read the table."""
        dice = roll(DICE, SIDES, 0)
        total = sum(dice) + sum(value for _, value in self.modifiers if value)
        return Read(self, dice, total, self.grid.read(self.strength, total))


# -- Pearl Harbor ----------------------------------------------------------------------------------------------------

PEARL, PACIFIC, AUTO, SURPRISE = "Pearl", "Pacific", "Auto", "surprise"
"""Cells of the Surprise Table, and the label of its last row, the surprise modifiers."""


class SurpriseTable:
    """[51.31] The Pearl Harbor Surprise Table: places of carrier forces and levels of surprise."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.columns = [row_range(label) or (0, 0) for label in chart.columns]
        self.cells = {int(row): cells for row, cells in chart.rows.items() if row != SURPRISE}
        self.drms = [int(cell) for cell in chart.rows[SURPRISE]]

    def label(self, column: int) -> str:
        """Return a column's tension range, such as `34–35`."""
        return en_dashes(self.chart.columns[column])

    def column(self, tension: int) -> int:
        """[51.31.1] Return the column of a tension, counted from 0 and clamped to the table."""
        return next((at for at, (_, most) in enumerate(self.columns) if tension <= most), len(self.columns) - 1)

    def carrier(self, column: int, roll: int) -> str:
        """[51.31.2] Return the place of a carrier force: Pearl, Pacific, Auto, or a distance at sea."""
        return self.cells[min(max(roll, min(self.cells)), max(self.cells))][column]

    def level(self, column: int, die: int) -> int:
        """[51.31.4] Return the level of surprise."""
        return die + self.drms[column]

    def where(self, column: int) -> Mapping[str, Fraction]:
        """Return the probability of each place of a carrier force."""
        rolls = sum_distribution(DICE, SIDES).items()
        return add_up((self.carrier(column, roll), chance) for roll, chance in rolls)

    def interception(self, column: int) -> Fraction:
        """[51.31.3] Return the probability that a carrier force intercepts a second strike."""
        return mean(self.where(column), intercepts)

    def levels(self, column: int) -> Mapping[int, Fraction]:
        """Return the probability of each level of surprise."""
        return {self.level(column, die): Fraction(1, SIDES) for die in range(1, SIDES + 1)}


def intercepts(place: str) -> Fraction:
    """[51.31.3] Return the probability that a carrier force in a place intercepts a second strike."""
    if place == AUTO:
        return Fraction(1)
    if place in (PEARL, PACIFIC):
        return Fraction(0)
    return Fraction(max(0, SIDES + 1 - int(place)), SIDES)
