"""Keeping: records out and in, and when what was decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, bindparam, insert, select
from sqlalchemy.exc import SQLAlchemyError

from readyroom.bots import default_bot
from readyroom.engine.data import ready
from readyroom.engine.errors import UnknownScenario
from readyroom.engine.game import Game, Seat, load_game
from readyroom.engine.match.resume import REPLAY_ERRORS
from readyroom.engine.match.snapshot import Checkpoint
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import game_of_record, replay, verify
from readyroom.engine.record.signature import check_signature
from readyroom.store.base import Part, Shared, clean_text, derived_id, new_id
from readyroom.store.cards import CreatedMatch, Player, SeatAssignment, from_timestamp
from readyroom.store.database import WriteConflict
from readyroom.store.errors import ImportRejected, MatchDamaged, NotStarted
from readyroom.store.integrity import Damage
from readyroom.store.limits import TITLE_LENGTH, check_record, check_text
from readyroom.store.live.stored_rows import AnyMatch, entry_from_row, entry_rows, line_rows, state_columns
from readyroom.store.lobby.seating import sit_down
from readyroom.store.lobby.setup import check_size, new_match_row, seat_row
from readyroom.store.rows import AnyRow, match_row, one_card, sealed_of
from readyroom.store.tables import checkpoints, entries, log, matches, seats
from readyroom.study.recorded import RecordedMatch

AnyGame: TypeAlias = Game[Any, Any]
_entry = select(entries).where(entries.c.match == bindparam("id"), entries.c.n == bindparam("n"))
_encode = msgspec.json.Encoder().encode


class Records(Part):
    """Matches as records."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._recorded = Lock()

    def text(self, id: str) -> str:
        """Return the record of a match as text, even if its game is not installed.

        Raises `NotStarted`, or `MatchDamaged`: see `whole_text`.
        """
        with self._checked(id) as (row, rows):
            return _text(row, rows)

    def whole_text(self, id: str) -> str:
        """Return the record of a match, damaged or not, up to the last line that is as it was written.

        Raises `NotStarted`, or `MatchDamaged` if nothing is whole.
        """
        with self._shared.database.reading() as connection:
            row = match_row(connection, id)
            if not row.begun:
                raise NotStarted
            try:
                text = _text(row, self._shared.seals.check_record(connection, row))
            except (Damage, SQLAlchemyError, *REPLAY_ERRORS):
                text = records.whole_part(_stored_lines(connection, row))
        if not text:
            raise MatchDamaged(id, row.damaged or "its record cannot be read")
        return text

    def decision_times(self, id: str) -> dict[int, datetime]:
        """Return the time of each decision and undo by its number."""
        with self._shared.database.reading() as connection:
            match_row(connection, id)
            rows = connection.execute(select(entries.c.n, entries.c.at).where(entries.c.match == id))
            return {row.n: from_timestamp(row.at) for row in rows}

    def source(self, id: str) -> ReplaySource:
        """Return what a match can be replayed from; raise `NotStarted` or `MatchDamaged`.

        It holds the secret of the dice: it is for the server.
        """
        with self._checked(id) as (row, rows):
            return ReplaySource(self._shared.games(row.game), _parsed(row, rows), row.secret)

    @contextmanager
    def _checked(self, id: str) -> Iterator[tuple[AnyRow, list[AnyRow]]]:
        """Yield a match and its entries as stored; raise `NotStarted` or `MatchDamaged`."""
        with self._shared.live.checking(id), self._shared.database.reading() as connection:
            row = match_row(connection, id)
            if not row.begun:
                raise NotStarted
            if row.damaged is not None:
                raise MatchDamaged(id, row.damaged)
            yield row, self._shared.seals.check_record(connection, row)

    def import_match(self, record: str, host: Player, secret: bytes | None = None) -> str:
        """Import a match from its record; return its id. See `prepare_import` and `write_import`."""
        return self.write_import(prepare_import(record, secret, self._shared.games), host)

    def open_recorded(self, known: RecordedMatch) -> str:
        """Return the id of a recorded match of the program, which is imported when it is first opened."""
        known_id = derived_id(known.text)
        with self._recorded:
            with self._shared.database.glance() as connection:
                found = connection.execute(select(matches.c.id).where(matches.c.id == known_id)).scalar()
            if found is None:
                with suppress(WriteConflict):  # another process was faster
                    self.write_import(prepare_import(known.text, find_game=self._shared.games, id=known_id), None)
        return known_id

    def write_import(self, prepared: PreparedImport, host: Player | None, *, client: str = "") -> str:
        """Write an imported match; return its id. A finished one is for replay; an unfinished one continues.

        The host sits on every seat of a match that continues, and may make links to give them away. A finished one
        without a host was played by bots. `client` is as for `Lobby.create`.
        """
        opened = CreatedMatch(prepared.match["id"], {})
        game = self._shared.games(prepared.match["game"])
        who = SeatAssignment("me") if host is not None else SeatAssignment("bot", default_bot(game))
        with self._shared.database.writing() as connection:
            connection.execute(insert(matches), prepared.match | {"host": host and host.id, "client": client})
            places = [seat_row(opened, n, seat, who) for n, seat in enumerate(prepared.seats)]
            connection.execute(insert(seats), places)
            if host is not None and prepared.match["outcome"] is None:
                sit_down(connection, opened.id, [seat.key for seat in prepared.seats], host.id)
            connection.execute(insert(checkpoints), {"match": opened.id, **asdict(prepared.checkpoint)})
            for table, rows in ((log, prepared.lines), (entries, prepared.entries)):
                if rows:
                    connection.execute(insert(table), rows)
            self._shared.seals.write(connection, opened.id)
            summary = one_card(connection, opened.id)
        self._shared.notify(opened.id, "seats", summary.viewer_revisions())
        return opened.id


class ReplaySource(NamedTuple):
    """What a match can be replayed from: its game, its record, and the secret behind its dice."""

    game: AnyGame
    parsed: records.Parsed
    secret: bytes


class PreparedImport(NamedTuple):
    """An imported match as plain data for `Records.write_import`: its rows, and its seats."""

    match: dict[str, Any]
    seats: list[Seat]
    checkpoint: Checkpoint
    lines: list[dict[str, Any]]
    entries: list[dict[str, Any]]


def prepare_import(
    record: str,
    secret: bytes | None = None,
    find_game: Callable[[str], AnyGame] = load_game,
    progress: Callable[[float], object] = lambda share: None,
    *,
    origin: Literal["import", "branch"] = "import",
    id: str = "",
) -> PreparedImport:
    """Check a record and replay it; return the match to write. This can take long, and needs no database.

    Args:
        record: the text.
        secret: the dice key of an unfinished match, unless the record has a seed.
        find_game: returns the game of a key.
        progress: called with the finished share, from 0 to 1.
        origin: labels an unfinished match, as its host may know the dice; its header is no longer signed.
        id: the id of the match, by default a new one.

    Raises:
        InvalidRecord: with the invalid line.
        ImportRejected: the record exceeds a limit, or the match cannot continue here.
        ReadyRoomError: its game, scenario or options do not exist here.
    """
    check_text(record)
    parsed = records.parse(record)
    check_record(parsed)
    header = parsed.header
    game = find_game(header.game)
    if game.key != header.game:  # a former key, which several games may have had
        game = find_game(game_of_record(header).key)
    known = [scenario.key for scenario in game.rules.scenarios(game.data)]
    if header.own is None and header.scenario not in known:
        raise UnknownScenario(header.scenario, known, where=game.key)
    if parsed.ending is None:
        _check_goes_on(parsed)
        check_signature(header)
        match = replay(parsed, game=game, secret=secret, progress=progress)
        match.continue_record(replace(header, origin=origin, day=UNSET, match=UNSET, signer=UNSET, signature=UNSET))
    else:
        match = verify(record, game, quick=False, progress=progress)
    return _prepared(match, origin, id)


def prepare_finished(record: str) -> tuple[AnyMatch, PreparedImport]:
    """Verify the record of a finished match; return the match, and what is to be written. See `prepare_import`."""
    check_record(records.parse(record))
    match = verify(record, quick=False)
    prepared = _prepared(match, "import")
    prepared.match["record"] = record  # as it is: a campaign has its hash
    return match, prepared


def _prepared(match: AnyMatch, origin: str, id: str = "") -> PreparedImport:
    """Return the rows of a match. A finished one is kept as its record, with a checkpoint and the log to load it by."""
    new, header = id or new_id(), match.header
    if match.scenario.text is not None:
        clean_text(match.scenario.title, TITLE_LENGTH, "The title of the scenario", lines=False)
        check_size(match.game, match.scenario, match.options)
    row = new_match_row(new, None, match.game, match.scenario, match.options, header.fingerprint)
    row |= {"seed": header.seed, "secret": match.secret or b"", "begun": True, "origin": origin}
    lines = line_rows(new, match.full_log, 0)
    if match.outcome is None:
        columns, checkpoint = state_columns(match)
        row |= columns | {"header": _encode(header).decode(), "outcome": None}
        decided = entry_rows(new, match.record_entries(), row["changed"], match.unseen)
        return PreparedImport(row, list(match.seats), checkpoint, lines, decided)
    at, snapshot = match.state.at, match.snapshot()
    row |= {"revision": match.revision, "turn": at.turn, "phase": at.phase, "record": match.record()}
    row |= {"lines": len(lines), "barrier": snapshot.barrier, "ending": _encode(match.ending()).decode()}
    row |= {"outcome": _encode(match.outcome).decode()}
    return PreparedImport(row, list(match.seats), snapshot.checkpoint, lines, [])


def _check_goes_on(parsed: records.Parsed) -> None:
    """Raise `ImportRejected` unless an unfinished match can continue here."""
    if parsed.header.dice != "keyed":
        raise ImportRejected("This match uses manual dice, so it can continue only where it was started.")
    if any(isinstance(line, records.Fork) for _, line in parsed.entries):
        raise ImportRejected("This match was forked; only a finished one can be imported.")


def _parsed(row: AnyRow, rows: Sequence[AnyRow]) -> records.Parsed:
    """Return the record of a match as data, given the match and its entries."""
    if row.record is not None:
        return records.parse(row.record)
    header = msgspec.json.decode(row.header, type=ready(records.Header))
    numbered = [(n, entry_from_row(each)) for n, each in enumerate(rows, start=2)]
    ending = None if row.ending is None else msgspec.json.decode(row.ending, type=ready(records.Ending))
    return records.Parsed(header, list(numbered), ending, False, sealed_of(row))


def _text(row: AnyRow, rows: Sequence[AnyRow]) -> str:
    """Return the text of a record, given the match and its entries."""
    if row.record is not None:
        return str(row.record)
    parsed = _parsed(row, rows)
    first = records.first_line(parsed.header)
    after = [entry for _, entry in parsed.entries]
    lines = [first, *records.next_lines([*after, *([parsed.ending] if parsed.ending else [])], first)]
    return "".join(f"{line}\n" for line in lines)


def _stored_lines(connection: Connection, row: AnyRow) -> Iterator[str]:
    """Yield the lines of a match's record with their stored hashes, as far as they can be read."""
    if row.record is not None:
        yield from row.record.split("\n")
        return
    with suppress(SQLAlchemyError, *REPLAY_ERRORS):
        line = records.first_line(msgspec.json.decode(row.header, type=ready(records.Header)))
        yield line
        for n in count(1):
            each = connection.execute(_entry, {"id": row.id, "n": n}).one_or_none()
            if each is None:
                break
            line = records.next_line(entry_from_row(each), line)
            yield line.replace(records.hash_of(line), str(each.hash))
