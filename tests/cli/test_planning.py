"""Tests of `readyroom planning`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.cli.helpers import Shell
from tests.toys.hands import install

FEW = ("--games", "3", "--workers", "1")
PAPER = ("--plans", "red=rock,paper", "--plans", "blue=rock,paper")


@pytest.fixture(autouse=True)
def hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the toy game "hands"."""
    install(tmp_path, monkeypatch)
    assert str(Path(__file__).resolve().parents[2]) in sys.path


@pytest.mark.slow
def test_planning_prints_table_and_mixes(shell: Shell) -> None:
    result = shell.run("planning", "hands", *FEW, *PAPER)
    assert result.code == 0
    assert "The planning game of Hands & Dice: Red with 2 plans against Blue with 2" in result.out
    assert "Red: the best mix" in result.out
    assert "1 Rock; 2 Paper" in result.out
    assert "Value of the game" in result.out
    assert max(len(line) for line in result.out.splitlines()) <= 80


@pytest.mark.torture(3)
def test_planning_repeated_gives_same_figures(shell: Shell) -> None:
    first, second = (json.loads(shell.run("planning", "hands", *FEW, *PAPER, "--json").out) for _ in range(2))
    assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert first["seed"] == "planning"
    assert len(first["cells"]) == 4


@pytest.mark.torture(2)
def test_page_and_figures_are_written(shell: Shell, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("hands.html", "hands.csv", "hands.json")]
    outs = [word for file in files for word in ("--out", str(file))]
    assert shell.run("planning", "hands", *FEW, *PAPER, "--draw", "0.5", *outs).code == 0
    page, figures, facts = (file.read_text(encoding="utf-8") for file in files)
    assert page.startswith("<!DOCTYPE html>")
    command = "readyroom planning hands --games 3 --seed planning --plans red=rock,paper --plans blue=rock,paper"
    assert f"<code>{command} --draw 0.5 --out planning.html</code>" in page
    assert len(figures.splitlines()) == 5
    assert json.loads(facts)["draw"] == 0.5


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("midway",), "has no named plans for two sides"),
        (("hands", "--plans", "red=well"), "No plan named 'well' in hands for red. Known: rock"),
        (("hands", "--plans", "green=rock"), "No seat named 'green'"),
        (("hands", "--plans", "rock"), "--plans takes NAME=VALUE"),
        (("hands", "--out", "page.pdf"), "--out takes a file that ends in .html, .csv, .json"),
        (("hands", "--draw", "2"), "--draw"),
        (("hands", "--games", "1"), "--games"),
    ],
)
def test_invalid_arguments_are_rejected(shell: Shell, args: tuple[str, ...], sentence: str) -> None:
    result = shell.run("planning", *args)
    assert result.code == 2
    assert sentence in result.err
