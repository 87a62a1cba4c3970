"""Who has a match open in a browser, so that they are not notified of what they see."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

LOOK = 900.0
"""Seconds after a player's last action in which an open page counts as watched."""
REMEMBERED = 20_000
"""The number of players at matches whose last action is remembered."""


ANONYMOUS = ""
"""Stands for spectators who are not signed in."""


class OpenPages:
    """Counts the open event streams of each player and match, and the time of their last action.

    `changed` is called with the id of a match when one of its players opens its first page or closes the last.
    """

    def __init__(self) -> None:
        self.changed: Callable[[str], object] = lambda match_id: None
        self._open: dict[str, Counter[str]] = {}
        self._last: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = Lock()

    def seen(self, match_id: str, player_id: str) -> None:
        """Note that the player has loaded the page of a match or acted in it."""
        with self._lock:
            self._last[match_id, player_id] = time.monotonic()
            self._last.move_to_end((match_id, player_id))
            while len(self._last) > REMEMBERED:
                self._last.popitem(last=False)

    def last(self, match_id: str, player_id: str) -> float:
        """Return the monotonic time of the player's last action in a match; 0 if unknown."""
        with self._lock:
            return self._last.get((match_id, player_id), 0.0)

    @contextmanager
    def looking(self, match_id: str, player_id: str, *, plays: bool = True) -> Iterator[None]:
        """Count the player, or a spectator who does not play, as having the match open.

        A page that reconnects is no action.
        """
        if player_id != ANONYMOUS and not self.last(match_id, player_id):
            self.seen(match_id, player_id)
        self._count(match_id, player_id, 1, plays)
        try:
            yield
        finally:
            self._count(match_id, player_id, -1, plays)

    def _count(self, match_id: str, player_id: str, pages: int, plays: bool) -> None:
        with self._lock:
            there = self._open.setdefault(match_id, Counter())
            there[player_id] += pages
            is_first_or_last = there[player_id] == max(0, pages)
            if not there[player_id]:
                del there[player_id]
            if not there:
                del self._open[match_id]
        if is_first_or_last and plays:
            self.changed(match_id)

    def watched_by(self, player_id: str) -> set[str]:
        """Return the matches that a player has open."""
        with self._lock:
            return {match for match, there in self._open.items() if player_id in there}

    def everywhere(self) -> tuple[frozenset[str], int]:
        """Return the players who have any match open here, and the number of pages of those who are not signed in."""
        with self._lock:
            players = frozenset(player for there in self._open.values() for player in there if player != ANONYMOUS)
            return players, sum(there[ANONYMOUS] for there in self._open.values())

    def is_open(self, match_id: str) -> bool:
        """Return whether anyone has the match open."""
        with self._lock:
            return match_id in self._open

    def open_at(self, match_id: str) -> frozenset[str]:
        """Return the players who have the match open, watched or not."""
        with self._lock:
            return frozenset(player for player in self._open.get(match_id, ()) if player != ANONYMOUS)

    def anonymous_at(self, match_id: str) -> int:
        """Return the number of pages of a match that people have open who are not signed in."""
        with self._lock:
            return self._open.get(match_id, Counter())[ANONYMOUS]

    def at(self, match_id: str) -> frozenset[str]:
        """Return the players who have the match open and acted in it recently."""
        since = time.monotonic() - LOOK
        with self._lock:
            there = self._open.get(match_id, ())
            return frozenset(player for player in there if self._last.get((match_id, player), 0.0) >= since)
