"""[6.9, 7.2] Special attackers, with a bomb, a torpedo or an Ohka."""

from __future__ import annotations

from functools import partial

from readyroom.engine.rules.checks import Check
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.picket.combat import guns
from readyroom.games.picket.combat.fire import (
    UP,
    assign_support,
    count_kill,
    count_type,
    describe_plane,
    support_fires,
    support_option,
)
from readyroom.games.picket.combat.strike import NO_HIT, evaded, note_hit, plane_strikes
from readyroom.games.picket.figures.common import SECTIONS, Section, Weapon
from readyroom.games.picket.figures.damage import Effect
from readyroom.games.picket.rolls import roll_die, roll_on_table
from readyroom.games.picket.ship.crew import kill_in_room
from readyroom.games.picket.ship.damage import destroy as destroy_room
from readyroom.games.picket.ship.damage import flood, hit, lose, main_damage, near_miss, sinks
from readyroom.games.picket.state import CAPTAIN, Counter, Side, T
from readyroom.games.picket.text import a, deck_key, position_text, weapon_name


def special_fire(table: T) -> Steps:
    """[6.9.A, 6.9.B, 6.9.D, 6.9.E, 6.9.H] Place special attackers, then fire at them: planes, ships, guns."""
    state = table.state
    if state.ship.lost or not state.wave.specials:
        return
    for plane in state.wave.specials:
        goal = ", ".join(f"{section} on {at * 2 + 1}–{at * 2 + 2}" for at, section in enumerate(SECTIONS))
        rolled = roll_die(table, "6.9.B", f"section-{plane.key}", goal=goal, name=str(_name(table, plane)))
        plane.section = SECTIONS[(rolled - 1) // 2]
        name, weapon = _name(table, plane), a(weapon_name(plane.weapon))
        text, deck = "The {} with {} approaches the {} section.", deck_key(plane.section)
        table.log_line("6.9.B", text, name, weapon, plane.section, rolled, target=deck)
    marked = list[Counter]()
    for section in SECTIONS:
        target = yield from _spray_target(table, section)
        marked += [target] if target is not None else []
    support = yield from assign_support(
        table, "6.9.E", "special attackers", lambda kind: [support_option(table, kind, plane) for plane in _up(table)]
    )
    yield from support_fires(table, support, _up(table), "6.9.E")
    for plane in marked:
        _spray(table, plane)
    for plane in state.wave.specials:
        if plane.fate != UP:
            count_type(table, plane)


def _name(table: T, plane: Counter) -> KeyedText:
    return KeyedText(table.data.cards[plane.plane].name, plane.key)


def _titled(table: T, plane: Counter) -> KeyedText:
    """Return the name and position of a plane whose section is known."""
    return KeyedText(f"{_name(table, plane)} ({position_text(plane.bearing, plane.height, plane.section)})", plane.key)


def _up(table: T) -> list[Counter]:
    return [plane for plane in table.state.wave.specials if plane.fate == UP]


def spray_check(table: T) -> Check:
    """[6.9.F] Return the check of spray fire."""
    return Check("6.9.F", "spray fire", dice=2, at_most=table.data.duty.support.spray_kills_to)


def _spray_target(table: T, section: Section) -> Choice[Counter | None]:
    """[6.9.C, 6.9.D, 6.9.H] Choose the target of a section's spray fire, before any support is resolved (P17)."""
    state, data = table.state, table.data
    there = [plane for plane in _up(table) if plane.section == section]
    mine = [key for key in state.ship.mounts if data.mounts[key].section == section]
    if not there or not any(guns.works(state, data, key) for key in mine):
        return None
    hint = OptionInfo("destroys it", float(spray_check(table).odds()))
    options = [
        Option(f"spray-{one.key}", f"{_name(table, one)} with {a(weapon_name(one.weapon))}", one, hint) for one in there
    ]
    options.append(Option("hold", "hold fire and save ammunition"))
    question = f"Which special attacker does the {section} section's spray fire target?"
    chosen = yield from table.choose(CAPTAIN, "6.9.C", question, options)
    return chosen.value  # type: ignore[no-any-return]


def _spray(table: T, plane: Counter) -> None:
    """[6.9.D, 6.9.F, 6.9.G] Resolve spray fire; it costs an ammunition box once a turn (P56)."""
    state, check = table.state, spray_check(table)
    if plane.fate != UP:
        return
    if not state.tally.sprayed:
        state.tally.sprayed = True
        lose(table, "ammunition", table.data.duty.support.spray_ammunition)
    roll = table.roll(check, f"spray-{plane.key}")
    if roll:
        count_kill(table, plane, "destroyed")
    verb = "destroys" if roll else "misses"
    name = KeyedText(describe_plane(table, plane), plane.key)
    table.log_line("6.9.F", "Spray fire {} the {}.", verb, name, roll, target=plane)


def special_strikes(table: T) -> Steps:
    """[7.2.B, 7.2.C, 7.2.D] Resolve the remaining weapons; one plane in six then dives on the ship (P20)."""
    for plane in _up(table):
        if table.state.ship.lost:
            return
        section: Section = plane.section  # type: ignore[assignment]
        side = _side(table, section, plane)
        yield from _weapon(table, plane, section, side)
        if table.state.ship.lost:
            return
        least = table.data.duty.support.special_strikes
        rolled = roll_die(table, "7.2.C", f"dives-{plane.key}", goal=f"dives on {least} or more")
        dives = rolled >= least
        action = "dives on the ship itself" if dives else "does not dive on the ship"
        plane.away = not dives
        table.log_line("7.2.C", "The {} {}.", _titled(table, plane), action, rolled, target=deck_key(section))
        if dives:
            yield from plane_strikes(table, plane, "undamaged", section, side)


def _side(table: T, section: Section, plane: Counter) -> Side:
    """[7.4.H] Return the side of the attack, for list and trim (P21)."""
    if section != "midship":
        return "bow" if section == "forward" else "stern"
    rolled = roll_die(table, "7.4.H", f"side-{plane.key}")
    side: Side = "port" if rolled % 2 else "starboard"
    target = deck_key(section)
    table.log_line("7.4.H", "The {} comes in from {}.", _titled(table, plane), side, rolled, target=target)
    return side


def _weapon(table: T, plane: Counter, section: Section, side: Side) -> Steps:
    """[7.2.B] Roll on the weapon's table and apply the result."""
    state = table.state
    weapon: Weapon = plane.weapon  # type: ignore[assignment]
    chart = table.data.tables.special(weapon)
    roll = roll_on_table(table, chart, f"{weapon}-{plane.key}", chart.columns[0], evaded(table))
    roll.goal = chart.bands(chart.columns[0], lambda cell: cell if cell in NO_HIT else "hit")
    verb = {"miss": "misses the ship", "near miss": "explodes alongside"}.get(roll.cell, "hits the ship")
    text, what = "The {} of the {} {}.", list[str]()
    moment = f"{capitalize_first(a(weapon_name(weapon)))} strikes home" if verb == "hits the ship" else ""
    name, target = weapon_name(weapon), deck_key(section)
    table.log_line("7.2.B", text, name, _titled(table, plane), verb, roll, target=target, moment=moment)
    if roll.cell == "near miss":
        what = yield from near_miss(table, section, side)
    elif roll.cell != "miss":
        state.tally.tours[-1].hurt = True
        lose(table, "hull", int(chart.cell(roll.total, "hull")))
        if weapon == "torpedo":
            what = _open_rooms(table, section, side, int(roll.cell))
        else:
            for number in range(1, int(roll.cell) + 1):
                if Effect.DUD.code not in what:
                    what += yield from main_damage(table, section, side, f" ({number} of {roll.cell})")
        what += yield from _also(table, chart.cell(roll.total, "also"), section, side)
    if what or roll.cell not in ("miss", "near miss"):
        note_hit(table, plane, section, what, near=roll.cell == "near miss", weapon=weapon)


def _also(table: T, cell: str, section: Section, side: Side) -> Choice[list[str]]:
    """[7.2.B] Apply a weapon's additional effect: fire, flooding, or a broken keel."""
    if table.state.ship.lost or not cell:
        return []
    match table.data.damage_results[cell]:
        case Effect.KEEL:
            sinks(table, "keel", "broken in two")
        case Effect.ROOM_OPENED:
            return _open_rooms(table, section, side, 1)
        case result:
            yield from hit(table, result, section, side)
    return [cell]


def _say_torn(table: T, key: str, rolled: int) -> None:
    table.log_line("7.2.B", "The {} is torn open.", table.data.rooms[key].name, rolled, target=key)


def _open_rooms(table: T, section: Section, side: Side, count: int) -> list[str]:
    """[7.2.B, 7.2.F] Destroy several compartments, and flood them by the advanced rules."""
    opened = []
    for number in range(count):
        ship, cards = table.state.ship, table.data.ship.primary.room
        floods = [card.key for card in cards if card.section == section and card.floods]
        able = [key for key in floods if not ship.rooms[key].destroyed]
        if not able:
            break
        rolled = roll_die(table, "7.2.B", f"opens-{section}-{number}", len(able))
        chosen = able[rolled - 1]
        destroy_room(table, chosen, partial(_say_torn, table, chosen, rolled))
        kill_in_room(table, chosen)
        if table.state.plan.advanced:
            flood(table, ship.rooms[chosen], side)
        opened.append(chosen)
    return opened
