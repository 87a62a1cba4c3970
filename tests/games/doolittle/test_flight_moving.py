"""Tests of the flight map, flights and the move phase (rules 5.0 to 5.5, 7.1, 8.0 to 8.1.2)."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from tests.games.doolittle.helpers import (
    DATA,
    aloft,
    at_hour,
    attached,
    log_text,
    man,
    out_of_cup,
    play,
    raiders,
    rules_asked,
    run,
    table,
    windy,
)

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.games.doolittle import sequence
from readyroom.games.doolittle.flight import flights, movement, winds
from readyroom.games.doolittle.flight.flights import light_in
from readyroom.games.doolittle.flight.hazards import draw_counts
from readyroom.games.doolittle.names import flight_name, flight_title
from readyroom.games.doolittle.state import seat_of

ZONE = {zone.key: zone for zone in DATA.flight.zones.zone}


@pytest.mark.rule("doolittle", "5.0", "5.1")
def test_zone_may_hold_any_number_of_flights() -> None:
    state = raiders()
    assert [flight.zone for flight in flights.flights_aloft(state)] == ["Z2"] * 5
    assert len(flights.flights_aloft(state, "Z2")) == 5
    for key in state.sky.flights[0].members:
        state.squad[key].fate = "ditched"
    assert flights.flights_aloft(state) == state.sky.flights[1:]
    assert flights.flights_aloft(state, "Z3") == []


@pytest.mark.rule("doolittle", "5.0")
def test_launch_is_logged() -> None:
    at = table(raiders(phase="launch", turn=1))
    run(movement.begin_flight(at))
    assert "Flight 1, Flight 2, Flight 3, Flight 4, Flight 5" in log_text(at, "5.1")
    state = raiders(phase="launch", turn=1)
    aloft(state, "b01", zone="Z1", other=["b02"])
    state.sky.flights[1].zone = "Z2"
    at = table(state)
    run(movement.begin_flight(at))
    assert [line.text.split(": ")[1] for line in at.log or []] == ["Flight 1.", "Flight 2."]


@pytest.mark.rule("doolittle", "8.1.1", "7.1.3")
@pytest.mark.parametrize("high", [True, False])
def test_height_of_a_flight_moving_west_is_logged(*, high: bool) -> None:
    state = raiders()
    flight = aloft(state, "b01", zone="Z2", high=high)
    at = table(state)
    movement.move_west(at, flight, "8.1.1")
    assert log_text(at, "8.1.1").endswith("high." if high else "low.")


@pytest.mark.rule("doolittle", "1.1", "5.0")
def test_launch_begins_the_flight_segment_and_ends_earlier_ones() -> None:
    state = raiders(phase="launch", turn=1)
    state.segment, state.agenda = "naval", ["flight", "attack", "denouement"]
    run(movement.begin_flight(table(state)))
    assert (state.segment, state.agenda) == ("flight", ["attack", "denouement"])


@pytest.mark.rule("doolittle", "8.0", "8.1")
def test_move_phase_is_in_every_turn_but_the_first() -> None:
    state = raiders(phase="launch", turn=1)
    assert sequence.next_phase(state) == At(1, "wind")
    order = ["wind", "hazards", "fuel"]
    for now, then in itertools.pairwise(order):
        state.at = At(1, now)
        assert sequence.next_phase(state) == At(1, then)
    state.at = At(1, "fuel")
    assert sequence.next_phase(state) == At(2, "move")


@pytest.mark.rule("doolittle", "5.1.1", "8.4")
def test_segment_ends_when_no_one_is_in_the_air() -> None:
    state = raiders(phase="wind")
    for flight in state.sky.flights:
        flight.site = "chuchow"
    assert sequence.next_phase(state).phase == "debriefing"
    state.sky.flights[0].site = ""
    assert sequence.next_phase(state).phase == "hazards"


@pytest.mark.rule("doolittle", "5.2", "5.2.2", "DR47")
def test_each_side_of_the_line_has_its_own_hour() -> None:
    state = at_hour(raiders(), "1800")
    at = table(state)
    assert [light_in(at, zone) for zone in ("Z1", "Z6", "Z8", "Z9", "Z12")] == ["night"] * 3 + ["day"] * 2
    at_hour(state, "0600")
    assert [light_in(at, zone) for zone in ("Z8", "Z9")] == ["day", "night"]


# -- moving ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.1", "8.1.1")
def test_flight_moves_one_zone_west_in_any_wind() -> None:
    state = windy(raiders(), "Z2", "severe-headwind")
    at = table(state)
    run(movement.move(at))
    assert {(flight.zone, flight.fuel, flight.high) for flight in state.sky.flights} == {("Z3", 8, False)}


@pytest.mark.rule("doolittle", "7.1.3", "8.1.1")
def test_climb_costs_a_fuel_and_descent_nothing() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", zone="Z3", fuel=4)
    run(movement.move(table(state)), {"8.1.1": "west-climb"})
    assert (flight.zone, flight.fuel, flight.high) == ("Z4", 3, True)
    asked: list[Decision] = []
    run(movement.move(table(state)), {"8.1.1": "west-dive"}, asked)
    assert asked[0].keys == ["west", "west-dive"]
    assert asked[0].options[0].text.endswith(", high")
    assert (flight.zone, flight.fuel, flight.high) == ("Z5", 3, False)


@pytest.mark.rule("doolittle", "8.1.1", "7.1.3", "DR38")
def test_climb_on_empty_tanks_needs_a_check_at_the_old_height() -> None:
    state = windy(raiders(), "Z3", "crosswind")
    flight = aloft(state, "b01", "b02", zone="Z3", fuel=0)
    run(movement.move(table(state, 2, 3, 6, 6)), {"8.1.1": "west-climb"})
    assert [bomber.key for bomber in state.in_flight(flight)] == ["b02"]  # five would not have ditched it up high
    assert (flight.zone, flight.high) == ("Z4", True)


@pytest.mark.rule("doolittle", "8.1.1", "8.1.2", "DR32")
def test_flight_at_the_western_edge_lands_or_waits() -> None:
    state = raiders()
    flight = aloft(state, "b01", zone="Z12")
    state.squad["b01"].loaded = False
    asked: list[Decision] = []
    run(movement.move(table(state)), {"8.1.2": "stay"}, asked)
    assert asked[0].keys == ["look-kian", "look-kweilin", "stay", "altitude"]
    assert flight.zone == "Z12"


@pytest.mark.rule("doolittle", "8.1.2", "5.4")
def test_flight_over_japan_must_search_for_a_city_if_loaded_else_flies_on() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02")
    asked: list[Decision] = []
    at = table(state, 1, 1, 6, 6, 1, 1)
    run(movement.move(at), {"8.1.2": "look-tokyo", "8.1.4": "persist"}, asked)
    assert log_text(at, "8.1") == ""
    assert asked[0].keys == ["look-tokyo", "look-nagoya", "look-osaka-kobe", "altitude"]
    assert flight.zone == "Z6"
    asked.clear()
    run(movement.move(table(state)), None, asked)
    assert asked[0].keys == ["west", "west-climb"]
    assert flight.zone == "Z7"


@pytest.mark.rule("doolittle", "8.1.2")
def test_flight_past_japan_with_bombs_aboard_is_refused_with_a_reason() -> None:
    state = raiders()
    aloft(state, "b01", "b02")
    steps = movement.move(table(state))
    assert steps is not None
    decision = next(steps)
    assert isinstance(decision, Decision)
    with pytest.raises(IllegalChoice, match="must look for a city"):
        decision.accept("west")


@pytest.mark.rule("doolittle", "8.1.2", "5.5")
@pytest.mark.parametrize(
    ("zone", "sites"),
    [
        ("Z7", ["vladivostok", "korea"]),
        ("Z10", ["lishui", "chuchow"]),
        ("Z11", ["chuchow", "yushan", "kian"]),
        ("Z8", []),
    ],
)
def test_sites_may_be_searched_from_the_zones_of_their_arrows(zone: str, sites: list[str]) -> None:
    state = raiders()
    aloft(state, "b01", zone=zone)
    state.squad["b01"].loaded = False
    asked: list[Decision] = []
    run(movement.move(table(state)), {"8.1.2": "west"}, asked)
    assert asked[0].keys == [*(f"look-{site}" for site in sites), "west", "west-climb", *["altitude"] * bool(sites)]


@pytest.mark.rule("doolittle", "8.1.1", "7.1.3", "DR142")
def test_flight_changes_altitude_before_it_looks_for_a_city() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", fuel=3)
    asked: list[Decision] = []
    at = table(state, 6, 6, 1, 1)
    run(movement.move(at), {"8.1.2": [["altitude"], ["look-tokyo"]]}, asked)
    assert (flight.high, flight.fuel) == (True, 2)
    assert log_text(at, "7.1.3") == "Flight 1 climbs to high altitude."
    assert [("altitude" in one.keys) for one in asked if one.rule == "8.1.2"] == [True, False]


@pytest.mark.rule("doolittle", "8.1.1", "7.1.3", "DR142")
def test_flight_at_the_western_edge_may_descend_and_wait() -> None:
    state = raiders()
    flight = aloft(state, "b01", zone="Z12")
    flight.high, state.squad["b01"].loaded = True, False
    run(movement.move(table(state)), {"8.1.2": [["altitude"], ["stay"]]})
    assert (flight.high, flight.zone) == (False, "Z12")


@pytest.mark.rule("doolittle", "8.1")
def test_flight_order_is_asked_where_a_target_is_near() -> None:
    state = raiders()
    aloft(state, "b01", other=["b02"])
    dice = (1, 1, 6, 6, 1, 1) * 2
    asked: list[Decision] = []
    at = table(state, *dice)
    run(movement.move(at), {"8.1": "flight-2", "8.1.4": "persist"}, asked)
    assert asked[0].keys == ["flight-1", "flight-2"]
    text = log_text(at, "8.1.4")
    assert text.index("Flight 2") < text.index("Flight 1")


@pytest.mark.rule("doolittle", "8.1")
def test_flight_order_over_the_open_sea_is_by_number_and_not_asked() -> None:
    asked: list[Decision] = []
    run(movement.move(table(raiders())), None, asked)
    assert rules_asked(asked) == ["8.1.1"] * 5


@pytest.mark.rule("doolittle", "8.0")
def test_flights_delayed_by_a_wreck_start_with_the_wind_of_a_later_turn() -> None:
    state = raiders()
    late = state.sky.flights[4]
    late.waits = 1
    state.sky.turn = 1
    assert late not in flights.flights_aloft(state)
    state.sky.turn = 2
    assert late in flights.flights_aloft(state)
    run(movement.move(table(state)))
    assert late.zone == "Z2"
    state.sky.turn = 3
    run(movement.move(table(state)))
    assert late.zone == "Z3"


# -- flights ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "7.0", "7.1")
def test_flights_are_grouped_as_in_the_scenario() -> None:
    state = raiders()
    assert [flight.members for flight in state.sky.flights] == DATA.scenarios["early"].flights
    assert len(state.sky.flights) <= DATA.flying.flights.most


@pytest.mark.rule("doolittle", "7.1.1")
def test_flight_starts_with_two_to_four_and_may_shrink_to_one() -> None:
    state = raiders()
    sizes = DATA.flying.flights
    assert all(sizes.bombers_min <= len(flight.members) <= sizes.bombers_max for flight in state.sky.flights)
    for key in ("b02", "b03", "b04"):
        state.squad[key].fate = "ditched"
    flights.remove_empty_flights(table(state))
    assert len(state.sky.flights) == 5
    state.squad["b01"].fate = "destroyed"
    at = table(state)
    flights.remove_empty_flights(at)
    assert [flight.key for flight in state.sky.flights] == [f"flight-{n}" for n in (2, 3, 4, 5)]
    assert "Flight 1 has no bombers left" in log_text(at)


@pytest.mark.rule("doolittle", "7.1.2", "8.3.7.G", "DR37")
def test_bomber_with_a_leak_may_leave_with_the_fuel_of_its_flight() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", "b03", zone="Z3", fuel=5, high=True)
    attached(state, "b02", "fuel-leak")
    asked: list[Decision] = []
    run(movement.move(table(state)), {"7.1.2": "alone"}, asked)
    assert rules_asked(asked) == ["7.1.2", "8.1.1", "8.1.1"]
    sole = state.sky.flights[1]
    assert (sole.members, sole.fuel, sole.high, sole.alone) == (["b02"], 5, True, True)
    assert (sole.zone, flight.zone, flight.members) == ("Z4", "Z4", ["b01", "b03"])


@pytest.mark.rule("doolittle", "7.1.2")
def test_last_bomber_of_a_flight_is_not_asked_to_leave() -> None:
    state = raiders()
    aloft(state, "b01", zone="Z3")
    attached(state, "b01", "fuel-leak")
    asked: list[Decision] = []
    run(movement.move(table(state)), None, asked)
    assert rules_asked(asked) == ["8.1.1"]


@pytest.mark.rule("doolittle", "7.1.2", "8.3.2", "DR37")
def test_bomber_alone_counts_as_a_flight_when_hazards_are_drawn() -> None:
    state = raiders()
    aloft(state, "b01", "b02", zone="Z5")
    state.security.alert = 1
    at = table(state)
    assert dict(draw_counts(at, ZONE["Z5"], len(flights.flights_aloft(state, "Z5")))) == {"II": 2, "alert": 1}
    flights.leave_flight(at, state.squad["b02"], "7.1.2")
    assert dict(draw_counts(at, ZONE["Z5"], len(flights.flights_aloft(state, "Z5")))) == {"II": 2, "alert": 2}
    assert flight_title(at.data, state.sky.flights[1]) == "Hoover's lone bomber"


@pytest.mark.rule("doolittle", "1.4", "7.1.2")
def test_flights_are_dealt_by_number_and_leaving_keeps_the_captain() -> None:
    state = raiders(players="2")
    assert [seat_of(state, flight=flight) for flight in state.sky.flights] == [f"captain-{n}" for n in (1, 2, 1, 2, 1)]
    sole = flights.leave_flight(table(state), state.squad["b05"], "7.1.2")
    assert seat_of(state, flight=sole) == seat_of(state, "b05") == "captain-2"


@pytest.mark.rule("doolittle", "1.4", "8.1.1")
def test_captain_is_asked_only_for_his_own_flights() -> None:
    asked: list[Decision] = []
    run(movement.move(table(raiders(players="3"))), None, asked)
    assert [(one.piece_key, one.seat) for one in asked] == [
        (f"flight-{n}", f"captain-{(n - 1) % 3 + 1}") for n in (1, 2, 3, 4, 5)
    ]


def test_flight_is_named_by_its_number() -> None:
    assert flight_name("flight-3") == "Flight 3"


# -- an attack interrupts --------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.0", "8.1.4", "6.2", "DR46")
def test_attack_interrupts_the_phase_and_raises_the_alert_once_at_its_end() -> None:
    state = raiders()
    aloft(state, "b01", other=["b02"])
    at = table(state, 6, 6, 6, 6)
    answers = {"8.1": "flight-1", "8.1.2": "look-tokyo"}
    for queue in (["flight-2"], []):
        run(movement.move(at), answers)
        assert state.raid is not None
        assert (state.sky.phase, state.sky.queue, state.security.alert) == ("move", queue, 1)
        assert sequence.next_phase(state) == At(state.at.turn + 1, "airspeed")
        state.raid = None
        state.at = At(state.at.turn + 5, "turn-end")
        assert sequence.next_phase(state) == At(state.at.turn + 1, "move")
        for bomber in state.squad.values():
            bomber.enters, bomber.loaded = 0, bomber.key == "b02" and bool(queue)
    run(movement.move(at))
    assert (state.security.alert, state.sky.phase, state.sky.attacked) == (2, "", False)


@pytest.mark.rule("doolittle", "6.2")
def test_alert_without_an_attack_stays() -> None:
    state = raiders()
    run(movement.move(table(state)))
    run(winds.wind(table(windy(state, "Z3", "severe-tailwind"))))
    assert state.security.alert == 1


# -- the bonus of a planned launch -----------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "15.2")
@pytest.mark.parametrize(("planned", "bonus", "gone"), [(True, "yes", 4), (True, "no", 0), (False, "yes", 0)])
def test_planned_launch_may_remove_two_leaks_and_two_evaporations(planned: bool, bonus: str, gone: int) -> None:
    state = raiders(phase="launch", turn=1)
    state.rulings = msgspec.structs.replace(state.rulings, bonus=bonus)
    state.sky.planned = planned
    asked: list[Decision] = []
    run(movement.begin_flight(table(state)), {"15.2": lambda decision: decision.keys[: decision.at_most]}, asked)
    known = DATA.flight_hazards.markers
    kinds = sorted(known[marker.key].kind for marker in state.out)
    assert not any(marker in cup.contents for marker in state.out for cup in state.cups.values())
    assert kinds == sorted(["fuel-leak"] * (gone // 2) + ["fuel-evaporation"] * (gone // 2))
    for decision in asked:
        assert decision.at_most == 2
    again: list[Decision] = []
    run(movement.begin_flight(table(state)), {}, again)
    assert not [decision for decision in again if decision.rule == "15.2"]


def test_helpers_take_markers_out_of_their_cups() -> None:
    state = raiders()
    marker = out_of_cup(state, "wind-check")
    assert all(marker not in cup.contents for cup in state.cups.values())
    man(state, "b01", "re-roll")


@pytest.mark.rule("doolittle", "5.1.1")
def test_whole_flights_are_played_to_their_debriefing() -> None:
    for scenario in ("early", "close-in"):
        match = play(scenario, "flights")
        assert match.outcome is not None
        assert flights.flights_aloft(match.state) == []
