"""Exact odds next to what was rolled: every check, volley, chart and plain roll of many matches of every game."""

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
"""This many events of each game are shown: those that were rolled most often."""
ENOUGH, ROOM = 30, 10.0
"""What was rolled less often than this is not judged, nor what is so sure or so rare that chance has no room."""
SURE = 1.96
CAP = 40
"""More hits than this a single die has too seldom to matter."""

TOLD = """\
{matches} matches of each game between its own bots, the scenarios in turn. Before each roll its exact chance (of a
volley or a plain roll: mean and variance) was taken from the code that shows players the odds. The deviation is
what came less what was promised, in standard deviations: of twenty, one should lie beyond ±1.96.
"""


@dataclass
class Sum:
    """What was promised of many rolls, and what came: how often, means, variances, and what came in all."""

    rolls: int = 0
    mean: float = 0.0
    variance: float = 0.0
    came: float = 0.0

    def add(self, mean: float, variance: float, came: float) -> None:
        """One roll more; promised before it was made."""
        self.rolls += 1
        self.mean += mean
        self.variance += variance
        self.came += came

    @property
    def deviation(self) -> float:
        """How far what came lies from what was promised, in standard deviations."""
        return (self.came - self.mean) / sqrt(self.variance)

    @property
    def judged(self) -> bool:
        """Whether it was rolled often enough to say anything."""
        return self.rolls >= ENOUGH and self.variance >= ROOM


@dataclass
class Ledger:
    """What was promised and what came of everything that was rolled, and every face of the six-sided dice."""

    sums: defaultdict[tuple[str, str], Sum] = field(default_factory=lambda: defaultdict(Sum))
    faces: Counter[int] = field(default_factory=Counter)


def counted(ledger: Ledger) -> type[Match[Any, Any]]:
    """A kind of match whose table writes down what it rolls."""

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
            cell, chance = likeliest(chart, column, tuple(modifiers))
            ledger.sums[chart.rule, f"{chart.title}: the likeliest"].add(
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
    """Mean and variance of a volley's hits, from the exact chances of a single die."""
    chances = die_odds(fire, CAP)
    mean = sum((hits * chance for hits, chance in enumerate(chances)), Fraction(0))
    square = sum((hits * hits * chance for hits, chance in enumerate(chances)), Fraction(0))
    return dice * float(mean), dice * float(square - mean * mean)


def likeliest(chart: Chart, column: str, modifiers: tuple[tuple[str, int], ...]) -> tuple[str, float]:
    """The cell of a column that comes most often, and its exact chance."""
    cell, chance = max(chart.odds(column, modifiers).items(), key=lambda one: one[1])
    return cell, float(chance)


def rolls_of(name: str, matches: int) -> Ledger:
    """All that is rolled in this many matches between a game's own bots, its scenarios in turn."""
    game, ledger = load_game(name), Ledger()
    kind, scenarios = counted(ledger), [scenario.key for scenario in game.rules.scenarios(game.data)]
    for number in range(matches):
        scenario = scenarios[number % len(scenarios)]
        match = kind(game, scenario, seed=f"odds/{number}", log=False, checkpoints=False)
        text = next(iter(game.analysis.bots))
        bots.play_to_end(match, {seat.key: bots.make(game, text, seat.key, Random(number)) for seat in match.seats})
    return ledger


def lines(matches: int) -> Iterator[str]:
    """For each game the events that were rolled most, and how all of them and all faces came out."""
    ledgers = {name: rolls_of(name, matches) for name in GAMES}
    yield TOLD.format(matches=matches)
    yield head("game", "rule", "what is rolled", "rolls", "promised", "came", "deviation", words=3)
    for name, ledger in ledgers.items():
        judged = sorted((one for one in ledger.sums.items() if one[1].judged), key=lambda one: -one[1].rolls)
        for (rule, what), total in judged[:SHOWN]:
            yield row(
                TITLES[name], rule, what, f"{total.rolls:,}", f"{total.mean:,.1f}", f"{total.came:,.0f}", signed(total)
            )
    yield "\nEverything that was rolled often enough, and every face of the six-sided dice:\n"
    yield head("game", "rolls", "events judged", "beyond ±1.96", "largest deviation", "six-sided faces", "χ² p")
    for name, ledger in ledgers.items():
        yield summed_up(name, ledger)


def summed_up(name: str, ledger: Ledger) -> str:
    """A line for a game."""
    judged = [total for total in ledger.sums.values() if total.judged]
    beyond = sum(abs(total.deviation) > SURE for total in judged)
    most = signed(max(judged, key=lambda total: abs(total.deviation))) if judged else "–"
    rolls = sum(total.rolls for total in ledger.sums.values())
    faces = [ledger.faces[face] for face in range(1, 7)]
    chance = f"{chisquare(faces).pvalue:.2f}" if sum(faces) else "–"
    return row(TITLES[name], f"{rolls:,}", len(judged), beyond, most, f"{sum(faces):,}", chance)


def signed(total: Sum) -> str:
    """A deviation with its sign."""
    return f"{total.deviation:+.2f}".replace("-", "−")
