"""The layout of an air raid's board: a wide chart, and a narrow one for small screens.

The harbor is in the middle: Ford Island with Battleship Row below it, the airfields, and above them the air over the
harbor. Next to it, or below it on a small screen, are the striking force and the American carriers not in port; at the
bottom the columns of the Surprise Table, the score and the sequence of play. Lengths are SVG units, about pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from textwrap import wrap
from typing import Any, NamedTuple

from readyroom.engine.drawing import Frame
from readyroom.engine.game import MatchView
from readyroom.games.strategic.pearl.board_data import Column, Field, Group, Scene, Vessel, scene
from readyroom.games.strategic.pearl.state import JAPAN, USA
from readyroom.games.strategic.pearl.views import RaidView

GAP, EDGE = 8.0, 12.0
"""Gaps between elements, and the margin."""
HEAD, LINE = 20.0, 15.0
"""Heights of a panel heading and of a line of text."""
CHIP = 25.0
"""The height of a chip."""
SHIP, BEAM = 96.0, 16.0
"""A ship's length and beam."""
BERTH = 47.0
"""The height of a row of ships with their names and tracks."""
MOST_ON_DECK = 9
"""The most planes drawn on a deck."""
PLANE = 26.0
"""The width of a counter."""
LETTER = 5.9
"""The approximate width of a letter."""
STEP = 21.0
"""The height of a box of the sequence of play."""


Outline = Sequence[tuple[str, Sequence[tuple[float, float, float, float]]]]
"""Path commands with their points: fractions of width and height, each with an offset."""
LOCH: Outline = (
    ("M", [(0, 26, 0, 0)]),
    ("L", [(1, -14, 0, 0)]),
    ("Q", [(1, 0, 0, 0), (1, 0, 0, 18)]),
    ("L", [(1, 0, 1, -26)]),
    ("Q", [(1, 0, 1, 0), (1, -30, 1, 0)]),
    ("L", [(0, 14, 1, 0)]),
    ("Q", [(0, 0, 1, 0), (0, 0, 1, -20)]),
    ("L", [(0, 0, 0, 24)]),
    ("Q", [(0, 0, 0, 0), (0, 26, 0, 0)]),
)
ISLAND: Outline = (
    ("M", [(0, 0, 0.62, 0)]),
    ("Q", [(0, 18, 0, 2), (0.4, 0, 0, 0)]),
    ("T", [(1, -14, 0, 3)]),
    ("Q", [(1, 8, 0.5, 0), (1, -26, 1, -2)]),
    ("T", [(0.45, 0, 1, 0)]),
    ("T", [(0, 24, 1, -1)]),
    ("Q", [(0, 4, 1, 0), (0, 0, 0.62, 0)]),
)
STRIP: Outline = (("M", [(0.2, 0, 1, -8)]), ("L", [(0.44, 0, 0, 7)]))


def outline(at: Frame, commands: Outline) -> str:
    """Return a path that fills a frame.

    >>> outline(Frame(10, 20, 100, 50), STRIP)
    'M30 62L54 27'
    """
    return "".join(
        name + " ".join(f"{at.x + p * at.width + dx:.5g} {at.y + q * at.height + dy:.5g}" for p, dx, q, dy in points)
        for name, points in commands
    )


class Hull(NamedTuple):
    """A ship: the middle of her hull, her length, her hit track and the planes on her deck."""

    vessel: Vessel
    x: float
    y: float
    length: float
    beam: float
    cells: Sequence[tuple[float, bool]]
    planes: Sequence[float]
    under_way: bool


class Label(NamedTuple):
    """A line of text."""

    kind: str
    x: float
    y: float
    text: str
    anchor: str = "start"
    side: str = ""


class Token(NamedTuple):
    """A counter, its picture, and how many units it stands for."""

    side: str
    kind: str
    x: float
    y: float
    number: int
    title: str


class Cell(NamedTuple):
    """A column of the Surprise Table with its frame and its figures."""

    column: Column
    frame: Frame
    figures: Sequence[tuple[float, float, str]]
    bar: Frame | None


class Shape(NamedTuple):
    """A variant of the chart: its width, whether panels are side by side, and ships and carriers in a row."""

    name: str
    width: float
    side_by_side: bool
    across: int
    carriers: int


SHAPES = (Shape("wide", 800.0, True, 5, 2), Shape("narrow", 390.0, False, 3, 3))


@dataclass(slots=True)
class Chart:
    """One drawing, its parts in painting order.

    `aprons` are airfields, `berths` the American carrier forces not in port, `chips` the keys and texts of choices with
    no piece on the board, and `boxes` the names and states of phases; each with its frame.
    """

    shape: str
    width: float
    height: float = 0.0
    sea: list[Frame] = field(default_factory=list)
    panels: list[Frame] = field(default_factory=list)
    land: Frame = Frame(0, 0, 0, 0)
    basin: str = ""
    island: str = ""
    strip: str = ""
    hulls: list[Hull] = field(default_factory=list)
    light: Frame = Frame(0, 0, 0, 0)
    aprons: list[tuple[Field, Frame]] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    berths: list[tuple[Group, Frame]] = field(default_factory=list)
    chips: list[tuple[str, str, Frame]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    boxes: list[tuple[str, str, Frame]] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


def layout(view: MatchView[RaidView]) -> Mapping[str, Any]:
    """Return the board's layout for a view."""
    data = scene(view)
    return {
        "label": f"The board of {data.title}. {'. '.join(data.lines)}.",
        "scene": data,
        "charts": [_Plotter(data, shape).chart for shape in SHAPES],
    }


class _Plotter:
    """Lays out one chart, from the title down to the sequence of play."""

    def __init__(self, scene_data: Scene, shape: Shape) -> None:
        self.scene, self.shape = scene_data, shape
        self.chart = Chart(shape.name, shape.width)
        y = self._chips(self._title(EDGE))
        inner = shape.width - 2 * EDGE
        if shape.side_by_side:
            left = 0.31 * inner
            groups = sum(GAP + HEAD + BERTH + LINE * len(self._where(group, left)) for group in scene_data.forces)
            least = self._fleet_height(left) + groups
            bottom = self._harbor(Frame(EDGE + left + GAP, y, inner - left - GAP, 0), least)
            fleet = self._fleet(Frame(EDGE, y, left, bottom - y - groups))
            self._groups(Frame(EDGE, fleet + GAP, left, 0))
            y = bottom
        else:
            y = self._harbor(Frame(EDGE, y, inner, 0), 0)
            y = self._fleet(Frame(EDGE, y + GAP, inner, self._fleet_height(inner)))
            y = self._groups(Frame(EDGE, y + GAP, inner, 0))
        y = self._track(y + GAP)
        y = self._scores(y + GAP)
        self.chart.height = round(self._steps(y + GAP) + EDGE)

    def _text(self, kind: str, x: float, y: float, text: str, anchor: str = "start", side: str = "") -> None:
        self.chart.labels.append(Label(kind, x, y, text, anchor, side))

    def _title(self, y: float) -> float:
        """Place the scenario, the phase, tension and Magic."""
        width, data = self.shape.width, self.scene
        step, tension = " · ".join(data.lines), data.tension
        if self.shape.side_by_side:
            self._text("title", EDGE, y + 14, short(data.title, width * 0.42))
            self._text("status", width - EDGE, y + 8, tension, "end")
            self._text("small", width - EDGE, y + 24, f"{step} · {data.magic}", "end")
            return y + 32
        self._text("title", EDGE, y + 14, short(data.title, width - 2 * EDGE))
        for at, text in enumerate((step, tension, data.magic)):
            self._text("status", EDGE, y + 31 + 16 * at, short(text, width - 2 * EDGE))
        return y + 72

    def _chips(self, y: float) -> float:
        """Place the groups of chips on top of one another: at most one is clickable at a time."""
        inner = self.shape.width - 2 * EDGE
        bottom = y
        for group in self.scene.chips:
            wide = max(34.0, *(14 + LETTER * len(text) for _, text in group))
            row = max(1, int((inner + 5) / (wide + 5)))
            for at, (key, text) in enumerate(group):
                x, top = EDGE + (at % row) * (wide + 5), y + (at // row) * (CHIP + 5)
                self.chart.chips.append((key, text, Frame(x, top, wide, CHIP)))
            bottom = max(bottom, y + ceil(len(group) / row) * (CHIP + 5) + 3)
        return bottom

    def _tally(self, width: float) -> list[str]:
        return wrap(self.scene.tally, int((width - 2 * GAP) / LETTER))

    def _fleet_height(self, width: float) -> float:
        rows = ceil(len(self.scene.carriers) / self.shape.carriers)
        return HEAD + rows * (BERTH + 4) + LINE * len(self._tally(width)) + 6

    def _fleet(self, frame: Frame) -> float:
        """Place the Japanese carriers with their squadrons and the tally."""
        carriers, each, tally = self.scene.carriers, self.shape.carriers, self._tally(frame.width)
        cell = (frame.width - GAP) / each
        self.chart.sea.append(frame)
        spare = (frame.height - self._fleet_height(frame.width)) / ceil(len(carriers) / each)
        self._text("side", frame.x + 22, frame.y + 16, "The striking force", side=JAPAN)
        for number, vessel in enumerate(carriers):
            x = frame.x + GAP / 2 + (number % each + 0.5) * cell
            y = frame.y + HEAD + (number // each) * (BERTH + 4 + spare) + spare / 2 + 14
            self._hull(vessel, x, y, min(SHIP, cell - 10), BEAM + 4)
        for number, text in enumerate(tally):
            self._text("status", frame.x + GAP, frame.bottom - 8 - LINE * (len(tally) - 1 - number), text)
        return frame.bottom

    def _hull(self, vessel: Vessel, x: float, y: float, length: float, beam: float = BEAM) -> None:
        """Place a ship with her hit track, name and squadrons aboard."""
        hits = {"whole": 0, "damaged": max(1, vessel.size - 1), "sunk": vessel.size}[vessel.state]
        cells = [((at - vessel.size / 2) * 6 + 0.7, at < hits) for at in range(vessel.size)]
        planes = [(at / MOST_ON_DECK - 0.42) * length for at in range(min(vessel.aboard, MOST_ON_DECK))]
        under_way = vessel.carrier and vessel.state != "sunk" and vessel not in self.scene.in_port
        self.chart.hulls.append(Hull(vessel, x, y, length, beam, cells, planes, under_way))
        name = short(vessel.name, length) + (f" · {vessel.aboard}" if vessel.side == JAPAN else "")
        self._text(f"shipname bd-of-{vessel.state}", x, y + beam / 2 + 12, name, "middle")

    def _where(self, group: Group, width: float) -> list[str]:
        return wrap(group.where, int((width - 2 * GAP) / LETTER))

    def _groups(self, at: Frame) -> float:
        """Place the forces not in port, each with its known place."""
        y = at.y
        for group in self.scene.forces:
            lines = self._where(group, at.width)
            frame = Frame(at.x, y, at.width, HEAD + BERTH + LINE * len(lines))
            self.chart.berths.append((group, frame))
            self._text("side", frame.x + 22, frame.y + 16, group.name, side=USA)
            cell = at.width / len(group.vessels)
            for number, vessel in enumerate(group.vessels):
                middle = frame.x + (number + 0.5) * cell
                self._hull(vessel, middle, frame.y + HEAD + 12, min(SHIP, cell - 12), BEAM + 2)
            for number, text in enumerate(lines):
                bottom = frame.bottom - 7 - LINE * (len(lines) - 1 - number)
                self._text("small", frame.middle[0], bottom, text, "middle")
            y = frame.bottom + GAP
        return y - GAP

    def _harbor(self, at: Frame, least: float) -> float:
        """Place the air, the harbor with Ford Island, the ships and the airfields."""
        sky = 52.0
        data, across = self.scene, self.shape.across
        port_rows, row_rows = ceil(len(data.in_port) / across), ceil(len(data.ships) / across)
        planes_a_row = self._planes_a_row((at.width - 3 * GAP) / 2)
        fields = 34 + max(max(1, ceil(each.down / planes_a_row)) for each in data.fields) * (PLANE + 5)
        water = (port_rows + row_rows) * BERTH + 34 + 46
        spare = max(0.0, least - (sky + water + fields + 2 * GAP + 4))
        frame = Frame(at.x, at.y, at.width, sky + water + fields + 2 * GAP + 4 + spare)
        self.chart.land = frame
        self._sky(frame)
        basin = Frame(frame.x + GAP, frame.y + sky, frame.width - 2 * GAP, water + spare)
        self._waters(basin, port_rows, spare)
        self._aprons(Frame(frame.x + GAP, basin.bottom + GAP, basin.width, fields))
        return frame.bottom

    def _sky(self, at: Frame) -> None:
        """[PH.5] Place what is in the air."""
        self._text("place", at.x + GAP, at.y + 18, "Over the harbor")
        self._text("small", at.x + GAP, at.y + 34, short(self.scene.guns, at.width * 0.5))
        x = at.x + at.width - GAP
        for flight in reversed(self.scene.flights):
            x -= max(PLANE + 8, len(flight.what) * LETTER + 6)
            title = f"{flight.what}: {flight.number}"
            self.chart.tokens.append(Token(flight.side, flight.kind, x + 4, at.y + 6, flight.number, title))
            self._text("small", x + 4 + PLANE / 2, at.y + 47, flight.what, "middle")

    def _waters(self, basin: Frame, port_rows: int, spare: float) -> None:
        """Place the lochs with Ford Island: carriers in port above it, Battleship Row and light ships below."""
        self.chart.basin = outline(basin, LOCH)
        top = self._rows(self.scene.in_port, basin, basin.y + 6 + spare / 4)
        island = Frame(basin.x + 0.13 * basin.width, top + 4, 0.74 * basin.width, 26)
        self.chart.island, self.chart.strip = outline(island, ISLAND), outline(island, STRIP)
        self._text("isle", island.x + island.width * 0.64, island.y + 17.5, "Ford Island", "middle")
        row = self._rows(self.scene.ships, basin, top + 36 + spare / 4)
        light = Frame(basin.middle[0] - 105, min(row + 2 + spare / 4, basin.bottom - 40), 210, 36)
        self.chart.light = light
        self._text("shipname", light.middle[0], light.y + 31, self.scene.light, "middle")

    def _rows(self, vessels: Sequence[Vessel], basin: Frame, y: float) -> float:
        """Place ships in centred rows; return where the rows end."""
        across = self.shape.across
        rows = ceil(len(vessels) / across)
        each = ceil(len(vessels) / rows) if rows else 1
        cell = min(basin.width / each, SHIP + 30)
        for at, vessel in enumerate(vessels):
            row = vessels[at // each * each :][:each]
            x = basin.middle[0] + (at % each - (len(row) - 1) / 2) * cell
            self._hull(vessel, x, y + (at // each) * BERTH + 14, min(SHIP, cell - 12))
        return y + rows * BERTH

    @staticmethod
    def _planes_a_row(width: float) -> int:
        return max(1, int((width - GAP) / (PLANE + 3)))

    def _aprons(self, at: Frame) -> None:
        """Place parked aircraft, each as a counter."""
        wide = (at.width - GAP) / 2
        for number, field_ in enumerate(self.scene.fields):
            frame = Frame(at.x + number * (wide + GAP), at.y, wide, at.height)
            self.chart.aprons.append((field_, frame))
            name = field_.name if self.shape.side_by_side else field_.brief
            self._text("fieldname", frame.x + 6, frame.y + 13, short(name, wide - 12))
            self._text("small", frame.x + 6, frame.y + 27, short(field_.status, wide - 12))
            for plane in range(field_.down):
                row, column = divmod(plane, self._planes_a_row(wide))
                x, y = frame.x + 6 + column * (PLANE + 3), frame.y + 33 + row * (PLANE + 5)
                self.chart.tokens.append(Token(USA, "F", x, y, 1, ""))

    def _track(self, y: float) -> float:
        """Place the columns of the Surprise Table with their odds; possible ones have a bar."""
        inner = self.shape.width - 2 * EDGE
        self._text("side", EDGE, y + 14, "Tension and surprise")
        wide = self.shape.side_by_side
        if self.scene.risk:
            self._text("status", self.shape.width - EDGE, y + 14 if wide else y + 31, self.scene.risk, "end")
        y += 22 if wide or not self.scene.risk else 40
        return self._across(y, inner) if wide else self._down(y, inner)

    def _across(self, y: float, inner: float) -> float:
        heads = ("a force in port", "a force intercepts", "surprise modifier")
        margin = 104.0
        for at, text in enumerate((*heads, "likely")):
            self._text("small", EDGE, y + 33 + 15 * at, text)
        wide = (inner - margin) / len(self.scene.columns)
        for at, column in enumerate(self.scene.columns):
            frame = Frame(EDGE + margin + at * wide, y, wide - 4, 86)
            texts = (column.port, column.intercepts, column.surprise, column.probability)
            figures = [(frame.middle[0], y + 33 + 15 * row, text) for row, text in enumerate(texts)]
            bar = Frame(frame.x + 4, y + 80.5, (frame.width - 8) * column.chance, 3.5) if column.chance else None
            self.chart.cells.append(Cell(column, frame, [(frame.middle[0], y + 16, column.label), *figures], bar))
        return y + 86

    def _down(self, y: float, inner: float) -> float:
        stops = [EDGE + inner * part for part in (0.13, 0.36, 0.58, 0.76, 0.91)]
        for x, text in zip(stops, ("tension", "in port", "intercepts", "die", "likely"), strict=True):
            self._text("small", x, y + 10, text, "middle")
        for at, column in enumerate(self.scene.columns):
            frame = Frame(EDGE, y + 16 + at * 24, inner, 21)
            texts = (column.label, column.port, column.intercepts, column.surprise, column.probability)
            figures = [(x, frame.y + 14.5, text) for x, text in zip(stops, texts, strict=True)]
            bar = Frame(frame.x + 3, frame.bottom - 4, (inner - 6) * column.chance, 3) if column.chance else None
            self.chart.cells.append(Cell(column, frame, figures, bar))
        return y + 16 + len(self.scene.columns) * 24

    def _scores(self, y: float) -> float:
        """Place the scores and the winning limits."""
        inner = self.shape.width - 2 * EDGE
        letters = int((inner - 2 * GAP) / LETTER)
        lines = [(side, text) for side in (JAPAN, USA) for text in wrap(self.scene.scores[side], letters)]
        lines += [("", text) for text in wrap(self.scene.margin, letters)]
        frame = Frame(EDGE, y, inner, 8 + len(lines) * (LINE + 1))
        self.chart.panels.append(frame)
        for at, (side, text) in enumerate(lines):
            self._text("tally" if side else "status", EDGE + GAP, y + 16 + at * (LINE + 1), text, side=side)
        return frame.bottom

    def _steps(self, y: float) -> float:
        """Place the sequence of play, one row or more for each strike."""
        inner = self.shape.width - 2 * EDGE
        for title, steps in self.scene.strikes:
            self._text("small", EDGE, y + 10, title)
            each = len(steps) if self.shape.side_by_side else 4
            wide = inner / each
            for at, (name, state) in enumerate(steps):
                frame = Frame(EDGE + at % each * wide, y + 15 + at // each * (STEP + 3), wide - 3, STEP)
                self.chart.boxes.append((name, state, frame))
            y += 15 + ceil(len(steps) / each) * (STEP + 3) + 4
        return y - 7


def short(text: str, width: float) -> str:
    """Return a text cut to a width.

    >>> short("West Virginia", 200), short("West Virginia", 50)
    ('West Virginia', 'West Vi…')
    """
    letters = max(2, int(width / LETTER))
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
