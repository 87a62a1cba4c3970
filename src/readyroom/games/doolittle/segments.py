"""[1.1, 5.1.1, 12.0.1] How one segment follows upon another."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from readyroom.engine.state import At
from readyroom.engine.table import Steps
from readyroom.games.doolittle.figures.ending import Segment
from readyroom.games.doolittle.state import Doolittle, T, leader_name

Rule: TypeAlias = Callable[[T], Steps | None]
Rows: TypeAlias = list[tuple[str, str, str, Rule]]
"""Phases in their order: name, title and rule of each, and what is done in it."""
FIRST: dict[Segment, str] = {
    "planning": "january",
    "naval": "general-quarters",
    "flight": "launch",
    "attack": "airspeed",
    "denouement": "landing",
}
"""The phase with which each segment begins."""
OVER_JAPAN: tuple[Segment, ...] = ("flight", "attack")
"""Segments that there are only when bombers have been launched."""
DEBRIEFING = "debriefing"
"""The phase with which every match ends."""
CALLED_OFF = "called-off"
"""[15.1.2] The fact that the raid was called off before anybody sailed."""


def after(rows: Rows, phase: str) -> str:
    """The phase that follows upon one of these; nothing upon the last."""
    names = [name for name, *_ in rows]
    return dict(pairwise(names)).get(phase, "")


def call_off(state: Doolittle) -> None:
    """[15.1.2] The raid is called off: nothing that was to come does, and the debriefing follows."""
    state.facts[CALLED_OFF] = 1
    state.agenda = []


def called_off(state: Doolittle) -> bool:
    """[15.1.2] Whether the raid was called off."""
    return bool(state.facts.get(CALLED_OFF))


def coming(state: Doolittle) -> Segment | None:
    """The segment that comes after this one; without a launch neither flight nor attack; none at the end."""
    grounded = state.launched is not None and state.launched.how == "none"
    for segment in state.agenda:
        if segment != "attack" and not (grounded and segment in OVER_JAPAN):
            return segment
    return None


def onward(state: Doolittle) -> At:
    """[1.1, 5.1.1] The first phase of the segment that comes after this one, or the debriefing."""
    segment = coming(state)
    return At(state.at.turn + 1, FIRST[segment] if segment else DEBRIEFING)


def announce_lead(table: T) -> None:
    """[1.4, DR111] Say which of several captains leads from now on."""
    if leader := leader_name(table.state):
        table.log_line("1.4", "{} leads.", leader)


def begin(state: Doolittle, segment: Segment) -> None:
    """[1.1] A segment begins; those before it are done. The first phase of each segment calls this."""
    state.segment = segment
    if segment in state.agenda:
        state.agenda = state.agenda[state.agenda.index(segment) + 1 :]
