"""Checks and seals of the whole database."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from sqlalchemy import Connection, Table, delete, func, select, text, update
from sqlalchemy.exc import DatabaseError

from readyroom.store.admin.audit_log import add_audit_entry
from readyroom.store.admin.deletion import OF_A_MATCH
from readyroom.store.base import Part, now
from readyroom.store.database import revision_of
from readyroom.store.errors import (
    DamagedDatabase,
    MatchDamaged,
    NewerDatabase,
    StorageFull,
    UnknownMatchId,
    WriteFailed,
)
from readyroom.store.integrity import Damage, Seals, count_damaged, reading_stored, write_note
from readyroom.store.migrations import HEAD
from readyroom.store.rows import AnyRow, match_row
from readyroom.store.tables import matches

PROBE_PATIENCE = 2.0
"""Seconds that a probe waits for another writer."""
PROBE_SIZE = 16_384
"""Characters that a probe writes: about as much as a decision."""
LEAST_SPACE = 4_000_000
"""Bytes that must be free on the disk of a SQLite file: with less, its write-ahead log may not fit."""


class CheckedMatch(NamedTuple):
    """The check of a match: whether it is quarantined, and what is damaged (None: nothing)."""

    id: str
    game: str
    closed: bool
    damage: str | None


class Checked(NamedTuple):
    """The check of a database: faults of its file, the number of rows that belong to no match, and each match."""

    faults: list[str]
    orphans: dict[str, int]
    matches: list[CheckedMatch]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is damaged and no match is quarantined."""
        return not (self.faults or self.orphans or any(each.closed or each.damage for each in self.matches))


class Integrity(Part):
    """Whether the database and its matches are as they were written."""

    def probe(self) -> int:
        """Write to the database and read from it, as a decision does; return the number of quarantined matches.

        Raises `WriteFailed` (`StorageFull` for a full disk, `DamagedDatabase`), or `NewerDatabase` if a newer Ready
        Room has changed it. Waits for no other thread and only for PROBE_PATIENCE for other writers.
        """
        database = self._shared.database
        if database.fault is not None:
            raise database.fault
        if database.is_file and shutil.disk_usage(Path(str(database.url.database)).parent).free < LEAST_SPACE:
            raise StorageFull
        with database.apart(PROBE_PATIENCE) as connection:
            name = revision_of(connection)
            if name != HEAD:
                raise NewerDatabase(str(name), HEAD)
            write_note(connection, "probe", f"{now():.0f} " + token_hex(PROBE_SIZE // 2))
            return count_damaged(connection)

    def seal_older(self, progress: Callable[[int, int], object] = lambda done, of: None) -> int:
        """Seal the matches of version 1.0, once, and quarantine damaged ones; return how many there were.

        Later a match without a seal is damaged. `progress` is called with the numbers of sealed matches and of all.
        """
        database, seals = self._shared.database, self._shared.seals
        with database.glance() as connection:
            if seals.is_complete(connection):
                return 0
            ids = connection.execute(select(matches.c.id).where(matches.c.head == "")).scalars().all()
        for done, match in enumerate(ids, start=1):
            try:
                with database.writing() as connection, suppress(UnknownMatchId):
                    if seals.awaits_seal(connection, match_row(connection, match, lock=True)):
                        seals.write(connection, match)
            except Damage as error:
                self._shared.live.quarantine(match, str(error))
            progress(done, len(ids))
        with database.writing() as connection:
            if not seals.is_complete(connection):
                write_note(connection, "sealed", f"{now():.0f}")
                add_audit_entry(connection, "seal", f"{len(ids)} matches of version 1.0")
        return len(ids)

    def seal(self, id: str) -> None:
        """Accept a match as it is stored, changed or not, and lift its quarantine.

        Raises `UnknownMatchId`, or `MatchDamaged` if it cannot be read.
        """
        with self._shared.database.writing() as connection:
            why = match_row(connection, id, lock=True).damaged or ""
            try:
                self._shared.seals.write(connection, id)
            except Damage as error:
                raise MatchDamaged(id, str(error)) from error
            add_audit_entry(connection, "seal", why, match=id)
        self._shared.live.forget(id)

    def seal_all(self) -> dict[str, str]:
        """Seal all matches with this server's key; return why some could not be sealed, by match."""
        with self._shared.database.writing() as connection:
            failed = seal_all(connection, self._shared.seals)
            add_audit_entry(connection, "seal", "all matches")
        return failed

    def check(self, *, repair: bool = False) -> Checked:
        """Check the database and each match in it.

        With `repair`, close damaged matches, reopen those that are whole again, and delete rows that belong to no
        match; what is damaged stays so.
        """
        database = self._shared.database
        with database.reading() as connection:
            faults = _file_faults(connection)
        orphans, rows = dict[str, int](), list[AnyRow]()
        for table in OF_A_MATCH:
            with suppress(DamagedDatabase), database.reading() as connection:
                orphans[table.name] = _count_orphans(connection, table)
        with suppress(DamagedDatabase), database.reading() as connection:
            rows += connection.execute(select(matches.c.id, matches.c.game).order_by(matches.c.created)).all()
        result = [self._check_match(row.id, row.game, repair=repair) for row in rows]
        lost = {name: many for name, many in orphans.items() if many}
        if repair and lost:
            with database.writing() as connection:
                for table in OF_A_MATCH:
                    connection.execute(delete(table).where(table.c.match.not_in(select(matches.c.id))))
                add_audit_entry(connection, "repair", "rows of no match were deleted")
        return Checked(faults, lost, [each for each in result if each is not None])

    def _check_match(self, id: str, game: str, *, repair: bool) -> CheckedMatch | None:
        """Check a match; return None if it was deleted in the meantime."""
        why, closed = None, False
        try:
            with reading_stored(), self._shared.database.reading() as connection:
                row = match_row(connection, id)
                closed = row.damaged is not None
                if not self._shared.seals.awaits_seal(connection, row):
                    self._shared.seals.check(connection, row)
        except UnknownMatchId:
            return None
        except (Damage, WriteFailed) as error:
            why = error.why if isinstance(error, DamagedDatabase) else str(error)
        if repair and why and not closed:
            self._shared.live.quarantine(id, why)
            closed = True
        elif repair and closed and not why:
            with self._shared.database.writing() as connection:
                connection.execute(update(matches).where(matches.c.id == id).values(damaged=None))
                add_audit_entry(connection, "repair", "the match is whole again", match=id)
            closed = False
        return CheckedMatch(id, game, closed, why)


def seal_all(connection: Connection, seals: Seals) -> dict[str, str]:
    """Seal all matches with a new key; return why some could not be sealed, by match. Those are quarantined.

    Entries that have hashes must have the right ones; `Integrity.seal` accepts even others.
    """
    seals.claim(connection, accept=True)
    complete, failed = seals.is_complete(connection), dict[str, str]()
    for match in connection.execute(select(matches.c.id)).scalars().all():
        row = match_row(connection, match)
        try:
            seals.write(connection, match, checked=complete or bool(row.head))
        except Damage as error:
            failed[match] = str(error)
            connection.execute(update(matches).where(matches.c.id == match).values(damaged=str(error)))
    if not complete:
        write_note(connection, "sealed", f"{now():.0f}")
    return failed


def _file_faults(connection: Connection) -> list[str]:
    """Return what SQLite's own check of the file finds."""
    if connection.dialect.name != "sqlite":
        return []
    try:
        lines = connection.execute(text("PRAGMA integrity_check")).scalars().all()
    except DatabaseError as error:
        return [str(error.orig)]
    return [" ".join(line.split()) for line in lines if line != "ok"]


def _count_orphans(connection: Connection, table: Table) -> int:
    wanted = select(func.count()).select_from(table).where(table.c.match.not_in(select(matches.c.id)))
    return connection.execute(wanted).scalar_one()
