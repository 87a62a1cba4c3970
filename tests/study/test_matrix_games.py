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


def test_matching_pennies_has_value_zero_and_even_mix() -> None:
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
    """Matching pennies with payoff 2 for two heads: each side plays heads 2/5 of the time, and the value is 1/5."""
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
    """In equilibrium no pure strategy gains against the mix, and the weights are probabilities."""
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
