"""The worked examples of the voyage (section 12), by rule number."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, man, run, table
from tests.games.doolittle.voyage_helpers import TASK_FORCE, at_sea, fast, hazard, join, met_by, sea, ship, signals

from readyroom.games.doolittle.voyage import i_boats
from readyroom.games.doolittle.voyage.departure import choose_first_zone, choose_hour
from readyroom.games.doolittle.voyage.general_quarters import general_quarters
from readyroom.games.doolittle.voyage.hazard_effects import resolve
from readyroom.games.doolittle.voyage.hazards import draw_counts
from readyroom.games.doolittle.voyage.launch import launch_bombers
from readyroom.games.doolittle.voyage.ships import area_name, in_contact, ships_afloat
from readyroom.games.doolittle.voyage.state import Deck
from readyroom.games.doolittle.voyage.take_off import take_off_check
from readyroom.games.doolittle.voyage.underway import underway
from readyroom.games.doolittle.voyage.weather import weather
from readyroom.testing.running import Answers

OFF = (6, 6)


# -- general quarters and weather ------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.1.3")
@pytest.mark.parametrize(("dice", "answers"), [((3, 4), True), ((3, 3), False)])
def test_12_1_3_the_tuna_answers_on_a_seven(dice: tuple[int, int], answers: bool) -> None:
    state = at_sea("midway", phase="general-quarters", variant="third")
    run(
        general_quarters(table(state, *dice)),
        {"12.1.3": lambda one: "call-tuna" if "call-tuna" in one.keys else "enough"},
    )
    assert in_contact(state, "tuna") == answers


@pytest.mark.rule("doolittle", "12.1.6")
@pytest.mark.parametrize(("dice", "mended"), [((2, 3), True), ((2, 2), False)])
def test_12_1_6_five_or_better_mends_this_distress(dice: tuple[int, int], mended: bool) -> None:
    state = at_sea("140w", phase="general-quarters")
    marker = next(one for one in state.cups["east"].contents if DATA.sea_hazards.markers[one.key].recovery == 5)
    state.cups["east"].contents.remove(marker)
    gwin = ship(state, "gwin")
    gwin.markers.append(marker)
    gwin.space = "astern-far"
    run(general_quarters(table(state, *dice)))
    assert (gwin.markers == []) == mended
    assert gwin.space == "astern-far"


@pytest.mark.rule("doolittle", "12.2.1", "9.3.1")
def test_12_2_1_two_areas_with_patrols_are_calm() -> None:
    state = at_sea("pacific")
    sea(state).recon["ca-18"].place = "140w"
    run(weather(table(state, 1, 3, 2, 5)))
    assert sea(state).weather == {"pacific": "calm", "140w": "calm"}


@pytest.mark.rule("doolittle", "12.2.3")
def test_12_2_3_a_headwind_is_not_kept() -> None:
    state = at_sea("influence-east")
    sea(state).recon["ca-18"].place = "influence-west"
    at = table(state, 3, 4, 1, 2)
    run(weather(at), {"12.2.3": [["look"], ["remove"]]})
    assert sea(state).weather["influence"] == "calm"
    assert "headwind" in log_text(at, "8.2.3")
    assert state.sky.winds == {}


# -- launch ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.3.1")
def test_12_3_1_a_seven_gets_the_first_flight_off_when_it_is_gusty() -> None:
    state = at_sea("defense-west", "gusty")
    assert take_off_check(table(state), planned=True).at_least == 6
    at = table(state, 2, 5, *OFF * 4, 1, 1)
    run(launch_bombers(at, planned=True), {"12.4.2": "at-0800"})
    assert "Flight 1 (Doolittle, Hoover, Gray, Holstrom) takes off." in log_text(at, "12.3.1")


@pytest.mark.rule("doolittle", "12.3.2")
def test_12_3_2_a_bomber_crashes_and_the_next_flights_are_two_hours_late() -> None:
    state = at_sea("defense-west")
    man(state, "b02", "re-roll", "pilot").used = True
    answers: Answers = {"12.3.2": [["last-b02"]], "12.4.2": "at-0800"}
    run(launch_bombers(table(state, 1, 1, 1, 3, *OFF * 4, 1, 1), planned=True), answers)
    assert state.squad["b02"].fate == "destroyed"
    assert [flight.waits for flight in state.sky.flights] == [0, 1, 1, 1, 1]


@pytest.mark.rule("doolittle", "12.4.1")
def test_12_4_1_a_three_and_a_six_both_mean_defense_east() -> None:
    state = at_sea("defense-west")
    zone = run(choose_first_zone(table(state, 3, 6), planned=True))
    assert zone == "Z3"
    assert next(one.sea_area for one in DATA.flight.zones.zone if one.key == zone) == "defense-east"


@pytest.mark.rule("doolittle", "12.4.2", "5.2.1")
def test_12_4_2_a_seven_is_eight_o_clock() -> None:
    state = at_sea("defense-west")
    at = run(choose_hour(table(state, 1, 2, 4), Deck(planned=False)), {"12.4.2": "now"})
    labels = [box.label for box in DATA.flight.clock.box]
    assert (labels[at], labels[at - DATA.flight.clock.china_boxes_earlier]) == ("0800", "0600")


# -- underway --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.5.1")
def test_12_5_1_a_seven_moves_the_force_and_less_than_five_may_be_forced() -> None:
    state = at_sea("midway", met=True)
    run(underway(table(state, 3, 4, 2, 2)))
    assert (sea(state).area, sea(state).fueled) == ("influence-east", True)
    forced = at_sea("midway", met=True)
    run(underway(table(forced, 1, 3, 2, 2)), {"12.5.1": "force"})
    assert (sea(forced).area, sea(forced).fueled) == ("influence-east", False)


@pytest.mark.rule("doolittle", "12.5.2")
def test_12_5_2_a_raid_move_that_fails_is_forced() -> None:
    state = at_sea("influence-east", "gusty", met=True)
    fast(state)
    at = table(state, 3, 3, 2, 3, 2, 2)
    run(underway(at), {"12.5.2": [["go"], ["force"]]})
    assert (sea(state).area, sea(state).fueled) == ("defense-east", False)


@pytest.mark.rule("doolittle", "12.5.3", "12.2.2")
def test_12_5_3_a_rendezvous_in_a_storm_off_hawaii_by_breaking_silence() -> None:
    state = at_sea("140w", turn=5)
    assert state.plan is not None
    state.plan.rendezvous_area = "hawaii"
    sea(state).recon["ca-18"].place = "force"
    tuna = sea(state).submarines["tuna"]
    tuna.area, tuna.contact = "hawaii", True
    signals(state, "pacific")
    talk = next(key for key, card in DATA.embarkation.cup.markers.items() if card.kind == "security")
    risk = state.security.risk
    at = table(state, 3, 3, 3, 4, 6, 6, 2, 5, 1, draws=[talk])
    wanted = ("look", "silence-2", "usual", "keep")

    def answer(one) -> list[str]:  # type: ignore[no-untyped-def]
        return [key for key in wanted if key in one.keys][:1]

    run(underway(at), {"12.5.3": answer})
    assert area_name(DATA, sea(state).area) == "Hawaii"
    assert sea(state).met
    assert sea(state).signals["pacific"] == []
    assert state.security.risk == risk + 1 + 1 + 2


# -- hazards ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.6.2")
@pytest.mark.parametrize(("sky", "count"), [("calm", 3), ("storm", 1)])
def test_12_6_2_three_markers_at_140_west_and_one_in_a_storm(sky: str, count: int) -> None:
    state = at_sea("140w", sky)  # type: ignore[arg-type]
    state.security.failed = 1
    drawn = list(draw_counts(table(state), DATA.sea.area["140w"]))
    assert {cup for cup, _ in drawn} == {"east"}
    assert sum(many for _, many in drawn) == count


@pytest.mark.rule("doolittle", "12.6.6.C")
def test_12_6_6_c_a_third_area_in_a_row_takes_a_die() -> None:
    state = at_sea("defense-east")
    signals(state, "influence-west", "influence-east")
    assert state.security.value == 5
    marker = met_by(state, TASK_FORCE, "enemy-signals", "", "central")
    run(resolve(table(state), TASK_FORCE, marker))
    assert state.security.value == 4


@pytest.mark.rule("doolittle", "12.6.6.A")
def test_12_6_6_a_vs6_sinks_a_boat_and_the_force_one_that_gets_a_word_out() -> None:
    state = at_sea("defense-east", met=True)
    sea(state).recon["vs6"].place = "force"
    risk = state.security.risk
    run(resolve(table(state, 3, 2), "vs6", met_by(state, "vs6", "boat")), {"12.6.6.A": "sink"})
    assert (state.security.risk, state.security.alert) == (risk, 0)
    run(resolve(table(state, 1, 3, 4), TASK_FORCE, met_by(state, TASK_FORCE, "boat")), {"12.6.6.A": "sink"})
    assert (state.security.risk, state.security.alert) == (risk, 1)


@pytest.mark.rule("doolittle", "12.6.6.A")
def test_12_6_6_a_vs6_does_not_evade_on_a_three() -> None:
    state = at_sea("defense-east", met=True)
    sea(state).recon["vs6"].place = "force"
    risk = state.security.risk
    at = table(state, 3, 6, 6, 6, 6, 6)
    run(resolve(at, "vs6", met_by(state, "vs6", "boat", "triangle")), {"12.6.6.A": "evade"})
    assert state.security.risk == risk + 1


@pytest.mark.rule("doolittle", "12.6.6.E")
def test_12_6_6_e_detection_by_six_destroyers_and_two_recon() -> None:
    state = at_sea("midway", "gusty")
    join(state)
    for key in ("fanning", "ellet"):
        ship(state, key).group = "home"
    for key in ("ca-18", "vs6"):
        sea(state).recon[key].place = "local"
    at = table(state, 2, 3)
    roll = at.roll(i_boats.detection_check(at), "force")
    assert (roll.total, roll.passed) == (13, True)


@pytest.mark.rule("doolittle", "12.6.6.E")
def test_12_6_6_e_the_monssen_reacts_from_the_space_beside() -> None:
    state = at_sea("midway", "gusty")
    for one in ships_afloat(state):
        one.space = "center"
    ship(state, "monssen").space = "ahead"
    sea(state).recon["ca-18"].place = "local"
    at = table(state, 2, 6)
    roll = at.roll(i_boats.reaction_check(at, ship(state, "monssen"), "port"), "monssen")
    assert (roll.total, roll.check.at_least, roll.passed) == (10, 8, True)
    assert hazard(state, "i-boat").key
