"""A learning agent: REINFORCE with a linear policy over the features of options, in NumPy.

`python docs/learn.py` prints the mean reward of three agents in new matches of *Hilger's Pair*: random, learned, and
the doctrine bot. It takes half a minute. `--matches N` sets the number of training matches.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from readyroom import Match, bots, env
from readyroom.env.gym import SeatEnv
from readyroom.env.rewards import rewards

GAME, SCENARIO = "doolittle", "nagoya"
WIDTH = 128
"""Features of each action."""
BATCH = 20
"""Matches between two changes of the weights."""
RATE = 1.5
"""The learning rate."""
EVEN = 1e-9
"""Avoids a division by zero if all matches of a batch have the same reward."""
LESSONS, TRIALS = 1000, 200
"""The numbers of training and test matches."""
UNSEEN = 1_000_000
"""The first seed of test matches."""
Weights = NDArray[np.float64]


class Played(NamedTuple):
    """The reward of a match, and the gradient of the log probability of its actions."""

    reward: float
    gradient: Weights


class Measured(NamedTuple):
    """The mean reward of many matches, and its standard error."""

    mean: float
    error: float


def play(face: SeatEnv, weights: Weights, seed: int, random: np.random.Generator) -> Played:
    """Play a match with a softmax policy over the scores of legal actions."""
    seen, _ = face.reset(seed=seed)
    gradient, reward, over = np.zeros_like(weights), 0.0, False
    while not over:
        legal = np.flatnonzero(seen["action_mask"])
        rows = seen["actions"][legal].astype(float)
        scores = rows @ weights
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        taken = random.choice(len(legal), p=chances)
        gradient += rows[taken] - chances @ rows
        seen, reward, over, _, _ = face.step(int(legal[taken]))
    return Played(reward, gradient)


def learn(face: SeatEnv, matches: int, random: np.random.Generator) -> Weights:
    """Return the weights after this many matches: after each batch, follow the gradient weighted by the advantage."""
    weights = np.zeros(WIDTH)
    for first in range(0, matches, BATCH):
        batch = [play(face, weights, seed, random) for seed in range(first, first + BATCH)]
        reward = np.array([match.reward for match in batch])
        better = (reward - reward.mean()) / (reward.std() + EVEN)
        weights += RATE / BATCH * better @ np.array([match.gradient for match in batch])
    return weights


def measure(face: SeatEnv, weights: Weights, matches: int, random: np.random.Generator) -> Measured:
    """Return the mean reward of these weights in test matches; zero weights play at random."""
    return _measured([play(face, weights, UNSEEN + seed, random).reward for seed in range(matches)])


def measure_doctrine(matches: int) -> Measured:
    """Return the mean reward of the doctrine bot."""
    game = env.gymnasium(GAME, scenario=SCENARIO).config.game
    reward = []
    for seed in range(matches):
        match = Match(game, SCENARIO, seed=f"{UNSEEN + seed}", log=False, checkpoints=False)
        bots.play_to_end(match, {"captain": bots.make_bot(game, "doctrine", "captain", Random(seed))})
        reward.append(rewards(match)["captain"])
    return _measured(reward)


def _measured(reward: list[float]) -> Measured:
    return Measured(float(np.mean(reward)), float(np.std(reward)) / len(reward) ** 0.5)


def main(lessons: int = LESSONS, trials: int = TRIALS) -> dict[str, Measured]:
    """Learn, measure the three agents, and print the results."""
    face, random = env.gymnasium(GAME, scenario=SCENARIO, width=WIDTH), np.random.default_rng(1)
    weights = learn(face, lessons, random)
    results = {
        "random": measure(face, np.zeros(WIDTH), trials, random),
        f"after {lessons} matches": measure(face, weights, trials, random),
        "doctrine": measure_doctrine(trials),
    }
    for name, (mean, error) in results.items():
        print(f"{name:<20} {mean:+.3f} ± {error:.3f}")
    return results


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=LESSONS, help="the number of training matches")
    main(parser.parse_args().matches)
