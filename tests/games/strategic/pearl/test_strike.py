"""Tests of strikes: escorts, the air battle, guns, targets and attacks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from tests.games.strategic.pearl.helpers import DATA, Battle

from readyroom.engine.errors import IllegalChoice
from readyroom.games.strategic.pearl.odds import format_mean
from readyroom.games.strategic.pearl.state import Condition


def surprised(usa: int = 5, face: int = 3, **options: Any) -> Battle:
    """Return a first strike at a level of 3 + face (usa = 5) or in disarray (usa = 0)."""
    battle = Battle(magic=(0, usa), **options)
    battle.raid.die = face
    return battle


def disarray(**options: Any) -> Battle:
    """Return a first strike in disarray."""
    return surprised(0, 6, **options)


# -- escorts -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pearl", "PH.4", "P3")
def test_escorts_are_multiples_of_three() -> None:
    battle = surprised().play("escorts", {"escorts": ["escorts-6"]})
    assert len({squadron.home for squadron in battle.raid.escorts}) == 6
    assert (len(battle.raid.attackers), len(battle.raid.aboard)) == (24, 0)
    assert battle.texts("PH.4", None) == ["Japan assigns 6 squadrons to escort and 24 squadrons to attack."]
    assert battle.question("escorts").keys == [f"escorts-{count}" for count in range(0, 31, 3)]
    with pytest.raises(IllegalChoice, match="3 squadrons make one"):
        battle.question("escorts").accept("escorts-4")
    with pytest.raises(IllegalChoice, match="Only 30 squadrons can fly"):
        battle.question("escorts").accept("escorts-33")


@pytest.mark.rule("war", "19.2")
@pytest.mark.rule("pearl", "PH.4", "19.2")
def test_escort_hint_handles_no_defenders_or_attackers() -> None:
    def hints(battle: Battle) -> set[str]:
        decision = battle.play("escorts", {"escorts": ["escorts-0"]}).question("escorts")
        return {option.info.note for option in decision.options if option.info is not None}

    silent = "no American aircraft are up, and the guns do not fire: escorts only miss the attack"
    assert hints(disarray()) == hints(surprised(guns="none")) == {silent, "no squadrons attack"}
    battle = surprised()
    rolls = [DATA.strategic.read(5, one + other) for one in range(1, 7) for other in range(1, 7)]
    left = Fraction(sum(max(0, 30 - hit.first - hit.second) for hit in rolls), 36)
    safe = "no American aircraft are up: escorts only stay out of the guns' fire"
    assert f"{safe}; {format_mean(left)} of 30 attackers get through it on average" in hints(battle)
    defended = surprised()
    defended.raid.army.up = 3
    assert "no squadrons attack" in hints(defended)


@pytest.mark.rule("pearl", "PH.12", "P9")
def test_second_strike_meets_all_aircraft() -> None:
    battle = Battle()
    battle.raid.stays = True
    battle.play("escorts", turn=2)
    assert (battle.raid.army.up, battle.raid.naval.up) == (4, 3)
    assert "4 army air factors and 3 naval squadrons are up" in battle.question("escorts").question


# -- the air battle ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("war", "19.2")
@pytest.mark.rule("pearl", "PH.5", "19.2", "P3")
def test_air_battle_losses_fall_on_escorts_first() -> None:
    battle = surprised().attackers(20, escorts=6)
    battle.raid.army.up, battle.raid.naval.up = 3, 2
    battle.play("air-battle", dice=[2, 5, 4, 6])
    assert battle.log[1].rolls[0].result == "2d6 = 7, row 4: 1/3"
    assert len(battle.raid.lost) == 3
    assert len(battle.raid.back) == 9
    assert (len(battle.raid.escorts), len(battle.raid.attackers)) == (0, 14)
    assert battle.texts("19.2") == [
        "Japanese escorts shoot down 1 army air factor (result 1/3).",
        "American fighters shoot down 3 squadrons and turn back 9 (result 1/3).",
    ]
    assert battle.log[0].rolls[0].result == "2d6 = 10, row 2: 1/3"
    assert (battle.raid.army.up, battle.raid.army.lost) == (2, 1)


@pytest.mark.rule("pearl", "PH.5")
def test_air_battle_skips_absent_sides() -> None:
    battle = surprised().attackers(20)
    battle.raid.naval.up = 2
    battle.play("air-battle", dice=[1, 1])
    assert [len(line.rolls) for line in battle.log] == [1]
    quiet = surprised().attackers(20, escorts=3).play("air-battle")
    assert quiet.texts("PH.5") == ["No American aircraft are up to meet the strike."]


@pytest.mark.rule("pearl", "PH.5", "P3")
def test_american_losses_fall_on_army_first() -> None:
    battle = surprised().attackers(0, escorts=30)
    battle.raid.army.up, battle.raid.naval.up = 1, 5
    battle.play("air-battle", dice=[1, 1, 1, 1])
    assert battle.log[0].rolls[0].result == "2d6 = 2, row 10: 2/3"
    assert (battle.raid.army.lost, battle.raid.naval.lost) == (1, 3)


@pytest.mark.rule("war", "19.2", "A14")
@pytest.mark.rule("pearl", "PH.5", "19.2", "A14")
@pytest.mark.parametrize(
    ("nationality", "escorts", "fighters"),
    [
        ("even", "2d6 = 7, row 2: 1/1", "2d6 = 7, row 4: 1/3"),
        ("suggested", "2d6 + 2 air nationality = 9, row 2: 1/2", "2d6 − 2 air nationality = 5, row 4: 1/2"),
    ],
)
def test_nationality_modifies_air_battle(nationality: str, escorts: str, fighters: str) -> None:
    battle = surprised(nationality=nationality).attackers(20, escorts=6)
    nations = msgspec.structs.replace(battle.raid.opening.nations, japan_air=3, usa_air=1)
    battle.raid.opening = msgspec.structs.replace(battle.raid.opening, nations=nations)
    battle.raid.army.up = 4
    battle.play("air-battle", dice=[3, 4, 3, 4])
    assert [line.rolls[0].result for line in battle.log] == [escorts, fighters]


# -- the guns ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("war", "24.62.10")
@pytest.mark.rule("pearl", "PH.6", "51.31.5", "24.62.10", "A7", "P5")
@pytest.mark.parametrize(("stays", "row", "lost", "back"), [(None, 5, 1, 2), (True, 6, 1, 3)])
def test_guns_are_one_row_lower_in_first_strike(stays: bool | None, row: int, lost: int, back: int) -> None:
    battle = surprised().attackers(20, escorts=3)
    battle.raid.stays = stays
    battle.play("guns", dice=[3, 4])
    assert battle.log[0].rolls[0].result == f"2d6 = 7, row {row}: {lost}/{back}"
    assert battle.log[0].text == f"The guns shoot down {lost} squadron and turn back {back} (result {lost}/{back})."
    assert (len(battle.raid.lost), len(battle.raid.back), len(battle.raid.escorts)) == (lost, back, 3)


@pytest.mark.rule("pearl", "PH.6", "A7", "51.31.7")
def test_guns_are_silent_in_disarray_or_by_option() -> None:
    assert disarray().attackers(20).play("guns").texts("51.31.7")
    assert not surprised(guns="none").attackers(20).play("guns").log
    assert not surprised().attackers(0, escorts=3).play("guns").log, "no attackers are left"
    again = disarray().attackers(20)
    again.raid.stays = True
    assert again.play("guns").log[0].rolls, "they fire at the second strike"


# -- targets -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pearl", "PH.7", "51.31.6")
def test_illegal_targets_are_rejected_with_reason() -> None:
    battle = surprised().attackers(9).force("tf8", "3").force("tf12", "Pearl", seen=True)
    battle.ship("nevada").condition = Condition.SUNK
    battle.raid.army.grounded = 2
    battle.play("attack", {"targets": ["arizona"] * 8 + ["lexington"]}, dice=[1] * 8)
    question = battle.question("targets")
    with pytest.raises(IllegalChoice, match="the limit is 8"):
        question.accept(["arizona"] * 9)
    for key, reason in {
        "nevada": "She is sunk.",
        "enterprise": "Task Force 8 is not in Pearl Harbor.",
        "naval": "No naval aircraft are surprised on the ground",
        "too-many": "At most 8 squadrons",
    }.items():
        with pytest.raises(IllegalChoice, match=reason):
            question.accept([key] * 9)
    assert "army" in question.keys


@pytest.mark.rule("pearl", "PH.7", "PH.8", "P6")
@pytest.mark.parametrize(("condition", "damaged"), [(Condition.AFLOAT, True), (Condition.DAMAGED, False)])
def test_damaged_ship_hint_omits_damage(condition: Condition, damaged: bool) -> None:
    battle = surprised().attackers(5)
    battle.ship("arizona").condition = condition
    battle.play("attack", {"targets": ["arizona"] * 5}, dice=[1, 1])
    hint = next(option.info for option in battle.question("targets").options if option.key == "arizona")
    assert hint is not None
    assert hint.note.startswith("with 2 squadrons: ")
    assert ("damaged" in hint.note) == damaged


@pytest.mark.rule("pearl", "PH.7", "P2")
def test_targets_are_chosen_before_attacks() -> None:
    battle = surprised().attackers(10).play("attack", {"targets": ["nevada"] * 5 + ["arizona"] * 5})
    assert len(battle.decisions) == 1
    assert len(battle.texts("20.51")) == 2


# -- attacks -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pearl", "PH.8", "20.51", "51.31.5", "P6")
@pytest.mark.parametrize(
    ("faces", "condition", "result"),
    [
        ([1, 2], Condition.AFLOAT, "2d6 + 1 surprise = 4, row 5: 2"),
        ([2, 2], Condition.DAMAGED, "2d6 + 1 surprise = 5, row 5: 3"),
        ([3, 4], Condition.SUNK, "2d6 + 1 surprise = 8, row 5: 4"),
    ],
)
def test_size_four_ship_damaged_at_three_sunk_at_four(faces: list[int], condition: Condition, result: str) -> None:
    battle = surprised().attackers(5).play("attack", {"targets": ["arizona"] * 5}, dice=faces)
    assert battle.log[0].rolls[0].result == result
    assert battle.ship("arizona").condition is condition


@pytest.mark.rule("pearl", "PH.8", "P6")
def test_damaged_ship_sinks_at_one_less() -> None:
    battle = surprised().attackers(5)
    battle.ship("arizona").condition = Condition.DAMAGED
    battle.play("attack", {"targets": ["arizona"] * 5}, dice=[2, 2])
    assert battle.ship("arizona").sunk


@pytest.mark.rule("pearl", "PH.12", "51.31.5")
def test_second_strike_has_no_surprise_bonus() -> None:
    battle = surprised().attackers(5)
    battle.raid.stays = True
    battle.play("attack", {"targets": ["arizona"] * 5}, dice=[3, 4])
    assert battle.log[0].rolls[0].result == "2d6 = 7, row 5: 3"


@pytest.mark.rule("war", "A14")
@pytest.mark.rule("pearl", "A19", "A14", "20.51")
@pytest.mark.parametrize(
    ("options", "result"),
    [
        ({"surprise_bonus": "twice"}, "2d6 + 1 surprise + 1 surprise (Naval Attack Table) = 9, row 5: 4"),
        ({"nationality": "suggested"}, "2d6 + 1 surprise − 1 naval nationality = 7, row 5: 3"),
    ],
)
def test_options_change_net_modifier(options: dict[str, Any], result: str) -> None:
    battle = surprised(**options).attackers(5).play("attack", {"targets": ["arizona"] * 5}, dice=[3, 4])
    assert battle.log[0].rolls[0].result == result


@pytest.mark.rule("pearl", "PH.8", "51.31.6", "A17")
def test_effects_destroy_light_ships_and_grounded_aircraft() -> None:
    battle = surprised().attackers(12)
    battle.raid.army.grounded, battle.raid.naval.grounded = 4, 8
    battle.play("attack", {"targets": ["light"] * 4 + ["army"] * 4 + ["naval"] * 4}, dice=[3, 3, 3, 3, 3, 3])
    assert battle.raid.light == 6 - 3
    assert (battle.raid.army.grounded, battle.raid.army.lost) == (1, 3)
    assert (battle.raid.naval.grounded, battle.raid.naval.lost) == (0, 8), "three for each effect"


@pytest.mark.rule("pearl", "PH.9", "51.31.7", "A8")
@pytest.mark.parametrize(
    ("option", "face", "sunk"), [("4", 4, True), ("4", 3, False), ("5", 5, True), ("5", 4, False), ("6", 5, False)]
)
def test_critical_hit_sinks_damaged_ship_in_disarray(option: str, face: int, sunk: bool) -> None:
    battle = disarray(critical=option).attackers(5)
    battle.play("attack", {"targets": ["arizona"] * 5}, dice=[2, 2, face])
    assert battle.ship("arizona").sunk is sunk
    (text,) = battle.texts("PH.9")
    assert text == ("Critical hit on Arizona: she is sunk." if sunk else "No critical hit on Arizona.")


@pytest.mark.rule("pearl", "PH.9")
def test_no_critical_die_without_damage_or_disarray() -> None:
    for battle, faces in ((disarray(), [1, 2]), (disarray(), [6, 6]), (surprised(), [2, 2])):
        battle.attackers(5).play("attack", {"targets": ["arizona"] * 5}, dice=faces)
        assert not battle.texts("PH.9")
