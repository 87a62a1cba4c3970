"""Servers on either kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.running import Server
from tests.store.postgres import shared


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | None]:
    """The address of an empty database; None is the file in the server's home."""
    if request.param == "sqlite":
        yield None
        return
    with shared(tmp_path / "postgres") as server:
        yield server.new_database()


@pytest.fixture
def server(tmp_path: Path, database: str | None) -> Iterator[Server]:
    """A server that has been started."""
    with Server(tmp_path / "home", database) as running:
        yield running
