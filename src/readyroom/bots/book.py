"""The results of long studies of a game's bots and plans, from which a search bot starts.

They are in the `book.toml` of the game's package, made by `python -m readyroom.study.book GAME`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec

from readyroom.engine.data import convert, parse

FILE = "book.toml"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The results of one bot or plan of a side against the default bot of the other side.

    `gain` is its mean utility minus that of the side's own default bot with the same dice.
    """

    game: str
    scenario: str
    side: str
    name: str
    matches: int
    gain: float

    @property
    def about(self) -> tuple[str, str, str, str]:
        """Its subject: game, scenario, side and name."""
        return self.game, self.scenario, self.side, self.name


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All entries."""

    entry: list[Entry] = []

    def gains(self, game: str, scenario: str, side: str) -> Mapping[str, Entry]:
        """Return the entries of a side in a scenario, by name; those of another scenario if there are none."""
        known = [entry for entry in self.entry if (entry.game, entry.side) == (game, side)]
        here = [entry for entry in known if entry.scenario == scenario]
        if not here and known:
            here = [entry for entry in known if entry.scenario == known[0].scenario]
        return {entry.name: entry for entry in here}


@lru_cache(maxsize=64)
def book(package: str) -> Book:
    """Return the book of a game's package; empty if it has none."""
    file = files(package).joinpath(FILE)
    return convert(parse(file.read_bytes(), FILE), Book, FILE) if file.is_file() else Book()
