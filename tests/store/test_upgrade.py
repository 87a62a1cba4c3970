"""Tests that a database of Ready Room 1.0, with matches of all five games, still works.

`version-1.sql.gz` was dumped by version 1.0 after bots had played some decisions of each match.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest
from sqlalchemy import select
from tests.store.playing import play

from readyroom.engine.errors import InvalidRecord
from readyroom.engine.record.format import parse
from readyroom.engine.record.labels import UNSIGNED, dice_label
from readyroom.engine.record.replay import verify
from readyroom.store import MatchSummary, Store
from readyroom.store.database import FILE
from readyroom.store.migrations import HEAD
from readyroom.store.tables import entries
from readyroom.web.app import open_store
from readyroom.web.settings import Settings

DUMP = Path(__file__).with_name("version-1.sql.gz")


def write_version_1(file: Path) -> str:
    """Write the old database to a file; return its dump."""
    text = gzip.decompress(DUMP.read_bytes()).decode()
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(text)
    return text


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, list[MatchSummary]]]:
    """Yield the old database as opened by this version, and its matches."""
    file = tmp_path_factory.mktemp("upgrade") / "version-1.sqlite"
    text = write_version_1(file)
    with closing(Store(f"sqlite:///{file}")) as store:
        host = store.players.of_session(text.partition("\n")[0].removeprefix("-- session "))
        assert host is not None
        yield store, list(store.listings.matches_of(host.id))


def test_unsigned_matches_of_version_1_are_labelled(upgraded: tuple[Store, list[MatchSummary]]) -> None:
    _, matches = upgraded
    for summary in matches:
        assert summary.signer == ""
        if summary.outcome is None:
            assert summary.dice_label in (UNSIGNED, dice_label("seed", over=False))


@pytest.mark.slow(20)
def test_unfinished_matches_of_version_1_are_played_to_the_end(upgraded: tuple[Store, list[MatchSummary]]) -> None:
    store, matches = upgraded
    unfinished = [summary for summary in matches if summary.outcome is None]
    assert len(unfinished) == 12
    for summary in unfinished:
        with store.matches.open(summary.id) as match:
            assert match.header.version == "1"
            assert match.revision >= summary.revision
        play(store, summary.id, Random(1))
        assert store.listings.summary(summary.id).outcome is not None
        assert parse(store.records.text(summary.id)).ending is not None


def test_finished_matches_of_version_1_keep_their_records(upgraded: tuple[Store, list[MatchSummary]]) -> None:
    store, matches = upgraded
    finished = [summary for summary in matches if summary.outcome is not None]
    assert {summary.game for summary in finished} == {"midway", "tora", "pearl", "picket", "doolittle"}
    for summary in finished:
        record = store.records.text(summary.id)
        ending = parse(record).ending
        assert ending is not None
        assert ending.outcome == summary.outcome


def test_records_of_version_1_hold_or_name_line_and_versions(upgraded: tuple[Store, list[MatchSummary]]) -> None:
    store, matches = upgraded
    for summary in matches:
        if summary.outcome is None:
            continue
        fault = _fault(store.records.text(summary.id))
        if fault is not None:
            assert fault.line > 1
            assert "played under rules version 1; installed is 2" in fault.differs


def _fault(record: str) -> InvalidRecord | None:
    try:
        verify(record)
    except InvalidRecord as error:
        return error
    return None


def test_matches_of_version_1_are_sealed_with_the_hashes_of_their_records(
    upgraded: tuple[Store, list[MatchSummary]],
) -> None:
    store, matches = upgraded
    store.integrity.seal_older()
    assert store.integrity.check().is_whole
    for summary in matches:
        with store.database.reading() as connection:
            wanted = select(entries.c.hash).where(entries.c.match == summary.id).order_by(entries.c.n)
            hashes = connection.execute(wanted).scalars().all()
        lines = store.records.text(summary.id).splitlines()[1:]
        assert hashes == [line[-34:-2] for line in lines[: len(hashes)]]


def test_server_backs_up_before_it_migrates(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_version_1(tmp_path / FILE)
    with caplog.at_level("INFO", "readyroom.web"):
        open_store(Settings(home=tmp_path)).close()
        open_store(Settings(home=tmp_path)).close()
    (backup,) = tmp_path.glob("before-upgrade-0005-*.zip")
    assert str(backup) in caplog.text
    assert caplog.text.count(f"migrated from revision 0005 to {HEAD}") == 1
    with ZipFile(backup) as archive:
        assert json.loads(archive.read("manifest.json"))["revision"] == "0005"
    with closing(Store.restore(backup, f"sqlite:///{tmp_path}/restored.sqlite")) as store:
        assert len(store.admin.stored_matches()) == 17
