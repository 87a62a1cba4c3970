"""[1.1.1, 1.7] The rooms of the hull: compartments, directors and radars, and who works there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readyroom.engine.drawing import Frame
from readyroom.games.picket.board_data import Officer, Part, Party, Scene
from readyroom.games.picket.drawing.shapes import Shape
from readyroom.games.picket.figures_common import SECTIONS, Section
from readyroom.games.picket.state import CHIEFS
from readyroom.games.picket.text import signed

ROOMS = {
    "steering-room": Frame(14, 70, 64, 43),
    "magazine-5": Frame(81, 70, 63, 43),
    "magazine-4": Frame(147, 70, 63, 43),
    "magazine-3": Frame(213, 70, 63, 43),
    "aft-20mm-magazine": Frame(279, 70, 65, 43),
    "rudder": Frame(20, 116, 52, 43),
    "port-shaft": Frame(75, 116, 66, 43),
    "starboard-shaft": Frame(144, 116, 66, 43),
    "aft-fuel": Frame(213, 116, 63, 43),
    "aft-40mm-magazine": Frame(279, 116, 65, 43),
    "aft-engine-room": Frame(350, 70, 66, 89),
    "aft-fire-room": Frame(419, 70, 66, 89),
    "forward-engine-room": Frame(488, 70, 66, 89),
    "forward-fire-room": Frame(557, 70, 66, 89),
    "aft-stack": Frame(424, 20, 56, 43),
    "forward-stack": Frame(562, 20, 56, 43),
    "radio": Frame(629, 20, 60, 43),
    "cic": Frame(692, 20, 60, 43),
    "bridge": Frame(755, 20, 66, 43),
    "forward-40mm-magazine": Frame(629, 70, 66, 43),
    "forward-20mm-magazine": Frame(698, 70, 66, 43),
    "magazine-2": Frame(767, 70, 66, 43),
    "magazine-1": Frame(836, 70, 66, 43),
    "forward-fuel": Frame(629, 116, 135, 43),
}
"""[1.1.1] The rooms from the stern to the bow, as the wide board has them."""
GEAR = {
    "director-e": Frame(279, 46, 44, 16),
    "director-c": Frame(352, 46, 44, 16),
    "director-d": Frame(352, 27, 44, 16),
    "radar-sc": Frame(499, 46, 44, 16),
    "radar-sg": Frame(499, 27, 44, 16),
    "director-a": Frame(837, 46, 44, 16),
    "director-b": Frame(837, 27, 44, 16),
    "mk37": Frame(755, 1, 66, 16),
}
"""[7.3.M] Directors and radars, above the deck."""
SPANS: dict[Section, tuple[float, float]] = {"aft": (10, 347), "midship": (347, 626), "forward": (626, 964)}
HULL, CAPTION = 186.0, 176.0
"""The height of the hull with what is written beneath it, and where that stands."""
LINE, TALL = 15.5, 25.0
"""A line of the sheet of secondary compartments; on a narrow board there is one to the finger's measure."""
ROW, COLUMNS = 47.0, 3
"""The height of a row of rooms on a narrow board, and the columns of secondary compartments."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A compartment or a piece of equipment, where it lies, and the officers who are there."""

    part: Part
    frame: Frame
    officers: Sequence[Officer] = ()


@dataclass(frozen=True, slots=True)
class Bulkhead:
    """[1.1.1] A section: its frame, its repair party, where its caption stands, and who leads there."""

    section: Section
    frame: Frame
    caption: tuple[float, float]
    party: Party
    officers: Sequence[Officer]

    @property
    def title(self) -> str:
        """The section and the men of its party."""
        chief = f"chief {signed(self.party.chief)}"
        return f"{self.section.capitalize()} {self.party.free} men free in the repair party, {chief}"


@dataclass(frozen=True, slots=True)
class Plate:
    """The rooms of the hull; the outline is that of the wide board."""

    top: float
    bottom: float
    outline: bool
    rooms: Sequence[Spot]
    gear: Sequence[Spot]
    spaces: Sequence[Spot]
    bulkheads: Sequence[Bulkhead]


def plate(scene: Scene, shape: Shape, top: float) -> Plate:
    """The rooms of the hull: in their places on a wide board, in rows by section on a narrow one."""
    return _stacked(scene, shape, top) if shape.upright else _profile(scene, shape, top)


def _there(scene: Scene, key: str) -> tuple[Officer, ...]:
    return tuple(officer for officer in scene.officers if officer.place == key and not officer.dead)


def _leads(scene: Scene, section: Section) -> tuple[Officer, ...]:
    """Return the chief of a section's party, and officers who work in all of it."""
    return tuple(one for one in scene.officers if not one.dead and (one.place == section or one.key == CHIEFS[section]))


def _moved(frame: Frame, left: float, top: float) -> Frame:
    return frame._replace(x=frame.x + left, y=frame.y + top)


def _profile(scene: Scene, shape: Shape, top: float) -> Plate:
    left = shape.margin
    rooms = [Spot(part, _moved(ROOMS[key], left, top), _there(scene, key)) for key, part in scene.rooms.items()]
    gear = [Spot(part, _moved(GEAR[part.key], left, top)) for part in scene.gear]
    bulkheads = [
        Bulkhead(
            section,
            Frame(left + SPANS[section][0], top, SPANS[section][1] - SPANS[section][0], HULL - 2),
            (left + SPANS[section][0] + 4, top + CAPTION),
            scene.parties[section],
            _leads(scene, section),
        )
        for section in SECTIONS
    ]
    spaces = list(_sheet(scene, left, top + HULL + 4))
    bottom = max([top + HULL, *(spot.frame.bottom for spot in spaces)])
    return Plate(top, bottom, True, rooms, gear, spaces, bulkheads)


def _sheet(scene: Scene, left: float, top: float) -> Iterator[Spot]:
    """[1.7] The secondary compartments of each section, beneath it."""
    for section in SECTIONS:
        start, end = SPANS[section]
        yield from _lines(scene, section, Frame(left + start + 4, top, end - start - 8, 0), LINE)


def _lines(scene: Scene, section: Section, frame: Frame, line: float) -> Iterator[Spot]:
    mine = [space for space in scene.spaces if space.section == section]
    width = frame.width / COLUMNS
    for at, part in enumerate(mine):
        x, y = frame.x + at % COLUMNS * width, frame.y + at // COLUMNS * line
        yield Spot(part, Frame(x, y, width - 3, line - 2))


def _stacked(scene: Scene, shape: Shape, top: float) -> Plate:
    """Section by section from the bow, four rooms in a row, then equipment and secondary compartments."""
    rooms, gear, spaces, bulkheads = list[Spot](), list[Spot](), list[Spot](), list[Bulkhead]()
    y, left, width = top, shape.margin, shape.inner
    for section in SECTIONS:
        start, y = y, y + 22
        mine = [part for part in scene.rooms.values() if part.section == section]
        rooms += _grid(scene, mine, Frame(left + 4, y, width - 8, ROW))
        y += -(-len(mine) // 4) * ROW
        tools = [part for part in scene.gear if part.section == section]
        gear += [Spot(part, Frame(left + 4 + at * 58, y, 54, 18)) for at, part in enumerate(tools)]
        y += 22
        lines = list(_lines(scene, section, Frame(left + 4, y, width - 8, 0), TALL))
        y = max([y, *(spot.frame.bottom for spot in lines)]) + 4
        spaces += lines
        frame = Frame(left, start, width, y - start)
        bulkheads.append(
            Bulkhead(section, frame, (left + 6, start + 15), scene.parties[section], _leads(scene, section))
        )
        y += 5
    return Plate(top, y - 5, False, rooms, gear, spaces, bulkheads)


def _grid(scene: Scene, parts: Sequence[Part], frame: Frame) -> Iterator[Spot]:
    width = frame.width / 4
    for at, part in enumerate(parts):
        where = Frame(frame.x + at % 4 * width, frame.y + at // 4 * ROW, width - 3, ROW - 3)
        yield Spot(part, where, _there(scene, part.key))
