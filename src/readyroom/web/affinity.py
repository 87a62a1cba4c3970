"""Keeps the server's threads on one processor: only one of them computes at a time.

On several processors, a thread that waits for the interpreter lock wakes up elsewhere at each hand-over, which costs
more than a short request. The system still chooses the processor, once a second.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

PERIOD = 1.0
"""The seconds that the threads stay on a processor."""
CHOICE = 0.01
"""The seconds for which they may run on any, so that the system can move them away from a busy one."""
THREADS = Path("/proc/self/task")
PROCESSORS = frozenset(os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") and THREADS.is_dir() else ())
"""The processors that this process may use; empty where threads cannot be kept together."""


async def share_processor() -> None:
    """Keep all threads of this process on one processor until cancelled."""
    if len(PROCESSORS) < 2:
        return
    try:
        while True:
            _allow_threads(PROCESSORS)
            await asyncio.sleep(CHOICE)
            _allow_threads({_current()})
            await asyncio.sleep(PERIOD)
    finally:
        _allow_threads(PROCESSORS)


def allow(process: int, processors: Collection[int] = PROCESSORS) -> None:
    """Let a process run on these processors; a new one may use only that of the thread which has started it."""
    if processors:
        with suppress(OSError):  # it has just ended
            os.sched_setaffinity(process, processors)


def _allow_threads(processors: Collection[int]) -> None:
    for thread in THREADS.iterdir():
        allow(int(thread.name), processors)


def _current() -> int:
    """Return the processor on which this process's first thread has last run."""
    return int(Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[36])
