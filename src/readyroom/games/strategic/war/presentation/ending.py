"""[SW.13] What the end of the war shows: the score at any time, and what each nation has lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from readyroom.engine.rules.state import Loss, ScaleBand, ScoreScale, Shape
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.war.places import POWERS, SIDE
from readyroom.games.strategic.war.state import WarState
from readyroom.games.strategic.war.turn_end import PERCENT, bombing_score, scores

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


def scale(state: WarState, data: Data) -> ScoreScale | None:
    """[SW.13] Return the lead in percent between the margins of both sides; None if the war ended early."""
    war, victory, totals = state.war, state.war.victory, scores(state.war)
    starved, ruin = victory.starved, victory.ruin
    ended = starved is not None and war.thin >= starved.turns
    if ruin is not None and war.oceans["japan"].merchants <= ruin.merchants:
        ended = ended or bombing_score(war) >= ruin.bombing
    most = max(totals.values())
    if state.at.turn < war.turns or ended or most <= 0:
        return None
    lead = totals["axis"] - totals["allies"]
    percent = -(-PERCENT * abs(lead) // most)  # rounded up: more than the margin wins
    bands = [
        ScaleBand("the Allies win", side="allies"),
        ScaleBand("even", -victory.margin),
        ScaleBand("the Axis wins", victory.margin + 1, "axis"),
    ]
    return ScoreScale("lead of the Axis in percent of the higher score", percent if lead > 0 else -percent, bands)


def losses(state: WarState, data: Data) -> list[Loss]:
    """[SW.13] Return the factors that each nation has lost, and the steps bombed."""
    return [loss for nation in POWERS for loss in _losses_of(state, nation)]


def _losses_of(state: WarState, nation: str) -> Iterator[Loss]:
    lost = state.war.powers[nation].losses
    for field, (name, shape) in FACTORS.items():
        count: int = getattr(lost, field)
        if count:
            yield Loss(side=SIDE[nation], shape=shape, name=f"{ADJECTIVES[nation]} {name}", count=count)
