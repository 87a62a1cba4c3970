"""[3.0, 4.0] A target map as it is drawn: areas that fit together, boxes, bombers and the hazards that they have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from readyroom.engine.drawing import Frame, text_width
from readyroom.games.doolittle.attack.view import AreaView, BoxView
from readyroom.games.doolittle.names import count_text
from readyroom.games.doolittle.piece_views import MarkerView
from readyroom.games.doolittle.presentation.drawing.cities import PLANS, SHEET, Plan, Point
from readyroom.games.doolittle.presentation.drawing.shapes import POINTED, Room, Shape, fan, path, spread
from readyroom.games.doolittle.presentation.scene import Plane, Scene

NAMES = {
    "nippon-electric": "Nippon Electric",
    "gas-electric": "Gas & Electric",
    "tokyo-engines": "Engine Works",
    "special-steel": "Special Steel",
    "naval-air-station": "Air Station",
    "tokyo-shipping": "Shipping",
    "nagoya-engines": "Engine Plant",
    "mitsubishi-works": "Mitsubishi",
    "nagoya-barracks": "Barracks",
    "kobe-dockyard": "Kawasaki Docks",
    "kawasaki-works": "Kawasaki Air",
    "steel-works": "Steel Works",
    "machinery-works": "Machinery",
    "kawanishi": "Kawanishi",
}
"""Boxes whose names are too long for the map."""
TITLE = 17.0
"""The height of an area's title."""
BOX, FULL = 36.0, 48.0
"""The height of a box, and of one with a line of hazards."""
LARGE = 1.18
"""How much larger boxes and bombers may be on the wide board."""
LARGEST = 1.8
"""The maximum scale of a bomber with its name."""
LETTER, LABEL = 7.6, 5.6
"""How wide a letter of an area's name is, and one of its label."""
LEAST = 34.0
"""The height that bombers need."""
ABREAST = 72.0
"""Boxes that would be narrower than this lie one under the other."""
CELL = (60.0, 43.0)
"""A bomber with its name and its hazards."""
BODY = (28.0, 30.0)
"""A bomber without its name and its hazards, with the gap to the next one."""
MARGIN = 4.0
"""How much of a bomber may lie on the lower edge of a box."""
WIDEST = (124.0, 104.0, 86.0, 74.0)
"""How wide boxes may be: less where bombers would be too small."""
PAIR = 27.0
"""How far the next two hazards of a bomber lie from the first two."""
SIZES = (1.0, 0.86, 0.74)
"""How large boxes are where an area has no room for larger ones."""
CHIP = 13.0
"""The height of a hazard."""


class Chip(NamedTuple):
    """[4.2] A hazard's position; `evade` and `fire` are the keys of evading it and firing at it."""

    hazard: MarkerView
    x: float
    y: float
    width: float
    area: str = ""
    bomber: str = ""
    evade: str = ""
    fire: str = ""
    gunner: str = ""


class Counter(NamedTuple):
    """[2.1] A bomber on the map."""

    plane: Plane
    x: float
    y: float
    scale: float
    width: float
    chips: Sequence[Chip]
    runs: Sequence[str]
    """[4.8] The keys of its ways into boxes."""
    is_tight: bool = False
    """Whether only its number is on it, without the pilot below it."""

    @property
    def is_small(self) -> bool:
        """Whether it is too small to be pointed at."""
        return self.frame.height < POINTED

    @property
    def frame(self) -> Frame:
        """What it covers."""
        return Frame(self.x, self.y, self.width * self.scale, (BODY if self.is_tight else CELL)[1] * self.scale)


class Spot(NamedTuple):
    """[3.3] A target box: its position, its hazards, and the bomber in it."""

    box: BoxView
    name: str
    frame: Frame
    size: float
    chips: Sequence[Chip]
    inside: Plane | None
    runs: Sequence[str]
    """[4.8] The keys of the bombers' ways into it."""

    @property
    def is_small(self) -> bool:
        """Whether it is too small to be pointed at."""
        return self.frame.height < POINTED


class Tile(NamedTuple):
    """[3.2] An area's position."""

    area: AreaView
    title: str
    path: str
    frame: Frame
    water: bool
    spots: Sequence[Spot]
    counters: Sequence[Counter]
    chips: Sequence[Chip]
    label: str
    """The most new hazards in a turn, and what else is printed next to the name."""

    @property
    def long(self) -> float:
        """How long the name is with its label."""
        return len(self.area.name) * LETTER + len(self.label) * LABEL + 5


class Target(NamedTuple):
    """[3.0] A target map."""

    frame: Frame
    tiles: Sequence[Tile]
    coast: Sequence[str]
    rivers: Sequence[str]
    rose: Point

    def room(self, tile: Tile) -> float:
        """Return the length for an area's name with its label where it needs more room than there is; else 0."""
        x, y = tile.frame.x, tile.frame.y
        right = [one.frame.x - 3 for one in self.tiles if one.frame.x > x and abs(one.frame.y - y) < TITLE]
        blast = [tile.frame.right - 20] if tile.area.blast else []
        left = min([self.frame.right - 3, *right, *blast]) - x
        return left if left < tile.long else 0.0


def target(scene: Scene, shape: Shape, given: Room) -> Target:
    """Return the map of the city that is attacked."""
    plan, frame = PLANS[scene.city_key], shape.city
    size = 1.0 if shape.upright else LARGE
    tiles = []
    for area in scene.city.areas if scene.city else ():
        planes = [plane for plane in scene.squad if plane.area == area.key]
        tiles.append(_tile(area, planes, plan, frame, size, given))
    return Target(
        frame,
        tiles,
        [path([_to_board(frame, point) for point in arc]) for arc in plan.coast()],
        [path([_to_board(frame, point) for point in river]) for river in plan.rivers],
        _to_board(frame, plan.rose),
    )


def _to_board(frame: Frame, point: Point) -> Point:
    """Return a point of the plan on the board."""
    return frame.x + point[0] / SHEET[0] * frame.width, frame.y + point[1] / SHEET[1] * frame.height


def room(frame: Frame, plan: Plan, area: str) -> Frame:
    """Return the room in an area on the board."""
    inner = plan.rooms[area]
    left, top = _to_board(frame, (inner.x, inner.y))
    right, bottom = _to_board(frame, (inner.right, inner.bottom))
    return Frame(left, top, right - left, bottom - top)


def _tile(area: AreaView, planes: Sequence[Plane], plan: Plan, frame: Frame, size: float, given: Room) -> Tile:
    inner, sizes = room(frame, plan, area.key), (size, *SIZES)
    bottom = inner.bottom - given(f"chips {area.key}", CHIP + 3 if area.markers else 0)
    least = next((at for at in range(len(sizes)) if bottom - _top(area, planes, inner, sizes[at], given) > LEAST), 3)
    smaller = sizes[int(given(f"step {area.key}", least))]
    loose, smallest = [plane for plane in planes if not plane.box], POINTED / 26 if size == LARGE else 0.0
    widths = [(list(_spots(area, planes, inner, smaller, given, most)), most) for most in WIDEST]
    fits = [_arrange(loose, _free(inner, bottom, spots), smallest) for spots, _ in widths]
    needs = max(range(len(fits)), key=lambda at: (fits[at].seen, -at)) if loose and smallest else 0
    at = int(given(f"width {area.key}", needs))
    spots = widths[at][0]
    outline = path([_to_board(frame, point) for point in plan.outline(area.key)], closed=True)
    counters = list(_counters(area, planes, loose, fits[at]))
    chips = row(area.markers, inner.x, bottom + 3, inner.width)
    label = f"≤{area.limit}{'' if area.perimeter else ', inner'}{'' if area.counted else ', half'}"
    return Tile(area, _title(area, planes), outline, inner, area.key in plan.water, spots, counters, chips, label)


def _top(area: AreaView, planes: Sequence[Plane], inner: Frame, size: float, given: Room) -> float:
    """Return where the room under the boxes of an area begins."""
    spots = _spots(area, planes, inner, size, given)
    return max([inner.y + TITLE, *(spot.frame.bottom + 4 for spot in spots)])


def _title(area: AreaView, planes: Sequence[Plane]) -> str:
    """[3.2, 4.1.2, 4.2.3] Return an area in a sentence."""
    texts = [f"{area.name}{', on the edge' if area.perimeter else ''}"]
    texts += [f"at most {count_text(area.limit, 'new hazard')} a turn"]
    texts += [] if area.counted else ["half: hits in its boxes score as in an area"]
    texts += [f"blast {area.blast}"] if area.blast else []
    texts += [", ".join(plane.pilot for plane in planes)] if planes else []
    return "; ".join(texts)


# -- boxes -----------------------------------------------------------------------------------------------------------


def _spots(
    area: AreaView, planes: Sequence[Plane], inner: Frame, size: float, given: Room, most: float = WIDEST[0]
) -> Iterator[Spot]:
    """[3.3] Yield the boxes of an area: side by side where there is room, else one under the other."""
    count, gap = len(area.boxes), 5.0
    if not count:
        return
    abreast = (inner.width - gap * (count - 1)) / count >= ABREAST * size
    width = (inner.width - gap * (count - 1)) / count if abreast else inner.width
    width = min(width, most * size)
    x, y = inner.x, inner.y + TITLE
    for box in area.boxes:
        full = bool(box.markers) and breadths(box.markers) > width - 56 * size
        tight = bool(given(f"tight {box.key}", float(full)))
        frame = Frame(x, y, width, (FULL if tight else BOX) * size)
        yield _spot(planes, box, frame, size, tight=tight)
        if abreast:
            x += width + gap
        else:
            y = frame.bottom + 4


def breadths(hazards: Sequence[MarkerView]) -> float:
    """Return the width of some hazards in a row."""
    return sum(chip_width(one) + 2 for one in hazards)


def chip_width(hazard: MarkerView) -> float:
    """Return the width of a hazard."""
    return (11 if hazard.fighter else 0) + max(15.0, text_width(hazard.short, 14) + 8)


def _spot(planes: Sequence[Plane], box: BoxView, frame: Frame, size: float, *, tight: bool) -> Spot:
    """Return a box with its contents; positions of hazards are measured within the box."""
    left, top = (4.0, 33.0) if tight else (53.0, 18.0)
    chips = row(box.markers, left * size, top * size, frame.width - left * size - 2)
    inside = next((plane for plane in planes if plane.box == box.key), None)
    runs = [f"{plane.key}-{box.key}" for plane in planes if plane.loaded and not plane.box]
    return Spot(box, NAMES.get(box.key, box.name), frame, size, chips, inside, runs)


# -- bombers and hazards ---------------------------------------------------------------------------------------------


def _numbered(planes: Sequence[Plane]) -> dict[str, tuple[str, str, str]]:
    """[4.4.1, 4.5] Return the keys of evading a hazard and firing at a fighter, by the marker's place."""
    result, evades = {}, 0
    for plane in planes:
        fires = 0
        for each in plane.hazards:
            evade = fire = ""
            if each in plane.assigned or each.fighter:
                evades += 1
                evade = f"evade-{evades}"
            if each.fighter:
                fires += 1
                fire = str(fires)
            result[each.at] = (evade, f"fire-{fire}" if fire else "", f"gunner-{fire}" if fire else "")
    return result


class Fit(NamedTuple):
    """How bombers lie: scale, corners, the width of each, whether without names, and how much is seen of each."""

    scale: float
    corners: Sequence[Point]
    width: float
    is_tight: bool
    seen: float


def _free(inner: Frame, bottom: float, spots: Sequence[Spot]) -> list[Frame]:
    """Return the room of an area below its boxes, and next to them."""
    top = max([inner.y + TITLE, *(spot.frame.bottom + 4 for spot in spots)])
    right = max([inner.x, *(spot.frame.right + 6 for spot in spots)])
    return [
        Frame(inner.x, top, inner.width, max(8.0, bottom - top)),
        Frame(right, inner.y + TITLE, max(8.0, inner.right - right), max(8.0, bottom - inner.y - TITLE)),
    ]


def _arrange(planes: Sequence[Plane], free: Sequence[Frame], smallest: float) -> Fit:
    """Return how bombers lie in one of two rooms: with names where there is room, else with their numbers alone.

    None is smaller than the least scale: where there is no room for all next to one another, they overlap.
    """
    if not planes:
        return Fit(1.0, [], 0.0, False, 1.0)
    pairs = max(-(-len(plane.hazards) // 2) for plane in planes)
    width = CELL[0] + PAIR * max(0, pairs - 1)
    frame = max(free, key=lambda one: spread(1, one, CELL, LARGEST)[0]) if not smallest else None
    named = [spread(len(planes), one, (width, CELL[1]), LARGEST) for one in ([frame] if frame else free)]
    scale, corners = max(named, key=lambda fit: fit[0])
    if scale >= smallest:
        return Fit(scale, corners, width, False, 2.0)
    width = BODY[0] + PAIR * pairs * LARGE / smallest
    tight = [spread(len(planes), one, (width, BODY[1]), smallest) for one in free]
    scale, corners = max(tight, key=lambda fit: fit[0])
    if scale >= smallest:
        return Fit(scale, corners, width, True, 1.0)
    high = BODY[1] * smallest
    rooms = [one._replace(y=min(one.y, one.bottom - high), height=max(one.height, high)) for one in free]
    piles = [fan(len(planes), one, (BODY[0] * smallest, high)) for one in rooms]
    seen, corners = max(((_seen(pile, free[at]), pile) for at, pile in enumerate(piles)), key=lambda pile: pile[0])
    return Fit(smallest, corners, BODY[0], True, seen)


def _seen(corners: Sequence[Point], room: Frame) -> float:
    """Return how well bombers that overlap are seen, less than 1: half as well if they lie on what a box says."""
    pairs = combinations(corners, 2)
    apart = min((max(abs(x - u), abs(y - v)) for (x, y), (u, v) in pairs), default=POINTED)
    short = POINTED - min(room.height, room.width)
    return min(1.0, apart / POINTED) * (1.0 if short < MARGIN else 0.5) - 0.01


def _counters(area: AreaView, planes: Sequence[Plane], loose: Sequence[Plane], fit: Fit) -> Iterator[Counter]:
    """[3.2] Yield the bombers of an area that are in none of its boxes, as large as there is room for."""
    numbers = _numbered(planes)
    for plane, (x, y) in zip(loose, fit.corners, strict=True):
        chips = [
            Chip(
                *(one, 28 + n // 2 * PAIR, 1 + n % 2 * 14.5, chip_width(one)),
                *(area.key, plane.key, *numbers[one.at]),
            )
            for n, one in enumerate(plane.hazards)
        ]
        runs = [f"{plane.key}-{box.key}" for box in area.boxes]
        yield Counter(plane, x, y, fit.scale, fit.width, chips, runs, fit.is_tight)


def row(hazards: Sequence[MarkerView], x: float, y: float, width: float) -> list[Chip]:
    """Return hazards side by side, closer together where there is little room."""
    wide = breadths(hazards)
    squeeze = min(1.0, width / wide) if wide else 1.0
    chips = []
    for one in hazards:
        chips.append(Chip(one, x, y, chip_width(one)))
        x += (chip_width(one) + 2) * squeeze
    return chips
