"""Tests of sections 3, 4.0 and 4.1: city maps, the turn, entry and movement of bombers, end of an attack."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.games.doolittle.raid_helpers import (
    DATA,
    bomber,
    flight,
    in_cup,
    marker,
    on_the_way,
    over,
    play_phase,
    rules_asked,
    run,
    table,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.games.doolittle import GAME, bombers, sequence
from readyroom.games.doolittle.attack import bombing, raids
from readyroom.games.doolittle.state import Doolittle
from readyroom.testing.running import Answers

TURN = ["airspeed", "place", "assign", "evade", "gunnery", "resolve", "exit", "approach", "bombs-away", "turn-end"]


# -- the maps --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "3.0", "3.2")
@pytest.mark.parametrize(("scenario", "city"), [("capital", "tokyo"), ("nagoya", "nagoya"), ("kobe", "osaka-kobe")])
def test_attack_scenario_uses_one_map_of_areas(scenario: str, city: str) -> None:
    state = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve({}))
    assert list(state.targets) == [city]
    assert list(state.city.areas) == list(DATA.targets.maps[city].areas)


@pytest.mark.rule("doolittle", "3.1", "3.1.1")
@pytest.mark.parametrize(("light", "approach", "hit"), [("day", 8, 8), ("night", 9, 9)])
def test_night_side_has_higher_numbers(light: str, approach: int, hit: int) -> None:
    state = over(light=light)
    gray = bomber(state, "b03", "tokyo-east")
    assert bombing.approach_check(table(state), gray, "nippon-electric").at_least == approach
    assert bombing.detonation_check(table(state), gray, "nippon-electric").at_least == hit


@pytest.mark.rule("doolittle", "3.1.1")
@pytest.mark.parametrize("label", ["0800", "2000"])
def test_hour_of_the_search_selects_the_side_of_the_map(label: str) -> None:
    state, first = flight("b01")
    clock = DATA.flight.clock.box
    state.sky.hour = [hour.label for hour in clock].index(label)
    run(raids.begin_attack(table(state), first, "tokyo"))
    assert state.raid is not None
    assert state.raid.light == clock[state.sky.hour].light
    assert {"0800": "day", "2000": "night"}[label] == state.raid.light


@pytest.mark.rule("doolittle", "3.2.1", "4.1.3")
@pytest.mark.parametrize("high", [False, True])
def test_bombers_keep_the_height_of_their_flight(high: bool) -> None:
    state, first = flight("b01")
    first.high = high
    run(raids.begin_attack(table(state), first, "tokyo"))
    assert state.raid is not None
    assert state.raid.high == high
    asked = list[Decision]()
    for _ in range(2):
        play_phase(table(state), asked=asked)
    assert not any("high" in key or "low" in key for one in asked for key in one.keys)


@pytest.mark.rule("doolittle", "3.2.1", "DR23")
@pytest.mark.parametrize("scenario", ["capital", "nagoya", "bay", "kobe", "night", "thirteen"])
def test_attack_scenarios_are_flown_low(scenario: str) -> None:
    state = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve({}))
    assert state.raid is not None
    assert not state.raid.high


@pytest.mark.rule("doolittle", "3.3", "4.8")
def test_box_has_room_for_one_bomber() -> None:
    state = over(phase="approach")
    bomber(state, "b01", "tokyo-east", box="nippon-electric")
    bomber(state, "b02", "tokyo-east")
    asked = list[Decision]()
    play_phase(table(state), asked=asked)
    assert asked[0].keys == ["b02-gas-electric", "enough"]


@pytest.mark.rule("doolittle", "3.3.1", "DR24", "4.8")
@pytest.mark.parametrize(
    ("high", "light", "norden", "twain", "able"),
    [
        (False, "day", False, True, True),
        (False, "night", False, True, True),
        (False, "day", True, False, False),
        (True, "day", False, True, False),
        (True, "day", True, False, True),
        (True, "night", True, True, False),
    ],
)
def test_bombsight_is_mark_twain_if_low_and_norden_if_high_by_day(
    high: bool, light: str, norden: bool, twain: bool, able: bool
) -> None:
    state = over(phase="approach", light=light)
    assert state.raid is not None
    state.raid.high = high
    state.ratings = replace(state.ratings, norden=norden, mark_twain=twain)
    bomber(state, "b01", "tokyo-east")
    asked = list[Decision]()
    play_phase(table(state), asked=asked)
    assert bool(asked) == able


@pytest.mark.rule("doolittle", "3.3.1")
def test_norden_is_only_in_the_campaign() -> None:
    assert (DATA.bombers.standard.norden, DATA.bombers.standard.mark_twain) == (False, True)


@pytest.mark.rule("doolittle", "3.4", "4.9")
def test_release_moves_the_tally_of_its_map_only() -> None:
    state, _ = flight("b01", "b02", phase="bombs-away")
    state.squad["b01"].area = state.squad["b02"].area = "tokyo-east"
    state.squad["b02"].box = "nippon-electric"
    play_phase(table(state, 1, 1), {"4.9.1": "drop-b01"})
    assert {key: target.tally for key, target in state.targets.items()} == {"tokyo": 2, "nagoya": 0, "osaka-kobe": 0}


@pytest.mark.rule("doolittle", "3.5", "4.0")
def test_turn_has_nine_phases_in_order_and_repeats() -> None:
    assert [phase.key for phase in DATA.attack.phases.phase] == TURN[:-1]
    state = over(phase=TURN[0])
    gone = list[str]()
    for _ in TURN:
        gone.append(state.at.phase)
        state.at = sequence.next_phase(state)
    assert gone == TURN
    assert state.at == At(3, TURN[0])


# -- coming in -------------------------------------------------------------------------------------------------------


def _turns(state: Doolittle, count: int, answers: Answers | None = None) -> list[Decision]:
    asked = list[Decision]()
    state.at = At(state.at.turn, "airspeed")
    for _ in range(count):
        play_phase(table(state, *[1] * 9), answers, asked)
    return asked


@pytest.mark.rule("doolittle", "4.1")
def test_bomber_must_move_to_an_adjacent_area() -> None:
    state = over(phase="airspeed")
    bomber(state, "b01", "tokyo-west")
    asked = _turns(state, 1, {"4.1": "to-kawasaki"})
    assert asked[0].keys == ["to-tokyo-north", "to-tokyo-east", "to-kawasaki"]
    assert (asked[0].at_least, state.squad["b01"].area) == (1, "kawasaki")


@pytest.mark.rule("doolittle", "4.1.1")
def test_scenario_names_turn_and_area_of_entry() -> None:
    state = GAME.rules.setup(DATA, GAME.scenario("capital"), GAME.resolve({}))
    state.at = At(1, "airspeed")
    for entry in DATA.scenarios["capital"].entry:
        before = {bomber.key for bomber in state.over_target()}
        play_phase(table(state))
        assert {bomber.key for bomber in state.over_target()} - before == {entry.bomber}
        assert state.squad[entry.bomber].area == entry.area


@pytest.mark.rule("doolittle", "4.1.1")
def test_flight_enters_at_the_edge_one_a_turn_in_any_order() -> None:
    state, first = flight("b01", "b02", "b03")
    asked = list[Decision]()
    run(raids.begin_attack(table(state), first, "tokyo"), {"4.1.1": [["next-b03"], ["next-b01"]]}, asked)
    assert [one.keys for one in asked] == [["next-b01", "next-b02", "next-b03"], ["next-b01", "next-b02"]]
    entered = list[list[str]]()
    for _ in range(3):
        before = {one.key for one in state.over_target()}
        play_phase(table(state), {"4.1.1": "enter-chiba"}, asked)
        entered.append([one.key for one in state.over_target() if one.key not in before])
    assert entered == [["b03"], ["b01"], ["b02"]]
    where = [one for one in asked if one.keys[0].startswith("enter-")]
    assert [len(one.keys) for one in where] == [9], "the first chooses an area on the edge, the others follow"
    assert "enter-tokyo-bay-north" not in where[0].keys
    assert state.squad["b02"].area == "chiba"


@pytest.mark.rule("doolittle", "4.1.1", "8.3.7.A", "DR17", "DR18")
def test_compass_error_delays_entry_and_the_area_is_chosen() -> None:
    state, first = flight("b01", "b02", "b03")
    error = on_the_way(state, "compass-error")
    state.squad["b01"].markers = [error]
    run(raids.begin_attack(table(state, 3), first, "tokyo"), {"4.1.1": [["next-b01"], ["next-b02"]]})
    assert [state.squad[key].enters for key in first.members] == [3, 2, 3]
    _turns(state, 1)
    assert state.over_target() == []
    _turns(state, 1, {"4.1.1": "enter-kisarazu"})
    assert [one.key for one in state.over_target()] == ["b02"]
    _turns(state, 1, {"4.1": "to-chiba", "4.1.1": "enter-tokyo-west"})
    areas = {one.key: one.area for one in state.over_target()}
    assert areas == {"b01": "tokyo-west", "b02": "chiba", "b03": "kisarazu"}
    assert state.squad["b01"].markers == []
    assert in_cup(state, error)


@pytest.mark.rule("doolittle", "DR18", "8.3.7.A")
def test_compass_error_never_makes_entry_earlier() -> None:
    state, first = flight("b01", "b02", "b03")
    state.squad["b03"].markers = [on_the_way(state, "compass-error")]
    run(raids.begin_attack(table(state, 1), first, "tokyo"))
    assert state.squad["b03"].enters == 3


@pytest.mark.rule("doolittle", "DR19", "8.3.7.C")
@pytest.mark.parametrize(("die", "turn"), [(3, 6), (4, 1)])
def test_faulty_compass_on_an_odd_die_delays_to_turn_six_then_leaves(die: int, turn: int) -> None:
    state, first = flight("b01")
    compass = on_the_way(state, "faulty-compass")
    state.squad["b01"].markers = [compass]
    run(raids.begin_attack(table(state, die), first, "tokyo"))
    assert state.squad["b01"].enters == turn
    assert state.out == [compass]


@pytest.mark.rule("doolittle", "4.1.2")
def test_airspeed_phase_does_not_offer_leaving() -> None:
    state = over(phase="airspeed")
    bomber(state, "b01", "tokyo-north", loaded=False)
    asked = _turns(state, 1)
    assert all(key.startswith("to-") for one in asked for key in one.keys)
    assert state.squad["b01"].over


# -- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.0.1", "4.0.2")
def test_scenario_with_bombers_over_the_city_lasts_nine_turns() -> None:
    state = over(phase="turn-end", turn=8)
    bomber(state, "b01", "tokyo-north")
    play_phase(table(state))
    assert state.raid is not None
    state.raid.turn = 9
    play_phase(table(state, 6))
    assert state.raid is None
    assert sequence.next_phase(state).phase == "debriefing"


@pytest.mark.rule("doolittle", "4.0.1")
@pytest.mark.parametrize(
    ("die", "fields", "elite", "fate", "hits"),
    [
        (1, {}, "", "destroyed", 0),
        (2, {}, "", "home", 1),
        (4, {}, "", "home", 0),
        (4, {"hits": 1}, "", "destroyed", 1),
        (1, {}, "e02", "home", 1),
        (3, {}, "e02", "home", 0),
    ],
)
def test_bomber_late_is_lost_hit_or_away(die: int, fields: dict[str, int], elite: str, fate: str, hits: int) -> None:
    state = over(phase="turn-end", turn=9)
    gray = bomber(state, "b03", "tokyo-east", elite, **fields)
    play_phase(table(state, die))
    assert (gray.fate, gray.hits) == (fate, hits)


@pytest.mark.rule("doolittle", "4.0.1")
def test_attached_fighter_makes_escape_harder_and_returns() -> None:
    state = over(phase="turn-end", turn=9)
    gray = bomber(state, "b03", "tokyo-east")
    gray.markers = [marker(state, "interceptor", revealed=True)]
    [fighter] = gray.markers
    play_phase(table(state, 4))
    assert (gray.fate, gray.hits) == ("home", 1)
    assert in_cup(state, fighter)


@pytest.mark.rule("doolittle", "4.0.1")
def test_ninth_turn_in_the_flight_segment_costs_fuel_and_resets_the_track() -> None:
    state, first = flight("b01", "b02", phase="turn-end")
    assert state.raid is not None
    state.raid.turn = DATA.attack.turns.last
    state.squad["b01"].area = "tokyo-east"
    play_phase(table(state))
    assert (first.fuel, state.raid.turn) == (2, 0)
    assert state.squad["b01"].over


@pytest.mark.rule("doolittle", "4.0.1", "DR21")
def test_ditched_over_the_city_is_captured_but_waiting_outside_is_not() -> None:
    state, _ = flight("b01", "b02")
    state.squad["b01"].area, state.squad["b02"].enters = "tokyo-east", 4
    for key in ("b01", "b02"):
        bombers.ditch(table(state), state.squad[key], "7.2.4", "no fuel", "Z6")
    assert (state.squad["b01"].fate, state.squad["b02"].fate) == ("captured", "ditched")


@pytest.mark.rule("doolittle", "4.0.2", "DR20")
def test_attack_with_an_empty_map_waits_for_a_bomber_still_to_come() -> None:
    state = over(phase="turn-end")
    gray = bomber(state, "b03", enters=5)
    play_phase(table(state))
    assert state.raid is not None
    gray.enters = 0
    play_phase(table(state))
    assert state.raid is None


@pytest.mark.rule("doolittle", "DR19", "4.0.1")
def test_bomber_delayed_beyond_the_ninth_turn_still_enters() -> None:
    state, _ = flight("b01", "b02", phase="turn-end")
    assert state.raid is not None
    state.raid.turn = DATA.attack.turns.last
    state.squad["b02"].enters = DATA.attack.turns.last + 1
    play_phase(table(state))
    assert state.squad["b02"].enters == 1


@pytest.mark.rule("doolittle", "4.0.2", "DR112")
def test_tally_and_staying_hazards_remain_for_the_next_flight() -> None:
    state, first = flight("b01", phase="bombs-away")
    staying = marker(state, "haze")
    concrete = marker(state, "concrete", revealed=True)
    state.squad["b01"].area = "tokyo-east"
    state.squad["b01"].assigned = [staying]
    state.city.areas["tokyo-east"].boxes["nippon-electric"].markers = [concrete]
    play_phase(table(state), {"4.9.1": "drop-b01"})
    state.squad["b01"].area = ""
    state.at = At(3, "turn-end")
    play_phase(table(state))
    assert state.raid is None
    assert sequence.next_phase(state) == At(4, "move")
    run(raids.begin_attack(table(state), first, "tokyo"))
    assert state.city.tally == 1
    assert state.city.areas["tokyo-east"].markers == [staying]
    assert state.city.areas["tokyo-east"].boxes["nippon-electric"].markers == [concrete]


@pytest.mark.rule("doolittle", "1.4", "DR111")
def test_seats_get_bombers_and_decide_for_their_own() -> None:
    state = over(phase="airspeed", players="2")
    for key in ("b01", "b02", "b03"):
        bomber(state, key, "tokyo-north", loaded=False)
    asked = _turns(state, 1, {"4.1": "to-tokyo-east"})
    assert [(one.piece_key, one.seat) for one in asked] == [
        ("b01", "captain-1"),
        ("b02", "captain-2"),
        ("b03", "captain-1"),
    ]
    state.at, asked = At(2, "exit"), []
    play_phase(table(state), {"4.7": lambda one: one.keys}, asked)
    assert [(one.seat, one.keys) for one in asked] == [
        ("captain-1", ["exit-b01", "exit-b03"]),
        ("captain-2", ["exit-b02"]),
    ]
    assert rules_asked(asked) == ["4.7", "4.7"]
