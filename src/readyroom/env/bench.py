"""Benchmarks of the environments: `python -m readyroom.env.bench [GAME]`, or `make bench` for Midway.

Agents play legal actions at random and are given every observation. Matches in PettingZoo use one processor; the
vectorized environment plays one seat of many matches against random bots, on all processors.
"""

from __future__ import annotations

import sys
from statistics import median
from time import perf_counter

import numpy as np

from readyroom import env
from readyroom.env.zoo import AECMatchEnv

RUNS = 5
SECONDS = 2.0
"""The least time of a run."""
MATCHES = 64
"""Matches at once in the vectorized environment."""
WARM_UP = 20
"""Steps of all these matches before the clock starts: it then finds them at different turns."""
ZOO, ACTIONS, STEPS = "PettingZoo, matches/s", "PettingZoo, actions/s", "vectorized, steps/s"
AIMS = {"midway": {ZOO: 40.0, STEPS: 10_000.0}}
"""What the design aimed for, at least."""


def measure(game: str, runs: int = RUNS, seconds: float = SECONDS) -> dict[str, float]:
    """Return the median of every measure over the runs."""
    groups = [play_zoo(game, run, seconds) | step_vector(game, run, seconds) for run in range(runs)]
    return {name: median(group[name] for group in groups) for name in groups[0]}


def play_zoo(game: str, seed: int, seconds: float) -> dict[str, float]:
    """Return the matches and actions per second of a PettingZoo environment."""
    face = env.pettingzoo(game)
    _play_match(face, seed)
    matches = actions = 0
    start = perf_counter()
    while (spent := perf_counter() - start) < seconds:
        matches, actions = matches + 1, actions + _play_match(face, seed + matches + 1)
    return {ZOO: matches / spent, ACTIONS: actions / spent}


def _play_match(face: AECMatchEnv, seed: int) -> int:
    """Play a match; return the number of its actions."""
    face.reset(seed=seed)
    actions = 0
    for agent in face.agent_iter():
        seen, _, terminated, truncated, _ = face.last()
        if terminated or truncated:
            face.step(None)
        else:
            face.step(int(face.action_space(agent).sample(seen["action_mask"])))
            actions += 1
    return actions


def step_vector(game: str, seed: int, seconds: float) -> dict[str, float]:
    """Return the steps of all matches together per second of the vectorized environment."""
    face, random = env.vector(game, num_envs=MATCHES), np.random.default_rng(seed)
    seen, _ = face.reset(seed=seed)
    steps, start = -WARM_UP, perf_counter()
    while (spent := perf_counter() - start) < seconds or steps <= 0:
        seen, *_ = face.step((seen["action_mask"] * random.random(seen["action_mask"].shape)).argmax(axis=1))
        steps += 1
        if not steps:
            start = perf_counter()
    face.close()
    return {STEPS: steps * MATCHES / spent}


def main(arguments: list[str]) -> None:
    """Print the figures, each next to its aim."""
    game = arguments[0] if arguments else "midway"
    for name, value in measure(game).items():
        aim = AIMS.get(game, {}).get(name)
        print(f"{name:45}{value:12,.{2 if value < 10 else 1}f}{'' if aim is None else f'   (aim: {aim:,g})'}")


if __name__ == "__main__":
    main(sys.argv[1:])
