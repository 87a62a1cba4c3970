"""The pages on Tora! Tora! Tora!: plans and figures."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from readyroom.games.tora import GAME
from readyroom.games.tora.plans.data import AmericanPlan
from readyroom.games.tora.plans.lock import Plan, canonical
from readyroom.games.tora.plans.reading import read

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = (DOCS / "tora-figures.txt").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(toml|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def plans() -> list[Plan]:
    """Return the plans in `play-tora.md`."""
    plans = BLOCK.findall((DOCS / "play-tora.md").read_text(encoding="utf-8"))
    files = [(kind, text) for kind, text in plans if kind == "toml" or text.startswith("attack_day")]
    return [read(text.encode(), f"page.{'toml' if kind == 'toml' else 'csv'}", GAME.data) for kind, text in files]


def test_plans_on_page_are_legal_in_both_formats() -> None:
    written, table, guard = plans()
    assert canonical(written) == canonical(table)
    assert isinstance(guard, AmericanPlan)


def rows(first: str, last: str) -> dict[tuple[str, str], list[str]]:
    """Return the rows of a table by their first two cells."""
    table = FIGURES.partition(first)[2].partition(last)[0]
    lines = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table.splitlines() if "`" in line]
    return {(line[0], line[1]): line[2:] for line in lines}


def medians(row: list[str]) -> list[float]:
    """Return the medians: battleships damaged or sunk, sunk, hits on the yard, Japanese aircraft lost."""
    return [float(cell.split()[0]) for cell in row[:4]]


@pytest.fixture
def battles(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script that writes the figures."""
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module("battles")


@pytest.mark.parametrize("preset", ["prose", "table", "literal"])
def test_historical_raid_matches_page(preset: str) -> None:
    result = rows("% presets", "% pairs")
    damaged, sunk, yard, lost = medians(result[preset, "sunday"])
    assert 6 <= damaged <= 8
    assert 1 <= sunk <= 3
    assert yard == 0
    assert lost < 60
    assert medians(result[preset, "ready"])[3] >= 2 * lost
    japan, draw, usa = (int(cell.split()[0]) for cell in result[preset, "sunday"][4:])
    assert draw > max(japan, usa)


def test_every_pair_of_doctrines_has_a_row(battles: ModuleType) -> None:
    expected = {(japan, usa) for japan in battles.NAMES["japan"] for usa in battles.NAMES["usa"]}
    assert set(rows("% pairs", "% end")) == expected


@pytest.mark.torture(1)
def test_figures_can_be_regenerated(battles: ModuleType) -> None:
    tables = battles.tables(1)
    assert tables.count("\n| ") == FIGURES.count("\n| ")
