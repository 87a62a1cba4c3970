"""How a Japanese staff fights: straight to the targets, every bomb where it does most, and straight home."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from readyroom.engine.checks import mean_hits
from readyroom.engine.decisions import Decision
from readyroom.engine.game import View
from readyroom.games.tora.flying import CARRIERS, DIVIDE, FLY, STAY
from readyroom.games.tora.odds import from_the_air
from readyroom.games.tora.plan import Ordnance
from readyroom.games.tora.staff import Staff, by_number, strongest
from readyroom.games.tora.state import ring

SHIP_LOADS = (Ordnance.TORPEDO.value, Ordnance.AP.value)
"""What is meant for ships; torpedoes choose first, for they reach fewer."""
NONE = Ordnance.NONE.value
HURT_VALUE, SINK_VALUE, SMALL_VALUE = 2.0, 1.0, 0.02
"""What it is worth to damage a capital ship, to sink her, and anything that happens to another ship."""
MARGIN = 0.9
"""So many more hits than needed are aimed for, since dice differ."""
LONG = 8
"""So many turns after a wave has come in its bombers no longer look for their targets, and take what lies below."""


def move(decision: Decision, staff: Staff) -> list[str]:
    """[8.3] Each unit a step towards its goal; where all take the same step they go together."""
    zone = decision.piece_key.split(":")[1]
    steps = next_steps(staff, zone)
    wanted = set(steps.values())
    if len(wanted) == 1:
        return [wanted.pop()]
    return [DIVIDE]


def divide(decision: Decision, staff: Staff) -> list[str]:
    """[8.3] The units of a zone whose next step leads this way."""
    _, zone, way = decision.piece_key.split(":")
    steps = next_steps(staff, zone)
    return [key for key in decision.keys if steps.get(key) == way]


def order(decision: Decision, staff: Staff) -> list[str]:
    """[8.3] Either question of a movement."""
    return divide(decision, staff) if decision.piece_key.count(":") == 2 else move(decision, staff)


def next_steps(staff: Staff, zone: str) -> dict[str, str]:
    """Where each unit over a zone that may still move goes next."""
    aims, needed = ship_goals(staff), zeros_needed(staff)
    steps = {}
    for unit in staff.own(zone):
        if unit["acted"] != staff.turn:
            goal = aims.get(unit["key"]) or _other_goal(staff, zone, unit, needed)
            steps[unit["key"]] = _step(staff, zone, goal)
    return steps


def _step(staff: Staff, zone: str, goal: str) -> str:
    if goal != CARRIERS:
        found = staff.step(zone, goal)
        return STAY if found == zone else found
    if zone in staff.data.places.sectors:
        return CARRIERS
    return max(staff.data.places.near(zone, staff.diagonal), key=ring)


def _other_goal(staff: Staff, zone: str, unit: View, needed: bool) -> str:
    """Where bombs for the ground and Zeros go: the yard or the fullest field near; home without anything to do."""
    if unit["ordnance"] == Ordnance.GP.value and staff.yard_first and _yard_left(staff):
        return staff.data.places.yard.zone
    fields = [field for field in staff.usa["fields"] if field["stacks"]]
    useless = unit["ordnance"] == NONE and (unit["type"] != "zero" or not needed)
    if useless or not fields or unit["ordnance"] in SHIP_LOADS:
        return CARRIERS
    return str(min(fields, key=lambda field: staff.far(zone, field["zone"]) - len(field["stacks"]) / 20)["zone"])


def zeros_needed(staff: Staff) -> bool:
    """Whether a bomber in the air has its load yet, or a wave is still to come: Zeros stay as long, and no longer."""
    return staff.more_to_come or any(unit["ordnance"] != NONE for _, unit in staff.everybody())


def _yard_left(staff: Staff) -> bool:
    return any(token["hits"] < token["capacity"] for token in staff.usa["yard"])


# -- ships -----------------------------------------------------------------------------------------------------------


def ship_goals(staff: Staff) -> dict[str, str]:
    """For each unit with a load for ships the zone of the ship that it is meant for."""
    zones = {ship["key"]: ship["zone"] for ship in staff.afloat()}
    loaded = [unit for _, unit in staff.everybody() if unit["ordnance"] in SHIP_LOADS]
    return {unit: zones[ship] for unit, ship in assign(staff, loaded, staff.afloat()).items()}


def assign(staff: Staff, units: list[View], ships: list[View]) -> dict[str, str]:
    """Each unit to the ship where its hits are worth most, after those before it; torpedoes only where they run."""
    if not units or not ships:
        return {}
    expected = {ship["key"]: float(ship["hits"]) for ship in ships}
    exposed, found = staff.exposed(), dict[str, str]()
    for load in SHIP_LOADS:
        targets = [ship for ship in ships if load != Ordnance.TORPEDO.value or ship["key"] in exposed]
        mean = float(mean_hits(from_the_air(staff.data, staff.preset.bomber_hit, Ordnance(load))))
        for unit in sorted((u for u in units if u["ordnance"] == load), key=_strongest) if targets else ():
            hits = mean * unit["strength"]
            ship = max(targets, key=lambda ship: _gain(staff, ship, expected[ship["key"]], hits))
            expected[ship["key"]] += hits
            found[unit["key"]] = ship["key"]
    return found


def _strongest(unit: View) -> tuple[int, tuple[str, int]]:
    return -unit["strength"], by_number(unit["key"])


def _gain(staff: Staff, ship: View, before: float, hits: float) -> float:
    """What further hits on a ship are worth that already expects some."""
    return _value(staff, ship, before + hits) - _value(staff, ship, before)


def _value(staff: Staff, ship: View, hits: float) -> float:
    strength: int = ship["strength"]
    if not ship["capital"]:
        return SMALL_VALUE * min(hits, strength)
    hurt = min(1.0, hits / (staff.preset.damaged_at + MARGIN))
    return HURT_VALUE * hurt + SINK_VALUE * min(1.0, hits / (strength + MARGIN))


# -- attacks ---------------------------------------------------------------------------------------------------------


def attack(decision: Decision, staff: Staff) -> list[str]:
    """[10.2, 11.1] Ships by worth; the yard evenly; in the air and on fields as many targets as there are units."""
    _, zone, type_, load = decision.piece_key.split(":")
    units = [unit for unit in staff.own(zone) if unit["acted"] != staff.turn]
    group = [unit for unit in units if unit["type"] == type_ and unit["ordnance"] == load]
    if load in SHIP_LOADS:
        return _attack_ships(decision, staff, units, group)
    if load == Ordnance.GP.value:
        return _bomb(decision, staff, len(group))
    return _fight(decision, staff) if zeros_needed(staff) else decision.keys[: decision.at_least]


def _attack_ships(decision: Decision, staff: Staff, units: list[View], group: list[View]) -> list[str]:
    """The ships in reach, by the same reckoning as for the whole raid; what fits no ship holds and flies on."""
    offered = set(decision.keys)
    goals = ship_goals(staff)
    here = decision.piece_key.split(":")[1]
    ships = [ship for ship in staff.afloat() if ship["zone"] == here or staff.rulings["reach"] == "ring"]
    stays = [unit for unit in units if goals.get(unit["key"], here) == here or staff.out > LONG]
    aims = assign(staff, [unit for unit in stays if unit["ordnance"] in SHIP_LOADS], ships)
    wanted = sorted((unit for unit in group if aims.get(unit["key"]) in offered), key=_strongest)
    return [aims[unit["key"]] for unit in wanted][: decision.at_most]


def _bomb(decision: Decision, staff: Staff, count: int) -> list[str]:
    """[11.1] The yard evenly, where it is wanted; otherwise parked aircraft, the strongest stacks first."""
    offered = set(decision.keys)
    tokens = sorted((t for t in staff.usa["yard"] if t["key"] in offered), key=lambda token: token["hits"])
    if tokens and staff.yard_first:
        return [token["key"] for token, _ in zip(cycle(tokens), range(count), strict=False)]
    if staff.yard_first and _yard_left(staff):
        return []
    return _stacks(staff, offered)[:count]


def _stacks(staff: Staff, offered: set[str]) -> list[str]:
    """Parked units that are offered, the most aircraft first."""
    stacks = [stack for field in staff.usa["fields"] for stack in field["stacks"] if stack[-1]["key"] in offered]
    return [stack[-1]["key"] for stack in sorted(stacks, key=lambda stack: -sum(unit["strength"] for unit in stack))]


def _fight(decision: Decision, staff: Staff) -> list[str]:
    """[10.3, 11.7] Fighters in the air first, the weakest of them before the others; then what is parked."""
    offered = set(decision.keys)
    aloft = [unit for over in staff.zones.values() for unit in over["usa"] if unit["key"] in offered]
    first = [unit["key"] for unit in sorted(aloft, key=lambda unit: unit["strength"])]
    return [*first, *_stacks(staff, offered)][: decision.at_most]


def send(decision: Decision, staff: Staff) -> list[str]:
    """[13.1] Every wave that was planned is flown."""
    return [FLY] if FLY in decision.keys else decision.keys[: decision.at_most]


DECIDE: dict[str, Callable[[Decision, Staff], list[str]]] = {
    "move": order,
    "attack": attack,
    "units": strongest,
    "enter": send,
}
