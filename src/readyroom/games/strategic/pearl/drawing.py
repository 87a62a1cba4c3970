"""The layout of an air raid's board: a wide chart, and a narrow one for small screens.

The harbor is in the middle: Ford Island with Battleship Row below it, the airfields, and above them the air over the
harbor. On its left are the striking force, north of the islands, and the American carriers; on its right the columns of
the Surprise Table, the score and the sequence of play; there nothing changes its size or place during a match. On a
small screen all that is below it, and parts that are empty now take no height. Lengths are SVG units, about pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from textwrap import wrap
from typing import Any, NamedTuple

from readyroom.engine.drawing import Frame
from readyroom.engine.game import MatchView
from readyroom.engine.maps import Map, load_coasts, mercator
from readyroom.games.strategic.pearl.board_data import Column, Field, Flight, Group, Scene, Step, Vessel, scene
from readyroom.games.strategic.pearl.pieces import (
    ATTACKERS,
    AWAY,
    BACK,
    ESCORTS,
    FLEET,
    HARBOR,
    PATROL,
    SKY,
    down,
    score_place,
    up,
)
from readyroom.games.strategic.pearl.state import JAPAN, USA
from readyroom.games.strategic.pearl.views import RaidView

GAP, EDGE = 8.0, 12.0
"""Gaps between elements, and the margin."""
HEAD, LINE = 20.0, 15.0
"""Heights of a panel heading and of a line of text."""
CHIP = 48.0
"""The height and least width of a chip."""
SHIP, BEAM, SLENDER = 132.0, 16.0, 6.0
"""A ship's greatest length, her least beam, and the ratio of both."""
BERTH = 48.0
"""The height of a row of ships with their names and tracks."""
MOST_ON_DECK = 9
"""The most planes drawn on a deck."""
PLANE, TALL, SCALE = 26.0 * 1.85, 28.0 * 1.85, 1.85
"""The width and height of a counter of aircraft, and its scale."""
SLOT = 64.0
"""The width of a counter with its name."""
AIR, FIELD = 78.0, 92.0
"""The heights of the air over the harbor, without its heading on a narrow chart, and of an airfield."""
TALLY = 2
"""The lines of the striking force's tally."""
ISLANDS, CHAIN = 124.0, (-160.7, -154.5, 18.5)
"""The height for the islands on the sea chart; what it shows of them: degrees west, east and south."""
OAHU = (-157.97, 21.4)
SCORES = {JAPAN: 100, USA: 62, "": 104}
"""The longest text of each line of the scores, in letters."""
FARTHEST = "at sea nearby (automatic interception)"
"""The longest text of a force's place."""
LETTER = 6.1
"""The approximate width of a letter."""
STEP, ROW = 19.5, 22.5
"""The heights of a box of the sequence of play, and of a row of the Surprise Table with the gap below it."""


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
    """A ship: the middle of her hull, her length, her hit track, the planes on her deck, and the place of her berth."""

    vessel: Vessel
    x: float
    y: float
    length: float
    beam: float
    cells: Sequence[tuple[float, bool]]
    planes: Sequence[float]
    under_way: bool
    within: str


class Label(NamedTuple):
    """A line of text; some are places, some belong to a piece."""

    kind: str
    x: float
    y: float
    text: str
    anchor: str = "start"
    side: str = ""
    place: str = ""
    within: str = ""


class Token(NamedTuple):
    """A counter with its key, its picture, and how many units it represents."""

    key: str
    side: str
    kind: str
    x: float
    y: float
    number: int
    title: str
    within: str


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


SHAPES = (Shape("wide", 1000.0, True, 3, 2), Shape("narrow", 390.0, False, 3, 3))
LEFT, RIGHT, LEAST = 250.0, 240.0, 696.0
"""The widths of the panels next to the harbor on a wide chart, and how far down it goes at least."""


@dataclass(slots=True)
class Chart:
    """One drawing, its parts in painting order.

    `aprons` are airfields, `berths` the American carrier forces not in port, `chips` the keys and texts of choices with
    no piece on the board, and `boxes` phases; each with its frame.
    """

    shape: str
    width: float
    height: float = 0.0
    sea: Map | None = None
    oahu: tuple[float, float] = (0, 0)
    sky: Frame = Frame(0, 0, 0, 0)
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
    boxes: list[tuple[Step, Frame]] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


def room(view: MatchView[RaidView], least: Mapping[str, float]) -> Mapping[str, float]:
    """Return the rows of chips and ships in port, and the height of the air, that a narrow chart needs for a view."""
    return _Plotter(scene(view), SHAPES[1], least).room


def layout(view: MatchView[RaidView], least: Mapping[str, float] | None = None) -> Mapping[str, Any]:
    """Return the board's layout for a view, on a narrow chart with the least room for its parts."""
    data = scene(view)
    return {
        "label": f"The board of {data.title}. {'. '.join(data.lines)}.",
        "scene": data,
        "charts": [_Plotter(data, shape, least or {}).chart for shape in SHAPES],
        "scale": SCALE,
    }


class _Plotter:
    """Lays out one chart, from the title down to the sequence of play."""

    def __init__(self, scene_data: Scene, shape: Shape, least: Mapping[str, float]) -> None:
        self.scene, self.shape, self.room = scene_data, shape, dict(least)
        self.chart = Chart(shape.name, shape.width)
        y = self._chips(self._title(EDGE))
        inner = shape.width - 2 * EDGE
        if shape.side_by_side:
            self._side_by_side(y)
            return
        y = self._harbor(Frame(EDGE, y, inner, 0), 0)
        y = self._fleet(Frame(EDGE, y + GAP, inner, self._fleet_height(inner)))
        y = self._groups(Frame(EDGE, y + GAP, inner, 0))
        y = self._track(Frame(EDGE, y + GAP, inner, 0))
        y = self._scores(Frame(EDGE, y + GAP, inner, 0))
        self.chart.height = round(self._steps(Frame(EDGE, y + GAP, inner, 0), 4) + EDGE)

    def _side_by_side(self, y: float) -> None:
        """Place the sea, the harbor and the tables in three columns of the same height."""
        groups = len(self.scene.forces) * (GAP + self._group_height(LEFT))
        right = Frame(self.shape.width - EDGE - RIGHT, y, RIGHT, 0)
        bottom = self._track(right)
        bottom = self._scores(right._replace(y=bottom + GAP))
        bottom = self._steps(right._replace(y=bottom + GAP), 2)
        least = max(LEAST - EDGE, bottom, y + self._fleet_height(LEFT) + groups) - y
        bottom = self._harbor(Frame(EDGE + LEFT + GAP, y, right.x - LEFT - EDGE - 2 * GAP, 0), least)
        fleet = self._fleet(Frame(EDGE, y, LEFT, bottom - y - groups))
        self._groups(Frame(EDGE, fleet + GAP, LEFT, 0))
        self.chart.height = round(bottom + EDGE)

    def _text(
        self, kind: str, x: float, y: float, text: str, anchor: str = "start", side: str = "", place: str = ""
    ) -> None:
        self.chart.labels.append(Label(kind, x, y, text, anchor, side, place))

    def _title(self, y: float) -> float:
        """Place the scenario, the phase, tension and Magic."""
        width, data = self.shape.width, self.scene
        step, tension = " · ".join(data.lines), data.tension
        if self.shape.side_by_side:
            self._text("title", EDGE, y + 14, short(data.title, width * 0.42))
            self._text("status", width - EDGE, y + 8, tension, "end", place="tension")
            self._text("small", width - EDGE, y + 24, f"{step} · {data.magic}", "end", place="magic")
            return y + 30
        self._text("title", EDGE, y + 14, short(data.title, width - 2 * EDGE))
        for at, (text, place) in enumerate(((step, ""), (tension, "tension"), (data.magic, "magic"))):
            self._text("status", EDGE, y + 31 + 16 * at, short(text, width - 2 * EDGE), place=place)
        return y + 72

    def _chips(self, y: float) -> float:
        """Place the groups of chips on top of one another: at most one is clickable at a time.

        On a wide chart there is room for the most that any question has; at the end the result is there.
        """
        for group in self.scene.chips:
            wide, row = self._chip_width([text for _, text in group])
            for at, (key, text) in enumerate(group):
                x, top = EDGE + (at % row) * (wide + 5), y + (at // row) * (CHIP + 5)
                self.chart.chips.append((key, text, Frame(x, top, wide, CHIP)))
        lines = [self.scene.result] if self.shape.side_by_side else self.scene.result.split(": ")
        if self.shape.side_by_side:
            rows: float = max(ceil(count / self._chip_width([text])[1]) for count, text in self.scene.most_chips)
        else:
            groups = [[text for _, text in group] for group in self.scene.chips]
            needed = max((ceil(len(texts) / self._chip_width(texts)[1]) for texts in groups), default=0)
            rows = self._room_for("chips", 1 if self.scene.result else needed)
        high = rows * (CHIP + 5)
        for at, line in enumerate(lines):
            self._text("title", EDGE, y + (high - 24 * len(lines)) / 2 + 14 + 24 * at, line)
        return y + high + 3

    def _room_for(self, part: str, needed: float) -> float:
        """Return and note the room of a part: what it needs, or the least room if that is more."""
        self.room[part] = max(needed, self.room.get(part, 0))
        return self.room[part]

    def _chip_width(self, texts: Sequence[str]) -> tuple[float, int]:
        """Return the width of chips with these texts, and how many are in a row."""
        wide = max(CHIP, *(14 + LETTER * len(line) for text in texts for line in text.split("\n")))
        return wide, max(1, int((self.shape.width - 2 * EDGE + 5) / (wide + 5)))

    def _fleet_height(self, width: float) -> float:
        rows = ceil(len(self.scene.carriers) / self.shape.carriers)
        return HEAD + rows * (BERTH + 4) + TALL + 26 + ISLANDS * width / LEFT + LINE * TALLY

    def _fleet(self, frame: Frame) -> float:
        """Place the Japanese carriers north of the islands, their squadrons over the sea, and the tally."""
        carriers, each = self.scene.carriers, self.shape.carriers
        tally = wrap(self.scene.tally, int((frame.width - 2 * GAP) / LETTER))[:TALLY]
        west, east, south = CHAIN
        scale = frame.width / (east - west)
        coast = load_coasts(__package__)["hawaii"]
        self.chart.sea = Map(coast, frame, west, mercator(south) + frame.height / scale, scale)
        self.chart.oahu = self.chart.sea.place(OAHU)
        self._text("side", frame.x + 22, frame.y + 16, "The striking force", side=JAPAN)
        cell = (frame.width - GAP) / each
        for number, vessel in enumerate(carriers):
            x = frame.x + GAP / 2 + (number % each + 0.5) * cell
            y = frame.y + HEAD + (number // each) * (BERTH + 4) + 14
            self._hull(vessel, x, y, min(SHIP, cell - 10), BEAM + 4, FLEET)
        y = frame.y + HEAD + ceil(len(carriers) / each) * (BERTH + 4) + 4
        slots = {PATROL: 0, AWAY: 1, BACK: 2}
        for flight in self.scene.over_sea:
            self._flight(
                flight, frame.x + GAP + (slots[flight.key] + 0.5) * (frame.width - 2 * GAP) / len(slots), y, FLEET
            )
        for number, text in enumerate(tally):
            self._text("status", frame.x + GAP, frame.bottom - 8 - LINE * (len(tally) - 1 - number), text)
        return frame.bottom

    def _flight(self, flight: Flight, middle: float, y: float, within: str) -> None:
        """Place aircraft in the air with their name."""
        title = f"{flight.what}: {flight.number}"
        x = middle - PLANE / 2
        self.chart.tokens.append(Token(flight.key, flight.side, flight.kind, x, y, flight.number, title, within))
        self._text("flight", middle, y + TALL + 13, flight.what, "middle")

    def _hull(
        self, vessel: Vessel, x: float, y: float, length: float, beam: float = BEAM, within: str = HARBOR
    ) -> None:
        """Place a ship with her hit track, name and squadrons aboard."""
        hits = {"whole": 0, "damaged": max(1, vessel.size - 1), "sunk": vessel.size}[vessel.state]
        cells = [((at - vessel.size / 2) * 8.4 + 0.7, at < hits) for at in range(vessel.size)]
        planes = [(at / MOST_ON_DECK - 0.42) * length for at in range(min(vessel.aboard, MOST_ON_DECK))]
        under_way = vessel.carrier and vessel.state != "sunk" and vessel not in self.scene.in_port
        self.chart.hulls.append(Hull(vessel, x, y, length, beam, cells, planes, under_way, within))
        name = short(vessel.name, length) + (f" · {vessel.aboard}" if vessel.side == JAPAN else "")
        label = Label(f"shipname bd-of-{vessel.state}", x, y + beam / 2 + 12, name, "middle", within=vessel.key)
        self.chart.labels.append(label)

    def _group_height(self, width: float) -> float:
        return HEAD + BERTH + LINE * len(wrap(FARTHEST, int((width - 2 * GAP) / LETTER)))

    def _groups(self, at: Frame) -> float:
        """Place the American carrier forces, each with its known place; one in port has left its ships there."""
        y, height = at.y, self._group_height(at.width)
        for group in self.scene.forces:
            frame = Frame(at.x, y, at.width, height)
            lines = wrap(group.where, int((at.width - 2 * GAP) / LETTER))
            self.chart.berths.append((group, frame))
            self._text("side", frame.x + 22, frame.y + 16, group.name, side=USA)
            cell = at.width / len(group.vessels)
            for number, vessel in enumerate(group.vessels if not group.in_port else ()):
                middle = frame.x + (number + 0.5) * cell
                self._hull(vessel, middle, frame.y + HEAD + 12, min(SHIP, cell - 12), BEAM + 2, f"berth-{group.key}")
            for number, text in enumerate(lines):
                bottom = frame.bottom - 7 - LINE * (len(lines) - 1 - number)
                self._text("small", frame.middle[0], bottom, text, "middle")
            y = frame.bottom + GAP
        return y - GAP

    def _harbor(self, at: Frame, least: float) -> float:
        """Place the air, the harbor with Ford Island, the ships and the airfields."""
        data, across = self.scene, self.shape.across
        if self.shape.side_by_side:
            berths, air = sum(len(force.vessels) for force in data.forces), AIR
        else:
            berths = int(self._room_for("in port", len(data.in_port)))
            air = HEAD + self._room_for("air", AIR if data.flights else GAP)
        rows = ceil(berths / across) + ceil(len(data.ships) / across)
        water = rows * BERTH + 80
        spare = max(0.0, least - (air + water + FIELD + 2 * GAP + 4))
        frame = Frame(at.x, at.y, at.width, air + water + FIELD + 2 * GAP + 4 + spare)
        self.chart.land = frame
        self.chart.sky = frame._replace(height=air)
        self._sky(frame)
        basin = Frame(frame.x + GAP, frame.y + air, frame.width - 2 * GAP, water + spare)
        self._waters(basin, ceil(berths / across), spare / (rows + 2))
        self._aprons(Frame(frame.x + GAP, basin.bottom + GAP, basin.width, FIELD))
        return frame.bottom

    def _sky(self, at: Frame) -> None:
        """[PH.5] Place what is in the air, each kind always in the same place."""
        self._text("place", at.x + GAP, at.y + 18, "Over the harbor")
        width = min(SLOT, (at.width - 2 * GAP) / 4)
        room = at.width - 4 * width - 2 * GAP
        below = room < 110
        for number, text in enumerate(wrap(self.scene.guns, int(max(room, 90) / LETTER))):
            if not below:
                self._text("small", at.x + GAP, at.y + 36 + 14 * number, text, place="" if number else "guns")
        if below:
            self._text("small", at.x + 136, at.y + 18, self.scene.guns, place="guns")
        slots = {up("army"): 0, up("naval"): 1, ESCORTS: 2, ATTACKERS: 3}
        for flight in self.scene.flights:
            middle = at.right - GAP - (len(slots) - slots[flight.key] - 0.5) * width
            self._flight(flight, middle, at.y + (24 if below else 8), SKY)

    def _waters(self, basin: Frame, port_rows: int, spare: float) -> None:
        """Place the lochs with Ford Island: carriers in port above it, Battleship Row and light ships below."""
        self.chart.basin = outline(basin, LOCH)
        pitch = BERTH + spare
        self._rows(self.scene.in_port, basin, basin.y + 6 + spare / 3, pitch)
        top = basin.y + 6 + spare / 3 + port_rows * pitch
        island = Frame(basin.x + 0.13 * basin.width, top + 4, 0.74 * basin.width, 26 + spare / 2)
        self.chart.island, self.chart.strip = outline(island, ISLAND), outline(island, STRIP)
        self._text("isle", island.x + island.width * 0.64, island.middle[1] + 4.5, "Ford Island", "middle")
        row = self._rows(self.scene.ships, basin, island.bottom + 6 + spare / 3, pitch)
        high = 48 if self.shape.side_by_side else 38
        light = Frame(basin.middle[0] - 105, min(row + 2, basin.bottom - high - 2), 210, high)
        self.chart.light = light
        self._text("shipname", light.middle[0], light.y + 31, self.scene.light, "middle")

    def _rows(self, vessels: Sequence[Vessel], basin: Frame, y: float, pitch: float) -> float:
        """Place ships in centred rows; return where the rows end."""
        across = self.shape.across
        rows = ceil(len(vessels) / across)
        each = ceil(len(vessels) / rows) if rows else 1
        cell = min(basin.width / each, SHIP + 30)
        for at, vessel in enumerate(vessels):
            row = vessels[at // each * each :][:each]
            x = basin.middle[0] + (at % each - (len(row) - 1) / 2) * cell
            length = min(SHIP, cell - 12)
            self._hull(vessel, x, y + (at // each) * pitch + 14, length, max(BEAM, length / SLENDER))
        return y + rows * pitch

    def _aprons(self, at: Frame) -> None:
        """Place parked aircraft, a counter for each kind."""
        wide = (at.width - GAP) / 2
        for number, field_ in enumerate(self.scene.fields):
            frame = Frame(at.x + number * (wide + GAP), at.y, wide, at.height)
            self.chart.aprons.append((field_, frame))
            name = field_.name if self.shape.side_by_side else field_.brief
            self._text("fieldname", frame.x + 6, frame.y + 13, short(name, wide - 12))
            self._text("small", frame.x + 6, frame.y + 27, short(field_.status, wide - 12))
            if field_.down:
                x, y = frame.x + 8, frame.bottom - TALL - 6
                self.chart.tokens.append(Token(down(field_.key), USA, "F", x, y, field_.down, "", field_.key))

    def _track(self, at: Frame) -> float:
        """Place the columns of the Surprise Table with their odds, one below the other; possible ones have a bar."""
        self._text("side", at.x, at.y + 14, "Tension and surprise")
        if self.scene.risk:
            self._text("status", at.right, at.y + 31, self.scene.risk, "end", place="risk")
        return self._down(at._replace(y=at.y + 40))

    def _down(self, at: Frame) -> float:
        y, inner = at.y, at.width
        stops = [at.x + inner * part for part in (0.13, 0.35, 0.565, 0.77, 0.91)]
        for x, text in zip(stops, ("tension", "port", "intercepts", "die", "likely"), strict=True):
            self._text("small", x, y + 10, text, "middle")
        for number, column in enumerate(self.scene.columns):
            frame = Frame(at.x, y + 16 + number * ROW, inner, ROW - 2.5)
            texts = (column.label, column.port, column.intercepts, column.surprise, column.probability)
            figures = [(x, frame.y + 14.5, text) for x, text in zip(stops, texts, strict=True)]
            bar = Frame(frame.x + 3, frame.bottom - 4, (inner - 6) * column.chance, 3) if column.chance else None
            self.chart.cells.append(Cell(column, frame, figures, bar))
        return y + 16 + len(self.scene.columns) * ROW

    def _scores(self, at: Frame) -> float:
        """Place the scores and the winning limits, with room for the longest of them."""
        letters = int((at.width - 2 * GAP) / LETTER)
        texts = [(JAPAN, self.scene.scores[JAPAN]), (USA, self.scene.scores[USA]), ("", self.scene.margin)]
        y = at.y + 16
        for side, text in texts:
            kind, place = ("tally", score_place(side)) if side else ("status", "margin")
            for number, line in enumerate(wrap(text, letters)):
                top = y + number * (LINE + 1)
                self._text(kind, at.x + GAP, top, line, side=side, place="" if number else place)
            y += (ceil(SCORES[side] / letters)) * (LINE + 1)
        self.chart.panels.append(at._replace(height=y - at.y - 8))
        return y - 8

    def _steps(self, at: Frame, each: int) -> float:
        """Place the sequence of play, a heading and rows of this many boxes for each strike."""
        y, wide = at.y, at.width / each
        for title, steps in self.scene.strikes:
            self._text("small", at.x, y + 10, title)
            for number, step in enumerate(steps):
                frame = Frame(at.x + number % each * wide, y + 15 + number // each * (STEP + 2.5), wide - 3, STEP)
                self.chart.boxes.append((step, frame))
            y += 15 + ceil(len(steps) / each) * (STEP + 2.5) + 4
        return y - 7


def short(text: str, width: float) -> str:
    """Return a text cut to a width.

    >>> short("West Virginia", 200), short("West Virginia", 50)
    ('West Virginia', 'West Vi…')
    """
    letters = max(2, int(width / LETTER))
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
