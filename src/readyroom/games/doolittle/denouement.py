"""[14.0] The denouement: what becomes of bombers, crews and ships after the raid."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.state import At
from readyroom.engine.table import Steps
from readyroom.games.doolittle import ditched, fields, homeward, landing, siberia, treks
from readyroom.games.doolittle.segments import FIRST, onward
from readyroom.games.doolittle.state import Doolittle, T

Rule = Callable[[T], Steps | None]
PHASES: list[tuple[str, str, str, Rule]] = [
    (FIRST["denouement"], "landing", "14.1", landing.land),
    ("ditching", "ditched crews", "14.2", ditched.ditching),
    (homeward.PHASE, "return to port", "14.3", homeward.homeward),
    ("fields", "fields in China", "14.4.1", fields.capable),
    ("transport", "to Chungking", "14.4.2", treks.transport),
    ("siberia", "the Soviet Union", "14.5", siberia.siberia),
    ("korea", "Korea", "14.6", siberia.korea),
]
"""[14.0] The steps in their order."""
_NAMES = [name for name, *_ in PHASES]


def following(state: Doolittle) -> At:
    """[14.0, 14.3] The step that comes next; ships that have still to sail home after an airstrike come first."""
    at = state.at
    following_ = _NAMES.index(at.phase) + 1
    return At(at.turn, _NAMES[following_]) if following_ < len(_NAMES) else onward(state)
