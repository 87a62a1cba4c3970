"""A captain who learns: REINFORCE with a linear policy over the features of options, in plain NumPy.

`python docs/learn.py` prints what three captains of *Hilger's Pair* are worth, in matches that none of them has seen:
one who acts at random, the one who has learnt, and the one who plays by the book. It takes half a minute.
`--matches N` lets him learn from fewer or more.
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
"""How far the weights go along the gradient, for a match that is better than its batch by one standard deviation."""
EVEN = 1e-9
"""What keeps a batch of matches that were all worth the same from being divided by nothing."""
LESSONS, TRIALS = 1000, 200
"""Matches to learn from, and matches to be measured by; the seeds of the ones begin at 0, those of the others here."""
UNSEEN = 1_000_000
Weights = NDArray[np.float64]


class Played(NamedTuple):
    """A match: what it was worth, and which change of the weights makes likelier what was done in it."""

    worth: float
    gradient: Weights


class Measured(NamedTuple):
    """The mean worth of many matches, and its standard error."""

    mean: float
    error: float


def play(face: SeatEnv, weights: Weights, seed: int, random: np.random.Generator) -> Played:
    """One match: each legal action has a score, and the higher it is the likelier the action is taken."""
    seen, _ = face.reset(seed=seed)
    gradient, worth, over = np.zeros_like(weights), 0.0, False
    while not over:
        legal = np.flatnonzero(seen["action_mask"])
        rows = seen["actions"][legal].astype(float)
        scores = rows @ weights
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        taken = random.choice(len(legal), p=chances)
        gradient += rows[taken] - chances @ rows
        seen, worth, over, _, _ = face.step(int(legal[taken]))
    return Played(worth, gradient)


def learn(face: SeatEnv, matches: int, random: np.random.Generator) -> Weights:
    """Weights after this many matches: towards what was done in those that went better than their batch."""
    weights = np.zeros(WIDTH)
    for first in range(0, matches, BATCH):
        batch = [play(face, weights, seed, random) for seed in range(first, first + BATCH)]
        worth = np.array([match.worth for match in batch])
        better = (worth - worth.mean()) / (worth.std() + EVEN)
        weights += RATE / BATCH * better @ np.array([match.gradient for match in batch])
    return weights


def measure(face: SeatEnv, weights: Weights, matches: int, random: np.random.Generator) -> Measured:
    """What a captain with these weights is worth in matches that he has not seen; without any he acts at random."""
    return _measured([play(face, weights, UNSEEN + seed, random).worth for seed in range(matches)])


def by_the_book(matches: int) -> Measured:
    """What the bot of the game is worth."""
    game = env.gymnasium(GAME, scenario=SCENARIO).config.game
    worth = []
    for seed in range(matches):
        match = Match(game, SCENARIO, seed=f"{UNSEEN + seed}", log=False, checkpoints=False)
        bots.play_to_end(match, {"captain": bots.make(game, "doctrine", "captain", Random(seed))})
        worth.append(rewards(match)["captain"])
    return _measured(worth)


def _measured(worth: list[float]) -> Measured:
    return Measured(float(np.mean(worth)), float(np.std(worth)) / len(worth) ** 0.5)


def main(lessons: int = LESSONS, trials: int = TRIALS) -> dict[str, Measured]:
    """Learn, measure all three captains, and print it."""
    face, random = env.gymnasium(GAME, scenario=SCENARIO, width=WIDTH), np.random.default_rng(1)
    weights = learn(face, lessons, random)
    results = {
        "at random": measure(face, np.zeros(WIDTH), trials, random),
        f"after {lessons} matches": measure(face, weights, trials, random),
        "by the book": by_the_book(trials),
    }
    for name, (mean, error) in results.items():
        print(f"{name:<20} {mean:+.3f} ± {error:.3f}")
    return results


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=LESSONS, help="how many matches to learn from")
    main(parser.parse_args().matches)
