"""[13.5] Tests of April planning: plan, transit, crane, delay, security, and the start of the voyage."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, raiders, run, table
from tests.games.doolittle.plan_helpers import planner

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.planning import april, blotter, crane, transit
from readyroom.games.doolittle.sequence import PLANNING, after_planning
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.state import Plan
from readyroom.testing.running import Answers


def _hazards(kind: str) -> list[str]:
    return [key for key, card in DATA.embarkation.cup.markers.items() if card.kind == kind]


def _deck(space: int = 7) -> Doolittle:
    state = planner("april", "crane")
    state.notes.deck = space
    return state


@pytest.mark.rule("doolittle", "13.5", "13.0")
def test_april_phases_follow_in_order() -> None:
    state = planner("april", "april")
    state.talks.granted, state.sky.beacons = ["stilwell"], {"kian": 0}
    steps = []
    while state.at.phase in {name for name, *_ in PLANNING}:
        steps.append(state.at.phase)
        state.at = after_planning(state)
    assert steps == ["april", "crane", "talks", "china", "events", "delay", "security"]
    assert state.at == At(5, "general-quarters")


# -- the plan --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.5.1")
def test_plan_records_areas_turn_and_submarines() -> None:
    state = planner("april")
    state.talks.submarines, state.talks.granted = 2, ["nimitz"]
    answers: Answers = {
        "13.5.1": [
            ["rendezvous-midway"],
            ["turn-5"],
            ["launch-defense-east"],
            ["submarine-japan", "submarine-japan"],
        ]
    }
    run(april.make_plan(table(state)), answers)
    assert state.plan
    assert (state.plan.rendezvous_area, state.plan.rendezvous_turn) == ("midway", "12-13 April")
    assert state.plan.launch_area == "defense-east"
    assert state.plan.submarines == {"thresher": "japan", "trout": "japan"}


@pytest.mark.rule("doolittle", "13.5.1", "12.1.3", "14.2.1")
def test_plan_options_show_use_of_each_sea_area() -> None:
    asked = list[Decision]()
    run(april.make_plan(table(planner("april"))), {"13.5.1": lambda one: one.keys[: one.at_least]}, asked)
    notes = {option.key: option.info.note for one in asked for option in one.options if option.info}
    assert notes["launch-midway"] == "too far east: bombers would have to fly to Midway or Hawaii"
    assert notes["launch-defense-west"] == "bombers can reach Japan from here"
    assert notes["submarine-midway"] == "if in contact, helps the rendezvous here"
    assert notes["submarine-japan"] == "if in contact, helps to find a city, and may pick up a crew off Japan"


@pytest.mark.rule("doolittle", "13.5.1", "13.2.5")
def test_submarines_to_place_is_three_until_nimitz_agrees() -> None:
    state = planner("april")
    at = table(state)
    assert april.submarines_to_place(at) == 3
    state.talks.submarines = 1
    assert april.submarines_to_place(at) == 3
    state.talks.granted = ["nimitz"]
    assert april.submarines_to_place(at) == 1


@pytest.mark.rule("doolittle", "13.5", "13.5.2")
def test_transit_follows_plan() -> None:
    state = planner("april")
    at = table(state, 2, 3, draws=[*_hazards("security"), *_hazards("carburetors")])
    run(april.april(at), {"13.5.1": lambda one: one.keys[: one.at_least]})
    assert "Flight to the coast" in log_text(at, "13.5.2")


# -- transit ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.5.2", "DR31")
def test_transit_modifiers_add_up_and_reduce_hazards() -> None:
    state = planner("april")
    notes = state.notes
    notes.doolittle, notes.site, notes.extra = "april", "mcclellan", ["navigation"]
    at = table(state, 2, 3, draws=_hazards("security")[:1])
    assert sum(value for _, value in transit.transit_modifiers(at)) == 5
    run(transit.transit(at))
    assert "one transit hazard." in log_text(at)
    assert len(state.cups["transit"].contents) == DATA.embarkation.cup.total
    assert state.security.risk == 1


@pytest.mark.rule("doolittle", "13.5.2", "DR84", "DR85")
def test_carburetor_hazard_affects_only_modified_bombers() -> None:
    key = _hazards("carburetors")
    plain = planner("april")
    at = table(plain, draws=key)
    run(transit.hazards(at, 1))
    assert f"Transit hazard: {DATA.embarkation.cup.markers[key[0]].title}." in log_text(at)
    assert plain.ratings.guzzle == DATA.bombers.factory.guzzle
    assert len(plain.cups["transit"].contents) == DATA.embarkation.cup.total
    changed = planner("april")
    changed.notes.modifications = ["propellers"]
    run(transit.hazards(table(changed, draws=key), 1))
    assert changed.ratings.guzzle == DATA.bombers.factory.guzzle - 1 + 1
    assert [one.key for one in changed.out] == key


@pytest.mark.rule("doolittle", "13.5.2", "4.5.1")
def test_turret_hazard_hits_chosen_bomber_unless_turrets_improved() -> None:
    key = _hazards("turret")[:1]
    state = planner("april")
    run(transit.hazards(table(state, draws=key), 1), {"13.5.2": ["turret-b05"]})
    assert [one.key for one in state.squad["b05"].markers] == key
    state = planner("april")
    state.turrets = True
    run(transit.hazards(table(state, draws=key), 1))
    assert not any(one.markers for one in state.squad.values())
    assert key[0] in {one.key for one in state.cups["transit"].contents}


@pytest.mark.rule("doolittle", "12.2.2", "13.5.2")
def test_turret_hazard_without_bombers_returns_to_cup() -> None:
    state = raiders("carrier", "weather")
    state.squad.clear()
    run(transit.hazards(table(state, draws=_hazards("turret")[:1]), 1, "12.2.2"))
    assert len(state.cups["transit"].contents) == DATA.embarkation.cup.total


@pytest.mark.rule("doolittle", "13.5.2", "13.4.9")
def test_turret_marker_of_wrecked_bomber_returns_to_cup() -> None:
    state = planner("april")
    state.armour = "removed"
    draws = [*_hazards("turret")[:1], *_hazards("damage")[:1]]
    run(transit.hazards(table(state, draws=draws), 2), {"13.5.2": [["turret-b05"], ["damaged-b05"]]})
    assert (state.squad["b05"].fate, state.squad["b05"].markers) == ("ashore", [])
    assert len(state.cups["transit"].contents) == DATA.embarkation.cup.total


@pytest.mark.rule("doolittle", "13.5.2", "DR83")
@pytest.mark.parametrize(("armour", "hits", "fate"), [("normal", 1, ""), ("added", 1, ""), ("removed", 0, "ashore")])
def test_transit_damage_depends_on_armor(armour: str, hits: int, fate: str) -> None:
    state = planner("april")
    state.armour = armour  # type: ignore[assignment]
    run(transit.hazards(table(state, draws=_hazards("damage")[:1]), 1), {"13.5.2": ["damaged-b05"]})
    assert (state.squad["b05"].hits, state.squad["b05"].fate) == (hits, fate)
    assert len(state.cups["transit"].contents) == DATA.embarkation.cup.total


@pytest.mark.rule("doolittle", "12.2.2", "13.5.2", "DR105")
def test_carburetor_hazard_in_scenario_9_has_no_effect() -> None:
    state = raiders("carrier", "weather")
    guzzle = state.ratings.guzzle
    run(transit.hazards(table(state, draws=_hazards("carburetors")), 1, "12.2.2"))
    assert state.ratings.guzzle == guzzle
    assert not state.out


# -- the crane -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.5.3")
def test_crane_diligence_options_show_their_effects() -> None:
    state, asked = _deck(), list[Decision]()
    at = table(state, 1, 1)
    run(crane.operate_crane(at), {"13.5.3": [["diligence-13"], []]}, asked)
    assert asked[0].keys == [f"diligence-{number}" for number in range(14)]
    hints = {option.key: option.info.note for option in asked[0].options if option.info}
    assert hints["diligence-0"].startswith("damage 58 %, hazard 25 %, risk 17 %")
    assert hints["diligence-13"].startswith("nothing happens; ")
    assert "nothing happens" in log_text(at, "13.5.3")


@pytest.mark.rule("doolittle", "13.5.3")
def test_crane_damage_hits_chosen_bombers() -> None:
    state = _deck()
    damaged = [f"damaged-b0{number}" for number in (1, 2, 3)]
    run(crane.operate_crane(table(state, 2, 2)), {"13.5.3": [["diligence-0"], damaged]})
    assert [key for key, one in state.squad.items() if one.hits] == ["b01", "b02", "b03"]


@pytest.mark.rule("doolittle", "13.5.3")
def test_crane_roll_of_ten_adds_two_risk() -> None:
    state = _deck()
    run(crane.operate_crane(table(state, 5, 5)), {"13.5.3": "diligence-0"})
    assert state.security.risk == 2


@pytest.mark.rule("doolittle", "13.5.3", "13.4.9")
def test_loading_is_limited_by_deck_capacity() -> None:
    state, asked = _deck(7), list[Decision]()
    run(crane.choose_aboard(table(state)), {"13.5.3": [f"aboard-b{number:02}" for number in range(11, 25)]}, asked)
    assert asked[0].at_most == 14
    assert list(state.squad) == [f"b{number:02}" for number in range(11, 25)]
    assert list(state.notes.hangar) == [f"b{number:02}" for number in range(1, 11)]


@pytest.mark.rule("doolittle", "13.4.9", "13.5.3", "DR125")
def test_loading_without_training_calls_raid_off() -> None:
    state = _deck(0)
    at = table(state, 6, 6)
    run(crane.crane(at), {"13.5.3": "diligence-13"})
    assert "No flight of bombers can go aboard: there will be no raid." in log_text(at, "13.4.9")
    assert state.called_off
    assert after_planning(state) == At(5, "debriefing")


@pytest.mark.rule("doolittle", "13.5.3")
def test_repairs_count_damage_and_each_hazard_as_one() -> None:
    state, asked = _deck(), list[Decision]()
    state.squad["b01"].hits, state.squad["b02"].hits = 2, 1
    turret = _hazards("turret")[0]
    state.squad["b02"].markers = [Marker(key=turret, shown=True)]
    repaired = ["mend-b01", f"mend-b02-{turret}"]
    run(crane.repair_bombers(table(state)), {"13.5.3": repaired}, asked)
    assert asked[0].keys == ["mend-b01", "mend-b02", f"mend-b02-{turret}"]
    assert (state.squad["b01"].hits, state.squad["b02"].hits, state.notes.repairs) == (0, 1, 2)
    assert not state.squad["b02"].markers


# -- elite crewmen ---------------------------------------------------------------------------------------------------


def _aside(*keys: str) -> Doolittle:
    state = _deck()
    cup = state.notes.men.contents
    for man in [man for man in cup if man.key in keys]:
        cup.remove(man)
        state.notes.aside.append(man)
    state.squad = {key: one for key, one in state.squad.items() if key in ("b01", "b02", "b13")}
    return state


@pytest.mark.rule("doolittle", "13.5.3", "2.3")
def test_elite_crewmen_default_to_own_or_free_bombers() -> None:
    state = _aside("e01", "e09", "e08", "e24")
    run(crane.assign_crewmen(table(state)), {"13.5.3": "home"})
    men = {key: one.elite.key for key, one in state.squad.items() if one.elite}
    assert men == {"b01": "e01", "b13": "e08", "b02": "e09"}
    assert [man.key for man in state.notes.aside] == ["e24"]


@pytest.mark.rule("doolittle", "13.5.3", "2.3")
def test_elite_assignment_is_asked_only_with_elite_crewmen() -> None:
    state, asked = _aside(), list[Decision]()
    run(crane.assign_crewmen(table(state)), None, asked)
    assert asked == []
    state = _aside("e01")
    run(crane.crane(table(state, 6, 6)), {"13.5.3": [["diligence-13"], ["aboard-b01", "aboard-b02"]], "2.3": "e01-b02"})
    assert [one.elite.key for one in state.squad.values() if one.elite] == ["e01"]


@pytest.mark.rule("doolittle", "13.5.3", "2.3")
def test_elite_assignment_by_hand_allows_one_per_bomber() -> None:
    state, asked = _aside("e01", "e09"), list[Decision]()
    run(crane.assign_crewmen(table(state)), {"13.5.3": "by-hand", "2.3": [["e01-b13"], ["e09-ashore"]]}, asked)
    assert [one.elite.key for one in state.squad.values() if one.elite] == ["e01"]
    assert asked[2].keys == ["e09-b01", "e09-b02", "e09-ashore"]


@pytest.mark.rule("doolittle", "13.5.3", "2.3")
def test_elite_assignment_of_single_man_asks_no_method() -> None:
    state, asked = _aside("e01"), list[Decision]()
    run(crane.assign_crewmen(table(state)), {"2.3": "e01-b13"}, asked)
    assert [decision.rule for decision in asked] == ["2.3"]


# -- delay and security ----------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.5.5")
def test_nimitz_briefed_before_sailing_avoids_delay() -> None:
    state, asked = planner("april", "delay"), list[Decision]()
    state.plan, state.notes.modifications = Plan(), ["radio-removed"] * 6
    run(april.roll_delay(table(state, 2, 3)), {"13.5.5": "brief"}, asked)
    assert state.talks.briefed == ["nimitz"]
    assert not state.plan.delayed
    chances = [option.info.chance for option in asked[0].options if option.info]
    assert chances == [pytest.approx(6 / 36), pytest.approx(30 / 36)]


@pytest.mark.rule("doolittle", "13.5.5")
def test_unbriefed_nimitz_leaves_force_delayed() -> None:
    state = planner("april", "delay")
    state.plan, state.notes.modifications = Plan(), ["radio-removed"] * 6
    at = table(state, 4, 5)
    run(april.roll_delay(at), {"13.5.5": "wait"})
    assert state.plan.delayed
    assert "delayed" in log_text(at, "13.5.5")


@pytest.mark.rule("doolittle", "13.5.6", "13.1.2")
@pytest.mark.parametrize(("chosen", "more"), [(18, 1), (19, 0)])
def test_small_squadron_adds_secrecy_die(chosen: int, more: int) -> None:
    assert blotter.secrecy_dice(planner("april", chosen=chosen), DATA) == 2 + more


@pytest.mark.rule("doolittle", "13.5.6", "DR87")
def test_variable_risks_are_rolled_only_where_they_apply() -> None:
    state = planner("april", "security", chosen=20)
    notes, state.plan = state.notes, Plan(delayed=True)
    notes.liberty, notes.site, notes.measures, notes.doolittle = True, "mcclellan", ["fbi", "quarantine"], "telephone"
    state.sky.taken, state.talks.briefed = ["kian", "lishui"], ["chiang"]
    adds = {name: dict(modifiers) for name, modifiers in april.variable_risks(table(state)).items()}
    assert adds == {
        "attack": {"Chiang briefed": -2, "no fuel lost": 3},
        "delayed": {"20 bombers": -1},
        "liberty": {"McClellan Field": -2, "F.B.I.": 5},
        "telephone": {"quarantine": -2},
    }
    del notes.calendar["stilwell"]
    state.talks.briefed, notes.fuel_kept = [], False
    adds = {name: dict(modifiers) for name, modifiers in april.variable_risks(table(state)).items()}
    assert "attack" not in adds
    state.plan = None
    assert "delayed" not in april.variable_risks(table(state))
    assert adds["telephone"] == {"quarantine": -2, "no one was informed": 5}


@pytest.mark.rule("doolittle", "13.5.6", "6.3", "DR86")
def test_planning_ends_with_secrecy_test_and_starts_voyage() -> None:
    state = planner("april", "security", chosen=24)
    state.plan = Plan()
    state.talks.briefed = ["stilwell"]
    state.notes.calendar = {"stilwell": "april", "nimitz": "april"}
    at = table(state, 1, 1)
    april.compute_security(at)
    assert (state.security.value, state.security.risk, state.security.failed) == (2, 2, 0)
    assert state.sky.briefed
    assert "Secrecy holds after the embarkation." in log_text(at)
    assert after_planning(state) == At(5, "general-quarters")


@pytest.mark.rule("doolittle", "15.1.2.B", "13.5.3")
def test_grounded_elite_crewman_is_not_assigned() -> None:
    state = _aside("e01", "e09")
    state.notes.turns = ["macarthur-captured"]
    run(crane.assign_crewmen(table(state)), {"2.3": lambda one: one.keys[:1]})
    assert [one.elite.key for one in state.squad.values() if one.elite] == ["e09"]


@pytest.mark.rule("doolittle", "13.5.2", "13.5.3")
def test_transit_hazard_of_bomber_left_ashore_returns_to_cup() -> None:
    state = _deck()
    marker = state.cups["transit"].contents.pop()
    state.squad["b24"].markers.append(marker)
    run(crane.choose_aboard(table(state)), {"13.5.3": lambda one: one.keys[: one.at_least]})
    assert marker in state.cups["transit"].contents
    assert state.notes.hangar["b24"].markers == []


@pytest.mark.rule("doolittle", "13.5.3")
def test_loaded_bomber_can_be_repaired_before_sailing() -> None:
    state = _deck()
    state.squad["b01"].hits = 1
    aboard = [f"aboard-{key}" for key in list(state.squad)[:4]]
    run(crane.crane(table(state, 6, 6)), {"13.5.3": [["diligence-13"], aboard, ["mend-b01"]]})
    assert (state.squad["b01"].hits, state.notes.repairs) == (0, 1)
