"""`readyroom policies` in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.helpers import Shell
from tests.toys.hands import install

from readyroom.study.policies import best_response, policies

FEW = ["--rounds", "1", "--search", "1", "--cell", "4", "--gain", "4", "--last", "6", "--workers", "1"]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name in ("FIRST", "MORE", "FINAL"):
        monkeypatch.setattr(best_response, name, 2)
    install(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path / "home")


@pytest.mark.slow(1)
def test_policies_prints_mixes_and_gains(shell: Shell) -> None:
    shown = shell.run("policies", "hands", *FEW).out
    for text in ("Red against Blue", "last search", "Gain of each reply", "sheet", "Value to Red", "--rounds 1"):
        assert text in shown
    assert (Path("policies-hands") / policies.RESULT).is_file()


def test_policies_json_is_the_result(shell: Shell) -> None:
    shown = json.loads(shell.run("policies", "hands", *FEW, "--json", "--out", "here").out)
    assert shown == json.loads((Path("here") / policies.RESULT).read_text(encoding="utf-8"))


def test_unknown_option_is_rejected(shell: Shell) -> None:
    refused = shell.run("policies", "hands", "--option", "fog=thick")
    assert refused.code == 2
    assert "fog" in refused.err


def test_stopped_study_says_how_to_continue(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(policies, "find_mix", stop)
    stopped = shell.run("policies", "hands", "--out", "here")
    assert stopped.code == 1
    assert "run the same command to continue" in stopped.err


def test_case_of_a_study_gives_options_and_figures(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        'title = "Mine"\ngame = "midway"\nscenario = "duel"\n[[case]]\nname = "as it is"\n[[case]]\nname = "changed"\n'
    )
    Path("mine.toml").write_text(f'{text}options = {{ cap_rings = 2 }}\n[case.figures]\n"combat/deck/points" = 30\n')
    asked: dict[str, object] = {}

    def find(game: str, **settings: object) -> None:
        asked.update(settings)
        raise KeyboardInterrupt

    monkeypatch.setattr(policies, "find_mix", find)
    assert "policies-midway-mine" in shell.run("policies", "midway", "--study", "mine.toml").err
    assert (asked["scenario"], asked["figures"]) == ("duel", {"combat/deck/points": 30})
    assert asked["options"]["cap_rings"] == "2"  # type: ignore[index]
    shell.run("policies", "midway", "--study", "mine.toml", "--case", "as it is")
    assert asked["figures"] == {}
    for wrong in (["--case", "other"], ["--scenario", "midway"]):
        assert shell.run("policies", "midway", "--study", "mine.toml", *wrong).code == 2
    assert shell.run("policies", "tora", "--study", "mine.toml").code == 2
