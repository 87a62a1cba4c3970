"""What each seat sees, from an allow-list; and other states that look the same to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any, cast

import msgspec

from readyroom.engine.dice import fixed_dice
from readyroom.engine.game import View
from readyroom.engine.table import Table
from readyroom.games.tora.alerts import plan_calendar
from readyroom.games.tora.day import add_zebra
from readyroom.games.tora.figures import CATEGORIES, JAPAN, SIDES, USA, Category, Data, SideName
from readyroom.games.tora.harbor import zone_of
from readyroom.games.tora.losses import american_losses, japanese_losses
from readyroom.games.tora.plan import AmericanPlan, Group, JapanesePlan, Ordnance, WaveOrder
from readyroom.games.tora.planning import random_plan, run_at_random
from readyroom.games.tora.reaction import reacts
from readyroom.games.tora.state import AirUnit, Field, Levels, Ship, T, Tora, sees
from readyroom.games.tora.waves import detects, form_wave


def view(state: Tora, data: Data, seat: str | None) -> View:
    """[2, 7.4] Return a seat's view: the map and its own side's plan; only the fingerprint of the enemy's.

    Ordnance is hidden until used. A spectator sees what both sides see.
    """
    return {
        "rulings": msgspec.to_builtins(state.rulings),
        "day": state.day or None,
        "zones": {
            zone: {side: [_unit(state, side, unit, seat) for unit in over.of(side)] for side in SIDES}
            for zone, over in state.zones.items()
        },
        "usa": _usa(state, data, seat),
        "japan": _japan(state, data, seat),
        "luck": {"drawn": [card.key for card in state.drawn], "left": len(state.luck.contents)},
    }


def _usa(state: Tora, data: Data, seat: str | None) -> View:
    usa, whole = state.usa, sees(state, USA, seat)
    return {
        **_side(state, USA, seat),
        "aircraft_lost": american_losses(state, data),
        "ships": [_ship(state, data, ship, whole) for ship in usa.ships],
        "fields": [_field(state, field, seat) for field in usa.fields],
        "batteries": [
            {"key": each.key, "name": each.name, "zone": each.zone, "strength": each.strength, "hits": each.hits}
            for each in usa.batteries
        ],
        "yard": [{"key": token.key, "capacity": token.capacity, "hits": token.hits} for token in usa.yard],
        "levels": msgspec.to_builtins(usa.levels) if whole and usa.levels else None,
        "radar_works": usa.radar_works if whole else None,
        "awake": [each for each in CATEGORIES if reacts(state, data, each)] if whole and usa.levels else None,
        "message": state.japan.message or None,
    }


def _japan(state: Tora, data: Data, seat: str | None) -> View:
    japan, whole = state.japan, sees(state, JAPAN, seat)
    return {
        **_side(state, JAPAN, seat),
        "aircraft_lost": japanese_losses(state, data),
        "entered": japan.entered if whole else japan.entered - japan.skipped,
        "off": japan.off if whole else None,
        "carriers": [_unit(state, JAPAN, unit, seat) for unit in japan.carriers] if whole else None,
        "waves": [
            {
                "number": wave.number,
                "turn": wave.turn,
                "sectors": {
                    sector: [_unit(state, JAPAN, unit, seat) for unit in units]
                    for sector, units in wave.sectors.items()
                },
            }
            for wave in japan.waves
        ]
        if whole
        else None,
    }


def _side(state: Tora, name: SideName, seat: str | None) -> View:
    side, whole = state.side(name), sees(state, name, seat)
    return {
        "own": seat in side.seats,
        "seats": side.seats,
        "commands": dict(side.commands),
        "plan": msgspec.to_builtins(side.plan) if whole and side.plan else None,
        "sealed": [sealed.fingerprint for sealed in side.sealed],
        "lost": [_unit(state, name, unit, seat) for unit in side.lost],
    }


def _unit(state: Tora, side: SideName, unit: AirUnit, seat: str | None) -> View:
    """[7.4, 11.6] Ordnance is hidden from the enemy; that it is used up can be seen."""
    known = sees(state, side, seat) or unit.ordnance is Ordnance.NONE
    return {
        "key": unit.key,
        "name": unit.name,
        "type": unit.type,
        "strength": unit.strength,
        "acted": unit.acted,
        "ordnance": unit.ordnance.value if known else None,
    }


def _field(state: Tora, field: Field, seat: str | None) -> View:
    return {
        "key": field.key,
        "name": field.name,
        "zone": field.zone,
        "places": field.places,
        "stacks": [[_unit(state, USA, unit, seat) for unit in stack] for stack in field.stacks],
    }


def _ship(state: Tora, data: Data, ship: Ship, whole: bool) -> View:
    """[5.6] The enemy does not see condition ZEBRA and is shown the strength without it."""
    plain = data.ships.preset[state.rulings.preset].strength[ship.kind]
    return {
        "key": ship.key,
        "name": ship.name,
        "kind": ship.kind,
        "capital": ship.capital,
        "length": ship.length,
        "strength": ship.strength if whole else plain,
        "hits": ship.hits,
        "sunk": ship.sunk,
        "damaged": state.damaged(ship),
        "berth": msgspec.to_builtins(ship.berth) if ship.berth else None,
        "zone": zone_of(data.places.harbor, ship.berth, ship.length) if ship.berth else None,
    }


# -- states that a seat could not tell apart -------------------------------------------------------------------------


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
    ports = {key: _another_port(drawn.in_port[key], true, day, random) for key, true in plan.in_port.items()}
    shown = {category for category in CATEGORIES if has_shown(table.state, table.data, category)}
    if patrols != (drawn.airfield[day - 1] == top):
        shown.add("airfield")
    kept: dict[str, Any] = {
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


def _another_port(drawn: int, true: int, day: int, random: Random) -> int:
    """[5.13] A carrier in port today is visible; her day, if another, is not."""
    return true if true == day or drawn == day else drawn


def _live_with(table: T, random: Random) -> None:
    """Apply another calendar: levels with their rises, ship strengths and searches."""
    state, usa, top = table.state, table.state.usa, table.data.planning.alert.top
    assert usa.plan is not None
    assert usa.levels is not None
    before, day = usa.levels.ship, state.day
    usa.levels = Levels(**{category: usa.plan.levels(category)[day - 1] for category in CATEGORIES})
    for _ in range(usa.risen):
        usa.levels.rise(top)
    add_zebra(state, table.data, before)
    usa.radar_works = random.random() < 0.5 if usa.plan.radar[day - 1] else None
    usa.detected = detects(usa.plan, day, bool(usa.radar_works), _first_sectors(state))


def _first_sectors(state: Tora) -> list[str]:
    assert state.japan.plan is not None
    return list(dict.fromkeys(group.sector for group in state.japan.plan.wave[0].group))


def _another_attack(table: T, random: Random) -> None:
    """[7] Until the first wave enters only the day may be known; afterwards the bombers' ordnance is not."""
    state, japan = table.state, table.state.japan
    if not japan.sealed:
        _deal_loads(state, random)
        return
    assert japan.plan is not None
    if japan.entered == 0:
        drawn = cast(JapanesePlan, random_plan(table, JAPAN, random))
        japan.plan = msgspec.structs.replace(drawn, day=state.day) if state.day else drawn
        _bring_back(state)
        if state.day:
            form_wave(state, 1)
            assert state.usa.plan is not None
            state.usa.detected = detects(state.usa.plan, state.day, bool(state.usa.radar_works), _first_sectors(state))
        return
    for unit in (unit for zone in state.zones.values() for unit in zone.japan):
        _rearm(unit, table.data, random)
    japan.plan = _another_future(table, japan.plan, random)


def _deal_loads(state: Tora, random: Random) -> None:
    """[7.4] Redistribute the ordnance within each type if the plan is the scenario's."""
    armed = [unit for zone in state.zones.values() for unit in zone.japan if unit.ordnance is not Ordnance.NONE]
    for type_ in {unit.type: None for unit in armed}:
        units = [unit for unit in armed if unit.type == type_]
        loads = [unit.ordnance for unit in units]
        random.shuffle(loads)
        for unit, load in zip(units, loads, strict=True):
            unit.ordnance = load


def _another_future(table: T, plan: JapanesePlan, random: Random) -> JapanesePlan:
    """[7.3] Draw other future waves, or none unless the map is empty and one must be coming."""
    state = table.state
    entered, now = state.japan.entered - state.japan.skipped, state.at.turn
    drawn, later = cast(JapanesePlan, random_plan(table, JAPAN, random)), list[WaveOrder]()
    left = Counter(unit.type for unit in state.japan.carriers if unit.wave == 0)
    for order in drawn.wave[entered:]:
        groups = [_at_most(group, left) for group in order.group]
        turn = max(order.turn, now + 1, *(wave.turn + 1 for wave in later))
        if any(group.units for group in groups) and turn <= table.data.planning.waves.last_turn:
            later.append(WaveOrder(turn, tuple(group for group in groups if group.units)))
    if state.japan.off or not (later or any(zone.japan for zone in state.zones.values())):
        return plan
    state.japan.entered, state.japan.skipped = entered, 0
    return msgspec.structs.replace(plan, wave=(*plan.wave[:entered], *later))


def _at_most(group: Group, left: Counter[str]) -> Group:
    """Return a group limited to units that have not flown yet."""
    units = min(group.units, left[group.type])
    left[group.type] -= units
    return msgspec.structs.replace(group, units=units)


def _bring_back(state: Tora) -> None:
    for wave in state.japan.waves:
        for unit in wave.units():
            unit.ordnance, unit.wave = Ordnance.NONE, 0
            state.japan.carriers.append(unit)
    state.japan.waves = []


def _rearm(unit: AirUnit, data: Data, random: Random) -> None:
    carried: Iterable[str] = data.air.types[unit.type].ordnance
    if carried and unit.ordnance is not Ordnance.NONE:
        unit.ordnance = Ordnance(random.choice(list(carried)))
