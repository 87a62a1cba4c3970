"""Intervals, differences and sentences, checked against independent calculations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from readyroom.study.measures import (
    BINS,
    Measure,
    difference,
    histogram_edges,
    t_interval,
    variance_ratio,
    wilson_interval,
)

WINS = Measure("won by usa", "Won by United States", "share")
SCORE = Measure("score of usa", "Score of United States", "figure")


@pytest.mark.parametrize(("wins", "count"), [(0, 10), (3, 10), (50, 100), (999, 1000), (7, 7)])
def test_share_has_wilson_interval(wins: int, count: int) -> None:
    expected = stats.binomtest(wins, count).proportion_ci(0.95, method="wilson")
    assert wilson_interval(wins, count) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_mean_has_t_interval() -> None:
    values = np.array([1.0, 4.0, 4.0, 7.0, 9.0])
    assert t_interval(values) == pytest.approx(stats.ttest_1samp(values, 0).confidence_interval(0.95))


def test_intervals_cover_true_value_in_95_percent_of_studies() -> None:
    random = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        first = random.normal(0, 1, 60)
        result = difference(SCORE, "x", first, first + random.normal(0.5, 0.3, 60), paired=True)
        held += result.low <= 0.5 <= result.high
    assert 365 <= held <= 393


def test_paired_gain_follows_from_variances() -> None:
    random = np.random.default_rng(2)
    luck = random.normal(0, 2, 4000)
    first, other = luck + random.normal(0, 1, 4000), luck + random.normal(0, 1, 4000)
    assert variance_ratio(first, other) == pytest.approx(5, rel=0.1), "(4 + 1) * 2 against 1 * 2"
    paired, separate = (difference(SCORE, "x", first, other, paired=pairs) for pairs in (True, False))
    widths = [result.high - result.low for result in (separate, paired)]
    assert (widths[0] / widths[1]) ** 2 == pytest.approx(variance_ratio(first, other), rel=0.01)
    assert separate.gain is separate.identical is None


def test_without_differences_upper_limit_is_reported() -> None:
    same = np.ones(300)
    result = difference(WINS, "paint", same, same, paired=True)
    assert (result.mean, result.identical, result.gain) == (0, 1, None)
    assert result.sentence == (
        "With paint, none of 300 matches differs in who wins, United States or not; "
        "an effect on less than one match in 100 cannot be excluded (95 % CI)."
    )


def test_measure_sentences() -> None:
    first = np.array([0.0, 1.0] * 200)
    more = np.maximum(first, np.array([1.0, 0.0, 0.0, 0.0, 0.0] * 80))
    assert difference(WINS, "radar", first, more, paired=True).sentence == (
        "With radar, United States wins 10.0 points more often (95 % CI: 7.0 to 13.0)."
    )
    less = difference(WINS, "fog", more, first, paired=True).sentence
    assert less == "With fog, United States wins 10.0 points less often (95 % CI: 7.0 to 13.0)."
    drawn = Measure("drawn", "Drawn", "share")
    assert "matches are drawn 10.0 points more often" in difference(drawn, "radar", first, more, paired=True).sentence
    noise = difference(WINS, "luck", first, first[::-1], paired=True).sentence
    assert noise == (
        "With luck, United States wins about as often: between 9.8 points less often and 9.8 points more often "
        "(95 % CI)."
    )
    assert "the score of United States is 0.10 higher on average (95 % CI: 0.07 to 0.13)" in (
        difference(SCORE, "radar", first, more, paired=True).sentence
    )
    turn = Measure("turn", "Last turn", "figure")
    assert "the last turn is 0.10 later" in difference(turn, "radar", first, more, paired=True).sentence
    counted = Measure("Ships", "Ships sunk", "figure")
    assert "“Ships sunk” is 0.10 lower" in difference(counted, "fog", more, first, paired=True).sentence


def test_histogram_has_integer_bins_if_they_fit() -> None:
    assert histogram_edges([np.array([1.0, 2.0, 5.0])]) == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    wide = histogram_edges([np.arange(0.0, 1000.0)])
    assert len(wide) - 1 <= BINS
    assert wide[0] <= 0
    assert wide[-1] >= 999
    assert len(histogram_edges([np.array([0.1, 0.75])])) == BINS + 1
    assert histogram_edges([np.array([np.nan])]) == [0, 1]
