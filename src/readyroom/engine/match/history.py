"""The decisions of a match: those in force, and all of them as the record has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from readyroom.engine.errors import CannotUndo
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Entry, RecordEntry, Undo
from readyroom.engine.rules.table import UndoBarrier

UNKNOWN_CAUSE = "since then dice were rolled, a counter was drawn, information was revealed or secret planning ended"
"""Said where the cause is not known, or is hidden from the seat."""


class History:
    """The decisions of a match, and which of them can be undone.

    `active` has the decisions that were not undone, `entries` every decision, undo and fork in order. `revision` is the
    number of answers and undos so far. The first `barrier` active decisions can only be undone by agreement; `causes`
    are the reasons, or empty if they are not known.
    """

    __slots__ = ("_lines", "active", "barrier", "causes", "entries", "revision")

    def __init__(
        self,
        active: Iterable[Entry] = (),
        entries: Iterable[RecordEntry] = (),
        revision: int = 0,
        barrier: int = 0,
    ) -> None:
        self.active, self.entries = list(active), list(entries)
        self.revision, self.barrier = revision, barrier
        self.causes: tuple[UndoBarrier, ...] = ()
        self._lines: list[str] = []

    def copy(self) -> History:
        """Return an independent copy."""
        other = History(self.active, self.entries, self.revision, self.barrier)
        other.causes = self.causes
        return other

    def set_barrier(self, position: int, causes: tuple[UndoBarrier, ...] = ()) -> None:
        """Let the first `position` active decisions only be undone by agreement."""
        self.barrier, self.causes = position, causes

    @property
    def last_number(self) -> int:
        """The number of the last active decision; 0 if there is none."""
        return self.active[-1].n if self.active else 0

    def discard_last(self) -> None:
        """Remove the last active decision, which the rules could not carry out."""
        self.active.pop()
        self.revision -= 1

    def add_undo(self, seat: str, removed: Sequence[Entry], *, agreed: bool) -> Undo:
        """Add and return an undo of active decisions, which the rules then leave out."""
        self.revision += 1
        undo = Undo(self.revision, seat, tuple(entry.n for entry in removed), agreed)
        self.entries.append(undo)
        return undo

    def undone_answer(self, seat: str) -> tuple[str, ...] | None:
        """Return the keys of the seat's decision that was undone last; None if the seat has decided since."""
        answers: dict[int, Entry] = {}
        undone: tuple[str, ...] | None = None
        for entry in self.entries:
            if isinstance(entry, Entry) and entry.seat == seat:
                answers[entry.n], undone = entry, None
            elif isinstance(entry, Undo) and (own := [answers[n] for n in entry.undo if n in answers]):
                undone = own[0].chose
        return undone

    def undoable(
        self, seat: str, open_block: int, seat_name: Callable[[str], str], unseen: Mapping[int, Sequence[str]]
    ) -> int:
        """Return the index of the seat's last decision; other answers in the open secret block do not count.

        The reason of an error is one that the seat has seen itself; `unseen` names by entry who could not notice it.

        Raises:
            CannotUndo: there is none, or it can no longer be undone.
        """
        at = self.undo_position(seat, open_block)
        if at is not None:
            return at
        if all(entry.seat != seat for entry in self.active):
            raise CannotUndo("You have no decision to undo.")
        last = max(at for at, entry in enumerate(self.active) if entry.seat == seat)
        later = [
            entry.seat
            for entry in self.active[last + 1 :]
            if seat not in unseen.get(entry.n, ()) and entry.block not in {open_block, self.active[last].block} - {0}
        ]
        known = [one.cause for one in self.causes if one.audience is None or seat in one.audience]
        reason = known[0] if known and last < self.barrier else UNKNOWN_CAUSE
        if later:
            reason = f"{seat_name(later[-1])} has decided since"
        raise CannotUndo(f"Your last decision cannot be undone: {reason}.")

    def undo_position(self, seat: str, open_block: int) -> int | None:
        """Return the index of the seat's last decision if it can be undone; see `undoable`."""
        alone = True
        for at in range(len(self.active) - 1, self.barrier - 1, -1):
            entry = self.active[at]
            in_block = open_block and entry.block == open_block
            if entry.seat == seat and (in_block or alone):
                return at
            if not in_block:
                break
            alone = False
        return None

    def takeback_position(self, seat: str) -> int | None:
        """Return the index of the seat's last decision, None if it is behind the barrier."""
        positions = range(len(self.active) - 1, self.barrier - 1, -1)
        return next((at for at in positions if self.active[at].seat == seat), None)

    def entries_since(self, revision: int) -> list[RecordEntry]:
        """Return the entries after this revision."""
        first = len(self.entries)
        while first and self.entries[first - 1].n > revision:
            first -= 1
        return self.entries[first:]

    def record_lines(self, header: Callable[[], records.Header]) -> list[str]:
        """Return the lines of the record up to now; they are cached, and the header is only needed for the first."""
        lines = self._lines
        if not lines:
            lines.append(records.first_line(header()))
        lines += records.next_lines(self.entries[len(lines) - 1 :], lines[-1])
        return lines
