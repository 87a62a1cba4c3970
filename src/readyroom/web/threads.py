"""The threads of request handlers: reserved for moves, looks and health.

Nothing in them may take long: long work runs in worker processes (`jobs.workers`). Health checks have threads of their
own, so that a server under load is not taken for a broken one.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

REQUESTS = 20
"""The number of threads for requests; fewer than the connections of a database."""


def reserve() -> None:
    """Set the threads in which the running event loop runs handlers."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(REQUESTS, "requests"))
