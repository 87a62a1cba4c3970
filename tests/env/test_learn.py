"""The learning example of `docs/research.md`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from runpy import run_path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


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


def test_missing_library_of_reference_agent_names_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(SystemExit, match=r"pip install 'readyroom\[ppo\]'"):
        run_path(str(ROOT / "examples" / "ppo" / "train.py"))
