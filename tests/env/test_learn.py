"""The worked example of `docs/research.md` learns."""

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


def test_the_example_measures_three_captains(example: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    found = example.main(20, 5)
    assert list(found) == ["at random", "after 20 matches", "by the book"]
    assert all(-1 <= mean <= 1 for mean, _ in found.values())
    assert capsys.readouterr().out.count("±") == 3


@pytest.mark.slow(8)
def test_the_example_learns_something(example: ModuleType) -> None:
    found = example.main(300, 100)
    gain = found["after 300 matches"].mean - found["at random"].mean
    assert gain > 0.2, "three hundred matches should be worth a fifth of the way from the worst to the best"


def test_the_page_shows_what_the_example_is(example: ModuleType) -> None:
    page = (DOCS / "research.md").read_text(encoding="utf-8")
    assert f"after {example.LESSONS} matches" in page
    assert f"{example.TRIALS} matches" in page
