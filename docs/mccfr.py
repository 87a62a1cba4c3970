"""MCCFR on a miniature of Midway: two carriers, four turns, every roll a chance node.

`python docs/mccfr.py` makes the whole tree of the scenario *Afternoon duel*, runs external sampling MCCFR of OpenSpiel
on it, and prints how exploitable the average policy is: half of what best responses of both sides gain, in rewards from
-1 to 1. `--iterations N` sets the number of iterations.

The tree is an abstraction of the game, so these figures hold within it: `ANSWERS` lists which answers it leaves out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyspiel

from readyroom import env
from readyroom.engine.game import MatchView
from readyroom.engine.rules.decisions import Decision
from readyroom.env.trees import Answer, Tree, every, first, fullest

GAME, SCENARIO = "midway", "duel"
LAST_PLAN = 2
"""Aircraft that are spotted later launch in the last turn, after its attacks, and cannot change the score."""
MOST_HITS = 4
"""Four hits sink either carrier; more change nothing."""
ITERATIONS = 200_000
FIRST_CHECK = 1000
"""The exploitability is computed after this many iterations, and whenever their number has doubled."""
SEED = 1


def load(decision: Decision, view: MatchView[Any]) -> Sequence[Answer]:
    """[14.1] Spot any squadrons, as long as they can still attack; then none."""
    return every(decision) if view.turn <= LAST_PLAN else [()]


ANSWERS = {
    "14.1": load,
    "13.1": fullest,  # what is on deck launches; fighters escort or fly CAP
    "11.1": fullest,  # the whole CAP attacks
    "12.1": fullest,  # all bombers attack
    "11.3": first,  # which squadrons of a kind take the hits
    "11.4": first,
    "12.3": first,
}
"""The answers that the tree has, by rule."""


class Checked(NamedTuple):
    """The exploitability after some iterations."""

    iterations: int
    exploitability: float


def grow() -> Tree:
    """Return the tree."""
    return env.tree(GAME, scenario=SCENARIO, answers=ANSWERS, most_hits=MOST_HITS)


def solve(game: Any, iterations: int, target: float = 0.0) -> Iterator[Checked]:
    """Run MCCFR until these iterations or this exploitability; yield the exploitability now and then."""
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed=SEED)
    check = FIRST_CHECK
    for done in range(1, iterations + 1):
        solver.run_iteration()
        if done == check or done == iterations:
            check *= 2
            checked = Checked(done, pyspiel.exploitability(game, solver.average_policy()))
            yield checked
            if checked.exploitability < target:
                return


def main(iterations: int = ITERATIONS) -> list[Checked]:
    """Make the tree, solve it, and print the results."""
    tree = grow()
    sets = ", ".join(f"{name} {count:,}" for name, count in zip(tree.players, tree.information_sets, strict=True))
    print(f"{sum(1 for _ in tree.nodes()):,} nodes; information sets: {sets}")
    found = list[Checked]()
    for checked in solve(tree.openspiel(), iterations):
        print(f"{checked.iterations:>9,} iterations: exploitability {checked.exploitability:.4f}")
        found.append(checked)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    main(parser.parse_args().iterations)
