"""Write to the database what has happened in a match."""

from __future__ import annotations

from typing import Any

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
from readyroom.store.database import WriteConflict
from readyroom.store.integrity import STATE, Seals
from readyroom.store.live.live_match import LiveMatch
from readyroom.store.live.stored_rows import entry_rows, line_rows, state_columns
from readyroom.store.tables import checkpoints, entries, log, matches, passes

_encode = msgspec.json.Encoder().encode
_STATE_COLUMNS = (*STATE, "revisions", "changed", "head")
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


def write(connection: Connection, live: LiveMatch, seals: Seals, *, at_once: bool) -> tuple[Checkpoint, bool]:
    """Write what has happened; return the checkpoint, and whether seats of the match pass.

    `at_once`: in one statement, without a transaction; only on PostgreSQL, and if no line of the log is deleted.
    Raises `WriteConflict` if the row is no longer where the match came from.
    """
    match, digests = live.match, live.digests
    values, checkpoint = state_columns(match)
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
    if at_once:
        statement = _at_once_with_checkpoint if saved_checkpoint else _at_once
        new |= {"new_entries": _encode(decided).decode(), "new_log": _encode(lines).decode()} | saved_checkpoint
        return checkpoint, _passing(connection.execute(statement, new))
    passing = _passing(connection.execute(_update_match, new))
    if decided:
        connection.execute(_add_entries, decided)
    if live.cut:
        connection.execute(_delete_lines, {"id": live.id, "since": live.lines})
    if lines:
        connection.execute(_add_lines, lines)
    if saved_checkpoint:
        connection.execute(_update_checkpoint, {"id": live.id, **saved_checkpoint})
    return checkpoint, passing


def _passing(result: CursorResult[Any]) -> bool:
    row = result.one_or_none()
    if row is None:
        raise WriteConflict("another process was faster")
    return bool(row.passing)
