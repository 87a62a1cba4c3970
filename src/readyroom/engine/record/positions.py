"""Any position of a record without replaying all of it: snapshots along the way, a few decisions apart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from readyroom.engine.errors import InvalidRecord
from readyroom.engine.game import Game
from readyroom.engine.match import Match, Start
from readyroom.engine.match.history import History
from readyroom.engine.match.snapshot import Snapshot
from readyroom.engine.record.format import Entry, Fork, Parsed, RecordEntry, Undo
from readyroom.engine.record.replay import apply_entry, match_from_header, secret_of
from readyroom.engine.record.turning_points import KeyMoment, MomentCollector, ScorePoint
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import LoggedEvent, LogLine

AnyMatch: TypeAlias = Match[Any, Any]
EVERY = 16
"""How many decisions may lie between two snapshots; an undo counts for all that it repeats."""
ENTRY_SIZE = 600
"""The approximate bytes of an entry in memory."""


class Reached(NamedTuple):
    """A phase with the sides that were to decide, and the number of the decision that led to it."""

    number: int
    at: At
    sides: frozenset[str]


def restore(
    parsed: Parsed, snapshot: Snapshot, game: Game[Any, Any], secret: bytes | None = None, log: Sequence[LogLine] = ()
) -> AnyMatch:
    """Return the match of a snapshot that was taken along this record.

    Args:
        parsed: the record; entries after the snapshot do not matter.
        snapshot: where the match is.
        game: the game.
        secret: needed for an unfinished match without a seed.
        log: the lines of the log before the snapshot's checkpoint. Without them the log starts there.

    Raises:
        InvalidRecord: the record does not fit the game.
        ReadyRoomError: the present rules cannot repeat a decision.
    """
    active, forks = list[Entry](), list[tuple[int, bytes]]()
    entries = parsed.entries[: bisect_right(parsed.entries, snapshot.revision, key=_number)]
    for (_, entry), untouched in zip(entries, _follow(entries, active), strict=True):
        if isinstance(entry, Fork):
            forks.append((untouched, secret_of(parsed, len(forks) + 1, secret)))
    checkpoint = snapshot.checkpoint
    before = [entry for _, entry in entries]
    history = History(active[: checkpoint.position], before, snapshot.revision, snapshot.barrier)
    start = Start(checkpoint.state, checkpoint.position, checkpoint.blocks, history, log, forks)
    match = match_from_header(parsed, game, secret, start)
    match.repeat(active[checkpoint.position :])
    return match


class ReplayIndex:
    """A record with snapshots along it.

    Args:
        parsed: the record.
        secret: needed for an unfinished match without a seed.
        snapshots: where the match was, in order, first of all at its start.
        reached: the phases in order. A decision that was undone counts for nothing: whether it ended its phase may be
            secret.
        moments: the key moments in order, without those of decisions that were undone.
        scores: the scores wherever they changed or a turn began, without those of decisions that were undone.
        log_ends: the length of the log after each decision, by its number, without those that were undone.

    Raises:
        InvalidRecord: an undo names no decision.
    """

    def __init__(
        self,
        parsed: Parsed,
        secret: bytes | None,
        snapshots: Sequence[Snapshot] = (),
        reached: Sequence[Reached] = (),
        moments: Sequence[KeyMoment] = (),
        scores: Sequence[ScorePoint] = (),
        log_ends: Mapping[int, int] | None = None,
    ) -> None:
        self.parsed, self.secret = parsed, secret
        self.snapshots, self.reached, self.moments = list(snapshots), list(reached), list(moments)
        self.scores, self.log_ends = list(scores), dict(log_ends or {})
        self._lowest = list(_follow(parsed.entries, []))

    @property
    def revision(self) -> int:
        """The last revision of the record."""
        return self.parsed.entries[-1][1].n if self.parsed.entries else 0

    @property
    def size(self) -> int:
        """The approximate bytes of all of it in memory."""
        states = {id(one.checkpoint.state): len(one.checkpoint.state) for one in self.snapshots}
        return sum(states.values()) + ENTRY_SIZE * (
            len(self._lowest) + len(self.log_ends) + len(self.snapshots) + len(self.moments) + len(self.scores)
        )

    def note(self, entry: RecordEntry, match: AnyMatch) -> None:
        """Note the phase that an entry led to."""
        if isinstance(entry, Undo):
            self.reached = [one for one in self.reached if one.number not in entry.undo]
            self.moments = [one for one in self.moments if one.number not in entry.undo]
            self.scores = [one for one in self.scores if one.number not in entry.undo]
            self.log_ends = {number: end for number, end in self.log_ends.items() if number not in entry.undo}
        now = match.state.at, match.deciding_sides
        if all((one.at, one.sides) != now for one in self.reached):
            self.reached.append(Reached(entry.n, *now))

    def note_scores(self, points: Iterable[ScorePoint]) -> None:
        """Note scores, without those that are the same as before in the same turn."""
        for point in points:
            if not self.scores or point[1:] != self.scores[-1][1:]:
                self.scores.append(point)

    def entry(self, number: int) -> RecordEntry | None:
        """Return the decision or undo of this number, if there is one."""
        at = self.after(number - 1)
        entry = self.parsed.entries[at][1] if at < len(self.parsed.entries) else None
        return entry if entry is not None and entry.n == number else None

    def after(self, revision: int) -> int:
        """Return the index of the first entry after a revision."""
        return bisect_right(self.parsed.entries, revision, key=_number)

    def match_at(self, revision: int, game: Game[Any, Any]) -> AnyMatch:
        """Return the match at this revision. Its log starts somewhere before it. `InvalidRecord`."""
        return self.advance(restore(self.parsed, self.nearest(revision), game, self.secret), revision)

    def open(self, game: Game[Any, Any], opening: Callable[[AnyMatch], Callable[[LoggedEvent], object]]) -> AnyMatch:
        """Return the match at its first decision; `opening` listens to what comes before it. `InvalidRecord`."""
        return match_from_header(self.parsed, game, self.secret, opening=opening)

    def advance(self, match: AnyMatch, revision: int) -> AnyMatch:
        """Apply the entries up to a revision; return the match, or after a fork the new one. `InvalidRecord`."""
        for line, entry in self.parsed.entries[self.after(match.revision) : self.after(revision)]:
            match = apply_entry(match, self.parsed, entry, line)
        return match

    def nearest(self, revision: int) -> Snapshot:
        """Return the last snapshot from which the entries lead to this revision, without an undo to before it."""
        upto = self.after(revision)
        lowest = upto
        for snapshot in reversed(self.snapshots):
            if snapshot.revision <= revision:
                since = self.after(snapshot.revision)
                lowest, upto = min([lowest, *self._lowest[since:upto]]), since
                if snapshot.checkpoint.position <= lowest:
                    return snapshot
        return self.snapshots[0]


def _number(numbered: tuple[int, RecordEntry]) -> int:
    return numbered[1].n


def _follow(entries: Iterable[tuple[int, RecordEntry]], active: list[Entry]) -> Iterator[int]:
    """Apply entries to the list of active decisions; yield for each how many of these stay untouched."""
    for line, entry in entries:
        if isinstance(entry, Undo):
            at = len(active) - 1
            while at >= 0 and active[at].n not in entry.undo[:1]:
                at -= 1
            if at < 0:
                raise InvalidRecord(line, "there is no such decision to undo")
            del active[at : at + len(entry.undo)]
            yield at
        else:
            yield len(active)
            if isinstance(entry, Entry):
                active.append(entry)


def build_index(
    parsed: Parsed,
    game: Game[Any, Any],
    secret: bytes | None = None,
    earlier: ReplayIndex | None = None,
    *,
    progress: Callable[[float], object] = lambda share: None,
) -> ReplayIndex:
    """Replay a record and return its index.

    Args:
        parsed: the record.
        game: the game.
        secret: needed for an unfinished match without a seed.
        earlier: an index of the same match when its record was shorter, to start from.
        progress: called with the finished share, from 0 to 1.

    Raises:
        InvalidRecord: with the line and what differs.
    """
    known = (earlier.snapshots, earlier.reached, earlier.moments, earlier.scores, earlier.log_ends) if earlier else ()
    index = ReplayIndex(parsed, secret, *known)
    if earlier is None:
        match = match_from_header(parsed, game, secret)
        index.snapshots, index.reached = [match.snapshot()], [Reached(0, match.state.at, match.deciding_sides)]
        index.log_ends = {0: match.log_length}
    else:
        last = index.nearest(index.revision)
        match = restore(parsed, last, game, secret)
        index.snapshots = index.snapshots[: index.snapshots.index(last) + 1]
        index.reached = [one for one in index.reached if one.number <= last.revision]
        index.moments = [one for one in index.moments if one.number <= last.revision]
        index.scores = [one for one in index.scores if one.number <= last.revision]
        index.log_ends = {number: end for number, end in index.log_ends.items() if number <= last.revision}
    # A match that was restored has no lines before its snapshot's checkpoint.
    missing = max(index.log_ends.values()) - match.log_length
    collector = MomentCollector(match)
    index.note_scores(collector.score(match.revision, match))
    first, cost = index.after(match.revision), 0
    for done, (line, entry) in enumerate(parsed.entries[first:], start=first + 1):
        collector.listen(match)
        match = apply_entry(match, parsed, entry, line)
        index.note(entry, match)
        if isinstance(entry, Entry):
            index.log_ends[entry.n] = missing + match.log_length
        if not isinstance(entry, Entry):
            collector.rewind(match)
        elif (moment := collector.take(entry.n, match)) is not None:
            index.moments.append(moment)
        index.note_scores(collector.score(entry.n, match))
        snapshot = match.snapshot()
        since = match.decision_count - snapshot.checkpoint.position
        cost += 1 + since if isinstance(entry, Undo) else 1
        crossed = snapshot.checkpoint.position < index.snapshots[-1].checkpoint.position
        if (cost >= EVERY or crossed) and index.after(entry.n) == done:
            index.snapshots.append(snapshot)
            cost = 0
        progress(done / len(parsed.entries))
    return index
