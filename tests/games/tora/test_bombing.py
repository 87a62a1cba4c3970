"""Tests of section 11: attacks on ground targets and ships."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.games.tora.battle import Battle
from tests.games.tora.helpers import table

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.battle.bombing import aim_odds
from readyroom.games.tora.odds import chance, expected, from_the_air
from readyroom.games.tora.plans.data import Ordnance

ROW = "attack:1SE:kate:"


@pytest.mark.rule("tora", "11", "11.1", "9.2", "T1")
@pytest.mark.parametrize(("preset", "hits"), [("prose", 2), ("table", 3), ("literal", 3)])
def test_bomber_rolls_die_per_point_and_scores_by_preset(preset: str, hits: int) -> None:
    battle = Battle(preset=preset).put("2SE", "val-1", load="gp")
    battle.play("japan-attack-2", {"attack:2SE:val:gp": ["yard-3"]}, dice=[3, 4, 5, 6])
    assert battle.state.usa.yard[2].hits == hits
    assert battle.rolled("11.1") == [[3, 4, 5, 6]]


@pytest.mark.rule("tora", "11.6", "T15", "11.1")
def test_dropped_ordnance_is_used_up_and_unit_flies_on() -> None:
    battle = Battle().put("2SE", "val-1", load="gp")
    battle.play("japan-attack-2", {"attack:2SE:val:gp": ["yard-1"]})
    unit = battle.unit("val-1")
    assert (unit.ordnance, unit.acted) == (Ordnance.NONE, 4)
    battle.play("japan-move-2")
    assert not battle.asked
    battle.turn = 5
    battle.play("japan-attack-2")
    assert not battle.asked
    battle.play("japan-move-2", {"move:2SE": ["3SE"]})
    assert battle.place("val-1") == "3SE"


@pytest.mark.rule("tora", "7.4", "9.2", "9.3")
def test_general_purpose_bombs_hit_aircraft_batteries_and_yard() -> None:
    battle = Battle().put("2SE", "kate-1", load="gp")
    battle.berth("raleigh", 40, 50, "v")
    battle.play("japan-attack-2")
    keys = battle.question("attack:2SE:kate:gp").keys
    assert {"yard-1", "yard-12", "fort-closson", "fort-auha"} < set(keys)
    assert sum(key.startswith("p") for key in keys) == 20
    with pytest.raises(IllegalChoice, match="cannot attack ships"):
        battle.question("attack:2SE:kate:gp").accept(["raleigh"])


@pytest.mark.rule("tora", "7.4", "9.3")
def test_armor_piercing_bombs_and_torpedoes_are_for_ships() -> None:
    battle = Battle().put("2SE", "kate-1", load="ap").put("2SE", "kate-2", load="torpedo")
    battle.berth("raleigh", 41, 50, "v")
    battle.play("japan-attack-2")
    assert battle.question("attack:2SE:kate:ap").keys == ["raleigh"]
    top = battle.state.usa.field("hickam").stacks[0][-1].key
    with pytest.raises(IllegalChoice, match="Armor-piercing bombs cannot attack parked"):
        battle.question("attack:2SE:kate:ap").accept([top])
    assert "attack:2SE:kate:torpedo" not in battle.abouts, "the channel is too narrow for a torpedo"


@pytest.mark.rule("tora", "11.5", "9.3", "T1")
def test_armor_piercing_bomb_rerolls_each_six() -> None:
    battle = Battle().put("1SE", "kate-1", load="ap")
    battle.play("japan-attack-1", {f"{ROW}ap": ["arizona"]}, dice=[6, 6, 5, 1, *(6, 5), 6, 4])
    assert battle.rolled("11.5") == [[6, 6, 5, 1, 6, 5, 6, 4]]
    assert battle.ship("arizona").hits == 3 + 2 + 1
    assert battle.ship("arizona").sunk


@pytest.mark.rule("tora", "11.4", "9.3")
def test_torpedoes_are_not_rolled_again() -> None:
    battle = Battle().put("1SE", "kate-1", load="torpedo")
    battle.play("japan-attack-1", {f"{ROW}torpedo": ["nevada"]}, dice=[6, 6, 6, 4])
    assert battle.ship("nevada").hits == 3
    assert battle.rolled("11.4") == [[6, 6, 6, 4]]


@pytest.mark.rule("tora", "11.1", "T31")
def test_several_units_attack_one_ship_while_others_hold() -> None:
    battle = Battle().put("1SE", "kate-1", "kate-2", "kate-3", load="ap")
    battle.play("japan-attack-1", {f"{ROW}ap": ["nevada", "nevada"]}, dice=[5] * 8)
    assert battle.ship("nevada").hits == 8
    assert battle.unit("kate-3").ordnance is Ordnance.AP
    assert battle.unit("kate-3").acted == 0


@pytest.mark.rule("tora", "14.2", "T5")
def test_ship_is_damaged_and_then_sinks() -> None:
    battle = Battle().put("1SE", "kate-1", "kate-2", load="ap")
    battle.play("japan-attack-1", {f"{ROW}ap": ["nevada"]}, dice=[5, 5, 1, 1])
    assert "Nevada is damaged: 2 hits for her strength of 6." in battle.texts("14.2")
    battle.turn = 5
    battle.play("japan-attack-1", {f"{ROW}ap": ["nevada"]}, dice=[5] * 4)
    assert battle.texts("14.2") == ["Nevada sinks: 6 hits for her strength of 6."]
    battle.put("1SE", "kate-3", load="ap")
    battle.turn = 6
    battle.play("japan-attack-1")
    assert "nevada" not in battle.question(f"{ROW}ap").keys
    with pytest.raises(IllegalChoice, match="has sunk"):
        battle.question(f"{ROW}ap").accept(["nevada"])


@pytest.mark.rule("tora", "14.2", "T5")
@pytest.mark.parametrize(
    ("before", "dice", "count"), [(0, [1] * 4, 0), (0, [5, 1, 1, 1], 0), (1, [5] * 2, 1), (2, [5], 0)]
)
def test_ship_damage_is_logged_when_it_occurs(before: int, dice: list[int], count: int) -> None:
    battle = Battle().put("1SE", "kate-1", load="torpedo", strength=len(dice))
    battle.ship("nevada").hits = before
    battle.play("japan-attack-1", {f"{ROW}torpedo": ["nevada"]}, dice=dice)
    assert [text.partition(":")[0] for text in battle.texts("14.2")] == ["Nevada is damaged"] * count


@pytest.mark.rule("tora", "14.2", "8.6")
def test_ship_sinks_only_once() -> None:
    battle = Battle().put("1SE", "kate-1", "kate-2", load="ap").put("1SE", "kate-3", load="torpedo")
    answers = {f"{ROW}ap": ["nevada"] * 2, f"{ROW}torpedo": ["nevada"]}
    battle.play("japan-attack-1", answers, dice=[5] * 12)
    assert battle.texts("14.2") == ["Nevada sinks: 8 hits for her strength of 6."]
    assert battle.ship("nevada").hits == 8
    assert not battle.texts("8.6"), "she lies in the harbor"


# -- parked aircraft ---------------------------------------------------------------------------------------------------


def stacked() -> Battle:
    """Stack a P-36 on a P-26 and a P-40, with no other units at Wheeler."""
    return Battle().park("wheeler", ["p26-1", "p36-1"], ["p40-1"])


@pytest.mark.rule("tora", "11.2", "9.2", "5.11")
@pytest.mark.parametrize(
    ("dice", "top", "lower"), [([5, 1, 1, 1], 2, 2), ([5, 5, 5, 1], 0, 2), ([5, 5, 5, 5], 0, 1), ([1] * 4, 3, 2)]
)
def test_hits_on_stack_fall_on_top_unit_and_then_on_lower(dice: list[int], top: int, lower: int) -> None:
    battle = stacked().put("2NW", "val-1", load="gp")
    battle.play("japan-attack-2", {"attack:2NW:val:gp": ["p36-1"]}, dice=dice)
    assert (battle.unit("p36-1").strength, battle.unit("p26-1").strength) == (top, lower)
    assert (battle.place("p36-1") == "lost") is (top == 0)


@pytest.mark.rule("tora", "11.2")
def test_departed_stack_frees_its_place() -> None:
    battle = stacked().put("2NW", "val-1", "val-2", load="gp")
    free = battle.state.usa.field("wheeler").room
    battle.play("japan-attack-2", {"attack:2NW:val:gp": ["p40-1"]}, dice=[5] * 4)
    assert battle.state.usa.field("wheeler").room == free + 1


@pytest.mark.rule("tora", "11.2", "11.3")
def test_lower_unit_is_no_separate_target() -> None:
    battle = stacked().put("2NW", "val-1", load="gp")
    battle.play("japan-attack-2")
    with pytest.raises(IllegalChoice, match=r"P-26 1 \(2\) is parked under P-36 1 \(3\)"):
        battle.question("attack:2NW:val:gp").accept(["p26-1"])


@pytest.mark.rule("tora", "11.3", "T12")
def test_stack_is_attacked_once_turn_by_one_attacker() -> None:
    battle = stacked().put("2NW", "zero-1").put("2NW", "val-1", "val-2", load="gp").put("2NW", "kate-1", load="gp")

    def vals(decision: Decision) -> list[str]:
        assert decision.keys == ["p40-1"]
        with pytest.raises(IllegalChoice, match="is already a target"):
            decision.accept(["p36-1"])
        with pytest.raises(IllegalChoice, match="you chose 2"):
            decision.accept(["p40-1", "p40-1"])
        return ["p40-1"]

    battle.play("japan-attack-2", {"attack:2NW:zero:none": ["p36-1"], "attack:2NW:val:gp": vals})
    assert "attack:2NW:kate:gp" not in battle.abouts, "nothing is left for it"


@pytest.mark.rule("tora", "11.7", "9.1", "T12", "T1")
def test_zeros_strafe_on_three_or_more_and_turn_after_turn() -> None:
    battle = stacked().put("2NW", "zero-1")
    battle.play("japan-attack-2", {"attack:2NW:zero:none": ["p36-1"]}, dice=[3, 4, 2, 1])
    assert battle.unit("p36-1").strength == 1
    assert battle.texts("11.7")[0].startswith("Zero 1 (4) strafes P-36 1 (3): ")
    battle.turn = 5
    battle.play("japan-attack-2", {"attack:2NW:zero:none": ["p36-1"]}, dice=[3, 3, 3, 1])
    assert battle.place("p36-1") == "lost"
    assert battle.place("p26-1") == "lost", "the two hits that were left over"
    assert battle.texts("11.7")[1:] == ["P-36 1 is destroyed."]
    assert battle.texts("11.2") == [
        "P-26 1 is destroyed.",
        "Wheeler has lost 2 units on the ground in this attack.",
    ]


@pytest.mark.rule("tora", "9.1")
def test_zeros_attack_aircraft_only() -> None:
    battle = Battle().put("2SE", "zero-1")
    battle.play("japan-attack-2")
    assert {unit.key.partition("-")[0] for unit in battle.asked[0].values} <= {"p40", "p36", "p26"}


# -- batteries and the yard --------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "4.3", "T18")
def test_hits_silence_battery() -> None:
    battle = Battle(battery=3).put("2SW", "val-1", load="gp")
    battle.play("japan-attack-2", {"attack:2SW:val:gp": ["fort-weaver"]}, dice=[5, 5, 5, 5])
    fort = battle.state.usa.batteries[1]
    assert (fort.hits, fort.destroyed) == (3, True)
    battle.put("2SW", "val-2", load="gp").play("japan-attack-2")
    assert "fort-weaver" not in battle.asked[0].keys


@pytest.mark.rule("tora", "4.3", "T18")
@pytest.mark.parametrize(("dice", "result"), [([5, 5, 5, 5], 1), ([5, 5, 5, 1], 0)])
def test_silenced_battery_is_logged_when_it_happens(dice: list[int], result: int) -> None:
    battle = Battle(battery=4).put("2SW", "val-1", load="gp")
    battle.play("japan-attack-2", {"attack:2SW:val:gp": ["fort-weaver"]}, dice=dice)
    assert battle.texts("11.1").count("Fort Weaver is destroyed.") == result


@pytest.mark.rule("tora", "11.2", "11.3")
@pytest.mark.parametrize(("key", "load"), [("val-1", "gp"), ("zero-1", "none")])
def test_hint_for_stack_names_lower_unit(key: str, load: str) -> None:
    battle = stacked().put("2NW", key, load=load)
    battle.play("japan-attack-2")
    hints = {option.key: option.info for option in battle.asked[0].options}
    notes = [hint.note.partition(";")[0] for hint in (hints["p36-1"], hints["p40-1"]) if hint]
    assert notes == ["parked, on P-26 1 (2)", "parked"]


@pytest.mark.rule("tora", "4.4", "17.2")
def test_yard_token_takes_five_hits_and_no_more() -> None:
    battle = Battle().put("2SE", "val-1", "val-2", load="gp")
    battle.play("japan-attack-2", {"attack:2SE:val:gp": ["yard-1", "yard-1"]}, dice=[5] * 8)
    assert battle.state.usa.yard_hits == 5
    battle.put("2SE", "val-3", load="gp").play("japan-attack-2")
    assert "yard-1" not in battle.asked[0].keys


# -- torpedo runs ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "11.4", "T8")
def test_hint_ignores_zebra_unknown_to_japan() -> None:
    notes = []
    for level in (1, 3):
        battle = Battle(levels=level).put("1SE", "kate-1", load="ap")
        battle.ship("nevada").strength = 5 + level // 3 + 1
        battle.play("japan-attack-1")
        hints = {option.key: option.info for option in battle.asked[0].options}
        notes.append(hints["nevada"])
    assert notes[0] == notes[1]
    assert notes[0] is not None
    assert notes[0].note.startswith("4 dice, 1.6 expected hits; sunk by 6 more")


@pytest.mark.rule("tora", "11.1", "11.5", "T31")
def test_selection_says_what_all_units_do_to_each_target() -> None:
    battle = Battle().put("1SE", "kate-1", "kate-2", "kate-3", load="ap").put("1SE", "kate-4", strength=1, load="ap")
    battle.play("japan-attack-1")
    decision, now = battle.asked[0], table(battle.state)
    nevada, arizona = decision.values_for(("nevada", "arizona"))
    fire = from_the_air(now.data, now.state.bomber_hit, Ordnance.AP)
    odds = aim_odds(now, decision, [nevada, nevada, arizona, nevada])
    assert odds == {
        "nevada": f"{expected(9, fire):.1f} expected hits, sunk {percent(chance(9, fire, 6))}",
        "arizona": f"{expected(4, fire):.1f} expected hits, sunk {percent(chance(4, fire, 6))}",
    }
    assert aim_odds(now, replace(decision, piece_key="units:1SE:kate:ap"), [nevada]) == {}


@pytest.mark.rule("tora", "10.1", "T2")
def test_bombs_reach_whole_ring_by_option() -> None:
    battle = Battle(reach="ring").put("1NW", "kate-1", load="ap")
    battle.play("japan-attack-1", {"attack:1NW:kate:ap": ["nevada"]}, dice=[5, 5, 1, 1])
    assert battle.ship("nevada").hits == 2
