"""Write to the database what has happened in a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import msgspec
from msgspec.structs import asdict
from sqlalchemy import (
    CTE,
    JSON,
    Boolean,
    Connection,
    CursorResult,
    Table,
    Text,
    bindparam,
    case,
    cast,
    column,
    delete,
    exists,
    func,
    insert,
    select,
    true,
    update,
)

from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.match.snapshot import Checkpoint
from readyroom.store.clock import Clock
from readyroom.store.database import WriteConflict
from readyroom.store.integrity import STATE, Seals
from readyroom.store.live.live_match import LiveMatch
from readyroom.store.live.stored_rows import entry_rows, line_rows, state_columns
from readyroom.store.tables import checkpoints, entries, log, matches, passes

_encode = msgspec.json.Encoder().encode
_STATE_COLUMNS = (*STATE, "revisions", "changed", "head", "clock")
_update_match = (
    update(matches)
    .where(
        matches.c.id == bindparam("match_id"),
        matches.c.revision == bindparam("before"),
        matches.c.handed == bindparam("handovers"),
        matches.c.damaged.is_(None),
    )
    .values(
        {name: bindparam(f"new_{name}") for name in _STATE_COLUMNS}
        | {
            "announced": case(
                (bindparam("public", type_=Boolean), bindparam("new_changed")),
                else_=matches.c.announced,
            )
        }
    )
    .returning(matches.c.id, exists().where(passes.c.match == bindparam("match_id")).label("passing"))
)
_set_checkpoint = update(checkpoints).values(
    {name: bindparam(f"checkpoint_{name}") for name in Checkpoint.__struct_fields__}
)
_update_checkpoint = _set_checkpoint.where(checkpoints.c.match == bindparam("id"))
_delete_lines = delete(log).where(log.c.match == bindparam("id"), log.c.i >= bindparam("since"))
_add_entries, _add_lines = insert(entries), insert(log)
_moved = _update_match.cte("moved")


def _add_rows(table: Table) -> CTE:
    """Return the statement that adds rows, given as JSON, of the match in `_moved`."""
    columns = [column(each.name, each.type) for each in table.c if each.name != "match"]
    given = cast(bindparam(f"new_{table.name}", type_=Text), JSON)
    rows = func.json_to_recordset(given).table_valued(*columns).render_derived(with_types=True)
    new = select(_moved.c.id, *rows.c).select_from(_moved.join(rows, true()))
    return insert(table).from_select(["match", *(each.name for each in columns)], new).cte(f"new_{table.name}")


_at_once = select(_moved.c.passing).add_cte(_add_rows(entries), _add_rows(log))
_at_once_with_checkpoint = _at_once.add_cte(
    _set_checkpoint.where(checkpoints.c.match == _moved.c.id).cte("new_checkpoint")
)
"""All of a write in one statement, which only PostgreSQL can."""


@dataclass(frozen=True)
class Changes:
    """What has happened in a match since it was last saved, as rows and parameters."""

    checkpoint: Checkpoint
    clock: Clock | None
    parameters: dict[str, Any]
    entries: list[dict[str, Any]]
    lines: list[dict[str, Any]]
    saved_checkpoint: dict[str, Any]

    @classmethod
    def of(cls, live: LiveMatch, seals: Seals) -> Self:
        """Collect and seal the changes; this needs no database, so no other thread has to wait."""
        match, digests = live.match, live.digests
        values, checkpoint = state_columns(match)
        clock = live.moved_clock(values["changed"])
        values["clock"] = "" if clock is None else clock.encode()
        decided = entry_rows(live.id, match.record_entries(live.revision), values["changed"], match.unseen)
        lines = line_rows(live.id, match.full_log[live.lines :], live.lines)
        digests.add_entries(decided)
        digests.set_log(live.lines, [row["line"] for row in lines])
        saved_checkpoint = {}
        if checkpoint != live.checkpoint:
            saved_checkpoint = {f"checkpoint_{name}": value for name, value in asdict(checkpoint).items()}
            digests.set_checkpoint(**asdict(checkpoint))
        new = {f"new_{name}": value for name, value in (values | {"head": seals.head(digests, values)}).items()}
        public = match.revision_for(None) != live.viewers[SPECTATOR]
        new |= {"match_id": live.id, "before": live.revision, "handovers": live.handed, "public": public}
        return cls(checkpoint, clock, new, decided, lines, saved_checkpoint)


def write_at_once(connection: Connection, changes: Changes) -> bool:
    """Write changes like `write`, in one statement without a transaction.

    This is only for PostgreSQL, and if no line of the log is deleted.
    """
    statement = _at_once_with_checkpoint if changes.saved_checkpoint else _at_once
    rows = {"new_entries": _encode(changes.entries).decode(), "new_log": _encode(changes.lines).decode()}
    return _passing(connection.execute(statement, changes.parameters | rows | changes.saved_checkpoint))


def write(connection: Connection, live: LiveMatch, changes: Changes) -> bool:
    """Write changes; return whether seats of the match pass.

    Raises `WriteConflict` if the row is no longer where the match came from.
    """
    passing = _passing(connection.execute(_update_match, changes.parameters))
    if changes.entries:
        connection.execute(_add_entries, changes.entries)
    if live.cut:
        connection.execute(_delete_lines, {"id": live.id, "since": live.lines})
    if changes.lines:
        connection.execute(_add_lines, changes.lines)
    if changes.saved_checkpoint:
        connection.execute(_update_checkpoint, {"id": live.id, **changes.saved_checkpoint})
    return passing


def _passing(result: CursorResult[Any]) -> bool:
    row = result.one_or_none()
    if row is None:
        raise WriteConflict("another process was faster")
    return bool(row.passing)
