"""The drawn board: a game's own `board.svg.j2`, made of the pieces that all games share; and the board as text."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from io import StringIO
from typing import Any, NamedTuple

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup
from rich.console import Console

from readyroom.engine.game import Game, MatchView
from readyroom.web.detail import detail, text_styles
from readyroom.web.formatting import Data
from readyroom.web.labels import add_labels
from readyroom.web.rendering import whole
from readyroom.web.static_files import board_css

BOARD = "board.svg.j2"
"""The template that a game's package has if its board is drawn."""
KEEPSAKE = "report.svg.j2"
"""The template of what is drawn for the end of a match, if a game has one."""
PART = re.compile(r'(id="|#)(?=pc-)')
"""Where a drawing names or uses one of its parts."""
SHOWN = re.compile(r'data-(?:key|place|stack)="([^"]*)"')
ANSWERS = re.compile(r'data-(?:key|among)="([^"]*)"')
"""The options that a piece of a drawing stands for, or sends somewhere."""
COLUMNS = 80
MEDIUM = "medium"
"""The shape of charts that not every game has; a page gets them at its script's request."""
LOGGER = logging.getLogger("readyroom.web")


def draw(
    game: Game[Any, Any],
    view: MatchView[Any],
    decision: Data | None = None,
    separate: str = "",
    shape: str = "",
) -> Markup:
    """Return the board of a view, with the options of the decision marked as selectable.

    Every piece that may be an option has its key as `data-key`. A game without a drawing shows its board in words, and
    so does one whose drawing fails; the log then says what is wrong with it.

    Args:
        game: the game.
        view: what the viewer may see.
        decision: the viewer's question, if any: its `options`, each with a `key`, and the key of what it is `about`.
            If options assign pieces to places, the template gets their keys by piece as `orders` and by place as
            `arrivals`.
        separate: a prefix that makes the ids of this drawing unique on the page.
        shape: "wide", "medium" or "narrow" for the charts of that shape alone, the wide ones in a game without medium
            ones; without it, and in a game whose charts have none, all but medium ones are drawn, and the page shows
            what fits.
    """
    try:
        drawn = drawing(game, view, decision, shape)
    except Exception:  # whatever a game's own drawing does, its table is not lost for it
        LOGGER.exception("cannot draw the board of %s; showing it as text", game.key)
        drawn = None
    if drawn is None:
        return Markup('<pre class="board-words">{}</pre>').format(words(game, view))
    parts = PART.sub(rf"\g<1>{separate}", drawn.svg) if separate else drawn.svg
    if drawn.is_single_shape:
        return Markup('<div class="board board-alone" data-shape="{}">\n{}</div>').format(shape, Markup(parts))
    mark = Markup(' data-medium=""') if drawn.has_medium else ""
    return Markup('<div class="board"{}>\n{}</div>').format(mark, Markup(parts))


def answers_on(board: str) -> set[str]:
    """Return the keys for which a drawn board has pieces."""
    return {key for keys in ANSWERS.findall(board) for key in keys.split()}


def keys_on(board: str) -> set[str]:
    """Return the keys of the pieces and places that a drawn board shows."""
    return {key for keys in SHOWN.findall(board) for key in keys.split()}


class Drawing(NamedTuple):
    """A drawn board for a page, whether it is the chart of one shape only, and whether there is a medium one."""

    svg: str
    is_single_shape: bool
    has_medium: bool


def drawing(
    game: Game[Any, Any],
    view: MatchView[Any],
    decision: Data | None = None,
    shape: str = "",
    room: Mapping[str, float] | None = None,
) -> Drawing | None:
    """Return the drawing of a board, or None for a game without one; errors of the template are raised.

    `room` is the least room for what it draws, see `GamePresentation.room`.
    """
    template = _template(game.packages) if game.presentation.layout is not None else None
    if template is None or game.presentation.layout is None:
        return None
    asked, layout = (
        decision or {},
        dict(game.presentation.layout(view, room) if room else game.presentation.layout(view)),
    )
    charts = layout.get("charts", ())
    sole = _of_shape(charts, shape)
    shown = sole or [chart for chart in charts if _shape(chart) != MEDIUM]
    svg = template.render(
        layout | {"charts": shown} if shown else layout,
        colours=game.presentation.colours,
        aims=game.presentation.aims,
        can={option["key"] for option in asked.get("options", ())},
        about=asked.get("about", ""),
        texts={option["key"]: option.get("text", "") for option in asked.get("options", ())},
        **_assignments(asked.get("options", ())),
    )
    return Drawing(add_labels(svg, shown, asked), bool(sole), any(_shape(chart) == MEDIUM for chart in charts))


def _assignments(options: Sequence[Data]) -> dict[str, dict[str, str]]:
    """Return the keys of options by the piece that they assign, and by the place to which they assign one."""
    orders: dict[str, dict[str, str]] = {"orders": {}, "arrivals": {}}
    for option in options:
        for by_key, key in zip(orders.values(), option.get("assigns") or (), strict=False):
            if key:
                by_key[key] = f"{by_key[key]} {option['key']}" if key in by_key else option["key"]
    return orders


def _of_shape(charts: Sequence[Any], shape: str) -> list[Any]:
    """Return the charts of a shape; the wide ones where there are no medium ones."""
    found = [chart for chart in charts if _shape(chart) == shape]
    return found or (_of_shape(charts, "wide") if shape == MEDIUM else [])


def _shape(chart: Any) -> Any:
    return chart.get("shape") if isinstance(chart, Mapping) else getattr(chart, "shape", None)


def scene(game: Game[Any, Any], view: MatchView[Any], target: str = "", label: str = "") -> Markup:
    """Draw a part of a board as a picture: what is around the piece or place with the key `target`, or all of it.

    With a label, a ring with it marks the target. Nothing on the picture can be selected. It is empty for a game
    without a drawing, and if that fails.
    """
    try:
        drawn = drawing(game, view, shape="wide")
    except Exception:
        LOGGER.exception("cannot draw a scene of %s", game.key)
        drawn = None
    if drawn is None:
        return Markup("")
    svg = PART.sub(r"\g<1>scene-", detail(drawn.svg, target, text_styles(board_css(game.key)), label))
    return Markup('<div class="board board-alone scene" aria-hidden="true">\n{}</div>').format(Markup(svg))


def summary_image(game: Game[Any, Any], view: MatchView[Any]) -> Markup:
    """Draw the end of a match for its report; empty for a game without such a drawing."""
    template = _template(game.packages, KEEPSAKE) if game.presentation.layout is not None else None
    if template is None or game.presentation.layout is None:
        return Markup("")
    drawn = PART.sub(r"\g<1>kept-", template.render(game.presentation.layout(view), colours=game.presentation.colours))
    return Markup('<div class="board summary-image">\n{}</div>').format(Markup(drawn))


def words(game: Game[Any, Any], view: MatchView[Any]) -> str:
    """Return the board as text, as in the terminal; empty for a game that has none."""
    if game.presentation.board is None:
        return ""
    page = StringIO()
    Console(file=page, width=COLUMNS, color_system=None, legacy_windows=False).print(game.presentation.board(view))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())


@lru_cache(maxsize=64)
def _template(packages: tuple[str, ...], name: str = BOARD) -> Template | None:
    """Return a template of a game's first package, or None; the one for the end is loaded together with the board."""
    if not files(packages[0]).joinpath(name).is_file():
        return None
    if name == BOARD:
        _template(packages, KEEPSAKE)
    loader = ChoiceLoader([*(PackageLoader(package, ".") for package in packages), PackageLoader("readyroom.web")])
    drawn = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return whole(drawn, name)
