"""How a terminal shows the board: who lies where, as far as the seat of the view knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import MatchView
from tokyo_express.scene import Shown, scene

STATES = {"burnt": "burns", "torpedoed": "torpedoed", "drums": "drums", "escort": "escort", "": ""}


def board(view: MatchView[Any]) -> RenderableType:
    """The board of a match as the seat of this view sees it."""
    whole_scene = scene(view)
    places = Table.grid(padding=(0, 2))
    for place in whole_scene.places:
        places.add_row(Text(place.name, "bold"), Text(", ".join(_told(place.ships)) or "–"))
    return Group(Text(whole_scene.title, "bold"), Text(whole_scene.line), places)


def _told(ships: list[Shown]) -> Iterator[str]:
    for ship in ships:
        yield f"{ship.name} ({STATES[ship.state]})" if ship.state else ship.name
