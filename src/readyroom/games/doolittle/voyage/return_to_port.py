"""[14.3] The return to port of the task force and of detached groups, and its incidents."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.checks import Check, nonzero_modifiers
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.state import Doolittle, T, choose_exactly
from readyroom.games.doolittle.voyage.formation import arrange_ships
from readyroom.games.doolittle.voyage.i_boats import resolve_attack
from readyroom.games.doolittle.voyage.ships import (
    CARRIER,
    DESTROYER,
    TASK_FORCE,
    hit_ship,
    hornet,
    of_type,
    ship_name,
    ship_options,
    ships_afloat,
    sink_ship,
    slow_ships,
    undamaged,
)
from readyroom.games.doolittle.voyage.state import Ship, Strike

PHASE = "homeward"
AIRSTRIKE, I_BOAT, SHIPS = "airstrike", "i-boat", "ships"
RESULT_TEXT = {AIRSTRIKE: "planes find them", I_BOAT: "an I-boat is waiting", SHIPS: "enemy ships are in sight"}


def fleets(state: Doolittle) -> list[str]:
    """[14.3] Return what has to sail home: the task force, unless it is in port, and each detached group."""
    if state.voyage is None:
        return []
    force = [TASK_FORCE] if state.voyage.area and ships_afloat(state) else []
    return force + [group for group in state.voyage.groups if ships_afloat(state, group)]


def homeward(table: T) -> Steps:
    """[14.3] Check each fleet; an airstrike interrupts the phase."""
    state = table.state
    while state.denouement.homeward:
        fleet = state.denouement.homeward.pop(0)
        if ships_afloat(state, _group(fleet)):
            yield from _roll_return(table, fleet)
            if state.strike is not None:
                return
    _settle_in_port(table)


def _group(fleet: str) -> str:
    return "" if fleet == TASK_FORCE else fleet


def return_check(table: T, fleet: str) -> Check:
    """[14.3.1, DR92] Return the check of a return; alert, fuel and speed bear on the task force alone."""
    state, sea = table.state, table.state.sea
    figures, group = table.data.denouement.homeward, _group(fleet)
    alert = state.launched.alert if state.launched and state.launched.how != "none" else state.security.alert
    modifiers = [
        ("destroyers", figures.destroyer * len(undamaged(of_type(table, DESTROYER, group=group)))),
        ("carriers", figures.carrier * len(undamaged(of_type(table, CARRIER, group=group)))),
    ]
    if fleet == TASK_FORCE:
        modifiers += [
            ("low fuel", 0 if sea.fueled else figures.low_fuel),
            ("alert", figures.alert * alert),
            ("fast ships", 0 if slow_ships(table) else figures.fast),
        ]
    least = figures.number.get(sea.groups.get(fleet, sea.area), 0)
    return Check("14.3.1", "return to port", dice=figures.dice, at_least=least, modifiers=nonzero_modifiers(modifiers))


def _roll_return(table: T, fleet: str) -> Steps:
    """[14.3.1] Roll two dice against the area's number; a failure brings an incident."""
    roll = table.roll(return_check(table, fleet), fleet)
    names = [f"the {ship_name(table, ship)}" for ship in ships_afloat(table.state, fleet)] or ["the task force"]
    ending = "" if len(names) > 1 else "s"
    text = f"return{ending} home without incident" if roll else f"meet{ending} with an incident on the way home"
    table.log_line("14.3.1", "{} {}.", capitalize_first(" and ".join(names)), text, roll, target="task-force")
    if roll:
        table.state.add_to_story("returned", fleet)
    else:
        yield from roll_incident(table, fleet)


def roll_incident(table: T, fleet: str) -> Steps:
    """[14.3.2] Roll one die: planes, enemy ships, or an I-boat, which finds only slow ships."""
    group, chart = _group(fleet), table.data.denouement.incident
    roll = table.roll_on_chart(chart, chart.columns[0], fleet)
    table.log_line("14.3.2", "Incident on the way home: {}.", RESULT_TEXT[roll.cell], roll, target="task-force")
    table.state.add_to_story("incident", fleet, roll.cell)
    if roll.cell == AIRSTRIKE:
        _start_airstrike(table, fleet)
    elif roll.cell == SHIPS:
        yield from _meet_enemy_ships(table, fleet)
    elif slow_ships(table, group):
        if group:
            yield from arrange_ships(table, ships_afloat(table.state, group), "14.3.2")
        yield from resolve_attack(table, group)
    else:
        table.log_line("14.3.2", "The I-boat cannot keep up with the fast ships.", target="task-force")


def _start_airstrike(table: T, fleet: str) -> None:
    """[14.3.2, 11.0.2] Start an airstrike; the others sail home after it."""
    group = _group(fleet)
    if ships_afloat(table.state, group):
        table.state.strike = Strike("group" if group else "task-force", group)


def _meet_enemy_ships(table: T, fleet: str) -> Steps:
    """[14.3.2] Roll one die: odd sinks a ship, and 1 also brings planes; even damages two if any is slow."""
    figures, group = table.data.denouement.ships, _group(fleet)
    face = table.roll_dice("14.3.2", f"{fleet}-ships")[0]
    table.log_line("14.3.2", "Roll for enemy ships: {}.", face, target="task-force")
    if figures.of(face) == "sunk":
        for ship in (yield from _choose_ships(table, group, figures.sunk, "sunk")):
            sink_ship(table, ship, "14.3.2", "enemy ships")
        if face == figures.airstrike_on:
            _start_airstrike(table, fleet)
    elif slow_ships(table, group):
        for ship in (yield from _choose_ships(table, group, figures.damaged, "damaged")):
            hit_ship(table, ship, "14.3.2", "enemy ships")
    else:
        table.log_line("14.3.2", "All ships are fast enough to get away.", target="task-force")


def _choose_ships(table: T, group: str, count: int, what: str) -> Choice[Sequence[Ship]]:
    """[14.3.2] Choose the ships that are hit."""
    options = ship_options(table, "hit", ships_afloat(table.state, group))
    most = min(count, len(options))
    question = f"Which {'ship is' if most == 1 else f'{most} ships are'} {what} by the enemy?"
    return (yield from choose_exactly(table, "14.3.2", question, options, most))


def _settle_in_port(table: T) -> None:
    """[14.3, 10.1.1] Return bombers that never left the deck with their ship, or lose them with her."""
    if table.state.voyage is None:
        return
    sunk = hornet(table).sunk
    for bomber in table.state.squad.values():
        if bomber.fate == "home" and sunk:
            bomber.fate = "overboard"
            table.state.add_to_story("overboard", bomber.key)
