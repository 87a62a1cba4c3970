"""The benchmark command."""

from __future__ import annotations

import json

import pytest

from readyroom import games
from readyroom.engine.match.resume import resume
from readyroom.study import bench


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RUNS", 1)
    monkeypatch.setattr(bench, "GAMES", 2)
    monkeypatch.setattr(bench, "REPEATS", 3)
    monkeypatch.setattr(bench, "BOTS", 1)
    monkeypatch.setattr(bench, "STUDY", 2)
    monkeypatch.setattr(bench, "MOMENTS", 1)
    monkeypatch.setattr(bench, "ROUNDS", 1)


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", bench.AIMS)
def test_every_figure_with_an_aim_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    bench.main([name])
    text = capsys.readouterr().out
    assert all(figure in text for figure in bench.AIMS[name])
    assert text.count("(aim:") == len(bench.AIMS[name])


@pytest.mark.torture(2)
def test_bench_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--json"])
    data = json.loads(capsys.readouterr().out)
    result = data["medians"]
    assert set(data["others"]) == set(games.game_names()) - {"midway"}
    assert all(figures[bench.ROLLOUTS] > 0 for figures in data["others"].values())
    assert set(bench.AIMS["midway"]) <= set(result)
    assert all(value > 0 for value in result.values())


def test_bench_matches_can_be_undone() -> None:
    match, seat = bench.mid_match(games.load("midway"), 1)
    before = match.decision_count
    match.undo(seat)
    assert match.decision_count == before - 1 >= 69


def test_resume_at_checkpoint_replays_nothing() -> None:
    match = bench.at_a_checkpoint(games.load("midway"), 1)
    saved = match.saved()
    assert saved.position == len(saved.active_entries) == match.decision_count >= 70
    assert resume(saved).digest() == match.digest()


def test_profile_lists_time_by_module(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--profile"])
    text = capsys.readouterr().out
    assert "rules/decisions" in text
    assert "midway/strike" in text
    assert sum(bench.profile(games.load("midway")).values()) == pytest.approx(1)
