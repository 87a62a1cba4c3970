"""Tests of the sequence of play: airstrikes during a phase, and the phase that follows them."""

from __future__ import annotations

import pytest
from tests.games.doolittle.end_helpers import over
from tests.games.doolittle.strike_helpers import struck

from readyroom.engine.rules.state import At
from readyroom.games.doolittle.sequence import next_phase
from readyroom.games.doolittle.voyage.state import Strike


@pytest.mark.rule("doolittle", "11.0", "12.6")
def test_airstrike_interrupts_sea_hazards_then_resumes() -> None:
    state, steps = struck("sea-hazards"), list[At]()
    while len(steps) < 6:
        state.at = next_phase(state)
        steps.append(state.at)
        if state.at.phase == "strike-counter":
            state.strike = None
    assert [step.phase.removeprefix("strike-") for step in steps] == [
        *("navy", "army", "arrival", "attack", "counter"),
        "sea-hazards",
    ]
    assert [step.turn for step in steps] == [6] * 5 + [7]


@pytest.mark.rule("doolittle", "11.0.2", "14.3.2")
def test_airstrike_on_way_home_resumes_homeward_phase() -> None:
    state = over("homeward")
    state.strike = Strike("task-force")
    assert next_phase(state).phase == "strike-navy"
    state.at, state.strike = At(9, "strike-attack"), None
    assert next_phase(state) == At(10, "homeward")
