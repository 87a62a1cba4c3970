"""Panels around the ship: tracks, list and trim, support, the attack column, later waves, days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from readyroom.engine.drawing import Frame
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import capitalize_first
from readyroom.games.picket.presentation.board_data import Day, Track, current_watch, days, support, tracks
from readyroom.games.picket.presentation.drawing.battle import Battle, Card
from readyroom.games.picket.presentation.drawing.shapes import POINTED, Shape
from readyroom.games.picket.ship.view import OfficerView, ShipView
from readyroom.games.picket.state import WATCHES
from readyroom.games.picket.view import CaptainView, CruiseView, WaveView

ROW, LINE, LEAST_LINE, MOST_LINE = 19.0, 15.5, 13.6, 20.0
"""The heights of a track and of a line of text; the least and the largest height of one on a wide board."""
HEAD = 20.0
NAMES = 88.0
"""The width of the names of tracks."""
TITLE = 15.0
"""The height of the title of a strip on a wide board."""
STRIP, TALL_STRIP = 57.0, 74.0
"""The height of the strip with special attackers, waves and officers; of each of two on a narrow board."""
MINI = 17.0
"""The size of a plane of a later wave on a narrow board."""
BODY = 26.0
"""The size of a counter as it is drawn."""
SPECIAL = 108.0
"""The width of a special attacker with its name."""
SPECIAL_HEIGHT = 54.5
"""The height of a special attacker with its hits."""
LEAN = 5.0
"""Degrees that the drawn ship leans for each point of list or trim."""
DEEPEST = 35.0
ROOM = 44.0
"""The minimum width for the name of a month."""
LONGEST = 31
"""The number of days in a row."""
MOST_ROW = 19.5
"""The height of a row of planes of a later wave on a wide board."""


TIPS = {
    "Air support markers": "Each marker may fire at an attacker once.",
    "Gunboats": "Each gunboat may fire at an attacker once per wave.",
    "Attack column": "The column of the attack table: the sum of the modifiers below.",
    "No fighter direction team": "No fighter direction team is on board.",
    "Fighter direction team": "The team on board that directs friendly fighters.",
    "Land radar": "Active radar stations on the islands.",
    "Ship's radar": "The ship's own working or damaged radars.",
}
"""Explanations of the lines of text."""


class Line(NamedTuple):
    """A line of text with a figure at its end."""

    y: float
    key: str
    text: str
    value: str
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Rail:
    """[1.2.1] A track with the positions of its cells."""

    track: Track
    y: float
    cells: Sequence[float]


@dataclass(frozen=True, slots=True)
class Gauge:
    """[7.4] List or trim: the ship from astern or from abeam, leaning."""

    name: str
    x: float
    y: float
    lean: float
    text: str


@dataclass(frozen=True, slots=True)
class Mini:
    """[6.6.G] A small plane of a later wave."""

    key: str
    type: str
    engines: int
    weapon: str
    x: float
    y: float
    scale: float
    title: str


@dataclass(frozen=True, slots=True)
class Badge:
    """[1.3] An officer, and the frame of the counter."""

    officer: OfficerView
    frame: Frame
    at: str

    @property
    def note(self) -> str:
        """Return where the officer is, for little room."""
        return self.at.replace("Forward ", "Fwd. ").removesuffix(" room")


@dataclass(frozen=True, slots=True)
class Watch:
    """[3.0] A phase of the day."""

    name: str
    x: float
    y: float
    width: float
    now: bool
    key: str


@dataclass(frozen=True, slots=True)
class Panels:
    """The panels around the ship."""

    head: Frame
    watches: Sequence[Watch]
    sheet: Frame
    rails: Sequence[Rail]
    gauges: Sequence[Gauge]
    pegs: Sequence[tuple[str, str, float, Sequence[tuple[float, str]]]]
    lines: Sequence[Line]
    specials: Frame
    cards: Sequence[Card]
    coming: Frame
    minis: Sequence[Mini]
    numbers: Sequence[tuple[float, float, int]]
    """The numbers of the later waves, and where they are."""
    staff: Frame
    badges: Sequence[Badge]
    bottom: float


def panels(view: CaptainView, shape: Shape, fight: Battle, lines: float) -> Panels:
    """Return all panels of a board, with room for this many lines of text."""
    table, ship = view.table, view.table.ship
    sheet = _sheet(shape, lines)
    specials, coming, staff = _strips(shape, (sheet if shape.upright else fight.frame).bottom + shape.gap)
    rails_end, now = sheet.y + HEAD + 5 * ROW, current_watch(view)
    x, y, width = (
        (shape.margin, 52.0, 70.0) if shape.upright else (472.0, 2.0, 77.0) if shape.packed else (442.0, 10.0, 84.0)
    )
    step = (sheet.width - 116 - NAMES + 82) / 10
    cells = tuple(sheet.x + NAMES + cell * step for cell in range(ship.full))
    first = rails_end + 58 + 2 * 18 + 16
    line = LINE if shape.upright else min(MOST_LINE, max(LEAST_LINE, (sheet.bottom - first - 4) / max(1, lines)))
    watches = [
        Watch(watch.capitalize(), x + at * (width + 3), y, width, watch == now, watch)
        for at, watch in enumerate(WATCHES)
    ]
    attackers, waves = table.raid.now.specials, list(_waves(table.raid.to_come, coming))
    apart = min(SPECIAL, (specials.width - 8) / max(2, len(attackers)))
    scale = apart / SPECIAL if shape.upright else min(apart / SPECIAL, (STRIP - 3) / SPECIAL_HEIGHT)
    return Panels(
        head=Frame(shape.margin, shape.margin, shape.inner, 38),
        watches=watches,
        sheet=sheet,
        rails=[Rail(track, sheet.y + HEAD + at * ROW, cells) for at, track in enumerate(tracks(ship))],
        gauges=list(_gauges(ship, sheet, rails_end)),
        pegs=list(_pegs(ship, sheet, rails_end + 58)),
        lines=[
            Line(first + at * line, key, text, value, kind, TIPS.get(text, ""))
            for at, (key, text, value, kind) in enumerate(_written(table))
        ],
        specials=specials,
        cards=[
            Card(plane, specials.x + 5 + at * apart, specials.y + (19 if shape.upright else 2), scale)
            for at, plane in enumerate(attackers)
            if not plane.away
        ],
        coming=coming,
        minis=[mini for wave in waves for mini in _minis(*wave)],
        numbers=[(place.x, place.y + place.height / 2 + 4, number) for place, number, _ in waves],
        staff=staff,
        badges=list(_badges(ship, staff, 3 if shape.upright else 1)),
        bottom=max(specials.bottom, coming.bottom, staff.bottom),
    )


def count_lines(table: CruiseView) -> int:
    """Return the number of lines of text under the tracks."""
    return len(list(_written(table)))


def _sheet(shape: Shape, lines: float) -> Frame:
    """Return the frame of the tracks and of some lines: next to the sea and what is below it, or below the sea."""
    if shape.upright:
        high = HEAD + 5 * ROW + 58 + 2 * 18 + 22 + LINE * lines
        return Frame(shape.margin, shape.sea.bottom + shape.gap, shape.inner, high)
    right = shape.sea.right + shape.gap
    return Frame(right, shape.sea.y, shape.margin + shape.inner - right, shape.sea.height + shape.gap + STRIP)


def _gauges(ship: ShipView, sheet: Frame, y: float) -> Iterator[Gauge]:
    """[7.4] Yield the gauges of list and trim."""
    heel, trim = ship.heel, ship.trim
    listing = f"{abs(heel)} to {'starboard' if heel > 0 else 'port'}" if heel else "none"
    trimmed = f"{abs(trim)} by the {'bow' if trim > 0 else 'stern'}" if trim else "even"
    for at, (name, value, text) in enumerate((("List", heel, listing), ("Trim", trim, trimmed))):
        lean = max(-DEEPEST, min(DEEPEST, value * LEAN))
        yield Gauge(name, sheet.x + sheet.width * (0.25 + at * 0.5), y + 22, lean, f"{name}: {text}")


def _pegs(ship: ShipView, sheet: Frame, y: float) -> Iterator[tuple[str, str, float, list[tuple[float, str]]]]:
    """[1.2.2, 7.12] Yield the scale of morale, and the boxes of the water lines: key, text, position, boxes."""
    most = ship.morale_most
    steps = range(-most, most + 1)
    left = sheet.x + NAMES
    morale = [(left + at * 15.0, "on" if step == ship.morale else "off") for at, step in enumerate(steps)]
    yield "morale", f"Morale {signed(ship.morale)}", y, morale
    hurt, full = ship.water_lines, ship.water_lines_full
    yield (
        "water-lines",
        "Water lines",
        y + 18,
        [(left + at * 15.0, "hit" if at < hurt else "off") for at in range(full)],
    )


SHIFTS = {
    "fighter direction team": "team",
    "surface support": "surface-support",
    "air support": "air-support",
    "land radar": "land-radar",
    "ship's radar": "ship-radar",
}
"""[6.6.B] The keys of the column shifts by their names, which may begin with "no"."""


def _written(table: CruiseView) -> Iterator[tuple[str, str, str, str]]:
    """[5.1, 6.5, 6.6] Yield support, and the attack column with its shifts: key, text, value and kind."""
    air, surface = support(table)
    yield "air-markers", "Air support markers", f"{air}", "plain"
    yield "gunboats", "Gunboats", f"{surface}", "plain"
    yield "column", "Attack column", signed(table.sea.column), "net"
    for name, value in table.sea.shifts:
        yield SHIFTS[name.removeprefix("no ")], capitalize_first(name), signed(value), "plain" if value else "muted"
    for at, (name, value) in enumerate(table.sea.dice):
        yield f"dice-{at}", f"Dice: {name}", signed(value), "plain"


def _strips(shape: Shape, y: float) -> tuple[Frame, Frame, Frame]:
    """Return the frames of special attackers, later waves and officers."""
    x, gap = shape.margin, shape.gap
    if shape.upright:
        half = (shape.inner - gap) / 2
        left, below = Frame(x, y, half, TALL_STRIP), Frame(x, y + TALL_STRIP + gap, shape.inner, TALL_STRIP)
        return left, left._replace(x=left.right + gap), below
    left, middle = Frame(x, y, 194.0, STRIP), Frame(x + 194.0 + gap, y, 129.0, STRIP)
    right = middle.right + gap
    return left, middle, Frame(right, y, shape.sea.right - right, STRIP)


def _waves(to_come: Sequence[tuple[int, WaveView]], frame: Frame) -> Iterator[tuple[Frame, int, WaveView]]:
    """[6.6.G] Yield the room of each later wave: two rows, and as many columns as that needs."""
    across, head = max(1, -(-len(to_come) // 2)), min(HEAD, frame.height - 2 * MOST_ROW)
    width, height = (frame.width - 12) / across, (frame.height - head) / 2
    for at, (number, wave) in enumerate(to_come):
        yield (
            Frame(frame.x + 8 + at % across * width, frame.y + head - 2 + at // across * height, width, height),
            number,
            wave,
        )


def _minis(room: Frame, number: int, wave: WaveView) -> Iterator[Mini]:
    """[6.6.G] Yield the planes of a later wave in a row."""
    planes = wave.everything
    size = POINTED if room.height > POINTED else MINI
    step = min(size + 2, (room.width - 49 - size) / max(1, len(planes) - 1))
    for at, plane in enumerate(planes):
        title = f"Wave {number}: {plane.title}"
        y = room.y + (room.height - size) / 2
        yield Mini(plane.key, plane.plane, plane.engines, plane.weapon, room.x + 47 + at * step, y, size / BODY, title)


def _badges(ship: ShipView, frame: Frame, rows: int) -> Iterator[Badge]:
    """[1.3] Yield the officers and chiefs, in columns."""
    across, head = -(-len(ship.officers) // rows), HEAD if rows > 1 else TITLE + 1
    width, height = (frame.width - 11) / across, (frame.height - head) / rows
    names = {part.key: part.short for part in (*ship.rooms, *ship.gear)}
    for at, officer in enumerate(ship.officers):
        x, y = frame.x + 7 + at // rows * width, frame.y + head - 1 + at % rows * height
        yield Badge(
            officer, Frame(x, y, width - 3, height - (3 if rows > 1 else 0)), names.get(officer.place, officer.place)
        )


@dataclass(frozen=True, slots=True)
class Box:
    """A day of the calendar and its position."""

    day: Day
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Calendar:
    """[1.6] The time record: all days in a row with the months above them, or some rows with their first days."""

    bottom: float
    width: float
    boxes: Sequence[Box]
    months: Sequence[tuple[float, float, str]]


def calendar(table: CruiseView, shape: Shape, y: float) -> Calendar:
    """[1.6] Return the days of a campaign in a row."""
    record = days(table)
    width = shape.inner / len(record)
    boxes = [Box(day, shape.margin + at * width, y + 14) for at, day in enumerate(record)]
    months = [(box.x, y + 10, f"{box.day.date:%B}") for at, box in enumerate(boxes) if not at or box.day.date.day == 1]
    if len(months) > 1 and months[1][0] - months[0][0] < ROOM:
        months = months[1:]
    return Calendar(y + 36, width, boxes, months)


def calendar_rows(table: CruiseView, frame: Frame) -> Calendar:
    """[1.6] Return the days of a campaign in rows of a month, each with its first day."""
    record = days(table)
    width, rows = (frame.width - ROOM) / LONGEST, -(-len(record) // LONGEST)
    row = frame.height / rows
    boxes = [
        Box(day, frame.x + ROOM + at % LONGEST * width, frame.y + at // LONGEST * row) for at, day in enumerate(record)
    ]
    months = [(frame.x, box.y + 11, f"{box.day.date.day} {box.day.date:%b}") for box in boxes[::LONGEST]]
    return Calendar(frame.bottom, width, boxes, months)
