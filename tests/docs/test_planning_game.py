"""The documented planning study matches its result file and the game's plans."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from readyroom.engine.rules.checks import signed
from readyroom.games.tora import GAME

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def payoffs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the Sphinx extension that writes the figures."""
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module("payoffs")


def test_page_has_plans_of_game(payoffs: ModuleType) -> None:
    result = payoffs.read("tora")
    known = GAME.planning.plans()
    for side in (result.rows, result.columns):
        assert {line.key: (line.title, line.summary) for line in side.lines} == {
            key: (plan.title, plan.summary) for key, plan in known[side.key].items()
        }


def test_page_matches_study_figures(payoffs: ModuleType) -> None:
    result = payoffs.read("tora")
    page = (DOCS / "planning" / "tora.html").read_text(encoding="utf-8")
    for cell in result.cells:
        assert f"<b>{signed(cell.payoff.mean, 2)}</b><small>±&nbsp;{cell.payoff.error:.2f}</small>" in page


def test_page_has_every_pair(payoffs: ModuleType) -> None:
    result = payoffs.read("tora")
    text = "\n".join(payoffs.table_lines(result))
    for line in (*result.rows.lines, *result.columns.lines):
        assert line.title in text
    assert text.count("±") >= len(result.cells) + 1
