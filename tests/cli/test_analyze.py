"""Tests of analysis in the terminal, for the pending decision and for any position of a record."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console
from tests.cli.helpers import Shell, one_sentence
from tests.toys import mines

from readyroom.bots.analysis import AnalysisRun
from readyroom.bots.search import Limit
from readyroom.cli.analysis import analyze
from readyroom.cli.play import manual_dice
from readyroom.engine.match import Match

RECORDS = Path(__file__).parents[1] / "records"
RAID = str(RECORDS / "thirteen-bombs-on-tokyo.jsonl")


def begun(shell: Shell, *typed: str) -> str:
    """Play Midway as the United States, type these lines and quit; return the output."""
    lines = "".join(f"{line}\n" for line in (*typed, "quit"))
    return shell.run("play", "midway", "--seat", "usa=human", "--seed", "officer", "--plain", typed=lines).out


# -- pending decision ------------------------------------------------------------------------------------------------


def test_analysis_ranks_answers_without_deciding(shell: Shell) -> None:
    text = begun(shell, "analyze 0.2")
    before = shell.record().read_bytes()
    assert "vs bot" in text
    assert "Bombers moving to attack" in text
    assert "rollouts" in text
    assert "no decision was made." in text.replace("\n", " ")
    assert begun(shell).count("\n") < text.count("\n")
    assert shell.record("midway-2").read_bytes().count(b"\n") == before.count(b"\n")


def test_analysis_takes_seconds(shell: Shell) -> None:
    text = " ".join(begun(shell, "analyze soon", "analyze 0", "analyze nan", "analyze 100000", "help").split())
    assert "analyze takes a number of seconds, such as `analyze 3`." in text
    for wrong in ("0", "nan", "100000"):
        assert f"An analysis takes up to 600 seconds, not {wrong}." in text
    assert "analyze [SECONDS]" in text


def at_the_mines() -> AnalysisRun:
    return AnalysisRun(Match[Any, Any](mines.GAME, seed="mines"), "red", Random(1))


def test_interrupted_analysis_prints_results_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    inquiry = at_the_mines()
    think = inquiry.run

    def interrupted(limit: Limit) -> Any:
        for count in think(limit):
            yield count
            if count == 40:
                raise KeyboardInterrupt

    monkeypatch.setattr(inquiry, "run", interrupted)
    assert analyze.run_with_progress(inquiry, Limit(float("inf"), 10**6), Console(file=io.StringIO())).rollouts == 40


def test_on_a_screen_one_sees_that_somebody_thinks() -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=80)
    analyze.run_with_progress(at_the_mines(), Limit(float("inf"), 5), screen)
    assert "Analyzing; Ctrl+C stops" in screen.file.getvalue()  # type: ignore[attr-defined]


def test_analysis_table_has_bars_errors_and_answers() -> None:
    inquiry = at_the_mines()
    screen = Console(file=io.StringIO(), width=80)
    for part in analyze.render_analysis(
        analyze.run_with_progress(inquiry, Limit(float("inf"), 800), screen), inquiry.decision
    ):
        screen.print(part)
    drawn = screen.file.getvalue()  # type: ignore[attr-defined]
    rows = {line.split("  ")[0].strip(): line for line in drawn.splitlines() if "█" in line}
    assert list(rows) == ["the left channel", "stay in port (doctrine)", "the right channel (bold)"]
    assert " 1 " in rows["the left channel"]
    assert " ± " in rows["the left channel"]
    assert " ± " not in rows["stay in port (doctrine)"]
    assert rows["the left channel"].count("█") > rows["the right channel (bold)"].count("█")


def test_analysis_rolls_no_real_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    rolls = []

    def reads(prompt: str) -> str:
        rolls.append(prompt)
        return "2"

    monkeypatch.setattr(manual_dice, "read_line", reads)
    match = manual_dice.ManualDiceMatch(mines.GAME)
    advice = analyze.run_with_progress(
        AnalysisRun(match, "red", Random(1)), Limit(float("inf"), 40), Console(file=io.StringIO())
    )
    assert advice.rated[0].rollouts >= 20
    assert len(rolls) == 1


# -- record ----------------------------------------------------------------------------------------------------------


def test_analyze_record_position_as_text_and_json(shell: Shell) -> None:
    moment = ("analyze", RAID, "--at", "30", "--trials", "2")
    messages = shell.run(*moment)
    assert messages.code == 0
    assert "Which hazards over Tokyo East do you evade? [4.4.1]" in messages.out
    assert "of 100" in messages.out
    facts = json.loads(shell.run(*moment, "--json").out)
    assert (facts["at"], facts["rule"], facts["chances"]) == (30, "4.4.1", False)
    assert facts["judged"][0]["doctrine"] == "doctrine"
    assert facts["trials"] == 2 * sum(review["trials"] for review in facts["judged"])
    assert facts == json.loads(shell.run(*moment, "--json").out)


def test_analyze_saved_match_from_players_seat(shell: Shell) -> None:
    begun(shell)
    facts = json.loads(shell.run("analyze", "midway-1", "--trials", "1", "--json").out)
    assert facts["seat"] == "usa"
    early = shell.run("analyze", "midway-1", "--at", "0", "--trials", "1")
    assert (early.code, early.err) == (2, "Choose the seat that decides: --seat japan.\n")
    assert shell.run("analyze", "midway-1", "--at", "0", "--trials", "1", "--seat", "japan").code == 0
    wrong = shell.run("analyze", "midway-1", "--trials", "1", "--seat", "japan")
    assert wrong.code == 2
    assert one_sentence(wrong.err)


def test_impossible_analysis_prints_reason(shell: Shell) -> None:
    for args, part in (
        ((RAID,), "The match is over; choose an earlier decision with --at"),
        ((RAID, "--at", "100000"), "--at is a number from 0 to"),
        ((RAID, "--at", "30", "--seconds", "1", "--trials", "2"), "not both"),
        ((RAID, "--at", "30", "--seconds", "-1"), "not -1."),
        ((RAID, "--at", "30", "--seat", "nobody"), "nobody"),
        (("nothing",), "nothing"),
    ):
        result = shell.run("analyze", *args)
        assert result.code == 2
        assert part in result.err
        assert one_sentence(result.err)
