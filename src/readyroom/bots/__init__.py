"""Bots: anything that answers a decision from its options and its seat's view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from readyroom.bots.playing import random_bot
from readyroom.bots.rollouts import RANDOM
from readyroom.bots.search import Limit, Searcher
from readyroom.engine.errors import UnknownBot
from readyroom.engine.game import Bot, Game, Seat, find_seats
from readyroom.engine.match import Match

SEARCH = "search"
__all__ = [
    "RANDOM",
    "SEARCH",
    "assign",
    "can_play",
    "check_bots",
    "default_bot",
    "limit_of",
    "make",
    "names",
    "needs_checkpoints",
    "play_to_end",
    "random_bot",
]
LIMIT = re.compile(r"(\d+(?:\.\d+)?)(s?)")
"""How long a bot that searches may think: so many seconds, such as 0.5s, or so many trials, such as 40."""


def names(game: Game[Any, Any]) -> list[str]:
    """The names of all bots that can play a game: its own, the usual one first, and then those that play any game."""
    return [*game.bots, SEARCH, RANDOM] if game.bots else [RANDOM]


def default_bot(game: Game[Any, Any]) -> str:
    """The bot that plays where nobody is named: the game's own first, or the one that plays at random."""
    return names(game)[0]


def can_play(game: Game[Any, Any], name: str) -> bool:
    """Whether a bot of this name can play a game; one that searches may be told with its limit, such as search:40."""
    return name in names(game) or bool(_searches(game, name))


def _searches(game: Game[Any, Any], name: str) -> Limit | None:
    """How long a bot may think that is to search in this game."""
    return limit_of(name) if name.partition(":")[0] == SEARCH and game.bots else None


def check_bots(game: Game[Any, Any], named: Iterable[str]) -> None:
    """Refuse bots that cannot play a game: `UnknownBot` says which can."""
    for name in named:
        if not can_play(game, name):
            raise UnknownBot(name, names(game), where=game.key)


def make(game: Game[Any, Any], name: str, seat: str, random: Random) -> Bot:
    """The bot of this name for a seat; `UnknownBot` if the game has none.

    `search` thinks for a twentieth of a second; `search:0.5s` for half a second, `search:40` for forty trials.
    """
    check_bots(game, [name])
    if name == RANDOM:
        return random_bot(random)
    if limit := _searches(game, name):
        return Searcher(game, seat, random, limit)
    return game.bots[name](seat, random)


def needs_checkpoints(names: Iterable[str]) -> bool:
    """Whether any of these bots imagines positions, which goes faster in a match that keeps checkpoints."""
    return any(name.partition(":")[0] == SEARCH for name in names)


def limit_of(name: str) -> Limit | None:
    """How long a bot of this name may think; None where the name does not say it rightly.

    >>> limit_of("search"), limit_of("search:0.5s"), limit_of("search:40").trials, limit_of("search:long")
    (Limit(seconds=0.05, trials=1000000), Limit(seconds=0.5, trials=1000000), 40, None)
    """
    _, colon, told = name.partition(":")
    found = LIMIT.fullmatch(told)
    if not colon:
        return Limit()
    if found is None or not float(found[1]) or not (found[2] or found[1].isdigit()):
        return None
    return Limit(float(found[1])) if found[2] else Limit(float("inf"), int(found[1]))


def assign(seats: Iterable[Seat], wanted: Mapping[str, str], otherwise: str | None = None) -> dict[str, str]:
    """The player's name for each seat: `wanted` names seats or whole sides, the rest get `otherwise`.

    A seat's own name counts before that of its side. Raises `UnknownSeat` for a seat or side that does not exist.
    """
    table = list(seats)
    by_side = {seat.key: name for key, name in wanted.items() for seat in find_seats(table, key) if seat.key != key}
    by_seat = {seat.key: name for key, name in wanted.items() for seat in find_seats(table, key) if seat.key == key}
    rest = {} if otherwise is None else {seat.key: otherwise for seat in table}
    return {**rest, **by_side, **by_seat}


def play_to_end(match: Match[Any, Any], bots: Mapping[str, Bot]) -> int:
    """Let bots play a match to its end; the number of their decisions."""
    looks = {seat: match.bot_view(seat) for seat in bots}
    before, decide = match.revision, match.decide
    while match.outcome is None:
        alone = match.sole_pending
        while alone is not None:
            seat = alone.seat
            alone = decide(seat, bots[seat](alone, looks[seat]))
        for seat, decision in match.pending.items():
            decide(seat, bots[seat](decision, looks[seat]))
    return match.revision - before
