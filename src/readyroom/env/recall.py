"""Perfect recall: all that a seat was shown and all that it answered, in order.

Two histories that a seat cannot distinguish leave it the same memory, and two that it can distinguish different ones.
As a string that is exact; as a vector it is a hash of the string, and features that a program can learn from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np

from readyroom.engine.game import MatchView
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import LogLine
from readyroom.env.observing import Feature, FeatureSum, Vector

DIGEST = 8
"""The length of the hash of a memory, in bytes."""
BITS = 8 * DIGEST
"""The first places of a memory vector: the bits of that hash, each -1 or 1."""
LINES = 256
"""The number of log lines whose text is cached."""
_encode = msgspec.json.Encoder().encode


class Recall:
    """What one seat remembers of a match.

    `entries` are JSON texts: a line of the seat's log, the hash of a view that was new to it, or an answer of its own.

    Args:
        seat: the seat.
        size: the length of its memory as a vector, more than `BITS`; 0 if no vector is needed.
    """

    def __init__(self, seat: str, size: int = 0) -> None:
        self.seat, self.size = seat, size
        self.entries: list[str] = []
        self._hash = blake2b(digest_size=2 * DIGEST)
        self._sum = FeatureSum(size - BITS) if size else None
        self._lines, self._shown = 0, ""

    def copy(self, lines: int | None = None) -> Recall:
        """Return an independent copy; `lines`: for a match whose log has this many lines so far."""
        other = Recall(self.seat)
        other.size, other.entries, other._hash = self.size, list(self.entries), self._hash.copy()
        other._sum = self._sum and self._sum.copy()
        other._lines, other._shown = self._lines if lines is None else lines, self._shown
        return other

    def look(self, match: Match[Any, Any], view: MatchView[Any]) -> None:
        """Remember the new lines of the seat's log, then its view and who must decide if these have changed."""
        for line in match.full_log[self._lines :]:
            if line.seen_by(self.seat):
                self._add(_line_text(line), _line_features(line))
        self._lines = match.log_length
        seen = _encode([view, match.shown_waiting(self.seat)])
        shown = blake2b(seen, digest_size=2 * DIGEST).hexdigest()
        if shown != self._shown:
            self._shown = shown
            self._add(_encode({"seen": shown}), [("seen", 1.0)])

    def answer(self, decision: Decision, keys: Sequence[str]) -> None:
        """Remember an answer of the seat, before it is applied."""
        features = [(f"answer/{decision.rule}/{key}", 1.0) for key in keys or ("",)]
        entry = {"asked": decision.question, "rule": decision.rule, "answer": sorted(keys)}
        self._add(_encode(entry), features)

    def _add(self, text: bytes, features: Iterable[Feature]) -> None:
        self.entries.append(text.decode())
        self._hash.update(text)
        if self._sum is not None:
            self._sum.add(features)

    def digest(self) -> bytes:
        """Return a hash of the memory."""
        return self._hash.digest()

    def vector(self) -> Vector:
        """Return the memory as a new vector: bits of its hash, then the features of its entries."""
        assert self._sum is not None
        bits = np.unpackbits(np.frombuffer(self.digest()[:DIGEST], np.uint8))
        return np.concatenate([2 * bits.astype(np.float32) - 1, self._sum.vector()])


@lru_cache(LINES)
def _line_text(line: LogLine) -> bytes:
    """Return a line as text; cached, because several seats remember it."""
    return _encode({"log": line.plain()})


def _line_features(line: LogLine) -> Iterator[Feature]:
    yield f"log/{line.rule}", 1.0
    yield f"log/{line.turn}/{line.rule}/{line.text}", 1.0
