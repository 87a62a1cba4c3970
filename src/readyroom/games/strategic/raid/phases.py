"""[PH] The phases of an air raid with their rules."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.game import Phase
from readyroom.engine.state import At, Outcome
from readyroom.engine.table import Steps
from readyroom.games.strategic.raid import declare, scoring, second, sequence, strike
from readyroom.games.strategic.raid.state import FIRST, RaidState, T
from readyroom.games.strategic.tables.figures import Data

_RULES: dict[str, Callable[[T], Steps | None]] = {
    sequence.DECLARATION: declare.declare,
    sequence.MAGIC: declare.play_magic,
    sequence.CARRIERS: declare.place_carriers,
    sequence.SURPRISE: declare.surprise,
    sequence.ESCORTS: strike.choose_escorts,
    sequence.BATTLE: strike.air_battle,
    sequence.GUNS: strike.fire,
    sequence.ATTACK: strike.attack,
    sequence.DECISION: second.decide,
    sequence.INTERCEPTION: second.intercept,
    sequence.FLEETS: second.carrier_battle,
    sequence.SCORING: scoring.score_match,
}
PHASES: list[Phase[RaidState, Data]] = [
    Phase(name, title, rule, _RULES[name]) for name, (title, rule) in sequence.TITLES.items()
]


def next_phase(state: RaidState) -> At | Outcome:
    """Return the next phase; the scoring phase ends the match."""
    return sequence.after(state.at, state.raid) if state.at.turn else At(FIRST, sequence.DECLARATION)
