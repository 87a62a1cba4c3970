"""[2] Other states that look the same to a seat."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import cast

import msgspec

from readyroom.engine.rules.dice import fixed_dice
from readyroom.engine.rules.table import Table
from readyroom.games.tora.battle.day import add_zebra
from readyroom.games.tora.battle.waves import detected_quadrants, form_wave
from readyroom.games.tora.figures import CATEGORIES, JAPAN, USA, Category, Data
from readyroom.games.tora.plans.alerts import plan_calendar
from readyroom.games.tora.plans.data import AmericanPlan, Group, JapanesePlan, Ordnance, WaveOrder
from readyroom.games.tora.plans.phase import random_plan, run_at_random
from readyroom.games.tora.state import Levels, T, Tora

MAX_DRAWS = 200
"""The number of plans drawn to find one that fits a sighting; each takes 0.25 ms."""


def resample(state: Tora, data: Data, seat: str, random: Random) -> Tora:
    """[2] Replace the enemy's hidden plan by a random one that fits what has been seen. Changes the state given."""
    table: T = Table(state, data, fixed_dice(), None)
    if seat in state.japan.seats:
        _another_defence(table, random)
    elif seat in state.usa.seats:
        _another_attack(table, random)
    return state


def _another_defence(table: T, random: Random) -> None:
    """[5] Before the day draw any plan; afterwards fields and berths are known, the calendar is not."""
    usa = table.state.usa
    if not usa.sealed:
        return
    assert usa.plan is not None
    if table.state.day == 0:
        usa.plan = cast(AmericanPlan, random_plan(table, USA, random))
        return
    usa.plan = _another_calendar(table, usa.plan, random)
    _live_with(table, random)


def _another_calendar(table: T, plan: AmericanPlan, random: Random) -> AmericanPlan:
    """Draw a calendar, keeping levels that were revealed by a CAP or by units that acted."""
    day, top = table.state.day, table.data.planning.alert.top
    drawn = run_at_random(lambda: plan_calendar(table, table.state.usa.commander), random)
    patrols = plan.airfield[day - 1] == top
    ports = dict(plan.in_port)  # a carrier in port today can be seen; her day, if another, cannot [5.13]
    ports |= {key: other for key, other in drawn.in_port.items() if day not in (ports[key], other)}
    shown = {category for category in CATEGORIES if has_shown(table.state, table.data, category)}
    if patrols != (drawn.airfield[day - 1] == top):
        shown.add("airfield")
    kept: dict[str, tuple[int, ...]] = {
        category: (plan if category in shown else drawn).levels(category) for category in CATEGORIES
    }
    return msgspec.structs.replace(plan, **kept, radar=drawn.radar, patrol=drawn.patrol, in_port=ports)


def has_shown(state: Tora, data: Data, category: Category) -> bool:
    """[5.1] Return whether Japan may have seen a category's alert: guns by their dice, fields by takeoffs.

    A ship with enough hits to sink without ZEBRA has revealed it, sunk or not [5.6].
    """
    usa = state.usa
    if category == "airfield":
        units = (unit for field in usa.fields for unit in field.units())
        return any(zone.usa for zone in state.zones.values()) or any(unit.acted for unit in (*units, *usa.lost))
    if category == "aaa":
        return any(battery.fired for battery in usa.batteries) or bool(usa.yard_hits)
    plain = data.ships.preset[state.rulings.preset].strength
    return any(ship.fired or ship.moved or ship.hits >= plain[ship.kind] for ship in usa.ships)


def _live_with(table: T, random: Random) -> None:
    """Apply another calendar: levels with their rises, ship strengths and searches."""
    state, usa, top = table.state, table.state.usa, table.data.planning.alert.top
    assert usa.plan is not None
    assert usa.levels is not None
    before, day = usa.levels.ship, state.day
    usa.levels = Levels.of_plan(usa.plan, day)
    for _ in range(usa.risen):
        usa.levels = usa.levels.raised(top)
    add_zebra(state, table.data, before)
    usa.radar_works = random.random() < 0.5 if usa.plan.radar[day - 1] else None
    assert state.japan.plan is not None
    usa.detected = bool(_detected(state, state.japan.plan))


def _detected(state: Tora, attack: JapanesePlan) -> set[str]:
    """[5.3] Return the quadrants in which the searches of the day detect the first wave of a plan."""
    usa, sectors = state.usa, {group.sector for group in attack.wave[0].group}
    assert usa.plan is not None
    return detected_quadrants(usa.plan, state.day, bool(usa.radar_works), sectors)


def _another_attack(table: T, random: Random) -> None:
    """[7] Before the first wave enters only the day and a sighting may be known; afterwards ordnance is not."""
    state, japan = table.state, table.state.japan
    if not japan.sealed:
        _deal_loads(state, random)
        return
    assert japan.plan is not None
    if japan.entered == 0:
        japan.plan = _another_first_wave(table, japan.plan, random)
        for unit in (unit for wave in japan.waves for unit in wave.units()):
            unit.ordnance, unit.wave = Ordnance.NONE, 0
            japan.carriers.append(unit)
        japan.waves = []
        if state.day:
            form_wave(state, 1)
            state.usa.detected = bool(_detected(state, japan.plan))
        return
    for unit in state.japanese_aloft():
        carried = table.data.air.types[unit.type].ordnance
        if carried and unit.ordnance is not Ordnance.NONE:
            unit.ordnance = Ordnance(random.choice(carried))
    japan.plan = _another_future(table, japan.plan, random)


def _another_first_wave(table: T, plan: JapanesePlan, random: Random) -> JapanesePlan:
    """[5.3] Draw a plan; on the day for that day, and from turn 1 on with a first wave detected where the true one is.

    The plan is kept if none of `MAX_DRAWS` fits.
    """
    state = table.state
    if not state.day:
        return cast(JapanesePlan, random_plan(table, JAPAN, random))
    for _ in range(MAX_DRAWS):
        drawn = msgspec.structs.replace(cast(JapanesePlan, random_plan(table, JAPAN, random)), day=state.day)
        if not state.at.turn or _detected(state, drawn) == _detected(state, plan):
            return drawn
    return plan


def _deal_loads(state: Tora, random: Random) -> None:
    """[7.4] Redistribute the ordnance within each type if the plan is the scenario's."""
    armed = [unit for unit in state.japanese_aloft() if unit.ordnance is not Ordnance.NONE]
    for type_ in dict.fromkeys(unit.type for unit in armed):
        units = [unit for unit in armed if unit.type == type_]
        loads = [unit.ordnance for unit in units]
        random.shuffle(loads)
        for unit, load in zip(units, loads, strict=True):
            unit.ordnance = load


def _another_future(table: T, plan: JapanesePlan, random: Random) -> JapanesePlan:
    """[7.3, 13.1] Draw other future waves, or none unless the map is empty and one must be coming.

    Whether Japan has skipped a wave since the last one entered, or cancelled all further waves, is not known either.
    The number of a wave that enters is, and so is what was skipped before it.
    """
    state, japan = table.state, table.state.japan
    seen, now = japan.entered - japan.skipped, state.at.turn
    entered = max((unit.wave for unit in (*japan.carriers, *japan.lost, *state.japanese_aloft())), default=0)
    drawn, later = cast(JapanesePlan, random_plan(table, JAPAN, random)), list[WaveOrder]()
    left = Counter(unit.type for unit in japan.carriers if unit.wave == 0)
    for order in drawn.wave[entered:]:
        groups = [_at_most(group, left) for group in order.group]
        turn = max(order.turn, now + 1, *(wave.turn + 1 for wave in later))
        if any(group.units for group in groups) and turn <= table.data.planning.waves.last_turn:
            later.append(WaveOrder(turn, tuple(group for group in groups if group.units)))
    if not (later or japan.off or any(state.japanese_aloft())):
        return plan
    japan.entered, japan.skipped, japan.off = entered, entered - seen, False
    return msgspec.structs.replace(plan, wave=(*plan.wave[:entered], *later))


def _at_most(group: Group, left: Counter[str]) -> Group:
    """Return a group limited to units that have not flown yet."""
    units = min(group.units, left[group.type])
    left[group.type] -= units
    return msgspec.structs.replace(group, units=units)
