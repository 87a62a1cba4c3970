"""[10.1] What is within reach: what flies, stands and lies in the zones that attack each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from readyroom.engine.text import count_noun
from readyroom.games.tora.figures import Data, Places, SideName
from readyroom.games.tora.harbor import Hull, Moored, zone_of
from readyroom.games.tora.plan import ORDNANCE_TITLES, Ordnance
from readyroom.games.tora.state import TYPE_TITLES, AirUnit, America, Field, Ship, T, Tora, ring

Area = list[str]
"""Zones within reach of each other: usually a single one."""
Like = tuple[str, Ordnance]
"""What units have in common that are given their orders together: type and ordnance."""


def areas(table: T, number: int) -> list[Area]:
    """[10.1] Each zone of a ring by itself, or as an option the whole ring (T2)."""
    zones = table.data.places.zones_of(number)
    return [zones] if table.state.rulings.reach == "ring" else [[zone] for zone in zones]


def flying(state: Tora, side: SideName, area: Area) -> list[AirUnit]:
    """What a side has in the air over an area."""
    if len(area) == 1:
        return state.zones[area[0]].of(side)
    return [unit for zone in area for unit in state.zones[zone].of(side)]


def parked(usa: America, area: Area) -> list[list[AirUnit]]:
    """[4.2] The stacks on the fields of an area."""
    return [stack for field in usa.fields if field.zone in area for stack in field.stacks]


def anchored(state: Tora, places: Places, area: Area) -> list[Ship]:
    """[4.1] The ships afloat in an area."""
    return [ship for ship in state.usa.ships if not ship.sunk and lies_in(ship, places, area)]


def lies_in(ship: Ship, places: Places, area: Area) -> bool:
    """Whether a ship, afloat or sunk, lies in an area."""
    return ship.berth is not None and zone_of(places.harbor, ship.berth, ship.length) in area


def moored(state: Tora) -> list[Moored]:
    """All ships on the map as the harbor sees them."""
    return [Moored(ship, ship.berth, ship.sunk) for ship in state.usa.ships if ship.berth is not None]


def other_ships(hull: Hull, lying: Iterable[Moored]) -> list[Moored]:
    """All ships on the map but one."""
    return [other for other in lying if other.hull is not hull]


def group_alike(units: Iterable[AirUnit], turn: int) -> dict[Like, list[AirUnit]]:
    """[8.3] The units that have neither moved nor attacked this turn, like with like, the strongest first (T31)."""
    found: dict[Like, list[AirUnit]] = {}
    for unit in units:
        if unit.acted != turn:
            found.setdefault((unit.type, unit.ordnance), []).append(unit)
    for group in found.values():
        group.sort(key=_strongest_first)
    return found


def _strongest_first(unit: AirUnit) -> int:
    return -unit.strength


def describe_units(like: Like, count: int) -> str:
    """Some like units in words: 3 Kates with torpedoes."""
    type_, ordnance = like
    load = "" if ordnance is Ordnance.NONE else f" with {ORDNANCE_TITLES[ordnance]}"
    return count_noun(count, TYPE_TITLES[type_]) + load


def strengths(units: Sequence[AirUnit]) -> str:
    """[3.1] The strength points of some units in words."""
    first = units[0].strength
    if len(units) > 1 and all(unit.strength == first for unit in units):
        return f"{first} aircraft each"
    return ", ".join(str(unit.strength) for unit in units)


def in_turn(group: Sequence[AirUnit]) -> str:
    """[T31] Who of some units takes which target, where it makes a difference; the strongest stands first."""
    return " The strongest takes the first target." if group[0].strength != group[-1].strength else ""


def join_names(names: Sequence[str]) -> str:
    """Join names with commas and a final "and"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def verb(count: int, one: str, many: str) -> str:
    """Return the form of a verb that agrees with a count."""
    return one if count == 1 else many


def is_fighter(data: Data, unit: AirUnit) -> bool:
    """[9.1, 10.5] Whether a unit fights in the air."""
    return data.air.types[unit.type].role == "fighter"


def innermost(state: Tora) -> int | None:
    """[5.2] The innermost ring over which Japanese aircraft are."""
    return min((ring(zone) for zone, over in state.zones.items() if over.japan), default=None)


def without(units: Iterable[AirUnit], taken: Iterable[object]) -> list[AirUnit]:
    """The units that are not taken."""
    gone = set(taken)
    return [unit for unit in units if unit not in gone]


def where_parked(usa: America, unit: AirUnit) -> tuple[Field, list[AirUnit]] | None:
    """[4.2] The field and the stack of a parked unit; None for one in the air."""
    for field in usa.fields:
        for stack in field.stacks:
            if unit in stack:
                return field, stack
    return None


def titled(usa: America, target: object) -> str:
    """A target in words; a parked unit with its field, and with what stands under it."""
    found = where_parked(usa, target) if isinstance(target, AirUnit) else None
    if found is None:
        return str(target)
    field, stack = found
    return f"{target} at {field}" + (f", on {stack[-2]}" if len(stack) > 1 else "")
