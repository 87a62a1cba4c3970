"""The planning game as a page: one file without scripts that asks no one for anything, with every figure as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from math import sqrt
from typing import Literal

from jinja2 import Template

from readyroom.bots.analysis import ERRORS
from readyroom.engine.rules.checks import percent, signed
from readyroom.study.planning.payoffs import Cell, Estimate, PayoffResult, PlanShare, Side
from readyroom.study.templates import environment

HEAT = 5
"""Steps of colour for each side, and for what is only counted."""
WIDTH = 100.0
"""The width of a drawn bar, in its own units."""
Scale = Literal["payoff", "share", "count"]


@dataclass(frozen=True)
class Bar:
    """A mean with its error bar, drawn on a line."""

    zero: float
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Square:
    """A square of a heat map: its colour's class, the figure and its error as text, and the error bar if it has one."""

    heat: str
    text: str
    error: str
    bar: Bar | None = None


@dataclass(frozen=True)
class Map:
    """A heat map: a square for each pair of plans, row by row."""

    title: str
    squares: Sequence[Sequence[Square]]


def page(result: PayoffResult, command: str) -> str:
    """Return the page; `command` reproduces it."""
    return _template().render(
        result=result,
        command=command,
        payoffs=_map(result, "Payoff", "payoff", lambda cell: cell.payoff),
        maps=[*_endings(result), *_counts(result)],
        mixes=[result.rows, result.columns],
        certain=_certain(result),
    )


@lru_cache(maxsize=1)
def _template() -> Template:
    known = environment(signed=signed, percent=percent, share_bar=share_bar, played=played, pairs=pairs)
    return known.get_template("planning_page.html.j2")


# -- figures as text -------------------------------------------------------------------------------------------------


def played(side: Side) -> list[PlanShare]:
    """Return the plans of a side's best mix, the most frequent first."""
    return sorted((line for line in side.lines if line.share.mean > 0), key=lambda line: -line.share.mean)


def pairs(options: dict[str, str]) -> str:
    """Return options as text."""
    return ", ".join(f"{key}={choice}" for key, choice in options.items())


# -- squares ---------------------------------------------------------------------------------------------------------


def share_bar(estimate: Estimate) -> Bar:
    """Return the share of a mix with its error bar."""
    return _bar(estimate, 0.0, 1.0)


def _bar(estimate: Estimate, least: float, most: float) -> Bar:
    """Return the places of mean and error bar on a line between two figures."""

    def at(figure: float) -> float:
        return round(WIDTH * (min(max(figure, least), most) - least) / (most - least), 1)

    reach = ERRORS * estimate.error
    return Bar(at(0.0), at(estimate.mean), at(estimate.mean - reach), at(estimate.mean + reach))


def _map(result: PayoffResult, title: str, scale: Scale, figure: Callable[[Cell], Estimate]) -> Map:
    counts = {(cell.row, cell.column): figure(cell) for cell in result.cells}
    least, most = min(one.mean for one in counts.values()), max(one.mean for one in counts.values())
    rows, columns = ([line.key for line in side.lines] for side in (result.rows, result.columns))
    return Map(title, [[_square(counts[row, column], scale, least, most) for column in columns] for row in rows])


def _square(estimate: Estimate, scale: Scale, least: float, most: float) -> Square:
    if scale == "payoff":
        step = round(HEAT * estimate.mean)
        heat = f"{'first' if step > 0 else 'second' if step < 0 else 'even'}-{abs(step)}"
        return Square(heat, signed(estimate.mean, 2), f"{estimate.error:.2f}", _bar(estimate, -1.0, 1.0))
    if scale == "share":
        return Square(f"much-{round(HEAT * estimate.mean)}", percent(estimate.mean), f"{100 * estimate.error:.0f}")
    part = (estimate.mean - least) / (most - least) if most > least else 0.0
    return Square(f"much-{round(HEAT * part)}", f"{estimate.mean:.1f}", f"{estimate.error:.1f}")


def _endings(result: PayoffResult) -> list[Map]:
    def share(title: str, cell: Cell) -> Estimate:
        part = cell.endings[title]
        return Estimate(part, sqrt(part * (1 - part) / (result.games - 1)))

    return [_map(result, f"{title}: how often", "share", partial(share, title)) for title in result.endings]


def _counts(result: PayoffResult) -> list[Map]:
    def mean(name: str, cell: Cell) -> Estimate:
        return cell.counts[name]

    return [_map(result, f"{name}, on average", "count", partial(mean, name)) for name in result.cells[0].counts]


def _certain(result: PayoffResult) -> list[str]:
    """Return the pairs whose matches all ended the same; their error is reported as zero, but is not."""
    names = {line.key: line.title for side in (result.rows, result.columns) for line in side.lines}
    cells = [cell for cell in result.cells if max(cell.endings.values()) == 1.0]
    ordered = product([line.key for line in result.rows.lines], [line.key for line in result.columns.lines])
    identical = {(cell.row, cell.column) for cell in cells}
    return [f"{names[row]} against {names[column]}" for row, column in ordered if (row, column) in identical]
