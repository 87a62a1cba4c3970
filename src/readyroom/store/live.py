"""Matches in memory: read from the database, kept in sync with it, and written back before listeners are notified."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from secrets import randbits
from threading import Lock, RLock
from time import monotonic, time
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Boolean, Connection, and_, bindparam, case, delete, insert, select, update

from readyroom import bots
from readyroom.bots.search import Memory
from readyroom.bots.turns import BotTurn, PlayedTurn, let_answer, returning_bot
from readyroom.engine.data import ready
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Bot, Game
from readyroom.engine.match import Match
from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.match.resume import REPLAY_ERRORS, resume
from readyroom.engine.match.snapshot import Checkpoint, Saved, Snapshot
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Entry, Header, Undo
from readyroom.engine.record.positions import restore
from readyroom.engine.record.replay import replay
from readyroom.engine.rules.checks import RolledDice
from readyroom.engine.rules.table import LogLine
from readyroom.store.database import Database, WriteConflict
from readyroom.store.errors import DamagedDatabase, MatchDamaged, NotStarted, UnreadableMatch, WriteFailed
from readyroom.store.integrity import STATE, Damage, Digests, Seals, Stored, reading_stored
from readyroom.store.rows import AnyRow, check_id, match_row, outcome_of, post_system_message
from readyroom.store.tables import checkpoints, entries, log, matches

AnyMatch = Match[Any, Any]
MAX_CACHED = 600
"""The number of matches kept in memory, some hundred kilobytes each; the rest stay in the database."""
MAX_CACHED_LINES = 150_000
"""The number of decisions and log lines of all matches in memory, some hundred bytes each."""
BOTS_TIME = 0.15
"""Seconds that quick bots may take before a request is answered; turns in other processes do the rest."""
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

_ENTRY = (entries.c.n, entries.c.undo, entries.c.told, entries.c.at, entries.c.hash, entries.c.unseen)
_state_and_entries = (
    select(matches.c.handed, matches.c.head, *[matches.c[name] for name in STATE], *_ENTRY)
    .outerjoin(entries, and_(entries.c.match == matches.c.id, entries.c.n > bindparam("since")))
    .where(matches.c.id == bindparam("id"))
    .order_by(entries.c.n)
)
"""Where a match is, and the entries since; one row without an entry if there are none."""

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
    counts the seats handed over to bots or players; if the database has a higher count, `bots` are out of date. `seed`
    and `memory` are those of its bot turns; `slow` names bots that have once taken too long.
    """

    def __init__(self, id: str) -> None:
        self.id, self.lock = id, RLock()
        self._match: AnyMatch | None = None
        self.seed, self.slow = randbits(128), set[str]()
        self.evict()

    def evict(self) -> None:
        """Drop the match; its next user loads it again."""
        self._match = None
        self.bots: dict[str, Bot] = {}
        self.bot_names: dict[str, str] = {}
        self.memory: dict[str, Memory] = {}
        self.revision, self.lines, self.cut, self.handed = -1, 0, False, 0
        self.viewers, self.moved = dict[str, int](), dict[str, int]()
        self.checkpoint: Checkpoint | None = None
        self._digests: Digests | None = None

    @property
    def digests(self) -> Digests:
        """What the head of the match is computed from."""
        assert self._digests is not None
        return self._digests

    @property
    def match(self) -> AnyMatch:
        """The match; only while the lock is held."""
        assert self._match is not None
        return self._match

    @property
    def is_empty(self) -> bool:
        """Whether the match has yet to be read."""
        return self._match is None

    def attach(self, match: AnyMatch, revision: int, lines: int, digests: Digests) -> None:
        """Attach a match of which the database has this much."""
        self._match, self.revision, self.lines, self._digests = match, revision, lines, digests
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
        same = _count_same(before, self.match.full_log)
        self.cut = self.cut or same < self.lines
        self.lines = min(self.lines, same)

    def set_bots(self, names: Mapping[str, str]) -> None:
        """Let these bots play, by seat."""
        self.bot_names = dict(names)
        self.bots = {seat: returning_bot(self.match, name, seat, self.seed) for seat, name in names.items()}

    @property
    def awaits_bot(self) -> bool:
        """Whether a bot is to answer."""
        return any(seat in self.bots for seat in self.match.pending)

    def run_bots(self, seconds: float) -> bool:
        """Let quick bots answer for at most this long in all; return whether a bot is still to answer."""
        until = monotonic() + seconds
        while monotonic() < until and (seat := self._quick_seat()):
            started = monotonic()
            if not let_answer(self.match, seat, self.bots):
                break
            if monotonic() - started > seconds:
                self.slow.add(self.bot_names[seat])
        return self.awaits_bot

    def _quick_seat(self) -> str | None:
        """Return a seat for which a quick bot is to answer."""
        asked = (seat for seat in self.match.pending if seat in self.bots)
        return next((seat for seat in asked if self._is_quick(seat)), None)

    def _is_quick(self, seat: str) -> bool:
        return bots.is_quick(self.bots[seat]) and self.bot_names[seat] not in self.slow

    def bot_turn(self) -> BotTurn | None:
        """Return the turn that bots are to play; None if none is to answer."""
        if not self.awaits_bot:
            return None
        game = self.match.game
        saved = self.match.saved().with_data(game.data_fingerprint)
        return BotTurn(self.id, game.key, saved, self.bot_names, self.seed, self.memory, self.handed)

    def apply_bot_turn(self, turn: BotTurn, played: PlayedTurn) -> bool:
        """Decide what bots have answered elsewhere; return False if the match has moved on."""
        if (self.match.revision, self.handed) != (turn.saved.revision, turn.handed):
            return False
        self.memory = played.memory
        for seat, keys in played.answers:
            self.match.decide(seat, keys)
        return True


Rewound = Callable[[str, Mapping[str, int], bool], None]
"""`rewound(match id, revisions, bots due)`, once a match was returned to where its decisions are legal."""


class LiveMatches:
    """The matches that were used last, each in step with the database whenever it is held.

    `rewound` is called, when the match is no longer held, with the revisions of the viewers that may notice it.
    """

    def __init__(
        self, database: Database, games: Callable[[str], Game[Any, Any]], seals: Seals, rewound: Rewound
    ) -> None:
        self._database, self._games, self._seals, self._rewound = database, games, seals, rewound
        self._matches: OrderedDict[str, Live] = OrderedDict()
        self._finding = Lock()

    @contextmanager
    def hold(self, id: str, seen: int | None = None) -> Iterator[Live]:
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

    def _find(self, id: str) -> Live:
        with self._finding:
            is_new = id not in self._matches
            live = Live(id) if is_new else self._matches[id]
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

    def _forget(self, live: Live) -> None:
        with self._finding:
            if self._matches.get(live.id) is live:
                del self._matches[live.id]

    # -- reading -----------------------------------------------------------------------------------------------------

    def _refresh(self, live: Live) -> tuple[Mapping[str, int], bool] | None:
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

    def _follow(self, live: Live, rows: Sequence[AnyRow]) -> bool:
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
        same = _count_same(before, after)
        digests.set_log(same, _texts(after[same:]))
        digests.set_checkpoint(**asdict(match.resume_point().checkpoint))
        live.attach(match, match.revision, len(after), digests)
        reached = (match.revision, len(after)) == (row.revision, row.lines)
        return reached and row.head == self._seals.head(digests, row._mapping)

    def _read(self, live: Live, stored: Stored) -> None:
        row = stored.row
        try:
            load = self._imported if row.record is not None else self._resumed
            load(live, stored)
            live.handed = row.handed
            live.set_bots({place.seat: place.bot for place in stored.places if place.bot})
        except UnreadableMatch:
            raise
        except REPLAY_ERRORS as error:
            fault = f"its saved state is no longer valid ({type(error).__name__}: {error})"
            raise UnreadableMatch(live.id, str(error) if isinstance(error, ReadyRoomError) else fault) from error

    def _imported(self, live: Live, stored: Stored) -> None:
        """Attach a finished match that was imported; from its record if version 1.0 has imported it."""
        row, kept = stored.row, stored.checkpoint
        game, parsed = self._games(row.game), records.parse(row.record)
        match: AnyMatch
        if kept is None:
            match = replay(parsed, game=game)
        else:
            checkpoint = Checkpoint(kept.position, kept.lines, kept.blocks, kept.state)
            lines = _log_lines(stored, kept.lines)
            match = restore(parsed, Snapshot(row.revision, row.barrier, checkpoint), game, log=lines)
        live.attach(match, row.revision, row.lines, stored.digests)

    def _resumed(self, live: Live, stored: Stored) -> None:
        row, checkpoint = stored.row, stored.checkpoint
        assert checkpoint is not None
        game = self._games(row.game)
        header = msgspec.json.decode(row.header, type=ready(Header))
        saved = _saved(row, checkpoint, header, [entry_from_row(each) for each in stored.entries])
        saved = saved.with_data(game.data_fingerprint)
        lines = _log_lines(stored, checkpoint.lines)
        match = resume(saved, game, stand=row.outcome is None, log=lines)
        match.continue_record(header)
        match.observe(unseen_of(stored.entries))
        if row.outcome is not None and match.outcome != outcome_of(row):
            raise UnreadableMatch(row.id, "it would have ended differently under the current rules")
        same = len(match.full_log) == row.lines and match.revision == row.revision
        live.attach(match, row.revision, row.lines if same else checkpoint.lines, stored.digests)
        live.cut = not same

    def _save_rewound(self, live: Live) -> tuple[Mapping[str, int], bool] | None:
        """Store that the match returned to before decisions that are no longer legal, and post a message."""
        bots_due = live.run_bots(BOTS_TIME)
        if not self.save(live, lambda connection: post_system_message(connection, live.id, REWOUND)):
            return self._refresh(live)
        return live.moved, bots_due

    # -- writing -----------------------------------------------------------------------------------------------------

    def save(self, live: Live, also: Callable[[Connection], object] | None = None) -> bool:
        """Save all changes or none; return False if another process was faster, or raise `WriteFailed`."""
        try:
            with self._database.writing() as connection:
                checkpoint = _write(connection, live, self._seals)
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


def _log_lines(stored: Stored, upto: int) -> list[LogLine]:
    """Return the first lines of a match's log."""
    return [_decode_line(line).line() for line in stored.lines[:upto]]


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
        "outcome": None if match.outcome is None else _encode(match.outcome).decode(),
        "ending": None if match.outcome is None else _encode(match.ending()).decode(),
    }
    return values, resume_point.checkpoint


def line_rows(id: str, lines: list[LogLine], first: int) -> list[dict[str, Any]]:
    """Return rows for log lines, numbered from `first` on."""
    return [{"match": id, "i": i, "line": text} for i, text in enumerate(_texts(lines), start=first)]


def _texts(lines: list[LogLine]) -> Iterator[str]:
    """Return log lines as they are stored."""
    return (_encode(StoredLine.of(line)).decode() for line in lines)


def _count_same(before: list[LogLine], after: list[LogLine]) -> int:
    """Return how many lines at the beginning of two logs are identical."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(before, after, strict=False)))


def entry_rows(
    id: str, entries: list[records.RecordEntry], at: float, unseen: Mapping[int, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return rows for record lines, without hashes; `unseen` has the viewers that could not notice an entry."""
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


def _write(connection: Connection, live: Live, seals: Seals) -> Checkpoint:
    """Write what has happened; raise `WriteConflict` if the row is no longer where the match came from."""
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
    if connection.execute(_update_match, where | new).rowcount != 1:
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
    return checkpoint
