"""[2.1, 3.4, 6.1, 7.1] Next to the maps: the bombers' cards, the tracks of the attack, secrecy, and the flights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from readyroom.engine.drawing import Frame
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.attack.view import TargetView
from readyroom.games.doolittle.presentation.drawing.cells import Cell, Panel, Text, room_under, row, size_panel
from readyroom.games.doolittle.presentation.drawing.shapes import Shape
from readyroom.games.doolittle.presentation.drawing.target import Chip, breadths, chip_width
from readyroom.games.doolittle.presentation.scene import Flight, Plane, Scene

CARD = (158.0, 49.0)
HEADER = 20.0
TRACK = 46.0

STATUS, LETTER = 37.0, 6.2
"""Where the words on a card begin, and how wide a letter of them is."""
SMALL = 90.0
"""A card that is narrower has only the bomber, the pilot and where the bomber is."""


class Card(NamedTuple):
    """[2.1.2] A bomber with its crewman, and its hazards."""

    plane: Plane
    frame: Frame
    chips: Sequence[Chip]

    @property
    def is_small(self) -> bool:
        """Whether it has only the most important."""
        return self.frame.width < SMALL

    @property
    def letters(self) -> int:
        """How many letters there are room for before the hazards, of where it is."""
        right = min([self.frame.right, *(chip.x for chip in self.chips)])
        return max(1, int((right - self.frame.x - (5 if self.is_small else STATUS)) / LETTER))

    @property
    def status(self) -> str:
        """Where the bomber is or what became of it, in as many words as there is room for."""
        is_hit = self.plane.hits and self.plane.fate in ("", "home", "landed")
        what, _, where = self.plane.status.partition(", ")
        texts = [f"{self.plane.status}, hit"] if is_hit else []
        short = what if self.plane.lost else where or what
        fits = [text for text in (*texts, self.plane.status, short, what) if len(text) <= self.letters]
        return capitalize_first(fits[0]) if fits else ""


class Column(NamedTuple):
    """[7.1] A flight over its bombers."""

    flight: Flight
    frame: Frame
    cards: Sequence[Card]


class Step(NamedTuple):
    """A box of a track: its text, and what enters then."""

    frame: Frame
    label: str
    now: bool
    past: bool
    planes: Sequence[Plane]
    title: str


def cards(planes: Sequence[Plane], x: float, y: float, width: float, columns: int) -> list[Card]:
    """[2.1] Return bombers as cards, row by row."""
    gap = 5.0
    each = (width - gap * (columns - 1)) / columns
    cards = []
    for at, plane in enumerate(planes):
        frame = Frame(x + at % columns * (each + gap), y + at // columns * (CARD[1] + 4), each, CARD[1])
        cards.append(Card(plane, frame, list(_chips(plane, frame))))
    return cards


def _chips(plane: Plane, frame: Frame) -> Iterator[Chip]:
    """Yield the hazards of a bomber, from the right corner of its card."""
    right, hazards = frame.right - 4, plane.hazards[:4]
    if breadths(hazards) > frame.width - 8:  # of those that are alike, one
        hazards = list({one.short: one for one in hazards}.values())
    squeeze = min(1.0, (frame.width - 8) / max(1.0, breadths(hazards)))
    for one in reversed(hazards):
        right -= (chip_width(one) + 2) * squeeze
        yield Chip(one, right, frame.bottom - 16, chip_width(one))


def turns(scene: Scene, shape: Shape, y: float) -> list[Step]:
    """[3.4] Return the attack turns, and the bombers that enter on each."""
    assert scene.raid is not None
    width = shape.city.width / scene.raid.turns
    steps = []
    for number in range(1, scene.raid.turns + 1):
        coming = [plane for plane in scene.squad if plane.enters == number and not plane.area]
        names = ", ".join(plane.pilot for plane in coming)
        title = f"Attack turn {number}{f': {names} to enter' if names else ''}"
        frame = Frame(shape.city.x + (number - 1) * width, y, width - 2, TRACK)
        now = number == max(1, scene.raid.turn)
        steps.append(Step(frame, str(number), now, number < scene.raid.turn, coming, title))
    return steps


def secrecy(scene: Scene, width: float) -> Panel:
    """[6.1] Return the security track as a paper."""
    lines = scene.table.security.lines
    cells = [
        Cell(
            *(frame, [], f"{name}: {value}", [Text(name, 5, 13, "dl-where"), Text(value, 5, 28, "dl-figure")]),
            place=name.lower().replace(" ", "-"),
        )
        for frame, (name, value) in zip(row(room_under(width), len(lines), 34), lines, strict=True)
    ]
    return size_panel("Secrecy", width, cells)


def secrecy_column(scene: Scene, width: float) -> Panel:
    """[6.1] Return the security track as a narrow paper, line under line."""
    lines = scene.table.security.lines
    cells = []
    for frame, (name, value) in zip(row(room_under(width), len(lines), 20, 1, gap=2), lines, strict=True):
        short = name.removeprefix("Secrecy ").capitalize()
        texts = [Text(short, 5, 14, "dl-where"), Text(value, frame.width - 5, 14, "dl-figure dl-end")]
        cells.append(Cell(frame, [], f"{name}: {value}", texts, place=name.lower().replace(" ", "-")))
    return size_panel("Secrecy", width, cells)


def detonations(city: TargetView, x: float, y: float, width: float) -> list[Step]:
    """[3.4, 4.2.2] Return the tally of bombers that have released, with what each box adds to the hazards."""
    each = width / len(city.steps)
    last = len(city.steps) - 1
    steps = []
    for at, adds in enumerate(city.steps):
        label = signed(adds)
        text = f"{at}{' or more' if at == last else ''} released: hazards {label}, other than bombers and the alert"
        frame = Frame(x + at * each, y, each - 2, 26)
        steps.append(Step(frame, label, at == min(city.tally, last), at < city.tally, [], text))
    return steps


def columns(flights: Sequence[Flight], shape: Shape, y: float, *, full: bool) -> list[Column]:
    """[7.1] Return the flights, with their bombers or their names alone, in rows."""
    across = 6 if not shape.upright else 1 if full else 2
    columns: list[Column] = []
    gap, top, low = 5.0, y, y
    width = (shape.inner - gap * (across - 1)) / across
    for at, flight in enumerate(flights):
        if at % across == 0:
            top = low
        x = shape.margin + at % across * (width + gap)
        held = cards(flight.planes, x, top + HEADER + 2, width, 2) if full else []
        bottom = max([top + HEADER, *(card.frame.bottom for card in held)])
        columns.append(Column(flight, Frame(x, top, width, bottom - top), held))
        low = max(low, bottom + 8)
    return columns
