"""[1.1, 6.6] The ship from above, and the sea around her: eight bearings, and in each the planes by their height."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import copysign

from readyroom.engine.drawing import Frame
from readyroom.games.picket.figures.common import BEARINGS, SECTIONS, Section
from readyroom.games.picket.presentation.board_data import by_bearing
from readyroom.games.picket.presentation.drawing.shapes import POINTED, Shape
from readyroom.games.picket.presentation.hit_map import DIRECTIONS
from readyroom.games.picket.ship.view import MountView, ShipView
from readyroom.games.picket.text import bearing_key, deck_key, fire_key
from readyroom.games.picket.view import CaptainView, HitView, PlaneView

CARD = (58.0, 70.0)
"""Width and height of a plane with its name, hits and guns."""
STEPS = {"H": 0.0, "M": 4.0, "L": 8.0}
"""The downward shift of a plane by its height."""
LARGEST = 1.25
"""The maximum scale of a plane."""
LEAST = 0.88
"""The scale of a plane that measures 36 pixels on a wide board on a screen of 1366."""
SPREAD = 1.3
"""The most that planes in a row are apart, in widths of a plane."""
TITLE, EDGE, SIDE = 22.0, 4.0, 2.0
"""The height of an area's title, the margin of the sea, and the margin at the sides of an area."""
ABEAM = 124.0
"""The least height that the ship has with her guns on a wide board."""
ALONGSIDE = 1.4
"""The distance of a near miss from the centre line, in half beams."""
STRUCK = 1.3
"""The scale of the mark of a hit on the ship."""
ARC = 104.0
"""The reach of an arc on the board."""
PLACES = {
    "gun-1": (0.867, 0.0),
    "gun-2": (0.787, 0.0),
    "gun-3": (0.34, 0.0),
    "gun-4": (0.179, 0.0),
    "gun-5": (0.098, 0.0),
    "gun-a": (0.715, -0.66),
    "gun-b": (0.715, 0.66),
    "gun-c": (0.395, -0.66),
    "gun-d": (0.395, 0.66),
    "gun-e": (0.26, 0.0),
    "gun-f": (0.575, -0.78),
    "gun-g": (0.49, -0.8),
    "gun-h": (0.575, 0.78),
    "gun-i": (0.49, 0.8),
    "gun-j": (0.055, -0.6),
    "gun-k": (0.017, 0.0),
    "gun-l": (0.055, 0.6),
    "gun-m": (0.715, -0.66),
    "gun-n": (0.715, 0.66),
    "gun-o": (0.706, 0.0),
}
"""[1.1] The position of each mount: from stern (0) to bow (1), and from port (-1) to starboard (1)."""
RADII = {"5-inch": 11.0, "40mm": 9.0, "20mm": 6.5}
MIDDLES: dict[Section, float] = {"forward": 0.8, "midship": 0.53, "aft": 0.2}
"""[1.1.1] The centres of the three sections, from stern to bow."""
_SIDES = {45: 0.6, 90: 0.85, 135: 0.6, 225: -0.6, 270: -0.85, 315: -0.6}
"""The distance of a strike from the centre line by bearing; hits from ahead and astern alternate
sides, special attackers come from where their cards are."""


@dataclass(frozen=True, slots=True)
class Card:
    """A plane and its position."""

    plane: PlaneView
    x: float
    y: float
    scale: float
    guns: Sequence[str] = ()
    """[6.8.G] The mounts that have it in their arcs."""

    @property
    def frame(self) -> Frame:
        """Return the covered area."""
        return Frame(self.x, self.y, CARD[0] * self.scale, CARD[1] * self.scale)


@dataclass(frozen=True, slots=True)
class Area:
    """[1.1] A bearing: its frame, its planes, and the heights that list and trim mask."""

    key: str
    bearing: int
    name: str
    frame: Frame
    masked: str
    cards: Sequence[Card]


@dataclass(frozen=True, slots=True)
class Turret:
    """[1.1] A mount on deck: its position, direction and arc."""

    mount: MountView
    x: float
    y: float
    radius: float
    turned: float
    arc: str
    reach: Frame
    """Where it can be pointed at, relative to it."""
    scale: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A fire or a hit and its position; fires on a deck have a key."""

    x: float
    y: float
    size: float
    title: str
    near: bool = False
    key: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class Battle:
    """The sea around the ship."""

    frame: Frame
    middle: tuple[float, float]
    turned: float
    scale: tuple[float, float]
    areas: Sequence[Area]
    turrets: Sequence[Turret]
    shots: Mapping[str, Sequence[str]]
    decks: Sequence[Mark]
    bursts: Sequence[Mark]
    fires: Sequence[Mark]


def battle(view: CaptainView, shape: Shape) -> Battle:
    """Return the ship, her guns and her attackers."""
    table = view.table
    turrets = [turret(mount, shape) for mount in table.ship.mounts]
    planes, heights = by_bearing(table.raid.now.slots), table.ship.masked_heights
    where = frames(shape, {bearing: len(planes[bearing]) for bearing in BEARINGS})
    areas = []
    for bearing in BEARINGS:
        cards = list(_cards(planes[bearing], where[bearing], turrets))
        areas.append(
            Area(
                bearing_key(bearing),
                bearing,
                DIRECTIONS[bearing],
                where[bearing],
                "".join(heights[str(bearing)]),
                cards,
            )
        )
    return Battle(
        frame=shape.sea,
        middle=shape.sea.middle,
        turned=shape.turned,
        scale=shape.scale,
        areas=areas,
        turrets=turrets,
        shots=_shots(areas),
        decks=[Mark(*shape.on_deck(along, 0), 1, "", key=deck_key(section)) for section, along in MIDDLES.items()],
        bursts=list(_bursts([*(hit for hit in table.hits if hit.turn == view.turn), *_struck_now(view)], shape)),
        fires=list(_fires(table.ship, shape)),
    )


def frames(shape: Shape, planes: Mapping[int, int] | None = None) -> dict[int, Frame]:
    """[1.1] Return the frame of each bearing around the ship; those with more planes are larger."""
    x, y, width, height = shape.sea.inset(EDGE)
    counts = dict.fromkeys(BEARINGS, 0) | dict(planes or {})
    if shape.upright:
        end, side = 104.0, (width - shape.beam - 44) / 2
        pairs = ((315, 45), (270, 90), (225, 135))
        rows = _shares(height - 2 * end, [-(-max(counts[left], counts[right]) // 2) for left, right in pairs], 1)
        result = {0: Frame(x, y, width, end), 180: Frame(x, y + height - end, width, end)}
        down = y + end
        for (left, right), row in zip(pairs, rows, strict=True):
            result[left] = Frame(x, down, side, row)
            result[right] = Frame(x + width - side, down, side, row)
            down += row
        return result
    side = (width - shape.length) / 2 - 8
    between = max(ABEAM, TITLE + -(-max(counts[0], counts[180]) // 2) * (CARD[1] + max(STEPS.values())) * LEAST)
    high = min(122.0, (height - between) / 2)
    result = {180: Frame(x, y + high, side, height - 2 * high)}
    result[0] = result[180]._replace(x=x + width - side)
    for top, bearings in ((y, (225, 270, 315)), (y + height - high, (135, 90, 45))):
        across = x
        for bearing, share in zip(bearings, _shares(width, [counts[one] for one in bearings], 3), strict=True):
            result[bearing] = Frame(across, top, share, high)
            across += share
    return result


def _shares(whole: float, counts: Sequence[int], least: int) -> list[float]:
    """Return the parts of a length, each as large as its number is, or as `least` if that is more.

    >>> list(map(round, _shares(80, [1, 4, 2], 2)))
    [20, 40, 20]
    """
    weights = [max(least, count) for count in counts]
    return [whole * weight / sum(weights) for weight in weights]


def _shots(areas: Sequence[Area]) -> dict[str, list[str]]:
    """[6.8.G] Return the option keys of each gun's shots, and of the shots at each plane."""
    keys: dict[str, list[str]] = {}
    for card in (card for area in areas for card in area.cards):
        for gun in card.guns:
            for piece in (gun, card.plane.key):
                keys.setdefault(piece, []).append(f"{gun}-{card.plane.key}")
    return keys


def pack(count: int, width: float, height: float) -> tuple[float, int]:
    """Return the scale at which the planes fit, and how many fit in a row.

    >>> pack(3, 174, 99)
    (1.0, 3)
    """
    tall = CARD[1] + max(STEPS.values())
    fits = (
        (min(LARGEST, width / (CARD[0] * -(-count // rows)), height / (tall * rows)), -(-count // rows))
        for rows in range(1, max(1, count) + 1)
    )
    scale, columns = max(fits, key=lambda one: one[0])
    return round(scale, 3), columns


def _cards(planes: Sequence[PlaneView], frame: Frame, turrets: Sequence[Turret]) -> Iterator[Card]:
    """[6.6] Yield the planes of a bearing in rows; low planes are drawn lower."""
    if not planes:
        return
    inner = Frame(frame.x + SIDE, frame.y + TITLE, frame.width - 2 * SIDE, frame.height - TITLE)
    scale, columns = pack(len(planes), inner.width, inner.height)
    tall = (CARD[1] + max(STEPS.values())) * scale
    wide = min(inner.width / columns, SPREAD * CARD[0] * scale)
    left = inner.x + (inner.width - columns * wide) / 2 + (wide - CARD[0] * scale) / 2
    for at, plane in enumerate(planes):
        x = left + at % columns * wide
        y = inner.y + at // columns * tall + STEPS[plane.height] * scale
        if plane.away:  # the others stay where they are
            continue
        guns = tuple(one.mount.key for one in turrets if plane.bearing in one.mount.arc)
        yield Card(plane, x, y, scale, guns)


def turret(mount: MountView, shape: Shape) -> Turret:
    """[1.1] Return a mount with its position on this board and its arc."""
    x, y = shape.on_deck(*PLACES[mount.key])
    first, last = span(mount.arc)
    middle = (first + last) / 2 - (90 if shape.upright else 0)
    return Turret(
        mount,
        x,
        y,
        RADII[mount.kind] * shape.guns,
        middle,
        _wedge(first, last, shape),
        _reach(mount, shape),
        shape.guns,
    )


def _reach(mount: MountView, shape: Shape) -> Frame:
    """Return where a mount can be pointed at: around it, but outboard of those on the centre line."""
    if shape.upright:
        size, outboard = 2 * RADII[mount.kind] + 8, 0.0
    else:
        size, abeam = POINTED, PLACES[mount.key][1]
        outboard = copysign(size, abeam) - abeam * shape.beam / 2 if abeam else 0.0
    return Frame(-size / 2, outboard - size / 2, size, size)


def span(arc: Sequence[int]) -> tuple[float, float]:
    """[6.8.G] Return the first and the last angle of an arc, clockwise.

    >>> span([270, 315, 0, 45, 90])
    (247.5, 472.5)
    """
    first = next(bearing for bearing in arc if (bearing - 45) % 360 not in arc)
    return first - 22.5, first + 45 * (len(arc) - 1) + 22.5


def _wedge(first: float, last: float, shape: Shape) -> str:
    """Return the path of a gun's arc, relative to the gun."""
    (x, y), (u, v) = shape.toward(first), shape.toward(last)
    large = int(last - first > 180)
    start, end = f"{x * ARC:.1f} {y * ARC:.1f}", f"{u * ARC:.1f} {v * ARC:.1f}"
    return f"M0 0L{start}A{ARC:.0f} {ARC:.0f} 0 {large} 1 {end}Z"


def _struck_now(view: CaptainView) -> Iterator[HitView]:
    """[7.1.C] Yield the plane that has just struck, while its damage is not determined yet."""
    table = view.table
    noted = [hit for hit in table.hits if (hit.turn, hit.watch) == (view.turn, table.watch)]
    crashes = sum(not (hit.near or hit.weapon) for hit in noted)
    away = [plane for plane in (*table.raid.now.planes, *table.raid.now.specials) if plane.away]
    if away and table.raid.struck > crashes:
        last = away[-1]
        where = last.height or last.section
        yield HitView(view.turn, table.watch, last.plane, last.bearing, where, [], name=last.name, effects=[])


def _bursts(bursts: Sequence[HitView], shape: Shape) -> Iterator[Mark]:
    """[1.5] Yield the hits of this turn next to each other."""
    for at, burst in enumerate(bursts):
        along = MIDDLES[burst.section] + (at % 4 - 1.5) * 0.045
        aside = _SIDES.get(burst.bearing, 0.0) or (0.5 if at % 2 or burst.bearing < 0 else -0.5)
        x, y = shape.on_deck(along, copysign(ALONGSIDE, aside) if burst.near else aside)
        yield Mark(x, y, STRUCK, burst.title, burst.near, section=burst.section)


def _fires(ship: ShipView, shape: Shape) -> Iterator[Mark]:
    """[7.8.1] Yield the deck fires; their size shows the level."""
    for section in SECTIONS:
        fires = ship.fires[section]
        if fires:
            x, y = shape.on_deck(MIDDLES[section], -0.1)
            title = f"Fire on the {section} deck: {fires} of {ship.deck_fires}"
            yield Mark(x, y, 0.5 + 0.3 * fires, title, key=fire_key(section))
