"""Tests of fuel and fumes (rules 7.2, 8.2.4, 8.4): costs, empty tanks, and crewmen who help."""

from __future__ import annotations

import msgspec
import pytest
from tests.games.doolittle.helpers import (
    DATA,
    aloft,
    attached,
    hints,
    log_text,
    man,
    raiders,
    rules_asked,
    run,
    table,
    windy,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.flight import flights, movement
from readyroom.games.doolittle.flight.flights import remove_empty_flights
from readyroom.games.doolittle.state import Raid


@pytest.mark.rule("doolittle", "7.2.1", "7.1.3")
def test_flights_begin_low_with_the_fuel_of_the_scenario() -> None:
    state = raiders()
    assert {flight.fuel for flight in state.sky.flights} == {8}
    assert not any(flight.high for flight in state.sky.flights)


@pytest.mark.rule("doolittle", "7.2", "7.2.3")
def test_flight_with_fuel_pays_for_its_bombers_without_a_roll() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", fuel=2)
    run(flights.pay_fuel(table(state), flight))
    assert flight.fuel == 1


@pytest.mark.rule("doolittle", "7.2.3")
def test_missing_second_fuel_is_a_check_per_bomber() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02", fuel=1)
    at = table(state, 5, 5, 6, 6)
    run(flights.pay_fuel(at, flight, 2))
    assert flight.fuel == 0
    assert log_text(at, "7.2.4").count("sputters on") == 2


@pytest.mark.rule("doolittle", "7.2.4")
@pytest.mark.parametrize(
    ("high", "weather", "dice", "left", "marks"),
    [
        (False, "calm", (2, 3), 0, 0),
        (False, "calm", (3, 3), 1, 1),
        (False, "calm", (4, 5), 1, 0),
        (False, "gale", (3, 3), 1, 1),
        (False, "storm", (3, 3), 0, 0),
        (False, "storm", (4, 5), 1, 1),
        (True, "storm", (2, 3), 1, 1),
        (True, "storm", (4, 5), 1, 0),
    ],
)
def test_altitude_and_weather_select_the_column(
    high: bool, weather: str, dice: tuple[int, int], left: int, marks: int
) -> None:
    state = windy(raiders(), "Z6", "crosswind", weather)  # type: ignore[arg-type]
    flight = aloft(state, "b01", fuel=0, high=high)
    run(flights.pay_fuel(table(state, *dice), flight))
    assert (len(state.in_flight(flight)), state.squad["b01"].fumes) == (left, marks)


@pytest.mark.rule("doolittle", "7.2.4")
def test_fumes_check_at_high_altitude_may_lower_the_whole_flight() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02", fuel=0, high=True)
    state.raid = Raid("tokyo", "day", flight.key, high=True)
    run(flights.pay_fuel(table(state, 3, 4, 6, 6), flight))
    assert not flight.high
    assert not state.raid.high


@pytest.mark.rule("doolittle", "7.2.4", "8.3.7.F", "8.3.7.G")
def test_dry_tank_adds_a_die_and_the_two_lowest_count() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", fuel=0)
    bomber = attached(state, "b01", "fuel-leak", "fuel-evaporation")
    bomber.fumes = 2
    assert flights.dry_tank_dice(table(state), bomber) == 4
    run(flights.pay_fuel(table(state, 6, 6, 5, 4, 3, 4), flight))
    assert bomber.fumes == 3


@pytest.mark.rule("doolittle", "7.2.4", "2.1", "DR36")
def test_ditched_bomber_leaves_its_crew_and_returns_its_hazards() -> None:
    state = windy(raiders(), "Z8", "crosswind")
    flight = aloft(state, "b01", zone="Z8", fuel=0)
    bomber = attached(state, "b01", "fuel-leak")
    marker = bomber.markers[0]
    at = table(state, 1, 1, 6)
    run(flights.pay_fuel(at, flight))
    assert (bomber.fate, bomber.where, bomber.markers) == ("ditched", "Z8", [])
    assert marker in state.cups[marker.cup].contents
    remove_empty_flights(at)
    assert state.sky.flights == []


@pytest.mark.rule("doolittle", "4.0.1", "7.2.4")
def test_ditched_over_the_target_is_captured_but_waiting_outside_is_not() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02", fuel=0)
    state.raid = Raid("tokyo", "day", flight.key)
    state.squad["b01"].area = "kisarazu"
    at = table(state, 1, 1, 1, 1)
    run(flights.pay_fuel(at, flight))
    assert (state.squad["b01"].fate, state.squad["b02"].fate) == ("captured", "ditched")
    assert "Doolittle comes down over the target, and its crew is captured: " in log_text(at, "7.2.4")
    assert "Hoover comes down, and its crew gets out: " in log_text(at, "7.2.4")


@pytest.mark.rule("doolittle", "2.3.4", "7.2.4")
def test_engineer_cancels_dry_tanks_after_the_roll() -> None:
    for answer, fate in (("conserve", ""), ("keep", "ditched")):
        state = windy(raiders(), "Z6", "crosswind")
        flight = aloft(state, "b01", fuel=0)
        engineer = man(state, "b01", "fuel-conservation", "engineer")
        attached(state, "b01", "fuel-leak")
        asked: list[Decision] = []
        run(flights.pay_fuel(table(state, 6, 4, 1), flight), {"2.3.4": answer}, asked)
        assert [option.key for option in asked[0].options] == ["keep", "conserve"]
        assert (state.squad["b01"].fate, engineer.used) == (fate, answer == "conserve")


@pytest.mark.rule("doolittle", "2.3.4", "2.3.7")
def test_conservation_without_dry_tanks_rerolls_once() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", fuel=0)
    pilot = man(state, "b01", "fuel-conservation", "pilot")
    asked: list[Decision] = []
    run(flights.pay_fuel(table(state, 1, 4, 6), flight), {"2.3.4": "again-1"}, asked)
    chances = {"keep": None, "again-1": 5 / 6, "again-2": 2 / 6, "again-1-2": 26 / 36}
    assert hints(asked[0]) == {key: chance and pytest.approx(chance) for key, chance in chances.items()}
    assert (state.squad["b01"].fate, pilot.used) == ("", True)
    again: list[Decision] = []
    run(flights.pay_fuel(table(state, 1, 4), flight), None, again)
    assert (again, state.squad["b01"].fate) == ([], "ditched")


@pytest.mark.rule("doolittle", "2.3.4")
def test_bomber_passing_its_check_is_not_asked() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", fuel=0)
    man(state, "b01", "fuel-conservation")
    asked: list[Decision] = []
    run(flights.pay_fuel(table(state, 5, 5), flight), None, asked)
    assert asked == []


@pytest.mark.rule("doolittle", "2.3.4")
def test_dry_tanks_without_effect_are_not_asked_about() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", fuel=0)
    man(state, "b01", "fuel-conservation", "engineer")
    attached(state, "b01", "fuel-leak")
    asked: list[Decision] = []
    run(flights.pay_fuel(table(state, 1, 1, 6), flight), None, asked)
    assert (asked, state.squad["b01"].fate) == ([], "ditched")


@pytest.mark.rule("doolittle", "7.2.4", "DR144")
@pytest.mark.parametrize(("kept", "fate"), [("first", "ditched"), ("highest", "")])
def test_fuel_conservation_keeps_the_dice_of_the_option(kept: str, fate: str) -> None:
    state = windy(raiders(conservation=kept), "Z6", "crosswind")
    flight = aloft(state, "b01", fuel=0)
    man(state, "b01", "fuel-conservation", "engineer")
    attached(state, "b01", "fuel-leak")
    run(flights.pay_fuel(table(state, 1, 1, 6), flight), {"2.3.4": "conserve"})
    assert flights.fumes_check(table(state), flight, 0).read(bytes([6, 1])).passed
    assert state.squad["b01"].fate == fate


@pytest.mark.rule("doolittle", "7.2.4", "DR143")
@pytest.mark.parametrize(("high", "asks"), [(True, [["fumes-b01", "fumes-b02"]]), (False, [])])
def test_captain_chooses_order_of_fumes_checks_at_high_altitude(*, high: bool, asks: list[list[str]]) -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02", fuel=0, high=high)
    asked: list[Decision] = []
    at = table(state, 6, 6, 5, 6)
    run(flights.pay_fuel(at, flight), {"7.2.4": "fumes-b02"}, asked)
    assert [one.keys for one in asked] == asks
    assert log_text(at, "7.2.4").startswith("Hoover" if high else "Doolittle")


@pytest.mark.rule("doolittle", "2.3.7", "7.2.4")
def test_pilot_reroll_helps_his_own_bomber_only() -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02", fuel=0)
    doolittle = man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(flights.pay_fuel(table(state, 6, 6, 1, 1), flight), None, asked)
    assert asked == []
    assert not doolittle.used
    assert state.squad["b02"].fate == "ditched"


# -- guzzling --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.2.4", "DR34")
@pytest.mark.parametrize(("fuel", "markers"), [(0, 0), (1, 1), (2, 1), (3, 2), (8, 4)])
def test_fuel_weighs_by_the_marker(fuel: int, markers: int) -> None:
    state = raiders()
    check = flights.guzzle_check(table(state), aloft(state, "b01", fuel=fuel))
    assert dict(check.modifiers).get("fuel", 0) == -markers


@pytest.mark.rule("doolittle", "8.2.4", "DR33")
def test_flight_is_loaded_while_one_bomber_is() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", fuel=4)
    at = table(state)
    assert dict(flights.guzzle_check(at, flight).modifiers) == {"fuel": -2, "bombs": -1}
    state.squad["b01"].loaded = False
    assert "bombs" in dict(flights.guzzle_check(at, flight).modifiers)
    state.squad["b02"].loaded = False
    assert dict(flights.guzzle_check(at, flight).modifiers) == {"fuel": -2}
    assert flights.guzzle_check(at, flight).at_least == state.ratings.guzzle == 5


@pytest.mark.rule("doolittle", "8.2.4", "8.3.7.G", "DR35")
@pytest.mark.parametrize(("fuel", "checks"), [(3, 0), (2, 1)])
def test_leak_is_checked_after_each_guzzle_check_while_fuel_is_short(fuel: int, checks: int) -> None:
    state = windy(raiders(), "Z6", "crosswind")
    flight = aloft(state, "b01", "b02", fuel=fuel)
    attached(state, "b01", "fuel-leak")
    at = table(state, 6, 6, 1, 1, 1)
    assert run(flights.check_guzzle(at, flight))
    assert log_text(at, "7.2.4").count("comes down") == checks
    assert log_text(at, "8.2.4").startswith("Flight 1 does not guzzle: its engines need no more fuel than planned.")
    assert [bomber.key for bomber in state.in_flight(flight)] == (["b02"] if checks else ["b01", "b02"])


@pytest.mark.rule("doolittle", "8.2.4", "2.3.7")
def test_pilot_may_reroll_the_guzzle_check_of_his_flight() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", fuel=4)
    man(state, "b02", "re-roll")
    asked: list[Decision] = []
    assert run(flights.check_guzzle(table(state, 1, 6, 6), flight), {"2.3.7": "again-1"}, asked)
    assert rules_asked(asked) == ["2.3.7"]
    assert hints(asked[0])["again-1"] == pytest.approx(5 / 6)


# -- the fuel phase --------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.4", "5.2")
def test_turn_end_charges_every_flight_in_the_air_and_advances_the_hour() -> None:
    state = raiders()
    state.sky.flights[0].site = "chuchow"
    hour = state.sky.hour
    run(movement.pay_turn_fuel(table(state)))
    assert [flight.fuel for flight in state.sky.flights] == [8, 7, 7, 7, 7]
    assert (state.sky.turn, state.sky.hour) == (3, hour + 1)


@pytest.mark.rule("doolittle", "5.2")
def test_last_hour_is_followed_by_the_first() -> None:
    state = raiders()
    state.sky.hour = len(DATA.flight.clock.box) - 1
    run(movement.pay_turn_fuel(table(state)))
    assert state.sky.hour == 0


@pytest.mark.rule("doolittle", "7.1.1", "8.4")
def test_flight_without_bombers_is_off_the_map() -> None:
    state = windy(raiders(), "Z8", "crosswind")
    aloft(state, "b01", zone="Z8", fuel=0)
    state.sky.queue = ["flight-1"]
    run(movement.pay_turn_fuel(table(state, 1, 1)))
    assert (state.sky.flights, state.sky.queue) == ([], [])


@pytest.mark.rule("doolittle", "2.3.7")
def test_pilot_is_not_asked_where_no_die_could_help() -> None:
    state = raiders()
    flight = aloft(state, "b01", fuel=8)
    man(state, "b01", "re-roll")
    state.ratings = msgspec.structs.replace(state.ratings, guzzle=9)
    asked: list[Decision] = []
    assert not run(flights.check_guzzle(table(state, 1, 1), flight), None, asked)
    assert asked == []
