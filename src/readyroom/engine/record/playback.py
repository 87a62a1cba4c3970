"""What happened between two revisions of a match, as one viewer could see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.record.format import Entry
from readyroom.engine.record.positions import ReplayIndex
from readyroom.engine.rules.state import KeyedText, Piece
from readyroom.engine.rules.table import LoggedEvent, LogLine

EVERYONE = "*"
"""The reader of every line."""

T = TypeVar("T")


class PlayedEvent(NamedTuple, Generic[T]):
    """A log line that the viewer may read, with what `look` returned when the line was written.

    `keys` are those of the pieces that the line names, in its order; `target` is the key of what it happens to.
    """

    line: LogLine
    keys: tuple[str, ...]
    target: str
    moment: str
    frame: T


class Playback(NamedTuple, Generic[T]):
    """What a viewer saw from one revision to another: the look before, and the events in order."""

    before: T
    events: list[PlayedEvent[T]]


def play_back(
    index: ReplayIndex,
    game: Game[Any, Any],
    seat: str | None,
    since: int,
    upto: int,
    look: Callable[[Match[Any, Any]], T],
) -> Playback[T]:
    """Replay from one revision to another and look at the match before, and at each line that the viewer may read.

    An undo discards what was seen before it: what is played starts from the position that it restored.

    Args:
        index: the record.
        game: its game.
        seat: the viewer; None: a spectator; `EVERYONE`: every line is an event.
        since: the true revision to start from.
        upto: the true revision to stop at.
        look: called with the match in the middle of its rules. It must keep nothing of the state, which changes.

    Raises:
        InvalidRecord: the record does not fit the game.
    """
    match = index.match_at(since, game)
    played = Playback(look(match), list[PlayedEvent[T]]())
    for number, entry in (
        (entry.n, entry) for _, entry in index.parsed.entries[index.after(since) : index.after(upto)]
    ):
        if isinstance(entry, Entry):
            match.listen(_Listener(match, seat, look, played.events))
            match = index.advance(match, number)
        else:
            match = index.advance(match, number)
            played = Playback(look(match), [])
    return played


class _Listener(Generic[T]):
    """Notes the events of a match that a viewer may know."""

    def __init__(
        self,
        match: Match[Any, Any],
        seat: str | None,
        look: Callable[[Match[Any, Any]], T],
        events: list[PlayedEvent[T]],
    ) -> None:
        self.match, self.seat, self.look, self.events = match, seat, look, events

    def __call__(self, logged: LoggedEvent) -> None:
        line, target = logged.line, logged.target
        if self.seat == EVERYONE or line.seen_by(self.seat):
            key = target.key if isinstance(target, Piece) else target or ""
            self.events.append(PlayedEvent(line, keys_of(logged.facts), key, logged.moment, self.look(self.match)))


def keys_of(facts: Iterable[Any]) -> tuple[str, ...]:
    """Return the keys of the pieces among the facts of a line, each once."""
    return tuple(dict.fromkeys(_keys(facts)))


def _keys(facts: Iterable[Any]) -> Iterator[str]:
    """Yield the keys of the pieces among the facts of a line."""
    for fact in facts:
        if isinstance(fact, Piece):
            yield fact.key
        elif isinstance(fact, KeyedText):
            yield from fact.keys
        elif isinstance(fact, Sequence) and not isinstance(fact, str | bytes):
            yield from _keys(fact)
        elif hasattr(fact, "pieces"):
            yield from _keys(fact.pieces)
