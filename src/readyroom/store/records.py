"""Keeping: records out and in, and when what was decided."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import Connection, insert, select, update

from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidRecord, UnknownScenario
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import game_of_record, replay, verify
from readyroom.store.base import Part, new_id, now
from readyroom.store.cards import CreatedMatch, Player, SeatAssignment, from_timestamp
from readyroom.store.errors import ImportRejected, NotStarted
from readyroom.store.live import AnyMatch, entries_of, entry_from_row, entry_rows
from readyroom.store.lobby import new_match_row, seat_row, sit_down, write_start
from readyroom.store.rows import AnyRow, match_row
from readyroom.store.tables import entries, matches, seats

RECORD_LENGTH = 5_000_000
_encode = msgspec.json.Encoder().encode


class Records(Part):
    """Matches as records."""

    def text(self, id: str) -> str:
        """Return the record of a match as text, even if its game is not installed; raise `NotStarted`."""
        with self._shared.database.reading() as connection:
            return _record(connection, match_row(connection, id))

    def decision_times(self, id: str) -> dict[int, datetime]:
        """Return the time of each decision and undo by its number."""
        with self._shared.database.reading() as connection:
            match_row(connection, id)
            rows = connection.execute(select(entries.c.n, entries.c.at).where(entries.c.match == id))
            return {row.n: from_timestamp(row.at) for row in rows}

    def match_at(self, id: str, revision: int | None = None) -> AnyMatch:
        """Return a copy of the match at this revision, with its log up to then, for replays.

        It holds the secret of the dice; show views of it, and no record. Raises `NotStarted`, or `InvalidRecord` if the
        current rules cannot replay it.
        """
        with self._shared.database.reading() as connection:
            row = match_row(connection, id)
            text = _record(connection, row)
        return replay(text, revision, game=self._shared.games(row.game), secret=row.secret)

    def import_match(self, record: str, host: Player, secret: bytes | None = None) -> str:
        """Import a match from its record; return its id. A finished one is for replay; an unfinished one continues.

        The host sits on every seat of a match that continues, and may make links to give them away. `secret` is the
        dice key of an unfinished match, unless the record has a seed. Raises `InvalidRecord`, or `ImportRejected` if
        the match cannot continue here.
        """
        if len(record) > RECORD_LENGTH:
            raise ImportRejected(f"The record has {len(record)} characters; the maximum is {RECORD_LENGTH}.")
        parsed = records.parse(record)
        header = parsed.header
        game = self._shared.games(header.game)
        if game.key != header.game:  # a former key, which several games may have had
            game = self._shared.games(game_of_record(header).key)
        known = [scenario.key for scenario in game.rules.scenarios(game.data)]
        if header.own is None and header.scenario not in known:
            raise UnknownScenario(header.scenario, known, where=game.key)
        if parsed.ending is None:
            _check_goes_on(parsed)
            match = replay(record, game=game, secret=secret)
        else:
            match = verify(record, game)
        return self._write(match, host)

    def _write(self, match: AnyMatch, host: Player) -> str:
        opened = CreatedMatch(new_id(), {})
        row = new_match_row(opened.id, host, match.game, match.scenario, match.options, match.header.fingerprint)
        row |= {"seed": match.header.seed, "secret": match.secret or b""}
        with self._shared.database.writing() as connection:
            connection.execute(insert(matches), row)
            places = [seat_row(opened, n, seat, SeatAssignment("me")) for n, seat in enumerate(match.seats)]
            connection.execute(insert(seats), places)
            if match.outcome is not None:
                _write_ended(connection, opened.id, match)
            else:
                sit_down(connection, opened.id, [seat.key for seat in match.seats], host.id)
                write_start(connection, opened.id, match)
                if decided := entry_rows(opened.id, match.record_entries(), now(), match.unseen):
                    connection.execute(insert(entries), decided)
        self._shared.notify(opened.id, "seats", match.viewer_revisions())
        return opened.id


def _check_goes_on(parsed: records.Parsed) -> None:
    """Raise `ImportRejected` unless an unfinished match can continue here."""
    if parsed.header.dice != "keyed":
        raise ImportRejected("This match uses manual dice, so it can continue only where it was started.")
    if any(isinstance(line, records.Fork) for _, line in parsed.entries):
        raise ImportRejected("This match was forked; only a finished one can be imported.")


def _write_ended(connection: Connection, id: str, match: AnyMatch) -> None:
    """Save a finished match as its record, which determines everything else."""
    at = match.shown_at(None)
    values = {"begun": True, "revision": match.revision, "turn": at.turn, "phase": at.phase, "record": match.record()}
    outcome, ending = (_encode(part).decode() for part in (match.outcome, match.ending()))
    connection.execute(update(matches).where(matches.c.id == id).values(outcome=outcome, ending=ending, **values))


def _record(connection: Connection, row: AnyRow) -> str:
    """Return the text of a record; raise `InvalidRecord` if the database is damaged."""
    if not row.begun:
        raise NotStarted
    if row.record is not None:
        return str(row.record)
    try:
        return _lines(connection, row)
    except msgspec.DecodeError as error:
        raise InvalidRecord(1, f"the stored match {row.id} is damaged ({error})") from error


def _lines(connection: Connection, row: AnyRow) -> str:
    lines = [records.first_line(msgspec.json.decode(row.header, type=ready(records.Header)))]
    for each in entries_of(connection, row.id):
        lines.append(records.next_line(entry_from_row(each), lines[-1]))
    if row.ending is not None:
        lines.append(records.next_line(msgspec.json.decode(row.ending, type=ready(records.Ending)), lines[-1]))
    return "".join(f"{line}\n" for line in lines)
