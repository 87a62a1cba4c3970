"""[9.5] The task force as it sails, bow to the left: spaces, ships, arrows of an attack; and the deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from readyroom.engine.drawing import Frame
from readyroom.games.doolittle.denouement.view import StrikeView
from readyroom.games.doolittle.presentation.drawing.cells import (
    Cell,
    Panel,
    Sign,
    Text,
    fit_text,
    fold_text,
    pointed,
    room_under,
    row,
    size_panel,
)
from readyroom.games.doolittle.presentation.drawing.shapes import spread
from readyroom.games.doolittle.presentation.scene import Plane
from readyroom.games.doolittle.voyage.view import ShipView, SpaceView, VoyageView

FAR, NEAR = 0.18, 0.165
"""How wide the spaces far ahead and astern, and those near, are in parts of the layout."""
BEAM, SLIM_BEAM = 0.18, 0.15
"""How high the spaces abeam are, on a wide board and on a narrow one."""
SLIM = 420.0
"""A layout that is no wider than this is a narrow board's."""
ALIKE = 0.185
"""How wide the spaces ahead and astern are on a narrow board."""
GAP = 4.0
NAME = 13.5
HULL = (66.0, 42.0)
CARDS = 8
"""How many bombers on a wide board's deck have their names."""
MOST = 1.5
"""The largest scale of ships."""
LENGTHS = {"CV": 1.0, "AO": 0.78, "CA": 0.84, "CL": 0.76, "DD": 0.6}
"""How long a ship is drawn next to a carrier."""
FROM = {
    "port": (0.5, 1.0, 0, 1),
    "starboard": (0.5, 0.0, 0, -1),
    "ahead": (0.0, 0.5, -1, 0),
    "astern": (1.0, 0.5, 1, 0),
}
"""From where an arrow enters a space, near or far: a point of its edge, and the way outwards."""


class Hull(NamedTuple):
    """[10.1] A ship where she sails."""

    ship: ShipView
    keys: Sequence[str]
    x: float
    y: float
    scale: float
    length: float
    title: str


class Space(NamedTuple):
    """[9.5.1] A space of the layout."""

    key: str
    frame: Frame
    name: str
    ships: Sequence[Hull]
    title: str


class Arrow(NamedTuple):
    """[11.4.1] The way of an attack, and the faces of the die that lead it there."""

    kind: str
    path: str
    x: float
    y: float
    face: str
    title: str


class Force(NamedTuple):
    """[9.5] The layout of the task force, or of ships that sail alone."""

    frame: Frame
    title: str
    spaces: Sequence[Space]
    arrows: Sequence[Arrow]


def force(voyage: VoyageView, strike: StrikeView | None, frame: Frame) -> Force:
    """Return the layout in a frame; under attack with the arrows by which planes come."""
    rooms = _rooms(frame)
    group = strike.group if strike and strike.found == "group" else ""
    sailing = [ship for ship in voyage.ships if not ship.sunk and ship.group == group]
    ships = {space.key: [ship for ship in sailing if ship.space == space.key] for space in voyage.layout}
    scales = (spread(len(here), _inside(rooms[key]), HULL, MOST)[0] for key, here in ships.items() if here)
    scale = min([MOST, *scales])  # all ships are drawn in one scale
    spaces = [_space(space, ships[space.key], rooms[space.key], scale) for space in voyage.layout]
    arrows = list(_arrows(voyage, rooms)) if strike else []
    notes = ["delayed"] if voyage.plan and voyage.plan.delayed and not voyage.met else []
    notes += ["the forces have met"] if voyage.met else []
    title = "Ships that sail alone" if group else ", ".join([voyage.force, voyage.fuel, *voyage.penalties, *notes])
    return Force(frame, title, spaces, arrows)


def _rooms(frame: Frame) -> dict[str, Frame]:
    """Return the frame of each space; the bow is to the left, so port is below."""
    slim = frame.width < SLIM
    far, near = frame.width * (ALIKE if slim else FAR), frame.width * (ALIKE if slim else NEAR)
    beam = frame.height * (SLIM_BEAM if slim else BEAM)
    left = frame.x + far + GAP
    wide = frame.width - 2 * (far + GAP)
    middle = frame.height - 4 * (beam + GAP)
    tops = [frame.y, frame.y + beam + GAP, frame.y + 2 * (beam + GAP)]
    tops += [tops[2] + middle + GAP, tops[2] + middle + beam + 2 * GAP]
    heart = wide - 2 * (near + GAP)
    outer, start = (wide, left) if slim else (heart, left + near + GAP)
    return {
        "starboard-far": Frame(start, tops[0], outer, beam),
        "starboard": Frame(left, tops[1], wide, beam),
        "ahead-far": Frame(frame.x, tops[2], far, middle),
        "ahead": Frame(left, tops[2], near, middle),
        "center": Frame(left + near + GAP, tops[2], heart, middle),
        "astern": Frame(left + near + heart + 2 * GAP, tops[2], near, middle),
        "astern-far": Frame(frame.right - far, tops[2], far, middle),
        "port": Frame(left, tops[3], wide, beam),
        "port-far": Frame(start, tops[4], outer, beam),
    }


def _inside(frame: Frame) -> Frame:
    """Return the room in a space under its name."""
    return Frame(frame.x + 3, frame.y + NAME, frame.width - 6, frame.height - NAME - 0.5)


def _space(space: SpaceView, ships: Sequence[ShipView], frame: Frame, scale: float) -> Space:
    left = f"room {space.left}" if space.left is not None else ""
    names = ", ".join(ship.name for ship in ships) or "nobody"
    return Space(space.key, frame, space.name, list(_hulls(ships, frame, scale)), f"{space.name}: {names}; {left}")


def _hulls(ships: Sequence[ShipView], frame: Frame, scale: float) -> Iterator[Hull]:
    inner = _inside(frame)
    columns = max(1, int((inner.width + 0.5) / (HULL[0] * scale)))
    prefixes = ("detach", "hit", "on", "at", "react", "refuel", "hurt", "center")
    for at, ship in enumerate(ships):
        x = inner.x + at % columns * HULL[0] * scale
        y = inner.y + at // columns * HULL[1] * scale
        texts = [f"{ship.name} ({ship.hull_number})", f"flak {ship.flak}, reaction {ship.reaction}, hull {ship.hull}"]
        texts += ["damaged"] * bool(ship.hits) + ["slow"] * ship.slow
        texts += [f"refuels on {ship.refuel}"] if ship.refuel else []
        texts += [marker.at_sea for marker in ship.markers]
        keys = [*(f"={prefix}-{ship.key}" for prefix in prefixes), f"={ship.key}"]
        yield Hull(ship, keys, x, y, scale, LENGTHS[ship.type], "; ".join(texts))


def _arrows(voyage: VoyageView, rooms: Mapping[str, Frame]) -> Iterator[Arrow]:
    """[11.4.1] Yield the arrows of an attack: three for torpedo planes, two for dive bombers."""
    for one in voyage.arrows:
        if one.kind == "i-boat" or (side := one.spaces[0].removesuffix("-far")) not in FROM:
            continue
        room, (right, down, dx, dy) = rooms[one.spaces[0]], FROM[side]
        shift = 0.3 if one.kind == "dive" else 0.0
        x = room.x + room.width * (right + (shift if dx == 0 else 0))
        y = room.y + room.height * (down + (shift if dy == 0 else 0))
        ax, ay = x - dx * 26, y - dy * 26
        path = _pointer(x - dx * 4, y - dy * 4, ax, ay)
        name = {"torpedo": "Torpedo planes", "dive": "Dive bombers"}[one.kind]
        title = f"{name} are here on {one.face}"
        mx, my = (x + ax) / 2, (y + ay) / 2
        yield Arrow(one.kind, path, mx + (18 if dx == 0 else 0), my + (4 if dx == 0 else -8), one.face, title)


def _pointer(x: float, y: float, tx: float, ty: float) -> str:
    """Return an arrow from one point to another."""
    dx, dy = tx - x, ty - y
    long = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / long, dy / long
    left, right = (tx - ux * 8 - uy * 5, ty - uy * 8 + ux * 5), (tx - ux * 8 + uy * 5, ty - uy * 8 - ux * 5)
    head = f"M{left[0]:.1f} {left[1]:.1f}L{tx:.1f} {ty:.1f}L{right[0]:.1f} {right[1]:.1f}"
    return f"M{x:.1f} {y:.1f}L{tx:.1f} {ty:.1f}{head}"


# -- next to the layout -----------------------------------------------------------------------------------------------


def deck(voyage: VoyageView, squad: Sequence[Plane], width: float, *, narrow: bool) -> Panel:
    """[12.3] Return the bombers on the Hornet's deck, those that take off now in front; many of them as counters."""
    board = voyage.deck
    going = [key for flight in board.flights for key in flight]
    keys = [key for key in going if key in board.aboard] + [key for key in board.aboard if key not in going]
    last = board.gone[-1] if board.gone and board.going else ()
    keys = [*(key for key in last if key not in keys), *keys]
    known = {plane.key: plane for plane in squad}
    cells, many = list[Cell](), len(keys) > CARDS and not narrow
    across = 8 if many else 4
    for frame, key in zip(
        row(room_under(width), len(keys), pointed(30, narrow=narrow), across, gap=3), keys, strict=True
    ):
        plane = known[key]
        number = next((at for at, flight in enumerate(board.flights, start=1) if key in flight), 0)
        notes = ([f"flight {number}"] if number else []) + (["damaged"] if plane.hits else [])
        notes += [one.summary.split(",")[0].lower() for one in plane.attached]
        notes += ["taking off"] if key in last else []
        notes += [plane.elite.role] if plane.elite and not notes else []
        texts = [
            Text(fit_text(f"{plane.number} {plane.pilot}", frame.width - 16), 5, 13),
            Text(fit_text(", ".join(notes), frame.width - 8), 5, 25, "dl-where"),
        ]
        signs = [Sign("pc-fire", frame.width - 9, 12, 0.45)] if plane.hits else []
        if many:
            texts = [Text(str(plane.number), 4, 13, "dl-figure")]
            texts += [Text(f"F{number}" if number else "★", 4, 36, "dl-elite")] if number or plane.elite else []
            signs.insert(0, Sign("pc-dl-bomber", frame.width - 28, 13))
        cells.append(Cell(frame, [key, f"={key}-damage"], plane.title, texts, signs, "dl-on-box" if number else ""))
    state = "the deck is wrecked" if board.wrecked else "the deck has burned" if board.burned else ""
    gone = sum(len(flight) for flight in board.gone)
    note = state or (f"{gone} have gone" if gone else f"{len(keys)} bombers")
    return size_panel("On the deck", width, cells, note)


def planes(strike: StrikeView, width: float, *, narrow: bool) -> Panel:
    """[11.0, 11.4] Return the airstrike: its target, its waves, and our planes against them."""
    planes = {"recon": "A recon was found", "task-force": "The force was found", "submarine": "A submarine was found"}
    text = planes.get(strike.found, "Ships that sail alone were found")
    top = room_under(width)
    cells = [Cell(top._replace(height=22), [], text, [Text(text, 5, 15)], style="dl-refused")]
    y = 48.0
    for at, wave in enumerate(strike.waves, start=1):
        named = fold_text(f"Wave {at}: {', '.join(wave)}", width - 24, 12.4, 1)[0]
        keys = [f"=wave-{'-'.join(wave)}", *(f"={kind}" for kind in wave)] if at == 1 else [f"=wave-{'-'.join(wave)}"]
        high = pointed(22, narrow=narrow)
        cells.append(Cell(Frame(6, y, width - 12, high), keys, named, [Text(named, 5, high / 2 + 4)]))
        y += high + 3
    if strike.navy:
        navy = f"Against them: {', '.join(key.upper() for key in strike.navy)}"
        cells.append(Cell(Frame(6, y, width - 12, 22), [], navy, [Text(navy, 5, 15)], style="dl-on-box"))
    return size_panel("Airstrike", width, cells)
