"""Tests of stations, the fighter direction team, surface support and radar."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.picket.helpers import CHIT, DATA, attacked, hit, log_text, picket, plane, run, table

from readyroom.games.picket.combat import attack, fire, special
from readyroom.games.picket.ending import upkeep
from readyroom.games.picket.state import Picket, Wave
from readyroom.games.picket.station import support


def unassigned(scenario: str = "okinawa", turn: int = 9, **options: Any) -> Picket:
    """Return a ship without a station; turn 9 of the campaign is 1 April."""
    state = picket(scenario, "station", turn, **options)
    state.sea.station = 0
    return state


def shift(state: Picket, name: str) -> int:
    """Return the column shift of this name."""
    return dict(attack.shifts(state, DATA))[name]


@pytest.mark.rule("picket", "4.0")
def test_scenario_sets_station_team_and_support() -> None:
    state = unassigned("cassin-young", 1)
    at = table(state)
    support.assign(at)
    assert (state.sea.station, state.ship.team, state.ship.surface) == (1, True, 2)
    assert log_text(at, "5.1") == "A fighter direction team is on board."
    support.assign(at := table(unassigned("evans", 1)))
    assert log_text(at, "5.1") == "No fighter direction team is on board."


@pytest.mark.rule("picket", "4.0")
def test_scenario_settings_apply_to_first_day() -> None:
    state = unassigned("cassin-young", 2)
    support.assign(table(state, 6, 6, 3, 4, 6, 5))
    assert (state.sea.station, state.ship.team, state.ship.surface) == (15, True, 3)


@pytest.mark.rule("picket", "4.0", "P47")
def test_advanced_game_station_table_by_date() -> None:
    state = unassigned()
    support.assign(table(state, 6, 6, 3, 4, 6, 5))
    assert state.sea.station == 15


@pytest.mark.rule("picket", "4.0")
def test_unmanned_station_is_rerolled() -> None:
    state = unassigned(turn=10)
    support.assign(table(state, 4, 4, 1, 1, 3, 4, 6, 5))
    assert state.sea.station == 1


@pytest.mark.rule("picket", "4.0")
def test_no_station_on_25_march() -> None:
    state = unassigned(turn=2)
    support.assign(table(state))
    assert state.sea.station == 0


@pytest.mark.rule("picket", "4.0")
@pytest.mark.parametrize(("third", "count"), [(3, 1), (4, 2)])
def test_basic_game_station_table(third: int, count: int) -> None:
    state = unassigned(game="basic")
    support.assign(table(state, 1, 1, third, 3, 4, 6, 5))
    assert state.sea.station == count


@pytest.mark.rule("picket", "4.0", "P52")
def test_ship_keeps_discontinued_station() -> None:
    state = picket(phase="station", turn=60)
    state.sea.station = 1
    support.assign(table(state))
    assert state.sea.station == 1


@pytest.mark.rule("picket", "5.1", "5.1.A", "5.1.B", "5.2", "5.2.A", "5.2.B", "5.2.H", "5.0")
def test_team_and_gunboats_shift_column() -> None:
    state = unassigned()
    support.assign(table(state, 3, 4, 3, 4, 6, 5))
    assert state.ship.team
    assert state.ship.surface == 3
    assert shift(state, "fighter direction team") == 1
    assert shift(state, "surface support") == 3
    state = unassigned()
    support.assign(table(state, 3, 4, 3, 3, 2, 2))
    assert not state.ship.team
    assert state.ship.surface == 0
    assert shift(state, "no fighter direction team") == -1
    assert shift(state, "no surface support") == -2


@pytest.mark.rule("picket", "5.1.C", "P43", "7.3.W")
def test_lost_team_returns_with_new_station() -> None:
    state = picket()
    state.ship.team = True
    hit(table(state, 1, 2), "random", "forward", "bow")
    assert not state.ship.team
    assert shift(state, "no fighter direction team") == -1
    support.assign(table(state))
    assert not state.ship.team


@pytest.mark.rule("picket", "5.2.C", "5.2.D", "5.2.E", "6.8.O", "6.9.E")
def test_gunboat_fires_once_wave() -> None:
    diver = plane("0H", "zero", weapon="bomb", section="forward")
    state = attacked(picket(), plane("180L"), specials=[diver], surface=2)
    for mount in state.ship.mounts.values():
        mount.hits = 3
    run(fire.defensive_fire(table(state, 1)), {"6.8.O": ["surface-zero-1"]})
    assert state.raid.surface == 1
    run(special.special_fire(table(state, 1, 6)), {"6.9.E": "surface-zero-bomb-1"})
    assert state.raid.surface == 0
    assert diver.fate == "destroyed"
    assert state.ship.surface == 2


@pytest.mark.rule("picket", "5.2.F", "P10")
def test_gunboat_is_spent_with_target() -> None:
    state = attacked(picket(), plane("180L"), plane("180M", number=2), surface=2)
    for mount in state.ship.mounts.values():
        mount.hits = 3
    at = table(state, 6)
    run(fire.defensive_fire(at), {"6.8.O": ["surface-zero-1", "surface-zero-1"]})
    assert state.raid.surface == 0
    assert state.wave.planes[1].fate == ""


@pytest.mark.rule("picket", "5.2.G", "P11")
@pytest.mark.parametrize(("chit", "left"), [(1, 2), (0, 1), (-1, 1)])
def test_positive_chit_replaces_gunboat(chit: int, left: int) -> None:
    state = attacked(picket(game="basic"), surface=2)
    hit(table(state, 1, 3), "random", "forward", "bow")
    assert state.ship.surface == 1
    support.turn_begins(table(state, CHIT[chit]))
    support.turn_begins(table(state))
    assert state.ship.surface == left


@pytest.mark.rule("picket", "5.3", "5.3.A", "5.3.B", "5.3.C", "5.3.D")
def test_land_radar_rolled_from_date() -> None:
    assert [(radar.name, radar.since) for radar in DATA.calendar.land_radar] == [
        ("Hado", "04-21"),
        ("Ie Shima", "04-23"),
        ("Zamani", "05-10"),
        ("Naganni", "06-08"),
    ]
    state = picket(phase="radar", turn=29)
    support.turn_begins(table(state, 3, 4))
    assert state.sea.land_radars == []
    support.turn_begins(table(state, 4, 4))
    assert state.sea.land_radars == ["Hado"]
    basic = picket(phase="radar", turn=90, game="basic")
    support.turn_begins(table(basic))
    assert basic.sea.land_radars == []


@pytest.mark.rule("picket", "5.3.F", "P44")
def test_disabled_land_radar_is_rolled_again() -> None:
    state = picket(turn=60)
    state.sea.land_radars = ["Hado", "Ie Shima", "Zamani"]
    at = table(state, 6, 6, 6, 6, 2)
    state.sea.air_shift = -2
    attack._random(table(state, 6, 6, 2))
    assert state.sea.land_radars == ["Hado", "Zamani"]
    assert shift(state, "land radar") == 1
    support.turn_begins(table(state, 6, 6))
    assert "Ie Shima" in state.sea.land_radars
    assert shift(state, "land radar") == 2
    assert log_text(at) == ""


@pytest.mark.rule("picket", "5.3.1", "5.3.1.A", "5.3.1.B", "5.3.1.C", "5.3.1.D")
@pytest.mark.parametrize(("sg", "sc", "worth"), [(0, 0, 1), (1, 0, 0), (1, 1, 0), (2, 0, -1), (1, 2, -1), (2, 2, -1)])
def test_ship_radars_shift_column(sg: int, sc: int, worth: int) -> None:
    state = picket()
    state.ship.gear["radar-sg"].hits, state.ship.gear["radar-sc"].hits = sg, sc
    assert support.ship_radar(state, DATA) == worth


@pytest.mark.rule("picket", "5.3.1.F", "7.8.2.I", "8.4", "8.4.A")
def test_both_radars_destroyed_force_departure() -> None:
    state = picket(phase="morning-end")
    state.ship.gear["radar-sg"].hits = state.ship.gear["radar-sc"].hits = 2
    run(upkeep.phase_ends(table(state)))
    assert state.ship.leaves == "radar"


@pytest.mark.rule("picket", "6.6.O")
def test_new_station_returns_attack_ends() -> None:
    state = unassigned()
    state.pool.ends = [state.pool.cup.contents.pop()]
    state.raid.waves = [Wave([], [])]
    support.assign(table(state, 3, 4, 3, 4, 6, 5))
    assert state.pool.ends == []
    assert sum(one.ends for one in state.pool.cup.contents) == 8


@pytest.mark.rule("picket", "5.2.G", "P11", "P49")
def test_two_lost_gunboats_draw_two_chits() -> None:
    state = picket(game="basic")
    state.ship.surface_lost = 2
    support.turn_begins(table(state, 17, 17))
    assert state.ship.surface == 2
    third = picket(game="basic")
    third.ship.surface_lost = 3
    at = table(third, 17, 17, 16)
    support.turn_begins(at)
    assert log_text(at, "5.2.G").count("+2") == 2


@pytest.mark.rule("picket", "5.2.H", "4.0", "6.3.B.1")
def test_new_station_resets_support() -> None:
    state = unassigned()
    state.ship.surface_lost, state.sea.days_lost = 2, 3
    support.assign(table(state, 3, 4, 3, 4, 6, 5))
    assert (state.ship.surface_lost, state.sea.days_lost) == (0, 0)


@pytest.mark.rule("picket", "4.0", "P52")
@pytest.mark.parametrize(("turn", "dice", "count"), [(1, (3,), 5), (1, (4,), 9), (2, (), 0), (3, (), 9), (6, (), 9)])
def test_march_calendar_names_station_or_none(turn: int, dice: tuple[int, ...], count: int) -> None:
    state = unassigned()
    state.at = type(state.at)(turn, "station")
    support.assign(table(state, *dice, *((6, 6, 4, 4) if count else ())))
    assert state.sea.station == count


@pytest.mark.rule("picket", "5.3.B", "5.2.G")
def test_no_station_skips_turn_start_rolls() -> None:
    state = picket(phase="radar", turn=60)
    state.sea.station, state.ship.surface_lost = 0, 1
    support.turn_begins(table(state))
    assert state.sea.land_radars == []


@pytest.mark.rule("picket", "6.2.C")
def test_weather_resets_after_anchorage() -> None:
    state = unassigned("cassin-young", 1)
    state.sea.weather, state.sea.days_lost = "rain", 2
    support.assign(table(state))
    assert str(state.sea.weather) == "clear"


@pytest.mark.rule("picket", "6.2.C")
def test_weather_carries_over_on_station() -> None:
    state = picket(phase="station", turn=26)
    state.sea.weather = "rain"
    support.assign(table(state))
    assert state.sea.weather == "rain"
