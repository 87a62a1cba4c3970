"""Tests of the drawn chart and the terminal board: layout, clickable options, secrecy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from readyroom import Match
from readyroom.games.strategic.war import GAME
from readyroom.games.strategic.war.drawing import Chart, Panel, layout
from readyroom.web import board_svg, formatting

from .helpers import SCENARIOS

SEATS = ("axis", "allies", None)
SHEETS = ("build", "raid", "meet", "to", "cards")
"""Questions about pieces on the chart."""


def random_decisions(scenario: str, seed: str = "drawn") -> Iterator[tuple[Match[Any, Any], str, Any]]:
    """Iterate over the questions of a random match."""
    match, random = Match(GAME, scenario, seed=seed), Random(seed)
    while match.pending:
        for seat, decision in match.pending.items():
            yield match, seat, decision
            match.decide(seat, decision.sample(random))
            break


def is_clear_of(first: Panel, second: Panel) -> bool:
    """Return whether two boxes do not overlap."""
    return (
        first.x + first.width <= second.x
        or second.x + second.width <= first.x
        or first.y + first.height <= second.y
        or second.y + second.height <= first.y
    )


def inside(chart: Chart) -> bool:
    """Return whether boxes and sheets are on the chart, and stacks in their boxes."""
    frames = [(panel.x, panel.y, panel.width, panel.height) for panel in chart.panels]
    frames += [(sheet.x, sheet.y, sheet.width, sheet.height) for sheet in chart.sheets]
    on_chart = all(x >= 0 and y >= 0 and x + w <= chart.width and y + h <= chart.height for x, y, w, h in frames)
    return on_chart and all(
        panel.x <= placed.x and placed.x + placed.width <= panel.x + panel.width and placed.y < panel.y + panel.height
        for panel in chart.panels
        for placed in panel.stacks
    )


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_layout_has_no_overlaps(scenario: str) -> None:
    for at, (match, seat, _) in enumerate(random_decisions(scenario)):
        if at % 9 == 0:
            for chart in layout(match.view(seat))["charts"]:
                assert inside(chart)
                assert all(is_clear_of(*pair) for pair in combinations(chart.panels, 2))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_drawing_is_svg_with_clickable_options(scenario: str) -> None:
    clicked = 0
    for at, (match, seat, decision) in enumerate(random_decisions(scenario)):
        if at % 5:
            continue
        drawn = board_svg.draw(GAME, match.view(seat), formatting.decision(decision))
        page = ElementTree.fromstring(f"<x>{drawn}</x>".replace("&nbsp;", " "))
        assert len(page.findall(".//*[@viewBox]")) >= 2
        keys = set(re.findall(r'data-key="([^"]+)"', drawn))
        if decision.piece_key.partition("-")[0] in SHEETS:
            offered = set(decision.keys) - {"stay"}
            assert offered <= keys, decision
            clicked += len(offered)
    assert clicked


def test_clickable_keys_are_unique() -> None:
    for at, (match, seat, decision) in enumerate(random_decisions("strategic-war", "twice")):
        if at % 7 == 0:
            drawn = str(board_svg.draw(GAME, match.view(seat), formatting.decision(decision)))
            wide = drawn.partition('class="board-narrow')[0]
            keys = re.findall(r'data-key="([^"]+)"', wide)
            assert len(keys) == len(set(keys)), decision


def test_drawing_hides_enemy_secrets() -> None:
    match = Match(GAME, "strategic-war", seed="secret")
    match.state.war.hands["axis"]["ultra"] = ["submarine", "strategic"]
    match.state.war.powers["germany"].points = {"radar": 2}
    theirs = str(board_svg.draw(GAME, match.view("allies")))
    mine = str(board_svg.draw(GAME, match.view("axis")))
    assert "+2</text>" in mine
    assert "+2</text>" not in theirs
    assert ">S</text>" in mine
    assert "2 points under way" not in theirs


# -- the terminal ----------------------------------------------------------------------------------------------------


def lines(match: Match[Any, Any], seat: str | None, width: int) -> list[str]:
    """Return the lines of the terminal board."""
    console = Console(width=width, color_system=None, legacy_windows=False)
    assert GAME.presentation.board is not None
    with console.capture() as capture:
        console.print(GAME.presentation.board(match.view(seat)))
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_terminal_board_fits_width(width: int, scenario: str) -> None:
    for at, (match, _, _) in enumerate(random_decisions(scenario, f"width {width}")):
        if at % 20 == 0:
            for seat in SEATS:
                assert max(map(len, lines(match, seat, width))) <= width


def test_terminal_board_shows_state() -> None:
    match = Match(GAME, "strategic-war", seed="told")
    text = "\n".join(lines(match, "allies", 120))
    assert "Turn 1 of 12 · Spring 1942 · Axis 0 points, Allies 0" in text
    assert "★ ships 42" in text
    assert "● subs 5" in text
    assert "The Ruhr ■■■" in text
    assert "★ The Allies (you)" in text
    assert "Carriers are escort carriers" in text
    assert "CVE" not in text
