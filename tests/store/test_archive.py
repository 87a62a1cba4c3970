"""Tests of the archive: the whole database as one file."""

from __future__ import annotations

import re
import time
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select
from tests.store.playing import FRIEND, ME, check_whole, enrolled, opened, play
from tests.store.postgres import Postgres

from readyroom.campaign.war import shipped_war
from readyroom.engine.errors import SaveError
from readyroom.engine.record.highlights import Highlights, Scene
from readyroom.store import SeatAssignment, Store
from readyroom.store.errors import InvalidArchive, NewerDatabase, NotEmpty, OtherKey
from readyroom.store.tables import attempts, invitations, metadata, pairings, passes
from readyroom.store.tournaments.pairings import Pairing
from readyroom.study.daily.challenge import challenge_of
from readyroom.study.daily.results import Baseline
from readyroom.study.puzzles.puzzle import puzzles_of

SECRET = "the same on both machines"


def rows(store: Store) -> dict[str, list[dict[str, object]]]:
    """Return every row of every table."""
    with store.database.reading() as connection:
        return {
            table.name: [dict(row) for row in connection.execute(select(table).order_by(*table.primary_key)).mappings()]
            for table in metadata.sorted_tables
        }


def filled(url: str) -> Store:
    """Return a store with rows in every table."""
    store = Store(url, secret=SECRET)
    host, friend = enrolled(store), enrolled(store, "Nagumo 南雲")
    created = store.lobby.create(host, "straits", "many", {}, {"red": ME, "blue": FRIEND}, dice_nonce="luck")
    store.seats.join_by_link(created.links["blue"], friend.id)
    play(store, created.id, Random(1), 20)
    with store.matches.open(created.id) as match:
        able = next((seat.key for seat in match.seats if match.takeback_position(seat.key) is not None), None)
    while able is None:
        play(store, created.id, Random(2), 1)
        with store.matches.open(created.id) as match:
            able = next((seat.key for seat in match.seats if match.takeback_position(seat.key) is not None), None)
    store.matches.request_takeback(created.id, able)
    store.chat.post(created.id, host.id, "Ahoy 👋", None)
    store.chat.write_note(created.id, host.id, "Hurry.")
    over = opened(store, host=host)
    play(store, over, Random(1))
    store.listings.set_hidden(over, host.id)
    store.highlights.keep(over, 1, "rules", Highlights([], [], Scene(1, "", (), None, b"state")))
    bot = SeatAssignment("bot", "doctrine")
    store.campaigns.create(host, shipped_war("three-battles", ("half-an-hour",)), {"japan": FRIEND, "usa": bot})
    cup = store.tournaments.create(host, "Cup", "straits")
    store.tournaments.join(cup, host.id, client="an address")
    store.admin.unban(created.id, store.admin.ban(created.id, "blue", "A mistake").key)
    store.passkeys.add(host.id, "k", b"key", 0, "Phone")
    assert store.passkeys.use_challenge(b"answered", time.time() + 300)
    store.pushes.subscribe(store.players.new_session(host.id), "https://push.example/send", "key", "secret")
    with store.database.writing() as connection:
        passing = {"match": created.id, "seat": "red", "until": "turn", "turn": 1, "phase": "", "lines": 0}
        connection.execute(insert(passes), passing)
        attempt = {"match": "0gone", "day": "2026-01-01", "player": host.id, "counted": True, "at": 1.0}
        connection.execute(insert(attempts), attempt)
        connection.execute(insert(invitations), {"match": created.id, "player": friend.id})
        bye = Pairing(1, 1, 1, 1, None, "", "one", "bye")
        connection.execute(insert(pairings), {"tournament": cup, **bye._asdict()})
    store.friends.mark(host.id, friend.id)
    store.notebooks.create(host.id, "midway", "Dive bombers", 'game = "midway"')
    store.scenarios.create(host.id, "midway", "A duel", 'title = "A duel"')
    challenge = challenge_of(store.daily.today())
    store.daily.write_baseline(challenge, Baseline("1", "", [(1.0, 2, 3)]))
    puzzle = next(iter(puzzles_of("pearl").values()))
    store.puzzles.answer(host.id, puzzle, puzzle.best.keys)
    for player in (host, friend):
        store.ladder.join(player.id)
    rated = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    store.seats.join_by_link(rated.links["blue"], friend.id)
    play(store, rated.id, Random(1))
    assert all(rows(store).values())
    return store


@pytest.mark.parametrize("kinds", ["sqlite sqlite", "sqlite postgres", "postgres sqlite"])
@pytest.mark.sample(1)
def test_archive_round_trip_keeps_everything(kinds: str, postgres: Postgres, tmp_path: Path) -> None:
    source, target = (
        postgres.new_database() if kind == "postgres" else f"sqlite:///{tmp_path}/{n}.sqlite"
        for n, kind in enumerate(kinds.split())
    )
    file = tmp_path / "house.zip"
    with closing(filled(source)) as store:
        store.archive(file)
        before = rows(store)
    assert file.stat().st_mode & 0o777 == 0o600
    with closing(Store.restore(file, target, secret=SECRET)) as again:
        assert rows(again) == before
        host: Any = before["matches"][0]["host"]
        (going_on,) = [each for each in again.listings.matches_of(host) if each.outcome is None]
        last = max(row["id"] for row in before["messages"])  # type: ignore[type-var]
        again.chat.post(going_on.id, going_on.host, "On we go.", None)
        assert again.chat.messages(going_on.id, [])[-1].id > last  # type: ignore[operator]
        again.admin.ban(going_on.id, "blue", "Once more.")
        assert again.admin.last_audit_id() == len(before["journal"]) + 1
        again.admin.unban(going_on.id, "blue")
        play(again, going_on.id, Random(1))
        assert check_whole(again, going_on.id).outcome is not None


def test_restore_needs_empty_database(tmp_path: Path) -> None:
    file = tmp_path / "house.zip"
    url = f"sqlite:///{tmp_path}/here.sqlite"
    with closing(filled(url)) as store:
        store.archive(file)
        before = rows(store)
    with pytest.raises(NotEmpty):
        Store.restore(file, url, secret=SECRET)
    with closing(Store(url, secret=SECRET)) as store:
        assert rows(store) == before


def test_archive_of_another_key_is_restored_only_on_request(tmp_path: Path) -> None:
    file, url = tmp_path / "house.zip", f"sqlite:///{tmp_path}/there.sqlite"
    with closing(filled(f"sqlite:///{tmp_path}/here.sqlite")) as store:
        store.archive(file)
    with pytest.raises(OtherKey, match="READYROOM_SECRET"):
        Store.restore(file, url, secret="new")
    with closing(Store.restore(file, url, secret="new", accept=True)) as again:
        assert again.integrity.check().is_whole
        (going_on,) = [each for each in again.admin.stored_matches() if each.state == "playing"]
        play(again, going_on.summary.id, Random(1))
        assert check_whole(again, going_on.summary.id).outcome is not None
    with pytest.raises(OtherKey):
        Store(url, secret=SECRET)


def manifest(path: Path, **changes: object) -> None:
    """Rewrite the archive with another manifest."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    data = msgspec.json.decode(parts["manifest.json"]) | changes
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in (parts | {"manifest.json": msgspec.json.encode(data)}).items():
            archive.writestr(name, part)


def test_invalid_archive_is_rejected_unwritten(tmp_path: Path) -> None:
    file, url = tmp_path / "house.zip", f"sqlite:///{tmp_path}/there.sqlite"
    with closing(filled(f"sqlite:///{tmp_path}/here.sqlite")) as store:
        store.archive(file)
    whole = file.read_bytes()
    manifest(file, revision="9999")
    with pytest.raises(NewerDatabase):
        Store.restore(file, url)
    file.write_bytes(whole)
    manifest(file, tables={"players": 1})
    with pytest.raises(InvalidArchive, match="players has 2 rows"):
        Store.restore(file, url)
    encrypted = re.sub(rb"(PK\x01\x02.{4}).", b"\\1\x01", whole, flags=re.DOTALL)
    renamed = whole.replace(b"messages.jsonl", b"massages.jsonl")
    for damaged in (b"", b"hello", whole[: len(whole) // 2], renamed, encrypted):
        file.write_bytes(damaged)
        with pytest.raises(InvalidArchive):
            Store.restore(file, url)
    with pytest.raises(InvalidArchive):
        Store.restore(tmp_path / "nowhere.zip", url)
    with closing(Store(url)) as store:
        assert not any(lines for name, lines in rows(store).items() if name != "server")


def test_failed_archive_keeps_old_one(tmp_path: Path) -> None:
    with closing(Store(f"sqlite:///{tmp_path}/here.sqlite")) as store, pytest.raises(SaveError):
        store.archive(tmp_path / "nowhere" / "house.zip")
