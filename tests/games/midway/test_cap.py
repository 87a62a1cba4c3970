"""Tests of section 11 and rulings M5 to M8 and M21: the combat air patrol."""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, nothing, reply

from readyroom.engine.errors import IllegalChoice

DIVE = ("hornet-db-1", "hornet-db-2")
TORPEDO = ("hornet-tb-1", "hornet-tb-2")
ESCORTS = ("hornet-f-1", "hornet-f-2")
ZEROS = ("akagi-f-1", "akagi-f-2", "akagi-f-3")


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


# -- 11.1 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "11", "11.1")
@pytest.mark.parametrize("box", ["moving", "home", "waiting", "over akagi"])
def test_cap_reaches_only_enemys_ready_to_attack_box(battle: Battle, box: str) -> None:
    battle.put("cap 1", *ZEROS).put(box, *DIVE)
    assert battle.play("cap", "japan").asked == []
    assert battle.strengths(*DIVE) == [5, 5]


@pytest.mark.rule("midway", "11", "11.1")
@pytest.mark.parametrize("box", ["moving", "ready", "home", "waiting", "deck akagi", "hangar akagi"])
def test_attack_needs_fighters_in_cap_box(battle: Battle, box: str) -> None:
    battle.put(box, *ZEROS).put("ready", *DIVE)
    played = battle.play("cap", "japan")
    assert played.asked == []
    assert [line.text for line in played.lines] == ["No Japanese fighters meet the American planes: none fly CAP."]


@pytest.mark.rule("midway", "11.1")
def test_squadron_may_wait_and_then_stays_in_ring(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS).put("ready", *DIVE)
    played = battle.play("cap", "japan", reply("11.1", "attack"))
    assert [line.text for line in played.lines] == [
        "No Japanese fighters meet the American planes: the CAP holds back."
    ]
    assert battle.lying("japan", "cap 1") == list(ZEROS)
    assert battle.strengths(*DIVE) == [5, 5]


@pytest.mark.rule("midway", "11.1")
def test_cap_attack_rolls_dice_of_chosen_squadrons_only(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS, strength=2).put("ready", *DIVE)
    played = battle.play("cap", "japan", reply("11.1", "attack", ZEROS[1]), dice=[1, 1])
    assert [len(faces) for faces in played.dice("11.3")] == [2]


@pytest.mark.rule("midway", "11.1")
def test_squadrons_attack_once_per_step(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=1).put("ready", *DIVE)
    played = battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[1])
    assert played.rules == ["11.1"]
    assert battle.where(ZEROS[0]) == "cap 2", "it could attack from there, but not in this step"


@pytest.mark.rule("midway", "11.1")
def test_fighter_squadron_may_attack_fighters_alone(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=1).put("ready", ESCORTS[0], strength=2)
    battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[4, 1, 1])
    assert battle.strengths(ESCORTS[0]) == [1]


@pytest.mark.rule("midway", "11.2", "M21")
@pytest.mark.parametrize(("escorts", "there"), [(0, "no escorts"), (2, "2 escort squadrons (4 dice)")])
def test_cap_attack_info_describes_enemy(battle: Battle, escorts: int, there: str) -> None:
    battle.put("cap 1", ZEROS[0]).put("ready", *DIVE).put("ready", *ESCORTS[:escorts], strength=2)
    hint = battle.play("cap", "japan", otherwise=nothing).asked[0].options[0].info
    assert hint is not None
    assert hint.note.startswith(f"0.5 expected hits per point; enemy: 10 bomber points, {there}")


# -- 11.2 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "11.2", "M6")
def test_escorts_are_fought_by_equal_number_of_squadrons(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS, strength=1).put("ready", *DIVE).put("ready", ESCORTS[0], strength=1)
    played = battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", *ZEROS),
        reply("11.2", "1 squadron", ZEROS[2]),
        dice=[1, 1, 1, 1],
    )
    # one on the escort, one back, two on the bombers
    assert [len(faces) for faces in played.dice("11.3")] == [1, 1, 2]


@pytest.mark.rule("midway", "11.2", "M6")
@pytest.mark.parametrize("chosen", [[], list(ZEROS[:1]), list(ZEROS)])
def test_other_numbers_may_not_fight_escorts(battle: Battle, chosen: list[str]) -> None:
    battle.put("cap 1", *ZEROS).put("ready", *ESCORTS, *DIVE)
    with pytest.raises(IllegalChoice, match="Choose 2"):
        battle.play("cap", "japan", reply("11.1", "attack", *ZEROS), reply("11.2", "2 squadron", *chosen))


@pytest.mark.rule("midway", "11.2", "M6")
def test_equal_numbers_are_squadrons_not_strength_points(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=5).put("cap 1", ZEROS[1], strength=1)
    battle.put("ready", ESCORTS[0], strength=1).put("ready", *DIVE)
    played = battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", *ZEROS[:2]),
        reply("11.2", "1 squadron", ZEROS[1]),
        dice=[1, 1, 1, 1, 1, 1, 1],
    )
    assert [len(faces) for faces in played.dice("11.3")] == [1, 1, 5]


@pytest.mark.rule("midway", "11.2", "M6")
@pytest.mark.parametrize("patrol", [1, 2])
def test_cap_without_more_squadrons_all_fight_escorts(battle: Battle, patrol: int) -> None:
    battle.put("cap 1", *ZEROS[:patrol], strength=1).put("ready", *ESCORTS, strength=1).put("ready", *DIVE)
    played = battle.play(
        "cap", "japan", reply("11.1", "attack", *ZEROS[:patrol]), dice=[1] * patrol + [1, 1], otherwise=nothing
    )
    assert played.rules == ["11.1"]
    assert played.log_text("11.4") == []
    assert battle.strengths(*DIVE) == [5, 5]


@pytest.mark.rule("midway", "11.2")
def test_bombers_without_escorts_can_all_be_attacked(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS, strength=1).put("ready", *DIVE)
    played = battle.play("cap", "japan", reply("11.1", "attack", *ZEROS), dice=[1, 2, 3])
    assert played.rules == ["11.1"]
    assert len(played.dice("11.3")) == 1


@pytest.mark.rule("midway", "11.3", "M21")
def test_escorts_all_fight_even_fewer_cap_squadrons(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=3).put("ready", *ESCORTS, strength=2)
    played = battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[1, 1, 1, 1, 1, 4, 4])
    assert [len(faces) for faces in played.dice("11.3")] == [3, 4]
    assert battle.strengths(ZEROS[0]) == [1]


# -- 11.3 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "11.3")
@pytest.mark.parametrize(("face", "left"), [(1, 5), (2, 5), (3, 5), (4, 4), (5, 4), (6, 4)])
def test_roll_of_four_or_more_removes_one_strength_point(battle: Battle, face: int, left: int) -> None:
    battle.put("cap 1", ZEROS[0], strength=1).put("ready", DIVE[0])
    battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[face])
    assert battle.strengths(DIVE[0]) == [left]


@pytest.mark.rule("midway", "11.3")
@pytest.mark.parametrize(("face", "left"), [(3, 2), (4, 1)])
def test_escorts_hit_cap_on_same_faces(battle: Battle, face: int, left: int) -> None:
    battle.put("cap 1", ZEROS[0], strength=2).put("ready", ESCORTS[0], strength=1)
    battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[1, 1, face])
    assert battle.strengths(ZEROS[0]) == [left]


@pytest.mark.rule("midway", "11.3", "5")
def test_dogfight_rolls_one_die_per_strength_point(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=5).put("cap 2", ZEROS[1], strength=3).put("ready", *DIVE)
    played = battle.play("cap", "japan", reply("11.1", "attack", *ZEROS[:2]), dice=[1] * 8)
    assert [len(faces) for faces in played.dice("11.3")] == [8]


@pytest.mark.rule("midway", "11.3", "M8")
def test_dogfight_hits_are_simultaneous(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=2).put("ready", ESCORTS[0], strength=2)
    battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[4, 5, 6, 4])
    assert [battle.where(ZEROS[0]), battle.where(ESCORTS[0])] == ["lost", "lost"]


@pytest.mark.rule("midway", "11.3", "11.4", "M8")
def test_bomber_attackers_roll_before_losses(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS[:2], strength=1).put("ready", ESCORTS[0], strength=2).put("ready", DIVE[0])
    played = battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", *ZEROS[:2]),
        reply("11.2", "1 squadron", ZEROS[0]),
        dice=[4, 6, 1, 6],
    )
    assert [len(faces) for faces in played.dice("11.3")] == [1, 2, 1]
    assert battle.where(ZEROS[0]) == "lost"
    assert battle.strengths(ESCORTS[0], DIVE[0]) == [1, 4]


@pytest.mark.rule("midway", "11.3")
def test_escort_fights_and_bomber_attacks_are_resolved_separately(battle: Battle) -> None:
    """Hits on escorts never carry over to bombers, or the reverse, even if wasted."""
    battle.put("cap 1", ZEROS[0], strength=5).put("cap 1", ZEROS[1], strength=1)
    battle.put("ready", ESCORTS[0], strength=1).put("ready", DIVE[0])
    battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", *ZEROS[:2]),
        reply("11.2", "1 squadron", ZEROS[0]),
        dice=[6, 6, 6, 6, 6, 1, 6],
    )
    assert battle.where(ESCORTS[0]) == "lost"
    assert battle.strengths(DIVE[0]) == [4]


@pytest.mark.rule("midway", "11.3", "11.4")
def test_bombers_do_not_fire_back(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=1).put("ready", *DIVE, *TORPEDO)
    played = battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[1])
    assert len(played.rolled) == 1
    assert battle.strengths(ZEROS[0]) == [1]


@pytest.mark.rule("midway", "11.3", "M7")
def test_dogfight_hits_are_allocated_by_owner(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS[:2], strength=2).put("ready", *ESCORTS, strength=2)
    battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", *ZEROS[:2]),
        reply("11.3", "hits", ESCORTS[0], ESCORTS[1], seat="usa"),
        reply("11.3", "hits", ZEROS[1], seat="japan"),
        dice=[4, 4, 1, 1, 4, 1, 1, 1],
    )
    assert battle.strengths(*ESCORTS) == [1, 1]
    assert battle.strengths(*ZEROS[:2]) == [2, 1]


@pytest.mark.rule("midway", "11.3", "M7")
def test_holding_cap_squadron_takes_no_hits(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS[:2], strength=1).put("ready", ESCORTS[0], strength=3)
    battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[1, 6, 6, 6])
    assert battle.where(ZEROS[0]) == "lost"
    assert battle.strengths(ZEROS[1]) == [1]


# -- 11.4 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "11.4", "M7")
def test_attacker_divides_hits_by_type_and_owner_by_squadron(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0]).put("ready", *DIVE, *TORPEDO)
    played = battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", ZEROS[0]),
        reply("11.4", "each type", "TB", "TB", "TB", "DB", seat="japan"),
        reply("11.4", "hits", TORPEDO[1], TORPEDO[1], TORPEDO[0], seat="usa"),
        reply("11.4", "hits", DIVE[1], seat="usa"),
        dice=[4, 4, 4, 4, 1],
    )
    assert battle.strengths(*TORPEDO, *DIVE) == [4, 3, 5, 4]
    assert "Japanese CAP hits: 3 on torpedo bombers and 1 on dive bombers." in played.log_text("11.4")


@pytest.mark.rule("midway", "11.4")
@pytest.mark.parametrize("kind", ["TB", "DB"])
def test_hits_may_all_go_to_one_type(battle: Battle, kind: str) -> None:
    battle.put("cap 1", ZEROS[0]).put("ready", DIVE[0], TORPEDO[0])
    battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", ZEROS[0]),
        reply("11.4", "each type", *[kind] * 3),
        dice=[4, 4, 4, 1, 1],
    )
    assert battle.strengths(TORPEDO[0], DIVE[0]) == ([2, 5] if kind == "TB" else [5, 2])


@pytest.mark.rule("midway", "11.4")
def test_type_bears_no_more_hits_than_it_has_strength_points(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0]).put("ready", DIVE[0]).put("ready", TORPEDO[0], strength=2)
    with pytest.raises(IllegalChoice, match="the limit is 2"):
        battle.play(
            "cap",
            "japan",
            reply("11.1", "attack", ZEROS[0]),
            reply("11.4", "each type", "TB", "TB", "TB"),
            dice=[4, 4, 4, 1, 1],
        )


@pytest.mark.rule("midway", "11.4")
def test_types_are_not_asked_for_where_there_is_only_one(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=2).put("ready", *TORPEDO)
    played = battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", ZEROS[0]),
        reply("11.4", "hits", TORPEDO[0], TORPEDO[0], seat="usa"),
        dice=[4, 4],
    )
    assert played.rules == ["11.1", "11.4"]
    assert battle.strengths(*TORPEDO) == [3, 5]
    assert "Torpedo bombers take both hits." in played.log_text("11.4")
    assert any(line.endswith(" TB 1 takes 2 hits (3 left).") for line in played.log_text("11.4"))


@pytest.mark.rule("midway", "11.4")
def test_hits_beyond_all_bombers_are_wasted(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0]).put("ready", DIVE[0], TORPEDO[0], strength=1)
    played = battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[6, 6, 6, 6, 6])
    assert {battle.where(key) for key in (DIVE[0], TORPEDO[0])} == {"lost"}
    assert "All torpedo bombers and dive bombers are shot down." in played.log_text("11.4")
    assert not any("CAP hits" in line for line in played.log_text("11.4"))


@pytest.mark.rule("midway", "11.4")
@pytest.mark.parametrize(("hits", "text"), [(1, "the hit"), (2, "both hits"), (3, "all 3 hits"), (5, "")])
def test_single_bomber_type_takes_all_hits(battle: Battle, hits: int, text: str) -> None:
    battle.put("cap 1", ZEROS[0]).put("ready", DIVE[0])
    played = battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[*[6] * hits, *[1] * (5 - hits)])
    assert (f"Dive bombers take {text}." if text else "All dive bombers are shot down.") in played.log_text("11.4")


@pytest.mark.rule("midway", "11.4", "18.1")
def test_cap_of_side_without_carriers_still_divides_hits(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=1).put("ready", DIVE[0], TORPEDO[0])
    battle.damage(akagi=10, kaga=10, soryu=10, hiryu=10)
    battle.play(
        "cap", "japan", reply("11.1", "attack", ZEROS[0]), reply("11.4", "each type", "TB", seat="japan"), dice=[6]
    )
    assert battle.strengths(TORPEDO[0], DIVE[0]) == [4, 5]


# -- 11.5 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "11.5", "M5")
def test_squadron_after_attack_moves_out_and_attacks_twice_in_all(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=1).put("ready", *DIVE)
    for ring in ("cap 2", "cap 3"):
        battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[1])
        assert battle.where(ZEROS[0]) == ring
    assert battle.play("cap", "japan").asked == []
    battle.play("move", "japan", otherwise=nothing)
    assert battle.where(ZEROS[0]) == "waiting"


@pytest.mark.rule("midway", "11.5", "M5")
def test_rings_move_out_by_one_together(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=1).put("cap 2", ZEROS[1], strength=1).put("ready", *DIVE)
    battle.play("cap", "japan", reply("11.1", "attack", *ZEROS[:2]), dice=[1, 1])
    assert [battle.where(key) for key in ZEROS[:2]] == ["cap 2", "cap 3"]


@pytest.mark.rule("midway", "11.1", "11.5", "M5")
def test_squadron_in_last_ring_attacks_no_more(battle: Battle) -> None:
    battle.put("cap 3", ZEROS[0]).put("cap 2", ZEROS[1]).put("ready", *DIVE)
    with pytest.raises(IllegalChoice, match="last ring"):
        battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]))


@pytest.mark.rule("midway", "11.5", "M5")
@pytest.mark.parametrize("rings", [2, 3, 4])
def test_number_of_rings_is_option_and_gives_one_attack_less(rings: int) -> None:
    battle = Battle(cap_rings=rings).settle()
    battle.put("cap 1", ZEROS[0], strength=1).put("ready", *DIVE)
    attacks = 0
    while battle.play("cap", "japan", dice=[], otherwise=nothing).asked:
        battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[1])
        attacks += 1
    assert attacks == rings - 1
    assert battle.where(ZEROS[0]) == f"cap {rings}"


@pytest.mark.rule("midway", "M5")
def test_rings_default_to_three() -> None:
    assert len(Battle().state.japan.cap) == len(Battle().state.usa.cap) == 3


@pytest.mark.rule("midway", "11.5", "M5")
def test_cap_squadron_without_opponent_stays_in_ring(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS, strength=1).put("ready", ESCORTS[0], strength=1)
    battle.play("cap", "japan", reply("11.1", "attack", *ZEROS), reply("11.2", "1 squadron", ZEROS[1]), dice=[1, 1])
    assert [battle.where(key) for key in ZEROS] == ["cap 1", "cap 2", "cap 1"]


@pytest.mark.rule("midway", "11.5", "M8")
def test_survivors_of_dogfight_move_out_and_destroyed_do_not(battle: Battle) -> None:
    battle.put("cap 1", *ZEROS[:2], strength=1).put("ready", *ESCORTS, strength=1)
    battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", *ZEROS[:2]),
        reply("11.3", "hits", ZEROS[0], seat="japan"),
        dice=[1, 1, 4, 1],
    )
    assert [battle.where(key) for key in ZEROS[:2]] == ["lost", "cap 2"]


@pytest.mark.rule("midway", "11.5")
def test_destroyed_cap_logs_no_move_out(battle: Battle) -> None:
    battle.put("cap 1", ZEROS[0], strength=1).put("ready", ESCORTS[0], strength=1)
    played = battle.play("cap", "japan", reply("11.1", "attack", ZEROS[0]), dice=[1, 4])
    assert battle.where(ZEROS[0]) == "lost"
    assert played.log_text("11.5") == []


@pytest.mark.rule("midway", "11", "8")
def test_american_cap_attacks_by_same_rules(battle: Battle) -> None:
    battle.put("cap 1", "yorktown-f-1", strength=2).put("ready", "akagi-tb-1", "kaga-db-1")
    battle.play(
        "cap",
        "usa",
        reply("11.1", "attack", "yorktown-f-1", seat="usa"),
        reply("11.4", "each type", "TB", seat="usa"),
        dice=[5, 2],
    )
    assert battle.strengths("akagi-tb-1", "kaga-db-1") == [4, 5]
    assert battle.where("yorktown-f-1") == "cap 2"
