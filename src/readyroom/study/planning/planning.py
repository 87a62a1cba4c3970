"""The planning game: every named plan of one side against every one of the other, and the best mix of each.

Match number n is played with the same dice for every pair of plans, as far as the same event happens in both, so that
differences between plans are not blurred by luck. A match is worth 1 to the first side if it wins, -1 if the other
does, and what the study says for a draw; the mean over the matches is the payoff of the pair.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, load_game
from readyroom.study.matches import MatchSetup, check_plans, chunk, map_parallel, per_bot_streams, play
from readyroom.study.planning.payoffs import MatchResult, PayoffJob, PayoffResult, build_result

CHUNK = 5
"""Matches of a pair that a worker plays before it reports."""
RESAMPLES = 500
SEED = "planning"
FEWEST = 2
"""With fewer matches there is no error estimate."""


class NoPlans(ReadyRoomError):
    """The game has no plans for two sides, so there is no planning game to solve."""

    def __init__(self, game: str) -> None:
        super().__init__(f"{game} has no named plans for two sides; there is nothing to play against each other.")


class TooEarly(ReadyRoomError):
    """The study was interrupted before every pair had enough matches."""

    def __init__(self) -> None:
        super().__init__(f"Stopped before every pair of plans had {FEWEST} matches; there is no result yet.")


def planning_game(
    game: str,
    *,
    plans: Mapping[str, Sequence[str]] | None = None,
    scenario: str | None = None,
    options: Mapping[str, object] | None = None,
    games: int = 100,
    draw: float = 0.0,
    seed: str = SEED,
    resamples: int = RESAMPLES,
    workers: int | None = None,
    data: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PayoffResult:
    """Play every pair of plans, and solve the game that they make.

    Args:
        game: the game's key.
        plans: the plans of a side that take part (default: all of the game's).
        scenario: its scenario (default: the first).
        options: choices of its options.
        games: how many matches of each pair; at least two.
        draw: what a draw is worth to the first side, from -1 (a loss) to 1 (a win).
        seed: words that fix everything.
        resamples: how many times the matches are drawn again for the errors of value and mixes.
        workers: how many processes share the work (default: one for each core); the result does not depend on it.
        data: a folder of an owner's own figures.
        progress: called with the number of matches finished and the number of all.

    An interrupt (KeyboardInterrupt) ends the study early: the result covers the matches that every pair has finished,
    and `TooEarly` is raised before every pair has two. A game without plans for two sides raises `NoPlans`.
    """
    playing = load_game(game, data, lambda each: each.scenario(scenario))
    contest = _contest(playing, data, scenario, options or {}, plans or {}, seed)
    start = perf_counter()
    battles = _play(contest, max(games, FEWEST), workers or os.cpu_count() or 1, progress)
    seconds = round(perf_counter() - start, 1)
    if max((battle.number for battle in battles), default=0) + 1 < FEWEST:
        raise TooEarly
    return msgspec.structs.replace(build_result(playing, contest, battles, draw, resamples), seconds=seconds)


def _contest(
    game: Game[Any, Any],
    data: Path | None,
    scenario: str | None,
    options: Mapping[str, object],
    wanted: Mapping[str, Sequence[str]],
    seed: str,
) -> PayoffJob:
    """Return the job with every name checked."""
    start = game.scenario(scenario)
    known = game.planning.plans()
    if len(known) != 2:
        raise NoPlans(game.title)
    check_plans(game, wanted)
    chosen = {side: list(dict.fromkeys(wanted.get(side) or known[side])) for side in known}
    return PayoffJob(game.key, data, scenario or start.key, game.resolve(options), chosen, seed)


def _play(
    contest: PayoffJob, games: int, workers: int, progress: Callable[[int, int], None] | None
) -> list[MatchResult]:
    """Return all matches, or after an interrupt those whose numbers every pair has played.

    All pairs play in step, so that an interrupt leaves them with equally many matches.
    """
    pairs = list(product(*contest.plans.values()))
    tasks = [(row, column, numbers) for numbers in chunk(games, CHUNK) for row, column in pairs]
    parts, done = list[list[MatchResult]](), 0
    with suppress(KeyboardInterrupt), closing(map_parallel(partial(play_pair, contest), tasks, workers)) as work:
        for battles in work:
            parts.append(battles)
            done += len(battles)
            if progress is not None:
                progress(done, games * len(pairs))
    whole = len(parts) // len(pairs) * len(pairs)
    return [battle for battles in parts[:whole] for battle in battles]


def play_pair(contest: PayoffJob, task: tuple[str, str, Sequence[int]]) -> list[MatchResult]:
    """Play the matches of these numbers with two plans; each follows from the seed, its number and the plans alone."""
    row, column, numbers = task
    game = load_game(contest.game, contest.data)
    plans = dict(zip(contest.plans, (row, column), strict=True))
    table = MatchSetup(contest.game, contest.data, contest.scenario, contest.options, {}, plans)
    scenario = table.scenario_of(game)
    played = [(number, play(game, scenario, table, f"{contest.seed}/{number}", per_bot_streams)) for number in numbers]
    return [MatchResult(number, row, column, one.winner, one.title, one.counts) for number, one in played]
