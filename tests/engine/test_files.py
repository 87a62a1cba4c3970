"""Atomic file writes, also on a full disk."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from readyroom.engine.errors import SaveError
from readyroom.engine.files import append, save
from readyroom.engine.record.format import read

ROOM = 16 * 1024


@contextmanager
def _mounted() -> Iterator[Path]:
    """Mount a file system of a few pages; raise an error without permission."""
    folder = Path(tempfile.mkdtemp())
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", folder], check=True, capture_output=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
        folder.rmdir()


@contextmanager
def _limited() -> Iterator[Path]:
    """Limit the file size, which fails like a full disk, if nothing can be mounted."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def _can_mount() -> bool:
    try:
        with _mounted():
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


WAYS = [_limited, _mounted] if _can_mount() else [_limited]


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__.strip("_"))
def full_disk(request: pytest.FixtureRequest) -> Iterator[Path]:
    """Return a folder that holds little more than 16,000 bytes."""
    with request.param() as folder:
        yield folder


def test_save_writes_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "match.jsonl"
    save(path, "one\n")
    assert read(path) == "one\n"
    save(path, "two é\n")
    assert path.read_bytes() == "two é\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_save_sets_file_mode(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    save(path, "x", mode=0o600)
    assert path.stat().st_mode & 0o777 == 0o600


def test_append_adds_lines(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    save(path, "one\n")
    append(path, ["two", "three"])
    append(path, [])
    assert read(path) == "one\ntwo\nthree\n"


def test_writes_are_flushed_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reached: list[int] = []
    fsync = os.fsync

    def noted(file: int) -> None:
        fsync(file)
        reached.append(os.fstat(file).st_size)

    monkeypatch.setattr(os, "fsync", noted)
    save(tmp_path / "match.jsonl", "one\n")
    append(tmp_path / "match.jsonl", ["two"])
    assert reached == [4, 8]


def test_save_on_full_disk_keeps_old_file(full_disk: Path) -> None:
    path = full_disk / "match.jsonl"
    save(path, "old\n")
    with pytest.raises(SaveError, match=r"Cannot write .*match\.jsonl: .*The file is unchanged"):
        save(path, "x" * (3 * ROOM))
    assert path.read_text() == "old\n"
    assert [file.name for file in full_disk.iterdir()] == ["match.jsonl"]


def test_append_on_full_disk_keeps_old_content(full_disk: Path) -> None:
    path = full_disk / "match.jsonl"
    save(path, "one\n")
    append(path, ["two"])
    with pytest.raises(SaveError, match=r"Cannot write .*match\.jsonl: .*The file is unchanged"):
        append(path, ["x" * 100] * 1000)
    assert path.read_text() == "one\ntwo\n"
    append(path, ["three"])
    assert path.read_text() == "one\ntwo\nthree\n"


def test_filling_disk_loses_no_complete_line(full_disk: Path) -> None:
    path, written = full_disk / "match.jsonl", 0
    save(path, "")
    for _ in range(100):
        try:
            append(path, ["x" * 999])
        except SaveError:
            break
        written += 1
    assert 5 < written < 100
    assert path.read_text() == ("x" * 999 + "\n") * written


def test_unwritable_path_raises_save_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveError, match="Cannot write"):
        save(tmp_path / "file" / "match.jsonl", "x")
    with pytest.raises(SaveError, match=r"Cannot write .*: Is a directory"):
        save(tmp_path, "x")
    with pytest.raises(SaveError, match=r"Cannot write .*: No such file"):
        append(tmp_path / "missing.jsonl", ["x"])
    with pytest.raises(SaveError, match="Cannot read"):
        read(tmp_path / "missing.jsonl")


def test_interrupted_save_keeps_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.jsonl"
    save(path, "old\n")

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(path, "new\n")
    assert path.read_text() == "old\n"
