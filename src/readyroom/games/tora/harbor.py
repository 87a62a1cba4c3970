"""The harbor inch by inch: water and land, berths and nests, torpedo runs, and ship movement.

A cell is a pair (x, y), counted from the north-west. A base is one cell wide; `Berth` has its north-west cell and its
orientation. Functions about ships take anything with a key, name, kind and length: a ship of the battle or a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple, Protocol

from readyroom.games.tora.figures import HarborFigures, Places
from readyroom.games.tora.plans.data import Berth

Cell = tuple[int, int]
Lie = Literal["h", "v"]
LIES: tuple[Lie, Lie] = ("h", "v")
NEIGHBOURS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
CARRIER, BATTLESHIP = "CV", "BB"
CHANNEL_ZONE, SEA_ZONE = "2SE", "3SE"


class Hull(Protocol):
    """What the harbor needs to know of a ship."""

    @property
    def key(self) -> str:
        """Her key."""
        ...

    @property
    def name(self) -> str:
        """Her name."""
        ...

    @property
    def kind(self) -> str:
        """The letters of her hull number."""
        ...

    @property
    def length(self) -> int:
        """The length of her base in cells."""
        ...


class ShipAtBerth(NamedTuple):
    """A ship at her berth; `sunk` hulls stay in place (T8)."""

    hull: Hull
    berth: Berth
    sunk: bool = False

    @property
    def cells(self) -> list[Cell]:
        """The cells under her base."""
        return self.berth.cells(self.hull.length)


class No(NamedTuple):
    """Why something is not allowed: the rule and a sentence."""

    rule: str
    reason: str


# -- water and land --------------------------------------------------------------------------------------------------


def in_harbor(harbor: HarborFigures, cell: Cell) -> bool:
    """[4.4] Return whether a cell is water of zone 1: inside the harbor and not on Ford Island."""
    x, y = cell
    return 0 <= x < harbor.width and 0 <= y < harbor.height and not harbor.island.holds(x, y)


def is_water(harbor: HarborFigures, cell: Cell) -> bool:
    """[18.1, 18.4] Return whether a cell is water: harbor, channel or sea."""
    return in_harbor(harbor, cell) or harbor.channel.holds(*cell) or harbor.sea.holds(*cell)


def zone_of(harbor: HarborFigures, berth: Berth, length: int) -> str:
    """[4.1, 18.4] Return the zone of the middle of a base; the channel is in 2SE, the sea beyond in 3SE."""
    middle = (length - 1) / 2
    x, y = (berth.x + middle, float(berth.y)) if berth.lie == "h" else (float(berth.x), berth.y + middle)
    if y >= harbor.sea.y[0]:
        return SEA_ZONE
    if y >= harbor.channel.y[0]:
        return CHANNEL_ZONE
    return f"1{'N' if y <= harbor.north_to else 'S'}{'W' if x <= harbor.west_to else 'E'}"


@lru_cache(maxsize=32)
def _afloat(harbor: HarborFigures, lie: Lie, length: int, inside: bool) -> frozenset[Cell]:
    """Return the north-west cells at which a base is entirely on water (`inside`: of zone 1)."""
    wet = in_harbor if inside else is_water
    columns = range(max(harbor.width, harbor.sea.x[1] + 1))
    rows = range(harbor.height if inside else harbor.sea.y[1] + 1)
    water = {cell for cell in product(columns, rows) if wet(harbor, cell)}
    dx, dy = _along(lie)
    return frozenset(
        (x, y) for x, y in water if all((x + dx * step, y + dy * step) in water for step in range(1, length))
    )


def _along(lie: Lie) -> Cell:
    return (1, 0) if lie == "h" else (0, 1)


def _across(lie: Lie) -> Cell:
    return (0, 1) if lie == "h" else (1, 0)


# -- berths and nests ------------------------------------------------------------------------------------------------


def alongside(one: ShipAtBerth, other: ShipAtBerth) -> bool:
    """[5.15] Return whether two ships nest: long edge on long edge."""
    a, b = one.berth, other.berth
    if a.lie != b.lie:
        return False
    if a.lie == "h":
        return abs(a.y - b.y) == 1 and a.x < b.x + other.hull.length and b.x < a.x + one.hull.length
    return abs(a.x - b.x) == 1 and a.y < b.y + other.hull.length and b.y < a.y + one.hull.length


def _edge_cells(ship: ShipAtBerth) -> Iterator[Cell]:
    """The cells along both long edges."""
    dx, dy = _across(ship.berth.lie)
    for x, y in ship.cells:
        yield x - dx, y - dy
        yield x + dx, y + dy


def by_the_island(harbor: HarborFigures, ship: ShipAtBerth) -> bool:
    """[5.14] Return whether a long edge touches Ford Island (T26)."""
    return any(harbor.island.holds(*cell) for cell in _edge_cells(ship))


def by_the_yard(harbor: HarborFigures, ship: ShipAtBerth) -> bool:
    """[5.14] Return whether a ship is along the Navy Yard: the shore of 1SE, clear of the channel mouth."""
    east, south = harbor.yard_east, harbor.yard_south
    if ship.berth.lie == "v":
        return all(east.holds(*cell) for cell in ship.cells)
    mouth = harbor.channel.x
    return all(south.holds(*cell) and not mouth[0] <= cell[0] <= mouth[1] for cell in ship.cells)


def by_land(harbor: HarborFigures, ship: ShipAtBerth) -> bool:
    """Return whether a long edge touches land."""
    return any(not is_water(harbor, cell) for cell in _edge_cells(ship))


def dock_of(places: Places) -> Berth | None:
    """Return the dry dock: the berth of the default anchorage that is one (T24)."""
    return next((berth for berth in places.anchorage.berths.values() if berth.dock), None)


def why_not(places: Places, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> No | None:
    """[5.14, 5.15] Return why a ship may not anchor at her berth, given the others (T25); None if she may."""
    harbor, hull, others = places.harbor, ship.hull, list(others)
    if not all(in_harbor(harbor, cell) for cell in ship.cells):
        return No("5.14", f"{hull.name} must be entirely on water of zone 1; {ship.berth.key} is not.")
    if ship.berth.dock and ship.berth != dock_of(places):
        return No("T24", f"There is no dry dock at {ship.berth.key} for {hull.name}.")
    for other in others:
        if not set(ship.cells).isdisjoint(other.cells):
            return No("T25", f"{hull.name} would overlap {other.hull.name}.")
    return _why_not_nested(ship, others) or _why_not_there(harbor, ship, others)


def _why_not_nested(ship: ShipAtBerth, others: list[ShipAtBerth]) -> No | None:
    """[5.15] Check that at most two ships nest, and no carriers."""
    partners = [other for other in others if alongside(ship, other)]
    for carrier in (each for each in (ship, *partners) if each.hull.kind == CARRIER and partners):
        return No("5.15", f"{carrier.hull.name} is a carrier, and carriers may not nest.")
    crowd = [ship, *partners]
    for partner in partners:
        crowd += [other for other in others if other not in crowd and alongside(partner, other)]
    if len(crowd) > 2:
        names = ", ".join(each.hull.name for each in crowd)
        return No("5.15", f"{names} cannot nest together: at most two ships may.")
    return None


def _why_not_there(harbor: HarborFigures, ship: ShipAtBerth, others: list[ShipAtBerth]) -> No | None:
    """[5.14] Check that carriers are north of the island; battleships next to it, at the yard or nested (T26)."""
    hull, berth = ship.hull, ship.berth
    north_side = berth.lie == "h" and berth.y == harbor.island.y[0] - 1 and by_the_island(harbor, ship)
    if hull.kind == CARRIER and not north_side:
        return No("5.14", f"{hull.name} is a carrier and must anchor along the north side of Ford Island.")
    if hull.kind == BATTLESHIP and not any(
        by_the_island(harbor, each) or by_the_yard(harbor, each)
        for each in (ship, *(one for one in others if one.hull.kind != CARRIER and alongside(ship, one)))
    ):
        return No("5.14", f"{hull.name} is a battleship and must anchor next to Ford Island or along the Navy Yard.")
    return None


class _Shape(NamedTuple):
    """A hull of any ship of a kind, to find possible places."""

    kind: str
    length: int
    key: str = ""
    name: str = ""


@lru_cache(maxsize=16)
def _shore(harbor: HarborFigures, kind: str, lie: Lie, length: int) -> frozenset[Cell]:
    """[5.14] Return the north-west cells at which a carrier or battleship may anchor at a shore."""
    shape = _Shape(kind, length)
    return frozenset(
        (x, y)
        for x, y in _afloat(harbor, lie, length, True)
        if _why_not_there(harbor, ShipAtBerth(shape, Berth(x, y, lie)), []) is None
    )


def _outside(harbor: HarborFigures, hull: Hull, lie: Lie, others: list[ShipAtBerth]) -> set[Cell]:
    """[5.15] Return the north-west cells at which a battleship may nest outside another ship.

    Carriers do not nest, so none of these is open to them.
    """
    inner = (each for each in others if each.berth.lie == lie and each.hull.kind != CARRIER)
    return {
        cell
        for each in inner
        if by_the_island(harbor, each) or by_the_yard(harbor, each)
        for cell in _nesting(hull, each)
    }


def _legal_cells(harbor: HarborFigures, hull: Hull, lie: Lie, others: list[ShipAtBerth]) -> set[Cell]:
    """Return the north-west cells at which she overlaps no ship and makes no illegal nest."""
    dx, dy = _along(lie)
    taken = {(x - dx * step, y - dy * step) for other in others for x, y in other.cells for step in range(hull.length)}
    nesting: dict[Cell, list[ShipAtBerth]] = {}
    for other in others:
        if other.berth.lie == lie:
            for cell in _nesting(hull, other):
                nesting.setdefault(cell, []).append(other)
    paired = [one for one in others if any(alongside(one, other) for other in others)]
    bad = {
        cell
        for cell, partners in nesting.items()
        if hull.kind == CARRIER
        or len(partners) > 1
        or partners[0].hull.kind == CARRIER
        or any(partners[0] is one for one in paired)
    }
    return set(_afloat(harbor, lie, hull.length, True)) - taken - bad


def _nesting(hull: Hull, other: ShipAtBerth) -> Iterator[Cell]:
    """Yield the north-west cells at which a ship would be alongside another."""
    (dx, dy), (ax, ay) = _along(other.berth.lie), _across(other.berth.lie)
    for side, step in product((-1, 1), range(1 - hull.length, other.hull.length)):
        yield other.berth.x + ax * side + dx * step, other.berth.y + ay * side + dy * step


DOCK, STREAM, NEST = "dock", "stream", "by"


def moorings(places: Places, hull: Hull, others: Iterable[ShipAtBerth]) -> dict[str, list[Berth]]:
    """[5.14, 5.15] Return every berth that `why_not` allows, by place, from the north-west on.

    `by-maryland` is alongside Maryland, `island-north` at a side of Ford Island, `yard-v` along the Navy Yard,
    `stream-1NW-h` on open water of a quadrant, and `dock` is the dry dock.
    """
    harbor, others = places.harbor, list(others)
    cells_of: dict[str, set[Cell]] = {}
    lies: dict[str, Lie] = {}
    for lie in LIES:
        free = _legal_cells(harbor, hull, lie, others)
        if hull.kind in (CARRIER, BATTLESHIP):
            free &= _shore(harbor, hull.kind, lie, hull.length) | _outside(harbor, hull, lie, others)
        for name, cells in _named(harbor, hull, lie, others):
            cells_of[name], lies[name] = free & cells, lie
            free -= cells
    made = {name: [Berth(x, y, lies[name]) for x, y in sorted(cells)] for name, cells in cells_of.items() if cells}
    dock = dock_of(places)
    if dock is not None and why_not(places, ShipAtBerth(hull, dock), others) is None:
        made[DOCK] = [dock]
    return made


def _named(
    harbor: HarborFigures, hull: Hull, lie: Lie, others: list[ShipAtBerth]
) -> Iterator[tuple[str, set[Cell] | frozenset[Cell]]]:
    """Yield the named places of an orientation; a cell belongs to the first that has it."""
    for other in others:
        if other.berth.lie == lie:
            yield f"{NEST}-{other.hull.key}", set(_nesting(hull, other))
    yield from _fixed_places(harbor, lie, hull.length).items()


def mooring_of(places: Places, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> str:
    """Return the name under which `moorings` has a berth."""
    if ship.berth.dock:
        return DOCK
    lie, cell = ship.berth.lie, (ship.berth.x, ship.berth.y)
    return next(name for name, cells in _named(places.harbor, ship.hull, lie, list(others)) if cell in cells)


@lru_cache(maxsize=32)
def _fixed_places(harbor: HarborFigures, lie: Lie, length: int) -> dict[str, frozenset[Cell]]:
    """Return the north-west cells of the sides of the island, the yard and the quadrants, by name."""
    shape, island = _Shape("", length), harbor.island
    ships = [ShipAtBerth(shape, Berth(x, y, lie)) for x, y in _afloat(harbor, lie, length, True)]
    by_island = [ship.berth for ship in ships if by_the_island(harbor, ship)]
    places: dict[str, list[Berth]] = {}
    if lie == "h":
        places["island-north"] = [berth for berth in by_island if berth.y == island.y[0] - 1]
        places["island-south"] = [berth for berth in by_island if berth.y == island.y[1] + 1]
    else:
        places["island-west"] = [berth for berth in by_island if berth.x == island.x[0] - 1]
        places["island-east"] = [berth for berth in by_island if berth.x == island.x[1] + 1]
    places[f"yard-{lie}"] = [ship.berth for ship in ships if by_the_yard(harbor, ship)]
    places |= {f"{STREAM}-{zone}-{lie}": [] for zone in ("1NW", "1NE", "1SE", "1SW")}
    for ship in ships:
        places[f"{STREAM}-{zone_of(harbor, ship.berth, length)}-{lie}"].append(ship.berth)
    return {name: frozenset((berth.x, berth.y) for berth in berths) for name, berths in places.items()}


def inner_of(harbor: HarborFigures, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> ShipAtBerth | None:
    """[5.15] Return the ship between her and the land, None for an inner or a single ship."""
    partner = next((other for other in others if alongside(ship, other)), None)
    return partner if partner and _is_outside(harbor, ship, partner) else None


def outer_of(harbor: HarborFigures, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> ShipAtBerth | None:
    """[5.15] Return the ship outside her that must move first, None if there is none."""
    partner = next((other for other in others if alongside(ship, other)), None)
    return partner if partner and _is_outside(harbor, partner, ship) else None


def _is_outside(harbor: HarborFigures, ship: ShipAtBerth, partner: ShipAtBerth) -> bool:
    """[5.15] Return whether only her partner in the nest is by the land (T26)."""
    return by_land(harbor, partner) and not by_land(harbor, ship)


# -- torpedo runs ----------------------------------------------------------------------------------------------------


def torpedo_patches(
    harbor: HarborFigures, ship: ShipAtBerth, others: Iterable[ShipAtBerth], wrecks_shield: bool = True
) -> list[list[Cell]]:
    """[11.4] Return the patches of open water at her long edges from which a torpedo can be run.

    They must be free of bases, afloat or sunk (T8; as an option sunk ones do not count). In dry dock there are none.
    """
    if ship.berth.dock:
        return []
    occupied = {cell for other in others if wrecks_shield or not other.sunk for cell in other.cells}
    return [
        patch
        for patch in _patches(harbor, ship)
        if all(cell not in occupied and is_water(harbor, cell) for cell in patch)
    ]


def _patches(harbor: HarborFigures, ship: ShipAtBerth) -> Iterator[list[Cell]]:
    size, berth = harbor.patch, ship.berth
    (dx, dy), (ax, ay) = _along(berth.lie), _across(berth.lie)
    for side in (-1, 1):
        for start in range(ship.hull.length - size + 1):
            yield [
                (berth.x + dx * (start + along) + ax * side * away, berth.y + dy * (start + along) + ay * side * away)
                for away in range(1, size + 1)
                for along in range(size)
            ]


def torpedo_clear(
    harbor: HarborFigures, ship: ShipAtBerth, others: Iterable[ShipAtBerth], wrecks_shield: bool = True
) -> bool:
    """[11.4] Return whether torpedoes can be run at a ship."""
    return bool(torpedo_patches(harbor, ship, others, wrecks_shield))


def why_no_torpedo(harbor: HarborFigures, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> No:
    """[11.4] Return why no torpedo can reach a ship."""
    name = ship.hull.name
    if ship.berth.dock:
        return No("T8", f"{name} is in dry dock, where torpedoes cannot reach her.")
    outer = outer_of(harbor, ship, others)
    shield = f": {outer.hull.name} is moored outside her" if outer else ""
    return No("11.4", f"There is no two-inch square of open water next to {name}{shield}.")


# -- the ways of ships -----------------------------------------------------------------------------------------------


def blocked_rows(harbor: HarborFigures, ships: Iterable[ShipAtBerth]) -> set[int]:
    """[8.6] Return the rows of the channel that sunk ships close."""
    return {y for ship in ships if ship.sunk for x, y in ship.cells if harbor.channel.holds(x, y)}


def shut_in(harbor: HarborFigures, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> bool:
    """[8.6] Return whether a wreck in the channel is between a ship and the sea, or alongside her."""
    return any(row >= ship.berth.y for row in blocked_rows(harbor, others))


def why_not_sail(harbor: HarborFigures, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> No | None:
    """[8.5] Return why a ship cannot move at all, None if she can."""
    name = ship.hull.name
    if ship.sunk:
        return No("T13", f"{name} has sunk.")
    if ship.berth.dock:
        return No("T24", f"{name} is in dry dock and cannot move.")
    outer = outer_of(harbor, ship, others)
    if outer is not None:
        return No("5.15", f"{outer.hull.name} is moored outside {name} and must move first.")
    return None


def reach(places: Places, ship: ShipAtBerth) -> int:
    """[8.5] Return how many cells a ship can move in a turn: base lengths, more of them at sea."""
    at_sea = zone_of(places.harbor, ship.berth, ship.hull.length) == SEA_ZONE
    return ship.hull.length * (places.sailing.sea if at_sea else places.sailing.harbor)


def courses(places: Places, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> dict[Berth, int]:
    """[8.5, 8.6] Return every other berth that a ship can reach this turn, with the cells it takes.

    Each step goes to one of eight neighbours, and she may turn with it (T25). Land and a blocked channel stop her; she
    passes other bases but may not stop on one. A ship that may not sail reaches nothing.
    """
    harbor, others = places.harbor, list(others)
    if why_not_sail(harbor, ship, others) is not None:
        return {}
    length, closed, occupied = ship.hull.length, blocked_rows(harbor, others), _covered(others)
    start = Berth(ship.berth.x, ship.berth.y, ship.berth.lie)
    steps_to, edge = {start: 0}, [start]
    for steps in range(1, reach(places, ship) + 1):
        next_to = (there for here in edge for there in _around(harbor, here, length, closed))
        edge = list(dict.fromkeys(there for there in next_to if there not in steps_to))
        steps_to.update(dict.fromkeys(edge, steps))
    del steps_to[start]
    return {berth: steps for berth, steps in steps_to.items() if occupied.isdisjoint(berth.cells(length))}


def _around(harbor: HarborFigures, here: Berth, length: int, closed: set[int]) -> Iterable[Berth]:
    """Return the places one step away, turned or not, and the same place turned."""
    there = _next_to(harbor, here, length)
    return [one for one in there if not _passes(harbor, one, length, closed)] if closed else there


@lru_cache(maxsize=16384)
def _next_to(harbor: HarborFigures, here: Berth, length: int) -> tuple[Berth, ...]:
    """All places one step away, wrecks left out."""
    return tuple(
        Berth(here.x + dx, here.y + dy, lie)
        for lie in LIES
        for dx, dy in (*NEIGHBOURS, (0, 0))
        if (here.x + dx, here.y + dy) in _afloat(harbor, lie, length, False)
    )


def _passes(harbor: HarborFigures, berth: Berth, length: int, closed: set[int]) -> bool:
    return any(y in closed and harbor.channel.holds(x, y) for x, y in berth.cells(length))


@lru_cache(maxsize=8)
def _to_sea(harbor: HarborFigures, length: int) -> dict[Berth, int]:
    """Return the steps from every place to the open sea, ignoring other ships."""
    edge = [
        Berth(x, y, lie)
        for lie in LIES
        for x, y in sorted(_afloat(harbor, lie, length, False))
        if harbor.sea.y[0] <= y <= harbor.sea.y[0] + 1
    ]
    steps_to, steps = dict.fromkeys(edge, 0), 0
    while edge:
        steps += 1
        next_to = (there for here in edge for there in _next_to(harbor, here, length))
        edge = list(dict.fromkeys(there for there in next_to if there not in steps_to))
        steps_to.update(dict.fromkeys(edge, steps))
    return steps_to


def sortie(places: Places, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> Berth | None:
    """[8.5] Return the reachable berth nearest to the open sea, None if none is nearer than her own.

    Only shortest ways out are searched, for the farthest berth free of other ships.
    """
    harbor, others, length = places.harbor, list(others), ship.hull.length
    closed, far, taken = blocked_rows(harbor, others), _to_sea(harbor, length), _covered(others)
    start = Berth(ship.berth.x, ship.berth.y, ship.berth.lie)
    edge, nearest = [start], list[Berth]()
    for left in range(far.get(start, 0) - 1, far.get(start, 0) - 1 - reach(places, ship), -1):
        next_to = (there for here in edge for there in _around(harbor, here, length, closed))
        edge = list(dict.fromkeys(there for there in next_to if far.get(there) == left))
        nearest = [there for there in edge if taken.isdisjoint(there.cells(length))] or nearest
    return min(nearest, key=lambda berth: berth.key, default=None)


def _covered(others: list[ShipAtBerth]) -> set[Cell]:
    """Return the cells that other ships occupy."""
    return {cell for other in others for cell in other.cells}


HEADINGS = {
    (0, -1): "north",
    (1, -1): "north-east",
    (1, 0): "east",
    (1, 1): "south-east",
    (0, 1): "south",
    (-1, 1): "south-west",
    (-1, 0): "west",
    (-1, -1): "north-west",
}


def headings(places: Places, ship: ShipAtBerth, others: Iterable[ShipAtBerth]) -> dict[str, Berth]:
    """[8.5] Return the farthest reachable berth straight ahead in each of eight directions, and the sortie."""
    others, berths = list(others), dict[str, Berth]()
    if why_not_sail(places.harbor, ship, others) is not None:
        return berths
    closed, taken = blocked_rows(places.harbor, others), _covered(others)
    for (dx, dy), name in HEADINGS.items():
        for berth in _straight(places, ship, closed, dx, dy):
            if taken.isdisjoint(berth.cells(ship.hull.length)):
                berths[name] = berth
    outward = sortie(places, ship, others)
    return berths | ({"sea": outward} if outward else {})


def _straight(places: Places, ship: ShipAtBerth, closed: set[int], dx: int, dy: int) -> Iterator[Berth]:
    """[8.5, 8.6] Yield the berths straight ahead, until land or a blocked channel (T25)."""
    harbor, berth, length = places.harbor, ship.berth, ship.hull.length
    afloat = _afloat(harbor, berth.lie, length, False)
    for steps in range(1, reach(places, ship) + 1):
        cell = (berth.x + dx * steps, berth.y + dy * steps)
        there = Berth(*cell, berth.lie)
        if cell not in afloat or _passes(harbor, there, length, closed):
            return
        yield there
