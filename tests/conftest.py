"""Lets the tests import `tests.toys.straits` and the like, however pytest is started; the longest tests begin first."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.store.postgres import Postgres

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A server of databases; all the processes that run tests share it."""
    from tests.store.postgres import shared

    own = tmp_path_factory.getbasetemp()
    with shared(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) as server:
        yield server


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only the slow tests are wanted, what speaks of none is not even read."""
    if config.option.markexpr != "slow" or collection_path.suffix != ".py" or collection_path.name == "conftest.py":
        return None
    return True if "mark.slow" not in collection_path.read_text(encoding="utf-8") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests with a browser come first, since they share one; of these, and of the rest, the longest."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> tuple[bool, float]:
    seconds = [float(mark.args[0]) for mark in item.iter_markers("slow") if mark.args]
    slow = item.get_closest_marker("slow") is not None
    return not (slow and HERE / "browser" in item.path.parents), -max(seconds, default=0.0)
