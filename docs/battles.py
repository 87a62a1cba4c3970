"""Plays the battles of `tora-figures.md` and writes their figures: `python docs/battles.py --write`.

Each row of its tables is what one `readyroom simulate tora` tells; the rows say with which doctrines and options. It
takes about ten minutes of one core. The tables go to `tora-figures.txt`; without `--write` they are only printed.
`--games N` plays fewer matches.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from readyroom.games.tora.doctrine import bots
from readyroom.games.tora.figures import JAPAN, USA
from readyroom.study.simulate import SimulationResult, simulate

PAGE = Path(__file__).with_name("tora-figures.txt")
SEED = "figures"
GAMES = 500
NAMES = {JAPAN: ("doctrine", "historical", "battleships", "yard"), USA: ("doctrine", "cautious", "sunday", "ready")}
"""The doctrines that say something of a side; for the other side they are the usual one."""
PRESETS = ("prose", "table", "literal")
COUNTED = ("Battleships damaged or sunk", "Battleships sunk", "Hits on the Navy Yard", "Japanese aircraft lost")
HEADS = ("battleships damaged or sunk", "of these sunk", "hits on the yard", "Japanese aircraft lost")
ENDINGS = {
    "Japanese strategic victory": "Japan",
    "Japanese tactical victory, strategic defeat": "draw",
    "American strategic victory": "USA",
}


def fought(japan: str, usa: str, games: int, **options: object) -> SimulationResult:
    """What `readyroom simulate` tells of a pair of doctrines."""
    return simulate("tora", bots={JAPAN: japan, USA: usa}, games=games, seed=SEED, options=options)


def row(words: Sequence[str], simulation_result: SimulationResult) -> str:
    """A line of a table: medians, with what nine matches in ten give, and how the matches ended."""
    counts = [simulation_result.counts[title] for title in COUNTED]
    cells = [f"{each.median:g} ({each.low:g} to {each.high:g})" for each in counts]
    shares = [f"{100 * simulation_result.outcomes.get(title, 0) / simulation_result.games:.0f} %" for title in ENDINGS]
    return f"| {' | '.join([*words, *cells, *shares])} |"


def head(*words: str) -> str:
    """The first two lines of a table."""
    columns = [*words, *HEADS, *ENDINGS.values()]
    return f"| {' | '.join(columns)} |\n| {' | '.join(['---'] * len(words) + ['---:'] * (len(columns) - len(words)))} |"


def presets(games: int) -> Iterator[str]:
    """The historical plan against sleep and against full alert, by preset."""
    yield head("preset", "Americans")
    for preset in PRESETS:
        for usa in ("sunday", "ready"):
            yield row((f"`{preset}`", f"`{usa}`"), fought("historical", usa, games, preset=preset))


def pairs(games: int) -> Iterator[str]:
    """Every pair of doctrines."""
    assert {name for names in NAMES.values() for name in names} == set(bots())
    yield head("Japanese", "Americans")
    for japan in NAMES[JAPAN]:
        for usa in NAMES[USA]:
            yield row((f"`{japan}`", f"`{usa}`"), fought(japan, usa, games))


def written(games: int) -> str:
    """Both tables, with a mark before each by which the page finds it."""
    return "\n".join([f"% presets, {games} matches a row", *presets(games), "% pairs", *pairs(games), "% end", ""])


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="The battles of tora-figures.md.")
    asked.add_argument("--write", action="store_true", help="write tora-figures.txt")
    asked.add_argument("--games", type=int, default=GAMES, help="matches of each row")
    told = asked.parse_args()
    tables = written(told.games)
    if told.write:
        PAGE.write_text(tables, encoding="utf-8")
    else:
        sys.stdout.write(tables)
