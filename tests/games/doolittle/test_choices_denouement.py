"""Tests of the captain's choices in the denouement: order of searches and landings, and repairs."""

from __future__ import annotations

import pytest
from tests.games.doolittle.end_helpers import crew, fates, over, standing
from tests.games.doolittle.helpers import DATA, attached, man, raiders, rules_asked, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.denouement import crews
from readyroom.games.doolittle.denouement.landing import land_at_site
from readyroom.games.doolittle.denouement.treks import transport
from readyroom.games.doolittle.ending import facts
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import Doolittle, Flight
from readyroom.testing.running import Answers

KWEILIN = DATA.flight.site["kweilin"]


def _adrift(submarines: int, *zones: str) -> Doolittle:
    """Return crews ditched in these zones, with this number of submarines in contact off Japan."""
    state = over("ditching")
    state.sky.submarines = submarines
    for number, zone in enumerate(zones, start=1):
        state.squad[f"b0{number}"] = Bomber(key=f"b0{number}", fate="ditched", where=zone)
    return state


@pytest.mark.rule("doolittle", "14.2.1", "DR149")
def test_ditched_captain_chooses_which_crew_a_submarine_finds_first() -> None:
    state, asked = _adrift(1, "Z3", "Z4"), list[Decision]()
    run(crews.ditching(table(state, 4, 4)), {"14.2.1": "check-b02"}, asked)
    assert asked[0].keys == ["check-b01", "check-b02"]
    assert fates(state) == {"b01": "missing", "b02": "rescued"}


@pytest.mark.rule("doolittle", "14.2.1", "DR149")
@pytest.mark.parametrize(("submarines", "zones"), [(0, ("Z3", "Z4")), (2, ("Z3", "Z4")), (1, ("Z3", "Z9"))])
def test_ditched_order_is_not_asked_where_it_cannot_matter(submarines: int, zones: tuple[str, ...]) -> None:
    state, asked = _adrift(submarines, *zones), list[Decision]()
    run(crews.ditching(table(state, 1, 1)), None, asked)
    assert asked == []


def _landing(*members: str) -> Doolittle:
    state = raiders()
    state.sky.flights = [Flight("flight-1", list(members), "Z12", 2, site="kweilin")]
    man(state, "b01", "repair")
    return state


@pytest.mark.rule("doolittle", "2.3.2", "14.1.1", "DR149")
def test_landing_copilot_may_wait_and_repair_before_a_later_landing() -> None:
    state, asked = _landing("b01", "b02"), list[Decision]()
    gear = attached(state, "b02", "mechanical").markers[0]
    answers: Answers = {"2.3.2": [["wait"], [f"b02-{gear.key}"]], "14.1.1": "land-b01"}
    run(land_at_site(table(state, 6, 6, 6, 6), KWEILIN), answers, asked)
    assert rules_asked(asked) == ["2.3.2", "14.1.1", "2.3.2"]
    assert state.squad["b02"].markers == []


@pytest.mark.rule("doolittle", "14.1.1", "DR149")
def test_landing_order_is_not_asked_where_nothing_can_be_repaired() -> None:
    state, asked = _landing("b01", "b02"), list[Decision]()
    run(land_at_site(table(state, 6, 6, 6, 6), KWEILIN), None, asked)
    assert asked == []


@pytest.mark.rule("doolittle", "14.4.1", "DR149")
def test_groundcrew_overhauls_arrivals_only_by_choice() -> None:
    state, asked = over("transport"), list[Decision]()
    state.sky.groundcrews["kian"] = 1
    for key in ("b01", "b02"):
        standing(state, key, "kian", fuel=6)
        crew(state, key, "kian")
        attached(state, key, "jammed-guns")
    answers: Answers = {
        "14.4.1": lambda one: one.keys[-1:] if one.keys[-1].startswith("fuel-") else one.keys[:1],
        "14.4.2": [["mend-b02"], ["fly-b01"], ["fly-b02"]],
        "14.4.3": "to-chungking",
    }
    run(transport(table(state)), answers, asked)
    assert asked[0].keys[:2] == ["mend-b01", "mend-b02"]
    assert [bool(state.squad[key].markers) for key in ("b01", "b02")] == [True, False]
    assert [bomber.fate for bomber in state.squad.values()] == ["saved", "saved"]


# -- score -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "1.2", "14.1.2")
@pytest.mark.parametrize(("dice", "good"), [((6, 6), 1), ((1, 1, 6), 1), ((1, 1, 5), 0)])
def test_score_good_landing_counts_for_a_bomber_hit_before(dice: tuple[int, ...], good: int) -> None:
    state = raiders()
    state.sky.flights = [Flight("flight-1", ["b01"], "Z12", 2, site="kweilin")]
    state.squad["b01"].hits = 1
    run(land_at_site(table(state, *dice), KWEILIN))
    assert facts.count_facts(state, DATA)["good-landings-china"] == good
