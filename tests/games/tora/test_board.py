"""Tests of the terminal board."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from rich.console import Console

from readyroom import Match
from readyroom.games.tora import GAME
from readyroom.games.tora.board import board
from readyroom.games.tora.board_data import absent_title


def board_lines(match: Match[Any, Any], seat: str | None, width: int = 100) -> list[str]:
    """Return the lines of the board."""
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(board(match.view(seat)))
    return [line.rstrip() for line in capture.get().splitlines()]


def sunday(turn: int = 5, **options: str) -> Match[Any, Any]:
    """Return a state on Sunday morning, set to a turn."""
    match = Match(GAME, "sunday", options, seed="umpire")
    match.state.at = type(match.state.at)(turn, match.state.at.phase)
    return match


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 80, 100, 160])
@pytest.mark.parametrize("scenario", ["sunday", "december"])
def test_board_keeps_width_at_any_time(width: int, scenario: str) -> None:
    match, random = Match(GAME, scenario, seed=f"width {scenario}"), Random(1)
    for at in range(400):
        for seat, decision in match.pending.items():
            if at % 20 == 0:
                lines = board_lines(match, seat, width)
                assert max(map(len, lines)) <= width, "\n".join(lines)
                assert len(lines) <= 75 or width < 80, "\n".join(lines)
            match.decide(seat, decision.sample(random))
        if not match.pending:
            break


def test_board_shows_all_pieces() -> None:
    match = sunday()
    match.state.usa.ship("oklahoma").hits = 6
    match.state.usa.ship("nevada").hits = 1
    match.state.usa.yard[3].hits = 2
    match.state.usa.batteries[1].hits = 4
    lines = board_lines(match, "japan")
    text = "\n".join(lines)
    assert lines[0] == "Sunday morning · 7 December 1941 · turn 5"
    for words in ("● 12 Kates AP", "● 10 Kates T", "● 13 Vals GP", "Fort Weaver ■■■■", "4 ■■□□□", "dry dock", "at sea"):
        assert words in text
    assert any(line.startswith("Wheeler") and "22/20" in line and "underneath 2 P-26s" in line for line in lines)
    assert any("Oklahoma" in line and "■■■■■■" in line and "sunk" in line for line in lines)
    assert any("Nevada t" in line and "■□□□□□" in line for line in lines)
    assert "Aircraft lost: 0." in text
    assert "On the carriers: 8 Kate units, 11 Val units, 10 Zero units." in text


def test_hidden_ordnance_is_not_shown() -> None:
    match = sunday()
    for seat in ("usa", None):
        text = "\n".join(board_lines(match, seat))
        assert "● 22 Kates ?" in text
        assert not any(words in text for words in ("Kate AP", "Kate T", "Val GP", "On the carriers"))
    assert "Alert: airfields 1, ships 1, batteries 1." in "\n".join(board_lines(match, "usa"))
    assert "The alert levels are hidden." in "\n".join(board_lines(match, "japan"))


def test_only_players_of_the_other_side_are_told_that_a_plan_is_hidden() -> None:
    match = Match(GAME, "december", {"umpire": "yes"}, seed="umpire")
    texts = {seat: "\n".join(board_lines(match, seat)) for seat in ("umpire", "usa", "japan", None)}
    assert texts["umpire"].count("No plan is locked yet.") == 2
    assert all("The plan is hidden." in texts[seat] for seat in ("usa", "japan", None))
    berths = {seat: absent_title(match.view(seat).table) for seat in texts}
    hidden = "Berth hidden"
    assert berths == {"umpire": "No berth yet", "usa": "No berth yet", "japan": hidden, None: hidden}


def test_umpire_sees_everything() -> None:
    text = "\n".join(board_lines(sunday(umpire="yes"), "umpire"))
    assert "● 12 Kates AP" in text
    assert "Alert: airfields 1" in text


def test_weakened_units_show_strengths() -> None:
    match = sunday()
    zeros = [unit for unit in match.state.zones["3NE"].japan if unit.type == "zero"]
    zeros[0].strength, zeros[1].strength = 2, 1
    assert "● 11 Zeros 9×4,2,1" in "\n".join(board_lines(match, "usa"))


def test_legend_is_shown_before_second_turn() -> None:
    assert any("GP general-purpose bombs" in line for line in board_lines(sunday(1), "usa"))
    assert not any("GP general-purpose bombs" in line for line in board_lines(sunday(2), "usa"))


def test_narrow_terminal_lists_only_what_is_flown_over() -> None:
    lines = board_lines(sunday(), "japan", 50)
    assert not any(line.startswith("1NE") for line in lines)
    assert any(line.startswith("3NE ● 13 Vals GP") for line in lines)


def test_plan_is_shown_to_own_side_only() -> None:
    match, random = Match(GAME, "december", {"revise": "both"}, seed="plan"), Random(4)
    while match.state.at.phase == "plan":
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, decision.sample(random))
    usa, japan, spectator = ("\n".join(board_lines(match, seat)) for seat in ("usa", "japan", None))
    assert "planned: " in usa
    assert "Airfields " in usa
    assert "In port" in usa
    assert ", planned" in japan
    assert "The attack is on December" in japan
    assert "Wave 1, turn 1: " in japan
    for text in (spectator, japan):
        assert "In port" not in text
    for text in (spectator, usa):
        assert "Wave 1" not in text
        assert ", planned" not in text
