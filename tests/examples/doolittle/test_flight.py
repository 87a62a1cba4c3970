"""The worked examples of secrecy and the flight (sections 5 to 8), by rule number."""

from __future__ import annotations

import msgspec
import pytest
from tests.games.doolittle.helpers import (
    DATA,
    aloft,
    assigned,
    at_hour,
    attached,
    drawn,
    log_text,
    man,
    raiders,
    run,
    table,
    windy,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.denouement import landing
from readyroom.games.doolittle.figures.common import Wind
from readyroom.games.doolittle.flight import acquisition, flights, movement, winds
from readyroom.games.doolittle.flight.flights import light_in
from readyroom.games.doolittle.flight.hazards import draw_counts, resolve_hazard, resolve_hazards
from readyroom.games.doolittle.flight.wind_boxes import wind_check
from readyroom.games.doolittle.secrecy import brings_airstrike, secrecy_test

ZONE = {zone.key: zone for zone in DATA.flight.zones.zone}
GUZZLES, SAVES = (1, 1), (6, 6)


# -- the map and secrecy ---------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "5.2.1", "5.2.2")
@pytest.mark.parametrize(("japan", "china"), [("0800", "0600"), ("1600", "1400")])
def test_5_2_1_the_two_ends_of_the_clock(japan: str, china: str) -> None:
    at = table(at_hour(raiders(), japan))
    run(movement.move(at))
    assert f"It is {japan} in Japan, day, and {china} in China" in log_text(at, "5.2")
    assert light_in(at, "Z8") == "day"


@pytest.mark.rule("doolittle", "6.3.1", "DR101")
def test_6_3_1_a_secrecy_test_of_five_dice_against_fourteen() -> None:
    state = raiders()
    state.security.risk = 14
    assert secrecy_test(table(state, 2, 3, 5, 4, 2), "a-picket", "a picket")
    assert (state.security.risk, state.security.failed) == (15, 4)


@pytest.mark.rule("doolittle", "6.3.1")
def test_6_3_1_a_circle_that_a_recon_met_at_no_alert_does_nothing_more() -> None:
    state = raiders()
    state.segment, state.security.alert, state.security.failed = "naval", 0, 0
    at = table(state, 1, 1, 1, 1, 1)
    assert not secrecy_test(at, "a-boat", "a boat")
    assert not brings_airstrike(at, "circle", force=False)
    assert (state.security.alert, state.security.failed, state.security.risk) == (0, 1, 21)


@pytest.mark.rule("doolittle", "6.2")
def test_6_2_the_sixth_failure_drags_the_alert_to_two() -> None:
    state = raiders()
    state.security.failed, state.security.alert = 5, 1
    secrecy_test(table(state, 1, 1, 1, 1, 1), "a-picket", "a picket")
    assert (state.security.failed, state.security.alert) == (6, 2)


# -- fuel ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "7.2.3")
def test_7_2_3_of_four_fuel_three_are_left() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", fuel=4)
    run(flights.pay_fuel(table(state), flight))
    assert flight.fuel == 3


@pytest.mark.rule("doolittle", "7.2.4", "2.3.7")
def test_7_2_4_watson_gets_a_marker_and_the_pilot_of_joyce_throws_again() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b09", "b10", fuel=0)
    attached(state, "b09", "fuel-evaporation")
    pilot = man(state, "b10", "fuel-conservation", "pilot")
    asked: list[Decision] = []
    at = table(state, 2, 4, 6, 2, 3, 5, 5)
    run(flights.pay_fuel(at, flight), {"2.3.4": "again-1-2"}, asked)
    assert (state.squad["b09"].fumes, state.squad["b10"].fumes) == (1, 0)
    assert pilot.used
    assert len(state.in_flight(flight)) == 2
    assert "Joyce sputters on" in log_text(at, "7.2.4")


# -- looking for a target --------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.1.3", "8.1.4")
def test_8_1_3_a_trained_flight_finds_a_burning_tokyo_by_night() -> None:
    state = windy(at_hour(raiders(), "2000"), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02")
    state.ratings = msgspec.structs.replace(state.ratings, navigation={"day": 1, "night": 2})
    state.targets["tokyo"].areas["kisarazu"].blast = 1
    check = acquisition.acquisition_check(table(state), flight, "tokyo")
    assert (check.at_least, check.read(bytes((5, 4))).total) == (9, 12)
    run(movement.move(table(state, 5, 4)), {"8.1.2": "look-tokyo"})
    assert state.raid is not None
    assert (state.raid.city, state.raid.light, state.targets["tokyo"].dark) == ("tokyo", "night", False)


@pytest.mark.rule("doolittle", "8.1.4", "2.3.6", "8.2.4")
def test_8_1_4_by_a_contact_and_by_persistence_tokyo_is_found_by_day() -> None:
    state = windy(at_hour(raiders(), "1200"), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02", fuel=4)
    man(state, "b01", "navigation", "navigator")
    state.targets["tokyo"].areas["kisarazu"].blast = 1
    state.sky.contacts["tokyo"] = 1
    at = table(state, 2, 1, 2, 2, 2, 2, 2, 4)
    run(acquisition.search(at, flight, "tokyo"), {"8.1.4": [["again-1-2"], ["persist"]]})
    assert state.raid is not None
    assert (state.raid.light, state.sky.contacts["tokyo"], flight.fuel) == ("day", 0, 3)


# -- winds -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.2.1")
@pytest.mark.parametrize(
    ("wind", "dice", "zone", "fuel"),
    [
        ("headwind", SAVES, "Z4", 3),
        ("headwind", GUZZLES, "Z3", 3),
        ("severe-headwind", SAVES, "Z3", 4),
        ("severe-headwind", GUZZLES, "Z3", 3),
        ("severe-crosswind", SAVES, "Z4", 4),
        ("severe-crosswind", GUZZLES, "Z3", 3),
        ("crosswind", SAVES, "Z4", 3),
        ("crosswind", GUZZLES, "Z3", 4),
    ],
)
def test_8_2_1_headwinds_and_crosswinds(wind: Wind, dice: tuple[int, int], zone: str, fuel: int) -> None:
    state = windy(raiders(phase="wind"), "Z3", wind)
    flight = aloft(state, "b04", "b05", "b07", zone="Z3", fuel=4)
    run(winds.wind(table(state, *dice)), {"8.2.1": [["west"], ["go"]]})
    assert (flight.zone, flight.fuel) == (zone, fuel)


@pytest.mark.rule("doolittle", "8.2.2", "7.2.4")
def test_8_2_2_a_tailwind_over_japan_costs_a_bomber_and_two_look_for_the_city() -> None:
    state = windy(at_hour(raiders(phase="wind"), "1200"), "Z6", "tailwind")
    flight = aloft(state, "b01", "b02", "b03", fuel=0)
    asked: list[Decision] = []
    at = table(state, 1, 1, 2, 3, 5, 5, 5, 5, 6, 6)
    run(winds.wind(at), {"8.2.2": "look-tokyo"}, asked)
    assert asked[0].keys == ["look-tokyo", "look-nagoya", "look-osaka-kobe"]
    assert state.squad["b01"].fate == "ditched"
    assert sorted(bomber.key for bomber in state.in_flight(flight)) == ["b02", "b03"]
    assert state.raid is not None


@pytest.mark.rule("doolittle", "8.2.3", "5.3")
def test_8_2_3_a_seven_in_calm_weather_is_a_crosswind_over_four_zones() -> None:
    state = raiders(phase="wind")
    box = DATA.flight.wind_of["Z2"]
    state.sky.winds.pop(box.key)
    state.sky.weather[box.key] = "calm"
    run(wind_check(table(state, 4, 3), box))
    assert state.sky.winds[box.key] == "crosswind"
    assert box.zones == ["Z2", "Z3", "Z4", "Z5"]


@pytest.mark.rule("doolittle", "8.2.4", "8.3.7.G")
def test_8_2_4_three_loaded_bombers_with_a_marker_of_fuel_fail_and_the_one_that_leaks_checks_on_fumes() -> None:
    state = windy(raiders(phase="wind"), "Z3", "crosswind")
    flight = aloft(state, "b01", "b02", "b03", zone="Z3", fuel=2)
    attached(state, "b02", "fuel-leak")
    at = table(state, 2, 4, 5, 5, 6)
    run(winds.wind(at), {"8.2.1": "west"})
    assert (flight.zone, flight.fuel) == ("Z3", 2)
    rolls = [roll for line in at.log or [] if line.rule == "8.2.4" for roll in line.rolls]
    assert rolls[0].result == "2d6 − 1 fuel − 1 bombs ≥ 5: 4, failed"
    assert log_text(at, "7.2.4") == "Hoover sputters on."


# -- hazards ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.3.2")
@pytest.mark.parametrize(("alert", "count"), [(3, {"II": 2, "alert": 2}), (0, {"II": 2})])
def test_8_3_2_two_flights_draw_two_and_an_alert_hazard_each(alert: int, count: dict[str, int]) -> None:
    state = raiders()
    state.security.alert = alert
    assert dict(draw_counts(table(state), ZONE["Z5"], 2)) == count


@pytest.mark.rule("doolittle", "8.3.3", "8.3.4")
def test_8_3_4_watson_and_jones_get_one_each() -> None:
    state = at_hour(raiders(phase="hazards"), "1200")
    aloft(state, "b09", "b05", zone="Z2")
    keys = [drawn(state, "compass-error", "I", n) for n in (1, 2)]
    asked: list[Decision] = []
    run(resolve_hazards(table(state, draws=keys)), None, asked)
    assert asked == []
    assert [len(state.squad[key].markers) for key in ("b09", "b05")] == [1, 1]


@pytest.mark.rule("doolittle", "8.3.7.H", "7.1.2", "7.2.3")
def test_8_3_7_h_a_damaged_bomber_eludes_the_interceptor_on_empty_tanks() -> None:
    state = windy(at_hour(raiders(phase="hazards"), "1200"), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02", fuel=0)
    state.squad["b01"].hits = 1
    marker = assigned(state, "b01", "interceptor")
    at = table(state, 1, 2, 3, 5, 4, 3)
    run(resolve_hazard(at, state.squad["b01"], marker), {"8.3.7.H": "elude"})
    assert flight.members == ["b02"]
    assert (state.sky.flights[1].members, state.sky.flights[1].zone) == (["b01"], "Z6")
    assert "Doolittle sputters on" in log_text(at, "7.2.4") or state.squad["b01"].fumes == 1
    assert state.squad["b01"].hits == 1


@pytest.mark.rule("doolittle", "8.3.7.E", "8.3.7.H", "7.1.2")
def test_8_3_7_e_a_flying_boat_is_not_eluded_and_its_shadow_sends_the_bomber_off_alone() -> None:
    state = windy(at_hour(raiders(phase="hazards"), "1200"), "Z12", "crosswind")
    flight = aloft(state, "b01", "b02", zone="Z12", fuel=4)
    boat = assigned(state, "b01", "flying-boat")
    at = table(state, 1, 3, 6, 6, 6, 6, 6)
    run(resolve_hazard(at, state.squad["b01"], boat), {"8.3.7.E": "elude"})
    assert state.squad["b01"].markers == [boat]
    assert (state.security.risk, state.security.alert) == (21, 1)
    fighters = [drawn(state, "interceptor", "alert", n) for n in (1, 2)]
    calm = [drawn(state, "mechanical", "III", n) for n in (1, 2)]
    at = table(state, 1, 2, 3, 6, 1, 2, 3, 4, draws=[*fighters, *calm])
    run(resolve_hazards(at), {"8.3.7.H": "elude"})
    assert (flight.members, flight.fuel) == (["b02"], 4)
    assert [(one.members, one.fuel) for one in state.sky.flights[1:]] == [(["b01"], 3)]
    assert state.squad["b01"].hits == 0


@pytest.mark.rule("doolittle", "8.3.7.A")
def test_8_3_7_a_a_four_brings_a_lost_bomber_in_on_turn_four() -> None:
    state = windy(at_hour(raiders(), "1200"), "Z6", "crosswind")
    flight = aloft(state, "b01")
    attached(state, "b01", "compass-error")
    run(acquisition.search(table(state, 6, 6, 4), flight, "tokyo"))
    assert (state.squad["b01"].enters, state.squad["b01"].delayed) == (4, True)


# -- landing ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.1.1", "14.1.2")
def test_14_1_1_hoover_lands_well_and_watson_crashes() -> None:
    state = raiders(phase="debriefing")
    flight = aloft(state, "b02", "b09", zone="Z12", fuel=1)
    flight.site = "kweilin"
    man(state, "b02", "ignore-damage", "pilot")
    gear = next(key for key, card in DATA.flight_hazards.markers.items() if card.landing == -3)
    marker = next(one for one in state.cups["III"].contents if one.key == gear)
    state.cups["III"].contents.remove(marker)
    state.squad["b09"].markers.append(marker)
    state.squad["b09"].hits = 1
    at = table(state, 3, 1, 2, 4, 3)
    run(landing.land_at_site(at, DATA.flight.site["kweilin"]))
    assert (state.squad["b02"].fate, state.squad["b02"].hits) == ("landed", 0)
    assert state.squad["b09"].fate == "crashed"
