"""[doctrine] How the captain sails: west at every chance, recon out where the force is, and silent until the launch."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Decision, DecisionKind
from readyroom.games.doolittle.bots.answers import (
    Answer,
    chance_of,
    choose_fewest,
    choose_first,
    choose_likeliest,
    prefer,
    spare,
)
from readyroom.games.doolittle.planning.view import NO_PLAN
from readyroom.games.doolittle.view import DoolittleView
from readyroom.games.doolittle.voyage.view import VoyageView

FORCE = "force"
HIGH_CAP = "vf6-high-cap"
SPOKEN = 2
"""Radio silence is broken by no more than this for a rendezvous."""
LIKELY = 0.4
"""With a smaller chance the other force is not looked for."""
STRIKES = {"line": 0, "square": 2, "circle": 3}
"""The alert from which a failed test with this icon brings planes."""
HOUR = "at-0400"
"""Over Japan by day, and over China before dark."""


def answers() -> dict[str, Answer]:
    """Return the answers to the decisions of the voyage, by rule."""
    return {
        "7.1": choose_first,
        "7.1.1": choose_fewest,
        "9.5.1": prefer("keep", "usual"),
        "11.2.1": choose_fewest,
        "12.0.1": lambda decision, table: ["launch" if _japan_in_reach(table.sea) else "home"],
        "12.1": _choose_orders,
        "12.1.1": _place_recon,
        "12.1.3": _call_submarines,
        "12.1.4": _send_home,
        "12.1.5": lambda decision, table: [decision.keys[-1]],
        "12.2.2": _choose_least_loss,
        "12.2.3": _choose_wind,
        "12.3.1": choose_first,
        "12.3.2": _choose_last_bomber,
        "12.4.1": _choose_westernmost,
        "12.4.2": prefer(HOUR, "now"),
        "12.5.1": prefer("force"),
        "12.5.2": _choose_raid_move,
        "12.5.3": _seek_rendezvous,
        "12.6": choose_first,
        "12.6.3": spare("to-task-force"),
        "12.6.4": _launch_before_hazard,
        "12.6.6.A": choose_likeliest,
        "12.6.6.E": choose_likeliest,
        "12.6.6.F": _choose_smallest_ship,
        "12.6.6.G": choose_first,
        "12.7.1": prefer("contact-tokyo"),
        "12.7.2": _choose_refueling,
    }


def _distance_west(sea: VoyageView, area: str) -> int:
    """Return how far west an area is; the port is east of all."""
    return next((at for at, one in enumerate(sea.areas) if one.key == area), -1)


def _slow_ships(sea: VoyageView) -> list[str]:
    return [ship.key for ship in sea.ships if ship.slow and not ship.group and not ship.sunk]


def _choose_orders(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.1, 12.1.4] Send slow ships home west of the date line, once the tanks are full."""
    sea = table.sea
    west = any(one.key == sea.area and one.west for one in sea.areas)
    return ["detach"] if west and sea.fueled and set(_slow_ships(sea)) - {"hornet"} else []


def _send_home(decision: Decision, table: DoolittleView) -> Sequence[str]:
    slow = [f"detach-{key}" for key in _slow_ships(table.sea)]
    return [key for key in decision.keys if key in slow]


def _place_recon(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.1.1, 12.1.2] Let recon share the hazards of the force, and fighters fly high west of the date line."""
    sea = table.sea
    west = any(one.key == sea.area and one.west for one in sea.areas)
    placed = {one.key: one.place for one in sea.recon}
    wanted = [key for key in decision.keys if key.endswith(f"-{FORCE}")]
    if west and placed.get("vf6") == "high-cap":
        wanted = [key for key in wanted if not key.startswith("vf6")]
    elif west and HIGH_CAP in decision.keys:
        wanted = [key for key in wanted if not key.startswith("vf6")] + [HIGH_CAP]
    return wanted


def _call_submarines(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.1.3] Call submarines only when the bombers are about to take off: before, their signals may be heard."""
    sea = table.sea
    there = _distance_west(sea, sea.area) >= _distance_west(sea, (sea.plan or NO_PLAN).launch_area)
    word = "call-" if there else "break-"
    return [next((key for key in decision.keys if key.startswith(word)), "enough")]


def _choose_least_loss(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.2.2] Choose a bomber that is whole and has no elite crewman."""
    return [min(decision.keys, key=lambda key: _bomber_value(table, key))]


def _bomber_value(table: DoolittleView, key: str) -> float:
    bomber = next((one for one in table.squad if one.key == key.rpartition("-")[2]), None)
    if bomber is None:
        return 0.0
    return 2.0 * bool(bomber.hits) + bool(bomber.elite)


def _choose_wind(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.2.3] Look for the wind, and keep it if it is a tailwind."""
    if "look" in decision.keys:
        return ["look"]
    box = next(one for one in table.sky.winds if one.key == decision.piece_key)
    return ["keep" if box.wind.endswith("tailwind") else "remove"]


def _choose_last_bomber(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.3.2] Let an elite pilot take off last; let fire hit damaged bombers and those without an elite crewman."""

    def able(key: str) -> tuple[bool, bool]:
        bomber = table.bomber(key.rpartition("-")[2])
        return not bomber.hits, bomber.elite is not None and bomber.elite.role == "pilot"

    if decision.keys[0].startswith("last-"):
        return [max(decision.keys, key=able)]
    return sorted(decision.keys, key=lambda key: (able(key), _bomber_value(table, key)))[: decision.at_least]


def _choose_westernmost(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.4.1] Choose the first zone nearest to Japan."""
    order = [f"zone-{zone.key}" for zone in table.sky.zones]
    return [max(decision.keys, key=order.index)]


def _japan_in_reach(sea: VoyageView) -> bool:
    """[12.0.1, 12.4] Return whether bombers can reach Japan: from the second area west of the date line."""
    west = [one.key for one in sea.areas if one.west]
    return sea.area in west[1:]


def _choose_raid_move(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.5.2] Make a raid move while there is fuel, up to the launch area."""
    sea = table.sea
    if "force" in decision.keys:
        return ["force"]
    short = _distance_west(sea, sea.area) < _distance_west(sea, (sea.plan or NO_PLAN).launch_area)
    return ["go" if short and sea.fueled else "stay"]


def _seek_rendezvous(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.5.3] Look for the other force where it is likely to be, and break radio silence a little."""
    if "look" in decision.keys:
        likely = chance_of(next(one for one in decision.options if one.key == "look"))
        return ["look" if likely >= LIKELY else "wait"]
    if "keep" in decision.keys:
        spoken = next((key for key in decision.keys if key.startswith("silence-")), "")
        return [spoken if spoken and int(spoken.partition("-")[2]) <= SPOKEN else "keep"]
    if decision.kind is DecisionKind.ONE:
        return [decision.keys[0]]
    return _place_recon(decision, table)


def _launch_before_hazard(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.6.4] Launch the bombers at once where planes may come and Japan can be reached."""
    if "launch" not in decision.keys:
        return [decision.keys[0]]
    sea = table.sea
    icons = [marker.icon for held in sea.hazards.assigned for marker in held.markers]
    danger = any(table.security.alert >= STRIKES.get(icon or "", 9) for icon in icons)
    return ["launch" if danger and _japan_in_reach(sea) else "resolve"]


def _choose_smallest_ship(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.6.6.F, 12.7.2] Choose the smallest ship, one with markers first; hit no damaged ship again."""
    ships = {ship.key: ship for ship in table.sea.ships}

    def weight(key: str) -> tuple[bool, bool, int]:
        verb, _, name = key.partition("-")
        ship = ships[name]
        return verb == "hurt" and bool(ship.hits), not ship.markers, ship.size

    return [min(decision.keys, key=weight)]


def _choose_refueling(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[12.7.2] Try any oiler; give none up for fuel; let the sea damage the smallest ship."""
    if "hold" in decision.keys:
        return ["hold"]
    if decision.keys[0].startswith("hurt-"):
        return _choose_smallest_ship(decision, table)
    return choose_likeliest(decision, table)
