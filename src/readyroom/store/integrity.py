"""Detect changes that the server did not make: hash chains and message authentication codes (MACs) of stored matches.

`tables` lists what the two seals of a match cover. Their key is derived from the server's secret, which is not in the
database. A seal also finds damage by a faulty disk. It does not notice that a whole match, or the whole database, was
replaced by an older copy that this server had sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from hmac import compare_digest
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, exists, func, insert, select, update

from readyroom.engine.match.resume import REPLAY_ERRORS
from readyroom.engine.record.format import chain_hash
from readyroom.store.errors import MatchDamaged, OtherKey
from readyroom.store.rows import AnyRow, match_row, seat_rows
from readyroom.store.tables import checkpoints, entries, log, matches, server

FIXED = (
    *("id", "game", "title", "version", "scenario", "scenario_title", "own", "options", "pace", "listed", "created"),
    *("seed", "secret", "fingerprint", "begun", "header", "record", "origin", "signer", "signature"),
)
"""The columns of a match that do not change during play."""
STATE = ("revision", "turn", "phase", "waiting", "lines", "barrier", "seal", "outcome", "ending")
"""The columns that a decision changes, except `changed`."""
_SEATING = ("host", "guided", "handed")
_SEAT = ("seat", "place", "name", "side", "who", "bot", "words", "banned")

_encode = msgspec.msgpack.Encoder().encode
_checkpoint = select(checkpoints).where(checkpoints.c.match == bindparam("id"))
_entries = select(entries).where(entries.c.match == bindparam("id")).order_by(entries.c.n)
_upto = (log.c.match == bindparam("id"), log.c.i < bindparam("upto"))
_lines = select(log.c.i, log.c.line).where(*_upto).order_by(log.c.i)
_chain = (
    update(entries)
    .where(entries.c.match == bindparam("id"), entries.c.n == bindparam("number"))
    .values(hash=bindparam("new_hash"))
)
_note = select(server.c.value).where(server.c.name == bindparam("name"))


class Damage(Exception):
    """Stored data of a match that the server did not write; the text says what."""


class Stored(NamedTuple):
    """A match as the database has it, checked."""

    row: AnyRow
    checkpoint: AnyRow | None
    entries: list[AnyRow]
    lines: list[str]
    places: list[AnyRow]
    digests: Digests


class Digests:
    """What the head of a match is computed from, kept with a match in memory, so that a decision adds little to it."""

    def __init__(self, row: AnyRow) -> None:
        self.fixed = _hash(_encode([getattr(row, name) for name in FIXED]))
        self.last = "" if row.header is None else chain_hash(row.header, "")
        """The hash of the last line of the record."""
        self._entries = b""
        self._log = [b""]
        self._checkpoint = b""

    def add_entries(self, rows: Iterable[dict[str, Any]]) -> None:
        """Add new entries, and set the hash of each row."""
        for row in rows:
            row["hash"] = self.last = chain_hash(row["told"], self.last)
            self._add(row["at"], row.get("unseen", ""))

    def follow_entries(self, rows: Iterable[AnyRow], since: int = 0) -> None:
        """Add stored entries that follow revision `since`; raise `Damage` at the first that does not fit."""
        for number, row in enumerate(rows, start=since + 1):
            self.last = chain_hash(row.told, self.last)
            if row.n != number:
                raise Damage(f"line {number} of its record is missing")
            if row.hash != self.last or row.undo is not ('"undo":' in row.told):
                raise Damage(f"line {number} of its record was changed")
            self._add(row.at, row.unseen)

    def _add(self, at: float, unseen: str) -> None:
        self._entries = _hash(self._entries + _encode((self.last, float(at), unseen)))

    def set_log(self, keep: int, lines: Iterable[str]) -> None:
        """Keep this many lines of the log, and add others."""
        digests = self._log
        del digests[keep + 1 :]
        for line in lines:
            digests.append(_hash(digests[-1] + line.encode()))

    def set_checkpoint(self, position: int, lines: int, blocks: int, state: bytes) -> None:
        """Replace the checkpoint."""
        self._checkpoint = _hash(_encode((position, lines, blocks)) + state)

    @property
    def rest(self) -> str:
        """The digest of checkpoint and log, which a record does not need."""
        return _hash(self._checkpoint + self._log[-1]).hex()

    def covered(self, values: Mapping[Any, Any], rest: str) -> bytes:
        """Return what the MAC of a head is computed from."""
        return _encode((self.fixed, [values[name] for name in STATE], self.last, self._entries, rest))


def _hash(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()


class Seals:
    """Makes and checks the seals of matches with a key derived from the server's secret."""

    def __init__(self, secret: str) -> None:
        self._key = blake2b(secret.encode(), digest_size=32, person=b"readyroom-seals").digest()
        self.key_id = self._mac(b"id")
        self._complete = False

    def _mac(self, content: bytes) -> str:
        return blake2b(content, key=self._key, digest_size=16).hexdigest()

    # -- the database ------------------------------------------------------------------------------------------------

    def claim(self, connection: Connection, *, accept: bool = False) -> None:
        """Note the key in a database that has none; raise `OtherKey` if it has another, unless `accept` replaces it."""
        known = read_note(connection, "key")
        if known is not None and known != self.key_id and not accept:
            raise OtherKey
        if known != self.key_id:
            write_note(connection, "key", self.key_id)
        if known is None and not connection.execute(select(exists(select(matches.c.id)))).scalar():
            write_note(connection, "sealed", "0")

    def is_complete(self, connection: Connection) -> bool:
        """Return whether all matches are sealed; before that, one without a seal is from version 1.0."""
        if not self._complete:
            self._complete = read_note(connection, "sealed") is not None
        return self._complete

    def awaits_seal(self, connection: Connection, row: AnyRow) -> bool:
        """Return whether a match is from version 1.0 and not sealed yet."""
        return not row.head and not row.seating and not self.is_complete(connection)

    # -- a match -----------------------------------------------------------------------------------------------------

    def head(self, digests: Digests, values: Mapping[Any, Any], rest: str | None = None) -> str:
        """Return the head of a match, given its digests and the columns of its state."""
        rest = digests.rest if rest is None else rest
        return f"{rest}.{self._mac(b'head' + digests.covered(values, rest))}"

    def check(self, connection: Connection, row: AnyRow) -> Stored:
        """Return all that is stored of a match; raise `Damage` if the server did not write it like that."""
        with reading_stored():
            stored = self._read(connection, row, trusted=False)
            if not _same(row.head, self.head(stored.digests, row._mapping)):
                raise Damage("its state or its log was changed")
            if not _same(row.seating, self._seating(row, stored.places)):
                raise Damage("its seats were changed")
        return stored

    def check_record(self, connection: Connection, row: AnyRow) -> list[AnyRow]:
        """Return the entries of a match, without reading its log and checkpoint; raise `Damage`."""
        with reading_stored():
            rows, digests = list(connection.execute(_entries, {"id": row.id})), Digests(row)
            digests.follow_entries(rows)
            if not _same(row.head, self.head(digests, row._mapping, row.head.partition(".")[0])):
                raise Damage("its state was changed")
        return rows

    def _read(self, connection: Connection, row: AnyRow, *, trusted: bool) -> Stored:
        """Read a match; if it is trusted, write the hashes of its entries instead of checking them."""
        checkpoint = connection.execute(_checkpoint, {"id": row.id}).one_or_none()
        rows, digests = list(connection.execute(_entries, {"id": row.id})), Digests(row)
        if trusted:
            new = [dict(row._mapping) for row in rows]
            digests.add_entries(new)
            hashes = [
                {"id": row.id, "number": each["n"], "new_hash": each["hash"]}
                for each, old in zip(new, rows, strict=True)
                if old.hash != each["hash"]
            ]
            if hashes:
                connection.execute(_chain, hashes)
        else:
            digests.follow_entries(rows)
        lines = list(connection.execute(_lines, {"id": row.id, "upto": row.lines}))
        if [line.i for line in lines] != list(range(len(lines))):
            raise Damage("a line of its log is missing")
        digests.set_log(0, [line.line for line in lines])
        if checkpoint is not None:
            digests.set_checkpoint(checkpoint.position, checkpoint.lines, checkpoint.blocks, checkpoint.state)
        texts = [line.line for line in lines]
        return Stored(row, checkpoint, rows, texts, seat_rows(connection, row.id), digests)

    def write(self, connection: Connection, id: str, *, checked: bool = False) -> Stored:
        """Seal a match as the database has it, and return it.

        If `checked`, raise `Damage` unless its entries have the right hashes.

        For new matches, those of version 1.0, and those that an admin accepts.
        """
        with reading_stored():
            row = match_row(connection, id, lock=True)
            stored = self._read(connection, row, trusted=not checked)
        seals = {"head": self.head(stored.digests, row._mapping), "seating": self._seating(row, stored.places)}
        connection.execute(update(matches).where(matches.c.id == id).values(**seals, damaged=None))
        return stored

    def check_start(self, connection: Connection, row: AnyRow, places: Sequence[AnyRow]) -> None:
        """Raise `MatchDamaged` unless a match that is about to start, and its seats, are as the server wrote them."""
        if self.awaits_seal(connection, row):
            return
        if row.damaged is not None:
            raise MatchDamaged(row.id, row.damaged)
        head, seating = self.head(Digests(row), row._mapping), self._seating(row, places)
        if not (_same(row.head, head) and _same(row.seating, seating)):
            raise MatchDamaged(row.id, "its settings or seats were changed before its start")

    def _seating(self, row: AnyRow, places: Sequence[AnyRow]) -> str:
        facts = [row.id, [getattr(row, name) for name in _SEATING], *([row.decided_for] if row.decided_for else [])]
        facts += [row.decided] if row.decided != ("time" if row.decided_for else "") else []
        return self._mac(b"seats" + _encode([*facts, *([getattr(place, name) for name in _SEAT] for place in places)]))

    @contextmanager
    def seats(self, connection: Connection, id: str, *, lenient: bool = False) -> Iterator[None]:
        """Check the seal of a match's seats, and write it again after the block has changed them.

        Raises `UnknownMatchId`, or `MatchDamaged` unless `lenient`, which leaves a damaged match without a valid seal.
        """
        row = match_row(connection, id, lock=True)
        whole = row.damaged is None and _same(row.seating, self._seating(row, seat_rows(connection, id)))
        if not (whole or lenient or self.awaits_seal(connection, row)):
            raise MatchDamaged(id, row.damaged or "its seats were changed")
        yield
        if whole:
            seal = self._seating(match_row(connection, id), seat_rows(connection, id))
            connection.execute(update(matches).where(matches.c.id == id).values(seating=seal))


def _same(stored: object, computed: str) -> bool:
    return isinstance(stored, str) and stored.isascii() and compare_digest(stored, computed)


@contextmanager
def reading_stored() -> Iterator[None]:
    """Raise `Damage` if what is stored cannot be read; let our own errors pass."""
    try:
        yield
    except REPLAY_ERRORS as error:
        if type(error).__module__.startswith("readyroom"):
            raise
        raise Damage(f"it cannot be read ({error})") from error


# -- notes of the server ---------------------------------------------------------------------------------------------


def read_note(connection: Connection, name: str) -> str | None:
    """Return what the server has noted under this name."""
    value: str | None = connection.execute(_note, {"name": name}).scalar()
    return value


def write_note(connection: Connection, name: str, value: str) -> None:
    """Note a value under this name."""
    if not connection.execute(update(server).where(server.c.name == name).values(value=value)).rowcount:
        connection.execute(insert(server), {"name": name, "value": value})


def count_damaged(connection: Connection) -> int:
    """Return the number of quarantined matches."""
    return connection.execute(select(func.count()).where(matches.c.damaged.is_not(None))).scalar_one()
