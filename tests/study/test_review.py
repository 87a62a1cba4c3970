"""Match review: skill, luck, costs and reproducibility."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.study.comparing import agree, without_times

from readyroom import bots
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.study.review.pages import course, review_page
from readyroom.study.review.review import Review, review
from readyroom.study.review.what_if import NoSuchDecision

pytestmark = pytest.mark.slow

RECORDS = Path(__file__).parents[1] / "records"
ONE_IN_TEN_THOUSAND = 3.9
FEW = 3


@lru_cache
def random_captain() -> str:
    """Return a watch of Picket Duty played at random."""
    return _played("picket", "first-watch", {"captain": "random"}, "x1")


@lru_cache
def random_axis() -> str:
    """Return a submarine war in which the Axis plays at random."""
    return _played("war", "silent-service", {"axis": "random", "allies": "doctrine"}, "x1")


def _played(name: str, scenario: str, names: dict[str, str], seed: str) -> str:
    match = Match(load_game(name), scenario, seed=seed)
    random = Random(seed)
    bots.play_to_end(match, {seat: bots.make_bot(match.game, name, seat, random) for seat, name in names.items()})
    return match.record()


@lru_cache
def reviewed(seed: str = "verdict") -> Review:
    return review(random_captain(), samples=FEW, seed=seed)


def test_start_skill_and_luck_add_up_to_the_outcome() -> None:
    for side in reviewed().sides:
        parts = side.start.mean + side.skill.mean + side.others.mean + side.luck.mean
        assert parts == pytest.approx(side.outcome, abs=0.003)


def test_review_is_repeatable_with_any_workers() -> None:
    again = review(random_captain(), samples=FEW, workers=2)
    assert without_times(again) == without_times(reviewed())


@pytest.mark.torture(1)
def test_another_seed_agrees_within_the_errors() -> None:
    one, two = reviewed(), reviewed("another")
    for first, second in zip(one.sides, two.sides, strict=True):
        for figure in ("start", "skill", "luck"):
            agree(getattr(first, figure), getattr(second, figure))
        costs = {each.n: each for each in first.costliest}
        for each in second.costliest:
            if each.n in costs and costs[each.n].better == each.better:
                agree(costs[each.n].cost, each.cost)


@pytest.mark.torture(2)
def test_bot_play_has_no_skill_effect() -> None:
    result = review((RECORDS / "blown-up.jsonl").read_text(), samples=FEW)
    assert result.sides[0].skill.mean == 0
    assert result.sides[0].luck.mean < 0, "the ship blew up"


@pytest.mark.torture(10)
def test_random_play_lists_mistakes_by_cost() -> None:
    """The worst mistakes come first; one side's skill is the other side's loss."""
    result = review(random_axis(), samples=FEW)
    axis, allies = result.sides
    assert axis.skill.high < 0
    assert allies.others.mean == pytest.approx(-axis.skill.mean)
    costs = [each.cost.mean for each in axis.costliest]
    assert costs == sorted(costs, reverse=True)
    assert all(each.answer != each.better for each in axis.costliest)
    assert result.dropped == 0


def test_page_is_complete_without_scripts() -> None:
    review = reviewed()
    page = review_page(review, "readyroom review …")
    assert "<script" not in page
    assert page.count('<svg class="figure"') == len(review.sides)
    assert "Without luck, its play is worth" in page
    for each in review.sides[0].costliest:
        assert f"decision {each.n}" in page


def test_figure_covers_first_decision_to_end() -> None:
    side = reviewed().sides[0]
    figure: Any = course(side, "usa")
    assert len(figure["luck"]) == len(side.steps)
    assert [step[2] for step in figure["luck"]] == sorted(step[2] for step in figure["luck"])
    assert len(figure["marks"]) == len(side.costliest)
    assert len(figure["dots"]) == len(side.steps) + 1


def test_unfinished_match_is_rejected() -> None:
    with pytest.raises(NoSuchDecision, match="not over"):
        review("".join(random_captain().splitlines(keepends=True)[:-1]))


@pytest.mark.slow
def test_progress_is_reported() -> None:
    done: list[float] = []
    result = review((RECORDS / "blown-up.jsonl").read_text(), samples=2, progress=done.append)
    assert done == sorted(done)
    assert done[-1] <= 1
    assert result.decisions == len(result.sides[0].steps)
