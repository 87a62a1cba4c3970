"""[4.0, 8.0] The sequence of play: flight turns, and the attack turns that interrupt them."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.game import Phase, Scenario
from readyroom.engine.state import At
from readyroom.engine.table import Steps
from readyroom.games.doolittle import (
    bombing,
    debriefing,
    figures_ending,
    flight_hazards,
    hazards,
    movement,
    raids,
    resolve,
    setup,
    winds,
)
from readyroom.games.doolittle.figures import Data
from readyroom.games.doolittle.state import Doolittle, T

Rule = Callable[[T], Steps | None]
ATTACK: list[tuple[str, str, str, Rule]] = [
    ("airspeed", "airspeed", "4.1", raids.airspeed),
    ("place", "place hazards", "4.2", hazards.place),
    ("assign", "assign hazards", "4.3", hazards.assign),
    ("evade", "evade hazards", "4.4", hazards.evade),
    ("gunnery", "gunnery", "4.5", resolve.gunnery),
    ("resolve", "resolve hazards", "4.6", resolve.resolve),
    ("exit", "exit", "4.7", bombing.leaves),
    ("approach", "approach target", "4.8", bombing.approach),
    ("bombs-away", "bombs away", "4.9", bombing.bombs_away),
    ("turn-end", "end of the attack turn", "4.0.1", bombing.turn_ends),
]
"""[3.4, 3.5] The phases of an attack turn."""
FLIGHT: list[tuple[str, str, str, Rule]] = [
    ("launch", "the launch", "5.0", movement.launch),
    ("move", "move", "8.1", movement.move),
    ("wind", "wind", "8.2", winds.wind),
    ("hazards", "hazards", "8.3", flight_hazards.hazards),
    ("fuel", "fuel", "8.4", movement.fuel),
]
END: list[tuple[str, str, str, Rule]] = [("debriefing", "debriefing", "1.2", debriefing.debrief)]
PHASES: list[Phase[Doolittle, Data]] = [Phase(*one) for one in (*ATTACK, *FLIGHT, *END)]
_ATTACK = [name for name, *_ in ATTACK]
_FLIGHT = [name for name, *_ in FLIGHT]


def played(scenario: Scenario) -> list[Phase[Doolittle, Data]]:
    """[1.2] The phases of a scenario: those of the attack, and where it begins with the launch those of the flight."""
    card: figures_ending.Scenario = scenario.content
    parts = (ATTACK, END) if card.map else (FLIGHT, ATTACK, END)
    return [Phase(*one) for part in parts for one in part]


def next_phase(state: Doolittle) -> At:
    """[4.0, 8.0] The phase that follows; the turn grows with each attack turn, each flight turn and each resumption."""
    at = state.at
    if at.phase == setup.BEFORE:
        return At(1, _ATTACK[0] if state.segment == "attack" else _FLIGHT[0])
    if at.phase in _ATTACK:
        return _after_attack(state)
    if state.raid is not None:
        return At(at.turn + 1, _ATTACK[0])
    return _after_flight(state)


def _after_attack(state: Doolittle) -> At:
    """[4.0, 4.0.2] The next phase of the attack, its next turn, or what follows upon it."""
    at = state.at
    if state.raid is None:
        if state.air is None:
            return At(at.turn, "debriefing")
        return At(at.turn + 1, state.air.phase)
    following = _ATTACK.index(at.phase) + 1
    if following == len(_ATTACK):
        return At(at.turn + 1, _ATTACK[0])
    return At(at.turn, _ATTACK[following])


def _after_flight(state: Doolittle) -> At:
    """[5.1.1, 8.0, 8.1, 8.4] The next phase of the flight turn; the first turn has no move phase."""
    at, sky = state.at, state.sky
    if not any(flight.site == "" for flight in sky.flights):
        return At(at.turn, "debriefing")
    if at.phase == "launch":
        return At(at.turn, "wind")
    if at.phase == "fuel":
        return At(at.turn + 1, "move")
    return At(at.turn, _FLIGHT[_FLIGHT.index(at.phase) + 1])
