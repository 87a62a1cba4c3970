"""[7.3, 7.4, 7.5] Damage: compartments, guns, directors and radars, hull, and casualties."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import en_dashes
from readyroom.games.picket.figures.common import Section, Track
from readyroom.games.picket.figures.damage import (
    DamageResult,
    Effect,
    GearHit,
    GunHit,
    RoomHit,
    SpaceHit,
    TrackLoss,
)
from readyroom.games.picket.figures.ship import RoomCard
from readyroom.games.picket.rolls import roll_die, roll_on_table
from readyroom.games.picket.ship.crew import (
    kill_at,
    kill_in_room,
    killed,
    men_of_section,
    name_of,
    section_of_gear,
    take_off_job,
)
from readyroom.games.picket.state import DESTROYED, PrimaryCompartment, SecondaryCompartment, Side, T
from readyroom.games.picket.text import deck_key, fire_key, section_key

Log: TypeAlias = Callable[[], None]
"""Logs the roll that led to some damage, as soon as the damage is done and before its consequences."""
ENGINES = ("forward-engine-room", "aft-engine-room")
FIRE_ROOMS = ("forward-fire-room", "aft-fire-room")
FUEL = ("forward-fuel", "aft-fuel")
SHAFTS = ("port-shaft", "starboard-shaft")
STACKS = ("forward-stack", "aft-stack")
MACHINERY = (*ENGINES, *FIRE_ROOMS)
TRACK_NAMES: dict[Track, str] = {
    "hull": "Hull integrity",
    "maneuver": "Maneuver",
    "ammunition": "Ammunition",
    "fuel": "Fuel",
    "flood": "The flood track",
}

EXPLOSIONS = {
    "sinks": "tears the ship apart",
    "major": "is a major one",
    "contained": "is contained by the crew",
}
"""[7.3.J] Results of Table 21-1."""
NEAR_MISSES: dict[DamageResult, str] = {
    Effect.SUPERFICIAL: "no serious damage",
    Effect.SPACE_FLOODS: "a secondary compartment floods",
    Effect.LIGHT_GUN: "splinters hit a 20mm mount",
    Effect.ANY_SPACE: "splinters hit a secondary compartment",
}
"""[7.3.T] Results of Table 11-1 alone."""
RANDOM: dict[DamageResult, str] = {
    Effect.TEAM_LOST: "team lost",
    Effect.SUPPORT_LOST: "support lost",
    Effect.RADAR: "a radar is hit",
    Effect.DUD: "the weapon is a dud",
}
"""[7.3.W] Results of Table 15 alone."""
ABANDONED = "abandoned"
"""[7.7.N] Why a ship is lost that her crew has left."""
_SINKING = {"hull": "7.3.Q", "keel": "7.3.E", "maneuver": "7.3.R", "flood": "7.4.M"}
"""The rule by which a ship may sink, by the column of the table."""


def side_of(bearing: int) -> Side:
    """[7.4.H] Return the side to which flooding pulls the ship after a hit from a bearing."""
    if bearing in (0, 180):
        return "bow" if bearing == 0 else "stern"
    return "starboard" if bearing < 180 else "port"


def log_nothing() -> None:
    """Log nothing."""


def track_key(track: Track) -> str:
    """[1.2.1] Return the key of a track on the board.

    >>> track_key("hull")
    'track-hull'
    """
    return f"track-{track}"


def lose(table: T, track: Track, points: int, log: Log = log_nothing) -> None:
    """[1.2.1] Lower a track by some points, down to zero."""
    ship = table.state.ship
    before = getattr(ship, track)
    after = max(0, before - points)
    setattr(ship, track, after)
    log()
    if after != before:
        table.log_line("1.2.1", "{} falls to {}.", TRACK_NAMES[track], after, target=track_key(track))


def sink(table: T, rule: str, why: str, log: Log = log_nothing) -> None:
    """[7.3.E] Record the loss of the ship."""
    ship = table.state.ship
    if not ship.lost:
        log()
        ship.lost = why
        moment = f"{ship.name} is abandoned" if why == ABANDONED else f"{ship.name} is lost"
        table.reveal(rule, "{} is lost: {}.", ship.name, why, target="ship", moment=moment)


def sinks(table: T, column: str, why: str) -> bool:
    """[7.3.E, 7.3.Q, 7.3.R, 7.4.M] Roll whether the ship sinks from a cause."""
    rule = _SINKING[column]
    roll = roll_on_table(table, table.data.tables.sinks, f"sinks-{column}", column)
    gone = roll.cell == "sinks"

    def log() -> None:  # a roll: the next line shows the loss
        outcome = "sinks" if gone else "stays afloat"
        table.log_line(rule, "{} {} ({}).", table.state.ship.name, outcome, why, roll, target="ship", is_miss=True)

    if gone and not table.state.ship.lost:
        sink(table, rule, why, log)
    else:
        log()
    return gone


# -- what is hit -----------------------------------------------------------------------------------------------------


def main_damage(table: T, section: Section, side: Side, which: str = "") -> Choice[list[str]]:
    """[7.1.C, 7.1.E, 7.3.A] Roll for damage in a section (P22), ten sides for the row, six for the column; apply it.

    `which` is for the log: " (1 of 2)".
    """
    if table.state.ship.lost:
        return []
    chart = table.data.tables.damage(section)
    row = roll_die(table, "7.3", f"row-{section}", chart.dice_pool()[1], name=f"{section} damage table")
    column = roll_die(table, "7.3", f"column-{section}", name=f"{section} damage table")
    row.goal, column.goal = f"row {row}", f"column {column}"
    result = table.data.damage_results[chart.cell(row, str(column))]
    deep = f", {result.markers} hits" if isinstance(result, RoomHit) and result.markers > 1 else ""
    if isinstance(result, SpaceHit) and not table.state.plan.advanced:  # by the basic rules it is not on the board
        deep = f", which has no boxes: hull integrity −{table.data.damage.losses.secondary_hull}"
    target, what, spent = hit_key(table, result, section), _describe(table, result), _is_spent(table, result)

    def log() -> None:
        text, template = KeyedText(what, target), "The {} section is hit{}: {}{}."
        table.log_line("7.3", template, section, which, text, deep, row, column, target=target, is_miss=spent)

    return [result.code, *(yield from hit(table, result, section, side, log))]


def hit_key(table: T, result: DamageResult, section: Section) -> str:
    """[7.3] Return the key of what a result hits on the board; by default the section."""
    match result:
        case RoomHit(key):
            return key
        case GearHit(key) if key in table.state.ship.gear:
            return key
        case SpaceHit(key):
            return key if table.state.plan.advanced else track_key("hull")
        case GunHit(key) if _stands_for(table, key) in table.state.ship.mounts:
            return _stands_for(table, key)
        case TrackLoss(_, track, _):
            return track_key(track)
        case Effect.DECK_FIRE:
            return fire_key(section)
        case Effect.WATER_LINE:
            return "water-lines"
    return section_key(section)


def _describe(table: T, result: DamageResult) -> str:
    """Return what a result hits: the name of a part, or a track with its loss."""
    if isinstance(result, TrackLoss):
        return f"{TRACK_NAMES[result.track].lower()} −{result.points}"
    return name_of(table, result.code)


def _is_spent(table: T, result: DamageResult) -> bool:
    """[7.3] Return whether a result changes nothing: what it hits is destroyed or not there, or a track is at zero."""
    ship = table.state.ship
    match result:
        case RoomHit(key):
            return ship.rooms[key].destroyed
        case SpaceHit(key):
            return ship.spaces[key].boxes >= DESTROYED if table.state.plan.advanced else not ship.hull
        case GunHit(key):
            mount = ship.mounts.get(_stands_for(table, key))
            return mount is None or mount.hits >= table.data.mounts[mount.key].boxes
        case GearHit(key):
            return key not in ship.gear or ship.gear[key].hits >= DESTROYED
        case TrackLoss(_, track, _):
            return not getattr(ship, track)
    return False


def hit(table: T, result: DamageResult, section: Section, side: Side, log: Log = log_nothing) -> Choice[list[str]]:
    """[7.3] Apply a result of a damage table; return its further effects."""
    if table.state.ship.lost:
        return []
    match result:
        case RoomHit(key, markers):
            for number in range(markers):
                yield from hit_room(table, key, side, log=log_nothing if number else log)
        case SpaceHit(key):
            hit_space(table, key, side, log)
        case GunHit(key):
            hit_mount(table, key, log)
        case GearHit(key):
            hit_gear(table, key, log)
        case TrackLoss(_, track, points):
            lose(table, track, points, log)
        case Effect():
            return (yield from _effect(table, result, section, side, log))
    return []


def _effect(table: T, effect: Effect, section: Section, side: Side, log: Log) -> Choice[list[str]]:
    """[7.3.Y, 7.12.A, 7.12.B] Apply a result other than a thing that is hit; return its further effects."""
    ship, data = table.state.ship, table.data
    if effect is Effect.DECK_FIRE:
        ship.fires[section] = min(ship.fires[section] + 1, data.ship.tracks.deck_fires)
    elif effect is Effect.WATER_LINE:
        ship.water_lines = min(ship.water_lines + 1, data.ship.tracks.water_lines)
    log()
    match effect:
        case Effect.CREW:
            yield from killed(table, section)
        case Effect.RANDOM:
            return (yield from _random(table, section, side))
        case Effect.NEAR_MISS:
            return (yield from near_miss(table, section, side))
        case Effect.DECK_FIRE:
            text, level = "Fire breaks out on the {} deck (level {}).", ship.fires[section]
            table.log_line("7.3.Y", text, section, level, target=fire_key(section))
        case Effect.WATER_LINE:
            broken = ship.water_lines >= data.ship.tracks.water_lines
            text = "destroyed" if broken else "damaged"
            table.log_line("7.12.B", "The water lines are {}.", text, target="water-lines")
        case Effect.KEEL:
            table.log_line("7.3.E", "The hit strains her keel.", target="ship")
            lose(table, "hull", data.damage.losses.keel_hull)
            sinks(table, "keel", "broken in two")
        case Effect.DETONATION:
            yield from explosion(table, "machinery" if section == "midship" else "magazine", section, side)
    return []


# -- compartments ----------------------------------------------------------------------------------------------------


def hit_room(table: T, key: str, side: Side, *, by_plane: bool = True, log: Log = log_nothing) -> Steps:
    """[7.2.F, 7.3.A, 7.3.C, 7.3.O, 7.5.A, 7.5.B] Hit a primary compartment: add a marker, check flooding.

    Everyone inside is killed.
    """
    ship, data = table.state.ship, table.data
    room, card = ship.rooms[key], data.rooms[key]
    if room.destroyed:
        log()
        return
    room.hits, room.hit_from = room.hits + 1, side
    log()
    if by_plane and table.state.plan.advanced and card.floods and not room.flooded:
        _flood_check(table, room, card, side)
        if ship.lost:
            return
    if key in SHAFTS and not any(ship.rooms[shaft].whole for shaft in SHAFTS):
        ship.shafts_hit = True
    if room.hits >= card.boxes:
        destroy(table, key)
        if table.state.plan.advanced and _burns(data.damage.flooding.tank_room_boxes, card, room):
            yield from _flood_or_burst(table, room, card, side)
            return
    if by_plane:
        kill_in_room(table, key)
    losses = table.data.damage.losses
    if room.hits == 1 and key in SHAFTS:  # 6.10.A
        lose(table, "maneuver", losses.shaft_damaged)
    elif room.hits == 1 and key == "rudder":
        lose(table, "maneuver", losses.rudder_damaged)


def _burns(boxes: int, card: RoomCard, room: PrimaryCompartment) -> bool:
    """[7.3.I] Return whether a magazine, a tank or a machinery room must be flooded to prevent an explosion."""
    return card.floods and card.boxes == boxes and not room.flooded


def _flood_check(table: T, room: PrimaryCompartment, card: RoomCard, side: Side) -> None:
    """[7.3.F, 7.3.G] Roll whether the compartment floods, and whether that destroys it (P24)."""
    figures = table.data.damage.flooding
    rolled = wet = roll_die(table, "7.3.F", f"floods-{room.key}", goal=f"floods on {figures.on} or more")
    if rolled < figures.on:
        table.log_line("7.3.F", "The {} does not flood.", card.name, rolled, target=room)
        return
    flood(table, room, side, lambda: table.log_line("7.3.F", "The {} floods.", card.name, wet, target=room))
    if table.state.ship.lost:
        return
    rolled = roll_die(table, "7.3.F", f"drowns-{room.key}", goal=f"not stopped on {figures.destroys_on} or more")
    gone = rolled >= figures.destroys_on
    table.log_line("7.3.G", "The flooding {}.", "cannot be stopped" if gone else "is stopped", rolled, target=room)
    if gone:
        destroy(table, room.key)


def flood(table: T, room: PrimaryCompartment | SecondaryCompartment, side: Side, log: Log = log_nothing) -> None:
    """[7.3.F, 7.3.S, 7.4.F, 7.4.I, 7.4.J, 7.4.K, 7.4.L] Flood a compartment.

    This lowers the flood and maneuver tracks and changes list or trim.

    When the flood track reaches its end the ship may sink at once [7.4.M].
    """
    figures, ship = table.data.damage.flooding, table.state.ship
    if room.flooded:
        log()
        return
    room.flooded = True
    if isinstance(room, PrimaryCompartment):
        room.side = side
    ship.tilt[side] += 1
    log()
    afloat = ship.flood > 0
    lose(table, "flood", figures.flood)
    lose(table, "maneuver", figures.maneuver)
    if afloat and not ship.flood:
        sinks(table, "flood", "full of water")


def destroy(table: T, key: str, log: Log = log_nothing) -> None:
    """[7.3.B, 7.3.C, 7.3.D, 7.8.2.J] Destroy a primary compartment and apply the consequences."""
    ship, figures = table.state.ship, table.data.damage.losses
    room = ship.rooms[key]
    if room.destroyed:
        return
    room.destroyed, room.hits = True, 0
    log()
    name = table.data.rooms[key].name
    is_logged = log is not log_nothing
    table.reveal("7.3.B", "{} is destroyed.", name, target=room, moment=f"{name} destroyed", is_miss=is_logged)
    losses: dict[str, tuple[Track, int]] = {
        **dict.fromkeys(ENGINES, ("maneuver", figures.engine_room_maneuver)),
        **dict.fromkeys(FUEL, ("fuel", figures.fuel_tank_fuel)),
        **dict.fromkeys(SHAFTS, ("maneuver", figures.shaft_destroyed)),
        **dict.fromkeys(STACKS, ("maneuver", figures.stack_destroyed)),
        "rudder": ("maneuver", figures.rudder_destroyed),
        "steering-room": ("maneuver", figures.steering_destroyed),
    }
    if key in losses:
        lose(table, *losses[key])
    elif key in FIRE_ROOMS and not ship.power:
        text, moment = "No steam is left: the ship is dead in the water.", "Dead in the water"
        lose(table, "maneuver", ship.maneuver, lambda: table.log_line("7.8.2.J", text, target="ship", moment=moment))


def _flood_or_burst(table: T, room: PrimaryCompartment, card: RoomCard, side: Side) -> Steps:
    """[7.3.I, 7.3.J] Flood the compartment in time, so that its men escape, or roll for an explosion (P25, P30)."""
    roll = roll_on_table(table, table.data.tables.flooding, f"flooding-{room.key}")

    def log() -> None:
        verb = "floods" if roll.cell == "floods" else "fails to flood"
        table.log_line("7.3.I", "The crew {} the {}.", verb, card.name, roll, target=room)

    if roll.cell == "floods":
        table.state.ship.men[card.section] += room.men
        room.men, room.held = 0, False
        flood(table, room, side, log)
        return
    log()
    kill_in_room(table, room.key)
    kind = "magazine" if "magazine" in room.key else "fuel" if room.key in FUEL else "machinery"
    yield from explosion(table, kind, card.section, side)


def explosion(table: T, kind: str, section: Section, side: Side) -> Steps:
    """[7.3.J] Roll for an explosion."""
    if table.state.ship.lost:
        return
    roll = roll_on_table(table, table.data.tables.explosion, f"explosion-{kind}", kind)

    def log() -> None:
        text, result = "The explosion in the {} section {}.", EXPLOSIONS[roll.cell]
        moment = "A magazine explodes" if kind == "magazine" and roll.cell != "contained" else ""
        table.log_line("7.3.J", text, section, result, roll, target=deck_key(section), moment=moment)

    if roll.cell == "sinks":
        sink(table, "7.3.J", "blown up", log)
        return
    log()
    if roll.cell == "major":
        lose(table, "hull", table.data.damage.losses.explosion_hull)
        yield from hit(table, Effect.DECK_FIRE, section, side)
        yield from main_damage(table, section, side)


def hit_space(table: T, key: str, side: Side, log: Log = log_nothing) -> None:
    """[7.3.K, 7.5.C, 7.9.A, 7.9.B] Hit a secondary compartment; by the basic rules the hull instead."""
    ship, card = table.state.ship, table.data.secondary[key]
    if not table.state.plan.advanced:
        lose(table, "hull", table.data.damage.losses.secondary_hull, log)
        return
    space = ship.spaces[key]
    if space.boxes >= DESTROYED:
        log()
        return
    name, is_logged = name_of(table, key), log is not log_nothing
    space.boxes += 1
    log()
    men_of_section(table, card.section)
    if space.boxes < DESTROYED:
        table.log_line("7.3.K", "The {} is damaged.", name, target=space, is_miss=is_logged)
    else:
        wreck(table, space)
        least = table.data.damage.flooding.secondary_on
        goal = f"floods on {least} or more"
        rolled = [roll_die(table, "7.3.K", f"floods-{key}", goal=goal)] if card.floods else []
        wet = any(one >= least for one in rolled)
        effect = " and floods" if wet else ", but does not flood" if rolled else ""

        def say_destroyed() -> None:
            is_miss = is_logged and not wet
            table.log_line("7.3.K", "The {} is destroyed{}.", name, effect, *rolled, target=space, is_miss=is_miss)

        if wet:
            flood(table, space, side, say_destroyed)
        else:
            say_destroyed()


def wreck(table: T, space: SecondaryCompartment) -> None:
    """[7.3.D, 7.3.K] Mark both boxes of a secondary compartment; its man returns to the party."""
    space.boxes = DESTROYED
    if space.man:
        take_off_job(table, space.key)
        table.state.ship.men[table.data.secondary[space.key].section] += 1


# -- guns and gear ---------------------------------------------------------------------------------------------------


def hit_mount(table: T, key: str, log: Log = log_nothing) -> None:
    """[7.3.P, 7.2.F] Hit a gun; one that is absent or destroyed changes nothing."""
    mount = table.state.ship.mounts.get(_stands_for(table, key))
    if mount is None or mount.hits >= table.data.mounts[mount.key].boxes:
        log()
        return
    card = table.data.mounts[mount.key]
    mount.hits += 1
    mount.kills = 0 if table.state.rulings.aces == "yes" else mount.kills  # 11.2.A: the bonus is lost
    gone = mount.hits >= card.boxes
    log()
    text = "destroyed" if gone else "damaged"
    is_logged = log is not log_nothing
    table.log_line("7.3.P", "The {} is {}.", name_of(table, mount.key), text, target=mount, is_miss=is_logged)
    kill_at(table, "7.2.F", mount.key, card.section)


def _stands_for(table: T, key: str) -> str:
    """[12.1] Return the mount that this ship carries in place of the standard one."""
    ship, data = table.state.ship, table.data
    if key in ship.mounts or not table.state.plan.armament:
        return key
    own = [gun.key for gun in data.guns.armaments[table.state.plan.armament].gun]
    removed = data.guns.armaments[table.state.plan.armament].removes
    if not own or key not in removed:
        return ""
    at = removed.index(key)
    there = own[at : at + 1] if at + 1 < len(removed) else own[at:]
    return next((gun for gun in there if ship.mounts[gun].hits < data.mounts[gun].boxes), there[0])


def hit_gear(table: T, key: str, log: Log = log_nothing) -> None:
    """[7.3.M, 7.3.N, 7.10.D, 7.11.C] Hit a director or a radar: the first hit damages, the second destroys it."""
    gear = table.state.ship.gear.get(key)
    if gear is None or gear.hits >= DESTROYED:
        log()
        return
    gear.hits += 1
    log()
    text = "destroyed" if gear.hits >= DESTROYED else "damaged"
    is_logged = log is not log_nothing
    table.log_line("7.3.N", "{} is {}.", name_of(table, key), text, target=gear, is_miss=is_logged)
    kill_at(table, "7.10.E" if key in table.data.directors else "7.11.D", key, section_of_gear(table.data, key))


# -- near misses and random damage -----------------------------------------------------------------------------------


def near_miss(table: T, section: Section, side: Side) -> Choice[list[str]]:
    """[7.3.T, 7.3.U] Resolve an explosion alongside; return what it did (P23)."""
    chart = table.data.tables.near_miss
    roll = roll_on_table(table, chart, f"near-miss-{section}")
    harmless = [row for row, _, cell in chart.cells() if table.data.damage_results[cell] is Effect.SUPERFICIAL]
    roll.goal = f"no serious damage on {en_dashes(', '.join(harmless))}, else to hull, men, a gun or a compartment"
    result = table.data.damage_results[roll.cell]
    effect = NEAR_MISSES.get(result) or _describe(table, result)

    def log() -> None:
        text = "A near miss shakes the {} section: {}."
        table.log_line("7.3.T", text, section, effect, roll, target=deck_key(section))

    match result:
        case Effect.SUPERFICIAL:
            log()
            return []
        case Effect.SPACE_FLOODS:
            log()
            return _flood_one(table, section, side)
        case Effect.LIGHT_GUN:
            return _light_gun(table, section, log)
        case Effect.ANY_SPACE:
            log()
            rooms = [room.key for room in table.data.ship.secondary.room if room.section == section]
            rolled = roll_die(table, "7.3.T", f"which-{section}", len(rooms))
            chosen = rooms[rolled - 1]
            name, target = name_of(table, chosen), table.state.ship.spaces[chosen]
            hit_space(
                table,
                chosen,
                side,
                lambda: table.log_line("7.3.T", "Splinters hit the {}.", name, rolled, target=target),
            )
            return [chosen]
    return [result.code, *(yield from hit(table, result, section, side, log))]


def _flood_one(table: T, section: Section, side: Side) -> list[str]:
    """[7.3.T] Flood the next compartment below the water line; by the basic rules damage the hull."""
    if not table.state.plan.advanced:
        points = table.data.damage.losses.secondary_hull
        lose(table, "hull", points)
        return [f"hull-{points}"]
    for card in table.data.ship.secondary.room:
        space = table.state.ship.spaces[card.key]
        if card.section == section and card.floods and not space.flooded:
            men_of_section(table, section)
            wreck(table, space)
            text, name = "The {} is torn open and floods.", name_of(table, card.key)
            flood(table, space, side, partial(table.log_line, "7.3.T", text, name, target=space))
            return [card.key]
    return []


def _light_gun(table: T, section: Section, log: Log) -> list[str]:
    """[7.3.T] Hit the first 20mm gun of the section."""
    for key, mount in table.state.ship.mounts.items():
        card = table.data.mounts[key]
        if card.kind == "20mm" and card.section == section and mount.hits < card.boxes:
            hit_mount(table, key, log)
            return [key]
    log()
    return []


def _random(table: T, section: Section, side: Side) -> Choice[list[str]]:
    """[7.1.D, 7.3.W] Roll for random damage."""
    ship = table.state.ship
    roll = roll_on_table(table, table.data.tables.random_damage, "random-damage")
    result = table.data.damage_results[roll.cell]
    lost = "team" if result is Effect.TEAM_LOST else "gunboats" if result is Effect.SUPPORT_LOST else ""
    target = lost or hit_key(table, result, section)

    def log(*, is_miss: bool = False) -> None:
        text = RANDOM.get(result) or _describe(table, result)
        table.log_line("7.3.W", "Random damage: {}.", text, roll, target=target, is_miss=is_miss)

    match result:
        case Effect.TEAM_LOST:
            had, ship.team = ship.team, False
            log(is_miss=not had)
        case Effect.SUPPORT_LOST:
            had = bool(ship.surface)
            if had:
                ship.surface, ship.surface_lost = ship.surface - 1, ship.surface_lost + 1
                table.state.raid.surface = min(table.state.raid.surface, ship.surface)
            log(is_miss=not had)
        case Effect.RADAR:
            log(is_miss=True)  # which radar is hit is rolled next
            rolled = roll_die(table, "7.3.W", "radar")
            radar = "radar-sc" if rolled % 2 else "radar-sg"
            name, gear = name_of(table, radar), ship.gear[radar]
            hit_gear(table, radar, lambda: table.log_line("7.3.W", "Splinters hit {}.", name, rolled, target=gear))
        case Effect.DUD:
            log(is_miss=True)
        case _:
            spent = _is_spent(table, result)
            return [result.code, *(yield from hit(table, result, section, side, partial(log, is_miss=spent)))]
    return [result.code]
