"""Zero-sum games as a table of payoffs: the best mix of each side and what the game is worth, by linear programming.

The row player gains what the column player loses. By the minimax theorem (von Neumann 1928) there is a value that the
one can make sure of and the other can keep it down to; the mixes that do so are the solutions of two linear programmes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog

Array = NDArray[np.float64]
DUST = 1e-9
"""Smaller shares of a mix are the solver's rounding."""


class Solution(NamedTuple):
    """What a game is worth to the row player, and how often each side plays each of its plans."""

    value: float
    rows: Array
    columns: Array


def solve(payoffs: ArrayLike) -> Solution:
    """Return value and optimal mixes of the game in which the row player gains `payoffs[row, column]`.

    If several mixes are optimal, the solver's is returned. Raises ValueError unless all payoffs are finite numbers.
    """
    table = np.asarray(payoffs, dtype=np.float64)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise ValueError("A matrix game is a table of finite payoffs with at least one row and one column.")
    value, rows = _secured(table)
    _, columns = _secured(-table.T)
    return Solution(value, rows, columns)


def _secured(table: Array) -> tuple[float, Array]:
    """Return the most that the row player can guarantee, and the mix that does it.

    The unknowns are the shares of the rows and the value v. The linear program maximizes v such that the mix
    gains at least v against every column, and the shares add up to one.
    """
    rows, columns = table.shape
    data = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-table.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[*[(0.0, 1.0)] * rows, (None, None)],
        method="highs",
    )
    if not data.success:  # a table of finite payoffs always has a solution
        raise ArithmeticError(f"The linear programme was not solved: {data.message}")
    shares = np.where(data.x[:-1] < DUST, 0.0, data.x[:-1])
    return float(data.x[-1]), shares / shares.sum()
