"""Estimates from rollouts: bots play a position to its end, many times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

import msgspec

from readyroom.bots import assign_seats, check_bots, default_bot, make_bot, play_to_end
from readyroom.bots.analysis import CONFIDENCE
from readyroom.engine.game import Bot, Game, Seat, sides
from readyroom.engine.match import Match
from readyroom.study.random_streams import EventRandom, per_event


class Interval(msgspec.Struct, frozen=True):
    """A figure with its standard error and its 95 % CI."""

    mean: float
    error: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether zero is outside the interval."""
        return self.low > 0 or self.high < 0


def mean_of(figures: Sequence[float]) -> Interval:
    """Return the mean of some figures with Student's interval.

    >>> mean_of([1, 2, 3])
    Interval(mean=2.0, error=0.577, low=-0.484, high=4.484)
    """
    mean, count = fmean(figures), len(figures)
    error = stdev(figures) / count**0.5 if count > 1 else 0.0
    return interval_from_error(mean, error, _student(count))


def mean_utility(figures: Sequence[float]) -> Interval:
    """Return the mean of utilities from 0 to 1; if all are 0 or all are 1, with Wilson's interval.

    >>> mean_utility([1.0] * 20)
    Interval(mean=1.0, error=0.0, low=0.839, high=1.0)
    """
    interval = mean_of(figures)
    if not interval.error and interval.mean in (0, 1):
        return share_of(len(figures) if interval.mean else 0, len(figures))
    return clip_unit(interval)


def clip_unit(interval: Interval) -> Interval:
    """Return a utility with its interval limited to 0 and 1."""
    mean, low, high = (min(max(figure, 0.0), 1.0) for figure in (interval.mean, interval.low, interval.high))
    return Interval(mean, interval.error, low, high)


def interval_from_error(mean: float, error: float, reach: float | None = None) -> Interval:
    """Return a figure with its interval of `reach` standard errors to either side (default: the normal quantile)."""
    wide = error * (NormalDist().inv_cdf((1 + CONFIDENCE) / 2) if reach is None else reach)
    return Interval(*(round(figure, 3) + 0.0 for figure in (mean, error, mean - wide, mean + wide)))


@lru_cache(maxsize=256)
def _student(count: int) -> float:
    from scipy.special import stdtrit  # it takes a while to load, and a server that opens does not calculate yet

    return float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) if count > 1 else 0.0


def share_of(times: int, of: int) -> Interval:
    """Return how often something happened, with Wilson's interval.

    >>> share_of(0, 20)
    Interval(mean=0.0, error=0.0, low=0.0, high=0.161)
    """
    from readyroom.study.measures import wilson_interval

    part = times / of
    low, high = wilson_interval(times, of)
    return Interval(*(round(figure, 3) + 0.0 for figure in (part, (part * (1 - part) / of) ** 0.5, low, high)))


# -- playing on ------------------------------------------------------------------------------------------------------


class Ending(NamedTuple):
    """How a match ended: its winner or None, the ending's name, its utility to each side, its scores and statistics."""

    winner: str | None
    title: str
    utility: dict[str, float]
    scores: dict[str, int]
    match_stats: dict[str, float]


def players(game: Game[Any, Any], seats: Sequence[Seat], wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the bot that plays each seat: as wanted, otherwise the game's default.

    Raises `UnknownSeat` and `UnknownBot`.
    """
    named = assign_seats(seats, wanted, default_bot(game))
    check_bots(game, named.values())
    return named


def finish_match(match: Match[Any, Any], named: Mapping[str, str], text: str) -> Ending:
    """Let bots play a match to its end; their random numbers follow from this seed text."""
    play_to_end(match, {seat: _player(match, name, seat, text) for seat, name in named.items()})
    return describe_ending(match)


def _player(match: Match[Any, Any], name: str, seat: str, text: str) -> Bot:
    """Return a bot whose random numbers belong to events, as dice do."""
    chances = EventRandom(f"{text}/{seat}")
    return per_event(match, make_bot(match.game, name, seat, chances), chances)


def describe_ending(match: Match[Any, Any]) -> Ending:
    """Describe how a finished match ended."""
    outcome, game = match.outcome, match.game
    assert outcome is not None
    values = {side: game.analysis.utility(outcome, side) for side in sides(match.seats)}
    stats = dict(game.analysis.match_stats(match.state, game.data))
    return Ending(outcome.winner, outcome.title, values, outcome.scores, stats)
