"""[1.5] The map of hits, for the report and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

from readyroom.games.picket.figures.common import SECTIONS
from readyroom.games.picket.figures.data import day_of
from readyroom.games.picket.text import a, weapon_name
from readyroom.games.picket.view import CruiseView, HitView

DIRECTIONS = {
    0: "ahead",
    45: "starboard bow",
    90: "starboard beam",
    135: "starboard quarter",
    180: "astern",
    225: "port quarter",
    270: "port beam",
    315: "port bow",
}
"""[1.1] The eight bearings as text."""
PORT, DECK, STARBOARD = "port", "deck", "starboard"
CELL, HEAD = 22, 7
"""The widths of a section and of the row labels in the terminal's map."""
SHIP = (
    "     ____________________________________________________________",
    "    (_  5  4 E 3     D    G  O  F    []     (CIC)[bridge]  2  1   \\>",
    "     ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾",
)
"""The ship from above, her bow to the right."""


def side_of(bearing: int) -> str:
    """Return the side of the ship towards a bearing; ahead, astern and unknown are her deck.

    >>> side_of(45), side_of(270), side_of(180)
    ('starboard', 'port', 'deck')
    """
    return DECK if bearing < 0 or bearing % 180 == 0 else STARBOARD if bearing < 180 else PORT


class Mark(NamedTuple):
    """[1.5] A hit on the map: its label, the number of its tour, and its description."""

    label: str
    tour: int
    hit: HitView
    title: str

    @property
    def side(self) -> str:
        """Return the side of the ship that was hit."""
        return side_of(self.hit.bearing)

    @property
    def height(self) -> str:
        """Return the height of the plane; none for a special attacker."""
        return "" if self.hit.bearing < 0 else self.hit.height

    @property
    def short(self) -> str:
        """Return the label for the terminal: the height after it, a near miss in brackets."""
        text = f"{self.label}{self.height}"
        return f"({text})" if self.hit.near else text


def marks(table: CruiseView) -> list[Mark]:
    """[1.5] Return all hits of a cruise in order, numbered by tours."""
    tours, numbered, numbers = table.tally.tours, list[Mark](), Counter[int]()
    for hit in table.hits:
        tour = max((at for at, one in enumerate(tours, start=1) if one.first <= hit.turn), default=1)
        numbers[tour] += 1
        label = f"{tour}.{numbers[tour]}" if len(tours) > 1 else str(numbers[tour])
        numbered.append(Mark(label, tour, hit, _describe_hit(table, hit)))
    return numbered


def _describe_hit(table: CruiseView, hit: HitView) -> str:
    """Describe a hit: when, what, from where, and with what effect."""
    day = day_of(table.calendar.first, hit.turn)
    what = f"the {weapon_name(hit.weapon)} of {a(hit.name)}" if hit.weapon else a(hit.name)
    where = f"at the {hit.section} section"
    if hit.bearing >= 0:
        where = f"from {hit.bearing:03d} {hit.height}, {DIRECTIONS[hit.bearing]}"
    alongside = " alongside," if hit.near else ""
    return f"{day.day} {day:%B}, {hit.watch}: {what}{alongside} {where}: {hit.effect}"


def sketch(table: CruiseView) -> str:
    """[1.5] Return the ship from above with her hits, or "" if there are none."""
    hits = marks(table)
    if not hits:
        return ""
    lines = [
        f"{'':{HEAD}}{''.join(f'{section:<{CELL}}' for section in reversed(SECTIONS))}".rstrip(),
        *_band(hits, PORT),
        SHIP[0],
        *_band(hits, DECK),
        *SHIP[1:],
        *_band(hits, STARBOARD),
        "",
        "A letter is the height; in brackets what went off alongside.",
    ]
    for mark in hits:
        head = f"{mark.label:>5}  "
        lines += wrap(f"{mark.title}.", 78, initial_indent=head, subsequent_indent=" " * len(head))
    return "\n".join(lines)


def _band(marks: Sequence[Mark], side: str) -> list[str]:
    """Return the lines of the hits on a side, section by section."""
    cells = [
        wrap(" ".join(mark.short for mark in marks if mark.side == side and mark.hit.section == section), CELL - 2)
        for section in reversed(SECTIONS)
    ]
    titles = ["stbd" if side == STARBOARD else side]
    return [
        f"{title:<{HEAD}}{''.join(f'{cell:<{CELL}}' for cell in row)}".rstrip()
        for title, *row in zip_longest(titles, *cells, fillvalue="")
        if any(row)
    ]
