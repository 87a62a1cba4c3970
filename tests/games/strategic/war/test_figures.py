"""Tests of the published figures of wars between bots: complete, balanced and reproducible."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from .helpers import DOCTRINES, SCENARIOS

DOCS = Path(__file__).resolve().parents[4] / "docs"
FIGURES = (DOCS / "strategic-figures.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def program() -> ModuleType:
    """Return the program that writes the figures."""
    spec = importlib.util.spec_from_file_location("strategic_figures", DOCS / "strategic_figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shares(*labels: str) -> list[int]:
    """Return the percentages in the row with these labels."""
    start = "| " + " | ".join(f"`{label}`" for label in labels) + " |"
    (row,) = [line for line in FIGURES.splitlines() if line.startswith(start)]
    return [int(each) for each in re.findall(r"(\d+) %", row)]


@pytest.mark.rule("war", "SW.13")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_side_wins_over_sixty_percent(scenario: str) -> None:
    axis, allies, even = shares(scenario)
    assert 98 <= axis + allies + even <= 102
    assert max(axis, allies) <= 60


def test_figures_list_every_pair() -> None:
    for axis in DOCTRINES:
        for allies in DOCTRINES:
            assert len(shares(axis, allies)) == 3
    assert "500 matches a row" in FIGURES


@pytest.mark.torture(2)
def test_figures_can_be_regenerated(program: ModuleType) -> None:
    made = "\n".join(program.tables(1, 1)).splitlines()
    assert len(made) == len(FIGURES.splitlines())
    rows = [line.split("|")[1] for line in made if line.startswith("| `")]
    assert rows == [line.split("|")[1] for line in FIGURES.splitlines() if line.startswith("| `")]
