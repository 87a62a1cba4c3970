"""Play the battles of `tora-figures.md` and write their figures: `python docs/battles.py --write`.

Each row of the tables is the result of one `readyroom simulate tora`, with the bots and options that the row names. It
takes about ten minutes of one core. The tables go to `tora-figures.txt`; without `--write` they are only printed.
`--games N` plays fewer matches.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from readyroom.games.tora.bots.doctrine import bots
from readyroom.games.tora.figures import JAPAN, USA
from readyroom.study.simulate import SimulationResult, simulate

PAGE = Path(__file__).with_name("tora-figures.txt")
SEED = "figures"
GAMES = 500
NAMES = {JAPAN: ("doctrine", "historical", "battleships", "yard"), USA: ("doctrine", "cautious", "sunday", "ready")}
"""The bots that differ for a side; for the other side they play like the default bot."""
PRESETS = ("prose", "table", "literal")
COUNTED = ("Battleships damaged or sunk", "Battleships sunk", "Hits on the Navy Yard", "Japanese aircraft lost")
HEADS = ("battleships damaged or sunk", "of these sunk", "hits on the yard", "Japanese aircraft lost")
ENDINGS = {
    "Japanese strategic victory": "Japan",
    "Japanese tactical victory, strategic defeat": "draw",
    "American strategic victory": "USA",
}


def play(japan: str, usa: str, games: int, **options: object) -> SimulationResult:
    """Return the simulation of a pair of bots."""
    return simulate("tora", bots={JAPAN: japan, USA: usa}, games=games, seed=SEED, options=options)


def row(labels: Sequence[str], simulation_result: SimulationResult) -> str:
    """Return a line of a table: medians with 5th to 95th percentiles, and the shares of the endings."""
    counts = [simulation_result.counts[title] for title in COUNTED]
    cells = [f"{each.median:g} ({each.low:g} to {each.high:g})" for each in counts]
    shares = [f"{100 * simulation_result.outcomes.get(title, 0) / simulation_result.games:.0f} %" for title in ENDINGS]
    return f"| {' | '.join([*labels, *cells, *shares])} |"


def head(*labels: str) -> str:
    """Return the first two lines of a table."""
    columns = [*labels, *HEADS, *ENDINGS.values()]
    rule = ["---"] * len(labels) + ["---:"] * (len(columns) - len(labels))
    return f"| {' | '.join(columns)} |\n| {' | '.join(rule)} |"


def presets(games: int) -> Iterator[str]:
    """Yield a table of the historical plan against sleep and against full alert, by preset."""
    yield head("preset", "Americans")
    for preset in PRESETS:
        for usa in ("sunday", "ready"):
            yield row((f"`{preset}`", f"`{usa}`"), play("historical", usa, games, preset=preset))


def pairs(games: int) -> Iterator[str]:
    """Yield a table of every pair of bots."""
    assert {name for names in NAMES.values() for name in names} == set(bots())
    yield head("Japanese", "Americans")
    for japan in NAMES[JAPAN]:
        for usa in NAMES[USA]:
            yield row((f"`{japan}`", f"`{usa}`"), play(japan, usa, games))


def tables(games: int) -> str:
    """Return both tables, each after the mark by which the page finds it."""
    return "\n".join([f"% presets, {games} matches a row", *presets(games), "% pairs", *pairs(games), "% end", ""])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The battles of tora-figures.md.")
    parser.add_argument("--write", action="store_true", help="write tora-figures.txt")
    parser.add_argument("--games", type=int, default=GAMES, help="matches of each row")
    arguments = parser.parse_args()
    page = tables(arguments.games)
    if arguments.write:
        PAGE.write_text(page, encoding="utf-8")
    else:
        sys.stdout.write(page)
