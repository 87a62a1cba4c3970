"""Where everything lies on the drawn board: once for wide screens, and once for a phone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readyroom.engine.game import MatchView
from tokyo_express.scene import Place, Scene, Shown, scene

CHIP, HEAD, GAP = (104, 21), 20, 6
"""The size of a counter, the height of a place's name, and what is left free between things."""


@dataclass(frozen=True)
class Counter:
    """A counter, and the corner at its top left."""

    shown: Shown
    x: int
    y: int


@dataclass(frozen=True)
class Box:
    """A place on the chart: its frame, and the counters in it."""

    place: Place
    water: bool
    x: int
    y: int
    width: int
    height: int
    counters: list[Counter]


@dataclass(frozen=True)
class Chart:
    """A chart of one shape, `wide` or `narrow`: the page shows whichever fits."""

    shape: str
    width: int
    height: int
    boxes: list[Box]


def layout(view: MatchView[Any]) -> Mapping[str, Any]:
    """What `board.svg.j2` draws of a view."""
    whole_scene = scene(view)
    return {"scene": whole_scene, "charts": [_wide(whole_scene), _narrow(whole_scene)]}


def _wide(scene: Scene) -> Chart:
    """Shortland on the left, the passages one above the other, Tulagi on the right."""
    first, *waters, last = scene.places
    lane = _height(4)
    high = 48 + len(waters) * (lane + GAP)
    boxes = [_box(first, False, 8, 48, 1, high - 48 - GAP)]
    boxes += [_box(place, True, 132, 48 + at * (lane + GAP), 3, lane) for at, place in enumerate(waters)]
    boxes.append(_box(last, False, 476, 48, 1, high - 48 - GAP))
    return Chart("wide", 600, high, boxes)


def _narrow(scene: Scene) -> Chart:
    """All places one under the other."""
    boxes, y = [], 48
    for at, place in enumerate(scene.places):
        height = _height(max(3, -(-len(place.ships) // 3)))
        boxes.append(_box(place, 0 < at < len(scene.places) - 1, 8, y, 3, height))
        y += height + GAP
    return Chart("narrow", 352, y, boxes)


def _height(rows: int) -> int:
    return HEAD + rows * (CHIP[1] + 4) + 4


def _box(place: Place, water: bool, x: int, y: int, columns: int, height: int) -> Box:
    """A place with its counters in so many columns."""
    width = columns * (CHIP[0] + GAP) + GAP
    return Box(place, water, x, y, width, height, list(_counters(place, x + GAP, y + HEAD, columns)))


def _counters(place: Place, x: int, y: int, columns: int) -> Iterator[Counter]:
    for at, ship in enumerate(place.ships):
        yield Counter(ship, x + at % columns * (CHIP[0] + GAP), y + at // columns * (CHIP[1] + 4))
