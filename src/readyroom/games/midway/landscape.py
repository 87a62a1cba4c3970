"""The wide and the medium chart: they fit a desktop's window and a small one, and their counters keep their size.

Between the fleets are three rows of boxes: over the far fleet, in the middle of the sea, and over the near fleet. Where
many counters are in one place they overlap like a hand of cards. Places that are crowded get more rows as long as the
chart does not become too high for the window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil
from typing import NamedTuple, Protocol

from readyroom.games.midway.board_data import BoxName, Fleet, Scene, Ship
from readyroom.games.midway.chart import (
    BEAM,
    DECK,
    HULL,
    Area,
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

HEIGHT, MOST = 424, 436
"""The height of a chart, and that up to which crowded places get more rows: in a window 768 pixels high counters still
have 36 pixels."""
TEXT, ARROW = 0.78, 0.5
"""The scales of texts and arrows."""
TITLE, LABELS = 14.6, 21.0
"""Heights of a box's title and of a ship's labels."""
MARGIN, HEADING, ABREAST = 8, 13, 4
"""Margin of the chart, height of a fleet's heading, and how many ships are abreast."""
CELL, ROW = 30.5, 29.6
"""Space for a counter with its halo, and between rows."""
READABLE, LEAST, BELOW = 26.0, 7.0, 18.5
"""Counters that overlap: as much of each is readable, and at least as much is seen;
below decks, where most squadrons lie, so much that a carrier's letter and a count of one fit."""
GAP, EDGE, WAVE = 6.5, 4.0, 11.0
"""Gaps between rows, where arrows are drawn, between a box and its counters, and the height of a wave's heading."""
BOX, HIDDEN_BOX, RING, HEART = 84.0, 56.0, 38.0, 28.0
"""The least widths of boxes, of boxes whose content is hidden and of rings of a CAP, and that of the CAP's name."""
CURVE = 6.0
"""How far the rings of a CAP bulge."""


class Form(NamedTuple):
    """A form of the chart: its name and width, the scale of hulls, and the width for boxes next to a CAP."""

    name: str
    width: float
    scale: float
    side: float


WIDE = Form("wide", 612, 0.78, 186)
"""In a window of 1366 by 768 pixels, at 1.4 pixels a length."""
MEDIUM = Form("medium", 468, 0.65, 140)
"""In a window of 1024 by 768 pixels, at 1.39 pixels a length."""


def landscape(form: Form, scene: Scene) -> Chart:
    """Return the chart of a scene in a form."""
    return _Landscape(form, scene).chart


# -- packing -----------------------------------------------------------------------------------------------------------


def fan(count: int, width: float, rows: int = 1) -> Grid:
    """Return rows of counters that fit a width; they overlap if there are too many, and fill the first row if not.

    >>> fan(6, 183).step, fan(12, 162.5).step, fan(12, 183, rows=2).step
    (30.5, 12.0, 30.5)
    """
    columns = max(columns_of(count, rows), min(count, int(width // CELL)))
    return Grid(1.0, (CELL, ROW), spread(columns, width, CELL), columns, rows)


class Band(Protocol):
    """Places next to one another, whose counters have the same number of rows.

    At least `least` is seen of each.
    """

    rows: int
    least: float

    @property
    def step(self) -> float:
        """How much is seen of the counters that overlap most."""


@dataclass(slots=True)
class ShipBand:
    """What is below decks of ships that are abreast, or what attacks them: counts and width of each."""

    counts: Sequence[int]
    width: float
    least: float = LEAST
    rows: int = 1

    @property
    def step(self) -> float:
        """How much is seen of the counters that overlap most."""
        return min(self.fan(count).step for count in self.counts)

    def fan(self, count: int) -> Grid:
        """Return how counters lie in one of the places."""
        return fan(count, self.width, self.rows)


@dataclass(slots=True)
class Slot:
    """A box of a row of the sea, or a ring of a CAP: its fleet, number of counters and least width."""

    fleet: Fleet
    box: BoxName | None
    count: int
    least: float
    width: float = 0.0

    def needs(self, step: float, rows: int) -> float:
        """Return the width for counters at this distance from one another."""
        return max(self.least, 2 * EDGE + CELL + (columns_of(self.count, rows) - 1) * step)


@dataclass(slots=True)
class SeaBand:
    """A row of the sea: boxes at the left, perhaps a CAP in the middle, and boxes at the right."""

    form: Form
    left: Sequence[Slot]
    rings: Sequence[Slot]
    right: Sequence[Slot]
    rows: int = 1
    least: float = LEAST
    free: float = field(init=False)

    def __post_init__(self) -> None:
        gaps = GAP * (len(self.left) + len(self.right) - 1 + bool(self.rings))
        self.free = self.form.width - 2 * MARGIN - gaps - HEART * bool(self.rings)

    @property
    def slots(self) -> list[Slot]:
        """All of them, from left to right."""
        return [*self.left, *self.rings, *self.right]

    @property
    def step(self) -> float:
        """How much is seen of counters if all that overlap do so alike: the most for which there is room."""
        low, high = 0.0, CELL
        if self._needs(high) <= self.free:
            return high
        for _ in range(12):
            middle = (low + high) / 2
            low, high = (middle, high) if self._needs(middle) <= self.free else (low, middle)
        return low

    def _needs(self, step: float) -> float:
        return sum(slot.needs(step, self.rows) for slot in self.slots)

    def settle(self) -> None:
        """Give each slot its width: boxes grow to their usual width where there is room."""
        step = self.step
        for slot in self.slots:
            slot.width = slot.needs(step, self.rows)
        spare = self.free - sum(slot.width for slot in self.slots)
        for side in (self.left, self.right):
            widest = max(side, key=lambda slot: slot.width)
            more = min(self.form.side - sum(slot.width for slot in side) - GAP * (len(side) - 1), spare)
            if more > 0 and not widest.fleet.boxes[widest.box or "Ready"].hidden:
                widest.width += more
                spare -= more

    @property
    def height(self) -> float:
        """With titles."""
        return TITLE + self.rows * ROW + 2.5


# -- laying out --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Abreast:
    """Ships that are abreast, the width for each, and what is below decks and attacks them."""

    ships: Sequence[Ship]
    width: float
    scale: float
    below: ShipBand | None
    over: ShipBand | None

    @property
    def height(self) -> float:
        """Return the height from what is below decks to what attacks."""
        below = self.below.rows * ROW + 6 if self.below else 2
        return below + LABELS + BEAM * self.scale + 2 + self.attacks

    @property
    def attacks(self) -> float:
        """Return the height of what attacks them."""
        return self.over.rows * ROW + WAVE if self.over else 0.0


class _Landscape(Plotter):
    """Lays the chart out, from the far fleet at the top down to the near one."""

    def __init__(self, form: Form, scene: Scene) -> None:
        chart = Chart(form.name, form.width, text=TEXT, arrow=ARROW, title=TITLE)
        super().__init__(scene, chart)
        self.form = form
        self.fleets = {fleet.side: list(_abreast(fleet, form)) for fleet in scene.fleets}
        self.sea = _sea(form, self.far, self.near)
        chart.height = round(max(HEIGHT, self._add_rows()))
        gap = GAP + (chart.height - self._height()) / (len(self.sea) + 1)
        self._headings()
        shore = float(MARGIN + HEADING)
        for row in self.fleets[self.far.side]:
            self._ships(self.far, row, shore)
            shore += row.height
        y = shore
        for band in self.sea:
            y += gap
            self._boxes(band, y)
            y += band.height
        bottom = y + gap
        self._lanes(shore - self.fleets[self.far.side][-1].attacks, bottom + self.fleets[self.near.side][0].attacks)
        self._ornaments(gap)
        y = bottom
        for row in self.fleets[self.near.side]:
            self._ships(self.near, row, y)
            y += row.height

    def _bands(self) -> Iterator[Band]:
        for row in (row for rows in self.fleets.values() for row in rows):
            yield from (band for band in (row.below, row.over) if band)
        yield from self.sea

    def _height(self) -> float:
        ships = sum(row.height for rows in self.fleets.values() for row in rows)
        return 2 * (MARGIN + HEADING) + ships + sum(band.height for band in self.sea) + GAP * (len(self.sea) + 1)

    def _add_rows(self) -> float:
        """Give rows to the bands that are most crowded, as long as there is room; return the height of the chart."""
        bands = list(self._bands())
        while True:
            height = self._height()
            most = READABLE if height + ROW <= MOST else 0.0
            worst = min(bands, key=lambda band: band.step - max(most, band.least))
            if worst.step >= max(most, worst.least):
                return height
            worst.rows += 1

    def _headings(self) -> None:
        """Name and score of the fleets; the title of the chart between them."""
        first, last = MARGIN + HEADING - 4, self.chart.height - MARGIN - 3
        self.chart.headings = [(self.far, first), (self.near, last)]
        title = " · ".join([self.scene.view.scenario, *self.scene.lines])
        self.chart.titles = [("line", self.form.width / 2, first, shorten(title, (self.form.width - 272) / TEXT))]
        self.chart.legend = self.chart.height - last

    # -- fleets ------------------------------------------------------------------------------------------------------

    def _ships(self, fleet: Fleet, row: Abreast, y: float) -> None:
        """One row of ships: towards the sea what attacks them, then hulls, labels, and what is below decks."""
        mirrored, scale = fleet is self.far, self.form.scale
        beam, long = BEAM * scale, HULL * scale
        left = (self.form.width - row.width * len(row.ships)) / 2
        deep = row.below.rows * ROW + 4 if row.below else 0
        if mirrored:
            hangar = y
            labels = hangar + deep + 2
            hull = labels + LABELS
            wave = hull + beam + 1
        else:
            wave, hull = y, y + row.attacks + 1
            labels = hull + beam + 1
            hangar = labels + LABELS
        for at, ship in enumerate(row.ships):
            x = left + at * row.width
            stern = x + (row.width - long) / 2
            span = min(row.width - 12, long + 40)
            frame = (x + 1, hangar, row.width - 2, deep) if ship.is_open else None
            spelled = (x + (row.width - span) / 2, labels, span)
            self.chart.ships.append(PlacedShip(ship, stern, hull, scale, spelled, frame, mirrored))
            self._aboard(ship, stern, hull, mirrored=mirrored)
            if row.below and not ship.hangar.hidden:
                self.fill(ship.side, ship.hangar, row.below.fan(ship.hangar.room), x + 3, hangar + 2)
            if row.over:
                top, baseline = (wave + 1, wave + row.attacks - 1.5) if mirrored else (wave + WAVE - 2, wave + WAVE - 3)
                self.attack(ship, row.over.fan(ship.wave.room), x + row.width / 2, top, baseline)

    def _aboard(self, ship: Ship, x: float, y: float, *, mirrored: bool) -> None:
        """Draw what is on deck, spotted aft."""
        scale = self.form.scale
        middle = x + HULL * scale / 2, y + BEAM * scale / 2
        if ship.deck.hidden:
            if ship.carrier.status != "sunk":
                self.hide(ship.side, f"{ship.carrier.name}: deck and hangar are hidden", middle)
            return
        left, _, width, _ = DECK
        fit = fan(ship.deck.room, width * scale)
        aft = left * scale
        start = x + HULL * scale - aft - fit.row(len(ship.deck)) if mirrored else x + aft
        self.fill(ship.side, ship.deck, fit, start, middle[1] - ROW / 2)

    # -- the sea -----------------------------------------------------------------------------------------------------

    def _boxes(self, band: SeaBand, y: float) -> None:
        """One row of the sea, with its boxes at both edges and a CAP in the middle."""
        band.settle()
        x = float(MARGIN)
        for slot in band.left:
            self._slot(slot, band, x, y)
            x += slot.width + GAP
        right = self.form.width - MARGIN - sum(slot.width + GAP for slot in band.right) + GAP
        if band.rings:
            width = HEART + sum(slot.width for slot in band.rings)
            start = min(max((self.form.width - width) / 2, x), right - GAP - width)
            self._patrol(band, start, y)
        for slot in band.right:
            self._slot(slot, band, right, y)
            right += slot.width + GAP

    def _slot(self, slot: Slot, band: SeaBand, x: float, y: float) -> None:
        if slot.box:
            fit = fan(slot.count, slot.width - 2 * EDGE, band.rows)
            self.box(slot.fleet, slot.box, (x, y, slot.width, band.height), fit, EDGE)

    def note(self, fleet: Fleet, frame: tuple[float, float, float, float]) -> tuple[float, float, str]:
        room = frame[2] / TEXT - 150
        return 62, 14, shorten(fleet.first_wave, room) if room > 50 else ""

    def _patrol(self, band: SeaBand, x: float, y: float) -> None:
        """A fleet's CAP; from its name the rings go to the right."""
        fleet, height = band.rings[0].fleet, band.height
        edges = [HEART]
        for slot in band.rings:
            edges.append(edges[-1] + slot.width)
        last = len(band.rings) - 1
        names = ["center", *(f"ring {at + 1}" for at in range(1, last)), "last"]
        start = f"M9 0Q0 0 0 9V{height - 9:.1f}Q0 {height:.1f} 9 {height:.1f}"
        self.chart.patrols.append(
            Patrol(
                key=place_key(fleet.side, "cap"),
                side=fleet.side,
                x=x,
                y=y,
                outlines=[f"{start}H{edge - CURVE:.1f}{_bulge(edge, height)}Z" for edge in edges],
                name=(HEART / 2 - 0.5, height / 2 + 4),
                feet=[((a + b) / 2, 11, name) for (a, b), name in zip(pairwise(edges), names, strict=True)],
                empty=((edges[0] + edges[-1]) / 2, TITLE + ROW / 2 + 4) if fleet.is_uncovered else None,
            )
        )
        if fleet.cap is None:
            hidden = x + edges[0] + band.rings[0].width / 2, y + TITLE + ROW / 2
            self.hide(fleet.side, f"{fleet.title}, CAP: hidden", hidden)
            return
        for ring, slot, edge in zip(fleet.cap, band.rings, edges, strict=False):
            fit = fan(slot.count, slot.width - 2 * EDGE, band.rows)
            inset = (slot.width - fit.row(slot.count)) / 2 if slot.count else EDGE
            self.fill(fleet.side, ring, fit, x + edge + inset, y + TITLE)

    def _lanes(self, shore: float, bottom: float) -> None:
        """The ways that aircraft take: out on the left, home on the right, where both boxes of a way are."""
        areas = {(area.side, area.title): area for area in self.chart.areas}
        ways: Sequence[tuple[BoxName, BoxName]] = (("Moving", "Ready"), ("Home", "Waiting"))
        for fleet in (self.far, self.near):
            for box, end in ways:
                x = _shared_middle(areas[fleet.side, box], areas[fleet.side, end])
                self.lane(fleet, box, x, shore, bottom)

    def _ornaments(self, gap: float) -> None:
        """A compass rose and the atoll, if the middle of the sea is free."""
        [middle] = [band for band in self.sea if not band.rings]
        left = MARGIN + sum(slot.width + GAP for slot in middle.left)
        right = self.form.width - MARGIN - sum(slot.width + GAP for slot in middle.right)
        y = next(area.y for area in self.chart.areas if area.title == "Moving") + middle.height / 2
        scale = min(0.9, (middle.height + gap) / 78)
        free = right - left
        if free > 150 * scale:
            self.chart.ornaments["rose"] = (left + free * 0.3, y, scale)
        if free > 80 * scale:
            self.chart.ornaments["atoll"] = (left + free * (0.7 if free > 150 * scale else 0.5), y - 4 * scale, scale)


def _abreast(fleet: Fleet, form: Form) -> Iterator[Abreast]:
    """Yield the rows of a fleet's ships."""
    count = len(fleet.ships)
    abreast = ceil(count / ceil(count / ABREAST))
    for first in range(0, count, abreast):
        ships = fleet.ships[first : first + abreast]
        width = min((form.width - 2 * MARGIN) / len(ships), 240)
        below, over = [ship.hangar.room for ship in ships], [ship.wave.room for ship in ships]
        yield Abreast(
            ships,
            width,
            form.scale,
            ShipBand(below, width - 6, BELOW) if any(ship.lower for ship in ships) else None,
            ShipBand(over, width - 4) if any(over) else None,
        )


def _sea(form: Form, far: Fleet, near: Fleet) -> Sequence[SeaBand]:
    """Return the rows of the sea: over the far fleet, between the fleets, and over the near one."""

    def slot(fleet: Fleet, box: BoxName) -> Slot:
        stack = fleet.boxes[box]
        return Slot(fleet, box, stack.room, HIDDEN_BOX if stack.hidden else BOX)

    def rings(fleet: Fleet) -> list[Slot]:
        return [Slot(fleet, None, count, RING) for count in fleet.rings]

    return (
        SeaBand(form, [slot(near, "Ready")], rings(far), [slot(far, "Waiting")]),
        SeaBand(form, [slot(far, "Moving"), slot(near, "Moving")], [], [slot(near, "Home"), slot(far, "Home")]),
        SeaBand(form, [slot(far, "Ready")], rings(near), [slot(near, "Waiting")]),
    )


def _bulge(x: float, height: float) -> str:
    """Return the edge of a ring from the bottom to the top."""
    return f"Q{x + CURVE:.1f} {height / 2:.1f} {x - CURVE:.1f} 0"


def _shared_middle(one: Area, other: Area) -> float:
    """Return the middle of what two boxes have in common from left to right; that of the first if there is nothing."""
    left, right = max(one.x, other.x), min(one.x + one.width, other.x + other.width)
    return (left + right) / 2 if left < right else one.x + one.width / 2
