"""What a match was worth to each seat: nothing while it goes on, and at its end a number from -1 to 1."""

from __future__ import annotations

from typing import Any

from readyroom.engine.game import sides
from readyroom.engine.match import Match
from readyroom.engine.state import Outcome

CONTENDERS = 2
"""The sides of the first seats play for the match; whoever sits there besides, such as an umpire, gets nothing."""


def rewards(match: Match[Any, Any]) -> dict[str, float]:
    """What the outcome is worth to each seat; 0 for all while there is none.

    Between two sides it is 1 for the side that won, -1 for the other, and 0 where nobody won. Where all seats are of
    one side, its endings are graded: from -1 for the worst to 1 for the best, in even steps. An ending that is not
    among the grades is as bad as the worst; a game without grades gives 1 for a win and 0 for anything else.
    """
    outcome = match.outcome
    playing = sides(match.seats)[:CONTENDERS]
    if outcome is None:
        return dict.fromkeys([seat.key for seat in match.seats], 0.0)
    worth = {side: _of_two(outcome, side) for side in playing}
    if len(playing) == 1:
        worth = {playing[0]: _alone(match, outcome)}
    return {seat.key: worth.get(seat.side, 0.0) for seat in match.seats}


def _of_two(outcome: Outcome, side: str) -> float:
    if outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == side else -1.0


def _alone(match: Match[Any, Any], outcome: Outcome) -> float:
    grades = match.game.grades(match.state, match.game.data)
    if not grades:
        return float(outcome.winner is not None)
    return 2 * grades.index(outcome.title) / (len(grades) - 1) - 1 if outcome.title in grades else -1.0
