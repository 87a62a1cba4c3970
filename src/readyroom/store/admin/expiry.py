"""Expiry: delete players and matches that no one returns to, after an announcement that any visit cancels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, or_, select, text, update

from readyroom.store.accounts.players import DAY, SESSION_DAYS
from readyroom.store.admin.audit_log import add_audit_entry
from readyroom.store.admin.deletion import delete_match_rows, delete_player_rows
from readyroom.store.base import Part, now
from readyroom.store.cards import MatchSummary, from_timestamp
from readyroom.store.database import WriteConflict
from readyroom.store.errors import UnknownMatchId
from readyroom.store.tables import campaigns, entrants, matches, members, players, sessions, sittings, tournaments

Kind: TypeAlias = Literal["lobbies", "matches", "players"]
DAYS: Mapping[Kind, int] = {"lobbies": 30, "matches": 365, "players": 180}
"""Days after which a lobby that waits, an unfinished match, and a player without matches expire."""
NOTICE_DAYS = 14
"""Days between the announcement and the deletion."""
SWEEPING = 0x45585049
"""The key of PostgreSQL's advisory lock for a sweep."""


class ExpiryStep(NamedTuple):
    """What a sweep does: announce or carry out the deletion of a match or of a player at a time."""

    act: Literal["announce", "expire"]
    kind: Literal["match", "player"]
    id: str
    at: datetime


class Expiry(Part):
    """Expiry of what no one returns to. `days` are the settings; None: nothing expires, only sessions."""

    days: Mapping[Kind, int] | None = DAYS

    def sweep(self, *, dry: bool = False) -> list[ExpiryStep]:
        """Announce and delete what is due, each in its own transaction, and return that; with `dry` only return it.

        Sessions that have ended are deleted too. While another process sweeps, nothing is done.
        """
        with self._sole() as alone:
            if not alone:
                return []
            if not dry:
                self._tidy()
            due = [*self._due("match"), *self._due("player")]
            return due if dry else [step for step in due if self._try(step)]

    def visited(self, summary: MatchSummary, player_id: str | None) -> None:
        """Cancel the expiry of a match, if one of its players has come (None: a program with a seat's secret)."""
        if summary.expires is None or not (player_id is None or summary.has_player(player_id)):
            return
        with self._shared.database.writing() as connection:
            connection.execute(update(matches).where(matches.c.id == summary.id).values(expires=None, visited=now()))

    def keep(self, id: str) -> Literal["match", "player"]:
        """Cancel the expiry of a match or player for an admin; return which it was, or raise `UnknownMatchId`."""
        with self._shared.database.writing() as connection:
            match = update(matches).where(matches.c.id == id).values(expires=None, visited=now())
            if connection.execute(match).rowcount:
                add_audit_entry(connection, "keep", "", match=id)
                return "match"
            player = update(players).where(players.c.id == id).values(expires=None, seen=now())
            if connection.execute(player).rowcount:
                add_audit_entry(connection, "keep", "", player=id)
                return "player"
        raise UnknownMatchId(id)

    @contextmanager
    def _sole(self) -> Iterator[bool]:
        """Yield whether no other process sweeps; on SQLite only one process serves."""
        database = self._shared.database
        if database.is_file:
            yield True
            return
        with database.glance() as connection:
            key = {"key": SWEEPING}
            alone = bool(connection.execute(text("SELECT pg_try_advisory_lock(:key)"), key).scalar())
            try:
                yield alone
            finally:
                if alone:
                    connection.execute(text("SELECT pg_advisory_unlock(:key)"), key)

    def _tidy(self) -> None:
        """Delete ended sessions, and cancel the expiry of what has been used again."""
        with self._shared.database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.seen <= now() - SESSION_DAYS * DAY))
            for table, idle in ((matches, self._idle_match()), (players, self._idle_player())):
                used = update(table).where(table.c.expires.is_not(None), ~idle)
                connection.execute(used.values(expires=None))
            self._tidy_groups(connection)

    def _tidy_groups(self, connection: Connection) -> None:
        """Delete campaigns that no one has changed for the days set and whose matches have expired or are over.

        Tournaments that have not started are deleted like lobbies.
        """
        if self.days is None:
            return
        in_progress = exists().where(matches.c.campaign == campaigns.c.id, matches.c.outcome.is_(None))
        idle = select(campaigns.c.id).where(
            ~campaigns.c.ended, campaigns.c.changed <= self._least("matches"), ~in_progress
        )
        waits = select(campaigns.c.id).where(~campaigns.c.begun, campaigns.c.changed <= self._least("lobbies"))
        for due in [*connection.execute(idle).scalars(), *connection.execute(waits).scalars()]:
            connection.execute(delete(members).where(members.c.campaign == due))
            connection.execute(delete(campaigns).where(campaigns.c.id == due))
        open_for_long = tournaments.c.state == "open", tournaments.c.changed <= self._least("lobbies")
        for due in connection.execute(select(tournaments.c.id).where(*open_for_long)).scalars().all():
            connection.execute(delete(entrants).where(entrants.c.tournament == due))
            connection.execute(delete(tournaments).where(tournaments.c.id == due))

    def _due(self, kind: Literal["match", "player"]) -> list[ExpiryStep]:
        """Return what is to be announced or deleted now."""
        table = matches if kind == "match" else players
        idle = self._idle_match() if kind == "match" else self._idle_player()
        at, wanted = now(), select(table.c.id, table.c.expires).where(idle)
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted.order_by(table.c.id)).all()
        steps = list[ExpiryStep]()
        for row in rows:
            if row.expires is None:
                steps.append(ExpiryStep("announce", kind, row.id, from_timestamp(at + NOTICE_DAYS * DAY)))
            elif row.expires <= at:
                steps.append(ExpiryStep("expire", kind, row.id, from_timestamp(row.expires)))
        return steps

    def _try(self, step: ExpiryStep) -> bool:
        """Take a step; return False if it was not taken, also because a player came at the same moment."""
        try:
            return self._do(step)
        except WriteConflict:
            return False

    def _do(self, step: ExpiryStep) -> bool:
        """Take a step unless someone has come since; return whether it was taken."""
        table = matches if step.kind == "match" else players
        idle = self._idle_match() if step.kind == "match" else self._idle_player()
        here = select(table.c.expires).where(table.c.id == step.id, idle).with_for_update()
        with self._shared.database.writing() as connection:
            row = connection.execute(here).one_or_none()
            if row is None or (row.expires is None) is not (step.act == "announce"):
                return False
            if step.act == "announce":
                connection.execute(update(table).where(table.c.id == step.id).values(expires=step.at.timestamp()))
            elif step.kind == "match":
                delete_match_rows(connection, step.id)
            else:
                delete_player_rows(connection, self._shared.seals, step.id)
            why = f"to be deleted on {step.at:%Y-%m-%d}" if step.act == "announce" else "no one has come back"
            add_audit_entry(connection, step.act, why, **{step.kind: step.id})
        if step.kind == "match":
            self._shared.live.forget(step.id)
        return True

    def _idle_match(self) -> ColumnElement[bool]:
        """Return the condition of an unfinished match that no one has changed or come back to for the days set."""
        if self.days is None:
            return matches.c.id.is_(None)
        last = func.coalesce(matches.c.visited, 0.0)
        each = [
            and_(matches.c.begun.is_(begun), matches.c.changed <= least, last <= least)
            for begun, least in ((False, self._least("lobbies")), (True, self._least("matches")))
        ]
        return and_(matches.c.outcome.is_(None), or_(*each))

    def _idle_player(self) -> ColumnElement[bool]:
        """Return the condition of a player without seats and matches who has not come for the days set."""
        if self.days is None:
            return players.c.id.is_(None)
        sits = exists().where(sittings.c.player == players.c.id)
        hosts = exists().where(matches.c.host == players.c.id)
        wars = exists().where(members.c.player == players.c.id), exists().where(campaigns.c.host == players.c.id)
        cups = exists().where(entrants.c.player == players.c.id), exists().where(tournaments.c.host == players.c.id)
        return and_(players.c.seen <= self._least("players"), ~sits, ~hosts, *(~one for one in (*wars, *cups)))

    def _least(self, kind: Kind) -> float:
        assert self.days is not None
        return now() - self.days[kind] * DAY
