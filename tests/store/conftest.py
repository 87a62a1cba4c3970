"""Fixtures: stores on SQLite and PostgreSQL, and toy games for them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.store import postgres as servers
from tests.toys.straits import GAME
from tests.toys.tiny import plans, tiny

from readyroom.engine.game import Game, load_game
from readyroom.store import Store, base
from readyroom.store.accounts import passkeys, players
from readyroom.store.admin import administration, audit_log, expiry, integrity_checks
from readyroom.store.lobby import bot_matches, seating, seats, setup
from readyroom.store.tournaments import tournaments

Toys = dict[str, Game[Any, Any]]
ON_POSTGRES = {
    "test_archive",
    "test_bot_matches",
    "test_database",
    "test_gameplay",
    "test_integrity",
    "test_killed",
    "test_ladder",
    "test_limits",
    "test_older",
    "test_races",
    "test_records",
    "test_upgrade",
}
"""The modules that `make test` runs on PostgreSQL too: their locks, conflicts or SQL differ there."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave tests of a store on PostgreSQL to `make torture`, except those of `ON_POSTGRES`."""
    for item in items:
        if Path(__file__).parent in item.path.parents and item.path.stem not in ON_POSTGRES:
            cases = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
            if "postgres" in (cases.get("url"), cases.get("empty_url")):
                item.add_marker(pytest.mark.torture)


@pytest.fixture(scope="session")
def postgres_url(postgres: servers.Postgres) -> str:
    """Return a database shared by the tests of one process; their data does not conflict."""
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database, on either kind of server."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path}/matches.sqlite"


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database."""
    if request.param == "postgres":
        server: servers.Postgres = request.getfixturevalue("postgres")
        return server.new_database()
    return f"sqlite:///{tmp_path}/matches.sqlite"


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> Toys:
    """Register toy games in place of the installed ones."""
    known: Toys = {"straits": GAME, "tiny": tiny(plans(2), turns=9)}
    monkeypatch.setattr(base, "load_game", lambda name: known[name] if name in known else load_game(name))
    return known


class Clock:
    """A clock that tests move, for players and expiry."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self._ahead

    def pass_(self, seconds: float) -> None:
        self._ahead += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the store's clock."""
    clock = Clock()
    lobby = (bot_matches, seating, seats, setup)
    for module in (*lobby, tournaments, administration, audit_log, expiry, integrity_checks, passkeys, players):
        monkeypatch.setattr(module, "now", clock)
    return clock


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with closing(Store(url)) as opened:
        yield opened
