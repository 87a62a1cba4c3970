"""Tests of the terminal board."""

from __future__ import annotations

from random import Random

import pytest
from rich.console import Console

from readyroom import Match
from readyroom.games.midway import GAME
from readyroom.games.midway.board import board
from readyroom.games.midway.state import Data, Midway


def drawn(match: Match[Midway, Data], seat: str | None, width: int = 80) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(board(match.view(seat)))
    return capture.get().splitlines()


@pytest.mark.parametrize("options", [{}, {"sight": "open", "cap_rings": "4"}, {"seats": "groups", "cap_rings": "2"}])
def test_board_fits_eighty_columns_and_thirty_lines_at_any_time(options: dict[str, str]) -> None:
    match, random = Match(GAME, options=options, seed="boards"), Random(1)
    for at in range(300):
        for seat, decision in match.pending.items():
            if at % 10 == 0:
                lines = drawn(match, seat)
                assert len(lines) <= 33, "\n".join(lines)
                assert max(map(len, lines)) <= 80
            match.decide(seat, decision.sample(random))


def test_board_shows_sides_and_places() -> None:
    match = Match(GAME, seed="a")
    lines = "\n".join(drawn(match, "japan"))
    for word in ("Turn 1", "Japan: land planes", "Japan (you)", "hidden", "clear", "TB 17×5", "Hiryu 8", "□□□□□□|□□□□"):
        assert word in lines
    assert "Enterprise" in lines


def test_board_first_turn_shows_legend() -> None:
    match = Match(GAME, seed="a")
    text = " ".join(" ".join(drawn(match, "japan")).split())
    for words in ("AA are anti-aircraft dice", "CAP is the combat air patrol", "the bar in the damage track"):
        assert words in text


def test_carrier_without_repair_number_is_never_repaired() -> None:
    match = Match(GAME, seed="a")
    hiryu, soryu, akagi, _ = match.state.japan.carriers
    hiryu.repair, soryu.repair, akagi.repair = 7, 6, 4
    lines = drawn(match, "japan")
    for carrier, repaired in (("Hiryu", "never"), ("Soryu", "6"), ("Akagi", "4–6")):
        [line] = [line for line in lines if line.startswith(carrier)]
        assert line.split()[2] == repaired


def test_spectator_sees_no_counters_below() -> None:
    lines = drawn(Match(GAME, seed="a"), None)
    assert not any("(you)" in line for line in lines)
    assert sum(line.count("hidden") for line in lines) == 7 * 2 + 2 * 4


def test_damage_track_shows_what_cripples_and_what_sinks() -> None:
    match = Match(GAME, seed="a")
    match.state.japan.carriers[0].damage = 7
    match.state.japan.carriers[1].damage = 10
    lines = "\n".join(drawn(match, "japan"))
    assert "■■■■■■|■□□□ crippled" in lines
    assert "■■■■■■|■■■■ sunk" in lines


def test_board_wide_terminal_shows_fleets_side_by_side() -> None:
    match = Match(GAME, seed="a")
    lines = drawn(match, "usa", 160)
    assert any("Japan" in line and "United States (you)" in line for line in lines)
    assert len(lines) < len(drawn(match, "usa"))
