"""Tests of the doctrine bot: its answers to the questions of each step."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace
from tests.games.midway.helpers import Battle
from tests.games.midway.helpers import Policy as Answers
from tests.views import view_of

from readyroom.engine.rules.decisions import Decision
from readyroom.games.midway import GAME
from readyroom.games.midway.doctrine import Situation, best_split, bot_of
from readyroom.games.midway.policy import STYLES, Policy


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


AMERICAN, JAPANESE = STYLES["doctrine"]["usa"], STYLES["doctrine"]["japan"]


def staff(battle: Battle, seat: str, policy: Policy | None = None) -> Answers:
    """Return the answers of a policy (default: doctrine), each based on its seat's current view."""
    bot = bot_of(policy or (AMERICAN if seat == "usa" else JAPANESE), seat, Random(1))

    def answer(decision: Decision) -> Sequence[str]:
        return bot(decision, lambda: view_of(GAME, battle.state, seat))

    return answer


@pytest.mark.rule("midway", "9.2", "M4")
def test_carrier_lands_what_fits_and_own_first_wave_first() -> None:
    battle = Battle(turn=1)
    battle.play("land", "japan", otherwise=staff(battle, "japan"))
    for key in ("hiryu", "soryu", "akagi", "kaga"):
        landed = battle.lying("japan", f"hangar {key}")
        assert sum(squadron.startswith(key) and "-f-" not in squadron for squadron in landed) >= 4


@pytest.mark.rule("midway", "10.2")
@pytest.mark.parametrize(("style", "goes"), [("doctrine", False), ("eager", True)])
def test_bot_gathers_bombers_unless_eager(battle: Battle, style: str, goes: bool) -> None:
    battle.put("moving", "hornet-db-1", "hornet-db-2", "hornet-f-1").put("deck yorktown", "yorktown-db-1")
    battle.put("home", "hornet-tb-1")
    battle.play("move", "usa", otherwise=staff(battle, "usa", STYLES[style]["usa"]))
    assert battle.where("hornet-tb-1") == "waiting", "who is on the way home comes home"
    assert {battle.where(key) for key in ("hornet-db-1", "hornet-db-2", "hornet-f-1")} == {
        "ready" if goes else "moving"
    }


@pytest.mark.rule("midway", "10.2")
def test_bot_advances_bombers_without_followers(battle: Battle) -> None:
    battle.put("moving", "hornet-db-1", "hornet-f-1")
    battle.play("move", "usa", otherwise=staff(battle, "usa"))
    assert battle.lying("usa", "ready") == ["hornet-db-1", "hornet-f-1"]


@pytest.mark.rule("midway", "11.1", "11.2", "11.4")
def test_patrol_ties_down_escorts_and_shoots_torpedo_bombers_first(battle: Battle) -> None:
    battle.put("cap 1", "akagi-f-1").put("cap 1", "akagi-f-2", strength=1)
    battle.put("ready", "hornet-f-1", strength=1).put("ready", "hornet-tb-1", "hornet-db-1")
    both = {"japan": staff(battle, "japan"), "usa": staff(battle, "usa")}
    played = battle.play("cap", "japan", dice=[1, 1, 4, 4, 1, 1, 1], otherwise=lambda d: both[d.seat](d))
    assert [len(faces) for faces in played.dice("11.3")] == [1, 1, 5]
    assert battle.strengths("hornet-tb-1", "hornet-db-1") == [3, 5]


@pytest.mark.rule("midway", "11.1")
def test_patrol_waits_where_only_fighters_have_come(battle: Battle) -> None:
    battle.put("cap 1", "akagi-f-1").put("ready", "hornet-f-1")
    assert battle.play("cap", "japan", otherwise=staff(battle, "japan")).rolled == {}


@pytest.mark.rule("midway", "11.3")
def test_fighters_spread_losses_to_keep_squadrons(battle: Battle) -> None:
    battle.put("cap 1", "akagi-f-1", strength=2).put("ready", "hornet-f-1", "hornet-f-2", strength=3)
    both = {"japan": staff(battle, "japan"), "usa": staff(battle, "usa")}
    battle.put("ready", "hornet-db-1")
    battle.play("cap", "japan", dice=[4, 4, *[1] * 6], otherwise=lambda d: both[d.seat](d))
    assert battle.strengths("hornet-f-1", "hornet-f-2") == [2, 2]


@pytest.mark.rule("midway", "12.3")
def test_bomber_hits_are_borne_by_one_squadron(battle: Battle) -> None:
    battle.damage(akagi=9, kaga=10, soryu=10, hiryu=10).put("ready", "hornet-db-1", "hornet-db-2", strength=3)
    battle.play("attack", "usa", dice=[4, 4, 1, 1, 1, 1, 1, *[1] * 4], otherwise=staff(battle, "usa"))
    assert sorted(battle.strengths("hornet-db-1", "hornet-db-2")) == [1, 3]


@pytest.mark.rule("midway", "12.1")
def test_strike_chooses_carrier_with_safe_damage(battle: Battle) -> None:
    battle.damage(kaga=6).put("ready", *(f"hornet-db-{number}" for number in range(1, 3)))
    played = battle.play("attack", "usa", dice=[1] * 9 + [5] + [1] * 9, otherwise=staff(battle, "usa"))
    assert "Kaga" in played.log_text("12.2")[0], "one hit cripples her"
    assert len(played.log_text("12.2")) == 1


@pytest.mark.rule("midway", "12.1")
@pytest.mark.parametrize(("force", "targets"), [(10, 1), (40, 1), (120, 3)])
def test_small_strike_stays_together_and_great_one_is_spread(battle: Battle, force: int, targets: int) -> None:
    look = Situation(view_of(GAME, battle.state, "usa"))
    shares = best_split(force, look.targets("hiryu"), look.figures)
    assert len(shares) == targets
    assert sum(shares.values()) == pytest.approx(force, abs=1)


@pytest.mark.rule("midway", "13.1", "13.2")
@pytest.mark.parametrize(("strike", "escorts"), [(2, 2), (1, 1), (0, 0)])
def test_bot_launches_all_and_fills_cap(battle: Battle, strike: int, escorts: int) -> None:
    battle.put("cap 1", *(f"yorktown-f-{number}" for number in (1, 2, 3)))
    fighters = [f"enterprise-f-{number}" for number in range(1, 5)]
    bombers = [f"hornet-db-{number}" for number in range(1, strike + 1)]
    battle.put("deck enterprise", *fighters).put("deck hornet", *bombers)
    battle.play("launch", "usa", otherwise=staff(battle, "usa"))
    flying = AMERICAN.cap(1, ahead=False) + 2 - escorts
    assert len(battle.lying("usa", "cap 1")) == flying, "fighters escort only bombers"
    assert set(battle.lying("usa", "moving")) == {*fighters[4 - escorts :], *bombers}


@pytest.mark.rule("midway", "14.1", "9.1")
def test_bot_clears_only_decks_needed_to_land(battle: Battle) -> None:
    battle.put("waiting", *(f"akagi-db-{number}" for number in range(1, 5)))
    battle.play("plan", "japan", otherwise=staff(battle, "japan"))
    clear = [carrier.key for carrier in battle.state.japan.carriers if not carrier.deck]
    assert clear == ["akagi"], "twenty points need one deck, and hers is the emptiest"


# -- policies --------------------------------------------------------------------------------------------------------


def bare(turn: int = 5, **options: str) -> Battle:
    """Return a battle without squadrons; a test puts some back."""
    battle = Battle("midway", turn, **options).settle()
    for side in battle.sides:
        side.lost = [squadron for _, squadrons in battle.places(side) for squadron in squadrons]
        for carrier in side.carriers:
            carrier.deck, carrier.hangar = [], []
    return battle


@pytest.mark.rule("midway", "10.2")
@pytest.mark.parametrize(("turn", "late", "goes"), [(4, 5, True), (5, 5, False), (5, 6, True)])
def test_late_mass_applies_from_its_turn(turn: int, late: int, goes: bool) -> None:
    battle = bare(turn).put("moving", "hornet-db-1").put("deck yorktown", "yorktown-db-1")
    policy = replace(AMERICAN, late=late, mass_early=5.0, mass_late=40.0)
    battle.play("move", "usa", otherwise=staff(battle, "usa", policy))
    assert battle.where("hornet-db-1") == ("ready" if goes else "moving")


@pytest.mark.rule("midway", "10.2")
@pytest.mark.parametrize(("patient", "turn", "goes"), [(False, 5, True), (True, 5, False), (True, 18, True)])
def test_patient_bombers_wait_for_those_below_until_it_is_late(patient: bool, turn: int, goes: bool) -> None:
    battle = bare(turn).put("moving", "hornet-db-1").put("hangar yorktown", "yorktown-db-1")
    battle.play("move", "usa", otherwise=staff(battle, "usa", replace(AMERICAN, patient=patient)))
    assert battle.where("hornet-db-1") == ("ready" if goes else "moving")


@pytest.mark.rule("midway", "13.1", "18.2")
def test_cap_grows_with_a_winning_lead(battle: Battle) -> None:
    fighters = [f"enterprise-f-{number}" for number in range(1, 5)]
    policy = replace(AMERICAN, cap_early=1, cap_late=1, ahead_cap=2)
    for damage, flying in ((0, 1), (10, 3)):
        battle.damage(kaga=damage).put("deck enterprise", *fighters)
        battle.put("deck hornet", *(f"hornet-db-{number}" for number in range(1, 5)))
        battle.play("launch", "usa", otherwise=staff(battle, "usa", policy))
        assert len(battle.lying("usa", "cap 1")) == flying


@pytest.mark.rule("midway", "14.1")
def test_everything_is_spotted_where_all_fits() -> None:
    battle = bare()
    battle.put("waiting", *(f"akagi-db-{number}" for number in range(1, 5)))
    for key in ("hiryu", "soryu", "akagi", "kaga"):
        battle.put(f"hangar {key}", f"{key}-f-1", f"{key}-tb-1")
    battle.play("plan", "japan", otherwise=staff(battle, "japan", replace(JAPANESE, load_all=True)))
    assert all(carrier.deck for carrier in battle.state.japan.carriers), "no deck is cleared"


@pytest.mark.rule("midway", "14.1", "9.1")
@pytest.mark.parametrize(("weight", "soon", "clear"), [(0.0, 0.0, 0), (1.0, 0.0, 1), (1.1, 0.0, 2), (1.0, 0.5, 2)])
def test_decks_are_cleared_by_weight(weight: float, soon: float, clear: int) -> None:
    battle = bare()
    battle.put("waiting", *(f"akagi-db-{number}" for number in range(1, 5)))
    battle.put("home", *(f"kaga-db-{number}" for number in range(1, 5)))
    for key in ("hiryu", "soryu", "akagi", "kaga"):
        battle.put(f"hangar {key}", f"{key}-f-1")
    policy = replace(JAPANESE, land_weight=weight, land_soon=soon)
    battle.play("plan", "japan", otherwise=staff(battle, "japan", policy))
    assert sum(not carrier.deck for carrier in battle.state.japan.carriers) == clear


@pytest.mark.rule("midway", "14.1")
@pytest.mark.parametrize(("bombers", "kind"), [("dive", "db"), ("torpedo", "tb")])
def test_preferred_bombers_are_spotted_first(bombers: str, kind: str) -> None:
    battle = bare()
    policy = replace(AMERICAN, bombers=bombers, cap_early=0, cap_late=0, deck_fighters=0)
    battle.put("hangar hornet", *(f"hornet-{each}-{n}" for each in ("tb", "db", "f") for n in (1, 2, 3)))
    battle.play("plan", "usa", otherwise=staff(battle, "usa", policy))
    deck = battle.lying("usa", "deck hornet")
    assert sum(f"-{kind}-" in key for key in deck) == 3
    assert not any("-f-" in key for key in deck)


@pytest.mark.rule("midway", "17.1")
def test_spearhead_sends_three_squadrons_alone() -> None:
    battle = bare(orders="together")
    squadrons = [f"hornet-db-{number}" for number in (1, 2, 3)] + [f"hornet-f-{number}" for number in (1, 2, 3)]
    battle.put("moving", *squadrons)
    battle.state.found = False
    policy = replace(AMERICAN, groups="spearhead", mass_early=5.0, mass_late=5.0)
    played = battle.play("move", "usa", dice=[4], otherwise=staff(battle, "usa", policy))
    assert len(battle.lying("usa", "ready")) == 3
    assert played.log_text("17.2")
