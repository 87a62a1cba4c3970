"""Positions on the drawn board: a chart of Oahu and its waters, and one of Pearl Harbor.

There are two boards, a wide one with the charts side by side, and a narrow one for small screens. Lengths are SVG
units, about pixels on a screen. The outlines of the charts are in `data/map.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readyroom.engine.game import MatchView
from readyroom.games.tora.board_data import board_view, heading, luck_deck
from readyroom.games.tora.drawing.air import Air
from readyroom.games.tora.drawing.chart import EDGE, SHAPES, Chart, Shape
from readyroom.games.tora.drawing.harbor import Harbor
from readyroom.games.tora.drawing.island import Island
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.outlines import line, polygon
from readyroom.games.tora.drawing.panels import Panels
from readyroom.games.tora.view import ToraView


def layout(view: MatchView[ToraView]) -> Mapping[str, Any]:
    """Return the board of a match as the seat of this view sees it, on both charts."""
    view, oahu = board_view(view), drawn().oahu
    charts = [_draw_chart(view, shape) for shape in SHAPES]
    arts = {counter.art for counter, _ in charts[0].counters}
    targets = [target for target, *_ in (*charts[0].batteries, *charts[0].tokens)]
    return {
        "label": f"The board of {view.scenario}: {', '.join(heading(view))}.",
        "map": drawn(),
        "coast": polygon([oahu.place(spot) for spot in oahu.coast]),
        "ridges": [line([oahu.place(spot) for spot in ridge]) for ridge in oahu.ridges],
        "arts": sorted(arts),
        "pips": sorted({(art.strength, art.full) for art in arts}),
        "tracks": sorted({(target.hits, target.strength) for target in targets}),
        "luck": luck_deck(view.table),
        "charts": charts,
    }


def _draw_chart(view: MatchView[ToraView], shape: Shape) -> Chart:
    """Draw one board, from the heading down to the panels."""
    chart, oahu, harbor = Chart(shape), drawn().oahu, drawn().harbor
    air, panels = Air(chart, view), Panels(chart, view)
    top = panels.heading()
    across = harbor.wide if shape.side_by_side else harbor.narrow
    left, below = (EDGE * 2 + oahu.width, top) if shape.side_by_side else (EDGE, top + oahu.height + EDGE)
    chart.oahu = (EDGE, top, oahu.width, oahu.height)
    chart.harbor = (left, below, across.width, harbor.height)
    Island(air, EDGE, top).draw()
    Harbor(air, left, below).draw()
    chart.quarters.sort(key=lambda quarter: quarter.zone[0], reverse=True)
    panels.sheets(air.cards(below + harbor.height + EDGE))
    return chart
