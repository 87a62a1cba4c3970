"""Fixtures: stores on SQLite and PostgreSQL, and toy games for them."""

from __future__ import annotations

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

Toys = dict[str, Game[Any, Any]]


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


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with closing(Store(url)) as opened:
        yield opened
