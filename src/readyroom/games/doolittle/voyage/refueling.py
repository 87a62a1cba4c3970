"""[12.7] The refueling phase: oilers come alongside, and the naval turn ends."""

from __future__ import annotations

from readyroom.engine.rules.checks import Check, nonzero_modifiers
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.departure import place_contact
from readyroom.games.doolittle.voyage.launch import end_voyage, turn_about
from readyroom.games.doolittle.voyage.ships import (
    CARRIER,
    OILER,
    can_launch,
    card_of,
    hit_ship,
    is_distressed,
    last_turn,
    named,
    of_type,
    ship_name,
    ship_options,
    ships_afloat,
    undamaged,
    weather_here,
)
from readyroom.games.doolittle.voyage.state import Ship

LOSSES = {OILER: "could no longer refuel", CARRIER: "could no longer launch recon"}
"""[10.1.1] What a damaged ship of a type cannot do."""


def refueling(table: T) -> Steps:
    """[12.7, DR69] Let each undamaged oiler try once to refuel the force; then the turn ends."""
    sea = table.state.sea
    tried: list[str] = []
    while not sea.fueled:
        oilers = [ship for ship in able_oilers(table) if ship.key not in tried]
        if not oilers:
            break
        options = [*ship_options(table, "refuel", oilers, _offer), Option("none", "none")]
        question = "The force is low on fuel. Which oiler comes alongside?"
        chosen = yield from table.choose(table.state.captain, "12.7.2", question, options)
        if chosen.value is None:
            break
        tried.append(chosen.value.key)
        yield from _refuel(table, chosen.value)
    if not can_launch(table):
        end_voyage(table, "the Hornet can no longer launch bombers")
        return
    yield from _end_turn(table)


def able_oilers(table: T) -> list[Ship]:
    """[12.7.2, 10.1.1, 12.6.6.F] Return the oilers that may refuel: sound ones, in no distress."""
    return [ship for ship in undamaged(of_type(table, OILER)) if not is_distressed(ship)]


def refuel_check(table: T, ship: Ship) -> Check:
    """[12.7.2] Return the dice of an oiler, less what the weather takes off."""
    figures, weather = table.data.naval.refuel, weather_here(table)
    modifiers = nonzero_modifiers([(weather, figures.modifier[weather])])
    least = card_of(table.data, ship).refuel
    return Check("12.7.2", "refueling", dice=figures.dice, at_least=least, modifiers=modifiers)


def _offer(table: T, ship: Ship) -> OptionInfo:
    hurt = table.data.naval.refuel.damaged[weather_here(table)]
    note = f"the force is fueled; a failure damages ships ({hurt})" if hurt else "the force is fueled"
    return OptionInfo(note, float(refuel_check(table, ship).odds()))


def _refuel(table: T, oiler: Ship) -> Steps:
    """[12.7.2] Roll to refuel; a failure in rough weather damages ships, and the oiler may be given up for fuel."""
    state, sea = table.state, table.state.sea
    roll = table.roll(refuel_check(table, oiler), oiler.key)
    text = "refuels" if roll else "fails to refuel"
    sea.fueled = bool(roll)
    table.log_line("12.7.2", "{} {} the task force.", named(table, oiler), text, roll, target=oiler)
    if roll:
        return
    yield from _choose_damaged(table, table.data.naval.refuel.damaged[weather_here(table)])
    if oiler.hits:
        return
    note = OptionInfo("she is damaged, and the force is fueled")
    options = [Option("hold", "stop refueling"), Option("force", "refuel anyway", info=note)]
    question = f"Refuel from the {ship_name(table, oiler)} anyway, at the cost of damage to her?"
    chosen = yield from table.choose(state.captain, "12.7.2", question, options)
    if chosen.key == "force":
        hit_ship(table, oiler, "12.7.2", "the price of fuel")
        sea.fueled = True
        table.log_line("12.7.2", "The task force is fueled.", target="task-force")


def _choose_damaged(table: T, count: int) -> Steps:
    """[12.7.2, 10.1.1] Choose ships to be damaged in rough weather."""
    ships = list(ships_afloat(table.state))
    for _ in range(min(count, len(ships))):
        options = ship_options(table, "hurt", ships, _loss_hint)
        question = "Ships collide in rough seas. Which ship is damaged?"
        chosen = yield from table.choose(table.state.captain, "12.7.2", question, options)
        ships.remove(chosen.value)
        hit_ship(table, chosen.value, "12.7.2", "the sea")


def _loss_hint(table: T, ship: Ship) -> OptionInfo:
    """[10.1.1, 10.1.2] Return what ship it is, and what she cannot do once she is damaged."""
    kind = card_of(table.data, ship).type
    if ship.hits:
        return OptionInfo(f"{kind}; already damaged, would sink")
    if ship.key == table.data.ships.fleet.launches:
        return OptionInfo(f"{kind}; could no longer launch bombers")
    return OptionInfo(f"{kind}; {LOSSES.get(kind, 'would be slow')}")


def _end_turn(table: T) -> Steps:
    """[12.7, 12.7.1, 12.2.3, DR71] Mark contacts and remove winds; after the last turn the force turns about."""
    sea, sky = table.state.sea, table.state.sky
    if sea.turn == last_turn(table.data):
        yield from turn_about(table, "April is over")
        return
    yield from place_contact(table)
    sky.winds.clear()
    sky.weather.clear()
    sea.turn += 1
