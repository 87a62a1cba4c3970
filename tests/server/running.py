"""A server in another process, on a free port, that can be killed and restarted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.children import Child, command

from readyroom.store import Store
from readyroom.store.database import FILE

COMMAND = Path(sys.executable).with_name("readyroom")
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
SECRET = "the secret of all servers on PostgreSQL"
PATIENCE = 30
"""The time limit of an orderly stop in seconds."""


class Server:
    """`readyroom serve` with one home and one database; `url` is its address."""

    def __init__(self, home: Path, database: str | None = None, **settings: str) -> None:
        self.home, self.url = home, ""
        keep = {key: value for key, value in os.environ.items() if not key.startswith("READYROOM_")}
        self._environment = {**keep, "READYROOM_HOME": str(home), "READYROOM_RATE": "0", **settings}
        if database is not None:
            self._environment |= {"READYROOM_DATABASE": database, "READYROOM_SECRET": SECRET}
        self._process: subprocess.Popen[str] | Child | None = None
        self._port = "0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The server's process id."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start, at the same address if it was started before."""
        path = self.home / "stderr.txt"
        self.home.mkdir(parents=True, exist_ok=True)
        self._process = self._begin(path, "serve", "--host", "127.0.0.1", "--port", self._port)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if match := ADDRESS.search(line):
                self.url = match[0]
                self._port = self.url.rpartition(":")[2]
                return
        raise AssertionError(f"the server did not start: {path.read_text(encoding='utf-8')[-2000:]}")

    def _begin(self, path: Path, *words: str) -> subprocess.Popen[str] | Child:
        with open(path, "a", encoding="utf-8") as errors:
            return subprocess.Popen(
                [COMMAND, *words], env=self._environment, stdout=subprocess.PIPE, stderr=errors, text=True
            )

    def kill(self) -> None:
        """Kill it without warning."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it and check its exit code."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(how)
        try:
            process.wait(PATIENCE)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        self._process = None


class ForkedServer(Server):
    """A server forked from a process that has loaded everything; for tests that restart it often."""

    def _begin(self, path: Path, *words: str) -> Child:
        return Child(command, *words, environment=self._environment, errors=str(path))


def open_store(home: Path, database: str | None) -> Store:
    """Open the database of a server."""
    return Store(database or f"sqlite:///{home / FILE}", secret=SECRET if database else None)


@contextmanager
def serving(home: Path, database: str | None = None, **settings: str) -> Iterator[Server]:
    """Run a server for the block."""
    with Server(home, database, **settings) as server:
        yield server
