"""Tests of a game's former name on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.helpers import Shell
from tests.records import write

NOW_WAR, NOW_PEARL = (
    "strategic is now called war: Strategic War.",
    "strategic is now called pearl: Air Raid Pearl Harbor.",
)


@pytest.mark.parametrize(
    ("args", "note"),
    [
        (("odds", "strategic", "bombing"), NOW_WAR),
        (("odds", "strategic", "surprise"), NOW_PEARL),
        (("chart", "strategic", "war-figures"), NOW_WAR),
        (("chart", "strategic", "pearl-columns"), NOW_PEARL),
        (("rules", "strategic", "24.62.5"), NOW_WAR),
        (("rules", "strategic", "PH.4"), NOW_PEARL),
        (("games", "strategic"), NOW_WAR),
    ],
)
def test_former_name_prints_the_present_one(shell: Shell, args: tuple[str, ...], note: str) -> None:
    result = shell.run(*args)
    assert (result.code, result.err.strip()) == (0, note)


@pytest.mark.parametrize(("scenario", "game", "seat"), [("atlantic", "war", "axis"), ("air-raid", "pearl", "japan")])
def test_match_is_begun_and_resumed_by_the_former_name(shell: Shell, scenario: str, game: str, seat: str) -> None:
    begun = shell.run("play", "strategic", "--scenario", scenario, "--seat", f"{seat}=human", "--plain", typed="quit\n")
    assert begun.code == 0
    assert shell.record(f"{game}-1").is_file()
    assert shell.run("play", game, "--resume", "--plain", typed="quit\n").code == 0


def test_old_match_is_resumed_by_its_old_and_new_name(shell: Shell) -> None:
    shell.matches.mkdir(parents=True)
    whole = (write.RECORDS / "left-unseen.jsonl").read_text()
    cut = "".join(line + "\n" for line in whole.splitlines()[:4])
    for name in ("strategic", "pearl"):
        (shell.matches / "strategic-1.jsonl").write_text(cut)
        result = shell.run("play", name, "--resume", "--plain", typed="quit\n")
        assert result.code == 0, result.err
        assert "United States" in result.out
    assert shell.run("play", "war", "--resume", "--plain", typed="quit\n").code == 2


def test_simulation_takes_the_former_name(shell: Shell) -> None:
    result = shell.run("simulate", "strategic", "--scenario", "air-raid", "--games", "1", "--json")
    assert result.code == 0, result.err
    assert json.loads(result.out)["winners"]


def test_record_is_verified(shell: Shell) -> None:
    path: Path = write.RECORDS / "left-unseen.jsonl"
    assert shell.run("verify", str(path)).code == 0
