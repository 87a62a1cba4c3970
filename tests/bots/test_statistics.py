"""Intervals for few and equal values, several comparisons, equivalence and precision."""

from __future__ import annotations

from random import Random
from statistics import NormalDist
from typing import Any

import pytest

from readyroom.bots.statistics import (
    GAIN,
    Limits,
    difference_limits,
    estimate_mean,
    holm,
    is_choosing,
    is_equivalent,
    mean_of,
    mean_utility,
    more_samples,
    next_precision,
    p_value,
    share_of,
    utility_limits,
    wilson_interval,
)


@pytest.fixture
def stats() -> Any:
    """SciPy's statistics, which take half a second to load in each test process."""
    from scipy import stats

    return stats


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize(("wins", "count"), [(0, 10), (3, 10), (50, 100), (999, 1000), (7, 7)])
def test_share_has_wilson_interval(stats: Any, wins: int, count: int, level: float) -> None:
    expected = stats.binomtest(wins, count).proportion_ci(level, method="wilson")
    assert wilson_interval(wins, count, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_mean_of_different_values_has_t_interval(stats: Any) -> None:
    values = [1.0, 4.0, 4.5, 7.0, 9.0]
    expected = stats.ttest_1samp(values, 0)
    assert estimate_mean(values).interval() == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert p_value(estimate_mean(values).interval) == pytest.approx(expected.pvalue, abs=1e-6)


@pytest.mark.parametrize("count", [1, 2, 30, 1000])
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0, -3.0])
def test_equal_values_have_interval_of_some_width(value: float, count: int) -> None:
    interval = mean_of([value] * count)
    assert interval.low < value < interval.high
    if 0 <= value <= 1:
        utility = mean_utility([value] * count)
        assert 0 <= utility.low < utility.high <= 1


def test_rare_event_that_was_not_seen_is_in_the_interval() -> None:
    """None of 100 pairs differs. An effect on 2 % of matches would go unseen in 13 % of such samples."""
    assert mean_of([0.0] * 100, GAIN).high > 0.02
    assert share_of(0, 100).high > 0.02


@pytest.mark.parametrize(("better", "worse"), [(3, 0), (5, 0), (8, 2)])
def test_few_differing_pairs_are_not_significant(stats: Any, better: int, worse: int) -> None:
    """As in McNemar's exact test."""
    pairs = [1.0] * better + [-1.0] * worse + [0.0] * (100 - better - worse)
    assert stats.binomtest(better, better + worse).pvalue > 0.05
    assert not mean_of(pairs, GAIN).excludes_zero


def test_paired_interval_is_that_of_bonett_and_price() -> None:
    pairs = [1.0] * 9 + [-1.0] * 3 + [0.0] * 88
    more, less = (9 + 1) / 102, (3 + 1) / 102
    reach = NormalDist().inv_cdf(0.975) * ((more + less - (more - less) ** 2) / 102) ** 0.5
    low, high = estimate_mean(pairs, GAIN).interval()
    assert (low, high) == pytest.approx((more - less - reach, more - less + reach), abs=0.005)


def test_difference_of_shares_has_newcombes_interval() -> None:
    """Newcombe (1998), method 10, example a: 56 of 70 against 48 of 80."""
    first, other = ((times / of, wilson_interval(times, of)) for times, of in ((48, 80), (56, 70)))
    assert difference_limits(first, other) == pytest.approx((0.0524, 0.3339), abs=5e-4)


def test_utilities_with_draws_have_interval_within_bounds() -> None:
    low, high = utility_limits([1.0] * 28 + [0.5, 0.0])
    assert 0.8 < low < 0.95 < high <= 1


def test_p_value_agrees_with_interval() -> None:
    random = Random(1)
    for _ in range(50):
        estimate = estimate_mean([random.choice((-1.0, 0.0, 0.0, 1.0, 1.0)) for _ in range(40)], GAIN)
        low, high = estimate.interval()
        assert (p_value(estimate.interval) < 0.05) == (not low <= 0 <= high)


def test_p_value_of_no_difference_is_one() -> None:
    assert p_value(estimate_mean([0.0] * 40).interval) == pytest.approx(1)


def test_holm_adjusts_all_p_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_equivalence_needs_whole_interval_within_margin() -> None:
    assert is_equivalent(-0.04, 0.03)
    assert not is_equivalent(-0.20, 0.003), "a wide interval is no equivalence"
    assert not is_equivalent(-0.01, 0.05)


@pytest.mark.parametrize("reach", [0.0007, 0.012, 0.099, 0.1, 0.9, 2.6, 55.0])
def test_next_precision_is_round_and_finer(reach: float) -> None:
    precision = next_precision(reach)
    assert reach / 4 < precision <= 0.8 * reach
    assert f"{precision:e}"[0] in "125"


def test_more_samples_give_the_precision() -> None:
    def limits(count: int) -> Limits:
        return wilson_interval(count // 2, count)

    low, high = limits(200)
    more = more_samples(200, (high - low) / 2, 0.02)
    low, high = limits(200 + more)
    assert (high - low) / 2 == pytest.approx(0.02, rel=0.02)


def test_halves_are_disjoint() -> None:
    assert [is_choosing(number) for number in range(4)] == [True, False, True, False]
