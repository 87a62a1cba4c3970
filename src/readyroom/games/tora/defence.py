"""How an American staff fights: everything up, bombers before Zeros, guns on whoever may still carry something."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from readyroom.engine.decisions import Decision
from readyroom.engine.game import View
from readyroom.games.tora.flying import STAY
from readyroom.games.tora.plan import Ordnance
from readyroom.games.tora.staff import Staff, strongest

SPENT = Ordnance.NONE.value
OVER_THE_HARBOR = ("1SW", "1SE", "2SE")
"""Where a CAP waits: over the battleships, and over the yard."""


def danger(unit: View) -> tuple[bool, bool, int]:
    """How urgently a Japanese unit is to be attacked, low first: what may still carry something, then the rest."""
    bomber = unit["type"] != "zero"
    return not (bomber and unit["ordnance"] != SPENT), bomber, -unit["strength"]


def attack(decision: Decision, staff: Staff) -> list[str]:
    """[10.2] As many of the enemies as there are fighters, the most dangerous first."""
    units = {unit["key"]: unit for over in staff.zones.values() for unit in over["japan"]}
    return sorted(decision.keys, key=lambda key: danger(units[key]))[: decision.at_most]


def fire(decision: Decision, staff: Staff) -> list[str]:
    """[12.1] Spread over those that may still carry something, or over all if none does."""
    units = {unit["key"]: unit for over in staff.zones.values() for unit in over["japan"]}
    ranked = sorted(decision.keys, key=lambda key: danger(units[key]))
    loaded = [key for key in ranked if not danger(units[key])[0]] or ranked
    return [key for key, _ in zip(cycle(loaded), range(decision.at_least), strict=False)]


def move(decision: Decision, staff: Staff) -> list[str]:
    """[8.3] All fighters of a zone to where the most bombers with a load are in reach; otherwise they wait."""
    zone = decision.piece_key.split(":")[1]
    ways = [key for key in decision.keys if key in staff.zones]
    here, best = _prey(staff, zone), max(ways, key=lambda way: _prey(staff, way), default=zone)
    return [STAY if here >= _prey(staff, best) else best]


def _prey(staff: Staff, zone: str) -> int:
    """The Japanese aircraft over a zone, those that may still carry something counted twice."""
    return sum(unit["strength"] * (1 if danger(unit)[0] else 2) for unit in staff.japanese(zone))


def launch(decision: Decision, staff: Staff) -> list[str]:
    """[5.5] As many as may take off, the best of them."""
    types, tops = staff.data.air.types, {top["key"]: top for field in staff.usa["fields"] for top in staff.tops(field)}
    order = sorted(decision.keys, key=lambda key: (types[tops[key]["type"]].hit, -tops[key]["strength"]))
    return order[: decision.at_most]


def station(decision: Decision, staff: Staff) -> list[str]:
    """[5.12] A CAP over the battleships and the yard."""
    return [zone for zone, _ in zip(cycle(OVER_THE_HARBOR), range(decision.at_least), strict=False)]


def anchor(decision: Decision, staff: Staff) -> list[str]:
    """[8.5] Ships stay where they are: under way they are no harder to hit."""
    return []


DECIDE: dict[str, Callable[[Decision, Staff], list[str]]] = {
    "attack": attack,
    "units": strongest,
    "fire": fire,
    "move": move,
    "launch": launch,
    "5.5": launch,
    "5.12": station,
    "sail": anchor,
}
