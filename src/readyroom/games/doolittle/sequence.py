"""[4.0, 8.0] The sequence of play: flight turns, and the attack turns that interrupt them."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.game import Phase, Scenario
from readyroom.engine.state import At
from readyroom.games.doolittle import setup
from readyroom.games.doolittle.aftermath import phases as denouement
from readyroom.games.doolittle.airstrike import phases
from readyroom.games.doolittle.attack import bombing, gunnery, hazards, raids
from readyroom.games.doolittle.ending import debriefing
from readyroom.games.doolittle.figures import ending
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.flight import hazards as flight_hazards
from readyroom.games.doolittle.flight import movement, winds
from readyroom.games.doolittle.planning import phases as planning
from readyroom.games.doolittle.segments import FIRST, Rows, after, onward
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage import phases as voyage

ATTACK: Rows = [
    ("airspeed", "airspeed", "4.1", raids.airspeed),
    ("place", "place hazards", "4.2", hazards.place),
    ("assign", "assign hazards", "4.3", hazards.assign),
    ("evade", "evade hazards", "4.4", hazards.evade),
    ("gunnery", "gunnery", "4.5", gunnery.gunnery),
    ("resolve", "resolve hazards", "4.6", gunnery.resolve),
    ("exit", "exit", "4.7", bombing.leaves),
    ("approach", "approach target", "4.8", bombing.approach),
    ("bombs-away", "bombs away", "4.9", bombing.bombs_away),
    ("turn-end", "end of the attack turn", "4.0.1", bombing.turn_ends),
]
"""[3.4, 3.5] The phases of an attack turn."""
FLIGHT: Rows = [
    ("launch", "the launch", "5.0", movement.launch),
    ("move", "move", "8.1", movement.move),
    ("wind", "wind", "8.2", winds.wind),
    ("hazards", "hazards", "8.3", flight_hazards.hazards),
    ("fuel", "fuel", "8.4", movement.fuel),
]
END: Rows = [("debriefing", "debriefing", "1.2", debriefing.debrief)]
SEGMENTS: dict[str, Rows] = {
    "planning": planning.PHASES,
    "naval": voyage.PHASES,
    "flight": FLIGHT,
    "attack": ATTACK,
    "denouement": denouement.PHASES,
}
"""The phases of each segment."""
PHASES: list[Phase[Doolittle, Data]] = [
    Phase(*one) for part in (*SEGMENTS.values(), phases.PHASES, END) for one in part
]
_ATTACK = [name for name, *_ in ATTACK]
_STRIKE = [name for name, *_ in phases.PHASES]


def played(scenario: Scenario) -> list[Phase[Doolittle, Data]]:
    """[1.2] The phases of a scenario: those of its segments, and of airstrikes where ships sail."""
    card: ending.Scenario = scenario.content
    parts = [SEGMENTS[segment] for segment in card.segments]
    if "naval" in card.segments:
        parts.append(phases.PHASES)
    return [Phase(*one) for part in (*parts, END) for one in part]


def next_phase(state: Doolittle) -> At:
    """[1.1, 4.0, 8.0] The phase that follows; the turn grows with each turn of any segment and each resumption."""
    at = state.at
    if at.phase == setup.BEFORE:
        return At(1, FIRST[state.segment])
    if at.phase in _STRIKE or state.strike is not None:
        return phases.following(state)
    if at.phase in _ATTACK:
        return _after_attack(state)
    if state.raid is not None:
        return At(at.turn + 1, _ATTACK[0])
    return _FOLLOWING[state.segment](state)


def _after_attack(state: Doolittle) -> At:
    """[4.0, 4.0.2] The next phase of the attack, its next turn, or what follows upon it."""
    at = state.at
    if state.raid is None:
        if state.air is None:
            return onward(state)
        return At(at.turn + 1, state.air.phase)
    following = after(ATTACK, at.phase)
    return At(at.turn, following) if following else At(at.turn + 1, _ATTACK[0])


def _after_flight(state: Doolittle) -> At:
    """[5.1.1, 8.0, 8.1, 8.4] The next phase of the flight turn; the first turn has no move phase."""
    at, sky = state.at, state.sky
    if not any(flight.site == "" for flight in sky.flights):
        return onward(state)
    if at.phase == "launch":
        return At(at.turn, "wind")
    if at.phase == "fuel":
        return At(at.turn + 1, "move")
    return At(at.turn, after(FLIGHT, at.phase))


_FOLLOWING: dict[str, Callable[[Doolittle], At]] = {
    "planning": planning.following,
    "naval": voyage.following,
    "flight": _after_flight,
    "attack": _after_attack,
    "denouement": denouement.following,
}
"""How each segment continues, or hands over to the next."""
