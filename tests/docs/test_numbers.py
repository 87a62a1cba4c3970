"""Every part of the page of numbers can be regenerated."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from docs.claims import comparison, covered, faults, ladders, learning, odds, sizes, speed, steps
from docs.claims.__main__ import PARTS, main
from tests.properties.test_games import MANY

from docs import learn
from readyroom import games
from readyroom.env import bench as environments
from readyroom.study import bench
from readyroom.testing import Invariant

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")


def rows(lines: list[str]) -> dict[str, list[str]]:
    """Return the rows of tables by their first cells."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for text in lines
        for line in text.splitlines()
        if "|" in line
    ]
    return {row[0]: row[1:] for row in cells}


def measure_midway_only(monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> None:
    """Limit the measurements to Midway."""
    for module in modules:
        monkeypatch.setattr(module, "GAMES", ("midway",))


def test_page_includes_every_part() -> None:
    for part in PARTS:
        assert f"```{{include}} claims/{part.key}.txt\n```" in PAGE
        assert re.match(r"\*\d+ \w+ \d{4}; \d+ cores, CPython [\d.]+\.\*\n\n\S", part.file.read_text(encoding="utf-8"))


def test_speed_lists_every_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    measure_midway_only(monkeypatch, speed)
    for name in ("GAMES", "REPEATS", "BOTS", "STUDY", "MOMENTS", "ROUNDS"):
        monkeypatch.setattr(bench, name, 2)
    monkeypatch.setattr(speed, "MATCHES", 2)
    result = rows(list(speed.lines(1)))
    assert result.keys() > {"matches/s", "decisions/s", bench.ROLLOUTS, *bench.AIMS["midway"]}
    assert result["fork, µs"][1] == "50"


def test_steps_lists_cost_of_single_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    measure_midway_only(monkeypatch, steps)
    monkeypatch.setattr(steps, "REPEATS", 20)
    figures = dict.fromkeys(environments.AIMS["midway"], 1.0)
    monkeypatch.setattr(environments, "measure", lambda name, runs: figures)
    monkeypatch.setattr(bench, "GAMES", 1)
    result = rows(list(steps.lines(1)))
    assert float(result["an answer stored in SQLite, ms"][0]) > 0
    assert result["vectorized, steps/s"] == ["1.00"]
    shares = [int(result[package][0].removesuffix("%")) for package in [*steps.PACKAGES, "the rest"]]
    assert abs(sum(shares) - 100) <= len(shares) / 2
    assert shares[-1] < 25


def test_learning_lists_captains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "main", lambda matches, trials: {f"after {matches}": learn.Measured(-0.1, 0.01)})
    assert rows(list(learning.lines(20, 5)))["after 20"] == ["−0.100", "0.010"]


def test_comparison_lists_frameworks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "SECONDS", 0.0)
    result = rows(list(comparison.lines(1)))
    assert result[comparison.BASE][2] == "1.00 ×"
    assert result.keys() > {"Midway, engine", *comparison.OPENSPIEL}


def test_rolls_in_play_match_odds() -> None:
    ledger = odds.rolls_of("tora", 8)
    tested = [total for total in ledger.sums.values() if total.testable]
    assert tested
    assert all(abs(total.deviation) < 4 for total in tested)
    assert ledger.faces.keys() == set(range(1, 7))
    rolls = sum(total.rolls for total in ledger.sums.values())
    assert odds.summary_row("tora", ledger).startswith(f"| Tora! Tora! Tora! | {rolls:,} | {len(tested)} |")


def test_biased_dice_are_detected() -> None:
    fair, loaded = odds.Sum(), odds.Sum()
    for number in range(100):
        fair.add(0.5, 0.25, number % 2)
        loaded.add(0.5, 0.25, number % 4 > 0)
    assert fair.deviation == 0
    assert loaded.deviation == 5


def test_ladders_list_strongest_bot_first(monkeypatch: pytest.MonkeyPatch) -> None:
    measure_midway_only(monkeypatch, ladders)
    game = games.load("midway")
    few = replace(game, analysis=replace(game.analysis, bots={"doctrine": game.analysis.bots["doctrine"]}))
    monkeypatch.setattr(ladders, "load_game", lambda name: few)
    text = "\n".join(ladders.lines(2))
    assert text.index("| `doctrine` |") < text.index("| `random` |")


def test_faults_counts_invariants_playouts_and_kills() -> None:
    lines = list(faults.lines())
    assert lines[0].startswith(f"Every game is checked against {len(Invariant)} invariants")
    result = rows(lines)
    assert result["playouts in the long checks (`make torture`)"][0] == f"{MANY['midway']:,}"
    assert all(int(times) > 2 for times, _ in list(result.values())[-3:])


@pytest.mark.slow(4)
def test_sizes_match_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    measure_midway_only(monkeypatch, sizes)
    monkeypatch.setattr(sizes, "coverage", lambda game, checkout: [{"code": ["a.py:1"], "tests": []}])
    result = rows(list(sizes.lines()))
    assert result["rules, including subsections"] == [str(len(games.load("midway").rulebook.rule))]
    assert result["rules and rulings with code that cites them"] == ["1 of 1"]
    assert result["rules and rulings with tests that cite them"] == ["0 of 1"]
    assert int(result["all"][0]) == len(list((ROOT / "src" / "readyroom").rglob("*.py")))


def test_coverage_is_listed_by_package(tmp_path: Path) -> None:
    def summary(*sums: int) -> dict[str, object]:
        return {"summary": dict(zip(covered.SUMS, sums, strict=True))}

    report = tmp_path / "coverage.json"
    assert "make coverage" in next(covered.lines(report=report))
    files = {
        "src/readyroom/engine/rules/dice.py": summary(10, 9, 4, 3),
        "readyroom/src/readyroom/games/tora/state.py": summary(30, 15, 0, 0),
        "src/readyroom/games/tora/drawing/sea.py": summary(10, 10, 4, 1),
    }
    report.write_text(json.dumps({"files": files}))
    result = rows(list(covered.lines(report=report)))
    assert result["`engine`"] == ["10", "90.0 %", "4", "75.0 %"]
    assert result["`games/tora`"] == ["40", "62.5 %", "4", "25.0 %"]
    assert result["all"] == ["50", "68.0 %", "8", "50.0 %"]


@pytest.mark.parametrize("texts", [["--only", "luck"], ["--scale", "luck=2"]])
def test_unknown_part_is_rejected(texts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(texts)
    assert "unknown part luck" in capsys.readouterr().err
