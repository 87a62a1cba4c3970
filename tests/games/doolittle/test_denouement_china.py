"""China (rules 14.4 to 14.4.3): which bombers can fly, with which crews and how much fuel, and which crews walk."""

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
def test_a_damaged_bomber_is_destroyed_by_its_crew_and_its_fuel_stays_at_the_field() -> None:
    state = over("fields")
    standing(state, "b01", "kian", hits=1, fuel=2)
    crew(state, "b01", "kian")
    marker = attached(state, "b01", "fuel-leak").markers[0]
    at = table(state)
    run(capable(at))
    assert (state.squad["b01"].fate, state.sky.stock["kian"], in_cup(state, marker)) == ("wrecked", 2, True)
    assert (fates(state), "it cannot fly" in log_text(at)) == ({"b01": ""}, True)


@pytest.mark.rule("doolittle", "14.4.1")
def test_a_groundcrew_mends_three_and_nobody_with_severe_damage() -> None:
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
def test_a_copilot_mends_even_severe_damage_or_a_hazard_once() -> None:
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
def test_what_hangs_on_a_bomber_is_told_by_its_own_name_and_mended_by_copilots_alone() -> None:
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
def test_a_groundcrew_with_a_free_hand_mends_who_hops_in() -> None:
    state = over("transport")
    state.sky.groundcrews["kian"] = 1
    standing(state, "b01", "kian", fuel=3)
    crew(state, "b01", "kian")
    leak = attached(state, "b01", "fuel-leak").markers[0]
    run(transport(table(state)), {"14.4.2": [["mend-b01"], ["fly-b01"]], "14.4.3": "to-chungking"})
    assert (in_cup(state, leak), state.squad["b01"].fate) == (True, "saved")


@pytest.mark.rule("doolittle", "14.4", "14.4.1")
def test_what_hangs_on_a_bomber_stays_where_nobody_has_a_hand_free() -> None:
    state = over("transport")
    standing(state, "b01", "kian")
    attached(state, "b01", "fuel-leak")
    assert fields.overhaul_candidates(table(state), KIAN) == []


# -- crews aboard ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.4.1", "14.4.3")
def test_a_bomber_carries_two_crews_and_takes_the_fuel_of_others() -> None:
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
def test_it_carries_three_if_all_are_wounded() -> None:
    state = over("transport")
    standing(state, "b01", "kweilin", fuel=2)
    for key in ("b01", "b02", "b03", "b04"):
        crew(state, key, "kweilin", fit=key == "b04")
    asked: list[Decision] = []
    with_ = [["with-b01"], ["with-b02"], ["with-b03"], ["fuel-2"]]
    at = table(state, 6, 6)
    run(transport(at), {"14.4.2": _first_flies("b01"), "14.4.1": with_, "14.4.3": "to-chungking"}, asked)
    assert "No more crews" not in log_text(at)  # with three aboard there is no room, and no question
    boarding = [one.keys for one in asked if one.rule == "14.4.1"]
    assert boarding[2] == ["enough", "with-b03"]
    assert fates(state) == dict.fromkeys(("b01", "b02", "b03", "b04"), "chungking")


@pytest.mark.rule("doolittle", "14.4.3", "7.2.2")
def test_fuel_that_waits_at_the_field_is_taken_first_and_what_is_left_stays() -> None:
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
def test_a_groundcrew_does_not_spend_its_hands_on_who_is_whole() -> None:
    state = over("transport")
    state.sky.groundcrews["kian"] = 1
    standing(state, "b01", "kian")
    assert fields.overhaul_candidates(table(state), KIAN) == []


@pytest.mark.rule("doolittle", "14.4.3")
def test_bombers_take_only_routes_that_have_a_price_in_fuel() -> None:
    at = table(over("transport"))
    for start in {one.start for one in DATA.denouement.routes.route}:
        assert all(route.fuel is not None for route in fields.routes_from(at, start))


@pytest.mark.rule("doolittle", "14.4.1", "2.3.7")
def test_with_fuel_enough_nobody_aboard_has_to_help_and_on_empty_tanks_a_pilot_may() -> None:
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
def test_of_those_aboard_only_who_can_do_something_about_fuel_may_help() -> None:
    state = windy(over("transport"), "Z12", "headwind")
    standing(state, "b01", "kweilin", fuel=1)
    crew(state, "b01", "kweilin", next(key for key, one in DATA.bombers.crewmen.items() if one.benefit == "medic"))
    at = table(state, 6, 6)
    run(transport(at), {"14.4.2": _first_flies("b01"), "14.4.3": "to-chungking"})
    assert log_text(at, "2.3") == ""


@pytest.mark.rule("doolittle", "14.4.2")
def test_a_bomber_without_a_crew_at_its_field_is_not_offered() -> None:
    state = over("transport")
    standing(state, "b01", "kian", fuel=2)
    crew(state, "b02", "kweilin")
    asked: list[Decision] = []
    run(transport(table(state, 6, 6)), None, asked)
    assert state.squad["b01"].fate == "wrecked"
    assert not any(key.startswith("fly-") for one in asked for key in one.keys)


@pytest.mark.rule("doolittle", "14.4.3", "2.3.7")
def test_nobody_but_a_pilot_has_dice_thrown_again() -> None:
    state = over("transport", alert=4)
    crew(state, "b01", "kweilin", ENGINEER)
    asked: list[Decision] = []
    run(transport(table(state, 1, 1, 6)), None, asked)
    assert "2.3.7" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "14.4.1", "7.2.2")
def test_no_more_fuel_is_taken_out_of_other_tanks_than_is_wanted() -> None:
    state = over("transport")
    for key in ("b01", "b02", "b03"):
        standing(state, key, "chuchow", fuel=1)
    fields._fill_tanks(table(state), state.squad["b01"], 2)
    assert [one.fuel for one in state.squad.values()] == [2, 0, 1]


# -- empty tanks -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.4.3", "7.2.4", "DR107")
def test_for_what_is_wanting_there_are_checks_on_fumes_and_who_ditches_is_checked() -> None:
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
def test_the_weather_of_the_field_bears_on_a_hop() -> None:
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
def test_a_marker_of_fumes_counts_in_the_chance_of_the_checks_after_it() -> None:
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
def test_the_chance_with_fuel_that_is_taken_along_is_that_of_a_bomber_no_longer_on_fumes() -> None:
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
def test_only_one_elite_crewman_aboard_may_help_on_empty_tanks() -> None:
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
def test_a_bomber_that_nobody_is_left_to_fly_is_destroyed() -> None:
    state = over("transport")
    standing(state, "b01", "kweilin", fuel=2)
    crew(state, "b01", "kweilin")
    at = table(state, 6, 6)
    run(transport(at), {"14.4.2": "walk-kweilin"})
    assert (state.squad["b01"].fate, fates(state)) == ("wrecked", {"b01": "chungking"})
    assert "no crew is left to fly it" in log_text(at)


# -- on foot ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.4.3", "DR95", "15.1.2.H", "13.2.4", "13.2.1")
def test_alert_attacks_a_briefing_and_shanghai_bear_on_a_trek() -> None:
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
def test_parties_split_and_combine_and_go_by_the_table() -> None:
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
def test_a_pilot_may_have_the_dice_of_his_party_thrown_again() -> None:
    state = over("transport", alert=4)
    pilot = crew(state, "b01", "kweilin", AGAIN).elites[0]
    run(transport(table(state, 1, 1, 6)), {"2.3.7": "again-1"})
    assert (pilot.used, fates(state)) == (True, {"b01": "chungking"})


@pytest.mark.rule("doolittle", "14.4.3", "2.3.7")
def test_a_pilot_is_not_asked_about_dice_that_have_brought_his_party_there() -> None:
    state = over("transport")
    crew(state, "b01", "kweilin", AGAIN)
    asked: list[Decision] = []
    run(transport(table(state, 6, 3)), None, asked)
    assert fates(state) == {"b01": "chungking"}
    assert "2.3.7" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "14.4.2", "14.4.3")
@pytest.mark.parametrize("number", range(3))
def test_everybody_comes_there_or_is_taken(number: int) -> None:
    state = play("early", f"china {number}", ending="told", variant="variant").state
    assert all(one.fate for one in state.crews)
    assert not any(one.fate in ("", "landed") for one in state.squad.values())
    assert isinstance(next(iter(state.squad.values())), Bomber)
    assert out_of_cup(state, "fuel-leak")


@pytest.mark.rule("doolittle", "13.2.4", "14.4.3", "DR120")
def test_no_bomber_hops_to_a_site_that_is_lost_but_a_party_may_come_by() -> None:
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
