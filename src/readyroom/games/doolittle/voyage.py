"""[12.0] The voyage: the phases of a naval turn."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.state import At
from readyroom.engine.table import Steps
from readyroom.games.doolittle import quarters, refuelling, sea_effects, sea_hazards, underway, weather
from readyroom.games.doolittle.launching import may_launch
from readyroom.games.doolittle.segments import onward
from readyroom.games.doolittle.setting_out import launch
from readyroom.games.doolittle.ships import voyage
from readyroom.games.doolittle.state import Doolittle, T

Rule = Callable[[T], Steps | None]


def deck(table: T) -> Steps:
    """[12.3, DR53] At the planned point, or west of it, the bombers have to launch, as planned."""
    state, area = table.state, voyage(table.state).area
    assert state.plan is not None
    planned = state.plan.launch_area
    there = area == planned or (bool(area) and bool(planned) and table.data.sea.west_of(area, planned))
    if there and may_launch(table):
        yield from launch(table, planned=True)


PHASES: list[tuple[str, str, str, Rule]] = [
    ("general-quarters", "general quarters", "12.1", quarters.quarters),
    ("weather", "weather", "12.2", weather.weather),
    ("deck", "launch from the deck", "12.3", deck),
    ("underway", "underway", "12.5", underway.underway),
    (sea_effects.PHASE, "sea hazards", "12.6", sea_hazards.hazards),
    ("refueling", "refueling", "12.7", refuelling.refueling),
]
"""Name, title and rule of each phase, and what is done in it."""
_NAMES = [name for name, *_ in PHASES]


def following(state: Doolittle) -> At:
    """[12.0, 12.0.1] The next phase of the naval turn, the next turn, or what follows upon the voyage."""
    at = state.at
    if voyage(state).over:
        return onward(state)
    if at.phase == _NAMES[-1]:
        return At(at.turn + 1, _NAMES[0])
    return At(at.turn, _NAMES[_NAMES.index(at.phase) + 1])
