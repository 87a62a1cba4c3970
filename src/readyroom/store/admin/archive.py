"""The whole database as one file: a zip with the rows of each table as JSON Lines, and a manifest.

It goes from SQLite to PostgreSQL and back. It contains the dice secrets: only admins may see it.
"""

from __future__ import annotations

import zipfile
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    MetaData,
    Table,
    delete,
    false,
    func,
    insert,
    select,
    text,
    union,
)

from readyroom.engine.data import ready
from readyroom.engine.files import atomic_write
from readyroom.store.admin.integrity_checks import Integrity, seal_all
from readyroom.store.base import Shared
from readyroom.store.database import REVISIONS, Database, revision_of, upgrade
from readyroom.store.errors import InvalidArchive, NewerDatabase, NotEmpty
from readyroom.store.integrity import Seals
from readyroom.store.migrations import HEAD
from readyroom.store.rows import match_row
from readyroom.store.tables import away, matches, messages, metadata, notes, players, server, sittings

FORMAT = 1
MANIFEST = "manifest.json"
BATCH = 500
_encode = msgspec.json.Encoder(enc_hook=lambda value: b64encode(value).decode()).encode


class Manifest(msgspec.Struct, frozen=True):
    """What an archive says of itself: its format, the revision of the tables, and how many rows each has."""

    readyroom_archive: int
    revision: str
    tables: dict[str, int]


def write(database: Database, path: Path, only: str | None = None) -> None:
    """Write a consistent archive of everything or of one match; the old file stays until the new one is complete.

    Everything may also be of an older revision. Raises `SaveError` or `UnknownMatchId`.
    """
    if only is not None:
        with database.reading() as connection:
            match_row(connection, only)
    with (
        atomic_write(path, mode=0o600) as file,
        database.reading() as connection,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        revision, known = revision_of(connection) or HEAD, metadata
        if revision != HEAD:
            known = MetaData()
            known.reflect(connection, only=lambda name, _: name != "alembic_version")
        counts = {table.name: _write_table(connection, archive, table, only) for table in known.sorted_tables}
        archive.writestr(MANIFEST, msgspec.json.encode(Manifest(FORMAT, revision, counts)))


def _write_table(connection: Connection, archive: zipfile.ZipFile, table: Table, only: str | None) -> int:
    count = 0
    wanted = select(table).order_by(*table.primary_key)
    if only is not None:
        wanted = wanted.where(_belongs(table, only))
    rows = connection.execution_options(yield_per=BATCH).execute(wanted)
    with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as file:
        for row in rows.mappings():
            file.write(_encode(dict(row)) + b"\n")
            count += 1
    return count


def _belongs(table: Table, id: str) -> ColumnElement[bool]:
    """Return the condition for the rows that belong to a match; of the players, those that it names."""
    if table is matches:
        return matches.c.id == id
    if table is players:
        named = [select(each.c.player).where(each.c.match == id) for each in (sittings, away, messages, notes)]
        return players.c.id.in_(union(select(matches.c.host).where(matches.c.id == id), *named))
    if table is server:
        return server.c.name.in_(("key", "sealed"))
    return table.c.match == id if "match" in table.c else false()


def read(path: Path, database: Database, seals: Seals, *, accept: bool = False) -> None:
    """Fill an empty database from an archive, migrate it, and seal the matches of version 1.0.

    Raises as `check`, `NotEmpty`, or, unless `accept` seals all again, `OtherKey`; then nothing has changed.
    """
    with _opened(path) as (archive, manifest), database.writing() as connection:
        _fill(connection, archive, manifest)
        if not accept:
            seals.claim(connection)
        if accept or not seals.is_complete(connection):
            seal_all(connection, seals)


def check(path: Path) -> None:
    """Raise `InvalidArchive` or `NewerDatabase` if a file is no archive that can be restored here."""
    with _opened(path):
        pass


@contextmanager
def _opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Yield an archive and its manifest; raise as `check`, also for what is found out later."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = msgspec.json.decode(archive.read(MANIFEST), type=ready(Manifest))
            if manifest.revision not in REVISIONS or manifest.readyroom_archive != FORMAT:
                raise NewerDatabase(manifest.revision, HEAD)
            yield archive, manifest
    except OSError as error:
        raise InvalidArchive(f"Cannot read {path}: {error.strerror or error}.") from error
    except (KeyError, ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise InvalidArchive(f"{path} is not a Ready Room archive, or it is damaged ({error}).") from error


def verify(path: Path, secret: str) -> list[str]:
    """Restore an archive into a scratch database; return the matches in it that are damaged and not closed already.

    Raises as `read`.
    """
    with TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.") as folder:
        database, seals = Database(f"sqlite:///{folder}/scratch.sqlite", upto=None), Seals(secret)
        try:
            read(path, database, seals)
            checked = Integrity(Shared(database, seals)).check()
        finally:
            database.close()
    if checked.faults or checked.orphans:
        raise InvalidArchive(f"{path} could not be restored whole.")
    return [each.id for each in checked.matches if each.damage and not each.closed]


def _fill(connection: Connection, archive: zipfile.ZipFile, manifest: Manifest) -> None:
    if revision_of(connection) not in (None, manifest.revision):
        raise NotEmpty("An archive can only be restored into an empty database. Use another one.")
    upgrade(connection, manifest.revision)
    meta_data = MetaData()
    meta_data.reflect(connection)
    for table in meta_data.sorted_tables:
        if table.name in manifest.tables:
            if table.name == server.name:  # a server that has started here may have noted something
                connection.execute(delete(table))
            if connection.execute(select(func.count()).select_from(table)).scalar():
                raise NotEmpty("The database is in use already; restore the archive into an empty one.")
            with archive.open(f"{table.name}.jsonl") as file:
                _fill_table(connection, table, file, manifest.tables[table.name])
    _count_on(connection, meta_data)
    upgrade(connection)


def _fill_table(connection: Connection, table: Table, lines: IO[bytes], expected: int) -> None:
    binary = [column.name for column in table.columns if isinstance(column.type, LargeBinary)]
    count = 0
    while rows := [_row(line, binary) for line in islice(lines, BATCH)]:
        connection.execute(insert(table), rows)
        count += len(rows)
    if count != expected:
        raise ValueError(f"{table.name} has {count} rows instead of {expected}")


def _row(line: bytes, binary: list[str]) -> Mapping[str, Any]:
    row = msgspec.json.decode(line, type=dict[str, Any])
    return {**row, **{name: b64decode(row[name], validate=True) for name in binary if row[name] is not None}}


def _count_on(connection: Connection, meta_data: MetaData) -> None:
    """Advance PostgreSQL's sequences past the restored ids of messages and audit entries."""
    if connection.dialect.name != "postgresql":
        return
    for name in {"messages", "journal"} & meta_data.tables.keys():
        last = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))"
        connection.execute(text(last))
