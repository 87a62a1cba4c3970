"""[1.1.1, 1.7] The compartments of the hull, directors and radars, with the people who work there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from readyroom.engine.drawing import Frame
from readyroom.engine.rules.checks import signed
from readyroom.games.picket.figures.common import SECTIONS, Section
from readyroom.games.picket.presentation.drawing.shapes import POINTED, Shape
from readyroom.games.picket.ship.view import OfficerView, Part, ShipView
from readyroom.games.picket.state import CHIEFS

ROOMS = {
    "steering-room": Frame(14, 45, 64, 41),
    "magazine-5": Frame(81, 45, 63, 41),
    "magazine-4": Frame(147, 45, 63, 41),
    "magazine-3": Frame(213, 45, 63, 41),
    "aft-20mm-magazine": Frame(279, 45, 65, 41),
    "rudder": Frame(20, 89, 52, 41),
    "port-shaft": Frame(75, 89, 66, 41),
    "starboard-shaft": Frame(144, 89, 66, 41),
    "aft-fuel": Frame(213, 89, 63, 41),
    "aft-40mm-magazine": Frame(279, 89, 65, 41),
    "aft-engine-room": Frame(350, 45, 66, 85),
    "aft-fire-room": Frame(419, 45, 66, 85),
    "forward-engine-room": Frame(488, 45, 66, 85),
    "forward-fire-room": Frame(557, 45, 66, 85),
    "aft-stack": Frame(418, 1, 56, 41),
    "forward-stack": Frame(562, 1, 56, 41),
    "radio": Frame(629, 1, 46, 41),
    "cic": Frame(678, 1, 46, 41),
    "bridge": Frame(727, 1, 46, 41),
    "forward-40mm-magazine": Frame(629, 45, 66, 41),
    "forward-20mm-magazine": Frame(698, 45, 66, 41),
    "magazine-2": Frame(767, 45, 66, 41),
    "magazine-1": Frame(836, 45, 66, 41),
    "forward-fuel": Frame(629, 89, 135, 41),
}
"""[1.1.1] The primary compartments from stern to bow on the wide board."""
GEAR = {
    "director-e": Frame(273, 1, 43, 41),
    "director-c": Frame(326, 1, 43, 41),
    "director-d": Frame(372, 1, 43, 41),
    "radar-sc": Frame(476, 1, 42, 41),
    "radar-sg": Frame(519, 1, 42, 41),
    "director-a": Frame(837, 1, 43, 41),
    "director-b": Frame(883, 1, 43, 41),
    "mk37": Frame(776, 1, 45, 41),
}
"""[7.3.M] Directors and radars, above the deck."""
SPANS: dict[Section, tuple[float, float]] = {"forward": (626, 964), "midship": (347, 626), "aft": (10, 347)}
HULL, CAPTION = 149.0, 145.0
"""The height of the hull with its caption, and the position of the caption."""
LINE, TALL = 42.0, 25.0
"""Line heights of the secondary compartments on a wide and on a narrow board."""
ROW, TALL_COLUMNS = 47.0, 3
"""The height of a row of rooms and the columns of secondary compartments on a narrow board."""
ROWS = 2
"""The rows of secondary compartments on a wide board."""
LETTER, BLANK = 6.9, 7.0
"""The width of a letter of the name of a compartment, and the width next to the name."""
HIGH = 60.0
"""The height of a compartment with room for each word of its name in a line."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A compartment or a piece of equipment, its frame, and the officers there."""

    part: Part
    frame: Frame
    officers: Sequence[OfficerView] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return its name in one line, or in two or more if it does not fit."""
        name = self.part.short
        if len(name) * LETTER <= self.frame.width - BLANK:
            return (name,)
        return tuple(name.split()) if self.frame.height > HIGH else _two_lines(name)


def _two_lines(name: str) -> tuple[str, ...]:
    """Return a name in two lines of like length, or in one if it is a single word."""
    words = name.split()
    pairs = ((" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))
    return min(pairs, key=lambda pair: max(map(len, pair)), default=(name,))


@dataclass(frozen=True, slots=True)
class Bulkhead:
    """[1.1.1] A section: its frame and caption, its repair party and fires, and the officers who lead there."""

    section: Section
    frame: Frame
    caption: tuple[float, float]
    men: int
    chief: int
    fires: int
    officers: Sequence[OfficerView]

    @property
    def title(self) -> str:
        """Return the section and the men of its party."""
        return f"{self.section.capitalize()} {self.men} men free in the repair party, chief {signed(self.chief)}"


@dataclass(frozen=True, slots=True)
class Plate:
    """The compartments of the hull; only the wide board has an outline."""

    top: float
    bottom: float
    outline: bool
    rooms: Sequence[Spot]
    gear: Sequence[Spot]
    spaces: Sequence[Spot]
    bulkheads: Sequence[Bulkhead]


def plate(ship: ShipView, shape: Shape, top: float) -> Plate:
    """Return the compartments: in their places on a wide board, in rows by section on a narrow one."""
    return _stacked(ship, shape, top) if shape.upright else _profile(ship, shape, top)


def _there(ship: ShipView, key: str) -> tuple[OfficerView, ...]:
    return tuple(officer for officer in ship.officers if officer.place == key and not officer.dead)


def _bulkhead(ship: ShipView, section: Section, frame: Frame, caption: tuple[float, float]) -> Bulkhead:
    """Return a section with the chief of its party, and officers who work in all of it."""
    leads = (one for one in ship.officers if not one.dead and (one.place == section or one.key == CHIEFS[section]))
    chief = ship.chief(section)
    return Bulkhead(section, frame, caption, ship.men[section], chief, ship.fires[section], tuple(leads))


def _moved(frame: Frame, left: float, top: float) -> Frame:
    return frame._replace(x=frame.x + left, y=frame.y + top)


def _profile(ship: ShipView, shape: Shape, top: float) -> Plate:
    left = shape.margin
    rooms = [Spot(part, _moved(ROOMS[part.key], left, top), _there(ship, part.key)) for part in ship.rooms]
    gear = [Spot(part, _moved(GEAR[part.key], left, top)) for part in ship.gear]
    bulkheads = [
        _bulkhead(ship, section, Frame(left + start, top, end - start, HULL), (left + start + 4, top + CAPTION))
        for section, (start, end) in SPANS.items()
    ]
    spaces = list[Spot]()  # [1.7] the secondary compartments below their sections
    for section, (start, end) in SPANS.items():
        spaces += _lines(ship, section, Frame(left + start + 4, top + HULL + 2, end - start - 8, 0), LINE, rows=ROWS)
    bottom = max([top + HULL, *(spot.frame.bottom for spot in spaces)])
    return Plate(top, bottom, outline=True, rooms=rooms, gear=gear, spaces=spaces, bulkheads=bulkheads)


def _lines(
    ship: ShipView, section: Section, frame: Frame, line: float, *, columns: int = 1, rows: int = 0
) -> Iterator[Spot]:
    """Yield the secondary compartments of a section in columns: as many as given, or as these rows need."""
    mine = [space for space in ship.spaces if space.section == section]
    columns = -(-len(mine) // rows) if rows else columns
    names = [[_two_lines(part.short) for part in mine[at::columns]] for at in range(columns)]
    letters = [max((len(line) for lines in column for line in lines), default=0) for column in names]
    needs = [max(POINTED + 4, count * LETTER + BLANK) if rows else 1 for count in letters]
    widths = [frame.width * need / sum(needs) for need in needs]
    lefts = list(accumulate(widths, initial=frame.x))
    for at, part in enumerate(mine):
        column = at % columns
        y = frame.y + at // columns * line
        yield Spot(part, Frame(lefts[column], y, widths[column] - 3, line - 1))


def _stacked(ship: ShipView, shape: Shape, top: float) -> Plate:
    """Return the sections from the bow: compartments in rows of four, equipment, secondary compartments."""
    rooms, gear, spaces, bulkheads = list[Spot](), list[Spot](), list[Spot](), list[Bulkhead]()
    y, left, width = top, shape.margin, shape.inner
    for section in SECTIONS:
        start, y = y, y + 22
        mine = [part for part in ship.rooms if part.section == section]
        quarter = (width - 8) / 4
        for at, part in enumerate(mine):
            where = Frame(left + 4 + at % 4 * quarter, y + at // 4 * ROW, quarter - 3, ROW - 3)
            rooms.append(Spot(part, where, _there(ship, part.key)))
        y += -(-len(mine) // 4) * ROW
        tools = [part for part in ship.gear if part.section == section]
        gear += [Spot(part, Frame(left + 4 + at * 72, y, 68, 18)) for at, part in enumerate(tools)]
        y += 22
        lines = list(_lines(ship, section, Frame(left + 4, y, width - 8, 0), TALL, columns=TALL_COLUMNS))
        y = max([y, *(spot.frame.bottom for spot in lines)]) + 4
        spaces += lines
        frame = Frame(left, start, width, y - start)
        bulkheads.append(_bulkhead(ship, section, frame, (left + 6, start + 15)))
        y += 5
    return Plate(top, y - 5, outline=False, rooms=rooms, gear=gear, spaces=spaces, bulkheads=bulkheads)
