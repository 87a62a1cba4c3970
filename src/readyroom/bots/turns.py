"""The turns of bots in a match: played by any process from a saved match, and applied to the match afterwards.

A process that holds a match takes a `BotTurn` of it, lets `play_turn` play it elsewhere, and applies the `PlayedTurn`
unless the match has moved on. A bot gets no more than its `BotView` here either.
"""

from __future__ import annotations

import logging
from collections.abc import MutableMapping
from hashlib import blake2b
from random import Random
from time import monotonic
from typing import Any

import msgspec

from readyroom.bots import RANDOM, make_bot
from readyroom.bots.playing import random_bot
from readyroom.bots.search import Memory, Searcher
from readyroom.engine.errors import RuleError
from readyroom.engine.game import Bot, Game, load_game
from readyroom.engine.match import Match
from readyroom.engine.match.resume import resume
from readyroom.engine.match.snapshot import Saved
from readyroom.engine.record.format import Entry

TURN = 1.0
"""Seconds that bots may play before their answers are returned; the last answer may take longer."""
MOST_ANSWERS = 200
"""The most answers of a turn, so that applying them stays quick."""

logger = logging.getLogger("readyroom.bots")


class BotTurn(msgspec.Struct, frozen=True):
    """A match in which a bot is to answer: its id, its game, what was saved of it, and the bots of its seats.

    `seed` is random and the same for all turns of a match while it is in memory, so that a bot keeps to the plan that
    it drew when it was made. `memory` is what bots have learned in earlier turns, by seat. `handed` counts the seats
    handed over, see the store. `is_daily`: it is a challenge of the day, see `daily_bot`. It contains the secret of the
    dice: it is for the server, never for a seat.
    """

    match: str
    game: str
    saved: Saved
    bots: dict[str, str]
    seed: int
    memory: dict[str, Memory]
    handed: int = 0
    is_daily: bool = False


class PlayedTurn(msgspec.Struct, frozen=True):
    """What the bots have answered in order, seat and keys, and what they have learned."""

    answers: list[tuple[str, tuple[str, ...]]]
    memory: dict[str, Memory]


def play_turn(
    turn: BotTurn, seconds: float = TURN, *, game: Game[Any, Any] | None = None, at_random: bool = False
) -> PlayedTurn:
    """Let bots play for this long, or until a player must decide or the match ends.

    The result has no answer if a rule fails. With `at_random` one bot answers once at random, where its own answer has
    exceeded what a process may use.
    """
    until = monotonic() + seconds
    match = resume(turn.saved, game or load_game(turn.game))
    players: dict[str, Bot] = {}
    most = 1 if at_random else MOST_ANSWERS
    while match.revision - turn.saved.revision < most and monotonic() < until:
        seat = next((key for key in match.pending if key in turn.bots), None)
        if seat is None:
            break
        name = RANDOM if at_random else turn.bots[seat]
        if turn.is_daily:
            players[seat] = daily_bot(match, name, seat, turn.seed)
        elif seat not in players:
            players[seat] = returning_bot(match, name, seat, turn.seed, turn.memory.get(seat))
        if not let_answer(match, seat, players):
            break
    entries = match.record_entries(turn.saved.revision)
    answers = [(entry.seat, entry.chose) for entry in entries if isinstance(entry, Entry)]
    memory = {seat: bot.memory() for seat, bot in players.items() if isinstance(bot, Searcher)}
    return PlayedTurn(answers, turn.memory | memory)


def returning_bot(match: Match[Any, Any], name: str, seat: str, seed: int, memory: Memory | None = None) -> Bot:
    """Return the bot of a seat with the plan that it drew when the match was first held, and what it has learned since.

    `seed` and `memory` are as in a `BotTurn`; further random numbers depend on the match's revision.
    """
    random = Random(f"{seed}/{seat}")
    bot = make_bot(match.game, name, seat, random)
    if isinstance(bot, Searcher):
        bot.recall(match.bot_view(seat), memory or Memory())
    random.seed(f"{seed}/{seat}/{match.revision}")
    return bot


def daily_seed(secret: bytes) -> int:
    """Return the seed of the bots in a challenge of the day, from the secret behind its dice."""
    return int.from_bytes(blake2b(secret, digest_size=16, person=b"rr-daily-bots").digest())


def daily_bot(match: Match[Any, Any], name: str, seat: str, seed: int) -> Bot:
    """Return the bot of a seat for its next answer alone, in a challenge of the day.

    Its answer follows from the seed, the view, and the number of its answers: it is the same for everyone who has
    decided the same, on every server, and after a restart.
    """
    random = Random(f"{seed}/{seat}")
    bot = make_bot(match.game, name, seat, random)
    answers = sum(entry.seat == seat for entry in match.decisions_since(0))
    random.seed(f"{seed}/{seat}/{answers}")
    return bot


def let_answer(match: Match[Any, Any], seat: str, players: MutableMapping[str, Bot]) -> bool:
    """Let the bot of a seat answer; return False if its answer cannot be carried out.

    A bot that fails must not hold the others up, so a random one replaces it in `players`.
    """
    decision, view = match.pending[seat], match.bot_view(seat)
    try:
        try:
            match.decide(seat, players[seat](decision, view))
        except (RuleError, MemoryError):
            raise
        except Exception:
            logger.exception("the bot of %s failed in rule %s of %s", seat, decision.rule, match.game.key)
            players[seat] = random_bot(Random())
            match.decide(seat, players[seat](decision, view))
    except RuleError:
        logger.exception("the answer of the bot of %s cannot be carried out", seat)
        return False
    return True
