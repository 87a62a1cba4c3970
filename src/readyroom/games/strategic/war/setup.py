"""[SW.1] Setup from a scenario."""

from __future__ import annotations

from collections.abc import Mapping

from readyroom.engine.game import Scenario
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.modifiers import strength, total
from readyroom.games.strategic.tables.setup import BEFORE, rulings
from readyroom.games.strategic.tables.war_opening import Target, WarOpening, by_name
from readyroom.games.strategic.war.places import CAMPAIGNS, COUNTRIES, POWERS, SEAS
from readyroom.games.strategic.war.state import SEATS, Aim, Losses, Ocean, Orders, Power, Stack, War, WarState


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> WarState:
    """[SW.1] Return the state before the first turn."""
    opening: WarOpening = scenario.content
    ships, boats = by_name(opening.oceans), by_name(opening.submarines)
    bombers, interceptors = by_name(opening.bombers), by_name(opening.interceptors)
    oceans = {
        sea: Ocean(ships[sea].escorts, ships[sea].carriers, ships[sea].merchants) if sea in ships else Ocean()
        for sea in SEAS
    }
    war = War(
        year=opening.year,
        quarter=opening.quarter,
        turns=opening.turns,
        rounds=[each for each in (*CAMPAIGNS, *COUNTRIES) if each in opening.rounds],
        us_war=opening.us_war,
        victory=opening.victory,
        free=opening.free,
        base=opening.base,
        oceans=oceans,
        submarines={fleet: Stack(boats.get(fleet, 0)) for fleet in CAMPAIGNS},
        bombers={area: Stack(bombers.get(area, 0)) for area in COUNTRIES},
        interceptors={area: interceptors.get(area, 0) for area in COUNTRIES},
        targets=[_aim(data, target) for target in opening.target],
        powers={nation: _power(opening, nation) for nation in POWERS},
        hands={side: {} for side in SEATS},
        orders={side: Orders() for side in SEATS},
    )
    return WarState(at=BEFORE, rulings=rulings(options), played=war)


def _power(opening: WarOpening, nation: str) -> Power:
    years = tuple(by_name(opening.income).get(nation, ()))
    learned = by_name(opening.levels).get(nation, {})
    levels: dict[str, int] = {project: level for project, level in learned.items() if level}
    money = by_name(opening.money or {}).get(nation, years[0] if years else 0)  # W11
    under_way = by_name(opening.research or {}).get(nation, {})
    points: dict[str, int] = {project: count for project, count in under_way.items() if count}
    return Power(money, years, levels, points, Losses())


def _aim(data: Data, target: Target) -> Aim:
    """[24.62.10] Return a target with the strength of its parts."""
    counts = by_name(target.parts)
    parts = {part.key: str(counts.get(part.key, 0)) for part in data.modifiers.strength}
    titles = {part.title: counts[part.key] for part in data.modifiers.strength if counts.get(part.key)}
    return Aim(
        target.key, target.name, target.area, target.distance, target.steps, total(strength(data, parts)), titles
    )
