"""Speed of random playouts compared with other frameworks, in the same Python loop, interleaved."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import open_spiel.python.games
import pyspiel
from docs.claims.parts import DOCS, figure, head, row

from readyroom import Match, env, games
from readyroom.engine.game import Game

SECONDS = 0.5
"""The minimum measuring time per run in seconds."""
BASE = "Lantern Strait, engine"
"""The baseline of the comparison."""
OPENSPIEL = {
    "tic-tac-toe in OpenSpiel, C++": "tic_tac_toe",
    "backgammon in OpenSpiel, C++": "backgammon",
    "tic-tac-toe in OpenSpiel, Python": "python_tic_tac_toe",
    "poker of three cards in OpenSpiel, Python": "python_kuhn_poker",
}
ZOO = "pettingzoo.classic.tictactoe_v3"
Play = Callable[[Random], int]
"""Plays a random match; returns the number of decisions."""


class Speed(NamedTuple):
    """Matches and decisions per second."""

    matches: float
    decisions: float


def lines(runs: int) -> Iterator[str]:
    """Yield the medians of this many interleaved runs."""
    players = dict(frameworks())
    groups = [{name: timed(play, run) for name, play in players.items()} for run in range(runs)]
    yield f"Medians of {runs} interleaved runs; the ratio compares decisions/s in the same run.\n"
    yield head("random playouts", "matches/s", "decisions/s", "relative to Lantern Strait")
    for name in players:
        ratio = median(run[name].decisions / run[BASE].decisions for run in groups)
        speeds = [median(run[name][at] for run in groups) for at in range(2)]
        yield row(name, *map(figure, speeds), f"{figure(ratio)} ×")
    if not any("PettingZoo, its own" in name for name in players):
        yield "\nPettingZoo's own tic-tac-toe needs a package for drawing that was not installed, and is left out."


def frameworks() -> Iterator[tuple[str, Play]]:
    """Yield what is measured, by name."""
    sys.path.append(str(DOCS / "example"))
    assert open_spiel.python.games
    strait = import_module("lantern_strait").GAME
    midway = games.load("midway")
    yield BASE, lambda random: by_engine(strait, random)
    yield "Midway, engine", lambda random: by_engine(midway, random)
    yield "Midway, as an OpenSpiel game", spiel(env.openspiel("midway"))
    yield "Midway, as a PettingZoo environment", zoo(env.pettingzoo("midway"))
    for name, key in OPENSPIEL.items():
        yield name, spiel(pyspiel.load_game(key))
    try:
        yield "tic-tac-toe in PettingZoo, its own", zoo(import_module(ZOO).env())
    except ImportError:
        return


def timed(play: Play, run: int) -> Speed:
    """Measure for half a second and at least two matches, after one warm-up match."""
    random = Random(run)
    play(random)
    matches = decisions = 0
    start = perf_counter()
    while (seconds := perf_counter() - start) < SECONDS or matches < 2:
        decisions += play(random)
        matches += 1
    return Speed(matches / seconds, decisions / seconds)


def by_engine(game: Game[Any, Any], random: Random) -> int:
    """Play a random match as studies do; the time includes choosing the answers."""
    match, decisions = Match(game, seed=str(random.random()), log=False, checkpoints=False), 0
    while match.outcome is None:
        for seat, decision in match.pending.items():
            match.decide(seat, decision.sample(random))
            decisions += 1
    return decisions


def spiel(game: Any) -> Play:
    """Return a random playout of an OpenSpiel game; chance nodes do not count as decisions."""

    def play(random: Random) -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, chances)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def zoo(environment: Any) -> Play:
    """Return a random playout of a PettingZoo environment, with an observation after each action."""

    def play(random: Random) -> int:
        environment.reset(seed=random.randrange(2**31))
        decisions = 0
        for agent in environment.agent_iter():
            seen, _, over, truncated, _ = environment.last()
            done = over or truncated
            environment.step(None if done else environment.action_space(agent).sample(seen["action_mask"]))
            decisions += not done
        return decisions

    return play
