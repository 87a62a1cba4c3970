"""A game's designers and publishers, and the sources of its data, counted from the data files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import msgspec

UNTAGGED = ""
"""The tag of data without a source: a game's own plans, scenarios and statistics."""
SOURCES = {
    "rulebook": "from the rulebook",
    "published": "published elsewhere",
    "history": "from history",
    "reconstructed": "reconstructed by us",
    UNTAGGED: "original plans, scenarios and statistics",
}
"""The meanings of the source tags, in display order."""
ABOUT = ("source", "origin", "order")
"""Fields that describe a table and are not data."""


class Credits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Credits of a game.

    `design` is the design's original title, `text` a sentence on the edition used and what it lacks, `ours` a sentence
    on what was added here. `designer` and `publisher` are empty if unknown.
    """

    design: str
    text: str
    ours: str
    designer: str = ""
    publisher: str = ""

    @property
    def attribution(self) -> str:
        """The design with its designer and publisher, if known.

        >>> Credits(design="Go", text="", ours="", designer="Ann", publisher="Bee Books").attribution
        'Go; Ann, published by Bee Books'
        """
        owners = filter(None, [self.designer, f"published by {self.publisher}" if self.publisher else ""])
        return "; ".join(filter(None, [self.design, ", ".join(owners)]))


DISCLAIMER = "The designers and publishers are not responsible for this version: text, rulings and mistakes are ours."
"""Applies to every game."""


class SourceCount(NamedTuple):
    """The number of tables with a source tag, and of the values in them."""

    tables: int
    figures: int


def count_sources(package: str) -> Mapping[str, SourceCount]:
    """Return the tables and values of a game's data by source tag, in the order of `SOURCES`.

    A value is a number or a cell of a chart; it counts for the nearest tag above it. What has no tag counts as one
    table for each file.
    """
    figures: dict[str, list[int]] = {}
    for file in _files(files(package).joinpath("data")):
        for source, count in _tagged(tomllib.loads(file.read_text("utf-8"))):
            figures.setdefault(source, []).append(count)
    order = [*SOURCES, *sorted(figures.keys() - SOURCES.keys())]
    return {source: SourceCount(len(figures[source]), sum(figures[source])) for source in order if source in figures}


def describe_sources(counts: Mapping[str, SourceCount]) -> str:
    """Return the number of a game's tables of data by source, as text.

    >>> describe_sources({"rulebook": SourceCount(9, 64), "reconstructed": SourceCount(3, 69)})
    'from the rulebook (9); reconstructed by us (3)'
    """
    return "; ".join(f"{SOURCES.get(source, source)} ({count.tables})" for source, count in counts.items())


def _files(folder: Traversable) -> Iterator[Traversable]:
    """Yield all data files in a folder and its subfolders."""
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            yield from _files(entry)
        elif entry.name.endswith(".toml"):
            yield entry


def _tagged(table: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield a table's tag with its number of values, then those of nested tables with their own tags."""
    nested = list[tuple[str, int]]()
    figures = _figures(table, nested)
    if "source" in table or figures:
        yield str(table.get("source", UNTAGGED)), figures
    yield from nested


def _figures(value: Any, nested: list[tuple[str, int]], cells: bool = False) -> int:
    """Return the number of values; nested tables with their own tags are added to `nested` instead."""
    if isinstance(value, dict):
        content = ((key, each) for key, each in value.items() if key not in ABOUT)
        return sum(_branch(each, nested, cells or key == "rows") for key, each in content)
    if isinstance(value, list):
        return sum(_branch(each, nested, cells) for each in value)
    return int(cells or (isinstance(value, int | float) and not isinstance(value, bool)))


def _branch(value: Any, nested: list[tuple[str, int]], cells: bool) -> int:
    if isinstance(value, dict) and "source" in value:
        nested += _tagged(value)
        return 0
    return _figures(value, nested, cells)
