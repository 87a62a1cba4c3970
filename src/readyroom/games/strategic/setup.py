"""Setup: scenarios, seats and the initial state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from readyroom.engine.data import ready
from readyroom.engine.game import Phase, Scenario, Seat
from readyroom.engine.state import At
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.parts import PARTS
from readyroom.games.strategic.state import Rulings, Strategic

BEFORE = "before"
"""The phase of a match before its first one."""


def scenarios(data: Data) -> list[Scenario]:
    """Return the built-in scenarios in their `order`."""
    ordered = sorted(data.scenarios.items(), key=lambda item: (item[1].order, item[0]))
    return [Scenario(key=key, title=each.title, summary=each.summary, content=each) for key, each in ordered]


def seats(scenario: Scenario, options: Mapping[str, str]) -> tuple[Seat, ...]:
    """Return the seats of a scenario."""
    return PARTS[type(scenario.content)].seats


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Strategic:
    """Return the initial state."""
    rulings = msgspec.convert(dict(options), ready(Rulings))
    played = PARTS[type(scenario.content)].start(data, scenario.content)
    return Strategic(at=At(0, BEFORE), rulings=rulings, played=played)


def played(scenario: Scenario) -> Sequence[Phase[Strategic, Data]]:
    """Return the phases of a scenario."""
    return PARTS[type(scenario.content)].phases


def check_opening(data: Data, scenario: Scenario) -> None:
    """Raise `InvalidData` if no match can start with a scenario."""
    PARTS[type(scenario.content)].start(data, scenario.content)
