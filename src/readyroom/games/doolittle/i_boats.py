"""[12.6.6.E] An I-boat."""

from __future__ import annotations

from readyroom.engine.table import Steps
from readyroom.games.doolittle.state import T


def attacks(table: T, group: str = "") -> Steps:
    """[12.6.6.E] Stand-in."""
    yield from ()
    table.say("12.6.6.E", "An I-boat is heard, and lost again.")
