"""[14.0, 11.0] What a captain sees of the end of a raid and of an airstrike: nothing of it is hidden."""

from __future__ import annotations

from readyroom.engine.game import View
from readyroom.games.doolittle import names
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Crew
from readyroom.games.doolittle.presentation.map_catalogue import roads
from readyroom.games.doolittle.state import Doolittle


def ending(state: Doolittle, data: Data) -> View | None:
    """[14.0] The denouement: crews on their way, fields in China, ships that have still to sail home."""
    if state.ending is None:
        return None
    return {
        "crews": [_crew(data, crew) for crew in state.crews],
        "fields": [_field(state, data, site.key) for site in data.flight.sites_in("china")],
        "homeward": list(state.ending.homeward),
        "soviet": state.ending.soviet,
        "checks": dict(state.ending.checks),
        "routes": roads(data),
    }


def _crew(data: Data, crew: Crew) -> View:
    """[14.0.1] A crew: whose, where, its state, its elite crewmen, and its fate."""
    return {
        "key": crew.key,
        "pilot": data.bombers.cards[crew.key].pilot,
        "where": crew.where,
        "place": names.places(data).get(crew.where, ""),
        "fit": crew.fit,
        "elites": [_man(data, man.key, used=man.used) for man in crew.elites],
        "fate": crew.fate,
    }


def _man(data: Data, key: str, *, used: bool) -> View:
    card = data.bombers.crewmen[key]
    benefit = data.bombers.benefits[card.benefit]
    return {"key": key, "name": card.name, "role": card.role, "benefit": benefit.title, "used": used}


def _field(state: Doolittle, data: Data, key: str) -> View:
    """[14.4.1] A field in China: its fuel, and how many bombers its groundcrews can still repair."""
    crews = state.sky.groundcrews.get(key, 0)
    return {
        "key": key,
        "name": data.flight.site[key].name,
        "stock": state.sky.stock.get(key, 0),
        "groundcrews": crews,
        "hands": crews * data.denouement.groundcrew.bombers - state.denouement.repairs.get(key, 0),
        "bombers": [one.key for one in state.squad.values() if one.fate == "landed" and one.where == key],
    }


def strike(state: Doolittle, data: Data) -> View | None:
    """[11.0] An airstrike that continues."""
    if state.strike is None:
        return None
    now = state.strike
    area = state.sea.groups.get(now.group, state.sea.area)
    return {
        "found": now.found,
        "group": now.group,
        "area": area,
        "reach": bool(area) and data.sea.west_of(area, data.flight.launch.west_of),
        "navy": list(now.navy),
        "waves": [list(wave) for wave in now.waves],
    }
