"""What happened between two revisions of a match, as one viewer could see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.record.format import Entry
from readyroom.engine.record.positions import ReplayIndex
from readyroom.engine.rules.state import Piece
from readyroom.engine.rules.table import LoggedEvent, LogLine, keys_of

LAST_TURN = "Last turn"
"""The moment at the first line of the last turn, if there is still something to decide in it."""
EVERYONE = "*"
"""The reader of every line."""

T = TypeVar("T")


class PlayedEvent(NamedTuple, Generic[T]):
    """A log line that the viewer may read, with what `look` returned when the line was written.

    `keys` are those of the pieces that the line names, in its order; `target` is the key of what it happens to.
    `is_miss`: it neither hits nor loses anything; `own`: it comes of an answer of the viewer.
    """

    line: LogLine
    keys: tuple[str, ...]
    target: str
    moment: str
    frame: T
    is_miss: bool = False
    own: bool = False


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
        since: the true revision to start from; negative: before all that happens before the first decision.
        upto: the true revision to stop at.
        look: called with the match in the middle of its rules. It must keep nothing of the state, which changes.

    Raises:
        InvalidRecord: the record does not fit the game.
    """
    if since < 0:
        played, match = _open(index, game, seat, look)
    else:
        match = index.match_at(since, game)
        played = Playback(look(match), [])
    last = game.presentation.last_turn(match.state, game.data) if game.presentation.last_turn is not None else None
    if last is not None and _has_begun(match, seat, last):
        last = None
    for _, entry in index.parsed.entries[index.after(since) : index.after(upto)]:
        if isinstance(entry, Entry):
            match.listen(_Listener(match, seat, look, played.events, last, own=entry.seat == seat))
        begun = len(played.events)
        match = index.advance(match, entry.n)
        if match.outcome is not None:
            played.events[begun:] = [
                event._replace(moment="") if event.moment == LAST_TURN else event for event in played.events[begun:]
            ]
        if not isinstance(entry, Entry):
            played = Playback(look(match), [])
    return played


def _open(
    index: ReplayIndex, game: Game[Any, Any], seat: str | None, look: Callable[[Match[Any, Any]], T]
) -> tuple[Playback[T], Match[Any, Any]]:
    """Return what is seen before the first decision, and the match there."""
    begun: list[Playback[T]] = []

    def listen(match: Match[Any, Any]) -> _Listener[T]:
        begun.append(Playback(look(match), []))
        return _Listener(match, seat, look, begun[0].events, None)

    match = index.open(game, listen)
    return begun[0], match


def _has_begun(match: Match[Any, Any], seat: str | None, turn: int) -> bool:
    """Return whether the viewer has read a line of this turn; also if the log does not reach back to its start."""
    if match.state.at.turn < turn:
        return False
    earlier = [line.turn < turn for line in match.full_log if line.turn < turn or _reads(seat, line)]
    return not all(earlier) or not earlier


def _reads(seat: str | None, line: LogLine) -> bool:
    return seat == EVERYONE or line.seen_by(seat)


class _Listener(Generic[T]):
    """Notes the events of a match that a viewer may know.

    `last` is the last turn unless it has begun; `own`: the events come of an answer of the viewer.
    """

    def __init__(
        self,
        match: Match[Any, Any],
        seat: str | None,
        look: Callable[[Match[Any, Any]], T],
        events: list[PlayedEvent[T]],
        last: int | None,
        *,
        own: bool = False,
    ) -> None:
        self.match, self.seat, self.look, self.events, self.last, self.own = match, seat, look, events, last, own

    def __call__(self, logged: LoggedEvent) -> None:
        line, target = logged.line, logged.target
        if _reads(self.seat, line):
            key = target.key if isinstance(target, Piece) else target or ""
            begins = line.turn == self.last and (not self.events or self.events[-1].line.turn != self.last)
            moment = logged.moment or (LAST_TURN if begins else "")
            keys, frame = keys_of(logged.facts), self.look(self.match)
            self.events.append(PlayedEvent(line, keys, key, moment, frame, logged.is_miss, self.own))
