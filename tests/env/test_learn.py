"""The learning example of `docs/research.md`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(DOCS))
    monkeypatch.delitem(sys.modules, "learn", raising=False)
    return import_module("learn")


def test_example_measures_three_captains(example: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    result = example.main(20, 5)
    assert list(result) == ["random", "after 20 matches", "doctrine"]
    assert all(-1 <= mean <= 1 for mean, _ in result.values())
    assert capsys.readouterr().out.count("±") == 3


@pytest.mark.torture(8)
def test_example_learns(example: ModuleType) -> None:
    result = example.main(400, 120)
    learnt, before = result["after 400 matches"], result["random"]
    assert learnt.mean - before.mean > 3 * (learnt.error + before.error)


def test_page_shows_example(example: ModuleType) -> None:
    page = (DOCS / "research.md").read_text(encoding="utf-8")
    assert f"after {example.LESSONS} matches" in page
    assert f"{example.TRIALS} new matches" in page
