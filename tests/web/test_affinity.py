"""Tests of how the server's threads stay on one processor, and its child processes do not."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.running import serving

from readyroom.web import affinity
from readyroom.web.affinity import PROCESSORS
from readyroom.web.jobs.workers import MB, JobKind, WorkerPool

PATIENCE = 20.0
KIND = JobKind("processors", "test", 5, 20.0, 512 * MB, 3)


def processors(process: int) -> set[frozenset[int]]:
    """Return the sets of processors on which the threads of a process may run."""
    return {frozenset(os.sched_getaffinity(int(each.name))) for each in Path(f"/proc/{process}/task").iterdir()}


def own_processors() -> frozenset[int]:
    return frozenset(os.sched_getaffinity(0))


@pytest.fixture
def on_one_processor() -> Iterator[None]:
    """Keep this thread, and what it starts, on one processor for the test."""
    affinity.allow(0, {min(PROCESSORS)})
    yield
    affinity.allow(0)


def test_threads_of_a_server_share_one_processor(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        end = time.monotonic() + PATIENCE
        while [len(each) for each in processors(server.pid)] != [1]:
            assert time.monotonic() < end, processors(server.pid)
            time.sleep(0.05)


def test_threads_may_run_anywhere_again_afterwards() -> None:
    async def share() -> set[frozenset[int]]:
        sharing = asyncio.create_task(affinity.share_processor())
        await asyncio.sleep(10 * affinity.CHOICE)
        shared = processors(os.getpid())
        sharing.cancel()
        await asyncio.gather(sharing, return_exceptions=True)
        return shared

    assert [len(each) for each in asyncio.run(share())] == [1]
    assert processors(os.getpid()) == {PROCESSORS}


@pytest.mark.usefixtures("on_one_processor")
def test_workers_may_use_all_processors() -> None:
    with closing(WorkerPool(2)) as pool:
        assert pool.submit("client", KIND, own_processors).result() == PROCESSORS


@pytest.mark.usefixtures("on_one_processor")
def test_child_may_be_let_out() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        assert processors(child.pid) == {frozenset({min(PROCESSORS)})}
        affinity.allow(child.pid)
        assert processors(child.pid) == {PROCESSORS}
