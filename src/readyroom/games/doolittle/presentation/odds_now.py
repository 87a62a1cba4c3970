"""The calculator's questions of the present decision."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.rules.decisions import Decision, Option
from readyroom.engine.rules.forms import FilledQuery
from readyroom.games.doolittle.attack.gunnery import gunnery_check
from readyroom.games.doolittle.bombers import has_benefit, is_pilot
from readyroom.games.doolittle.figures.planning import DIPLOMATS, NAVY, Diplomat
from readyroom.games.doolittle.flight.acquisition import card_of, is_city
from readyroom.games.doolittle.flight.flights import has_bombs, light_in
from readyroom.games.doolittle.flight.winds import wind_of
from readyroom.games.doolittle.names import pilot_name
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.planning import blotter
from readyroom.games.doolittle.planning.incident_effects import battles, incident_happened
from readyroom.games.doolittle.presentation.questions import hazard_key
from readyroom.games.doolittle.state import Flight, T
from readyroom.games.doolittle.voyage.ships import ship_name, weather_here

Inputs = dict[str, str]


def odds_now(table: T, decision: Decision | None) -> list[FilledQuery]:
    """Return the odds of the check that follows the decision, once for each option that leads to another one."""
    if decision is None:
        return []
    ask = _BY_RULE.get(decision.rule)
    queries = ask(table, decision) if ask is not None else []
    if decision.rule in EMERGENCIES and "launch" in decision.keys:
        queries = [FilledQuery("Launch", "launch", {"how": "emergency", "weather": weather_here(table)})]
    return queries


EMERGENCIES = ("11.2", "12.0.1", "12.6.4")
"""The rules by which bombers are launched in haste."""


def _yes(condition: object) -> str:
    return "yes" if condition else "no"


def _values(decision: Decision) -> list[Option]:
    """Return the options that lead to something."""
    return [option for option in decision.values if option.value is not None]


# -- over the targets ------------------------------------------------------------------------------------------------


def _targets(table: T, decision: Decision) -> list[FilledQuery]:
    """[4.8] Return an approach and release for each bomber and target, as far as the form has its hazards."""
    queries = []
    for option in _values(decision):
        bomber, key = option.value
        inputs = _target(table, bomber, key)
        if inputs is not None:
            queries.append(FilledQuery(option.text, "target", inputs))
    return queries


def _target(table: T, bomber: Bomber, key: str) -> Inputs | None:
    """Return the form of an approach; None if it cannot say that two equal hazards apply."""
    state, data = table.state, table.data
    box = state.city.areas[bomber.area].boxes[key]
    cards = [data.hazards.markers[marker.key] for marker in (*bomber.assigned, *box.markers) if marker.shown]
    hazards = [hazard_key(card) for card in cards if card.approach or card.detonation]
    known = data.flight_hazards.markers
    doors = [known[marker.key].detonation for marker in bomber.markers if marker.key in known]
    if len(hazards) > len(set(hazards)) or sum(map(bool, doors)) > 1:
        return None
    return {
        "box": key,
        "light": state.attack.light,
        "dark": _yes(state.city.dark),
        "burning": _yes(box.blast),
        "navigation": str(state.ratings.navigation[state.attack.light]),
        "bombing": str(state.ratings.bombing),
        "navigator": _yes(has_benefit(data, bomber.elite, "navigation")),
        "bombardier": _yes(has_benefit(data, bomber.elite, "release")),
        "damaged": _yes(bomber.hits),
        "doors": _yes(any(doors)),
        **dict.fromkeys(hazards, "yes"),
    }


def _guns(table: T, decision: Decision) -> list[FilledQuery]:
    """[4.5.1] Return the fire of a bomber at one interceptor."""
    bomber = table.state.squad[decision.piece_key]
    dice = gunnery_check(table, bomber).dice
    return [FilledQuery(pilot_name(table.data, bomber.key), "gunnery", {"dice": str(dice)})]


# -- in flight -------------------------------------------------------------------------------------------------------


def _flight(table: T, decision: Decision) -> list[FilledQuery]:
    """[8.2.1, 8.1.4] Return what the wind does to a flight, and its searches."""
    flight = next((one for one in table.state.sky.flights if one.key == decision.piece_key), None)
    if flight is None or "go" in decision.keys:  # the check has been passed
        return []
    searches = [
        FilledQuery(
            f"{card_of(table, option.value).name}",
            "search",
            _search(table, flight, option.value, persistent=option.key == "persist"),
        )
        for option in _values(decision)
        if isinstance(option.value, str) and _is_simple(table, flight, option.value)
    ]
    if decision.rule == "8.1.4":
        return searches
    wind: Inputs = {
        "wind": wind_of(table, flight),
        "number": str(table.state.ratings.guzzle),
        "fuel": str(flight.fuel),
        "loaded": _yes(has_bombs(table.state, flight)),
    }
    return [FilledQuery("Wind", "wind", wind), *searches]


def _is_simple(table: T, flight: Flight, goal: str) -> bool:
    """[8.1.3, 8.1.4] Return whether a search is one check: the lights are known, and so is a beacon."""
    state, night = table.state, light_in(table, flight.zone) == "night"
    unlit = is_city(table, goal) and night and not state.targets[goal].dark
    return not unlit and state.sky.beacons.get(goal) != 0


def _search(table: T, flight: Flight, goal: str, *, persistent: bool) -> Inputs:
    state, light, city = table.state, light_in(table, flight.zone), is_city(table, goal)
    navigators = [one for one in state.in_flight(flight) if has_benefit(table.data, one.elite, "navigation")]
    beacon = state.sky.beacons.get(goal, 0)
    inputs: Inputs = {
        "goal": goal,
        "light": light,
        "dark": _yes(city and state.targets[goal].dark),
        "blast": _yes(city and state.targets[goal].burns),
        "beacon": str(beacon) if beacon else "no",
        "navigation": str(state.ratings.navigation[light]),
        "navigators": str(len(navigators)),
        "submarines": str(state.sky.submarines if city else 0),
        "persistent": _yes(persistent),
    }
    return inputs


# -- planning and voyage ---------------------------------------------------------------------------------------------


def _talk(table: T, decision: Decision) -> list[FilledQuery]:
    """[13.2.1] Return the talk without further markers."""
    asked: Diplomat = next(one for one in DIPLOMATS if decision.values[0].key.startswith(one))
    state, row = table.state, table.data.planning.calendar.row[asked]
    fought = [turn for turn in battles(table.data) if asked == NAVY and incident_happened(state, turn)]
    inputs: Inputs = {
        "diplomat": asked,
        "month": state.notes.month,
        "briefed": _yes(asked in state.talks.briefed),
        "leader": _yes(row.leader.lower() in state.talks.briefed),
        "urgent": str(state.talks.urgent.get(asked, 0)),
        "doolittle": _yes(blotter.has_doolittle(state, "january")),
        "refused": _yes(asked in state.talks.denied),
        **{str(turn): "yes" for turn in fought},
    }
    return [FilledQuery(row.name, "talk", inputs)]


def _raid_move(table: T, decision: Decision) -> list[FilledQuery]:
    """[12.5.2] Return the move."""
    inputs = {"area": table.state.sea.area or "port", "weather": weather_here(table)}
    return [FilledQuery("Raid move", "underway", inputs)] if "go" in decision.keys else []


def _refuel(table: T, decision: Decision) -> list[FilledQuery]:
    """[12.7.2] Return each oiler's attempt."""
    oilers = [option for option in _values(decision) if option.key.startswith("refuel-")]
    weather = weather_here(table)
    return [
        FilledQuery(ship_name(table, option.value), "refuel", {"oiler": option.value.key, "weather": weather})
        for option in oilers
    ]


def _launch(table: T, decision: Decision) -> list[FilledQuery]:
    """[12.3.1] Return the launch of a flight."""
    how = "planned" if table.state.launching.planned else "emergency"
    return [FilledQuery("Launch", "launch", {"how": how, "weather": weather_here(table)})]


# -- the way home ----------------------------------------------------------------------------------------------------


def _landing(table: T, decision: Decision) -> list[FilledQuery]:
    """[14.1.1] Return the landing of each bomber; the form has no second hit."""
    data, queries, figures = table.data, [], table.data.denouement.landing
    for option in _values(decision):
        flight, bomber = option.value
        known = data.flight_hazards.markers
        faults = sum(known[marker.key].landing for marker in bomber.markers if marker.key in known)
        iced = flight.site == figures.iced_site and table.state.blotter is not None and not table.state.ratings.de_icers
        inputs = {
            "site": flight.site,
            "light": flight.light,
            "weather": flight.weather,
            "pilot": _yes(is_pilot(table, bomber)),
            "damaged": _yes(bomber.hits),
            "mechanical": str(faults),
            "deicers": _yes(not iced),
        }
        if bomber.hits < 2:
            queries.append(FilledQuery(option.text, "landing", inputs))
    return queries


_BY_RULE: dict[str, Callable[[T, Decision], list[FilledQuery]]] = {
    "4.5": _guns,
    "4.8": _targets,
    "8.1.4": _flight,
    "8.2.1": _flight,
    "8.2.2": _flight,
    "12.3.1": _launch,
    "12.5.2": _raid_move,
    "12.7.2": _refuel,
    "13.2.1": _talk,
    "14.1.1": _landing,
}
