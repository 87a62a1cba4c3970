"""Charts loaded from data files: dice tables for look-ups, and plain tables for display.

Each chart names its source (`source`, `origin`). A dice table must be total: every result that its dice and declared
modifiers can produce has exactly one row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

from readyroom.engine.errors import InvalidData, Unknown
from readyroom.engine.rules.checks import ChartRoll, Modifiers, Roller, sum_distribution

Source = Literal["rulebook", "published", "reconstructed"]
"""Where data comes from."""


class HasSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A data table that names its source."""

    source: Source
    origin: str


_ROW = re.compile(r"^(?:(-?\d+)|(-?\d+)-(-?\d+)|(-?\d+)\+|<=(-?\d+))$")
_DICE = re.compile(r"^(\d+)d(\d+)$")
FAR = 10**6
"""The upper end of a row such as `9+`."""


class UnknownColumn(Unknown):
    """The chart has no column of this name."""

    kind = "column"


@lru_cache(maxsize=4096)
def row_range(label: str) -> tuple[int, int] | None:
    """Return the results that a row's label (`4`, `2-5`, `9+` or `<=3`) covers; None if it is not a range.

    >>> row_range("2-5"), row_range("9+")[0], row_range("many")
    ((2, 5), 9, None)
    """
    match = _ROW.match(label)
    if not match:
        return None
    one, low, high, up, down = match.groups()
    if one is not None:
        return int(one), int(one)
    if low is not None:
        return int(low), int(high)
    return (int(up), FAR) if up is not None else (-FAR, int(down))


class Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One chart, as in its data file.

    `rows` maps a row's label to its cells, one per column. With `dice` ("2d6") the labels are results; `modified` is
    the range of possible modifiers, both ends included.
    """

    id: str
    title: str
    rule: str
    source: Source
    origin: str
    columns: list[str]
    rows: dict[str, list[str]]
    dice: str = ""
    modified: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        for label, cells in self.rows.items():
            if len(cells) != len(self.columns):
                raise InvalidData(
                    f"chart {self.id}", f"rows.{label}", f"{len(self.columns)} cells", f"{len(cells)} cells"
                )
        if self.dice:
            self._check_total()

    def _check_total(self) -> None:
        count, sides = self.dice_pool()
        low, high = count + self.modified[0], count * sides + self.modified[1]
        for total in range(low, high + 1):
            rows = [label for label in self.rows if self._covers(label, total)]
            if len(rows) != 1:
                raise InvalidData(
                    f"chart {self.id}", "rows", f"one row for a result of {total}", " and ".join(rows) or "none"
                )

    def _covers(self, label: str, total: int) -> bool:
        covered = row_range(label)
        if covered is None:
            raise InvalidData(f"chart {self.id}", f"rows.{label}", "a result such as 4, 2-5, 9+ or <=3", repr(label))
        return covered[0] <= total <= covered[1]

    def dice_pool(self) -> tuple[int, int]:
        """Return the number of dice and their sides."""
        match = _DICE.match(self.dice)
        if not match:
            raise InvalidData(f"chart {self.id}", "dice", "dice such as 2d6", repr(self.dice))
        return int(match[1]), int(match[2])

    def _column(self, column: str) -> int:
        if column not in self.columns:
            raise UnknownColumn(column, self.columns, where=f"chart {self.id}")
        return self.columns.index(column)

    def cell(self, total: int, column: str) -> str:
        """Return the cell for a modified result; results outside the declared range raise `InvalidData`."""
        at = self._column(column)
        for label, cells in self.rows.items():
            if self._covers(label, total):
                return cells[at]
        raise InvalidData(f"chart {self.id}", "rows", f"a row for a result of {total}", "none")

    def roll(self, roller: Roller, column: str, modifiers: Modifiers = ()) -> ChartRoll[str]:
        """Roll the chart's dice, add the modifiers, and read the cell."""
        count, sides = self.dice_pool()
        dice = roller(count, sides, 0)
        total = sum(dice) + sum(value for _, value in modifiers)
        named = column if len(self.columns) > 1 else ""
        return ChartRoll(self.id, named, dice, sides, modifiers, total, self.cell(total, column))

    def odds(self, column: str, modifiers: Modifiers = ()) -> dict[str, Fraction]:
        """Return the exact probability of each cell of a column."""
        count, sides = self.dice_pool()
        shift = sum(value for _, value in modifiers)
        chances: dict[str, Fraction] = {}
        for total, chance in sum_distribution(count, sides).items():
            cell = self.cell(total + shift, column)
            chances[cell] = chances.get(cell, Fraction(0)) + chance
        return chances

    def bands(self, column: str, name: Callable[[str], str] = str) -> str:
        """Return which results of a column have which name: "miss on 6 or less, near miss on 7–8, hit on 9 or more"."""
        bands: list[tuple[str, int, int]] = []
        rows = ((row_range(label), cell) for label, each, cell in self.cells() if each == column)
        for low, high, cell in sorted((*span, cell) for span, cell in rows if span is not None):
            if bands and bands[-1][0] == name(cell):
                low = bands.pop()[1]
            bands.append((name(cell), low, high))
        return ", ".join(f"{called} on {_span(low, high)}" for called, low, high in bands)

    def cells(self) -> Iterator[tuple[str, str, str]]:
        """Yield every cell as (row, column, text)."""
        for label, cells in self.rows.items():
            for column, text in zip(self.columns, cells, strict=True):
                yield label, column, text


def _span(low: int, high: int) -> str:
    """Return a range of results as text.

    >>> _span(-FAR, 6), _span(7, 8), _span(9, 9), _span(9, FAR)
    ('6 or less', '7–8', '9', '9 or more')
    """
    if low == -FAR:
        return f"{high} or less"
    return f"{low} or more" if high == FAR else str(low) if low == high else f"{low}–{high}"


class Charts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A data file of charts: `[[chart]]` tables."""

    chart: list[Chart] = []

    def __getitem__(self, id: str) -> Chart:
        for chart in self.chart:
            if chart.id == id:
                return chart
        raise KeyError(id)


def plain_table(
    id: str,
    title: str,
    rule: str,
    source: Source,
    origin: str,
    columns: list[str],
    rows: Iterable[tuple[str, list[str]]],
) -> Chart:
    """Return a plain table built from typed data, so that no number is written twice."""
    return Chart(id=id, title=title, rule=rule, source=source, origin=origin, columns=columns, rows=dict(rows))
