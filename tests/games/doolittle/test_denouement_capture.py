"""Tests of Japanese searches for crews (rule 14.4.4)."""

from __future__ import annotations

import pytest
from tests.games.doolittle.end_helpers import crew, fates, over
from tests.games.doolittle.helpers import DATA, hints, log_text, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.denouement.crews import search_column, search_for_crews
from readyroom.games.doolittle.state import Doolittle

DOCTOR = next(key for key, card in DATA.bombers.crewmen.items() if card.benefit == "medic")
AGAIN = next(key for key, card in DATA.bombers.crewmen.items() if card.benefit == "re-roll")


def _party(state: Doolittle, number: int, *, fit: bool = True) -> None:
    for at in range(1, number + 1):
        crew(state, f"b{at:02}", "kian", fit=fit)


@pytest.mark.rule("doolittle", "14.4.4")
@pytest.mark.parametrize(
    ("number", "fit", "face", "taken"),
    [
        (1, True, 1, 1),
        (2, True, 1, 1),
        (3, True, 1, 2),
        (6, True, 1, 3),
        (1, False, 2, 1),
        (5, False, 3, 2),
        (4, False, 1, 4),
    ],
)
def test_capture_count_depends_on_crews_and_health(number: int, face: int, taken: int, *, fit: bool) -> None:
    state = over("transport")
    _party(state, number, fit=fit)
    run(search_for_crews(table(state, face), state.crews, "kian"))
    assert sum(one.fate == "captured" for one in state.crews) == taken


@pytest.mark.rule("doolittle", "14.4.4", "14.0.1")
def test_capture_of_several_is_asked_in_the_plural_and_logged() -> None:
    state = over("transport")
    _party(state, 5, fit=False)
    asked: list[Decision] = []
    at = table(state, 3)
    run(search_for_crews(at, state.crews, "kian"), {"14.4.4": ["taken-b01", "taken-b02"]}, asked)
    assert asked[0].question == "Which crews are captured?"
    assert "The Japanese capture the crews of Doolittle and Hoover." in log_text(at, "14.4.4")


@pytest.mark.rule("doolittle", "14.4.4")
def test_search_checks_fit_and_wounded_in_turn() -> None:
    state = over("transport")
    crew(state, "b01", "kian")
    crew(state, "b02", "kian", fit=False)
    at = table(state, 6, 1)
    run(search_for_crews(at, state.crews, "kian"))
    assert fates(state) == {"b01": "", "b02": "captured"}
    assert log_text(at, "14.4.4").count("search for") == 2
    assert log_text(at, "2.3.3") == ""


@pytest.mark.rule("doolittle", "14.4.4", "2.3.3")
def test_wounded_with_a_doctor_count_as_fit() -> None:
    state = over("transport")
    crew(state, "b15", "kian", DOCTOR, fit=False)
    crew(state, "b02", "kian", fit=False)
    assert search_column(table(state), state.crews, "wounded") == "fit 2"
    at = table(state, 3)
    run(search_for_crews(at, state.crews, "kian"))
    assert (fates(state), "treats" in log_text(at, "2.3.3")) == ({"b15": "", "b02": ""}, True)


@pytest.mark.rule("doolittle", "14.4.4", "DR94")
def test_elite_crewmen_captured_match_crews_by_choice() -> None:
    state = over("transport")
    first, second = crew(state, "b01", "kian", AGAIN), crew(state, "b02", "kian", DOCTOR)
    asked: list[Decision] = []
    run(search_for_crews(table(state, 1), state.crews, "kian"), {"14.4.4": [["taken-b01"], [f"man-{DOCTOR}"]]}, asked)
    assert [one.keys for one in asked if one.rule == "14.4.4"] == [
        ["taken-b01", "taken-b02"],
        [f"man-{AGAIN}", f"man-{DOCTOR}"],
    ]
    assert next(one.question for one in asked if one.rule == "14.4.4") == "Which crew is captured?"
    assert (first.fate, [man.key for man in first.elites]) == ("captured", [DOCTOR])
    assert (second.fate, [man.key for man in second.elites]) == ("", [AGAIN])


@pytest.mark.rule("doolittle", "14.4.4", "DR93")
@pytest.mark.parametrize(
    ("face", "fate", "fit"),
    [(1, "killed", True), (2, "captured", True), (3, "", False), (4, "", True), (5, "", True), (6, "", True)],
)
def test_close_call_adds_a_story_and_may_cost_a_crew(face: int, fate: str, *, fit: bool) -> None:
    state = over("transport")
    _party(state, 3)
    at = table(state, 3, 2, face)
    run(search_for_crews(at, state.crews, "kian"))
    assert fates(state) == {"b01": "", "b02": fate, "b03": ""}
    assert state.crews[1].fit == fit
    assert DATA.denouement.close_call.cell(face, "story") in log_text(at)


@pytest.mark.rule("doolittle", "14.4.4", "2.3.7")
def test_pilot_may_reroll_the_search_for_his_group() -> None:
    state = over("transport")
    pilot = crew(state, "b01", "kian", AGAIN).elites[0]
    run(search_for_crews(table(state, 1, 5), state.crews, "kian"), {"2.3.7": "again-1"})
    assert (fates(state), pilot.used) == ({"b01": ""}, True)


@pytest.mark.rule("doolittle", "14.4.4", "2.3.7")
def test_reroll_odds_of_a_group_captured_whole_are_any_other_result() -> None:
    state = over("transport")
    crew(state, "b01", "kian", AGAIN, fit=False)
    crew(state, "b02", "kian", fit=False)
    asked: list[Decision] = []
    run(search_for_crews(table(state, 1), state.crews, "kian"), {"2.3.7": "keep"}, asked)
    assert hints(asked[0])["again-1"] == pytest.approx(5 / 6)
