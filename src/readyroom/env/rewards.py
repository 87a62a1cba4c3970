"""Rewards of seats: 0 during a match, and from -1 to 1 at its end."""

from __future__ import annotations

from typing import Any

from readyroom.engine.game import sides
from readyroom.engine.match import Match

CONTENDERS = 2
"""Only the first two sides get rewards; other seats, such as an umpire, get 0."""


def rewards(match: Match[Any, Any]) -> dict[str, float]:
    """Return each seat's reward: the game's utility scaled to -1 to 1; 0 while there is no outcome."""
    outcome, rewards = match.outcome, dict[str, float]()
    if outcome is not None:
        rewards = {side: 2 * match.game.analysis.utility(outcome, side) - 1 for side in sides(match.seats)[:CONTENDERS]}
    return {seat.key: rewards.get(seat.side, 0.0) for seat in match.seats}
