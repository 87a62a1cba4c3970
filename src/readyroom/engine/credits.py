"""Whose a game is, and where its figures come from: counted in its data, so that what is said of them stays true."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import msgspec

UNTAGGED = ""
"""What stands in a file without saying where it comes from: a game's own plans, scenarios and statistics."""
SOURCES = {
    "rulebook": "from the rulebook",
    "published": "published elsewhere",
    "history": "from history",
    "reconstructed": "reconstructed by us",
    UNTAGGED: "of our own plans, scenarios and statistics",
}
"""What a tag of the data means, in the order in which they are told."""
ABOUT = ("source", "origin", "order")
"""What a table says of itself, and is no figure of the game."""


class Credits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose a game is.

    `design` is the design as its authors call it, `text` a sentence on which edition was read and what it lacks, and
    `ours` a sentence on what was made here. `designer` and `publisher` are empty where our sources name none.
    """

    design: str
    text: str
    ours: str
    designer: str = ""
    publisher: str = ""

    @property
    def attribution(self) -> str:
        """The design with its designer and publisher, as far as they are named.

        >>> Credits(design="Go", text="", ours="", designer="Ann", publisher="Bee Books").attribution
        'Go; Ann, published by Bee Books'
        """
        owners = filter(None, [self.designer, f"published by {self.publisher}" if self.publisher else ""])
        return "; ".join(filter(None, [self.design, ", ".join(owners)]))


NOBODY_ELSE = "Nothing here is the designers' or the publishers' to answer for: words, rulings and mistakes are ours."
"""What holds for every game."""


class SourceCount(NamedTuple):
    """How many tables carry a tag, and how many figures stand in them."""

    tables: int
    figures: int


def count_sources(package: str) -> Mapping[str, SourceCount]:
    """The tables and figures of a game's data by their tags, in the order of `SOURCES`; without those that are absent.

    A figure is a number, or a cell of a chart, and goes by the nearest tag above it. What is left in a file without any
    counts as one table.
    """
    found: dict[str, list[int]] = {}
    for file in _files(files(package).joinpath("data")):
        for source, figures in _tagged(tomllib.loads(file.read_text("utf-8"))):
            found.setdefault(source, []).append(figures)
    order = [*SOURCES, *sorted(found.keys() - SOURCES.keys())]
    return {source: SourceCount(len(found[source]), sum(found[source])) for source in order if source in found}


def describe_sources(found: Mapping[str, SourceCount]) -> str:
    """The tables of a game in a phrase, by where they come from.

    >>> describe_sources({"rulebook": SourceCount(9, 64), "reconstructed": SourceCount(3, 69)})
    '9 from the rulebook, 3 reconstructed by us'
    """
    return ", ".join(f"{tally.tables} {SOURCES.get(source, source)}" for source, tally in found.items())


def _files(folder: Traversable) -> Iterator[Traversable]:
    """All files of figures in a folder and those in it."""
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            yield from _files(entry)
        elif entry.name.endswith(".toml"):
            yield entry


def _tagged(table: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """A table's tag with how many figures stand under it, and then those of the tables in it that have their own."""
    inside = list[tuple[str, int]]()
    figures = _figures(table, inside)
    if "source" in table or figures:
        yield str(table.get("source", UNTAGGED)), figures
    yield from inside


def _figures(value: Any, inside: list[tuple[str, int]], cells: bool = False) -> int:
    """How many figures a value holds; tables in it that have a tag of their own go to `inside` instead."""
    if isinstance(value, dict):
        kept = ((key, each) for key, each in value.items() if key not in ABOUT)
        return sum(_branch(each, inside, cells or key == "rows") for key, each in kept)
    if isinstance(value, list):
        return sum(_branch(each, inside, cells) for each in value)
    return int(cells or (isinstance(value, int | float) and not isinstance(value, bool)))


def _branch(value: Any, inside: list[tuple[str, int]], cells: bool) -> int:
    if isinstance(value, dict) and "source" in value:
        inside += _tagged(value)
        return 0
    return _figures(value, inside, cells)
