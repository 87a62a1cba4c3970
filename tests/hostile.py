"""Valid records that are as hard to replay as possible."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from readyroom import bots
from readyroom.engine.errors import CannotUndo
from readyroom.engine.game import load_game
from readyroom.engine.match import Match

AnyMatch = Match[Any, Any]


def decide_and_undo(undos: int, game: str = "midway") -> str:
    """Return the record of a match whose first decision is undone this often before it is played to its end."""
    match: AnyMatch = Match(load_game(game), seed="decide and undo")
    seat = next(iter(match.pending))
    for _ in range(undos):
        match.decide(seat, match.pending[seat].sample(Random(1)))
        match.undo(seat)
    for _ in play_on(match):
        pass
    return match.record()


def full_of_undos(game: str, scenario: str | None = None, undos: int = 300, seed: int = 1) -> AnyMatch:
    """Return a finished match in which each seat has undone decisions this often, as late as it could."""
    match: AnyMatch = Match(load_game(game), scenario, seed=f"full of undos {seed}")
    left = {seat.key: undos for seat in match.seats}
    for seat in play_on(match):
        while (
            left[seat] and match.outcome is None and match.decision_count > 5 and Random(match.revision).random() < 0.8
        ):
            try:
                match.undo(seat)
            except CannotUndo:
                break
            left[seat] -= 1
            if seat in match.pending:
                match.decide(seat, match.pending[seat].sample(Random(match.revision)))
    return match


def play_on(match: AnyMatch, bot: str = bots.RANDOM) -> Iterator[str]:
    """Let bots play a match to its end; yield the seat that has decided each time."""
    players = {seat.key: bots.make_bot(match.game, bot, seat.key, Random(seat.key)) for seat in match.seats}
    while match.pending:
        seat = next(iter(match.pending))
        match.decide(seat, list(players[seat](match.pending[seat], match.bot_view(seat))))
        yield seat
