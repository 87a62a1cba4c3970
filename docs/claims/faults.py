"""Robustness tests: numbers of invariants, playouts, broken games and killed processes."""

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
"""The kill tests run on SQLite and on PostgreSQL."""


def lines(_: int = 0) -> Iterator[str]:
    """Yield the invariants, the playouts of each game, and the kills."""
    yield f"Every game is checked against {len(Invariant)} invariants of the conformance kit:\n"
    yield from (f"- {invariant.value};" for invariant in Invariant)
    yield f"\nThe kit itself is tested with {len(BROKEN)} small games, each with one defect.\n"
    yield head("random playouts, each decision checked", *(TITLES[name] for name in GAMES))
    played = {name: _playouts(name) for name in GAMES}
    yield row("scenarios with each option and mixed options", *(f"{counts[0]:,}" for counts in played.values()))
    yield row("playouts in every test run", *(f"{counts[1]:,}" for counts in played.values()))
    yield row("playouts in the long checks (`make torture`)", *(f"{counts[2]:,}" for counts in played.values()))
    yield "\nProcesses killed with `kill -9` during play; no acknowledged answer may be lost:\n"
    yield head("process", "kills", "database")
    http_kills = test_kill.test_kills_lose_nothing_acknowledged
    yield row("a server during play over HTTP", DATABASES * sum(_cases(http_kills)), "SQLite, PostgreSQL")
    yield row("a process that writes to the store", sum(test_killed.MANY.values()), "SQLite, PostgreSQL")
    yield row("a match in the terminal", len(_cases(test_keeping.test_killed_match_resumes)), "a file")


def _playouts(name: str) -> tuple[int, int, int]:
    """Return the number of variants of a game and of its playouts in `make test` and `make torture`."""
    variant_count, parts = len(variants(load_game(name))), properties.PARTS.get(name, 1)
    long_playouts = properties.MANY[name] // parts
    return variant_count, max(variant_count, properties.QUICK), parts * max(variant_count, long_playouts)


def _cases(test: Any) -> list[int]:
    """Return the parameters of a test."""
    (mark,) = [mark for mark in test.pytestmark if mark.name == "parametrize"]
    return [int(getattr(case, "values", [case])[0]) for case in mark.args[1]]
