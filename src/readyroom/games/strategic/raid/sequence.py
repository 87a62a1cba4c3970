"""[PH] The sequence of play of an air raid: its steps in the order in which they come."""

from __future__ import annotations

from itertools import pairwise

from readyroom.engine.state import At
from readyroom.games.strategic.raid.state import FIRST, SECOND, Raid

DECLARATION, MAGIC, CARRIERS, SURPRISE = "raid-declaration", "raid-magic", "raid-carriers", "raid-surprise"
ESCORTS, BATTLE, GUNS, ATTACK, DECISION = "raid-escorts", "raid-air-battle", "raid-guns", "raid-attack", "raid-decision"
INTERCEPTION, FLEETS, RECKONING = "raid-interception", "raid-carrier-battle", "raid-reckoning"

TITLES = {
    DECLARATION: ("declaration of war", "PH.1"),
    MAGIC: ("Magic", "PH.2"),
    CARRIERS: ("the American carriers", "51.31.2"),
    SURPRISE: ("surprise", "51.31.4"),
    ESCORTS: ("escorts", "PH.4"),
    BATTLE: ("air battle", "PH.5"),
    GUNS: ("guns", "PH.6"),
    ATTACK: ("targets and attacks", "PH.7"),
    DECISION: ("stay or leave", "PH.10"),
    INTERCEPTION: ("interception", "51.31.3"),
    FLEETS: ("carrier battle", "PH.11"),
    RECKONING: ("reckoning", "PH.13"),
}
"""The steps with their titles and rules."""
STRIKE = (ESCORTS, BATTLE, GUNS, ATTACK)
TURNS = {
    FIRST: (DECLARATION, MAGIC, CARRIERS, SURPRISE, *STRIKE, DECISION),
    SECOND: (INTERCEPTION, FLEETS, *STRIKE, RECKONING),
}
"""The two strikes; Japan may leave after the first, and then only the reckoning is left."""
_NEXT = {turn: dict(pairwise(steps)) for turn, steps in TURNS.items()}


def after(at: At, raid: Raid) -> At:
    """The step that follows; the reckoning is the last."""
    if at.phase == DECISION:
        return At(SECOND, INTERCEPTION) if raid.stays else At(FIRST, RECKONING)
    return At(at.turn, _NEXT[at.turn][at.phase])
