"""What is told and counted of a match: the headings of its log, and figures of its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readyroom.engine.game import Phase, Scenario
from tokyo_express.state import Data, Express


def headings(scenario: Scenario, turn: int, phase: Phase[Express, Data]) -> tuple[str, str]:
    """[2] A night, and what happens in it."""
    return f"Night {turn}", phase.title


def counts(state: Express, data: Data) -> Mapping[str, float]:
    """[6] What studies take means and medians of."""
    return {
        "Drums landed": sum(state.landed),
        "Destroyers burnt": len(state.burnt),
        "Cruisers torpedoed": len(state.torpedoed),
    }


def epilogue(state: Express, data: Data) -> Sequence[str]:
    """[6] The nights in a sentence each, for the report."""
    nights = [f"Night {at}: {drums} drums." for at, drums in enumerate(state.landed, 1)]
    lost = [f"The {ship} is lost." for ship in [*state.burnt, *state.torpedoed]]
    return [*nights, *lost]
