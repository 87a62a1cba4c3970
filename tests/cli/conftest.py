"""Fixtures for the command-line tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.helpers import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A user without any matches."""
    return Shell(tmp_path / "home")
