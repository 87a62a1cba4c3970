"""Bots answer decisions from their options and the seat's view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from readyroom.bots.levels import BEST, BEST_SECONDS, NOVICE, REGULAR, VETERAN, Veteran, member_number, novice
from readyroom.bots.mixes import mixes_of
from readyroom.bots.playing import random_bot
from readyroom.bots.rollouts import RANDOM
from readyroom.bots.search import Limit, Searcher
from readyroom.engine.errors import IllegalChoice, UnknownBot
from readyroom.engine.game import Bot, Game, Seat, find_seats
from readyroom.engine.match import Match

SEARCH = "search"
__all__ = [
    "BEST",
    "NOVICE",
    "RANDOM",
    "REGULAR",
    "SEARCH",
    "VETERAN",
    "assign_seats",
    "bot_names",
    "can_play",
    "check_bots",
    "default_bot",
    "is_offered",
    "is_quick",
    "limit_of",
    "looks_ahead",
    "make_bot",
    "needs_checkpoints",
    "play_to_end",
    "random_bot",
    "reference_bot",
]
LIMIT = re.compile(r"(\d+(?:\.\d+)?)(s?)")
"""The limit of a search bot: seconds, such as 0.5s, or rounds of rollouts, such as 40."""


def bot_names(game: Game[Any, Any]) -> list[str]:
    """Return the names of all bots for a game: its own, the default one first, then the general ones."""
    if not game.analysis.bots:
        return [RANDOM]
    return [*game.analysis.bots, NOVICE, *([VETERAN] if mixes_of(game) else []), BEST, SEARCH, RANDOM]


def default_bot(game: Game[Any, Any]) -> str:
    """Return the default bot: the game's first one, or the random one."""
    return bot_names(game)[0]


def reference_bot(game: Game[Any, Any]) -> str:
    """Return the strongest bot that answers at once: the veteran, or the default bot. Others are measured by it."""
    return VETERAN if VETERAN in bot_names(game) else default_bot(game)


def can_play(game: Game[Any, Any], name: str) -> bool:
    """Return whether a bot of this name can play a game.

    Its name may include the limit of a search, `search:40`, or the policy of a veteran, `veteran:2`; `regular` is the
    default bot.
    """
    return is_offered(game, name) or bool(_searches(game, name))


def is_offered(game: Game[Any, Any], name: str) -> bool:
    """Return whether visitors may choose this bot: any but a search with a limit of its own."""
    return name in (*bot_names(game), REGULAR) or bool(member_number(game, name))


def looks_ahead(game: Game[Any, Any], name: str) -> bool:
    """Return whether a bot of this name plays on from copies of the match before it answers."""
    return name not in game.analysis.bots and _searches(game, name) is not None


def _searches(game: Game[Any, Any], name: str) -> Limit | None:
    """Return the limit of a search bot for this game; None for other bots."""
    return limit_of(name) if game.analysis.bots else None


def check_bots(game: Game[Any, Any], names: Iterable[str]) -> None:
    """Raise `UnknownBot` if a bot cannot play a game."""
    for name in names:
        if not can_play(game, name):
            raise UnknownBot(name, bot_names(game), where=game.key)


def make_bot(game: Game[Any, Any], name: str, seat: str, random: Random) -> Bot:
    """Return a bot for a seat; raise `UnknownBot` if the game has none of this name.

    `search` thinks for 0.05 seconds per decision, `best` and `search:0.5s` for half a second, `search:40` for 40 rounds
    of rollouts. `veteran:2` plays the second policy of its side's mix.
    """
    check_bots(game, [name])
    if name == REGULAR:
        name = default_bot(game)
    if name in game.analysis.bots:
        return game.analysis.bots[name](seat, random)
    if name == RANDOM:
        return random_bot(random)
    if name == NOVICE:
        return novice(game, seat, random)
    if (number := member_number(game, name)) is not None:
        return Veteran(game, seat, random, number)
    limit = _searches(game, name)
    assert limit is not None
    return Searcher(game, seat, random, limit)


def is_quick(bot: Bot) -> bool:
    """Return whether a bot answers in a moment. One that takes its time has an attribute `is_quick` that is False."""
    return getattr(bot, "is_quick", True)


def needs_checkpoints(names: Iterable[str]) -> bool:
    """Return whether any of these bots imagines positions, which is faster in a match with checkpoints."""
    return any(limit_of(name) is not None for name in names)


def limit_of(name: str) -> Limit | None:
    """Return the limit in a search bot's name; None if it is invalid, or the name of another bot.

    >>> limit_of("search"), limit_of("search:0.5s"), limit_of("search:40").trials, limit_of("search:long")
    (Limit(seconds=0.05, trials=1000000), Limit(seconds=0.5, trials=1000000), 40, None)
    """
    level, colon, text = name.partition(":")
    match = LIMIT.fullmatch(text)
    if not colon:
        return {SEARCH: Limit(), BEST: Limit(BEST_SECONDS)}.get(name)
    if level != SEARCH or match is None or not float(match[1]) or not (match[2] or match[1].isdigit()):
        return None
    return Limit(float(match[1])) if match[2] else Limit(float("inf"), int(match[1]))


def assign_seats(seats: Iterable[Seat], wanted: Mapping[str, str], otherwise: str | None = None) -> dict[str, str]:
    """Return a bot's name for each seat: `wanted` names seats or whole sides, the others get `otherwise`.

    A seat's own entry overrides that of its side. Raises `UnknownSeat` for an unknown seat or side.
    """
    known = list(seats)
    by_side = {seat.key: name for key, name in wanted.items() for seat in find_seats(known, key) if seat.key != key}
    by_seat = {seat.key: name for key, name in wanted.items() for seat in find_seats(known, key) if seat.key == key}
    rest = {} if otherwise is None else {seat.key: otherwise for seat in known}
    return {**rest, **by_side, **by_seat}


def play_to_end(match: Match[Any, Any], bots: Mapping[str, Bot]) -> int:
    """Let bots play a match to its end; return the number of their decisions.

    Raises:
        IllegalChoice: a bot's answer is illegal.
    """
    views = {seat: match.bot_view(seat) for seat in bots}
    before, decide, seat = match.revision, match.decide, ""
    try:
        while match.outcome is None:
            decision = match.sole_pending
            while decision is not None:
                seat = decision.seat
                decision = decide(seat, bots[seat](decision, views[seat]))
            for seat, decision in match.pending.items():
                decide(seat, bots[seat](decision, views[seat]))
    except IllegalChoice as error:
        raise error.of_bot(seat) from error
    return match.revision - before
