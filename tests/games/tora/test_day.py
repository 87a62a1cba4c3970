"""Tests of section 8.1: setup for the day of attack, and results of searches."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE, fill, table, tora

from readyroom import Match
from readyroom.engine.match.planning import follow
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import LoggedEvent
from readyroom.games.tora import GAME
from readyroom.games.tora.battle.day import raise_levels, set_day, set_levels
from readyroom.games.tora.battle.losses import japanese_losses
from readyroom.games.tora.battle.waves import detected_quadrants, form_wave, ready_for
from readyroom.games.tora.plans.builtin import named
from readyroom.games.tora.plans.reading import write_toml
from readyroom.games.tora.plans.validation import completed
from readyroom.games.tora.state import T, Tora


def on_the_day(*dice: int, answers: Any = None, **changes: Any) -> T:
    """Return the table on 7 December, using the default plan with some changes."""
    state = tora(phase="day")
    state.usa.plan = msgspec.structs.replace(DEFENCE, **changes)
    state.japan.plan = ATTACK
    game_table = table(state, *dice)
    fill(set_day(game_table), answers)
    return game_table


def levels(level: int) -> tuple[int, ...]:
    return (1,) * 6 + (level,) + (1,) * 3


@pytest.mark.rule("tora", "8", "8.1", "5.10", "5.11")
def test_board_is_set_up_as_planned() -> None:
    table = on_the_day()
    state = table.state
    assert state.day == 7
    assert [line.text for line in table.log or () if line.rule == "8.1"] == ["Japan attacks on December 7."]
    assert {field.key: len(list(field.units())) for field in state.usa.fields} == {
        "wheeler": 22,
        "hickam": 21,
        "kaneohe": 7,
        "ewa": 7,
    }
    assert not state.usa.pool
    stacks = [stack for field in state.usa.fields for stack in field.stacks if len(stack) > 1]
    assert [[unit.type for unit in stack] for stack in stacks] == [["p26", "p36"]] * 3, "the last one is on top"
    assert all(field.room == 0 for field in state.usa.fields[:2])


@pytest.mark.rule("tora", "5.13", "8.1", "T16")
def test_carrier_is_only_there_on_day_in_port() -> None:
    table = on_the_day(in_port={"lexington": 7, "enterprise": 9})
    state = table.state
    texts = [line.text for line in table.log or () if line.rule == "5.13"]
    assert texts == ["Enterprise is at sea today; the rest of the fleet is in port."]
    assert state.usa.ship("lexington").berth is not None
    assert state.usa.ship("enterprise").berth is None
    assert sum(ship.berth is not None for ship in state.usa.ships) == 15


@pytest.mark.rule("tora", "13.2")
@pytest.mark.parametrize(("day", "left"), [(9, 22), (7, 21)])
def test_second_black_ace_is_shuffled_in_if_carrier_is_away(day: int, left: int) -> None:
    state = on_the_day(in_port={"lexington": 7, "enterprise": day}).state
    assert len(state.luck.contents) == left
    assert ("ace-of-clubs" in {card.key for card in state.luck.contents}) is (day == 9)
    assert len(state.luck.contents) + len(state.aside) == 22


@pytest.mark.rule("tora", "5.1", "5.6")
@pytest.mark.parametrize(("level", "strength"), [(1, 6), (2, 6), (3, 7)])
def test_condition_zebra_adds_point_to_every_ship(level: int, strength: int) -> None:
    assert on_the_day(ship=levels(level)).state.usa.ship("nevada").strength == strength


@pytest.mark.rule("tora", "5.4", "5.6", "T4")
def test_levels_rise_to_three_and_zebra_counts_for_ships_afloat() -> None:
    table = on_the_day(ship=levels(2), aaa=levels(3))
    usa = table.state.usa
    usa.ship("utah").hits = usa.ship("utah").strength
    raise_levels(table)
    assert usa.levels is not None
    assert (usa.levels.airfield, usa.levels.ship, usa.levels.aaa) == (2, 3, 3)
    assert usa.ship("nevada").strength == 7
    assert usa.ship("utah").sunk
    raise_levels(table)
    assert usa.ship("nevada").strength == 7


@pytest.mark.rule("tora", "5.5", "5.12", "5.11")
def test_airfield_alert_three_puts_up_three_cap_units_per_field() -> None:
    state = on_the_day(airfield=levels(3)).state
    flying = [unit for zone in state.zones.values() for unit in zone.usa]
    assert len(flying) == 12
    assert Counter(len(list(field.units())) for field in state.usa.fields) == {19: 1, 18: 1, 4: 2}
    assert not any(unit in flying for field in state.usa.fields for unit in field.units())


@pytest.mark.rule("tora", "5.12")
def test_field_patrol_asks_zones_of_each_type() -> None:
    def picked(decision: Decision) -> list[str]:
        if decision.rule == "5.5":
            return ["p40-1", "p36-1", "p40-2"]
        return ["1SW"] if "P-36" in decision.question else ["1SE", "2SE"]

    state = on_the_day(answers={"wheeler": picked}, airfield=levels(3)).state
    named = ("p40-1", "p40-2", "p36-1")
    over = {zone: {unit.type for unit in aloft.usa if unit.key in named} for zone, aloft in state.zones.items()}
    assert {zone: types for zone, types in over.items() if types} == {"1SW": {"p36"}, "1SE": {"p40"}, "2SE": {"p40"}}


@pytest.mark.rule("tora", "5.5")
@pytest.mark.parametrize("level", [1, 2])
def test_alert_below_three_puts_up_no_unit(level: int) -> None:
    table = on_the_day(airfield=levels(level))
    assert not any(zone.usa for zone in table.state.zones.values())
    assert not [line for line in table.log or () if line.rule == "5.12"]


@pytest.mark.rule("tora", "7.2", "7.3", "7.4", "8.1")
def test_first_wave_waits_in_sectors_armed_as_planned() -> None:
    state = on_the_day().state
    first = state.japan.waves[0]
    loads = Counter((sector, unit.type, unit.ordnance.value) for sector, us in first.sectors.items() for unit in us)
    assert loads == {
        ("3NW", "kate", "torpedo"): 10,
        ("3NW", "kate", "ap"): 12,
        ("3NE", "val", "gp"): 13,
        ("3NE", "zero", "none"): 11,
    }
    assert len(state.japan.carriers) == 75 - 46


# -- searches ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "5.3", "5.8", "T3")
@pytest.mark.parametrize(("die", "works"), [(1, False), (2, False), (3, True), (6, True)])
def test_radar_fails_on_one_and_two(die: int, works: bool) -> None:
    table = on_the_day(die, radar=("",) * 6 + ("NW",) + ("",) * 3)
    lines = [line for line in table.log or () if line.rule == "5.8"]
    assert [line.text for line in lines] == [
        "Radar test succeeds: the radar works today." if works else "Radar test fails: no radar today."
    ]
    assert lines[0].audience == ("usa",)
    assert table.state.usa.radar_works is works
    assert table.state.usa.detected is works


@pytest.mark.rule("tora", "5.3", "5.9", "T3")
@pytest.mark.parametrize(("sector", "seen"), [("NW", True), ("NE", True), ("SE", False), ("", False)])
def test_patrol_planes_always_see_sectors_of_first_wave(sector: str, seen: bool) -> None:
    table = on_the_day(patrol=("",) * 6 + (sector,) + ("",) * 3)
    assert table.state.usa.detected is seen
    assert table.state.usa.radar_works is None, "no roll for a radar that searches nowhere"


@pytest.mark.rule("tora", "5.8", "5.9")
def test_message_names_day_of_attack_only() -> None:
    plan = msgspec.structs.replace(DEFENCE, patrol=("NW",) * 6 + ("",) + ("NW",) * 3)
    assert not detected_quadrants(plan, 7, True, ["3NW"])
    assert detected_quadrants(plan, 6, False, ["3NW"]) == {"NW"}


# -- later waves -------------------------------------------------------------------------------------------------------


def _flown() -> Tora:
    """Return a state in turn 13; the first wave landed in turn 7, the second in turn 9."""
    state = on_the_day().state
    first = [unit for units in state.japan.waves.pop().sectors.values() for unit in units]
    for number, unit in enumerate(first):
        unit.recovered, unit.wave = (7, 1) if number % 2 else (9, 2)
    state.japan.carriers += first
    state.at = msgspec.structs.replace(state.at, turn=13)
    return state


@pytest.mark.rule("tora", "7.3", "16.3", "T6")
def test_third_wave_takes_unused_or_first_wave_units_only() -> None:
    state = _flown()
    third = ready_for(state, 3)
    assert {unit.wave for unit in third} == {0, 1}
    assert {unit.wave for unit in ready_for(state, 2)} == {0}
    state.at = msgspec.structs.replace(state.at, turn=12)
    assert {unit.wave for unit in ready_for(state, 3)} == {0}, "they need six turns aboard"


@pytest.mark.rule("tora", "7.3")
def test_wave_lacking_units_flies_fewer_and_fresh_ones_first() -> None:
    state = _flown()
    state.japan.plan = msgspec.structs.replace(ATTACK, wave=(ATTACK.wave[0],) * 3)
    state.japan.carriers = [unit for unit in state.japan.carriers if unit.type != "val"]
    wave = form_wave(state, 3)
    units = list(wave.units())
    assert not any(unit.type == "val" for unit in units)
    assert {unit.wave for unit in units} == {3}
    assert not set(units) & set(state.japan.carriers)


@pytest.mark.rule("tora", "5.1")
def test_alert_levels_are_logged_for_americans_only() -> None:
    state = tora(phase="day")
    state.usa.plan, state.japan.plan, state.day = completed(DEFENCE, DATA), ATTACK, 7
    game_table = table(state)
    set_levels(game_table)
    assert game_table.log is not None
    assert [line.audience for line in game_table.log if line.rule == "5.1"] == [("usa",)]


def test_units_yet_to_enter_with_their_wave_are_not_lost() -> None:
    match, entered = Match(GAME, "december", seed="sectors"), []

    def note(logged: LoggedEvent) -> None:
        if logged.line.text.startswith("Wave"):
            entered.append((logged.line.text[:24], logged.moment, japanese_losses(match.state, DATA)))

    follow(match, "usa", write_toml(named("sunday-morning")).encode(), "plan.toml")
    match.listen(note)
    follow(match, "japan", write_toml(named("sunday-from-the-north")).encode(), "plan.toml")
    first = "The first wave arrives over Oahu"
    assert entered == [("Wave 1 enters over 3NW: ", "", 0), ("Wave 1 enters over 3NE: ", first, 0)]
