"""Tests of `readyroom review` and `readyroom luck` as text, HTML and JSON."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from tests.cli.helpers import Shell, one_sentence

from readyroom.study.review import review
from readyroom.study.review.review import Effort

RECORDS = Path(__file__).parents[1] / "records"
VERDICT = ("verdict", str(RECORDS / "blown-up.jsonl"), "--samples", "2")


@pytest.fixture(autouse=True)
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reviews play few rollouts."""
    monkeypatch.setattr(review, "review", partial(review.review, effort=Effort(20, 20, 10, 4)))


@pytest.mark.slow(2)
def test_review_prints_skill_and_luck(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "verdict.html"
    result = shell.run(*VERDICT, "--html", str(page))
    assert result.code == 0
    assert "Match review: Picket Duty." in result.out
    assert "= outcome" in result.out
    assert "--samples 2 --seed" in " ".join(result.out.split())
    assert "readyroom review" in page.read_text()


@pytest.mark.torture(2)
def test_review_as_json(shell: Shell) -> None:
    facts = json.loads(shell.run(*VERDICT, "--json").out)
    assert facts["sides"][0]["outcome"] < 0.5
    assert facts["samples"] == 2
    assert facts["sides"][0]["accuracy"]["mean"] == 1


def test_luck_is_shown_by_side(shell: Shell) -> None:
    records = [str(RECORDS / name) for name in ("japan-sinks-all-three.jsonl", "america-sinks-all-four.jsonl")]
    shown = shell.run("luck", *records, "--rolls", "1")
    assert shown.code == 0, shown.err
    assert "without luck" in shown.out
    assert "2 matches" in shown.out
    sides = json.loads(shell.run("luck", *records, "--rolls", "1", "--json").out)["sides"]
    assert [side["utility"]["mean"] for side in sides] == [0.5, 0.5]


def test_luck_needs_fitted_values(shell: Shell) -> None:
    result = shell.run("luck", str(RECORDS / "blown-up.jsonl"), str(RECORDS / "japan-sinks-all-three.jsonl"))
    assert result.code == 2
    assert one_sentence(result.err)


def test_review_rejects_unfinished_match(shell: Shell, tmp_path: Path) -> None:
    left = tmp_path / "left.jsonl"
    left.write_text("".join((RECORDS / "blown-up.jsonl").read_text().splitlines(keepends=True)[:-1]))
    result = shell.run("verdict", str(left))
    assert result.code == 2
    assert one_sentence(result.err)
