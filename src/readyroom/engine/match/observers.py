"""What the viewers of a match can notice of its progress, so that hidden decisions leave no trace in what others get.

A viewer is a seat or a spectator. An entry of the record, a decision or an undo, is *unseen* by a viewer of another
side if nothing that the viewer may know is different after it: no line for them in the log, the same view, turn and
phase, the same seats to decide, the same question to them, and the same decisions that they can take back. A viewer's
*revision* is the number of entries without those unseen by them; once the match is over, everything is public.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from readyroom.engine.game import Seat
from readyroom.engine.record.format import Undo
from readyroom.engine.rules.table import LogLine

SPECTATOR = ""
"""The name of spectators among the viewers; the others are the keys of seats."""


class _Observed(Protocol):
    """What is read from a match to compare what its viewers know."""

    @property
    def pending(self) -> Mapping[str, Any]: ...
    @property
    def outcome(self) -> Any: ...
    @property
    def full_log(self) -> Sequence[LogLine]: ...
    @property
    def log_length(self) -> int: ...
    @property
    def decision_count(self) -> int: ...
    @property
    def open_block(self) -> int: ...

    def at_position(self, position: int) -> _Observed: ...
    def view(self, seat: str | None) -> Any: ...
    def shown_at(self, seat: str | None) -> Any: ...
    def shown_waiting(self, seat: str | None) -> Sequence[str]: ...
    def can_undo(self, seat: str) -> bool: ...
    def takeback_position(self, seat: str) -> int | None: ...


_encode = msgspec.msgpack.Encoder().encode


class ViewerState(msgspec.Struct, gc=False):
    """What a viewer may know: `facts` are cheap to compare; `view` is serialized, None while it is not needed."""

    facts: tuple[Any, ...]
    lines: int
    block: int
    view: bytes | None = None


class Observers:
    """The viewers of a match, and which entries each of them cannot notice.

    Most decisions change cheap facts or the log. Views are made before a decision only if it has taken them to tell
    for an earlier one of the same rule; otherwise a copy of the match returns to the position before the decision.

    Args:
        seats: the seats of the match.
        unseen: the viewers that could not notice an entry, by its number.
    """

    def __init__(self, seats: Iterable[Seat], unseen: Mapping[int, Sequence[str]]) -> None:
        self._sides: dict[str, str | None] = {SPECTATOR: None, **{seat.key: seat.side for seat in seats}}
        self.unseen = dict[int, tuple[str, ...]]()
        self._numbers: dict[str, list[int]] = {viewer: [] for viewer in self._sides}
        self._states = dict[str, ViewerState]()
        self._rule = ""
        self._compared = set[tuple[str, str]]()
        for n in sorted(unseen):
            self._add(n, unseen[n])

    def _add(self, n: int, viewers: Sequence[str]) -> None:
        if viewers:
            self.unseen[n] = tuple(viewers)
            for viewer in viewers:
                self._numbers[viewer].append(n)

    def revision(self, viewer: str, n: int) -> int:
        """Return how many of the first `n` entries the viewer could notice."""
        return n - bisect_right(self._numbers[viewer], n)

    def true_revision(self, viewer: str, revision: int) -> int:
        """Return the number of the entry that led to this revision of the viewer; 0 for 0."""
        n = revision
        for unseen in self._numbers[viewer]:
            if unseen > n or not revision:
                break
            n += 1
        return n

    # -- following a match -------------------------------------------------------------------------------------------

    def before(self, match: _Observed, seat: str) -> None:
        """Note what the other sides know before a decision of this seat."""
        self._rule = match.pending[seat].rule
        for viewer in self._others(seat):
            if viewer not in self._states:
                self._states[viewer] = _viewer_state(match, viewer)
            state = self._states[viewer]
            if state.view is None and (viewer, self._rule) in self._compared:
                state.view = _view(match, viewer)

    def after(self, match: _Observed, seat: str, n: int) -> None:
        """Find out which viewers could not notice decision `n` of this seat."""
        log, others = match.full_log, list(self._others(seat))
        unseen = [viewer for viewer in others if not self._update(match, viewer, log)]
        self._states = {viewer: self._states[viewer] for viewer in others}
        self._add(n, unseen)

    def after_undo(self, undo: Undo) -> None:
        """Find out which viewers could not notice an undo: those who could notice none of the undone decisions.

        An undo by agreement is public.
        """
        self.forget()
        if not undo.leave:
            unseen = [
                viewer for viewer in self._others(undo.by) if all(viewer in self.unseen.get(n, ()) for n in undo.undo)
            ]
            self._add(undo.n, unseen)

    def forget(self) -> None:
        """Forget what was noted before a decision, because the match is somewhere else now."""
        self._states.clear()

    def _others(self, seat: str) -> Iterator[str]:
        return (viewer for viewer, side in self._sides.items() if side != self._sides[seat])

    def _update(self, match: _Observed, viewer: str, log: Sequence[LogLine]) -> bool:
        """Note what a viewer knows now; return whether anything is different."""
        old, new = self._states[viewer], _viewer_state(match, viewer)
        self._states[viewer] = new
        if new.facts != old.facts or any(line.seen_by(viewer or None) for line in log[old.lines :]):
            return True
        # In secret planning the state does not change before the last seat has finished.
        if new.block and new.block == old.block:
            new.view = old.view
            return False
        self._compared.add((viewer, self._rule))
        new.view = _view(match, viewer)
        return new.view != (old.view or _view(match.at_position(match.decision_count - 1), viewer))


def _viewer_state(match: _Observed, viewer: str) -> ViewerState:
    seat, pending = viewer or None, match.pending
    undo = seat is not None and (match.can_undo(seat), match.takeback_position(seat) is not None)
    facts = (
        match.shown_at(seat),
        tuple(match.shown_waiting(seat)),
        pending.get(viewer),
        undo,
        match.outcome is not None,
    )
    return ViewerState(facts, match.log_length, match.open_block)


def _view(match: _Observed, viewer: str) -> bytes:
    return _encode(match.view(viewer or None))
