"""Matches in memory: read from the database, kept in sync with it, and written back before listeners are notified."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection, and_, bindparam, select, update

from readyroom.engine.data import ready
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game
from readyroom.engine.match.resume import REPLAY_ERRORS, resume
from readyroom.engine.match.snapshot import Checkpoint, Snapshot
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Header, Undo
from readyroom.engine.record.positions import restore
from readyroom.engine.record.replay import replay
from readyroom.store.database import Database, WriteConflict
from readyroom.store.errors import DamagedDatabase, MatchDamaged, NotStarted, UnreadableMatch, WriteFailed
from readyroom.store.integrity import STATE, Damage, Seals, Stored, reading_stored
from readyroom.store.live.live_match import BOTS_TIME, LiveMatch
from readyroom.store.live.stored_rows import (
    AnyMatch,
    count_same,
    entry_from_row,
    line_texts,
    log_lines,
    saved_match,
    unseen_of,
)
from readyroom.store.live.writing import Changes, write, write_at_once
from readyroom.store.rows import AnyRow, check_id, match_row, outcome_of, post_system_message
from readyroom.store.tables import entries, matches

MAX_CACHED = 600
"""The number of matches kept in memory, some hundred kilobytes each; the rest stay in the database."""
MAX_CACHED_LINES = 150_000
"""The number of decisions and log lines of all matches in memory, some hundred bytes each."""
REWOUND = (
    "The rules were updated since this match started and the last decisions are no longer legal. They were undone."
)

logger = logging.getLogger("readyroom.store")

_ENTRY = (entries.c.n, entries.c.undo, entries.c.told, entries.c.at, entries.c.hash, entries.c.unseen)
_state_and_entries = (
    select(matches.c.handed, matches.c.head, matches.c.clock, *[matches.c[name] for name in STATE], *_ENTRY)
    .outerjoin(entries, and_(entries.c.match == matches.c.id, entries.c.n > bindparam("since")))
    .where(matches.c.id == bindparam("id"))
    .order_by(entries.c.n)
)
"""Where a match is, and the entries since; one row without an entry if there are none."""


Rewound = Callable[[str, Mapping[str, int], bool], None]
"""`rewound(match id, revisions, bots due)`, once a match was returned to where its decisions are legal."""


class LiveMatches:
    """The matches that were used last, each in step with the database whenever it is held.

    `rewound` is called, when the match is no longer held, with the revisions of the viewers that may notice it, and
    `passes_due` with the id of a match that was saved and has seats that pass.
    """

    def __init__(
        self, database: Database, games: Callable[[str], Game[Any, Any]], seals: Seals, rewound: Rewound
    ) -> None:
        self._database, self._games, self._seals, self._rewound = database, games, seals, rewound
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._finding = Lock()
        self.passes_due: Callable[[str], object] = lambda match_id: None

    @contextmanager
    def hold(self, id: str, seen: int | None = None) -> Iterator[LiveMatch]:
        """Yield the match, locked and in step with the database; unsaved changes are dropped at the end.

        `seen` is the revision that the caller has just read in the database: a match in memory that has reached it need
        not be compared again; a write is compared in any case. Raises `UnknownMatchId`, `NotStarted`,
        `UnreadableMatch`, or `MatchDamaged` for a match that is, or now will be, quarantined.
        """
        check_id(id)
        live, rewound = self._find(id), None
        try:
            with live.lock:
                try:
                    if live.is_empty or seen is None or live.revision < seen:
                        rewound = self._refresh(live)
                    yield live
                finally:
                    if live.is_empty:
                        self._forget(live)
                    elif live.match.revision != live.revision:
                        live.evict()
        finally:
            if rewound is not None:
                self._rewound(id, *rewound)

    def adopt(self, match: AnyMatch, stored: Stored) -> None:
        """Keep a match that has just started in this process, so that its first user need not read it."""
        live = self._find(stored.row.id)
        with live.lock:
            if live.is_empty:
                match.observe({})
                live.attach(match, stored.row.revision, stored.row.lines, stored.digests, stored.row.clock)
                live.seat_bots(stored)

    def _find(self, id: str) -> LiveMatch:
        with self._finding:
            is_new = id not in self._matches
            live = LiveMatch(id) if is_new else self._matches[id]
            self._matches[id] = live
            self._matches.move_to_end(id)
            while len(self._matches) > MAX_CACHED or (
                is_new and len(self._matches) > 1 and self._size() > MAX_CACHED_LINES
            ):
                self._matches.popitem(last=False)
            return live

    def _size(self) -> int:
        """Return the number of decisions and log lines in memory."""
        return sum(live.revision + live.lines for live in self._matches.values())

    def __len__(self) -> int:
        """Return the number of matches in memory."""
        return len(self._matches)

    def forget(self, id: str) -> None:
        """Drop a match; current users continue with what they have, and the next ones read it again."""
        with self._finding:
            self._matches.pop(id, None)

    def _forget(self, live: LiveMatch) -> None:
        with self._finding:
            if self._matches.get(live.id) is live:
                del self._matches[live.id]

    # -- reading -----------------------------------------------------------------------------------------------------

    def _refresh(self, live: LiveMatch) -> tuple[Mapping[str, int], bool] | None:
        """Load what another process has saved of the match; return what `rewound` is to be called with, if anything."""
        if not live.is_empty:
            with self._database.glance() as connection:
                rows = connection.execute(_state_and_entries, {"id": live.id, "since": live.revision}).all()
            same_bots = bool(rows) and rows[0].handed == live.handed
            if same_bots and (rows[0].revision == live.revision or self._follow(live, rows)):
                return None
        live.evict()
        with self.checking(live.id), self._database.reading() as connection:
            row = match_row(connection, live.id)
            if not row.begun:
                raise NotStarted
            self._read(live, self._checked(connection, row))
        return self._save_rewound(live) if live.match.revision != live.revision else None

    @contextmanager
    def checking(self, id: str) -> Iterator[None]:
        """Quarantine the match if its stored data proves to be damaged, and raise `MatchDamaged`."""
        try:
            with reading_stored(), self._database.glance() as connection:
                old = self._seals.awaits_seal(connection, match_row(connection, id))
            if old:
                with self._database.writing() as connection:
                    self._seals.write(connection, id)
            with reading_stored():
                yield
        except Damage as error:
            raise self.quarantine(id, str(error)) from error
        except DamagedDatabase as error:
            raise self.quarantine(id, error.why) from error

    def quarantine(self, id: str, why: str) -> MatchDamaged:
        """Close a match because it is damaged; return the error that says so."""
        self.forget(id)
        close = update(matches).where(matches.c.id == id, matches.c.damaged.is_(None)).values(damaged=why)
        try:
            with self._database.writing() as connection:
                new = connection.execute(close).rowcount == 1
        except WriteFailed:
            new = True
        if new:
            logger.error("match %s is damaged and closed: %s", id, why)
        return MatchDamaged(id, why)

    def _checked(self, connection: Connection, row: AnyRow) -> Stored:
        """Return a match as stored; raise `MatchDamaged` or `Damage`."""
        if row.damaged is not None:
            raise MatchDamaged(row.id, row.damaged)
        return self._seals.check(connection, row)

    def _follow(self, live: LiveMatch, rows: Sequence[AnyRow]) -> bool:
        """Replay what another process has played since; return False if that does not lead to the database's state."""
        match, digests, before = live.match, live.digests, live.match.full_log
        unseen = {**match.unseen, **unseen_of(rows)}
        match.observe(None)
        try:
            digests.follow_entries(rows, live.revision)
            for row in rows:
                entry = entry_from_row(row)
                if isinstance(entry, Undo):
                    match.replay_undo(entry)
                else:
                    match.decide(entry.seat, entry.chose)
        except Exception:
            logger.warning("match %s: what another process has played does not follow here", live.id, exc_info=True)
            return False
        match.observe(unseen)
        row, after = rows[0], match.full_log
        same = count_same(before, after)
        digests.set_log(same, line_texts(after[same:]))
        digests.set_checkpoint(**asdict(match.resume_point().checkpoint))
        live.attach(match, match.revision, len(after), digests, row.clock)
        reached = (match.revision, len(after)) == (row.revision, row.lines)
        return reached and row.head == self._seals.head(digests, row._mapping)

    def _read(self, live: LiveMatch, stored: Stored) -> None:
        row = stored.row
        try:
            load = self._imported if row.record is not None else self._resumed
            load(live, stored)
            live.seat_bots(stored)
        except UnreadableMatch:
            raise
        except REPLAY_ERRORS as error:
            fault = f"its saved state is no longer valid ({type(error).__name__}: {error})"
            raise UnreadableMatch(live.id, str(error) if isinstance(error, ReadyRoomError) else fault) from error

    def _imported(self, live: LiveMatch, stored: Stored) -> None:
        """Attach a finished match that was imported; from its record if version 1.0 has imported it."""
        row, kept = stored.row, stored.checkpoint
        game, parsed = self._games(row.game), records.parse(row.record)
        match: AnyMatch
        if kept is None:
            match = replay(parsed, game=game)
        else:
            checkpoint = Checkpoint(kept.position, kept.lines, kept.blocks, kept.state)
            lines = log_lines(stored, kept.lines)
            match = restore(parsed, Snapshot(row.revision, row.barrier, checkpoint), game, log=lines)
        live.attach(match, row.revision, row.lines, stored.digests, row.clock)

    def _resumed(self, live: LiveMatch, stored: Stored) -> None:
        row, checkpoint = stored.row, stored.checkpoint
        assert checkpoint is not None
        game = self._games(row.game)
        header = msgspec.json.decode(row.header, type=ready(Header))
        saved = saved_match(row, checkpoint, header, [entry_from_row(each) for each in stored.entries])
        saved = saved.with_data(game.data_fingerprint)
        lines = log_lines(stored, checkpoint.lines)
        match = resume(saved, game, stand=row.outcome is None, log=lines)
        match.continue_record(header)
        match.observe(unseen_of(stored.entries))
        if row.outcome is not None and match.outcome != outcome_of(row):
            raise UnreadableMatch(row.id, "it would have ended differently under the current rules")
        same = len(match.full_log) == row.lines and match.revision == row.revision
        live.attach(match, row.revision, row.lines if same else checkpoint.lines, stored.digests, row.clock)
        live.cut = not same

    def _save_rewound(self, live: LiveMatch) -> tuple[Mapping[str, int], bool] | None:
        """Store that the match returned to before decisions that are no longer legal, and post a message."""
        bots_due = live.run_bots(BOTS_TIME)
        if not self.save(live, lambda connection: post_system_message(connection, live.id, REWOUND)):
            return self._refresh(live)
        return live.moved, bots_due

    # -- writing -----------------------------------------------------------------------------------------------------

    def save(self, live: LiveMatch, also: Callable[[Connection], object] | None = None) -> bool:
        """Save all changes or none; return False if another process was faster, or raise `WriteFailed`."""
        try:
            changes = Changes.of(live, self._seals)
            if self._database.is_file or live.cut or also:
                with self._database.writing() as connection:
                    passing = write(connection, live, changes)
                    if also is not None:
                        also(connection)
            else:
                with self._database.glance() as connection:
                    passing = write_at_once(connection, changes)
        except WriteConflict:
            live.evict()
            return False
        except BaseException:
            live.evict()
            raise
        live.mark_saved(changes.checkpoint, changes.clock)
        if passing:
            self.passes_due(live.id)
        return True
