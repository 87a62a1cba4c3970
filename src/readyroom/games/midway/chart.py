"""What is drawn on a chart, and how counters lie in rows. Lengths are SVG units."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple

from readyroom.engine.text import count_noun
from readyroom.games.midway.board_data import BoxName, Fleet, Scene, Ship, Stack
from readyroom.games.midway.state import PlaceName, SideName, place_key
from readyroom.games.midway.view import SquadronView

COUNTER = (26.0, 28.0)
"""Width and height of a counter."""
HULL, BEAM = 172, 42
"""A ship's length and breadth."""
DECK = (6.0, 6.0, 134.0, 30.0)
"""The area for counters on a flight deck: left and top, measured from the stern, width and height."""
KEYS: Mapping[BoxName, PlaceName] = {"Moving": "moving", "Ready": "ready", "Home": "home", "Waiting": "waiting"}
"""The key of each box, after that of its side."""
LAYERS, LAYER = 2, 1.2
"""How many counters of a pile are seen below the uppermost, and how far to the right each lies; half as far up."""
OVER, NEXT = 3.0, 0.5
"""How far the count of a pile goes beyond its counter, and how far it ends before the next pile of the row."""
COUNT = (3.0, 5.7)
"""The width of a count without letters, and that of a letter."""
TAB = 9.1
"""The width of a carrier's letter on a counter."""
LETTER = 5.4
"""About the width of a letter of small print."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Counters in rows: their scale, the size of a cell, and how many there are in a row and in a column.

    `step` is the distance between neighbours in a row; where it is less than the width of a cell they overlap.
    """

    scale: float
    cell: tuple[float, float]
    step: float
    columns: int
    rows: int

    @property
    def height(self) -> float:
        """All rows together."""
        return self.rows * self.cell[1]

    def row(self, count: int) -> float:
        """Return the width of a row of `count` counters."""
        return self.cell[0] + (min(count, self.columns) - 1) * self.step if count else 0.0

    def middle(self, at: int) -> tuple[float, float]:
        """Return the centre of a counter relative to the corner of the grid."""
        row, column = divmod(at, self.columns)
        return self.cell[0] / 2 + column * self.step, (row + 0.5) * self.cell[1]


def spread(count: int, width: float, cell: float) -> float:
    """Return the distance between counters in a row: somewhat more than a cell if there is room, less if there is not.

    >>> spread(2, 100, 28), spread(3, 84, 28), spread(5, 100, 28)
    (33.6, 28.0, 18.0)
    """
    return max(0.0, min(1.2 * cell, (width - cell) / (count - 1))) if count > 1 else cell


def columns_of(count: int, rows: int) -> int:
    """Return the length of a row if counters lie in this many rows.

    >>> columns_of(0, 2), columns_of(7, 2)
    (1, 4)
    """
    return max(1, ceil(count / rows))


# -- what has its place ------------------------------------------------------------------------------------------------


class PlacedCounter(NamedTuple):
    """A counter with its place and description."""

    squadron: SquadronView
    at: str
    title: str

    @property
    def art(self) -> tuple[str, str, int]:
        """What its symbol shows: home carrier, type and strength."""
        return self.squadron.home, self.squadron.kind, self.squadron.strength


class Pile(NamedTuple):
    """Counters that lie on one another, with the place and description of the uppermost.

    `room` is where its count ends, in lengths of a counter: before the next pile in its row. The count is enlarged by
    `text`.
    """

    squadrons: Sequence[SquadronView]
    at: str
    title: str
    room: float
    text: float

    @property
    def times(self) -> str:
        """How many there are; without the sign where it would cover the carrier's letter."""
        number = str(len(self.squadrons))
        return number if self.room < TAB + COUNT[0] + COUNT[1] * (len(number) + 1) else f"×{number}"

    @property
    def width(self) -> float:
        """The width of its count, which begins after that of the pile before."""
        return min(COUNT[0] + COUNT[1] * len(self.times), self.room)


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
    """A ship: the corner of her hull and its scale, the corner and width of her labels, and the frame below decks."""

    ship: Ship
    x: float
    y: float
    scale: float
    labels: tuple[float, float, float]
    hangar: tuple[float, float, float, float] | None
    mirrored: bool

    @property
    def at(self) -> str:
        """Her hull's place as SVG has it; a mirrored one has her bow on the left."""
        if self.mirrored:
            return f"translate({self.x + HULL * self.scale:.1f} {self.y:.1f}) scale({-self.scale:g} {self.scale:g})"
        return place(self.x, self.y, self.scale)


@dataclass(frozen=True, slots=True)
class Area:
    """A box of a circuit with its key and frame; `count` is None if its content is hidden.

    `points` is the strength in it, empty if there is no room for that; `note` is small print, with its place in lengths
    of the chart's texts.
    """

    key: str
    title: BoxName
    side: SideName
    x: float
    y: float
    width: float
    height: float
    count: int | None
    points: str
    note: tuple[float, float, str]


@dataclass(frozen=True, slots=True)
class Lane:
    """A way across the sea, and where arrows are on it."""

    side: SideName
    x: float
    path: str
    arrows: Sequence[float]
    down: bool


@dataclass(frozen=True, slots=True)
class Patrol:
    """A CAP: its place, outlines from the centre outwards, and names.

    The outlines are mirrored if it is `flipped`. `circles` are radii of rings that are hinted at around it. `empty` is
    where it says that no fighters are there; None if there are some, or if it is hidden.
    """

    key: str
    side: SideName
    x: float
    y: float
    outlines: Sequence[str]
    name: tuple[float, float]
    feet: Sequence[tuple[float, float, str]]
    flipped: bool = False
    circles: Sequence[float] = ()
    empty: tuple[float, float] | None = None


@dataclass(slots=True)
class Chart:
    """One drawing; the lists are in the order in which they are painted. Ornaments are an x, a y and a scale.

    `text` is the scale of texts, `arrow` that of arrows, and `title` the height of a box's title.
    """

    shape: str
    width: float
    text: float
    arrow: float
    title: float
    height: float = 0
    lanes: list[Lane] = field(default_factory=list)
    patrols: list[Patrol] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    ships: list[PlacedShip] = field(default_factory=list)
    counters: dict[SideName, list[PlacedCounter]] = field(default_factory=dict)
    piles: dict[SideName, list[Pile]] = field(default_factory=dict)
    hidden: list[Hidden] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    headings: list[tuple[Fleet, float]] = field(default_factory=list)
    titles: list[tuple[str, float, float, str]] = field(default_factory=list)
    ornaments: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    legend: float = 0


# -- plotting ----------------------------------------------------------------------------------------------------------


class Plotter(ABC):
    """Puts counters, boxes and lanes on a chart; the chart of each shape has a plotter of its own."""

    def __init__(self, scene: Scene, chart: Chart) -> None:
        self.scene, self.chart = scene, chart
        self.far, self.near = scene.fleets
        chart.counters = {fleet.side: [] for fleet in scene.fleets}
        chart.piles = {fleet.side: [] for fleet in scene.fleets}

    def fill(self, side: SideName, stack: Stack, fit: Grid, x: float, y: float) -> None:
        """Put a stack's counters in rows; one face down if it is hidden."""
        if stack.hidden:
            fleet = next(fleet for fleet in self.scene.fleets if fleet.side == side)
            across, down = fit.middle(0)
            self.hide(side, f"{fleet.title}, {stack.where}: hidden", (x + across, y + down), fit.scale)
        for at, pile in enumerate(stack.piles):
            across, down = fit.middle(at)
            has_next = at + 1 < len(stack.piles) and (at + 1) % fit.columns
            room = fit.step / fit.scale - NEXT if has_next else COUNTER[0] + OVER
            self.put(side, pile, stack.where, (x + across, y + down), fit.scale, room)

    def put(
        self,
        side: SideName,
        pile: Sequence[SquadronView],
        where: str,
        middle: tuple[float, float],
        scale: float,
        room: float = COUNTER[0] + OVER,
    ) -> None:
        """Put a counter somewhere, or several that look the same, with their number, which ends at `room`."""
        for above, squadron in enumerate(pile, start=1 - len(pile)):
            lift = min(-above, LAYERS) * LAYER * scale
            at = centered((middle[0] + lift, middle[1] - lift / 2), scale)
            self.chart.counters[side].append(PlacedCounter(squadron, at, self.scene.counter_title(squadron, where)))
        if len(pile) > 1:
            title = self.scene.pile_title(pile, where)
            self.chart.piles[side].append(
                Pile(pile, centered(middle, scale), title, min(room, COUNTER[0] + OVER), 1 / scale)
            )

    def hide(self, side: SideName, title: str, middle: tuple[float, float], scale: float = 1.0) -> None:
        """Put a counter face down somewhere."""
        self.chart.hidden.append(Hidden(side, centered(middle, scale), title))

    def attack(self, target: Ship, fit: Grid, middle: float, top: float, baseline: float) -> None:
        """Put the wave that attacks a ship next to her, and its strength."""
        if not len(target.wave):
            return
        side = self.near.side if target.side == self.far.side else self.far.side
        self.chart.labels.append(
            Label("wave", side, middle, baseline, f"Attacking · {count_noun(target.wave.points, 'pt')}")
        )
        self.fill(side, target.wave, fit, middle - fit.row(len(target.wave)) / 2, top)

    def lane(self, fleet: Fleet, box: BoxName, x: float, shore: float, bottom: float) -> None:
        """Draw a way across the sea; both ends bend towards the middle of the fleets."""
        bend = 26 if x < self.chart.width / 2 else -26
        third = bend / 3
        path = (
            f"M{x + bend:.0f} {shore - 14:.0f}C{x + third:.0f} {shore - 10:.0f} {x:.0f} {shore - 4:.0f} "
            f"{x:.0f} {shore + 14:.0f}V{bottom - 14:.0f}"
            f"C{x:.0f} {bottom + 4:.0f} {x + third:.0f} {bottom + 10:.0f} {x + bend:.0f} {bottom + 14:.0f}"
        )
        down = (fleet is self.far) == (box == "Moving")
        self.chart.lanes.append(Lane(fleet.side, x, path, self._arrows(x, shore, bottom), down))

    def _arrows(self, x: float, shore: float, bottom: float) -> list[float]:
        """In the middle of each gap between the boxes that lie on a lane, but not over the name of a CAP."""
        over = sorted((area.y, area.y + area.height) for area in self.chart.areas if area.x < x < area.x + area.width)
        edges = [shore, *(edge for span in over for edge in span), bottom]
        gaps = zip(edges[::2], edges[1::2], strict=True)
        middles = [(low + high) / 2 for low, high in gaps if high - low > 13 * self.chart.arrow]
        names = [(cap.x + cap.name[0], cap.y + cap.name[1]) for cap in self.chart.patrols]
        aside, above = 32 * self.chart.text, 22 * self.chart.text
        return [y for y in middles if not any(abs(x - u) < aside and abs(y - v) < above for u, v in names)]

    def box(
        self, fleet: Fleet, name: BoxName, frame: tuple[float, float, float, float], fit: Grid, edge: float
    ) -> None:
        """Draw a box of a fleet's circuit with what is in it."""
        x, y, width, height = frame
        stack = fleet.boxes[name]
        points = count_noun(stack.points, "pt") if stack.points and width > 130 * self.chart.text else ""
        count = None if stack.squadrons is None else len(stack.squadrons)
        note = self.note(fleet, frame) if name == "Waiting" else (0.0, 0.0, "")
        key = place_key(fleet.side, KEYS[name])
        self.chart.areas.append(Area(key, name, fleet.side, x, y, width, height, count, points, note))
        self.fill(fleet.side, stack, fit, x + edge, y + self.chart.title)

    @abstractmethod
    def note(self, fleet: Fleet, frame: tuple[float, float, float, float]) -> tuple[float, float, str]:
        """Return where in its box is written what of a first wave has to land, and that."""


def centered(middle: tuple[float, float], scale: float) -> str:
    """Return the place of a counter with this centre, as SVG has it."""
    return place(middle[0] - COUNTER[0] / 2 * scale, middle[1] - COUNTER[1] / 2 * scale, scale)


def place(x: float, y: float, scale: float) -> str:
    """Return a place as SVG has it."""
    moved = f"translate({round(x, 1):g} {round(y, 1):g})"
    return moved if scale == 1 else f"{moved} scale({round(scale, 3):g})"


def shorten(text: str, width: float) -> str:
    """Return a line of small print cut to a width.

    >>> shorten("first wave: H 8, S 8", 60)
    'first wave…'
    """
    letters = max(int(width / LETTER), 2)
    return text if len(text) <= letters else text[: letters - 1].rstrip(" ,:") + "…"
