"""The after-action report."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from readyroom import Match, bots, games
from readyroom.engine.report import report
from readyroom.testing.playouts import playout


@pytest.fixture(scope="module")
def over() -> Match[Any, Any]:
    match: Match[Any, Any] = Match(games.load("midway"), seed="a report", options={"cap_rings": "4"})
    random = Random(1)
    bots.play_to_end(match, {seat.key: bots.make_bot(match.game, "doctrine", seat.key, random) for seat in match.seats})
    return match


def test_report_shows_outcome(over: Match[Any, Any]) -> None:
    message = report(over)
    assert over.outcome is not None
    assert message.startswith("# A Terrible Resolve: Midway, 4 June 1942\n")
    assert f"**{over.outcome.title}.** {over.outcome.text}" in message
    names = {"japan": "Japan", "usa": "United States"}
    assert all(f"| {names[side]} | {score} |" in message for side, score in over.outcome.scores.items())


def test_title_of_own_scenario_is_no_markup() -> None:
    game = games.load("midway")
    match = Match(game, replace(game.first_scenario, title="<img src=x> [a](javascript:b)"), seed="a report")
    assert report(match).startswith("# A Terrible Resolve: \\<img src=x\\> \\[a\\](javascript:b)\n")


def test_report_has_epilogue(over: Match[Any, Any]) -> None:
    text = report(over)
    for side in (over.state.japan, over.state.usa):
        line = next(line for line in text.splitlines() if line.startswith(f"- {side.title}: "))
        assert line.endswith(f"{len(side.lost)} of {53 if side.name == 'japan' else 48} squadrons lost.")
        for carrier in side.carriers:
            fate = "sunk" if carrier.damage >= 10 else "crippled" if carrier.damage >= 7 else "damage"
            assert f"{carrier.name} {fate}" in line or (carrier.damage == 0 and f"{carrier.name} unhurt" in line)


def test_report_shows_options_and_dice_hash(over: Match[Any, Any]) -> None:
    text = report(over)
    assert "- Options: cap_rings = 4\n" in text
    assert f"`{over.fingerprint}`" in text
    assert f"`{over.published_secret}`" in text


def test_report_contains_log_in_order(over: Match[Any, Any]) -> None:
    message = report(over)
    at = 0
    for line in over.full_log:
        at = message.index(f"- {line.text} [{line.rule}]", at)
        for roll in line.rolls:
            assert roll.result in message[at:]
    headings = [over.log_heading(line.turn, line.phase) for line in over.full_log]
    assert {f"## {turn}" for turn, _ in headings} | {f"### {phase}" for _, phase in headings} <= set(
        message.splitlines()
    )


def test_seat_report_shows_only_own_knowledge(over: Match[Any, Any]) -> None:
    message = report(over, "usa")
    hidden = {line.text for line in over.full_log} - {line.text for line in over.log("usa")}
    assert hidden
    assert "as United States saw it" in message
    assert not any(f"- {text} [" in message for text in hidden)


def test_unfinished_report_shows_public_knowledge_only() -> None:
    match: Match[Any, Any] = Match(games.load("midway"), seed=None)
    random = Random(3)
    while match.decision_count < 60:
        for seat, decision in match.pending.items():
            match.decide(seat, decision.sample(random))
    message = report(match)
    assert "In progress: turn" in message
    assert match.secret is not None
    assert match.secret.hex() not in message
    assert not any(line.audience is not None and line.text in message for line in match.full_log)


def test_report_counts_dice_faces(over: Match[Any, Any]) -> None:
    count = sum(len(faces) for line in over.full_log for roll in line.rolls for faces in roll.faces)
    assert f"{count} d6 rolled" in report(over)


def test_report_says_no_sentence_of_its_summary_again() -> None:
    match: Match[Any, Any] = playout(games.load("doolittle"), seed="report")
    sentences = [line for line in report(match).splitlines() if "Result bands: " in line]
    assert len(sentences) == 1
