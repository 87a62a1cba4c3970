"""[PH] The sequence of play of an air raid."""

from __future__ import annotations

from itertools import pairwise

from readyroom.engine.state import At
from readyroom.games.strategic.raid.state import FIRST, SECOND, Raid

DECLARATION, MAGIC, CARRIERS, SURPRISE = "raid-declaration", "raid-magic", "raid-carriers", "raid-surprise"
ESCORTS, BATTLE, GUNS, ATTACK, DECISION = "raid-escorts", "raid-air-battle", "raid-guns", "raid-attack", "raid-decision"
INTERCEPTION, FLEETS, SCORING = "raid-interception", "raid-carrier-battle", "raid-reckoning"

TITLES = {
    DECLARATION: ("declaration of war", "PH.1"),
    MAGIC: ("Magic", "PH.2"),
    CARRIERS: ("the American carriers", "51.31.2"),
    SURPRISE: ("surprise", "51.31.4"),
    ESCORTS: ("escorts", "PH.4"),
    BATTLE: ("air battle", "PH.5"),
    GUNS: ("guns", "PH.6"),
    ATTACK: ("targets and attacks", "PH.7"),
    DECISION: ("stay or withdraw", "PH.10"),
    INTERCEPTION: ("interception", "51.31.3"),
    FLEETS: ("carrier battle", "PH.11"),
    SCORING: ("scoring", "PH.13"),
}
"""The phases with their titles and rules."""
STRIKE = (ESCORTS, BATTLE, GUNS, ATTACK)
TURNS = {
    FIRST: (DECLARATION, MAGIC, CARRIERS, SURPRISE, *STRIKE, DECISION),
    SECOND: (INTERCEPTION, FLEETS, *STRIKE, SCORING),
}
"""The two strikes; if Japan withdraws after the first, scoring follows at once."""
_NEXT = {turn: dict(pairwise(steps)) for turn, steps in TURNS.items()}


def after(at: At, raid: Raid) -> At:
    """Return the next phase; scoring is the last."""
    if at.phase == DECISION:
        return At(SECOND, INTERCEPTION) if raid.stays else At(FIRST, SCORING)
    return At(at.turn, _NEXT[at.turn][at.phase])
