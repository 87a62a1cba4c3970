"""The map of a campaign: the coasts of the ocean, its chapters in order, and who won them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

from readyroom.campaign.war import War
from readyroom.engine.drawing import Frame, text_width
from readyroom.engine.maps import Map, Region, Spot, fit_map, load_coasts

COASTS = "readyroom.games.strategic.war.presentation"
"""The package with the coasts of the world."""
WIDE, HIGH = 800, 400
PACIFIC = Region(112, 214, -18, 42)
"""What the map of any campaign shows at least, in degrees."""
MARGIN = 7
"""The least degrees around a place."""
RADIUS, FONT, GAP = 14, 15, 5
"""The radius of a mark, the size of its label, and the space between them."""
STEP = 20
"""The degrees between two lines of the grid."""


class Mark(NamedTuple):
    """A chapter on the map: its number, where it is, its label (`x`, `y` and how it is anchored), and its state.

    `state` is "past", "now" or "later"; `side` is the side that won it, empty if none did.
    """

    number: int
    title: str
    at: Spot
    label: Spot
    anchor: str
    state: str
    side: str


class WarMap(NamedTuple):
    """What is drawn: the coast, the lines of the grid, the way from chapter to chapter, and the marks."""

    shown: Map
    wide: int
    high: int
    grid: Sequence[str]
    track: Sequence[tuple[str, bool]]
    marks: Sequence[Mark]


def draw_war_map(war: War) -> WarMap | None:
    """Return the map of a campaign; None if fewer than two of its chapters have a place."""
    placed = [(number, one) for number, one in enumerate(war.campaign.chapter, start=1) if one.place is not None]
    if len(placed) < 2:
        return None
    spots = [one.place for _, one in placed if one.place is not None]
    around = [Region(x - MARGIN, x + MARGIN, y - MARGIN, y + MARGIN) for x, y in spots]
    shown = fit_map(load_coasts(COASTS)["world"], reduce(Region.join, around, PACIFIC), Frame(0, 0, WIDE, HIGH))
    done = len(war.played)
    places = [shown.place(spot) for spot in spots]
    marks = list[Mark]()
    for (number, chapter), at in zip(placed, places, strict=True):
        title = chapter.title or chapter.key
        label, anchor = _label(title, at, [*places, *(mark.at for mark in marks)], marks)
        state = "past" if number <= done else "now" if number == done + 1 and war.closed is None else "later"
        winner = war.played[number - 1].winner if number <= done else None
        marks.append(Mark(number, title, at, label, anchor, state, winner or ""))
    track = [(_bend(before.at, after.at), after.state != "later") for before, after in pairwise(marks)]
    return WarMap(shown, WIDE, HIGH, list(_grid(shown)), track, marks)


def _grid(shown: Map) -> Iterator[str]:
    for x in range(0, 361, STEP):
        at = shown.place((x, 0))[0]
        if 0 < at < WIDE:
            yield f"M{at:.1f} 0V{HIGH}"
    for y in range(-60, 61, STEP):
        at = shown.place((0, y))[1]
        if 0 < at < HIGH:
            yield f"M0 {at:.1f}H{WIDE}"


def _bend(start: Spot, end: Spot) -> str:
    """Return a slightly bent line between two places."""
    (x, y), (to_x, to_y) = start, end
    middle = (x + to_x) / 2 - (to_y - y) * 0.12, (y + to_y) / 2 + (to_x - x) * 0.12
    return f"M{x:.1f} {y:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {to_x:.1f} {to_y:.1f}"


def _label(title: str, at: Spot, places: Sequence[Spot], marks: Sequence[Mark]) -> tuple[Spot, str]:
    """Return where a label is clear of all marks and earlier labels: on the right, on the left, below, or above."""
    width, (x, y) = text_width(title, FONT), at
    taken = [Frame(each[0] - RADIUS, each[1] - RADIUS, 2 * RADIUS, 2 * RADIUS) for each in places if each != at]
    taken += [_frame(mark.label, mark.anchor, text_width(mark.title, FONT)) for mark in marks]
    choices = [
        ((x + RADIUS + GAP, y + FONT / 3), "start"),
        ((x - RADIUS - GAP, y + FONT / 3), "end"),
        ((x, y + RADIUS + FONT), "middle"),
        ((x, y - RADIUS - GAP), "middle"),
    ]
    for spot, anchor in choices:
        frame = _frame(spot, anchor, width)
        inside = frame.x >= 0 and frame.right <= WIDE and frame.y >= 0 and frame.bottom <= HIGH
        if inside and not any(_overlap(frame, other) for other in taken):
            return spot, anchor
    return choices[0]


def _frame(spot: Spot, anchor: str, width: float) -> Frame:
    left = {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return Frame(spot[0] - left, spot[1] - FONT, width, FONT * 1.3)


def _overlap(one: Frame, other: Frame) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom
