"""Tests of `readyroom backup` and `readyroom restore`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tests.cli.helpers import Shell, one_sentence

from readyroom.store import SeatAssignment, Store
from readyroom.store.database import FILE, Database


def site(shell: Shell) -> Store:
    return Store(f"sqlite:///{shell.home / FILE}")


def test_everything_goes_into_a_file_and_back(shell: Shell, tmp_path: Path) -> None:
    shell.home.mkdir(parents=True)
    with closing(site(shell)) as store:
        host = store.players.create("Ensign Gay").player
        match = store.lobby.create(
            host, "midway", None, {}, {"japan": SeatAssignment("bot", "doctrine"), "usa": SeatAssignment("me")}
        ).id
        before = store.listings.summary(match)
    file = tmp_path / "ready-room.zip"
    result = shell.run("backup", str(file), READYROOM_DATABASE="")
    assert result.code == 0
    assert "keep it private" in result.out
    assert "Saved and verified everything" in shell.run("backup", str(file), "--verify", READYROOM_DATABASE="").out
    assert file.stat().st_mode & 0o077 == 0
    other = Shell(tmp_path / "other")
    refused = other.run("restore", str(file), READYROOM_DATABASE="")
    assert (refused.code, "--seal" in refused.err, one_sentence(refused.err)) == (2, True, True)
    assert other.run("restore", str(file), "--seal", READYROOM_DATABASE="").code == 0
    with closing(site(other)) as store:
        assert store.listings.summary(match) == before


def test_restore_rejects_database_in_use(shell: Shell, tmp_path: Path) -> None:
    shell.home.mkdir(parents=True)
    with closing(site(shell)) as store:
        store.players.create("Ensign Gay")
    file = tmp_path / "ready-room.zip"
    assert shell.run("backup", str(file), READYROOM_DATABASE="").code == 0
    result = shell.run("restore", str(file), READYROOM_DATABASE="")
    assert result.code == 2
    assert one_sentence(result.err)


def test_restore_rejects_invalid_archive(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "ready-room.zip"
    file.write_bytes(b"\x00not a zip")
    result = shell.run("restore", str(file), READYROOM_DATABASE="")
    assert result.code == 2
    assert one_sentence(result.err)


def test_missing_archive_creates_nothing(shell: Shell) -> None:
    result = shell.run("restore", "nosuch.zip", READYROOM_DATABASE="")
    assert (result.code, result.err) == (2, "Cannot read nosuch.zip: No such file or directory.\n")
    assert not shell.home.exists()


def test_commands_do_not_migrate_an_older_database(shell: Shell, tmp_path: Path) -> None:
    shell.home.mkdir(parents=True)
    file = shell.home / FILE
    with closing(Database(f"sqlite:///{file}", upto="0005")):
        pass
    for words in (["admin", "list"], ["backup", str(tmp_path / "x.zip")]):
        result = shell.run(*words, READYROOM_DATABASE="")
        assert (result.code, "Start `readyroom serve`: it backs" in result.err) == (2, True)
    with closing(Database(f"sqlite:///{file}", upto=None)) as database:
        assert database.revision() == "0005"


def test_commands_create_no_database_and_no_secret(shell: Shell) -> None:
    for words in (["admin", "list"], ["admin", "seal", "--yes"], ["backup", "x.zip"]):
        result = shell.run(*words, READYROOM_DATABASE="")
        assert (result.code, "There is no database at" in result.err) == (2, True)
    assert not shell.home.exists()


def test_unwritable_archive_prints_reason(shell: Shell, tmp_path: Path) -> None:
    shell.home.mkdir(parents=True)
    site(shell).close()
    result = shell.run("backup", str(tmp_path / "nowhere" / "x.zip"), READYROOM_DATABASE="")
    assert result.code == 2
    assert "No such file or directory. No file was written." in result.err
