"""Tests of `readyroom review` as text, HTML and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.helpers import Shell, one_sentence

RECORDS = Path(__file__).parents[1] / "records"
VERDICT = ("verdict", str(RECORDS / "blown-up.jsonl"), "--samples", "2")


@pytest.mark.slow(3)
def test_review_prints_skill_and_luck(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "verdict.html"
    result = shell.run(*VERDICT, "--html", str(page))
    assert result.code == 0
    assert "Match review: Picket Duty." in result.out
    assert "= outcome" in result.out
    assert "readyroom review" in page.read_text()


@pytest.mark.torture(2)
def test_review_as_json(shell: Shell) -> None:
    facts = json.loads(shell.run(*VERDICT, "--json").out)
    assert facts["sides"][0]["outcome"] < 0.5
    assert facts["samples"] == 2


def test_review_rejects_unfinished_match(shell: Shell, tmp_path: Path) -> None:
    left = tmp_path / "left.jsonl"
    left.write_text("".join((RECORDS / "blown-up.jsonl").read_text().splitlines(keepends=True)[:-1]))
    result = shell.run("verdict", str(left))
    assert result.code == 2
    assert one_sentence(result.err)
