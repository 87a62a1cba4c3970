"""Tests of the wind phase (rules 5.3, 8.2): wind direction, effect on movement, and cost."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.games.doolittle.helpers import (
    DATA,
    aloft,
    at_hour,
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

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.figures.common import Wind
from readyroom.games.doolittle.flight import acquisition, flights, winds
from readyroom.games.doolittle.flight.wind_boxes import weather_check, wind_check
from readyroom.games.doolittle.state import Doolittle, Flight

GUZZLES, SAVES = (1, 1), (6, 6)


def in_wind(wind: Wind, zone: str = "Z3", fuel: int = 4, **options: Any) -> tuple[Doolittle, Flight]:
    """Return a flight of two loaded bombers in this wind, by day."""
    state = windy(at_hour(raiders(phase="wind", **options), "1200"), zone, wind)
    return state, aloft(state, "b01", "b02", zone=zone, fuel=fuel)


# -- moving ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.2", "8.2.1")
@pytest.mark.parametrize(
    ("wind", "dice", "zone", "fuel"),
    [
        ("headwind", SAVES, "Z4", 3),
        ("headwind", GUZZLES, "Z3", 3),
        ("severe-headwind", SAVES, "Z3", 4),
        ("severe-headwind", GUZZLES, "Z3", 3),
        ("crosswind", SAVES, "Z4", 3),
        ("crosswind", GUZZLES, "Z3", 4),
        ("severe-crosswind", SAVES, "Z4", 4),
        ("severe-crosswind", GUZZLES, "Z3", 3),
        ("tailwind", SAVES, "Z4", 4),
        ("tailwind", GUZZLES, "Z4", 3),
        ("severe-tailwind", (), "Z4", 4),
    ],
)
def test_flight_that_would_move_is_affected_by_each_wind(
    wind: Wind, dice: tuple[int, ...], zone: str, fuel: int
) -> None:
    state, flight = in_wind(wind)
    run(winds.wind(table(state, *dice)), {"8.2.1": [["west"], ["go"]]})
    assert (flight.zone, flight.fuel) == (zone, fuel)


@pytest.mark.rule("doolittle", "8.2.1")
@pytest.mark.parametrize("wind", ["headwind", "crosswind", "severe-crosswind", "tailwind", "severe-tailwind"])
def test_holding_course_is_free_and_rolls_nothing(wind: Wind) -> None:
    state, flight = in_wind(wind)
    asked: list[Decision] = []
    run(winds.wind(table(state)), {"8.2.1": "stay"}, asked)
    assert (flight.zone, flight.fuel, asked[0].keys) == ("Z3", 4, ["stay", "west"])


@pytest.mark.rule("doolittle", "8.2.1")
def test_severe_headwind_asks_nothing() -> None:
    state, _ = in_wind("severe-headwind")
    asked: list[Decision] = []
    run(winds.wind(table(state, *SAVES)), None, asked)
    assert asked == []
    unforced = replace(DATA.flying.effects.wind["severe-headwind"], forced=False)
    at = table(state)
    run(winds._pay_for_holding(at, state.sky.flights[0], unforced))
    assert log_text(at, "8.2.4") == ""


@pytest.mark.rule("doolittle", "8.2.1")
def test_crosswind_check_passed_may_still_save_the_fuel() -> None:
    state, flight = in_wind("crosswind")
    run(winds.wind(table(state, *SAVES)), {"8.2.1": [["west"], ["stay"]]})
    assert (flight.zone, flight.fuel) == ("Z3", 4)


@pytest.mark.rule("doolittle", "8.2.1", "DR2")
@pytest.mark.parametrize(
    ("ruling", "dice", "fuel"),
    [("text", SAVES, 4), ("text", GUZZLES, 3), ("example", SAVES, 3), ("example", GUZZLES, 4)],
)
def test_severe_crosswind_costs_by_the_text_or_by_the_example(ruling: str, dice: tuple[int, int], fuel: int) -> None:
    state, flight = in_wind("severe-crosswind", crosswind=ruling)
    run(winds.wind(table(state, *dice)), {"8.2.1": [["west"], ["go"]]})
    assert flight.fuel == fuel


@pytest.mark.rule("doolittle", "8.2.1", "DR2")
def test_example_option_affects_severe_crosswinds_only() -> None:
    state, flight = in_wind("tailwind", crosswind="example")
    assert winds.wind_effect(table(state), flight).title == "tailwind"


@pytest.mark.rule("doolittle", "8.2")
def test_altitude_cannot_change_with_the_wind() -> None:
    state, flight = in_wind("severe-tailwind")
    flight.high = True
    asked: list[Decision] = []
    run(winds.wind(table(state)), {"8.2.1": "west"}, asked)
    assert asked[0].keys == ["stay", "west"]
    assert flight.high


@pytest.mark.rule("doolittle", "8.2.1", "7.2.4")
def test_headwind_without_fuel_is_paid_on_fumes_and_the_check_carries_none() -> None:
    state, flight = in_wind("headwind", fuel=1)
    asked: list[Decision] = []
    at = table(state, 3, 3)
    run(winds.wind(at), {"8.2.1": "west"}, asked)
    assert (flight.zone, flight.fuel) == ("Z4", 0)  # six, less one for the bombs and nothing for fuel
    assert hints(asked[0])["west"] == pytest.approx(float(flights.guzzle_check(at, flight).odds()))
    state, flight = in_wind("headwind", fuel=0)
    run(winds.wind(table(state, 1, 1, 1, 1)), {"8.2.1": "west"})
    assert state.sky.flights == []


@pytest.mark.rule("doolittle", "8.2.1")
@pytest.mark.parametrize(
    ("wind", "note", "chance"),
    [
        ("headwind", "1 fuel at once; gets there", 15 / 36),
        ("crosswind", "1 fuel once the check is passed; gets there", 15 / 36),
        ("severe-crosswind", "58 % chance to pay 1 fuel; gets there", 15 / 36),
        ("tailwind", "58 % chance to pay 1 fuel; gets there", 1),
        ("severe-tailwind", "gets there", 1),
    ],
)
def test_attempt_cost_in_each_wind_is_shown_with_its_odds(wind: Wind, note: str, chance: float) -> None:
    state, _ = in_wind(wind)
    asked: list[Decision] = []
    run(winds.wind(table(state)), {"8.2.1": "stay"}, asked)
    hint = asked[0].options[1].info
    assert hint is not None
    assert hint.note == note
    assert hint.chance == pytest.approx(chance)


@pytest.mark.rule("doolittle", "8.2.1", "8.2.4", "8.3.7.G")
def test_bomber_lost_to_its_leak_in_a_crosswind_is_not_asked_to_fly_on() -> None:
    state, _ = in_wind("crosswind", fuel=1)
    del state.squad["b02"]
    state.sky.flights[0].members = ["b01"]
    attached(state, "b01", "fuel-leak")
    asked: list[Decision] = []
    run(winds.wind(table(state, *SAVES, 1, 1, 1)), {"8.2.1": "west"}, asked)
    assert (state.squad["b01"].fate, len(asked)) == ("ditched", 1)


# -- looking for a target --------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.2.2", "DR28")
@pytest.mark.parametrize(
    ("wind", "keys"),
    [
        ("headwind", ["stay", "look"]),
        ("crosswind", ["stay", "look"]),
        ("severe-crosswind", ["stay", "look"]),
        ("tailwind", ["look"]),
        ("severe-tailwind", ["look"]),
    ],
)
def test_loaded_flight_over_japan_in_a_tailwind_must_search_for_a_city(wind: Wind, keys: list[str]) -> None:
    state, _ = in_wind(wind, "Z6")
    asked: list[Decision] = []
    dice = (*SAVES, 6, 6) if wind != "severe-tailwind" else (6, 6)
    run(winds.wind(table(state, *dice)), {"8.2.2": "look-tokyo"}, asked)
    assert list(dict.fromkeys(key.split("-")[0] for key in asked[0].keys)) == keys
    assert state.raid is not None


@pytest.mark.rule("doolittle", "8.2.2")
def test_loaded_flight_does_not_fly_past_japan_and_gets_a_reason() -> None:
    state, _ = in_wind("headwind", "Z6")
    steps = winds.wind(table(state))
    assert steps is not None
    decision = next(steps)
    assert isinstance(decision, Decision)
    with pytest.raises(IllegalChoice, match="must look for a city"):
        decision.accept("west")


@pytest.mark.rule("doolittle", "8.2.2")
@pytest.mark.parametrize(
    ("wind", "dice", "fuel", "found"),
    [
        ("headwind", (*SAVES, 6, 6), 3, True),
        ("headwind", GUZZLES, 3, False),
        ("severe-headwind", GUZZLES, 3, False),
        ("crosswind", (*SAVES, 6, 6), 3, True),
        ("crosswind", GUZZLES, 4, False),
        ("severe-crosswind", (*SAVES, 6, 6), 4, True),
        ("severe-crosswind", GUZZLES, 3, False),
        ("tailwind", (*GUZZLES, 6, 6), 3, True),
        ("severe-tailwind", (6, 6), 4, True),
    ],
)
def test_search_uses_the_same_winds(wind: Wind, dice: tuple[int, ...], fuel: int, found: bool) -> None:
    state, flight = in_wind(wind, "Z6")
    run(winds.wind(table(state, *dice)), {"8.2.2": "look-nagoya"})
    assert (flight.fuel, state.raid is not None) == (fuel, found)


@pytest.mark.rule("doolittle", "8.2.2")
def test_search_odds_include_the_check_before_it() -> None:
    state, flight = in_wind("crosswind", "Z6")
    asked: list[Decision] = []
    at = table(state)
    run(winds.wind(at), {"8.2.2": "stay"}, asked)
    chance = flights.guzzle_check(at, flight).odds() * acquisition.search_chance(at, flight, "tokyo")
    assert hints(asked[0])["look-tokyo"] == pytest.approx(float(chance))


@pytest.mark.rule("doolittle", "8.2.2", "5.5")
def test_landing_site_may_be_searched_with_the_wind() -> None:
    state, flight = in_wind("tailwind", "Z11")
    for bomber in state.squad.values():
        bomber.loaded = False
    asked: list[Decision] = []
    run(winds.wind(table(state, *SAVES, 6, 6)), {"8.2.2": "look-yushan"}, asked)
    assert asked[0].keys == ["stay", "look-chuchow", "look-yushan", "look-kian", "west"]
    assert flight.site == "yushan"


@pytest.mark.rule("doolittle", "8.2.2")
def test_unloaded_flight_over_japan_has_nothing_to_search() -> None:
    state, _ = in_wind("severe-tailwind", "Z6")
    for bomber in state.squad.values():
        bomber.loaded = False
    asked: list[Decision] = []
    run(winds.wind(table(state)), None, asked)
    assert asked[0].keys == ["stay", "west"]


# -- which wind ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.2.3", "5.3", "DR39")
def test_wind_is_checked_once_per_box_only_where_missing() -> None:
    state = raiders(phase="wind")
    aloft(state, "b01", zone="Z2", other=["b02"])
    state.sky.flights[1].zone = "Z5"
    del state.sky.winds["W2"], state.sky.winds["W4"]
    state.sky.weather["W2"] = "calm"
    asked: list[Decision] = []
    run(winds.wind(table(state, 1, 2)), None, asked)
    assert state.sky.winds["W2"] == "headwind"
    assert rules_asked(asked) == ["8.2.1", "8.2.1"]
    assert "W4" not in state.sky.winds


@pytest.mark.rule("doolittle", "8.2.3")
@pytest.mark.parametrize(("weather", "wind"), [("calm", "tailwind"), ("storm", "severe-crosswind")])
def test_weather_selects_the_column(weather: str, wind: str) -> None:
    state = raiders()
    state.sky.weather["W2"] = weather  # type: ignore[assignment]
    run(wind_check(table(state, 4, 5), DATA.flight.wind_of["Z2"]))
    assert state.sky.winds["W2"] == wind


@pytest.mark.rule("doolittle", "8.2.3")
def test_first_wind_after_a_planned_launch_uses_two_of_three_dice() -> None:
    state = raiders()
    state.sky.planned = True
    state.sky.weather["W2"] = state.sky.weather["W3"] = "calm"
    asked: list[Decision] = []
    at = table(state, 1, 6, 4, 3, 4)
    run(wind_check(at, DATA.flight.wind_of["Z2"]), {"8.2.3": "sum-10"}, asked)
    assert asked[0].keys == ["sum-5", "sum-7", "sum-10"]
    assert state.sky.winds["W2"] == "tailwind"
    run(wind_check(at, DATA.flight.wind_of["Z6"]), None, asked)
    assert state.sky.winds["W3"] == "crosswind"
    assert len(asked) == 1


@pytest.mark.rule("doolittle", "8.2.3")
def test_unknown_weather_is_checked_by_the_table_of_the_box_or_the_sea() -> None:
    state = raiders()
    for key in ("W4", "W2"):
        del state.sky.weather[key]
    weather_check(table(state, 5, 5), DATA.flight.wind_of["Z7"])
    assert state.sky.weather["W4"] == DATA.flight.weather.cell(10, "W4") == "gale"
    at = table(state, 1, 1, 6, 6)
    run(wind_check(at, DATA.flight.wind_of["Z2"]))
    assert state.sky.weather["W2"] == DATA.sea.weather.cell(2, "west") == "storm"
    assert "severe tailwind" in log_text(at, "8.2.3")


@pytest.mark.rule("doolittle", "8.2.3", "2.3.7")
def test_pilot_in_a_wind_may_reroll_its_dice() -> None:
    state = raiders()
    aloft(state, "b01", zone="Z2")
    man(state, "b01", "re-roll")
    state.sky.weather["W2"] = "calm"
    asked: list[Decision] = []
    run(wind_check(table(state, 1, 2, 6, 6), DATA.flight.wind_of["Z4"]), {"2.3.7": "again-1-2"}, asked)
    assert state.sky.winds["W2"] == "severe-tailwind"
    assert hints(asked[0])["again-1-2"] == pytest.approx(10 / 36)


@pytest.mark.rule("doolittle", "8.2.3", "2.3.7")
def test_pilot_may_reroll_a_fair_wind_for_the_best_but_not_the_best() -> None:
    for dice, questions in (((4, 5), 1), ((6, 6), 0)):
        state = raiders()
        aloft(state, "b01", zone="Z2")
        man(state, "b01", "re-roll")
        state.sky.weather["W2"] = "calm"
        asked: list[Decision] = []
        run(wind_check(table(state, *dice), DATA.flight.wind_of["Z4"]), None, asked)
        assert len(asked) == questions


@pytest.mark.rule("doolittle", "7.1.1", "8.2")
def test_flight_lost_over_its_city_is_not_asked_when_the_phase_resumes() -> None:
    state, _ = in_wind("tailwind", "Z6")
    state.sky.phase, state.sky.queue = "wind", ["flight-1"]
    for bomber in state.squad.values():
        bomber.fate = "destroyed"
    asked: list[Decision] = []
    run(winds.wind(table(state)), None, asked)
    assert (asked, state.sky.flights) == ([], [])


@pytest.mark.rule("doolittle", "8.2.2", "8.2.1")
def test_western_edge_without_fields_offers_nothing() -> None:
    state, flight = in_wind("tailwind", DATA.flight.order[-1])
    state.sky.taken = list(DATA.flight.site)
    asked: list[Decision] = []
    at = table(state)
    run(winds.wind(at), None, asked)
    assert (asked, flight.zone, log_text(at)) == ([], DATA.flight.order[-1], "")


@pytest.mark.rule("doolittle", "8.2.4", "8.3.7.G", "DR35")
def test_leak_is_checked_before_the_fuel_is_paid() -> None:
    state, flight = in_wind("tailwind", fuel=3)
    attached(state, "b01", "fuel-leak")
    run(winds.wind(table(state, *GUZZLES)), {"8.2.1": "west"})
    assert (flight.fuel, flight.zone, state.squad["b01"].fate) == (2, "Z4", "")


@pytest.mark.rule("doolittle", "8.2.1", "7.2.4")
def test_flight_ditching_in_a_tailwind_does_not_move() -> None:
    state, flight = in_wind("tailwind", fuel=0)
    at = table(state, *GUZZLES, 1, 1, 1, 1)
    run(winds.wind(at), {"8.2.1": "west"})
    assert (flight.zone, "flies on" in log_text(at), state.sky.flights) == ("Z3", False, [])
