"""Helpers that run commands in this process or a new one, with typed input."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from typer import testing

from readyroom.cli import screen
from readyroom.cli.app import app
from readyroom.engine.record import format as records

THROW = re.compile(r"^Roll (\d+)d(\d+) for ")
# Building all commands takes longer than running one.
testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]
COMMAND = [sys.executable, "-c", "from readyroom.cli import main; main()"]


class Output(NamedTuple):
    """Exit code, stdout and stderr of a command."""

    code: int
    out: str
    err: str


class Shell:
    """A user with their own data folder and an 80-column terminal."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.matches = home / "matches"
        self.env = {"READYROOM_HOME": str(home), "COLUMNS": "80", "LINES": "50", "NO_COLOR": "1", "TERM": "dumb"}

    def run(self, *args: str, typed: str = "", **env: str) -> Output:
        """Run a command in this process with typed input."""
        result = testing.CliRunner().invoke(app, list(args), input=typed, env={**self.env, **env})
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Output(result.exit_code, result.stdout, result.stderr)

    def start(self, *args: str, before: Callable[[], None] | None = None) -> subprocess.Popen[str]:
        """Start a command in a new process."""
        return subprocess.Popen(
            [*COMMAND, *args],
            env={**os.environ, **self.env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=before,
        )

    def record(self, name: str = "midway-1") -> Path:
        """Return the path of a match record."""
        return self.matches / f"{name}.jsonl"

    def files(self) -> dict[str, bytes]:
        """Return the contents of all the user's files by path."""
        return {str(path): path.read_bytes() for path in sorted(self.home.rglob("*")) if path.is_file()}


def decided(record: str, seat: str) -> int:
    """Return the number of a seat's decisions in a record."""
    entries = records.parse(record, repair=True).entries
    return sum(1 for _, line in entries if isinstance(line, records.Entry) and line.seat == seat)


def sit_down(monkeypatch: pytest.MonkeyPatch, answer: Callable[[str], str]) -> None:
    """Answer prompts with a function, as if typed at a terminal."""
    monkeypatch.setattr(screen, "is_typed", lambda: True)
    monkeypatch.setattr("builtins.input", answer)


def one_sentence(text: str) -> bool:
    """Return whether an error is one line, without a traceback or a box."""
    lines = text.strip().splitlines()
    return len(lines) == 1 and lines[0].endswith((".", "?")) and "Traceback" not in text
