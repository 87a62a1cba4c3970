"""Playing many matches between bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from readyroom.engine.game import Game, load_game, sides
from readyroom.engine.rules.dice import new_secret
from readyroom.study.matches import MatchSetup, PlayedMatch, chunk, map_parallel, match_setup, play, shared_stream
from readyroom.study.results import StudyResult

CHUNK = 25
"""Matches that a worker plays before it reports."""
OUTSIDE = 0.05
"""The share of the values below p5, and of those above p95."""


class Series(NamedTuple):
    """The matches to play and their seed, as data for another process."""

    table: MatchSetup
    seed: str


class Percentiles(msgspec.Struct, frozen=True):
    """A statistic of many matches: p50 (`median`), p5 (`low`) and p95 (`high`)."""

    median: float
    low: float
    high: float


class SimulationResult(StudyResult, frozen=True, kw_only=True):
    """What many matches gave. Everything but the times is the same for the same seed, however it was worked out.

    `counts` has the figures that the game takes of a finished match, by title.
    """

    game: str
    scenario: str
    games: int
    seconds: float
    games_per_second: float
    decisions_per_game: float
    mean_turns: float
    winners: dict[str, int]
    outcomes: dict[str, int]
    seed: str
    version: str
    options: dict[str, str]
    bots: dict[str, str]
    counts: dict[str, Percentiles]


def simulate(
    game: str,
    *,
    scenario: str | None = None,
    options: Mapping[str, object] | None = None,
    bots: Mapping[str, str] | None = None,
    games: int = 100,
    seed: str | None = None,
    workers: int = 1,
    data: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> SimulationResult:
    """Play matches between bots, without a log.

    Args:
        game: the game's key.
        scenario: its scenario (default: the first).
        options: choices of its options.
        bots: a bot's name for each seat or side; the rest play at random.
        games: how many matches.
        seed: any text that fixes everything; without it a random seed is made, and returned in the result.
        workers: how many processes share the work; the result does not depend on it.
        data: a folder of an owner's own figures.
        progress: called with the number of matches finished so far.

    An interrupt (KeyboardInterrupt) ends the study early: the result covers the finished matches.
    """
    playing = load_game(game, data, lambda each: each.scenario(scenario))
    text = new_secret().hex()[:16] if seed is None else seed
    series = Series(match_setup(playing, data, scenario, options, bots), text)
    start = perf_counter()
    played: list[PlayedMatch] = []
    parts = chunk(games, CHUNK)
    with suppress(KeyboardInterrupt), closing(map_parallel(partial(play_part, series), parts, workers)) as work:
        for part in work:
            played += part
            if progress is not None:
                progress(len(played))
    return _result(playing, series, played, perf_counter() - start)


def play_part(series: Series, numbers: Iterable[int]) -> list[PlayedMatch]:
    """Play the matches of these numbers; each follows from the seed and its own number alone."""
    game = load_game(series.table.game, series.table.data)
    scenario = series.table.scenario_of(game)
    return [play(game, scenario, series.table, f"{series.seed}/{number}", shared_stream) for number in numbers]


def percentiles_of(figures: Sequence[float]) -> Percentiles:
    """Return the percentiles of some figures.

    >>> percentiles_of([3, 1, 2])
    Percentiles(median=2, low=1, high=3)
    """
    result = sorted(figures)
    cut = int(len(result) * OUTSIDE)
    return Percentiles(median(result), result[cut], result[-1 - cut])


def _result(game: Game[Any, Any], series: Series, played: list[PlayedMatch], seconds: float) -> SimulationResult:
    count, table, titles = len(played), series.table, played[0].counts if played else ()
    contenders = sides(game.rules.seats(table.scenario_of(game), table.options))
    winners = Counter(match.winner or "draw" for match in played)
    return SimulationResult(
        game=table.game,
        scenario=table.scenario,
        games=count,
        seconds=round(seconds, 3),
        games_per_second=round(count / seconds, 1) if seconds else 0.0,
        decisions_per_game=sum(match.decisions for match in played) / count if count else 0.0,
        mean_turns=sum(match.turn for match in played) / count if count else 0.0,
        winners={name: winners[name] for name in [*contenders, "draw"]},
        outcomes=dict(sorted(Counter(match.title for match in played).items())),
        seed=series.seed,
        version=game.version,
        options=table.options,
        bots=table.bots,
        counts={title: percentiles_of([match.counts[title] for match in played]) for title in titles},
    )
