"""Tests of the captain's choices in flight: altitude, order of checks and hazards, targets of guns, leaving."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import (
    DATA,
    aloft,
    assigned,
    at_hour,
    attached,
    drawn,
    in_cup,
    log_text,
    man,
    out_of_cup,
    raiders,
    rules_asked,
    run,
    table,
    windy,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.attack import raids
from readyroom.games.doolittle.flight import flights, hazards, movement, wind_boxes, winds
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.sharing import even_loads
from readyroom.games.doolittle.state import Doolittle, Flight

MISS, HIT = (1, 2, 3, 4), (1, 2, 3, 6)


def by_day(*members: str, zone: str = "Z3", fuel: int = 4, high: bool = False) -> tuple[Doolittle, Flight]:
    """Return a flight by day, in a crosswind, in the hazards phase."""
    state = windy(at_hour(raiders(phase="hazards"), "1200"), zone, "crosswind")
    return state, aloft(state, *members, zone=zone, fuel=fuel, high=high)


# -- guns ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.5", "8.3.7.H", "DR145")
@pytest.mark.parametrize("dice", [HIT, MISS])
def test_guns_second_interceptor_in_a_phase_must_be_eluded(dice: tuple[int, ...]) -> None:
    state, flight = by_day("b01", "b02")
    both = [assigned(state, "b01", "interceptor", "II"), assigned(state, "b01", "interceptor", "II")]
    asked, at = list[Decision](), table(state, *dice)
    run(hazards._resolve_on_bomber(at, state.squad["b01"]), {"8.3.7.H": "elude"}, asked)
    assert len(asked) == (1 if dice is HIT else 2)
    assert state.flight_with("b01").fuel == 4 - len(asked)
    assert (flight.fuel, all(in_cup(state, one) for one in both)) == (4, True)
    assert "cannot fire again" in log_text(at, "8.3.7.H")


@pytest.mark.rule("doolittle", "4.5", "8.3.7.E", "DR145")
def test_guns_shadow_and_new_interceptor_share_one_shot() -> None:
    state, _ = by_day("b01", zone="Z6")
    state.security.alert = 1
    attached(state, "b01", "flying-boat")
    draws = [drawn(state, kind, "alert") for kind in ("interceptor", "break-off")]
    draws += [drawn(state, "interceptor", "II"), drawn(state, "break-off", "II"), drawn(state, "break-off", "alert", 2)]
    at = table(state, *HIT, draws=draws)
    run(hazards.resolve_hazards(at), {"8.3.7.H": "take"})
    assert (state.squad["b01"].hits, "cannot fire again" in log_text(at, "8.3.7.H")) == (1, True)


@pytest.mark.rule("doolittle", "4.5", "DR145")
def test_guns_fire_again_in_the_next_phase() -> None:
    state, _ = by_day("b01", zone="Z6")
    state.security.alert, state.sky.gunners = 0, ["b01"]
    draws = [drawn(state, "interceptor", "II"), drawn(state, "break-off", "II")]
    run(hazards.resolve_hazards(table(state, *HIT, draws=draws)))
    assert state.squad["b01"].hits == 0


@pytest.mark.rule("doolittle", "2.3.5", "4.5", "DR145")
def test_guns_still_fire_after_the_elite_gunner() -> None:
    state, _ = by_day("b01")
    man(state, "b01", "gunnery")
    for _ in range(2):
        assigned(state, "b01", "interceptor", "II")
    run(hazards._resolve_on_bomber(table(state, *HIT), state.squad["b01"]), {"2.3.5": "fire"})
    assert state.squad["b01"].hits == 0


# -- altitude --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "7.1.3", "8.1.1", "DR142")
def test_altitude_flight_over_japan_climbs_and_then_searches() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02")
    asked = list[Decision]()
    run(movement.move(table(state, 6, 6)), {"8.1.2": [["altitude"], ["look-tokyo"]]}, asked)
    assert (flight.high, flight.fuel, state.attack.high) == (True, 3, True)
    assert asked[1].keys == ["look-tokyo", "look-nagoya", "look-osaka-kobe"]


@pytest.mark.rule("doolittle", "7.1.3", "8.1.1", "DR142")
def test_altitude_flight_at_the_western_edge_may_descend() -> None:
    state = raiders()
    flight = aloft(state, "b01", zone="Z12", high=True)
    state.squad["b01"].loaded = False
    run(movement.move(table(state)), {"8.1.2": [["altitude"], ["stay"]]})
    assert (flight.high, flight.fuel, flight.zone) == (False, 4, "Z12")


@pytest.mark.rule("doolittle", "7.1.3", "8.1.1", "DR142")
def test_altitude_changes_only_once_in_a_phase() -> None:
    state = raiders()
    flight = aloft(state, "b01", zone="Z7")
    state.squad["b01"].loaded = False
    asked = list[Decision]()
    run(movement.move(table(state)), {"8.1.2": [["altitude"], ["west"]]}, asked)
    assert asked[1].keys == ["look-vladivostok", "look-korea", "west"]
    assert (flight.zone, flight.high) == ("Z8", True)


@pytest.mark.rule("doolittle", "8.1.1", "DR38", "DR142")
def test_altitude_climb_on_empty_tanks_checks_fumes_first() -> None:
    state = raiders()
    aloft(state, "b01", fuel=0)
    run(movement.move(table(state, 2, 2)), {"8.1.2": "altitude"})
    assert (state.squad["b01"].fate, state.sky.flights) == ("ditched", [])


@pytest.mark.rule("doolittle", "7.1.3", "8.2", "8.2.1", "DR142")
def test_altitude_cannot_change_in_the_wind_phase() -> None:
    state = windy(raiders(phase="wind"), "Z7", "severe-tailwind")
    aloft(state, "b01", zone="Z7")
    state.squad["b01"].loaded = False
    asked = list[Decision]()
    run(winds.wind(table(state)), {"8.2.2": "west"}, asked)
    assert asked[0].keys == ["stay", "look-vladivostok", "look-korea", "west"]


# -- fuel ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "7.2.4", "DR143")
def test_fumes_high_flight_checks_bombers_in_the_captains_order() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", fuel=0, high=True)
    asked = list[Decision]()
    run(flights.pay_fuel(table(state, 2, 3, 3, 4), flight), {"7.2.4": "fumes-b02"}, asked)
    assert asked[0].keys == ["fumes-b01", "fumes-b02"]
    assert [state.squad[key].fumes for key in ("b01", "b02")] == [0, 1]
    assert not flight.high


@pytest.mark.rule("doolittle", "7.2.4", "DR143")
def test_fumes_once_the_flight_is_low_the_rest_check_low() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", "b03", fuel=0, high=True)
    asked = list[Decision]()
    run(flights.pay_fuel(table(state, 3, 4, 2, 3, 2, 3), flight), {"7.2.4": "fumes-b02"}, asked)
    assert len(asked) == 1
    assert [state.squad[key].fate for key in flight.members] == ["ditched", "", "ditched"]


@pytest.mark.rule("doolittle", "7.2.4", "DR143")
def test_fumes_low_flight_order_is_not_asked() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", fuel=0)
    asked = list[Decision]()
    run(flights.pay_fuel(table(state, 6, 6, 6, 6), flight), None, asked)
    assert asked == []


@pytest.mark.rule("doolittle", "2.3.4", "7.2.4", "DR144")
def test_fuel_conservation_keeps_the_dice_rolled_first() -> None:
    state = raiders()
    flight = aloft(state, "b01", fuel=0)
    man(state, "b01", "fuel-conservation")
    state.squad["b01"].fumes = 1
    run(flights.pay_fuel(table(state, 5, 5, 1), flight), {"2.3.4": "conserve"})
    assert (state.squad["b01"].fate, state.squad["b01"].fumes) == ("", 1)
    state.squad["b01"].elite = None
    man(state, "b01", "fuel-conservation")
    asked = list[Decision]()
    run(flights.pay_fuel(table(state, 1, 2, 6), flight), None, asked)
    assert (asked, state.squad["b01"].fate) == ([], "ditched")


@pytest.mark.rule("doolittle", "7.1.2", "8.3.7.G", "DR146")
def test_leak_bomber_may_leave_before_its_flight_acts_in_the_wind() -> None:
    state = windy(raiders(phase="wind"), "Z3", "severe-tailwind")
    flight = aloft(state, "b01", "b02", zone="Z3")
    attached(state, "b01", "fuel-leak")
    asked = list[Decision]()
    run(
        winds.wind(table(state)),
        {"7.1.2": "alone", "8.2.1": lambda one: ["west" if "-" in one.piece_key[7:] else "stay"]},
        asked,
    )
    assert (state.flight_with("b01").zone, flight.zone) == ("Z4", "Z3")
    assert rules_asked(asked) == ["7.1.2", "8.2.1", "8.2.1"]


# -- winds and hazards -----------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "2.3.7", "8.2.3")
def test_first_wind_after_planned_launch_may_be_rolled_again() -> None:
    state = raiders(phase="wind")
    aloft(state, "b01", zone="Z3")
    man(state, "b01", "re-roll")
    box = DATA.flight.wind_of["Z3"]
    state.sky.planned, state.sky.weather[box.key] = True, "calm"
    answers = {"2.3.7": "again-1-2-3", "8.2.3": "sum-12"}
    run(wind_boxes.wind_check(table(state, 1, 1, 2, 6, 6, 1), box), answers)
    assert state.sky.winds[box.key] == "severe-tailwind"


@pytest.mark.rule("doolittle", "8.3", "DR13")
def test_hazards_zones_come_in_the_captains_order() -> None:
    state, flight = by_day("b01", zone="Z2")
    state.squad = raiders().squad
    state.sky.flights = [flight, Flight("flight-2", ["b02"], "Z11", 4)]
    state.cups["I"].contents = [out_of_cup(state, "jammed-guns", "I"), out_of_cup(state, "compass-error", "I")]
    draws = [drawn(state, "mechanical", "III"), *(one.key for one in state.cups["I"].contents)]
    asked = list[Decision]()
    at = table(state, draws=draws)
    run(hazards.resolve_hazards(at), {"8.3": "zone-Z11"}, asked)
    assert asked[0].keys == ["zone-Z2", "zone-Z11"]
    assert log_text(at, "8.3.2").startswith("Chekiang")


@pytest.mark.rule("doolittle", "8.3.3", "8.3.4")
def test_hazards_any_even_distribution_of_fronts_may_be_chosen() -> None:
    state, flight = by_day("b01", "b02")
    flight.assigned = [
        out_of_cup(state, kind, cup)
        for kind, cup in (("break-off", "II"), ("jammed-guns", "II"), ("break-off", "alert"), ("jammed-guns", "alert"))
    ]
    first, second = state.squad["b01"], state.squad["b02"]
    run(hazards._share_among_bombers(table(state), flight), {"8.3.4": [["on-b01"], ["on-b01"]]})
    assert [marker.cup for marker in first.assigned] == ["II", "II"]
    assert [marker.cup for marker in second.assigned] == ["alert", "alert"]


@pytest.mark.rule("doolittle", "8.3.4", "13.5.2", "2.1.2")
def test_hazards_bomber_with_a_transit_hazard_counts_as_hit_already() -> None:
    state, flight = by_day("b01", "b02")
    turret = next(key for key, card in DATA.embarkation.cup.markers.items() if card.kind == "turret")
    state.squad["b01"].markers = [Marker(key=turret)]
    flight.assigned = [out_of_cup(state, "break-off", "II")]
    run(hazards._share_among_bombers(table(state), flight))
    assert (len(state.squad["b01"].assigned), len(state.squad["b02"].assigned)) == (0, 1)


@pytest.mark.rule("doolittle", "8.3.3", "8.3.4")
def test_evenly_gives_to_the_least_loaded_first() -> None:
    assert even_loads([(0, 1), (0, 0), (0, 0)], 2) == [(0, 1), (1, 0), (1, 0)]
    assert even_loads([(2, 0), (0, 0)], 3) == [(2, 0), (3, 0)]


# -- entering a city -------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.1.1", "8.3.7.A", "DR17")
def test_entry_next_slot_is_named_after_the_compass_roll() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", "b03")
    attached(state, "b01", "compass-error")
    at = table(state, 3)
    seen = list[str]()

    def names(decision: Decision) -> list[str]:
        seen.append(log_text(at, "8.3.7.A"))
        return ["next-b01"] if len(seen) == 1 else ["next-b03"]

    run(raids.begin_attack(at, flight, "tokyo"), {"4.1.1": names})
    assert [bool(one) for one in seen] == [False, True]
    assert [state.squad[key].enters for key in ("b01", "b02", "b03")] == [3, 3, 2]


@pytest.mark.rule("doolittle", "4.1.1", "8.3.7.C", "DR19")
def test_entry_faulty_compass_is_rolled_before_the_first_slot() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02")
    attached(state, "b01", "faulty-compass")
    asked = list[Decision]()
    run(raids.begin_attack(table(state, 3), flight, "tokyo"), {"4.1.1": "next-b02"}, asked)
    hints = {option.key: option.info.note for option in asked[0].options if option.info}
    assert hints == {"next-b01": "no earlier than turn 6"}
    assert (state.squad["b01"].enters, state.squad["b02"].enters) == (6, 1)
