"""Tests of section 10 (movement) and of section 17 and ruling M3 (finding the Japanese fleet)."""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, nothing, reply

from readyroom.engine.errors import IllegalChoice

FOUR = ("hornet-db-1", "hornet-db-2", "hornet-tb-1", "hornet-f-1")


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


@pytest.mark.rule("midway", "10", "10.1", "M16")
@pytest.mark.parametrize(("box", "after"), [("moving", "ready"), ("home", "waiting")])
def test_squadron_advances_one_box(battle: Battle, box: str, after: str) -> None:
    battle.put(box, "akagi-db-1", "akagi-f-1")
    played = battle.play("move", "japan", reply("10.2", "advance", "akagi-db-1", "akagi-f-1"))
    assert [battle.where(key) for key in ("akagi-db-1", "akagi-f-1")] == [after, after]
    [line] = [line for line in played.lines if line.rule == "10.1"]
    assert "Akagi DB 1 (5), Akagi F 1 (5)" in line.text
    assert line.seen_by("usa") is (after == "ready"), "what comes over a fleet is seen by its owner"


@pytest.mark.rule("midway", "10.2")
@pytest.mark.parametrize("box", ["moving", "home"])
def test_squadrons_may_stay_in_box(battle: Battle, box: str) -> None:
    battle.put(box, "akagi-db-1", "akagi-db-2")
    battle.play("move", "japan", reply("10.2", "advance", "akagi-db-2"))
    assert battle.where("akagi-db-1") == box
    assert battle.where("akagi-db-2") != box


@pytest.mark.rule("midway", "10.1", "10.2")
@pytest.mark.parametrize("box", ["waiting", "ready", "cap 1", "cap 2", "hangar akagi", "deck akagi"])
def test_move_moves_nothing_else(battle: Battle, box: str) -> None:
    other = "akagi-f-1" if box.startswith("cap") else "akagi-tb-1"
    battle.put(box, other).put("home", "akagi-db-1")
    played = battle.play("move", "japan", reply("10.2", "advance", "akagi-db-1"))
    assert played.asked[0].keys == ["akagi-db-1"]
    assert battle.where(other) == box


@pytest.mark.rule("midway", "10")
def test_side_does_not_move_other_sides_aircraft(battle: Battle) -> None:
    battle.put("moving", "akagi-db-1").put("home", "hornet-db-1")
    battle.play("move", "usa", reply("10.2", "advance", "hornet-db-1"))
    assert battle.where("akagi-db-1") == "moving"


@pytest.mark.rule("midway", "10.1", "11.5", "M5")
def test_fighters_in_last_ring_come_down_unasked_and_only_these(battle: Battle) -> None:
    battle.put("cap 1", "akagi-f-1").put("cap 2", "akagi-f-2").put("cap 3", "akagi-f-3")
    assert battle.play("move", "japan").asked == []
    assert [battle.where(f"akagi-f-{n}") for n in (1, 2, 3)] == ["cap 1", "cap 2", "waiting"]


@pytest.mark.rule("midway", "10.2", "M15")
def test_side_without_carrier_afloat_must_advance_strike(battle: Battle) -> None:
    battle.put("moving", "kaga-db-1", "kaga-f-1").damage(akagi=10, kaga=10, soryu=10, hiryu=10)
    assert battle.play("move", "japan").asked == []
    assert battle.lying("japan", "ready") == ["kaga-db-1", "kaga-f-1"]


@pytest.mark.rule("midway", "10.2", "M15")
def test_one_crippled_carrier_afloat_holds_squadrons_back(battle: Battle) -> None:
    battle.put("moving", "kaga-db-1").damage(akagi=10, kaga=10, soryu=10, hiryu=9)
    battle.play("move", "japan", reply("10.2", "advance"))
    assert battle.where("kaga-db-1") == "moving"


@pytest.mark.rule("midway", "10.2", "M15", "9.3")
def test_squadrons_without_carrier_return_and_wait(battle: Battle) -> None:
    battle.put("home", "kaga-db-1").damage(akagi=10, kaga=10, soryu=10, hiryu=10)
    battle.play("move", "japan", otherwise=lambda decision: decision.keys)
    assert battle.where("kaga-db-1") == "waiting"


# -- 17 ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def unfound() -> Battle:
    battle = Battle(turn=3)
    assert not battle.state.found
    return battle


@pytest.mark.rule("midway", "17", "17.1", "17.2", "M3")
@pytest.mark.parametrize("face", [1, 2, 3, 4])
def test_search_die_names_group_that_advances_alone(unfound: Battle, face: int) -> None:
    unfound.put("moving", *FOUR)
    unfound.play(
        "move",
        "usa",
        reply("10.2", "advance", *FOUR),
        *(reply("17.1", f"group {n} of 4", FOUR[n - 1]) for n in (1, 2, 3)),
        dice=[face],
    )
    assert unfound.lying("usa", "ready") == [FOUR[face - 1]]
    assert sorted(unfound.lying("usa", "moving")) == sorted(set(FOUR) - {FOUR[face - 1]})
    assert unfound.state.found


@pytest.mark.rule("midway", "17.2")
@pytest.mark.parametrize("again", [[5], [6], [6, 5, 5, 6]])
def test_search_rerolls_five_and_six(unfound: Battle, again: list[int]) -> None:
    unfound.put("moving", *FOUR)
    played = unfound.play(
        "move",
        "usa",
        reply("10.2", "advance", *FOUR),
        *(reply("17.1", f"group {n} of 4", FOUR[n - 1]) for n in (1, 2, 3)),
        dice=[*again, 2],
    )
    assert unfound.lying("usa", "ready") == [FOUR[1]]
    assert played.dice("17.2") == [[*again, 2]]


@pytest.mark.rule("midway", "17.2")
def test_search_log_shows_rerolled_dice(unfound: Battle) -> None:
    unfound.put("moving", *FOUR)
    played = unfound.play(
        "move",
        "usa",
        reply("10.2", "advance", *FOUR),
        *(reply("17.1", f"group {n} of 4", FOUR[n - 1]) for n in (1, 2, 3)),
        dice=[5, 6, 3],
    )
    rolls = [roll for line in played.lines if line.rule == "17.2" for roll in line.rolls]
    assert [face for roll in rolls for faces in roll.faces for face in faces] == [5, 6, 3]


@pytest.mark.rule("midway", "17", "17.1")
def test_search_log_names_each_group_before_the_die(unfound: Battle) -> None:
    unfound.put("moving", *FOUR)
    groups = [reply("17.1", f"group {n} of 4", FOUR[n - 1]) for n in (1, 2, 3)]
    played = unfound.play("move", "usa", reply("10.2", "advance", *FOUR), *groups, dice=[3])
    lines = [(line.text, line.audience) for line in played.lines if line.rule.startswith("17")]
    assert [text for text, _ in lines[:4]] == [
        f"Search group {n} looks for the Japanese fleet: Hornet {name} (5)."
        for n, name in enumerate(("DB 1", "DB 2", "TB 1", "F 1"), 1)
    ]
    assert {seats for _, seats in lines} == {("usa",)}


@pytest.mark.rule("midway", "17.1", "M3")
def test_search_groups_contain_only_advancing_squadrons(unfound: Battle) -> None:
    unfound.put("moving", *FOUR, "hornet-db-8")
    played = unfound.play(
        "move",
        "usa",
        reply("10.2", "advance", *FOUR),
        reply("17.1", "group 1", "hornet-f-1"),
        reply("17.1", "group 2", "hornet-db-1"),
        reply("17.1", "group 3", "hornet-db-2"),
        dice=[1],
    )
    assert played.asked[1].keys == list(FOUR)
    assert unfound.lying("usa", "ready") == ["hornet-f-1"]


@pytest.mark.rule("midway", "17.1", "M3")
def test_groups_of_four_or_more_squadrons_are_never_empty(unfound: Battle) -> None:
    five = [*FOUR, "hornet-db-3"]
    unfound.put("moving", *five)
    played = unfound.play(
        "move",
        "usa",
        reply("10.2", "advance", *five),
        reply("17.1", "group 1", *five[:2]),
        reply("17.1", "group 2", five[2]),
        reply("17.1", "group 3", five[3]),
        dice=[4],
    )
    assert [(d.at_least, d.at_most) for d in played.asked if d.rule == "17.1"] == [(1, 2), (1, 1), (1, 1)]
    assert unfound.lying("usa", "ready") == [five[4]]


@pytest.mark.rule("midway", "17.1", "M3")
@pytest.mark.parametrize("group", [[], list(FOUR[:2])])
def test_four_squadrons_must_make_four_groups_of_one(unfound: Battle, group: list[str]) -> None:
    unfound.put("moving", *FOUR)
    with pytest.raises(IllegalChoice, match="Choose 1"):
        unfound.play("move", "usa", reply("10.2", "advance", *FOUR), reply("17.1", "group 1", *group))


@pytest.mark.rule("midway", "17.1", "17.2", "M3")
def test_empty_group_finds_nothing_and_search_is_repeated(unfound: Battle) -> None:
    unfound.put("moving", "hornet-db-1")
    for face in (2, 3, 4):
        unfound.play(
            "move",
            "usa",
            reply("10.2", "advance", "hornet-db-1"),
            reply("17.1", "group 1", "hornet-db-1"),
            dice=[face],
        )
        assert unfound.where("hornet-db-1") == "moving"
        assert not unfound.state.found
    unfound.play(
        "move", "usa", reply("10.2", "advance", "hornet-db-1"), reply("17.1", "group 1", "hornet-db-1"), dice=[1]
    )
    assert unfound.where("hornet-db-1") == "ready"
    assert unfound.state.found


@pytest.mark.rule("midway", "17.1", "M3")
def test_fighters_alone_do_not_search_and_stay(unfound: Battle) -> None:
    fighters = ("hornet-f-1", "hornet-f-2", "hornet-f-3", "yorktown-f-1")
    unfound.put("moving", *fighters)
    unfound.play("move", "usa", reply("10.2", "advance", *fighters))
    assert unfound.lying("usa", "moving") == list(fighters)
    assert not unfound.state.found


@pytest.mark.rule("midway", "17.1", "10.1", "M15")
def test_fighters_without_carrier_turn_back_while_bombers_arrive(unfound: Battle) -> None:
    unfound.put("moving", "hornet-f-1", "hornet-f-2").put("home", "hornet-db-1")
    unfound.damage(enterprise=10, hornet=10, yorktown=10)
    assert unfound.play("move", "usa").asked == []
    assert unfound.lying("usa", "home") == ["hornet-f-1", "hornet-f-2"]
    assert "hornet-db-1" in unfound.lying("usa", "waiting")
    assert not unfound.lying("usa", "moving")


@pytest.mark.rule("midway", "17.2", "M3")
def test_found_fleet_lets_all_move_freely_next_turn(unfound: Battle) -> None:
    unfound.put("moving", *FOUR)
    singles = [reply("17.1", f"group {n} of 4", FOUR[n - 1]) for n in (1, 2, 3)]
    unfound.play("move", "usa", reply("10.2", "advance", *FOUR), *singles, dice=[1])
    unfound.turn += 1
    unfound.play("move", "usa", reply("10.2", "advance", *FOUR[1:]))
    assert unfound.lying("usa", "ready") == list(FOUR)


@pytest.mark.rule("midway", "17", "10.2")
def test_returning_aircraft_do_not_search(unfound: Battle) -> None:
    unfound.put("home", *FOUR)
    unfound.play("move", "usa", reply("10.2", "advance", *FOUR))
    assert unfound.lying("usa", "waiting") == list(FOUR)
    assert not unfound.state.found


@pytest.mark.rule("midway", "17")
def test_japanese_need_not_search(unfound: Battle) -> None:
    unfound.put("moving", "akagi-db-1")
    unfound.play("move", "japan", reply("10.2", "advance", "akagi-db-1"), otherwise=nothing)
    assert unfound.where("akagi-db-1") == "ready"
    assert not unfound.state.found
