"""[11.0] An airstrike upon ships, in the midst of another phase: five steps, after which that phase continues."""

from __future__ import annotations

from readyroom.engine.state import At
from readyroom.games.doolittle.airstrike import approach, attack, counterstrike
from readyroom.games.doolittle.figures.ending import Segment
from readyroom.games.doolittle.segments import Rows, after
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage import hazard_effects, return_to_port

NAVY, LAST = "strike-navy", "strike-counter"
PHASES: Rows = [
    (NAVY, "airstrike: the Navy launches", "11.1", approach.navy),
    ("strike-army", "airstrike: the Army launches", "11.2", approach.army),
    ("strike-arrival", "airstrike: the planes arrive", "11.3", approach.arrival),
    ("strike-attack", "airstrike: the planes attack", "11.4", attack.attack),
    (LAST, "airstrike: counterstrike", "11.5", counterstrike.counterstrike),
]
"""[11.0, DR56] The steps of an airstrike in their order."""
RESUMES: dict[Segment, str] = {"naval": hazard_effects.PHASE, "denouement": return_to_port.PHASE}
"""[11.0.1, 14.3.2] The phase that continues after an airstrike, by its segment."""


def following(state: Doolittle) -> At:
    """[11.0] The step that comes next; when the airstrike is over the phase that it interrupted continues."""
    at = state.at
    if state.strike is None:
        return At(at.turn + 1, RESUMES[state.segment])
    following_ = after(PHASES, at.phase)
    return At(at.turn, following_) if following_ else At(at.turn + 1, NAVY)
