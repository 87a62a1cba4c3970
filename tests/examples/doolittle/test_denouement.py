"""The worked examples of the denouement (section 14), by rule number."""

from __future__ import annotations

import pytest
from tests.games.doolittle.end_helpers import crew, fates, over, planned, standing
from tests.games.doolittle.helpers import DATA, aloft, log_text, man, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.denouement.fields import capable, fly_route
from readyroom.games.doolittle.denouement.landing import land
from readyroom.games.doolittle.denouement.siberia import siberia
from readyroom.games.doolittle.denouement.treks import transport
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.return_to_port import homeward, return_check, roll_incident
from readyroom.games.doolittle.voyage.state import Launch
from readyroom.testing.running import Answers


@pytest.mark.rule("doolittle", "14.1.1", "14.1.2", "14.0.1")
def test_14_1_1_greening_sees_hoover_down_and_watsons_crew_crawls_from_a_wreck() -> None:
    state = over()
    state.squad = {"b02": Bomber(key="b02", loaded=False), "b09": Bomber(key="b09", loaded=False, hits=1)}
    aloft(state, "b02", "b09", zone="Z12", fuel=1).site = "kweilin"
    greening = man(state, "b02", "ignore-damage", "pilot")
    gear = next(one for one in state.cups["III"].contents if DATA.flight_hazards.markers[one.key].landing == -3)
    state.cups["III"].contents.remove(gear)
    state.squad["b09"].markers.append(gear)
    at = table(state, 3, 1, 2, 4, 3)
    run(land(at))
    hoover, watson = state.crews
    assert (hoover.fit, hoover.elites, state.squad["b02"].fuel) == (True, [greening], 1)
    assert (watson.fit, watson.where, state.squad["b09"].fate) == (False, "kweilin", "crashed")


def _fleet() -> Doolittle:
    """Return Defense East: six destroyers, both carriers and an oiler, low on fuel, alert one at launch."""
    state = over("homeward")
    ships = state.sea.ships
    for key in ("gwin", "grayson"):
        ships[key].group = "home"
    state.sea.fueled = False
    state.launched = Launch("defense-east", "emergency", 1, 1)
    return state


@pytest.mark.rule("doolittle", "14.3.1")
def test_14_3_1_seven_and_a_six_are_one_too_few_in_defense_east() -> None:
    state = _fleet()
    check = return_check(table(state), "task-force")
    assert (sum(value for _, value in check.modifiers), check.at_least) == (7, 14)
    assert state.ending is not None
    state.ending.homeward = ["task-force"]
    at = table(state, 2, 4, 5, 5)
    run(homeward(at), {"14.3.2": ["hit-balch"]})
    assert "meets with an incident" in log_text(at, "14.3.1")


@pytest.mark.rule("doolittle", "14.3.2")
def test_14_3_2_a_five_brings_ships_and_another_sinks_a_destroyer() -> None:
    state = _fleet()
    run(roll_incident(table(state, 5, 5), "task-force"), {"14.3.2": ["hit-balch"]})
    assert (state.sea.ships["balch"].sunk, state.strike) == (True, None)


def _lishui() -> Doolittle:
    state = over("fields")
    state.sky.groundcrews["lishui"], state.sky.stock["lishui"] = 1, 4
    standing(state, "b01", "lishui", fuel=1)
    standing(state, "b02", "lishui", hits=1)
    for key in ("b01", "b02", "b03", "b04"):
        crew(state, key, "lishui", fit=key in ("b01", "b02"))
    return state


@pytest.mark.rule("doolittle", "14.4.1")
def test_14_4_1_at_lishui_the_groundcrew_mends_each_carries_another_crew_and_fuel_is_shared() -> None:
    state = _lishui()
    run(capable(table(state)), {"14.4.1": ["mend-b02"]})
    assert state.squad["b02"].hits == 0
    for own, other, fuel in (("b01", "b03", 2), ("b02", "b04", 3)):
        aboard = [[f"with-{own}"], [f"with-{other}"], [f"fuel-{fuel}"]]
        run(fly_route(table(state), state.squad[own]), {"14.4.3": "to-kweilin", "14.4.1": aboard})
    assert [one.where for one in state.crews] == ["kweilin"] * 4
    assert (state.squad["b01"].fuel, state.squad["b02"].fuel, state.sky.stock["lishui"]) == (0, 1, 0)


@pytest.mark.rule("doolittle", "14.4.3", "DR107")
def test_14_4_3_one_bomber_flies_to_kweilin_and_one_to_chungking_on_its_last_drops() -> None:
    state = over("transport")
    standing(state, "b01", "lishui", fuel=2)
    standing(state, "b02", "lishui", fuel=3)
    for key in ("b01", "b02", "b03", "b04"):
        crew(state, key, "lishui")
    answers: Answers = {
        "14.4.2": _flies_then_walks,
        "14.4.3": [["to-kweilin"], ["to-chungking"], ["to-chungking"]],
        "14.4.1": [["with-b01"], ["with-b03"], ["fuel-2"], ["with-b02"], ["with-b04"]],
    }
    at = table(state, 6, 4, 6, 6)
    run(transport(at), answers)
    assert log_text(at, "7.2.4") == "Hoover sputters on."
    assert [state.squad[key].fate for key in ("b01", "b02")] == ["wrecked", "saved"]
    assert fates(state) == dict.fromkeys(("b01", "b02", "b03", "b04"), "chungking")


def _flies_then_walks(decision: Decision) -> list[str]:
    """Choose one flight per bomber; in Kweilin, where the first one goes, choose to walk."""
    if decision.keys[0].startswith("go-"):
        return decision.keys
    there = [key for key in decision.keys if key in ("fly-b02", "fly-b01")]
    walk = [key for key in decision.keys if key == "walk-kweilin"]
    return (walk if "walk-lishui" not in decision.keys else there)[:1]


@pytest.mark.rule("doolittle", "14.4.3", "14.4.4")
def test_14_4_3_and_14_4_4_four_crews_walk_and_one_of_them_is_taken_with_its_elite_crewman() -> None:
    state = over("transport", alert=3)
    crew(state, "b01", "kweilin")
    crew(state, "b02", "kweilin", fit=False)
    crew(state, "b03", "trekking", "e11", fit=False)
    crew(state, "b04", "trekking", fit=False)
    answers: Answers = {
        "14.4.2": _kweilin_first,
        "14.4.3": [["to-kian"], ["to-kweilin"]],
        "14.4.4": ["taken-b03"],
        "2.3.7": "keep",
    }
    at = table(state, 3, 2, 5, 4, 2, 2, 3, 6, 6)
    run(transport(at), answers)
    assert fates(state) == {"b01": "chungking", "b02": "chungking", "b03": "captured", "b04": "chungking"}
    assert [man.key for man in state.crews[2].elites] == ["e11"]


def _kweilin_first(decision: Decision) -> list[str]:
    return decision.keys if decision.keys[0].startswith("go-") else [decision.keys[0]]


@pytest.mark.rule("doolittle", "14.5.1", "14.5.2")
def test_14_5_1_and_14_5_2_ten_crews_are_interned_to_the_end() -> None:
    state = over("siberia")
    state.blotter = planned()
    state.targets["tokyo"].areas["tokyo-east"].blast = 21
    for at in range(1, 11):
        standing(state, f"b{at:02}", "vladivostok", hits=int(at > 7))
        crew(state, f"b{at:02}", "vladivostok")
    at_table = table(state, 5, 2, 3, 5)
    siberia(at_table)
    assert "interns the crews" in log_text(at_table, "14.5.1")
    assert set(fates(state).values()) == {"interned"}
    assert state.ending is not None
    assert state.ending.soviet == "interned"
