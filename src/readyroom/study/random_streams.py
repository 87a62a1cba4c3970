"""Random numbers that belong to events: each is named after the decision of a bot.

Two matches of the same seed have the same dice wherever the same event happens in both. A bot that draws from a stream
spoils that: one question more, and every later draw is another. With chances by event an option or a plan changes only
what it touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import Any

from readyroom.engine.game import Bot, ViewFn
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import SEPARATOR, secret_of_seed

BLOCK = 64
"""Bytes that one hash gives."""
REAL = 53
"""Random bits of a number between 0 and 1."""


class EventRandom(Random):
    """Random numbers that are hashes of an event's name under a key; nothing is hashed until something is drawn.

    `is_used` says whether anything was.

    >>> chances = EventRandom("a study/1/usa")
    >>> chances.seek(3, "launch", "7", "akagi", 1)
    >>> first = chances.random(), chances.choice("abc")
    >>> chances.seek(3, "launch", "7", "akagi", 1)
    >>> (chances.random(), chances.choice("abc")) == first
    True
    """

    def __init__(self, text: str) -> None:
        self._keyed = blake2b(key=secret_of_seed(text))
        self.is_used = False
        self.seek()
        super().__init__()

    def seek(self, *event: object) -> None:
        """Restart the random numbers at this event."""
        self._event, self._blocks, self._bits, self._left = event, 0, 0, 0
        self.gauss_next = None

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Do nothing: the random numbers follow from seed and events."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1."""
        return self.getrandbits(REAL) / (1 << REAL)

    def getrandbits(self, k: int, /) -> int:
        """Return this many random bits as a number."""
        self.is_used = True
        while self._left < k:
            self._bits |= int.from_bytes(self._block()) << self._left
            self._left += 8 * BLOCK
        drawn = self._bits & ((1 << k) - 1)
        self._bits >>= k
        self._left -= k
        return drawn

    def _block(self) -> bytes:
        hashed = self._keyed.copy()
        hashed.update(SEPARATOR.join(map(str, (*self._event, self._blocks))).encode())
        self._blocks += 1
        return hashed.digest()


def per_event(match: Match[Any, Any], bot: Bot, chances: EventRandom) -> Bot:
    """Return a bot whose random numbers belong to each decision: turn, phase, rule, subject and count."""
    counts: dict[tuple[int, str, str, str], int] = {}

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        at = match.state.at
        event = at.turn, at.phase, decision.rule, decision.piece_key
        count = counts[event] = counts.get(event, 0) + 1
        chances.seek(*event, count)
        return bot(decision, look)

    return decide
