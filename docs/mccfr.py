"""MCCFR on a miniature of Midway: two carriers, four turns, every roll a chance node.

`python -m docs.mccfr` makes the whole tree of the scenario *Afternoon duel*, runs external sampling MCCFR of OpenSpiel
on it, and prints how exploitable the average policy is: half of what best responses of both sides gain, in rewards from
-1 to 1. `--iterations N` sets the number of iterations; `--write` updates the page on research and its curve.

The tree is an abstraction of the game, so these figures hold within it: `ANSWERS` lists which answers it leaves out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyspiel
from docs.curve import Axis, draw

from readyroom import env
from readyroom.engine.game import MatchView
from readyroom.engine.rules.decisions import Decision
from readyroom.env.trees import Answer, Tree, every, first, fullest

GAME, SCENARIO = "midway", "duel"
LAST_PLAN = 2
"""Aircraft that are spotted later launch in the last turn, after its attacks, and cannot change the score."""
MOST_HITS = 4
"""Four hits sink either carrier; more change nothing."""
ITERATIONS = 64_000
FIRST_CHECK = 1000
"""The exploitability is computed after this many iterations, and whenever their number has doubled."""
SEED = 1
PICTURE = Path(__file__).with_name("mccfr.svg")


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
    """Run MCCFR up to these iterations or this exploitability; yield it now and then, first of uniform play."""
    solver, check = pyspiel.ExternalSamplingMCCFRSolver(game, seed=SEED), FIRST_CHECK
    yield Checked(0, pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game)))
    for done in range(1, iterations + 1):
        solver.run_iteration()
        if done in (check, iterations):
            check *= 2
            checked = Checked(done, pyspiel.exploitability(game, solver.average_policy()))
            yield checked
            if checked.exploitability < target:
                return


def lines(iterations: int, picture: Path | None) -> Iterator[str]:
    """Yield the results as Markdown, and write the curve to this file."""
    tree = grow()
    sets = " and ".join(f"{count:,} of {name}" for name, count in zip(tree.players, tree.information_sets, strict=True))
    yield f"The tree has {sum(1 for _ in tree.nodes()):,} nodes, with {sets} information sets."
    yield "External sampling MCCFR, average policy:\n"
    yield "| iterations | exploitability |\n| ---: | ---: |"
    found = list[Checked]()
    for checked in solve(tree.openspiel(), iterations):
        found.append(checked)
        yield f"| {checked.iterations:,} | {checked.exploitability:.4f} |"
    if picture is not None:
        curve = draw(found[1:], Axis("iterations", True), Axis("exploitability", True), "Exploitability of MCCFR")
        picture.write_text(curve, encoding="utf-8")
    yield "\n![Exploitability by iterations, falling on both logarithmic axes](mccfr.svg)"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the results; with `--write` also write them for the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    texts = list[str]()
    for line in lines(given.iterations, PICTURE if given.write else None):
        print(line, flush=True)
        texts.append(line)
    if given.write:
        PICTURE.with_suffix(".txt").write_text("\n".join(texts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
