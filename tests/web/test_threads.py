"""Tests of the threads of request handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from threading import Event
from time import thread_time
from typing import Any

import pytest
from tests.web.server import Site

from readyroom.web import threads
from readyroom.web.threads import FairThreads

PATIENCE = 5.0


def submit(pool: FairThreads, client: str, call: Any) -> Future[Any]:
    """Submit a call as for a request of a client."""

    def named() -> Future[Any]:
        threads._client.set(client)
        return pool.submit(call)

    return copy_context().run(named)


@pytest.fixture
def pool() -> Iterator[FairThreads]:
    with FairThreads(4, 2) as pool:
        yield pool


def test_one_client_leaves_threads_to_others(pool: FairThreads) -> None:
    go = Event()
    busy = [submit(pool, "greedy", lambda: go.wait(PATIENCE)) for _ in range(20)]
    assert submit(pool, "other", lambda: 1).result(PATIENCE) == 1
    assert sum(one.running() for one in busy) == 2
    go.set()
    assert all(one.result(PATIENCE) for one in busy)


def test_clients_take_turns() -> None:
    go, order = Event(), list[str]()
    with FairThreads(1, 1) as pool:
        calls = [submit(pool, "busy", lambda: go.wait(PATIENCE))]
        calls += [submit(pool, name, lambda name=name: order.append(name)) for name in ("a", "a", "a", "b", "c")]
        go.set()
        for call in calls:
            call.result(PATIENCE)
    assert order == ["a", "b", "c", "a", "a"]


def compute(seconds: float) -> None:
    """Use processor time."""
    began = thread_time()
    while thread_time() - began < seconds:
        pass


@contextmanager
def contended(threads: int) -> Iterator[tuple[FairThreads, Event]]:
    """Yield threads of which one more is occupied until the event is set."""
    go = Event()
    with FairThreads(threads + 1, 1) as pool:
        submit(pool, "occupier", lambda: go.wait(PATIENCE))
        yield pool, go


def order_of(pool: FairThreads, go: Event, names: Sequence[str]) -> list[str]:
    """Return the order in which calls of these clients run that wait for one thread."""
    order = list[str]()
    calls = [submit(pool, "last in the thread", lambda: go.wait(PATIENCE))]
    calls += [submit(pool, name, lambda name=name: order.append(name)) for name in names]
    go.set()
    for call in calls:
        call.result(PATIENCE)
    return order


def test_client_that_used_little_time_comes_first() -> None:
    with contended(1) as (pool, go):
        submit(pool, "costly", lambda: compute(0.02)).result(PATIENCE)
        assert order_of(pool, go, ["costly", "modest"]) == ["modest", "costly"]


def test_client_that_was_away_comes_before_one_that_was_not() -> None:
    with contended(1) as (pool, go):
        submit(pool, "known", lambda: compute(0.02)).result(PATIENCE)
        for _ in range(3):
            submit(pool, "costly", lambda: compute(0.05)).result(PATIENCE)
        assert order_of(pool, go, ["costly", "known", "new"]) == ["known", "new", "costly"]


def test_clients_above_their_share_leave_threads_to_others() -> None:
    names = [f"busy {n}" for n in range(6)]
    with contended(8) as (pool, go):
        for n, name in enumerate(names):
            submit(pool, name, lambda n=n: compute(0.01 * (n + 1))).result(PATIENCE)
        calls = [submit(pool, name, lambda: go.wait(PATIENCE)) for name in names]
        assert submit(pool, "modest", lambda: 1).result(PATIENCE) == 1
        assert sum(call.running() for call in calls) == threads.UNRESERVED - 1
        go.set()
        assert all(call.result(PATIENCE) for call in calls)


def test_used_time_is_forgotten_when_all_calls_are_done() -> None:
    with contended(1) as (pool, go):
        submit(pool, "costly", lambda: compute(0.02)).result(PATIENCE)
        assert pool._next
        go.set()
    assert not pool._next


def test_errors_and_cancelled_calls_free_their_thread(pool: FairThreads) -> None:
    go = Event()
    blocking = [submit(pool, "one", lambda: go.wait(PATIENCE)) for _ in range(2)]
    cancelled = submit(pool, "one", lambda: 1)
    failing = submit(pool, "one", lambda: 1 // 0)
    assert cancelled.cancel()
    go.set()
    with pytest.raises(ZeroDivisionError):
        failing.result(PATIENCE)
    assert submit(pool, "one", lambda: 2).result(PATIENCE) == 2
    assert all(one.result(PATIENCE) for one in blocking)
    pool.shutdown()
    assert not pool._running


def test_calls_that_wait_are_cancelled_at_the_end() -> None:
    pool, go = FairThreads(1, 1), Event()
    blocking = submit(pool, "one", lambda: go.wait(PATIENCE))
    waiting = submit(pool, "one", lambda: 1)
    pool.shutdown(wait=False)
    assert waiting.cancelled()
    go.set()
    assert blocking.result(PATIENCE)


def test_server_counts_handlers_for_the_client_of_their_request(
    open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    names, submit = set[str](), FairThreads.submit

    def noting(pool: FairThreads, /, *args: Any, **kwargs: Any) -> Future[Any]:
        names.add(threads._client.get())
        return submit(pool, *args, **kwargs)

    monkeypatch.setattr(FairThreads, "submit", noting)
    with open_site(rate=1000).browser() as browser:
        assert browser.get("/games").status_code == 200
    assert "127.0.0.1" in names
