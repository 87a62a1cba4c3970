"""A PostgreSQL server for the tests, from a wheel, on a socket in a private folder.

Test processes share one server: the first to ask starts it, the last to finish stops it.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import msgspec
import psycopg

SETTINGS = {"listen_addresses": "", "fsync": "off", "full_page_writes": "off", "max_connections": "200"}
SERVANT = "nobody"
"""The user that runs PostgreSQL when the tests run as root, which it refuses."""


class Running(msgspec.Struct):
    """The shared record of a server: its folder and number of users."""

    folder: str
    users: int


class Postgres:
    """A running server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def url(self, name: str = "postgres") -> str:
        """Return the address of a database."""
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def new_database(self, how: str = "") -> str:
        """Create an empty database, with more of the statement, and return its address."""
        name = f"t{uuid4().hex}"
        with psycopg.connect(host=str(self.folder), user="postgres", dbname="postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} {how}".encode())
        return self.url(name)

    def program(self, name: str) -> str:
        """Return the path of a PostgreSQL program such as pg_dump."""
        return str(_binaries(self.folder) / name)


@contextmanager
def shared(place: Path) -> Iterator[Postgres]:
    """Yield the server shared by all processes that use this folder."""
    place.mkdir(parents=True, exist_ok=True)
    note = place / "postgres.json"
    with _alone(place):
        known = msgspec.json.decode(note.read_bytes(), type=Running) if note.exists() else Running(str(_start()), 0)
        note.write_bytes(msgspec.json.encode(Running(known.folder, known.users + 1)))
    try:
        yield Postgres(Path(known.folder))
    finally:
        with _alone(place):
            left = msgspec.json.decode(note.read_bytes(), type=Running).users - 1
            note.write_bytes(msgspec.json.encode(Running(known.folder, left)))
            if not left:
                note.unlink()
                _stop(Path(known.folder))


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    with (place / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _start() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="readyroom-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        os.chown(folder, pwd.getpwnam(SERVANT).pw_uid, -1)
    _run(folder, "initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C")
    settings = SETTINGS | {"unix_socket_directories": str(folder)}
    text = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
    _run(folder, "pg_ctl", "-w", "-l", str(folder / "server.log"), "-o", text, "start")
    return folder


def _stop(folder: Path) -> None:
    _run(folder, "pg_ctl", "-w", "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)


def _run(folder: Path, program: str, *arguments: str) -> None:
    """Run a server program on the server's data; its output goes to a file, because the server outlives it."""
    command = [str(_binaries(folder) / program), "-D", str(folder / "data"), *arguments]
    user = SERVANT if os.geteuid() == 0 else None
    with (folder / "said").open("w+b") as messages:
        done = subprocess.run(
            command,
            user=user,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=messages,
            stderr=messages,
            timeout=60,
            check=False,
        )
        messages.seek(0)
        assert done.returncode == 0, f"{program} failed:\n{messages.read().decode(errors='replace')}"


def _binaries(folder: Path) -> Path:
    """Return the folder of the programs, or a copy if the server's user cannot read it."""
    module_spec = find_spec("pgserver")
    assert module_spec is not None, "PostgreSQL's wheel is missing: pip install --group dev"
    assert module_spec.submodule_search_locations is not None
    package = Path(next(iter(module_spec.submodule_search_locations)))
    if os.geteuid() != 0 or all(place.stat().st_mode & 0o001 for place in (package, *package.parents)):
        return package / "pginstall" / "bin"
    copied = folder / "site" / "pgserver"
    if not copied.exists():
        for part in (package, package.with_name("pgserver.libs")):
            if part.exists():
                shutil.copytree(part, copied.with_name(part.name))
    return copied / "pginstall" / "bin"
