"""Tests of Japanese attacks: column, number of planes, waves."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.games.picket.helpers import DATA, attacked, log_text, picket, plane, table

from readyroom.engine.match import Match
from readyroom.games.picket import GAME
from readyroom.games.picket.combat import attack
from readyroom.games.picket.combat.attack import Place
from readyroom.games.picket.combat.strike import cleared
from readyroom.games.picket.state import Picket
from readyroom.games.picket.station import weather


def quiet(phase: str = "morning-attack", turn: int = 26, **options: Any) -> Picket:
    """Return a ship without support, with both radars: column 0 with a team."""
    state = picket(phase=phase, turn=turn, **options)
    state.sea.air_shift, state.sea.station = 2, 4
    return state


def places(*texts: str) -> list[Place]:
    return [attack.place(text) for text in texts]


@pytest.mark.rule("picket", "6.6", "6.6.B", "6.6.C", "6.6.E", "6.6.F", "P1")
def test_attack_by_column_and_letter_places_planes() -> None:
    state = quiet()
    assert attack.column(state, DATA) == 0
    attack.attack(table(state, 2, 2, 1, 1, draws=["zero-1"]))
    assert [(one.bearing, one.height) for one in state.wave.planes] == [(0, "H")]
    assert state.tally.planes == 1


@pytest.mark.rule("picket", "6.6.B")
def test_attack_column_is_logged_with_shifts() -> None:
    state = quiet()
    state.sea.air_shift = 1
    at = table(state, 5, 5)
    attack.attack(at)
    sentence = "no fighter direction team −1, no surface support −2, no air support +1, ship's radar +1"
    assert log_text(at, "6.6.B") == f"Attack column is −1 ({sentence})."


@pytest.mark.rule("picket", "6.6.B")
def test_attack_column_is_clamped_to_table() -> None:
    state = quiet()
    state.sea.air_shift = 20
    assert attack.column(state, DATA) == 6
    state.sea.air_shift = -20
    assert attack.column(state, DATA) == -4


@pytest.mark.rule("picket", "6.6.C", "7.8.2.J", "P3", "P45")
def test_attack_dice_add_rain_station_and_lost_rooms() -> None:
    state = quiet()
    state.sea.weather, state.sea.station = "rain", 1
    state.ship.rooms["bridge"].destroyed = state.ship.rooms["radio"].destroyed = True
    assert [value for _, value in attack.dice_modifiers(state, DATA)] == [-2, 1, -2]


@pytest.mark.rule("picket", "7.8.2.G")
def test_team_without_cic_gives_no_shift() -> None:
    state = quiet()
    state.ship.team = True
    state.ship.rooms["cic"].hits = 1
    assert ("fighter direction team", 0) in attack.shifts(state, DATA)


@pytest.mark.rule("picket", "6.6.D", "2.0.E")
def test_random_attack_uses_set_aside_special() -> None:
    state = quiet()
    attack.attack(table(state, 6, 6, 1, 1))
    assert [one.key for one in state.wave.specials] == ["betty-ohka-1"]
    assert not state.wave.planes
    again = quiet()
    again.pool.aside = [one for one in again.pool.aside if one.plane != "betty"]
    attack.attack(table(again, 6, 6, 1, 1))
    assert not again.raid.waves


@pytest.mark.rule("picket", "6.6.G")
@pytest.mark.parametrize(("planes", "waves"), [(1, [1]), (5, [3, 2]), (9, [3, 3, 3]), (18, [6, 6, 6])])
def test_planes_are_split_into_waves(planes: int, waves: list[int]) -> None:
    state = quiet()
    draws = [f"zero-{number}" for number in range(1, 17)] + ["oscar-1", "oscar-2"]
    attack.draw(table(state, draws=draws), places("0H") * planes, specials=True)
    assert [len(wave.planes) for wave in state.raid.waves] == waves


@pytest.mark.rule("picket", "6.6.J", "6.6.K", "P6")
def test_special_attackers_two_per_wave_rest_returned() -> None:
    state = quiet()
    draws = ["val-bomb-2", "val-bomb-3", "zero-bomb-2", "zero-1"]
    attack.draw(table(state, draws=draws), places("0H"), specials=True)
    assert [one.key for one in state.wave.specials] == ["val-bomb-2", "val-bomb-3"]
    assert [one.key for one in state.wave.planes] == ["zero-1"]
    assert "zero-bomb-2" in {one.key for one in state.pool.cup.contents}


@pytest.mark.rule("picket", "6.6.G")
def test_empty_pool_limits_attack() -> None:
    state = quiet()
    state.pool.cup.contents = [plane("0H")]
    at = table(state, draws=["zero-1"])
    attack.draw(at, places("45H", "0M"), specials=True)
    assert log_text(at, "6.6.G") == "One wave attacks: Zero (045° high)."
    assert [len(wave.planes) for wave in state.raid.waves] == [1]
    assert state.tally.planes == 1


@pytest.mark.rule("picket", "6.6.G", "6.6.K")
def test_waves_are_logged_with_positions() -> None:
    at = table(quiet(), draws=["zero-1", "val-bomb-2", "zero-2", "zero-3", "oscar-1", "zero-4"])
    attack.draw(at, places("090M", "180H", "0L", "45H", "270L"), specials=True)
    assert (
        "2 waves attack: Zero (090° medium), Zero (180° high), Zero (000° low), Val with a bomb; Oscar (045° high), "
        "Zero (270° low)." in log_text(at)
    )


@pytest.mark.rule("picket", "6.6.M", "P5")
def test_night_attack_has_half_planes() -> None:
    state = quiet("night-attack")
    at = table(state, 5, 2, 2, 5, 6, draws=["zero-1", "zero-2"])
    attack.attack(at)
    assert [(one.bearing, one.height) for one in state.wave.planes] == [(180, "H"), (180, "M")]
    assert log_text(at, "6.6.F") == "2 planes attack from 180° high, 180° medium."
    picket = quiet("night-attack")
    at = table(picket, 6, 2, 2, 1, 1)
    attack.attack(at)
    assert not picket.raid.waves
    assert log_text(at, "6.6.F") == "No planes attack at night."
    away = quiet("night-attack")
    attack.attack(table(away, 4))
    assert not away.raid.waves


@pytest.mark.rule("picket", "6.6.N", "6.6.O", "P7")
def test_attack_end_marker_returns_planes_and_stays_out() -> None:
    state = quiet()
    before = len(state.pool.cup.contents)
    at = table(state, draws=["zero-1", "val-bomb-2", "attack-ends-3"])
    attack.draw(at, places("0H", "0M"), specials=True)
    assert not state.raid.waves
    assert len(state.pool.cup.contents) == before - 1
    assert [one.key for one in state.pool.ends] == ["attack-ends-3"]
    assert at.undo_blocked
    assert "attack ends" in log_text(at)


@pytest.mark.rule("picket", "6.7", "6.7.C", "6.7.E", "6.7.F", "6.7.G", "6.7.H", "P8")
def test_great_raid_uses_own_tables_without_specials() -> None:
    state = quiet(turn=20)
    at = table(state, 3, 6, 3, 6, 10, 1, draws=["val-bomb-2", "zero-1", "oscar-1"])
    attack.attack(at)
    assert [(one.key, one.bearing, one.height) for one in state.wave.planes] == [
        ("zero-1", 90, "H"),
        ("oscar-1", 0, "L"),
    ]
    assert "val-bomb-2" in {one.key for one in state.pool.cup.contents}
    passed = quiet(turn=20)
    attack.attack(table(passed, 3, 4))
    assert not passed.raid.waves


@pytest.mark.rule("picket", "6.7.E", "6.6.M")
@pytest.mark.parametrize(
    ("phase", "dice", "planes"), [("midday-attack", [6, 6, 5], 9), ("midday-attack", [6, 6, 6], 18)]
)
def test_great_raid_roll_of_twelve_is_9_or_18_planes(phase: str, dice: list[int], planes: int) -> None:
    state = quiet(phase, turn=20)
    assert len(attack._kikusui(table(state, *dice, *[5, 5] * planes), 0)) == planes
    night = quiet("night-attack", turn=20)
    assert len(attack._kikusui(table(night, *dice, *[5, 5] * (planes // 2)), 0)) == planes // 2


@pytest.mark.rule("picket", "6.6.L", "7.1.H")
def test_planes_of_unused_waves_return_to_pool() -> None:
    state = attacked(quiet(), plane("0H"), specials=[plane(weapon="bomb")])
    before = len(state.pool.cup.contents)
    attack.attack(table(state, 4, 5))
    assert len(state.pool.cup.contents) == before + 2
    assert not state.raid.waves


@pytest.mark.rule("picket", "6.6.F", "P46")
def test_lettered_tables_use_eight_bearings() -> None:
    for letter in "ABCDEF":
        for _, _, cell in DATA.tables.letter(letter).cells():
            for text in cell.split():
                assert attack.place(text).bearing in (0, 45, 90, 135, 180, 225, 270, 315)


@pytest.mark.rule("picket", "2.0.E", "6.6.D", "7.2.E", "1.5")
def test_set_aside_plane_attacks_once_and_is_counted() -> None:
    state = quiet()
    attack.attack(table(state, 6, 6, 1, 1))
    cleared(table(state))
    assert (state.tally.planes, state.tally.attacks, state.tally.watches) == (1, 1, 1)
    assert (state.tally.tours[-1].planes, state.tally.tours[-1].attacked) == (1, 1)
    attack.attack(table(state, 6, 6, 1, 1))
    assert not state.raid.waves
    assert "betty" not in {one.plane for one in state.pool.aside}
    assert (state.tally.planes, state.tally.attacks, state.tally.watches) == (1, 1, 2)


@pytest.mark.rule("picket", "4.0", "6.0")
def test_ship_without_station_is_not_attacked() -> None:
    state = quiet()
    state.sea.station = 0
    attack.attack(table(state))
    assert not state.raid.waves
    assert state.tally.watches == 0


@pytest.mark.rule("picket", "6.6.D", "5.3.F", "P44")
def test_event_disables_one_land_radar_if_any() -> None:
    state = quiet()
    state.sea.land_radars = ["Hado", "Ie Shima"]
    attack._random(table(state, 6, 6, 1))
    assert state.sea.land_radars == ["Ie Shima"]
    state.sea.land_radars = []
    attack._random(table(state, 6, 6))
    assert not state.raid.waves


def planned(*raids: str, phase: str = "morning-attack", first: str = "04-20") -> Picket:
    """Return a ship in a scenario of one day with these raids."""
    state = picket("evans", phase=phase)
    day = (raids[0], raids[1], raids[2])
    state.plan = msgspec.structs.replace(state.plan, raids=[day], first=first, last=first)
    return state


@pytest.mark.rule("picket", "12", "6.6.E", "6.6.M")
def test_scenario_letter_raid_is_not_halved_at_night() -> None:
    state = planned("none", "none", "D", phase="night-attack")
    draws = ["zero-1", "val-bomb-2", "zero-2", "zero-3", "zero-4", "zero-5"]
    attack.attack(table(state, 5, 6, draws=draws))
    assert [len(wave.planes) for wave in state.raid.waves] == [3, 2]
    assert [one.key for one in state.wave.specials] == ["val-bomb-2"]


@pytest.mark.rule("picket", "12", "6.7.B", "6.7.E")
def test_scenario_raid_number_kikusui_or_none() -> None:
    state = planned("18", "none", "none")
    draws = [f"zero-{number}" for number in range(1, 17)] + ["oscar-1", "oscar-2"]
    attack.attack(table(state, *[5, 5] * 18, draws=draws))
    assert [len(wave.planes) for wave in state.raid.waves] == [6, 6, 6]
    raid = planned("kikusui", "none", "none")
    attack.attack(table(raid, 4, 5, *[5, 5] * 2, draws=["zero-1", "zero-2"]))
    assert [len(wave.planes) for wave in raid.raid.waves] == [2]
    nothing = planned("none", "A", "A")
    attack.attack(table(nothing))
    assert not nothing.raid.waves


@pytest.mark.rule("picket", "12", "6.7.B", "6.6.B")
def test_scenario_roll_uses_column_on_raid_date() -> None:
    state = planned("roll", "none", "none", first="04-12")
    at = table(state, 4, 5)
    attack.attack(at)
    assert "Attack column" in log_text(at, "6.6.B")


@pytest.mark.rule("picket", "12", "6.2.A")
def test_fixed_scenario_raid_has_clear_weather() -> None:
    before: str = "rain"
    for raid, name in (("D", "clear"), ("12", "clear"), ("kikusui", "rain"), ("roll", "rain"), ("none", "rain")):
        state = planned("none", raid, "none", phase="midday-weather")
        state.sea.weather = before  # type: ignore[assignment]
        weather.weather(table(state, *([1, 3, 5] if name == "rain" else [])))
        assert state.sea.weather == name


@pytest.mark.rule("picket", "6.7.B", "6.6", "P58")
def test_basic_game_kikusui_uses_daily_tables() -> None:
    state = picket("pringle", phase="morning-attack", game="basic")
    state.sea.air_shift = 2
    state.plan = msgspec.structs.replace(state.plan, raids=[("kikusui", "none", "none")])
    at = table(state, 2, 2, 1, 1, draws=["zero-1", "zero-2", "zero-3", "zero-4", "zero-5", "zero-6"])
    attack.attack(at)
    assert state.tally.planes
    assert "great raid" not in log_text(at)


@pytest.mark.rule("picket", "6.5.I", "6.7.A", "P55")
def test_custom_cruise_has_great_raids_on_dates() -> None:
    for day, raid in (("04-06", "kikusui"), ("04-05", "roll")):
        match = Match(GAME, "your-own", seed="dates")
        for key in (f"day-{day}", "days-1", "station-9", "ship-bush", "guns-usual", *["tables"] * 3):
            keys = match.pending["captain"].keys
            match.decide("captain", [next(one for one in keys if one.endswith(key) or one == key)])
        assert match.state.plan.raids == [(raid, raid, raid)]
