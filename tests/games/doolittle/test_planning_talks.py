"""[13.2] Tests of diplomacy checks: who may be asked, when, at what cost, and the results."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, run, table
from tests.games.doolittle.plan_helpers import planner

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.figures.common import MONTHS, Month
from readyroom.games.doolittle.figures.planning import Diplomat
from readyroom.games.doolittle.planning import blotter, diplomacy
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.state import Plan


def _asks(month: Month, diplomat: Diplomat, placed: Month = "january") -> Doolittle:
    state = planner(month, "talks")
    state.notes.calendar = {diplomat: placed}
    state.plan = Plan()
    return state


@pytest.mark.rule("doolittle", "13.1.3", "13.3.4", "13.4.10", "13.5.4")
@pytest.mark.parametrize("month", MONTHS)
def test_diplomat_is_available_from_his_month(month: Month) -> None:
    for placed in MONTHS:
        state = _asks(month, "thompson", placed)
        assert diplomacy.may_ask(table(state), "thompson") is (MONTHS.index(placed) <= MONTHS.index(month))
        assert not diplomacy.may_ask(table(state), "stilwell")


@pytest.mark.rule("doolittle", "13.1.3", "DR72")
def test_navy_talks_in_january_are_unavailable() -> None:
    assert not diplomacy.may_ask(table(_asks("january", "nimitz")), "nimitz")


@pytest.mark.rule("doolittle", "13.2")
def test_talk_may_wait_and_is_closed_once_granted() -> None:
    state = _asks("march", "stilwell")
    run(diplomacy.hold_talks(table(state)), {"13.2.1": "stilwell-wait"})
    assert not state.talks.granted
    assert not state.talks.denied
    state.talks.granted = ["stilwell"]
    assert not diplomacy.may_ask(table(state), "stilwell")


@pytest.mark.rule("doolittle", "13.2")
def test_captain_chooses_the_order_of_talks() -> None:
    state, asked = _asks("march", "thompson"), list[Decision]()
    state.notes.calendar = {"thompson": "january", "stilwell": "january"}
    at = table(state, 6, 6)
    answers = {"13.2": [["next-stilwell"], ["next-thompson"]], "13.2.1": [["stilwell-ask"], ["thompson-wait"]]}
    run(diplomacy.hold_talks(at), answers, asked)
    assert [one.keys for one in asked if one.rule == "13.2"] == [
        ["next-thompson", "next-stilwell"],
        ["next-thompson", "sites"],
    ]
    assert state.talks.granted == ["stilwell"]


@pytest.mark.rule("doolittle", "13.2.1")
def test_talk_offers_all_marker_sets_with_chance_and_risk() -> None:
    state, asked = _asks("march", "thompson"), list[Decision]()
    run(diplomacy.hold_talks(table(state)), {"13.2.1": "thompson-wait"}, asked)
    assert len(asked[0].keys) == 2**3 + 1
    navy = list[Decision]()
    run(diplomacy.hold_talks(table(_asks("march", "nimitz"))), {"13.2.1": "nimitz-wait"}, navy)
    assert len(navy[0].keys) == 2**2 + 1
    hints = {option.key: option.info for option in asked[0].options}
    texts = {option.key: option.text for option in asked[0].options}
    assert texts["thompson-ask-stalin-urgent-briefed"] == "Ask, with Thompson briefed, Stalin briefed, marked urgent"
    plain, full = hints["thompson-ask"], hints["thompson-ask-stalin-urgent-briefed"]
    assert plain
    assert full
    assert plain.chance == pytest.approx(3 / 36)
    assert full.chance == pytest.approx(15 / 36)
    assert "risk +4" in full.note


@pytest.mark.rule("doolittle", "13.2", "13.2.1", "DR138")
@pytest.mark.parametrize(
    ("diplomat", "leader"), [("thompson", {"stalin"}), ("stilwell", {"chiang"}), ("nimitz", set[str]())]
)
def test_talk_offers_only_own_diplomat_and_leader(diplomat: Diplomat, leader: set[str]) -> None:
    state, asked = _asks("april", diplomat), list[Decision]()
    run(diplomacy.hold_talks(table(state, 1)), {"13.2.1": f"{diplomat}-wait"}, asked)
    texts = {word for key in asked[0].keys for word in key.removeprefix(f"{diplomat}-").split("-")}
    assert texts == {"ask", "wait", "urgent", "briefed", *leader}


@pytest.mark.rule("doolittle", "13.2.1", "DR73")
def test_urgent_markers_add_up_and_briefing_is_once() -> None:
    state, asked = _asks("april", "thompson"), list[Decision]()
    state.talks.urgent, state.talks.briefed, state.talks.leaders = {"thompson": 2}, ["thompson", "stalin"], ["stalin"]
    at = table(state, 4, 5, 2)
    run(diplomacy.hold_talks(at), {"13.2.1": "thompson-ask-urgent"}, asked)
    assert asked[0].keys == ["thompson-ask", "thompson-ask-urgent", "thompson-wait"]
    assert state.talks.urgent == {"thompson": 3}
    assert state.talks.granted == ["thompson"]


@pytest.mark.rule("doolittle", "13.2.1", "DR74")
def test_doolittle_in_january_adds_one_to_talks() -> None:
    state = _asks("march", "stilwell")
    state.notes.doolittle = "january"
    assert dict(diplomacy.talk_check(table(state), "stilwell").modifiers) == {"Doolittle": 1}


@pytest.mark.rule("doolittle", "13.2.1", "13.2.3")
def test_stilwell_refusal_costs_one_and_can_be_reversed() -> None:
    state = _asks("march", "stilwell")
    at = table(state, 1, 1)
    run(diplomacy.hold_talks(at), {"13.2.1": "stilwell-ask"})
    assert (state.talks.denied, state.talks.leaders) == (["stilwell"], ["chiang"])
    assert dict(diplomacy.talk_check(at, "stilwell").modifiers) == {"Chiang has refused": -1}
    assert "later talks have −1" in log_text(at)
    run(diplomacy.hold_talks(table(state, 6, 3)), {"13.2.1": "stilwell-ask"})
    assert (state.talks.granted, state.talks.denied, state.talks.leaders) == (["stilwell"], [], ["chiang"])


@pytest.mark.rule("doolittle", "13.2.2")
def test_thompson_talk_grants_permission() -> None:
    state = _asks("january", "thompson")
    run(diplomacy.hold_talks(table(state, 4, 5)), {"13.2.1": "thompson-ask"})
    assert state.talks.granted == ["thompson"]


@pytest.mark.rule("doolittle", "13.2.5")
@pytest.mark.parametrize(
    ("dice", "number", "comes"),
    [((4, 4, 2), 3, True), ((4, 4, 1), 2, True), ((1, 1, 4), 2, False), ((1, 1, 5), 1, False)],
)
def test_navy_talk_sets_submarines_and_enterprise(dice: tuple[int, ...], number: int, comes: bool) -> None:
    state = _asks("march", "nimitz", "february")
    at = table(state, *dice)
    run(diplomacy.hold_talks(at), {"13.2.1": "nimitz-ask"})
    assert state.talks.submarines == number
    assert log_text(at, "13.2.5").count("The Enterprise joins the force. Submarines:") == comes
    assert log_text(at, "13.2.5").endswith(f" {number} ({'odd' if dice[-1] % 2 else 'even'} roll, {dice[-1]}).")
    assert ("nimitz" in state.talks.granted) is comes
    assert state.talks.denied == []


@pytest.mark.rule("doolittle", "13.2.5", "13.5.1")
def test_unasked_navy_recalls_excess_submarines() -> None:
    state = _asks("april", "nimitz", "april")
    state.plan = Plan(submarines={"thresher": "japan", "trout": "japan", "tuna": "pacific"})
    at, asked = table(state, 5), list[Decision]()
    run(diplomacy.hold_talks(at), {"13.2.1": "nimitz-wait", "13.5.1": ["recall-thresher", "recall-tuna"]}, asked)
    assert asked[-1].question == "The Navy allows 1. Which 2 are recalled?"
    assert state.plan.submarines == {"trout": "japan"}
    assert not state.plan.enterprise
    assert "Recalled" in log_text(at, "13.5.1")


@pytest.mark.rule("doolittle", "13.2.5", "13.5.1")
def test_recall_without_excess_submarines_is_not_asked() -> None:
    state, asked = _asks("april", "nimitz", "april"), list[Decision]()
    assert state.plan is not None
    state.plan.submarines, state.talks.submarines = {"thresher": "japan"}, 3
    run(diplomacy.hold_talks(table(state)), {"13.2.1": "nimitz-wait"}, asked)
    assert "13.5.1" not in [one.rule for one in asked]


@pytest.mark.rule("doolittle", "13.2.5", "13.5.1")
def test_recall_of_one_submarine_uses_singular() -> None:
    state, asked = _asks("april", "nimitz", "april"), list[Decision]()
    state.plan, state.talks.submarines = Plan(submarines={"thresher": "japan", "trout": "japan"}), 1
    run(diplomacy.hold_talks(table(state)), {"13.2.1": "nimitz-wait", "13.5.1": "recall-trout"}, asked)
    assert asked[-1].question == "The Navy allows 1. Which is recalled?"


@pytest.mark.rule("doolittle", "13.2", "13.5.6")
def test_talk_markers_each_add_one_risk() -> None:
    state = _asks("march", "thompson", "april")
    at = table(state)
    assert diplomacy.risk_of_markers(at, ("thompson", "stalin", "urgent")) == 4
    diplomacy.brief(at, "stalin")
    diplomacy.brief(at, "thompson")
    state.talks.urgent = {"thompson": 2}
    assert dict(blotter.fixed_risks(state, DATA)) == {"markers on the calendar": 5}
    assert diplomacy.risk_of_markers(at, ("urgent",)) == 1


@pytest.mark.rule("doolittle", "13.2.1", "13.5.6")
def test_briefed_leader_already_placed_adds_no_second_marker() -> None:
    state = _asks("march", "thompson", "april")
    state.talks.leaders = ["stalin"]
    at = table(state)
    assert diplomacy.risk_of_markers(at, ("stalin",)) == 1
    diplomacy.brief(at, "stalin")
    assert state.talks.leaders == ["stalin"]
