"""[6.10, 7.0, 7.1] Emergency maneuvers, and strikes by regular planes."""

from __future__ import annotations

from readyroom.engine.rules.checks import Modifiers, percent
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.picket.figures.common import Section, section_of
from readyroom.games.picket.figures.damage import Effect
from readyroom.games.picket.rolls import roll_on_table, table_check
from readyroom.games.picket.ship.damage import ENGINES, MACHINERY, SHAFTS, STACKS, lose, main_damage, near_miss, side_of
from readyroom.games.picket.state import CAPTAIN, Counter, Side, Struck, T
from readyroom.games.picket.text import a, deck_key, position_text

NO_HIT = ("miss", "near miss")
CONDITIONS = {"undamaged": "", "damaged": "damaged ", "flamed": "burning "}


def maneuvers(table: T) -> Steps:
    """[6.10.B, 6.10.C, 6.10.F] Offer emergency maneuvers once a phase, by the advanced rules."""
    state = table.state
    threatened = any(plane.fate != "destroyed" for plane in (*state.wave.planes, *state.wave.specials))
    tried = state.raid.maneuvered is not None
    if not state.plan.advanced or tried or state.ship.lost or not threatened or why_not(table):
        return
    check = table_check("6.10", "emergency maneuvers", table.data.tables.maneuvers, _leaders(table), _rooms(table))
    options = [
        Option("evade", "evade", True, OptionInfo(f"{check.arithmetic()}; succeeds", float(check.odds()))),
        Option("steady", "hold steady and save fuel", False),
    ]
    fuel = table.data.duty.maneuvers.fuel * int(state.rulings.maneuver_fuel)
    price = "a box of fuel" if fuel == 1 else f"{fuel} boxes of fuel"
    question = f"Try emergency maneuvers for {price}? Chance of success {percent(check.odds())}."
    chosen = yield from table.choose(CAPTAIN, "6.10", question, options)
    if not chosen.value:
        return
    lose(table, "fuel", fuel)
    roll = table.roll(check, "evade")
    state.raid.maneuvered = bool(roll)
    table.log_line("6.10", "Emergency maneuvers {}.", "succeed" if roll else "fail", roll, target="ship")


def why_not(table: T) -> str:
    """[6.10.A] Return why the ship cannot maneuver, or ""."""
    ship = table.state.ship
    if not ship.works("rudder"):
        return "the rudder is damaged"
    if not ship.works("steering-room"):
        return "the steering room is damaged"
    for rooms, reason in ((ENGINES, "both engine rooms are damaged"), (SHAFTS, "both shafts are bent")):
        if not any(ship.works(room) for room in rooms):
            return reason
    if not any(ship.works(room) for room in STACKS):
        return "both stacks are damaged"
    if not ship.fuel or all(ship.rooms[tank].destroyed for tank in ("forward-fuel", "aft-fuel")):
        return "there is no fuel"
    return "" if ship.maneuver else "the ship no longer answers the helm"


def _leaders(table: T) -> int:
    """[6.10.D] Return the value of captain and engineer; a damaged bridge cancels a good captain's value."""
    ship = table.state.ship
    if ship.officers["captain"].dead and ship.officers["engineer"].dead:
        return table.data.duty.maneuvers.leaderless
    captain = ship.value("captain")
    return (captain if ship.works("bridge") else min(0, captain)) + ship.value("engineer")


def _rooms(table: T) -> Modifiers:
    """[7.8.2.G] Return the modifier for damaged engine and fire rooms."""
    return [("engine and fire rooms hit", table.data.duty.maneuvers.room * rooms_hit(table))]


def rooms_hit(table: T) -> int:
    """Return the number of damaged engine and fire rooms."""
    return sum(not table.state.ship.works(room) for room in MACHINERY)


def evaded(table: T) -> Modifiers:
    """[6.10.E, 7.2.A] Return the strike modifier after successful maneuvers, for the whole phase (P18, P19)."""
    return [("emergency maneuvers", table.data.duty.maneuvers.strike)] if table.state.raid.maneuvered else []


def regular_strikes(table: T) -> Steps:
    """[7.1.A, 7.1.I] Resolve the strike of each plane that is not destroyed."""
    for plane in table.state.wave.planes:
        if table.state.ship.lost:
            return
        if plane.fate == "destroyed":
            continue
        yield from plane_strikes(
            table, plane, condition(table, plane), section_of(plane.bearing), side_of(plane.bearing)
        )


def condition(table: T, plane: Counter) -> str:
    """[7.1.A] Return the column of a regular plane's strike."""
    hurt = plane.hits >= table.data.duty.planes.hits_to_damage
    return "flamed" if plane.fate == "flamed" else "damaged" if hurt else "undamaged"


def plane_strikes(table: T, plane: Counter, state: str, section: Section, side: Side) -> Steps:
    """[7.1.B, 7.1.C, 7.1.G] Resolve one plane's strike: a miss, a near miss, or a hit with two damage rolls."""
    played, card = table.state, table.data.cards[plane.plane]
    roll = roll_on_table(table, table.data.tables.strike, f"strike-{plane.key}", state, evaded(table))
    roll.goal = table.data.tables.strike.bands(state)
    verb = {"miss": "misses the ship", "near miss": "hits the water alongside"}.get(roll.cell, "strikes the ship")
    what, near, hits = list[str](), roll.cell == "near miss", roll.cell not in NO_HIT
    plane.away = True
    if hits:
        played.raid.struck += 1
        played.tally.tours[-1].struck += 1
        played.tally.heights[plane.height or "special"] = played.tally.heights.get(plane.height or "special", 0) + 1
    where = position_text(plane.bearing, plane.height, plane.section)
    name = KeyedText(f"{card.name} ({where})", plane.key)
    moment = f"{capitalize_first(a(card.name))} crashes into the ship" if hits else ""
    target = deck_key(section)
    table.log_line("7.1", "The {}{} {}.", CONDITIONS[state], name, verb, roll, target=target, moment=moment)
    if near:
        what = yield from near_miss(table, section, side)
    elif hits:
        rolls = table.data.damage.hits.rolls_a_plane
        for number in range(1, rolls + 1):
            if Effect.DUD.code not in what:
                what += yield from main_damage(table, section, side, f" ({number} of {rolls})")
    if what:
        played.tally.tours[-1].hurt = True
        note_hit(table, plane, section, what, near=near)


def note_hit(table: T, plane: Counter, section: Section, what: list[str], *, near: bool, weapon: str = "") -> None:
    """[1.5] Record a hit by a plane or its weapon for the map; a special attacker has no height, but a section."""
    state, name = table.state, f"{plane.plane} {weapon}".rstrip()
    where = plane.height or section
    state.tally.hits.append(Struck(state.at.turn, state.watch, name, plane.bearing, where, what, near))


def cleared(table: T) -> None:
    """[7.1.H, 7.2.E] Return a wave's planes to the pool; remove special attackers from play."""
    state = table.state
    state.ship.attacked = True
    state.pool.cup.contents += [plane.fresh() for plane in state.wave.planes]
    state.pool.spent += [plane.fresh() for plane in state.wave.specials]
    state.wave.planes, state.wave.specials = [], []
