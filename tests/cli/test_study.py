"""Tests of `readyroom study`: study files, reports and resuming."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.cli.helpers import Shell

GUNS = ("study", "enterprise-guns", "--games", "4", "--workers", "1")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_builtin_study_is_run_and_reported(shell: Shell, here: Path) -> None:
    result = shell.run(*GUNS)
    assert result.code == 0
    assert "The guns of the Enterprise: 2 cases, 4 matches of each" in result.out
    assert "With enterprise_aa=12, " in result.out
    assert "With own dice: how many times as many" in result.out
    assert max(len(line) for line in result.out.splitlines()) <= 80
    assert len(pl.read_parquet(here / "enterprise-guns" / "matches.parquet")) == 8
    assert (here / "enterprise-guns" / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_run_again_it_tells_the_same(shell: Shell) -> None:
    first, again = (json.loads(shell.run(*GUNS, "--json").out) for _ in range(2))
    assert first == again
    assert first["matches"] == 4
    assert [case["name"] for case in first["cases"]] == ["enterprise_aa=16", "enterprise_aa=12"]


def test_custom_study_file_is_run(shell: Shell, here: Path) -> None:
    (here / "mine.toml").write_text('title = "Mine"\ngame = "midway"\nmatches = 3\nmeasures = ["turn"]\n')
    result = shell.run("study", "mine.toml", "--out", "kept", "--workers", "1", "--own-dice", "--json")
    assert [data["measure"]["key"] for data in json.loads(result.out)["measures"]] == ["turn"]
    page = (here / "kept" / "report.html").read_text()
    assert "<code>readyroom study mine.toml --games 3 --own-dice</code>" in page


def test_match_of_a_study_is_written_as_a_record(shell: Shell, here: Path) -> None:
    shell.run(*GUNS)
    row = pl.read_parquet(here / "enterprise-guns" / "matches.parquet").filter(case=1, match=2).row(0, named=True)
    result = shell.run("study", "enterprise-guns", "--record", "1/2")
    assert "Record: enterprise-guns-1-2.jsonl." in result.out
    ending = json.loads((here / "enterprise-guns-1-2.jsonl").read_text().splitlines()[-1])
    assert ending["outcome"]["title"] == row["title"]
    assert shell.run("verify", "enterprise-guns-1-2.jsonl").code == 0
    assert "such as --record 1/17" in shell.run("study", "enterprise-guns", "--record", "2").err
    assert "there is no match 2/0" in shell.run("study", "enterprise-guns", "--record", "2/0").err
    (here / "mine.toml").write_text('title = "Mine"\ngame = "midway"\nmatches = 2\n')
    shell.run("study", "mine.toml", "--games", "3", "--workers", "1")
    assert shell.run("study", "mine.toml", "--record", "0/2").code == 0
    assert "With --games N it has more" in shell.run("study", "mine.toml", "--record", "0/3").err


def test_study_without_file_lists_builtin_studies(shell: Shell) -> None:
    assert "The guns of the Enterprise" in shell.run("study").out
    assert "northern-watch" in {each["study"] for each in json.loads(shell.run("study", "--json").out)}


def test_interrupted_study_says_how_to_resume(shell: Shell, monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("readyroom.study.studies.play_in", interrupted)
        result = shell.run(*GUNS)
    assert result.code == 1
    assert "Stopped. 0 of 8 matches are in enterprise-guns; run the same command to continue." in result.err
    assert shell.run(*GUNS).code == 0


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("enterprise-gun",), "No study named 'enterprise-gun' in the games or as a file"),
        (("enterprise-guns", "--games", "1"), "--games"),
        (("enterprise-guns", "--out", "full"), "full contains other files"),
        (("broken.toml",), "broken.toml: at the top: expected valid TOML"),
        (("enterprise-guns", "--cluster", "nowhere"), "No Dask scheduler answers at 'nowhere'"),
    ],
)
def test_invalid_study_is_rejected(shell: Shell, here: Path, args: tuple[str, ...], sentence: str) -> None:
    (here / "full").mkdir()
    (here / "full" / "letter").touch()
    (here / "broken.toml").write_text("title = ")
    result = shell.run("study", *args)
    assert result.code == 2
    assert sentence in result.err


def test_figures_of_a_game_are_listed_as_lines_of_a_file(shell: Shell) -> None:
    lines = shell.run("study", "--figures", "midway", "DIVE FIRE").out.splitlines()
    assert '"combat/dive/fire/at_least" = 5  # a whole number from 1 to 100' in lines
    [found] = json.loads(shell.run("study", "--figures", "midway", "rows/5-6", "--json").out)
    assert found["figure"] == "charts/chart/search/rows/5-6/group"
    assert (found["value"], found["rule"]) == ("again", "17.2")
    assert shell.run("study", "--figures", "chess").code == 2
    assert "No figure of midway has 'xyz' in its address" in shell.run("study", "xyz", "--figures", "midway").err


def test_changed_figures_are_checked_before_the_first_match(shell: Shell, here: Path) -> None:
    (here / "mine.toml").write_text('title = "Mine"\ngame = "midway"\n[figures]\n"combat/deck/point" = 3\n')
    refused = shell.run("study", "mine.toml")
    assert refused.code == 2
    assert "Did you mean 'combat/deck/points'" in " ".join(refused.err.split())
