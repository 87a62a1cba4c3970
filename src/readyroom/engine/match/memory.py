"""What a seat remembers of a match: the match is replayed, and the seat's view folded after each decision."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from readyroom.engine.game import MatchView
from readyroom.engine.record.format import Entry

Remember: TypeAlias = Callable[[Any, MatchView[Any]], Any]
"""Return a memory after a view, from the memory before it (None: none yet); see `PositionFeatures.remember`."""
logger = logging.getLogger("readyroom.engine")


class _Repeatable(Protocol):
    """A match that can repeat decisions of another one."""

    def view(self, seat: str | None) -> MatchView[Any]: ...
    def repeat(self, entries: Sequence[Entry]) -> None: ...


class Recollection:
    """The memory of a seat, up to some decision of a match.

    Args:
        seat: the seat.
        remember: adds a view to a memory.
        match: a copy of the match at its start.
    """

    def __init__(self, seat: str | None, remember: Remember, match: _Repeatable) -> None:
        self._seat, self._remember, self._match = seat, remember, match
        self._memory = remember(None, match.view(seat))
        self._done: list[int] = []

    def precedes(self, entries: Sequence[Entry]) -> bool:
        """Return whether these decisions continue those that are remembered."""
        return self._done == [entry.n for entry in entries[: len(self._done)]]

    def after(self, entries: Sequence[Entry]) -> Any:
        """Return the memory after these decisions; None if newer rules cannot repeat them."""
        for entry in entries[len(self._done) :]:
            try:
                self._match.repeat([entry])
            except Exception:  # answers given under older code, see `resume`
                logger.warning("decision %s cannot be repeated, so its memory is lost", entry.n)
                return None
            self._done.append(entry.n)
            self._memory = self._remember(self._memory, self._match.view(self._seat))
        return self._memory
