"""Matches in which only bots play, and their limits."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, case, exists, false, func, or_, select, text

from readyroom.store.base import Part, now
from readyroom.store.errors import TooManyBotMatches
from readyroom.store.tables import matches, seats, sittings

BOT_MATCH_STUCK = 24 * 3600.0
"""Seconds without a change after which a match between bots no longer counts as running."""
BOT_MATCH_AGAIN = 3600.0
"""Seconds in which those who want to watch a match between bots are shown the same one."""
BOT_MATCHES_LOCK = 0x424F5453
"""The key of PostgreSQL's advisory lock for counting matches between bots."""


class BotMatchLimits(NamedTuple):
    """The most unfinished matches in which only bots play: of `each` client and player, and of `all`."""

    each: int = 3
    all: int = 20


class BotMatches(Part):
    """Matches in which only bots play; `limits` bounds how many are unfinished (None: not)."""

    limits: BotMatchLimits | None = None

    def check(self, connection: Connection, client: str, player_id: str) -> None:
        """Raise `TooManyBotMatches` if one more match between bots would exceed a limit."""
        if self.limits is None:
            return
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": BOT_MATCHES_LOCK})
        of_client = matches.c.client == client if client else false()
        sits = exists().where(sittings.c.match == matches.c.id, sittings.c.player == player_id)
        of_player = or_(matches.c.host == player_id, sits)
        people = exists().where(seats.c.match == matches.c.id, seats.c.bot == "")
        counts = [func.coalesce(func.sum(case((own, 1), else_=0)), 0) for own in (of_client, of_player)]
        running = matches.c.begun, matches.c.outcome.is_(None), matches.c.changed > now() - BOT_MATCH_STUCK
        row = connection.execute(select(func.count(), *counts).where(*running, ~people)).one()
        if max(row[1], row[2]) >= self.limits.each:
            raise TooManyBotMatches(self.limits.each)
        if row[0] >= self.limits.all:
            raise TooManyBotMatches

    def find_recent(self, game: str, *, live: bool = False) -> str | None:
        """Return a public match of a game in which only bots play, played lately; None if there is none.

        With `live`, only one that is not over.
        """
        people = exists().where(seats.c.match == matches.c.id, seats.c.bot == "")
        wanted = select(matches.c.id).where(matches.c.listed, matches.c.game == game, matches.c.begun, ~people)
        wanted = wanted.where(matches.c.damaged.is_(None), matches.c.record.is_(None))
        wanted = wanted.where(matches.c.outcome.is_(None)) if live else wanted
        wanted = wanted.where(matches.c.announced > now() - BOT_MATCH_AGAIN).order_by(matches.c.announced.desc())
        with self._shared.database.glance() as connection:
            found: str | None = connection.execute(wanted.limit(1)).scalar()
        return found
