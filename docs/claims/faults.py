"""Tests against faults: invariants, playouts, broken games and killed processes, counted from the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docs.claims.parts import GAMES, TITLES, head, row
from tests.cli import test_keeping
from tests.properties import test_games as properties
from tests.server import test_kill
from tests.store import test_killed
from tests.toys.broken import BROKEN

from readyroom.engine.game import load_game
from readyroom.testing import Invariant, variants

DATABASES = 2
"""Those tests run on SQLite and on PostgreSQL."""


def lines(_: int = 0) -> Iterator[str]:
    """Promises, playouts of each game, and kills."""
    yield f"Every game is held to {len(Invariant)} invariants of the conformance kit:\n"
    yield from (f"- {promise.value};" for promise in Invariant)
    yield f"\nThe kit itself is held against {len(BROKEN)} small games that are each broken in one way.\n"
    yield head("random playouts, each decision checked", *(TITLES[name] for name in GAMES))
    played = {name: _playouts(name) for name in GAMES}
    yield row("scenarios with each option and mixture of options", *(f"{one[0]:,}" for one in played.values()))
    yield row("playouts in every test run", *(f"{one[1]:,}" for one in played.values()))
    yield row("playouts in the long checks (`make torture`)", *(f"{one[2]:,}" for one in played.values()))
    yield "\nKilled with `kill -9` in the middle of play, after which nothing that was acknowledged may be missing:\n"
    yield head("what is killed", "times", "where")
    served = test_kill.test_kills_lose_nothing_acknowledged
    yield row("a server, while people answer over HTTP", DATABASES * sum(_cases(served)), "SQLite, PostgreSQL")
    kept = test_killed.test_acknowledged_answers_survive_kill
    yield row("a process that writes into the store", DATABASES * sum(_cases(kept)), "SQLite, PostgreSQL")
    yield row("a match in the terminal", len(_cases(test_keeping.test_killed_match_resumes)), "a file")


def _playouts(name: str) -> tuple[int, int, int]:
    """Variants of a game, and how often it is played by `make test` and by `make torture`."""
    every, parts = len(variants(load_game(name))), properties.PARTS.get(name, 1)
    wanted = properties.MANY[name] // parts
    return every, max(every, properties.QUICK), parts * max(every, wanted)


def _cases(test: Any) -> list[int]:
    """The numbers that a test is called with."""
    (mark,) = [mark for mark in test.pytestmark if mark.name == "parametrize"]
    return [int(getattr(case, "values", [case])[0]) for case in mark.args[1]]
