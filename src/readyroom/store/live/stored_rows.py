"""A match's state, log and entries as rows, and read from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from time import time
from typing import Any

import msgspec

from readyroom.engine.match import Match
from readyroom.engine.match.snapshot import Checkpoint, Saved
from readyroom.engine.record.format import Entry, Header, RecordEntry, Undo
from readyroom.engine.rules.checks import RolledDice
from readyroom.engine.rules.table import LogLine
from readyroom.store.integrity import Stored
from readyroom.store.rows import AnyRow, sealed_of

AnyMatch = Match[Any, Any]
_encode = msgspec.json.Encoder().encode


class StoredLine(msgspec.Struct, omit_defaults=True):
    """A line of the log as it was published, its audience, and the keys of what it is about."""

    turn: int
    phase: str
    rule: str
    text: str
    rolls: tuple[RolledDice, ...] = ()
    to: tuple[str, ...] | None = None
    keys: tuple[str, ...] = ()

    @classmethod
    def of(cls, line: LogLine) -> StoredLine:
        """Return the stored form of a log line."""
        return cls(line.turn, line.phase, line.rule, line.text, line.rolls, line.audience, line.keys)

    def line(self) -> LogLine:
        """Return the log line."""
        return LogLine(self.turn, self.phase, self.rule, "{0}", (self.text, *self.rolls), self.to, keys=self.keys)


_decode_line = msgspec.json.Decoder(StoredLine).decode
_decode_entry = msgspec.json.Decoder(Entry).decode
_decode_undo = msgspec.json.Decoder(Undo).decode
_decode_viewers = msgspec.json.Decoder(tuple[str, ...]).decode


def unseen_of(rows: Iterable[AnyRow]) -> dict[int, tuple[str, ...]]:
    """Return the viewers that could not notice an entry, by its number, from rows of entries."""
    return {row.n: _decode_viewers(row.unseen) for row in rows if row.unseen}


def entry_from_row(row: AnyRow) -> Entry | Undo:
    """Return a line of the record as a row."""
    return _decode_undo(row.told) if row.undo else _decode_entry(row.told)


def entry_rows(
    id: str, entries: list[RecordEntry], at: float, unseen: Mapping[int, Sequence[str]]
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


def log_lines(stored: Stored, upto: int) -> list[LogLine]:
    """Return the first lines of a match's log."""
    return [_decode_line(line).line() for line in stored.lines[:upto]]


def line_rows(id: str, lines: list[LogLine], first: int) -> list[dict[str, Any]]:
    """Return rows for log lines, numbered from `first` on."""
    return [{"match": id, "i": i, "line": text} for i, text in enumerate(line_texts(lines), start=first)]


def line_texts(lines: list[LogLine]) -> Iterator[str]:
    """Return log lines as they are stored."""
    return (_encode(StoredLine.of(line)).decode() for line in lines)


def count_same(before: list[LogLine], after: list[LogLine]) -> int:
    """Return how many lines at the beginning of two logs are identical."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(before, after, strict=False)))


def state_columns(match: AnyMatch) -> tuple[dict[str, Any], Checkpoint]:
    """Return the columns of a match's state, and its checkpoint."""
    resume_point, at, revision = match.resume_point(), match.shown_at(None), match.revision
    differing = {viewer: n for viewer, n in match.viewer_revisions().items() if n != revision}
    values = {
        "revision": revision,
        "revisions": _encode(differing).decode() if differing else "",
        "turn": at.turn,
        "phase": at.phase,
        "waiting": _encode(list(match.pending)).decode(),
        "lines": match.log_length,
        "barrier": resume_point.barrier,
        "seal": resume_point.state_mac,
        "changed": time(),
        "outcome": None if match.outcome is None else _encode(match.outcome).decode(),
        "ending": None if match.outcome is None else _encode(match.ending()).decode(),
    }
    return values, resume_point.checkpoint


def saved_match(row: AnyRow, checkpoint: AnyRow, header: Header, entries: list[Entry | Undo]) -> Saved:
    """Return a saved match from its rows."""
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
        sealed=sealed_of(row),
    )
