"""Tests that altered and damaged matches are noticed, closed, and can be checked, exported and accepted."""

from __future__ import annotations

import logging
import resource
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Table, delete, event, select, update
from tests.store.conftest import Toys
from tests.store.playing import BOT, FRIEND, ME, check_whole, enrolled, match_at, opened, play

from readyroom.engine.record.format import parse
from readyroom.store import Store
from readyroom.store.admin.integrity_checks import CheckedMatch
from readyroom.store.database import Database
from readyroom.store.errors import DamagedDatabase, MatchDamaged, OtherKey, StorageFull, WriteFailed
from readyroom.store.tables import checkpoints, entries, log, matches, seats, server

ENTRY = '{"n":2,"seat":"red","rule":"1","chose":["a"]}'


@pytest.fixture
def match_id(store: Store) -> str:
    """Return a match in progress, and one that nothing is done to."""
    check_whole(store, opened(store))
    while True:
        match_id = opened(store)
        if play(store, match_id, Random(5), 20) == 20 and store.listings.summary(match_id).outcome is None:
            return match_id


def alter(store: Store, statement: Any) -> None:
    """Change the database as someone else would, and let the store forget what it has in memory."""
    with store.database.writing() as connection:
        connection.execute(statement)
    store._shared.live._matches.clear()


def state(store: Store, match_id: str) -> CheckedMatch:
    """Return the check of a match."""
    (found,) = [each for each in store.integrity.check().matches if each.id == match_id]
    return found


def of(table: Table, match_id: str) -> Any:
    """Return the update of a table's rows of a match."""
    return update(table).where((table.c.id if table is matches else table.c.match) == match_id)


def altered_match(values: dict[str, object], match_id: str) -> Any:
    """Return an update of the match."""
    return of(matches, match_id).values(**values)


def altered_seat(values: dict[str, object], match_id: str) -> Any:
    """Return an update of the seat of red."""
    return of(seats, match_id).where(seats.c.seat == "red").values(**values)


LINE = '{"turn":1,"phase":"","rule":"","text":""}'

CHANGES: dict[str, Callable[[str], Any]] = {
    "an answer": lambda m: of(entries, m).where(entries.c.n == 2).values(told=ENTRY),
    "the kind of an answer": lambda m: of(entries, m).where(entries.c.n == 2).values(undo=True),
    "the hash of an answer": lambda m: of(entries, m).where(entries.c.n == 2).values(hash="0" * 32),
    "the time of an answer": lambda m: of(entries, m).where(entries.c.n == 2).values(at=1.0),
    "the audience of an answer": lambda m: of(entries, m).where(entries.c.n == 2).values(unseen='["red"]'),
    "a missing answer": lambda m: delete(entries).where(entries.c.match == m, entries.c.n == 20),
    "a missing answer in between": lambda m: delete(entries).where(entries.c.match == m, entries.c.n == 3),
    "a line of the log": lambda m: (
        of(log, m).where(log.c.i == 1).values(line='{"turn":1,"phase":"","rule":"","text":""}')
    ),
    "a missing line of the log": lambda m: delete(log).where(log.c.match == m, log.c.i == 1),
    "the state": lambda m: of(checkpoints, m).values(state=b"nothing"),
    "the place of the checkpoint": lambda m: of(checkpoints, m).values(lines=0),
    "a missing checkpoint": lambda m: delete(checkpoints).where(checkpoints.c.match == m),
    "the header": lambda m: of(matches, m).values(header='{"game":1}'),
    "the outcome": lambda m: of(matches, m).values(outcome='{"winner":"red","title":"Won","text":"Won."}'),
    **{
        f"matches.{name}": partial(altered_match, {name: value})
        for name, value in {
            **dict.fromkeys(("title", "scenario_title", "phase", "seal", "origin", "signature", "fingerprint"), "x"),
            "secret": b"mine",
            "seed": "mine",
            "options": '{"a":"b"}',
            "waiting": '["grey"]',
            "listed": True,
            "turn": 7,
            "barrier": 1,
            "revision": 19,
            "lines": 1,
            "host": None,
            "handed": 5,
            "guided": True,
            "decided_for": "blue",
            "decided": "draw",
        }.items()
    },
    **{
        f"seats.{name}": partial(altered_seat, {name: "random"})
        for name in ("bot", "words", "banned", "name", "side", "who")
    },
    "no seal": lambda m: of(matches, m).values(head="", seating=""),
}
"""Changes by name; each is noticed at the next load."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("change", CHANGES)
def test_altered_match_is_closed(store: Store, match_id: str, change: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    alter(store, CHANGES[change](match_id))
    for _ in range(2):
        with pytest.raises(MatchDamaged, match="other matches continue"), store.matches.open(match_id):
            pass
    with pytest.raises(MatchDamaged):
        store.matches.answer(match_id, "red", [], None)
    if not change.startswith("seats."):
        with pytest.raises(MatchDamaged):
            match_at(store, match_id, 5)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"match {match_id} is damaged and closed"
    ]
    assert store.listings.summary(match_id).damaged
    assert (state(store, match_id).closed, bool(state(store, match_id).damage)) == (True, True)
    assert store.integrity.probe() >= 1


def test_hashes_are_those_of_the_record(store: Store, match_id: str) -> None:
    with store.database.reading() as connection:
        wanted = select(entries.c.hash).where(entries.c.match == match_id).order_by(entries.c.n)
        hashes = connection.execute(wanted).scalars().all()
    lines = store.records.text(match_id).splitlines()
    assert [line[-34:-2] for line in lines[1:]] == hashes


def test_altered_entry_is_not_served(store: Store, match_id: str) -> None:
    """Even if all hashes after it fit: only the key of the seals is unknown to who can write to the database."""
    from readyroom.store.integrity import Seals

    with store.database.writing() as connection:
        connection.execute(of(entries, match_id).where(entries.c.n == 20).values(told=ENTRY.replace("2", "20")))
        Seals("a guess").write(connection, match_id)
    store._shared.live._matches.clear()
    for look in (store.records.text, store.records.source):
        with pytest.raises(MatchDamaged):
            look(match_id)


def test_undamaged_part_is_exported(store: Store, match_id: str) -> None:
    whole = store.records.text(match_id)
    assert store.records.whole_text(match_id) == whole
    alter(store, CHANGES["an answer"](match_id))
    with pytest.raises(MatchDamaged):
        store.records.text(match_id)
    assert store.records.whole_text(match_id) == "".join(whole.splitlines(keepends=True)[:2])
    assert len(parse(store.records.whole_text(match_id)).entries) == 1


def test_quarantine_ends_when_the_match_is_whole_again(store: Store, match_id: str) -> None:
    with store.database.reading() as connection:
        answer = connection.execute(
            select(entries.c.told).where(entries.c.match == match_id, entries.c.n == 2)
        ).scalar()
    alter(store, CHANGES["an answer"](match_id))
    with pytest.raises(MatchDamaged), store.matches.open(match_id):
        pass
    assert not store.integrity.check(repair=True).is_whole
    alter(store, of(entries, match_id).where(entries.c.n == 2).values(told=answer))
    with pytest.raises(MatchDamaged), store.matches.open(match_id):
        pass
    store.integrity.check(repair=True)
    assert state(store, match_id) == (match_id, "straits", False, None)
    play(store, match_id, Random(1), 3)
    check_whole(store, match_id)
    assert store.admin.audit_log()[-1].act == "repair"


def test_admin_accepts_a_damaged_match(store: Store, match_id: str) -> None:
    alter(store, CHANGES["seats.words"](match_id))
    with pytest.raises(MatchDamaged), store.matches.open(match_id):
        pass
    store.integrity.seal(match_id)
    play(store, match_id, Random(1), 3)
    check_whole(store, match_id)
    assert (store.admin.audit_log()[-1].act, state(store, match_id).damage) == ("seal", None)


def test_match_changed_before_its_start_does_not_start(store: Store) -> None:
    host = enrolled(store)
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    alter(store, of(matches, created.id).values(secret=b"known"))
    with pytest.raises(MatchDamaged):
        store.seats.join_by_link(created.links["blue"], enrolled(store, "Nagumo").id)
    with pytest.raises(MatchDamaged):
        store.lobby.begin(created.id, host.id)


def test_seats_changed_by_hand_cannot_be_sealed_by_a_later_change(store: Store, match_id: str) -> None:
    alter(store, CHANGES["seats.name"](match_id))
    with pytest.raises(MatchDamaged):
        store.admin.ban(match_id, "blue", "A reason.")
    host = store.listings.summary(match_id).host
    store.admin.delete_player(host)
    with pytest.raises(MatchDamaged), store.matches.open(match_id):
        pass


def test_live_match_closed_by_another_process_is_not_saved(url: str, store: Store, match_id: str) -> None:
    with store.matches.open(match_id):
        pass
    with closing(Store(url)) as other:
        other._shared.live.quarantine(match_id, "a reason")
    with pytest.raises(MatchDamaged, match="a reason"):
        play(store, match_id, Random(1), 1)


def test_stray_rows_are_deleted_on_request(tmp_path: Path) -> None:
    with closing(Store(f"sqlite:///{tmp_path}/matches.sqlite")) as store:
        opened(store)
        with closing(sqlite3.connect(tmp_path / "matches.sqlite")) as raw, raw:
            raw.execute("INSERT INTO log VALUES ('gone', 0, '{}')")
        assert store.integrity.check().orphans == {"log": 1}
        store.integrity.check(repair=True)
        assert store.integrity.check().is_whole


# -- keys --------------------------------------------------------------------------------------------------------------


def test_another_key_is_refused_until_all_is_sealed_again(empty_url: str) -> None:
    with closing(Store(empty_url, secret="old")) as store:
        match_id, broken = opened(store), opened(store)
        play(store, match_id, Random(1), 5)
        play(store, broken, Random(1), 5)
        alter(store, of(entries, broken).where(entries.c.n == 2).values(told=ENTRY))
    with pytest.raises(OtherKey, match="admin seal"):
        Store(empty_url, secret="new")
    with closing(Store(empty_url, secret="new", accept=True)) as store:
        assert all(each.damage for each in store.integrity.check().matches), "opening it has sealed nothing"
        assert store.integrity.seal_all().keys() == {broken}
        assert [each.why for each in store.admin.audit_log()] == ["all matches"]
        play(store, match_id, Random(1), 5)
        check_whole(store, match_id)
        with pytest.raises(MatchDamaged), store.matches.open(broken):
            pass
    with closing(Store(empty_url, secret="new")) as store:
        assert [each.id for each in store.integrity.check().matches if each.damage] == [broken]
    with pytest.raises(OtherKey):
        Store(empty_url, secret="old")


def unseal(store: Store) -> None:
    """Return the database to what the migration makes of one of version 1.0."""
    with store.database.writing() as connection:
        connection.execute(update(matches).values(head="", seating=""))
        connection.execute(update(entries).values(hash=""))
        connection.execute(delete(server))


def test_older_matches_are_sealed_once(empty_url: str) -> None:
    with closing(Store(empty_url)) as store:
        ids = [opened(store) for _ in range(3)]
        for match_id in ids:
            play(store, match_id, Random(1), 5)
        unseal(store)
    progress: list[tuple[int, int]] = []
    with closing(Store(empty_url)) as store:
        play(store, ids[0], Random(1), 2)
        store.admin.ban(ids[1], "red", "A reason.")
        store.admin.unban(ids[1], "red")
        assert store.integrity.check().is_whole
        assert store.integrity.seal_older(lambda done, of: progress.append((done, of))) == 2
        assert progress == [(1, 2), (2, 2)]
        assert (store.integrity.seal_older(), store.admin.audit_log()[-1].act) == (0, "seal")
        for match_id in ids:
            check_whole(store, match_id)
        alter(store, of(matches, ids[2]).values(head="", seating=""))
        with pytest.raises(MatchDamaged), store.matches.open(ids[2]):
            pass


def test_damaged_older_match_is_closed_and_the_others_are_sealed(empty_url: str) -> None:
    with closing(Store(empty_url)) as store:
        broken, match_id = opened(store), opened(store)
        for each in (broken, match_id):
            play(store, each, Random(1), 5)
        unseal(store)
        alter(store, delete(log).where(log.c.match == broken, log.c.i == 0))
    with closing(Store(empty_url)) as store:
        store.integrity.seal_older()
        check_whole(store, match_id)
        assert [each.id for each in store.integrity.check().matches if each.closed] == [broken]
        with pytest.raises(MatchDamaged, match="log is missing"):
            store.integrity.seal(broken)


def test_bots_of_damaged_match_are_not_due(store: Store) -> None:
    match_id = store.lobby.create(enrolled(store), "straits", None, {}, {"red": ME, "blue": BOT}).id
    alter(store, of(seats, match_id).where(seats.c.seat == "red").values(bot="random"))
    assert match_id in store.matches.awaiting_bots()
    with pytest.raises(MatchDamaged):
        store.matches.bot_turn(match_id)
    assert match_id not in store.matches.awaiting_bots()


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path, toys: Toys) -> Path:
    """Return a database file with matches."""
    with closing(Store(f"sqlite:///{tmp_path}/matches.sqlite")) as store:
        for _ in range(4):
            play(store, opened(store), Random(1), 30)
    return tmp_path / "matches.sqlite"


def test_quick_check_finds_a_damaged_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytearray(file.read_bytes())
    with closing(Database(f"sqlite:///{file}")) as database:
        assert database.quick_check()
        monkeypatch.setattr("readyroom.store.database.STEPS", 10)
        assert not database.quick_check(seconds=-1)
    for at in range(4096 * 10, len(data), 4096):
        data[at : at + 8] = b"\xff" * 8
    file.write_bytes(data)
    with closing(Database(f"sqlite:///{file}", upto=None)) as database, pytest.raises(DamagedDatabase):
        database.quick_check()


def test_damaged_page_closes_matches_and_fails_the_probe(file: Path) -> None:
    with closing(Store(f"sqlite:///{file}")) as store:
        ids = [each.summary.id for each in store.admin.stored_matches()]
    data = bytearray(file.read_bytes())
    with closing(sqlite3.connect(file)) as raw:
        (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()
    data[4096 * (page - 1) : 4096 * (page - 1) + 16] = b"\xff" * 16
    file.write_bytes(data)
    with closing(Store(f"sqlite:///{file}")) as store:
        assert store.integrity.probe() == 0
        for match_id in ids:
            with pytest.raises(MatchDamaged, match="file is damaged"), store.matches.open(match_id):
                pass
        with pytest.raises(DamagedDatabase, match="admin check"):
            store.integrity.probe()
        assert store.integrity.check().faults


def limit_pages(store: Store, most: int) -> None:
    """Limit the size of the store's file, as a full disk does."""

    def limited(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count={most}").close()

    store.database.engine.dispose()
    event.listen(store.database.engine, "connect", limited)


def test_full_disk_refuses_moves_and_loses_nothing(file: Path) -> None:
    with closing(Store(f"sqlite:///{file}")) as store:
        match_id = opened(store)
        reached = play(store, match_id, Random(1), 3)
        with closing(sqlite3.connect(file)) as raw:
            (pages,) = raw.execute("PRAGMA page_count").fetchone()
        limit_pages(store, pages)
        refused = False
        while not refused:
            try:
                reached = play(store, match_id, Random(1), 1)
                if store.listings.summary(match_id).outcome is not None:
                    match_id, reached = opened(store), 0
            except StorageFull as error:
                refused = "disk is full" in str(error)
        assert check_whole(store, match_id).true_revision == reached
        limit_pages(store, 1_000_000)
        assert play(store, match_id, Random(1), 1) == reached + 1
        check_whole(store, match_id)


def test_limit_of_file_size_counts_as_full_disk(file: Path) -> None:
    with closing(Store(f"sqlite:///{file}")) as store:
        match_id = opened(store)
        host, reached = store.listings.summary(match_id).host, play(store, match_id, Random(1), 3)

        def fill() -> None:
            for _ in range(1000):
                store.chat.post(match_id, host, "x" * 400, None)

        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        largest = max(each.stat().st_size for each in file.parent.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 10_000, limits[1]))
        try:
            for act in (fill, store.integrity.probe, lambda: play(store, match_id, Random(1), 1)):
                with pytest.raises(StorageFull, match="disk is full"):
                    act()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert play(store, match_id, Random(1), 1) == reached + 1
        check_whole(store, match_id)
        assert all(each.name == "web.key" or each.name.startswith(file.name) for each in file.parent.iterdir())


def test_probe_notices_full_and_readonly_disks(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Store(f"sqlite:///{file}")) as store:
        store.integrity.probe()
        usage = shutil.disk_usage(file.parent)
        with monkeypatch.context() as full:
            full.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
            with pytest.raises(StorageFull):
                store.integrity.probe()
        store.integrity.probe()
        with closing(sqlite3.connect(file, isolation_level=None)) as writer:
            monkeypatch.setattr("readyroom.store.admin.integrity_checks.PROBE_PATIENCE", 0.01)
            writer.execute("BEGIN IMMEDIATE")
            with pytest.raises(WriteFailed, match="locked"):
                store.integrity.probe()


def test_durability_is_set_on_each_connection(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/matches.sqlite"
    for durability, value in (("process", 1), ("power", 2)):
        with closing(Database(url, durability=durability)) as database, database.glance() as connection:  # type: ignore[arg-type]
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == value
