"""A test game, installed for the tests of planning games."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.toys.hands import install

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)


@pytest.fixture
def hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a game with a known solution, which other processes find too."""
    return install(tmp_path, monkeypatch)
