"""[12.3, 12.4, 12.0.1] Tests of the launch, the flight map, and the end of a voyage."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.games.doolittle.helpers import DATA, hints, log_text, man, rules_asked, run, table
from tests.games.doolittle.voyage_helpers import at_sea, hazard, met_by, sea, signals

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.games.doolittle.attack.bombing import _release
from readyroom.games.doolittle.bombers import tied_medals
from readyroom.games.doolittle.flight import acquisition
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.rolls import FaceCheck, roll_with_rerolls
from readyroom.games.doolittle.secrecy import secrecy_check
from readyroom.games.doolittle.sequence import after_voyage
from readyroom.games.doolittle.state import Doolittle, Flight, Raid
from readyroom.games.doolittle.voyage.departure import _choose_delay, choose_hour
from readyroom.games.doolittle.voyage.general_quarters import general_quarters
from readyroom.games.doolittle.voyage.hazard_effects import update_secrecy
from readyroom.games.doolittle.voyage.launch import (
    end_voyage,
    launch_after_planes,
    launch_before_planes,
    launch_bombers,
    launch_from_deck,
    turn_about,
)
from readyroom.games.doolittle.voyage.refueling import refueling
from readyroom.games.doolittle.voyage.ships import bombers_on_deck, hit_ship, hornet, may_launch
from readyroom.games.doolittle.voyage.state import Deck, Strike, TakeOff
from readyroom.games.doolittle.voyage.take_off import (
    botched_modifiers,
    even_flights,
    flight_counts,
    flight_sizes,
    organize,
    take_off,
    take_off_check,
)
from readyroom.testing.running import Answers

GOOD = (6, 6)
ALL_OFF = GOOD * 5
QUIET = {"12.4.2": "now"}


def few(state: Doolittle, *keys: str) -> list[Bomber]:
    """Return the state with only these bombers on deck."""
    for key in [key for key in state.squad if key not in keys]:
        del state.squad[key]
    return list(state.squad.values())


# -- the launch ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.3", "DR53")
@pytest.mark.parametrize(("area", "continues"), [("defense-east", False), ("defense-west", True), ("japan", True)])
def test_launch_at_or_west_of_planned_point_is_mandatory(area: str, continues: bool) -> None:
    state = at_sea(area, phase="deck")
    asked: list[Decision] = []
    run(
        launch_from_deck(table(state, *ALL_OFF, 1, 2) if continues else table(state)),
        {"12.4.2": "at-0800"},
        asked,
    )
    assert (state.launched is not None) == continues
    if continues:
        assert state.launched is not None
        assert (state.launched.how, state.launched.area, state.launched.turn) == ("planned", area, 4)
        assert sea(state).over
        assert state.next_segment == "flight"


@pytest.mark.rule("doolittle", "12.3", "10.1.1")
def test_launch_from_damaged_hornet_is_impossible() -> None:
    state = at_sea("defense-west", phase="deck")
    hornet(table(state)).hits = 1
    run(launch_from_deck(table(state)))
    assert state.launched is None


@pytest.mark.rule("doolittle", "12.3.1", "7.1")
@pytest.mark.parametrize("variant", ["printed", "second"])
def test_planned_flights_omit_lost_bombers(variant: str) -> None:
    state = at_sea("defense-west", variant=variant)
    state.squad["b02"].fate = "overboard"
    asked: list[Decision] = []
    run(launch_bombers(table(state, *ALL_OFF, 1, 1), planned=True), {"12.4.2": "at-0800"}, asked)
    assert "12.3.1" not in rules_asked(asked)
    assert [len(flight.members) for flight in state.sky.flights] == [3, 3, 3, 3, 3]
    assert state.sky.flights[0].members == ["b01", "b03", "b04"]
    assert state.facts["launched"] == 15


@pytest.mark.rule("doolittle", "7.1.1", "12.3.1")
@pytest.mark.parametrize(("lost", "members"), [(("b06", "b07"), [4, 4, 3, 3]), (("b05", "b06", "b07"), [4, 3, 3, 3])])
def test_planned_flight_of_one_bomber_lets_captain_regroup(lost: tuple[str, ...], members: list[int]) -> None:
    state, asked = at_sea("defense-west"), list[Decision]()
    for key in lost:
        state.squad[key].fate = "overboard"
    run(launch_bombers(table(state, *GOOD * 4, 1, 1), planned=True), {"12.4.2": "at-0800"}, asked)
    assert [len(flight.members) for flight in state.sky.flights] == members
    assert [one.keys for one in asked if one.rule == "12.3.1"] == [["in-order", "own"]] * (len(lost) == 2)


@pytest.mark.rule("doolittle", "7.1.1", "12.3.1")
@pytest.mark.parametrize(("keys", "first"), [(("b01", "b02", "b05"), "in-order"), (("b01", "b02"), "as-planned")])
def test_planned_flights_are_offered_only_with_two_bombers_each(keys: tuple[str, ...], first: str) -> None:
    state, asked = at_sea("defense-west", variant="variant"), list[Decision]()
    few(state, *keys)
    run(launch_bombers(table(state, *GOOD, 1, 1), planned=True), {"12.4.2": "at-0800"}, asked)
    assert asked[0].keys[0] == first


@pytest.mark.rule("doolittle", "7.1.1", "12.3.1")
def test_last_planned_bomber_flies_alone() -> None:
    state, asked = at_sea("defense-west"), list[Decision]()
    few(state, "b06")
    run(launch_bombers(table(state, *GOOD, 1, 1), planned=True), {"12.4.2": "at-0800"}, asked)
    assert [flight.members for flight in state.sky.flights] == [["b06"]]
    assert "12.3.1" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "7.1.1", "12.3.1")
def test_own_flights_are_at_most_six_of_two_to_four_bombers() -> None:
    state = at_sea("defense-west", variant="variant")
    state.deck = Deck(planned=True)
    assert flight_counts(table(state), 16) == [4, 5, 6]
    assert flight_counts(table(state), 24) == [6]
    assert flight_counts(table(state), 5) == [2]
    assert flight_counts(table(state), 1) == [1]
    assert flight_counts(table(state), 8) == [2, 3, 4]
    state.deck.gone = [TakeOff(["b01"])] * 3
    assert flight_counts(table(state), 8) == [2, 3]
    assert flight_sizes(16, 6, 2, 4) == (2, 3, 4)
    assert flight_sizes(13, 6, 2, 4) == (2, 3)
    assert even_flights(list("abcdefg"), 2) == [list("abcd"), list("efg")]


@pytest.mark.rule("doolittle", "12.3.1", "7.1.1")
def test_own_flights_are_composed_by_captain() -> None:
    state = at_sea("defense-west", variant="variant")
    few(state, "b01", "b02", "b03", "b04", "b05")
    answers: Answers = {
        "12.3.1": "own",
        "7.1": "flights-2",
        "7.1.1": [["size-2"], ["b05", "b01"], ["b02", "b03", "b04"]],
    }
    asked: list[Decision] = []
    run(launch_bombers(table(state, *GOOD, *GOOD, 1, 1), planned=True), {**answers, "12.4.2": "at-0800"}, asked)
    assert [flight.members for flight in state.sky.flights] == [["b05", "b01"], ["b02", "b03", "b04"]]
    assert rules_asked(asked)[:3] == ["12.3.1", "7.1.1", "7.1.1"]
    few(sole := at_sea("defense-west", variant="variant"), "b01")
    run(launch_bombers(table(sole, *GOOD, 1, 1), planned=True), {"12.3.1": "own", "12.4.2": "at-0800"})
    assert [flight.members for flight in sole.sky.flights] == [["b01"]]


@pytest.mark.rule("doolittle", "12.3.1")
@pytest.mark.parametrize(
    ("weather", "planned", "least"), [("calm", True, 4), ("gale", True, 7), ("gusty", False, 7), ("storm", False, 10)]
)
def test_take_off_number_depends_on_weather_and_haste(weather: str, planned: bool, least: int) -> None:
    state = at_sea("defense-west", weather)  # type: ignore[arg-type]
    assert take_off_check(table(state), planned=planned).at_least == least


# -- a botched take-off ----------------------------------------------------------------------------------------------


def botched(state: Doolittle, *dice: int, last: str = "b02", planned: bool = True) -> Doolittle:
    """Return two flights of two; with these dice the first one takes off badly."""
    few(state, "b01", "b02", "b05", "b06")
    run(launch_bombers(table(state, 1, 1, *dice), planned=planned), {"12.3.2": [[f"last-{last}"]], "12.4.2": "at-0800"})
    return state


@pytest.mark.rule("doolittle", "12.3.2", "12.0.1")
def test_wrecked_deck_ends_launch_and_voyage() -> None:
    state = botched(at_sea("defense-west"), 1, 1, 1, 1)
    assert state.squad["b02"].fate == "destroyed"
    assert [flight.members for flight in state.sky.flights] == [["b01"]]
    assert state.squad["b05"].fate == state.squad["b06"].fate == "home"
    assert sea(state).wrecked
    assert state.next_segment == "flight"


@pytest.mark.rule("doolittle", "12.3.2", "12.0.1")
def test_wrecked_deck_before_first_take_off_ends_without_flight() -> None:
    state = at_sea("defense-west")
    few(state, "b01")
    run(launch_bombers(table(state, 1, 1, 1, 1), planned=True))
    assert state.launched is not None
    assert state.launched.how == "none"
    assert state.next_segment is None


@pytest.mark.rule("doolittle", "12.3.2", "12.0.1", "DR113")
def test_deck_fire_postpones_remaining_bombers_one_turn() -> None:
    state = at_sea("defense-west")
    few(state, "b01", "b02", "b05", "b06")
    at = table(state, 1, 1, 1, 2, 1, 1, 1)
    run(launch_bombers(at, planned=True), {"12.3.2": [["last-b02"]], "12.4.2": "at-0800"})
    assert "Fire at Defense West (roll 1) destroys bombers: 1." in log_text(at, "12.3.2")
    assert [state.squad[key].fate for key in ("b01", "b02", "b05", "b06")] == ["", "destroyed", "overboard", ""]
    assert state.agenda[:3] == ["flight", "attack", "naval"]
    assert sea(state).turn == 5
    state.at = At(state.at.turn, "deck")
    assert after_voyage(state).phase == "launch"
    state.sky.flights[0].site = "kweilin"
    state.at = At(state.at.turn + 1, "general-quarters")
    state.sky.winds["W4"], state.sky.weather["W4"] = "tailwind", "calm"
    run(general_quarters(table(state)))
    assert (state.sky.winds, state.sky.weather) == ({}, {})
    assert state.agenda == ["flight", "attack"]
    assert bombers_on_deck(state) == [state.squad["b06"]]
    assert may_launch(table(state))
    sea(state).weather["defense"] = "calm"
    run(launch_bombers(table(state, 6, 6, 1, 1), planned=True), {"12.4.2": "at-0600"})
    assert [flight.key for flight in state.sky.flights] == ["flight-1", "flight-2"]
    assert state.facts["launched"] == 2
    assert state.next_segment == "flight"


@pytest.mark.rule("doolittle", "12.3.2", "12.6.4", "DR54", "DR113")
@pytest.mark.parametrize(
    ("area", "dice", "coming"), [("defense-west", (1, 3, 3, 3), "flight"), ("influence-east", (), "naval")]
)
def test_deck_fire_in_hazards_phase_returns_hazards(area: str, dice: tuple[int, ...], coming: str) -> None:
    state = at_sea(area, phase="sea-hazards")
    few(state, "b01", "b02", "b05", "b06")
    marker = met_by(state, "task-force", "clouds")
    answers: Answers = {"12.3.2": [["last-b02"], ["burns-b05"]], "12.4.2": "now"}
    run(launch_bombers(table(state, 1, 1, 1, 2, 1, *dice), planned=False), answers)
    assert [bomber.key for bomber in bombers_on_deck(state)] == ["b06"]
    assert (state.agenda[0], sea(state).assigned) == (coming, {})
    assert marker in state.cups[marker.cup].contents


@pytest.mark.rule("doolittle", "12.3.2", "DR113")
def test_deck_fire_before_first_take_off_delays_launch() -> None:
    state = at_sea("defense-west")
    few(state, "b01", "b05", "b06")
    state.deck = Deck(planned=True, flights=[["b01"], ["b05", "b06"]])
    run(launch_after_planes(table(state, 1, 1, 1, 2, 1)), {"12.3.2": [["burns-b05"]]})
    assert state.launched is None
    assert state.deck is None
    assert not sea(state).over
    assert not may_launch(table(state))
    sea(state).turn += 1
    assert may_launch(table(state))


@pytest.mark.rule("doolittle", "12.3.2", "12.0.1")
def test_deck_fire_destroying_all_bombers_ends_voyage() -> None:
    state = at_sea("defense-west")
    few(state, "b01", "b05", "b06")
    state.deck = Deck(planned=True, flights=[["b01"], ["b05", "b06"]])
    run(launch_after_planes(table(state, 1, 1, 1, 2, 6)))
    assert [state.squad[key].fate for key in ("b01", "b05", "b06")] == ["destroyed", "overboard", "overboard"]
    assert state.launched is not None
    assert state.launched.how == "none"
    with_some = botched(at_sea("defense-west"), 1, 2, 6, 1, 1)
    assert "naval" not in with_some.agenda
    assert with_some.next_segment == "flight"


@pytest.mark.rule("doolittle", "12.3.2", "12.0.1")
def test_deck_fire_in_last_turn_sends_rest_home() -> None:
    state = at_sea("defense-west")
    sea(state).turn = len(DATA.sea.turns.turn)
    botched(state, 1, 2, 1, 1, 1)
    assert state.squad["b06"].fate == "home"
    assert "naval" not in state.agenda


@pytest.mark.rule("doolittle", "DR114", "12.3.2")
def test_second_crash_adds_no_further_delay() -> None:
    state = at_sea("defense-west")
    few(state, "b01", "b02", "b05", "b06", "b08", "b09")
    wrecks: Answers = {"12.3.2": [["last-b02"], ["last-b06"]], "12.4.2": "at-0800"}
    run(launch_bombers(table(state, 1, 1, 2, 2, 1, 1, 2, 2, *GOOD, 1, 1), planned=True), wrecks)
    assert [flight.waits for flight in state.sky.flights] == [0, 1, 1]


@pytest.mark.rule("doolittle", "12.3.2", "8.0")
def test_crash_delays_following_flights_one_turn() -> None:
    state = botched(at_sea("defense-west"), 2, 2, *GOOD, 1, 1)
    assert state.squad["b02"].fate == "destroyed"
    assert [(flight.members, flight.waits) for flight in state.sky.flights] == [(["b01"], 0), (["b05", "b06"], 1)]


@pytest.mark.rule("doolittle", "12.3.2", "12.5.2", "12.0.1")
def test_deck_fire_when_turning_about_sends_rest_home() -> None:
    state = at_sea("defense-west")
    few(state, "b01", "b02", "b05", "b06")
    at = table(state, 1, 1, 1, 2, 1, 1, 3, 3, 3)
    answers: Answers = {"12.0.1": "launch", "12.3.2": [["last-b02"], ["burns-b05"]], "12.4.2": "now"}
    run(turn_about(at, "the raid move has failed on low fuel"), answers)
    assert (state.squad["b06"].fate, sea(state).turn) == ("home", 4)
    assert "naval" not in state.agenda
    assert "sail home" in log_text(at, "12.0.1")
    assert state.next_segment == "flight"


@pytest.mark.rule("doolittle", "12.3.2")
def test_botched_take_off_may_lose_bomber_overboard() -> None:
    state = botched(at_sea("defense-west"), 3, 3, *GOOD, 1, 1)
    assert state.squad["b02"].fate == "overboard"
    assert state.sky.flights[0].members == ["b01"]


@pytest.mark.rule("doolittle", "12.3.2", "2.1.3")
def test_botched_take_off_may_damage_bomber() -> None:
    state = botched(at_sea("defense-west"), 3, 4, *GOOD, 1, 1)
    assert state.squad["b02"].hits == 1
    assert state.sky.flights[0].members == ["b01", "b02"]


@pytest.mark.rule("doolittle", "12.3.2", "7.2.3")
def test_botched_take_off_may_cost_fuel() -> None:
    state = botched(at_sea("defense-west"), 5, 4, *GOOD, 1, 1)
    assert [flight.fuel for flight in state.sky.flights] == [7, 8]


@pytest.mark.rule("doolittle", "12.3.2")
def test_botched_take_off_depends_on_elite_pilot_and_damage() -> None:
    state = at_sea("defense-west")
    man(state, "b02", "ignore-damage", "pilot")
    botched(state, 2, 3, *GOOD, 1, 1)
    assert state.squad["b02"].fate == "overboard"
    hurt = at_sea("defense-west")
    hurt.squad["b02"].hits = 1
    botched(hurt, 1, 2, 1, 1, 1)
    assert sea(hurt).wrecked


@pytest.mark.rule("doolittle", "2.3.7", "12.3.2")
def test_elite_pilot_may_reroll_own_take_off() -> None:
    state = at_sea("defense-west")
    man(state, "b02", "re-roll", "pilot")
    few(state, "b01", "b02")
    answers: Answers = {"2.3.7": [["keep"], ["again-1-2"]], "12.3.2": [["last-b02"]], "12.4.2": "at-0800"}
    run(launch_bombers(table(state, 1, 1, 1, 1, 6, 6, 1, 1), planned=True), answers)
    assert state.squad["b02"].fate == ""
    assert not sea(state).wrecked


# -- the flight map --------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.4.1", "12.4", "7.2.3")
def test_first_zone_depends_on_area_and_influence_costs_fuel() -> None:
    state = at_sea("influence-west")
    at = table(state, *ALL_OFF, 6, 3, 2, 2)
    run(launch_bombers(at, planned=False), QUIET)
    assert log_text(at, "12.3").endswith(" in an emergency.")
    assert {flight.zone for flight in state.sky.flights} == {"Z1"}
    assert {flight.fuel for flight in state.sky.flights} == {7}
    assert not state.sky.planned


@pytest.mark.rule("doolittle", "6.3.1", "12.6.6.C", "DR133")
def test_secrecy_lost_to_signals_stays_lost_in_flight() -> None:
    state = at_sea("defense-west")
    few(state, "b01", "b02")
    signals(state, "hawaii", "midway", "influence-east")
    at = table(state, *GOOD, 1, 1)
    whole = state.security.value
    update_secrecy(at)
    run(launch_bombers(at, planned=True), {"12.4.2": "at-0800"})
    state.begin("flight")
    assert secrecy_check(at).dice == whole - 1


@pytest.mark.rule("doolittle", "12.4.1")
def test_planned_launch_chooses_first_zone_from_two_dice() -> None:
    state = at_sea("defense-west")
    at = table(state, *ALL_OFF, 2, 5)
    run(launch_bombers(at, planned=True), {"12.4.1": "zone-Z4", "12.4.2": "at-0800"})
    assert log_text(at, "12.3").endswith(" as planned.")
    assert "The dice for the first zone: 2, 5." in log_text(at, "12.4.1")
    assert {flight.zone for flight in state.sky.flights} == {"Z4"}
    assert state.sky.planned
    assert not state.sky.checked


@pytest.mark.rule("doolittle", "12.4.2", "5.2")
def test_planned_launch_may_start_at_any_hour() -> None:
    state = at_sea("defense-west")
    asked: list[Decision] = []
    run(launch_bombers(table(state, *ALL_OFF, 1, 1), planned=True), {"12.4.2": "at-0000"}, asked)
    assert len(asked[-1].keys) == 12
    assert DATA.flight.clock.box[state.sky.hour].label == "0000"


@pytest.mark.rule("doolittle", "12.4.2", "6.1")
def test_emergency_launch_may_wait_for_die_of_risk() -> None:
    state = at_sea("defense-west")
    risk = state.security.risk
    at = table(state, 2, 2, 3, 5)
    assert run(choose_hour(at, Deck(planned=False)), {"12.4.2": "later"}) == 2
    assert state.security.risk == risk + 5


@pytest.mark.rule("doolittle", "12.4.2", "DR116")
def test_emergency_launch_without_airstrike_may_be_at_night() -> None:
    state, asked = at_sea("defense-west"), list[Decision]()
    at_night = [box.light for box in DATA.flight.clock.box].index("night")
    assert run(_choose_delay(table(state), at_night, strike=False), {"12.4.2": "now"}, asked) == at_night
    assert asked[0].keys == ["now", "later"]
    at = run(choose_hour(table(state, 6, 6, 3), Deck(planned=False)), {"12.4.2": "now"})
    assert DATA.flight.clock.box[at].light == "night"


@pytest.mark.rule("doolittle", "12.4.2", "11.2.1", "DR116")
def test_launch_under_airstrike_is_by_day() -> None:
    state = at_sea("defense-west")
    at = table(state, 6, 6, 3, 1, 1, 1, 5, 5, 4)
    asked: list[Decision] = []
    assert run(choose_hour(at, Deck(planned=False, strike=True)), asked=asked) == 5
    assert asked == []
    dawn = at_sea("defense-west")
    risk = dawn.security.risk
    assert run(choose_hour(table(dawn, 1, 1, 2, 4), Deck(planned=False, strike=True))) == 0
    assert dawn.security.risk == risk + 4


@pytest.mark.rule("doolittle", "12.4", "12.0.1", "12.6.4", "DR54", "DR115")
@pytest.mark.parametrize(("area", "base"), [("hawaii", "pearl-harbor"), ("influence-east", "midway-island")])
def test_launch_too_far_east_goes_to_base(area: str, base: str) -> None:
    state = at_sea(area)
    run(launch_bombers(table(state, *ALL_OFF), planned=False))
    assert {(bomber.fate, bomber.where) for bomber in state.squad.values()} == {("ashore", base)}
    assert state.launched is not None
    assert state.launched.how == "emergency"
    assert "launched" not in state.facts
    assert state.next_segment is None


@pytest.mark.rule("doolittle", "8.2.3", "9.3", "12.2.3", "12.7.1", "DR119")
def test_launch_passes_weather_winds_and_contacts_to_flight() -> None:
    state = at_sea("defense-west", "gusty")
    state.sky.winds["W2"] = "tailwind"
    sea(state).submarines["thresher"].contact = True
    run(launch_bombers(table(state, *ALL_OFF, 1, 1), planned=True), {"12.4.2": "at-0800", "12.7.1": "contact-nagoya"})
    assert state.sky.weather["W2"] == "gusty"
    assert state.sky.winds == {"W2": "tailwind"}
    assert state.sky.submarines == 1
    assert state.sky.contacts == {"nagoya": 1}


# -- an airstrike ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "11.2.1", "DR57", "12.3.2")
def test_launch_is_split_before_and_after_airstrike() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    eight = [f"goes-b{number:02}" for number in range(1, 9)]
    run(launch_before_planes(table(state, *GOOD, *GOOD), (8, 2)), {"11.2.1": eight})
    assert len(bombers_on_deck(state)) == 8
    assert state.launched is None
    asked: list[Decision] = []
    run(launch_after_planes(table(state, *GOOD, *GOOD, *GOOD, 1, 3, 3, 3)), QUIET, asked)
    assert asked[0].keys == ["as-planned", "in-order", "own"]
    assert state.launched is not None
    assert state.launched.how == "airstrike"
    assert [len(flight.members) for flight in state.sky.flights] == [4, 4, 2, 3, 3]
    assert len({flight.zone for flight in state.sky.flights}) == 1


@pytest.mark.rule("doolittle", "11.2.1", "DR141")
@pytest.mark.parametrize(("aboard_", "flights"), [(8, [4, 4]), (7, [4, 3])])
def test_emergency_launch_of_just_enough_bombers_keeps_its_flights(aboard_: int, flights: list[int]) -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    few(state, *(f"b{number:02}" for number in range(1, aboard_ + 1)))
    asked: list[Decision] = []
    run(launch_before_planes(table(state, *GOOD, *GOOD, *GOOD), (8, 2)), {"12.3.1": "in-order"}, asked)
    assert [len(off.members) for off in state.launching.gone] == flights
    assert ("as-planned" in asked[0].keys) == (aboard_ < 8) if asked else aboard_ < 8


@pytest.mark.rule("doolittle", "11.2.1", "12.0.1")
def test_bombers_left_on_damaged_hornet_go_home() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    four = [f"goes-b{number:02}" for number in range(1, 5)]
    at = table(state, *GOOD)
    run(launch_before_planes(at, (4, 1)), {"11.2.1": four})
    hit_ship(at, hornet(at), "11.4.3", "bombs")
    run(launch_after_planes(table(state, 1, 3, 3, 3)), QUIET)
    assert [flight.members for flight in state.sky.flights] == [["b01", "b02", "b03", "b04"]]
    assert {bomber.fate for bomber in list(state.squad.values())[4:]} == {"home"}
    assert state.next_segment == "flight"


@pytest.mark.rule("doolittle", "12.3.2", "11.2")
def test_crash_under_airstrike_delays_rest_until_after_it() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    few(state, "b01", "b02", "b05", "b06")
    state.strike = Strike("task-force")
    run(launch_before_planes(table(state, 1, 1, 2, 2), None), {"12.3.2": [["last-b02"]]})
    assert [bomber.key for bomber in bombers_on_deck(state)] == ["b05", "b06"]
    state.strike = None
    run(launch_after_planes(table(state, *GOOD, 1, 3, 3, 3)), QUIET)
    assert [flight.waits for flight in state.sky.flights] == [0, 1]


@pytest.mark.rule("doolittle", "12.3.2", "11.2", "11.2.1")
def test_crash_after_airstrike_leaves_no_bomber_on_deck() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    few(state, "b01", "b02", "b05", "b06")
    state.deck = Deck(planned=False, strike=True)
    run(launch_after_planes(table(state, 1, 1, 2, 2, *GOOD, 1, 3, 3, 3)), {"12.3.2": [["last-b02"]], **QUIET})
    assert [(flight.members, flight.waits) for flight in state.sky.flights] == [(["b01"], 0), (["b05", "b06"], 1)]
    assert [bomber.fate for bomber in state.squad.values()] == ["", "destroyed", "", ""]


@pytest.mark.rule("doolittle", "11.2.1", "12.3")
def test_launch_before_airstrike_takes_all_if_time_allows() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    few(state, "b01", "b02", "b05", "b06")
    run(launch_before_planes(table(state, *GOOD, *GOOD), (8, 2)))
    assert [off.members for off in state.launching.gone] == [["b01", "b02"], ["b05", "b06"]]


@pytest.mark.rule("doolittle", "12.3.2", "7.1")
def test_flight_whose_only_bomber_crashes_is_dropped() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    few(state, "b01", "b05", "b06")
    state.strike, state.deck = Strike("task-force"), Deck(planned=False, strike=True, flights=[["b01"], ["b05", "b06"]])
    run(take_off(table(state, 1, 1, 2, 2)))
    assert (state.deck.gone, state.deck.flights) == ([], [["b05", "b06"]])


@pytest.mark.rule("doolittle", "12.3.2", "12.0.1", "11.2.1")
def test_deck_fire_on_damaged_hornet_sends_rest_home() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    few(state, "b01", "b02", "b05", "b06")
    state.deck = Deck(planned=False, strike=True, gone=[TakeOff(["b01", "b02"])])
    sea(state).burned = sea(state).turn
    at = table(state, 1, 3, 3, 3)
    hit_ship(at, hornet(at), "11.4.3", "bombs")
    run(launch_after_planes(at), QUIET)
    assert (state.squad["b05"].fate, "naval" in state.agenda) == ("home", False)


@pytest.mark.rule("doolittle", "11.0", "12.0.1")
def test_voyage_continues_after_airstrike_with_intact_hornet() -> None:
    state = at_sea("midway", phase="sea-hazards")
    run(launch_after_planes(table(state)))
    assert not sea(state).over
    at = table(state)
    hit_ship(at, hornet(at), "11.4.3", "bombs")
    run(launch_after_planes(at))
    assert sea(state).over
    assert state.launched is not None
    assert state.launched.how == "none"


@pytest.mark.rule("doolittle", "12.3.2", "11.2.1")
def test_launch_before_airstrike_is_blocked_by_deck_fire() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    sea(state).burned = sea(state).turn
    run(launch_before_planes(table(state), None))
    assert state.deck is None
    assert len(bombers_on_deck(state)) == 16


# -- other ends ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.0.1", "DR71", "12.7", "9.2")
@pytest.mark.parametrize("answer", ["launch", "home"])
def test_force_turns_about_after_last_turn(answer: str) -> None:
    state = at_sea("defense-east", phase="refueling")
    sea(state).turn = len(DATA.sea.turns.turn)
    dice = (*ALL_OFF, 1, 3, 3, 3) if answer == "launch" else ()
    at = table(state, *dice)
    run(refueling(at), {"12.0.1": answer, **QUIET})
    assert sea(state).over
    assert log_text(at, "12.0.1").count("The voyage ends") == 1
    assert state.launched is not None
    assert state.launched.how == ("emergency" if answer == "launch" else "none")


@pytest.mark.rule("doolittle", "12.0", "12.0.1")
def test_naval_turn_phases_follow_in_order() -> None:
    state = at_sea("midway", phase="general-quarters")
    names = []
    for _ in range(6):
        state.at = after_voyage(state)
        names.append((state.at.turn, state.at.phase))
    assert [name for _, name in names] == [
        "weather", "deck", "underway", "sea-hazards", "refueling", "general-quarters",
    ]  # fmt: skip
    assert names[-1][0] == 5


@pytest.mark.rule("doolittle", "12.0.1")
def test_launch_records_alert() -> None:
    state = at_sea("defense-west")
    state.security.alert = 3
    run(launch_bombers(table(state, *ALL_OFF, 1, 1), planned=True), {"12.4.2": "at-0800"})
    assert state.launched is not None
    assert state.launched.alert == 3


@pytest.mark.rule("doolittle", "12.6.4", "DR54")
def test_launch_returns_unresolved_hazards() -> None:
    state = at_sea("defense-west", phase="sea-hazards")
    markers = [met_by(state, "task-force", "clouds"), met_by(state, "task-force", "boat")]
    run(launch_bombers(table(state, *ALL_OFF, 1, 3, 3, 3), planned=False), QUIET)
    assert all(one in state.cups[one.cup].contents and not one.shown for one in markers)
    assert sea(state).assigned == {}


# -- medals ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.6.6.G")
def test_medals_allow_one_reroll_in_flight_and_none_at_sea() -> None:
    state = at_sea("defense-west")
    bomber = state.squad["b01"]
    bomber.markers.append(marker := hazard(state, "medals"))
    check = FaceCheck("4.9.3", "detonation", dice=1, at_least=6)
    asked: list[Decision] = []
    run(roll_with_rerolls(table(state, 1), check, "b01", [bomber]), asked=asked)
    assert asked == []
    state.segment = "flight"
    assert run(roll_with_rerolls(table(state, 1, 6), check, "b01", [bomber]), {"12.6.6.G": "again-1"}, asked)
    assert rules_asked(asked) == ["12.6.6.G"]
    assert tied_medals(table(state), bomber) == []
    assert marker in state.cups[marker.cup].contents


@pytest.mark.rule("doolittle", "12.6.6.G", "4.9")
def test_unused_medals_are_dropped_with_bombs() -> None:
    state = at_sea("defense-west")
    bomber = state.squad["b01"]
    bomber.markers.append(marker := hazard(state, "medals"))
    state.raid = Raid("tokyo", "day", "flight-1")
    _release(table(state), bomber)
    assert bomber.markers == []
    assert marker in state.cups[marker.cup].contents


@pytest.mark.rule("doolittle", "12.0.1", "5.1.1")
def test_voyage_end_after_landing_drops_flight_segment() -> None:
    state = at_sea("defense-west")
    state.agenda = ["flight", "attack", "denouement"]
    state.sky.flights = [Flight("flight-1", ["b01"], "Z10", 2, site="kian")]
    end_voyage(table(state), "a test")
    assert state.agenda == ["denouement"]
    lost = at_sea("defense-west")
    lost.agenda, lost.squad["b01"].fate = ["flight", "attack", "denouement"], "destroyed"
    lost.sky.flights = [Flight("flight-1", ["b01"], "Z10", 2)]
    end_voyage(table(lost), "a test")
    assert lost.agenda == ["denouement"]


@pytest.mark.rule("doolittle", "12.3.1", "11.2.1")
def test_flights_before_airstrike_are_limited_by_time() -> None:
    state = at_sea("defense-west")
    state.deck = Deck(planned=False, strike=True)
    run(organize(table(state), bombers_on_deck(state)[:8], 4), {"12.3.1": "in-order"})
    assert [len(flight) for flight in state.launching.flights] == [2, 2, 2, 2]
    asked: list[Decision] = []
    run(organize(table(state), bombers_on_deck(state)[:7], 2), {"12.3.1": "in-order"}, asked)
    assert asked[0].keys == ["in-order", "own"]


@pytest.mark.rule("doolittle", "12.4", "7.2.1")
def test_flight_fuel_follows_scenario_or_campaign_tanks() -> None:
    state = at_sea("defense-west")
    few(state, "b01", "b02")
    state.ratings = replace(state.ratings, fuel=6)
    run(launch_bombers(table(state, 6, 6, 6, 6), planned=True), {"12.4.2": "at-0800"})
    assert [flight.fuel for flight in state.sky.flights] == [8]
    campaign = at_sea("defense-west")
    campaign.scenario, campaign.ratings = "campaign", state.ratings
    few(campaign, "b01", "b02")
    run(launch_bombers(table(campaign, 6, 6, 6, 6), planned=True), {"12.4.2": "at-0800"})
    assert [flight.fuel for flight in campaign.sky.flights] == [6]


@pytest.mark.rule("doolittle", "12.3.2", "2.3.7")
def test_botched_take_off_reroll_shows_chance_to_escape() -> None:
    state, asked = at_sea("defense-west"), list[Decision]()
    few(state, "b01")
    man(state, "b01", "re-roll")
    at = table(state, 1, 1, 1, 1, 6)
    run(launch_bombers(at, planned=True), {"2.3.7": "keep"}, asked)
    chart = DATA.naval.botched_chart
    adds = sum(value for _, value in botched_modifiers(at, state.squad["b01"]))
    faces = [(one, two) for one in range(1, 7) for two in range(1, 7)]
    fine = [chart.cell(max(2, min(12, sum(dice) + adds)), "result") in ("damaged", "fuel") for dice in faces]
    assert hints(asked[-1])["again-1-2"] == pytest.approx(sum(fine) / 36)


@pytest.mark.rule("doolittle", "12.6.6.G", "8.1.4")
def test_medals_are_dropped_with_bombs_after_missed_search() -> None:
    state = at_sea("defense-west")
    bomber, flight = state.squad["b01"], Flight("flight-1", ["b01"], "Z6", 4)
    bomber.markers.append(marker := hazard(state, "medals"))
    state.sky.flights = [flight]
    acquisition._miss_target(table(state), flight, "tokyo")
    assert (bomber.loaded, bomber.markers) == (False, [])
    assert marker in state.cups[marker.cup].contents


@pytest.mark.rule("doolittle", "12.3.1")
def test_bombers_taken_off_are_not_on_deck() -> None:
    state = at_sea("defense-west")
    state.deck = Deck(planned=True, gone=[TakeOff(["b01", "b02"])])
    assert len(bombers_on_deck(state)) == 14
