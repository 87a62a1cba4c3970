"""Matrix games whose solutions are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readyroom.study.matrix_games import solve

PAYOFFS = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.floats(-1, 1, width=16), min_size=columns, max_size=columns), min_size=1, max_size=5
    )
)


def test_matching_pennies_is_fair_and_played_by_lot() -> None:
    solution = solve([[1, -1], [-1, 1]])
    assert solution.value == pytest.approx(0)
    assert solution.rows == pytest.approx([0.5, 0.5])
    assert solution.columns == pytest.approx([0.5, 0.5])


def test_rock_paper_scissors_is_a_third_each() -> None:
    solution = solve([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert solution.value == pytest.approx(0)
    assert solution.rows == pytest.approx([1 / 3] * 3)
    assert solution.columns == pytest.approx([1 / 3] * 3)


def test_uneven_stakes_give_uneven_mix() -> None:
    """Pennies with 2 for a pair of heads: each side shows heads two times in five, and the game is worth a fifth."""
    solution = solve([[2, -1], [-1, 1]])
    assert solution.value == pytest.approx(1 / 5)
    assert solution.rows == pytest.approx([2 / 5, 3 / 5])
    assert solution.columns == pytest.approx([2 / 5, 3 / 5])


def test_dominated_plan_is_never_played() -> None:
    solution = solve([[3, 1], [2, 0], [1, -1]])
    assert solution.value == pytest.approx(1)
    assert solution.rows == pytest.approx([1, 0, 0])
    assert solution.columns == pytest.approx([0, 1])


def test_saddle_point_gives_pure_strategies() -> None:
    solution = solve([[4, 2, 5], [1, 0, 6], [3, 1, -2]])
    assert solution.value == pytest.approx(2)
    assert solution.rows == pytest.approx([1, 0, 0])
    assert solution.columns == pytest.approx([0, 1, 0])


def test_single_plans_are_the_solution() -> None:
    assert solve([[-0.25]]).value == pytest.approx(-0.25)


@given(PAYOFFS)
@settings(max_examples=60, deadline=None)
def test_no_plan_beats_the_value(payoffs: list[list[float]]) -> None:
    """What makes it a solution: neither side gains by leaving its mix; and the shares are shares."""
    solution, table = solve(payoffs), np.array(payoffs)
    for mix in (solution.rows, solution.columns):
        assert mix.min() >= 0
        assert mix.sum() == pytest.approx(1)
    assert (solution.rows @ table).min() == pytest.approx(solution.value, abs=1e-7)
    assert (table @ solution.columns).max() == pytest.approx(solution.value, abs=1e-7)


@pytest.mark.parametrize("payoffs", [[], [[]], [1, 2], [[float("nan")]], [[float("inf"), 1]]])
def test_invalid_table_is_rejected(payoffs: list[object]) -> None:
    with pytest.raises(ValueError, match="table of finite payoffs"):
        solve(payoffs)  # type: ignore[arg-type]
