"""Files that are written whole or not at all, whatever happens to the disk or to the program."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from readyroom.engine.errors import SaveError


@contextmanager
def atomic_write(path: Path, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """A file to write to, beside the one at `path`; when it is whole it takes that one's place.

    Raises:
        SaveError: the disk is full or the place cannot be written; the old file is untouched.
    """
    fresh = path.with_name(f"{path.name}.new")
    with _refusing(path):
        try:
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
                yield file
                _put_on_disk(file)
            os.replace(fresh, path)
        except OSError:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise


def save(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a whole text so that either the old or the new one is there; folders that are missing are made.

    Raises:
        SaveError: the disk is full or the place cannot be written; the old file is untouched.
    """
    with _refusing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path, mode) as file:
        file.write(text.encode())


def append(path: Path, lines: Sequence[str]) -> None:
    """Add lines to a file that is there; on failure it is as it was before.

    Raises:
        SaveError: the disk is full or the place cannot be written.
    """
    with _refusing(path):
        before = path.stat().st_size
        try:
            with path.open("ab") as file:
                file.write("".join(f"{line}\n" for line in lines).encode())
                _put_on_disk(file)
        except OSError:
            os.truncate(path, before)
            raise


def _put_on_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Say in a sentence that a file could not be written, and why."""
    try:
        yield
    except OSError as error:
        raise SaveError(f"{path} could not be written: {error.strerror or error}. Nothing was lost.") from error
