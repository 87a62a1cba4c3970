"""The sequence of play: sections 2, 5, 7 and 8.1. The battle itself is still to come."""

from __future__ import annotations

from readyroom.engine.game import Phase
from readyroom.engine.state import At, Outcome
from readyroom.games.tora.day import set_day
from readyroom.games.tora.figures import Data
from readyroom.games.tora.planning import plan, revise
from readyroom.games.tora.setup import BEFORE
from readyroom.games.tora.state import Tora

PLAN: Phase[Tora, Data] = Phase("plan", "planning in secret", "5", plan)
REVISE: Phase[Tora, Data] = Phase("revise", "a last change of plan", "15.1", revise)
DAY: Phase[Tora, Data] = Phase("day", "the day of the attack", "8.1", set_day)
BEFORE_THE_BATTLE = [PLAN, REVISE, DAY]
"""[2] The planning, in the order of the text; all of it is turn 0."""
PHASES = [*BEFORE_THE_BATTLE]


def next_phase(state: Tora) -> At | Outcome:
    """[2, 8.1] The phase that follows. What both sides have from the scenario need not be planned."""
    phase = state.at.phase
    if phase == BEFORE:
        return At(0, DAY.name if state.planned() else PLAN.name)
    if phase == PLAN.name:
        return At(0, REVISE.name if state.rulings.revise != "no" else DAY.name)
    if phase == REVISE.name:
        return At(0, DAY.name)
    return Outcome(None, "set up", "Both sides have set up their forces; the battle is not written yet.")
