"""The audit log: what admins have done, and what the server has deleted by itself."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import Connection, func, insert, select, text

from readyroom.store.base import now
from readyroom.store.cards import from_timestamp
from readyroom.store.tables import journal

Act = Literal["ban", "unban", "invite", "delete", "forget", "announce", "expire", "keep", "seal", "repair", "sign-out"]
JOURNAL_LOCK = 0x4B454550
"""The key of PostgreSQL's advisory lock for writing the audit log, so that its ids follow the order of time."""


class AuditEntry(NamedTuple):
    """An entry of the audit log: what was done when, to which match, seat or player, and why."""

    id: int
    at: datetime
    act: Act
    match: str | None
    seat: str | None
    player: str | None
    why: str


def add_audit_entry(connection: Connection, act: Act, why: str, **player: str) -> None:
    """Append an entry; `player` names a match, a seat or a player."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": JOURNAL_LOCK})
    connection.execute(insert(journal), {"at": now(), "act": act, "why": why, **player})


def audit_entries(connection: Connection, since: int) -> list[AuditEntry]:
    """Return the entries after this id."""
    wanted = select(journal).where(journal.c.id > since).order_by(journal.c.id)
    return [
        AuditEntry(row.id, from_timestamp(row.at), row.act, row.match, row.seat, row.player, row.why)
        for row in connection.execute(wanted)
    ]


def last_entry_id(connection: Connection) -> int:
    """Return the id of the last entry; 0 before the first."""
    return connection.execute(select(func.max(journal.c.id))).scalar() or 0
