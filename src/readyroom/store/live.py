"""Matches in memory: read from the database, kept in sync with it, and written back before listeners are notified."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from random import Random
from secrets import randbits
from threading import Lock, RLock
from time import monotonic, time
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Boolean, Connection, and_, bindparam, case, delete, insert, select, update

from readyroom import bots
from readyroom.engine.data import ready
from readyroom.engine.errors import ReadyRoomError, RuleError
from readyroom.engine.game import Bot, Game
from readyroom.engine.match import Match
from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.match.resume import REPLAY_ERRORS, resume
from readyroom.engine.match.snapshot import Checkpoint, Saved
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Entry, Header, Undo
from readyroom.engine.record.replay import replay
from readyroom.engine.rules.checks import RolledDice
from readyroom.engine.rules.table import LogLine
from readyroom.store.database import Database, WriteConflict
from readyroom.store.errors import NotStarted, UnreadableMatch, WriteFailed
from readyroom.store.rows import AnyRow, check_id, match_row, outcome_of, post_system_message
from readyroom.store.tables import checkpoints, entries, log, matches, seats

AnyMatch = Match[Any, Any]
MAX_CACHED = 300
"""The number of matches kept in memory, some hundred kilobytes each; the rest stay in the database."""
BOTS_TIME = 0.15
"""Seconds that bots may take before a request is answered; a background task does the rest."""
REWOUND = (
    "The rules were updated since this match started and the last decisions are no longer legal. They were undone."
)

logger = logging.getLogger("readyroom.store")
_encode = msgspec.json.Encoder().encode


class StoredLine(msgspec.Struct, omit_defaults=True):
    """A line of the log as it was published, and its audience."""

    turn: int
    phase: str
    rule: str
    text: str
    rolls: tuple[RolledDice, ...] = ()
    to: tuple[str, ...] | None = None

    @classmethod
    def of(cls, line: LogLine) -> StoredLine:
        """Return the stored form of a log line."""
        return cls(line.turn, line.phase, line.rule, line.text, line.rolls, line.audience)

    def line(self) -> LogLine:
        """Return the log line."""
        return LogLine(self.turn, self.phase, self.rule, "{0}", (self.text, *self.rolls), self.to)


_decode_line = msgspec.json.Decoder(StoredLine).decode
_decode_entry = msgspec.json.Decoder(Entry).decode
_decode_undo = msgspec.json.Decoder(Undo).decode
_decode_viewers = msgspec.json.Decoder(tuple[str, ...]).decode

_state_and_entries = (
    select(
        *(matches.c.revision, matches.c.lines, matches.c.outcome, matches.c.handed),
        *(entries.c.n, entries.c.undo, entries.c.told, entries.c.unseen),
    )
    .outerjoin(entries, and_(entries.c.match == matches.c.id, entries.c.n > bindparam("since")))
    .where(matches.c.id == bindparam("id"))
    .order_by(entries.c.n)
)
"""Where a match is, and the entries since; one row without an entry if there are none."""
_checkpoint = select(checkpoints).where(checkpoints.c.match == bindparam("id"))
_entries_since = (
    select(entries.c.n, entries.c.undo, entries.c.told, entries.c.unseen)
    .where(entries.c.match == bindparam("id"), entries.c.n > bindparam("since"))
    .order_by(entries.c.n)
)
_lines = select(log.c.line).where(log.c.match == bindparam("id"), log.c.i < bindparam("upto")).order_by(log.c.i)
_bots = select(seats.c.seat, seats.c.bot).where(seats.c.match == bindparam("id"), seats.c.bot != "")

_STATE_COLUMNS = ("revision", "revisions", "turn", "phase", "waiting", "lines", "barrier", "seal", "changed")
_update_match = (
    update(matches)
    .where(
        matches.c.id == bindparam("match"),
        matches.c.revision == bindparam("before"),
        matches.c.handed == bindparam("handovers"),
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
)
_finish_match = (
    update(matches).where(matches.c.id == bindparam("match")).values(outcome=bindparam("how"), ending=bindparam("last"))
)
_update_checkpoint = (
    update(checkpoints)
    .where(checkpoints.c.match == bindparam("id"))
    .values({name: bindparam(f"new_{name}") for name in Checkpoint.__struct_fields__})
)
_delete_lines = delete(log).where(log.c.match == bindparam("id"), log.c.i >= bindparam("since"))
_add_entries, _add_lines = insert(entries), insert(log)


def unseen_of(rows: Iterable[AnyRow]) -> dict[int, tuple[str, ...]]:
    """Return the viewers that could not notice an entry, by its number, from rows of entries."""
    return {row.n: _decode_viewers(row.unseen) for row in rows if row.unseen}


def entry_from_row(row: AnyRow) -> Entry | Undo:
    """Return a line of the record as a row."""
    return _decode_undo(row.told) if row.undo else _decode_entry(row.told)


class Live:
    """A match in memory, and how much of it the database has. Users hold its lock.

    `viewers` are the revisions of the viewers as the database has them; `moved` has those that the last save changed.

    The database has the first `lines` lines of its log; `cut` says that it has more, which must be deleted. `handed`
    counts the seats handed over to bots or players; if the database has a higher count, `bots` are out of date.
    """

    def __init__(self, id: str) -> None:
        self.id, self.lock = id, RLock()
        self._match: AnyMatch | None = None
        self.bots: dict[str, Bot] = {}
        self.evict()

    def evict(self) -> None:
        """Drop the match; its next user loads it again."""
        self._match, self.bots = None, {}
        self.revision, self.lines, self.cut, self.handed = -1, 0, False, 0
        self.viewers, self.moved = dict[str, int](), dict[str, int]()
        self.checkpoint: Checkpoint | None = None

    @property
    def match(self) -> AnyMatch:
        """The match; only while the lock is held."""
        assert self._match is not None
        return self._match

    @property
    def is_empty(self) -> bool:
        """Whether the match has yet to be read."""
        return self._match is None

    def attach(self, match: AnyMatch, revision: int, lines: int) -> None:
        """Attach a match of which the database has this much."""
        self._match, self.revision, self.lines = match, revision, lines
        self.viewers = match.viewer_revisions(revision)
        self.cut, self.checkpoint = False, None

    def mark_saved(self, checkpoint: Checkpoint | None) -> None:
        """Mark the match as saved."""
        self.revision, self.lines, self.cut = self.match.revision, self.match.log_length, False
        before, self.viewers = self.viewers, self.match.viewer_revisions()
        self.moved = {viewer: n for viewer, n in self.viewers.items() if n != before[viewer]}
        self.checkpoint = checkpoint

    def revert(self, action: Callable[[], None]) -> None:
        """Return the match to an earlier position, and note which lines of the log are withdrawn."""
        before = self.match.full_log
        action()
        pairs = zip(before, self.match.full_log, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        self.cut = self.cut or same < self.lines
        self.lines = min(self.lines, same)

    def run_bots(self, seconds: float) -> bool:
        """Let bots answer for at most this long; return whether one is still to answer."""
        until = monotonic() + seconds
        while deciding := [seat for seat in self.match.pending if seat in self.bots]:
            if monotonic() >= until or not self._answer(deciding[0]):
                return True
        return False

    def _answer(self, seat: str) -> bool:
        """Let a bot answer; one that fails must not hold the others up, so a random one continues for it."""
        match = self.match
        decision = match.pending[seat]
        try:
            match.decide(seat, self.bots[seat](decision, match.bot_view(seat)))
        except RuleError:
            logger.exception("match %s: the answer of %s cannot be carried out", self.id, seat)
            return False
        except Exception:
            logger.exception("match %s: the bot on %s failed", self.id, seat)
            self.bots[seat] = bots.make_bot(match.game, bots.RANDOM, seat, Random(randbits(64)))
        return True


class LiveMatches:
    """The matches that were used last, each in step with the database whenever it is held."""

    def __init__(self, database: Database, games: Callable[[str], Game[Any, Any]]) -> None:
        self._database, self._games = database, games
        self._matches: OrderedDict[str, Live] = OrderedDict()
        self._finding = Lock()

    @contextmanager
    def hold(self, id: str, seen: int | None = None) -> Iterator[Live]:
        """Yield the match, locked and in step with the database; unsaved changes are dropped at the end.

        `seen` is the revision that the caller has just read in the database: a match in memory that has reached it need
        not be compared again; a write is compared in any case. Raises `UnknownMatchId`, `NotStarted` or
        `UnreadableMatch`.
        """
        check_id(id)
        live = self._find(id)
        with live.lock:
            try:
                if live.is_empty or seen is None or live.revision < seen:
                    self._refresh(live)
                yield live
            finally:
                if live.is_empty:
                    self._forget(live)
                elif live.match.revision != live.revision:
                    live.evict()

    def _find(self, id: str) -> Live:
        with self._finding:
            live = self._matches.setdefault(id, Live(id))
            self._matches.move_to_end(id)
            while len(self._matches) > MAX_CACHED:
                self._matches.popitem(last=False)
            return live

    def __len__(self) -> int:
        """Return the number of matches in memory."""
        return len(self._matches)

    def forget(self, id: str) -> None:
        """Drop a match; current users continue with what they have, and the next ones read it again."""
        with self._finding:
            self._matches.pop(id, None)

    def _forget(self, live: Live) -> None:
        with self._finding:
            if self._matches.get(live.id) is live:
                del self._matches[live.id]

    # -- reading -----------------------------------------------------------------------------------------------------

    def _refresh(self, live: Live) -> None:
        """Load what another process has saved of the match."""
        if not live.is_empty:
            with self._database.glance() as connection:
                rows = connection.execute(_state_and_entries, {"id": live.id, "since": live.revision}).all()
            same_bots = bool(rows) and rows[0].handed == live.handed
            if same_bots and (rows[0].revision == live.revision or self._follow(live, rows)):
                return
        with self._database.reading() as connection:
            live.evict()
            row = match_row(connection, live.id)
            if not row.begun:
                raise NotStarted
            self._read(connection, live, row)
        if live.match.revision != live.revision:
            self._save_rewound(live)

    def _follow(self, live: Live, rows: Sequence[AnyRow]) -> bool:
        """Replay what another process has played since; return False if that does not lead to the database's state."""
        match = live.match
        unseen = {**match.unseen, **unseen_of(rows)}
        match.observe(None)
        try:
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
        row, lines = rows[0], len(match.full_log)
        live.attach(match, match.revision, lines)
        return (match.revision, lines, match.outcome) == (row.revision, row.lines, outcome_of(row))

    def _read(self, connection: Connection, live: Live, row: AnyRow) -> None:
        try:
            match = self._replayed(live, row) if row.record is not None else self._resumed(connection, live, row)
            game, live.handed = match.game, row.handed
            for seat, bot in connection.execute(_bots, {"id": live.id}):
                live.bots[seat] = bots.make_bot(game, bot, seat, Random(randbits(128)))
        except (WriteFailed, UnreadableMatch):
            raise
        except REPLAY_ERRORS as error:
            fault = f"its saved state is no longer valid ({type(error).__name__}: {error})"
            raise UnreadableMatch(live.id, str(error) if isinstance(error, ReadyRoomError) else fault) from error

    def _replayed(self, live: Live, row: AnyRow) -> AnyMatch:
        match: AnyMatch = replay(row.record, game=self._games(row.game))
        live.attach(match, row.revision, row.lines)
        return match

    def _resumed(self, connection: Connection, live: Live, row: AnyRow) -> AnyMatch:
        game = self._games(row.game)
        checkpoint = connection.execute(_checkpoint, {"id": row.id}).one()
        before = connection.execute(_lines, {"id": row.id, "upto": checkpoint.lines})
        header = msgspec.json.decode(row.header, type=ready(Header))
        played = entries_of(connection, row.id)
        saved = _saved(row, checkpoint, header, list(map(entry_from_row, played)))
        saved = msgspec.structs.replace(saved, header=msgspec.structs.replace(header, data=game.data_fingerprint))
        lines = [_decode_line(each.line).line() for each in before]
        match = resume(saved, game, stand=row.outcome is None, log=lines)
        match.continue_record(header)
        match.observe(unseen_of(played))
        if row.outcome is not None and match.outcome != outcome_of(row):
            raise UnreadableMatch(row.id, "it would have ended differently under the current rules")
        same = len(match.full_log) == row.lines and match.revision == row.revision
        live.attach(match, row.revision, row.lines if same else checkpoint.lines)
        live.cut = not same
        return match

    def _save_rewound(self, live: Live) -> None:
        """Store that the match returned to before decisions that are no longer legal, and post a message."""
        live.run_bots(BOTS_TIME)
        if not self.save(live, lambda connection: post_system_message(connection, live.id, REWOUND)):
            self._refresh(live)

    # -- writing -----------------------------------------------------------------------------------------------------

    def save(self, live: Live, also: Callable[[Connection], object] | None = None) -> bool:
        """Save all changes or none; return False if another process was faster, or raise `WriteFailed`."""
        try:
            with self._database.writing() as connection:
                checkpoint = _write(connection, live)
                if also is not None:
                    also(connection)
        except WriteConflict:
            live.evict()
            return False
        except BaseException:
            live.evict()
            raise
        live.mark_saved(checkpoint)
        return True


def entries_of(connection: Connection, id: str) -> list[AnyRow]:
    """Return the rows of a match's decisions and undos, in order."""
    return list(connection.execute(_entries_since, {"id": id, "since": 0}))


def _saved(row: AnyRow, checkpoint: AnyRow, header: Header, entries: list[Entry | Undo]) -> Saved:
    undos = [line for line in entries if isinstance(line, Undo)]
    undone = {n for undo in undos for n in undo.undo}
    decided = [line for line in entries if isinstance(line, Entry)]
    return Saved(
        header=header,
        secret=row.secret,
        revision=row.revision,
        entries=decided,
        undos=undos,
        active_entries=[entry.n for entry in decided if entry.n not in undone],
        position=checkpoint.position,
        blocks=checkpoint.blocks,
        barrier=row.barrier,
        state=checkpoint.state,
        state_mac=row.seal,
    )


def state_columns(match: AnyMatch) -> tuple[dict[str, Any], Checkpoint]:
    """Return the columns of a match's state, and its checkpoint."""
    resume_point, at = match.resume_point(), match.shown_at(None)
    differing = {viewer: n for viewer, n in match.viewer_revisions().items() if n != match.revision}
    values = {
        "revision": match.revision,
        "revisions": _encode(differing).decode() if differing else "",
        "turn": at.turn,
        "phase": at.phase,
        "waiting": _encode(list(match.pending)).decode(),
        "lines": len(match.full_log),
        "barrier": resume_point.barrier,
        "seal": resume_point.state_mac,
        "changed": time(),
    }
    return values, resume_point.checkpoint


def line_rows(id: str, lines: list[LogLine], first: int) -> list[dict[str, Any]]:
    """Return rows for log lines, numbered from `first` on."""
    texts = (_encode(StoredLine.of(line)).decode() for line in lines)
    return [{"match": id, "i": i, "line": text} for i, text in enumerate(texts, start=first)]


def entry_rows(
    id: str, entries: list[records.RecordEntry], at: float, unseen: Mapping[int, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return rows for record lines; `unseen` are the viewers that could not notice an entry, by its number."""
    return [
        {
            "match": id,
            "n": line.n,
            "undo": isinstance(line, Undo),
            "told": _encode(line).decode(),
            "at": at,
            "unseen": _encode(unseen[line.n]).decode() if line.n in unseen else "",
        }
        for line in entries
    ]


def _write(connection: Connection, live: Live) -> Checkpoint:
    """Write what has happened; raise `WriteConflict` if the row is no longer where the match came from."""
    match = live.match
    values, checkpoint = state_columns(match)
    new = {f"new_{name}": value for name, value in values.items()}
    public = match.revision_for(None) != live.viewers[SPECTATOR]
    where = {"match": live.id, "before": live.revision, "handovers": live.handed, "public": public}
    if connection.execute(_update_match, where | new).rowcount != 1:
        raise WriteConflict("another process was faster")
    if rows := entry_rows(live.id, match.record_entries(live.revision), values["changed"], match.unseen):
        connection.execute(_add_entries, rows)
    if live.cut:
        connection.execute(_delete_lines, {"id": live.id, "since": live.lines})
    if lines := match.full_log[live.lines :]:
        connection.execute(_add_lines, line_rows(live.id, lines, live.lines))
    if checkpoint != live.checkpoint:
        new = {f"new_{name}": value for name, value in asdict(checkpoint).items()}
        connection.execute(_update_checkpoint, {"id": live.id, **new})
    if match.outcome is not None:
        ended = {"how": _encode(match.outcome).decode(), "last": _encode(match.ending()).decode()}
        connection.execute(_finish_match, {"match": live.id, **ended})
    return checkpoint
