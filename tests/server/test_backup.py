"""Backup, restore and upgrade of a server on PostgreSQL during play."""

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
from tests.server.running import SECRET, ForkedServer, Server
from tests.server.test_kill import Player
from tests.store.playing import check_whole, play
from tests.store.postgres import Postgres
from tests.web.server import Browser

from readyroom.engine.record.replay import verify
from readyroom.store import Store
from readyroom.store.database import Database, revision_of, upgrade
from readyroom.store.migrations import HEAD
from readyroom.web.client import RemoteSeat, decision_of
from readyroom.web.pages.players.profile import COOKIE

TABLES = 3
"""The number of running matches."""


class StoppablePlayer(Player):
    """A player who can be stopped."""

    stopped = False

    def _decide(self) -> bool:
        return not self.stopped and super()._decide()


class ServerSetup(NamedTuple):
    """A server with matches of programs, and one of a browser user with an invited friend."""

    tables: list[dict[str, RemoteSeat]]
    hosted: str
    cookie: str
    recovery: str
    link: str


def open_matches(server: Server) -> ServerSetup:
    """Start the players."""
    tables = [RemoteSeat.opened(server.url, {"game": "midway"}) for _ in range(TABLES)]
    with Browser(base_url=server.url, trust_env=False) as host:
        hosted = host.begin(seat_japan="me", seat_usa="friend")
        link = host.links(hosted)["usa"]
        recovery = host.form("/me/recovery").text.partition("/me/recover/")[2][:43]
        return ServerSetup(tables, hosted, host.cookies[COOKIE], recovery, link)


def act_during_play(
    tables: list[dict[str, RemoteSeat]], function: Callable[[], None], after: int
) -> list[dict[str, int]]:
    """Do something during play, then play on; return what was acknowledged before it."""
    players = [StoppablePlayer(seats, 0, number) for number, seats in enumerate(tables)]
    for player in players:
        player.start()
    while min(player.acknowledged for player in players) < after:
        players[0].join(0.01)
        assert all(player.is_alive() for player in players), [player.error for player in players]
    acknowledged = [dict(player.revisions) for player in players]
    function()
    for player in players:
        player.stopped = True
    for player in players:
        player.join(30)
    return acknowledged


def check_matches_continue(url: str, server: Server, open: ServerSetup, acknowledged: list[dict[str, int]]) -> None:
    """Check that all secrets work, nothing acknowledged is lost, and the matches continue with valid records."""
    for seats, least in zip(open.tables, acknowledged, strict=True):
        again = {seat: RemoteSeat(server.url, place.match, place.secret) for seat, place in seats.items()}
        status = {seat: place.fetch() for seat, place in again.items()}
        assert all(each["revision"] >= least[seat] for seat, each in status.items())
        for seat, place in again.items():
            each = status[seat]
            if each["pending"] is not None:
                decision = decision_of(each["pending"])
                assert place.answer(decision.sample(Random(1)), decision.revision)["revision"] > least[seat]
                break
        else:
            raise AssertionError("no decision is pending")
    with Browser(base_url=server.url, trust_env=False) as host:
        host.cookies.set(COOKIE, open.cookie)
        assert open.hosted in host.get("/").text
        assert host.get(f"/me/recover/{open.recovery}").status_code == 200
        assert "You would play" in host.get(open.link).text or host.get(open.link).status_code == 200
    server.stop()
    with closing(Store(url, secret=SECRET)) as store:
        for seats in open.tables:
            match = next(iter(seats.values())).match
            play(store, match, Random(2))
            check_whole(store, match)
            assert verify(store.records.text(match)).outcome is not None


# -- backup and restore ------------------------------------------------------------------------------------------------


def by_archive(postgres: Postgres, source: str, target: str, folder: Path) -> tuple[Callable[[], None], ...]:
    """Back up and restore with `readyroom backup` and `readyroom restore`."""
    shell, file = Shell(folder / "desk"), str(folder / "ready-room.zip")

    def run(verb: str, url: str) -> None:
        output = shell.run(verb, file, READYROOM_DATABASE=url, READYROOM_SECRET=SECRET)
        assert output.code == 0, output.err

    return (lambda: run("archive", source)), (lambda: run("restore", target))


def by_dump(postgres: Postgres, source: str, target: str, folder: Path) -> tuple[Callable[[], None], ...]:
    """Back up and restore with PostgreSQL's own programs."""
    file = str(folder / "ready-room.dump")

    def run(program: str, *words: str) -> None:
        subprocess.run([postgres.program(program), *words], check=True, timeout=60)

    def plain(url: str) -> str:
        return make_url(url).set(drivername="postgresql").render_as_string(False)

    return (
        lambda: run("pg_dump", "--format=custom", f"--file={file}", plain(source)),
        lambda: run("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={plain(target)}", file),
    )


@pytest.mark.torture(6)
@pytest.mark.parametrize("means", [by_archive, by_dump])
def test_backup_during_play_can_be_restored(
    postgres: Postgres, tmp_path: Path, means: Callable[..., tuple[Callable[[], None], Callable[[], None]]]
) -> None:
    source, target = postgres.new_database(), postgres.new_database()
    back_up, restore = means(postgres, source, target, tmp_path)
    with ForkedServer(tmp_path / "here", source) as server:
        setup = open_matches(server)
        acknowledged = act_during_play(setup.tables, back_up, after=5)
    restore()
    with ForkedServer(tmp_path / "there", target) as server:
        check_matches_continue(target, server, setup, acknowledged)


# -- upgrade -----------------------------------------------------------------------------------------------------------


def copy_to_revision(source: str, target: str, revision: str) -> None:
    """Copy a database into one of an older schema revision."""
    source_engine, target_engine = create_engine(source), create_engine(target)
    known, old = MetaData(), MetaData()
    with source_engine.connect() as reader, target_engine.begin() as writer:
        upgrade(writer, revision)
        known.reflect(reader)
        old.reflect(writer)
        for table in old.sorted_tables:
            if table.name != "alembic_version":
                columns = [known.tables[table.name].c[column.name] for column in table.columns]
                if rows := [dict(row) for row in reader.execute(select(*columns)).mappings()]:
                    writer.execute(insert(table), rows)
    source_engine.dispose()
    target_engine.dispose()


@pytest.mark.torture(6)
@pytest.mark.parametrize("revision", ["0001", "0004"])
def test_old_database_is_upgraded_on_start(postgres: Postgres, tmp_path: Path, revision: str) -> None:
    newer, older = postgres.new_database(), postgres.new_database()
    with ForkedServer(tmp_path / "before", newer) as server:
        setup = open_matches(server)
        acknowledged = act_during_play(setup.tables, lambda: None, after=5)
    copy_to_revision(newer, older, revision)
    with ForkedServer(tmp_path / "after", older) as server:
        with closing(Database(older, upto=None)) as database, database.reading() as connection:
            assert revision_of(connection) == HEAD
        server.stop()
        server.start()
        check_matches_continue(older, server, setup, acknowledged)
