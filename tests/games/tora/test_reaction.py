"""Tests of sections 5.2 to 5.5: when the Americans may act, and how the alert rises."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.games.tora.battle import Battle
from tests.games.tora.helpers import DATA, table

from readyroom.engine.rules.state import At
from readyroom.games.tora.battle.reaction import may_react
from readyroom.games.tora.battle.waves import form_wave
from readyroom.games.tora.state import Levels
from readyroom.games.tora.view import view


def first_turn(level: int, *, detected: bool = False) -> int:
    """Return the first turn on which a category of this level may act if no aircraft approach."""
    for turn in range(1, 9):
        battle = Battle(turn, level)
        battle.state.usa.detected = detected
        battle.state.at = At(turn, "usa-attack-1")
        if may_react(table(battle.state), "ship"):
            return turn
    raise AssertionError(level)


@pytest.mark.rule("tora", "5.2")
@pytest.mark.parametrize(("level", "turn"), [(1, 4), (2, 3), (3, 2)])
def test_turn_and_alert_make_five(level: int, turn: int) -> None:
    assert first_turn(level) == turn


@pytest.mark.rule("tora", "5.3", "T3")
@pytest.mark.parametrize(("level", "turn"), [(1, 3), (2, 2), (3, 1)])
def test_reaction_after_warning_needs_sum_of_four(level: int, turn: int) -> None:
    assert first_turn(level, detected=True) == turn


@pytest.mark.rule("tora", "5.2", "T3")
@pytest.mark.parametrize(
    ("level", "zone", "acts"), [(1, "1NW", True), (1, "2NW", False), (2, "2SE", True), (2, "1SE", True)]
)
@pytest.mark.parametrize(("trigger", "at_once"), [("start", False), ("immediate", True)])
def test_aircraft_in_ring_of_alert_wake_defenders(
    level: int, zone: str, acts: bool, trigger: str, at_once: bool
) -> None:
    battle = Battle(2, level, zone_trigger=trigger).put(f"2{zone[1:]}", "zero-1")
    battle.state.usa.contact = 3
    way = "stay" if zone.startswith("2") else zone
    battle.play("japan-move-2", {f"move:2{zone[1:]}": [way]})
    if at_once and zone.startswith("2"):  # there since it landed
        battle.state.usa.contact = 2
    game_table = table(battle.state)
    assert may_react(game_table, "aaa") is (acts and at_once)
    battle.turn = 2
    battle.play("alert")
    assert may_react(table(battle.state), "aaa") is acts


@pytest.mark.rule("tora", "5.2", "T3", "8.1")
@pytest.mark.parametrize(("trigger", "wakes"), [("start", False), ("immediate", True)])
def test_arriving_wave_activates_highest_alert(trigger: str, wakes: bool) -> None:
    battle = Battle(1, 3, zone_trigger=trigger)
    form_wave(battle.state, 1)
    battle.play("arrive")
    assert may_react(table(battle.state), "aaa") is wakes


@pytest.mark.rule("tora", "5.2")
def test_acting_units_are_logged_for_americans_only() -> None:
    battle = Battle(3, 1)
    battle.state.usa.levels = Levels(airfield=1, ship=2, aaa=1)
    battle.play("alert")
    line = next(line for line in battle.log if line.rule == "5.2")
    assert (line.text, line.audience) == ("American ships may act this turn.", ("usa",))
    for battle.turn, messages in ((4, ["American airfields, ships and AAA batteries may act this turn."]), (5, [])):
        battle.play("alert")
        assert battle.texts("5.2") == messages


@pytest.mark.rule("tora", "5.4", "T4")
@pytest.mark.parametrize(("turn", "level"), [(6, 1), (7, 2), (8, 1), (13, 2)])
def test_levels_rise_on_turns_seven_and_thirteen(turn: int, level: int) -> None:
    battle = Battle(turn)
    battle.play("alert")
    levels = battle.state.usa.levels
    assert levels is not None
    assert (levels.airfield, levels.ship, levels.aaa) == (level,) * 3
    assert all(line.audience == ("usa",) for line in battle.log)


@pytest.mark.rule("tora", "5.4", "5.5", "T4")
@pytest.mark.parametrize(("option", "airborne"), [("no", 0), ("yes", 12)])
def test_late_rise_to_three_puts_up_patrol_by_option(option: str, airborne: int) -> None:
    battle = Battle(7, 2, late_patrol=option)
    battle.play("alert")
    assert sum(len(zone.usa) for zone in battle.state.zones.values()) == airborne
    battle.turn = 13
    battle.play("alert")
    assert sum(len(zone.usa) for zone in battle.state.zones.values()) == airborne, "the level did not rise again"


@pytest.mark.rule("tora", "5.4", "5.5", "T4")
@pytest.mark.parametrize(("level", "fields"), [(1, []), (2, ["Wheeler", "Hickam", "Kaneohe"])])
def test_field_without_patrol_is_not_logged(level: int, fields: list[str]) -> None:
    battle = Battle(7, level, late_patrol="yes")
    battle.state.usa.field("ewa").stacks.clear()
    battle.play("alert")
    assert [text.partition(" from ")[2].split()[0] for text in battle.texts("5.12")] == fields


@pytest.mark.rule("tora", "8.2", "5.2")
def test_no_question_is_asked_before_reaction() -> None:
    battle = Battle(3).put("1SE", "kate-1", load="ap").put("2NW", "p40-1")
    for ring in (1, 2, 3):
        battle.play(f"usa-attack-{ring}")
        assert not battle.asked
        battle.play(f"usa-move-{ring}")
        assert not battle.asked
    assert not any(ship.fired for ship in battle.state.usa.ships)


@pytest.mark.rule("tora", "5.2", "T22")
def test_acting_units_are_shown_to_americans_only() -> None:
    battle = Battle(3)
    battle.state.usa.levels = Levels(airfield=1, ship=2, aaa=1)
    battle.state.at = At(3, "alert")
    data = {seat: view(battle.state, DATA, seat).usa.awake for seat in ("usa", "japan", None)}
    assert data == {"usa": ("ship",), "japan": None, None: None}


@pytest.mark.rule("tora", "5.3", "5.8", "5.9")
def test_sighting_is_logged_with_direction_for_americans_only() -> None:
    battle = Battle(1)
    form_wave(battle.state, 1)
    plan = battle.state.usa.plan
    assert plan is not None
    days = len(plan.patrol)
    battle.state.usa.plan = replace(plan, patrol=("NW",) * days, radar=("NE",) * days)
    battle.state.usa.detected, battle.state.usa.radar_works = True, True
    battle.play("alert")
    rows = [(line.text, line.audience) for line in battle.log if line.rule == "5.3"]
    assert rows == [
        ("Patrol planes sight aircraft to the northwest.", ("usa",)),
        ("The radar detects aircraft to the northeast.", ("usa",)),
    ]
    battle.state.usa.radar_works = False
    battle.play("alert")
    assert battle.texts("5.3") == ["Patrol planes sight aircraft to the northwest."]
    battle.state.usa.detected = False
    battle.play("alert")
    assert battle.texts("5.3") == []


@pytest.mark.rule("tora", "5.2", "T3")
def test_entering_zone_logs_acting_units_by_option() -> None:
    battle = Battle(1, 3, zone_trigger="immediate")
    form_wave(battle.state, 1)
    battle.play("alert")
    assert battle.texts("5.2") == ["No American units may act at the start of this turn."]
    battle.play("arrive")
    assert battle.texts("5.2") == ["American airfields, ships and AAA batteries may act now."]


@pytest.mark.rule("tora", "5.12")
def test_patrol_is_logged_with_zones() -> None:
    battle = Battle(7, 2, late_patrol="yes")
    battle.play("alert")
    messages = battle.texts("5.12")
    assert messages
    assert all(" CAP over " in text for text in messages)
