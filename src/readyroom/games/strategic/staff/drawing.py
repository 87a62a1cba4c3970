"""Where everything lies on the drawn staff's table: the arithmetic, the chances as bars, and the last throws."""

from __future__ import annotations

from typing import Any

from readyroom.engine.checks import percent, signed
from readyroom.engine.game import View

WIDE, NARROW = 960, 380
"""Widths of the two tables: for a screen, and for a phone."""
LINE, HEAD, FOOT, GAP, EDGE = 22, 34, 5, 20, 24
"""Heights of a line, of a block's heading and of what is left below it, and room between and around blocks."""
THROWS = 8
"""So many of the last throws lie on the table."""


def layout(view: View) -> dict[str, Any]:
    """Two drawings: one in two columns, one in a single column for narrow screens."""
    return {
        "label": f"{view['title']}: {view['subject']}",
        "charts": [
            {"shape": "wide", **_chart(view, WIDE, 2)},
            {"shape": "narrow", **_chart(view, NARROW, 1)},
        ],
    }


def _chart(view: View, width: int, columns: int) -> dict[str, Any]:
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
        "title": view["title"],
        "subject": view["subject"],
    }


def _blocks(view: View) -> list[dict[str, Any]]:
    blocks = [block for part in view["parts"] for block in _of_part(part, part["title"] == view["subject"])]
    blocks.insert(0, _block("Expected", sums=[(what, f"{mean:.2f}") for what, mean in view["expected"]]))
    thrown = list(enumerate(view["thrown"], start=1))[-THROWS:]
    said = [(f"{number}", text) for number, one in reversed(thrown) for text in one]
    blocks.insert(0, _block("Throws", throws=said or [("", "Nothing has been thrown yet.")]))
    return blocks


def _of_part(part: dict[str, Any], whole: bool) -> list[dict[str, Any]]:
    found, title = [], "Added to the dice" if whole or part["rows"] else part["title"]
    if part["net"] is not None:
        lines = [(what, signed(value)) for what, value in part["net"]]
        total = sum(value for _, value in part["net"])
        found.append(_block(title, sums=[*lines, ("net", signed(total))], last=True))
    if part["rows"]:
        most = max(chance for _, chance in part["rows"])
        bars = [(what, percent(chance), chance / most) for what, chance in part["rows"]]
        found.append(_block(part["title"], bars=bars))
    return found


def _block(title: str, **lines: Any) -> dict[str, Any]:
    found = {"title": title, "sums": [], "bars": [], "throws": [], "last": False, **lines}
    count = len(found["sums"]) + 1.6 * len(found["bars"]) + len(found["throws"])
    return {**found, "height": HEAD + count * LINE + FOOT}
