"""Around the charts: title, turn track and deck above, and both sides' panels below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from textwrap import wrap

from readyroom.engine.game import MatchView
from readyroom.games.tora.board_data import heading, turn_track
from readyroom.games.tora.drawing.chart import EDGE, LINE, Chart, Label, Shape, Sheet
from readyroom.games.tora.drawing.outlines import Frame
from readyroom.games.tora.side_panels import Panel, side_panels
from readyroom.games.tora.view import ToraView

TURNS, ROW = 20, 38.0
"""Turns per row of the track on a small screen."""
LOADED = "T torpedoes · AP armor-piercing bombs · GP general-purpose bombs · ? not seen yet"
FLOWN = "40 P-40 · 36 P-36 · 26 P-26 · 4F F4F · 2A F2A · faded: has acted this turn"
LEGEND = (f"{LOADED} · {FLOWN}", LOADED, FLOWN)
"""The legend of the counters' tabs, in one line or in two."""


class Panels:
    """Draws what is above and below the charts of a board."""

    def __init__(self, chart: Chart, view: MatchView[ToraView], room: Mapping[str, float]) -> None:
        self.chart, self.shape, self.view, self.room = chart, chart.form, view, room

    def heading(self) -> float:
        """Draw title, day and turn, the turn track, and the luck deck at its end; return the height."""
        shape, turns, line = self.shape, turn_track(self.view), " · ".join(heading(self.view))
        self.chart.labels.append(Label("title", 14, 22, _short(self.view.scenario, 300)))
        self.chart.labels.append(Label("line", 14, 40, line))
        right_of_title = max(338.0, 26 + len(line) * shape.letter * 1.06)
        left, top = (right_of_title, 12.0) if shape.side_by_side else (14.0, 50.0)
        self.chart.deck = (shape.width - 52, 8.0 if shape.side_by_side else 9.0)
        right = shape.width - (66 if shape.side_by_side else 14)
        rows = 1 if shape.side_by_side else ceil(len(turns) / TURNS)
        columns = ceil(len(turns) / rows)
        width = min(30.0, (right - left) / columns)
        start = right - width * columns
        self.chart.turns = [
            (turn, start + width * (at % columns), top + ROW * (at // columns), width - 2)
            for at, turn in enumerate(turns)
        ]
        return shape.heading + ROW * (rows - 1)

    def sheets(self, top: float) -> None:
        """Draw both sides' panels: side by side, or one below the other."""
        panels, side_by_side = side_panels(self.view), self.shape.side_by_side
        width = _width(self.shape)
        lines = [_wrapped(panel, self.shape) for panel in panels]
        needed = zip(panels, lines, strict=True)
        heights = [max(_height(*each), self.room.get(_key(each[0], self.shape), 0)) for each in needed]
        for at, panel in enumerate(panels):
            left = EDGE + at * (width + EDGE) if side_by_side else EDGE
            height = max(heights) if side_by_side else heights[at]
            self.chart.sheets.append(_sheet(panel, (left, top, left + width, top + height), lines[at]))
            if not side_by_side:
                top += height + EDGE
        top += max(heights) + EDGE if side_by_side else 0
        legend = LEGEND[:1] if side_by_side else LEGEND[1:]
        for at, line in enumerate(legend):
            self.chart.labels.append(Label("legend", self.shape.width / 2, top + 13 + at * LINE, line, "middle"))
        self.chart.height = round(top + len(legend) * LINE + EDGE)


def panel_heights(view: MatchView[ToraView], shape: Shape) -> dict[str, float]:
    """Return the height of each side's panel on a board of this shape, by shape and side."""
    return {_key(panel, shape): _height(panel, _wrapped(panel, shape)) for panel in side_panels(view)}


def _key(panel: Panel, shape: Shape) -> str:
    return f"{shape.name}-{panel.side}"


def _width(shape: Shape) -> float:
    return (shape.width - EDGE * 3) / 2 if shape.side_by_side else shape.width - EDGE * 2


def _wrapped(panel: Panel, shape: Shape) -> list[str]:
    letters = int((_width(shape) - 24 - (150 if panel.alerts else 0)) / shape.letter / 1.08)
    return [part for line in panel.lines for part in wrap(line, letters)]


def _height(panel: Panel, lines: Sequence[str]) -> float:
    if panel.days:
        return 26 + (len(panel.rows) + 1) * LINE + 4
    return max(26 + len(lines) * LINE + 5, 80 if panel.alerts else 0)


def _sheet(panel: Panel, frame: Frame, wrapped: Sequence[str]) -> Sheet:
    left, top, right, _ = frame
    lines = [(top + 36 + at * LINE, line) for at, line in enumerate(wrapped)]
    first, count = left + 80, len(panel.days)
    columns = [first + (at + 0.5) * (right - first - 8) / count for at in range(count)]
    rows = [top + 36 + at * LINE for at in range(len(panel.rows) + 1)] if panel.days else []
    return Sheet(panel, frame, lines, columns, rows)


def _short(text: str, width: float) -> str:
    """Return a line of print cut to a width."""
    letters = max(int(width / 7.4), 2)
    return text if len(text) <= letters else text[: letters - 1].rstrip(" ,:") + "…"
