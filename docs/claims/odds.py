"""Exact odds compared with the rolls of many matches: checks, volleys, charts and plain rolls of every game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from random import Random
from typing import Any

from docs.claims.parts import GAMES, TITLES, head, row
from scipy.stats import chisquare

from readyroom import bots
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import Check, Fire, Volley, die_odds
from readyroom.engine.rules.table import Table

SHOWN = 5
"""The number of rows for each game: the most frequent events."""
ENOUGH, ROOM = 30, 10.0
"""The minimum number of rolls, and the minimum variance, for an event to be tested."""
SURE = 1.96
CAP = 40
"""The maximum number of hits of a single die that matters."""

INTRODUCTION = """\
{matches} matches of each game between its own bots, the scenarios in turn. Before each roll its exact chance (of a
volley or a plain roll: mean and variance) was taken from the code that shows players the odds. The deviation is
observed minus expected, in standard deviations; about one in twenty should exceed ±1.96.
"""


@dataclass
class Sum:
    """The number of rolls of an event, the sums of their means and variances, and the observed sum."""

    rolls: int = 0
    mean: float = 0.0
    variance: float = 0.0
    observed: float = 0.0

    def add(self, mean: float, variance: float, observed: float) -> None:
        """Add a roll with its exact mean and variance."""
        self.rolls += 1
        self.mean += mean
        self.variance += variance
        self.observed += observed

    @property
    def deviation(self) -> float:
        """Return observed minus expected, in standard deviations."""
        return (self.observed - self.mean) / sqrt(self.variance)

    @property
    def testable(self) -> bool:
        """Return whether there were enough rolls for a test."""
        return self.rolls >= ENOUGH and self.variance >= ROOM


@dataclass
class Ledger:
    """Expected and observed sums by event, and the faces of all six-sided dice."""

    sums: defaultdict[tuple[str, str], Sum] = field(default_factory=lambda: defaultdict(Sum))
    faces: Counter[int] = field(default_factory=Counter)


def counted(ledger: Ledger) -> type[Match[Any, Any]]:
    """Return a match class whose table counts its rolls."""

    class CountingTable(Table[Any, Any]):
        def roll(self, check: Any, subject: str) -> Any:
            result = super().roll(check, subject)
            if isinstance(check, Check):
                chance = float(check.odds())
                ledger.sums[check.rule, check.name].add(chance, chance * (1 - chance), result.passed)
                _keep(ledger, result.dice, check.sides)
            elif isinstance(check, Volley) and check.dice:
                ledger.sums[check.rule, check.name].add(*_of_a_volley(check.dice, check.fire), result.hits)
                _keep(ledger, b"".join(result.rounds), check.fire.sides)
            return result

        def roll_on_chart(self, chart: Chart, column: str, subject: str, modifiers: Any = ()) -> Any:
            result = super().roll_on_chart(chart, column, subject, modifiers)
            cell, chance = most_likely_cell(chart, column, tuple(modifiers))
            ledger.sums[chart.rule, f"{chart.title}: most likely cell"].add(
                chance, chance * (1 - chance), result.cell == cell
            )
            _keep(ledger, result.dice, result.sides)
            return result

        def roll_dice(self, rule: str, subject: str, count: int = 1, sides: int = 6) -> bytes:
            dice = super().roll_dice(rule, subject, count, sides)
            ledger.sums[rule, f"sum of {count}d{sides}"].add(
                count * (sides + 1) / 2, count * (sides**2 - 1) / 12, sum(dice)
            )
            _keep(ledger, dice, sides)
            return dice

    return type("CountedMatch", (Match,), {"table_kind": CountingTable})


def _keep(ledger: Ledger, dice: bytes, sides: int) -> None:
    if sides == 6:
        ledger.faces.update(dice)


@lru_cache(maxsize=4096)
def _of_a_volley(dice: int, fire: Fire) -> tuple[float, float]:
    """Return the mean and variance of a volley's hits, from the exact odds of one die."""
    chances = die_odds(fire, CAP)
    mean = sum((hits * chance for hits, chance in enumerate(chances)), Fraction(0))
    square = sum((hits * hits * chance for hits, chance in enumerate(chances)), Fraction(0))
    return dice * float(mean), dice * float(square - mean * mean)


def most_likely_cell(chart: Chart, column: str, modifiers: tuple[tuple[str, int], ...]) -> tuple[str, float]:
    """Return the most likely cell of a column and its exact probability."""
    cell, chance = max(chart.odds(column, modifiers).items(), key=lambda item: item[1])
    return cell, float(chance)


def rolls_of(name: str, matches: int) -> Ledger:
    """Return the rolls of this many matches between a game's own bots, its scenarios in turn."""
    game, ledger = load_game(name), Ledger()
    kind, scenarios = counted(ledger), [scenario.key for scenario in game.rules.scenarios(game.data)]
    for number in range(matches):
        scenario = scenarios[number % len(scenarios)]
        match = kind(game, scenario, seed=f"odds/{number}", log=False, checkpoints=False)
        text = next(iter(game.analysis.bots))
        bots.play_to_end(match, {seat.key: bots.make_bot(game, text, seat.key, Random(number)) for seat in match.seats})
    return ledger


def lines(matches: int) -> Iterator[str]:
    """Yield a table of each game's most frequent events and one of all events and faces."""
    ledgers = {name: rolls_of(name, matches) for name in GAMES}
    yield INTRODUCTION.format(matches=matches)
    yield head("game", "rule", "roll", "rolls", "expected", "observed", "deviation", words=3)
    for name, ledger in ledgers.items():
        tested = sorted((item for item in ledger.sums.items() if item[1].testable), key=lambda item: -item[1].rolls)
        for (rule, what), total in tested[:SHOWN]:
            yield row(
                TITLES[name],
                rule,
                what,
                f"{total.rolls:,}",
                f"{total.mean:,.1f}",
                f"{total.observed:,.0f}",
                signed(total),
            )
    yield "\nAll events with enough rolls, and all faces of the six-sided dice:\n"
    yield head("game", "rolls", "events tested", "beyond ±1.96", "largest deviation", "six-sided faces", "χ² p")
    for name, ledger in ledgers.items():
        yield summary_row(name, ledger)


def summary_row(name: str, ledger: Ledger) -> str:
    """Return a game's row."""
    tested = [total for total in ledger.sums.values() if total.testable]
    beyond = sum(abs(total.deviation) > SURE for total in tested)
    most = signed(max(tested, key=lambda total: abs(total.deviation))) if tested else "–"
    rolls = sum(total.rolls for total in ledger.sums.values())
    faces = [ledger.faces[face] for face in range(1, 7)]
    chance = f"{chisquare(faces).pvalue:.2f}" if sum(faces) else "–"
    return row(TITLES[name], f"{rolls:,}", len(tested), beyond, most, f"{sum(faces):,}", chance)


def signed(total: Sum) -> str:
    """Return the deviation with its sign."""
    return f"{total.deviation:+.2f}".replace("-", "−")
