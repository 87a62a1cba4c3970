"""Compare two studies: equal figures except durations, or figures within their errors."""

from __future__ import annotations

from typing import Any

from readyroom.study.estimates import Interval
from readyroom.study.results import StudyResult

ONE_IN_TEN_THOUSAND = 3.9
"""This many standard errors are exceeded by chance once in ten thousand times."""
ROUNDED = 0.002
"""By how much two figures may differ because they were rounded to three digits."""


def without_times(study_result: StudyResult) -> dict[str, Any]:
    """All that follows from the seed."""
    return {
        name: figure for name, figure in study_result.to_dict().items() if name not in ("seconds", "games_per_second")
    }


def agree(one: Interval, two: Interval) -> None:
    """Two estimates of one figure differ by no more than their errors."""
    reach = ONE_IN_TEN_THOUSAND * (one.error**2 + two.error**2) ** 0.5
    assert abs(one.mean - two.mean) <= reach + ROUNDED
