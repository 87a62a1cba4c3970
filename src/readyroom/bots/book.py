"""What long studies have found out about a game's doctrines and plans: where a bot that searches begins.

The figures lie in the `book.toml` of the game's package, and are made by `python -m readyroom.study.book GAME`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec

from readyroom.engine.data import convert, parse

FILE = "book.toml"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one doctrine or plan of a side has done against the usual doctrine of the other, in so many matches.

    `gain` is how much more its endings were worth than those of the side's own usual doctrine with the same dice.
    """

    game: str
    scenario: str
    side: str
    name: str
    matches: int
    gain: float

    @property
    def about(self) -> tuple[str, str, str, str]:
        """What it tells of: game, scenario, side and name."""
        return self.game, self.scenario, self.side, self.name


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that has been found."""

    entry: list[Entry] = []

    def gains(self, game: str, scenario: str, side: str) -> Mapping[str, Entry]:
        """What is known of a side's doctrines in a scenario, by name; of another scenario where there is none."""
        known = [entry for entry in self.entry if (entry.game, entry.side) == (game, side)]
        here = [entry for entry in known if entry.scenario == scenario]
        if not here and known:
            here = [entry for entry in known if entry.scenario == known[0].scenario]
        return {entry.name: entry for entry in here}


@lru_cache(maxsize=64)
def book(package: str) -> Book:
    """The book that comes with a game's package; empty if it has none."""
    file = files(package).joinpath(FILE)
    return convert(parse(file.read_bytes(), FILE), Book, FILE) if file.is_file() else Book()
