"""Tests of exporting and importing records, and of review."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace
from tests.store.playing import check_whole, enrolled, match_at, opened, play
from tests.toys.straits import GAME

from readyroom import Match
from readyroom.engine.errors import InvalidRecord, ReadyRoomError, UnknownScenario
from readyroom.engine.record.format import first_line, parse
from readyroom.engine.record.replay import verify
from readyroom.store import Store
from readyroom.store.errors import ImportRejected
from readyroom.testing.playouts import AnyMatch, play_on
from readyroom.testing.snapshots import difference, table_snapshot

RECORDS = Path(__file__).parents[1] / "records"


def played(upto: int | None = None, seed: str | None = None, secret: bytes | None = None) -> AnyMatch:
    match: AnyMatch = Match(GAME, "many", None, seed, secret=secret)
    for _ in play_on(match, Random(4), upto=upto):
        pass
    return match


def test_full_record_verifies(store: Store) -> None:
    match_id = opened(store, dice_nonce="luck")
    play(store, match_id, Random(3))
    assert verify(store.records.text(match_id), GAME).outcome is not None


def test_decision_times_are_recorded(store: Store) -> None:
    match_id = opened(store)
    play(store, match_id, Random(3), 5)
    times = store.records.decision_times(match_id)
    assert list(times) == [1, 2, 3, 4, 5]
    assert list(times.values()) == sorted(times.values())
    assert all(abs(datetime.now(UTC) - at) < timedelta(minutes=1) for at in times.values())


def test_earlier_revision_shows_match_as_it_was(store: Store) -> None:
    match_id = opened(store)
    snapshots = []
    for n in range(12):
        with store.matches.open(match_id) as match:
            snapshots.append(table_snapshot(match))
        play(store, match_id, Random(n), 1)
    for n, then in enumerate(snapshots):
        assert not difference(table_snapshot(match_at(store, match_id, n)), then)


def test_import_of_finished_match_is_viewable(store: Store) -> None:
    match, host = played(), enrolled(store)
    match_id = store.records.import_match(match.record(), host)
    summary = store.listings.summary(match_id)
    assert (summary.started, summary.outcome, summary.host) == (True, match.outcome, host.id)
    assert (summary.revision, summary.fingerprint, summary.waiting) == (match.revision, match.fingerprint, ())
    assert not any(seat.open or seat.invited or seat.players for seat in summary.seats)
    assert store.records.text(match_id) == match.record()
    with store.matches.open(match_id) as kept:
        assert not difference(table_snapshot(kept), table_snapshot(match))
    assert match_at(store, match_id, 3).decision_count == 3
    assert [mine.id for mine in store.listings.matches_of(host.id)] == [match_id]


@pytest.mark.parametrize("upto", [0, 1, 14, 30])
def test_import_of_unfinished_match_continues(store: Store, upto: int) -> None:
    secret = b"s" * 32
    match, host = played(upto, secret=secret), enrolled(store)
    with pytest.raises(InvalidRecord, match="the match is unfinished"):
        store.records.import_match(match.record(), host)
    match_id = store.records.import_match(match.record(), host, secret)
    assert store.listings.summary(match_id).seats_of(host.id) == ["red", "blue"]
    check_whole(store, match_id)
    play(store, match_id, Random(2))
    assert check_whole(store, match_id).outcome is not None
    parsed, before = parse(store.records.text(match_id)), parse(match.record())
    assert parsed.header == replace(before.header, origin="import")
    assert parsed.entries[: len(before.entries)] == before.entries


def test_seed_reveals_dice_key(store: Store) -> None:
    match_id = store.records.import_match(played(9, seed="a lesson").record(), enrolled(store))
    assert check_whole(store, match_id).revision == 9


@pytest.mark.parametrize("name", ["continued-after-a-fork", "real-dice-entered-by-hand", "decisions-taken-back"])
def test_import_keeps_every_kind_of_record(store: Store, name: str) -> None:
    text = (RECORDS / f"{name}.jsonl").read_text()
    match_id = store.records.import_match(text, enrolled(store))
    assert store.records.text(match_id) == text
    with store.matches.open(match_id) as match:
        assert match.outcome == store.listings.summary(match_id).outcome


def changed(text: str) -> str:
    return text.replace('"seat":"red"', '"seat":"rad"', 1)


REFUSED = {
    "nothing": "",
    "no record": "hello",
    "binary": "\0\ud800",
    "changed": changed(played().record()),
    "cut off": played().record()[:-20],
    "a fork that is not over": played(9, seed="f").fork().record(),
}


@pytest.mark.parametrize("what", REFUSED)
def test_import_rejects_invalid_record(store: Store, what: str) -> None:
    host = enrolled(store)
    with pytest.raises(ReadyRoomError):
        store.records.import_match(REFUSED[what], host)
    assert store.listings.matches_of(host.id) == []


def test_import_reads_no_server_file(store: Store, tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('title = "Own"\nsummary = ""\nstrengths = [1]\n')
    match: AnyMatch = Match(GAME, str(own), seed="own")
    header = msgspec.structs.replace(match.header, scenario=str(own), own=None)
    with pytest.raises(UnknownScenario):
        store.records.import_match(first_line(header) + "\n", enrolled(store))


def test_import_rejects_too_long_record_unread(store: Store) -> None:
    with pytest.raises(ImportRejected, match="the maximum is"):
        store.records.import_match("x" * 5_000_001, enrolled(store))
