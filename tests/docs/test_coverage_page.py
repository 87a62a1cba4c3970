"""The table of how often intervals cover the truth."""

from __future__ import annotations

import re
from math import sqrt

import numpy as np
import pytest

from docs import coverage

ROW = re.compile(r"\| ([a-z-]+) \| (.+?) \| (\d+) \| ([\d,]+) \| ([\d.]+) % \(")
LEAST, MOST = 0.93, 0.97
TOOLS = {"study", "what-if", "analysis", "ladder"}


def rows(text: str) -> list[tuple[str, str, int, float]]:
    """Return the rows of the table of tools: tool, figure, number of intervals, share that covers the truth."""
    cells = ROW.findall(text.partition("% rare events")[0])
    return [(tool, figure, int(count.replace(",", "")), float(share) / 100) for tool, figure, _, count, share in cells]


def test_intervals_of_all_tools_cover_the_truth() -> None:
    published = rows(coverage.PAGE.read_text(encoding="utf-8"))
    assert {tool for tool, *_ in published} == TOOLS
    for tool, figure, count, share in published:
        assert _is_honest(count, share), f"{tool}, {figure}: {share}"


def test_exact_win_chance_counts_boats() -> None:
    chances = [coverage.win_chance(boat) for boat in ("crane", "heron", "wren")]
    assert chances[0] == chances[1] > chances[2] > 0.5


def test_distribution_is_that_of_the_odds() -> None:
    odds = coverage.dogfight(3)
    assert sum(odds.values()) == 1
    assert coverage.mean_hits(odds) == 1.5
    luck = (np.arange(800) + 0.5) / 800
    assert coverage.hits_of(odds, luck).tolist().count(0) == 100


@pytest.mark.torture(60)
def test_table_measured_again_is_honest() -> None:
    measured = rows(coverage.text(400))
    assert len(measured) == len(rows(coverage.PAGE.read_text(encoding="utf-8")))
    for tool, figure, count, share in measured:
        assert _is_honest(count, share), f"{tool}, {figure}: {share}"


def _is_honest(count: int, share: float) -> bool:
    """Return whether this share of this many intervals is within the limits and four standard errors."""
    error = 4 * sqrt(0.05 * 0.95 / count)
    return LEAST - error <= share <= MOST + error
