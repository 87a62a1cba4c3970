"""[5.0] The flight map as it is drawn: from the launch in the east by Japan to China; on a narrow board downwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from readyroom.engine.drawing import Frame, text_width
from readyroom.engine.maps import mercator
from readyroom.games.doolittle.flight.view import AirView, GoalView, WindView, ZoneView, draw_words
from readyroom.games.doolittle.piece_views import MarkerView
from readyroom.games.doolittle.presentation.drawing.cells import fold_text
from readyroom.games.doolittle.presentation.drawing.coasts import EAST_ASIA, Course
from readyroom.games.doolittle.presentation.drawing.shapes import POINTED, Room, Shape, fan, spread
from readyroom.games.doolittle.presentation.scene import Flight

WEIGHTS = {"Z1": 0.8, "Z2": 0.86, "Z3": 0.86, "Z4": 0.86, "Z5": 0.86, "Z6": 1.5, "Z10": 1.12, "Z11": 1.12, "Z12": 1.12}
"""How wide a zone is drawn, next to the others."""
WEST, EAST, NORTH = 110.0, 158.0, 45.5
"""The longitudes of both ends of the map, and the latitude of its northern edge."""
ACROSS = 16.8
"""How many units a degree has across the course on a narrow board."""
HEIGHT = 430.0
FLIGHT = (62.0, 48.0)
SMALLEST = POINTED / FLIGHT[1]
"""The least scale of a flight on a wide board."""
GOAL = (88.0, 42.0)
BAND, HEAD = 50.0, 58.0
NOTE, PITCH, CITIES = 13.0, 84.0, 48.0
"""The height of a line of notes in a goal's box, and the distances of the rows of landing sites and of cities."""
DRAWS, LINE = 11.0, 12.0
"""The size of the hazard draws, and the height of a line of them."""
ARROW = 90.0
"""A wind box has an arrow if it is wider than this."""
LEVELS = {
    "tokyo": 0,
    "nagoya": 1,
    "osaka-kobe": 2,
    "vladivostok": 0,
    "korea": 1,
    "lishui": 1,
    "chuchow": 0,
    "yushan": 1,
    "kian": 0,
    "kweilin": 1,
}
"""The row of a city or a landing site."""


class Lane(NamedTuple):
    """[5.1] A zone's position, and its name in lines."""

    zone: ZoneView
    frame: Frame
    lines: Sequence[str]
    draws: Sequence[str]
    below: float
    """The position of the last line of the hazard draws."""
    waits: tuple[float, float]
    """The position of the number of hazards still to be assigned."""


class Band(NamedTuple):
    """[5.3] A wind box over its zones."""

    wind: WindView
    frame: Frame
    words: Sequence[str]


class Place(NamedTuple):
    """[5.4, 5.5] A city's or a landing site's position, and who has landed there."""

    goal: GoalView
    frame: Frame
    guests: Sequence[Flight]
    country: str
    notes: Sequence[str]


class Mark(NamedTuple):
    """[7.1] A flight where it is."""

    flight: Flight
    x: float
    y: float
    scale: float

    @property
    def frame(self) -> Frame:
        """What it covers."""
        return Frame(self.x, self.y, FLIGHT[0] * self.scale, FLIGHT[1] * self.scale)


class Vessel(NamedTuple):
    """[8.3.7.M] A marker in a zone."""

    hazard: MarkerView
    x: float
    y: float


class Hour(NamedTuple):
    """[5.2] A box of the clock; the marker's two ends lie on Japan's hour and on China's."""

    frame: Frame
    label: str
    night: bool
    japan: bool
    china: bool


class Chart(NamedTuple):
    """[5.0] The flight map."""

    frame: Frame
    lanes: Sequence[Lane]
    bands: Sequence[Band]
    places: Sequence[Place]
    marks: Sequence[Mark]
    vessels: Sequence[Vessel]
    land: str
    line: str


def way(air: AirView, flights: Sequence[Flight], shape: Shape, top: float, room: Room) -> Chart:
    """Return the flight map in this form of the board."""
    return _upright(air, flights, shape, top, room) if shape.upright else _flat(air, flights, shape, top, room)


def clock(air: AirView, shape: Shape, y: float) -> list[Hour]:
    """[5.2] Return the flight turn track in a row, or in two."""
    across, high = (6, 33.0) if shape.upright else (12, 28.0)
    width = shape.inner / across
    return [
        Hour(
            Frame(shape.margin + at % across * width, y + at // across * 36, width - 2, high),
            label,
            light == "night",
            at == air.hour,
            at == air.china,
        )
        for at, (label, light) in enumerate(air.clock)
    ]


def _flying(flights: Sequence[Flight], zone: str) -> list[Flight]:
    return [flight for flight in flights if flight.zone == zone and flight.flies]


def _placed(goal: GoalView, frame: Frame, flights: Sequence[Flight], notes: Sequence[str], room: Room) -> Place:
    """Return a place with the flights that have landed there, as high as its notes need."""
    guests = [flight for flight in flights if flight.landed == goal.name]
    height = room(f"goal {goal.key}", GOAL[1] + NOTE * len(notes))
    return Place(goal, frame._replace(height=height), guests, goal.country or "japan", notes)


# -- from right to left ----------------------------------------------------------------------------------------------


def _flat(air: AirView, flights: Sequence[Flight], shape: Shape, top: float, room: Room) -> Chart:
    frame = Frame(shape.margin, top, shape.inner, HEIGHT)
    lanes = list(_lanes(air, frame))
    at = {lane.zone.key: lane.frame for lane in lanes}
    bands = [_band(wind, _span(at, wind.zones), top + HEAD) for wind in air.winds]
    places = list[Place]()
    for goal in (*air.cities, *air.sites):
        zones = air.zones_of(goal)
        notes = _notes(goal, {zone: f"{zone[1:]}: " if len(zones) > 1 else "" for zone in zones})
        places.append(_placed(goal, _room(goal, _span(at, zones), top), flights, notes, room))
    marks, vessels = list[Mark](), list[Vessel]()
    for lane in lanes:
        below = [place.frame.bottom for place in places if not place.frame.is_clear_of(lane.frame)]
        start = max([top + HEAD + BAND + 10, *(bottom + 8 for bottom in below)])
        floor = lane.waits[1] - 4
        free = Frame(lane.frame.x + 3, start, lane.frame.width - 6, floor - start)
        marks += _marks(_flying(flights, lane.zone.key), free)
        vessels += _vessels(lane.zone, lane.frame.x + 5, lane.waits[1], lane.frame.width - 30)
    border = next(lane.frame.right for lane in lanes if lane.zone.china)
    line = f"M{border:.1f} {top + HEAD:.1f}V{frame.bottom:.1f}"
    course = course_of(lanes, frame, frame.width / (EAST - WEST), upright=False)
    return Chart(frame, lanes, bands, places, marks, vessels, course.land, line)


def _lanes(air: AirView, frame: Frame) -> Iterator[Lane]:
    whole = sum(map(_weight, air.zones))
    right = frame.right
    for zone in air.zones:
        width = _weight(zone) / whole * frame.width
        right -= width
        name = zone.name.replace(", ", " ")
        draws = fold_text(draw_words(zone.draws), width - 8, DRAWS + 1, 6)
        low = frame.bottom - 7
        place = (right + width - 24, low - LINE * len(draws) - 12)
        yield Lane(
            zone, Frame(right, frame.y, width, frame.height), fold_text(name, width - 6, 13)[:3], draws, low, place
        )


def _span(at: dict[str, Frame], zones: Sequence[str]) -> Frame:
    """Return the frame over some zones."""
    left, right = min(at[zone].x for zone in zones), max(at[zone].right for zone in zones)
    first = at[zones[0]]
    return Frame(left, first.y, right - left, first.height)


def _band(wind: WindView, span: Frame, y: float) -> Band:
    frame = Frame(span.x + 2, y, span.width - 4, BAND - 4)
    texts = fold_text(wind.label, frame.width - (24 if frame.width > ARROW else 6))[:2]
    return Band(wind, frame, [*texts, wind.weather or ("not known" if wind.wind else "")])


def _room(goal: GoalView, span: Frame, top: float) -> Frame:
    """Return the frame of a place in the middle of its zones."""
    width = min(GOAL[0], span.width - 4)
    y = top + HEAD + BAND + 8 + LEVELS[goal.key] * (PITCH if goal.country else CITIES)
    return Frame(span.x + (span.width - width) / 2, y, width, GOAL[1])


def _notes(goal: GoalView, zones: Mapping[str, str]) -> list[str]:
    """[5.5] Return the lines under a goal's numbers: the fuel icons of these zones, its beacon, its fuel."""
    notes = [f"{text}−{goal.cost(zone)} fuel" for zone, text in zones.items() if goal.cost(zone)]
    notes += [f"beacon {goal.beacon}" if goal.beacon else "unheard"] if goal.has_beacon else []
    return [*notes, *([f"{goal.stock} fuel there"] if goal.stock else [])]


def _marks(flights: Sequence[Flight], room: Frame) -> Iterator[Mark]:
    cell = (FLIGHT[0] + 2, FLIGHT[1] + 4)
    scale, corners = spread(len(flights), room, cell, 1.1)
    if scale < SMALLEST:  # they overlap
        scale = min(SMALLEST, room.width / cell[0])
        corners = fan(len(flights), room, (FLIGHT[0] * scale, FLIGHT[1] * scale))
    yield from (Mark(flight, x, y, scale) for flight, (x, y) in zip(flights, corners, strict=True))


def _vessels(zone: ZoneView, x: float, y: float, width: float) -> Iterator[Vessel]:
    """[8.3.7.M] Yield the vessels of a zone, closer together where there are many."""
    step = min(19.0, width / max(1, len(zone.vessels)))
    for at, one in enumerate(zone.vessels):
        yield Vessel(one, x + at * step, y)


def course_of(lanes: Sequence[Lane], frame: Frame, scale: float, *, upright: bool) -> Course:
    """Return the map under the zones: the width of a zone on the wide board is its range of longitudes."""
    degrees, longitude = (EAST - WEST) / sum(_weight(lane.zone) for lane in lanes), EAST
    edges = [(EAST, lanes[0].frame.y if upright else lanes[0].frame.right)]
    for lane in lanes:
        longitude -= _weight(lane.zone) * degrees
        edges.append((longitude, lane.frame.bottom if upright else lane.frame.x))
    return Course(EAST_ASIA, frame, edges, mercator(NORTH), scale, upright)


def _weight(zone: ZoneView) -> float:
    return WEIGHTS.get(zone.key, 1.0)


# -- downwards -------------------------------------------------------------------------------------------------------


def _upright(air: AirView, flights: Sequence[Flight], shape: Shape, top: float, room: Room) -> Chart:
    """Return zone under zone from the launch to China: a heading, the cities or landing sites, the flights."""
    lanes, places, marks, vessels = list[Lane](), list[Place](), list[Mark](), list[Vessel]()
    y, left, width = top, shape.margin, shape.inner
    for zone in air.zones:
        start, y = y, y + 22 + LINE + 2
        if goals := air.goals(zone.key):
            abreast = list(_abreast(flights, goals, zone.key, Frame(left + 4, y, width - 8, GOAL[1]), room))
            places += abreast
            y = max(place.frame.bottom for place in abreast) + 6
        flying = _flying(flights, zone.key)
        each = FLIGHT[0] + 8
        marks += [
            Mark(flight, left + 6 + at % 5 * each, y + at // 5 * (FLIGHT[1] + 5), 1.0)
            for at, flight in enumerate(flying)
        ]
        y += room(f"flights {zone.key}", -(-len(flying) // 5) * (FLIGHT[1] + 5) + 4)
        name = left + 50 + text_width(f"12 {zone.name}", 13)
        vessels += _vessels(zone, name, start + 4, 60)
        more = min(60.0, 19.0 * len(zone.vessels)) + 2 if zone.vessels else 0.0
        frame = Frame(left, start, width, y - start)
        lanes.append(Lane(zone, frame, [zone.name], [draw_words(zone.draws)], start + 32, (name + more, start + 4)))
    frame = Frame(left, top, width, y - top)
    at = {lane.zone.key: lane.frame for lane in lanes}
    bands = [_side(wind, at[wind.zones[0]]) for wind in air.winds]
    border = next(lane.frame.y for lane in lanes if lane.zone.china)
    land = course_of(lanes, frame, ACROSS, upright=True).land
    return Chart(frame, lanes, bands, places, marks, vessels, land, f"M{left} {border:.1f}H{left + width}")


def _abreast(
    flights: Sequence[Flight], goals: Sequence[GoalView], zone: str, free: Frame, room: Room
) -> Iterator[Place]:
    width = min(120.0, (free.width - 6 * (len(goals) - 1)) / len(goals))
    for at, goal in enumerate(goals):
        frame = free._replace(x=free.x + at * (width + 6), width=width)
        yield _placed(goal, frame, flights, _notes(goal, {zone: ""}), room)


def _side(wind: WindView, first: Frame) -> Band:
    """[5.3] Return a wind at the right of the first zone that it governs."""
    text = f"{wind.label}, {wind.weather}" if wind.weather else wind.label
    width = text_width(text, 11) + 28
    return Band(wind, Frame(first.right - width - 3, first.y + 2, width, 17), [text])
