"""Tests of sections 8.2 and 16.4: the sequence of a turn, and whole battles."""

from __future__ import annotations

import pytest
from tests.games.tora.helpers import play

from readyroom.engine.rules.state import At
from readyroom.games.tora import GAME
from readyroom.games.tora.battle.outcome import epilogue, final_counts
from readyroom.games.tora.sequence import TURN, next_phase
from readyroom.games.tora.setup import BEFORE
from readyroom.testing import check_game


@pytest.mark.rule("tora", "8.2", "16.4", "2", "16")
def test_japan_plays_first_and_each_ring_fights_before_moving() -> None:
    assert [phase.name for phase in TURN] == [
        "alert",
        *(f"japan-{step}-{ring}" for ring in (1, 2, 3) for step in ("attack", "move")),
        "arrive",
        *(f"usa-{step}-{ring}" for ring in (1, 2, 3) for step in ("attack", "move")),
        "end",
    ]


@pytest.mark.rule("tora", "8.2", "8.1")
def test_turns_follow_day() -> None:
    state = play("order", scenario="sunday").state
    state.at = At(0, BEFORE)
    assert next_phase(state) == At(0, "day"), "both plans are the scenario's"
    state.at = At(0, "day")
    assert next_phase(state) == At(1, "alert")
    state.at = At(4, "end")
    assert next_phase(state) == At(5, "alert")


@pytest.mark.rule("tora", "14.2", "8", "16.2")
def test_battle_ends_and_epilogue_sums_it_up() -> None:
    match = play("epilogue", scenario="sunday")
    assert match.outcome is not None
    texts = epilogue(match.state, GAME.data)
    counted = final_counts(match.state, GAME.data)
    assert texts[-1] == f"Aircraft lost: {counted.japanese} Japanese, {counted.american} American."
    assert f"{counted.yard} of 60" in texts[1]


OPTIONS = [
    {},
    {"japan_players": "4", "usa_players": "4", "umpire": "yes", "reach": "ring", "zone_trigger": "immediate"},
    {"japan_players": "2", "usa_players": "3", "diagonal": "yes", "late_patrol": "yes", "luck_from": "0", "rearm": "4"},
    {"preset": "table", "wrecks": "clear", "landing": "no", "yard_fire": "always", "luck_from": "7", "battery": "2"},
    {"preset": "literal", "usa_players": "2", "waves_max": "2", "row1_u": "2", "row23_j": "0", "revise": "both"},
]


@pytest.mark.torture(5)
@pytest.mark.rule("tora", "16.1", "16.6", "T21", "T22")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_game_conforms(options: dict[str, str]) -> None:
    findings = check_game(GAME, options=[options], playouts=4, seed=f"tora {options}", closely=0.5)
    assert findings.ok, str(findings)
