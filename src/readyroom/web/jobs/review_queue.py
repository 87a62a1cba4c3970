"""Match reviews: each runs in a separate process and is remembered."""

from __future__ import annotations

import os
from collections import OrderedDict
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Event, Lock, Thread
from time import monotonic

from markupsafe import Markup

from readyroom.engine.errors import ReadyRoomError
from readyroom.study import pages
from readyroom.study.background import BEHIND
from readyroom.study.review import Review, review

SAMPLES = 6
"""The continuations of each decision in a review."""
LONGEST = 600.0
"""Seconds after which a review is stopped."""
KEPT = 50
"""The number of reviews remembered."""


class ReviewJob:
    """A review that runs in a separate process, so that the server stays responsive.

    `done` is the finished share, `review` the result, and `trouble` the reason why there is none; `finished` is set at
    the end.
    """

    def __init__(self, record: str) -> None:
        self.done, self.trouble = 0.0, ""
        self.review: Review | None = None
        self.finished = Event()
        self._record = record

    @property
    def over(self) -> bool:
        """Whether the job has ended."""
        return self.review is not None or bool(self.trouble)

    def run(self) -> None:
        """Wait for a slot, run the review, and store the result."""
        with _TURN:
            spawn = get_context("spawn")
            here, there = spawn.Pipe(duplex=False)
            worker = spawn.Process(target=_work_out, args=(there, self._record), daemon=True)
            worker.start()
            there.close()
            try:
                self._listen(here, monotonic() + LONGEST)
            finally:
                worker.kill()
                worker.join()
                here.close()
                self.finished.set()

    def _listen(self, here: Connection, end: float) -> None:
        while not self.over:
            if not here.poll(max(0.0, end - monotonic())):
                self.trouble = "It took too long here. Use `readyroom review` with the record."
                return
            try:
                data = here.recv()
            except EOFError:
                self.trouble = "It was interrupted. Try again."
                return
            self._take(data)

    def _take(self, data: object) -> None:
        if isinstance(data, Review):
            self.review = data
        elif isinstance(data, float):
            self.done = data
        else:
            self.trouble = str(data)


_TURN = Lock()


def _work_out(there: Connection, record: str) -> None:
    """Run a review in the other process at low priority, and send its progress."""
    if hasattr(os, "nice"):
        os.nice(BEHIND)
    try:
        there.send(review(record, samples=SAMPLES, progress=there.send))
    except ReadyRoomError as error:
        there.send(str(error))


class ReviewQueue:
    """The finished and running reviews by match."""

    def __init__(self) -> None:
        self._works = OrderedDict[str, ReviewJob]()
        self._lock = Lock()

    def on(self, id: str) -> ReviewJob | None:
        """Return the review job of a match, if there is one."""
        return self._works.get(id)

    def begin(self, id: str, record: str) -> ReviewJob:
        """Start the review of a match unless one is running or finished."""
        with self._lock:
            known = self._works.get(id)
            if known is not None and not known.trouble:
                return known
            work = self._works[id] = ReviewJob(record)
            while len(self._works) > KEPT:
                self._works.popitem(last=False)
        Thread(target=work.run, name=f"review {id}", daemon=True).start()
        return work


QUEUE = ReviewQueue()


def review_of(id: str) -> Markup | None:
    """Return the review of a match as HTML, if it is finished."""
    work = QUEUE.on(id)
    if work is None or work.review is None:
        return None
    return Markup(pages.review_part(work.review, f"/m/{id}/what-if?at="))
