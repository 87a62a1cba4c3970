"""[13.0] Planning: the four months from January to April, and the phases in them."""

from __future__ import annotations

from readyroom.engine.state import At
from readyroom.games.doolittle.figures.common import MONTHS, Month
from readyroom.games.doolittle.planning import april, china, crane, diplomacy, february, january, march
from readyroom.games.doolittle.segments import Rows, called_off, onward
from readyroom.games.doolittle.state import Doolittle

PHASES: Rows = [
    ("january", "January", "13.1", january.january),
    ("february", "February", "13.3", february.february),
    ("march", "March", "13.4", march.march),
    ("april", "April", "13.5", april.april),
    ("crane", "the crane", "13.5.3", crane.crane),
    ("talks", "talks", "13.2", diplomacy.talks),
    ("china", "landing sites in China", "13.2.3", china.china),
    ("events", "events in China", "13.2.4", china.events),
    ("delay", "delay", "13.5.5", april.delay),
    ("security", "security", "13.5.6", april.security),
]
_TALKS = ["talks", "china", "events"]
STEPS: dict[Month, list[str]] = {
    "january": ["january", *_TALKS],
    "february": ["february", *_TALKS],
    "march": ["march", *_TALKS],
    "april": ["april", "crane", *_TALKS, "delay", "security"],
}
"""[13.1, 13.3, 13.4, 13.5] The steps of each month."""


def following(state: Doolittle) -> At:
    """[13.0, 13.5] The next step of the month, the next month, or the voyage; nothing more if the raid is off."""
    if called_off(state):
        return onward(state)
    month = state.notes.month
    steps = STEPS[month]
    for step in steps[steps.index(state.at.phase) + 1 :]:
        if not _idle(state, step):
            return At(state.at.turn, step)
    at = MONTHS.index(month) + 1
    return At(state.at.turn + 1, MONTHS[at]) if at < len(MONTHS) else onward(state)


def _idle(state: Doolittle, step: str) -> bool:
    """[13.2.3, 13.2.4] Whether nothing can happen in a step: no landing in China, or no beacon there."""
    if step == "china":
        return not china.outstanding(state)
    return step == "events" and not state.sky.beacons
