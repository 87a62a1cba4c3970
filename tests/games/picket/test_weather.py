"""Weather, storms and typhoons."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.picket.helpers import picket, run, said, table

from readyroom.games.picket import anchorage, sequence, station, support, weather
from readyroom.games.picket.state import Picket


def midday(**options: Any) -> Picket:
    return picket(phase="midday-weather", turn=10, **options)


@pytest.mark.rule("picket", "6.1", "6.1.A")
def test_the_basic_game_has_clear_skies() -> None:
    state = midday(game="basic")
    weather.weather(table(state))
    assert state.sea.weather == "clear"


@pytest.mark.rule("picket", "6.2", "6.2.A", "P42")
def test_the_first_phase_of_all_is_clear_and_no_other() -> None:
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
@pytest.mark.parametrize(("before", "found"), [("clear", "clear"), ("rain", "rain"), ("storm", "rain")])
def test_one_is_taken_off_after_bad_weather(before: str, found: str) -> None:
    state = midday()
    state.sea.weather = before  # type: ignore[assignment]
    weather.weather(table(state, 3, 3, 5))
    assert state.sea.weather == found


@pytest.mark.rule("picket", "6.2.F", "P4")
def test_in_rain_they_come_on_five_and_at_night_they_need_another_five() -> None:
    for face, away in ((4, True), (5, False)):
        state = midday()
        at = table(state, 1, 3, face)
        weather.weather(at)
        assert state.sea.away == weather.hides(table(state)) == away
        assert said(at, "6.2").endswith(f"In the rain the Japanese {'stay away' if away else 'may still come'}.")
    night = picket(phase="night-weather", turn=10)
    weather.weather(table(night, 1, 3, 5))
    for face, told in ((4, "stay away"), (5, "come, in half their number")):
        at = table(night, face)
        assert weather.hides(at) == (face < 5)
        assert said(at, "6.6.M") == f"At night the Japanese {told}."


@pytest.mark.rule("picket", "6.2.E", "6.2.F", "6.5.A")
def test_where_rain_keeps_them_away_no_support_is_rolled_for_and_the_next_phase_is_another_matter() -> None:
    state = midday()
    weather.weather(table(state, 1, 3, 4))
    support.air_support(table(state))
    assert (state.sea.air, state.sea.markers) == ({}, 0)
    weather.weather(table(state, 6, 6))
    assert not state.sea.away
    assert not weather.hides(table(state))
    support.air_support(table(state, 1, 1))
    assert state.sea.air_shift == -2


@pytest.mark.rule("picket", "6.3", "7.3.Q", "P27")
@pytest.mark.parametrize(("dice", "lost"), [((3, 4), True), ((4, 4), False)])
def test_whoever_turns_back_without_a_hull_may_sink_on_the_way(dice: tuple[int, int], lost: bool) -> None:
    state = midday()
    state.ship.hull = 2
    weather.weather(table(state, 1, 1, 5, 5, 1, 2, *dice))
    assert state.ship.hull == 0
    assert bool(state.ship.lost) == lost
    assert state.ship.leaves == ("storm" if lost else "disabled")


@pytest.mark.rule("picket", "6.3", "6.3.A")
def test_squalls_keep_everybody_away_and_do_nothing() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 4, 5))
    assert state.sea.weather == "storm"
    assert state.ship.hull == 10
    assert weather.hides(table(state))


@pytest.mark.rule("picket", "6.3.A")
def test_the_edge_of_a_typhoon_is_one_roll_for_damage() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 5, 5, 1, 3))
    assert state.ship.hull == 8
    assert not state.sea.days_lost


@pytest.mark.rule("picket", "6.3.B", "6.3.B.1", "6.3.B.2", "P42")
def test_a_typhoon_that_does_no_harm_costs_days_only() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 6, 6, 6, 6, 6))
    assert state.sea.days_lost == 5
    assert state.ship.hull == 10
    assert sequence.next_phase(state).phase == "anchorage"
    state.at = sequence.next_phase(state)
    run(anchorage.anchorage(table(state)))
    assert sequence.next_phase(state).turn == 16


@pytest.mark.rule("picket", "6.3.B")
def test_a_storm_that_did_harm_once_has_done_harm_though_the_last_roll_did_none() -> None:
    state = midday()
    assert weather._battered(table(state, 1, 3, 6, 6), 2)
    assert state.ship.hull == 8
    assert not weather._battered(table(state, 6, 6, 6, 6), 2)


@pytest.mark.rule("picket", "6.3.B.3")
def test_a_ship_that_founders_is_replaced_on_the_day_after_the_typhoon() -> None:
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
def test_a_ship_that_turns_back_is_battered_no_more_and_mended_by_a_table_of_its_own() -> None:
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
def test_whoever_loses_the_last_of_her_hull_in_a_typhoon_leaves_at_once() -> None:
    state = midday()
    state.ship.hull = 1
    weather.weather(table(state, 1, 1, 6, 6, 1, 2, 3, *[6] * 10, 6, 6))
    assert state.ship.leaves == "disabled"


@pytest.mark.rule("picket", "8.2.A")
def test_a_new_day_begins_with_guns_that_have_not_fired() -> None:
    state = midday()
    state.tally.fired = state.tally.sprayed = True
    station.assign(table(state))
    assert not state.tally.fired
    assert not state.tally.sprayed


@pytest.mark.rule("picket", "6.3.B", "6.3.B.4")
def test_a_ship_that_nearly_founders_loses_hull_and_turns_back() -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 5, 5, 1, 1, 2))
    assert (state.ship.hull, state.ship.leaves, state.ship.lost, state.sea.storm) == (7, "storm", "", "typhoon-edge")
    assert sequence.next_phase(state).phase == "anchorage"


@pytest.mark.rule("picket", "6.3.B.2")
@pytest.mark.parametrize(("dice", "hull", "radar"), [((2, 2), 8, 0), ((2, 3), 9, 0), ((3, 3), 10, 1), ((3, 4), 10, 0)])
def test_what_a_storm_does_to_a_ship_that_stays(dice: tuple[int, int], hull: int, radar: int) -> None:
    state = midday()
    weather.weather(table(state, 1, 1, 5, 5, *dice))
    assert (state.ship.hull, state.ship.gear["radar-sg"].hits, state.ship.leaves) == (hull, radar, "")


@pytest.mark.rule("picket", "6.2", "4.0")
def test_a_ship_at_the_anchorage_has_no_weather() -> None:
    state = midday()
    state.sea.station = 0
    weather.weather(table(state))
    assert state.sea.weather == "clear"


@pytest.mark.rule("picket", "6.3", "7.3.Q", "P27")
def test_a_hull_that_is_gone_in_a_storm_is_looked_at_when_the_phase_ends() -> None:
    state = midday()
    state.ship.hull = 2
    weather.weather(table(state, 1, 1, 5, 5, 2, 2))
    assert (state.ship.hull, state.ship.leaves, state.ship.lost) == (0, "", "")


@pytest.mark.rule("picket", "6.3", "6.3.B.3", "7.3.Q")
def test_a_ship_that_has_foundered_without_a_hull_does_not_sink_once_more() -> None:
    state = midday()
    state.ship.hull = 1
    at = table(state, 1, 1, 6, 6, 1, 2, 3, 1, 1, 1)
    weather.weather(at)
    assert (state.ship.hull, state.ship.lost) == (0, "foundered in the typhoon")
    assert not said(at, "7.3.Q")
