"""Positions on the drawn board: a wide chart, and a narrow one for phones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readyroom.authoring import MatchView
from tokyo_express.scene import Counter, Place, Scene, scene
from tokyo_express.view import ExpressView

CHIP, HEAD, GAP = (104, 21), 20, 6
"""The size of a counter, the height of a place's name, and the gap between things."""


@dataclass(frozen=True)
class Placed:
    """A counter and its top left corner."""

    counter: Counter
    x: int
    y: int


@dataclass(frozen=True)
class Box:
    """A place on the chart: its frame and its counters."""

    place: Place
    water: bool
    x: int
    y: int
    width: int
    height: int
    counters: list[Placed]


@dataclass(frozen=True)
class Chart:
    """A chart of one shape, `wide` or `narrow`; the page shows the one that fits."""

    shape: str
    width: int
    height: int
    boxes: list[Box]


def layout(view: MatchView[ExpressView]) -> Mapping[str, Any]:
    """Return the data for `board.svg.j2`."""
    shown = scene(view)
    return {"scene": shown, "charts": [_wide(shown), _narrow(shown)]}


def _wide(scene: Scene) -> Chart:
    """Return the wide chart: Shortland on the left, the passages in the middle, Tulagi on the right."""
    first, *waters, last = scene.places
    lane = _height(4)
    high = 48 + len(waters) * (lane + GAP)
    boxes = [_box(first, False, 8, 48, 1, high - 48 - GAP)]
    boxes += [_box(place, True, 132, 48 + at * (lane + GAP), 3, lane) for at, place in enumerate(waters)]
    boxes.append(_box(last, False, 476, 48, 1, high - 48 - GAP))
    return Chart("wide", 600, high, boxes)


def _narrow(scene: Scene) -> Chart:
    """Return the narrow chart: all places in a column."""
    boxes, y = [], 48
    for at, place in enumerate(scene.places):
        height = _height(max(3, -(-len(place.counters) // 3)))
        boxes.append(_box(place, 0 < at < len(scene.places) - 1, 8, y, 3, height))
        y += height + GAP
    return Chart("narrow", 352, y, boxes)


def _height(rows: int) -> int:
    return HEAD + rows * (CHIP[1] + 4) + 4


def _box(place: Place, water: bool, x: int, y: int, columns: int, height: int) -> Box:
    """Return a place with its counters in columns."""
    width = columns * (CHIP[0] + GAP) + GAP
    return Box(place, water, x, y, width, height, list(_counters(place, x + GAP, y + HEAD, columns)))


def _counters(place: Place, x: int, y: int, columns: int) -> Iterator[Placed]:
    for at, counter in enumerate(place.counters):
        yield Placed(counter, x + at % columns * (CHIP[0] + GAP), y + at // columns * (CHIP[1] + 4))
