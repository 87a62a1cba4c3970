"""Atomic file writing: a file is written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from readyroom.engine.errors import SaveError


@contextmanager
def atomic_write(path: Path, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces the one at `path` when it is complete.

    Raises:
        SaveError: the disk is full or the folder cannot be written; the old file is unchanged.
    """
    temporary = path.with_name(f"{path.name}.new")
    with _save_errors(path):
        try:
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
                yield file
                _flush_to_disk(file)
            os.replace(temporary, path)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise


def save(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a text file atomically, creating missing folders.

    Raises:
        SaveError: the disk is full or the folder cannot be written; the old file is unchanged.
    """
    with _save_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path, mode) as file:
        file.write(text.encode())


def append(path: Path, lines: Sequence[str]) -> None:
    """Append lines to an existing file; on failure restore its old length.

    Raises:
        SaveError: the disk is full or the folder cannot be written.
    """
    with _save_errors(path):
        before = path.stat().st_size
        try:
            with path.open("ab") as file:
                file.write("".join(f"{line}\n" for line in lines).encode())
                _flush_to_disk(file)
        except OSError:
            os.truncate(path, before)
            raise


def _flush_to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _save_errors(path: Path) -> Iterator[None]:
    """Turn an OSError into a SaveError."""
    try:
        yield
    except OSError as error:
        left = "The file is unchanged" if os.path.exists(path) else "No file was written"
        raise SaveError(f"Cannot write {path}: {error.strerror or error}. {left}.") from error
