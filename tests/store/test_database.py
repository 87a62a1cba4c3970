"""Tests of the database: location, permissions, and opening it from several processes at once."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from tests.children import Child
from tests.store.player import create_player
from tests.store.playing import FRIEND, ME, enrolled, opened, play
from tests.store.postgres import Postgres

from readyroom.engine.errors import SaveError
from readyroom.store import Store
from readyroom.store.errors import CannotOpen, DatabaseUnreachable, NotUnicode, UnknownDatabase, WriteFailed


def test_default_database_is_in_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READYROOM_HOME", str(tmp_path / "a home"))
    with closing(Store()) as store:
        enrolled(store)
    file = tmp_path / "a home" / "matches.sqlite"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("code", [sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY])
def test_file_of_another_user_is_named(tmp_path: Path, code: int) -> None:
    with closing(Store(f"sqlite:///{tmp_path}/matches.sqlite")) as store:
        error = sqlite3.OperationalError("no")
        error.sqlite_errorcode = code
        why = r"matches.sqlite may not be read or written by this user"
        with pytest.raises(CannotOpen, match=why), store.database._describe_error():
            raise error


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", "", "sqlite://", "sqlite:///:memory:"])
def test_invalid_address_is_rejected(url: str) -> None:
    with pytest.raises(UnknownDatabase, match="SQLite"):
        Store(url)


def test_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveError, match="READYROOM_HOME"):
        Store(f"sqlite:///{tmp_path}/file/matches.sqlite")


def test_missing_server_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnreachable, match=r"cannot be reached.*Check READYROOM_DATABASE"):
        Store(f"postgresql://nobody@/nothing?host={tmp_path}&connect_timeout=2")


def test_postgres_needs_utf8(postgres: Postgres) -> None:
    with pytest.raises(NotUnicode, match=r"encoding SQL_ASCII.*createdb --encoding=UTF8"):
        Store(postgres.new_database("TEMPLATE template0 ENCODING 'SQL_ASCII'"))


def test_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_text("hello " * 1000)
    with pytest.raises(WriteFailed):
        Store(f"sqlite:///{tmp_path}/x.sqlite")


@pytest.mark.slow(2)
def test_processes_create_database_at_once(empty_url: str) -> None:
    started = [Child(create_player, empty_url) for _ in range(3)]
    for each in started:
        with each.stdout:
            assert each.stdout.read() == "Somebody\n"
        assert each.wait(60) == 0


def test_secrets_are_kept_only_as_hashes(tmp_path: Path) -> None:
    lines: list[str] = []
    with closing(Store(f"sqlite:///{tmp_path}/m.sqlite")) as store:
        host, session, recovery = store.players.create("Nimitz")
        newer = store.players.new_recovery(host.id)
        lines += [session, recovery, newer, store.players.recover(newer)[1]]
        links = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
        lines += [links.links["blue"], store.seats.new_link(links.id, "blue", host.id)]
        play(store, opened(store, host=host), Random(1), 10)
        files = [*tmp_path.glob("m.sqlite*")]
        assert any(file.name.endswith("-wal") for file in files)
        kept = b"".join(file.read_bytes() for file in files)
        store.archive(tmp_path / "m.zip")
    kept += b"".join(file.read_bytes() for file in tmp_path.glob("m.sqlite*"))
    for secret in lines:
        assert len(secret) == 43
        assert secret.encode() not in kept


def test_cards_tell_no_secret(store: Store) -> None:
    match_id = opened(store)
    with store.matches.open(match_id) as match:
        secret = match.secret
    assert secret is not None
    summary = repr(store.listings.summary(match_id))
    assert secret.hex() not in summary
    assert repr(secret) not in summary
    assert secret.hex() not in store.records.text(match_id)
