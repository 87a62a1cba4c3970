"""Tests of emergency maneuvers and strikes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.picket.helpers import DATA, attacked, fit, picket, plane, rolled, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket import GAME
from readyroom.games.picket.combat import strike
from readyroom.games.picket.state import Picket


def wave(**options: Any) -> Picket:
    return attacked(picket(phase="morning-strike-1", **options), plane("0M"))


def asked(state: Picket, *dice: int, answer: str = "evade") -> list[Decision]:
    decisions = list[Decision]()
    run(strike.maneuvers(table(state, *dice)), {"6.10": answer}, decisions)
    return decisions


@pytest.mark.rule("picket", "6.10", "6.10.B", "6.10.C", "6.10.D", "6.10.F", "P18")
@pytest.mark.parametrize(
    ("fuel", "left", "sentence"), [("1", 9, "for a box of fuel?"), ("2", 8, "for 2 boxes of fuel?")]
)
def test_maneuvers_once_phase_cost_fuel(fuel: str, left: int, sentence: str) -> None:
    state = wave(maneuver_fuel=fuel)
    (question,) = asked(state, 3, 4)
    assert sentence in question.question
    assert state.raid.maneuvered
    assert state.ship.fuel == left
    assert asked(state) == []


@pytest.mark.rule("picket", "6.10.F", "6.10.E")
def test_failed_maneuvers_cost_fuel() -> None:
    state = wave()
    asked(state, 3, 3)
    assert state.raid.maneuvered is False
    assert state.ship.fuel == 9
    assert not strike.evaded(table(state))
    still = wave()
    asked(still, answer="steady")
    assert still.raid.maneuvered is None
    assert still.ship.fuel == 10


@pytest.mark.rule("picket", "6.10", "6.0")
def test_basic_game_has_no_maneuvers() -> None:
    assert asked(wave(game="basic")) == []


@pytest.mark.rule("picket", "6.10.D")
def test_maneuver_leaders_value() -> None:
    state = wave()
    state.ship.officers["captain"].value, state.ship.officers["engineer"].value = 2, 1
    assert strike._leaders(table(state)) == 3
    fit(state, bridge=1)
    assert strike._leaders(table(state)) == 1
    state.ship.officers["captain"].dead = state.ship.officers["engineer"].dead = True
    assert strike._leaders(table(state)) == -2


@pytest.mark.rule("picket", "6.10.A", "P26")
@pytest.mark.parametrize(
    "rooms",
    [
        ["rudder"],
        ["steering-room"],
        ["forward-engine-room", "aft-engine-room"],
        ["port-shaft", "starboard-shaft"],
        ["forward-stack", "aft-stack"],
    ],
)
def test_damaged_steering_prevents_maneuvers(rooms: list[str]) -> None:
    state = wave()
    for room in rooms[1:]:
        state.ship.rooms[room].hits = 1
    assert not strike.why_not(table(state)) or len(rooms) == 1
    state.ship.rooms[rooms[0]].hits = 1
    assert strike.why_not(table(state))
    assert asked(state) == []


@pytest.mark.rule("picket", "6.10.A")
@pytest.mark.parametrize("track", ["fuel", "maneuver"])
def test_no_fuel_or_maneuver_prevents_maneuvers(track: str) -> None:
    state = wave()
    setattr(state.ship, track, 0)
    assert strike.why_not(table(state))


@pytest.mark.rule("picket", "6.10.A")
def test_destroyed_tanks_prevent_maneuvers() -> None:
    state = wave()
    state.ship.rooms["forward-fuel"].destroyed = True
    assert strike.why_not(table(state)) == ""
    state.ship.rooms["aft-fuel"].destroyed = True
    assert (strike.why_not(table(state)), state.ship.fuel) == ("there is no fuel", 10)


@pytest.mark.rule("picket", "7.8.2.G", "6.10.D")
def test_damaged_machinery_modifies_maneuvers() -> None:
    state = fit(wave(), forward_engine_room=1, aft_fire_room=2)
    assert strike._rooms(table(state)) == [("engine and fire rooms hit", -2)]


@pytest.mark.rule("picket", "7.0", "7.1", "7.1.A", "7.1.B", "7.1.G", "7.3.T", "7.3.U")
@pytest.mark.parametrize(
    ("hits", "fate", "dice", "struck"),
    [(0, "", (4, 5), 1), (1, "", (4, 5), 1), (2, "", (4, 5), 0), (3, "flamed", (5, 6), 0), (3, "flamed", (6, 6), 1)],
)
def test_strike_column_by_plane_state(hits: int, fate: str, dice: tuple[int, int], struck: int) -> None:
    state = wave()
    state.wave.planes[0].hits, state.wave.planes[0].fate = hits, fate  # type: ignore[assignment]
    run(strike.regular_strikes(table(state, *dice, *([9, 3, 9, 3] if struck else [3, 4]))))
    assert state.raid.struck == struck
    assert state.ship.maneuver == 10 - 2 * struck


@pytest.mark.rule("picket", "7.1.B")
@pytest.mark.parametrize(("hits", "fate", "least"), [(0, "", 9), (2, "", 10), (3, "flamed", 12)])
def test_roll_of_a_strike_says_what_hits(hits: int, fate: str, least: int) -> None:
    state = wave()
    state.wave.planes[0].hits, state.wave.planes[0].fate = hits, fate  # type: ignore[assignment]
    at = table(state, 2, 1)
    run(strike.regular_strikes(at))
    (sums,) = rolled(at, "7.1")
    assert f", hit on {least} or more: miss" in sums


@pytest.mark.rule("picket", "7.1.A", "6.8.K")
def test_destroyed_plane_does_not_strike() -> None:
    state = wave()
    state.wave.planes[0].fate = "destroyed"
    run(strike.regular_strikes(table(state)))
    assert state.raid.struck == 0


@pytest.mark.rule("picket", "6.10.E", "7.1.B", "P18")
def test_maneuvers_modify_strikes_in_all_waves() -> None:
    state = wave()
    state.raid.maneuvered = True
    run(strike.regular_strikes(table(state, 3, 4)))
    assert state.raid.struck == 0
    state.raid.waves.append(state.raid.waves[0])
    state.raid.wave = 1
    run(strike.regular_strikes(table(state, 4, 5, 3, 4)))
    assert state.raid.struck == 0


@pytest.mark.rule("picket", "7.1.H", "7.1.I")
def test_regular_planes_return_to_pool() -> None:
    state = wave()
    one = state.wave.planes[0]
    one.hits, one.fate = 3, "flamed"
    strike.cleared(table(state))
    assert one in state.pool.cup.contents
    assert (one.hits, one.fate, one.bearing) == (0, "", -1)
    names = [phase.name for phase in GAME.rules.phases]
    assert names.index("morning-fire-1") + 1 == names.index("morning-strike-1")


@pytest.mark.rule("picket", "7.1.C", "P22")
@pytest.mark.parametrize("game", ["basic", "advanced"])
def test_striking_plane_rolls_damage_twice(game: str) -> None:
    state = wave(game=game)
    run(strike.regular_strikes(table(state, 6, 6, 9, 3, 9, 3)))
    assert state.ship.maneuver == 8
    assert DATA.damage.hits.rolls_a_plane == 2


@pytest.mark.rule("picket", "7.3.W", "7.1.D")
def test_dud_stops_damage_rolls() -> None:
    state = wave()
    run(strike.regular_strikes(table(state, 6, 6, 10, 1, 6, 6)))
    assert state.raid.struck == 1
    assert state.ship.hull == 10


@pytest.mark.rule("picket", "6.10.B", "6.10.C")
def test_no_maneuvers_without_threat_or_ship() -> None:
    state = wave()
    state.wave.planes[0].fate = "destroyed"
    assert asked(state) == []
    state.wave.specials.append(plane(kind="judy", weapon="bomb", section="aft"))
    assert len(asked(state, answer="steady")) == 1
    assert len(asked(state, answer="steady")) == 1
    state.ship.lost = "blown up"
    assert asked(state) == []


@pytest.mark.rule("picket", "6.10.D")
@pytest.mark.parametrize(("dead", "value"), [("captain", 1), ("engineer", 2)])
def test_one_dead_leader_leaves_other_value(dead: str, value: int) -> None:
    state = wave()
    state.ship.officers["captain"].value, state.ship.officers["engineer"].value = 2, 1
    state.ship.officers[dead].dead = True
    assert strike._leaders(table(state)) == value


@pytest.mark.rule("picket", "1.5", "7.1.H")
def test_strike_is_recorded_and_wave_cleared() -> None:
    state = wave()
    run(strike.regular_strikes(table(state, 6, 6, 9, 3, 9, 3)))
    (struck,) = state.tally.hits
    assert (struck.plane, struck.bearing, struck.height) == ("zero", 0, "M")
    assert struck.what == ["maneuver-1", "maneuver-1"]
    assert (state.tally.tours[-1].struck, state.tally.tours[-1].hurt, state.tally.heights) == (1, True, {"M": 1})
    run(strike.regular_strikes(table(state, 6, 6, 9, 3, 9, 3)))
    assert (state.tally.tours[-1].struck, state.tally.heights) == (2, {"M": 2})
    strike.cleared(table(state))
    assert state.wave.planes == state.wave.specials == []
    near = wave()
    run(strike.regular_strikes(table(near, 3, 4, 3, 4)))
    assert not near.tally.hits
    assert not near.tally.tours[-1].hurt


@pytest.mark.rule("picket", "7.1.A", "7.1.E")
def test_lost_ship_is_not_struck() -> None:
    state = wave()
    state.ship.lost = "blown up"
    at = table(state)
    run(strike.regular_strikes(at))
    assert (state.raid.struck, at.log) == (0, [])
