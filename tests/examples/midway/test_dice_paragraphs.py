"""The rulebook's paragraphs on dice, each played with the dice it names."""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, nothing, reply


@pytest.mark.rule("midway", "12.4")
def test_dive_bombers_hit_on_5_or_6_and_reroll_each_6() -> None:
    """Ten dice with three 5's and three 6's: six hits. The 6's again: 6, 6, 5: two more. Again: 6, 1: one. Again: 3."""
    battle = Battle().settle().put("ready", "hornet-db-1", "hornet-db-2")
    bombs = [1, 2, 3, 4, 5, 5, 5, 6, 6, 6, *(6, 6, 5), *(6, 1), 3]
    battle.play(
        "attack", "usa", reply("12.1", "Kaga", "hornet-db-1", "hornet-db-2"), dice=[1] * 9 + bombs, otherwise=nothing
    )
    assert battle.carrier("kaga").damage == 6 + 2 + 1


@pytest.mark.rule("midway", "12.5")
def test_torpedo_bombers_score_two_hits_on_6_and_reroll_each_6() -> None:
    """Ten dice with four 5's and two 6's: four hits. The 6's again: 6, 5: one more. Again: 6: one more. Again: 2."""
    battle = Battle().settle().put("ready", "hornet-tb-1", "hornet-tb-2")
    drops = [1, 2, 3, 4, 5, 5, 5, 5, 6, 6, *(6, 5), 6, 2]
    battle.play(
        "attack", "usa", reply("12.1", "Kaga", "hornet-tb-1", "hornet-tb-2"), dice=[1] * 9 + drops, otherwise=nothing
    )
    assert battle.carrier("kaga").damage == 4 + 1 + 1


@pytest.mark.rule("midway", "12.2", "12.3")
def test_guns_roll_once_at_entire_wave_and_attacker_chooses_losses() -> None:
    """Four squadrons attack the Soryu: her dice show 4, 5, 6, 3, 2, 1; three of 20 points are lost."""
    four = [f"hornet-db-{n}" for n in (1, 2)] + [f"hornet-tb-{n}" for n in (1, 2)]
    battle = Battle().settle().put("ready", *four)
    played = battle.play(
        "attack",
        "usa",
        reply("12.1", "Soryu", *four),
        reply("12.3", "hits", "hornet-tb-1", "hornet-tb-2", "hornet-db-2"),
        dice=[4, 5, 6, 3, 2, 1, *[1] * 9, *[1] * 8],
        otherwise=nothing,
    )
    assert played.dice("12.2") == [[4, 5, 6, 3, 2, 1]]
    assert battle.strengths(*four) == [5, 4, 4, 4]
    assert [len(faces) for rule in ("12.4", "12.5") for faces in played.dice(rule)] == [9, 8]


@pytest.mark.rule("midway", "11.2", "11.3", "11.4")
def test_cap_fights_equal_number_of_escorts_and_attacks_bombers() -> None:
    """Three Zeros, two escorts: two fight two, one attacks the bombers; each 4 to 6 hits."""
    battle = Battle().settle().put("cap 1", "kaga-f-1", "kaga-f-2", "kaga-f-3", strength=2)
    battle.put("ready", "hornet-f-1", "hornet-f-2", strength=2).put("ready", "hornet-tb-1", "hornet-db-1")
    battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", "kaga-f-1", "kaga-f-2", "kaga-f-3"),
        reply("11.2", "escorts", "kaga-f-1", "kaga-f-2"),
        reply("11.3", "hits", "hornet-f-1", "hornet-f-1", "hornet-f-2", seat="usa"),
        reply("11.3", "hits", "kaga-f-2", seat="japan"),
        reply("11.4", "each type", "TB", "DB", seat="japan"),
        dice=[4, 5, 6, 1, *(3, 2, 1, 4), *(5, 6)],
    )
    assert battle.where("hornet-f-1") == "lost"
    assert battle.strengths("hornet-f-2", "kaga-f-1", "kaga-f-2", "hornet-tb-1", "hornet-db-1") == [1, 2, 1, 4, 4]
    assert {battle.where(f"kaga-f-{n}") for n in (1, 2, 3)} == {"cap 2"}


@pytest.mark.rule("midway", "15", "16.1", "16.2")
def test_repair_numbers_follow_ship_data() -> None:
    battle = Battle().settle().damage(hiryu=7, soryu=10, akagi=1, kaga=9, enterprise=2, hornet=2, yorktown=7)
    battle.play("repair", "japan", dice=[5, 6, 6])
    battle.play("repair", "usa", dice=[5, 4, 4])
    damage = {carrier.key: carrier.damage for side in battle.sides for carrier in side.carriers}
    assert damage == {
        "hiryu": 7,
        "soryu": 10,
        "akagi": 0,
        "kaga": 8,
        "enterprise": 1,
        "hornet": 2,
        "yorktown": 6,
    }


@pytest.mark.rule("midway", "17.1", "17.2")
def test_finding_japanese_fleet_four_groups_one_die_reroll_5_or_6() -> None:
    """Eight squadrons in four groups of two; the die shows 5, then 3: the third group is placed in Ready to Attack."""
    eight = [f"enterprise-db-{n}" for n in range(1, 9)]
    battle = Battle(turn=3).put("moving", *eight)
    pairs = [reply("17.1", f"group {n}", *eight[2 * n - 2 : 2 * n]) for n in (1, 2, 3)]
    battle.play("move", "usa", reply("10.2", "advance", *eight), *pairs, dice=[5, 3])
    assert battle.lying("usa", "ready") == eight[4:6]
    assert battle.lying("usa", "moving") == [*eight[:4], *eight[6:]]
    battle.turn = 4
    battle.play("move", "usa", reply("10.2", "advance", *eight[:4], *eight[6:]))
    assert battle.lying("usa", "moving") == []
