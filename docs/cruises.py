"""Plays full campaigns of Picket Duty and holds them against history: `python docs/cruises.py --write`.

The captain of the doctrine plays so many campaigns, and so do captains who leave one thing undone; both with the same
dice. Each figure stands with its interval (95 %) beside the bounds that it has to keep. The tables go to
`cruises.txt`; without `--write` they are only printed. Exit code 1 says that something lies outside its bounds.
`--games N` plays fewer campaigns than 500.

`--percentiles` plays every scenario so often by the captain of the doctrine, and writes what came out into the game's
own `data/cruises.toml`, to which each report compares its cruise.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from readyroom import bots
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.games.picket.cruise import compared_figures
from readyroom.games.picket.state import CAPTAIN, Picket, Tally

PAGE = Path(__file__).with_name("cruises.txt")
OTHERS = Path(__file__).parents[1] / "src" / "readyroom" / "games" / "picket" / "data" / "cruises.toml"
GAMES, SEED = 500, "cruises"
GAME = load_game("picket")
CERTAIN = 1.96
"""Standard errors of an interval of 95 %."""
VARIANTS = {
    "steady": ("never evading", 2.0),
    "one-target": ("all guns on one plane", 2.0),
    "careless": ("never repairing", 4.0),
    "haphazard": ("parties placed at random", 1.0),
}
"""Captains who leave one thing undone, and how many points of tours lost that should cost at least."""


class Bound(NamedTuple):
    """A share that has to lie between two others, and what history or the design says of it."""

    title: str
    least: float
    most: float
    known: str


BOUNDS = {
    "attacked": Bound("phases with an attack", 0.05, 0.15, "a fifth of all days"),
    "shot": Bound("planes shot down", 0.62, 0.76, "490 claimed by the picket line"),
    "hits": Bound("planes that struck", 0.04, 0.12, "about one in ten"),
    "sunk": Bound("tours that ended in a loss", 0.06, 0.12, "10 of 101 destroyers"),
    "struck": Bound("tours with damage, not sunk", 0.26, 0.42, "32 of 101 destroyers"),
}


class Share(NamedTuple):
    """So many of so many, with the interval of Wilson."""

    part: int
    whole: int

    @property
    def rate(self) -> float:
        """The share."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between what it lies with a certainty of 95 %."""
        n, p, z = max(1, self.whole), self.rate, CERTAIN
        middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def cruise(bot: str, number: int, scenario: str = "okinawa") -> Picket:
    """How one cruise stood at its end."""
    match = Match(GAME, scenario=scenario, seed=f"{SEED} {number}", log=False, checkpoints=False)
    captain = bots.make(GAME, bot, CAPTAIN, Random(number))
    while match.outcome is None:
        match.decide(CAPTAIN, captain(match.pending[CAPTAIN], lambda: match.view(CAPTAIN)))
    state = match.state
    assert isinstance(state, Picket)
    return state


def campaign(bot: str, number: int) -> Tally:
    """What one campaign came to."""
    return cruise(bot, number).tally


def shares(tallies: list[Tally]) -> dict[str, Share]:
    """The figures of many campaigns."""
    tours = [tour for tally in tallies for tour in tally.tours]
    planes = sum(tally.planes for tally in tallies)
    return {
        "attacked": Share(sum(tally.attacks for tally in tallies), sum(tally.watches for tally in tallies)),
        "shot": Share(sum(tally.shot for tally in tallies), planes),
        "hits": Share(sum(tour.struck for tour in tours), planes),
        "sunk": Share(sum(tour.end == "sunk" for tour in tours), len(tours)),
        "struck": Share(sum(tour.hurt and tour.end != "sunk" for tour in tours), len(tours)),
    }


def calibration(found: dict[str, Share]) -> Iterator[str]:
    """Each figure beside its bounds and what is known."""
    yield "| | captain | bounds | history | |"
    yield "| --- | ---: | ---: | --- | --- |"
    for key, bound in BOUNDS.items():
        kept = bound.least <= found[key].rate <= bound.most
        limits = f"{100 * bound.least:.0f} to {100 * bound.most:.0f} %"
        yield f"| {bound.title} | {found[key]} | {limits} | {bound.known} | {'' if kept else 'OUTSIDE'} |"


def by_height(tallies: list[Tally]) -> Iterator[str]:
    """Where the planes that struck came in, and what they were."""
    heights, types = Counter[str](), Counter[str]()
    for tally in tallies:
        heights.update(tally.heights)
        types.update(hit.plane for hit in tally.hits)
    for title, found in (("height", heights), ("plane", types)):
        yield f"| {title} | hits | share |"
        yield "| --- | ---: | ---: |"
        total = max(1, sum(found.values()))
        yield from (f"| {name} | {count} | {100 * count / total:.0f} % |" for name, count in found.most_common(8))


def decisions(usual: Share, games: int) -> Iterator[str]:
    """What it costs to leave one thing undone, in points of tours lost."""
    yield "| captain | tours lost | more than the captain's own | at least | |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for bot, (title, least) in VARIANTS.items():
        lost = shares([campaign(bot, number) for number in range(games)])["sunk"]
        more = 100 * (lost.rate - usual.rate)
        yield f"| {title} | {lost} | {more:+.1f} points | {least:.0f} | {'' if more >= least else 'OUTSIDE'} |"


def tables(games: int) -> Iterator[str]:
    """All tables, one after the other."""
    tallies = [campaign("doctrine", number) for number in range(games)]
    found = shares(tallies)
    yield f"% calibration, {games} campaigns"
    yield from calibration(found)
    yield "% hits"
    yield from by_height(tallies)
    yield "% decisions"
    yield from decisions(found["sunk"], games)
    yield "% end"


def percentiles(games: int) -> Iterator[str]:
    """The file of what came out of so many cruises of each scenario: values, and how often each came."""
    yield "# What came out of cruises by the captain of the doctrine; written by docs/cruises.py --percentiles."
    for scenario in GAME.scenarios(GAME.data):
        found: dict[str, Counter[int]] = {}
        for number in range(games):
            for key, value in compared_figures(cruise("doctrine", number, scenario.key), GAME.data).items():
                found.setdefault(key, Counter())[value] += 1
        print(scenario.title, flush=True)
        yield f'\n[{scenario.key}]\ntitle = "{scenario.title}"\ngames = {games}\n\n[{scenario.key}.figures]'
        yield from (f"{key} = {sorted(map(list, counts.items()))}" for key, counts in found.items())


def main(words: list[str] | None = None) -> int:
    """Print the tables, or write them; whether all lies within its bounds."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=GAMES)
    asked.add_argument("--write", action="store_true")
    asked.add_argument("--percentiles", action="store_true")
    told = asked.parse_args(words)
    if told.percentiles:
        OTHERS.write_text("\n".join(percentiles(told.games)) + "\n", encoding="utf-8")
        return 0
    lines = []
    for line in tables(told.games):
        print(line, flush=True)
        lines.append(line)
    if told.write:
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(any("OUTSIDE" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
