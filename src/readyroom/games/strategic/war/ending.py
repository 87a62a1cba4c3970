"""[SW.13] What the end of the war shows: the score at any time, and what each nation has lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from readyroom.engine.rules.state import Loss, Shape
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.war.places import POWERS, SIDE
from readyroom.games.strategic.war.state import WarState
from readyroom.games.strategic.war.turn_end import scores

FACTORS: Mapping[str, tuple[str, Shape]] = {
    "merchants": ("merchant factors", "merchant"),
    "escorts": ("escort factors", "ship"),
    "submarines": ("submarine factors", "submarine"),
    "bombers": ("bomber factors", "bomber"),
    "interceptors": ("interceptor factors", "fighter"),
    "steps": ("factory steps", "site"),
}
"""The losses of a nation by their field: name and outline."""
ADJECTIVES = {"germany": "German", "japan": "Japanese", "allies": "Allied"}


def standing(state: WarState, data: Data) -> dict[str, int]:
    """[SW.13] Return each side's score."""
    return scores(state.war)


def losses(state: WarState, data: Data) -> list[Loss]:
    """[SW.13] Return the factors that each nation has lost, and the steps bombed."""
    return [loss for nation in POWERS for loss in _losses_of(state, nation)]


def _losses_of(state: WarState, nation: str) -> Iterator[Loss]:
    lost = state.war.powers[nation].losses
    for field, (name, shape) in FACTORS.items():
        count: int = getattr(lost, field)
        if count:
            yield Loss(side=SIDE[nation], shape=shape, name=f"{ADJECTIVES[nation]} {name}", count=count)
