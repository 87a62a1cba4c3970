"""Play the raid and compare it with April 1942: `python docs/raids.py --write`.

The doctrine bot plays scenario `early` 1,000 times and the whole campaign 500 times. Each figure has its mean with
95 % CI, its 5th to 95th percentiles, the historical value and bounds. Then the bot plays every scenario for its grades.
The tables go to `raids.txt`; without `--write` they are only printed. The exit code is 1 if a figure is outside its
bounds. `--games N` plays fewer matches.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import repeat
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from readyroom import bots
from readyroom.bots.analysis import ERRORS
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.games.doolittle.ending import facts
from readyroom.games.doolittle.figures.ending import Bounds
from readyroom.games.doolittle.state import CAPTAIN, Doolittle

PAGE = Path(__file__).with_name("raids.txt")
GAMES, CAMPAIGNS, OTHERS, SEED, RAID, WHOLE = 1000, 500, 400, "raids", "early", "campaign"
GAME = load_game("doolittle")

RELEASED = ("hit", "missed", "area")
"""The events of bombers that have bombed a city."""
NAMES = {
    "reached": "bombers that bomb a city",
    "lost": "bombers lost before they land",
    "ditched": "bombers that come down on the way",
    "landed": "bombers that reach a field",
    "landed-well": "of these whole",
    "turns": "turns in the air",
    "launched": "bombers that take off",
    "rendezvous": "the two forces meet",
    "launch-alert": "alert at the launch",
    "failed": "secrecy tests failed",
    "cities": "cities that are hit",
    "box-blast": "blast at targets",
    "saved": "bombers saved",
    "home": "crews that come home",
    "taken": "crews captured",
    "dead": "crews dead or missing",
    "ships-sunk": "ships of ours sunk",
}


class RaidResult(NamedTuple):
    """The results of a match: figures, blasts by city, grade, score, and kind and area of the launch."""

    figures: dict[str, float]
    blasts: dict[str, int]
    grade: str
    score: int
    launch: tuple[str, str]


def fly(number: int, scenario: str) -> RaidResult:
    """Play a match with the doctrine bot."""
    match = Match(GAME, scenario=scenario, seed=f"{SEED} {number}", log=False, checkpoints=False)
    captain = bots.make_bot(GAME, "doctrine", CAPTAIN, Random(number))
    while match.outcome is None:
        match.decide(CAPTAIN, captain(match.pending[CAPTAIN], lambda: match.view(CAPTAIN)))
    state = match.state
    assert isinstance(state, Doolittle)
    blasts = {
        city: sum(area.blast for area in target.areas.values()) + sum(box.blast for _, box in target.boxes)
        for city, target in state.targets.items()
    }
    figures = {**_figures(state), **_campaign(state)}
    return RaidResult(figures, blasts, match.outcome.title, match.outcome.scores["usa"], _launch(state))


def _launch(state: Doolittle) -> tuple[str, str]:
    """Return the kind and the sea area of the launch."""
    if state.launched is None or state.launched.how == "none":
        return ("none", "")
    return (state.launched.how, state.launched.area)


def _campaign(state: Doolittle) -> dict[str, float]:
    """Return the figures of a campaign."""
    known = facts.all_facts(state, GAME.data)
    return {
        "launched": known["launched"],
        "rendezvous": known["rendezvous"],
        "launch-alert": state.launched.alert if state.launched else 0,
        "failed": state.security.failed,
        "cities": known["cities-hit"],
        "box-blast": known["box-blast"],
        "saved": known["bombers-saved"],
        "home": sum(crew.fate in facts.SAFE for crew in state.crews),
        "taken": known["crews-captured"],
        "dead": known["crews-killed"],
        "ships-sunk": known["ships-sunk"] + known["carriers-sunk"],
    }


def _figures(state: Doolittle) -> dict[str, float]:
    """Return the figures of the bombers."""
    squad, sites = list(state.squad.values()), set(GAME.data.flight.site)
    at_fields = [bomber for bomber in squad if bomber.where in sites]
    return {
        "reached": len({event.who for event in state.story if event.what in RELEASED}),
        "lost": sum(bomber.fate == "destroyed" and bomber.where not in sites for bomber in squad),
        "ditched": sum(bomber.fate in ("ditched", "captured") for bomber in squad),
        "landed": len(at_fields),
        "landed-well": sum(bomber.fate == "landed" for bomber in at_fields),
        "turns": state.air.turn if state.air else 0,
    }


def _spread(values: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(values)
    return ordered[len(ordered) // 20], ordered[-len(ordered) // 20]


def calibration(results: Sequence[RaidResult], bounds: Mapping[str, Bounds]) -> Iterator[str]:
    """Yield a table of each figure with history and bounds."""
    yield "| | mean | p5–p95 | 1942 | bounds | |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for key, bound in bounds.items():
        values = [result.figures[key] for result in results]
        mean, half = fmean(values), ERRORS * stdev(values) / sqrt(len(values))
        low, high = _spread(values)
        warning = "" if bound.low <= mean <= bound.high else "OUTSIDE"
        spread, limits = f"{low:.0f}–{high:.0f}", f"{bound.low:g} to {bound.high:g}"
        yield f"| {NAMES[key]} | {mean:.1f} (± {half:.1f}) | {spread} | {bound.history} | {limits} | {warning} |"


def by_city(results: Sequence[RaidResult]) -> Iterator[str]:
    """Yield a table of the blasts by city."""
    yield "| city | blast, mean | p5–p95 | raids that hit it |"
    yield "| --- | ---: | ---: | ---: |"
    for city in results[0].blasts:
        values = [result.blasts[city] for result in results]
        low, high = _spread(values)
        hit = sum(value > 0 for value in values) / len(values)
        title = GAME.data.targets.maps[city].title
        yield f"| {title} | {fmean(values):.1f} | {low:.0f}–{high:.0f} | {100 * hit:.0f} % |"


def launches(results: Sequence[RaidResult]) -> Iterator[str]:
    """Yield a table of the kinds and areas of launches."""
    areas = {area.key: area.name for area in GAME.data.sea.areas.area}
    yield "| launch | share |"
    yield "| --- | ---: |"
    for (how, area), times in Counter(result.launch for result in results).most_common():
        text = f"{how}, {areas[area]}" if area else how
        yield f"| {text} | {100 * times / len(results):.0f} % |"


def grades(games: int, pool: Executor) -> Iterator[str]:
    """Yield a table of the scores and grades of every scenario."""
    yield "| scenario | 5 % | 25 % | median | 75 % | 95 % | grades |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for scenario in GAME.rules.scenarios(GAME.data):
        results = list(pool.map(fly, range(games), repeat(scenario.key), chunksize=10))
        scores = sorted(result.score for result in results)
        text = " | ".join(str(scores[int(len(scores) * part / 100)]) for part in (5, 25, 50, 75, 95))
        named = ", ".join(
            f"{title} {100 * n / games:.0f} %" for title, n in Counter(f.grade for f in results).most_common()
        )
        yield f"| {scenario.title} | {text} | {named} |"


def tables(games: int, pool: Executor) -> Iterator[str]:
    """Yield all tables, with marks for the page."""
    results = list(pool.map(fly, range(games), repeat(RAID), chunksize=10))
    yield "% raid"
    yield f"{games} raids.\n"
    yield from calibration(results, GAME.data.history.raid.bounds)
    yield "% cities"
    yield from by_city(results)
    whole = list(pool.map(fly, range(min(games, CAMPAIGNS)), repeat(WHOLE), chunksize=5))
    yield "% campaign"
    yield f"{len(whole)} campaigns.\n"
    yield from calibration(whole, GAME.data.history.campaign.bounds)
    yield "% launches"
    yield from launches(whole)
    yield "% scenarios"
    others = min(games, OTHERS)
    yield f"{others} matches each.\n"
    yield from grades(others, pool)
    yield "% end"


def main(argv: list[str] | None = None) -> int:
    """Print or write the tables; return 1 if a figure is outside its bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args(argv)
    lines = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for line in tables(args.games, pool):
            print(line, flush=True)
            lines.append(line)
    if args.write:
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(any("OUTSIDE" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
