"""How the Japanese bot fights: straight to the targets, each bomb where it gains most, and straight home."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from readyroom.engine.rules.checks import mean_hits
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.battle.flying import CARRIERS, DIVIDE, FLY, STAY
from readyroom.games.tora.bots.battle_view import BattleView, by_number, strongest
from readyroom.games.tora.odds import from_the_air
from readyroom.games.tora.plans.data import Ordnance
from readyroom.games.tora.state import ring
from readyroom.games.tora.view import ShipView, UnitView

SHIP_LOADS = (Ordnance.TORPEDO, Ordnance.AP)
"""Ordnance for ships; torpedoes choose first, since they reach fewer ships."""
SMALL_VALUE = 0.02
"""The value of any hit on a ship that is not a capital ship."""


def move(decision: Decision, battle: BattleView) -> list[str]:
    """[8.3] Move each unit a step towards its goal: all together if their steps agree, else those that go one way."""
    _, zone, *ways = decision.piece_key.split(":")
    steps = next_steps(battle, zone)
    if ways:
        return [key for key in decision.keys if steps.get(key) == ways[0]]
    wanted = set(steps.values())
    return [wanted.pop()] if len(wanted) == 1 else [DIVIDE]


def next_steps(battle: BattleView, zone: str) -> dict[str, str]:
    """Return the next step of each unit over a zone that may still move."""
    aims, needed = ship_goals(battle), zeros_needed(battle)
    steps = {}
    for unit in battle.zones[zone].japan:
        if unit.acted != battle.turn:
            goal = aims.get(unit.key) or _other_goal(battle, zone, unit, needed)
            if goal != CARRIERS:
                steps[unit.key] = STAY if goal == zone else battle.step(zone, goal)
            elif zone in battle.data.places.sectors:
                steps[unit.key] = CARRIERS
            else:
                steps[unit.key] = max(battle.data.places.near(zone, battle.diagonal), key=ring)
    return steps


def _other_goal(battle: BattleView, zone: str, unit: UnitView, needed: bool) -> str:
    """Return the goal of bombs for the ground and of Zeros: the yard, a full field nearby, or home."""
    if unit.ordnance is Ordnance.GP and battle.aims.yard_first and _yard_left(battle):
        return battle.data.places.yard.zone
    fields = [field for field in battle.usa.fields if field.stacks]
    useless = unit.ordnance is Ordnance.NONE and (unit.type != "zero" or not needed)
    if useless or not fields or unit.ordnance in SHIP_LOADS:
        return CARRIERS
    return min(fields, key=lambda field: battle.far(zone, field.zone) - len(field.stacks) / 20).zone


def zeros_needed(battle: BattleView) -> bool:
    """Return whether Zeros stay: while a bomber is loaded or a wave is still to come."""
    return battle.more_to_come or any(unit.ordnance is not Ordnance.NONE for unit in battle.own())


def _yard_left(battle: BattleView) -> bool:
    return any(token.hits < token.capacity for token in battle.usa.yard)


# -- ships -----------------------------------------------------------------------------------------------------------


def ship_goals(battle: BattleView) -> dict[str, str]:
    """Return the zone of the assigned ship for each unit with ordnance for ships."""
    loaded = [unit for unit in battle.own() if unit.ordnance in SHIP_LOADS]
    return {unit: ship.zone for unit, ship in assign(battle, loaded, battle.afloat()).items() if ship.zone}


def assign(battle: BattleView, units: list[UnitView], ships: list[ShipView]) -> dict[str, ShipView]:
    """Return for each unit's key the ship where its hits gain most; torpedoes only where they can run."""
    if not units or not ships:
        return {}
    expected = {ship.key: float(ship.hits) for ship in ships}
    exposed, assigned = battle.exposed(), dict[str, ShipView]()
    for load in SHIP_LOADS:
        targets = [ship for ship in ships if load is not Ordnance.TORPEDO or ship.key in exposed]
        mean = float(mean_hits(from_the_air(battle.data, battle.preset.bomber_hit, load)))
        for unit in sorted((u for u in units if u.ordnance is load), key=_strongest) if targets else ():
            hits = mean * unit.strength
            gains = [_value(battle, s, expected[s.key] + hits) - _value(battle, s, expected[s.key]) for s in targets]
            ship = targets[gains.index(max(gains))]
            expected[ship.key] += hits
            assigned[unit.key] = ship
    return assigned


def _strongest(unit: UnitView) -> tuple[int, tuple[str, int]]:
    return -unit.strength, by_number(unit.key)


def _value(battle: BattleView, ship: ShipView, hits: float) -> float:
    if not ship.capital:
        return SMALL_VALUE * min(hits, ship.strength)
    aims = battle.aims
    hurt = min(1.0, hits / (battle.preset.damaged_at + aims.margin))
    return aims.hurt * hurt + aims.sink * min(1.0, hits / (ship.strength + aims.margin))


# -- attacks ---------------------------------------------------------------------------------------------------------


def attack(decision: Decision, battle: BattleView) -> list[str]:
    """[10.2, 10.3, 11.1, 11.7] Choose targets: ships by gain, the yard evenly, one air or field target per unit.

    Zeros attack fighters in the air first, the weakest before others, then parked aircraft.
    """
    _, zone, type_, ordnance = decision.piece_key.split(":")
    load = Ordnance(ordnance)
    units = [unit for unit in battle.zones[zone].japan if unit.acted != battle.turn]
    group = [unit for unit in units if unit.type == type_ and unit.ordnance is load]
    if load in SHIP_LOADS:
        return _attack_ships(decision, battle, units, group)
    if load is Ordnance.GP:
        return _bomb(decision, battle, len(group))
    if not zeros_needed(battle):
        return decision.keys[: decision.at_least]
    offered = set(decision.keys)
    aloft = [unit for over in battle.zones.values() for unit in over.usa if unit.key in offered]
    first = [unit.key for unit in sorted(aloft, key=lambda unit: unit.strength)]
    return [*first, *_stacks(battle, offered)][: decision.at_most]


def _attack_ships(decision: Decision, battle: BattleView, units: list[UnitView], group: list[UnitView]) -> list[str]:
    """Choose ships in reach by the assignment of the whole raid; the other units hold and fly on."""
    offered = set(decision.keys)
    goals = ship_goals(battle)
    here = decision.piece_key.split(":")[1]
    ships = [ship for ship in battle.afloat() if ship.zone == here or battle.rulings.reach == "ring"]
    stays = [unit for unit in units if goals.get(unit.key, here) == here or battle.out > battle.aims.patience]
    aims = assign(battle, [unit for unit in stays if unit.ordnance in SHIP_LOADS], ships)
    targets = [aims[unit.key].key for unit in sorted(group, key=_strongest) if unit.key in aims]
    return [key for key in targets if key in offered][: decision.at_most]


def _bomb(decision: Decision, battle: BattleView, count: int) -> list[str]:
    """[11.1] Bomb the yard evenly if wanted, otherwise parked aircraft, the strongest stacks first."""
    offered = set(decision.keys)
    tokens = sorted((t for t in battle.usa.yard if t.key in offered), key=lambda token: token.hits)
    if tokens and battle.aims.yard_first:
        return [token.key for token, _ in zip(cycle(tokens), range(count), strict=False)]
    if battle.aims.yard_first and _yard_left(battle):
        return []
    return _stacks(battle, offered)[:count]


def _stacks(battle: BattleView, offered: set[str]) -> list[str]:
    """Return the offered parked units, the most aircraft first."""
    stacks = [stack for field in battle.usa.fields for stack in field.stacks if stack[-1].key in offered]
    return [stack[-1].key for stack in sorted(stacks, key=lambda stack: -sum(unit.strength for unit in stack))]


def send(decision: Decision, battle: BattleView) -> list[str]:
    """[13.1] Send every planned wave."""
    return [FLY] if FLY in decision.keys else decision.keys[: decision.at_most]


DECIDE: dict[str, Callable[[Decision, BattleView], list[str]]] = {
    "move": move,
    "attack": attack,
    "units": strongest,
    "enter": send,
}
