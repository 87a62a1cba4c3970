"""Tests of `readyroom challenge`."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path

import pytest
from tests.cli.helpers import Shell

from readyroom.engine.record import format as records
from readyroom.engine.rules.dice import fingerprint
from readyroom.study.daily import keys
from readyroom.study.daily.challenge import challenge_of, slot_of
from readyroom.study.daily.keys import EPOCH, DayKeys, midnight


def day_of(game: str) -> date:
    """Return the first day, after another, with this game."""
    return next(day for n in range(1, 99) if slot_of(day := EPOCH + timedelta(days=n)).game == game)


DAY = day_of("doolittle")
NAME = f"challenge-{DAY}"
TYPED = "\n".join(islice(cycle(["1", "none", "", "all", "1,2"]), 3000))
"""Enough answers to finish any match."""
Move = Callable[[datetime], None]


@pytest.fixture(autouse=True)
def move(monkeypatch: pytest.MonkeyPatch) -> Move:
    """Set the clock of the challenges; it begins at noon."""

    def moved(to: datetime) -> None:
        monkeypatch.setattr(keys, "clock", lambda: to)

    moved(midnight(DAY) + timedelta(hours=12))
    return moved


def finish(shell: Shell, *args: str) -> str:
    """Play an attempt to its end, at the time of the clock; return what was printed."""
    result = shell.run("challenge", *args, typed=TYPED)
    assert result.code == 0, result.err
    record = shell.record(NAME)
    if record.is_file():
        at = keys.clock().timestamp()
        os.utime(record, (at, at))
    return result.out


def test_first_attempt_counts_and_is_proved(shell: Shell) -> None:
    out = " ".join(finish(shell).split())
    challenge = challenge_of(DAY)
    assert f"Challenge {challenge.number}, {DAY}" in out
    assert "This attempt counts" in out
    assert "of 1,000 bot runs" in " ".join(shell.run("challenge").out.split())
    header = records.parse(shell.record(NAME).read_text()).header
    assert (header.origin, header.day) == ("daily", DAY.isoformat())
    assert header.fingerprint == fingerprint(DayKeys().secret(DAY, midnight(DAY)))
    verified = shell.run("verify", NAME)
    assert verified.code == 0
    assert f"Challenge of {DAY}: its scenario, seats and options, the shared dice; a counted attempt" in verified.out


def test_attempt_continues_after_leaving(shell: Shell) -> None:
    shell.run("challenge", typed="1\n1\n")
    before = shell.record(NAME).read_text()
    shell.run("challenge", typed="1\n")
    assert shell.record(NAME).read_text().startswith(before)
    refused = shell.run("challenge", "--practice")
    assert refused.code == 2
    assert "Finish it first" in refused.err
    assert [path.name for path in shell.matches.glob("*.jsonl")] == [f"{NAME}.jsonl"]


def test_second_attempt_is_practice(shell: Shell) -> None:
    finish(shell)
    counted = shell.record(NAME).read_text()
    assert "Once more: readyroom challenge --practice" in " ".join(shell.run("challenge").out.split())
    assert "Practice: this attempt does not count." in shell.run("challenge", "--practice", typed="1\n").out
    assert shell.record(NAME).read_text() == counted
    assert records.parse(shell.record("doolittle-1").read_text()).header.origin == "practice"


def test_counted_attempt_has_no_undo_or_analysis(shell: Shell) -> None:
    out = shell.run("challenge", typed="1\nundo\nanalyze 1\n").out
    assert "so it has no takeback" in out
    assert "so it has no hint or analysis" in " ".join(out.split())
    again = shell.run("play", "--resume", NAME, typed="undo\n").out
    assert "so it has no takeback" in again
    assert "no analysis until it is over" in shell.run("analyze", NAME, "--seconds", "0.1").err
    assert '"undo"' not in shell.record(NAME).read_text()


def test_coming_day_is_sealed(shell: Shell, move: Move, monkeypatch: pytest.MonkeyPatch) -> None:
    tomorrow = DAY + timedelta(days=1)
    move(midnight(tomorrow) - timedelta(seconds=1))
    monkeypatch.setattr(keys, "_walk", lambda *given: pytest.fail("a secret was computed"))
    refused = shell.run("challenge", str(tomorrow))
    assert (refused.code, refused.err) == (2, f"The challenge of {tomorrow} is sealed until {tomorrow} 0:00 UTC.\n")


def test_past_day_is_practice(shell: Shell) -> None:
    day = DAY - timedelta(days=1)
    shell.run("challenge", str(day), typed="")
    (record,) = shell.matches.glob("*.jsonl")
    header = records.parse(record.read_text()).header
    assert (header.origin, header.day) == ("past", day.isoformat())


def test_attempt_that_ends_too_late_does_not_count(shell: Shell, move: Move) -> None:
    shell.run("challenge", typed="1\n")
    move(midnight(DAY) + timedelta(days=1))
    assert "not finished" in shell.run("challenge", "--list").out
    shell.run("play", "--resume", NAME, typed=TYPED)
    at = keys.clock().timestamp()
    os.utime(shell.record(NAME), (at, at))
    assert "too late" in shell.run("challenge", "--list").out


def test_list_shows_own_results(shell: Shell) -> None:
    finish(shell)
    ending = records.parse(shell.record(NAME).read_text()).ending
    assert ending is not None
    lines = " ".join(shell.run("challenge", "--list").out.split())
    assert ending.outcome.title in lines
    assert str(EPOCH) in lines


def test_baselines_are_written_to_file(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readyroom.cli.play.challenge.measure_all", lambda progress: b"{}\n")
    assert shell.run("challenge", "--baselines", str(tmp_path / "made.json")).code == 0
    assert (tmp_path / "made.json").read_text() == "{}\n"
