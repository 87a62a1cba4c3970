"""[7.7.D to 7.7.M, 7.8.2] What can be repaired, and the checks of repair attempts."""

from __future__ import annotations

from readyroom.engine.rules.checks import Check
from readyroom.games.picket.figures.common import Section
from readyroom.games.picket.rolls import table_check
from readyroom.games.picket.ship.damage import MACHINERY
from readyroom.games.picket.state import CHIEFS, Mount, PrimaryCompartment, T

LOCKERS: dict[Section, str] = {"forward": "repair-locker-1", "midship": "repair-locker-2", "aft": "repair-locker-3"}
ENGINEERS = (*MACHINERY, "steering-room")
"""[7.7.F] The compartments in which the engineering officer may work."""


def list_damaged_compartments(table: T, section: Section | None = None) -> list[PrimaryCompartment]:
    """[7.3.X] Return primary compartments with hit markers; destroyed ones have none."""
    rooms, broken = (
        table.data.rooms,
        [compartment for compartment in table.state.ship.rooms.values() if compartment.hits],
    )
    return [compartment for compartment in broken if section in (None, rooms[compartment.key].section)]


def list_damaged_guns(table: T, section: Section | None = None) -> list[Mount]:
    """[11.5.A] Return 40mm and 5-inch guns that can be repaired, by an optional rule; a 20mm gun is lost at once."""
    if table.state.rulings.gun_repairs == "no":
        return []
    cards, mounts = table.data.mounts, table.state.ship.mounts.values()
    broken = [mount for mount in mounts if 0 < mount.hits < cards[mount.key].boxes]
    return [mount for mount in broken if section in (None, cards[mount.key].section)]


def repair_value(table: T, key: str, section: Section, men: int, hits: int) -> int:
    """[7.7.D, 7.7.H, 7.8.2.A, 7.8.2.B] Return the value of those at work, less the hit marker penalty (P2, P32)."""
    ship, figures = table.state.ship, table.data.repair.primary
    value = figures.inherent + men + ship.value(CHIEFS[section])
    if ship.officers["damage-control"].place == section:
        value += ship.value("damage-control")
    for officer in ("executive", "engineer"):
        if ship.officers[officer].assigned and ship.officers[officer].place == key:
            value += ship.value(officer)
    return value - figures.penalty.get(str(hits), max(figures.penalty.values()))


def control_check(table: T, value: int, rule: str, *more: tuple[str, int]) -> Check:
    """[7.7.M, 7.8.2.C, 7.8.2.D] Return the check of an attempt, with good or bad morale and all hands."""
    figures, ship = table.data.repair.primary, table.state.ship
    morale = figures.morale if ship.morale > 0 else -figures.morale if ship.morale < 0 else 0
    added = [("morale", morale), *more, ("all hands", figures.all_hands if ship.all_hands else 0)]
    return table_check(rule, "damage control", table.data.tables.control, value, added)


def compartment_check(table: T, compartment: PrimaryCompartment, more: int = 0) -> Check:
    """[7.8.2.A, 7.8.2.G] Return the check of an attempt at a compartment, with `more` additional men."""
    figures, ship = table.data.repair.primary, table.state.ship
    value = repair_value(
        table, compartment.key, table.data.rooms[compartment.key].section, compartment.men + more, compartment.hits
    )
    shop = figures.shop if compartment.key in ENGINEERS and ship.works("machine-shop") else 0
    held = figures.held if compartment.held else 0
    return control_check(table, value, "7.8.2", ("continued work", held), ("machine shop", shop))


def gun_check(table: T, mount: Mount, more: int = 0) -> Check:
    """[11.5.B, 11.5.C] Return the check of an attempt at a gun, with `more` additional men."""
    section = table.data.mounts[mount.key].section
    value = repair_value(table, mount.key, section, mount.men + more, mount.hits)
    return control_check(table, value, "11.5.C")


def equipment_check(table: T, key: str) -> Check:
    """[7.10.B, 7.10.C, 7.11.B] Return the check of an attempt at a director or a radar with one man."""
    figures, rule = table.data.repair.primary, "7.10" if key in table.data.directors else "7.11"
    shop = figures.shop if table.state.ship.works("radar-shop") else 0
    return control_check(table, figures.equipment_column, rule, ("radar shop", shop))


def repaired_to(table: T, key: str) -> int:
    """[7.9.C, 7.9.F] Return the highest die that repairs a secondary compartment (P36)."""
    figures, locker = table.data.repair.secondary, LOCKERS[table.data.secondary[key].section]
    return figures.repaired_to if table.state.ship.works(locker) or key == locker else figures.without_locker
