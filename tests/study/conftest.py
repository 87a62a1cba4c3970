"""A game of hands, installed for the tests of the planning game."""

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
    """The name of a game whose planning game everybody can solve; other processes find it too."""
    return install(tmp_path, monkeypatch)
