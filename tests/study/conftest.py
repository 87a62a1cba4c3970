"""A game of hands, installed for the tests of the planning game."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)


@pytest.fixture
def hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a game whose planning game everybody can solve; other processes find it too."""
    installed = tmp_path / "site" / "hands-1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Name: hands\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[readyroom.games]\nhands = tests.toys.hands:GAME\n")
    monkeypatch.syspath_prepend(str(installed.parent))
    return "hands"
