"""Administration: list matches and players, delete, ban, and the audit log of it all.

For server admins; no permission is asked. Running servers follow the audit log, so whatever is done here,
in whatever process, they let go of soon after.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Literal, NamedTuple

from sqlalchemy import Connection, Table, delete, func, insert, literal, or_, select, text, update
from sqlalchemy.exc import DatabaseError

from readyroom.store.base import Part, clean_text, hashed, new_secret, now
from readyroom.store.cards import MatchSummary, SeatSummary, from_timestamp
from readyroom.store.database import revision_of
from readyroom.store.errors import (
    DamagedDatabase,
    MatchDamaged,
    NewerDatabase,
    SeatTaken,
    StorageFull,
    UnknownMatchId,
    UnknownPerson,
    WriteFailed,
)
from readyroom.store.integrity import Damage, Seals, count_damaged, reading_stored, write_note
from readyroom.store.lobby import change_seat, clear_seat
from readyroom.store.migrations import HEAD
from readyroom.store.pushes import has_push
from readyroom.store.rows import AnyRow, all_cards, cards, locked_seat, match_row, one_card
from readyroom.store.tables import (
    away,
    checkpoints,
    entries,
    highlights,
    journal,
    log,
    matches,
    messages,
    notes,
    passes,
    passkeys,
    players,
    rated,
    ratings,
    seats,
    sessions,
    sittings,
    takebacks,
)

Act = Literal["ban", "unban", "invite", "delete", "forget", "announce", "expire", "keep", "seal", "repair"]
State = Literal["waiting", "playing", "over"]
STATES: tuple[State, ...] = ("waiting", "playing", "over")
"""A match waits for its players, is being played, or is over."""
WHY_LENGTH = 300
JOURNAL_LOCK = 0x4B454550
"""The key of PostgreSQL's advisory lock for writing the audit log, so that its ids follow the order of time."""

PROBE_PATIENCE = 2.0
"""Seconds that a probe waits for another writer."""
PROBE_SIZE = 16_384
"""Characters that a probe writes: about as much as a decision."""
LEAST_SPACE = 4_000_000
"""Bytes that must be free on the disk of a SQLite file: with less, its write-ahead log may not fit."""

_OF_A_MATCH = (highlights, log, entries, checkpoints, takebacks, messages, notes, away, passes, rated, sittings, seats)
"""Where else a match has rows, in the order in which they may go."""
_OF_A_PLAYER = (sessions, passkeys, sittings, away, notes, messages, ratings, rated)
"""Where a player has rows."""


class StoredMatch(NamedTuple):
    """A match as an admin sees it: its summary, its state, and its size in characters and bytes."""

    summary: MatchSummary
    state: State
    size: int


class Person(NamedTuple):
    """A player as an admin sees them; `last` is the last visit, `seats` the number of seats."""

    id: str
    name: str
    since: datetime
    last: datetime | None
    seats: int
    hosts: int
    notices: bool


class AuditEntry(NamedTuple):
    """An entry of the audit log: what was done when, to which match, seat or player, and why."""

    id: int
    at: datetime
    act: Act
    match: str | None
    seat: str | None
    player: str | None
    why: str


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


def state_of(summary: MatchSummary) -> State:
    """Return whether a match waits for its players, is being played, or is over."""
    return "over" if summary.outcome is not None else "playing" if summary.started else "waiting"


class Administration(Part):
    """What an admin can do."""

    # -- the database ------------------------------------------------------------------------------------------------

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
        self.evict_live(id)

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
        for table in _OF_A_MATCH:
            with suppress(DamagedDatabase), database.reading() as connection:
                orphans[table.name] = _count_orphans(connection, table)
        with suppress(DamagedDatabase), database.reading() as connection:
            rows += connection.execute(select(matches.c.id, matches.c.game).order_by(matches.c.created)).all()
        result = [self._check_match(row.id, row.game, repair=repair) for row in rows]
        lost = {name: many for name, many in orphans.items() if many}
        if repair and lost:
            with database.writing() as connection:
                for table in _OF_A_MATCH:
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

    def evict_live(self, id: str) -> None:
        """Drop a match from memory; the next request reads it again if it still exists."""
        self._shared.live.forget(id)

    @property
    def live_count(self) -> int:
        """Return the number of matches in memory."""
        return len(self._shared.live)

    def counts(self) -> dict[State, int]:
        """Return the number of matches in each state."""
        wanted = select(matches.c.begun, matches.c.outcome.is_not(None).label("over"), func.count().label("many"))
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted.group_by(matches.c.begun, text("over"))).all()
        counts = dict.fromkeys(STATES, 0)
        for row in rows:
            counts["over" if row.over else "playing" if row.begun else "waiting"] += row.many
        return counts

    # -- matches -----------------------------------------------------------------------------------------------------

    def stored_matches(self, states: Iterable[State] = STATES, idle: float = 0.0) -> list[StoredMatch]:
        """Return the matches in these states without a change for this many days, last changed first."""
        wanted, items = cards.where(matches.c.changed <= now() - timedelta(days=idle).total_seconds()), set(states)
        with self._shared.database.reading() as connection:
            result = all_cards(connection, connection.execute(wanted.order_by(matches.c.changed.desc())).all())
            sizes = _sizes(connection, None)
        listed = (StoredMatch(summary, state_of(summary), sizes.get(summary.id, 0)) for summary in result)
        return [each for each in listed if each.state in items]

    def stored_match(self, id: str) -> StoredMatch:
        """Return a match; raise `UnknownMatchId`."""
        with self._shared.database.reading() as connection:
            summary = one_card(connection, id)
            return StoredMatch(summary, state_of(summary), _sizes(connection, id).get(id, 0))

    def remove(self, id: str, why: str = "") -> None:
        """Delete a match and its data for good; raise `UnknownMatchId` or `InvalidText`."""
        with self._shared.database.writing() as connection:
            match_row(connection, id, lock=True)
            delete_match_rows(connection, id)
            add_audit_entry(connection, "delete", why, match=id)
        self.evict_live(id)

    # -- seats -------------------------------------------------------------------------------------------------------

    def ban(self, id: str, seat: str, why: str) -> SeatSummary:
        """Ban a seat: its link and its players can no longer open anything and see the reason. Return who was banned.

        Raises `UnknownMatchId`, `UnknownSeat`, `InvalidText`, or `SeatTaken` if a bot plays the seat.
        """
        text = clean_text(why, WHY_LENGTH, "The reason", lines=False)
        with self._shared.database.writing() as connection:
            _, place = locked_seat(connection, id, seat)
            if place.bot:
                raise SeatTaken(f"The bot {place.bot} plays {place.name}, so no player can be banned.")
            with self._shared.seals.seats(connection, id):
                change_seat(connection, id, seat, banned=text)
            add_audit_entry(connection, "ban", text, match=id, seat=seat)
        return place

    def unban(self, id: str, seat: str) -> bool:
        """Lift the ban of a seat, so that its players return to it. Return whether it was banned."""
        with self._shared.database.writing() as connection:
            _, place = locked_seat(connection, id, seat)
            if not place.banned:
                return False
            with self._shared.seals.seats(connection, id):
                change_seat(connection, id, seat, banned=None)
            add_audit_entry(connection, "unban", "", match=id, seat=seat)
        return True

    def invite(self, id: str, seat: str) -> str:
        """Return the secret of a new link to a seat for someone else; its players leave, and a ban ends.

        Raises `UnknownMatchId`, `UnknownSeat`, or `SeatTaken` if a bot plays the seat.
        """
        secret = new_secret()
        with self._shared.database.writing() as connection:
            _, place = locked_seat(connection, id, seat)
            if place.bot and not place.previous_players:
                raise SeatTaken(f"The bot {place.bot} plays {place.name}, so it needs no link.")
            connection.execute(delete(sittings).where(sittings.c.match == id, sittings.c.seat == seat))
            link = {"link": hashed(secret), "lent": True, "spent": None, "banned": None}
            with self._shared.seals.seats(connection, id):
                change_seat(connection, id, seat, **link, came=None, words="")
            add_audit_entry(connection, "invite", "", match=id, seat=seat)
        return secret

    # -- people ------------------------------------------------------------------------------------------------------

    def players(self) -> list[Person]:
        """Return all players, latest visit first."""
        with self._shared.database.reading() as connection:
            return [_person(row) for row in connection.execute(_people)]

    def delete_player(self, player_id: str) -> list[str]:
        """Delete a player with their sessions, seats, notes and messages; return the matches changed by it.

        Matches stay: the seat waits for another player. The player's dice nonces stay in the records, which could not
        be verified without them. Raises `UnknownPerson`.
        """
        with self._shared.database.writing() as connection:
            left = delete_player_rows(connection, self._shared.seals, player_id)
            add_audit_entry(connection, "forget", "", player=player_id)
        return left

    # -- the audit log -----------------------------------------------------------------------------------------------

    def audit_log(self, since: int = 0) -> list[AuditEntry]:
        """Return the entries after this id."""
        wanted = select(journal).where(journal.c.id > since).order_by(journal.c.id)
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        return [
            AuditEntry(row.id, from_timestamp(row.at), row.act, row.match, row.seat, row.player, row.why)
            for row in rows
        ]

    def last_audit_id(self) -> int:
        """Return the id of the last entry; 0 before the first."""
        with self._shared.database.glance() as connection:
            return connection.execute(select(func.max(journal.c.id))).scalar() or 0


def seal_all(connection: Connection, seals: Seals) -> dict[str, str]:
    """Seal all matches with a new key; return why some could not be sealed, by match. Those are quarantined.

    Entries that have hashes must have the right ones; `Administration.seal` accepts even others.
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


def _sizes(connection: Connection, id: str | None) -> dict[str, int]:
    """Return the size of each match: its log, its record and its checkpoint, which are nearly all of it."""
    sizes: dict[str, int] = {}
    for table, column in ((log, log.c.line), (entries, entries.c.told), (checkpoints, checkpoints.c.state)):
        wanted = select(table.c.match, func.sum(func.length(column)).label("size")).group_by(table.c.match)
        for row in connection.execute(wanted if id is None else wanted.where(table.c.match == id)):
            sizes[row.match] = sizes.get(row.match, 0) + int(row.size)
    return sizes


_last = select(func.max(sessions.c.seen)).where(sessions.c.player == players.c.id).scalar_subquery()
_seated = select(func.count()).where(sittings.c.player == players.c.id).scalar_subquery()
_hosts = select(func.count()).where(matches.c.host == players.c.id).scalar_subquery()
_reached = or_(players.c.hook != "", players.c.mail != "", has_push)
_people = select(
    players.c.id,
    players.c.name,
    players.c.since,
    _last.label("last"),
    _seated.label("seats"),
    _hosts.label("hosts"),
    _reached.label("notices"),
).order_by(func.coalesce(_last, players.c.since).desc())


def _person(row: AnyRow) -> Person:
    last = None if row.last is None else from_timestamp(row.last)
    return Person(row.id, row.name, from_timestamp(row.since), last, row.seats, row.hosts, bool(row.notices))


def _unname(connection: Connection, name: str, ids: set[str]) -> None:
    """Remove a name from system messages, which start with it."""
    named = messages.c.text.startswith(f"{name} has ", autoescape=True)
    system = update(messages).where(messages.c.player.is_(None), messages.c.match.in_(ids), named)
    rest = func.substr(messages.c.text, len(name) + 1)
    connection.execute(system.values(text=literal("Someone").concat(rest)))


def delete_match_rows(connection: Connection, id: str) -> None:
    """Delete a match and all that belongs to it."""
    for table in _OF_A_MATCH:
        connection.execute(delete(table).where(table.c.match == id))
    connection.execute(delete(matches).where(matches.c.id == id))


def delete_player_rows(connection: Connection, seals: Seals, player_id: str) -> list[str]:
    """Delete a player as `Administration.delete_player` says; return the matches changed by it."""
    person = connection.execute(select(players).where(players.c.id == player_id)).one_or_none()
    if person is None:
        raise UnknownPerson(player_id)
    seated = select(sittings.c.match, sittings.c.seat).where(sittings.c.player == player_id)
    left = connection.execute(seated.order_by(sittings.c.match)).all()
    _unname(connection, person.name, {row.match for row in left})
    for table in _OF_A_PLAYER:
        connection.execute(delete(table).where(table.c.player == player_id))
    for row in left:
        with seals.seats(connection, row.match, lenient=True):
            clear_seat(connection, row.match, row.seat)
    for match in connection.execute(select(matches.c.id).where(matches.c.host == player_id)).scalars().all():
        with seals.seats(connection, match, lenient=True):
            connection.execute(update(matches).where(matches.c.id == match).values(host=None))
    connection.execute(delete(players).where(players.c.id == player_id))
    return sorted({row.match for row in left})


def add_audit_entry(connection: Connection, act: Act, why: str, **player: str) -> None:
    """Append an entry; `player` names a match, a seat or a player."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": JOURNAL_LOCK})
    connection.execute(insert(journal), {"at": now(), "act": act, "why": why, **player})
