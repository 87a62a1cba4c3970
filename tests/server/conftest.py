"""Servers on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.running import ForkedServer, Server
from tests.store.postgres import Postgres


@pytest.fixture(params=[pytest.param("sqlite", marks=pytest.mark.torture), "postgresql"])
def database(request: pytest.FixtureRequest) -> str | None:
    """Return the address of an empty database; None is the file in the server's home.

    `make test` kills processes on SQLite in tests/store, so servers on it are in `make torture`.
    """
    if request.param == "sqlite":
        return None
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def server(tmp_path: Path, database: str | None) -> Iterator[Server]:
    """Return a running server."""
    with ForkedServer(tmp_path / "home", database) as running:
        yield running
