"""[9.0] The naval map: ten sea areas from the Pacific coast to Japan, their weather, and who is out there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from readyroom.engine.drawing import Frame
from readyroom.engine.maps import mercator
from readyroom.engine.text import en_dashes
from readyroom.games.doolittle.flight.view import GoalView
from readyroom.games.doolittle.planning.view import NO_PLAN
from readyroom.games.doolittle.presentation.drawing.cells import (
    Cell,
    Panel,
    Text,
    fit_text,
    fold_text,
    pointed,
    room_under,
    row,
    size_panel,
    stage,
)
from readyroom.games.doolittle.presentation.drawing.coasts import PACIFIC, Course
from readyroom.games.doolittle.presentation.drawing.shapes import Shape, spread
from readyroom.games.doolittle.voyage.view import ReconView, SeaAreaView, VoyageView, draw_words

EDGES = (240.0, 232.0, 226.0, 220.0, 208.0, 195.0, 180.0, 171.0, 163.0, 155.0, 146.0, 134.0)
"""The longitudes between the areas, from the Pacific coast to Japan; those east of 180 plus 360."""
NORTH, DEGREE, UPRIGHT = 44.0, 10.0, 44.0
"""The northern edge of the map, the units of a degree across the wide map, and the degrees across a narrow one."""
HEIGHT = 268.0
ROW = 66.0
LINE = 12.0
"""A line of the hazards that are drawn."""
TITLE = 78.0
"""The room for the month in front of the turns."""
PORT = "port"
TOKEN = (42.0, 43.0)
"""The room of a marker."""
MONTH = " April"
BOXES = {"hangar": "Hangar", "local": "Local recon", "low-cap": "Low CAP", "high-cap": "High CAP"}
CONTACT = "in contact: a patrol, for which hazards are drawn"


class Token(NamedTuple):
    """Something at sea: the task force, recon, a submarine, a group on its way home, a marker of signals.

    A ghost is not there, but may be sent there.
    """

    kind: str
    key: str
    keys: Sequence[str]
    name: str
    title: str
    lit: bool = True
    ghost: bool = False
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    @property
    def frame(self) -> Frame:
        """What it covers."""
        return Frame(self.x, self.y, TOKEN[0] * self.scale, TOKEN[1] * self.scale)


class Reach(NamedTuple):
    """[9.1] A sea area: its position, its name, its weather, its numbers, and its contents."""

    key: str
    keys: Sequence[str]
    frame: Frame
    lines: Sequence[str]
    number: str
    weather: str
    move: str
    draws: Sequence[str]
    here: bool
    meet: bool
    launch: bool
    tokens: Sequence[Token]
    title: str


class Ocean(NamedTuple):
    """[9.0] The map: areas, the date line, and the coasts."""

    frame: Frame
    areas: Sequence[Reach]
    line: str
    land: str


def ocean(voyage: VoyageView, cities: Sequence[GoalView], shape: Shape, top: float) -> Ocean:
    """Return the map, from right to left or downwards; submarines off Japan may help to find the cities."""
    count = len(voyage.areas) + 1
    height = ROW * count if shape.upright else HEIGHT
    frame = Frame(shape.margin, top, shape.inner, height)
    reaches = list(_areas(voyage, cities, shape, frame))
    west = next(one.frame for one, area in zip(reaches[1:], voyage.areas, strict=True) if area.west)
    if shape.upright:
        line = f"M{frame.x:.1f} {west.y:.1f}H{frame.right:.1f}"
    else:
        line = f"M{west.right:.1f} {frame.y:.1f}V{frame.bottom:.1f}"
    return Ocean(frame, reaches, line, _land(frame, reaches, upright=shape.upright))


def _areas(voyage: VoyageView, cities: Sequence[GoalView], shape: Shape, frame: Frame) -> Iterator[Reach]:
    count = len(voyage.areas) + 1
    port = SeaAreaView(key=PORT, name="Port", weather=voyage.port_weather)
    width = frame.width / count
    for at, area in enumerate([port, *voyage.areas]):
        room = Frame(frame.right - (at + 1) * width, frame.y, width, frame.height)
        if shape.upright:
            room = Frame(frame.x, frame.y + at * ROW, frame.width, ROW)
        yield _reach(voyage, area, cities if at == count - 1 else (), room, upright=shape.upright)


def _reach(voyage: VoyageView, area: SeaAreaView, cities: Sequence[GoalView], frame: Frame, *, upright: bool) -> Reach:
    plan, key, draws = voyage.plan or NO_PLAN, area.key, draw_words(area.draws)
    here = (voyage.area or PORT) == key
    there = [*_there(voyage, area, cities, here=here)]
    lines = max(0, int((_room(frame, 0, upright=False).height - -(-len(there) // 2) * TOKEN[1]) // LINE))
    folds = [draws] if upright else fold_text(draws, frame.width - 8, 12.4, min(6, lines)) if lines else []
    tokens = list(_tokens(there, _room(frame, len(folds), upright=upright)))
    keys = [f"={key}"]
    keys += ["=force", "=go"] if key == voyage.ahead else []
    keys += ["=look"] if here else []
    number = str(area.rendezvous) if area.rendezvous else ""
    texts = [area.name, area.weather or "weather not known"]
    texts += [f"rendezvous {number}"] if number else []
    texts += [f"to move: {', '.join(f'{name} {least}' for name, least in area.move.items())}"] if number else []
    texts += [f"hazards: {draws}"] if draws else []
    texts += [token.title for token in tokens if not token.ghost]
    meet, launch = plan.rendezvous_area == key and not voyage.met, plan.launch_area == key
    texts += ["planned rendezvous"] if meet else []
    texts += ["planned launch"] if launch else []
    names = [area.name] if upright else fold_text(area.name, frame.width - 8, 16, 2)
    move = f"{area.weather}, {area.move[area.weather]}+" if area.weather and area.move else area.weather
    about = (number, area.weather, move, folds if draws else [])
    return Reach(key, keys, frame, names, *about, here, meet, launch, tokens, "; ".join(texts))


def _room(frame: Frame, draws: int, *, upright: bool) -> Frame:
    """Return the room for tokens in an area."""
    if upright:
        return Frame(frame.x + 152, frame.y + 4, frame.width - 156, frame.height - 22)
    return Frame(frame.x + 2, frame.y + 70, frame.width - 3, frame.height - 90 - LINE * draws)


def _tokens(tokens: Sequence[Token], room: Frame) -> Iterator[Token]:
    """[12.6.2] Yield what is in an area; and below, or next to it, what may be sent there."""
    real, ghosts = [one for one in tokens if not one.ghost], [one for one in tokens if one.ghost]
    if room.width < room.height:
        yield from _packed([*real, *ghosts], room)
        return
    part = min(0.75, max(0.5, len(real) / len(tokens))) if real and ghosts else 1.0
    own = room._replace(width=room.width * part)
    yield from _packed(real, own)
    yield from _packed(ghosts, Frame(own.right, room.y, room.width - own.width, room.height) if real else room)


def _packed(tokens: Sequence[Token], room: Frame) -> list[Token]:
    """Return the tokens in a frame, as large as there is room for."""
    scale, corners = spread(len(tokens), room, TOKEN, 1.2)
    return [token._replace(x=x, y=y, scale=scale) for token, (x, y) in zip(tokens, corners, strict=True)]


def _there(voyage: VoyageView, area: SeaAreaView, cities: Sequence[GoalView], *, here: bool) -> Iterator[Token]:
    """[12.6.2, 12.7.1] Yield who is in an area or may go there, and the cities that a submarine may help to find."""
    if here:
        afloat = sum(not ship.group and not ship.sunk for ship in voyage.ships)
        title = f"The task force: {afloat} ships, {voyage.fuel}"
        yield Token("force", "task-force", ["task-force", "=stay"], f"{afloat} ships", title, lit=voyage.fueled)
    for boat in voyage.submarines:
        if boat.area == area.key:
            state = "lost" if boat.lost else CONTACT if boat.contact else "silent"
            keys = [f"=call-{boat.key}", f"=break-{boat.key}", f"=to-{boat.key}"]
            kind = "lost" if boat.lost else "sub"
            yield Token(kind, boat.key, keys, boat.name, f"{boat.name}, {state}", lit=boat.contact)
    for recon in voyage.recon:
        if recon.area == area.key and recon.place not in ("hangar", "local", "low-cap", "high-cap"):
            yield Token("recon", recon.key, [f"=to-{recon.key}"], short(recon.name), f"{recon.name} on patrol")
        elif area.key in (voyage.area, voyage.ahead) and recon.sails:
            place = "force" if here else area.key
            keys, title = [f"={recon.key}-{place}"], f"{recon.name} flies there"
            yield Token("recon", "", keys, short(recon.name), title, lit=False, ghost=True)
    yield from (Token("group", "", [], "detached", "Ships on their way home") for _ in area.groups)
    yield from (Token("signal", "", [], "", f"Enemy signals: {marker.text}") for marker in area.signals)
    for city in cities:
        name = city.name.split(" and ")[0]
        yield Token("city", "", [f"=contact-{city.key}"], name, f"{city.name}: easier to find", lit=False, ghost=True)


def short(name: str) -> str:
    """Return the name of a recon marker as short as a token needs it.

    >>> short("CA (TF-18)"), short("VF6")
    ('TF-18', 'VF6')
    """
    return name.removeprefix("CA (").removesuffix(")")


def _land(frame: Frame, reaches: Sequence[Reach], *, upright: bool) -> str:
    """Return the coasts under the areas."""
    starts = [reach.frame.y if upright else reach.frame.right for reach in reaches]
    edges = list(zip(EDGES, [*starts, frame.bottom if upright else frame.x], strict=True))
    return Course(PACIFIC, frame, edges, mercator(NORTH), frame.width / UPRIGHT if upright else DEGREE, upright).land


# -- next to the map --------------------------------------------------------------------------------------------------


def track(voyage: VoyageView, width: float, *, narrow: bool) -> Panel:
    """[9.2] Return the naval turns of April, and the one of the planned rendezvous."""
    plan = voyage.plan or NO_PLAN
    cells, top = [], room_under(width) if narrow else Frame(TITLE, 4, width - TITLE - 6, 0)
    frames = row(top, len(voyage.turns), 26 if narrow else 30, 5 if narrow else None, gap=4 if narrow else 2)
    for at, (frame, label) in enumerate(zip(frames, voyage.turns, strict=True), start=1):
        meet = plan.rendezvous_turn == label
        texts = [Text(en_dashes(label).removesuffix(MONTH), 6 if narrow else 2, 17 if narrow else 13, "dl-figure")]
        flag = Text("⚑", frame.width - 14, 17, "dl-elite") if narrow else Text("meet", 4, 26, "dl-elite")
        texts += [flag] if meet else []
        title = f"{en_dashes(label)}{', planned rendezvous' if meet else ''}"
        cells.append(Cell(frame, [], title, texts, style=stage(at, voyage.turn), place=f"naval-turn-{at}"))
    return size_panel("April 1942", width, cells)


def recon(voyage: VoyageView, width: float, *, narrow: bool) -> Panel:
    """[9.5.2, 12.1.1, 12.1.2] Return the boxes of recon, and where each may be sent."""
    there, high = [one for one in voyage.recon if one.sails], pointed(26, narrow=narrow)
    patrols = [one for one in there if one.patrols]
    cells, y = list[Cell](), 22.0
    caps = [["low-cap"], ["high-cap"]] if narrow else [["low-cap", "high-cap"]]
    for keys in (["hangar"], ["local"], *caps):
        width_each = (width - 12 - 6 * (len(keys) - 1)) / len(keys)
        for at, key in enumerate(keys):
            room = Frame(6 + at * (width_each + 6), y, width_each, high)
            cells += _recon_box(key, patrols if "cap" in key else there, room, 84 if len(keys) == 1 else 58)
        y += high + 4
    return size_panel("Recon", width, cells)


def _recon_box(key: str, able: Sequence[ReconView], frame: Frame, name: float) -> Iterator[Cell]:
    """[12.1.1] Yield a box of recon, and next to it who is there or may be sent there."""
    yield Cell(frame._replace(width=name), [f"={key}"], BOXES[key], [Text(BOXES[key], 5, 17)])
    room = Frame(frame.x + name + 4, frame.y, frame.width - name - 4, 0)
    for place, one in zip(row(room, max(2 if name < 84 else 3, len(able)), frame.height, gap=3), able, strict=False):
        here = one.place == key
        keys = [f"=to-{one.key}", f"={one.key}"] if here else [f"={one.key}-{key}"]
        title = f"{one.name}{' is here' if here else ' might be here'}; {one.dice} dice against boats"
        texts = [Text(fit_text(short(one.name), place.width - 6), 4, 17, "dl-figure" if here else "dl-muted")]
        style, own = ("dl-on-box", one.key) if here else ("dl-ghost", "")
        yield Cell(place, keys, title, texts, style=style, key=own)


def met(voyage: VoyageView, width: float, *, narrow: bool) -> Panel:
    """[12.6] Return the hazards assigned to the patrols, and those resolved."""
    cells, y = list[Cell](), 22.0
    assigned = [(one, marker) for one in voyage.hazards.assigned for marker in one.markers]
    across = 1 if narrow else 2
    each = (width - 12 - 3 * (across - 1)) / across
    for at, (one, marker) in enumerate(assigned):
        folds = fold_text(f"{one.name}: {marker.at_sea}", each - 12, 12.4, 2)
        texts = [Text(text, 5, 15 + line * 14) for line, text in enumerate(folds)]
        frame = Frame(6 + at % across * (each + 3), y, each, pointed(7 + 14 * len(folds), narrow=narrow))
        title = f"{one.name}: {marker.at_sea}. {marker.text}"
        cells.append(Cell(frame, [f"=turn-{one.patrol}-{marker.cup}"], title, texts, key="-"))
        if at % across == across - 1 or at == len(assigned) - 1:
            y = frame.bottom + 3
    parts = fold_text(", ".join(voyage.met_with), width - 24, 12.4, 4) if voyage.met_with else []
    if parts and not assigned:
        frame = Frame(6, y, width - 12, 8 + 14 * len(parts))
        texts = [Text(text, 5, 15 + at * 14, "dl-note") for at, text in enumerate(parts)]
        cells.append(Cell(frame, [], f"Met this turn: {', '.join(voyage.met_with)}", texts))
    return size_panel("Met at sea", width, cells, ", ".join(voyage.met_with) if assigned else "")
