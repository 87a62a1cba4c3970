"""The base of every game's state: plain data, each piece with one owner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec


class Piece(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """A counter: it is in exactly one place of the state; everything else refers to it by its key."""

    key: str

    @classmethod
    def describe_many(cls, pieces: Sequence[Any], data: Any) -> str:
        """Return how the log lists several pieces, given the game's data."""
        return ", ".join(map(str, pieces))


class KeyedText(str):
    """The text of a fact in a log line, with the keys of the pieces that it names.

    >>> text = KeyedText("Enterprise", "cv-6")
    >>> f"{text}", text.keys
    ('Enterprise', ('cv-6',))
    """

    __slots__ = ("keys",)
    keys: tuple[str, ...]

    def __new__(cls, text: str, *keys: str) -> KeyedText:
        """Return the text with these keys."""
        keyed = super().__new__(cls, text)
        keyed.keys = keys
        return keyed


class At(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The current turn and phase; each phase occurs at most once in a turn."""

    turn: int
    phase: str


class State(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """The fields common to all games: the current phase, or the last one played."""

    at: At


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ended: the winning side (None: a draw), a short name of the ending, the reason, and the scores."""

    winner: str | None
    title: str
    text: str
    scores: dict[str, int] = {}


class ScaleBand(msgspec.Struct, frozen=True):
    """A result on a scale: its title, the least score that reaches it (None: any), and the side that it is good for."""

    title: str
    least: int | None = None
    side: str | None = None


class ScoreScale(msgspec.Struct, frozen=True):
    """The results that a score can have, the lowest first, and the score of a match; `name` says what is counted.

    With `is_ordinal` the results are levels that follow from several figures: `value` is the number of the level,
    which is not shown.
    """

    name: str
    value: int
    bands: Sequence[ScaleBand]
    is_ordinal: bool = False

    @property
    def reached(self) -> int:
        """The index of the result that the score reaches.

        >>> ScoreScale("points", 7, [ScaleBand("poor"), ScaleBand("fair", 5), ScaleBand("good", 9)]).reached
        1
        """
        return sum(band.least is not None and self.value >= band.least for band in self.bands)


Shape: TypeAlias = Literal["carrier", "ship", "merchant", "submarine", "fighter", "bomber", "gun", "site", "crew"]
"""The outlines with which pages draw what was lost."""


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """What a side lost in a match: one thing, or `count` of one kind (of `total`, if that is known).

    `fate` says what became of it. What is not `gone` was only damaged.
    """

    side: str
    shape: Shape
    name: str
    fate: str = "lost"
    count: int = 1
    total: int = 0
    gone: bool = True


def iter_pieces(tree: Any) -> Iterator[Piece]:
    """Yield every piece in a state tree, once for each place it is in."""
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
