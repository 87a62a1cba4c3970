"""The benchmark runs, measures what it says, and prints each figure."""

from __future__ import annotations

import json

import pytest

from readyroom import games
from readyroom.engine.resume import resume
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


@pytest.mark.slow
@pytest.mark.parametrize("name", bench.AIMS)
def test_every_figure_with_an_aim_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    bench.main([name])
    text = capsys.readouterr().out
    assert all(figure in text for figure in bench.AIMS[name])
    assert text.count("(aim:") == len(bench.AIMS[name])


def test_it_can_be_read_by_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--json"])
    data = json.loads(capsys.readouterr().out)
    result = data["medians"]
    assert set(data["others"]) == set(games.game_names()) - {"midway"}
    assert all(figures[bench.ROLLOUTS] > 0 for figures in data["others"].values())
    assert set(bench.AIMS["midway"]) <= set(result)
    assert all(value > 0 for value in result.values())


def test_its_matches_stand_where_the_last_decision_can_be_taken_back() -> None:
    match, seat = bench.mid_match(games.load("midway"), 1)
    before = match.decision_count
    match.undo(seat)
    assert match.decision_count == before - 1 >= 69


def test_a_match_resumed_at_a_checkpoint_has_nothing_to_repeat() -> None:
    match = bench.at_a_checkpoint(games.load("midway"), 1)
    saved = match.saved()
    assert saved.position == len(saved.active_entries) == match.decision_count >= 70
    assert resume(saved).digest() == match.digest()


def test_it_tells_in_which_modules_the_time_is_spent(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--profile"])
    text = capsys.readouterr().out
    assert "engine/decisions" in text
    assert "midway/strike" in text
    assert sum(bench.profile(games.load("midway")).values()) == pytest.approx(1)
