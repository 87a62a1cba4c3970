"""[9.5, 14.4.3] What is printed on the maps of the sea and of China, whatever happens: arrows of attacks, and roads."""

from __future__ import annotations

from readyroom.engine.game import View
from readyroom.games.doolittle.figures.data import Data


def arrows(data: Data) -> list[View]:
    """[11.4.1, 12.6.6.E] The arrows by which planes and torpedoes come: of what, on which faces, by which spaces."""
    layout = data.ships.layout
    named = (("torpedo", layout.torpedo), ("dive", layout.dive), ("i-boat", layout.i_boat))
    return [
        {"kind": kind, "face": face, "spaces": list(spaces)}
        for kind, arrows in named
        for face, spaces in arrows.items()
    ]


def roads(data: Data) -> list[View]:
    """[14.4.3] The routes of the transport table."""
    figures, sites = data.denouement.routes, data.flight.site
    names = {key: site.name for key, site in sites.items()}
    names |= {figures.on_foot: "the hills", figures.goal: figures.goal.capitalize()}
    return [
        {
            "start": one.start,
            "end": one.end,
            "from": names[one.start],
            "to": names[one.end],
            "fuel": one.fuel,
            "trek": one.trek,
        }
        for one in figures.route
    ]
