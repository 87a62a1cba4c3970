"""[1.5] The map of hits: the ship from above with all hits, and the planes that each gun shot down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readyroom.engine.drawing import Frame
from readyroom.games.picket.presentation.drawing.battle import MIDDLES, Turret, turret
from readyroom.games.picket.presentation.drawing.shapes import Shape
from readyroom.games.picket.presentation.hit_map import DECK, PORT, Mark
from readyroom.games.picket.view import CruiseView

WIDE = Shape("wide", 980, margin=6, gap=5, sea=Frame(6, 34, 968, 236), upright=False, length=640, beam=96)
NARROW = Shape("narrow", 390, margin=6, gap=6, sea=Frame(6, 34, 378, 548), upright=True, length=396, beam=88)
ROW, STEP = 5, 0.058
"""The number of hits in a row of a section, and the distance between them."""
PLACES_IN_TURN = (0, -1, 1, -2, 2)
"""Their order, from the centre of the section outwards."""
ABOARD, ALONGSIDE, DEEPER = 0.62, 1.5, 0.5
"""The distances of a hit and of a near miss from the centre line, and the step for each full row."""
WAY = 46.0
"""The length of the line that shows the direction of a hit."""


@dataclass(frozen=True, slots=True)
class Star:
    """A hit, its position, and the end of its direction line; a special attacker has none."""

    mark: Mark
    x: float
    y: float
    way: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Kill:
    """[1.5, 11.2] A gun and the number of planes that it shot down."""

    turret: Turret
    planes: int
    ace: bool


@dataclass(frozen=True, slots=True)
class Struck:
    """The map of hits in one shape of the board."""

    shape: str
    width: float
    height: float
    frame: Frame
    middle: tuple[float, float]
    turned: float
    scale: tuple[float, float]
    turrets: Sequence[Turret]
    kills: Sequence[Kill]
    stars: Sequence[Star]


def struck(table: CruiseView, log: Sequence[Mark], shape: Shape) -> Struck:
    """Return the map of hits."""
    turrets = [turret(mount, shape) for mount in table.ship.mounts]
    kills = [(one, table.tally.kills.get(one.mount.key, 0)) for one in turrets]
    return Struck(
        shape=shape.name,
        width=shape.width,
        height=shape.sea.bottom + shape.margin,
        frame=shape.sea,
        middle=shape.sea.middle,
        turned=shape.turned,
        scale=shape.scale,
        turrets=turrets,
        kills=[Kill(one, planes, planes >= table.ace_kills) for one, planes in kills if planes],
        stars=list(_stars(log, shape)),
    )


def _stars(log: Sequence[Mark], shape: Shape) -> Iterator[Star]:
    """[7.1.C] Yield the hits by section and side, next to each other."""
    there = Counter[tuple[str, bool]]()
    for mark in log:
        place = mark.hit.section, mark.hit.near
        at, row = there[place] % ROW, there[place] // ROW
        there[place] += 1
        along = MIDDLES[mark.hit.section] + PLACES_IN_TURN[at] * STEP
        x, y = shape.on_deck(along, _abeam(mark, at, row))
        right, down = shape.toward(mark.hit.bearing)
        yield Star(mark, x, y, (x + right * WAY, y + down * WAY) if mark.hit.bearing >= 0 else None)


def _abeam(mark: Mark, at: int, row: int) -> float:
    """Return the distance from the centre line, negative to port; hits from ahead and astern alternate sides."""
    if mark.side == DECK:
        side = 1 if at % 2 else -1
        return side * (ALONGSIDE if mark.hit.near else 0.2 + 0.3 * row)
    out = ALONGSIDE + DEEPER * row if mark.hit.near else ABOARD - DEEPER * row
    return -out if mark.side == PORT else out
