"""The turning points of a match: the decisions that changed its score most, and the big moments of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from readyroom.engine.game import EventKind
from readyroom.engine.match import Match
from readyroom.engine.rules.state import At, Piece
from readyroom.engine.rules.table import LoggedEvent

MOST = 3
"""The most turning points of a match."""
RANKS: Mapping[EventKind | str, int] = {"sink": 3, "hit": 2, "phase": 0, "note": 0}
"""The ranks of kinds of events; others have rank 1, and those of rank 0 are no turning points."""
Scores: TypeAlias = Mapping[str, int]


class KeyMoment(NamedTuple):
    """What a decision led to: its line of the log, and how the scores changed.

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
        target: the key of the piece or place that the line is about; empty if there is none.
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
    target: str = ""


class ScorePoint(NamedTuple):
    """The scores of the sides, or without scores their losses, and the revision and the turn in which they were so."""

    number: int
    turn: int
    scores: Mapping[str, int]


class MomentCollector:
    """Collects the key moments of a match that is replayed, entry by entry, and its scores."""

    def __init__(self, match: Match[Any, Any]) -> None:
        self._events = list[tuple[LoggedEvent, Scores]]()
        self._scores = _scores(match)
        self._at: At | None = None

    def score(self, number: int, match: Match[Any, Any]) -> list[ScorePoint]:
        """Return the scores at each line of this decision or undo, and after it.

        Call it after `take` or `rewind`. In a game without scores losses are counted, where a phase has ended.
        """
        if match.game.presentation.standing is not None:
            points = [ScorePoint(number, event.line.turn, scores) for event, scores in self._events]
            return [*points, ScorePoint(number, match.state.at.turn, self._scores)]
        if self._at == match.state.at and match.outcome is None:
            return []
        self._at = match.state.at
        return [ScorePoint(number, self._at.turn, _losses(match))]

    def listen(self, match: Match[Any, Any]) -> None:
        """Note the lines to which the next decision of a match leads, and the scores at each."""
        self._events.clear()
        match.listen(lambda event: self._events.append((event, _scores(match))))

    def rewind(self, match: Match[Any, Any]) -> None:
        """Start again from a position that an undo has restored."""
        self._events.clear()
        self._scores = _scores(match)

    def take(self, number: int, match: Match[Any, Any]) -> KeyMoment | None:
        """Return the key moment of the decision that led to this position, if it has one."""
        start, self._scores = self._scores, _scores(match)
        swing, before, found = _swing(start, self._scores), start, list[tuple[int, int, bool]]()
        for event, scores in self._events:
            rank = _rank(match, event) if event.moment or swing else 0
            is_moment = bool(event.moment) and rank > 0 and (match.outcome is None or rank > 1)
            found.append((rank if is_moment and rank > 1 else 0, _swing(before, scores), is_moment))
            before = scores
        if not found or not (swing or any(is_moment for _, _, is_moment in found)):
            return None
        at = max(range(len(found)), key=found.__getitem__)
        event, is_moment = self._events[at][0], found[at][2]
        line = event.line
        return KeyMoment(
            number,
            at,
            match.log_heading(line.turn, line.phase),
            line.rule,
            line.text,
            event.moment if is_moment else "",
            _rank(match, event) if is_moment else 0,
            _gains(start, self._scores),
            swing,
            event.target.key if isinstance(event.target, Piece) else event.target or "",
        )


def _rank(match: Match[Any, Any], event: LoggedEvent) -> int:
    return RANKS.get(match.game.effect_of(event.line, is_miss=event.is_miss)[0], 1)


def _scores(match: Match[Any, Any]) -> Scores:
    standing = match.game.presentation.standing
    return standing(match.state, match.game.data) if standing is not None else {}


def _losses(match: Match[Any, Any]) -> Scores:
    """Return how much each side has lost, in units that are gone."""
    counts = Counter({seat.side: 0 for seat in match.seats})
    for loss in match.game.presentation.losses(match.state, match.game.data):
        counts[loss.side] += loss.count if loss.gone else 0
    return dict(counts)


def _gains(before: Scores, after: Scores) -> dict[str, int]:
    """Return what each side has gained or lost."""
    gains = {side: score - before.get(side, 0) for side, score in after.items()}
    return {side: gain for side, gain in gains.items() if gain}


def _swing(before: Scores, after: Scores) -> int:
    """Return by how much the scores of two sides moved apart, or the one score changed."""
    gains = _gains(before, after).values()
    others = [0] if len(gains) < len(after) or len(after) == 1 else []
    return max([*gains, *others], default=0) - min([*gains, *others], default=0)


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
