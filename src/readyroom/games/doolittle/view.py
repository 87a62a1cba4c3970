"""[1.4] What a captain sees: all but the backs of markers that nobody has turned over."""

from __future__ import annotations

from random import Random

from readyroom.engine.game import View
from readyroom.games.doolittle.figures import Data
from readyroom.games.doolittle.state import Doolittle


def view(state: Doolittle, data: Data, seat: str | None) -> View:
    """What lies on the table."""
    return {"scenario": state.scenario}


def resample(state: Doolittle, data: Data, seat: str, random: Random) -> Doolittle:
    """What nobody has seen, dealt anew."""
    return state
