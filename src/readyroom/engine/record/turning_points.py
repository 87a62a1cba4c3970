"""The turning points of a match: the decisions that changed its score most, and the big moments of its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from readyroom.engine.game import EventKind
from readyroom.engine.match import Match
from readyroom.engine.rules.table import LoggedEvent

MOST = 3
"""The most turning points of a match."""
RANKS: Mapping[EventKind | str, int] = {"sink": 3, "hit": 2}
"""The ranks of kinds of events; others have rank 1."""


class KeyMoment(NamedTuple):
    """What a decision led to: the line of the log that tells it, and how the scores changed.

    Attributes:
        number: the revision that the decision made.
        line: the index of the line among those that the decision led to.
        heading: the heading of the line's phase in the log, and its title.
        rule: the rule of the line.
        text: the line.
        headline: the name of the moment at which the board pauses; empty if there is none.
        rank: how much the moment counts without scores; 0 if there is none.
        gains: the points that each side gained or lost, without those that did not.
        swing: by how much the scores moved apart.
    """

    number: int
    line: int
    heading: tuple[str, str]
    rule: str
    text: str
    headline: str
    rank: int
    gains: Mapping[str, int]
    swing: int


class MomentCollector:
    """Collects the key moments of a match that is replayed, entry by entry."""

    def __init__(self, match: Match[Any, Any]) -> None:
        self._events = list[LoggedEvent]()
        self._scores = _scores(match)

    def listen(self, match: Match[Any, Any]) -> None:
        """Note the lines to which the next decision of a match leads."""
        self._events.clear()
        match.listen(self._events.append)

    def rewind(self, match: Match[Any, Any]) -> None:
        """Start again from a position that an undo has restored."""
        self._scores = _scores(match)

    def take(self, number: int, match: Match[Any, Any]) -> KeyMoment | None:
        """Return the key moment of the decision that led to this position, if it has one."""
        scores = _scores(match)
        gains = {side: score - self._scores.get(side, 0) for side, score in scores.items()}
        self._scores = scores
        swing = max(0, *gains.values()) - min(0, *gains.values()) if gains else 0
        events = [(self._is_moment(event, match), self._rank(event, match), event) for event in self._events]
        if not events or not (swing or any(is_moment for is_moment, _, _ in events)):
            return None
        at = max(range(len(events)), key=lambda at: events[at][:2])
        is_moment, rank, event = events[at]
        line, changed = event.line, {side: gain for side, gain in gains.items() if gain}
        return KeyMoment(
            number,
            at,
            match.log_heading(line.turn, line.phase),
            line.rule,
            line.text,
            event.moment if is_moment else "",
            rank if is_moment else 0,
            changed,
            swing,
        )

    def _rank(self, event: LoggedEvent, match: Match[Any, Any]) -> int:
        return RANKS.get(match.game.effect_of(event.line)[0], 1)

    def _is_moment(self, event: LoggedEvent, match: Match[Any, Any]) -> bool:
        """Return whether the board pauses for an event; at the end the result is no moment."""
        return bool(event.moment) and (match.outcome is None or self._rank(event, match) > 1)


def _scores(match: Match[Any, Any]) -> Mapping[str, int]:
    standing = match.game.presentation.standing
    return standing(match.state, match.game.data) if standing is not None else {}


def turning_points(moments: Iterable[KeyMoment]) -> Sequence[KeyMoment]:
    """Return up to three turning points in order.

    Those come first after which the scores had moved apart most; then the moments at which the board pauses: sinkings
    before hits, hits before others, and of equals the earlier.
    """
    known = list(moments)
    by_score = sorted((one for one in known if one.swing), key=lambda one: (-one.swing, one.number))[:MOST]
    numbers = {one.number for one in by_score}
    others = [one for one in known if one.rank and one.number not in numbers]
    by_rank = sorted(others, key=lambda one: (-one.rank, one.number))[: MOST - len(by_score)]
    return sorted((*by_score, *by_rank), key=lambda one: one.number)
