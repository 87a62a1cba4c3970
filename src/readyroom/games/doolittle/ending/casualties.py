"""[1.9, 2.1] What was lost in the raid, for its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from readyroom.engine.rules.state import Loss
from readyroom.games.doolittle.ending.facts import sunk_ships
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Fate
from readyroom.games.doolittle.state import Doolittle

LOST: Mapping[Fate, str] = {
    "destroyed": "lost with its crew",
    "captured": "crew captured",
    "ditched": "ditched, crew saved",
    "crashed": "crashed, crew saved",
    "overboard": "lost at the ship",
    "wrecked": "burned by its crew",
    "seized": "seized by Japan",
}
"""[2.1, 14.1] How a bomber may be lost."""


def losses(state: Doolittle, data: Data) -> list[Loss]:
    """[1.9] Return ships sunk, each bomber lost, and enemy ships sunk."""
    return list(_losses(state, data))


def _losses(state: Doolittle, data: Data) -> Iterator[Loss]:
    for key in sunk_ships(state, data):
        card = data.ships.cards[key]
        yield Loss(side="usa", shape="carrier" if card.type == "CV" else "ship", name=card.name, fate="sunk")
    for bomber in state.squad.values():
        if bomber.fate in LOST:
            name = data.bombers.cards[bomber.key].pilot
            yield Loss(side="usa", shape="bomber", name=name, fate=LOST[bomber.fate])
    sunk = state.facts.get("enemy-ships", 0)
    if sunk:
        yield Loss(side="japan", shape="ship", name="ships", fate="sunk", count=sunk)
