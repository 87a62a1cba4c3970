"""How a position continues: bots play it to its end, many times, and what that says of it, with its error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

import msgspec

from readyroom import bots as staff
from readyroom.engine.game import Bot, Game, Seat, sides
from readyroom.engine.match import Match
from readyroom.study.random_streams import EventRandom, per_event

SURE = 0.95
"""In this many of a hundred studies the interval contains the true figure."""


class Interval(msgspec.Struct, frozen=True):
    """A figure with its standard error, and the range that holds the true one in 95 studies of 100."""

    mean: float
    error: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the axis starts at zero."""
        return self.low > 0 or self.high < 0


def mean_of(figures: Sequence[float]) -> Interval:
    """The mean of some figures, by Student's t.

    >>> mean_of([1, 2, 3])
    Interval(mean=2.0, error=0.577, low=-0.484, high=4.484)
    """
    mean, count = fmean(figures), len(figures)
    error = stdev(figures) / count**0.5 if count > 1 else 0.0
    return interval_from_error(mean, error, _student(count))


def mean_utility(figures: Sequence[float]) -> Interval:
    """The mean of worths, which lie between 0 and 1; where all are the same, with the range of a share.

    >>> mean_utility([1.0] * 20)
    Interval(mean=1.0, error=0.0, low=0.839, high=1.0)
    """
    interval = mean_of(figures)
    if not interval.error and interval.mean in (0, 1):
        return share_of(len(figures) if interval.mean else 0, len(figures))
    return clip_unit(interval)


def clip_unit(interval: Interval) -> Interval:
    """A worth and its range, which are nowhere less than 0 or more than 1."""
    mean, low, high = (min(max(figure, 0.0), 1.0) for figure in (interval.mean, interval.low, interval.high))
    return Interval(mean, interval.error, low, high)


def interval_from_error(mean: float, error: float, reach: float | None = None) -> Interval:
    """A figure with a known standard error; `reach` errors to either side make the range (otherwise a normal one's)."""
    wide = error * (NormalDist().inv_cdf((1 + SURE) / 2) if reach is None else reach)
    return Interval(*(round(figure, 3) + 0.0 for figure in (mean, error, mean - wide, mean + wide)))


@lru_cache(maxsize=256)
def _student(count: int) -> float:
    from scipy.special import stdtrit  # it takes a while to load, and a server that opens does not calculate yet

    return float(stdtrit(count - 1, (1 + SURE) / 2)) if count > 1 else 0.0


def share_of(times: int, of: int) -> Interval:
    """How often something happened, with Wilson's range, which is honest at both ends.

    >>> share_of(0, 20)
    Interval(mean=0.0, error=0.0, low=0.0, high=0.161)
    """
    from readyroom.study.measures import wilson_interval

    part = times / of
    low, high = wilson_interval(part, of)
    return Interval(*(round(figure, 3) + 0.0 for figure in (part, (part * (1 - part) / of) ** 0.5, low, high)))


# -- playing on ------------------------------------------------------------------------------------------------------


class Ending(NamedTuple):
    """How a match ended: its winner or None, the ending's name, its worth to each side, its scores and counts."""

    winner: str | None
    title: str
    utility: dict[str, float]
    scores: dict[str, int]
    match_stats: dict[str, float]


def players(game: Game[Any, Any], seats: Sequence[Seat], wanted: Mapping[str, str]) -> dict[str, str]:
    """The bot that plays on at each seat: as wanted, otherwise the game's first, which plays by its doctrine.

    Raises `UnknownSeat` and `UnknownBot`.
    """
    named = staff.assign(seats, wanted, staff.default_bot(game))
    staff.check_bots(game, named.values())
    return named


def finish_match(match: Match[Any, Any], named: Mapping[str, str], text: str) -> Ending:
    """Let bots play a match to its end; their random numbers follow from this seed text."""
    staff.play_to_end(match, {seat: _player(match, name, seat, text) for seat, name in named.items()})
    return describe_ending(match)


def _player(match: Match[Any, Any], name: str, seat: str, text: str) -> Bot:
    """A bot whose chances belong to events, as dice do, so that two continuations differ only where they must."""
    chances = EventRandom(f"{text}/{seat}")
    return per_event(match, staff.make(match.game, name, seat, chances), chances)


def describe_ending(match: Match[Any, Any]) -> Ending:
    """How a match that is over has ended."""
    outcome, game = match.outcome, match.game
    assert outcome is not None
    values = {side: game.analysis.utility(outcome, side) for side in sides(match.seats)}
    return Ending(
        outcome.winner, outcome.title, values, outcome.scores, dict(game.analysis.match_stats(match.state, game.data))
    )
