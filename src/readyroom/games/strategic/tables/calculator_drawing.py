"""The layout of the calculator's board: the arithmetic, probability bars, and the latest rolls."""

from __future__ import annotations

from typing import Any

from readyroom.engine.game import MatchView
from readyroom.engine.rules.checks import percent, signed
from readyroom.games.strategic.tables.calculator_view import CalculatorView, ResultView

WIDE, NARROW = 960, 380
"""Widths of the two charts: for a screen and for a phone."""
LINE, HEAD, FOOT, GAP, EDGE = 22, 34, 5, 20, 24
"""Heights of a line, a heading and a footer, the gap between blocks, and the margin."""
ROLLS = 8
"""The lines of the latest rolls: there is always room for them, so that the board keeps its size."""


def layout(view: MatchView[CalculatorView]) -> dict[str, Any]:
    """Return two charts: one in two columns, one in a single column for narrow screens."""
    return {
        "calculator": True,
        "label": f"{view.table.title}: {view.table.subject}",
        "charts": [{"shape": "wide", **_chart(view, WIDE, 2)}, {"shape": "narrow", **_chart(view, NARROW, 1)}],
    }


def _chart(view: MatchView[CalculatorView], width: int, columns: int) -> dict[str, Any]:
    room = (width - 2 * EDGE - (columns - 1) * GAP) / columns
    heights = [float(EDGE + HEAD + 2 * LINE)] * columns
    blocks = []
    for block in _blocks(view):
        column = heights.index(min(heights))
        block |= {"x": EDGE + column * (room + GAP), "y": heights[column], "width": room}
        heights[column] += block["height"] + GAP
        blocks.append(block)
    return {
        "width": width,
        "height": max(heights) + EDGE - GAP,
        "blocks": blocks,
        "title": view.table.title,
        "subject": view.table.subject,
    }


def _blocks(view: MatchView[CalculatorView]) -> list[dict[str, Any]]:
    table = view.table
    blocks = [block for part in table.parts for block in _part_blocks(part, part.title == table.subject)]
    blocks.insert(0, _block("Expected", sums=[(what, f"{mean:.2f}") for what, mean in table.expected]))
    latest = list(enumerate(table.results, start=1))[-ROLLS:]
    rolls = [(f"{number}", text) for number, results in reversed(latest) for text in results][:ROLLS]
    blocks.insert(0, _block("Rolls", rolls=rolls or [("", "No rolls yet.")], height=HEAD + ROLLS * LINE + FOOT))
    return blocks


def _part_blocks(part: ResultView, is_main: bool) -> list[dict[str, Any]]:
    blocks, title = [], "Modifiers" if is_main or part.rows else part.title
    if part.net is not None:
        lines = [(what, signed(value)) for what, value in part.net]
        blocks.append(_block(title, sums=[*lines, ("net", signed(part.total))], last=True))
    if part.rows:
        most = max(chance for _, chance in part.rows)
        bars = [(what, percent(chance), chance / most) for what, chance in part.rows]
        blocks.append(_block(part.title, bars=bars))
    return blocks


def _block(title: str, **lines: Any) -> dict[str, Any]:
    block = {"title": title, "sums": [], "bars": [], "rolls": [], "last": False, **lines}
    count = len(block["sums"]) + 1.6 * len(block["bars"]) + len(block["rolls"])
    return {"height": HEAD + count * LINE + FOOT, **block}
