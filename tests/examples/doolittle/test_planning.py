"""The worked examples of planning (section 13), by rule number."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, run, table
from tests.games.doolittle.plan_helpers import planner

from readyroom.games.doolittle.planning import (
    april,
    blotter,
    china,
    crane,
    deck_training,
    diplomacy,
    february,
    training,
)
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.state import Plan
from readyroom.testing.running import Answers

WAIT: Answers = {"13.2.1": ["stilwell-wait"]}


def _only(state: Doolittle, diplomat: str, month: str) -> None:
    state.notes.calendar = {diplomat: month}  # type: ignore[dict-item]


@pytest.mark.rule("doolittle", "13.2.1", "13.2.2")
def test_13_2_1_thompson_is_briefed_in_march_and_fails() -> None:
    state = planner("march", "talks")
    _only(state, "thompson", "march")
    at = table(state, 1, 6)
    run(diplomacy.hold_talks(at), {"13.2.1": ["thompson-ask-briefed"]})
    check = diplomacy.talk_check(at, "thompson")
    assert (check.at_least, state.talks.denied, state.talks.leaders) == (11, ["thompson"], ["stalin"])
    assert state.talks.briefed == ["thompson"]


@pytest.mark.rule("doolittle", "13.2.1", "13.2.2", "13.5.4")
def test_13_2_1_in_april_stalin_is_briefed_too_and_the_matter_is_urgent() -> None:
    state = planner("april", "talks")
    _only(state, "thompson", "march")
    state.plan = Plan()
    state.talks.briefed, state.talks.denied, state.talks.leaders = ["thompson"], ["thompson"], ["stalin"]
    at = table(state, 3, 5, 2)
    check = diplomacy.talk_check(at, "thompson", ("stalin", "urgent"))
    assert (check.at_least, dict(check.modifiers)) == (
        12,
        {"Thompson briefed": 1, "Stalin briefed": 1, "urgent": 1, "Stalin has refused": -2},
    )
    assert 3 + 5 + sum(value for _, value in check.modifiers) == 9
    run(diplomacy.hold_talks(at), {"13.2.1": ["thompson-ask-stalin-urgent"]})
    assert state.talks.granted == []
    assert (state.talks.urgent, state.talks.briefed) == ({"thompson": 1}, ["thompson", "stalin"])


@pytest.mark.rule("doolittle", "13.2.4")
def test_13_2_4_with_one_beacon_a_seven_is_nothing() -> None:
    state = planner("march", "events")
    state.sky.beacons = {"kweilin": 0}
    at = table(state, 4, 3)
    china.check_event(at)
    assert "nothing happens" in log_text(at, "13.2.4")


@pytest.mark.rule("doolittle", "13.2.4")
def test_13_2_4_with_three_beacons_it_is_a_storm_at_lishui() -> None:
    state = planner("march", "events")
    state.sky.beacons = {"kweilin": 0, "lishui": 0, "kian": 0}
    state.sky.stock = {"lishui": 8}
    at = table(state, 4, 3, 2, 5, 4)
    china.check_event(at)
    assert "storm" in log_text(at, "13.2.4")
    assert state.sky.stock == {"lishui": 4}


@pytest.mark.rule("doolittle", "13.3.3.J")
def test_13_3_3_j_fifty_caliber_guns_add_a_die() -> None:
    state = planner("february")
    run(february.modify(table(state)), {"13.3.2": ["fifty-caliber"]})
    assert state.ratings.gunnery == 4


@pytest.mark.rule("doolittle", "13.4.5", "13.4.4")
def test_13_4_5_two_points_add_a_die_and_extra_training_another() -> None:
    state = planner("march")
    state.notes.modifications = ["fifty-caliber"]
    first = state.notes.men.contents[0].key
    answers: Answers = {"13.4.9": "leave", "13.4.5": "fifty-caliber-1", "13.4.4": [["extra-fifty-caliber"]]}
    run(training.train(table(state, draws=[first])), answers)
    assert state.notes.points == DATA.training.morale.box[3].training - 2
    assert (state.notes.training["fifty-caliber"], state.ratings.gunnery) == (2, 6)
    assert [man.key for man in state.notes.aside] == [first]
    assert ("extra training", 1) in blotter.fixed_risks(state, DATA)


@pytest.mark.rule("doolittle", "13.4.9")
def test_13_4_9_a_seven_damages_two_and_lets_fourteen_aboard() -> None:
    state = planner("march")
    state.notes.points = 2
    at = table(state, 2, 5)
    damaged = ["damaged-b01", "damaged-b02"]
    run(deck_training.train_take_off(at), {"13.4.9": [["train"], damaged, ["enough"]]})
    assert {key for key, one in state.squad.items() if one.hits} == {"b01", "b02"}
    assert (state.notes.deck, blotter.deck_capacity(state, DATA)) == (7, 14)


@pytest.mark.rule("doolittle", "13.4.9")
def test_13_4_9_the_adjustment_goes_one_on_and_damages_another() -> None:
    state = planner("march")
    state.notes.points = 2
    at = table(state, 2, 5, 1)
    run(
        deck_training.train_take_off(at),
        {"13.4.9": [["train"], ["damaged-b01", "damaged-b02"], ["adjust"], ["damaged-b03"]]},
    )
    assert {key for key, one in state.squad.items() if one.hits} == {"b01", "b02", "b03"}
    assert (state.notes.deck, blotter.deck_capacity(state, DATA), state.notes.points) == (8, 15, 0)


@pytest.mark.rule("doolittle", "13.5.3")
def test_13_5_3_diligence_of_two_and_an_eight_draw_a_hazard_that_is_talk() -> None:
    state = planner("april", "crane")
    hazard = next(key for key, card in DATA.embarkation.cup.markers.items() if card.kind == "security")
    at = table(state, 2, 4, draws=[hazard])
    run(crane.operate_crane(at), {"13.5.3": "diligence-2"})
    assert (state.security.risk, state.notes.diligence) == (1, 2)


@pytest.mark.rule("doolittle", "13.5.5", "DR82")
def test_13_5_5_nine_less_two_and_two_is_five_and_in_time() -> None:
    state = planner("april", "delay")
    notes, state.plan = state.notes, Plan()
    notes.diligence, notes.repairs, notes.doolittle = 2, 2, "february"
    notes.modifications = list(DATA.modifications.cards)[:8]
    at = table(state, 4, 5)
    run(april.roll_delay(at), {"13.5.5": "wait"})
    assert not state.plan.delayed
    assert dict(april.delay_modifiers(at)) == {"diligence": -2, "repairs": -2}
    notes.doolittle = "march"
    assert dict(april.delay_modifiers(at))["modifications"] == -8


@pytest.mark.rule("doolittle", "13.5.6")
def test_13_5_6_quarantine_no_wives_and_eglin_are_five_dice() -> None:
    state = planner("april", "security")
    state.notes.measures = ["quarantine", "no-wives"]
    assert blotter.secrecy_dice(state, DATA) == 5


@pytest.mark.rule("doolittle", "13.5.6")
def test_13_5_6_a_risk_of_thirteen() -> None:
    state = planner("april", "security")
    notes, state.plan = state.notes, Plan()
    notes.calendar = {"stilwell": "february", "thompson": "february", "nimitz": "april"}
    state.talks.urgent, state.talks.briefed = {"stilwell": 1}, ["stilwell"]
    notes.extra, notes.liberty, notes.doolittle = ["hedgehopping", "navigation"], True, "march"
    notes.measures = ["quarantine", "no-wives"]
    at = table(state, 2, 5, 6, 6, 6, 6, 6)
    april.compute_security(at)
    assert "Risk, for the liberty: +3" in log_text(at, "13.5.6")
    assert "The risk is 13" in log_text(at, "13.5.6")
    assert state.security.risk == 14
