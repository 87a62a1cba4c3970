"""Write the tables of all fitted values for the page of values: `python -m docs.values --write`.

They come from the `values.npz` of the games and go to `values.txt`; without `--write` they are only printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from docs.tables import print_or_write, row, rule

from readyroom.bots.fitted import Fitted, fitted
from readyroom.cli.study.values import BANDS, BELIEFS, VALUES, band_row, belief_row, names_of, value_row
from readyroom.engine.game import Game, load_all_games

PAGE = Path(__file__).with_name("values.txt")


def lines() -> Iterator[str]:
    """Yield all tables."""
    for game in sorted(load_all_games(), key=lambda game: game.sort_order):
        if (found := fitted(game)) is not None:
            yield from _game(game, found)


def _game(game: Game[Any, Any], found: Fitted) -> Iterator[str]:
    about, names = found.about, names_of(game, found)
    yield f"### {game.title}\n"
    yield f"Rules version {about.version}, {about.matches:,} matches of each kind. Made by:\n"
    yield f"```text\n{about.command}\n```\n"
    for view, name in names.items():
        yield f"Value, from {name}:\n"
        yield from _table(VALUES, (value_row(each) for each in about.values if each.view == view))
        yield f"Calibration, from {name}:\n"
        yield from _table(BANDS, (band_row(each) for each in about.bands if each.view == view))
    for side, policies in dict.fromkeys((each.side, each.policies) for each in about.beliefs):
        yield f"Hidden from {names[side]}: errors against {policies} policies:\n"
        checks = [each for each in about.beliefs if (each.side, each.policies) == (side, policies)]
        yield from _table(BELIEFS, map(belief_row, checks))


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield row(*columns)
    yield rule(1, len(columns) - 1)
    for cells in rows:
        yield row(*cells)
    yield ""


def text() -> str:
    """Return the tables as they are written."""
    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    sys.exit(print_or_write(__doc__, text(), PAGE))
