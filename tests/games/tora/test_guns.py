"""Tests of section 12: guns of ships, batteries and the yard."""

from __future__ import annotations

import pytest
from tests.games.tora.battle import Battle

from readyroom.engine.rules.decisions import DecisionKind


def one_gun(level: int = 1, turn: int = 6) -> Battle:
    """Leave only the Detroit afloat, in 1NE."""
    battle = Battle(turn, level)
    for ship in battle.state.usa.ships:
        if ship.key != "detroit":
            ship.hits = ship.strength
    return battle


@pytest.mark.rule("tora", "12", "12.1", "5.6", "3.3")
@pytest.mark.parametrize(("level", "dice"), [(1, 3), (2, 4), (3, 5)])
def test_ship_rolls_two_dice_and_one_for_each_level(level: int, dice: int) -> None:
    battle = one_gun(level).put("1NE", "kate-1")
    battle.play("usa-attack-1", dice=[6, 5, 6, 1, 2][:dice])
    assert battle.rolled("12.1") == [[6, 5, 6, 1, 2][:dice]]
    assert battle.unit("kate-1").strength == 2
    assert not battle.asked, "there was only one target"


@pytest.mark.rule("tora", "12.1", "5.7", "4.3")
@pytest.mark.parametrize(("level", "dice"), [(1, 3), (2, 4), (3, 5)])
def test_batteries_roll_by_own_alert_at_units_in_zone(level: int, dice: int) -> None:
    battle = Battle(6, level).put("2SW", "val-1").put("2NW", "val-2")
    battle.play("usa-attack-2", dice=[1] * 20)
    assert [len(faces) for faces in battle.rolled("12.1")] == [2 * dice]
    assert battle.unit("val-2").strength == 4


@pytest.mark.rule("tora", "12.1", "T31")
def test_guns_in_any_number_fire_at_same_unit() -> None:
    battle = Battle(6).put("2SW", "val-1", "val-2")
    battle.play("usa-attack-2", {"fire:2SW:aaa": ["val-2", "val-2"]}, dice=[6, 6, 1, 6, 6, 1])
    assert battle.question("fire:2SW:aaa").kind is DecisionKind.ALLOCATE
    assert battle.place("val-2") == "lost"
    assert battle.unit("val-1").strength == 4


@pytest.mark.rule("tora", "12.1", "T13")
def test_gun_fires_once_a_turn_also_when_moved_or_damaged() -> None:
    battle = one_gun().put("1NE", "kate-1", strength=4)
    ship = battle.berth("detroit", 40, 43, "v")
    ship.hits = ship.strength - 1
    battle.put("1SE", "kate-2").put("2SE", "kate-3")
    for battery in battle.state.usa.batteries:
        battery.hits = battery.strength
    battle.play("usa-attack-1", dice=[1, 1, 1])
    assert [text for text in battle.texts("12.1") if "Detroit fire" in text]
    battle.play("usa-move-1", {"sail:1": ["detroit"], "course:detroit": ["south"]})
    assert ship.moved == 6
    battle.play("usa-attack-2")
    assert not battle.rolled("12.1"), "she has come into 2SE, and has fired"


@pytest.mark.rule("tora", "12.1")
def test_battery_fires_once_turn() -> None:
    battle = Battle(6).put("2SW", "val-1")
    battle.play("usa-attack-2", dice=[1] * 20)
    assert battle.rolled("12.1")
    battle.play("usa-attack-2")
    assert not battle.rolled("12.1")


@pytest.mark.rule("tora", "12.1", "T13")
def test_sunk_ship_and_silenced_battery_do_not_fire() -> None:
    battle = one_gun().put("1SE", "kate-1").put("2SE", "kate-2")
    for battery in battle.state.usa.batteries:
        battery.hits = battery.strength
    for ring in (1, 2):
        battle.play(f"usa-attack-{ring}")
        assert not battle.log


@pytest.mark.rule("tora", "12.1", "T32")
def test_gun_whose_target_was_shot_down_has_fired() -> None:
    battle = one_gun().put("1NE", "kate-1", "kate-2", strength=1).put("1NE", "p40-1")
    battle.play("usa-attack-1", {"attack:1NE:p40:none": ["kate-1"], "fire:1NE:ship": ["kate-1"]}, dice=[6, 6, 6, 6])
    assert battle.place("kate-1") == "lost"
    assert not battle.rolled("12.1")
    assert battle.texts("12.1")[-1] == f"Detroit fires at {battle.unit('kate-1')}, which is already shot down."
    assert battle.ship("detroit").fired == 6


@pytest.mark.rule("tora", "12.1", "T2")
def test_guns_reach_whole_ring_by_option() -> None:
    battle = Battle(6, reach="ring").put("2NW", "val-1")
    battle.play("usa-attack-2", dice=[6, 1, 1, 1, 1, 1, *[1] * 6])
    assert battle.unit("val-1").strength == 3
    assert len(battle.texts("12.1")) >= 2


@pytest.mark.rule("tora", "12.1", "16.1")
def test_hint_shows_odds_of_each_gun() -> None:
    battle = Battle(6).put("2SW", "val-1", "val-2")
    battle.play("usa-attack-2")
    hint = battle.asked[0].options[0].info
    assert hint is not None
    assert hint.note == "0.5 expected hits per gun; 4 aircraft; any hit by one gun"
    assert hint.chance == pytest.approx(1 - (5 / 6) ** 3)


# -- the yard ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "12.2", "5.5")
@pytest.mark.parametrize(
    ("level", "faces", "left"), [(1, [6], 3), (2, [1, 6], 3), (3, [6, 6, 6], 3), (3, [5, 5, 5], 4)]
)
def test_attacked_token_fires_back_for_one_hit_at_most(level: int, faces: list[int], left: int) -> None:
    battle = Battle(6, level).put("2SE", "val-1", load="gp")
    battle.play("japan-attack-2", {"attack:2SE:val:gp": ["yard-1"]}, dice=[1, 1, 1, 1, *faces])
    assert battle.rolled("12.2") == [faces]
    assert battle.unit("val-1").strength == left


@pytest.mark.rule("tora", "12.2", "T30")
def test_token_fires_at_each_attacking_unit() -> None:
    battle = Battle(6).put("2SE", "val-1", "val-2", load="gp")
    battle.play("japan-attack-2", {"attack:2SE:val:gp": ["yard-1", "yard-1"]}, dice=[1] * 8 + [6, 6])
    assert battle.unit("val-1").strength == battle.unit("val-2").strength == 3


@pytest.mark.rule("tora", "12.2", "T20")
@pytest.mark.parametrize(("option", "fires"), [("alerted", 0), ("always", 1)])
def test_yard_fires_once_batteries_may_react(option: str, fires: int) -> None:
    battle = Battle(3, yard_fire=option).put("2SE", "val-1", load="gp")
    battle.play("japan-attack-2", {"attack:2SE:val:gp": ["yard-1"]})
    assert len(battle.rolled("12.2")) == fires


@pytest.mark.rule("tora", "12.2")
def test_last_aircraft_of_unit_may_fall_to_yard() -> None:
    battle = Battle(6).put("2SE", "val-1", load="gp", strength=1)
    battle.play("japan-attack-2", {"attack:2SE:val:gp": ["yard-1"]}, dice=[5, 6])
    assert battle.place("val-1") == "lost"
    assert battle.state.usa.yard_hits == 1, "the bombs had fallen"
