"""Tests of section 12 and rulings M2, M7, M14, M15 and M20: carrier attacks."""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, Played, nothing, reply

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision

NO_GUNS = [1] * 7
"""The Akagi's seven anti-aircraft dice, all of them misses."""

DIVE = ("hornet-db-1", "hornet-db-2", "hornet-db-3", "hornet-db-4")
TORPEDO = ("hornet-tb-1", "hornet-tb-2", "hornet-tb-3", "hornet-tb-4")


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


def strike(battle: Battle, target: str, *keys: str, dice: list[int], losses: tuple[str, ...] = ()) -> Played:
    """Attack one Japanese carrier with these bombers; those asked for take the hits of her guns."""
    title = battle.carrier(target).name
    replies = [reply("12.1", title, *keys)]
    if losses:
        replies.append(reply("12.3", "hits", *losses, seat="usa"))
    return battle.put("ready", *keys).play("attack", "usa", *replies, dice=dice, otherwise=nothing)


# -- 12.1 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "12", "12.1", "M2")
def test_bombers_attack_chosen_carrier_in_turn_when_ready(battle: Battle) -> None:
    battle.put("ready", "akagi-db-1", strength=1)
    battle.play("attack", "japan", reply("12.1", "Hornet", "akagi-db-1"), dice=[1] * 12 + [5], otherwise=nothing)
    assert [battle.carrier(key).damage for key in ("hornet", "yorktown", "enterprise")] == [1, 0, 0]


@pytest.mark.rule("midway", "12.1")
def test_squadron_may_choose_its_own_carrier(battle: Battle) -> None:
    battle.put("ready", *DIVE[:2], strength=1)
    played = battle.play(
        "attack",
        "usa",
        reply("12.1", "Soryu", DIVE[1]),
        reply("12.1", "Kaga", DIVE[0]),
        dice=[1] * 6 + [5] + [1] * 9 + [1],
        otherwise=nothing,
    )
    assert [battle.carrier(key).damage for key in ("soryu", "kaga")] == [1, 0]
    assert [len(faces) for faces in played.dice("12.2")] == [6, 9]


@pytest.mark.rule("midway", "12.1")
def test_squadron_after_choice_cannot_choose_again(battle: Battle) -> None:
    battle.put("ready", *DIVE[:2])
    with pytest.raises(IllegalChoice):
        battle.play("attack", "usa", reply("12.1", "Soryu", DIVE[0]), reply("12.1", "Kaga", DIVE[0]), otherwise=nothing)


@pytest.mark.rule("midway", "12.1")
def test_choices_precede_resolution_of_any_wave(battle: Battle) -> None:
    battle.put("ready", *DIVE[:2], strength=1)
    played = battle.play(
        "attack",
        "usa",
        reply("12.1", "Hiryu", DIVE[0]),
        reply("12.1", "Kaga", DIVE[1]),
        dice=[1] * 7 + [1] + [1] * 9 + [1],
        otherwise=nothing,
    )
    assert set(played.rules) == {"12.1"}
    assert [line.rule for line in played.lines if line.rule.startswith("12")] == ["12.1", "12.2", "12.4", "12.6"] * 2


@pytest.mark.rule("midway", "12.1", "16.2")
def test_sunk_carrier_is_no_target(battle: Battle) -> None:
    battle.damage(akagi=10, kaga=9).put("ready", DIVE[0])
    played = battle.play("attack", "usa", otherwise=nothing)
    asked = " ".join(decision.question for decision in played.asked)
    assert "Akagi" not in asked
    assert "Kaga" in asked


@pytest.mark.rule("midway", "12.1")
def test_bombers_may_hold_and_then_stay_ready(battle: Battle) -> None:
    battle.put("ready", *DIVE)
    played = battle.play("attack", "usa", otherwise=nothing)
    assert battle.lying("usa", "ready") == list(DIVE)
    assert played.rolled == {}


@pytest.mark.rule("midway", "12.1")
@pytest.mark.parametrize("box", ["moving", "home", "waiting"])
def test_attack_needs_bombers_in_ready_box(battle: Battle, box: str) -> None:
    battle.put(box, *DIVE)
    assert battle.play("attack", "usa").asked == []


@pytest.mark.rule("midway", "12.1")
def test_fighters_do_not_attack_carriers_but_head_home(battle: Battle) -> None:
    battle.put("ready", "hornet-f-1", DIVE[0])
    played = battle.play(
        "attack", "usa", reply("12.1", "Akagi", DIVE[0]), dice=[*NO_GUNS, 1, 1, 1, 1, 1], otherwise=nothing
    )
    assert all(decision.keys == [DIVE[0]] for decision in played.asked)
    assert battle.where("hornet-f-1") == "home"


@pytest.mark.rule("midway", "12.1", "M20")
def test_escorts_head_home_even_if_bombers_hold(battle: Battle) -> None:
    battle.put("ready", "hornet-f-1", "hornet-f-2", DIVE[0])
    battle.play("attack", "usa", otherwise=nothing)
    assert battle.lying("usa", "home") == ["hornet-f-1", "hornet-f-2"]
    assert battle.where(DIVE[0]) == "ready"


@pytest.mark.rule("midway", "12.1", "M15")
def test_side_without_carrier_afloat_must_attack(battle: Battle) -> None:
    battle.damage(hornet=10, yorktown=10, enterprise=10).put("ready", *DIVE[:2], strength=1)
    played = battle.play(
        "attack",
        "usa",
        reply("12.1", "Soryu", DIVE[0]),
        dice=[1] * 6 + [1] + [1] * 9 + [1],
        otherwise=nothing,
    )
    assert "Kaga" not in " ".join(d.question for d in played.asked), "the last carrier is not asked for"
    assert battle.lying("usa", "home") == [DIVE[0], DIVE[1]]
    assert "Hornet DB 2" in played.log_text("12.2")[1]


@pytest.mark.rule("midway", "12.1", "M15", "18.1")
def test_bombers_over_fleet_without_carrier_left_head_home(battle: Battle) -> None:
    """Otherwise they stay in the Ready box, and the battle lasts to the turn limit."""
    battle.damage(akagi=10, kaga=10, soryu=10, hiryu=10).put("ready", *DIVE)
    battle.play("attack", "usa")
    assert battle.lying("usa", "home") == list(DIVE)


@pytest.mark.rule("midway", "M2")
def test_bombers_with_slower_reading_need_another_move_to_attack() -> None:
    battle = Battle(attack="next-move").settle()
    battle.put("ready", DIVE[0], strength=1)
    assert battle.play("attack", "usa").asked == []
    assert battle.where(DIVE[0]) == "ready"
    battle.turn += 1
    battle.play("move", "usa", reply("10.2", "advance", DIVE[0]), reply("12.1", "Akagi", DIVE[0]), otherwise=nothing)
    assert battle.where(DIVE[0]) == "over akagi"
    battle.play("attack", "usa", dice=[*NO_GUNS, 5])
    assert battle.carrier("akagi").damage == 1
    assert battle.where(DIVE[0]) == "home"


@pytest.mark.rule("midway", "M2")
def test_bombers_with_slower_reading_stay_ready_and_skip_no_box() -> None:
    battle = Battle(attack="next-move").settle()
    battle.put("ready", DIVE[0]).put("moving", DIVE[1])
    data = dict[str, str]()

    def reading(decision: Decision) -> list[str]:
        data.update({option.key: option.text.partition(" → ")[2] for option in decision.options})
        return [DIVE[1]]

    battle.play("move", "usa", otherwise=reading)
    assert data == {DIVE[0]: "Attacking", DIVE[1]: "Ready"}
    assert battle.lying("usa", "ready") == [DIVE[0], DIVE[1]]


@pytest.mark.rule("midway", "M2", "M20")
def test_escorts_with_slower_reading_return_in_turn_of_arrival() -> None:
    battle = Battle(attack="next-move").settle()
    battle.put("ready", DIVE[0], "hornet-f-1")
    battle.play("attack", "usa")
    assert [battle.where(key) for key in (DIVE[0], "hornet-f-1")] == ["ready", "home"]


@pytest.mark.rule("midway", "M2")
def test_attacking_on_arrival_is_default() -> None:
    assert Battle().state.rulings.attack == "same-turn"


# -- 12.2, 12.3 --------------------------------------------------------------------------------------------------------

GUNS = [("soryu", 6), ("akagi", 7), ("hiryu", 7), ("kaga", 9), ("hornet", 12), ("yorktown", 12), ("enterprise", 16)]


@pytest.mark.rule("midway", "12.2", "6", "M1")
@pytest.mark.parametrize(("key", "guns"), GUNS)
def test_flak_rolls_carriers_own_dice(battle: Battle, key: str, guns: int) -> None:
    side, bomber = ("usa", "hornet-db-1") if guns < 10 else ("japan", "kaga-db-1")
    battle.put("ready", bomber, strength=1)
    played = battle.play(
        "attack",
        "usa" if side == "usa" else "japan",
        reply("12.1", battle.carrier(key).name, bomber),
        dice=[*[3] * guns, 1],
        otherwise=nothing,
    )
    assert played.dice("12.2") == [[3] * guns]


@pytest.mark.rule("midway", "12.2", "M1")
def test_enterprise_option_rolls_twelve_flak_dice() -> None:
    battle = Battle(enterprise_aa=12).settle()
    battle.put("ready", "kaga-db-1", strength=1)
    battle.play("attack", "japan", reply("12.1", "Enterprise", "kaga-db-1"), dice=[1] * 12 + [1], otherwise=nothing)


@pytest.mark.rule("midway", "12.2")
def test_guns_fire_once_at_whole_wave_not_at_each_squadron(battle: Battle) -> None:
    played = strike(battle, "akagi", *DIVE, *TORPEDO, dice=[*NO_GUNS, *[1] * 40])
    assert played.dice("12.2") == [NO_GUNS]


@pytest.mark.rule("midway", "12.2", "5")
@pytest.mark.parametrize(("face", "left"), [(1, 5), (3, 5), (4, 4), (5, 4), (6, 4)])
def test_guns_shoot_down_one_strength_point_on_four_or_more(battle: Battle, face: int, left: int) -> None:
    strike(battle, "akagi", DIVE[0], dice=[face, 1, 1, 1, 1, 1, 1, *[1] * left])
    assert battle.strengths(DIVE[0]) == [left]


@pytest.mark.rule("midway", "12.2", "16.1")
def test_crippled_carrier_still_fires_all_guns(battle: Battle) -> None:
    battle.damage(akagi=9)
    played = strike(battle, "akagi", DIVE[0], dice=[*NO_GUNS, 1, 1, 1, 1, 1])
    assert len(played.dice("12.2")[0]) == 7


@pytest.mark.rule("midway", "12.2", "12.4", "12.5")
def test_bombers_shot_down_do_not_bomb(battle: Battle) -> None:
    played = strike(battle, "akagi", DIVE[0], dice=[4, 5, 6, 4, 1, 1, 1, 5])
    assert played.dice("12.4") == [[5]]
    assert battle.carrier("akagi").damage == 1


@pytest.mark.rule("midway", "12.2")
def test_destroyed_wave_rolls_no_dice(battle: Battle) -> None:
    played = strike(battle, "akagi", DIVE[0], dice=[4] * 7)
    assert battle.where(DIVE[0]) == "lost"
    assert played.dice("12.4") == []
    assert battle.carrier("akagi").damage == 0


@pytest.mark.rule("midway", "12.3")
def test_attacker_chooses_which_bombers_are_shot_down(battle: Battle) -> None:
    strike(
        battle,
        "akagi",
        DIVE[0],
        TORPEDO[0],
        dice=[4, 4, 4, 1, 1, 1, 1, *[1] * 4, *[1] * 3],
        losses=(TORPEDO[0], DIVE[0], TORPEDO[0]),
    )
    assert battle.strengths(DIVE[0], TORPEDO[0]) == [4, 3]


@pytest.mark.rule("midway", "12.3", "5")
def test_log_groups_many_destroyed_squadrons(battle: Battle) -> None:
    battle.put("ready", *DIVE, strength=1).put("ready", TORPEDO[0], strength=2)
    dice = [4, 4, 4, 4, 4, 1, 1, 1]
    played = strike(battle, "akagi", *DIVE, TORPEDO[0], dice=dice, losses=(*DIVE, TORPEDO[0]))
    text = "Hornet 4 DB take 4 hits and are destroyed, Hornet TB 1 takes 1 hit (1 left)."
    assert played.log_text("12.3") == [text]
    assert battle.lying("usa", "lost") == list(DIVE)


@pytest.mark.rule("midway", "12.3")
def test_gun_hits_fall_only_on_targeted_wave(battle: Battle) -> None:
    battle.put("ready", *DIVE[:2], strength=1)
    battle.play(
        "attack",
        "usa",
        reply("12.1", "Soryu", DIVE[0]),
        reply("12.1", "Kaga", DIVE[1]),
        dice=[6] * 6 + [1] * 9 + [1],
        otherwise=nothing,
    )
    assert [battle.where(key) for key in DIVE[:2]] == ["lost", "home"]


# -- 12.4, 12.5 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "12.4")
@pytest.mark.parametrize(
    ("dice", "hits"),
    [([1], 0), ([2], 0), ([3], 0), ([4], 0), ([5], 1), ([6, 5], 1), ([6, 1], 1), ([6, 6, 4], 2), ([6, 6, 6, 5], 3)],
)
def test_dive_bomber_hits_on_five_and_rerolls_sixes(battle: Battle, dice: list[int], hits: int) -> None:
    battle.put("ready", DIVE[0], strength=1)
    played = strike(battle, "akagi", DIVE[0], dice=[*NO_GUNS, *dice])
    assert battle.carrier("akagi").damage == hits
    assert played.dice("12.4") == [dice]


@pytest.mark.rule("midway", "12.5")
@pytest.mark.parametrize(
    ("dice", "hits"),
    [([1], 0), ([2], 0), ([3], 0), ([4], 0), ([5], 0), ([6, 5], 2), ([6, 1], 2), ([6, 6, 4], 3), ([6, 6, 6, 5], 4)],
)
def test_torpedo_bomber_scores_two_on_six_and_rerolls(battle: Battle, dice: list[int], hits: int) -> None:
    battle.put("ready", TORPEDO[0], strength=1)
    played = strike(battle, "akagi", TORPEDO[0], dice=[*NO_GUNS, *dice])
    assert battle.carrier("akagi").damage == hits
    assert played.dice("12.5") == [dice]


@pytest.mark.rule("midway", "12.4", "12.5")
def test_surviving_points_roll_by_type(battle: Battle) -> None:
    battle.put("ready", DIVE[0], strength=3).put("ready", DIVE[1], strength=4)
    battle.put("ready", TORPEDO[0], strength=2)
    played = strike(
        battle,
        "akagi",
        *DIVE[:2],
        TORPEDO[0],
        dice=[4, 4, 1, 1, 1, 1, 1, *[1] * 6, 1],
        losses=(DIVE[0], TORPEDO[0]),
    )
    assert [len(faces) for faces in played.dice("12.4")] == [6]
    assert [len(faces) for faces in played.dice("12.5")] == [1]


@pytest.mark.rule("midway", "12.4", "12.5", "12")
def test_wave_hits_of_all_squadrons_add_up(battle: Battle) -> None:
    battle.put("ready", DIVE[0], TORPEDO[0], strength=2)
    strike(battle, "akagi", DIVE[0], TORPEDO[0], dice=[*NO_GUNS, 5, 6, 2, 6, 1, 5])
    assert battle.carrier("akagi").damage == 2 + 2


@pytest.mark.rule("midway", "12.4")
def test_log_shows_every_round_of_dice(battle: Battle) -> None:
    battle.put("ready", DIVE[0], strength=2)
    played = strike(battle, "akagi", DIVE[0], dice=[*NO_GUNS, 6, 6, 6, 2, 1])
    rolls = [roll for line in played.lines if line.rule == "12.4" for roll in line.rolls]
    assert [roll.faces for roll in rolls] == [((6, 6), (6, 2), (1,))]


@pytest.mark.rule("midway", "12", "16", "M14")
def test_hits_beyond_tenth_point_of_damage_are_wasted(battle: Battle) -> None:
    strike(battle, "akagi", *DIVE, dice=[*NO_GUNS, *[5] * 20])
    assert battle.carrier("akagi").damage == 10
    assert battle.carrier("kaga").damage == 0


# -- 12.6 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "12.6")
def test_log_says_that_survivors_turn_for_home(battle: Battle) -> None:
    played = strike(battle, "akagi", *DIVE[:2], dice=[*NO_GUNS, *[1] * 10])
    assert played.log_text("12.6") == ["Hornet DB 1 (5), Hornet DB 2 (5) turn for home."]
    battle.put("ready", DIVE[2], strength=1)
    assert strike(battle, "akagi", DIVE[2], dice=[6] * 7).log_text("12.6") == []


@pytest.mark.rule("midway", "12.6", "M16")
def test_bombers_after_attack_return_at_once(battle: Battle) -> None:
    strike(battle, "akagi", DIVE[0], TORPEDO[0], dice=[*NO_GUNS, *[1] * 10])
    assert battle.lying("usa", "home") == [DIVE[0], TORPEDO[0]]
    assert battle.lying("usa", "over akagi") == []


@pytest.mark.rule("midway", "12.6", "10.1")
def test_squadrons_must_land_and_launch_before_next_attack(battle: Battle) -> None:
    strike(battle, "akagi", DIVE[0], dice=[*NO_GUNS, *[1] * 5])
    seen = []
    for turn in (6, 7, 8):
        battle.turn = turn
        battle.play("land", "usa", otherwise=lambda d: d.keys if "Hornet" in d.question else [])
        battle.play("move", "usa", otherwise=lambda d: d.keys)
        seen.append(battle.where(DIVE[0]))
        assert battle.play("attack", "usa").asked == [], "it cannot attack from anywhere on its way back"
        battle.play("launch", "usa", otherwise=lambda d: d.keys)
        battle.play("plan", "usa", otherwise=lambda d: [key for key in d.keys if key == DIVE[0]])
    assert seen == ["waiting", "hangar hornet", "deck hornet"]
    assert battle.where(DIVE[0]) == "moving"
