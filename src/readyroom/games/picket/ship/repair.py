"""[7.8 to 7.12] Damage control: a round of it, and the repair attempts."""

from __future__ import annotations

from collections.abc import Container
from functools import partial

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import count_noun
from readyroom.games.picket.combat.guns import masked_heights
from readyroom.games.picket.figures.common import BEARINGS, SECTIONS, Section
from readyroom.games.picket.rolls import DieRoll, roll_die
from readyroom.games.picket.ship.assignments import (
    assign_men,
    assign_officers,
    call_all_hands,
    reassign_men,
    reassign_officers,
    recall_men,
)
from readyroom.games.picket.ship.crew import at_work, name_of
from readyroom.games.picket.ship.damage import flood, hit_room, wreck
from readyroom.games.picket.ship.fires import fight_deck_fires
from readyroom.games.picket.ship.repair_checks import (
    compartment_check,
    equipment_check,
    gun_check,
    list_damaged_compartments,
    list_damaged_guns,
    repaired_to,
)
from readyroom.games.picket.state import CAPTAIN, DAMAGED, Mount, PrimaryCompartment, SecondaryCompartment, Side, T
from readyroom.games.picket.text import leaning, leans

WATER: dict[Side, str] = {
    "port": "port side",
    "starboard": "starboard side",
    "bow": "by the bow",
    "stern": "by the stern",
}
"""[7.4.J] The sides of counter-flooding as text."""


def damage_control(table: T) -> Steps:
    """[7.5, 7.7.A, 7.8] Fight fires, assign men, and attempt repairs, after a wave or once a phase (P33)."""
    ship = table.state.ship
    if not _is_damaged(table):
        return
    fight_deck_fires(table)
    if ship.lost:
        return
    yield from call_all_hands(table)
    if ship.lost:
        return
    yield from assign_officers(table)
    recall_men(table)
    yield from assign_men(table)
    tried = {key for key, secondary in ship.spaces.items() if secondary.tried}
    yield from _attempt_repairs(table, tried)
    _repair_water_lines(table)
    yield from _counter_flood(table)


def _is_damaged(table: T) -> bool:
    """Return whether anything burns, leaks, lists or is broken."""
    ship = table.state.ship
    parts: list[PrimaryCompartment | Mount] = [*ship.rooms.values(), *ship.mounts.values()]
    broken = any(part.hits for part in parts)
    spaces = any(secondary.boxes for secondary in ship.spaces.values())
    gear = any(gear.hits == DAMAGED for gear in ship.gear.values())
    return bool(broken or spaces or gear or ship.heel or ship.trim or ship.water_lines or any(ship.fires.values()))


# -- attempts --------------------------------------------------------------------------------------------------------


def _next_repair(table: T, tried: Container[str]) -> tuple[Section, str] | None:
    """[7.5, 7.8.2.A, 11.5.C] Return the next attempt: compartments, secondary ones, directors, radars, guns.

    Every damaged primary compartment, and by option gun, is attempted, at least with its own value and that of officers
    and chiefs.
    """
    ship, data = table.state.ship, table.data
    order: list[Container[str]] = [ship.rooms, ship.spaces, data.directors, data.radars, ship.mounts]
    working = [(section, key) for section in SECTIONS for key in at_work(table, section)]
    unmanned = [
        (data.rooms[compartment.key].section, compartment.key) for compartment in list_damaged_compartments(table)
    ]
    unmanned += [(data.mounts[mount.key].section, mount.key) for mount in list_damaged_guns(table)]
    waiting = [one for one in dict.fromkeys([*working, *unmanned]) if one[1] not in tried]
    return min(waiting, key=lambda one: next(at for at, kind in enumerate(order) if one[1] in kind), default=None)


def _attempt_repairs(table: T, tried: set[str]) -> Steps:
    """[7.7.I, 7.8.2.F, 11.5.C] Attempt every repair once; men who are finished may move on."""
    ship = table.state.ship
    while (target := _next_repair(table, tried)) is not None:
        section, key = target
        tried.add(key)
        if key in ship.rooms:
            freed = _repair_compartment(table, ship.rooms[key])
        elif key in ship.gear:
            freed = _repair_equipment(table, key)
        else:
            freed = _repair_secondary(table, key) if key in ship.spaces else _repair_gun(table, key)
        if freed:
            yield from reassign_men(table, section, key, freed, tried)
        if not (ship.rooms[key].hits if key in ship.rooms else key in ship.mounts and ship.mounts[key].hits):
            yield from reassign_officers(table, key, tried)


# -- primary compartments and guns -----------------------------------------------------------------------------------


def _roll_hits_left(table: T, rule: str, key: str, hits: int) -> tuple[DieRoll, int]:
    """[7.8.2.E] Roll for the markers that a success removes; return the roll and the hits left."""
    rolled = roll_die(table, rule, key)
    return rolled, max(0, hits - table.data.repair.primary.removes[str(rolled)])


def _repair_compartment(table: T, compartment: PrimaryCompartment) -> int:
    """[7.8.2, 7.8.2.A, 7.8.2.E, 7.8.2.H, 7.3.H] Attempt a primary compartment; return how many men are finished."""
    name = table.data.rooms[compartment.key].name
    compartment.tended = compartment.tended or bool(compartment.men)
    roll = table.roll(compartment_check(table, compartment), compartment.key)
    text = "succeeds" if roll else "fails"
    table.log_line("7.8.2", "Damage control {} in the {}.", text, name, roll, target=compartment)
    if not roll:
        return 0
    rolled, compartment.hits = _roll_hits_left(table, "7.8.2.E", compartment.key, compartment.hits)
    left = f"leave {count_noun(compartment.hits, 'hit')} in" if compartment.hits else "clear all hits from"
    table.log_line("7.8.2.E", "Repairs {} the {}.", left, name, rolled, target=compartment)
    if compartment.hits:
        return 0
    if compartment.flooded:  # 7.3.H: it is pumped dry (P24)
        ship, side = table.state.ship, compartment.side
        ship.flood = min(table.data.ship.tracks.full, ship.flood + table.data.damage.flooding.flood)
        ship.tilt[side] = max(0, ship.tilt[side] - 1)  # type: ignore[index]
        compartment.flooded, compartment.side = False, ""
        table.log_line("7.3.H", "{} is pumped dry.", name, target=compartment)
    freed, compartment.men, compartment.held = compartment.men, 0, False
    return freed


def _repair_gun(table: T, key: str) -> int:
    """[11.5.B, 11.5.C] Attempt a 40mm or 5-inch gun like a compartment (P54); return the men who are finished."""
    mount = table.state.ship.mounts[key]
    roll, name = table.roll(gun_check(table, mount), key), name_of(table, key)
    table.log_line("11.5.C", "The repair of {} {}.", name, "succeeds" if roll else "fails", roll, target=mount)
    if roll:
        rolled, mount.hits = _roll_hits_left(table, "11.5.C", key, mount.hits)
        table.log_line("11.5.C", "{} has {} left.", name, count_noun(mount.hits, "hit"), rolled, target=mount)
    freed = 0 if mount.hits else mount.men
    mount.men -= freed
    return freed


# -- everything else -------------------------------------------------------------------------------------------------


def _repair_equipment(table: T, key: str) -> int:
    """[7.10.B, 7.10.C, 7.11.B] Attempt a director or a radar with one man; return 1 if repaired."""
    gear, check = table.state.ship.gear[key], equipment_check(table, key)
    roll = table.roll(check, key)
    if roll:
        gear.hits, gear.man = 0, False
    text = "repaired" if roll else "not yet repaired"
    table.log_line(check.rule, "{} is {}.", name_of(table, key), text, roll, target=gear)
    return int(bool(roll))


def _repair_secondary(table: T, key: str) -> int:
    """[7.9.C, 7.9.F] Attempt a secondary compartment with one man and one die, once a phase (P36)."""
    secondary, card, most = table.state.ship.spaces[key], table.data.secondary[key], repaired_to(table, key)
    rolled = roll_die(table, "7.9", key, goal=f"repaired on {most} or less")
    secondary.tried, repaired = True, rolled <= most
    if repaired:
        secondary.boxes, secondary.man = 0, False
    text = "repaired" if repaired else "not yet repaired"
    table.log_line("7.9", "{} is {}.", card.name, text, rolled, target=secondary)
    return int(repaired)


def _repair_water_lines(table: T) -> None:
    """[7.12.C] Roll to repair the water lines, unless they are destroyed."""
    ship = table.state.ship
    if not 0 < ship.water_lines < table.data.ship.tracks.water_lines:
        return
    least = table.data.repair.water_lines.repaired_from
    rolled = roll_die(table, "7.12.C", "water-lines", goal=f"repaired on {least} or more")
    repaired = rolled >= least
    ship.water_lines = 0 if repaired else ship.water_lines
    text = "repaired" if repaired else "still broken"
    table.log_line("7.12.C", "The water lines are {}.", text, rolled, target="water-lines")


def _counter_flood(table: T) -> Steps:
    """[7.9.H] Offer to flood dry compartments where list or trim masks guns (P38)."""
    ship = table.state.ship
    if not any(masked_heights(table.state, table.data, bearing) for bearing in BEARINGS):
        return
    able = [card for card in table.data.ship.secondary.room if card.floods and not ship.spaces[card.key].flooded]
    while able:
        # 7.4.E: the sides where water corrects list and trim
        is_high = {"port": ship.heel > 0, "starboard": ship.heel < 0, "stern": ship.trim > 0, "bow": ship.trim < 0}
        sides = [side for side in WATER if is_high[side]]
        if not sides:
            return
        options = [Option("enough", "none: accept list and trim")]
        options += [
            Option(
                f"{card.key}-{side}", f"{card.name}, {WATER[side]}", (card, side), _describe_counter_flood(table, side)
            )
            for card in able
            for side in sides
        ]
        question = f"The ship has {leans(ship.heel, ship.trim)}. Flood a compartment to correct it?"
        chosen = yield from table.choose(CAPTAIN, "7.9.H", question, options)
        if chosen.value is None:
            return
        card, side = chosen.value
        _counter_flood_space(table, ship.spaces[card.key], side)
        able = [one for one in able if one is not card]


def _counter_flood_space(table: T, space: SecondaryCompartment, side: Side) -> None:
    """[7.9.H] Flood a dry compartment, which destroys it."""
    ship, name = table.state.ship, name_of(table, space.key)

    def log() -> None:
        text = "The {} is flooded: {}, {}."
        table.log_line("7.9.H", text, name, *leaning(ship.heel, ship.trim), target=space)

    wreck(table, space)
    flood(table, space, side, log)


def _describe_counter_flood(table: T, side: Side) -> OptionInfo:
    """[7.4.J, 7.9.H] Return the effect and cost of counter-flooding on a side."""
    ship, figures = table.state.ship, table.data.damage.flooding
    tilt = ship.tilt | {side: ship.tilt[side] + 1}
    heel, trim = tilt["starboard"] - tilt["port"], tilt["bow"] - tilt["stern"]
    then = leaning(heel, trim)[side in ("bow", "stern")]
    return OptionInfo(f"then {then}; Afloat −{figures.flood}, Maneuver −{figures.maneuver}, compartment lost")


def _log_spreading(table: T, room: PrimaryCompartment) -> None:
    text, name = "No one works in the {}: the damage spreads.", table.data.rooms[room.key].name
    table.log_line("7.8.2.H", text, name, target=room)


def spread_damage(table: T) -> Steps:
    """[7.8.2.G, 7.8.2.H] Spread damage where no one worked; men at damaged compartments stay (P34)."""
    ship = table.state.ship
    for key, compartment in ship.rooms.items():
        if compartment.hits and not compartment.tended and not ship.lost:
            side: Side = compartment.hit_from or "bow"  # type: ignore[assignment]
            yield from hit_room(table, key, side, by_plane=False, log=partial(_log_spreading, table, compartment))
        compartment.held = bool(compartment.men)
        compartment.tended = False
    for officer in ("executive", "engineer"):
        moved = ship.officers[officer]
        moved.held = moved.assigned and moved.place in ship.rooms and bool(ship.rooms[moved.place].hits)
    for secondary in ship.spaces.values():
        secondary.tried = False
