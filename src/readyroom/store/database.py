"""The database: SQLite in a file or PostgreSQL; reading, writing, and migrating it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from tempfile import TemporaryFile
from threading import Lock
from time import monotonic
from typing import Any, Literal

from sqlalchemy import URL, Connection, NullPool, Pool, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from readyroom.engine.errors import SaveError
from readyroom.engine.home import HOME, data_folder
from readyroom.store.errors import (
    CannotOpen,
    DamagedDatabase,
    DatabaseUnreachable,
    NewerDatabase,
    NoDatabase,
    NotUnicode,
    OlderDatabase,
    StorageFull,
    UnknownDatabase,
    WriteFailed,
)
from readyroom.store.migrations import HEAD
from readyroom.store.tables import metadata

FILE = "matches.sqlite"
PATIENCE = 30.0
"""Seconds to wait for another process that is writing, or for a free connection."""
PREPARING = 0x52454144
"""The key of PostgreSQL's advisory lock while a database is prepared."""
FASTER = ("40001", "40P01")
"""What PostgreSQL calls two transactions that got into each other's way."""
DISK_FULL = "53100"
"""What PostgreSQL calls a full disk."""
WRITING = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE)
"""What SQLite calls a file that it could not write or extend."""
GROWTH = 65_536
"""By how many bytes more a file is tried to grow after that: a page of SQLite has no more."""
FULL, CORRUPT = (sqlite3.SQLITE_FULL,), (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
Durability = Literal["process", "power"]
"""What a confirmed decision survives on SQLite: the end of the process, or also a power failure."""
CHECK_SECONDS = 5.0
"""The time limit of the quick check of a database file when a server starts."""
STEPS = 10_000
"""Instructions of SQLite between two looks at the clock."""
REVISIONS = (*(f"{n:04}" for n in range(1, int(HEAD))), HEAD)


class WriteConflict(WriteFailed):
    """Another process was faster: what was to be written no longer fits what is there."""


def database_url(url: str | URL) -> URL:
    """Return a database address; raise `UnknownDatabase` if the server cannot use it."""
    try:
        result = make_url(url)
    except ArgumentError as error:
        raise UnknownDatabase from error
    kind = result.get_backend_name()
    if kind == "postgresql":
        return result.set(drivername="postgresql+psycopg")
    if kind != "sqlite" or result.database in (None, "", ":memory:"):
        raise UnknownDatabase
    return result


class Database:
    """A database of matches, migrated (to the revision `upto`; None: not at all) when it is opened.

    If not `create`, it must exist and have the newest revision, and opening it changes nothing. `durability` only
    matters to SQLite; PostgreSQL waits for its disk in any case. `fault` is set once SQLite has found the file damaged.

    Raises `UnknownDatabase`, `SaveError` (the file's folder cannot be written), `WriteFailed`,
    `NewerDatabase`, `NotUnicode`, or if not `create`, `NoDatabase` or `OlderDatabase`.
    """

    def __init__(
        self,
        url: str | URL | None = None,
        upto: str | None = HEAD,
        durability: Durability = "process",
        *,
        create: bool = True,
    ) -> None:
        self.url = URL.create("sqlite", database=str(data_folder() / FILE)) if url is None else database_url(url)
        self.is_file = self.url.get_backend_name() == "sqlite"
        # Errors go into the log, and the parameters of what is written are plans, words and the secrets of dice.
        engine = partial(create_engine, self.url, pool_size=8, hide_parameters=True)
        self.fault: DamagedDatabase | None = None
        if self.is_file:
            if create:
                make_file(str(self.url.database))
            elif not os.path.exists(str(self.url.database)):
                raise NoDatabase(str(self.url.database))
            self.engine = engine(max_overflow=32, pool_use_lifo=True, connect_args={"timeout": PATIENCE})
            event.listen(self.engine, "connect", partial(_prepare_file, durability))
            self._glancer = self._reader = self.engine
        else:
            engine = partial(engine, max_overflow=8, pool_timeout=PATIENCE)
            self.engine = engine()
            event.listen(self.engine, "connect", _require_utf8, insert=True)
            # Connections of their own, because it takes as long to change the isolation level as to run a short query.
            self._glancer = engine(isolation_level="AUTOCOMMIT")
            self._reader = self.engine.execution_options(isolation_level="REPEATABLE READ")
        # SQLite lets one connection write at a time; threads that queue here need not ask it again and again.
        self._one = Lock() if self.is_file else nullcontext()
        if not create:
            self._require_newest()
        elif upto is not None:
            self.migrate(upto)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()
        self._glancer.dispose()

    @property
    def pools(self) -> set[Pool]:
        """The pools of connections."""
        return {self.engine.pool, self._glancer.pool}

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Return a connection for reading one consistent snapshot."""
        with self._describe_error(), self._reader.connect() as connection:
            self._begin(connection, "BEGIN")
            yield connection

    @contextmanager
    def glance(self) -> Iterator[Connection]:
        """Return a connection for one short statement without a transaction."""
        with self._describe_error(), self._glancer.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Return a transaction: it is committed when the block ends, and rolled back if it raises."""
        with self._one, self._describe_error(), self.engine.begin() as connection:
            self._begin(connection, "BEGIN IMMEDIATE")
            yield connection

    def _begin(self, connection: Connection, statement: str) -> None:
        """Begin a transaction of SQLite, which its driver leaves to us.

        This is no listener for events: with one, SQLAlchemy looks for listeners around each statement.
        """
        if self.is_file:
            connection.exec_driver_sql(statement)

    @contextmanager
    def apart(self, patience: float) -> Iterator[Connection]:
        """Return a transaction on a connection of its own, which waits for no other thread; patience in seconds."""
        limit = {"timeout": patience} if self.is_file else {"connect_timeout": max(2, int(patience))}
        engine = create_engine(self.url, poolclass=NullPool, hide_parameters=True, connect_args=limit)
        with self._describe_error(), engine.begin() as connection:
            yield connection

    def quick_check(self, seconds: float = CHECK_SECONDS) -> bool:
        """Check the structure of a SQLite file; return False if the time did not suffice for all of it.

        Raises `DamagedDatabase`. Of PostgreSQL, whose pages have their own checks, nothing is read.
        """
        if not self.is_file:
            return True
        until = monotonic() + seconds
        with self.glance() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
            raw.set_progress_handler(lambda: monotonic() > until, STEPS)
            try:
                found = [str(line) for (line,) in raw.execute("PRAGMA quick_check(3)")]
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                    raise DamagedDatabase(str(error)) from error
                return False
            except sqlite3.DatabaseError as error:
                raise DamagedDatabase(str(error)) from error
            finally:
                raw.set_progress_handler(None, 0)
        if found != ["ok"]:
            raise DamagedDatabase(" ".join(found[0].split()))
        return True

    @contextmanager
    def _describe_error(self) -> Iterator[None]:
        """Convert errors of the database into our own."""
        try:
            yield
        except IntegrityError as error:
            raise WriteConflict(str(error.orig)) from error
        except OperationalError as error:
            if not self.is_file and getattr(error.orig, "sqlstate", None) is None:
                raise DatabaseUnreachable(str(error.orig).strip().partition("\n")[0]) from error
            raise self._error_of(error.orig) from error
        except DBAPIError as error:
            raise self._error_of(error.orig) from error
        except (sqlite3.Error, UnicodeDecodeError) as error:  # while a connection is set up
            raise self._error_of(error) from error
        except SQLAlchemyError as error:
            raise WriteFailed(str(error).partition("\n")[0]) from error

    def _error_of(self, error: BaseException | None) -> WriteFailed:
        state, code = getattr(error, "sqlstate", None), getattr(error, "sqlite_errorcode", None)
        why = str(error).strip().partition("\n")[0]
        if isinstance(error, UnicodeDecodeError):  # a schema that SQLite quotes in its error
            code, why = sqlite3.SQLITE_CORRUPT, "malformed database schema"
        if state in FASTER:
            return WriteConflict(str(error))
        if state == DISK_FULL or code in FULL or (self.is_file and _failed_to_grow(code, str(self.url.database))):
            return StorageFull()
        if self.is_file and code is not None and code & 0xFF in CORRUPT:
            self.fault = DamagedDatabase(why)
            return self.fault
        if self.is_file and code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            return CannotOpen(str(self.url.database))
        return WriteFailed(why)

    @contextmanager
    def preparing(self) -> Iterator[Connection]:
        """Like `writing`, while no other process prepares the database."""
        with self.writing() as connection:
            if not self.is_file:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": PREPARING})
            yield connection

    def revision(self) -> str | None:
        """Return the revision of the tables; None for an empty database. Raises `NewerDatabase`."""
        with self.reading() as connection:
            return _known_revision(connection)

    def _require_newest(self) -> None:
        name = self.revision()
        if name is None:
            raise NoDatabase(self.url.render_as_string())
        if name != HEAD:
            raise OlderDatabase(name, HEAD)

    def migrate(self, upto: str = HEAD) -> None:
        """Create the tables, or migrate them to a revision."""
        with self.preparing() as connection:
            name = _known_revision(connection)
            if name is None and upto == HEAD:
                create_tables(connection)
            elif name != upto:
                upgrade(connection, upto)


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the tables; None for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    name: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return name


def _known_revision(connection: Connection) -> str | None:
    name = revision_of(connection)
    if name is not None and name not in REVISIONS:
        raise NewerDatabase(name, HEAD)
    return name


def create_tables(connection: Connection) -> None:
    """Create the tables of the newest revision in an empty database, faster than all migrations would."""
    metadata.create_all(connection)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": HEAD})


def upgrade(connection: Connection, upto: str = HEAD) -> None:
    """Migrate the tables to a revision."""
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "readyroom.store:migrations")
    config.set_main_option("path_separator", "os")
    command.upgrade(config, upto)


def make_file(name: str) -> None:
    """Create the file if needed, readable by its owner only, because it contains dice keys."""
    try:
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        os.close(os.open(name, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        reason = error.strerror or error
        raise SaveError(f"Cannot write to {name}: {reason}. Set {HOME} to a folder for matches.") from error


def _failed_to_grow(code: int | None, name: str) -> bool:
    """Return whether SQLite's error is a write that failed because a file may not grow: by a size limit or a quota.

    SQLite does not say why a write has failed, so a scratch file next to the database tries to grow further than it.
    """
    if code not in WRITING:
        return False
    size = max((os.path.getsize(file) for file in (name, f"{name}-wal") if os.path.exists(file)), default=0)
    try:
        with TemporaryFile(dir=os.path.dirname(os.path.abspath(name)), buffering=0) as scratch:
            scratch.seek(size)
            scratch.write(bytes(GROWTH))
    except OSError as error:
        return error.errno in (errno.EFBIG, errno.EDQUOT, errno.ENOSPC)
    return False


def _require_utf8(connection: Any, _: Any) -> None:
    """Raise `NotUnicode` for another encoding, before SQLAlchemy fails on the bytes that SQL_ASCII yields."""
    encoding = connection.info.parameter_status("server_encoding") or ""
    if encoding != "UTF8":
        raise NotUnicode(encoding)


def _prepare_file(durability: Durability, connection: sqlite3.Connection, _: Any) -> None:
    """Set up a connection to SQLite.

    Synchronous NORMAL: a commit has reached the operating system, so it survives any end of the process.
    Only a power cut may cost the last seconds, as a whole: the database stays consistent and the match returns to
    an earlier state. FULL waits for the disk after every decision.
    """
    connection.isolation_level = None
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")  # the seals notice damaged text
    synchronous = "FULL" if durability == "power" else "NORMAL"
    for setting in ("journal_mode=WAL", f"synchronous={synchronous}", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}").close()
