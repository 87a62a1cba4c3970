"""Tests of the doctrine bot: its answers to the questions of each step."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from tests.games.midway.helpers import Battle, Policy
from tests.views import view_of

from readyroom.engine.rules.decisions import Decision
from readyroom.games.midway import GAME
from readyroom.games.midway.doctrine import MANNERS, Situation, best_split, doctrine


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


def staff(battle: Battle, seat: str, manner: str = "doctrine") -> Policy:
    """Return the bot's answers, each based on its seat's current view."""
    bot = doctrine(seat, Random(1), MANNERS[manner])

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
@pytest.mark.parametrize(("manner", "goes"), [("doctrine", False), ("eager", True)])
def test_bot_gathers_bombers_unless_eager(battle: Battle, manner: str, goes: bool) -> None:
    battle.put("moving", "hornet-db-1", "hornet-db-2", "hornet-f-1").put("deck yorktown", "yorktown-db-1")
    battle.put("home", "hornet-tb-1")
    battle.play("move", "usa", otherwise=staff(battle, "usa", manner))
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
def test_bot_launches_all_and_fills_cap(battle: Battle) -> None:
    battle.put("cap 1", *(f"yorktown-f-{number}" for number in (1, 2, 3)))
    fighters = [f"enterprise-f-{number}" for number in range(1, 5)]
    battle.put("deck enterprise", *fighters).put("deck hornet", "hornet-db-1")
    battle.play("launch", "usa", otherwise=staff(battle, "usa"))
    assert len(battle.lying("usa", "cap 1")) == MANNERS["doctrine"].cap["usa"]
    assert set(battle.lying("usa", "moving")) == {*fighters[2:], "hornet-db-1"}


@pytest.mark.rule("midway", "14.1", "9.1")
def test_bot_clears_only_decks_needed_to_land(battle: Battle) -> None:
    battle.put("waiting", *(f"akagi-db-{number}" for number in range(1, 5)))
    battle.play("plan", "japan", otherwise=staff(battle, "japan"))
    clear = [carrier.key for carrier in battle.state.japan.carriers if not carrier.deck]
    assert clear == ["akagi"], "twenty points need one deck, and hers is the emptiest"
