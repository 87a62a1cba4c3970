"""Tests of the captain's choices in planning: order of diplomacy checks, and of landing sites in China."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import log_text, run, table
from tests.games.doolittle.plan_helpers import planner

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.games.doolittle.planning import china, diplomacy, training
from readyroom.games.doolittle.sequence import after_planning
from readyroom.games.doolittle.state import Doolittle


def _month(*granted: str) -> Doolittle:
    state = planner("march", "talks")
    state.talks.granted = list(granted)
    return state


# -- talks -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.2", "13.2.1", "DR148")
def test_talks_next_is_chosen_after_the_last_result() -> None:
    state, asked = _month(), list[Decision]()
    seen = list[str]()

    def next_(decision: Decision) -> list[str]:
        seen.append(log_text(at, "13.2.5"))
        return ["next-nimitz"] if len(seen) == 1 else ["next-stilwell"]

    talk = [["nimitz-ask"], ["stilwell-wait"], ["thompson-wait"]]
    run(
        diplomacy.hold_talks(table(state, 1, 1, 4)),
        {"13.2": [["next-nimitz"], ["next-stilwell"]], "13.2.1": talk},
        asked,
    )
    assert [one.keys for one in asked if one.rule == "13.2"] == [
        ["next-thompson", "next-stilwell", "next-nimitz"],
        ["next-thompson", "next-stilwell"],
    ]
    state = _month()
    at = table(state, 1, 1, 4)
    run(diplomacy.hold_talks(at), {"13.2": next_, "13.2.1": talk})
    assert [bool(one) for one in seen] == [False, True]


@pytest.mark.rule("doolittle", "13.2", "13.2.3", "DR148")
def test_talks_sites_may_be_prepared_between_them() -> None:
    state, asked = _month("stilwell"), list[Decision]()
    answers = {
        "13.2": [["sites"], ["next-nimitz"]],
        "13.2.1": [["nimitz-wait"], ["thompson-wait"]],
        "13.2.3": [["prepare-kian"], ["prepare-none"], [], ["crew-kian"]],
    }
    run(diplomacy.hold_talks(table(state, 6, 6)), answers, asked)
    assert [one.keys for one in asked if one.rule == "13.2"] == [
        ["next-thompson", "next-nimitz", "sites"],
        ["next-thompson", "next-nimitz"],
    ]
    assert (state.sky.beacons, state.sky.groundcrews) == ({"kian": 0}, {"kian": 1})
    assert after_planning(state) == At(3, "events")


@pytest.mark.rule("doolittle", "13.2.3", "DR148")
def test_sites_follow_the_talks_unless_prepared_this_month() -> None:
    state = _month("stilwell")
    assert after_planning(state) == At(3, "china")
    state.notes.supplied = "february"
    assert after_planning(state) == At(3, "china")
    state.notes.supplied = "march"
    assert after_planning(state) == At(4, "april")


# -- sites -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.2.3", "DR136")
def test_sites_are_named_one_by_one_after_the_last_roll() -> None:
    state, seen = _month("stilwell"), list[list[str]]()
    at = table(state, 1, 1, 6, 6)

    def names(decision: Decision) -> list[str]:
        if not decision.keys[0].startswith("prepare-"):
            return [] if decision.at_least == 0 else ["crew-none"]
        seen.append(list(state.sky.beacons))
        return [("prepare-kian", "prepare-kweilin", "prepare-none")[len(seen) - 1]]

    run(china.supply_china(at), {"13.2.3": names})
    assert seen == [[], [], ["kweilin"]]


@pytest.mark.rule("doolittle", "13.2.3", "DR136")
def test_site_that_failed_is_not_tried_again_this_month() -> None:
    state, asked = _month("stilwell"), list[Decision]()
    run(china.supply_china(table(state, 1, 1)), {"13.2.3": [["prepare-kian"], ["prepare-none"]]}, asked)
    assert "prepare-kian" not in asked[1].keys
    assert asked[1].keys[-1] == "prepare-none"


# -- training --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.4.4", "DR137")
def test_extra_training_next_is_chosen_after_the_last_crewman() -> None:
    state, seen = planner("march"), list[int]()

    def orders(decision: Decision) -> list[str]:
        seen.append(len(state.notes.aside))
        return ["extra-navigation"] if len(seen) == 1 else ["extra-none"]

    run(training.train(table(state, draws=["e01"])), {"13.4.9": "leave", "13.4.4": orders})
    assert seen == [0, 1]
    assert state.notes.extra == ["navigation"]
