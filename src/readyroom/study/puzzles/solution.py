"""What may happen after the best answer of a puzzle."""

from __future__ import annotations

from random import Random

from readyroom.bots import default_bot, make_bot
from readyroom.study.puzzles.puzzle import Puzzle

MOST_LINES = 10
"""The most log lines after the best answer."""


def next_lines(puzzle: Puzzle, most: int = MOST_LINES) -> list[str]:
    """Return the log after the best answer as the seat sees it, up to its next decision or a number of lines.

    It is one of many ways: the match's own dice, and default bots in all seats.
    """
    match, seat = puzzle.match(), puzzle.spec.seat
    before = len(match.log(seat))
    match.decide(seat, puzzle.best.keys)
    name = default_bot(match.game)
    bots = {each.key: make_bot(match.game, name, each.key, Random(f"{puzzle.id}/{each.key}")) for each in match.seats}
    while match.outcome is None and len(match.log(seat)) - before < most:
        for other, decision in match.pending.items():
            match.decide(other, bots[other](decision, match.bot_view(other)))
    return [line.text for line in match.log(seat)[before:][:most]]
