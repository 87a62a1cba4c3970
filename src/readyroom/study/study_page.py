"""A study as a page: one file without scripts that asks no one for anything, with every figure as text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Template

from readyroom.engine.rules.checks import percent, signed
from readyroom.engine.text import join_list
from readyroom.study.changes import Change
from readyroom.study.measures import Difference, Figure, Measured, MeasureResult, count_endings, digits_for
from readyroom.study.templates import environment

WIDTH, HEIGHT = 100.0, 40.0
"""The width of drawn bars and histograms, and the height of a histogram, in their own units."""
MARGIN = 0.06
"""The part of a bar's width that is left free at either end."""


@dataclass(frozen=True)
class Bar:
    """A mean with its interval on a line; `zero` is the position of zero, or None if it is off the line."""

    mean: float
    low: float
    high: float
    zero: float | None


@dataclass(frozen=True)
class Column:
    """A column of a histogram."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Row:
    """A case in the table of a measure: its text and its chart."""

    name: str
    figure: Figure | None
    bar: Bar | None
    columns: Sequence[Column]
    outline: Sequence[Column]
    difference: Difference | None
    apart: Bar | None


@dataclass(frozen=True)
class Part:
    """A measure with its rows, and where its histograms begin and end."""

    measured: Measured
    share: bool
    rows: Sequence[Row]
    least: str
    most: str

    @property
    def compared(self) -> list[Row]:
        """Return the rows that are compared with the first."""
        return [row for row in self.rows if row.difference is not None]


def page(result: MeasureResult, command: str) -> str:
    """Return the page; `command` reproduces it."""
    parts, (sure, unsure) = [_part(result, measured) for measured in result.measures], describe_result(result)
    facts = {"parts": parts, "sure": sure, "unsure": unsure, "endings": count_endings(result)}
    facts["changed"] = changed_cases(result)
    facts["searches"] = search_commands(result, command)
    return _template().render(result=result, command=command, **facts)


def describe_result(result: MeasureResult) -> tuple[list[str], int]:
    """Return sentences on the significant differences, and the number of the others."""
    differences = [one for each in result.measures for one in each.differences if one is not None]
    sure = [one.sentence for one in differences if one.is_significant]
    return sure, len(differences) - len(sure)


def changed_cases(result: MeasureResult) -> list[tuple[str, list[Change]]]:
    """Return what each case changes by name; cases that change the same as the one before are named together."""
    named: list[tuple[list[str], list[Change]]] = []
    for case, changes in zip(result.cases, result.changes, strict=False):
        if changes and named and named[-1][1] == changes:
            named[-1][0].append(case["name"])
        elif changes:
            named.append(([case["name"]], changes))
    return [(join_list(names), changes) for names, changes in named]


def search_commands(result: MeasureResult, command: str) -> list[str]:
    """Return the commands that search new policies under the rules of the cases whose mixes were solved."""
    _, _, file, *_ = [*shlex.split(command), "", "", ""]
    return [
        shlex.join(["readyroom", "policies", result.game, "--study", file, "--case", solved.case])
        for solved in result.mixes
    ]


@lru_cache(maxsize=1)
def _template() -> Template:
    known = environment(figure=figure, change=change, percent=percent, needs=needs, p_text=p_text, more=more)
    return known.get_template("study_page.html.j2")


# -- figures as text -------------------------------------------------------------------------------------------------


def figure(value: float, share: bool = False) -> str:
    """Return a mean with two digits, or a share in per cent."""
    text = f"{100 * value:.1f} %" if share else f"{value:.2f}"
    return text.replace("-", "−")


def change(value: float, share: bool = False) -> str:
    """Return a difference with its sign; of shares, in percentage points."""
    value, digits = (100 * value, 1) if share else (value, 2)
    return signed(value, digits_for(value, digits))


def needs(difference: Difference) -> str:
    """Return how many times as many matches independent dice would need for an interval."""
    if difference.gain is None:
        return "no match differs" if difference.identical == 1.0 else "–"
    return f"{difference.gain:.1f} times as many"


def p_text(p: float) -> str:
    """Return a p-value.

    >>> p_text(0.0312), p_text(0.00001), p_text(1.0)
    ('0.031', '< 0.001', '1')
    """
    return "< 0.001" if p < 0.001 else f"{p:.3f}".rstrip("0").rstrip(".")


def more(difference: Difference, share: bool) -> str:
    """Return how many more matches of each case narrow the interval, and to what."""
    precision = f"{100 * difference.precision:g} points" if share else f"{difference.precision:g}"
    return f"{difference.more:,} for ±{precision}"


# -- drawing ---------------------------------------------------------------------------------------------------------


def _part(result: MeasureResult, measured: Measured) -> Part:
    share = measured.measure.kind == "share"
    figures = [one for one in measured.figures if one is not None]
    differences = [one for one in measured.differences if one is not None]
    reach, distance = _span(figures), _span(differences, [0.0])
    tallest = max((max(one.histogram, default=0) for one in figures), default=0)
    first, rows = list(_columns(measured.figures[0], tallest)), list[Row]()
    for case, one, difference in zip(result.cases, measured.figures, measured.differences, strict=True):
        columns, outline = list(_columns(one, tallest)), first if rows else []
        apart = _bar(difference, distance)
        rows.append(Row(case["name"], one, _bar(one, reach), columns, outline, difference, apart))
    least, most = min((one.least for one in figures), default=0.0), max((one.most for one in figures), default=0.0)
    return Part(measured, share, rows, f"{least:g}", f"{most:g}")


def _span(result: Sequence[Figure | Difference], also: Sequence[float] = ()) -> tuple[float, float]:
    """Return the range of all intervals with a margin."""
    ends = [*(one.low for one in result), *(one.high for one in result), *also]
    least, most = min(ends, default=0.0), max(ends, default=0.0)
    margin = MARGIN * (most - least) or 0.5
    return least - margin, most + margin


def _bar(one: Figure | Difference | None, reach: tuple[float, float]) -> Bar | None:
    """Return the places of a mean and its interval on a line of this range."""
    if one is None:
        return None
    least, most = reach

    def at(value: float) -> float:
        return round(WIDTH * (value - least) / (most - least), 1)

    return Bar(at(one.mean), at(one.low), at(one.high), at(0.0) if least <= 0 <= most else None)


def _columns(one: Figure | None, tallest: int) -> Iterator[Column]:
    """Return the columns of a histogram; all cases share one scale."""
    if one is None or not one.histogram or not tallest:
        return
    width = WIDTH / len(one.histogram)
    for number, count in enumerate(one.histogram):
        height = HEIGHT * count / tallest
        yield Column(round(width * number, 2), round(HEIGHT - height, 2), round(width, 2), round(height, 2))
