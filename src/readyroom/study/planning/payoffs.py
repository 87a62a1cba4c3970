"""What the matches of a planning game say: payoffs with their errors, the best mixes, and what the game is worth."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from readyroom.engine.game import Game, NamedPlan
from readyroom.study.matrix_games import Array, solve
from readyroom.study.results import StudyResult
from readyroom.study.simulate import OUTSIDE

ERROR = "standard error of {}"
MIDDLE = (OUTSIDE, 1 - OUTSIDE)
"""The quantiles of the resamples at both ends of the range."""


class PayoffJob(NamedTuple):
    """The matches to play, as data for another process."""

    game: str
    data: Path | None
    scenario: str
    options: dict[str, str]
    plans: dict[str, list[str]]
    seed: str


class MatchResult(NamedTuple):
    """One match: its number, the plans of both sides, the winner or None, its ending, and what was counted."""

    number: int
    row: str
    column: str
    winner: str | None
    title: str
    counts: dict[str, float]


class Estimate(msgspec.Struct, frozen=True):
    """A mean and its standard error."""

    mean: float
    error: float


class PlanShare(msgspec.Struct, frozen=True):
    """A plan in the solution.

    `share` is how often the best mix plays it, with its standard error, and `chosen` in what part of the resamplings it
    is played at all; `gain` is what it gives the first side against the best mix of the other one.
    """

    key: str
    title: str
    summary: str
    share: Estimate
    chosen: float
    gain: Estimate


class Side(msgspec.Struct, frozen=True):
    """A side: its key, its name, and its plans."""

    key: str
    name: str
    lines: list[PlanShare]


class Cell(msgspec.Struct, frozen=True):
    """A pair of plans: what it is worth to the first side, how the matches ended, and what was counted in them."""

    row: str
    column: str
    payoff: Estimate
    endings: dict[str, float]
    counts: dict[str, Estimate]


class Value(msgspec.Struct, frozen=True):
    """What the game is worth to the first side: standard error, and the middle nine tenths of the resamplings."""

    mean: float
    error: float
    low: float
    high: float


class PayoffResult(StudyResult, frozen=True, kw_only=True):
    """The planning game, solved. Everything but the seconds is the same for the same seed, however it was worked out.

    `endings` are the titles of all endings that came up, each with the side that has won.
    """

    game: str
    title: str
    scenario: str
    options: dict[str, str]
    games: int
    draw: float
    seed: str
    resamples: int
    version: str
    seconds: float
    value: Value
    rows: Side
    columns: Side
    endings: dict[str, str | None]
    cells: list[Cell]

    def cell(self, row: str, column: str) -> Cell:
        """Return the cell of these plans."""
        return next(cell for cell in self.cells if (cell.row, cell.column) == (row, column))

    def to_csv(self) -> str:
        """Return the table as CSV, a line per pair of plans."""
        names = [self.rows.key, self.columns.key, "games", "payoff", ERROR.format("payoff"), *self.endings]
        for count in self.cells[0].counts:
            names += [count, ERROR.format(count)]
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(names)
        for cell in self.cells:
            figures = [cell.payoff.mean, cell.payoff.error, *cell.endings.values()]
            for estimate in cell.counts.values():
                figures += [estimate.mean, estimate.error]
            writer.writerow([cell.row, cell.column, self.games, *(f"{figure:.6g}" for figure in figures)])
        return written.getvalue()


def estimate(result: Sequence[float]) -> Estimate:
    """Return the mean of some figures and its standard error."""
    figures = np.asarray(result, dtype=np.float64)
    return Estimate(float(figures.mean()), float(figures.std(ddof=1) / np.sqrt(len(figures))))


class PayoffTable:
    """The matches as a block of points: row, column, number of the match."""

    def __init__(self, contest: PayoffJob, battles: Sequence[MatchResult], draw: float) -> None:
        (self.first, self.rows), (self.second, self.columns) = contest.plans.items()
        self.draw = draw
        self.battles: dict[tuple[str, str], list[MatchResult]] = {}
        for battle in battles:
            self.battles.setdefault((battle.row, battle.column), []).append(battle)
        self.points: Array = np.array(
            [[[self.worth(one) for one in self.battles[row, column]] for column in self.columns] for row in self.rows]
        )
        self.games: int = self.points.shape[2]

    def worth(self, battle: MatchResult) -> float:
        """Return the payoff of a match to the first side."""
        if battle.winner is None:
            return self.draw
        return 1.0 if battle.winner == self.first else -1.0

    def endings(self) -> dict[str, str | None]:
        """Return the endings with their winners: the first side's victories, draws, the other's victories."""
        order = {self.first: 0, None: 1, self.second: 2}
        endings = {one.title: one.winner for pair in self.battles.values() for one in pair}
        return dict(sorted(endings.items(), key=lambda ending: (order[ending[1]], ending[0])))

    def cells(self) -> list[Cell]:
        """Return every pair of plans, row by row."""
        cells, titles = [], self.endings()
        for row, column in product(self.rows, self.columns):
            battles = self.battles[row, column]
            ended = Counter(battle.title for battle in battles)
            payoff = estimate([self.worth(battle) for battle in battles])
            endings = {title: ended[title] / len(battles) for title in titles}
            counts = {name: estimate([battle.counts[name] for battle in battles]) for name in battles[0].counts}
            cells.append(Cell(row, column, payoff, endings, counts))
        return cells


class BootstrapSolutions(NamedTuple):
    """Solutions, one a line: values, shares of each side's plans, and what each plan gains against the other mix."""

    values: Array
    shares: tuple[Array, Array]
    gains: tuple[Array, Array]


def resample(points: Array, times: int, seed: str) -> BootstrapSolutions:
    """Resample the matches this many times, with replacement, and solve each game.

    Match numbers are drawn for all pairs at once, because they share their dice.
    """
    random = np.random.default_rng(list(f"{seed}/resampling".encode()))
    games = points.shape[2]
    payoffs = [points[:, :, random.integers(games, size=games)].mean(axis=2) for _ in range(times)]
    values, rows, columns = (np.array(each) for each in zip(*map(solve, payoffs), strict=True))
    gains = np.array([table @ mix for table, mix in zip(payoffs, columns, strict=True)])
    losses = np.array([mix @ table for table, mix in zip(payoffs, rows, strict=True)])
    return BootstrapSolutions(values, (rows, columns), (gains, losses))


def build_result(
    game: Game[Any, Any], contest: PayoffJob, battles: Sequence[MatchResult], draw: float, resamples: int
) -> PayoffResult:
    """Return the solution of the planning game from its matches; `seconds` is left at zero."""
    table = PayoffTable(contest, battles, draw)
    payoffs = table.points.mean(axis=2)
    best, again = solve(payoffs), resample(table.points, resamples, contest.seed)
    low, high = (float(np.quantile(again.values, quantile)) for quantile in MIDDLE)
    return PayoffResult(
        game=game.key,
        title=game.title,
        scenario=contest.scenario,
        options=contest.options,
        games=table.games,
        draw=draw,
        seed=contest.seed,
        resamples=resamples,
        version=game.version,
        seconds=0.0,
        value=Value(best.value, float(again.values.std()), low, high),
        rows=_side(game, contest, table.first, best.rows, payoffs @ best.columns, again),
        columns=_side(game, contest, table.second, best.columns, best.rows @ payoffs, again),
        endings=table.endings(),
        cells=table.cells(),
    )


def _side(
    game: Game[Any, Any], contest: PayoffJob, side: str, shares: Array, gains: Array, again: BootstrapSolutions
) -> Side:
    """Return the plans of a side with their shares, and their payoff against the other side's mix."""
    at = list(contest.plans).index(side)
    plans: Mapping[str, NamedPlan] = game.planning.plans()[side]
    lines = [
        PlanShare(
            key,
            plans[key].title,
            plans[key].summary,
            Estimate(float(shares[number]), float(again.shares[at][:, number].std())),
            float((again.shares[at][:, number] > 0).mean()),
            Estimate(float(gains[number]), float(again.gains[at][:, number].std())),
        )
        for number, key in enumerate(contest.plans[side])
    ]
    seats = game.rules.seats(game.scenario(contest.scenario), contest.options)
    return Side(side, game.side_name(side, seats), lines)
