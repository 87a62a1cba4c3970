"""Tests of air support: types, values, markers, effects."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.games.picket.helpers import CHIT, DATA, attacked, log_text, picket, plane, run, table

from readyroom.games.picket.combat import attack, fire, special
from readyroom.games.picket.state import Picket
from readyroom.games.picket.station import support


def sky(turn: int = 20, **options: Any) -> Picket:
    """Return a state in the morning air phase; turn 24 (16 April) is a great raid day, turn 26 is not."""
    return picket(phase="morning-air", turn=turn, **options)


@pytest.mark.rule("picket", "6.5", "6.5.A", "6.5.B", "6.5.C", "6.5.D", "6.5.J", "P9", "1.4")
def test_air_support_chits_shift_column() -> None:
    state = sky(26)
    support.air_support(table(state, 5, 5, CHIT[2], CHIT[-1], 3, 4, 6, 6))
    assert state.sea.air == {"carrier": 2, "land": -1}
    assert state.sea.air_shift == 1
    assert state.sea.markers == 2 + 2
    assert ("air support", 1) in attack.shifts(state, DATA)


@pytest.mark.rule("picket", "6.5.H", "P9")
def test_no_air_support_shifts_two() -> None:
    state = sky(26)
    support.air_support(table(state, 1, 1))
    assert (state.sea.air_shift, state.sea.markers) == (-2, 0)
    support.air_support(table(state, 3, 4, CHIT[-2], 1, 1))
    assert (state.sea.air_shift, state.sea.markers) == (-2, 0)
    assert state.sea.air


@pytest.mark.rule("picket", "6.5.B")
def test_early_air_support_is_carriers_only() -> None:
    state = sky(1)
    support.air_support(table(state, 6, 6, CHIT[0], 3, 4))
    assert state.sea.air == {"carrier": 0}


@pytest.mark.rule("picket", "6.5.I", "6.7.A", "6.7.B", "6.7.D", "P9")
def test_great_raid_uses_marker_table() -> None:
    state = sky()
    support.air_support(table(state, 6, 5))
    assert state.sea.markers == 4
    assert not state.sea.air
    basic = sky(game="basic")
    support.air_support(table(basic, 1, 1))
    assert basic.sea.air_shift == -2


@pytest.mark.rule("picket", "6.5.I", "P55")
def test_great_raid_off_date_uses_own_markers() -> None:
    state = sky(26)
    state.plan = msgspec.structs.replace(state.plan, raids=[("kikusui", "kikusui", "kikusui")])
    support.air_support(table(state, 6, 5))
    assert (state.sea.air, state.sea.markers) == ({}, 4)


@pytest.mark.rule("picket", "6.5.H", "6.5.I", "6.5.J")
def test_ordinary_attack_on_raid_date_uses_daily_support() -> None:
    state = sky()
    state.plan = msgspec.structs.replace(state.plan, raids=[("roll", "roll", "roll")])
    support.air_support(table(state, 1, 1))
    assert (state.sea.air, state.sea.air_shift) == ({}, -2)


@pytest.mark.rule("picket", "6.5.E", "6.8.O")
def test_air_marker_fires_once_on_six() -> None:
    state = attacked(sky(), plane("180M"), plane("180L", number=2))
    state.sea.markers = 2
    for mount in state.ship.mounts.values():
        mount.hits = 3
    at = table(state, 5)
    run(fire.defensive_fire(at), {"6.8.O": ["air-zero-1"]})
    assert state.sea.markers == 1
    assert log_text(at, "6.8.O").startswith("Supporting planes miss the Zero (180° medium).")
    at = table(state, 6)
    run(fire.defensive_fire(at), {"6.8.O": ["air-zero-2"]})
    assert state.sea.markers == 0
    assert log_text(at, "6.8.O").startswith("Supporting planes shoot down the Zero (180° low).")
    assert state.wave.planes[1].fate == "destroyed"


@pytest.mark.rule("picket", "6.5.F", "6.9.D")
def test_kept_marker_fires_at_special() -> None:
    bomber = plane(kind="judy", weapon="bomb")
    state = attacked(sky(), specials=[bomber])
    state.sea.markers = 1
    run(special.special_fire(table(state, 2, 6)), {"6.9.E": "air-judy-bomb-1"})
    assert bomber.fate == "destroyed"
    assert state.sea.markers == 0
    assert state.ship.ammunition == 10


@pytest.mark.rule("picket", "7.8.2.G")
def test_damaged_radio_room_loses_marker() -> None:
    state = sky()
    state.ship.rooms["radio"].hits = 1
    support.air_support(table(state, 6, 5))
    assert state.sea.markers == 3


@pytest.mark.rule("picket", "11.4")
@pytest.mark.parametrize(("option", "fate"), [("no", ""), ("yes", "destroyed")])
def test_twin_engine_option_hits_on_five(option: str, fate: str) -> None:
    state = attacked(sky(twin_engines=option), plane("180M", "betty"))
    state.sea.markers = 1
    for mount in state.ship.mounts.values():
        mount.hits = 3
    run(fire.defensive_fire(table(state, 5)), {"6.8.O": ["air-betty-1"]})
    assert state.wave.planes[0].fate == fate


@pytest.mark.rule("picket", "5.2.C", "6.5.E", "6.8.O", "P10")
@pytest.mark.parametrize(("kind", "left"), [("air", (0, 1)), ("surface", (1, 0))])
def test_air_and_surface_markers_are_separate(kind: str, left: tuple[int, int]) -> None:
    state = attacked(sky(), plane("180M"), surface=1)
    state.sea.markers = 1
    for mount in state.ship.mounts.values():
        mount.hits = 3
    run(fire.defensive_fire(table(state, 5)), {"6.8.O": lambda one: [key for key in one.keys if key.startswith(kind)]})
    assert (state.sea.markers, state.raid.surface) == left
    assert state.ship.surface == 1


@pytest.mark.rule("picket", "11.4")
@pytest.mark.parametrize(("kind", "target"), [("surface", "betty"), ("air", "zero")])
def test_twin_engine_option_limits(kind: str, target: str) -> None:
    state = attacked(sky(twin_engines="yes"), plane("180M", target), surface=1)
    state.sea.markers = 1
    for mount in state.ship.mounts.values():
        mount.hits = 3
    run(fire.defensive_fire(table(state, 5)), {"6.8.O": lambda one: [key for key in one.keys if key.startswith(kind)]})
    assert state.wave.planes[0].fate == ""


@pytest.mark.rule("picket", "6.5.A", "6.3.A", "4.0")
@pytest.mark.parametrize(("weather", "station"), [("storm", 9), ("clear", 0)])
def test_storm_or_anchorage_allows_no_air_support(weather: str, station: int) -> None:
    state = sky(26)
    state.sea.weather, state.sea.station, state.sea.markers = weather, station, 2  # type: ignore[assignment]
    support.air_support(table(state))
    assert (state.sea.markers, state.sea.air_shift) == (0, 0)


@pytest.mark.rule("picket", "6.5.B")
@pytest.mark.parametrize(("turn", "types"), [(14, ["carrier"]), (15, ["carrier", "land"])])
def test_air_column_includes_last_day(turn: int, types: list[str]) -> None:
    state = sky(turn, game="basic")
    support.air_support(table(state, 6, 6, CHIT[0], *([CHIT[-2]] if len(types) > 1 else []), *[3, 4] * len(types)))
    assert list(state.sea.air) == types


@pytest.mark.rule("picket", "7.8.2.G")
def test_no_markers_radio_room_loses_none() -> None:
    state = sky()
    state.ship.rooms["radio"].hits = 1
    at = table(state, 1, 1)
    support.air_support(at)
    assert (state.sea.markers, log_text(at, "7.8.2.G")) == (0, "")
