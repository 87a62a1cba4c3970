"""Planning games: reproducible payoffs and correct solutions."""

from __future__ import annotations

import csv
import io
from itertools import count
from typing import Any

import pytest
from tests.study.comparing import without_times

from readyroom.engine.errors import UnknownOption, UnknownPlan, UnknownScenario, UnknownSeat
from readyroom.study.planning.payoffs import estimate
from readyroom.study.planning.planning import CHUNK, NoPlans, TooEarly, planning_game

FEW: dict[str, Any] = {"resamples": 20, "workers": 1}
SLIPS = 1 / 6


def test_worker_count_does_not_change_result(hands: str) -> None:
    one, three = (planning_game(hands, games=CHUNK + 2, resamples=20, workers=workers) for workers in (1, 3))
    assert without_times(one) == without_times(three)


def test_another_seed_gives_another_table(hands: str) -> None:
    one, other = (planning_game(hands, games=20, seed=seed, **FEW) for seed in ("one", "other"))
    assert one.cells != other.cells


def test_known_game_is_solved(hands: str) -> None:
    """A better hand wins 5 times in 6, so its payoff is 2/3; the optimal mix is 1/3 each."""
    result = planning_game(hands, games=300, resamples=60, workers=1)
    beaten = result.cell("rock", "scissors").payoff
    assert abs(beaten.mean - (1 - 2 * SLIPS)) < 4 * beaten.error
    assert beaten.error == pytest.approx(((1 - (1 - 2 * SLIPS) ** 2) / 300) ** 0.5, rel=0.2)
    assert result.value.mean == pytest.approx(0, abs=1e-9), "rock and scissors had the same dice"
    for side in (result.rows, result.columns):
        assert [line.share.mean for line in side.lines] == pytest.approx([1 / 3] * 3, abs=1e-6)
        assert {line.chosen for line in side.lines} == {1.0}


def test_all_pairs_are_played_with_the_same_dice(hands: str) -> None:
    result = planning_game(hands, games=40, **FEW)
    dice = {(cell.counts["Die"].mean, cell.counts["Die"].error) for cell in result.cells}
    assert len(dice) == 1
    assert result.cell("rock", "paper").payoff.mean == -result.cell("paper", "rock").payoff.mean


def test_table_has_every_pair(hands: str) -> None:
    result = planning_game(hands, games=4, **FEW)
    assert [(cell.row, cell.column) for cell in result.cells] == [
        (row, column) for row in ("rock", "paper", "scissors") for column in ("rock", "paper", "scissors")
    ]
    assert result.games == 4
    assert [side.name for side in (result.rows, result.columns)] == ["Red", "Blue"]
    for cell in result.cells:
        assert list(cell.endings) == list(result.endings)
        assert sum(cell.endings.values()) == pytest.approx(1)
    assert list(result.endings.values()) == ["red", None, "blue"]


def test_two_plans_against_two(hands: str) -> None:
    """With rock and paper only, both sides choose paper."""
    plans = {"red": ["rock", "paper"], "blue": ["paper", "rock"]}
    result = planning_game(hands, plans=plans, games=30, **FEW)
    assert len(result.cells) == 4
    assert {line.title: line.share.mean for line in result.rows.lines} == pytest.approx({"Rock": 0, "Paper": 1})
    assert {line.title: line.share.mean for line in result.columns.lines} == pytest.approx({"Paper": 1, "Rock": 0})


def test_draw_has_value_of_study(hands: str) -> None:
    result = planning_game(hands, plans={"red": ["rock"], "blue": ["rock"]}, games=4, draw=-0.5, **FEW)
    assert result.cells[0].payoff.mean == result.value.mean == -0.5


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_study_reports_finished_matches(hands: str, workers: int) -> None:
    calls = count(1)

    def interrupt(done: int, of: int) -> None:
        assert of == 9 * 4 * CHUNK
        if next(calls) == 14:
            raise KeyboardInterrupt

    result = planning_game(hands, games=4 * CHUNK, resamples=5, workers=workers, progress=interrupt)
    assert result.games == CHUNK
    assert without_times(result) == without_times(planning_game(hands, games=CHUNK, resamples=5, workers=1))


def test_study_interrupted_at_once_has_no_result(hands: str) -> None:
    def interrupt(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(TooEarly):
        planning_game(hands, games=4, progress=interrupt, **FEW)


@pytest.mark.parametrize(
    ("error", "settings"),
    [
        (UnknownScenario, {"scenario": "leyte"}),
        (UnknownOption, {"options": {"weather": "fair"}}),
        (UnknownSeat, {"plans": {"green": ["rock"]}}),
        (UnknownPlan, {"plans": {"red": ["well"]}}),
    ],
)
def test_unknown_names_are_rejected_before_first_match(
    hands: str, error: type[Exception], settings: dict[str, Any]
) -> None:
    with pytest.raises(error):
        planning_game(hands, games=2, **settings)


def test_game_without_plans_is_rejected() -> None:
    with pytest.raises(NoPlans):
        planning_game("midway", games=2)


def test_result_as_csv(hands: str) -> None:
    result = planning_game(hands, games=4, **FEW)
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert len(rows) == 9
    assert list(rows[0])[:5] == ["red", "blue", "games", "payoff", "standard error of payoff"]
    for row, cell in zip(rows, result.cells, strict=True):
        assert (row["red"], row["blue"]) == (cell.row, cell.column)
        assert float(row["payoff"]) == pytest.approx(cell.payoff.mean)
        assert float(row["standard error of Die"]) == pytest.approx(cell.counts["Die"].error, rel=1e-4)


def test_error_is_standard_error_of_mean() -> None:
    result = estimate([1.0, -1.0, 1.0, 1.0])
    assert result.mean == 0.5
    assert result.error == pytest.approx(0.5)
