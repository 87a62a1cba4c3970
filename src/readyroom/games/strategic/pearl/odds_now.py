"""The calculator's questions of the present decision."""

from __future__ import annotations

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.forms import FilledQuery
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.pearl.declare import disarray, surprised, table_of
from readyroom.games.strategic.pearl.knowledge import level, public_level
from readyroom.games.strategic.pearl.odds import air_factors
from readyroom.games.strategic.pearl.pearl_odds import AT_SEA, FORCES_AT_SEA, NO_SURPRISE
from readyroom.games.strategic.pearl.second import QUIET
from readyroom.games.strategic.pearl.state import USA, Ship, T
from readyroom.games.strategic.pearl.strike import (
    KINDS,
    Target,
    air_net,
    attack_nations,
    guns_strength,
    target_count,
)
from readyroom.games.strategic.tables.modifiers import total


def odds_now(table: T, decision: Decision | None) -> list[FilledQuery]:
    """Return the odds of surprise, of fighters and guns, of attacks with all squadrons, or of interception."""
    raid = table.state.raid
    if decision is None:
        return []
    if decision.rule == "PH.2":
        inputs = {"tension": str(raid.tension), "carriers": str(len(raid.forces)), "edition": _edition(table)}
        return [FilledQuery("Surprise without Magic", "surprise", inputs)]
    if decision.rule == "PH.4":
        return _defence_now(table)
    if decision.rule == "51.31.3" and QUIET not in decision.keys:
        places = {name: force.place for name, force in zip(FORCES_AT_SEA, raid.forces, strict=False)}
        return [FilledQuery("Interception", "second-strike", {**places, "edition": _edition(table)})]
    if decision.rule in ("PH.7", "PH.11"):
        return [_attack_now(table, decision, option) for option in decision.values]
    return []


def _edition(table: T) -> str:
    return table.state.raid.opening.edition or table.state.rulings.edition


def _attack_now(table: T, decision: Decision, target: Target) -> FilledQuery:
    """[20.51, 51.31.5] Return an attack by as many squadrons as one target can be assigned."""
    raid, rulings, most = table.state.raid, table.state.rulings, decision.max_repeats(target)
    at_sea, ship, (air, navy) = decision.rule == "PH.11", target.value, attack_nations(table, decision.seat)
    surprise = public_level(level(raid, table_of(table)), table.data) if surprised(table) else NO_SURPRISE
    inputs = {
        "squadrons": str(min(most, decision.at_most)),
        "surprise-level": str(AT_SEA if at_sea else surprise),
        **(_ship(ship) if ship is not None else _others(table, target.key)),
        "air": str(air),
        "navy": str(navy),
        "critical": rulings.critical,
        "bonus": rulings.surprise_bonus,
    }
    name = ship.name if ship is not None else capitalize_first(KINDS[target.key])
    return FilledQuery(name, "first-strike", inputs)


def _defence_now(table: T) -> list[FilledQuery]:
    """[19.2, PH.6] Return what meets a strike: the aircraft that are up, and the guns unless they are silent."""
    raid = table.state.raid
    up, net = air_factors(raid.army.up, raid.naval.up, table.data), total(air_net(table, USA))
    fighters = [FilledQuery("American fighters", "air", {"strength": str(up), "air": str(net)})] if up else []
    if table.state.rulings.guns == "none" or disarray(table):
        return fighters
    strength = guns_strength(table, surprised(table))
    return [*fighters, FilledQuery("The guns", "warfare", {"strength": str(strength)})]


def _others(table: T, kind: str) -> dict[str, str]:
    return {"target": kind, "aircraft": str(target_count(table, kind))}


def _ship(ship: Ship) -> dict[str, str]:
    return {"target": "ship", "size": str(ship.size), "damaged": "yes" if ship.hit else "no"}
