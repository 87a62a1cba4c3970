"""The threads of request handlers: reserved for moves, pages and health checks.

Nothing in them may take long: long work runs in worker processes (`jobs.workers`). Of one client one handler
runs at a time; its others wait without a thread. Clients share the processor time fairly, so that pages that cost much
cannot keep other clients away.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from threading import Lock
from time import thread_time
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from readyroom.web.security import client_in

REQUESTS, EACH = 8, 1
"""The number of threads for requests, fewer than the connections of a database, and the most for one client."""
UNRESERVED = 2
"""The number of threads for everyone. The others are reserved for clients that have not just used processor time: as
only one thread computes at a time, more would slow down everyone.
"""
_client: ContextVar[str] = ContextVar("client", default="")


class FairThreads(ThreadPoolExecutor):
    """Threads that clients share: at most `each` for one client, and its other calls wait in order.

    This is start-time fair queueing: each call moves its client's next one back by the processor time that it has used,
    and the client whose call is due first comes first. A client that was away is due now, and when all calls are done,
    everyone is. With 0 for `each`, a client may have all threads.
    """

    def __init__(self, threads: int = REQUESTS, each: int = EACH) -> None:
        super().__init__(threads, "requests")
        self._free, self._each = threads, each or threads
        self._unreserved = min(UNRESERVED, threads)
        self._waiting: OrderedDict[str, deque[tuple[Future[Any], Callable[[], Any]]]] = OrderedDict()
        self._running = Counter[str]()
        self._time = 0.0
        self._next: dict[str, float] = {}
        self._lock = Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a call for the client of the current request."""
        future: Future[Any] = Future()
        with self._lock:
            self._waiting.setdefault(_client.get(), deque()).append((future, partial(fn, *args, **kwargs)))
            self._start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel the calls that wait, and end the threads."""
        with self._lock:
            left = [future for queue in self._waiting.values() for future, _ in queue]
            self._waiting.clear()
        for future in left:
            future.cancel()
        super().shutdown(wait, cancel_futures=cancel_futures)

    def _start(self) -> None:
        """Start the calls for which there is a thread; the lock is held.

        Of clients that are due at the same time, the one that has waited longest comes first.
        """
        while self._free:
            allowed = [name for name in self._waiting if not name or self._running[name] < self._each]
            if not allowed:
                return
            of = min(allowed, key=self._due)
            due = self._due(of)
            if due > self._time and self._running.total() >= self._unreserved:
                return
            queue = self._waiting[of]
            future, call = queue.popleft()
            self._waiting.move_to_end(of)
            if not queue:
                del self._waiting[of]
            self._time = due
            self._free -= 1
            self._running[of] += 1
            super().submit(self._run, of, future, call)

    def _due(self, client: str) -> float:
        """Return when a call of this client is due, in seconds of processor time; without a client it is now."""
        return max(self._time, self._next.get(client, 0.0)) if client else self._time

    def _run(self, of: str, future: Future[Any], call: Callable[[], Any]) -> None:
        began = thread_time()
        try:
            if future.set_running_or_notify_cancel():
                future.set_result(call())
        except BaseException as error:
            future.set_exception(error)
        finally:
            with self._lock:
                self._count(of, thread_time() - began)
                self._free += 1
                self._running[of] -= 1
                if not self._running[of]:
                    del self._running[of]
                self._start()
                if not self._running:
                    self._next.clear()

    def _count(self, client: str, seconds: float) -> None:
        """Move the next call of a client back by the processor time of its last one; the lock is held."""
        self._next[client] = self._due(client) + seconds


def reserve(*, limited: bool) -> None:
    """Set the threads in which the running event loop runs handlers; `limited`: few at a time for each client."""
    asyncio.get_running_loop().set_default_executor(FairThreads(each=EACH if limited else 0))


def name_clients(app: ASGIApp) -> ASGIApp:
    """Return the application so that its handlers count for the client of the request."""

    async def named(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            _client.set(client_in(scope))
        await app(scope, receive, send)

    return named
