"""Tests of the search for cities and landing sites (rules 8.1.3, 8.1.4): lights, dice, second attempts, results."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.games.doolittle.helpers import (
    DATA,
    aloft,
    at_hour,
    attached,
    drawn,
    hints,
    in_cup,
    log_text,
    man,
    raiders,
    rules_asked,
    run,
    table,
    windy,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.flight import acquisition, movement
from readyroom.games.doolittle.state import Doolittle, Flight
from readyroom.testing.running import Answers

PERSIST: Answers = {"8.1.4": "persist"}


def over_japan(hour: str = "1200", *members: str, **options: Any) -> tuple[Doolittle, Flight]:
    """Return a loaded flight over Japan at this hour, with four fuel."""
    state = windy(at_hour(raiders(**options), hour), "Z6", "crosswind")
    return state, aloft(state, *(members or ("b01", "b02")))


def near_china(zone: str = "Z10", hour: str = "1400", **options: Any) -> tuple[Doolittle, Flight]:
    """Return an unloaded flight by day off China, with four fuel."""
    state = windy(at_hour(raiders(**options), hour), zone, "crosswind")
    flight = aloft(state, "b01", "b02", zone=zone)
    for bomber in state.squad.values():
        bomber.loaded = False
    return state, flight


# -- lights ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.1.3", "DR1")
@pytest.mark.parametrize(
    ("ruling", "alert", "die", "dark"),
    [
        ("text", 3, 2, True),
        ("text", 3, 3, False),
        ("card", 3, 3, True),
        ("card", 3, 4, False),
    ],
)
def test_lights_go_out_on_a_die_below_the_alert_or_equal_by_option(
    ruling: str, alert: int, die: int, dark: bool
) -> None:
    state, flight = over_japan("2000", lights=ruling)
    state.security.alert = alert
    dice = (6, 6, 6) if dark else (6, 6)
    at = table(state, die, *dice)
    run(acquisition.search(at, flight, "tokyo"))
    assert state.targets["tokyo"].dark == dark
    assert log_text(at, "8.1.3").startswith(f"The lights of Tokyo {'go out' if dark else 'stay on'}")
    assert not state.targets["nagoya"].dark


@pytest.mark.rule("doolittle", "8.1.3")
def test_lights_are_not_rolled_at_alert_one_or_in_daylight() -> None:
    for hour, alert in (("2000", 1), ("1200", 4)):
        state, flight = over_japan(hour)
        state.security.alert = alert
        run(acquisition.search(table(state, 6, 6), flight, "tokyo"))
        assert state.raid is not None


@pytest.mark.rule("doolittle", "8.1.3", "8.1.4")
def test_search_in_the_dark_counts_the_two_lowest_of_three_dice_by_night() -> None:
    state, flight = over_japan("2000")
    state.targets["tokyo"].dark = True
    check = acquisition.acquisition_check(table(state), flight, "tokyo")
    assert (check.dice, check.keep, check.at_least) == (3, 2, 9)
    assert not check.read(bytes((6, 4, 3))).passed
    at_hour(state, "1200")
    check = acquisition.acquisition_check(table(state), flight, "tokyo")
    assert (check.dice, check.at_least) == (2, 8)


@pytest.mark.rule("doolittle", "8.1.3")
def test_lights_are_checked_at_every_attempt_until_they_are_out() -> None:
    state, flight = over_japan("2000")
    state.security.alert = 3
    dice = (5, 1, 1, 6, 6, 1, 6, 6, 6)  # on, missed, guzzled, then out of fuel, and found in the dark
    run(acquisition.search(table(state, *dice), flight, "tokyo"), PERSIST)
    assert state.targets["tokyo"].dark
    assert state.raid is not None


@pytest.mark.rule("doolittle", "8.1.3")
def test_lights_already_out_are_not_rolled() -> None:
    state, flight = over_japan("2000")
    state.security.alert, state.targets["tokyo"].dark = 3, True
    at = table(state, 6, 6, 6)
    run(acquisition.search(at, flight, "tokyo"))
    assert (log_text(at, "8.1.3"), state.raid is not None) == ("", True)


@pytest.mark.rule("doolittle", "8.1.3")
def test_search_odds_include_the_lights() -> None:
    state, flight = over_japan("2000")
    state.security.alert = 3
    at = table(state)
    lit = acquisition.acquisition_check(at, flight, "tokyo", dark=False).odds()
    out = acquisition.acquisition_check(at, flight, "tokyo", dark=True).odds()
    assert acquisition.search_chance(at, flight, "tokyo") == Fraction(1, 3) * out + Fraction(2, 3) * lit
    assert lit == Fraction(15, 36)
    state.targets["tokyo"].dark = True
    assert acquisition.search_chance(at, flight, "tokyo") == out


# -- the check -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.1.4", "2.3.6", "2.3.7", "DR44")
def test_search_adds_training_fires_navigators_and_submarines() -> None:
    state, flight = over_japan("1200", "b01", "b02", "b03")
    man(state, "b01", "navigation", "navigator")
    man(state, "b03", "navigation", "pilot")
    state.targets["tokyo"].areas["kisarazu"].blast = 2
    state.sky.submarines = 2
    check = acquisition.acquisition_check(table(state), flight, "tokyo")
    assert dict(check.modifiers) == {"navigation": 1, "fires": 1, "elite navigator": 2, "submarines": 2}
    assert "fires" not in dict(acquisition.acquisition_check(table(state), flight, "nagoya").modifiers)
    state.squad["b03"].fate = "destroyed"
    assert dict(acquisition.acquisition_check(table(state), flight, "tokyo").modifiers)["elite navigator"] == 1


@pytest.mark.rule("doolittle", "8.1.4", "5.4")
@pytest.mark.parametrize("light", ["day", "night"])
def test_cities_and_sites_have_a_day_and_a_night_number(light: str) -> None:
    for goal, zone, hour in (("tokyo", "Z6", "1200"), ("lishui", "Z10", "1200")):
        state = at_hour(raiders(), hour if light == "day" else "2200")
        flight = aloft(state, "b01", zone=zone)
        card = acquisition.card_of(table(state), goal)
        check = acquisition.acquisition_check(table(state), flight, goal)
        assert check.at_least == (card.day if light == "day" else card.night)


@pytest.mark.rule("doolittle", "8.1.4", "2.3.7", "DR45")
def test_height_contact_and_a_pilot_each_allow_a_reroll_after_the_roll() -> None:
    state, flight = over_japan()
    flight.high = True
    state.sky.contacts["tokyo"] = 1
    doolittle = man(state, "b02", "re-roll")
    asked: list[Decision] = []
    answers: Answers = {"8.1.4": [["again-1-2"], ["again-1"], ["persist"]], "2.3.7": "again-1-2"}
    at = table(state, 1, 1, 1, 2, 2, 4, 6)
    run(acquisition.search(at, flight, "tokyo"), answers, asked)
    assert rules_asked(asked)[:3] == ["8.1.4", "8.1.4", "2.3.7"]
    assert hints(asked[0])["again-1-2"] == pytest.approx(21 / 36)
    assert (state.sky.contacts["tokyo"], doolittle.used) == (0, True)
    assert state.raid is not None


@pytest.mark.rule("doolittle", "8.1.4")
def test_contact_is_kept_without_a_reroll_and_success_asks_nothing() -> None:
    state, flight = over_japan()
    state.sky.contacts["tokyo"] = 1
    man(state, "b02", "re-roll")
    asked: list[Decision] = []
    dice = (1, 2, 6, 6, 1, 1)
    run(acquisition.search(table(state, *dice), flight, "tokyo"), {"8.1.4": [["keep"], ["persist"], ["keep"]]}, asked)
    assert state.sky.contacts["tokyo"] == 1
    state, flight = over_japan()
    state.sky.contacts["tokyo"] = 1
    asked.clear()
    run(acquisition.search(table(state, 6, 6), flight, "tokyo"), None, asked)
    assert rules_asked(asked) == ["4.1.1"] * len([one for one in asked if one.rule == "4.1.1"])


# -- a second attempt ------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.1.4")
@pytest.mark.parametrize(("guzzle", "fuel"), [((6, 6), 4), ((1, 1), 3)])
def test_persisting_checks_fuel_and_gives_one_more_attempt(guzzle: tuple[int, int], fuel: int) -> None:
    state, flight = over_japan()
    at = table(state, 1, 1, *guzzle, 3, 3)
    run(acquisition.search(at, flight, "tokyo"), PERSIST)
    assert flight.fuel == fuel
    assert state.raid is not None  # three and three, one for training and one for persistence


@pytest.mark.rule("doolittle", "8.1.4", "2.1.1", "8.3.7.A")
def test_city_missed_twice_drops_bombs_and_ends_compass_errors() -> None:
    state, flight = over_japan()
    marker = attached(state, "b02", "compass-error").markers[0]
    run(acquisition.search(table(state, 1, 1, 6, 6, 1, 1), flight, "tokyo"), PERSIST)
    assert not any(bomber.loaded for bomber in state.squad.values())
    assert in_cup(state, marker)
    assert not any(bomber.markers for bomber in state.squad.values())
    assert (flight.zone, state.raid, state.targets["tokyo"].tally) == ("Z6", None, 0)
    assert not state.targets["tokyo"].burns


@pytest.mark.rule("doolittle", "8.1.4", "14.1.1")
def test_flight_that_finds_a_site_says_what_a_landing_needs() -> None:
    state, flight = near_china()
    at = table(state, 6, 6)
    run(acquisition.search(at, flight, "lishui"))
    needs = "Once every flight is down, each crew needs 6 or more with 2 dice (less for night and storm), or may crash."
    assert f"comes in to land at Lishui. {needs}" in log_text(at, "8.1.4")
    assert acquisition.acquisition_check(at, flight, "lishui").name == "search for Lishui"


@pytest.mark.rule("doolittle", "8.1.4", "7.2.3")
def test_flight_without_fuel_that_finds_a_costly_site_says_why_it_checks_fumes() -> None:
    state, flight = near_china()
    flight.fuel = 0
    site = next(one for one in DATA.flight.site.values() if one.fuel_from)
    flight.zone = site.fuel_from[0]
    at = table(state, *[6] * 20)
    run(acquisition.search(at, flight, site.key))
    assert f"The way to {site.name} costs Flight 1 a fuel, and it has none left." in log_text(at, "8.1.4")


@pytest.mark.rule("doolittle", "8.1.4", "DR29")
def test_site_missed_twice_leaves_the_flight_where_it_is() -> None:
    state, flight = near_china()
    state.squad["b01"].loaded = True
    run(acquisition.search(table(state, 1, 1, 6, 6, 1, 1), flight, "lishui"), PERSIST)
    assert (flight.zone, flight.site, flight.fuel) == ("Z10", "", 4)
    assert state.squad["b01"].loaded


@pytest.mark.rule("doolittle", "8.1.4", "DR30")
def test_deviation_that_misses_guzzles_after_the_bombs_are_gone() -> None:
    state, flight = over_japan()
    at = table(state, 1, 1, 1, 2, 1, 1)
    asked: list[Decision] = []
    run(acquisition.search(at, flight, "tokyo"), {"8.1.4": "deviate-nagoya"}, asked)
    assert asked[0].keys == ["persist", "deviate-nagoya", "deviate-osaka-kobe"]
    assert "−" in log_text(at, "8.2.4") or "guzzles" in log_text(at, "8.2.4")
    assert flight.fuel == 3
    assert not state.squad["b01"].loaded
    rules = [line.rule for line in at.log or []]
    assert rules.index("8.2.4") > max(i for i, line in enumerate(at.log or []) if "drops" in line.text)


@pytest.mark.rule("doolittle", "8.1.4")
def test_deviation_that_finds_its_target_attacks_without_another_check() -> None:
    state, flight = over_japan()
    run(acquisition.search(table(state, 1, 1, 6, 6), flight, "tokyo"), {"8.1.4": "deviate-nagoya"})
    assert state.raid is not None
    assert (state.raid.city, flight.fuel) == ("nagoya", 4)


@pytest.mark.rule("doolittle", "8.1.4")
@pytest.mark.parametrize(("alert", "met"), [(1, False), (2, True)])
def test_deviation_from_alert_two_meets_a_hazard(alert: int, met: bool) -> None:
    state, flight = over_japan()
    state.security.alert = alert
    key = drawn(state, "jammed-guns", "alert")
    asked: list[Decision] = []
    at = table(state, 1, 1, 6, 6, draws=[key])
    run(acquisition.search(at, flight, "tokyo"), {"8.1.4": [["deviate-nagoya"], ["on-b02"]]}, asked)
    assert [marker.key for marker in state.squad["b02"].markers] == ([key] if met else [])
    notes = [option.info.note for option in asked[0].options if option.info]
    assert notes[1].startswith("an alert hazard first; ") is met
    assert "Flight 1 fails to find Tokyo." in log_text(at, "8.1.4")


@pytest.mark.rule("doolittle", "8.1.4")
def test_bomber_lost_to_the_hazard_of_its_deviation_stops_searching() -> None:
    state, flight = over_japan("1200", "b01")
    state.security.alert, state.squad["b01"].hits = 2, 1
    at = table(state, 1, 1, 1, 1, 1, 1, draws=[drawn(state, "interceptor", "alert")])
    run(acquisition.search(at, flight, "tokyo"), {"8.1.4": [["deviate-nagoya"], ["on-b01"]]})
    assert state.squad["b01"].fate == "destroyed"
    assert "Nagoya" not in log_text(at)


@pytest.mark.rule("doolittle", "8.1.4", "7.2.3")
def test_persisting_on_empty_tanks_is_for_the_bombers_left() -> None:
    state, flight = over_japan()
    flight.fuel = 0
    run(acquisition.search(table(state, 1, 1, 1, 1, 1, 1, 6, 6, 6, 6), flight, "tokyo"), PERSIST)
    assert state.squad["b01"].fate == "ditched"
    assert state.squad["b02"].enters == 1
    state, flight = over_japan("1200", "b01")
    flight.fuel = 0
    run(acquisition.search(table(state, 1, 1, 1, 1, 1, 1), flight, "tokyo"), PERSIST)
    assert state.raid is None


@pytest.mark.rule("doolittle", "8.1.4")
def test_vladivostok_has_korea_as_its_only_alternative() -> None:
    state, flight = near_china("Z7")
    asked: list[Decision] = []
    run(acquisition.search(table(state, 1, 1, 6, 6), flight, "vladivostok"), {"8.1.4": "deviate-korea"}, asked)
    assert asked[0].keys == ["persist", "deviate-korea"]
    assert flight.site == "korea"


# -- a city is found -------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.1.4", "4.1.1", "3.1.1")
def test_city_found_is_attacked_by_the_light_and_height_of_the_flight() -> None:
    state, flight = over_japan("2000")
    flight.high = True
    at = table(state, 6, 6)
    run(acquisition.search(at, flight, "nagoya"))
    assert "Flight 1 finds Nagoya." in log_text(at, "8.1.4")
    assert "Flight 1 attacks Nagoya by night, high." in log_text(at, "8.1.4")
    assert state.raid is not None
    assert (state.raid.city, state.raid.light, state.raid.high, state.raid.flight) == (
        "nagoya",
        "night",
        True,
        "flight-1",
    )
    assert sorted(bomber.enters for bomber in state.squad.values()) == [1, 2]


@pytest.mark.rule("doolittle", "4.1.1")
def test_bombers_are_assigned_to_entry_turns_one_by_one() -> None:
    state, flight = over_japan("1200", "b01", "b02", "b03")
    asked: list[Decision] = []
    run(acquisition.search(table(state, 6, 6), flight, "tokyo"), {"4.1.1": lambda one: one.keys[-1:]}, asked)
    assert [one.question for one in asked] == [f"Which bomber of Flight 1 enters on turn {turn}?" for turn in (1, 2)]
    assert [state.squad[key].enters for key in ("b01", "b02", "b03")] == [3, 2, 1]


@pytest.mark.rule("doolittle", "4.1.1", "8.3.7.C")
def test_next_entry_turn_is_assigned_after_the_compass_roll() -> None:
    state, flight = over_japan("1200", "b01", "b02", "b03")
    attached(state, "b01", "faulty-compass")
    at = table(state, 6, 6, 1)
    steps = acquisition.search(at, flight, "tokyo")
    first = next(steps)
    assert isinstance(first, Decision)
    second = steps.send(first.accept(["next-b01"])[1])
    assert isinstance(second, Decision)
    assert second.question == "Which bomber of Flight 1 enters on turn 2?"
    assert state.squad["b01"].enters == 6


@pytest.mark.rule("doolittle", "8.3.7.E", "8.1.4")
@pytest.mark.parametrize("goal", ["tokyo", "lishui"])
def test_flying_boat_in_tow_returns_and_raises_the_alert_at_once(goal: str) -> None:
    state, flight = over_japan() if goal == "tokyo" else near_china()
    marker = attached(state, "b01", "flying-boat").markers[0]
    run(acquisition.search(table(state, 6, 6), flight, goal))
    assert in_cup(state, marker)
    assert state.squad["b01"].markers == []
    assert state.security.alert == 2


@pytest.mark.rule("doolittle", "8.3.7.C", "8.3.7.E")
def test_flying_boat_reports_a_bomber_that_then_misses_the_landing_site() -> None:
    state, flight = near_china()
    attached(state, "b01", "flying-boat", "faulty-compass")
    before = state.security.alert
    run(acquisition.search(table(state, 6, 6, 1, 1), flight, "lishui"))
    assert (state.squad["b01"].fate, state.security.alert) == ("ditched", before + 1)


@pytest.mark.rule("doolittle", "6.2", "8.3.7.E", "DR131")
def test_alert_raised_by_a_flying_boat_is_not_part_of_the_phase_total() -> None:
    state, flight = over_japan("1200", "b01")
    attached(state, "b01", "flying-boat")
    run(movement.move(table(state, 6, 6)), {"8.1.2": "look-tokyo"})
    assert state.security.alert == 2
    state.raid, flight.zone = None, "Z7"
    run(movement.move(table(state)))
    assert state.security.alert == 3


@pytest.mark.rule("doolittle", "8.3.7.A")
def test_compass_error_delays_a_bomber_to_the_turn_rolled() -> None:
    state, flight = over_japan("1200", "b01")
    attached(state, "b01", "compass-error")
    run(acquisition.search(table(state, 6, 6, 4), flight, "tokyo"))
    assert (state.squad["b01"].enters, state.squad["b01"].delayed) == (4, True)


@pytest.mark.rule("doolittle", "8.3.7.A", "2.3.7")
def test_pilot_may_reroll_a_compass_error() -> None:
    state, flight = over_japan("1200", "b01")
    attached(state, "b01", "compass-error")
    man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(acquisition.search(table(state, 6, 6, 5, 1), flight, "tokyo"), {"2.3.7": "again-1"}, asked)
    assert hints(asked[0]) == {"keep": None, "again-1": pytest.approx(1 / 6)}
    assert state.squad["b01"].enters == 1


@pytest.mark.rule("doolittle", "8.3.7.C")
@pytest.mark.parametrize(("die", "turn"), [(2, 1), (3, 6)])
def test_faulty_compass_delays_by_an_odd_die_and_leaves_the_game(die: int, turn: int) -> None:
    state, flight = over_japan("1200", "b01")
    marker = attached(state, "b01", "faulty-compass").markers[0]
    run(acquisition.search(table(state, 6, 6, die), flight, "tokyo"))
    assert (state.squad["b01"].enters, state.squad["b01"].delayed) == (turn, turn > 1)
    assert (state.out, state.squad["b01"].markers) == ([marker], [])


# -- a site is found -------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.1.4", "14.1", "DR47")
def test_site_found_is_landed_on_by_the_light_and_weather_of_the_zone() -> None:
    state, flight = near_china("Z10", "2200")
    windy(state, "Z10", "crosswind", "gale")
    run(acquisition.search(table(state, 6, 6), flight, "lishui"), PERSIST)
    assert (flight.site, flight.light, flight.weather, flight.fuel) == ("lishui", "night", "gale", 4)


@pytest.mark.rule("doolittle", "7.2.2")
def test_field_fuel_stays_until_bombers_have_landed() -> None:
    waiting = GAME.rules.setup(GAME.data, GAME.scenario("early"), GAME.resolve({"variant": "variant"}))
    assert waiting.sky.stock == {"chuchow": 4, "kian": 4}
    state, flight = near_china("Z11", "2200")
    windy(state, "Z11", "crosswind", "gale")
    state.sky.stock["chuchow"] = 4
    run(acquisition.search(table(state, 6, 6), flight, "chuchow"), PERSIST)
    assert (flight.site, flight.fuel, state.sky.stock) == ("chuchow", 4, {"chuchow": 4})


@pytest.mark.rule("doolittle", "5.5", "7.2.3")
@pytest.mark.parametrize(("zone", "site", "fuel"), [("Z10", "chuchow", 3), ("Z11", "chuchow", 4), ("Z10", "lishui", 4)])
def test_arrow_with_fuel_costs_one_when_the_site_is_found(zone: str, site: str, fuel: int) -> None:
    state, flight = near_china(zone)
    run(acquisition.search(table(state, 6, 6), flight, site))
    assert (flight.site, flight.fuel) == (site, fuel)


@pytest.mark.rule("doolittle", "5.5", "7.2.3")
def test_arrow_cost_is_shown_with_its_site_only() -> None:
    state, flight = near_china()
    notes = {one.value: one.info.note for one in acquisition.search_options(table(state), flight) if one.info}
    assert (notes["chuchow"], notes["lishui"]) == ("then 1 fuel; finds it", "finds it")


@pytest.mark.rule("doolittle", "5.5", "7.2.4")
def test_arrow_without_fuel_checks_fumes_and_may_ditch_before_the_field() -> None:
    state, flight = near_china()
    flight.fuel = 0
    run(acquisition.search(table(state, 6, 6, 1, 1, 6, 6), flight, "chuchow"))
    assert (state.squad["b01"].fate, state.squad["b01"].where) == ("ditched", "Z10")
    assert [bomber.key for bomber in state.in_flight(flight)] == ["b02"]
    assert flight.site == "chuchow"


@pytest.mark.rule("doolittle", "8.3.7.C")
@pytest.mark.parametrize(
    ("beacon", "dice", "fate"),
    [(False, (2,), ""), (False, (3,), "ditched"), (True, (3, 4), ""), (True, (3, 5), "ditched")],
)
def test_faulty_compass_misses_the_field_on_one_odd_die_or_two_with_beacon(
    beacon: bool, dice: tuple[int, ...], fate: str
) -> None:
    state, flight = near_china()
    marker = attached(state, "b01", "faulty-compass").markers[0]
    if beacon:
        state.sky.beacons["lishui"] = 5
    run(acquisition.search(table(state, 6, 6, *dice), flight, "lishui"))
    assert (state.squad["b01"].fate, state.squad["b02"].fate) == (fate, "")
    assert (state.out, marker in state.squad["b01"].markers) == ([marker], False)
    assert not in_cup(state, marker)


@pytest.mark.rule("doolittle", "8.3.7.C", "7.1.1")
def test_flight_with_its_last_bomber_astray_reaches_no_field() -> None:
    state, flight = near_china()
    flight.members = ["b01"]
    attached(state, "b01", "faulty-compass")
    run(acquisition.search(table(state, 6, 6, 3), flight, "lishui"))
    assert (state.squad["b01"].fate, flight.site) == ("ditched", "")


# -- beacons ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.1.4")
def test_beacon_is_revealed_by_a_search_and_replaces_the_site_numbers() -> None:
    state, flight = near_china(variant="variant")
    assert set(state.sky.beacons.values()) == {0}
    at = table(state, 1, 2, 1, 6, 6, 1, 1)
    run(acquisition.search(at, flight, "lishui"), PERSIST)
    assert state.sky.beacons["lishui"] == 4
    assert log_text(at, "8.1.4").startswith("The beacon of Lishui has the number 4.")
    assert [state.sky.beacons[key] for key in ("chuchow", "kweilin")] == [0, 0]
    check = acquisition.acquisition_check(table(state), flight, "lishui")
    assert check.at_least == 4
    at_hour(state, "2200")
    assert acquisition.acquisition_check(table(state), flight, "lishui").at_least == 4


@pytest.mark.rule("doolittle", "8.1.4")
def test_odds_of_a_site_with_an_unseen_beacon_are_the_mean() -> None:
    state, flight = near_china(variant="variant")
    state.sky.beacons["kian"] = 7
    at = table(state)
    values = [4, 5, 5, 6, 6]
    assert acquisition.acquisition_check(at, flight, "lishui", beacon=7).at_least == 7
    odds = [acquisition.acquisition_check(at, flight, "lishui", beacon=value).odds() for value in values]
    assert acquisition.search_chance(at, flight, "lishui") == sum(odds) / len(values)


@pytest.mark.rule("doolittle", "8.1.4", "8.1")
def test_flight_that_reveals_a_beacon_is_chosen_in_the_variant() -> None:
    state, _ = near_china(variant="variant")
    aloft(state, "b01", zone="Z10", other=["b02"])
    asked: list[Decision] = []
    run(movement.move(table(state)), {"8.1.2": "west"}, asked)
    assert rules_asked(asked) == ["8.1", "8.1.2", "8.1.2"]
    state, _ = near_china()
    aloft(state, "b01", zone="Z10", other=["b02"])
    asked.clear()
    run(movement.move(table(state)), {"8.1.2": "west"}, asked)
    assert rules_asked(asked) == ["8.1.2", "8.1.2"]


def test_beacon_numbers_are_as_likely_as_printed() -> None:
    assert sorted(DATA.flight.beacons.values) == [4, 5, 5, 6, 6, 7]
