"""[PH] The sequence of play of an air raid."""

from __future__ import annotations

from itertools import pairwise

from readyroom.engine.game import Phase
from readyroom.engine.rules.state import At, Outcome
from readyroom.games.strategic.pearl import declare, scoring, second, strike
from readyroom.games.strategic.pearl.state import FIRST, SECOND, RaidState
from readyroom.games.strategic.tables.figures import Data

DECLARATION, MAGIC, CARRIERS, SURPRISE = "raid-declaration", "raid-magic", "raid-carriers", "raid-surprise"
ESCORTS, BATTLE, GUNS, ATTACK, DECISION = "raid-escorts", "raid-air-battle", "raid-guns", "raid-attack", "raid-decision"
INTERCEPTION, FLEETS, SCORING = "raid-interception", "raid-carrier-battle", "raid-reckoning"

PHASES: list[Phase[RaidState, Data]] = [
    Phase(DECLARATION, "declaration of war", "PH.1", declare.declare),
    Phase(MAGIC, "Magic", "PH.2", declare.play_magic),
    Phase(CARRIERS, "the American carriers", "51.31.2", declare.place_carriers),
    Phase(SURPRISE, "surprise", "51.31.4", declare.surprise),
    Phase(ESCORTS, "escorts", "PH.4", strike.choose_escorts),
    Phase(BATTLE, "air battle", "PH.5", strike.air_battle),
    Phase(GUNS, "guns", "PH.6", strike.fire),
    Phase(ATTACK, "targets and attacks", "PH.7", strike.attack),
    Phase(DECISION, "stay or withdraw", "PH.10", second.decide),
    Phase(INTERCEPTION, "interception", "51.31.3", second.intercept),
    Phase(FLEETS, "carrier battle", "PH.11", second.carrier_battle),
    Phase(SCORING, "scoring", "PH.13", scoring.score_match),
]
TITLES = {phase.name: phase.title for phase in PHASES}
STRIKE = (ESCORTS, BATTLE, GUNS, ATTACK)
TURNS = {
    FIRST: (DECLARATION, MAGIC, CARRIERS, SURPRISE, *STRIKE, DECISION),
    SECOND: (INTERCEPTION, FLEETS, *STRIKE, SCORING),
}
"""The two strikes; if Japan withdraws after the first, scoring follows at once."""
_NEXT = {turn: dict(pairwise(steps)) for turn, steps in TURNS.items()}


def next_phase(state: RaidState) -> At | Outcome:
    """Return the next phase; the scoring phase ends the match."""
    at = state.at
    if not at.turn:
        return At(FIRST, DECLARATION)
    if at.phase == DECISION:
        return At(SECOND, INTERCEPTION) if state.raid.stays else At(FIRST, SCORING)
    return At(at.turn, _NEXT[at.turn][at.phase])
