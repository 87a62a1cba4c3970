"""Child processes that start fast: forked from a process that has imported everything."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection
from typing import IO, Any

from readyroom.web.jobs.workers import PRELOADED

LOADED = [
    PRELOADED,  # the worker pools of this process are forked from the same one
    "anyio._backends._asyncio",
    "litestar.middleware._internal.exceptions.middleware",
    "litestar.middleware.allowed_hosts",
    "litestar.middleware.csrf",
    "litestar.middleware.response_cache",
    "litestar.plugins.attrs",
    "litestar.plugins.pydantic.plugins.schema",
    "litestar.plugins.pydantic.utils",
    "readyroom.cli.app",
    "readyroom.games.midway",
    "readyroom.web.app",
    "readyroom.web.live.postgres",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite",
    "tests.children",
    "tests.store.player",
    "typer._adapters",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
]
"""Imports that take a second for each server; tests kill dozens of servers."""
FORKSERVER = get_context("forkserver")
FORKSERVER.set_forkserver_preload(LOADED)
Work = Callable[..., object]


class Child:
    """A process that runs a function; like `subprocess.Popen` with `stdout` as a pipe.

    Args:
        work: an importable function.
        arguments: its arguments.
        environment: its environment; None: as here.
        errors: the file to which its stderr is appended; None: as here.
    """

    def __init__(
        self, work: Work, *arguments: Any, environment: Mapping[str, str] | None = None, errors: str | None = None
    ) -> None:
        reader, writer = FORKSERVER.Pipe(duplex=False)
        data = dict(os.environ if environment is None else environment)
        self._process = FORKSERVER.Process(target=_works, args=(writer, data, errors, work, arguments), daemon=True)
        with reader, writer:
            self._process.start()
            self.stdout: IO[str] = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit code; None while it runs."""
        return self._process.exitcode

    def send_signal(self, which: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, which)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it ends and return the exit code; raise `TimeoutError` if that takes too long."""
        self._process.join(timeout)
        ended = self.poll()
        if ended is None:
            raise TimeoutError(f"{self.pid} has not ended")
        return ended


def _works(writer: Connection, environment: dict[str, str], errors: str | None, work: Work, arguments: Any) -> None:
    """Run the work with its own stdout, stderr and environment."""
    current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # a server has workers
    os.environ.clear()
    os.environ.update(environment)
    with writer:
        sys.stdout = os.fdopen(os.dup(writer.fileno()), "w", encoding="utf-8")
    if errors is not None:
        sys.stderr = os.fdopen(os.open(errors, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "w", encoding="utf-8")
    work(*arguments)


def command(*words: str) -> None:
    """Run the command `readyroom` with these arguments."""
    from readyroom.cli import main

    sys.argv = ["readyroom", *words]
    main()
