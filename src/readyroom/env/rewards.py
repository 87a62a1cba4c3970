"""What a match was worth to each seat: nothing while it goes on, and at its end a number from -1 to 1."""

from __future__ import annotations

from typing import Any

from readyroom.engine.game import sides
from readyroom.engine.match import Match

CONTENDERS = 2
"""The sides of the first seats play for the match; whoever sits there besides, such as an umpire, gets nothing."""


def rewards(match: Match[Any, Any]) -> dict[str, float]:
    """What the outcome is worth to each seat; 0 for all while there is none.

    It is the game's own `worth`, from 0 to 1, stretched from -1 to 1: where only the winner counts, 1 for the side that
    won, -1 for the other, and 0 where nobody won.
    """
    outcome, worth = match.outcome, dict[str, float]()
    if outcome is not None:
        worth = {side: 2 * match.game.utility(outcome, side) - 1 for side in sides(match.seats)[:CONTENDERS]}
    return {seat.key: worth.get(seat.side, 0.0) for seat in match.seats}
