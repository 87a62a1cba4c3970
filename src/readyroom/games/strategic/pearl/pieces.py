"""The keys of counters and places on the board, for events and the drawing."""

from __future__ import annotations

from readyroom.games.strategic.pearl.state import Force

ESCORTS, ATTACKERS, PATROL, AWAY, BACK = "escorts", "attackers", "patrol", "away", "back"
"""The counters of Japanese squadrons: over the harbor, over their carriers, at the American ones, turned back."""
HARBOR, SKY, FLEET, OAHU, MAGIC, TENSION = "harbor", "sky", "fleet", "oahu", "magic", "tension"
"""Places on the board."""


def up(kind: str) -> str:
    """Return the counter of American aircraft of a kind, army or naval, in the air."""
    return f"{kind}-up"


def down(kind: str) -> str:
    """Return the counter of American aircraft of a kind on the ground."""
    return f"{kind}-down"


def field_place(kind: str) -> str:
    """Return the place of the airfields of a kind of aircraft."""
    return f"field-{kind}"


def berth(force: Force) -> str:
    """Return the place of an American carrier force."""
    return f"berth-{force.key}"


def column_place(label: str) -> str:
    """Return the place of a column of the Surprise Table."""
    return f"column-{label}"


def score_place(side: str) -> str:
    """Return the place of a side's score."""
    return f"score-{side}"
