"""Around the charts: title, turn track and deck above, and both sides' panels below the harbor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from textwrap import wrap

from readyroom.engine.game import MatchView
from readyroom.games.tora.board_data import heading, turn_track
from readyroom.games.tora.drawing.chart import EDGE, LINE, Chart, Label, Shape, Sheet
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.outlines import Frame
from readyroom.games.tora.side_panels import Panel, side_panels
from readyroom.games.tora.view import ToraView

TURNS, ROW = 20, 38.0
"""Turns per row of the track on a small screen."""
LEGEND = (
    "T: torpedoes · AP: armor-piercing bombs · GP: general-purpose bombs",
    "?: not seen yet · faded: has acted this turn · −2: aircraft lost",
)
"""The legend of the counters' tabs."""


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

    def sheets(self, left: float, top: float, width: float, lowest: float) -> None:
        """Draw both sides' panels one below the other, and the legend, down to `lowest` at least."""
        panels = [(panel, _wrapped(panel, self.shape)) for panel in side_panels(self.view)]
        heights = [max(_height(*each), self.room.get(_key(each[0], self.shape), 0)) for each in panels]
        bottom = top + sum(heights) + len(panels) * EDGE + len(LEGEND) * LINE
        stretched = max(0.0, lowest - bottom) / len(panels)
        for (panel, lines), least in zip(panels, heights, strict=True):
            height = least + stretched
            self.chart.sheets.append(_sheet(panel, (left, top, left + width, top + height), lines))
            top += height + EDGE
        for at, line in enumerate(LEGEND):
            self.chart.labels.append(Label("legend", left + width / 2, top + 11 + at * LINE, line, "middle"))
        self.chart.height = round(top + len(LEGEND) * LINE)


def panel_heights(view: MatchView[ToraView], shape: Shape) -> dict[str, float]:
    """Return the height of each side's panel on a board of this shape, by shape and side."""
    return {_key(panel, shape): _height(panel, _wrapped(panel, shape)) for panel in side_panels(view)}


def _key(panel: Panel, shape: Shape) -> str:
    return f"{shape.name}-{panel.side}"


def _wrapped(panel: Panel, shape: Shape) -> list[str]:
    harbor = drawn().harbor
    width = (harbor.wide if shape.side_by_side else harbor.narrow).width - 24 - (150 if panel.alerts else 0)
    return wrap(" ".join(panel.lines), int(width / shape.print))


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
