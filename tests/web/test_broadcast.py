"""Tests of two server processes that share a PostgreSQL database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import psycopg
import pytest
from tests.store.postgres import Postgres
from tests.web.server import Site, opened
from tests.web.test_notifications import MOMENT, answered, soon
from tests.web.test_presence import Listener, people, watching

from readyroom.web.client import decision_of
from readyroom.web.live.broadcast import shared

pytestmark = pytest.mark.slow
SILENCE = 1.5
"""Seconds after which a stream of this test ends."""


@pytest.fixture(scope="module")
def database(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture(scope="module")
def two(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Site]]:
    """Two servers with the same database and folder."""
    home = tmp_path_factory.mktemp("two")
    sites = opened(home, database=database, secret="one"), opened(home, database=database, secret="one")
    yield sites
    for site in sites:
        site.close()


def moved(site: Site, match: str, secret: str) -> int:
    """Answer at random; return the new revision."""
    bearer = {"Authorization": f"Bearer {secret}"}
    with httpx.Client(base_url=f"{site.url}/api/v1", headers=bearer) as program:
        pending: dict[str, Any] = program.get(f"/matches/{match}").json()["pending"]
        answer = {"keys": list(decision_of(pending).sample(Random(1))), "revision": pending["revision"]}
        return int(program.post(f"/matches/{match}/decisions", json=answer).raise_for_status().json()["revision"])


def opened_at(site: Site) -> tuple[str, str]:
    """Create a match against a bot; return its id and the secret of the United States."""
    data = {"game": "midway", "seats": {"japan": "bot:doctrine"}}
    new = httpx.post(f"{site.url}/api/v1/matches", json=data).raise_for_status().json()
    return new["id"], new["seats"]["usa"]


def test_events_reach_other_processes(two: tuple[Site, Site]) -> None:
    here, there = two
    match, secret = opened_at(here)
    with httpx.stream("GET", f"{there.url}/m/{match}/events", timeout=10) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: here"
        for site in (here, there, here):
            revision = moved(site, match, secret)
            while next(lines) != "event: moved":  # others say that something may have been missed
                pass
            assert next(lines) == f"data: {revision}"


def test_viewers_of_other_processes_are_known(two: tuple[Site, Site]) -> None:
    here, there = two
    match, _ = opened_at(here)
    watchers = there.app.state.site.open_pages
    with watchers.looking(match, "spruance"):
        assert set(here.app.state.site.presence(match)) == {"spruance"}
    assert not here.app.state.site.presence(match)


def test_players_on_two_servers_see_each_other(two: tuple[Site, Site]) -> None:
    here, there = two
    there.app.state.site.presence.gone = MOMENT
    with here.browser() as host, there.browser() as guest, there.browser() as spectator:
        host.form("/me/name", {"name": "Nagumo"})
        guest.form("/me/name", {"name": "Spruance"})
        match = host.begin(seat_japan="me", seat_usa="friend")
        guest.form(host.links(match)["usa"])
        first = Listener(host, match, SILENCE)
        soon(lambda: here.app.state.site.open_pages.is_open(match))
        assert people(guest, match) == {"Nagumo": "here, to move", "Spruance (you)": "here"}
        soon(lambda: "here" in first.names)
        first.names.clear()
        second = Listener(guest, match, SILENCE)
        soon(lambda: "presence" in first.names)
        assert people(host, match) == {"Nagumo (you)": "here, to move", "Spruance": "here"}
        third = Listener(spectator, match, SILENCE)
        soon(lambda: "presence" in third.names)
        assert people(spectator, match) == {"Nagumo": "here, to move", "Spruance": "here"}
        soon(lambda: watching(host, match) == 1)
        answered(here, match)
        assert people(spectator, match) == {"Nagumo": "here", "Spruance": "here, to move"}
        guest.form(f"/m/{match}/typing", {"seat": "usa"})
        soon(lambda: first.typing == ["1"])
        first.names.clear()
        for each in (third, second):
            each.close()
        soon(lambda: people(host, match)["Spruance"] == "last seen just now, to move")
        first.close()


def test_lost_connection_reconnects_and_resyncs(two: tuple[Site, Site], database: str) -> None:
    here, there = two
    match, secret = opened_at(here)
    with httpx.stream("GET", f"{there.url}/m/{match}/events", timeout=20) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: here"
        with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as connection:
            killed = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid() "
                "AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')"
            ).fetchall()
        assert len(killed) >= 2
        while next(lines) != "event: seats":
            pass
        time.sleep(0.1)
        revision = moved(here, match, secret)
        while next(lines) != "event: moved":
            pass
        assert next(lines) == f"data: {revision}"
    with there.app.state.site.open_pages.looking(match, "spruance"):
        assert set(here.app.state.site.presence(match)) == {"spruance"}, "who looks is asked as before"


def test_only_postgresql_is_shared() -> None:
    assert shared("postgresql+psycopg://x@/y")
    assert not shared("sqlite:////tmp/x")
    assert not shared(None)
