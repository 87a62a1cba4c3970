"""Tests of doctrines: their plans, whole battles, and results of the historical plan."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest

from readyroom import bots
from readyroom.engine.match import Match
from readyroom.games.tora import GAME
from readyroom.games.tora.battle.outcome import FinalCounts, final_counts
from readyroom.games.tora.bots.doctrine import MIXED, NAMES, plan_of
from readyroom.games.tora.figures import JAPAN
from readyroom.games.tora.plans.data import JapanesePlan
from readyroom.games.tora.plans.validation import check


def fought(japan: str, usa: str, seed: str, **options: object) -> FinalCounts:
    """Return the result of a match between two doctrines, planned and fought."""
    match, random = Match(GAME, options=options, seed=seed, log=False, checkpoints=False), Random(seed)
    players = {
        seat.key: bots.make_bot(GAME, japan if seat.side == "japan" else usa, seat.key, random) for seat in match.seats
    }
    bots.play_to_end(match, players)
    assert match.outcome is not None
    return final_counts(match.state, GAME.data)


@pytest.mark.rule("tora", "5", "7")
def test_doctrine_plans_are_all_legal() -> None:
    assert set(NAMES) < set(GAME.data.doctrines) | {"doctrine"}
    for opening in GAME.data.doctrines.values():
        plan = opening.usa or opening.japan
        assert plan is not None
        assert check(plan, GAME.data) == []


@pytest.mark.sample(9)
@pytest.mark.slow
@pytest.mark.parametrize("japan", ["doctrine", "historical", "battleships", "yard", "ready"])
@pytest.mark.parametrize("usa", ["doctrine", "cautious", "sunday", "ready", "yard"])
def test_doctrine_pairs_all_play_to_end(japan: str, usa: str) -> None:
    counted = fought(japan, usa, f"{japan} {usa}")
    assert counted.ok + counted.damaged + counted.sunk == 10


@pytest.mark.parametrize(
    "options", [{"japan_players": 4, "usa_players": 4}, {"reach": "ring"}, {"cipher": "yes"}], ids=str
)
def test_bots_play_at_any_table(options: dict[str, object]) -> None:
    assert fought("historical", "sunday", "any", **options).damaged > 2


@pytest.mark.torture(3)
@pytest.mark.parametrize("preset", ["prose", "table", "literal"])
def test_historical_plan_on_sunday_morning_comes_out_as_it_did(preset: str) -> None:
    battles = [fought("historical", "sunday", f"sunday {number}", preset=preset) for number in range(24)]
    assert 6 <= median(each.damaged + each.sunk for each in battles) <= 8
    assert 1 <= median(each.sunk for each in battles) <= 3
    assert median(each.japanese for each in battles) < 60
    alert = [fought("historical", "ready", f"sunday {number}", preset=preset) for number in range(24)]
    assert median(each.japanese for each in alert) >= 2 * median(each.japanese for each in battles)


def _japanese(number: int) -> JapanesePlan:
    """Return a plan of the default Japanese bot."""
    plan = plan_of("doctrine", JAPAN, Random(number))[1]
    assert isinstance(plan, JapanesePlan)
    return plan


def test_default_japanese_bot_flies_zeros_and_varies_plan_and_day() -> None:
    japanese_plans = [_japanese(number) for number in range(200)]
    assert {plan.day for plan in japanese_plans} == set(range(1, 11))
    assert len({plan.wave for plan in japanese_plans}) == len(MIXED)
    assert all(any(group.type == "zero" for group in wave.group) for plan in japanese_plans for wave in plan.wave)


def test_default_bot_is_listed_first() -> None:
    assert next(iter(GAME.analysis.bots)) == "doctrine"
