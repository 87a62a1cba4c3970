"""Tests of `readyroom odds`: inputs, errors and verifiable rolls."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.helpers import Shell


def test_arithmetic_is_printed_line_by_line(shell: Shell) -> None:
    args = ("odds", "war", "atlantic", "us-war=yes", "us-war-turn=first", "cve=7")
    text = shell.run(*args).out
    assert "Germany and the United States are at war   +1" in text
    assert "* +2 the first turns of that war: merchant ships lost +" in text
    data = json.loads(shell.run(*args, "--json").out)
    assert data["net"]["total"] == 2
    assert [part["title"] for part in data["parts"]] == [
        "The submarines: row 12, net +2",
        "The escorts: row 16, net −2",
    ]
    for part in data["parts"]:
        assert sum(Fraction(row["exact"]) for row in part["rows"]) == 1


def test_forty_factors_on_a_seven(shell: Shell) -> None:
    data = json.loads(shell.run("odds", "war", "warfare", "strength=40", "--json").out)
    assert "7: 10/18" in data["parts"][0]["note"]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("atlantic", "submarines=-1"), "submarines must be a whole number from 0 to 120"),
        (("atlantic", "manila=yes"), "No option named 'manila' in the odds of atlantic"),
        (("pacific", "by=japanese", "manila=yes"), "American submarines only"),
        (("atlantic", "us-war-turn=second"), "needs us-war"),
        (("harbor-carrier", "level=6", "targets=3"), "allows 1 target, not 3"),
        (("midnight",), "No chart or check named 'midnight'"),
    ],
)
def test_invalid_input_prints_reason(shell: Shell, args: tuple[str, ...], reason: str) -> None:
    game = "pearl" if args[0] == "harbor-carrier" else "war"
    result = shell.run("odds", game, *args)
    assert result.code == 2
    assert reason in " ".join(result.err.split())


def test_roll_is_saved_and_verifies(shell: Shell, tmp_path: Path) -> None:
    record = tmp_path / "throw.jsonl"
    result = shell.run("odds", "pearl", "harbor-submarine", "torpedo=2", "--roll", "--save", str(record))
    assert result.code == 0
    assert "The submarine attacks target 1" in result.out
    assert shell.run("verify", str(record)).code == 0
    rolls = json.loads(shell.run("odds", "war", "air", "--roll", "--json").out)["throw"]
    assert rolls["secret"]
    assert rolls["log"][0]["rolls"]


def test_figures_are_listed(shell: Shell) -> None:
    listed = shell.run("odds", "war").out
    assert "odds atlantic …: Submarine warfare in the Atlantic" in listed
    text = shell.run("odds", "war", "bombing", "--figures").out
    assert "excess-europe" in text
    assert max(map(len, text.splitlines())) <= 80
    data = json.loads(shell.run("odds", "war", "bombing", "--figures", "--json").out)
    assert data["figures"]["bombers"]["range"] == [0, 60]


def test_calculation_does_not_roll(shell: Shell) -> None:
    result = shell.run("odds", "midway", "dogfight", "--roll")
    assert result.code == 2
    assert "calculated only" in result.err


def test_pearl_harbor_columns_are_a_chart(shell: Shell) -> None:
    data = json.loads(shell.run("chart", "pearl", "pearl-columns", "--json").out)["charts"][0]
    assert data["cells"]["0-29,in Pearl Harbor"] == "21/36"
    assert data["cells"]["40+,automatic"] == "6/36"
    assert data["cells"]["36-37,intercepts"] == "0.26"
