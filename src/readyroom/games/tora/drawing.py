"""Where everything lies on the drawn board: a chart of Oahu and its waters, and one of Pearl Harbor, inch by inch.

A view gives two boards, a wide one with the charts side by side, and a narrow one for small screens with one below the
other. Lengths are SVG units, which are about pixels on a screen. What the charts look like stands in `data/map.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, pairwise
from math import ceil
from textwrap import wrap
from typing import Any, NamedTuple, TypeVar

import msgspec

from readyroom.engine.data import load
from readyroom.engine.game import View
from readyroom.games.tora import scene as told
from readyroom.games.tora.figures import SIDES, USA, SideName, number_of
from readyroom.games.tora.offers import Waters
from readyroom.games.tora.plan import Berth
from readyroom.games.tora.scene import Art, Field, Luck, Panel, Scene, Ship, Target, Turn, Unit, Zone, scene

Thing = TypeVar("Thing")
Point = tuple[float, float]
Frame = tuple[float, float, float, float]
"""Left, top, right and bottom."""

WIDE, HIGH = 29.6, 31.6
"""Room for a counter, which is 26 wide and 28 high, with what surrounds it when it can be chosen."""
CROWDED = 0.72
"""Counters smaller than this cannot be read on a small screen."""
PARKED = 0.62
"""The size of counters on a field."""
COLUMNS = 5
"""How many stand in a row of a field."""
LIFT = 3.2
"""How far the upper unit of a stack lies above and beside the lower one."""
BEAM = 12.0
"""The breadth of a hull."""
LINE = 16.0
"""The height of a line beside the chart."""
EDGE = 4.0
"""Between the frame, the charts and what is told."""
TOKEN = (33.0, 20.0)
"""A token of the Navy Yard."""
TURNS, ROW = 20, 38.0
"""So many turns have room in a row on a small screen, and the height of such a row."""
IN_A_ROW = 6
"""Tokens along the eastern shore; the others lie along the southern one, four of them west of the channel."""


LOADED = "T torpedoes · AP armor-piercing bombs · GP general-purpose bombs · ? not seen yet"
FLOWN = "40 P-40 · 36 P-36 · 26 P-26 · 4F F4F · 2A F2A · faded: has acted this turn"
LEGEND = (f"{LOADED} · {FLOWN}", LOADED, FLOWN)
"""What the tabs of counters mean, in one line or in two."""


# -- data/map.toml -----------------------------------------------------------------------------------------------------


class Cape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point of the coast that has a name, and where the name stands."""

    name: str
    spot: Point
    by: Point
    anchor: str


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The corner of a field as it is drawn, and the place on the island that it stands for."""

    at: Point
    spot: Point


class Oahu(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chart of the island."""

    source: str
    origin: str
    width: float
    height: float
    middle: Point
    at: Point
    east: float
    north: float
    south: float
    coast: list[Point]
    lochs: str
    ring: float
    ridges: list[list[Point]]
    cape: list[Cape]
    fields: dict[str, Spot]
    batteries: dict[str, Point]
    clouds: dict[str, Frame]
    names: dict[str, Point]

    def place(self, spot: Point) -> Point:
        """Where a longitude and latitude lies."""
        east, north = spot[0] - self.middle[0], spot[1] - self.middle[1]
        return self.at[0] + east * self.east, self.at[1] - north * (self.north if north > 0 else self.south)


class Across(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The harbor's width on one of the boards, its left margin, and how wide columns are drawn."""

    width: float
    left: float
    columns: list[Point]


class HarborChart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chart of the harbor."""

    source: str
    origin: str
    height: float
    top: float
    rows: list[Point]
    room: float
    along: float
    shore: list[Point]
    wide: Across
    narrow: Across


class Map(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of `map.toml`."""

    oahu: Oahu
    harbor: HarborChart


class _Folder(msgspec.Struct, frozen=True):
    """The one file of the data folder that only the drawing reads."""

    map: Map


@lru_cache(maxsize=1)
def drawn() -> Map:
    """The drawn coordinates."""
    return load(_Folder, "readyroom.games.tora").map


# -- packing -----------------------------------------------------------------------------------------------------------


class Grid(NamedTuple):
    """Counters in rows: their scale, and how many stand in a row."""

    scale: float
    columns: int


def pack(counts: Sequence[int], width: float, height: float) -> Grid:
    """The largest scale up to 1 at which crowds of so many counters, each beginning a row, fit into a frame.

    >>> pack([4], 130, 40)
    Grid(scale=1.0, columns=4)
    >>> pack([48], 130, 140).scale < 0.7
    True
    """
    scale = 1.0
    while True:
        columns = max(1, int(width / (WIDE * scale)))
        rows = sum(ceil(count / columns) for count in counts)
        if rows * HIGH * scale <= height or scale < 0.05:
            return Grid(scale, columns)
        scale *= 0.96


def spread(
    crowds: Sequence[tuple[SideName, Sequence[Thing]]], frame: Frame, fit: Grid
) -> Iterator[tuple[SideName, Thing, Point]]:
    """Crowds in rows around the middle of a frame, one crowd below the other, each thing with its middle."""
    left, top, right, bottom = frame
    rows = sum(ceil(len(things) / fit.columns) for _, things in crowds)
    y = top + (bottom - top - rows * HIGH * fit.scale) / 2
    for side, things in crowds:
        for first in range(0, len(things), fit.columns):
            row = things[first : first + fit.columns]
            x = (left + right - len(row) * WIDE * fit.scale) / 2
            for at, thing in enumerate(row):
                yield side, thing, (x + (at + 0.5) * WIDE * fit.scale, y + HIGH * fit.scale / 2)
            y += HIGH * fit.scale


class Axis:
    """One direction of the harbor: where each cell begins.

    Cells are as wide as the map says, but those where a ship lies have at least room for her; the whole keeps its
    length.
    """

    def __init__(self, widths: Sequence[Point], needs: Mapping[int, float], start: float) -> None:
        cells = list(_cells(widths))
        length = sum(cells)
        for at, need in needs.items():
            if 0 <= at < len(cells):
                cells[at] = max(cells[at], need)
        scale = length / sum(cells)
        self.edges = [start]
        for width in cells:
            self.edges.append(self.edges[-1] + width * scale)

    def __call__(self, cell: float) -> float:
        """Where a cell begins; parts of cells, and a little beyond both ends, too."""
        last = len(self.edges) - 1
        at = min(max(int(cell // 1), 0), last - 1)
        low, high = self.edges[at], self.edges[at + 1]
        return low + (cell - at) * (high - low)


def _cells(widths: Sequence[Point]) -> Iterator[float]:
    done = 0
    for upto, width in widths:
        yield from [width] * (int(upto) - done)
        done = int(upto)


def clear(frame: Frame, taken: Sequence[Frame]) -> Frame:
    """The largest part of a frame, cut off beside, above or below each of what lies in it."""
    for other in taken:
        if overlap(frame, other):
            left, top, right, bottom = frame
            parts = [
                (left, top, other[0], bottom),
                (other[2], top, right, bottom),
                (left, top, right, other[1]),
                (left, other[3], right, bottom),
            ]
            frame = max(parts, key=_area)
    return frame


def _area(frame: Frame) -> float:
    return max(0.0, frame[2] - frame[0]) * max(0.0, frame[3] - frame[1])


def overlap(one: Frame, other: Frame) -> bool:
    """Whether two frames lie over one another."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# -- what has its place ------------------------------------------------------------------------------------------------


class Placed(NamedTuple):
    """An air unit with its place, as the template needs it; a tuple, for there are many of them.

    `on` is the zone that it flies over or the field that it stands on; `group` has the zone, type and ordnance of
    units that are in the air.
    """

    side: SideName
    key: str
    at: str
    art: str
    title: str
    acted: bool
    on: str
    group: str


class Heap(NamedTuple):
    """Like units of a crowd: how they look, how many they are, and which."""

    art: str
    title: str
    units: Sequence[Unit]


class Pile(NamedTuple):
    """Like units of a crowded zone as one counter with their number, its place, and the zone."""

    heap: Heap
    at: str
    on: str


class Card(NamedTuple):
    """A crowded zone's card, on which its units lie side by side."""

    zone: Zone
    frame: Frame


class Quarter(NamedTuple):
    """A zone: its outline, with the island left out of the sea, and where its name stands."""

    zone: Zone
    path: str
    name: Point
    anchor: str


class Ground(NamedTuple):
    """A field with its frame, its empty places, and the line to the spot that it stands for."""

    field: Field
    frame: Frame
    places: Sequence[Point]
    spot: Point


class Hull(NamedTuple):
    """A ship with her middle, length and breadth as drawn, whether she lies north and south, and her name's place."""

    ship: Ship
    x: float
    y: float
    length: float
    beam: float
    upright: bool
    label: Point
    anchor: str
    cells: Sequence[float]


class Run(NamedTuple):
    """Open water from which torpedoes run: from where to where."""

    x: float
    y: float
    path: str


class Standing(NamedTuple):
    """A battery or a token of the yard with its middle."""

    target: Target
    x: float
    y: float


class Box(NamedTuple):
    """A box of the turn track."""

    turn: Turn
    x: float
    y: float
    width: float


class Sheet(NamedTuple):
    """What is told of a side, with its frame: lines of print, alert levels, and the columns of a calendar."""

    panel: Panel
    frame: Frame
    lines: Sequence[tuple[float, str]]
    columns: Sequence[float]
    rows: Sequence[float]


class Label(NamedTuple):
    """Words on the chart; `kind` says how they are set."""

    kind: str
    x: float
    y: float
    text: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Shape:
    """A form of the board: its width, the height of its heading, whether the charts lie side by side, and its print.

    `letter` is about the width of a letter of small print.
    """

    name: str
    width: float
    heading: float
    beside: bool
    letter: float


SHAPES = (Shape("wide", 1000, 50, True, 5.3), Shape("narrow", 478, 88, False, 5.9))


@dataclass(slots=True)
class Chart:
    """One drawing; the lists are in the order in which they are painted."""

    shape: str
    width: float
    height: float = 0
    oahu: Frame = (0, 0, 0, 0)
    harbor: Frame = (0, 0, 0, 0)
    water: str = ""
    island: str = ""
    strip: str = ""
    crosses: list[str] = field(default_factory=list)
    dock: Frame | None = None
    quarters: list[Quarter] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    hulls: list[Hull] = field(default_factory=list)
    grounds: list[Ground] = field(default_factory=list)
    batteries: list[Standing] = field(default_factory=list)
    tokens: list[Standing] = field(default_factory=list)
    counters: list[Placed] = field(default_factory=list)
    piles: list[Pile] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    turns: list[Box] = field(default_factory=list)
    waters: Waters | None = None
    deck: Point = (0, 0)
    mouth: Point = (0, 0)


def layout(view: View) -> Mapping[str, Any]:
    """The board of a match as the seat of this view sees it: its pieces, and where they lie on both charts."""
    shown, oahu = scene(view), drawn().oahu
    return {
        "label": f"The board of {shown.title}: {', '.join(shown.lines)}.",
        "scene": shown,
        "map": drawn(),
        "coast": polygon([oahu.place(spot) for spot in oahu.coast]),
        "ridges": [_line([oahu.place(spot) for spot in ridge]) for ridge in oahu.ridges],
        "pips": sorted({(art.strength, art.full) for art in shown.arts.values()}),
        "tracks": sorted({(target.hits, target.strength) for target in (*shown.batteries, *shown.yard)}),
        "charts": [_Plotter(shown, shape).chart for shape in SHAPES],
    }


# -- laying out --------------------------------------------------------------------------------------------------------


class _Plotter:
    """Lays one board out, from the heading down to what is told."""

    def __init__(self, shown: Scene, shape: Shape) -> None:
        self.shown, self.shape = shown, shape
        self.chart = chart = Chart(shape.name, shape.width)
        self.map = drawn()
        self.crowded: list[Zone] = []
        top = self._heading()
        across = self.map.harbor.wide if shape.beside else self.map.harbor.narrow
        oahu = self.map.oahu
        left, below = (EDGE * 2 + oahu.width, top) if shape.beside else (EDGE, top + oahu.height + EDGE)
        chart.oahu = (EDGE, top, oahu.width, oahu.height)
        chart.harbor = (left, below, across.width, self.map.harbor.height)
        _Island(self, EDGE, top).lay()
        _Harbor(self, across, left, below).lay()
        chart.quarters.sort(key=lambda quarter: quarter.zone.key[0], reverse=True)
        self._sheets(self._cards(below + self.map.harbor.height + EDGE))

    # -- above and below the charts ----------------------------------------------------------------------------------

    def _heading(self) -> float:
        """Title, day and turn; the turn track; and the deck of luck at its end. How high all this is."""
        shape, turns = self.shape, self.shown.turns
        self.chart.labels.append(Label("title", 14, 22, _short(self.shown.title, 300)))
        self.chart.labels.append(Label("line", 14, 40, " · ".join(self.shown.lines)))
        beside_print = max(338.0, 26 + len(" · ".join(self.shown.lines)) * shape.letter * 1.06)
        left, top = (beside_print, 12.0) if shape.beside else (14.0, 50.0)
        self.chart.deck = (shape.width - 52, 8.0 if shape.beside else 9.0)
        right = shape.width - (66 if shape.beside else 14)
        rows = 1 if shape.beside else ceil(len(turns) / TURNS)
        columns = ceil(len(turns) / rows)
        width = min(30.0, (right - left) / columns)
        start = right - width * columns
        self.chart.turns = [
            Box(turn, start + width * (at % columns), top + ROW * (at // columns), width - 2)
            for at, turn in enumerate(turns)
        ]
        return shape.heading + ROW * (rows - 1)

    def _sheets(self, top: float) -> None:
        """What is told of both sides: beside one another, or one below the other."""
        panels, beside = self.shown.panels, self.shape.beside
        width = (self.shape.width - EDGE * 3) / 2 if beside else self.shape.width - EDGE * 2
        letters = [int((width - 24 - (150 if panel.alerts else 0)) / self.shape.letter / 1.08) for panel in panels]
        heights = [_height(panel, letters[at]) for at, panel in enumerate(panels)]
        for at, panel in enumerate(panels):
            left = EDGE + at * (width + EDGE) if beside else EDGE
            height = max(heights) if beside else heights[at]
            self.chart.sheets.append(_sheet(panel, (left, top, left + width, top + height), letters[at]))
            if not beside:
                top += height + EDGE
        top += max(heights) + EDGE if beside else 0
        legend = LEGEND[:1] if beside else LEGEND[1:]
        for at, line in enumerate(legend):
            self.chart.labels.append(Label("legend", self.shape.width / 2, top + 13 + at * LINE, line, "middle"))
        self.chart.height = round(top + len(legend) * LINE + EDGE)

    # -- counters ----------------------------------------------------------------------------------------------------

    def cloud(self, zone: Zone, frame: Frame) -> None:
        """The aircraft over a zone; on a small screen a crowd is piled up by types, and lies spread out on a card."""
        crowds = [(side, zone.units[side]) for side in SIDES if zone.units[side]]
        fit = pack([len(units) for _, units in crowds], frame[2] - frame[0], frame[3] - frame[1])
        if self.shape.beside or fit.scale >= CROWDED:
            for side, unit, middle in spread(crowds, frame, fit):
                self.put(side, unit, middle, fit.scale, zone.key)
            return
        self.crowded.append(zone)
        piles = [(side, list(_piles(units, self.shown.arts))) for side, units in crowds]
        fit = pack([len(heaps) for _, heaps in piles], frame[2] - frame[0], frame[3] - frame[1])
        for _, heap, middle in spread(piles, frame, fit):
            self.chart.piles.append(
                Pile(heap, place(middle[0] - 13 * fit.scale, middle[1] - 14 * fit.scale, fit.scale), zone.key)
            )

    def _cards(self, top: float) -> float:
        """[8.3] What flies over each crowded zone, spread out below the charts; where the last card ends."""
        left, right = EDGE, self.shape.width - EDGE
        for zone in self.crowded:
            crowds = [(side, zone.units[side]) for side in SIDES if zone.units[side]]
            columns = int((right - left - 12) / WIDE)
            rows = sum(ceil(len(units) / columns) for _, units in crowds)
            bottom = top + 24 + rows * HIGH + 4
            self.chart.cards.append(Card(zone, (left, top, right, bottom)))
            inner = (left + 6, top + 24, right - 6, bottom - 4)
            for side, unit, middle in spread(crowds, inner, Grid(1, columns)):
                self.put(side, unit, middle, 1, zone.key)
            top = bottom + EDGE
        return top

    def put(self, side: SideName, unit: Unit, middle: Point, scale: float, on: str) -> None:
        """Lay a counter down with its middle there, on a zone or field."""
        at = place(middle[0] - 13 * scale, middle[1] - 14 * scale, scale)
        self.chart.counters.append(Placed(side, unit.key, at, unit.art, unit.title, unit.acted, on, unit.group))


def _piles(units: Sequence[Unit], arts: Mapping[str, Art]) -> Iterator[Heap]:
    """Units by type and by what they carry, the strongest uppermost."""
    for (type_, letters), alike in groupby(units, key=lambda unit: (arts[unit.art].type, arts[unit.art].letters)):
        heap = list(alike)
        name = number_of(len(heap), told.printed().air.types[type_].title)
        yield Heap(heap[0].art, f"{name}{f' {letters}' if letters else ''}", heap)


def _height(panel: Panel, letters: int) -> float:
    if panel.days:
        return 26 + (len(panel.rows) + 1) * LINE + 4
    return max(26 + len(_told(panel, letters)) * LINE + 5, 80 if panel.alerts else 0)


def _told(panel: Panel, letters: int) -> list[str]:
    return [part for line in panel.lines for part in wrap(line, letters)]


def _sheet(panel: Panel, frame: Frame, letters: int) -> Sheet:
    left, top, right, _ = frame
    lines = [(top + 36 + at * LINE, line) for at, line in enumerate(_told(panel, letters))]
    first, count = left + 80, len(panel.days)
    columns = [first + (at + 0.5) * (right - first - 8) / count for at in range(count)]
    rows = [top + 36 + at * LINE for at in range(len(panel.rows) + 1)] if panel.days else []
    return Sheet(panel, frame, lines, columns, rows)


# -- the island --------------------------------------------------------------------------------------------------------


class _Island:
    """The chart of Oahu: rings 2 and 3, the fields and the batteries."""

    def __init__(self, plotter: _Plotter, x: float, y: float) -> None:
        self.plotter, self.chart, self.map = plotter, plotter.chart, plotter.map.oahu
        self.shown, self.x, self.y = plotter.shown, x, y

    def lay(self) -> None:
        """Everything."""
        coast = [self._on(self.map.place(spot)) for spot in self.map.coast]
        for cape in self.map.cape:
            x, y = self._on(self.map.place(cape.spot))
            self.chart.labels.append(Label("cape", x + cape.by[0], y + cape.by[1], cape.name, cape.anchor))
        x, y = self._on((self.map.width / 2, 24))
        self.chart.labels.append(Label("ocean", x, y, "Pacific Ocean", "middle"))
        self._crosses()
        self._zones(coast)
        for each in self.shown.fields:
            self._ground(each)
        for target in self.shown.batteries:
            x, y = self._on(self.map.batteries.get(target.key, self.map.at))
            self.chart.batteries.append(Standing(target, x, y))

    def _on(self, point: Point) -> Point:
        return self.x + point[0], self.y + point[1]

    def _crosses(self) -> None:
        x, y = self._on(self.map.at)
        width, height, ring = self.map.width, self.map.height, self.map.ring
        self.chart.crosses.append(
            f"M{x:g} {self.y:g}V{y - ring:g}M{x:g} {y + ring:g}V{self.y + height:g}"
            f"M{self.x:g} {y:g}H{x - ring:g}M{x + ring:g} {y:g}H{self.x + width:g}"
        )

    def _zones(self, coast: Sequence[Point]) -> None:
        middle = self._on(self.map.at)
        whole = (self.x + 3, self.y + 3, self.x + self.map.width - 3, self.y + self.map.height - 3)
        for key, zone in self.shown.zones.items():
            ring, quadrant = key[0], key[1:]
            if ring == "1":
                continue
            frame = quarter(whole, middle, quadrant)
            path = polygon(clip(coast, frame))
            if ring == "3":
                path = polygon(corners(frame)) + path
            x, y = self._on(self.map.names[key])
            anchor = "end" if quadrant.endswith("E") else "start"
            self.chart.quarters.append(Quarter(zone, path, (x, y), anchor))
            left, top, width, height = self.map.clouds[key]
            left, top = self._on((left, top))
            self.plotter.cloud(zone, (left, top, left + width, top + height))

    def _ground(self, each: Field) -> None:
        """A field's frame, its places row by row, and what stands on them."""
        known = self.map.fields.get(each.key)
        left, top = self._on(known.at if known else self.map.at)
        spot = self._on(known.spot if known else self.map.at)
        wide, high = WIDE * PARKED, HIGH * PARKED
        stands = max(each.places, len(each.stacks))
        places = [
            (left + 3 + (at % COLUMNS + 0.5) * wide, top + 15.5 + (at // COLUMNS + 0.5) * high) for at in range(stands)
        ]
        frame = (left, top, left + 6 + COLUMNS * wide, top + 17.5 + ceil(stands / COLUMNS) * high)
        self.chart.grounds.append(Ground(each, frame, places, spot))
        for (x, y), stack in zip(places, each.stacks, strict=False):
            scale = PARKED * (1 if len(stack) == 1 else 0.88)
            for at, unit in enumerate(stack):
                lift = LIFT * (at - (len(stack) - 1) / 2)
                self.plotter.put(USA, unit, (x + lift, y - lift), scale, each.key)


# -- the harbor --------------------------------------------------------------------------------------------------------


class _Harbor:
    """The chart of Pearl Harbor: ring 1, the channel, the ships and the yard."""

    def __init__(self, plotter: _Plotter, across: Across, x: float, y: float) -> None:
        self.plotter, self.chart, self.map = plotter, plotter.chart, plotter.map.harbor
        self.shown, self.cells = plotter.shown, told.printed().places.harbor
        self.frame = (x, y, x + across.width, y + self.map.height)
        columns, rows = self._needs()
        self.across = Axis(across.columns, columns, x + across.left)
        self.down = Axis(self.map.rows, rows, y + self.map.top)
        self.taken: list[Frame] = []

    def _needs(self) -> tuple[dict[int, float], dict[int, float]]:
        """How wide and high the cells have to be in which ships lie, so that they can be seen and touched."""
        columns, rows = dict[int, float](), dict[int, float]()
        for ship in self.shown.ships:
            if ship.berth is None:
                continue
            upright = ship.berth.lie == "v"
            for x, y in ship.berth.cells(ship.length):
                columns[x] = max(columns.get(x, 0), self.map.along)
                rows[y] = max(rows.get(y, 0), self.map.along if upright else self.map.room)
            if upright:
                columns[ship.berth.x] = self.map.room
        return columns, rows

    def lay(self) -> None:
        """Everything; names and aircraft find room around the ships."""
        x, y = self.across, self.down
        channel = self.cells.channel
        self.chart.mouth = (x((channel.x[0] + channel.x[1] + 1) / 2), y((channel.y[0] + channel.y[1]) / 2))
        self.chart.water = smooth([(x(cx), y(cy)) for cx, cy in self.map.shore])
        self._ford_island()
        dock = told.dock()
        if dock is not None:
            self.chart.dock = (x(dock.x) - 2, y(dock.y) - 3, x(dock.x + 1) + 2, y(dock.y + 4) + 3)
        self._yard()
        self._ships()
        self._adrift()
        self._zones()
        self._names()
        berths = {ship.key: ship.berth for ship in self.shown.ships if ship.berth is not None}
        self.chart.waters = Waters(told.printed(), x, y, berths)

    def _ford_island(self) -> None:
        """The island within its cells: pointed in the west, round in the east."""
        island = self.cells.island
        left, right = self.across(island.x[0]) + 1, self.across(island.x[1] + 1) - 1
        top, bottom = self.down(island.y[0]) + 1, self.down(island.y[1] + 1) - 1
        wide, high = right - left, bottom - top
        shape = [(0, 0.5), (0.03, 0.2), (0.12, 0.03), (0.5, 0), (0.9, 0.02), (0.99, 0.2), (1, 0.6), (0.97, 0.93)]
        shape += [(0.85, 1), (0.45, 0.98), (0.13, 1), (0.04, 0.8)]
        self.chart.island = smooth([(left + wide * fx, top + high * fy) for fx, fy in shape])
        self.chart.strip = (
            f"M{left + wide * 0.17:.1f} {top + high * 0.5:.1f}L{right - wide * 0.12:.1f} {top + high * 0.26:.1f}"
        )
        middle = self.across(self.cells.west_to + 1), self.down(self.cells.north_to + 1)
        x, y = (left + middle[0]) / 2 + wide * 0.03, (middle[1] + bottom) / 2
        self.chart.labels.append(Label("isle", x, y + 4, "Ford Island", "middle"))
        self.taken.append((x - 40, y - 8, x + 40, y + 8))

    def _yard(self) -> None:
        """The tokens along the shore of the yard."""
        for target, (x, y) in zip(self.shown.yard, self._stands(), strict=False):
            self.chart.tokens.append(Standing(target, x, y))

    def _stands(self) -> Iterator[Point]:
        """Places for tokens: along the eastern shore, then on both sides of the channel, then farther inland."""
        wide, high = TOKEN
        east, south = self.across(self.cells.width) + 8 + wide / 2, self.down(self.cells.height) + 8 + high / 2
        channel = self.cells.channel
        first, last = self.down(self.cells.yard_east.y[0]) + 10, self.down(self.cells.height) - 10
        for at in range(IN_A_ROW):
            yield east, first + (last - first) * at / (IN_A_ROW - 1)
        west, mouth = self.across(channel.x[0]), self.across(channel.x[1] + 1)
        for row in range(100):
            y = south + row * (high + 5)
            for at in range(4):
                yield west - 12 - wide / 2 - (3 - at) * (wide + 5), y
            for at in range(2):
                yield mouth + 12 + wide / 2 + at * (wide + 5), y

    # -- ships -------------------------------------------------------------------------------------------------------

    def _ships(self) -> None:
        """The hulls; then, when all are known, the lanes of torpedoes and the names."""
        moored = [(ship, ship.berth, self._lies(ship, ship.berth)) for ship in self.shown.ships if ship.berth]
        moored.sort(key=lambda each: (each[1].y, each[1].x))
        self.taken += [_around(*lies) for _, _, lies in moored]
        for ship, berth, (x, y, length, beam, upright) in moored:
            label, anchor = self._label(ship, x, y, length, beam, upright=upright)
            cells = _track(ship, length)
            self.chart.hulls.append(Hull(ship, x, y, length, beam, upright, label, anchor, cells))
            self._lane(ship, berth)

    def _lies(self, ship: Ship, berth: Berth) -> tuple[float, float, float, float, bool]:
        """Middle, length and breadth of a hull at its berth."""
        upright = berth.lie == "v"
        wide, high = (1, ship.length) if upright else (ship.length, 1)
        left, right = self.across(berth.x), self.across(berth.x + wide)
        top, bottom = self.down(berth.y), self.down(berth.y + high)
        length, beam = (bottom - top, right - left) if upright else (right - left, bottom - top)
        return (left + right) / 2, (top + bottom) / 2, length - 2, min(BEAM, beam - 1.4), upright

    def _label(self, ship: Ship, x: float, y: float, length: float, beam: float, *, upright: bool) -> tuple[Point, str]:
        """Where a ship's name has room: above or below her, or farther away; beside her if she lies upright."""
        width = len(ship.name) * self.plotter.shape.letter + 2
        if upright:
            spots = [(x - beam / 2 - 4, y + 3.5, "end"), (x + beam / 2 + 4, y + 3.5, "start")]
            spots += [(x, y - length / 2 - 4, "middle"), (x, y + length / 2 + 10, "middle")]
        else:
            up, down = y - beam / 2 - 3.5, y + beam / 2 + 9.5
            spots = [(x, up, "middle"), (x, down, "middle"), (x, up - 10, "middle"), (x, down + 10, "middle")]
            spots += [(x, down + 20, "middle"), (x, up - 20, "middle")]
        frames = [_print(spot, width) for spot in spots]
        within = [at for at, each in enumerate(frames) if self._inside(each)] or [0]
        best = min(within, key=lambda at: (sum(overlap(frames[at], other) for other in self.taken), at))
        self.taken.append(frames[best])
        return (spots[best][0], spots[best][1]), spots[best][2]

    def _inside(self, frame: Frame) -> bool:
        left, top, right, bottom = self.frame
        return left + 4 <= frame[0] and frame[2] <= right - 4 and top + 4 <= frame[1] and frame[3] <= bottom - 4

    def _lane(self, ship: Ship, berth: Berth) -> None:
        """[11.4] An arrow over the water from which torpedoes run, in the middle of what is open."""
        if not ship.runs:
            return
        patch = ship.runs[len(ship.runs) // 2]
        x = sum(cell[0] for cell in patch) / len(patch) + 0.5
        y = sum(cell[1] for cell in patch) / len(patch) + 0.5
        if berth.lie == "h":
            x = berth.x + ship.length / 2
            start, end = y + (0.9 if y > berth.y else -0.9), berth.y + (1.25 if y > berth.y else -0.25)
            path = f"M{self.across(x):.1f} {self.down(start):.1f}V{self.down(end):.1f}"
            tip = (self.across(x), self.down(end), 0 if y > berth.y else 180)
        else:
            start, end = x + (0.9 if x > berth.x else -0.9), berth.x + (1.25 if x > berth.x else -0.25)
            path = f"M{self.across(start):.1f} {self.down(y):.1f}H{self.across(end):.1f}"
            tip = (self.across(end), self.down(y), -90 if x > berth.x else 90)
        self.chart.runs.append(Run(tip[0], tip[1], f"{path}|{tip[2]}"))

    def _adrift(self) -> None:
        """Ships that lie nowhere: at sea, or where who looks may not know."""
        ships = self.shown.adrift
        if not ships:
            return
        few = len(ships) <= 3
        left, bottom = self.frame[0] + 18, self.down(self.cells.channel.y[1] + 1)
        top = bottom - 40 if few else self.down(31)
        width, high = 112.0, 18.0
        columns = max(1, int((self.across(39) - left) / width))
        self.chart.labels.append(Label("adrift", left, top, self.shown.adrift_title))
        for at, ship in enumerate(ships):
            row, column = divmod(at, columns)
            x, y = left + column * width, top + 14 + row * high
            length = 8.0 * ship.length
            self.chart.hulls.append(
                Hull(
                    ship, x + length / 2, y, length, 8, False, (x + length + 5, y + 3.5), "start", _track(ship, length)
                )
            )
        self.taken.append((left, top - 12, self.across(39), top + 14 + ceil(len(ships) / columns) * high))

    # -- zones -------------------------------------------------------------------------------------------------------

    def _zones(self) -> None:
        """The quarters of the harbor; aircraft find room beside ships and names."""
        x, y, cells = self.across, self.down, self.cells
        middle = (x(cells.west_to + 1), y(cells.north_to + 1))
        whole = (x(0), y(0), x(cells.width), y(cells.height))
        self.chart.crosses.append(
            f"M{middle[0]:.1f} {whole[1]:.1f}V{whole[3]:.1f}M{whole[0]:.1f} {middle[1]:.1f}H{whole[2]:.1f}"
        )
        for key, zone in self.shown.zones.items():
            if key[0] != "1":
                continue
            left, top, right, bottom = frame = quarter(whole, middle, key[1:])
            north, west = key[1] == "N", key[2] == "W"
            name = (left + 4 if west else right - 4, top + 12 if north else bottom - 5)
            self.chart.quarters.append(Quarter(zone, polygon(corners(frame)), name, "start" if west else "end"))
            room = (left + 3, top + 16, right - 3, y(cells.island.y[0] - 1) - 2)
            if not north:
                room = (left + 3, y(cells.island.y[1] + 2) + 2, right - 3, bottom - 16)
            self.plotter.cloud(zone, clear(room, self.taken))

    def _names(self) -> None:
        """What the places are called."""
        left, top, _, bottom = self.frame
        channel = (self.across(self.cells.channel.x[0]), self.down(self.cells.channel.y[0]))
        self.chart.labels += [
            Label("place", left + 14, top + 17, "Pearl Harbor"),
            Label("place", channel[0] - 12, channel[1] + 50, "Navy Yard", "end"),
            Label("small", channel[0] - 12, self.down(59), "Channel · 2SE", "end"),
            Label("small", left + 14, bottom - 10, "To sea · 3SE"),
        ]


def _around(x: float, y: float, length: float, beam: float, upright: bool) -> Frame:
    wide, high = (beam, length) if upright else (length, beam)
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _print(spot: tuple[float, float, str], width: float) -> Frame:
    """What a name covers."""
    x, y, anchor = spot
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    return left, y - 8.5, left + width, y + 1.5


def _track(ship: Ship, length: float) -> list[float]:
    """Where the cells of a hurt ship's damage track stand, from her middle."""
    if not ship.hits:
        return []
    step = min(7.0, (length - 8) / ship.strength)
    return [(at - (ship.strength - 1) / 2) * step for at in range(ship.strength)]


# -- outlines ----------------------------------------------------------------------------------------------------------


def quarter(whole: Frame, middle: Point, quadrant: str) -> Frame:
    """One of the four parts of a frame.

    >>> quarter((0, 0, 10, 10), (4, 6), "SE")
    (4, 6, 10, 10)
    """
    left, top, right, bottom = whole
    north, west = quadrant[0] == "N", quadrant[1] == "W"
    return (
        left if west else middle[0],
        top if north else middle[1],
        middle[0] if west else right,
        middle[1] if north else bottom,
    )


def corners(frame: Frame) -> list[Point]:
    """The corners of a frame in a circle."""
    left, top, right, bottom = frame
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def clip(outline: Sequence[Point], frame: Frame) -> list[Point]:
    """The part of an outline that lies within a frame.

    >>> clip([(0, 0), (8, 0), (8, 8), (0, 8)], (4, 4, 10, 10))
    [(4.0, 4.0), (8.0, 4.0), (8, 8), (4.0, 8.0)]
    """
    left, top, right, bottom = frame
    points = list(outline)
    for axis, limit, way in ((0, left, 1), (0, right, -1), (1, top, 1), (1, bottom, -1)):
        found: list[Point] = []
        for one, other in pairwise([points[-1], *points] if points else []):
            inside, was = way * (other[axis] - limit) >= 0, way * (one[axis] - limit) >= 0
            if inside != was:
                found.append(_cut(one, other, axis, limit))
            if inside:
                found.append(other)
        points = found
    return points


def _cut(one: Point, other: Point, axis: int, limit: float) -> Point:
    share = (limit - one[axis]) / (other[axis] - one[axis])
    cut = [one[at] + share * (other[at] - one[at]) for at in (0, 1)]
    cut[axis] = float(limit)
    return cut[0], cut[1]


def polygon(points: Sequence[Point]) -> str:
    """An outline with straight sides."""
    return f"{_line(points)}Z" if points else ""


def _line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def smooth(points: Sequence[Point]) -> str:
    """An outline whose corners are rounded: curves from the middle of each side to that of the next."""
    middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True)]
    curves = (
        f"Q{x:.1f} {y:.1f} {u:.1f} {v:.1f}"
        for (x, y), (u, v) in zip([*points[1:], points[0]], [*middles[1:], middles[0]], strict=True)
    )
    return f"M{middles[0][0]:.1f} {middles[0][1]:.1f}{''.join(curves)}Z"


def place(x: float, y: float, scale: float) -> str:
    """A place as SVG has it."""
    moved = f"translate({round(x, 1):g} {round(y, 1):g})"
    return moved if scale == 1 else f"{moved} scale({round(scale, 3):g})"


def _short(text: str, width: float) -> str:
    """A line of print cut to a width."""
    letters = max(int(width / 7.4), 2)
    return text if len(text) <= letters else text[: letters - 1].rstrip(" ,:") + "…"


__all__ = ["Chart", "Luck", "layout"]
