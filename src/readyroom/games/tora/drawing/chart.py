"""One drawing of the board: the pieces with their places, in the order in which they are painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from readyroom.games.tora.board_data import UNKNOWN, Target, Turn
from readyroom.games.tora.drawing.offers import Waters
from readyroom.games.tora.drawing.outlines import Frame, Point, overlap
from readyroom.games.tora.figures import SideName
from readyroom.games.tora.side_panels import Panel
from readyroom.games.tora.view import FieldView, ShipView

LINE = 16.0
"""The height of a line next to the chart."""
EDGE = 4.0
"""The gap between the frame, the charts and the panels."""
TINTS = {"": 0, UNKNOWN: 3, "GP": 4, "AP": 6, "T": 2}
"""The colour of a unit's ordnance; that of American fighters is 0."""


class Art(NamedTuple):
    """The look of an air unit: side, type, strength, and the letters of its tab."""

    id: str
    side: SideName
    type: str
    strength: int
    full: int
    letters: str

    @property
    def tint(self) -> int:
        """The colour of its tab."""
        return TINTS.get(self.letters, 0)


class Counter(NamedTuple):
    """An air unit; a planned one has no key. `on` is the zone that it is over or the field that it is on.

    `group` names the units of a zone that share a question: zone, type and ordnance.
    """

    key: str
    side: SideName
    art: Art
    title: str
    acted: bool
    on: str
    group: str


class Pile(NamedTuple):
    """Counters one upon the other, the first on top, with their transforms; `at` is that of the pile.

    `many` is their number without the lower units of stacks.
    """

    counters: Sequence[tuple[Counter, str]]
    title: str
    at: str
    many: int
    middle: Point = (0, 0)
    scale: float = 1

    @property
    def frame(self) -> Frame:
        """The frame that it covers."""
        (x, y), scale = self.middle, self.scale
        return x - 22 * scale, y - 24 * scale, x + 26 * scale, y + 24 * scale

    @property
    def lost(self) -> int:
        """How many aircraft its units have lost."""
        return sum(counter.art.full - counter.art.strength for counter, _ in self.counters)

    @property
    def top(self) -> Counter:
        """The counter on top."""
        return self.counters[0][0]

    @property
    def keys(self) -> list[str]:
        """The keys of its units, from the top; planned ones have none."""
        return [counter.key for counter, _ in self.counters if counter.key]


class Quarter(NamedTuple):
    """A zone: its outline, with the island left out of the sea, and the place of its name."""

    zone: str
    title: str
    path: str
    name: Point
    anchor: str


class Ground(NamedTuple):
    """A field with its frame, and the spot on the island to which a line leads."""

    field: FieldView
    title: str
    frame: Frame
    spot: Point


class Hull(NamedTuple):
    """A ship as drawn: middle, length, breadth, whether she is upright (north to south), and her name's place.

    The breadth includes her damage track, whose `cells` are at these distances from her middle; `planned` marks a berth
    that is only planned.
    """

    ship: ShipView
    title: str
    planned: bool
    x: float
    y: float
    length: float
    beam: float
    upright: bool
    cells: Sequence[float]
    label: Point = (0, 0)
    anchor: str = "start"

    @property
    def cell(self) -> float:
        """The size of a cell of her damage track."""
        return min(4.6, *(b - a - 0.6 for a, b in pairwise(self.cells))) if len(self.cells) > 1 else 4.6

    @property
    def frame(self) -> Frame:
        """The frame that she covers."""
        wide, high = (self.beam, self.length) if self.upright else (self.length, self.beam)
        return self.x - wide / 2, self.y - high / 2, self.x + wide / 2, self.y + high / 2


class Run(NamedTuple):
    """Open water from which torpedoes run: the path of an arrow, and its head with the angle to which it is turned."""

    path: str
    x: float
    y: float
    turn: int


class Sheet(NamedTuple):
    """A side's panel with its frame: lines of text, alert levels, and the columns of a calendar."""

    panel: Panel
    frame: Frame
    lines: Sequence[tuple[float, str]]
    columns: Sequence[float]
    rows: Sequence[float]


class Label(NamedTuple):
    """Text on the chart; `kind` is its style."""

    kind: str
    x: float
    y: float
    text: str
    anchor: str = "start"

    def frame(self, letter: float) -> Frame:
        """Return about where the text is, with letters of this width."""
        wide = len(self.text) * letter
        left = self.x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return left, self.y - 12, left + wide, self.y + 3


@dataclass(frozen=True, slots=True)
class Shape:
    """A form of the board: its width, the height of its heading, whether the charts are side by side, and its print.

    `letter` is about the width of a letter of small print, `print` of a letter in the panels.
    """

    name: str
    width: float
    heading: float
    side_by_side: bool
    letter: float
    print: float


SHAPES = (Shape("wide", 1000, 50, True, 5.9, 6.4), Shape("narrow", 478, 88, False, 6.3, 6.4))


@dataclass(slots=True)
class Chart:
    """One drawing; the lists are in the order in which they are painted.

    Counters have their transforms, batteries and tokens of the yard their middles, and boxes of the turn track their
    positions and widths.
    """

    form: Shape
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
    batteries: list[tuple[Target, float, float]] = field(default_factory=list)
    tokens: list[tuple[Target, float, float]] = field(default_factory=list)
    piles: list[Pile] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    turns: list[tuple[Turn, float, float, float]] = field(default_factory=list)
    waters: Waters | None = None
    air: Any = None  # an `Air`, which is built on this module
    deck: Point = (0, 0)
    mouth: Point = (0, 0)

    def choices_at(self, zone: str, letters: Sequence[int]) -> Point:
        """Return where choices about a zone begin: next to its name, if possible clear of fields, counters and capes.

        Args:
            zone: the zone.
            letters: the length of each choice's text.
        """
        (quarter,) = (each for each in self.quarters if each.zone == zone)
        x, y = quarter.name
        wide = sum(length * 6.6 + 23 for length in letters)
        ahead, back = x + (8 if quarter.anchor == "end" else 40), x - 40 - wide
        starts = (back, ahead) if quarter.anchor == "end" and zone != "2NE" else (ahead, back)
        left, top, width, height = self.harbor if zone.startswith("1") else self.oahu
        least, most = left + 4, left + width - wide - 4
        spots = [(start, y - 5) for start in starts if least <= start <= most]
        for down in (28, -28, 56, -56, 84, -84):
            clamped = [min(max(start, least), most) for start in (*starts, x - wide / 2, least, most)]
            spots += [(start, y - 5 + down) for start in clamped if top + 13 <= y - 5 + down <= top + height - 13]
        pieces = [*(ground.frame for ground in self.grounds), *(pile.frame for pile in self.piles)]
        pieces += [(u - 21, v - 21, u + 21, v + 30) for _, u, v in self.batteries]
        ships = [*(hull.frame for hull in self.hulls), *((u - 24, v - 14, u + 24, v + 14) for _, u, v in self.tokens)]
        capes = [label.frame(self.form.letter) for label in self.labels if label.kind == "cape"]
        for taken in ([*pieces, *ships, *capes], [*pieces, *ships], pieces):
            for u, v in spots:
                if not any(overlap((u, v - 13, u + wide, v + 13), frame) for frame in taken):
                    return u, v
        return starts[0], y - 5

    @property
    def counters(self) -> list[tuple[Counter, str]]:
        """The counters of all piles with their transforms."""
        return [counter for pile in self.piles for counter in pile.counters]

    @property
    def shape(self) -> str:
        """The name of its form."""
        return self.form.name

    @property
    def width(self) -> float:
        """The width of its form."""
        return self.form.width
