"""Administration: list matches and players, delete and ban.

For server admins; no permission is asked. Running servers follow the audit log, so whatever is done here,
in whatever process, they let go of soon after.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from msgspec.structs import replace
from sqlalchemy import Connection, delete, func, or_, select, text, update

from readyroom.store.accounts.pushes import has_push
from readyroom.store.admin.audit_log import AuditEntry, add_audit_entry, audit_entries, last_entry_id
from readyroom.store.admin.deletion import delete_campaign_rows, delete_match_rows, delete_player_rows
from readyroom.store.base import Part, clean_text, hashed, new_secret, now
from readyroom.store.cards import MatchSummary, SeatSummary, from_timestamp
from readyroom.store.errors import SeatTaken, UnknownPerson
from readyroom.store.lobby.seating import change_seat, remove_players
from readyroom.store.rows import AnyRow, all_cards, cards, locked_seat, match_row, one_card
from readyroom.store.tables import checkpoints, entries, log, matches, players, sessions, sittings

State = Literal["waiting", "playing", "over"]
STATES: tuple[State, ...] = ("waiting", "playing", "over")
"""A match waits for its players, is being played, or is over."""
WHY_LENGTH = 300


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


def state_of(summary: MatchSummary) -> State:
    """Return whether a match waits for its players, is being played, or is over."""
    return "over" if summary.outcome is not None else "playing" if summary.started else "waiting"


class Administration(Part):
    """What an admin can do."""

    # -- matches -----------------------------------------------------------------------------------------------------

    def stored_matches(self, states: Iterable[State] = STATES, idle: float = 0.0) -> list[StoredMatch]:
        """Return the matches in these states without a change for this many days, last changed first."""
        wanted, items = cards.where(matches.c.changed <= now() - timedelta(days=idle).total_seconds()), set(states)
        with self._shared.database.reading() as connection:
            result = all_cards(connection, connection.execute(wanted.order_by(matches.c.changed.desc())).all())
            changes = _changes(connection, None)
            sizes = _sizes(connection, None)
        result = [replace(summary, changed=changes[summary.id]) for summary in result]
        listed = (StoredMatch(summary, state_of(summary), sizes.get(summary.id, 0)) for summary in result)
        return [each for each in listed if each.state in items]

    def stored_match(self, id: str) -> StoredMatch:
        """Return a match; raise `UnknownMatchId`."""
        with self._shared.database.reading() as connection:
            summary = replace(one_card(connection, id), changed=_changes(connection, id)[id])
            return StoredMatch(summary, state_of(summary), _sizes(connection, id).get(id, 0))

    def remove(self, id: str, why: str = "") -> None:
        """Delete a match, or a campaign with its matches, and its data for good; raise `UnknownMatchId`."""
        with self._shared.database.writing() as connection:
            gone = delete_campaign_rows(connection, id)
            if not gone:
                match_row(connection, id, lock=True)
                delete_match_rows(connection, id)
            for each in gone or [id]:
                add_audit_entry(connection, "delete", why, match=each)
        for each in gone or [id]:
            self.evict_live(each)

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
            remove_players(connection, id, seat)
            link = {"link": hashed(secret), "lent": True, "spent": None, "banned": None}
            with self._shared.seals.seats(connection, id):
                change_seat(connection, id, seat, **link, came=None, words="")
            add_audit_entry(connection, "invite", "", match=id, seat=seat)
        return secret

    # -- people ------------------------------------------------------------------------------------------------------

    def players(self) -> list[Person]:
        """Return all players, latest visit first."""
        with self._shared.database.glance() as connection:
            return [_person(row) for row in connection.execute(_people)]

    def sign_out(self, player_id: str) -> str:
        """Sign out all devices of a player; return the secret of a new recovery link. Raises `UnknownPerson`."""
        recovery = new_secret()
        with self._shared.database.writing() as connection:
            changed = update(players).where(players.c.id == player_id).values(recovery=hashed(recovery))
            if not connection.execute(changed).rowcount:
                raise UnknownPerson(player_id)
            connection.execute(delete(sessions).where(sessions.c.player == player_id))
            add_audit_entry(connection, "sign-out", "", player=player_id)
        return recovery

    def delete_player(self, player_id: str) -> list[str]:
        """Delete a player with their sessions, seats, notes, notebooks, scenarios and messages.

        Returns the matches that are changed by it.

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
        with self._shared.database.glance() as connection:
            return audit_entries(connection, since)

    def last_audit_id(self) -> int:
        """Return the id of the last entry; 0 before the first."""
        with self._shared.database.glance() as connection:
            return last_entry_id(connection)


def _sizes(connection: Connection, id: str | None) -> dict[str, int]:
    """Return the size of each match: its log, its record and its checkpoint, which are nearly all of it."""
    sizes: dict[str, int] = {}
    for table, column in ((log, log.c.line), (entries, entries.c.told), (checkpoints, checkpoints.c.state)):
        wanted = select(table.c.match, func.sum(func.length(column)).label("size")).group_by(table.c.match)
        for row in connection.execute(wanted if id is None else wanted.where(table.c.match == id)):
            sizes[row.match] = sizes.get(row.match, 0) + int(row.size)
    return sizes


def _changes(connection: Connection, id: str | None) -> dict[str, datetime]:
    """Return when each match last changed; summaries have a time that reveals no secret decision."""
    wanted = select(matches.c.id, matches.c.changed)
    rows = connection.execute(wanted if id is None else wanted.where(matches.c.id == id))
    return {row.id: from_timestamp(row.changed) for row in rows}


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
