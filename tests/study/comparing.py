"""Compare two studies: equal results except durations, or results within their errors."""

from __future__ import annotations

from typing import Any

from readyroom.bots.statistics import Interval
from readyroom.study.results import StudyResult

ONE_IN_TEN_THOUSAND = 3.9
"""The number of standard errors that chance exceeds once in 10,000 times."""
ROUNDED = 0.002
"""The difference that rounding to three digits may cause."""


def without_times(study_result: StudyResult) -> dict[str, Any]:
    """Return the results that the seed determines."""
    return {
        name: figure for name, figure in study_result.to_dict().items() if name not in ("seconds", "games_per_second")
    }


def agree(one: Interval, two: Interval) -> None:
    """Return whether two estimates agree within their errors."""
    reach = ONE_IN_TEN_THOUSAND * (one.error**2 + two.error**2) ** 0.5
    assert abs(one.mean - two.mean) <= reach + ROUNDED
