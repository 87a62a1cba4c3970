"""Headings of the log, match statistics, the epilogue and the losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readyroom.authoring import Loss, Phase, Scenario
from tokyo_express.state import JAPAN, USA, Data, Express


def headings(scenario: Scenario, turn: int, phase: Phase[Express, Data]) -> tuple[str, str]:
    """[2] Return the log headings of a phase."""
    return f"Night {turn}", phase.title


def match_stats(state: Express, data: Data) -> Mapping[str, float]:
    """[6] Return the statistics of a match for studies."""
    return {
        "Drums landed": sum(state.landed),
        "Destroyers burnt": len(state.burnt),
        "Cruisers torpedoed": len(state.torpedoed),
    }


def epilogue(state: Express, data: Data) -> Sequence[str]:
    """[6] Sum up each night for the report."""
    nights = [f"Night {at}: {drums} drums." for at, drums in enumerate(state.landed, 1)]
    lost = [f"The {ship} is lost." for ship in [*state.burnt, *state.torpedoed]]
    return [*nights, *lost]


def losses(state: Express, data: Data) -> Sequence[Loss]:
    """[6] Return the ships of each side that are lost."""
    return [
        Loss(side=side, shape="ship", name=str(ship), fate=fate)
        for side, ships, fate in ((JAPAN, state.burnt, "burnt"), (USA, state.torpedoed, "torpedoed"))
        for ship in ships
    ]
