"""Captions of playback: lines of the log in words."""

from __future__ import annotations

import re

GOAL = re.compile(r"(\d+) so far, and a die must bring them to (\d+)\.$")
ENOUGH = "They succeed at the end of the turn without a roll."


def caption(text: str) -> str:
    """[SW.6] Return the caption of a line of the log, with what research points mean for the roll at the turn's end.

    >>> caption("Germany spends 2 research points on torpedoes: 4 so far, and a die must bring them to 7.")
    'Germany spends 2 research points on torpedoes: 4 in all. A die of 3 or more succeeds at the end of the turn.'
    >>> caption("Germany spends 2 research points on torpedoes: 6 so far, and a die must bring them to 7.")
    'Germany spends 2 research points on torpedoes: 6 in all. They succeed at the end of the turn without a roll.'
    """
    return GOAL.sub(_describe, text)


def _describe(match: re.Match[str]) -> str:
    points, goal = int(match[1]), int(match[2])
    least = goal - points
    how = f"A die of {least} or more succeeds at the end of the turn." if least > 1 else ENOUGH
    return f"{points} in all. {how}"
