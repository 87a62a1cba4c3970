"""Play full campaigns of Picket Duty and compare them with history: `python docs/cruises.py --write`.

The doctrine bot plays the campaigns, and so do bots that each leave out one decision, with the same dice. Then the
doctrine bot plays each scenario. Each figure is printed with its interval (95 %) and its bounds. `--write` also writes
the tables to `cruises.txt`. Exit code 1 means that a figure is outside its bounds. `--games N` sets the number of
campaigns (default 500).

`--percentiles` plays every scenario that many times with the doctrine bot and writes the results to the game's
`data/cruises.toml`, which the reports use for their comparison.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import repeat
from math import sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from readyroom import bots
from readyroom.bots.statistics import ERRORS, wilson_interval
from readyroom.engine.game import Bot, Scenario, ViewFn, load_game
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket.ending.report import compared_figures
from readyroom.games.picket.state import CAPTAIN, Picket, ShipLog, Tour

PAGE = Path(__file__).with_name("cruises.txt")
OTHERS = Path(__file__).parents[1] / "src" / "readyroom" / "games" / "picket" / "data" / "cruises.toml"
GAMES, SEED, CAMPAIGN = 500, "cruises", "okinawa"
GAME = load_game("picket")
SCATTERED = "scattered"
VARIANTS = {
    "steady": ("never evading", 2.0),
    "one-target": ("all guns on one plane", 2.0),
    "careless": ("never repairing", 4.0),
    "haphazard": ("parties placed at random", 1.0),
    SCATTERED: ("each man placed by the toss of a coin", None),
}
"""Bots that leave out one decision, and the least cost of that in percentage points of tours lost."""
EASIEST, HARDEST = 0.75, 0.10
"""The doctrine bot should win no scenario more often than the first, or less often than the second."""


class Bound(NamedTuple):
    """The bounds of a share, and its historical value."""

    title: str
    least: float
    most: float
    known: str


BOUNDS = {
    "attacked": Bound("phases with an attack", 0.05, 0.15, ""),
    "raided": Bound("days with an attack", 0.18, 0.28, "a fifth of all days"),
    "shot": Bound("planes shot down", 0.62, 0.76, "490 claimed by the picket line"),
    "hits": Bound("planes that struck", 0.04, 0.12, "about one in ten"),
    "sunk": Bound("tours that ended in a loss", 0.06, 0.12, "10 of 101 destroyers"),
    "struck": Bound("tours struck, not sunk", 0.26, 0.38, "32 of 101 destroyers"),
    "near": Bound("tours hurt by near misses alone", 0.05, 0.20, "most were little damaged, or not at all"),
}


class Share(NamedTuple):
    """A share of a count, with its Wilson interval."""

    part: int
    whole: int

    @property
    def rate(self) -> float:
        """Return the share."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval."""
        return wilson_interval(self.part, max(1, self.whole))

    @property
    def variance(self) -> float:
        """Return the variance of the share."""
        return self.rate * (1 - self.rate) / max(1, self.whole)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


# -- playing ---------------------------------------------------------------------------------------------------------


def _captain(bot: str, number: int) -> Bot:
    """Return the bot of a cruise; the scattered one is the doctrine bot, but tosses a coin for each man."""
    function = bots.make_bot(GAME, "doctrine" if bot == SCATTERED else bot, CAPTAIN, Random(number))
    coins = Random(number)

    def scattering(decision: Decision, look: ViewFn) -> Sequence[str]:
        return decision.sample(coins) if decision.rule == "7.7" else function(decision, look)

    return scattering if bot == SCATTERED else function


def cruise(bot: str, number: int, scenario: str = CAMPAIGN) -> tuple[Picket, str]:
    """Return the final state of a cruise, and the winner."""
    match = Match(GAME, scenario=scenario, seed=f"{SEED} {number}", log=False, checkpoints=False)
    captain = _captain(bot, number)
    while match.outcome is None:
        match.decide(CAPTAIN, captain(match.pending[CAPTAIN], lambda: match.view(CAPTAIN)))
    state = match.state
    assert isinstance(state, Picket)
    return state, match.outcome.winner or ""


def campaign(bot: str, number: int) -> ShipLog:
    """Return the ship's log of a campaign."""
    return cruise(bot, number)[0].tally


def _scenarios() -> list[Scenario]:
    """Return the scenarios except the custom cruise."""
    return [scenario for scenario in GAME.rules.scenarios(GAME.data) if not scenario.content.design]


def _won(number: int, scenario: str) -> bool:
    return cruise("doctrine", number, scenario)[1] == "usa"


def _compared(number: int, scenario: str) -> dict[str, int]:
    return compared_figures(cruise("doctrine", number, scenario)[0], GAME.data)


# -- against history -------------------------------------------------------------------------------------------------


def _days(tour: Tour) -> int:
    return (tour.last or tour.first) - tour.first + 1


def shares(tallies: list[ShipLog]) -> dict[str, Share]:
    """Return the shares of many campaigns."""
    tours = [tour for tally in tallies for tour in tally.tours]
    afloat = [tour for tour in tours if tour.end != "sunk"]
    planes = sum(tally.planes for tally in tallies)
    return {
        "attacked": Share(sum(tally.attacks for tally in tallies), sum(tally.watches for tally in tallies)),
        "raided": Share(sum(len(tally.raided) for tally in tallies), sum(_days(tour) for tour in tours)),
        "shot": Share(sum(tally.shot for tally in tallies), planes),
        "hits": Share(sum(tour.struck for tour in tours), planes),
        "sunk": Share(len(tours) - len(afloat), len(tours)),
        "struck": Share(sum(bool(tour.struck) for tour in afloat), len(tours)),
        "near": Share(sum(tour.hurt and not tour.struck for tour in afloat), len(tours)),
    }


def calibration(results: dict[str, Share]) -> Iterator[str]:
    """Yield a table of each figure with its bounds and its historical value."""
    yield "| | captain | bounds | history | |"
    yield "| --- | ---: | ---: | --- | --- |"
    for key, bound in BOUNDS.items():
        within = bound.least <= results[key].rate <= bound.most
        limits = f"{100 * bound.least:.0f} to {100 * bound.most:.0f} %"
        yield f"| {bound.title} | {results[key]} | {limits} | {bound.known} | {'' if within else 'OUTSIDE'} |"


def by_height(tallies: list[ShipLog]) -> Iterator[str]:
    """Yield tables of the planes that struck by height and by type."""
    heights, types = Counter[str](), Counter[str]()
    for tally in tallies:
        heights.update(tally.heights)
        types.update(hit.plane for hit in tally.hits if not hit.near)
    for title, counts in (("height", heights), ("plane", types)):
        yield f"| {title} | hits | share |"
        yield "| --- | ---: | ---: |"
        total = max(1, sum(counts.values()))
        yield from (f"| {name} | {count} | {100 * count / total:.0f} % |" for name, count in counts.most_common(8))
        yield ""


# -- the effect of decisions -----------------------------------------------------------------------------------------


def decisions(share: Share, games: int, pool: Executor) -> Iterator[str]:
    """Yield a table of the cost of leaving out one decision, in percentage points of tours lost."""
    yield "| captain | tours lost | more than the captain's own | at least | |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for bot, (title, least) in VARIANTS.items():
        lost = shares(list(pool.map(campaign, repeat(bot), range(games), chunksize=10)))["sunk"]
        more, half = 100 * (lost.rate - share.rate), 100 * ERRORS * sqrt(lost.variance + share.variance)
        cost = f"{more:+.1f} points (± {half:.1f})"
        warning = "" if least is None or more >= least else "OUTSIDE"
        yield f"| {title} | {lost} | {cost} | {'' if least is None else f'{least:.0f}'} | {warning} |"


# -- scenarios -------------------------------------------------------------------------------------------------------


def difficulty(games: int, pool: Executor) -> Iterator[str]:
    """Yield a table of the wins in each scenario, the hardest first."""
    results = {}
    for scenario in _scenarios():
        won = sum(pool.map(_won, range(games), repeat(scenario.key), chunksize=10))
        results[scenario.title] = Share(won, games)
    ordered = sorted(results.items(), key=lambda one: one[1].rate)
    yield "| scenario | won by the captain | bounds | |"
    yield "| --- | ---: | ---: | --- |"
    for title, share in ordered:
        within = HARDEST <= share.rate <= EASIEST
        yield f"| {title} | {share} | {100 * HARDEST:.0f} to {100 * EASIEST:.0f} % | {'' if within else 'OUTSIDE'} |"


# -- writing ---------------------------------------------------------------------------------------------------------


def tables(games: int, pool: Executor) -> Iterator[str]:
    """Yield all tables."""
    tallies = list(pool.map(campaign, repeat("doctrine"), range(games), chunksize=10))
    results = shares(tallies)
    yield "% calibration"
    yield f"{games} campaigns, {results['sunk'].whole} tours of duty.\n"
    yield from calibration(results)
    yield "% hits"
    yield from by_height(tallies)
    yield "% decisions"
    yield from decisions(results["sunk"], games, pool)
    yield "% scenarios"
    yield f"{2 * games} cruises each.\n"
    yield from difficulty(2 * games, pool)
    yield "% end"


def percentiles(games: int, pool: Executor) -> Iterator[str]:
    """Yield the results file of simulated cruises of each scenario: values, and how often each occurred."""
    yield "# Simulated cruises of the doctrine bot; written by docs/cruises.py --percentiles."
    for scenario in _scenarios():
        results: dict[str, Counter[int]] = {}
        for figures in pool.map(_compared, range(games), repeat(scenario.key), chunksize=10):
            for key, value in figures.items():
                results.setdefault(key, Counter())[value] += 1
        print(scenario.title, flush=True)
        yield f'\n[{scenario.key}]\ntitle = "{scenario.title}"\ngames = {games}\n\n[{scenario.key}.figures]'
        yield from (f"{key} = {sorted(map(list, counts.items()))}" for key, counts in results.items())


def main(arguments: list[str] | None = None) -> int:
    """Print or write the tables; return 1 if a figure is outside its bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--percentiles", action="store_true")
    args = parser.parse_args(arguments)
    lines = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        if args.percentiles:
            OTHERS.write_text("\n".join(percentiles(args.games, pool)) + "\n", encoding="utf-8")
            return 0
        for line in tables(args.games, pool):
            print(line, flush=True)
            lines.append(line)
    if args.write:
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(any("OUTSIDE" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
