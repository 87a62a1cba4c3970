"""Tests of weather, storms and typhoons."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.picket.helpers import log_text, picket, run, table

from readyroom.games.picket import sequence
from readyroom.games.picket.combat import attack
from readyroom.games.picket.ending import anchorage
from readyroom.games.picket.state import Picket
from readyroom.games.picket.station import support, weather


def midday(**options: Any) -> Picket:
    return picket(phase="midday-weather", turn=10, **options)


@pytest.mark.rule("picket", "6.1", "6.1.A")
def test_basic_game_weather_is_clear() -> None:
    state = midday(game="basic")
    weather.weather(table(state))
    assert state.sea.weather == "clear"


@pytest.mark.rule("picket", "6.2", "6.2.A", "P42")
def test_first_phase_alone_is_always_clear() -> None:
    state = picket(phase="morning-weather", turn=1)
    weather.weather(table(state))
    state = picket(phase="midday-weather", turn=1)
    weather.weather(table(state, 1, 2, 5))
    assert state.sea.weather == "rain"
    tomorrow = picket(phase="morning-weather", turn=2)
    weather.weather(table(tomorrow, 1, 2, 5))
    assert tomorrow.sea.away is False
    assert tomorrow.sea.weather == "rain"


@pytest.mark.rule("picket", "6.2.B", "6.2.C")
@pytest.mark.parametrize(("before", "name"), [("clear", "clear"), ("rain", "rain"), ("storm", "rain")])
def test_weather_roll_minus_one_after_bad_weather(before: str, name: str) -> None:
    state = midday()
    state.sea.weather = before  # type: ignore[assignment]
    weather.weather(table(state, 3, 3, 5))
    assert state.sea.weather == name


@pytest.mark.rule("picket", "6.2.F", "P4")
def test_rain_and_night_attack_on_five() -> None:
    for face, away in ((4, True), (5, False)):
        state = midday()
        at = table(state, 1, 3, face)
        weather.weather(at)
        assert state.sea.away == attack.hides(table(state)) == away
        assert log_text(at, "6.2").endswith(
            f"In the rain the Japanese {'do not attack' if away else 'may still attack'}."
        )
    night = picket(phase="night-weather", turn=10)
    weather.weather(table(night, 1, 3, 5))
    for face, sentence in ((4, "do not attack"), (5, "attack at half strength")):
        at = table(night, face)
        assert attack.hides(at) == (face < 5)
        assert log_text(at, "6.6.M") == f"The Japanese {sentence} tonight."


@pytest.mark.rule("picket", "6.2.E", "6.2.F", "6.5.A")
def test_rain_without_attack_skips_support() -> None:
    state = midday()
    weather.weather(table(state, 1, 3, 4))
    support.air_support(table(state))
    assert (state.sea.air, state.sea.markers) == ({}, 0)
    weather.weather(table(state, 6, 6))
    assert not state.sea.away
    assert not attack.hides(table(state))
    support.air_support(table(state, 1, 1))
    assert state.sea.air_shift == -2


@pytest.mark.rule("picket", "6.3", "7.3.Q", "P27")
@pytest.mark.parametrize(("dice", "lost"), [((3, 4), True), ((4, 4), False)])
def test_returning_ship_without_hull_may_sink(dice: tuple[int, int], lost: bool) -> None:
    state = midday()
    state.ship.hull = 2
    weather.weather(table(state, 1, 1, 5, 5, 1, 2, *dice))
    assert state.ship.hull == 0
    assert bool(state.ship.lost) == lost
    assert state.ship.leaves == ("storm" if lost else "disabled")


@pytest.mark.rule("picket", "6.3", "6.3.A")
def test_squalls_prevent_attack_without_damage() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 4, 5))
    assert state.sea.weather == "storm"
    assert state.ship.hull == 10
    assert attack.hides(table(state))


@pytest.mark.rule("picket", "6.3.A")
def test_typhoon_edge_is_one_damage_roll() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 5, 5, 1, 3))
    assert state.ship.hull == 8
    assert not state.sea.days_lost


@pytest.mark.rule("picket", "6.3.B", "6.3.B.1", "6.3.B.2", "P42")
def test_harmless_typhoon_costs_days() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 6, 6, 6, 6, 6))
    assert state.sea.days_lost == 5
    assert state.ship.hull == 10
    assert sequence.next_phase(state).phase == "anchorage"
    state.at = sequence.next_phase(state)
    run(anchorage.anchorage(table(state)))
    assert sequence.next_phase(state).turn == 16


@pytest.mark.rule("picket", "6.3.B")
def test_battered_returns_true_after_any_damage() -> None:
    state = midday()
    assert weather._battered(table(state, 1, 3, 6, 6), 2)
    assert state.ship.hull == 8
    assert not weather._battered(table(state, 6, 6, 6, 6), 2)


@pytest.mark.rule("picket", "6.3.B.3")
def test_foundered_ship_is_replaced_after_typhoon() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 6, 6, 1, 1, 1, 1))
    assert state.ship.lost
    state.at = sequence.next_phase(state)
    old = state.ship.name
    run(anchorage.anchorage(table(state, 1, *[7] * 6, *[9] * 3)))
    assert state.ship.name != old
    assert not state.sea.station
    assert sequence.next_phase(state).turn == 13


@pytest.mark.rule("picket", "6.3.B.4", "9.D")
def test_returning_ship_uses_storm_repairs() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 6, 6, 1, 1, 2))
    assert state.ship.leaves == "storm"
    assert state.ship.hull == 8
    state.at = sequence.next_phase(state)
    run(anchorage.anchorage(table(state, 3)))
    assert state.sea.days_lost == 2 + 5
    assert state.ship.hull == 10
    assert not state.sea.station


@pytest.mark.rule("picket", "8.4.A", "6.3.B.2")
def test_hull_lost_in_typhoon_forces_departure() -> None:
    state = midday()
    state.ship.hull = 1
    weather.weather(table(state, 1, 1, 6, 6, 1, 2, 3, *[6] * 10, 6, 6))
    assert state.ship.leaves == "disabled"


@pytest.mark.rule("picket", "8.2.A")
def test_new_day_resets_fired_flag() -> None:
    state = midday()
    state.tally.fired = state.tally.sprayed = True
    support.assign(table(state))
    assert not state.tally.fired
    assert not state.tally.sprayed


@pytest.mark.rule("picket", "6.3.B", "6.3.B.4")
def test_near_foundering_costs_hull_and_turns_back() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 5, 5, 1, 1, 2))
    assert (state.ship.hull, state.ship.leaves, state.ship.lost, state.sea.storm) == (7, "storm", "", "typhoon-edge")
    assert sequence.next_phase(state).phase == "anchorage"


@pytest.mark.rule("picket", "6.3.B.2")
@pytest.mark.parametrize(("dice", "hull", "radar"), [((2, 2), 8, 0), ((2, 3), 9, 0), ((3, 3), 10, 1), ((3, 4), 10, 0)])
def test_storm_damage_results(dice: tuple[int, int], hull: int, radar: int) -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 5, 5, *dice))
    assert (state.ship.hull, state.ship.gear["radar-sg"].hits, state.ship.leaves) == (hull, radar, "")


@pytest.mark.rule("picket", "6.2", "4.0")
def test_anchored_ship_has_no_weather() -> None:
    state = midday()
    state.sea.station = 0
    weather.weather(table(state))
    assert state.sea.weather == "clear"


@pytest.mark.rule("picket", "6.3", "7.3.Q", "P27")
def test_hull_lost_in_storm_checked_at_phase_end() -> None:
    state = midday()
    state.ship.hull = 2
    weather.weather(table(state, 1, 1, 5, 5, 2, 2))
    assert (state.ship.hull, state.ship.leaves, state.ship.lost) == (0, "", "")


@pytest.mark.rule("picket", "6.3", "6.3.B.3", "7.3.Q")
def test_foundered_ship_does_not_sink_again() -> None:
    state = midday()
    state.ship.hull = 1
    at = table(state, 1, 1, 6, 6, 1, 2, 3, 1, 1, 1)
    weather.weather(at)
    assert (state.ship.hull, state.ship.lost) == (0, "foundered in the typhoon")
    assert not log_text(at, "7.3.Q")
