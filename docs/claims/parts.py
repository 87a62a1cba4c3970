"""Parts of the page of benchmarks, and helpers for tables."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GAMES = ("midway", "tora", "war", "pearl", "picket", "doolittle")
TITLES = {
    "midway": "A Terrible Resolve",
    "tora": "Tora! Tora! Tora!",
    "war": "Strategic War",
    "pearl": "Air Raid Pearl Harbor",
    "picket": "Picket Duty",
    "doolittle": "The Doolittle Raid",
}
"""The games' names in tables, in order."""
FOLDERS = {name: name for name in GAMES} | {"war": "strategic/war", "pearl": "strategic/pearl"}
"""The folder of each game's code and tests."""


class Part(NamedTuple):
    """A part of the page: a function that yields its lines for a count, and the default count.

    `scale` is the unit of the count; a part that plays nothing has none.
    """

    key: str
    make: Callable[[int], Iterator[str]]
    default_count: int = 0
    scale: str = ""

    @property
    def file(self) -> Path:
        """Return the file that the page includes."""
        return Path(__file__).with_name(f"{self.key}.txt")


def row(*cells: object) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(*titles: str, words: int = 1) -> str:
    """Return the header of a table; `words` columns are text, the others numbers."""
    return f"{row(*titles)}\n{row(*['---'] * words, *['---:'] * (len(titles) - words))}"


def figure(value: float) -> str:
    """Return a number with three significant digits or none after the point.

    >>> figure(12345.6), figure(12.34), figure(0.1234)
    ('12,346', '12.3', '0.12')
    """
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def machine() -> str:
    """Return the date and the kind of machine."""
    day = f"{date.today():%d %B %Y}".lstrip("0")
    return f"*{day}; {os.cpu_count()} cores, {platform.python_implementation()} {platform.python_version()}.*"


def included(name: str, *, first: str, last: str) -> Iterable[str]:
    """Return the lines of a file between two marks."""
    text = (DOCS / name).read_text(encoding="utf-8")
    return text.partition(f"% {first}\n")[2].partition(f"\n% {last}")[0].strip().splitlines()
