"""Play wars between the bots of Strategic War and write the results: `python docs/strategic_figures.py --write`.

It prints the wins of each scenario between the doctrine bots; for the main scenario also the medians of merchant ships,
submarines and sinkings in the Atlantic by quarter, and the wins of every pair of bots. It takes about ten minutes on
one core. The tables go to `strategic-figures.txt`; without `--write` they are only printed. `--games N` plays fewer
matches.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from readyroom import bots
from readyroom.engine.match import Match
from readyroom.games.strategic.tables.war_opening import WarOpening
from readyroom.games.strategic.war import GAME
from readyroom.games.strategic.war.bots.policy import STYLES
from readyroom.games.strategic.war.places import quarter
from readyroom.games.strategic.war.state import War

PAGE = Path(__file__).with_name("strategic-figures.txt")
SEED = "figures"
GAMES, PAIRS = 500, 60
"""The numbers of matches of each scenario and of each pair of bots."""
MAIN = "strategic-war"
DOCTRINE = "doctrine"


def scenarios() -> list[str]:
    """Return the scenarios of Strategic War."""
    return [each.key for each in GAME.rules.scenarios(GAME.data) if isinstance(each.content, WarOpening)]


def play_war(scenario: str, axis: str, allies: str, number: int) -> Match[Any, Any]:
    """Play a war between two bots."""
    seed = f"{SEED} {scenario} {axis} {allies} {number}"
    match = Match(GAME, scenario, seed=seed, log=False, checkpoints=False)
    random = Random(seed)
    bots.play_to_end(
        match, {seat: bots.make_bot(GAME, who, seat, random) for seat, who in (("axis", axis), ("allies", allies))}
    )
    return match


def shares(matches: list[Match[Any, Any]]) -> list[str]:
    """Return the shares of matches won by Axis and Allies, and of draws."""
    winners = Counter(match.outcome.winner for match in matches if match.outcome is not None)
    return [f"{100 * winners[side] / len(matches):.0f} %" for side in ("axis", "allies", None)]


def points(matches: list[Match[Any, Any]], side: str) -> str:
    """Return the median of a side's points."""
    return f"{median(match.outcome.scores[side] for match in matches if match.outcome is not None):g}"


def row(*cells: object) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(left: int, *titles: str) -> str:
    """Return the header of a table; `left` columns are text, the others numbers."""
    return f"{row(*titles)}\n{row(*['---'] * left, *['---:'] * (len(titles) - left))}"


def by_quarter(wars: list[War]) -> Iterator[str]:
    """Yield a table of medians at the end of each quarter."""
    yield head(1, "quarter", "merchant ships", "submarines", "sunk in it", "Japanese merchant ships")
    for turn in range(wars[0].turns):
        marks = [war.history[turn] for war in wars if len(war.history) > turn]
        groups = [
            [mark.merchants["atlantic"] for mark in marks],
            [mark.submarines["german-atlantic"] for mark in marks],
            [mark.sunk.get("atlantic", 0) for mark in marks],
            [mark.merchants["japan"] for mark in marks],
        ]
        yield row(quarter(wars[0], turn + 1), *(f"{median(values):g}" for values in groups))


def tables(games: int, pairs: int) -> Iterator[str]:
    """Yield all tables, with marks for the page."""
    yield f"% scenarios, {games} matches a row"
    yield head(1, "scenario", "Axis wins", "Allies win", "even", "Axis points", "Allied points")
    main: list[War] = []
    for scenario in scenarios():
        matches = [play_war(scenario, DOCTRINE, DOCTRINE, number) for number in range(games)]
        yield row(f"`{scenario}`", *shares(matches), points(matches, "axis"), points(matches, "allies"))
        if scenario == MAIN:
            main = [match.state.war for match in matches]
    yield "% quarters"
    yield from by_quarter(main)
    yield f"% pairs, {pairs} matches a row"
    yield head(2, "Axis", "Allies", "Axis wins", "Allies win", "even")
    for axis in STYLES:
        for allies in STYLES:
            yield row(
                f"`{axis}`", f"`{allies}`", *shares([play_war(MAIN, axis, allies, number) for number in range(pairs)])
            )
    yield "% end"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play Strategic War between its bots.")
    parser.add_argument("--write", action="store_true", help="write strategic-figures.txt")
    parser.add_argument("--games", type=int, default=GAMES, help="matches of each scenario")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="matches of each pair of bots")
    arguments = parser.parse_args()
    text = "\n".join([*tables(arguments.games, arguments.pairs), ""])
    if arguments.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
