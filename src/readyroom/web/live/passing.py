"""Answers for seats that pass ahead, in a thread, whenever their match moves."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock

from readyroom.engine.errors import ReadyRoomError
from readyroom.store import Store
from readyroom.store.errors import WriteFailed

LOGGER = logging.getLogger("readyroom.web")


class Passing:
    """Plays the passes of a match after each of its moves here."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._due = set[str]()
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(1, "passes")

    def start(self) -> None:
        """Play the passes that were due when the server stopped."""
        with suppress(WriteFailed):
            for match_id in self.store.passes.waiting():
                self.request(match_id)

    def stop(self) -> None:
        """Stop; what is due is played after the next start."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def request(self, match_id: str) -> None:
        """Play the passes of a match soon, once; callable from any thread."""
        with self._lock:
            if match_id in self._due:
                return
            self._due.add(match_id)
        with suppress(RuntimeError):  # the server stops
            self._pool.submit(self._play, match_id)

    def _play(self, match_id: str) -> None:
        with self._lock:
            self._due.discard(match_id)
        try:
            self.store.passes.run(match_id, self.store.matches)
        except ReadyRoomError as error:
            LOGGER.warning("passing in match %s ended: %s", match_id, error)
        except Exception:
            LOGGER.exception("cannot pass in match %s", match_id)
