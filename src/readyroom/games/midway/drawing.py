"""Positions on the drawn board: two fleets and, between them, the sea.

The viewer is at the bottom. On the left of the sea aircraft go out (Moving, then Ready over the enemy), on the right
they come home (Home, then Waiting), attackers are at their targets, and each fleet has its CAP rings in front of it. A
view gives two charts, a wide one and a narrow one for small screens. Lengths are SVG units, which are about pixels on a
screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise, product
from math import asin, ceil, cos, pi, sin
from textwrap import wrap
from typing import Any, NamedTuple, TypeAlias

from readyroom.engine.drawing import LazyChart
from readyroom.engine.game import MatchView
from readyroom.games.midway.board_data import BoxName, Fleet, Scene, Ship, Stack
from readyroom.games.midway.state import KIND_TITLES, PlaceName, SideName, place_key
from readyroom.games.midway.view import MidwayView, SquadronView

CELL, PITCH = 30.4, 32.4
"""Space for a counter, which is 26 wide and 28 high, with its halo."""
SMALLEST = 0.55
"""Counters shrink to this scale before their box grows."""
HULL, BEAM = 172, 42
"""A ship's length and breadth."""
DECK = (6.0, 6.0, 134.0, 30.0)
"""The area for counters on a flight deck: left and top, measured from the stern, width and height."""
LABELS, STRIP, TITLE, LINE = 27, 22, 19, 13
"""Heights of a ship's labels, of a fleet's heading, of a box's title, and of a line of small print."""
CARTOUCHE = 78
"""Height of the chart's title between the fleets."""
HEART, BAND = 21.0, 32.0
"""Radius of the circle with the CAP's name in it, and the thickness of a row of counters around it."""
IN_CAP = 0.82
"""The scale of counters in the CAP, so that they fit on a curve."""
KEYS: Mapping[BoxName, PlaceName] = {"Moving": "moving", "Ready": "ready", "Home": "home", "Waiting": "waiting"}
"""The key of each box, after that of its side."""
GAP, STRAIT = 8, 22
"""Gaps between neighbours, and between rows of boxes, where arrows are drawn."""
HIDDEN_WIDTH = 60.0
"""The width of a box whose content is hidden."""
LETTER = 5.4
"""About the width of a letter of small print."""


# -- packing -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """Counters in rows: their scale, how many stand in a row, and how many rows there are."""

    scale: float
    columns: int
    rows: int

    @property
    def height(self) -> float:
        """All rows together."""
        return self.rows * PITCH * self.scale

    def row(self, count: int) -> float:
        """Return the width of a row of `count` counters."""
        return min(count, self.columns) * CELL * self.scale


def grid(count: int, width: float, rows: int) -> Grid:
    """Return the largest grid that fits the height of these rows; the smallest counters may take more rows.

    >>> grid(16, 183, 3)
    Grid(scale=1.0, columns=6, rows=3)
    >>> grid(90, 183, 3).rows
    9
    """
    scale = 1.0
    while True:
        columns = max(1, int(width / (CELL * scale)))
        needed = max(1, ceil(count / columns))
        if needed * scale <= rows or scale <= SMALLEST:
            return Grid(scale, columns, needed)
        scale = max(SMALLEST, scale * 0.95)


def on_deck(count: int) -> Grid:
    """Return the largest grid that fits a flight deck, which cannot grow."""
    _, _, width, height = DECK
    fits = (
        Grid(min(1.0, height / (28 * rows), width / (CELL * ceil(count / rows))), ceil(count / rows), rows)
        for rows in range(1, count + 1)
    )
    return max(fits, key=lambda fit: fit.scale, default=Grid(1.0, 1, 1))


@dataclass(frozen=True, slots=True)
class Rings:
    """The CAP: the scale of its counters, the radii between its rings, and the places in each ring.

    Places are the centres of counters relative to the center of the rings; the second figure points towards the sea.
    """

    scale: float
    radii: Sequence[float]
    places: Sequence[Sequence[tuple[float, float]]]

    @property
    def reach(self) -> float:
        """The radius of the last ring."""
        return self.radii[-1]


def rings(counts: Sequence[int], limit: float, room: Sequence[int] | None = None) -> Rings:
    """Return half circles around a fleet; counters shrink to keep the limit.

    They are as thick as their counters need, or as many as there is to be room for.
    """
    scale = IN_CAP
    while (placed := _rings(counts, scale, room or counts)).reach > limit:
        scale *= 0.94
    return placed


def _rings(counts: Sequence[int], scale: float, room: Sequence[int]) -> Rings:
    band = BAND * scale / IN_CAP
    radii, places = [HEART], []
    for count, most in zip(counts, room, strict=True):
        inner, within, left = radii[-1], list[tuple[float, float]](), most
        while True:
            row = _arc(left, inner + band / 2, scale)
            within += _arc(min(count - len(within), len(row)), inner + band / 2, scale)
            left -= len(row)
            inner += band
            if not left:
                break
        radii.append(inner)
        places.append(within)
    return Rings(scale, radii, places)


def _arc(count: int, radius: float, scale: float) -> list[tuple[float, float]]:
    """Return centred places on a half circle, for as many of the counters as fit."""
    least = 2 * asin(min(1.0, (BAND + 1) * scale / IN_CAP / (2 * radius)))
    free = pi - 2 * asin(min(1.0, PITCH * scale / 2 / radius))
    count = min(count, int(free / least) + 1)
    step = min(least * 1.25, free / (count - 1)) if count > 1 else 0.0
    angles = [pi / 2 + (at - (count - 1) / 2) * step for at in range(count)]
    return [(-radius * cos(angle), radius * sin(angle)) for angle in angles]


# -- what has its place ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """A form of the chart: its width and margin, how many ships lie abreast, and whether boxes flank the CAP."""

    name: str
    width: float
    margin: float
    abreast: int
    flanks: bool


SHAPES = (Shape("wide", 800, 18, 4, True), Shape("narrow", 390, 11, 2, False))


class PlacedCounter(NamedTuple):
    """A counter with its place and description."""

    squadron: SquadronView
    at: str
    title: str

    @property
    def art(self) -> tuple[str, str, int]:
        """What its symbol shows: home carrier, type and strength."""
        return self.squadron.home, self.squadron.kind, self.squadron.strength


class Hidden(NamedTuple):
    """A face-down counter, its place, and what is hidden there."""

    side: SideName
    at: str
    title: str


class Label(NamedTuple):
    """Text on the chart in the colour of a side; `kind` is its style."""

    kind: str
    side: SideName
    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class PlacedShip:
    """A ship with the corner of her hull, the top of her labels, and the frame of what is below decks."""

    ship: Ship
    x: float
    y: float
    labels: float
    hangar: tuple[float, float, float, float] | None
    mirrored: bool


@dataclass(frozen=True, slots=True)
class Area:
    """A box of a circuit with its key and frame; `count` is None if its content is hidden."""

    key: str
    title: str
    side: SideName
    x: float
    y: float
    width: float
    height: float
    count: int | None
    points: int
    note: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A way across the sea, and where arrows stand on it."""

    side: SideName
    x: float
    path: str
    arrows: Sequence[float]
    down: bool


@dataclass(frozen=True, slots=True)
class Dome:
    """A CAP: its key, the middle of its half circles, which way they bulge, and its rings' names at their feet."""

    key: str
    side: SideName
    x: float
    y: float
    up: bool
    radii: Sequence[float]
    feet: Sequence[tuple[float, str]]


@dataclass(slots=True)
class Chart:
    """One drawing; the lists are in the order in which they are painted. Ornaments are an x, a y and a scale."""

    shape: str
    width: float
    height: float = 0
    lanes: list[Lane] = field(default_factory=list)
    domes: list[Dome] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    ships: list[PlacedShip] = field(default_factory=list)
    counters: dict[SideName, list[PlacedCounter]] = field(default_factory=dict)
    hidden: list[Hidden] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    headings: list[tuple[Fleet, float]] = field(default_factory=list)
    titles: list[tuple[str, float, float, str]] = field(default_factory=list)
    ornaments: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    legend: float = 0


def room(view: MatchView[MidwayView]) -> Mapping[str, float]:
    """Return how many counters each place has on the board of a view."""
    return Scene(view).room


def layout(view: MatchView[MidwayView], room: Mapping[str, float] | None = None) -> Mapping[str, Any]:
    """Return the board of a match as the seat of this view sees it, on both charts.

    Given the `room` of several views, their boards differ only in the pieces.
    """
    scene = Scene(view, room)
    charts = [LazyChart(shape.name, partial(_plot, scene, shape)) for shape in SHAPES]
    ships = [ship for fleet in scene.fleets for ship in fleet.ships]
    arts = {(each.home, each.kind, each.strength): side for each, side in scene.squadrons()}
    return {
        "label": f"The board of {view.scenario}. {'. '.join(scene.lines)}.",
        "scene": scene,
        "figures": view.table.figures,
        "arts": arts,
        "strengths": sorted({strength for _, _, strength in arts}),
        "damages": sorted({ship.carrier.damage for ship in ships if ship.carrier.damage}),
        "legend": list(_legend()),
        "charts": charts,
    }


def _legend() -> Iterator[tuple[str, str, float]]:
    """The types of aircraft and their names, with where each of them begins from the middle."""
    widths = [38 + len(title) * LETTER for title in KIND_TITLES.values()]
    at = -sum(widths) / 2
    for (kind, title), width in zip(KIND_TITLES.items(), widths, strict=True):
        yield kind, title, at
        at += width


# -- laying out --------------------------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """A box of a fleet's circuit, with its left edge and its width."""

    fleet: Fleet
    box: BoxName
    x: float
    width: float

    @property
    def stack(self) -> Stack:
        """The squadrons in it."""
        return self.fleet.boxes[self.box]

    @property
    def note(self) -> str:
        """Small print at its foot."""
        return _short(self.fleet.first_wave, self.width - 14) if self.box == "Waiting" else ""

    @property
    def grid(self) -> Grid:
        """How its counters lie."""
        return grid(self.stack.room, self.width - 10, 4)

    @property
    def height(self) -> float:
        """With title and note."""
        return TITLE + self.grid.height + (LINE if self.fleet.footed and self.box == "Waiting" else 0) + 5


Row: TypeAlias = list[Cell]


def _plot(scene: Scene, shape: Shape) -> Chart:
    return _Plotter(scene, shape).chart


class _Plotter:
    """Lays one chart out, from the far fleet at the top down to the near one."""

    def __init__(self, scene: Scene, shape: Shape) -> None:
        self.scene, self.shape = scene, shape
        self.far, self.near = scene.fleets
        self.chart = Chart(shape.name, shape.width)
        self.chart.counters = {fleet.side: [] for fleet in scene.fleets}
        hidden = [1] + [0] * (len(self.far.rings) - 1)  # what is hidden is drawn as one counter in the centre
        in_rings = [hidden if fleet.cap is None else list(map(len, fleet.cap)) for fleet in scene.fleets]
        reach = 190 if shape.flanks else 166
        self.rings = [rings(counts, reach, fleet.rings) for counts, fleet in zip(in_rings, scene.fleets, strict=True)]
        top = shape.margin + STRIP
        if not shape.flanks:
            top += self._title_above()
        self.chart.headings.append((self.far, top - 7))
        shore = self._ships(self.far, top, mirrored=True)
        bottom = self._flanking_sea(shore) if shape.flanks else self._narrow_sea(shore)
        self._lanes(shore, bottom)
        self._dome(self.far, self.rings[0], shore, up=False)
        self._dome(self.near, self.rings[1], bottom, up=True)
        end = self._ships(self.near, bottom, mirrored=False)
        self.chart.headings.append((self.near, end + 17))
        self.chart.legend = shape.margin + 5
        self.chart.height = round(end + STRIP + shape.margin + (0 if shape.flanks else LINE + 5))

    # -- the title ---------------------------------------------------------------------------------------------------

    def _title_between(self, y: float) -> None:
        """The title in the middle of the sea, between compass rose and atoll."""
        x = self.shape.width / 2
        title = wrap(self.scene.view.scenario, 20, max_lines=2, placeholder="…")
        lines = [part for line in self.scene.lines for part in wrap(line, 28, max_lines=2, placeholder="…")]
        rows = [*(("title", line) for line in title), *(("line", line) for line in lines)]
        top = y + 12 - 8 * len(rows)
        self.chart.titles = [(kind, x, top + 16 * at, line) for at, (kind, line) in enumerate(rows)]
        self.chart.ornaments = {"rose": (x - 100, y + 2, 0.74), "atoll": (x + 100, y - 2, 0.74)}

    def _title_above(self) -> float:
        """The title at the top of the chart; the height that it takes."""
        x, y = self.shape.width / 2, self.shape.margin + 16
        title = _short(self.scene.view.scenario, self.shape.width - 130)
        lines = _short(" · ".join(self.scene.lines), self.shape.width - 40)
        self.chart.titles = [("title", x, y, title), ("line", x, y + 16, lines)]
        return 36

    # -- fleets ------------------------------------------------------------------------------------------------------

    def _ships(self, fleet: Fleet, y: float, *, mirrored: bool) -> float:
        """Draw a fleet's ships in rows; return where the last row ends."""
        count = len(fleet.ships)
        abreast = ceil(count / ceil(count / self.shape.abreast))
        for first in range(0, count, abreast):
            y = self._abreast(fleet.ships[first : first + abreast], y, mirrored=mirrored)
        return y

    def _abreast(self, ships: Sequence[Ship], y: float, *, mirrored: bool) -> float:
        """One row of ships: towards the sea what attacks them, then hulls, labels, and what is below decks."""
        width = min((self.shape.width - 2 * self.shape.margin) / len(ships), 240)
        left = (self.shape.width - width * len(ships)) / 2
        hangars = [grid(ship.hangar.room, width - 8, 3) for ship in ships]
        waves = [grid(ship.wave.room, width - 8, 2) for ship in ships]
        below = max((fit.height + 8 for fit, ship in zip(hangars, ships, strict=True) if ship.lower), default=0)
        over = max([PITCH if self.shape.flanks else 10, *(
            fit.height + LINE for fit, ship in zip(waves, ships, strict=True) if ship.wave.room
        )])  # fmt: skip
        if mirrored:
            hangar, labels, hull = y, y + below, y + below + LABELS
            wave = hull + BEAM + 4
        else:
            wave, hull = y + 2, y + over + 4
            labels, hangar = hull + BEAM + 2, hull + BEAM + LABELS + 4
        for at, (ship, below_fit, wave_fit) in enumerate(zip(ships, hangars, waves, strict=True)):
            x = left + at * width
            frame = (x + 2, hangar, width - 4, below - 4) if ship.is_open else None
            self.chart.ships.append(PlacedShip(ship, x + (width - HULL) / 2, hull, labels, frame, mirrored))
            self._aboard(ship, x + (width - HULL) / 2, hull, mirrored=mirrored)
            self._fill(ship.side, ship.hangar, below_fit, x + 4, hangar + 1)
            self._attackers(ship, wave_fit, x, wave, width, over, mirrored=mirrored)
        return y + below + LABELS + BEAM + over + 10

    def _aboard(self, ship: Ship, x: float, y: float, *, mirrored: bool) -> None:
        """Draw what is on deck, spotted aft."""
        left, top, _, height = DECK
        fit = on_deck(ship.deck.room)
        if ship.deck.hidden and ship.carrier.status != "sunk":
            title = f"{ship.carrier.name}: deck and hangar are hidden"
            self.chart.hidden.append(Hidden(ship.side, _at(x + HULL / 2 - 12, y + 8, 0.92), title))
        start = x + HULL - left - fit.row(len(ship.deck)) if mirrored else x + left
        self._fill(ship.side, ship.deck, fit, start, y + top + (height - fit.height) / 2)

    def _attackers(
        self, ship: Ship, fit: Grid, x: float, y: float, width: float, over: float, *, mirrored: bool
    ) -> None:
        """The wave that attacks a ship, next to her, and how strong it is."""
        wave = ship.wave
        if not len(wave):
            return
        side = self.near.side if ship.side == self.far.side else self.far.side
        top, baseline = (y, y + fit.height + 10) if mirrored else (y + over - fit.height, y + over - fit.height - 3)
        self.chart.labels.append(Label("wave", side, x + width / 2, baseline, f"Attacking · {wave.points} pts"))
        self._fill(side, wave, fit, x + (width - fit.row(len(wave))) / 2, top)

    # -- the sea -----------------------------------------------------------------------------------------------------

    def _flanking_sea(self, shore: float) -> float:
        """Boxes on both sides of the rings, and the title between them; where the near fleet begins."""
        far, near, margin = self.far, self.near, self.shape.margin
        reach = [place.reach for place in self.rings]
        width = min(254.0, self.shape.width / 2 - max(reach) - margin - GAP)
        right = self.shape.width - margin - width
        stacks = [
            [
                [Cell(near, "Ready", margin, width)],
                _side_by_side(near, far, "Moving", margin, width),
                [Cell(far, "Ready", margin, width)],
            ],
            [
                [Cell(far, "Waiting", right, width)],
                _side_by_side(far, near, "Home", right, width),
                [Cell(near, "Waiting", right, width)],
            ],
        ]
        tall = [sum(map(_tall, stack)) + STRAIT * (len(stack) - 1) for stack in stacks]
        height = max(sum(reach) + CARTOUCHE, *tall) + 2 * GAP
        for stack in stacks:
            free = (height - 2 * GAP - sum(map(_tall, stack))) / (len(stack) - 1)
            self._boxes(stack, shore + GAP, free)
        self._title_between(shore + reach[0] + (height - sum(reach)) / 2)
        return shore + height

    def _narrow_sea(self, shore: float) -> float:
        """Rings and boxes below one another; where the near fleet begins."""
        far, near, margin = self.far, self.near, self.shape.margin
        half = (self.shape.width - 2 * margin - GAP) / 2
        right = margin + half + GAP
        rows = [
            [Cell(near, "Ready", margin, half), Cell(far, "Waiting", right, half)],
            [*_side_by_side(near, far, "Moving", margin, half), *_side_by_side(far, near, "Home", right, half)],
            [Cell(far, "Ready", margin, half), Cell(near, "Waiting", right, half)],
        ]
        reach = self.rings[0].reach
        self.chart.ornaments = {
            "rose": (margin + 29, shore + reach - 22, 0.72),
            "atoll": (self.shape.width - margin - 29, shore + reach - 27, 0.72),
        }
        end = self._boxes(rows, shore + reach + GAP, STRAIT)
        return end + GAP + self.rings[1].reach

    def _boxes(self, rows: Sequence[Row], y: float, gap: float) -> float:
        """Rows of boxes with this gap between them; where the last one ends."""
        for row in rows:
            tall = _tall(row)
            for cell in row:
                self._box(cell, y, tall if cell.box in ("Moving", "Home") else cell.height)
            y += tall + gap
        return y - gap

    def _box(self, cell: Cell, y: float, tall: float) -> None:
        fleet, stack = cell.fleet, cell.stack
        count = None if stack.hidden else len(stack)
        key = place_key(fleet.side, KEYS[cell.box])
        area = Area(key, cell.box, fleet.side, cell.x, y, cell.width, tall, count, stack.points, cell.note)
        self.chart.areas.append(area)
        self._fill(fleet.side, stack, cell.grid, cell.x + 5, y + TITLE)
        if stack.hidden:
            title = f"{fleet.title}, {stack.where}: hidden"
            self.chart.hidden.append(Hidden(fleet.side, _at(cell.x + 7, y + TITLE + 2, 0.92), title))

    def _fill(self, side: SideName, stack: Stack, fit: Grid, x: float, y: float) -> None:
        """Put a stack's counters in rows."""
        scale = fit.scale
        for at, squadron in enumerate(stack.squadrons or ()):
            row, column = divmod(at, fit.columns)
            middle = x + (column + 0.5) * CELL * scale, y + (row + 0.5) * PITCH * scale
            self._put(side, squadron, stack.where, middle, scale)

    def _put(
        self, side: SideName, squadron: SquadronView, where: str, middle: tuple[float, float], scale: float
    ) -> None:
        at = _at(middle[0] - 13 * scale, middle[1] - 14 * scale, scale)
        title = self.scene.counter_title(squadron, where)
        self.chart.counters[side].append(PlacedCounter(squadron, at, title))

    # -- the lanes ---------------------------------------------------------------------------------------------------

    def _lanes(self, shore: float, bottom: float) -> None:
        """The ways that aircraft take: out on the left, home on the right, each side in a lane of its own."""
        middles = {(area.side, area.title): area.x + area.width / 2 for area in self.chart.areas}
        for fleet, box in product((self.far, self.near), ("Moving", "Home")):
            x = middles[fleet.side, box]
            bend = 26 if x < self.shape.width / 2 else -26  # both ends bend towards the middle of the fleet
            third = bend / 3
            path = (
                f"M{x + bend:.0f} {shore - 14:.0f}C{x + third:.0f} {shore - 10:.0f} {x:.0f} {shore - 4:.0f} "
                f"{x:.0f} {shore + 14:.0f}V{bottom - 14:.0f}"
                f"C{x:.0f} {bottom + 4:.0f} {x + third:.0f} {bottom + 10:.0f} {x + bend:.0f} {bottom + 14:.0f}"
            )
            down = (fleet is self.far) == (box == "Moving")
            self.chart.lanes.append(Lane(fleet.side, x, path, self._arrows(x, shore, bottom), down))

    def _arrows(self, x: float, shore: float, bottom: float) -> list[float]:
        """In the middle of each gap between the boxes that lie on a lane."""
        over = sorted((area.y, area.y + area.height) for area in self.chart.areas if area.x < x < area.x + area.width)
        edges = [shore, *(edge for span in over for edge in span), bottom]
        gaps = zip(edges[::2], edges[1::2], strict=True)
        return [(low + high) / 2 for low, high in gaps if high - low > 14]

    # -- the CAP -----------------------------------------------------------------------------------------------------

    def _dome(self, fleet: Fleet, place: Rings, y: float, *, up: bool) -> None:
        """A fleet's CAP before her, the centre nearest to the ships."""
        middle, way, scale = self.shape.width / 2, -1 if up else 1, place.scale
        last = len(place.places) - 1
        names = ["center", *(f"ring {at + 1}" for at in range(1, last)), "last"]
        feet = [((inner + outer) / 2, name) for (inner, outer), name in zip(pairwise(place.radii), names, strict=True)]
        self.chart.domes.append(Dome(place_key(fleet.side, "cap"), fleet.side, middle, y, up, place.radii, feet))
        if fleet.cap is None:
            x, rise = place.places[0][0]
            at = _at(middle + x - 13 * scale, y + way * rise - 14 * scale, scale)
            self.chart.hidden.append(Hidden(fleet.side, at, f"{fleet.title}, CAP: hidden"))
            return
        for ring, spots in zip(fleet.cap, place.places, strict=True):
            for squadron, (x, rise) in zip(ring.squadrons or (), spots, strict=True):
                self._put(fleet.side, squadron, ring.where, (middle + x, y + way * rise), scale)


def _tall(row: Row) -> float:
    return max(cell.height for cell in row)


def _side_by_side(first: Fleet, second: Fleet, box: BoxName, x: float, width: float) -> Row:
    """The same box of both fleets, each as wide as it needs to be."""
    free, least = width - 4, 82.0
    one, two = first.boxes[box], second.boxes[box]
    if one.hidden != two.hidden:
        mine = HIDDEN_WIDTH if one.hidden else free - HIDDEN_WIDTH
    else:
        share = max(one.room, 3) / (max(one.room, 3) + max(two.room, 3))
        mine = min(max(free * share, least), free - least)
    return [Cell(first, box, x, mine), Cell(second, box, x + mine + 4, free - mine)]


def _at(x: float, y: float, scale: float) -> str:
    """A place as SVG has it."""
    moved = f"translate({round(x, 1):g} {round(y, 1):g})"
    return moved if scale == 1 else f"{moved} scale({round(scale, 3):g})"


def _short(text: str, width: float) -> str:
    """A line of small print cut to a width.

    >>> _short("first wave: H 8, S 8", 60)
    'first wave…'
    """
    letters = max(int(width / LETTER), 2)
    return text if len(text) <= letters else text[: letters - 1].rstrip(" ,:") + "…"
