"""The calculator's questions of the present decision."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.forms import FilledQuery
from readyroom.games.tora.battle.bombing import hits_left
from readyroom.games.tora.battle.reach import Formation, formations, is_fighter, where_parked
from readyroom.games.tora.figures import SIDES
from readyroom.games.tora.plans.data import Ordnance
from readyroom.games.tora.state import AirUnit, T


def odds_now(table: T, decision: Decision | None) -> list[FilledQuery]:
    """Return the odds of an attack, a dogfight with its return fire, guns, the radar, or the next card of luck."""
    if decision is None:
        return []
    what, _, key = (decision.piece_key or "").partition(":")
    if decision.rule == "5.8":
        return [FilledQuery("Radar", "radar", {})]
    attacks = []
    if what == "fire":
        attacks = [_guns_now(table, decision, key)]
    elif what == "attack" and decision.values:
        zone = key.partition(":")[0]
        known = [one for side in SIDES for one in formations(table.state, side, zone) if one.key == key]
        attacks = _attack_now(table, known[0], decision)
    return [*attacks, *_luck_now(table)]


def _attack_now(table: T, formation: Formation, decision: Decision) -> list[FilledQuery]:
    if decision.rule != "10.2":
        return _bombing_now(table, formation, decision.values)
    aloft = [unit for unit in decision.values if where_parked(table.state.usa, unit) is None]
    parked = [unit for unit in decision.values if unit not in aloft]
    fighters = [formation.units[0], *(unit for unit in aloft if is_fighter(table.data, unit))] if aloft else []
    fights = {unit.name: _dogfight(unit) for unit in fighters}
    return [
        *(FilledQuery(name, "dogfight", inputs) for name, inputs in fights.items()),
        *(_bombing_now(table, formation, parked) if parked else ()),
    ]


def _dogfight(unit: AirUnit) -> dict[str, str]:
    return {"type": unit.type, "planes": str(unit.strength)}


def _bombing_now(table: T, formation: Formation, targets: Sequence[AirUnit]) -> list[FilledQuery]:
    """[11.1, 11.7] Return the attack of the strongest unit, and that of all units on one target."""
    hits = max(hits_left(table, target)[0] for target in targets)
    load, planes = formation.ordnance, [unit.strength for unit in formation.units]
    inputs = {"ordnance": load.value, "preset": table.state.rulings.preset, "hits": str(hits)}
    alone = FilledQuery(formation.units[0].name, "bombing", {**inputs, "planes": str(planes[0])})
    if len(planes) == 1 or load is Ordnance.NONE:
        return [alone]
    return [alone, FilledQuery(f"All {len(planes)}", "bombing", {**inputs, "planes": str(sum(planes))})]


def _guns_now(table: T, decision: Decision, key: str) -> FilledQuery:
    """[12.1] Return all guns of a kind in a zone at one unit."""
    alert = table.state.usa.alert(key.partition(":")[2])  # type: ignore[arg-type]
    return FilledQuery("All guns", "guns", {"alert": str(alert), "guns": str(decision.at_most)})


def _luck_now(table: T) -> list[FilledQuery]:
    """[13.3] Return the card that is drawn at the end of the turn."""
    state, begins = table.state, table.state.rulings.luck_from
    if not begins or state.at.turn < begins:
        return []
    black = sum(card.black for card in state.luck.contents)
    drawn = {"cards": "1", "black": str(black), "drawn": str(len(state.drawn))}
    return [FilledQuery("Card of luck", "luck", drawn)]
