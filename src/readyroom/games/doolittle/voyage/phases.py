"""[12.0] The voyage: the phases of a naval turn."""

from __future__ import annotations

from readyroom.engine.state import At
from readyroom.engine.table import Steps
from readyroom.games.doolittle.segments import Rows, after, onward
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage import general_quarters, hazard_effects, hazards, refueling, underway, weather
from readyroom.games.doolittle.voyage.departure import launch
from readyroom.games.doolittle.voyage.launch import may_launch


def deck(table: T) -> Steps:
    """[12.3, DR53] At the planned point, or west of it, the bombers have to launch, as planned."""
    state, area = table.state, table.state.sea.area
    planned = state.orders.launch_area
    there = area == planned or (bool(area) and bool(planned) and table.data.sea.west_of(area, planned))
    if there and may_launch(table):
        yield from launch(table, planned=True)


PHASES: Rows = [
    ("general-quarters", "general quarters", "12.1", general_quarters.quarters),
    ("weather", "weather", "12.2", weather.weather),
    ("deck", "launch from the deck", "12.3", deck),
    ("underway", "underway", "12.5", underway.underway),
    (hazard_effects.PHASE, "sea hazards", "12.6", hazards.hazards),
    ("refueling", "refueling", "12.7", refueling.refueling),
]


def following(state: Doolittle) -> At:
    """[12.0, 12.0.1] The next phase of the naval turn, the next turn, or what follows upon the voyage."""
    if state.sea.over:
        return onward(state)
    following_ = after(PHASES, state.at.phase)
    return At(state.at.turn, following_) if following_ else At(state.at.turn + 1, PHASES[0][0])
