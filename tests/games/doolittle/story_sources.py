"""The names that a sentence of the debriefing may use, by its sources."""

from __future__ import annotations

from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending import facts
from readyroom.games.doolittle.ending.story import Ref, areas_hit, boxes_hit
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.state import Doolittle


def source_names(state: Doolittle, data: Data, ref: Ref) -> set[str]:
    """Return the names that a sentence with this reference may use; KeyError or IndexError if unknown."""
    kind, _, key = ref.partition(" ")
    return _NAMED[kind](state, data, key)


def _happening_names(state: Doolittle, data: Data, key: str) -> set[str]:
    one = state.story[int(key)]
    result = {names.name_of(data, one.who), names.place_name(data, one.where), names.name_of(data, one.where)}
    if one.who.startswith("flight-"):
        return result
    maps = next((maps for maps in data.targets.maps.values() if one.where in maps.area_of), None)
    return result | ({maps.title} if maps else set())


def _bomber_names(state: Doolittle, data: Data, key: str) -> set[str]:
    bomber = state.squad[key]
    men = {data.bombers.crewmen[bomber.elite.key].name} if bomber.elite else set()
    return {names.pilot_name(data, key), names.place_name(data, bomber.where)} | men


def _crew_names(state: Doolittle, data: Data, key: str) -> set[str]:
    crew = facts.crew_of(state, key)
    if crew is None:
        raise KeyError(key)
    men = {data.bombers.crewmen[man.key].name for man in crew.elites}
    return {names.pilot_name(data, key), names.place_name(data, crew.where)} | men


def _city_names(state: Doolittle, data: Data, key: str) -> set[str]:
    target = state.targets[key]
    struck = [*boxes_hit(target), *areas_hit(target)]
    return {data.targets.maps[key].title} | {names.place_name(data, one) for one in struck}


def _talk_names(state: Doolittle, data: Data, key: str) -> set[str]:
    row = data.planning.calendar.row[key]  # type: ignore[index]
    if state.blotter is None:
        raise KeyError(key)
    return {row.name, row.leader}


def _launch_names(state: Doolittle, data: Data, key: str) -> set[str]:
    if state.launched is None and not facts.launch_area(state, data):
        raise KeyError("launch")
    return {names.place_name(data, facts.launch_area(state, data))}


def _ship_names(state: Doolittle, data: Data, key: str) -> set[str]:
    return {data.ships.cards[state.sea.ships[key].key].name}


def _chit_names(state: Doolittle, data: Data, key: str) -> set[str]:
    if state.blotter is None or key not in state.blotter.chits:
        raise KeyError(key)
    return {data.incidents.chits.kind[key].title}


def _no_names(state: Doolittle, data: Data, key: str) -> set[str]:
    """Return no names: facts, views and the security track have none."""
    if key and key not in facts.all_facts(state, data) and key not in data.debriefing.perspectives:
        raise KeyError(key)
    return set()


def _check_names(state: Doolittle, data: Data, key: str) -> set[str]:
    if state.ending is None or key not in state.ending.checks:
        raise KeyError(key)
    return set()


def _blotter_names(state: Doolittle, data: Data, key: str) -> set[str]:
    if state.blotter is None:
        raise KeyError("blotter")
    return {data.training.sites.site[state.blotter.site].title} if state.blotter.site else set()


_NAMED = {
    "story": _happening_names,
    "bomber": _bomber_names,
    "crew": _crew_names,
    "city": _city_names,
    "talks": _talk_names,
    "launch": _launch_names,
    "ship": _ship_names,
    "chit": _chit_names,
    "fact": _no_names,
    "view": _no_names,
    "security": _no_names,
    "check": _check_names,
    "blotter": _blotter_names,
}
