"""Positions on the drawn board: a chart of Oahu and its waters, and one of Pearl Harbor.

There are two boards, a wide one with the charts side by side, and a narrow one for small screens. Lengths are SVG
units, about pixels on a screen. The outlines of the charts are in `data/map.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from readyroom.engine.drawing import LazyChart
from readyroom.engine.game import MatchView
from readyroom.games.tora.board_data import batteries, board_view, heading, luck_deck, yard_tokens
from readyroom.games.tora.drawing.air import Air, crowds, unit_arts
from readyroom.games.tora.drawing.chart import EDGE, SHAPES, Chart, Shape
from readyroom.games.tora.drawing.harbor import Harbor
from readyroom.games.tora.drawing.island import Island
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.offers import formation_ways, ways_to
from readyroom.games.tora.drawing.outlines import line, polygon
from readyroom.games.tora.drawing.panels import Panels, panel_heights
from readyroom.games.tora.view import ToraView


def room(view: MatchView[ToraView], least: Mapping[str, float]) -> Mapping[str, float]:
    """Return the room that aircraft, by zone and field, and panels need on the board of a view, or what they have."""
    view = board_view(view)
    needs = crowds(view) | {key: height for shape in SHAPES for key, height in panel_heights(view, shape).items()}
    return {key: max(size, least.get(key, 0)) for key, size in needs.items()}


def layout(view: MatchView[ToraView], room: Mapping[str, float] | None = None) -> Mapping[str, Any]:
    """Return the board of a match as the seat of this view sees it, on both charts.

    Given the `room` of several views, their boards have the same size, panels and scales.
    """
    view, oahu = board_view(view), drawn().oahu
    charts = [LazyChart(shape.name, partial(_draw_chart, view, shape, room or {})) for shape in SHAPES]
    arts, targets = set(unit_arts(view.table)), [*batteries(view.table), *yard_tokens(view.table)]
    return {
        "label": f"The board of {view.scenario}: {', '.join(heading(view))}.",
        "map": drawn(),
        "coast": polygon([oahu.place(spot) for spot in oahu.coast]),
        "ridges": [line([oahu.place(spot) for spot in ridge]) for ridge in oahu.ridges],
        "arts": sorted(arts),
        "pips": sorted({(art.strength, art.full) for art in arts}),
        "tracks": sorted({(target.hits, target.strength) for target in targets}),
        "luck": luck_deck(view.table),
        "formation_ways": formation_ways,
        "ways_to": ways_to,
        "charts": charts,
    }


def _draw_chart(view: MatchView[ToraView], shape: Shape, room: Mapping[str, float]) -> Chart:
    """Draw one board, from the heading down to the panels."""
    chart, oahu, harbor = Chart(shape), drawn().oahu, drawn().harbor
    chart.air = air = Air(chart, view, room)
    panels = Panels(chart, view, room)
    top = panels.heading()
    across = harbor.wide if shape.side_by_side else harbor.narrow
    left, below = (EDGE * 2 + oahu.width, top) if shape.side_by_side else (EDGE, top + oahu.height + EDGE)
    chart.oahu = (EDGE, top, oahu.width, oahu.height)
    chart.harbor = (left, below, across.width, harbor.height)
    Island(air, EDGE, top).draw()
    Harbor(air, left, below).draw()
    chart.quarters.sort(key=lambda quarter: quarter.zone[0], reverse=True)
    lowest = top + oahu.height
    panels.sheets(left, below + harbor.height + EDGE, across.width, lowest)
    chart.height = max(chart.height, round(lowest + EDGE))
    return chart
