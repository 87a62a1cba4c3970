"""[10.1] What is in reach in the zones that attack each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from readyroom.engine.text import count_noun
from readyroom.games.tora.figures import Data, Places, SideName
from readyroom.games.tora.harbor import Hull, ShipAtBerth, zone_of
from readyroom.games.tora.plans.data import Ordnance
from readyroom.games.tora.state import TYPE_TITLES, AirUnit, America, Field, Ship, T, Tora

Area = list[str]
"""Zones in reach of each other, usually one."""


class Formation(NamedTuple):
    """[T31] Units of a type with the same ordnance over a zone, which receive orders together; the strongest first."""

    zone: str
    type: str
    ordnance: Ordnance
    units: list[AirUnit]

    def __str__(self) -> str:
        return f"{self.title} over {self.zone}"

    @property
    def title(self) -> str:
        """Its units and what they carry."""
        return f"{count_noun(len(self.units), TYPE_TITLES[self.type])}{self.ordnance.phrase}"

    @property
    def key(self) -> str:
        """The key of questions about it."""
        return f"{self.zone}:{self.type}:{self.ordnance.value}"

    @property
    def equal(self) -> bool:
        """Whether all units are equally strong."""
        return self.units[0].strength == self.units[-1].strength

    @property
    def strengths(self) -> str:
        """The strength of the units [3.1]."""
        if len(self.units) > 1 and self.equal:
            return f"{self.units[0].strength} aircraft each"
        return ", ".join(str(unit.strength) for unit in self.units)

    @property
    def order(self) -> str:
        """An explanation which unit takes which target, if their strengths differ."""
        return "" if self.equal else " The strongest takes the first target."


def areas(table: T, number: int) -> list[Area]:
    """[10.1] Return each zone of a ring by itself, or as an option the whole ring (T2)."""
    zones = table.data.places.zones_of(number)
    return [zones] if table.state.rulings.reach == "ring" else [[zone] for zone in zones]


def flying(state: Tora, side: SideName, area: Area) -> list[AirUnit]:
    """Return a side's units in the air over an area."""
    return [unit for zone in area for unit in state.zones[zone].of(side)]


def parked(usa: America, area: Area) -> list[list[AirUnit]]:
    """[4.2] Return the stacks on the fields of an area."""
    return [stack for field in usa.fields if field.zone in area for stack in field.stacks]


def anchored(state: Tora, places: Places, area: Area) -> list[Ship]:
    """[4.1] Return the ships afloat in an area."""
    return [ship for ship in state.usa.ships if not ship.sunk and lies_in(ship, places, area)]


def lies_in(ship: Ship, places: Places, area: Area) -> bool:
    """Return whether a ship, afloat or sunk, is in an area."""
    return ship.berth is not None and zone_of(places.harbor, ship.berth, ship.length) in area


def ships_at_berths(state: Tora) -> list[ShipAtBerth]:
    """Return all ships on the map as the harbor represents them."""
    return [ShipAtBerth(ship, ship.berth, ship.sunk) for ship in state.usa.ships if ship.berth is not None]


def other_ships(hull: Hull, lying: Iterable[ShipAtBerth]) -> list[ShipAtBerth]:
    """Return all ships on the map but one."""
    return [other for other in lying if other.hull is not hull]


def formations(state: Tora, side: SideName, zone: str) -> Iterator[Formation]:
    """[8.3] Yield a side's formations over a zone, without units that have acted this turn."""
    kinds: dict[tuple[str, Ordnance], list[AirUnit]] = {}
    for unit in state.zones[zone].of(side):
        if unit.acted != state.at.turn:
            kinds.setdefault((unit.type, unit.ordnance), []).append(unit)
    for (type_, ordnance), units in kinds.items():
        yield Formation(zone, type_, ordnance, sorted(units, key=lambda unit: -unit.strength))


def is_fighter(data: Data, unit: AirUnit) -> bool:
    """[9.1, 10.5] Return whether a unit is a fighter."""
    return data.air.types[unit.type].role == "fighter"


def without(units: Iterable[AirUnit], taken: Iterable[object]) -> list[AirUnit]:
    """Return the units that are not taken."""
    gone = set(taken)
    return [unit for unit in units if unit not in gone]


def where_parked(usa: America, unit: AirUnit) -> tuple[Field, list[AirUnit]] | None:
    """[4.2] Return the field and stack of a parked unit, None for one in the air."""
    return next(((field, stack) for field in usa.fields for stack in field.stacks if unit in stack), None)


def titled(usa: America, target: object) -> str:
    """Describe a target; a parked unit with its field and the unit under it."""
    parking = where_parked(usa, target) if isinstance(target, AirUnit) else None
    if parking is None:
        return str(target)
    field, stack = parking
    return f"{target} at {field}" + (f", on {stack[-2]}" if len(stack) > 1 else "")
