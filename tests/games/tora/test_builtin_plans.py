"""Tests of the built-in plans: legal, distinct, and executed as written."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from readyroom.bots import play_to_end
from readyroom.engine.game import Bot
from readyroom.engine.match import Match
from readyroom.games.tora import GAME
from readyroom.games.tora.figures import JAPAN, USA
from readyroom.games.tora.plans import builtin
from readyroom.games.tora.plans.data import AmericanPlan, Group, JapanesePlan
from readyroom.games.tora.plans.lock import Plan, canonical
from readyroom.games.tora.plans.validation import check, cost
from readyroom.study.planning import planning

KEYS = [(side, key) for side, plans in GAME.planning.plans().items() for key in plans]
FOLDER = Path(builtin.__file__).parents[1] / "data" / "plans"


def test_sides_have_six_builtin_plans() -> None:
    assert {side: len(plans) for side, plans in GAME.planning.plans().items()} == {JAPAN: 6, USA: 6}
    assert sorted(key for _, key in KEYS) == sorted(file.stem for file in FOLDER.glob("*.toml"))


@pytest.mark.parametrize(("side", "key"), KEYS)
def test_builtin_plan_is_legal_and_for_own_side(side: str, key: str) -> None:
    plan = builtin.named(key)
    assert isinstance(plan, JapanesePlan if side == JAPAN else AmericanPlan)
    assert not check(plan, GAME.data)


def test_builtin_plans_all_differ() -> None:
    assert len({canonical(builtin.named(key)) for _, key in KEYS}) == len(KEYS)
    assert len({plan.title for plans in GAME.planning.plans().values() for plan in plans.values()}) == len(KEYS)


@pytest.mark.rule("tora", "5.1")
@pytest.mark.parametrize("key", [key for side, key in KEYS if side == USA])
def test_american_points_are_all_spent(key: str) -> None:
    plan = builtin.named(key)
    assert isinstance(plan, AmericanPlan)
    assert {cost(plan.levels(category), GAME.data) for category in ("airfield", "ship", "aaa")} == {6}


def orders(plan: Plan | None) -> tuple[int, set[tuple[int, Group]]]:
    """Return the day, and each group with its turn; sheets list groups in a different order."""
    assert isinstance(plan, JapanesePlan)
    return plan.day, {(wave.turn, group) for wave in plan.wave for group in wave.group}


@pytest.mark.parametrize(
    ("japan", "usa"), list(zip(GAME.planning.plans()[JAPAN], GAME.planning.plans()[USA], strict=True))
)
def test_bots_plan_as_written(japan: str, usa: str) -> None:
    plans = GAME.planning.plans()
    match = Match(GAME, seed="as written", log=False, checkpoints=False)
    bots: dict[str, Bot] = {side: plans[side][key].bot(side, Random(1)) for side, key in ((JAPAN, japan), (USA, usa))}
    play_to_end(match, bots)
    assert orders(match.state.japan.plan) == orders(builtin.named(japan))
    made, wanted = match.state.usa.plan, builtin.named(usa)
    assert isinstance(made, AmericanPlan)
    assert isinstance(wanted, AmericanPlan)
    for part in ("airfield", "ship", "aaa", "radar", "patrol", "in_port"):
        assert getattr(made, part) == getattr(wanted, part)
    counted = GAME.analysis.match_stats(match.state, GAME.data)
    assert counted["Capital ships sunk"] + counted["Capital ships damaged"] <= 10
    assert 0 <= counted["Japanese aircraft lost"] <= GAME.data.air.limits.japan_planes


@pytest.mark.torture(3)
def test_planning_game_compares_two_plans_with_two() -> None:
    """The last days beat the tenth, but leave the first day uncovered."""
    plans: dict[str, list[str]] = {JAPAN: ["first-day", "kates-on-the-tenth"], USA: ["sunday-morning", "last-days"]}
    one, again = (planning.planning_game("tora", plans=plans, games=6, resamples=5, workers=1) for _ in range(2))
    assert one.cells == again.cells
    assert one.value == again.value
    early, late = (one.cell("kates-on-the-tenth", key).payoff.mean for key in ("sunday-morning", "last-days"))
    assert late < early
    assert one.cell("first-day", "sunday-morning").payoff.mean < one.cell("first-day", "last-days").payoff.mean
