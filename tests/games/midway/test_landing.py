"""Tests of section 9 and rulings M9 and M11: landing, and nowhere to land."""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, nothing, reply

from readyroom.engine.errors import IllegalChoice

VALS = ("akagi-db-1", "akagi-db-2", "akagi-db-3", "akagi-db-4")


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


@pytest.mark.rule("midway", "9", "9.2")
def test_waiting_squadrons_land_and_go_below(battle: Battle) -> None:
    battle.put("waiting", "akagi-db-1")
    battle.play("land", "japan", reply("9.2", "Akagi", "akagi-db-1"), otherwise=nothing)
    assert battle.where("akagi-db-1") == "hangar akagi"


@pytest.mark.rule("midway", "9", "10.1")
@pytest.mark.parametrize("box", ["moving", "ready", "home", "cap 1", "cap 3"])
def test_only_waiting_to_land_squadrons_can_land(battle: Battle, box: str) -> None:
    battle.put("waiting", "akagi-db-1").put(box, "akagi-f-1")
    with pytest.raises(IllegalChoice):
        battle.play("land", "japan", reply("9.2", "Hiryu", "akagi-f-1"), otherwise=nothing)
    assert battle.where("akagi-f-1") == box


@pytest.mark.rule("midway", "9")
@pytest.mark.parametrize("loaded", [[], ["hiryu", "soryu", "akagi", "kaga"]])
def test_landing_without_waiting_squadrons_asks_nothing(battle: Battle, loaded: list[str]) -> None:
    for key in loaded:
        battle.put(f"deck {key}", f"{key}-f-1")
    played = battle.play("land", "japan")
    assert (played.asked, played.lines) == ([], [])


@pytest.mark.rule("midway", "9.1")
def test_carrier_with_aircraft_on_deck_lands_nothing(battle: Battle) -> None:
    battle.put("waiting", *VALS).put("deck akagi", "akagi-f-1")
    played = battle.play("land", "japan", otherwise=nothing)
    asked = " ".join(decision.question for decision in played.asked)
    assert "Akagi" not in asked
    assert all(name in asked for name in ("Hiryu", "Soryu", "Kaga"))


@pytest.mark.rule("midway", "9.1")
@pytest.mark.parametrize("loaded", [["akagi"], ["hiryu", "soryu", "akagi", "kaga"]])
def test_log_reports_no_clear_deck_only_if_true(battle: Battle, loaded: list[str]) -> None:
    battle.put("waiting", *VALS)
    for key in loaded:
        battle.put(f"deck {key}", f"{key}-f-1")
    played = battle.play("land", "japan", otherwise=nothing)
    assert played.log_text("9.1") == (["No squadron can land: no flight deck is clear."] if len(loaded) == 4 else [])


@pytest.mark.rule("midway", "9.1", "16.1")
@pytest.mark.parametrize(("damage", "asked"), [(6, True), (7, False), (9, False), (10, False)])
def test_landing_needs_working_carrier(battle: Battle, damage: int, asked: bool) -> None:
    battle.put("waiting", *VALS).damage(kaga=damage)
    played = battle.play("land", "japan", otherwise=nothing)
    assert any("Kaga" in decision.question for decision in played.asked) is asked


@pytest.mark.rule("midway", "9.2")
def test_carrier_lands_four_full_squadrons(battle: Battle) -> None:
    battle.put("waiting", *VALS, "akagi-tb-1")
    battle.play("land", "japan", reply("9.2", "Akagi", *VALS), otherwise=nothing)
    assert battle.lying("japan", "waiting") == ["akagi-tb-1"]


@pytest.mark.rule("midway", "9.2")
def test_carrier_does_not_land_five_full_squadrons(battle: Battle) -> None:
    battle.put("waiting", *VALS, "akagi-tb-1")
    with pytest.raises(IllegalChoice, match="25 points; the budget is 20"):
        battle.play("land", "japan", reply("9.2", "Hiryu", *VALS, "akagi-tb-1"))


@pytest.mark.rule("midway", "9.2")
def test_landing_limit_counts_strength_points(battle: Battle) -> None:
    weak = [*VALS, "akagi-tb-1", "akagi-tb-2"]
    battle.put("waiting", *weak[:4], strength=4).put("waiting", *weak[4:], strength=2)
    battle.play("land", "japan", reply("9.2", "Hiryu", *weak), otherwise=nothing)
    assert battle.lying("japan", "waiting") == []


@pytest.mark.rule("midway", "9.2")
def test_twenty_one_points_are_too_many_even_of_weak_squadrons(battle: Battle) -> None:
    weak = [*VALS, "akagi-tb-1", "akagi-tb-2"]
    battle.put("waiting", *weak[:3], strength=4).put("waiting", *weak[3:], strength=3)
    with pytest.raises(IllegalChoice, match="21 points; the budget is 20"):
        battle.play("land", "japan", reply("9.2", "Hiryu", *weak), otherwise=nothing)


@pytest.mark.rule("midway", "9.2")
def test_own_squadrons_of_carrier_are_first(battle: Battle) -> None:
    battle.put("waiting", *VALS, "kaga-f-1")
    asked = battle.play("land", "japan", otherwise=nothing).asked
    assert [decision.keys[0] for decision in asked if "Kaga" in decision.question] == ["kaga-f-1"]


@pytest.mark.rule("midway", "9.2")
def test_carriers_land_twenty_points_each() -> None:
    battle = Battle(turn=1)
    battle.play("land", "japan", otherwise=lambda decision: decision.keys[:4])
    assert len(battle.lying("japan", "waiting")) == 32 - 4 * 4


@pytest.mark.rule("midway", "9", "10.2")
def test_landing_is_voluntary(battle: Battle) -> None:
    battle.put("waiting", *VALS)
    battle.play("land", "japan", otherwise=nothing)
    assert len(battle.lying("japan", "waiting")) == 4


@pytest.mark.rule("midway", "M9")
def test_squadron_may_land_on_another_carrier_of_side(battle: Battle) -> None:
    battle.put("waiting", "soryu-db-1").damage(soryu=10)
    battle.play("land", "japan", reply("9.2", "Kaga", "soryu-db-1"), otherwise=nothing)
    assert battle.where("soryu-db-1") == "hangar kaga"
    assert battle.squadron("soryu-db-1").home == "soryu"


@pytest.mark.rule("midway", "M9")
def test_hangar_is_never_full(battle: Battle) -> None:
    others = [s.key for key in ("akagi", "soryu", "hiryu") for s in list(battle.carrier(key).hangar)]
    battle.put("hangar kaga", *others).put("waiting", "kaga-f-1")
    battle.play("land", "japan", reply("9.2", "Kaga", "kaga-f-1"), otherwise=nothing)
    assert len(battle.lying("japan", "hangar kaga")) == 53


@pytest.mark.rule("midway", "9.3", "M11")
def test_squadrons_with_nowhere_to_land_wait_on(battle: Battle) -> None:
    battle.put("waiting", *VALS).damage(akagi=10, kaga=10, soryu=10, hiryu=7)
    for turn in range(6, 12):
        battle.turn = turn
        played = battle.play("land", "japan")
        assert (played.asked, played.lines) == ([], [])
    assert battle.lying("japan", "waiting") == list(VALS)


@pytest.mark.rule("midway", "9.3", "M11")
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_ditching_option_applies_after_set_turns(turns: int) -> None:
    battle = Battle(ditch_after=turns).settle()
    battle.put("waiting", *VALS).damage(akagi=10, kaga=10, soryu=10, hiryu=7)
    for _ in range(turns - 1):
        assert battle.play("land", "japan").log_text("9.3") == []
    assert battle.lying("japan", "waiting") == list(VALS)
    texts = battle.play("land", "japan").log_text("9.3")
    assert set(battle.lying("japan", "lost")) >= set(VALS)
    assert texts == ["Akagi 4 DB ditch: no flight deck is left and fuel is out."]


@pytest.mark.rule("midway", "9.3", "M11")
def test_ditching_needs_no_working_carrier() -> None:
    battle = Battle(ditch_after=1).settle()
    battle.put("waiting", *VALS).put("deck hiryu", "hiryu-f-1").damage(akagi=10, kaga=10, soryu=10)
    assert battle.play("land", "japan").log_text("9.3") == []
    assert battle.lying("japan", "waiting") == list(VALS)


@pytest.mark.rule("midway", "9.3", "M11")
def test_ditching_count_resets_when_carrier_works() -> None:
    battle = Battle(ditch_after=2).settle()
    battle.put("waiting", *VALS).put("deck hiryu", "hiryu-f-1").damage(akagi=10, kaga=10, soryu=10, hiryu=7)
    for damage in (7, 6, 7):
        battle.damage(hiryu=damage).play("land", "japan")
        assert battle.lying("japan", "waiting") == list(VALS)
    battle.play("land", "japan")
    assert battle.lying("japan", "waiting") == []


@pytest.mark.rule("midway", "9.3", "M11")
def test_other_side_does_not_ditch_with_it() -> None:
    battle = Battle(ditch_after=1).settle()
    battle.put("waiting", *VALS).put("waiting", "hornet-db-1").damage(akagi=10, kaga=10, soryu=10, hiryu=10)
    battle.play("land", "usa", otherwise=nothing)
    assert battle.where("hornet-db-1") == "waiting"


@pytest.mark.rule("midway", "M11")
def test_waiting_on_without_deck_is_default() -> None:
    assert Battle().state.rulings.ditch_after == 0


@pytest.mark.rule("midway", "9.3", "M11", "16.1")
def test_repaired_carrier_lands_waiting_squadrons(battle: Battle) -> None:
    battle.put("waiting", *VALS).damage(akagi=7, kaga=10, soryu=10, hiryu=10)
    battle.play("land", "japan")
    battle.play("repair", "japan", dice=[6])
    battle.play("land", "japan", reply("9.2", "Akagi", *VALS))
    assert battle.lying("japan", "waiting") == []


@pytest.mark.rule("midway", "9.3", "M11", "18.1")
def test_waiting_squadrons_at_end_are_lost(battle: Battle) -> None:
    battle.put("waiting", *VALS).damage(akagi=10, kaga=10, soryu=10, hiryu=10)
    played = battle.play("end", None)
    assert played.outcome is not None
    assert set(battle.lying("japan", "lost")) >= set(VALS)


@pytest.mark.rule("midway", "9.3", "M11")
def test_squadrons_heading_home_also_ditch() -> None:
    battle = Battle(ditch_after=2).settle()
    battle.put("home", *VALS).damage(akagi=10, kaga=10, soryu=10, hiryu=7)
    assert battle.play("land", "japan").log_text("9.3") == []
    assert battle.play("land", "japan").log_text("9.3") == ["Akagi 4 DB ditch: no flight deck is left and fuel is out."]
    assert battle.lying("japan", "home") == []
