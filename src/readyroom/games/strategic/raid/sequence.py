"""[PH] The sequence of play of an air raid."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from readyroom.engine.game import Phase
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import Steps
from readyroom.games.strategic.raid import declare, scoring, second, strike
from readyroom.games.strategic.raid.state import FIRST, SECOND, RaidState, T
from readyroom.games.strategic.tables.figures import Data

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


_RULES: dict[str, Callable[[T], Steps | None]] = {
    DECLARATION: declare.declare,
    MAGIC: declare.play_magic,
    CARRIERS: declare.place_carriers,
    SURPRISE: declare.surprise,
    ESCORTS: strike.choose_escorts,
    BATTLE: strike.air_battle,
    GUNS: strike.fire,
    ATTACK: strike.attack,
    DECISION: second.decide,
    INTERCEPTION: second.intercept,
    FLEETS: second.carrier_battle,
    SCORING: scoring.score_match,
}
PHASES: list[Phase[RaidState, Data]] = [
    Phase(name, title, rule, _RULES[name]) for name, (title, rule) in TITLES.items()
]


def next_phase(state: RaidState) -> At | Outcome:
    """Return the next phase; the scoring phase ends the match."""
    at = state.at
    if not at.turn:
        return At(FIRST, DECLARATION)
    if at.phase == DECISION:
        return At(SECOND, INTERCEPTION) if state.raid.stays else At(FIRST, SCORING)
    return At(at.turn, _NEXT[at.turn][at.phase])
