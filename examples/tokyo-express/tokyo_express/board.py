"""The board in a terminal: the ships in each place."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.authoring import MatchView
from tokyo_express.scene import Counter, scene
from tokyo_express.view import ExpressView

STATUS = {"burnt": "burns", "torpedoed": "torpedoed", "drums": "drums", "escort": "escort", "": ""}


def board(view: MatchView[ExpressView]) -> RenderableType:
    """Return the board of a view."""
    whole_scene = scene(view)
    places = Table.grid(padding=(0, 2))
    for place in whole_scene.places:
        places.add_row(Text(place.name, "bold"), Text(", ".join(_names(place.counters)) or "–"))
    return Group(Text(whole_scene.title, "bold"), Text(whole_scene.line), places)


def _names(counters: list[Counter]) -> Iterator[str]:
    for counter in counters:
        yield f"{counter.name} ({STATUS[counter.status]})" if counter.status else counter.name
