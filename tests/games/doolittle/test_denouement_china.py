"""Tests of China (rules 14.4 to 14.4.3): which bombers fly on, with which crews and fuel, and which crews walk."""

from __future__ import annotations

import pytest
from tests.games.doolittle.end_helpers import COPILOT, crew, fates, over, planned, standing
from tests.games.doolittle.helpers import (
    DATA,
    attached,
    hints,
    in_cup,
    log_text,
    out_of_cup,
    play,
    rules_asked,
    run,
    table,
    windy,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.denouement import fields
from readyroom.games.doolittle.denouement.fields import capable, chance_to_goal
from readyroom.games.doolittle.denouement.treks import transport, trek_check
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.testing.running import Answer, Answers

KIAN = DATA.flight.site["kian"]

KIAN_KWEILIN = next(one for one in DATA.denouement.routes.route if (one.start, one.end) == ("kian", "kweilin"))
REPAIR = next(key for key, card in DATA.bombers.crewmen.items() if card.benefit == COPILOT)
ENGINEER = next(key for key, card in DATA.bombers.crewmen.items() if card.benefit == "fuel-conservation")
AGAIN = next(key for key, card in DATA.bombers.crewmen.items() if card.benefit == "re-roll")


# -- what can fly ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.4", "14.4.1")
def test_damaged_bomber_is_destroyed_by_its_crew_and_its_fuel_stays() -> None:
    state = over("fields")
    standing(state, "b01", "kian", hits=1, fuel=2)
    crew(state, "b01", "kian")
    marker = attached(state, "b01", "fuel-leak").markers[0]
    at = table(state)
    run(capable(at))
    assert (state.squad["b01"].fate, state.sky.stock["kian"], in_cup(state, marker)) == ("wrecked", 2, True)
    assert (fates(state), "it cannot fly" in log_text(at)) == ({"b01": ""}, True)


@pytest.mark.rule("doolittle", "14.4.1")
def test_groundcrew_repairs_three_and_no_severe_damage() -> None:
    state = over("fields")
    state.sky.groundcrews["kian"] = 1
    for key, hits in (("b01", 1), ("b02", 1), ("b03", 0), ("b04", 1), ("b05", 2), ("b06", 0)):
        standing(state, key, "kian", hits=hits)
    attached(state, "b03", "fuel-leak")
    asked: list[Decision] = []
    run(capable(table(state)), {"14.4.1": ["mend-b01", "mend-b02", "mend-b03"]}, asked)
    assert (asked[0].keys, asked[0].at_most) == (["mend-b01", "mend-b02", "mend-b03", "mend-b04"], 3)
    assert [key for key, one in state.squad.items() if one.fate == "landed"] == ["b01", "b02", "b03", "b06"]
    assert not any(one.hits or one.markers for one in state.squad.values() if one.fate == "landed")


@pytest.mark.rule("doolittle", "2.3.2", "DR97", "14.4.1")
def test_copilot_repairs_severe_damage_or_a_hazard_once() -> None:
    state = over("fields")
    standing(state, "b01", "kian", hits=2)
    standing(state, "b02", "kian", hits=1)
    crew(state, "b01", "kian", REPAIR)
    crew(state, "b02", "kian")
    leak = attached(state, "b02", "fuel-leak").markers[0]
    asked: list[Decision] = []
    run(capable(table(state)), {"2.3.2": "b01-damage"}, asked)
    assert asked[0].keys == ["wait", "b01-damage", "b02-damage", f"b02-{leak.key}"]
    assert asked[0].options[3].text.endswith(": fuel leak")
    assert [one.fate for one in state.squad.values()] == ["landed", "wrecked"]
    assert state.crews[0].elites[0].used


@pytest.mark.rule("doolittle", "2.3.2", "14.4.1")
def test_attached_hazard_is_named_and_repaired_only_by_copilots() -> None:
    state = over("fields")
    standing(state, "b01", "kian")
    crew(state, "b01", "kian", ENGINEER)
    gear = attached(state, "b01", "mechanical").markers[0]
    asked: list[Decision] = []
    run(capable(table(state)), None, asked)
    assert asked == []
    standing(state, "b01", "kian").markers = [gear]
    crew(state, "b02", "kian", REPAIR)
    run(capable(table(state)), None, asked)
    name = DATA.flight_hazards.markers[gear.key].name
    assert name != DATA.flight_hazards.kinds.kind["mechanical"].title
    assert [one.options[1].text for one in asked] == [f"Doolittle: {name.lower()}"]
    turret = next(Marker(key=key) for key, card in DATA.embarkation.cup.markers.items() if card.kind == "turret")
    assert fields._hazard_title(table(state), turret) == DATA.embarkation.cup.markers[turret.key].title


@pytest.mark.rule("doolittle", "14.4", "14.4.1")
def test_groundcrew_with_repairs_left_repairs_arrivals() -> None:
    state = over("transport")
    state.sky.groundcrews["kian"] = 1
    standing(state, "b01", "kian", fuel=3)
    crew(state, "b01", "kian")
    leak = attached(state, "b01", "fuel-leak").markers[0]
    run(transport(table(state)), {"14.4.2": [["mend-b01"], ["fly-b01"]], "14.4.3": "to-chungking"})
    assert (in_cup(state, leak), state.squad["b01"].fate) == (True, "saved")


@pytest.mark.rule("doolittle", "14.4", "14.4.1")
def test_attached_hazard_without_a_repair_left_stays() -> None:
    state = over("transport")
    standing(state, "b01", "kian")
    attached(state, "b01", "fuel-leak")
    assert fields.overhaul_candidates(table(state), KIAN) == []


# -- crews aboard ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.4.1", "14.4.3")
def test_bomber_carries_two_crews_and_takes_fuel_of_others() -> None:
    state = over("transport")
    standing(state, "b01", "chuchow", fuel=1)
    standing(state, "b02", "chuchow", fuel=2, fumes=1)
    for key in ("b01", "b02", "b03"):
        crew(state, key, "chuchow", fit=key != "b03")
    asked: list[Decision] = []
    answers: Answers = {
        "14.4.1": [["with-b02"], ["with-b03"], ["fuel-3"]],
        "14.4.2": _first_flies("b02"),
        "14.4.3": [["to-chungking"], ["to-kian"]],
    }
    run(transport(table(state, *[6] * 8)), answers, asked)
    boarding = [one for one in asked if one.rule == "14.4.1"]
    assert boarding[0].keys == ["with-b02", "with-b01", "with-b03"]
    assert [one.question.split(" flies")[0] for one in boarding[:2]] == ["Which crew", "Which other crew"]
    assert boarding[1].keys == ["enough", "with-b01", "with-b03"]
    notes = [option.info.note for option in boarding[0].options if option.info]
    assert notes == ["fit", "fit", "wounded"]
    assert boarding[2].keys == ["fuel-0", "fuel-1", "fuel-2", "fuel-3"]
    assert (state.squad["b02"].fate, state.squad["b02"].fumes) == ("saved", 0)
    assert state.squad["b01"].fate == "wrecked"
    assert fates(state) == {"b01": "chungking", "b02": "chungking", "b03": "chungking"}


def _first_flies(bomber: str) -> Answer:
    def answer(decision: Decision) -> list[str]:
        if decision.keys[0].startswith("go-"):
            return decision.keys
        fly = f"fly-{bomber}"
        return [fly if fly in decision.keys else decision.keys[-1]]

    return answer


@pytest.mark.rule("doolittle", "14.4.1")
def test_bomber_carries_three_crews_if_all_are_wounded() -> None:
    state = over("transport")
    standing(state, "b01", "kweilin", fuel=2)
    for key in ("b01", "b02", "b03", "b04"):
        crew(state, key, "kweilin", fit=key == "b04")
    asked: list[Decision] = []
    with_ = [["with-b01"], ["with-b02"], ["with-b03"], ["fuel-2"]]
    at = table(state, 6, 6)
    run(transport(at), {"14.4.2": _first_flies("b01"), "14.4.1": with_, "14.4.3": "to-chungking"}, asked)
    assert "No more crews" not in log_text(at)  # with three aboard there is no room, so no question
    boarding = [one.keys for one in asked if one.rule == "14.4.1"]
    assert boarding[2] == ["enough", "with-b03"]
    assert fates(state) == dict.fromkeys(("b01", "b02", "b03", "b04"), "chungking")


@pytest.mark.rule("doolittle", "14.4.3", "7.2.2")
def test_field_fuel_is_taken_first_and_the_rest_stays() -> None:
    state = over("transport")
    state.sky.stock["chuchow"] = 4
    standing(state, "b01", "chuchow", fuel=1)
    standing(state, "b02", "chuchow", fuel=1)
    crew(state, "b01", "chuchow")
    crew(state, "b02", "chuchow")
    fuel = [["with-b01"], ["enough"], ["fuel-3"], ["fuel-3"]]
    run(
        transport(table(state)),
        {"14.4.2": [["fly-b01"], ["fly-b02"]], "14.4.1": fuel, "14.4.3": "to-chungking"},
    )
    assert [one.fate for one in state.squad.values()] == ["saved", "saved"]
    assert state.sky.stock["chuchow"] == 0


@pytest.mark.rule("doolittle", "14.4", "14.4.1")
def test_groundcrew_does_not_repair_a_whole_bomber() -> None:
    state = over("transport")
    state.sky.groundcrews["kian"] = 1
    standing(state, "b01", "kian")
    assert fields.overhaul_candidates(table(state), KIAN) == []


@pytest.mark.rule("doolittle", "14.4.3")
def test_bomber_takes_only_routes_with_a_fuel_cost() -> None:
    at = table(over("transport"))
    for start in {one.start for one in DATA.denouement.routes.route}:
        assert all(route.fuel is not None for route in fields.routes_from(at, start))


@pytest.mark.rule("doolittle", "14.4.1", "2.3.7")
def test_pilot_may_help_on_empty_tanks_and_no_one_with_enough_fuel() -> None:
    for fuel, asks in ((2, []), (1, ["2.3.7"])):
        state = windy(over("transport"), "Z12", "headwind")
        standing(state, "b01", "kweilin", fuel=fuel)
        crew(state, "b01", "kweilin", AGAIN)
        asked: list[Decision] = []
        at = table(state, 1, 1, 6, 6)
        run(transport(at), {"14.4.2": _first_flies("b01"), "14.4.3": "to-chungking", "2.3.7": "again-1-2"}, asked)
        assert [rule for rule in rules_asked(asked) if rule.startswith("2.3")] == asks
        assert ("empty tanks" in log_text(at)) is (fuel == 1)


@pytest.mark.rule("doolittle", "14.4.1", "2.3.4", "2.3.7")
def test_crewman_aboard_may_help_only_if_he_affects_fuel() -> None:
    state = windy(over("transport"), "Z12", "headwind")
    standing(state, "b01", "kweilin", fuel=1)
    crew(state, "b01", "kweilin", next(key for key, one in DATA.bombers.crewmen.items() if one.benefit == "medic"))
    at = table(state, 6, 6)
    run(transport(at), {"14.4.2": _first_flies("b01"), "14.4.3": "to-chungking"})
    assert log_text(at, "2.3") == ""


@pytest.mark.rule("doolittle", "14.4.2")
def test_bomber_without_a_crew_at_its_field_is_not_offered() -> None:
    state = over("transport")
    standing(state, "b01", "kian", fuel=2)
    crew(state, "b02", "kweilin")
    asked: list[Decision] = []
    run(transport(table(state, 6, 6)), None, asked)
    assert state.squad["b01"].fate == "wrecked"
    assert not any(key.startswith("fly-") for one in asked for key in one.keys)


@pytest.mark.rule("doolittle", "14.4.3", "2.3.7")
def test_reroll_needs_a_pilot() -> None:
    state = over("transport", alert=4)
    crew(state, "b01", "kweilin", ENGINEER)
    asked: list[Decision] = []
    run(transport(table(state, 1, 1, 6)), None, asked)
    assert "2.3.7" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "14.4.1", "7.2.2")
def test_fuel_taken_from_other_tanks_is_at_most_what_is_needed() -> None:
    state = over("transport")
    for key in ("b01", "b02", "b03"):
        standing(state, key, "chuchow", fuel=1)
    fields._fill_tanks(table(state), state.squad["b01"], 2)
    assert [one.fuel for one in state.squad.values()] == [2, 0, 1]


# -- empty tanks -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.4.3", "7.2.4", "DR107")
def test_fuel_missing_needs_fumes_checks_and_ditching_is_checked() -> None:
    state = over("transport")
    standing(state, "b01", "kweilin", fuel=1)
    crew(state, "b01", "kweilin")
    crew(state, "b02", "kweilin")
    answers: Answers = {"14.4.2": _first_flies("b01"), "14.4.1": [["with-b01"], ["with-b02"]], "14.4.3": "to-chungking"}
    run(transport(table(state, 2, 2, 2, 1, *[6] * 8)), answers)
    assert state.squad["b01"].fate == "ditched"
    assert fates(state) == {"b01": "captured", "b02": "missing"}
    assert {one.where for one in state.crews} == {"Z11"}


@pytest.mark.rule("doolittle", "14.4.3", "DR104")
def test_weather_of_the_field_affects_a_hop() -> None:
    state = windy(over("transport"), "Z12", "headwind", "storm")
    windy(state, "Z10", "headwind")
    bomber = standing(state, "b01", "kweilin", fuel=1)
    crew(state, "b01", "kweilin")
    assert chance_to_goal(table(state), bomber) == pytest.approx(21 / 36)
    windy(state, "Z12", "headwind", "gale")
    assert chance_to_goal(table(state), bomber) == pytest.approx(26 / 36)
    bomber.fuel = 2
    assert chance_to_goal(table(state), bomber) == 1
    run(transport(table(state)), {"14.4.2": "fly-b01"})
    assert fates(state) == {"b01": "chungking"}


@pytest.mark.rule("doolittle", "14.4.3", "7.2.4")
def test_fumes_marker_counts_in_the_odds_of_later_checks() -> None:
    state = windy(over("transport"), "Z12", "headwind")
    bomber = standing(state, "b01", "kweilin")
    crew(state, "b01", "kweilin")
    sputters, fumes, after = 10 / 36, 16 / 36, 1 - (16 + 27 + 34 + 36) / 216
    assert chance_to_goal(table(state), bomber) == pytest.approx(sputters * 26 / 36 + fumes * after)
    asked: list[Decision] = []
    with_: Answers = {"14.4.2": _first_flies("b01"), "14.4.3": "to-chungking"}
    run(transport(table(state, 6, 6, 6, 6)), with_, asked)
    assert hints(asked[0])["fly-b01"] == pytest.approx(sputters * 26 / 36 + fumes * after)
    assert state.squad["b01"].fate == "saved"


@pytest.mark.rule("doolittle", "14.4.1", "7.2.4", "DR89")
def test_odds_with_fuel_taken_along_are_those_without_fumes() -> None:
    state = windy(over("transport"), "Z12", "headwind")
    state.sky.stock["kweilin"] = 1
    standing(state, "b01", "kweilin", fumes=1)
    crew(state, "b01", "kweilin")
    asked: list[Decision] = []
    answers: Answers = {"14.4.2": _first_flies("b01"), "14.4.3": "to-chungking", "14.4.1": "fuel-1"}
    run(transport(table(state, 6, 6)), answers, asked)
    decision = next(one for one in asked if "fuel-1" in one.keys)
    assert hints(decision)["fuel-1"] == pytest.approx(26 / 36)


@pytest.mark.rule("doolittle", "14.4.1", "2.3.4", "2.3.7")
def test_at_most_one_elite_crewman_helps_on_empty_tanks() -> None:
    state = over("transport")
    standing(state, "b01", "kweilin", fuel=1)
    first, second = crew(state, "b01", "kweilin", AGAIN), crew(state, "b02", "kweilin", ENGINEER)
    asked: list[Decision] = []
    answers: Answers = {
        "14.4.2": "fly-b01",
        "14.4.1": [["with-b01"], ["with-b02"]],
        "14.4.3": "to-chungking",
        "2.3": f"man-{ENGINEER}",
        "2.3.4": "again-1",
    }
    run(transport(table(state, 1, 3, 6)), answers, asked)
    assert "2.3.7" not in rules_asked(asked)
    assert ([man.used for man in first.elites], [man.used for man in second.elites]) == ([False], [True])
    assert (state.squad["b01"].fate, state.squad["b01"].elite) == ("saved", None)


@pytest.mark.rule("doolittle", "14.4.2")
def test_bomber_without_a_crew_to_fly_it_is_destroyed() -> None:
    state = over("transport")
    standing(state, "b01", "kweilin", fuel=2)
    crew(state, "b01", "kweilin")
    at = table(state, 6, 6)
    run(transport(at), {"14.4.2": "walk-kweilin"})
    assert (state.squad["b01"].fate, fates(state)) == ("wrecked", {"b01": "chungking"})
    assert "no crew is left to fly it" in log_text(at)


# -- on foot ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.4.3", "DR95", "15.1.2.H", "13.2.4", "13.2.1")
def test_trek_counts_alert_attacks_briefing_and_shanghai() -> None:
    state = over("transport", alert=2)
    state.blotter = planned("shanghai", "shanghai")
    state.sky.taken = ["lishui"]
    state.talks.briefed = ["chiang"]
    assert dict(trek_check(table(state), KIAN_KWEILIN).modifiers) == {
        "alert": -2,
        "Japanese attacks": -1,
        "Chiang briefed": 1,
        "Shanghai": -2,
    }
    state.blotter.chits.pop()
    assert "Shanghai" not in dict(trek_check(table(state), KIAN_KWEILIN).modifiers)


@pytest.mark.rule("doolittle", "14.4.2", "14.4.3")
def test_parties_split_and_combine_and_use_the_table() -> None:
    state = over("transport")
    for key in ("b01", "b02", "b03"):
        crew(state, key, "trekking")
    asked: list[Decision] = []
    parties = [["go-b01"], ["walk-trekking"], ["go-b02", "go-b03"], ["go-b01", "go-b02", "go-b03"]]
    answers: Answers = {"14.4.2": parties, "14.4.3": [["to-kian"], ["to-kian"], ["to-chungking"]]}
    run(transport(table(state, *[6] * 6)), answers, asked)
    ways = [one.keys for one in asked if one.rule == "14.4.3"]
    assert ways[0] == ["to-chuchow", "to-kian", "to-kweilin", "to-chungking"]
    assert fates(state) == dict.fromkeys(("b01", "b02", "b03"), "chungking")


@pytest.mark.rule("doolittle", "14.4.3", "2.3.7")
def test_pilot_may_reroll_the_dice_of_his_party() -> None:
    state = over("transport", alert=4)
    pilot = crew(state, "b01", "kweilin", AGAIN).elites[0]
    run(transport(table(state, 1, 1, 6)), {"2.3.7": "again-1"})
    assert (pilot.used, fates(state)) == (True, {"b01": "chungking"})


@pytest.mark.rule("doolittle", "14.4.3", "2.3.7")
def test_pilot_with_a_successful_party_is_not_asked() -> None:
    state = over("transport")
    crew(state, "b01", "kweilin", AGAIN)
    asked: list[Decision] = []
    run(transport(table(state, 6, 3)), None, asked)
    assert fates(state) == {"b01": "chungking"}
    assert "2.3.7" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "14.4.2", "14.4.3")
@pytest.mark.parametrize("number", range(3))
def test_crews_all_arrive_or_are_captured(number: int) -> None:
    state = play("early", f"china {number}", ending="told", variant="variant").state
    assert all(one.fate for one in state.crews)
    assert not any(one.fate in ("", "landed") for one in state.squad.values())
    assert isinstance(next(iter(state.squad.values())), Bomber)
    assert out_of_cup(state, "fuel-leak")


@pytest.mark.rule("doolittle", "13.2.4", "14.4.3", "DR120")
def test_site_lost_is_closed_to_bombers_but_open_to_parties() -> None:
    state = over("transport")
    state.sky.taken = ["kian"]
    standing(state, "b01", "lishui", fuel=4)
    crew(state, "b01", "lishui")
    asked: list[Decision] = []
    run(transport(table(state)), {"14.4.2": "fly-b01", "14.4.3": "to-chungking"}, asked)
    assert next(one.keys for one in asked if one.rule == "14.4.3") == ["to-kweilin", "to-chungking"]
    crew(state, "b02", "lishui")
    asked.clear()
    run(transport(table(state, 6, 6)), {"14.4.3": "to-chungking"}, asked)
    assert "to-kian" in next(one.keys for one in asked if one.rule == "14.4.3")
