"""Bots: anything that answers a decision from its options and its seat's view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from readyroom.engine.errors import UnknownBot
from readyroom.engine.game import Bot, Game, Seat, find_seats
from readyroom.engine.match import Match

RANDOM = "random"


def random_bot(random: Random) -> Bot:
    """A bot that answers at random and never looks."""
    return lambda decision, look: decision.sample(random)


def names(game: Game[Any, Any]) -> list[str]:
    """The names of all bots that can play a game."""
    return [RANDOM, *game.bots]


def make(game: Game[Any, Any], name: str, seat: str, random: Random) -> Bot:
    """The bot of this name for a seat; `UnknownBot` if the game has none."""
    if name == RANDOM:
        return random_bot(random)
    if name not in game.bots:
        raise UnknownBot(name, names(game), where=game.key)
    return game.bots[name](seat, random)


def assign(seats: Iterable[Seat], wanted: Mapping[str, str], otherwise: str | None = None) -> dict[str, str]:
    """The player's name for each seat: `wanted` names seats or whole sides, the rest get `otherwise`.

    A seat's own name counts before that of its side. Raises `UnknownSeat` for a seat or side that does not exist.
    """
    table = list(seats)
    by_side = {seat.key: name for key, name in wanted.items() for seat in find_seats(table, key) if seat.key != key}
    by_seat = {seat.key: name for key, name in wanted.items() for seat in find_seats(table, key) if seat.key == key}
    rest = {} if otherwise is None else {seat.key: otherwise for seat in table}
    return {**rest, **by_side, **by_seat}


def play_out(match: Match[Any, Any], bots: Mapping[str, Bot]) -> int:
    """Let bots play a match to its end; the number of their decisions."""
    looks = {seat: match.sight(seat) for seat in bots}
    before, decide = match.revision, match.decide
    while pending := match.pending:
        for seat, decision in pending.items():
            decide(seat, bots[seat](decision, looks[seat]))
    return match.revision - before
