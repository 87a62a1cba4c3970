"""Tests of `readyroom ladder`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.helpers import Shell

WORDS = ("ladder", "midway", "--bots", "random,doctrine", "--games", "2", "--workers", "1")


@pytest.mark.slow
def test_strengths_and_pairs_are_told(shell: Shell, tmp_path: Path) -> None:
    result = shell.run(*WORDS, "--out", str(tmp_path / "l"))
    assert result.code == 0
    for word in ("Elo", "95 %", "doctrine", "random", "first's", "better", "one half"):
        assert word in result.out


@pytest.mark.torture(1)
def test_json_has_everything(shell: Shell, tmp_path: Path) -> None:
    data = json.loads(shell.run(*WORDS, "--out", str(tmp_path / "l"), "--json").out)
    assert [rung["bot"] for rung in data["rungs"]] == ["doctrine", "random"]
    assert data["met"][0]["matches"] == 4


def test_figures_of_a_game_for_one_are_told_with_their_errors(shell: Shell, tmp_path: Path) -> None:
    args = ("ladder", "picket", "--scenario", "first-watch", "--bots", "doctrine,random", "--games", "3")
    result = shell.run(*args, "--workers", "1", "--out", str(tmp_path / "l"))
    assert "ships sunk" in result.out
    assert "±" in result.out


def test_match_of_a_ladder_is_written_as_a_record(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shell.run(*WORDS, "--record", "1/0").code == 0
    assert shell.run("verify", "ladder-midway-random-doctrine-2-1-0.jsonl").code == 0


def test_unknown_bot_is_rejected(shell: Shell, tmp_path: Path) -> None:
    refused = shell.run("ladder", "midway", "--bots", "doctrine,admiral", "--out", str(tmp_path / "l"))
    assert refused.code == 2
    assert "admiral" in refused.err
    assert "guarded" in refused.err


def test_default_folder_is_named_after_arguments(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell.run(*WORDS, "--scenario", "daybreak")
    assert (tmp_path / "ladder-midway-daybreak-random-doctrine-2" / "matches.parquet").exists()
