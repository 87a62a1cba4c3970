"""Tests of sections 13 and 14 and rulings M4, M12 and M13: launching and planning."""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, every, loading, nothing, reply

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision

DIVE = ("hornet-db-1", "hornet-db-2", "hornet-db-3", "hornet-db-4")
FIGHTERS = ("hornet-f-1", "hornet-f-2")


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


# -- 13 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "13", "13.2")
def test_bombers_go_to_moving_to_attack_box(battle: Battle) -> None:
    battle.put("deck hornet", *DIVE)
    battle.play("launch", "usa", reply("13.1", "launch", *DIVE))
    assert battle.lying("usa", "moving") == list(DIVE)
    assert battle.lying("usa", "deck hornet") == []


@pytest.mark.rule("midway", "13.2", "11.5")
def test_fighters_go_with_bombers_or_to_centre_of_cap(battle: Battle) -> None:
    battle.put("deck hornet", *FIGHTERS)
    battle.play("launch", "usa", reply("13.1", "launch", *FIGHTERS), reply("13.2", "CAP", FIGHTERS[1]))
    assert [battle.where(key) for key in FIGHTERS] == ["moving", "cap 1"]


@pytest.mark.rule("midway", "13.2")
def test_bombers_cannot_fly_cap(battle: Battle) -> None:
    battle.put("deck hornet", FIGHTERS[0], DIVE[0])
    with pytest.raises(IllegalChoice):
        battle.play("launch", "usa", reply("13.1", "launch", FIGHTERS[0], DIVE[0]), reply("13.2", "CAP", DIVE[0]))


@pytest.mark.rule("midway", "13.1")
def test_carrier_launches_only_from_deck(battle: Battle) -> None:
    battle.put("deck hornet", DIVE[0])
    for below in (DIVE[1], "yorktown-db-1"):
        with pytest.raises(IllegalChoice, match="is in the hangar"):
            battle.play("launch", "usa", reply("13.1", "launch", DIVE[0], below))


@pytest.mark.rule("midway", "13.1")
def test_carrier_with_clear_deck_is_not_asked(battle: Battle) -> None:
    assert battle.play("launch", "usa").asked == []


@pytest.mark.rule("midway", "13.1", "14")
def test_planned_load_is_launched_next_turn(battle: Battle) -> None:
    battle.play("plan", "usa", reply("14.1", "deck", *DIVE), otherwise=nothing)
    assert battle.lying("usa", "deck hornet") == list(DIVE)
    battle.turn += 1
    battle.play("launch", "usa", reply("13.1", "launch", *DIVE))
    assert battle.lying("usa", "moving") == list(DIVE)


@pytest.mark.rule("midway", "13.1", "16.1", "M12")
@pytest.mark.parametrize("damage", [7, 9])
def test_crippled_carrier_does_not_launch_and_keeps_load(battle: Battle, damage: int) -> None:
    battle.put("deck hornet", *DIVE).damage(hornet=damage)
    assert battle.play("launch", "usa").asked == []
    assert not any("hornet" in loading(d) for d in battle.play("plan", "usa", otherwise=nothing).asked)
    assert battle.lying("usa", "deck hornet") == list(DIVE)


@pytest.mark.rule("midway", "M12", "16.1")
@pytest.mark.parametrize("launched", [True, False])
def test_repaired_carrier_launches_load_or_stows_it(battle: Battle, launched: bool) -> None:
    battle.put("deck hornet", DIVE[0]).damage(hornet=7)
    battle.play("repair", "usa", dice=[5])
    battle.play("launch", "usa", reply("13.1", "launch", *DIVE[:1] if launched else ()))
    battle.play("plan", "usa", otherwise=nothing)
    assert battle.where(DIVE[0]) == ("moving" if launched else "hangar hornet")


@pytest.mark.rule("midway", "M12", "13")
def test_launching_is_voluntary_and_squadron_by_squadron(battle: Battle) -> None:
    battle.put("deck hornet", *DIVE)
    battle.play("launch", "usa", reply("13.1", "launch", DIVE[2]))
    assert battle.lying("usa", "moving") == [DIVE[2]]
    assert battle.lying("usa", "deck hornet") == [DIVE[0], DIVE[1], DIVE[3]]


@pytest.mark.rule("midway", "M12")
def test_planning_steps_may_change_load(battle: Battle) -> None:
    battle.put("deck hornet", *DIVE[:2])
    battle.play("plan", "usa", reply("14.1", "deck", DIVE[1], DIVE[2]), otherwise=nothing)
    assert sorted(battle.lying("usa", "deck hornet")) == [DIVE[1], DIVE[2]]
    assert battle.where(DIVE[0]) == "hangar hornet"


# -- 14 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "14", "14.1")
def test_deck_is_loaded_with_up_to_four_full_squadrons(battle: Battle) -> None:
    battle.play("plan", "usa", reply("14.1", "deck", *DIVE), otherwise=nothing)
    assert battle.lying("usa", "deck hornet") == list(DIVE)
    assert not set(DIVE) & set(battle.lying("usa", "hangar hornet"))


@pytest.mark.rule("midway", "14.1", "M13")
@pytest.mark.parametrize("fifth", ["hornet-db-5", "hornet-f-1"])
def test_five_full_squadrons_are_too_many_also_with_one_on_cap(battle: Battle, fifth: str) -> None:
    with pytest.raises(IllegalChoice, match="25 points; the budget is 20"):
        battle.play("plan", "usa", reply("14.1", "deck", *DIVE, fifth), otherwise=nothing)


@pytest.mark.rule("midway", "14.1")
def test_twenty_points_are_strength_points(battle: Battle) -> None:
    battle.put("hangar hornet", *DIVE, "hornet-db-5", strength=4)
    battle.play("plan", "usa", reply("14.1", "deck", *DIVE, "hornet-db-5"), otherwise=nothing)
    assert len(battle.lying("usa", "deck hornet")) == 5


@pytest.mark.rule("midway", "14.1")
def test_squadrons_left_on_deck_count_against_landing_limit(battle: Battle) -> None:
    battle.put("deck hornet", *DIVE)
    with pytest.raises(IllegalChoice, match="25 points; the budget is 20"):
        battle.play("plan", "usa", reply("14.1", "deck", *DIVE, FIGHTERS[0]), otherwise=nothing)


@pytest.mark.rule("midway", "14.1")
def test_carrier_loads_only_what_is_aboard_her(battle: Battle) -> None:
    battle.put("waiting", DIVE[0])
    with pytest.raises(IllegalChoice):
        battle.play("plan", "usa", reply("14.1", "deck", DIVE[0]), otherwise=nothing)
    battle.play("plan", "usa", reply("14.1", "deck", DIVE[1], "yorktown-db-1"))
    assert battle.lying("usa", "deck hornet") == [DIVE[1]]
    assert battle.lying("usa", "deck yorktown") == ["yorktown-db-1"]


@pytest.mark.rule("midway", "14.1")
def test_decks_hold_twenty_points_each(battle: Battle) -> None:
    full = [f"{carrier}-db-{n}" for carrier in ("enterprise", "hornet", "yorktown") for n in range(1, 5)]
    [asked] = battle.play("plan", "usa", reply("14.1", "deck", *full)).asked
    assert asked.instruction() == "choose 0 to 48, within 20 points for each of Enterprise, Hornet and Yorktown"
    assert [len(battle.lying("usa", f"deck {key}")) for key in loading(asked)] == [4, 4, 4]
    with pytest.raises(IllegalChoice, match="Hornet: together these cost 25 points; the budget is 20"):
        battle.play("plan", "usa", reply("14.1", "deck", *DIVE, FIGHTERS[0]))


@pytest.mark.rule("midway", "14.1", "M12")
def test_full_deck_may_be_struck_below() -> None:
    battle = Battle("daybreak").put("lost", *[squadron.key for squadron in Battle().carrier("hornet").hangar])
    for squadron in list(battle.carrier("yorktown").hangar):
        battle.put("deck yorktown", squadron.key)
    [asked] = battle.play("plan", "usa", reply("14.1", "deck", "yorktown-db-1")).asked
    assert loading(asked) == ["enterprise", "yorktown"]
    assert battle.lying("usa", "deck yorktown") == ["yorktown-db-1"]


@pytest.mark.rule("midway", "13.1", "M9")
def test_launch_option_names_foreign_carrier(battle: Battle) -> None:
    battle.put("deck yorktown", FIGHTERS[1], "yorktown-f-1")
    texts: list[str] = []

    def reading(decision: Decision) -> list[str]:
        texts.extend(option.text for option in decision.options)
        return []

    battle.play("launch", "usa", otherwise=reading)
    assert texts == ["Hornet F 2 (5) on Yorktown", "Yorktown F 1 (5)"]


@pytest.mark.rule("midway", "13.1", "13.2")
def test_launch_of_all_decks_takes_one_cap_answer(battle: Battle) -> None:
    battle.put("deck hornet", FIGHTERS[0], DIVE[0]).put("deck yorktown", FIGHTERS[1], "yorktown-f-1")
    battle.put("deck enterprise", "enterprise-db-1")
    patrol = (FIGHTERS[1], "yorktown-f-1")
    launched = (FIGHTERS[0], DIVE[0], *patrol)
    played = battle.play("launch", "usa", reply("13.1", "launch", *launched), reply("13.2", "CAP", *patrol))
    assert battle.lying("usa", "cap 1") == list(patrol)
    assert battle.lying("usa", "moving") == [FIGHTERS[0], DIVE[0]]
    assert battle.lying("usa", "deck enterprise") == ["enterprise-db-1"]
    assert played.log_text("13.1") == [
        "Hornet launches 1 fighter and 1 dive-bomber squadron; Yorktown 2 fighter squadrons."
    ]
    assert played.log_text("13.2") == ["2 fighter squadrons fly CAP."]


@pytest.mark.rule("midway", "14.1", "9.1")
@pytest.mark.parametrize("loaded", [True, False])
def test_loaded_deck_launches_next_turn_and_clear_one_lands(battle: Battle, loaded: bool) -> None:
    battle.put("waiting", "hornet-tb-1")
    battle.play("plan", "usa", reply("14.1", "deck", *DIVE[:1] if loaded else ()), otherwise=nothing)
    battle.turn += 1
    lands = battle.play("land", "usa", otherwise=nothing).asked
    assert any("Hornet" in decision.question for decision in lands) is not loaded
    launches = battle.play("launch", "usa", otherwise=nothing).asked
    assert any(DIVE[0] in decision.keys for decision in launches) is loaded


@pytest.mark.rule("midway", "14.1", "M9")
def test_carrier_may_load_landed_squadrons_of_another(battle: Battle) -> None:
    battle.put("hangar yorktown", DIVE[0])
    battle.play("plan", "usa", reply("14.1", "deck", DIVE[0]), otherwise=nothing)
    assert battle.where(DIVE[0]) == "deck yorktown"


@pytest.mark.rule("midway", "14", "16.1")
def test_crippled_carrier_plans_nothing(battle: Battle) -> None:
    battle.damage(hornet=7)
    [asked] = battle.play("plan", "usa", otherwise=nothing).asked
    assert loading(asked) == ["enterprise", "yorktown"]
    refused = {refused.key: (refused.rule, refused.reason) for refused in asked.unavailable}
    assert refused == dict.fromkeys(
        battle.lying("usa", "hangar hornet"), ("16.1", "Hornet cannot spot planes: she is crippled.")
    )


EIGHT = [f"akagi-{kind}-{n}" for kind in ("tb", "db") for n in range(1, 5)]


def plans(battle: Battle) -> list[str]:
    """Return the Japanese carriers that may load their decks now."""
    return [key for decision in battle.play("plan", "japan", otherwise=nothing).asked for key in loading(decision)]


@pytest.mark.rule("midway", "14.2", "7", "M4")
def test_japanese_carrier_loads_only_after_first_wave_landed() -> None:
    battle = Battle(turn=1)
    assert plans(battle) == []
    battle.put("hangar akagi", *EIGHT[:7])
    assert plans(battle) == [], "one squadron of the eight is still in the air"


@pytest.mark.rule("midway", "14.2", "M4")
def test_carrier_waits_for_own_first_wave_only() -> None:
    battle = Battle(turn=2)
    battle.put("hangar akagi", *EIGHT)
    played = battle.play("plan", "japan", otherwise=nothing)
    [asked] = played.asked
    assert loading(asked) == ["akagi"]
    assert asked.instruction().endswith("within 20 points")
    assert {(refused.rule, refused.reason) for refused in asked.unavailable if refused.key.startswith("kaga")} == {
        ("14.2", "Kaga cannot spot planes: her first wave has not landed.")
    }
    assert played.log_text("14.2") == ["Hiryu, Soryu and Kaga cannot spot planes until the first wave has landed."]


@pytest.mark.rule("midway", "14.2", "M4", "M9")
def test_first_wave_may_have_landed_on_any_carrier() -> None:
    battle = Battle(turn=2)
    battle.play(
        "land",
        "japan",
        otherwise=lambda d: EIGHT[:4] if "Hiryu" in d.question else EIGHT[4:] if "Kaga" in d.question else [],
    )
    assert plans(battle) == ["akagi"]


@pytest.mark.rule("midway", "14.2", "M4")
def test_lost_first_wave_blocks_no_carrier() -> None:
    battle = Battle(turn=2)
    battle.put("lost", *EIGHT)
    assert plans(battle) == ["akagi"]


@pytest.mark.rule("midway", "14.2", "M4")
def test_carriers_wait_for_whole_first_wave_by_option() -> None:
    battle = Battle(turn=2, first_wave="fleet")
    battle.put("hangar akagi", *EIGHT)
    assert plans(battle) == []
    for key in ("hiryu", "soryu", "kaga"):
        battle.put(f"hangar {key}", *[s.key for s in list(battle.state.japan.waiting) if s.home == key])
    assert plans(battle) == ["hiryu", "soryu", "akagi", "kaga"]


@pytest.mark.rule("midway", "M4")
def test_ditching_defaults_to_each_carrier_for_herself() -> None:
    assert Battle().state.rulings.first_wave == "carrier"


@pytest.mark.rule("midway", "14.2", "M4")
def test_first_wave_squadron_back_again_blocks_no_deck() -> None:
    battle = Battle(turn=1)
    for _ in range(2):
        battle.play("land", "japan", otherwise=lambda decision: decision.keys[:4])
    assert battle.lying("japan", "waiting") == []
    battle.put("waiting", *EIGHT)
    assert plans(battle) == ["hiryu", "soryu", "akagi", "kaga"]


@pytest.mark.rule("midway", "14.2")
def test_later_waves_hold_up_no_deck() -> None:
    battle = Battle().settle().put("waiting", *EIGHT)
    assert plans(battle) == ["hiryu", "soryu", "akagi", "kaga"]


@pytest.mark.rule("midway", "14.2")
def test_americans_plan_from_first_turn() -> None:
    battle = Battle(turn=1)
    battle.play("plan", "usa", reply("14.1", "deck", *DIVE), otherwise=nothing)
    assert battle.lying("usa", "deck hornet") == list(DIVE)


@pytest.mark.rule("midway", "14.1", "16.1", "M24")
@pytest.mark.parametrize("option", ["no", "yes"])
def test_crippled_carrier_loads_by_option_and_launches_repaired(option: str) -> None:
    battle = Battle(crippled_load=option).settle()
    battle.damage(akagi=7, kaga=10, soryu=10, hiryu=10)
    battle.play("plan", "japan", otherwise=lambda decision: decision.keys[:1])
    loaded = battle.lying("japan", "deck akagi")
    assert len(loaded) == (option == "yes")
    battle.play("launch", "japan", otherwise=every)
    assert battle.lying("japan", "deck akagi") == loaded, "she launches nothing while she is crippled"
    battle.damage(akagi=6).play("launch", "japan", otherwise=every)
    assert battle.lying("japan", "deck akagi") == []
