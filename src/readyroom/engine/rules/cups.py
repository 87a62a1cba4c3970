"""Cups from which counters are drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from readyroom.engine.rules.state import Piece

P = TypeVar("P", bound=Piece)


class Cup(msgspec.Struct, Generic[P], eq=False, forbid_unknown_fields=True):
    """A cup and the counters in it; their order does not matter."""

    contents: list[P]

    def draw(self, pick: Callable[[Sequence[str]], str]) -> P:
        """Remove and return the counter that `pick` selects from the keys; an empty cup raises IndexError."""
        if not self.contents:
            raise IndexError("the cup is empty")
        key = pick([piece.key for piece in self.contents])
        at = next(i for i, piece in enumerate(self.contents) if piece.key == key)
        return self.contents.pop(at)
