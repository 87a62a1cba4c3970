"""One drawing of the board: everything that has its place on it, in the order in which it is painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from readyroom.games.tora.board_data import Field, Panel, Ship, Target, Turn, Unit, Zone
from readyroom.games.tora.drawing.offers import Waters
from readyroom.games.tora.drawing.outlines import Frame, Point
from readyroom.games.tora.figures import SideName

LINE = 16.0
"""The height of a line next to the chart."""
EDGE = 4.0
"""The gap between the frame, the charts and the panels."""


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


class PlacedTarget(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Shape:
    """A form of the board: its width, the height of its heading, whether the charts lie side by side, and its print.

    `letter` is about the width of a letter of small print.
    """

    name: str
    width: float
    heading: float
    side_by_side: bool
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
    batteries: list[PlacedTarget] = field(default_factory=list)
    tokens: list[PlacedTarget] = field(default_factory=list)
    counters: list[Placed] = field(default_factory=list)
    piles: list[Pile] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    turns: list[Box] = field(default_factory=list)
    waters: Waters | None = None
    deck: Point = (0, 0)
    mouth: Point = (0, 0)
