"""How the American bot fights: all fighters up, bombers before Zeros, guns at units with ordnance left."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.battle.flying import STAY
from readyroom.games.tora.bots.battle_view import BattleView, strongest
from readyroom.games.tora.plans.data import Ordnance
from readyroom.games.tora.view import UnitView

OVER_THE_HARBOR = ("1SW", "1SE", "2SE")
"""Where the CAP waits: over the battleships, and over the yard."""


def danger(unit: UnitView) -> tuple[bool, bool, int]:
    """Return the priority of a Japanese unit as a target, low first: bombers with ordnance left, then others."""
    bomber = unit.type != "zero"
    return not (bomber and unit.ordnance is not Ordnance.NONE), bomber, -unit.strength


def attack(decision: Decision, battle: BattleView) -> list[str]:
    """[10.2] Attack one enemy per fighter, the most dangerous first."""
    units = {unit.key: unit for over in battle.zones.values() for unit in over.japan}
    return sorted(decision.keys, key=lambda key: danger(units[key]))[: decision.at_most]


def fire(decision: Decision, battle: BattleView) -> list[str]:
    """[12.1] Spread fire over units with ordnance left, or over all if none has any."""
    units = {unit.key: unit for over in battle.zones.values() for unit in over.japan}
    ranked = sorted(decision.keys, key=lambda key: danger(units[key]))
    loaded = [key for key in ranked if not danger(units[key])[0]] or ranked
    return [key for key, _ in zip(cycle(loaded), range(decision.at_least), strict=False)]


def move(decision: Decision, battle: BattleView) -> list[str]:
    """[8.3] Fly all fighters of a zone to the most loaded bombers in reach, or wait; do not divide them further."""
    _, zone, *divided = decision.piece_key.split(":")
    if divided:
        return []
    ways = [key for key in decision.keys if key in battle.zones]
    here, best = _prey(battle, zone), max(ways, key=lambda way: _prey(battle, way), default=zone)
    return [STAY if here >= _prey(battle, best) else best]


def _prey(battle: BattleView, zone: str) -> int:
    """Count the Japanese aircraft over a zone, loaded ones twice."""
    return sum(unit.strength * (1 if danger(unit)[0] else 2) for unit in battle.zones[zone].japan)


def launch(decision: Decision, battle: BattleView) -> list[str]:
    """[5.5] Launch the best units, up to the limit."""
    types, units = battle.data.air.types, {unit.key: unit for field in battle.usa.fields for unit in field.units}
    order = sorted(decision.keys, key=lambda key: (types[units[key].type].hit, -units[key].strength))
    return order[: decision.at_most]


def station(decision: Decision, battle: BattleView) -> list[str]:
    """[5.12] Station the CAP over the battleships and the yard."""
    return [zone for zone, _ in zip(cycle(OVER_THE_HARBOR), range(decision.at_least), strict=False)]


def anchor(decision: Decision, battle: BattleView) -> list[str]:
    """[8.5] Keep ships at their berths: under way they are no harder to hit."""
    return []


DECIDE: dict[str, Callable[[Decision, BattleView], list[str]]] = {
    "attack": attack,
    "units": strongest,
    "fire": fire,
    "move": move,
    "launch": launch,
    "5.5": launch,
    "5.12": station,
    "sail": anchor,
}
