"""The start of a match, and reports of its seats."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, insert, select, update

from readyroom.engine.match import Match
from readyroom.engine.record.format import DAILY
from readyroom.store.base import Part, PlayerEvent, now
from readyroom.store.cards import MatchSummary
from readyroom.store.clock import read_clock
from readyroom.store.integrity import Stored
from readyroom.store.live.live_match import BOTS_TIME, thinking_sides
from readyroom.store.live.stored_rows import AnyMatch, line_rows, state_columns
from readyroom.store.lobby.setup import find_scenario
from readyroom.store.rows import AnyRow, is_vacant, match_row, one_card, seat_rows
from readyroom.store.tables import attempts, checkpoints, log, matches, seats

_encode = msgspec.json.Encoder().encode


class Joined(NamedTuple):
    """Who has joined which seats, of any match or of a rematch."""

    kind: Literal["joined", "accepted"]
    player: str
    seats: tuple[str, ...]


class Begun(NamedTuple):
    """A match that has started in the transaction in progress, and what is stored of it."""

    match: AnyMatch
    stored: Stored


class Starter(Part):
    """Starts matches, and reports changes of their seats."""

    def begin_if_ready(self, connection: Connection, id: str, *, new: bool = False) -> Begun | None:
        """Start the match if no seat is empty any more; None if it has not started now.

        A `new` match was written in this transaction, and has no seals yet.
        """
        row, places = match_row(connection, id), seat_rows(connection, id)
        if row.begun or any(map(is_vacant, places)):
            if new:
                self._shared.seals.write(connection, id)
            return None
        return self.begin(connection, row, places, new=new)

    def begin(self, connection: Connection, row: AnyRow, places: list[AnyRow], *, new: bool = False) -> Begun:
        """Fix the dice by the secret and the words of all seats, set up, and sign the header."""
        if not new:
            self._shared.seals.check_start(connection, row, places)
        game = self._shared.games(row.game)
        match: AnyMatch = Match(
            game,
            find_scenario(game, row.scenario, row.own),
            msgspec.json.decode(row.options),
            row.seed,
            nonces={place.seat: place.words for place in places if place.words},
            secret=row.secret,
            known_dice=row.origin in DAILY,
            before=row.follows,
            salt=row.salt,
        )
        header = replace(match.header, origin=row.origin or UNSET)
        if row.origin in DAILY:
            day = select(attempts.c.day).where(attempts.c.match == row.id)
            header = replace(header, day=connection.execute(day).scalar_one())
        if self._shared.signer is not None:
            header = self._shared.signer.sign(header, row.id)
        match.continue_record(header)
        write_start(connection, row.id, match)
        # All who are there count from the start, so the first seat leads its side; one who comes later does not.
        connection.execute(update(seats).where(seats.c.match == row.id, seats.c.came.is_not(None)).values(came=now()))
        if (clock := read_clock(row.clock)) is not None:
            bots = {place.seat for place in places if place.bot}
            begun = clock.moved(now(), thinking_sides(match, bots)).encode()
            connection.execute(update(matches).where(matches.c.id == row.id).values(clock=begun))
        return Begun(match, self._shared.seals.write(connection, row.id))

    def report(
        self, id: str, begun: Begun | bool | None, *, messages: bool = False, joined: Joined | None = None
    ) -> MatchSummary:
        """Notify listeners of changed seats, once they are committed.

        If the match has `begun`, now or earlier, its bots make moves.
        """
        bots_due = over = False
        if isinstance(begun, Begun):
            self._shared.live.adopt(begun.match, begun.stored)
        if begun:
            with self._shared.live.hold(id) as live:
                bots_due = live.run_bots(BOTS_TIME)
                if live.match.revision != live.revision:
                    over = self._shared.live.save(live) and live.match.outcome is not None
        with self._shared.database.glance() as connection:
            summary = one_card(connection, id)
        if joined is not None and (others := summary.people - {joined.player}):
            event = PlayerEvent(joined.kind, id, joined.player, frozenset(others), joined.seats, started=bool(begun))
            self._shared.report(event)
        revisions = summary.viewer_revisions()
        self._shared.notify(id, "seats", revisions)
        if begun:
            self._shared.notify(id, "moved", revisions)
        if messages:
            self._shared.notify(id, "talk", revisions)
        if bots_due:
            self._shared.bots_due(id)
        if over:
            self._shared.ended(id)
        return summary


def write_start(connection: Connection, id: str, match: AnyMatch) -> None:
    """Store a match before its first decision, with the header of its record."""
    values, checkpoint = state_columns(match)
    header = match.header
    values |= {"header": _encode(header).decode(), "signer": header.signer or "", "signature": header.signature or ""}
    values["announced"] = values["changed"]
    connection.execute(update(matches).where(matches.c.id == id).values(begun=True, **values))
    connection.execute(insert(checkpoints), {"match": id, **asdict(checkpoint)})
    if lines := line_rows(id, match.full_log, 0):
        connection.execute(insert(log), lines)
