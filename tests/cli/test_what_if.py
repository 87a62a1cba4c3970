"""Tests of `readyroom what-if`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.helpers import Shell, one_sentence

RECORD = str(Path(__file__).parents[1] / "records" / "drawn-on-points.jsonl")
WHAT_IF = ("what-if", RECORD, "--at", "10", "--matches", "6")


def test_what_if_lists_decisions(shell: Shell) -> None:
    result = shell.run("what-if", RECORD)
    assert result.code == 0
    assert "Which squadrons" in result.out
    assert "--at N shows the other options" in result.out


def test_what_if_lists_options(shell: Shell) -> None:
    result = shell.run("what-if", RECORD, "--at", "10")
    assert "United States: Which squadrons launch? [13.1]" in result.out
    assert "Played: Enterprise F 1 (5)" in result.out


def test_another_answer_is_told_beside_the_first(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "what-if.html"
    result = shell.run(*WHAT_IF, "--answer", "none", "--answer", "1-3", "--html", str(page))
    assert result.code == 0
    assert "6 rollouts of each" in " ".join(result.out.split())
    assert "instead: none" in result.out
    assert "<svg" in page.read_text()
    facts = json.loads(shell.run(*WHAT_IF, "--answer", "none", "--json").out)
    assert facts["branches"][1]["answer"] == []
    assert facts["matches"] == 6


def test_changed_match_is_saved_and_continued(shell: Shell, tmp_path: Path) -> None:
    saved = tmp_path / "instead.jsonl"
    result = shell.run(*WHAT_IF, "--answer", "none", "--save", str(saved))
    assert f"readyroom play --resume {saved}" in result.err
    on = shell.run("play", "--resume", str(saved))
    assert on.code == 0
    assert "United States (you)" in on.out


@pytest.mark.parametrize(
    "args",
    [
        ("--at", "999"),
        ("--at", "10", "--answer", "nobody"),
        ("--at", "10", "--answer", "none", "--bot", "usa"),
        ("--at", "10", "--answer", "none", "--save", "x.key"),
    ],
)
def test_impossible_what_if_prints_reason(args: tuple[str, ...], shell: Shell) -> None:
    result = shell.run("what-if", RECORD, *args)
    assert result.code == 2
    assert one_sentence(result.err)
