"""Tests of sections 15 and 16 and rulings M10, M12, M14 and M17: repair and damaged carriers."""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, nothing, reply

from readyroom.games.midway.state import DIE, SideName


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


REPAIRS = [("enterprise", 5), ("hornet", 5), ("yorktown", 4), ("hiryu", 6), ("soryu", 6), ("akagi", 6), ("kaga", 6)]


@pytest.mark.rule("midway", "15", "6")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(("key", "needs"), REPAIRS)
def test_repair_die_removes_one_point_from_carriers_number_up(battle: Battle, key: str, needs: int, face: int) -> None:
    side: SideName = "usa" if needs < 6 else "japan"
    battle.damage(**{key: 3})
    played = battle.play("repair", side, dice=[face])
    assert battle.carrier(key).damage == (2 if face >= needs else 3)
    assert len(played.rolled) == 1


@pytest.mark.rule("midway", "15")
def test_damaged_carriers_roll_one_repair_die_each(battle: Battle) -> None:
    battle.damage(akagi=1, kaga=9, soryu=5)
    battle.play("repair", "japan", dice=[1, 6, 6])
    assert [battle.carrier(key).damage for key in ("soryu", "akagi", "kaga")] == [5, 0, 8]


@pytest.mark.rule("midway", "15", "M17")
def test_undamaged_carrier_rolls_no_repair_die(battle: Battle) -> None:
    assert battle.play("repair", "usa").rolled == {}
    assert [carrier.damage for carrier in battle.state.usa.carriers] == [0, 0, 0]


@pytest.mark.rule("midway", "15", "M17")
def test_repair_removes_one_point_a_turn(battle: Battle) -> None:
    battle.damage(yorktown=6)
    battle.play("repair", "usa", dice=[6])
    assert battle.carrier("yorktown").damage == 5


@pytest.mark.rule("midway", "15", "M28")
def test_repair_that_never_succeeds_says_so(battle: Battle) -> None:
    battle.damage(akagi=6)
    battle.carrier("akagi").repair = DIE + 1
    played = battle.play("repair", "japan", dice=[6])
    assert "Akagi's repair cannot succeed in this scenario." in played.log_text("15")[0]
    assert battle.carrier("akagi").damage == 6


@pytest.mark.rule("midway", "15", "16.1")
def test_crippled_carrier_can_be_repaired(battle: Battle) -> None:
    battle.damage(yorktown=9)
    battle.play("repair", "usa", dice=[4])
    assert battle.carrier("yorktown").damage == 8


@pytest.mark.rule("midway", "15", "16.2")
def test_sunk_carrier_is_not_repaired(battle: Battle) -> None:
    battle.damage(yorktown=10)
    assert battle.play("repair", "usa").rolled == {}
    assert battle.carrier("yorktown").damage == 10


@pytest.mark.rule("midway", "15", "8")
def test_side_repairs_only_own_carriers(battle: Battle) -> None:
    battle.damage(yorktown=5, akagi=5)
    battle.play("repair", "japan", dice=[6])
    assert [battle.carrier(key).damage for key in ("yorktown", "akagi")] == [5, 4]


@pytest.mark.rule("midway", "16", "15")
def test_damage_adds_up_over_turns_minus_repairs(battle: Battle) -> None:
    for hits in ([5, 5, 5], [5, 5]):
        battle.put("ready", "hornet-db-1", strength=len(hits))
        battle.play("attack", "usa", reply("12.1", "Soryu", "hornet-db-1"), dice=[1] * 6 + hits, otherwise=nothing)
        battle.play("repair", "japan", dice=[6])
    assert battle.carrier("soryu").damage == 3 - 1 + 2 - 1


@pytest.mark.rule("midway", "16.1", "6")
@pytest.mark.parametrize(
    ("damage", "message"), [(6, "has damage 6"), (7, "is crippled"), (9, "is crippled"), (10, "sinks")]
)
def test_seven_hits_cripple_and_ten_sink(battle: Battle, damage: int, message: str) -> None:
    battle.put("ready", "hornet-db-1", "hornet-db-2")
    dice = [1] * 6 + [5] * damage + [1] * (10 - damage)
    played = battle.play(
        "attack", "usa", reply("12.1", "Soryu", "hornet-db-1", "hornet-db-2"), dice=dice, otherwise=nothing
    )
    assert battle.carrier("soryu").damage == damage
    assert message in " ".join(line.text for line in played.lines if line.rule.startswith("16"))


@pytest.mark.rule("midway", "18.2", "16.1", "16.2")
@pytest.mark.parametrize(("before", "hits", "scored"), [(0, 7, "4 points"), (7, 3, "6 points"), (6, 4, "10 points")])
def test_log_says_what_a_carrier_scores(battle: Battle, before: int, hits: int, scored: str) -> None:
    battle.damage(soryu=before).put("ready", "hornet-db-1", "hornet-db-2")
    dice = [1] * 6 + [5] * hits + [1] * (10 - hits)
    played = battle.play(
        "attack", "usa", reply("12.1", "Soryu", "hornet-db-1", "hornet-db-2"), dice=dice, otherwise=nothing
    )
    line = next(line.text for line in played.lines if line.rule.startswith("16"))
    assert line.endswith(f" The United States scores {scored}.")


@pytest.mark.rule("midway", "18.2", "15")
def test_log_says_what_a_repair_takes_from_the_enemy(battle: Battle) -> None:
    battle.damage(akagi=8, kaga=7)
    texts = battle.play("repair", "japan", dice=[6, 6]).log_text("15")
    assert [text.endswith(" The United States loses 4 points.") for text in texts] == [False, True]


@pytest.mark.rule("midway", "16.1")
def test_crippled_carrier_neither_lands_nor_plans_nor_launches(battle: Battle) -> None:
    battle.damage(akagi=7, kaga=10, soryu=10, hiryu=10)
    battle.put("waiting", "kaga-db-1").put("deck akagi", "akagi-db-1")
    for step in ("land", "launch", "plan"):
        assert battle.play(step, "japan").asked == []
    battle.put("hangar akagi", "akagi-db-1")
    assert battle.play("land", "japan").asked == [], "a clear deck does not help"
    assert battle.where("kaga-db-1") == "waiting"


@pytest.mark.rule("midway", "16.1", "15")
def test_carrier_repaired_below_seven_works_again(battle: Battle) -> None:
    battle.damage(akagi=7).put("deck akagi", "akagi-db-1")
    played = battle.play("repair", "japan", dice=[6])
    assert "can launch and land again" in played.log_text("15")[0]
    assert battle.play("launch", "japan", otherwise=nothing).asked[0].keys == ["akagi-db-1"]


@pytest.mark.rule("midway", "16.1", "M12")
def test_crippled_carrier_keeps_deck_load(battle: Battle) -> None:
    battle.put("deck soryu", "soryu-db-1").damage(soryu=6)
    battle.put("ready", "hornet-db-1", strength=1)
    battle.play("attack", "usa", reply("12.1", "Soryu", "hornet-db-1"), dice=[1] * 6 + [5], otherwise=nothing)
    assert battle.carrier("soryu").damage == 7
    assert battle.where("soryu-db-1") == "deck soryu"


@pytest.mark.rule("midway", "16.2", "M10")
def test_sunk_carrier_loses_squadrons_aboard_only(battle: Battle) -> None:
    battle.damage(soryu=9).put("deck soryu", "soryu-db-1", "soryu-f-1")
    battle.put("deck kaga", "soryu-tb-4").put("waiting", "soryu-db-2").put("moving", "soryu-tb-1")
    battle.put("cap 1", "soryu-f-2").put("hangar soryu", "kaga-db-5")
    below = set(battle.lying("japan", "hangar soryu"))
    battle.put("ready", "hornet-db-1", strength=1)
    battle.play("attack", "usa", reply("12.1", "Soryu", "hornet-db-1"), dice=[1] * 6 + [5], otherwise=nothing)
    assert set(battle.lying("japan", "lost")) == below | {"soryu-db-1", "soryu-f-1"}
    assert "kaga-db-5" in below, "guests go down with her too"
    in_the_air = ("soryu-db-2", "soryu-tb-1", "soryu-f-2", "soryu-tb-4")
    assert [battle.where(key) for key in in_the_air] == ["waiting", "moving", "cap 1", "deck kaga"]


@pytest.mark.rule("midway", "16", "M14")
def test_damage_stops_at_ten(battle: Battle) -> None:
    battle.damage(soryu=9).put("ready", "hornet-tb-1", strength=1)
    battle.play("attack", "usa", reply("12.1", "Soryu", "hornet-tb-1"), dice=[1] * 6 + [6, 6, 1], otherwise=nothing)
    assert battle.carrier("soryu").damage == 10
