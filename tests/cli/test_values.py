"""`readyroom values` in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.helpers import Shell
from tests.toys.hands import install

from readyroom.study import nets, values

FEW = ["--matches", "12", "--checks", "4", "--workers", "1"]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setattr(nets, "LEAST_STEPS", 50)
    monkeypatch.setattr(values, "PILOTS", 1)
    install(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path / "home")


@pytest.mark.slow(2)
def test_fit_writes_a_file_that_can_be_shown_and_checked(shell: Shell) -> None:
    fitted = shell.run("values", "hands", "--fit", *FEW)
    assert fitted.code == 0
    assert "Wrote values.npz" in fitted.err
    assert "Calibration, from Red" in fitted.out
    assert shell.run("values", "hands", "--file", "values.npz").out == fitted.out
    again = json.loads(
        shell.run("values", "hands", "--check", "--file", "values.npz", *FEW, "--seed", "b", "--json").out
    )
    assert again["matches"] == 12
    assert again["values"]


def test_game_without_values_says_how_to_fit_them(shell: Shell) -> None:
    shown = shell.run("values", "hands")
    assert shown.code == 2
    assert "readyroom values hands --fit" in shown.err


def test_values_of_another_game_are_rejected(shell: Shell) -> None:
    shell.run("values", "hands", "--fit", *FEW)
    shown = shell.run("values", "dial", "--file", "values.npz")
    assert shown.code == 2
    assert "The values are of hands, rules version 1" in shown.err


def test_midway_shows_its_checks(shell: Shell) -> None:
    shown = shell.run("values", "midway").out
    for text in ("from the whole position", "Hidden from Japan", "Fighters in the CAP", "--fit"):
        assert text in shown
