"""Cost of single steps, and the share of each package in the time of a match."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from docs.claims.parts import GAMES, TITLES, figure, head, row

from readyroom.engine.game import load_game
from readyroom.engine.rules.dice import KeyedDice
from readyroom.env import bench as environments
from readyroom.store import SeatAssignment, Store
from readyroom.study import bench

REPEATS = 1000
"""The number of repetitions of a step in a run."""
DICE = 60
PACKAGES = {
    "match: answers and coroutines": ("match/",),
    "decisions: building them, random answers": ("rules/decisions",),
    "the table": ("rules/table",),
    "dice and checks": ("rules/dice", "rules/checks"),
    "rules of Midway": ("midway/",),
    "bots": ("bots/", "study/"),
    "built-in functions": ("built-in",),
}
"""Titles of the modules in `bench --profile` by the start of their names; the others are the rest."""


def lines(runs: int) -> Iterator[str]:
    """Yield tables of single steps, environment speeds and shares of the time."""
    yield head("step", "median")
    dice = KeyedDice(bytes(32))
    yield row(
        f"{DICE} dice for a new event, µs", figure(1e6 * step_time(lambda n: dice.roll(f"event {n}", DICE), runs))
    )
    yield row("an answer stored in SQLite, ms", figure(1e3 * median(answer_times(runs * REPEATS // 10))))
    yield "\nEnvironments with random agents that get every observation; the vectorized one plays 64 matches at once:\n"
    yield head("", *(TITLES[name] for name in GAMES))
    speeds = [environments.measure(name, 1) for name in GAMES]
    for measure in speeds[0]:
        yield row(measure, *(figure(speed[measure]) for speed in speeds))
    aims = environments.AIMS["midway"]
    yield f"\nTargets for Midway: {', '.join(f'{aim:,.0f} {measure}' for measure, aim in aims.items())}."
    yield "\nShare of each package in the time of a random match of Midway without a log:\n"
    yield head("package", "share of the time")
    yield from packages()


def step_time(step: Callable[[int], object], runs: int) -> float:
    """Return the median over the runs of a step's mean time in seconds."""
    values = []
    for run in range(runs):
        start = perf_counter()
        for number in range(REPEATS):
            step(run * REPEATS + number)
        values.append((perf_counter() - start) / REPEATS)
    return median(values)


def answer_times(answers: int) -> Iterator[float]:
    """Yield the seconds that the store needs for each of this many answers in solo matches."""
    random = Random(1)
    with tempfile.TemporaryDirectory() as folder, closing(Store(f"sqlite:///{Path(folder) / 'matches.db'}")) as store:
        host, match = store.players.create("Player").player, ""
        for _ in range(answers):
            match = (
                match
                or store.lobby.create(
                    host, "midway", None, {}, dict.fromkeys(("usa", "japan"), SeatAssignment("me"))
                ).id
            )
            with store.matches.open(match) as played:
                seat, decision = next(iter(played.pending.items()))
                keys, revision = list(decision.sample(random)), decision.revision
            start = perf_counter()
            store.matches.answer(match, seat, keys, revision)
            yield perf_counter() - start
            with store.matches.open(match) as played:
                match = "" if played.outcome is not None else match


def packages() -> Iterator[str]:
    """The share of each package in its own running time."""
    spent = bench.profile(load_game("midway"))
    for title, names in PACKAGES.items():
        own = sum(spent.pop(place) for place in list(spent) if place.startswith(names))
        yield row(title, f"{100 * own:.0f} %")
    yield row("the rest", f"{100 * sum(spent.values()):.0f} %")
