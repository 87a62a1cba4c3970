"""Speed: all benchmark measures for Midway, and the main ones for every game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from docs.claims.parts import GAMES, TITLES, figure, head, row

from readyroom import bots
from readyroom.engine.game import Game, load_game
from readyroom.engine.match import Match
from readyroom.study import bench

MATCHES = 20
"""Random matches of each game per run."""
MEASURES = ("a bot's decision, ms", "a bot's slowest decision, ms", bench.ROLLOUTS)


def lines(runs: int) -> Iterator[str]:
    """Yield the medians of this many runs: all games interleaved, then every measure for Midway."""
    groups = [{name: measure_game(load_game(name)) for name in GAMES} for _ in range(runs)]
    analysis = f"advice by {bench.ROUNDS} rounds, ms"
    measures = ("matches/s", "decisions/s", *MEASURES, analysis)
    yield f"Medians of {runs} interleaved runs. Random matches without a log.\n"
    yield head("", *(TITLES[name] for name in GAMES))
    for measure in measures:
        yield row(measure, *(figure(median(run[name][measure] for run in groups)) for name in GAMES))
    yield "\nMidway, with targets:\n"
    yield from midway_rows(runs)


def measure_game(game: Game[Any, Any]) -> dict[str, float]:
    """Measure matches and decisions per second, and the times of bot and analysis."""
    bench.play(game, 0, log=False, checkpoints=False, record=False)
    start, decisions = perf_counter(), 0
    for number in range(MATCHES):
        match = Match(game, seed=f"numbers/{number}", log=False, checkpoints=False)
        random = Random(number)
        decisions += bots.play_to_end(match, {seat.key: bots.random_bot(random) for seat in match.seats})
    seconds = perf_counter() - start
    speed = {"matches/s": MATCHES / seconds, "decisions/s": decisions / seconds}
    return {**speed, **bench.of_the_bots(game), **bench.thinking(game)}


def midway_rows(runs: int) -> Iterator[str]:
    """Yield every measure of the benchmark with its target."""
    game = load_game("midway")
    groups = [bench.measure_once(game) for _ in range(runs)]
    yield head("measure", "median", "target")
    for measure in groups[0]:
        aim = bench.AIMS["midway"].get(measure)
        text = figure(median(run[measure] for run in groups))
        yield row(measure, text, "" if aim is None else f"{aim:g}")
