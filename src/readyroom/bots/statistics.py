"""Statistics of samples: intervals that also hold for few or equal values, several comparisons, and equivalence.

- A share has Wilson's interval; a mean has Student's, widened where nearly all values are equal (`estimate_mean`).
- If several comparisons are reported, their p-values are adjusted by Holm's method.
- "About equal" is a result only if the whole 95 % CI is within a stated margin: two one-sided tests (TOST) at 2.5 %.
- What is chosen as the best of many has its figures from other samples than those that chose it (`is_choosing`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import ceil, floor, fsum, inf, log10, sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

import msgspec

CONFIDENCE, ERRORS = 0.95, 1.96
"""The level of confidence intervals, and their half-width in standard errors."""
SIGNIFICANT = 0.05
"""The highest adjusted p-value of a significant difference."""
MARGIN = 0.05
"""Shares and utilities are about equal if they differ by less than this."""
SMALL_EFFECT = 0.2
"""Means are about equal if they differ by less than this many standard deviations."""
PSEUDO = 2.0
"""How many values are added to a sample in which all values are equal, see `estimate_mean`."""
UTILITY, GAIN, ANY = (0.0, 1.0), (-1.0, 1.0), (-inf, inf)
"""The bounds of utilities and shares, of their differences, and of other figures."""
STEPS = 40
"""Steps of the search for a p-value: it is exact to 1e-12."""
NARROWER = 0.8
"""A finer precision is at most this part of the present one."""
DIGITS = 5
"""The digits that intervals are rounded to."""

Limits = tuple[float, float]


class Interval(msgspec.Struct, frozen=True):
    """A figure with its standard error and its 95 % CI."""

    mean: float
    error: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether zero is outside the interval."""
        return self.low > 0 or self.high < 0

    @property
    def reach(self) -> float:
        """The distance from the figure to the farther end of its interval."""
        return max(self.high - self.mean, self.mean - self.low)


def rounded(*figures: float) -> Interval:
    """Return an interval of these figures (mean, error, low, high), rounded to five digits."""
    return Interval(*(round(figure, DIGITS) + 0.0 for figure in figures))


# -- intervals -------------------------------------------------------------------------------------------------------


def wilson_interval(times: float, of: float, level: float = CONFIDENCE) -> Limits:
    """Return Wilson's interval of a share; it is valid also for shares of 0 and 1.

    >>> low, high = wilson_interval(0, 100)
    >>> round(low, 3), round(high, 3)
    (0.0, 0.037)
    """
    share, square = times / of, _normal(level) ** 2
    center = (share + square / (2 * of)) / (1 + square / of)
    reach = sqrt(square * (share * (1 - share) / of + square / (4 * of * of))) / (1 + square / of)
    return (0.0 if times <= 0 else max(0.0, center - reach)), (1.0 if times >= of else min(1.0, center + reach))


class MeanEstimate(NamedTuple):
    """The mean of a sample, and what its intervals follow from: their center, standard error, degrees of freedom."""

    mean: float
    center: float
    error: float
    freedom: int
    bounds: Limits = ANY

    def interval(self, level: float = CONFIDENCE) -> Limits:
        """Return Student's interval, within the bounds."""
        reach, (least, most) = _student(self.freedom, level) * self.error, self.bounds
        return max(least, min(self.mean, self.center - reach)), min(most, max(self.mean, self.center + reach))


def estimate_mean(values: Sequence[float], bounds: Limits = ANY, unit: float = 1.0) -> MeanEstimate:
    """Estimate a mean; its interval is never of zero width.

    Where nearly all values are equal, a sample understates its own variance: what is rare has often not occurred yet.
    So values are added on both sides of the most frequent one, up to two if all are equal, and hardly any if the most
    frequent is less than a quarter of the sample. They are as far from it as the others are (root mean square), or a
    `unit` if there are no others. For paired wins and losses this is the interval of Bonett and Price (2012).

    >>> low, high = estimate_mean([0.0] * 100).interval()
    >>> round(low, 3), round(high, 3)
    (-0.028, 0.028)
    """
    counts = Counter(values)
    count, (usual, times) = len(values), counts.most_common(1)[0]
    mean = _sum(counts, lambda value: value) / count
    size = _sum(counts, lambda value: (value - usual) ** 2) / (count - times) if times < count else unit * unit
    added = PSEUDO * ((times - 1) / (count - 1)) ** 2 if count > 1 else PSEUDO
    total = count + added
    center = (count * mean + added * usual) / total
    squares = _sum(counts, lambda value: (value - center) ** 2) + added * ((usual - center) ** 2 + size)
    return MeanEstimate(mean, center, sqrt(squares / (total - 1) / total), max(1, count - 1), bounds)


def _sum(counts: Mapping[float, int], function: Callable[[float], float]) -> float:
    """Return the sum of a function of all values."""
    return fsum(times * function(value) for value, times in counts.items())


def utility_limits(values: Sequence[float], level: float = CONFIDENCE) -> Limits:
    """Return the interval of a mean utility: Wilson's if all values are 0 or 1."""
    if set(values) <= {0, 1}:
        return wilson_interval(sum(values), len(values), level)
    return estimate_mean(values, UTILITY, unit=0.5).interval(level)


def difference_limits(first: tuple[float, Limits], other: tuple[float, Limits]) -> Limits:
    """Return the interval of the difference of two independent figures from their own intervals.

    It is Newcombe's for shares, and close to Welch's for means.
    """
    (old, (old_low, old_high)), (new, (new_low, new_high)) = first, other
    change = new - old
    return change - sqrt((new - new_low) ** 2 + (old_high - old) ** 2), change + sqrt(
        (new_high - new) ** 2 + (old - old_low) ** 2
    )


def mean_of(values: Sequence[float], bounds: Limits = ANY) -> Interval:
    """Return the mean of some figures with its interval.

    >>> mean_of([1, 2, 3])
    Interval(mean=2.0, error=0.57735, low=-0.48414, high=4.48414)
    """
    estimate = estimate_mean(values, bounds)
    return rounded(estimate.mean, estimate.error, *estimate.interval())


def mean_utility(values: Sequence[float]) -> Interval:
    """Return the mean of utilities from 0 to 1 with its interval.

    >>> mean_utility([1.0] * 20)
    Interval(mean=1.0, error=0.0411, low=0.83887, high=1.0)
    """
    low, high = utility_limits(values)
    return rounded(fmean(values), (high - low) / (2 * _normal(CONFIDENCE)), low, high)


def share_of(times: int, of: int) -> Interval:
    """Return how often something happened, with Wilson's interval.

    >>> share_of(0, 20)
    Interval(mean=0.0, error=0.0411, low=0.0, high=0.16113)
    """
    low, high = wilson_interval(times, of)
    return rounded(times / of, (high - low) / (2 * _normal(CONFIDENCE)), low, high)


def interval_from_error(mean: float, error: float) -> Interval:
    """Return a figure with the interval of its standard error."""
    reach = error * _normal(CONFIDENCE)
    return rounded(mean, error, mean - reach, mean + reach)


@lru_cache(maxsize=256)
def _normal(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)


@lru_cache(maxsize=4096)
def _student(freedom: int, level: float) -> float:
    from scipy.special import stdtrit  # it takes a while to load, and a server that opens does not calculate yet

    return float(stdtrit(freedom, (1 + level) / 2))


# -- comparisons -----------------------------------------------------------------------------------------------------


def p_value(limits: Callable[[float], Limits]) -> float:
    """Return the p-value of a difference: 1 minus the highest level at which its interval excludes zero.

    >>> round(p_value(estimate_mean([1.0, 2.0, 3.0]).interval), 4)
    0.0742
    """
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        least, most = limits(1 - middle)
        low, high = (middle, high) if least <= 0 <= most else (low, middle)
    return high


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of several comparisons, adjusted by Holm's method.

    >>> holm([0.01, 0.04, 0.5])
    [0.03, 0.08, 0.5]
    """
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = adjusted[at] = max(least, min(1.0, (len(p_values) - rank) * p_values[at]))
    return adjusted


def is_equivalent(low: float, high: float, margin: float = MARGIN) -> bool:
    """Return whether a whole interval of a difference is within the margin."""
    return -margin < low and high < margin


# -- precision -------------------------------------------------------------------------------------------------------


def next_precision(reach: float) -> float:
    """Return the next finer half-width of 1, 2 or 5 times a power of ten.

    >>> next_precision(0.031), next_precision(0.07), next_precision(3.4)
    (0.02, 0.05, 2.0)
    """
    power = floor(log10(NARROWER * reach))
    first = NARROWER * reach / 10.0**power
    return round((5 if first >= 5 else 2 if first >= 2 else 1) * 10.0**power, max(0, -power))


def more_samples(count: int, reach: float, precision: float) -> int:
    """Return how many more samples than this number give this precision instead of this half-width.

    >>> more_samples(100, 0.1, 0.05)
    300
    """
    return max(0, ceil(count * ((reach / precision) ** 2 - 1) - 1e-6))


# -- selection -------------------------------------------------------------------------------------------------------


def is_choosing(number: int) -> bool:
    """Return whether the samples of this number choose the best; the others, every second one, measure it."""
    return number % 2 == 0
