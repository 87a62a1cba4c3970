"""Lets the tests import `tests.toys.straits` and the like, however pytest is started; the longest tests begin first."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests with a browser come first, since they share one; of these, and of the rest, the longest."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> tuple[bool, float]:
    seconds = [float(mark.args[0]) for mark in item.iter_markers("slow") if mark.args]
    slow = item.get_closest_marker("slow") is not None
    return not (slow and HERE / "browser" in item.path.parents), -max(seconds, default=0.0)
