"""The base of every game's state: plain data, each piece with one owner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec


class Piece(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """A counter: it lies in exactly one place of the state; everything else refers to it by its key."""

    key: str

    @classmethod
    def describe_many(cls, pieces: Sequence[Any], data: Any) -> str:
        """How the log lists several of these, by the figures of the game."""
        return ", ".join(map(str, pieces))


class At(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a match stands in the sequence of play. No turn comes twice to the same phase."""

    turn: int
    phase: str


class State(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a game's state begins with: the phase being played, or the last one that was."""

    at: At


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ended: the side that won (None: nobody), a short name of the ending, why, and the scores."""

    winner: str | None
    title: str
    text: str
    scores: dict[str, int] = {}


def iter_pieces(tree: Any) -> Iterator[Piece]:
    """Every piece in a tree of state, once for each place where it lies."""
    if isinstance(tree, msgspec.Struct):
        if isinstance(tree, Piece):
            yield tree
        for name in tree.__struct_fields__:
            yield from iter_pieces(getattr(tree, name))
    elif isinstance(tree, dict):
        for value in tree.values():
            yield from iter_pieces(value)
    elif isinstance(tree, (list, tuple)):
        for value in tree:
            yield from iter_pieces(value)
