"""Back up, restore and upgrade a server on PostgreSQL while people play."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from sqlalchemy import MetaData, create_engine, insert, make_url, select
from tests.cli.helpers import Shell
from tests.server.running import ForkedServer, Server
from tests.server.test_kill import Player
from tests.store.playing import check_whole, play
from tests.store.postgres import Postgres
from tests.web.server import Browser

from readyroom.engine.record.replay import verify
from readyroom.store import Store
from readyroom.store.database import Database, revision_of, upgrade
from readyroom.store.migrations import HEAD
from readyroom.web.client import RemoteSeat, decision_of
from readyroom.web.pages.profile import COOKIE

TABLES = 3
"""The number of matches in play."""


class Stopping(Player):
    """A player who gets up when he is asked to."""

    up = False

    def _decide(self) -> bool:
        return not self.up and super()._decide()


class Open(NamedTuple):
    """A server with players: matches of programs, and one of a host in a browser with an invited friend."""

    tables: list[dict[str, RemoteSeat]]
    hosted: str
    cookie: str
    recovery: str
    link: str


def opened(server: Server) -> Open:
    """Begin to play in it."""
    tables = [RemoteSeat.opened(server.url, {"game": "midway"}) for _ in range(TABLES)]
    with Browser(base_url=server.url, trust_env=False) as host:
        hosted = host.begin(seat_japan="me", seat_usa="friend")
        link = host.links(hosted)["usa"]
        recovery = host.form("/me/recovery").text.partition("/me/recover/")[2][:43]
        return Open(tables, hosted, host.cookies[COOKIE], recovery, link)


def played(tables: list[dict[str, RemoteSeat]], function: Callable[[], None], after: int) -> list[int]:
    """Let all be played, do something in their midst, and play on a little; what was acknowledged before the deed."""
    players = [Stopping(places, 0, number) for number, places in enumerate(tables)]
    for player in players:
        player.start()
    while min(player.kept for player in players) < after:
        players[0].join(0.01)
        assert all(player.is_alive() for player in players), [player.trouble for player in players]
    kept = [player.kept for player in players]
    function()
    for player in players:
        player.up = True
    for player in players:
        player.join(30)
    return kept


def goes_on(url: str, server: Server, open: Open, kept: list[int]) -> None:
    """Check that all secrets work, nothing acknowledged is lost, and the matches continue with valid records."""
    for places, least in zip(open.tables, kept, strict=True):
        again = {seat: RemoteSeat(server.url, place.match, place.secret) for seat, place in places.items()}
        standing = [place.fetch() for place in again.values()]
        assert all(each["revision"] >= least for each in standing)
        for place, each in zip(again.values(), standing, strict=True):
            if each["pending"] is not None:
                decision = decision_of(each["pending"])
                assert place.answer(decision.sample(Random(1)), decision.revision)["revision"] > least
                break
        else:
            raise AssertionError("no decision is pending")
    with Browser(base_url=server.url, trust_env=False) as host:
        host.cookies.set(COOKIE, open.cookie)
        assert open.hosted in host.get("/").text
        assert host.get(f"/me/recover/{open.recovery}").status_code == 200
        assert "You would play" in host.get(open.link).text or host.get(open.link).status_code == 200
    server.stop()
    with closing(Store(url)) as store:
        for places in open.tables:
            match = next(iter(places.values())).match
            play(store, match, Random(2))
            check_whole(store, match)
            assert verify(store.records.text(match)).outcome is not None


# -- backup and restore ----------------------------------------------------------------------------------------------


def by_archive(postgres: Postgres, source: str, target: str, folder: Path) -> tuple[Callable[[], None], ...]:
    """Backing up and restoring by `readyroom backup` and `readyroom restore`."""
    shell, file = Shell(folder / "desk"), str(folder / "ready-room.zip")

    def run(verb: str, url: str) -> None:
        output = shell.run(verb, file, READYROOM_DATABASE=url)
        assert output.code == 0, output.err

    return (lambda: run("archive", source)), (lambda: run("restore", target))


def by_dump(postgres: Postgres, source: str, target: str, folder: Path) -> tuple[Callable[[], None], ...]:
    """Backing up and restoring by PostgreSQL's own programs."""
    file = str(folder / "ready-room.dump")

    def run(program: str, *words: str) -> None:
        subprocess.run([postgres.program(program), *words], check=True, timeout=60)

    def plain(url: str) -> str:
        return make_url(url).set(drivername="postgresql").render_as_string(False)

    return (
        lambda: run("pg_dump", "--format=custom", f"--file={file}", plain(source)),
        lambda: run("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={plain(target)}", file),
    )


@pytest.mark.sample(1)
@pytest.mark.slow(6)
@pytest.mark.parametrize("means", [by_archive, by_dump])
def test_backup_during_play_can_be_restored(
    postgres: Postgres, tmp_path: Path, means: Callable[..., tuple[Callable[[], None], Callable[[], None]]]
) -> None:
    source, target = postgres.new_database(), postgres.new_database()
    back_up, restore = means(postgres, source, target, tmp_path)
    with ForkedServer(tmp_path / "here", source) as server:
        people = opened(server)
        kept = played(people.tables, back_up, after=5)
    restore()
    with ForkedServer(tmp_path / "there", target) as server:
        goes_on(target, server, people, kept)


# -- upgrading -------------------------------------------------------------------------------------------------------


def as_of_old(source: str, target: str, revision: str) -> None:
    """Write what a database holds into another one as that revision would have kept it."""
    here, there = create_engine(source), create_engine(target)
    known, old = MetaData(), MetaData()
    with here.connect() as now, there.begin() as then:
        upgrade(then, revision)
        known.reflect(now)
        old.reflect(then)
        for table in old.sorted_tables:
            if table.name != "alembic_version":
                columns = [known.tables[table.name].c[column.name] for column in table.columns]
                if rows := [dict(row) for row in now.execute(select(*columns)).mappings()]:
                    then.execute(insert(table), rows)
    here.dispose()
    there.dispose()


@pytest.mark.sample(1)
@pytest.mark.slow(6)
@pytest.mark.parametrize("revision", ["0001", "0004"])
def test_old_database_is_upgraded_on_start(postgres: Postgres, tmp_path: Path, revision: str) -> None:
    newer, older = postgres.new_database(), postgres.new_database()
    with ForkedServer(tmp_path / "before", newer) as server:
        people = opened(server)
        kept = played(people.tables, lambda: None, after=5)
    as_of_old(newer, older, revision)
    with ForkedServer(tmp_path / "after", older) as server:
        with closing(Database(older, upto=None)) as database, database.reading() as connection:
            assert revision_of(connection) == HEAD
        server.stop()
        server.start()
        goes_on(older, server, people, kept)
