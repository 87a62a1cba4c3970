"""The narrow chart, for small screens: fleets, boxes and CAPs below one another.

It is as high as it has to be. Counters shrink where many are in one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import asin, ceil, cos, pi, sin
from typing import NamedTuple, TypeAlias

from readyroom.games.midway.board_data import BoxName, Fleet, Scene, Ship, Stack
from readyroom.games.midway.chart import (
    BEAM,
    DECK,
    HULL,
    Chart,
    Grid,
    Patrol,
    PlacedShip,
    Plotter,
    columns_of,
    shorten,
    spread,
)
from readyroom.games.midway.state import place_key

WIDTH, MARGIN, ABREAST = 390, 11, 2
"""Width of the chart, its margin, and how many ships are abreast."""
CELL, PITCH = 30.4, 32.4
"""Space for a counter with its halo."""
SMALLEST = 0.85
"""Counters shrink to this scale before their box grows."""
TITLE, LABELS, STRIP, LINE = 21, 27, 22, 13
"""Heights of a box's title, of a ship's labels, of a fleet's heading, and of a line of small print."""
HEART, BAND = 21.0, 35.0
"""Radius of the circle with the CAP's name in it, and the thickness of a row of counters around it."""
IN_CAP = 0.92
"""The scale of counters in the CAP, so that they fit on a curve."""
REACH = 166
"""The largest radius of a CAP."""
GAP, STRAIT = 8, 22
"""Gaps between neighbours, and between rows of boxes, where arrows are drawn."""
HIDDEN_WIDTH = 60.0
"""The width of a box whose content is hidden."""


def portrait(scene: Scene) -> Chart:
    """Return the narrow chart of a scene."""
    return _Portrait(scene, Chart("narrow", WIDTH, text=1, arrow=1, title=TITLE)).chart


# -- packing -----------------------------------------------------------------------------------------------------------


def grid(count: int, width: float, rows: int) -> Grid:
    """Return the largest grid that fits the height of these rows; the smallest counters may take more rows.

    >>> fit = grid(16, 183, 3)
    >>> fit.scale, fit.columns, fit.rows
    (1.0, 6, 3)
    >>> grid(90, 183, 3).rows
    13
    """
    scale = 1.0
    while True:
        columns = max(1, int(width / (CELL * scale)))
        needed = columns_of(count, columns)
        if needed * scale <= rows or scale <= SMALLEST:
            return replace(_cells(scale, columns, needed), step=spread(min(count, columns), width, CELL * scale))
        scale = max(SMALLEST, scale * 0.95)


def on_deck(count: int) -> Grid:
    """Return the largest grid that fits a flight deck, which cannot grow."""
    _, _, width, height = DECK
    fits = (
        _cells(min(1.0, height / (28 * rows), width / (CELL * columns_of(count, rows))), columns_of(count, rows), rows)
        for rows in range(1, count + 1)
    )
    return max(fits, key=lambda fit: fit.scale, default=_cells(1.0, 1, 1))


def _cells(scale: float, columns: int, rows: int) -> Grid:
    return Grid(scale, (CELL * scale, PITCH * scale), CELL * scale, columns, rows)


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
    def grid(self) -> Grid:
        """How its counters lie."""
        return grid(self.stack.room, self.width - 10, 4)

    @property
    def height(self) -> float:
        """With title and note."""
        note = LINE if self.fleet.footed and self.box == "Waiting" else 0
        return TITLE + self.grid.height + note + 5


Row: TypeAlias = list[Cell]


class _Portrait(Plotter):
    """Lays the chart out, from the far fleet at the top down to the near one."""

    def __init__(self, scene: Scene, chart: Chart) -> None:
        super().__init__(scene, chart)
        hidden = [1] + [0] * (len(self.far.rings) - 1)  # what is hidden is drawn as one counter in the centre
        in_rings = [hidden if fleet.cap is None else list(map(len, fleet.cap)) for fleet in scene.fleets]
        self.rings = [rings(counts, REACH, fleet.rings) for counts, fleet in zip(in_rings, scene.fleets, strict=True)]
        top = MARGIN + STRIP + self._title()
        chart.headings.append((self.far, top - 7))
        shore = self._ships(self.far, top, mirrored=True)
        bottom = self._sea(shore)
        self._lanes(shore, bottom)
        self._patrol(self.far, self.rings[0], shore, up=False)
        self._patrol(self.near, self.rings[1], bottom, up=True)
        end = self._ships(self.near, bottom, mirrored=False)
        chart.headings.append((self.near, end + 17))
        chart.legend = MARGIN + 5
        chart.height = round(end + STRIP + MARGIN + LINE + 5)

    def _title(self) -> float:
        """The title at the top of the chart; the height that it takes."""
        x, y = WIDTH / 2, MARGIN + 16
        title = shorten(self.scene.view.scenario, WIDTH - 130)
        lines = shorten(" · ".join(self.scene.lines), WIDTH - 40)
        self.chart.titles = [("title", x, y, title), ("line", x, y + 16, lines)]
        return 36

    # -- fleets ------------------------------------------------------------------------------------------------------

    def _ships(self, fleet: Fleet, y: float, *, mirrored: bool) -> float:
        """Draw a fleet's ships in rows; return where the last row ends."""
        count = len(fleet.ships)
        abreast = ceil(count / ceil(count / ABREAST))
        for first in range(0, count, abreast):
            lines = 2 if (first + abreast >= count if mirrored else first == 0) else 1
            y = self._abreast(fleet.ships[first : first + abreast], y, lines, mirrored=mirrored)
        return y

    def _abreast(self, ships: Sequence[Ship], y: float, lines: int, *, mirrored: bool) -> float:
        """One row of ships: towards the sea what attacks them, then hulls, labels, and what is below decks.

        There are `lines` of small print towards the sea: the strength of a wave, and the names of the CAP's rings.
        """
        width = min((WIDTH - 2 * MARGIN) / len(ships), 240)
        left = (WIDTH - width * len(ships)) / 2
        hangars = [grid(ship.hangar.room, width - 8, 3) for ship in ships]
        waves = [grid(ship.wave.room, width - 8, 2) for ship in ships]
        below = max((fit.height + 8 for fit, ship in zip(hangars, ships, strict=True) if ship.lower), default=0)
        over = max([10, *(fit.height + lines * LINE for fit, ship in zip(waves, ships, strict=True) if ship.wave.room)])
        if mirrored:
            hangar, labels, hull = y, y + below, y + below + LABELS
            wave = hull + BEAM + 4
        else:
            wave, hull = y + 2, y + over + 4
            labels, hangar = hull + BEAM + 2, hull + BEAM + LABELS + 4
        for at, (ship, below_fit, wave_fit) in enumerate(zip(ships, hangars, waves, strict=True)):
            x = left + at * width
            stern = x + (width - HULL) / 2
            frame = (x + 2, hangar, width - 4, below - 4) if ship.is_open else None
            placed = PlacedShip(ship, stern, hull, 1, (stern - 1, labels, 178), frame, mirrored)
            self.chart.ships.append(placed)
            self._aboard(ship, stern, hull, mirrored=mirrored)
            if not ship.hangar.hidden:
                self.fill(ship.side, ship.hangar, below_fit, x + 4, hangar + 1)
            top = wave if mirrored else wave + over - wave_fit.height
            baseline = top + wave_fit.height + 10 if mirrored else top - 3
            self.attack(ship, wave_fit, x + width / 2, top, baseline)
        return y + below + LABELS + BEAM + over + 10

    def _aboard(self, ship: Ship, x: float, y: float, *, mirrored: bool) -> None:
        """Draw what is on deck, spotted aft."""
        left, top, _, height = DECK
        fit = on_deck(ship.deck.room)
        if ship.deck.hidden:
            if ship.carrier.status != "sunk":
                self.hide(ship.side, f"{ship.carrier.name}: deck and hangar are hidden", (x + HULL / 2, y + BEAM / 2))
            return
        start = x + HULL - left - fit.row(len(ship.deck)) if mirrored else x + left
        self.fill(ship.side, ship.deck, fit, start, y + top + (height - fit.height) / 2)

    # -- the sea -----------------------------------------------------------------------------------------------------

    def _sea(self, shore: float) -> float:
        """Rings and boxes below one another; where the near fleet begins."""
        far, near = self.far, self.near
        half = (WIDTH - 2 * MARGIN - GAP) / 2
        right = MARGIN + half + GAP
        rows = [
            [Cell(near, "Ready", MARGIN, half), Cell(far, "Waiting", right, half)],
            [*_side_by_side(near, far, "Moving", MARGIN, half), *_side_by_side(far, near, "Home", right, half)],
            [Cell(far, "Ready", MARGIN, half), Cell(near, "Waiting", right, half)],
        ]
        reach = self.rings[0].reach
        self.chart.ornaments = {
            "rose": (MARGIN + 29, shore + reach - 22, 0.72),
            "atoll": (WIDTH - MARGIN - 29, shore + reach - 27, 0.72),
        }
        end = self._boxes(rows, shore + reach + GAP)
        return end + GAP + self.rings[1].reach

    def _boxes(self, rows: Sequence[Row], y: float) -> float:
        """Rows of boxes; where the last one ends."""
        for row in rows:
            tall = max(cell.height for cell in row)
            for cell in row:
                height = tall if cell.box in ("Moving", "Home") else cell.height
                self.box(cell.fleet, cell.box, (cell.x, y, cell.width, height), cell.grid, 5)
            y += tall + STRAIT
        return y - STRAIT

    def note(self, fleet: Fleet, frame: tuple[float, float, float, float]) -> tuple[float, float, str]:
        _, _, width, height = frame
        return 8, height - 6, shorten(fleet.first_wave, width - 14)

    def _lanes(self, shore: float, bottom: float) -> None:
        """The ways that aircraft take: out on the left, home on the right, each side in a lane of its own."""
        middles = {(area.side, area.title): area.x + area.width / 2 for area in self.chart.areas}
        boxes: tuple[BoxName, BoxName] = ("Moving", "Home")
        for fleet, box in product((self.far, self.near), boxes):
            self.lane(fleet, box, middles[fleet.side, box], shore, bottom)

    # -- the CAP -----------------------------------------------------------------------------------------------------

    def _patrol(self, fleet: Fleet, placed: Rings, y: float, *, up: bool) -> None:
        """A fleet's CAP before her, the centre nearest to the ships."""
        middle, way, radii = WIDTH / 2, -1 if up else 1, placed.radii
        last = len(placed.places) - 1
        names = ["center", *(f"ring {at + 1}" for at in range(1, last)), "last"]
        foot = 9 if up else -2
        self.chart.patrols.append(
            Patrol(
                key=place_key(fleet.side, "cap"),
                side=fleet.side,
                x=middle,
                y=y,
                outlines=[f"M{-r:.1f} 0a{r:.1f} {r:.1f} 0 0 1 {2 * r:.1f} 0" for r in radii],
                name=(0, -5 if up else 14),
                feet=[((a + b) / 2, foot, name) for (a, b), name in zip(pairwise(radii), names, strict=True)],
                flipped=not up,
                circles=radii,
                empty=(0, way * (radii[0] + radii[1]) / 2 + 4) if fleet.is_uncovered else None,
            )
        )
        if fleet.cap is None:
            x, rise = placed.places[0][0]
            self.hide(fleet.side, f"{fleet.title}, CAP: hidden", (middle + x, y + way * rise), placed.scale)
            return
        for ring, spots in zip(fleet.cap, placed.places, strict=True):
            for pile, (x, rise) in zip(ring.piles, spots, strict=True):
                self.put(fleet.side, pile, ring.where, (middle + x, y + way * rise), placed.scale)


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
