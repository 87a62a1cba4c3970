"""Parts of the page of numbers: their lines, and the machine that they were measured on."""

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
"""The names of the games in tables, in their order."""
FOLDERS = {name: name for name in GAMES} | {"war": "strategic/war", "pearl": "strategic/pearl"}
"""Where each game's code and tests are."""


class Part(NamedTuple):
    """A part of the page: its name, what makes its lines from how much is to be played, and how much is usual.

    `scale` says what the count means; a part that only counts what is there has none.
    """

    key: str
    make: Callable[[int], Iterator[str]]
    usual: int = 0
    scale: str = ""

    @property
    def file(self) -> Path:
        """Where its lines are kept."""
        return Path(__file__).with_name(f"{self.key}.txt")


def row(*cells: object) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(*titles: str, words: int = 1) -> str:
    """The first two lines of a table of which this many columns are words, and the others numbers."""
    return f"{row(*titles)}\n{row(*['---'] * words, *['---:'] * (len(titles) - words))}"


def figure(value: float) -> str:
    """A number with as many digits as mean something.

    >>> figure(12345.6), figure(12.34), figure(0.1234)
    ('12,346', '12.3', '0.12')
    """
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def machine() -> str:
    """When and on what kind of machine something was made."""
    day = f"{date.today():%d %B %Y}".lstrip("0")
    return f"*{day}; {os.cpu_count()} cores, {platform.python_implementation()} {platform.python_version()}.*"


def included(name: str, *, first: str, last: str) -> Iterable[str]:
    """The lines of a text of figures between two of its marks."""
    text = (DOCS / name).read_text(encoding="utf-8")
    return text.partition(f"% {first}\n")[2].partition(f"\n% {last}")[0].strip().splitlines()
