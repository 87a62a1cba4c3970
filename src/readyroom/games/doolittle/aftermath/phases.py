"""[14.0] The denouement: what becomes of bombers, crews and ships after the raid."""

from __future__ import annotations

from readyroom.engine.state import At
from readyroom.games.doolittle.aftermath import ditched, fields, siberia, treks
from readyroom.games.doolittle.flight import landing
from readyroom.games.doolittle.segments import FIRST, Rows, after, onward
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage import return_to_port

PHASES: Rows = [
    (FIRST["denouement"], "landing", "14.1", landing.land),
    ("ditching", "ditched crews", "14.2", ditched.ditching),
    (return_to_port.PHASE, "return to port", "14.3", return_to_port.homeward),
    ("fields", "fields in China", "14.4.1", fields.capable),
    ("transport", "to Chungking", "14.4.2", treks.transport),
    ("siberia", "the Soviet Union", "14.5", siberia.siberia),
    ("korea", "Korea", "14.6", siberia.korea),
]
"""[14.0] The steps in their order."""


def following(state: Doolittle) -> At:
    """[14.0, 14.3] The step that comes next; ships that have still to sail home after an airstrike come first."""
    following_ = after(PHASES, state.at.phase)
    return At(state.at.turn, following_) if following_ else onward(state)
