"""A user's desk for every test of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.helpers import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A user without any matches yet."""
    return Desk(tmp_path / "home")
