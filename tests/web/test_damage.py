"""Tests that a damaged match, a full disk and failed backups are reported, and that backups can be restored."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update
from tests.store.playing import check_whole, play
from tests.web.server import Browser, Site

from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.store.errors import DamagedDatabase, StorageFull
from readyroom.store.tables import matches
from readyroom.web.app import create_app
from readyroom.web.monitoring import health
from readyroom.web.settings import BadSetting, Settings

Opens = Callable[..., Site]


@pytest.fixture(autouse=True)
def each_request_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "INTERVAL", 0.0)


def damage(site: Site, match: str) -> None:
    """Change a match in the database by hand."""
    with site.store.database.writing() as connection:
        connection.execute(update(matches).where(matches.c.id == match).values(turn=77))
    site.store.admin.evict_live(match)


def test_damaged_match_is_one_page_and_others_continue(
    site: Site, browser: Browser, friend: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    match, other = (browser.begin(seat_japan="me", seat_usa="me") for _ in range(2))
    play(site.store, match, Random(1), 5)
    damage(site, match)
    caplog.set_level(logging.ERROR)
    for path in (f"/m/{match}", f"/m/{match}/replay"):
        answer = friend.get(path)
        assert (answer.status_code, "Match damaged" in answer.text, "Traceback" in answer.text) == (503, True, False)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"match {match} is damaged and closed"
    ]
    status = browser.get(f"/api/v1/matches/{match}")
    assert (status.status_code, status.json()["error"]) == (503, "MatchDamaged")
    assert "other matches continue" in status.json()["sentence"]
    assert browser.get(f"/m/{other}").status_code == 200
    assert match in browser.get("/").text
    assert browser.get("/health").json()["warnings"] == ["1 match is damaged and closed."]
    whole = f"/m/{match}/whole.jsonl"
    assert whole in browser.get(f"/m/{match}").text
    assert browser.get(whole).text.count("\n") == 6
    assert whole not in friend.get(f"/m/{match}").text
    assert (friend.get(whole).status_code, browser.get(f"/m/{other}/whole.jsonl").status_code) == (403, 403)
    site.store.integrity.seal(match)
    assert browser.get(f"/m/{match}").status_code == 200
    assert browser.get("/health").json()["warnings"] == []


def test_damaged_match_shows_its_host_no_secrets_of_others(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="anyone")
    friend.form(f"/m/{match}/take", {"seat": "usa"})
    damage(site, match)
    assert "until the server admin repairs it" in browser.get(f"/m/{match}").text
    whole = browser.get(f"/m/{match}/whole.jsonl")
    assert (whole.status_code, "that no one else plays" in whole.text) == (403, True)
    assert "whole.jsonl" not in browser.get(f"/m/{match}").text


def test_full_disk_is_a_sentence(site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    match = browser.begin(seat_japan="me", seat_usa="me")

    def full(*_: object, **__: object) -> None:
        raise StorageFull

    with monkeypatch.context() as broken:
        broken.setattr(site.store.chat, "post", full)
        broken.setattr(site.store.integrity, "probe", full)
        answer = browser.form(f"/m/{match}/say", {"text": "Ahoy."})
        assert (answer.status_code, "disk is full" in answer.text) == (507, True)
        assert (browser.get("/health").status_code, "full" in browser.get("/health").text) == (503, True)
    assert browser.get("/health").status_code == 200


def test_server_does_not_start_on_a_damaged_file(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    with closing(Store(f"sqlite:///{tmp_path / FILE}")) as store:
        host = store.players.create("Nimitz").player
        for _ in range(100):
            store.players.create("Somebody" * 5)
        assert host.name == "Nimitz"
    with closing(sqlite3.connect(tmp_path / FILE)) as raw:
        (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'players'").fetchone()
    data = bytearray((tmp_path / FILE).read_bytes())
    data[4096 * (page - 1) : 4096 * page] = b"\xff" * 4096
    (tmp_path / FILE).write_bytes(data)
    with pytest.raises(DamagedDatabase, match="readyroom restore"):
        create_app(settings)


# -- backups -----------------------------------------------------------------------------------------------------------


@pytest.mark.torture(6)
def test_scheduled_backup_restores_and_its_matches_continue(open_site: Opens, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    site = open_site(backup=folder, backup_keep=2, home=tmp_path / "home")
    schedule = site.app.state.site.backups
    with site.browser() as visitor:
        match = visitor.begin(seat_japan="me", seat_usa="me")
        reached = play(site.store, match, Random(1), 10)
        folder.mkdir(exist_ok=True)
        for old in ("20200101-000000", "20200102-000000"):
            (folder / f"ready-room-{old}.zip").write_bytes(b"old")
        path = schedule.write()
        assert path is not None, schedule.failure
        assert not schedule._claim(), "one was written when the server started"
        assert len(list(folder.glob("*.zip"))) == 2
        assert visitor.get("/health").json()["warnings"] == []
        with closing(Store.restore(path, f"sqlite:///{tmp_path}/again.sqlite", accept=True)) as again:
            assert check_whole(again, match).true_revision == reached
            play(again, match, Random(2), 5)
            assert again.integrity.check().is_whole
        damage(site, match)
        assert schedule.write() is None
        assert "1 match in the backup is damaged" in visitor.get("/health").json()["warnings"][0]
        assert path.exists()


def test_folder_that_cannot_be_written_is_a_warning_from_the_start(open_site: Opens, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with open_site(backup=tmp_path / "file" / "backups").browser() as visitor:
        (warning,) = visitor.get("/health").json()["warnings"]
    assert "Not a directory" in warning


def test_backup_settings_are_checked(tmp_path: Path) -> None:
    inputs = {"READYROOM_HOME": str(tmp_path), "READYROOM_BACKUP": str(tmp_path / "backups")}
    settings = Settings.from_environment(inputs | {"READYROOM_BACKUP_HOURS": "6", "READYROOM_DURABILITY": "power"})
    assert (settings.backup, settings.backup_hours, settings.backup_keep) == (tmp_path / "backups", 6, 7)
    assert (settings.durability, settings.key) == ("power", settings.secret)
    for name, value in (
        ("READYROOM_BACKUP_KEEP", "0"),
        ("READYROOM_BACKUP_HOURS", "soon"),
        ("READYROOM_DURABILITY", "x"),
    ):
        with pytest.raises(BadSetting, match=name):
            Settings.from_environment(inputs | {name: value})
