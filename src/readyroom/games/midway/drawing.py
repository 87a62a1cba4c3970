"""The drawn board: two fleets and, between them, the sea, with the viewer's own fleet at the bottom.

On the left of the sea aircraft go out (Moving, then Ready over the enemy), on the right they come home (Home, then
Waiting), attackers are at their targets, and each fleet has its CAP in front of it. A view gives three charts: a wide
one, one for small windows, and a narrow one for small screens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from readyroom.engine.drawing import LazyChart
from readyroom.engine.game import MatchView
from readyroom.games.midway.board_data import Scene
from readyroom.games.midway.chart import LETTER, Chart
from readyroom.games.midway.landscape import MEDIUM, WIDE, landscape
from readyroom.games.midway.portrait import portrait
from readyroom.games.midway.state import KIND_TITLES
from readyroom.games.midway.view import MidwayView

SHAPES: Mapping[str, Callable[[Scene], Chart]] = {
    "wide": partial(landscape, WIDE),
    "medium": partial(landscape, MEDIUM),
    "narrow": portrait,
}


def room(view: MatchView[MidwayView], least: Mapping[str, float]) -> Mapping[str, float]:
    """Return for how many counters each place has room on the board of a view, at least as many as given."""
    return Scene(view, least).room


def layout(view: MatchView[MidwayView], room: Mapping[str, float] | None = None) -> Mapping[str, Any]:
    """Return the board of a match as the seat of this view sees it, on all charts.

    Given the `room` of several views, their boards differ only in the pieces.
    """
    scene = Scene(view, room)
    ships = [ship for fleet in scene.fleets for ship in fleet.ships]
    arts = {(each.home, each.kind, each.strength): side for each, side in scene.squadrons()}
    return {
        "label": f"The board of {view.scenario}. {'. '.join(scene.lines)}.",
        "scene": scene,
        "figures": view.table.figures,
        "arts": arts,
        "strengths": sorted({strength for _, _, strength in arts}),
        "damages": sorted({ship.carrier.damage for ship in ships if ship.carrier.damage}),
        "legend": list(_legend()),
        "charts": [LazyChart(shape, partial(draw, scene)) for shape, draw in SHAPES.items()],
    }


def _legend() -> Iterator[tuple[str, str, float]]:
    """The types of aircraft, their names, the mark of what is hidden, and where each begins from the middle."""
    titles = [*KIND_TITLES.items(), ("", "?: not seen")]
    widths = [38 + len(title) * LETTER for _, title in titles]
    at = -sum(widths) / 2
    for (kind, title), width in zip(titles, widths, strict=True):
        yield kind, title, at
        at += width
