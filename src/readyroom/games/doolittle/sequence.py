"""[1.1, 3.4, 4.0, 8.0, 11.0, 12.0, 13.0, 14.0] The sequence of play: the phases of each segment, and what follows each.

An attack interrupts a flight turn, an airstrike a naval turn or the return to port.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from readyroom.engine.game import Phase, Scenario
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle import setup
from readyroom.games.doolittle.attack import bombing, gunnery, hazards, raids
from readyroom.games.doolittle.denouement import crews, fields, landing, siberia, treks
from readyroom.games.doolittle.ending import debriefing
from readyroom.games.doolittle.figures import ending
from readyroom.games.doolittle.figures.common import MONTHS, Month
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Segment
from readyroom.games.doolittle.flight import hazards as flight_hazards
from readyroom.games.doolittle.flight import movement, winds
from readyroom.games.doolittle.planning import april, china, crane, diplomacy, february, january, march
from readyroom.games.doolittle.state import DEBRIEFING, Doolittle, T
from readyroom.games.doolittle.voyage import (
    airstrike,
    general_quarters,
    hazard_effects,
    launch,
    refueling,
    return_to_port,
    underway,
    weather,
)
from readyroom.games.doolittle.voyage import hazards as sea_hazards

Rows: TypeAlias = list[tuple[str, str, str, Callable[[T], Steps | None]]]
"""Phases in order: name, title, rule number, and the function that plays it."""

PLANNING: Rows = [
    ("january", "January", "13.1", january.january),
    ("february", "February", "13.3", february.february),
    ("march", "March", "13.4", march.march),
    ("april", "April", "13.5", april.april),
    ("crane", "the crane", "13.5.3", crane.crane),
    ("talks", "talks", "13.2", diplomacy.hold_talks),
    ("china", "landing sites in China", "13.2.3", china.supply_china),
    ("events", "events in China", "13.2.4", china.check_event),
    ("delay", "delay", "13.5.5", april.roll_delay),
    ("security", "security", "13.5.6", april.compute_security),
]
_TALKS = ["talks", "china", "events"]
MONTH_STEPS: dict[Month, list[str]] = {
    "january": ["january", *_TALKS],
    "february": ["february", *_TALKS],
    "march": ["march", *_TALKS],
    "april": ["april", "crane", *_TALKS, "delay", "security"],
}
"""[13.1, 13.3, 13.4, 13.5] The steps of each month."""
VOYAGE: Rows = [
    ("general-quarters", "general quarters", "12.1", general_quarters.general_quarters),
    ("weather", "weather", "12.2", weather.weather),
    ("deck", "launch from the deck", "12.3", launch.launch_from_deck),
    ("underway", "underway", "12.5", underway.underway),
    (hazard_effects.PHASE, "sea hazards", "12.6", sea_hazards.hazards),
    ("refueling", "refueling", "12.7", refueling.refueling),
]
AIRSTRIKE: Rows = [
    ("strike-navy", "airstrike: the Navy launches", "11.1", airstrike.navy),
    ("strike-army", "airstrike: the Army launches", "11.2", airstrike.army),
    ("strike-arrival", "airstrike: the planes arrive", "11.3", airstrike.arrival),
    ("strike-attack", "airstrike: the planes attack", "11.4", airstrike.attack),
    ("strike-counter", "airstrike: counterstrike", "11.5", airstrike.counterstrike),
]
"""[11.0, DR56] The steps of an airstrike."""
FLIGHT: Rows = [
    ("launch", "the launch", "5.0", movement.begin_flight),
    ("move", "move", "8.1", movement.move),
    ("wind", "wind", "8.2", winds.wind),
    ("hazards", "hazards", "8.3", flight_hazards.resolve_hazards),
    ("fuel", "fuel", "8.4", movement.pay_turn_fuel),
]
ATTACK: Rows = [
    ("airspeed", "airspeed", "4.1", raids.airspeed),
    ("place", "place hazards", "4.2", hazards.place_hazards),
    ("assign", "assign hazards", "4.3", hazards.assign_hazards),
    ("evade", "evade hazards", "4.4", hazards.evade_hazards),
    ("gunnery", "gunnery", "4.5", gunnery.gunnery),
    ("resolve", "resolve hazards", "4.6", gunnery.resolve),
    ("exit", "exit", "4.7", bombing.leave_map),
    ("approach", "approach target", "4.8", bombing.approach),
    ("bombs-away", "bombs away", "4.9", bombing.bombs_away),
    ("turn-end", "end of the attack turn", "4.0.1", bombing.end_turn),
]
"""[3.4, 3.5] The phases of an attack turn."""
DENOUEMENT: Rows = [
    ("landing", "landing", "14.1", landing.land),
    ("ditching", "ditched crews", "14.2", crews.ditching),
    (return_to_port.PHASE, "return to port", "14.3", return_to_port.homeward),
    ("fields", "fields in China", "14.4.1", fields.capable),
    ("transport", "to Chungking", "14.4.2", treks.transport),
    ("siberia", "the Soviet Union", "14.5", siberia.siberia),
    ("korea", "Korea", "14.6", siberia.korea),
]
"""[14.0] The steps of the denouement."""
END: Rows = [(DEBRIEFING, "debriefing", "1.2", debriefing.debrief)]
SEGMENTS: dict[Segment, Rows] = {
    "planning": PLANNING,
    "naval": VOYAGE,
    "flight": FLIGHT,
    "attack": ATTACK,
    "denouement": DENOUEMENT,
}
PHASES: list[Phase[Doolittle, Data]] = [Phase(*row) for rows in (*SEGMENTS.values(), AIRSTRIKE, END) for row in rows]
RESUMES: dict[Segment, str] = {"naval": hazard_effects.PHASE, "denouement": return_to_port.PHASE}
"""[11.0.1, 14.3.2] The phase that an airstrike interrupts, by segment."""


def scenario_phases(scenario: Scenario) -> list[Phase[Doolittle, Data]]:
    """[1.2] Return the phases of a scenario: those of its segments, and of airstrikes if ships sail."""
    card: ending.Scenario = scenario.content
    parts = [SEGMENTS[segment] for segment in card.segments]
    if "naval" in card.segments:
        parts.append(AIRSTRIKE)
    return [Phase(*row) for rows in (*parts, END) for row in rows]


def next_phase(state: Doolittle) -> At:
    """[1.1, 4.0, 8.0] Return the next phase; each turn of a segment and each resumption adds to the turn number."""
    if state.at.phase == setup.BEFORE:
        return At(1, SEGMENTS[state.segment][0][0])
    if state.strike is not None or _has(AIRSTRIKE, state.at.phase):
        return _after_airstrike(state)
    if _has(ATTACK, state.at.phase):
        return _after_attack(state)
    if state.raid is not None:
        return At(state.at.turn + 1, ATTACK[0][0])
    return _AFTER[state.segment](state)


def _has(rows: Rows, phase: str) -> bool:
    return any(name == phase for name, *_ in rows)


def _after(rows: Rows, state: Doolittle) -> At | None:
    """Return the phase after the present one of these, None after the last."""
    following = dict(pairwise(name for name, *_ in rows)).get(state.at.phase)
    return At(state.at.turn, following) if following else None


def _next_segment(state: Doolittle) -> At:
    """[1.1, 5.1.1] Return the first phase of the next segment, or the debriefing."""
    segment = state.next_segment
    return At(state.at.turn + 1, SEGMENTS[segment][0][0] if segment else DEBRIEFING)


def after_planning(state: Doolittle) -> At:
    """[13.0, 13.5] Return the next step of the month, the next month, or the next segment, also if the raid is off."""
    if state.called_off:
        return _next_segment(state)
    month = state.notes.month
    steps = MONTH_STEPS[month]
    for step in steps[steps.index(state.at.phase) + 1 :]:
        if not _is_idle(state, step):
            return At(state.at.turn, step)
    at = MONTHS.index(month) + 1
    return At(state.at.turn + 1, MONTHS[at]) if at < len(MONTHS) else _next_segment(state)


def _is_idle(state: Doolittle, step: str) -> bool:
    """[13.2.3, 13.2.4] Return whether nothing can happen in a step: no landing in China, or no beacon there."""
    if step == "china":
        return not china.may_supply(state)
    return step == "events" and not state.sky.beacons


def after_voyage(state: Doolittle) -> At:
    """[12.0, 12.0.1] Return the next phase of the naval turn, the next turn, or the segment after the voyage."""
    if state.sea.over:
        return _next_segment(state)
    return _after(VOYAGE, state) or At(state.at.turn + 1, VOYAGE[0][0])


def _after_airstrike(state: Doolittle) -> At:
    """[11.0] Return the next step of an airstrike; after the last, the phase that it interrupted."""
    if state.strike is None:
        return At(state.at.turn + 1, RESUMES[state.segment])
    return _after(AIRSTRIKE, state) or At(state.at.turn + 1, AIRSTRIKE[0][0])


def _after_flight(state: Doolittle) -> At:
    """[5.1.1, 8.0, 8.1, 8.4] Return the next phase of the flight turn; the first turn has no move phase."""
    if not any(flight.site == "" for flight in state.sky.flights):
        return _next_segment(state)
    if state.at.phase == "launch":
        return At(state.at.turn, "wind")
    return _after(FLIGHT, state) or At(state.at.turn + 1, "move")


def _after_attack(state: Doolittle) -> At:
    """[4.0, 4.0.2] Return the next phase of the attack, its next turn, or the interrupted phase of the flight turn."""
    if state.raid is None:
        return _next_segment(state) if state.air is None else At(state.at.turn + 1, state.air.phase)
    return _after(ATTACK, state) or At(state.at.turn + 1, ATTACK[0][0])


def after_denouement(state: Doolittle) -> At:
    """[14.0] Return the next step of the denouement, or the debriefing."""
    return _after(DENOUEMENT, state) or _next_segment(state)


_AFTER: dict[Segment, Callable[[Doolittle], At]] = {
    "planning": after_planning,
    "naval": after_voyage,
    "flight": _after_flight,
    "attack": _after_attack,
    "denouement": after_denouement,
}
