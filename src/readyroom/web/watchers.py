"""Who has a match open in a browser just now, so that nobody is written to about what he sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class Watchers:
    """Counts the open event streams of each player on each match."""

    def __init__(self) -> None:
        self._open: dict[str, Counter[str]] = {}
        self._lock = Lock()

    @contextmanager
    def looking(self, match_id: str, player_id: str) -> Iterator[None]:
        """Within this, the player is looking at the match."""
        with self._lock:
            self._open.setdefault(match_id, Counter())[player_id] += 1
        try:
            yield
        finally:
            with self._lock:
                there = self._open[match_id]
                there[player_id] -= 1
                if not there[player_id]:
                    del there[player_id]
                if not there:
                    del self._open[match_id]

    def at(self, match_id: str) -> frozenset[str]:
        """The players who have the match open."""
        with self._lock:
            return frozenset(self._open.get(match_id, ()))
