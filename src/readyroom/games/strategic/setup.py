"""Setting up: the seats, the scenarios, and the table at the start."""

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
"""The phase in which a match stands before its first one."""


def scenarios(data: Data) -> list[Scenario]:
    """The game's own scenarios, in the order in which their files want to stand."""
    ordered = sorted(data.scenarios.items(), key=lambda one: (one[1].order, one[0]))
    return [Scenario(key=key, title=each.title, summary=each.summary, content=each) for key, each in ordered]


def seats(scenario: Scenario, options: Mapping[str, str]) -> tuple[Seat, ...]:
    """The seats of the part that is played."""
    return PARTS[type(scenario.content)].seats


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Strategic:
    """The table at the start."""
    rulings = msgspec.convert(dict(options), ready(Rulings))
    played = PARTS[type(scenario.content)].start(data, scenario.content)
    return Strategic(at=At(0, BEFORE), rulings=rulings, played=played)


def played(scenario: Scenario) -> Sequence[Phase[Strategic, Data]]:
    """The phases of the part that is played."""
    return PARTS[type(scenario.content)].phases


def check_opening(data: Data, scenario: Scenario) -> None:
    """A scenario is refused where no match can begin with it; `InvalidData` says why."""
    PARTS[type(scenario.content)].start(data, scenario.content)
