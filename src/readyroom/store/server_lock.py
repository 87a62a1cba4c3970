"""One server per SQLite file: a second one would not notice what the first one changes in memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL

from readyroom.engine.errors import SaveError
from readyroom.store.database import database_url, make_file
from readyroom.store.errors import DatabaseInUse

SUFFIX = ".server"
"""Ends the name of the file that is locked, next to the database; it contains the process id of the server."""


@contextmanager
def only_server(url: str | URL) -> Iterator[None]:
    """Lock a database against other servers for the block; PostgreSQL takes several.

    The system releases the lock when the process ends, even if it is killed. Other programs are not affected. Raises
    `DatabaseInUse`, or `SaveError` if the file cannot be locked.
    """
    address = database_url(url)
    if address.get_backend_name() != "sqlite" or sys.platform == "win32":
        yield
        return
    import fcntl

    database = Path(str(address.database)).resolve()
    path = database.with_name(f"{database.name}{SUFFIX}")
    make_file(str(path))
    with path.open("r+") as file:
        try:
            # Unlike flock, not inherited by child processes, which may outlive a server that was killed.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:
            raise DatabaseInUse(str(database), file.read().strip()) from error
        except OSError as error:
            raise SaveError(f"Cannot lock {path}: {error.strerror or error}.") from error
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
