"""Tests of section 10: air combat."""

from __future__ import annotations

import pytest
from tests.games.tora.battle import Battle

from readyroom.engine.errors import IllegalChoice


@pytest.mark.rule("tora", "10.3", "3.1", "3.3", "9.1")
def test_dogfight_sides_roll_per_point_before_losses() -> None:
    battle = Battle().put("2NW", "zero-1").put("2NW", "p40-1")
    battle.play("japan-attack-2", {"attack:2NW:zero:none": ["p40-1"]}, dice=[3, 4, 5, 2, 4, 6, 3, 1])
    assert battle.rolled("10.3") == [[3, 4, 5, 2], [4, 6, 3, 1]]
    assert (battle.unit("zero-1").strength, battle.unit("p40-1").strength) == (2, 1)
    assert battle.unit("zero-1").acted == 4
    assert battle.asked[0].question.startswith("1 Zero over 2NW (4): which unit does it attack?")
    assert not battle.state.japan.lost
    assert not battle.state.usa.lost


@pytest.mark.rule("tora", "10.3")
def test_both_units_may_fall() -> None:
    battle = Battle().put("2NW", "zero-1", strength=1).put("2NW", "f4f-1", strength=1)
    battle.play("japan-attack-2", {"attack:2NW:zero:none": ["f4f-1"]}, dice=[6, 6])
    assert battle.place("zero-1") == battle.place("f4f-1") == "lost"


@pytest.mark.rule("tora", "10", "10.5")
def test_bombers_neither_fire_back_nor_attack_aircraft() -> None:
    battle = Battle().put("2SW", "val-1", "kate-1", load="gp").put("2SW", "p40-1")
    battle.state.usa.field("ewa").stacks.clear()
    battle.play("usa-attack-2", {"attack:2SW:p40:none": ["val-1"]}, dice=[4, 4, 4, 1])
    assert battle.rolled("10.5") == [[4, 4, 4, 1]]
    assert (battle.unit("val-1").strength, battle.unit("p40-1").strength) == (1, 4)
    battle.play("japan-attack-2")
    assert all("p40-1" not in decision.keys for decision in battle.asked)


@pytest.mark.rule("tora", "10.2", "T19", "T31")
def test_unit_is_attacked_by_one_other_in_half() -> None:
    battle = Battle().put("3NE", "zero-1", "zero-2").put("3NE", "p40-1", "p36-1", "p36-2")
    battle.play("usa-attack-3", {"attack:3NE:p40:none": ["zero-2"], "attack:3NE:p36:none": ["zero-1"]})
    assert battle.question("attack:3NE:p36:none").keys == ["zero-1"]
    assert [no.key for no in battle.question("attack:3NE:p36:none").unavailable] == ["zero-2"]
    assert battle.unit("p36-2").acted == 0
    with pytest.raises(IllegalChoice, match="is already a target"):
        battle.question("attack:3NE:p36:none").accept(["zero-2"])


@pytest.mark.rule("tora", "10.2", "T31")
def test_strongest_unit_takes_first_target_and_others_hold() -> None:
    battle = Battle().put("3NE", "zero-1", strength=1).put("3NE", "zero-2", "zero-3").put("3NE", "p40-1", "p40-2")
    battle.unit("zero-2").strength = 3
    battle.play("japan-attack-3", {"attack:3NE:zero:none": ["p40-2", "p40-1"]})
    assert [len(faces) for faces in battle.rolled("10.3")[::2]] == [4, 3]
    assert battle.unit("zero-1").acted == 0


@pytest.mark.rule("tora", "10.2", "11.1", "T31")
def test_holding_units_of_different_strength_are_asked_for() -> None:
    battle = Battle().put("1SE", "kate-1", strength=1, load="ap").put("1SE", "kate-2", "kate-3", load="ap")
    answers = {"attack:1SE:kate:ap": ["nevada", "arizona"], "units:1SE:kate:ap": ["kate-1", "kate-3"]}
    battle.play("japan-attack-1", answers, dice=[1] * 5)
    assert battle.texts("11.5")[0].startswith("Kate 3 (4) attacks Nevada")
    which = "Which 2 of 3 Kates with armor-piercing bombs over 1SE attack Nevada and Arizona?"
    messages = ["what do they attack?", which]
    strongest = "The strongest takes the first target."
    for decision, words in zip(battle.asked, messages, strict=False):
        assert decision.question.endswith(f"{words} {strongest}")
    assert {decision.rule for decision in battle.asked} == {"11.5"}
    assert "over 1SE (4, 4, 1): " in battle.asked[0].question
    assert battle.texts("11.5")[1].startswith("Kate 1 (1) attacks Arizona")
    assert battle.unit("kate-2").acted == 0


@pytest.mark.rule("tora", "10.2", "T31")
def test_single_one_of_several_is_asked_for_in_singular() -> None:
    battle = Battle().put("1SE", "kate-1", strength=1, load="ap").put("1SE", "kate-2", load="ap")
    battle.play("japan-attack-1", {"attack:1SE:kate:ap": ["nevada"], "units:1SE:kate:ap": ["kate-1"]})
    question = battle.question("units:1SE:kate:ap").question
    assert question == "Which one of 2 Kates with armor-piercing bombs over 1SE attacks Nevada?"


@pytest.mark.rule("tora", "11.1", "T31")
@pytest.mark.parametrize("targets", [["nevada", "arizona"], []])
def test_attack_by_all_or_none_asks_and_logs_nothing_of_who(targets: list[str]) -> None:
    battle = Battle().put("1SE", "kate-1", strength=1, load="ap").put("1SE", "kate-2", load="ap")
    battle.play("japan-attack-1", {"attack:1SE:kate:ap": targets})
    assert battle.abouts == ["attack:1SE:kate:ap"]
    assert not any("Only legal choice" in line.text for line in battle.log)


@pytest.mark.rule("tora", "11.1", "T31")
def test_equally_strong_units_are_not_asked_which_attacks() -> None:
    battle = Battle().put("1SE", "kate-1", "kate-2", load="ap")
    battle.play("japan-attack-1", {"attack:1SE:kate:ap": ["nevada"]})
    assert battle.abouts == ["attack:1SE:kate:ap"]
    assert "(4 aircraft each)" in battle.asked[0].question


@pytest.mark.rule("tora", "10.2")
def test_pairs_of_zone_are_all_chosen_before_dice() -> None:
    battle = Battle().put("2SE", "zero-1", "zero-2").put("2SE", "p40-1", "p36-1")
    answers = {"attack:2SE:p40:none": ["zero-1"], "attack:2SE:p36:none": ["zero-2"], "fire:2SE:aaa": ["zero-1"] * 2}
    battle.play("usa-attack-2", answers, dice=[1] * 30)
    asked, rolled = battle.abouts, [line.rule for line in battle.log if line.rolls]
    assert asked == ["attack:2SE:p40:none", "attack:2SE:p36:none", "fire:2SE:aaa"]
    assert rolled == ["10.3", "10.3", "12.1"]


@pytest.mark.rule("tora", "10.4", "8.3")
def test_attacked_unit_still_moves_or_attacks_in_own_half() -> None:
    battle = Battle().put("3NE", "zero-1").put("3NE", "p40-1")
    battle.play("japan-attack-3", {"attack:3NE:zero:none": ["p40-1"]}, dice=[1] * 8)
    battle.play("usa-attack-3", {"attack:3NE:p40:none": ["zero-1"]}, dice=[1] * 8)
    battle.play("usa-move-3")
    assert not battle.asked, "who has attacked does not move as well"


@pytest.mark.rule("tora", "10.1", "T2")
@pytest.mark.parametrize(("reach", "asked"), [("quadrant", []), ("ring", ["attack:2NE:zero:none"])])
def test_zone_is_one_of_twelve_or_option_ring(reach: str, asked: list[str]) -> None:
    battle = Battle(reach=reach).put("2NE", "zero-1").put("2NW", "p40-1")
    for field in battle.state.usa.fields:
        battle.state.usa.pool += field.units()
        field.stacks = []
    battle.play("japan-attack-2", {about: ["p40-1"] for about in asked})
    assert battle.abouts == asked
    assert bool(battle.rolled("10.3")) is bool(asked)


@pytest.mark.rule("tora", "10.2")
def test_hint_shows_odds_of_both() -> None:
    battle = Battle().put("3NE", "zero-1").put("3NE", "p40-1")
    battle.play("usa-attack-3")
    hint = battle.asked[0].options[0].info
    assert hint is not None
    assert hint.note == "4 dice, 2.0 expected hits; return fire: 4 dice, 2.7 expected hits; shot down"
    assert hint.chance == pytest.approx(1 / 16)


@pytest.mark.rule("tora", "16.1", "T21")
def test_seat_of_quadrant_is_asked() -> None:
    battle = Battle(usa_players=4, japan_players=4).put("3NE", "zero-1").put("3NE", "p40-1")
    battle.put("3SW", "zero-2").put("3SW", "p40-2")
    battle.play("usa-attack-3")
    assert [decision.seat for decision in battle.asked] == ["usa-ne", "usa-sw"]
    battle.play("japan-attack-3")
    assert [decision.seat for decision in battle.asked] == ["japan-ne", "japan-sw"]
