"""Write to the database what has happened in a match."""

from __future__ import annotations

from msgspec.structs import asdict
from sqlalchemy import Boolean, Connection, bindparam, case, delete, exists, insert, update

from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.match.snapshot import Checkpoint
from readyroom.store.database import WriteConflict
from readyroom.store.integrity import STATE, Seals
from readyroom.store.live.live_match import LiveMatch
from readyroom.store.live.stored_rows import entry_rows, line_rows, state_columns
from readyroom.store.tables import checkpoints, entries, log, matches, passes

_STATE_COLUMNS = (*STATE, "revisions", "changed", "head")
_update_match = (
    update(matches)
    .where(
        matches.c.id == bindparam("match"),
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
    .returning(exists().where(passes.c.match == bindparam("match")))
)
_update_checkpoint = (
    update(checkpoints)
    .where(checkpoints.c.match == bindparam("id"))
    .values({name: bindparam(f"new_{name}") for name in Checkpoint.__struct_fields__})
)
_delete_lines = delete(log).where(log.c.match == bindparam("id"), log.c.i >= bindparam("since"))
_add_entries, _add_lines = insert(entries), insert(log)


def write(connection: Connection, live: LiveMatch, seals: Seals) -> tuple[Checkpoint, bool]:
    """Write what has happened; return the checkpoint, and whether seats of the match pass.

    Raises `WriteConflict` if the row is no longer where the match came from.
    """
    match, digests = live.match, live.digests
    values, checkpoint = state_columns(match)
    decided = entry_rows(live.id, match.record_entries(live.revision), values["changed"], match.unseen)
    lines = line_rows(live.id, match.full_log[live.lines :], live.lines)
    digests.add_entries(decided)
    digests.set_log(live.lines, [row["line"] for row in lines])
    if checkpoint != live.checkpoint:
        digests.set_checkpoint(**asdict(checkpoint))
    new = {f"new_{name}": value for name, value in (values | {"head": seals.head(digests, values)}).items()}
    public = match.revision_for(None) != live.viewers[SPECTATOR]
    where = {"match": live.id, "before": live.revision, "handovers": live.handed, "public": public}
    passing = connection.execute(_update_match, where | new).scalar_one_or_none()
    if passing is None:
        raise WriteConflict("another process was faster")
    if decided:
        connection.execute(_add_entries, decided)
    if live.cut:
        connection.execute(_delete_lines, {"id": live.id, "since": live.lines})
    if lines:
        connection.execute(_add_lines, lines)
    if checkpoint != live.checkpoint:
        new = {f"new_{name}": value for name, value in asdict(checkpoint).items()}
        connection.execute(_update_checkpoint, {"id": live.id, **new})
    return checkpoint, bool(passing)
