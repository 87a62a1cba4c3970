"""The turns of bots: played in worker processes, and fair to the clients who made the matches.

A turn is taken of a match, played for a second by a worker, and applied if the match has not moved on. Only then the
match's next turn joins the queue, so no match is in the pool twice. A turn that fails, or for which the pool has no
room, is tried again later; and the database is searched for matches whose bots no process is playing any more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import count
from threading import Condition, Thread
from time import monotonic

from readyroom.bots.turns import BotTurn, PlayedTurn, play_turn
from readyroom.store import MatchSummary, Store
from readyroom.store.errors import MatchDamaged, NotStarted, UnknownMatchId, UnreadableMatch
from readyroom.web.jobs.workers import BOTS, Busy, Job, WorkerPool

LOGGER = logging.getLogger("readyroom.web")
SEARCH_EVERY = 60.0
"""Seconds between two searches for matches whose bots no process is playing, and how long they must have been idle."""
IDLE = 10.0
"""Seconds without a change after which opening a match requests the turn of its bots."""
LONGEST_DELAY = 60.0
"""The most seconds until a failed turn is tried again; the first time it is one second."""
FAILURES = 3
"""The number of failed turns in a row after which one answer is given at random, so that the match continues."""


@dataclass(eq=False)
class _Waiting:
    """A match whose bots are due: whose it is, where it is in the queue, and how often its turn has failed."""

    id: str
    number: int
    after: float = 0.0
    failures: int = 0
    client: str = ""
    only_bots: bool = False


class BotTurns:
    """Plays the bots' turns of all matches of a store in a pool of workers.

    Matches with people come first, then those that someone watches; among these the clients take turns.
    """

    def __init__(self, store: Store, pool: WorkerPool, is_watched: Callable[[str], bool]) -> None:
        self._store, self._pool, self._is_watched = store, pool, is_watched
        self._waiting: dict[str, _Waiting] = {}
        self._playing: dict[str, _Waiting] = {}
        self._again: set[str] = set()  # in play, and requested again
        self._stuck: dict[str, int] = {}  # the revision at which a rule of the match fails
        self._finished: list[tuple[_Waiting, BotTurn, Job]] = []
        self._served: dict[str, int] = {}
        self._numbers = count(1)
        self._changed = Condition()
        self._is_news = self._closed = False
        self._search_at = 0.0
        self._thread = Thread(target=self._run, name="bots", daemon=True)

    def start(self) -> None:
        """Start playing, first in matches whose bots were due when the server stopped."""
        self._thread.start()

    def close(self) -> None:
        """Stop; turns in play are dropped."""
        with self._changed:
            self._closed = True
            self._wake()
        if self._thread.is_alive():
            self._thread.join()

    def request(self, id: str) -> None:
        """Queue the turn of a match's bots, unless it is queued or played already; callable from any thread."""
        with self._changed:
            if id in self._playing:
                self._again.add(id)
            elif id not in self._waiting:
                self._waiting[id] = _Waiting(id, next(self._numbers))
                self._wake()

    def repair(self, summary: MatchSummary) -> MatchSummary:
        """Start a match that is ready, or queue a turn of its bots that no process has played for a while."""
        if not summary.started and not any(seat.vacant for seat in summary.seats):
            return self._store.lobby.begin_if_ready(summary.id)
        idle = (datetime.now(UTC) - summary.changed).total_seconds() > IDLE
        if idle and any(seat.bot and seat.key in summary.waiting for seat in summary.seats):
            self.request(summary.id)
        return summary

    def __len__(self) -> int:
        """Return the number of matches whose bots are to play."""
        return len(self._waiting) + len(self._playing)

    def _wake(self) -> None:
        self._is_news = True
        self._changed.notify()

    # -- the thread ----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closed:
            try:
                self.work()
                with self._changed:
                    self._changed.wait_for(lambda: self._is_news, max(0.0, self._wake_at() - monotonic()))
                    self._is_news = False
            except Exception:
                LOGGER.exception("bot turns failed")
                with self._changed:
                    self._changed.wait_for(lambda: self._closed, 1.0)

    def work(self) -> None:
        """Apply the turns that are played, and start others as far as there is room."""
        if monotonic() >= self._search_at:
            self._search()
        with self._changed:
            finished, self._finished = self._finished, []
        for waiting, turn, job in finished:
            self._finish(waiting, turn, job)
        while (coming := self._next()) is not None:
            self._begin(coming)

    def _wake_at(self) -> float:
        """Return when the next delayed turn or search is due."""
        now = monotonic()
        return min([self._search_at, *(each.after for each in self._waiting.values() if each.after > now)])

    def _search(self) -> None:
        """Queue the turns that no process has played for a while; at the start, all that are due.

        Also begin matches that have not begun although no seat is empty.
        """
        idle = SEARCH_EVERY if self._search_at else 0.0
        self._search_at = monotonic() + SEARCH_EVERY
        for match in self._store.lobby.ready_matches():
            try:
                self._store.lobby.begin_if_ready(match)
            except Exception as error:
                LOGGER.warning("match %s cannot start: %s", match, error)
        for match in self._store.matches.awaiting_bots(idle):
            self.request(match)

    def _next(self) -> _Waiting | None:
        """Return the match whose turn starts now; None while there is no room or no match is due."""
        with self._changed:
            now, waiting = monotonic(), list(self._waiting.values())
            room = self._pool.workers - 1 - len(self._playing)
            only_bots = sum(each.only_bots for each in self._playing.values())
        due = [each for each in waiting if each.after <= now and self._is_known(each)]
        if only_bots:
            due = [each for each in due if not each.only_bots]
        return min(due, key=self._rank, default=None) if room > 0 else None

    def _is_known(self, waiting: _Waiting) -> bool:
        """Look up whose match it is; return False if there is none any more."""
        if not waiting.client:
            try:
                waiting.client, waiting.only_bots = self._store.matches.bot_match(waiting.id)
            except UnknownMatchId:
                self._drop(waiting)
                return False
        return True

    def _rank(self, waiting: _Waiting) -> tuple[int, int, int]:
        """Return the order: people's matches first, then by the client served longest ago, then by number."""
        kind = 0 if not waiting.only_bots else 1 if self._is_watched(waiting.id) else 2
        return kind, self._served.get(waiting.client, 0), waiting.number

    def _begin(self, waiting: _Waiting) -> None:
        """Take a turn of the match and give it to the pool."""
        with self._changed:
            del self._waiting[waiting.id]
            self._playing[waiting.id] = waiting
        self._note_served(waiting.client)
        try:
            turn = self._store.matches.bot_turn(waiting.id)
            if turn is None or self._stuck.get(waiting.id) == turn.saved.revision:
                self._drop(waiting)
                return
            play = partial(play_turn, at_random=waiting.failures >= FAILURES)
            job = self._pool.submit(waiting.client, BOTS, play, turn)
        except Busy as error:
            self._delay(waiting, error.retry_after)
        except (UnknownMatchId, NotStarted, UnreadableMatch, MatchDamaged):
            self._drop(waiting)
        except Exception as error:
            self._fail(waiting, error)
        else:
            job.add_done_callback(partial(self._is_over, waiting, turn))

    def _note_served(self, client: str) -> None:
        """Move a client to the end of the line, and forget those that have no turn waiting."""
        self._served[client] = next(self._numbers)
        if len(self._served) > 2 * len(self._waiting) + 100:
            known = {each.client for each in (*self._waiting.values(), *self._playing.values())}
            self._served = {name: number for name, number in self._served.items() if name in known}

    def _is_over(self, waiting: _Waiting, turn: BotTurn, job: Job) -> None:
        with self._changed:
            self._finished.append((waiting, turn, job))
            self._wake()

    def _finish(self, waiting: _Waiting, turn: BotTurn, job: Job) -> None:
        """Apply a turn; the next one joins the queue by `request`, as after any other change."""
        try:
            played: PlayedTurn = job.result()
            applied = self._store.matches.apply_bot_turn(turn, played)
        except Exception as error:
            self._fail(waiting, error)
            return
        if applied and not played.answers:
            self._stuck[waiting.id] = turn.saved.revision
        else:
            self._stuck.pop(waiting.id, None)
        self._drop(waiting)

    def _fail(self, waiting: _Waiting, error: Exception) -> None:
        """Try a turn again that was not played, later each time."""
        waiting.failures += 1
        LOGGER.warning("match %s: the turn of its bots failed: %s", waiting.id, error)
        self._delay(waiting, 2.0 ** (waiting.failures - 1))

    def _delay(self, waiting: _Waiting, seconds: float) -> None:
        with self._changed:
            self._playing.pop(waiting.id, None)
            self._again.discard(waiting.id)
            waiting.after = monotonic() + min(LONGEST_DELAY, seconds)
            waiting.number = next(self._numbers)
            self._waiting[waiting.id] = waiting

    def _drop(self, waiting: _Waiting) -> None:
        """Let go of a match, unless its turn was requested again."""
        with self._changed:
            self._playing.pop(waiting.id, None)
            self._waiting.pop(waiting.id, None)
            again = waiting.id in self._again
            self._again.discard(waiting.id)
        if again:
            self.request(waiting.id)
