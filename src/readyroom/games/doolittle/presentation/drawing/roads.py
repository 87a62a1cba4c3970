"""[14.4] The roads of China: fields, hills and Chungking, routes between them, bombers and crews on their way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from readyroom.engine.drawing import Frame, text_width
from readyroom.engine.maps import mercator
from readyroom.games.doolittle.denouement.view import BaseView, CrewView, DenouementView, RouteView
from readyroom.games.doolittle.ending.facts import SAFE
from readyroom.games.doolittle.presentation.drawing.cells import (
    Cell,
    Panel,
    Sign,
    Text,
    fit_text,
    pointed,
    room_under,
    row,
    size_panel,
)
from readyroom.games.doolittle.presentation.drawing.coasts import EAST_ASIA, Course
from readyroom.games.doolittle.presentation.drawing.shapes import Room, Shape, path, spread
from readyroom.games.doolittle.presentation.scene import Plane

GOAL = "chungking"
NO_FIELDS = {GOAL: "Chungking", "trekking": "The hills"}
"""Places without a field, and their names."""
SHEET = (640.0, 490.0)
"""The sheet on which places are measured; it is stretched to the frame."""
TALL = (378.0, 480.0)
PLACES = {
    "chungking": Frame(8, 30, 146, 164),
    "kweilin": Frame(20, 312, 142, 164),
    "kian": Frame(190, 250, 142, 164),
    "yushan": Frame(342, 196, 142, 164),
    "chuchow": Frame(492, 56, 140, 164),
    "lishui": Frame(492, 232, 140, 164),
    "trekking": Frame(338, 14, 140, 164),
}
"""The position of each place on the wide sheet, from the map and by hand."""
UPRIGHT = {
    "chungking": Frame(6, 8, 132, 132),
    "kweilin": Frame(8, 330, 120, 112),
    "kian": Frame(136, 318, 114, 112),
    "yushan": Frame(134, 190, 114, 112),
    "chuchow": Frame(258, 90, 114, 112),
    "lishui": Frame(258, 220, 114, 112),
    "trekking": Frame(146, 8, 108, 132),
}
WEST, EAST = 104.0, 121.8
"""The longitudes of both ends of the map."""
NORTH, TOP = 34.0, 32.5
"""The northern edges of the wide map and of the narrow one."""
TALLER = 1.7
"""How much longer the narrow map is stretched."""
YANGTZE = [
    *((103, 29.2), (104.6, 28.8), (106.5, 29.6), (108.4, 30.8), (110.3, 31), (111.5, 30.3), (113.1, 29.4)),
    *((114.3, 30.6), (116, 29.7), (117.2, 30.6), (118.7, 32.1), (120.3, 32), (121.2, 31.7)),
]
"""The river, which Natural Earth's coasts lack."""
MARK, LARGEST = (29.0, 31.0), 1.5
"""A bomber or a crew with the room around it, and its largest scale."""
NAMES = 16.0


class Mark(NamedTuple):
    """A bomber or a crew at a place, and its option."""

    kind: str
    key: str
    keys: Sequence[str]
    number: str
    hurt: bool
    fuel: int
    star: bool
    x: float
    y: float
    scale: float
    title: str

    @property
    def is_small(self) -> bool:
        """Whether it is too small to be pointed at."""
        return self.scale < LARGEST


class Spot(NamedTuple):
    """[14.4.3] A field, the hills or the goal, with who is there."""

    key: str
    keys: Sequence[str]
    name: str
    frame: Frame
    stock: int
    groundcrew: bool
    marks: Sequence[Mark]
    title: str


class Road(NamedTuple):
    """[14.4.3] A route: from where to where, and what it costs in the air and on foot."""

    path: str
    x: float
    y: float
    words: str
    used: bool
    title: str


class Roads(NamedTuple):
    """[14.4] The map of China."""

    frame: Frame
    land: str
    river: str
    spots: Sequence[Spot]
    roads: Sequence[Road]


def roads(ending: DenouementView, squad: Sequence[Plane], shape: Shape, frame: Frame, room: Room) -> Roads:
    """Return the map in a frame, with all bombers and crews on it."""
    sheet, places = (TALL, UPRIGHT) if shape.upright else (SHEET, PLACES)
    across, down = frame.width / sheet[0], frame.height / sheet[1]

    def at(x: float, y: float) -> tuple[float, float]:
        return frame.x + x * across, frame.y + y * down

    def placed(one: Frame) -> Frame:
        x, y = at(one.x, one.y)
        return Frame(x, y, one.width * across, one.height * down)

    rooms = {key: _drawn(ending, squad, key, placed(one), room, narrow=shape.upright) for key, one in places.items()}
    scale = frame.width / (EAST - WEST) * (TALLER if shape.upright else 1)
    china = Course(
        EAST_ASIA,
        frame,
        [(EAST, frame.right), (WEST, frame.x)],
        mercator(TOP if shape.upright else NORTH),
        scale,
        upright=False,
    )
    spots = [_spot(ending, squad, key, room) for key, room in rooms.items()]
    crowded = {spot.key for spot in spots if spot.marks}
    roads = [_road(one, rooms, used=one.start in crowded) for one in ending.routes]
    return Roads(frame, china.land, path([china.place(one) for one in YANGTZE]), spots, roads)


def _drawn(
    ending: DenouementView, squad: Sequence[Plane], key: str, room: Frame, given: Room, *, narrow: bool
) -> Frame:
    """Return the frame of a place: only its name where no one is."""
    busy = bool(_waiting(ending, key) or _planes(squad, key) or key == GOAL)
    if given(f"place {key}", float(busy)):
        return room
    field = _field(ending, key)
    width = text_width(field.name, 13) + 14 + (50 if field.stock else 20 if field.hands else 0)
    width, height = max(58.0, width), pointed(24.0, narrow=narrow)
    return Frame(room.x + (room.width - width) / 2, room.y + (room.height - height) / 2, width, height)


def _road(route: RouteView, rooms: Mapping[str, Frame], *, used: bool) -> Road:
    first, last = rooms[route.start], rooms[route.end]
    ax, ay = _edge(first, last)
    bx, by = _edge(last, first)
    parts = [f"{route.fuel} fuel"] if route.fuel is not None else []
    text = ", ".join([*parts, f"{route.trek}+"])
    air = f"{route.fuel} fuel by air, " if route.fuel is not None else ""
    title = f"{route.from_} to {route.to}: {air}{route.trek} or more on foot"
    return Road(f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}", (ax + bx) / 2, (ay + by) / 2 + 4, text, used, title)


def _edge(one: Frame, other: Frame) -> tuple[float, float]:
    """Return where the line from one place to the middle of another leaves the first."""
    x, y = one.x + one.width / 2, one.y + one.height / 2
    dx, dy = other.x + other.width / 2 - x, other.y + other.height / 2 - y
    part = min(one.width / 2 / abs(dx) if dx else 9.0, one.height / 2 / abs(dy) if dy else 9.0)
    return x + dx * min(part, 1.0), y + dy * min(part, 1.0)


# -- who is where ----------------------------------------------------------------------------------------------------


def _spot(ending: DenouementView, squad: Sequence[Plane], key: str, room: Frame) -> Spot:
    field, planes, crews = _field(ending, key), _planes(squad, key), _waiting(ending, key)
    title = f"{field.name}: {len(planes)} bombers, {len(crews)} crews"
    title += "" if key in NO_FIELDS else f"; {field.stock} fuel; groundcrews can repair {field.hands}"
    marks = list(_marks(planes, crews, room))
    return Spot(key, [f"walk-{key}", f"to-{key}"], field.name, room, field.stock, bool(field.hands), marks, title)


def _field(ending: DenouementView, key: str) -> BaseView:
    """Return the field at a place, or the place as a field without anything."""
    return next((one for one in ending.fields if one.key == key), None) or BaseView(key=key, name=NO_FIELDS[key])


def _waiting(ending: DenouementView, key: str) -> list[CrewView]:
    """Return the crews at a place."""
    return [crew for crew in ending.crews if crew.where == key and crew.fate in ("", GOAL)]


def _planes(squad: Sequence[Plane], key: str) -> list[Plane]:
    """Return the bombers at a place."""
    return [plane for plane in squad if plane.at == key and plane.fate in ("landed", "saved")]


def _marks(planes: Sequence[Plane], crews: Sequence[CrewView], room: Frame) -> Iterator[Mark]:
    """[14.4] Yield bombers and then crews, as large as there is room for."""
    inner = Frame(room.x + 4, room.y + NAMES + 3, room.width - 8, room.height - NAMES - 7)
    scale, corners = spread(len(planes) + len(crews), inner, MARK, LARGEST)
    yield from (_plane(plane, x, y, scale) for plane, (x, y) in zip(planes, corners, strict=False))
    yield from (_crew(crew, x, y, scale) for crew, (x, y) in zip(crews, corners[len(planes) :], strict=True))


def _plane(plane: Plane, x: float, y: float, scale: float) -> Mark:
    title = f"{plane.pilot}'s bomber; {plane.fuel} fuel{'; damaged' if plane.hits else ''}"
    keys = _plane_keys(plane.key)
    return Mark("plane", plane.key, keys, str(plane.number), bool(plane.hits), plane.fuel, False, x, y, scale, title)


def _plane_keys(key: str) -> list[str]:
    """Return the options that a bomber stands for."""
    return [*(f"={prefix}-{key}" for prefix in ("fly", "mend")), f"={key}-damage"]


def _crew_keys(key: str) -> list[str]:
    """Return the options that a crew stands for."""
    return [f"={prefix}-{key}" for prefix in ("go", "with", "taken")]


def _crew(crew: CrewView, x: float, y: float, scale: float) -> Mark:
    keys = _crew_keys(crew.key)
    men = ", ".join(f"{man.name}, {man.role}" for man in crew.elites)
    title = f"{crew.pilot}'s crew, {crew.health}{f', with {men}' if men else ''}"
    number = str(int(crew.key.removeprefix("b")))
    return Mark("crew", f"crew-{crew.key}", keys, number, not crew.fit, 0, bool(men), x, y, scale, title)


# -- the list of crews -----------------------------------------------------------------------------------------------

FATES = {
    "chungking": "at Chungking",
    "captured": "captured",
    "missing": "missing",
    "killed": "dead",
    "rescued": "picked up by a submarine",
    "interned": "interned in Siberia",
    "released": "out of Siberia",
    "home": "home",
}
STYLES = {"captured": "dl-refused", "missing": "dl-gone", "killed": "dl-gone", "interned": "dl-past"}


def crews(ending: DenouementView, squad: Sequence[Plane], width: float, across: int, *, narrow: bool) -> Panel:
    """[14.0.1] Return every crew: its place, its health, and its fate; its box also stands for its options."""
    known = {crew.key: crew for crew in ending.crews}
    flown = [plane for plane in squad if plane.key in known or plane.fate]
    cells, high = [], pointed(30, narrow=narrow)
    for frame, plane in zip(row(room_under(width), len(flown), high, across, gap=3), flown, strict=True):
        crew = known.get(plane.key)
        fate = crew.fate if crew else ""
        text = FATES.get(fate) or (f"{crew.place}, {crew.health}" if crew else plane.status)
        star = " ★" if crew and crew.elites else ""
        texts = [
            Text(fit_text(f"{plane.number} {plane.pilot}{star}", frame.width - 10), 5, 13),
            Text(fit_text(text, frame.width - 10), 5, 25, "dl-where"),
        ]
        signs = [Sign("pc-dl-plaster", frame.width - 10, 10)] if crew and not crew.fit and not fate else []
        style = STYLES.get(fate, "dl-agreed" if fate in SAFE else "")
        if crew is None and plane.fate == "destroyed":
            style = "dl-gone"
        men = "; ".join(f"{man.name}, {man.role}" for man in crew.elites) if crew else ""
        title = f"{plane.pilot}'s crew: {text}{f'; {men}' if men else ''}"
        keys = [*_plane_keys(plane.key), *_crew_keys(plane.key)]
        cells.append(Cell(frame, keys, title, texts, signs, style, key="-", place=f"crew-{plane.key}"))
    safe = sum(crew.fate in SAFE for crew in known.values())
    return size_panel("The crews", width, cells, f"{safe} safe of {len(flown)}")


def elsewhere(ending: DenouementView, width: float) -> Panel:
    """[14.3, 14.5] Return the ships on their way home, and the decision of the Soviet Union."""
    soviet = {
        "free": "they may fly on",
        "released": "to be released",
        "starred": "to be released, if the alliances last",
        "interned": "interned",
    }
    homeward = ", ".join(one.replace("-", " ") for one in ending.homeward)
    parts = [f"Still to sail home: {homeward}"] if homeward else []
    parts += [f"Vladivostok: {soviet[ending.soviet]}"] if ending.soviet else []
    cells = [
        Cell(frame, [], text, [Text(fit_text(text, frame.width - 10), 5, 15)])
        for frame, text in zip(row(room_under(width), len(parts), 22, 1), parts, strict=True)
    ]
    return size_panel("Elsewhere", width, cells)
