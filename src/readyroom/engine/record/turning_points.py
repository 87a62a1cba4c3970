"""The turning points of a match: the decisions that changed its score most, and the big moments of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from readyroom.engine.game import EventKind
from readyroom.engine.match import Match
from readyroom.engine.rules.state import At, Piece
from readyroom.engine.rules.table import LoggedEvent, LogLine
from readyroom.engine.text import join_list

MOST = 3
"""The most turning points of a match."""
RANKS: Mapping[EventKind | str, int] = {"sink": 3, "hit": 2, "phase": 0, "note": 0}
"""The ranks of kinds of events; others have rank 1, and those of rank 0 are no turning points."""
MOST_NAMED = 3
"""The most names in a headline."""
SPREAD = 6
"""A turning point counts in full if it is this part of the match away from the others."""
Scores: TypeAlias = Mapping[str, int]


class KeyMoment(NamedTuple):
    """What a decision led to: its line of the log, and how the scores changed.

    Attributes:
        number: the revision that the decision made.
        line: the index of the line among those that the decision led to.
        heading: the heading of the line's phase in the log, and its title.
        rule: the rule of the line.
        text: the line.
        headline: the name of the moment at which the board pauses, or of several; empty if there is none.
        rank: how much the moment counts without scores; 0 if there is none.
        gains: the points that each side gained or lost, without those that did not.
        swing: by how much the scores moved apart.
        target: the key of the piece or place that the line is about; empty if there is none.
        is_of_many: whether the headline names several pieces or places.
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
    is_of_many: bool = False


class ScorePoint(NamedTuple):
    """The scores of the sides, or without scores their losses, and the revision and the turn in which they were so.

    `heading` is the log's heading of that time.
    """

    number: int
    turn: int
    scores: Mapping[str, int]
    heading: str = ""


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
            points = [_point(number, match, event.line, scores) for event, scores in self._events]
            return [*points, _point(number, match, match.state.at, self._scores)]
        if self._at == match.state.at and match.outcome is None:
            return []
        self._at = match.state.at
        return [_point(number, match, self._at, _losses(match))]

    def listen(self, match: Match[Any, Any]) -> None:
        """Note the lines to which the next decision of a match leads, and the scores at each."""
        self._events.clear()
        match.listen(lambda event: self._events.append((event, _scores(match))))

    def _headline(self, match: Match[Any, Any], event: LoggedEvent) -> str:
        """Return the name of a moment, and with it those of the same decision to which the same happened."""
        others = (each for each, _ in self._events if each.moment and _fate(each.moment) == _fate(event.moment))
        return _join_moments([each.moment for each in others if _rank(match, each) > 1] or [event.moment])

    def rewind(self, match: Match[Any, Any]) -> None:
        """Start again from a position that an undo has restored."""
        self._events.clear()
        self._scores = _scores(match)

    def take(self, number: int, match: Match[Any, Any]) -> KeyMoment | None:
        """Return the key moment of the decision that led to this position, if it has one."""
        start, self._scores = self._scores, _scores(match)
        swing, before, found = _swing(start, self._scores), start, list[tuple[int, int, int, int]]()
        for event, scores in self._events:
            rank = _rank(match, event) if event.moment or swing or not scores else 0
            # without scores a hit is a moment even if the board does not pause at it
            has_pause = bool(event.moment) and match.outcome is None
            is_moment = rank > (0 if has_pause else 1) and (bool(event.moment) or not scores)
            # of moments that are alike, the first one counts; of other lines the last, which says what came of it all
            order = -len(found) if is_moment else len(found)
            importance = is_moment + (is_moment and event.moment != "")
            found.append((rank if is_moment and rank > 1 else 0, _swing(before, scores), importance, order))
            before = scores
        if not found or not (swing or any(importance for _, _, importance, _ in found)):
            return None
        at = max(range(len(found)), key=found.__getitem__)
        event, is_moment = self._events[at][0], found[at][2] > 0
        headline = self._headline(match, event) if is_moment else ""
        line = event.line
        return KeyMoment(
            number,
            at,
            match.log_heading(line.turn, line.phase),
            line.rule,
            line.text,
            headline,
            _rank(match, event) if is_moment else 0,
            _gains(start, self._scores),
            swing,
            event.target.key if isinstance(event.target, Piece) else event.target or "",
            is_moment and headline != event.moment,
        )


def _join_moments(moments: Iterable[str]) -> str:
    """Return one name for moments of one fate.

    >>> _join_moments(["Nevada sunk", "Arizona sunk"]), _join_moments(["Magazine explosion: Nevada sunk"])
    ('Nevada and Arizona sunk', 'Magazine explosion: Nevada sunk')
    >>> _join_moments(f"{name} sunk" for name in ("Nevada", "Tennessee", "Maryland", "Arizona"))
    'Nevada, Tennessee and 2 more sunk'
    >>> _join_moments(["Hamburg in ruins", "The Ruhr in ruins"])
    'Hamburg and The Ruhr in ruins'
    """
    known = list(dict.fromkeys(moments))
    words = [moment.rpartition(": ")[2].split() for moment in known]
    shared = len([*takewhile(lambda each: len(set(each)) == 1, zip(*(reversed(one) for one in words), strict=False))])
    if len(words) < 2:
        return known[0]
    names = [" ".join(one[:-shared]) for one in words]
    named = names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    return f"{join_list(named)} {' '.join(words[0][-shared:])}"


def _fate(moment: str) -> str:
    """Return the last word of a moment, such as "sunk"."""
    return moment.rpartition(" ")[2]


def _point(number: int, match: Match[Any, Any], at: At | LogLine, scores: Scores) -> ScorePoint:
    return ScorePoint(number, at.turn, scores, match.log_heading(at.turn, at.phase)[0])


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


def turning_points(
    moments: Iterable[KeyMoment], scores: Sequence[ScorePoint] = (), winner: str | None = None
) -> Sequence[KeyMoment]:
    """Return up to three turning points in order, spread over the match.

    First comes the decision after which the winner led for good; then those after which the scores had moved apart
    most, and then the moments at which the board pauses, sinkings before hits and hits before others: each counts
    less the closer it is to one that is chosen already. If the others are gains of one side, the last is a sinking for
    the other side, if there is one.

    Args:
        moments: the key moments of the match, in order.
        scores: the scores along the match.
        winner: the side that has won, if any.
    """
    known = list(moments)
    decisive = lead_taken(scores, winner)
    chosen = [one for one in known if one.number == decisive and one.swing]
    length = max([1, *(one.number for one in known), *(point.number for point in scores)])
    for weigh in (_by_swing, _by_rank):
        while len(chosen) < MOST:
            left = [one for one in known if one not in chosen and weigh(one)]
            if not left:
                break
            left = (len(chosen) == MOST - 1 and _sinkings_for_others(left, chosen)) or left
            chosen.append(max(left, key=lambda one: (weigh(one) * _apart(one, chosen, length), -one.number)))
    return sorted(chosen, key=lambda one: one.number)


def lead_taken(scores: Sequence[ScorePoint], winner: str | None) -> int | None:
    """Return the revision from which on the winner led; None without a winner of several sides with scores.

    >>> points = [ScorePoint(n, 1, {"a": a, "b": b}) for n, a, b in ((0, 0, 0), (1, 5, 0), (2, 5, 9), (3, 12, 9))]
    >>> lead_taken(points, "a"), lead_taken(points, "b"), lead_taken(points, None)
    (3, None, None)
    """
    taken: int | None = None
    for point in scores:
        others = [score for side, score in point.scores.items() if side != winner]
        if winner is None or winner not in point.scores or not others:
            return None
        is_ahead = point.scores[winner] > max(others)
        taken = (point.number if taken is None else taken) if is_ahead else None
    return taken


def _sinkings_for_others(left: Iterable[KeyMoment], chosen: Iterable[KeyMoment]) -> list[KeyMoment]:
    """Return the sinkings by which another side gains than by those chosen; none if several sides gain by those."""
    gaining = {_gaining_side(one) for one in chosen}
    others = [one for one in left if one.rank >= RANKS["sink"] and _gaining_side(one) not in gaining]
    return others if len(gaining) == 1 else []


def _gaining_side(moment: KeyMoment) -> str:
    """Return the side that gained most; empty if none did."""
    return max(moment.gains, key=moment.gains.__getitem__, default="")


def _by_swing(moment: KeyMoment) -> int:
    return moment.swing


def _by_rank(moment: KeyMoment) -> int:
    return moment.rank


def _apart(moment: KeyMoment, chosen: Iterable[KeyMoment], length: int) -> float:
    """Return from 0 to 1 how far a moment is from those chosen: 1 from a sixth of the match."""
    return min([1.0, *(SPREAD * abs(moment.number - one.number) / length for one in chosen)])
