"""The dice key: fixed by the secret and the words of all seats when the match begins, and signed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random

import msgspec
import pytest
from tests.store.playing import ANYONE, BOT, FRIEND, ME, enrolled, match_at, play
from tests.toys.straits import GAME

from readyroom import Match
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.record.format import Header, parse
from readyroom.engine.record.labels import REPLAY_ONLY, UNSIGNED
from readyroom.engine.record.replay import verify
from readyroom.engine.record.signature import Signer, check_signature
from readyroom.engine.rules.dice import KeyedDice, key_of
from readyroom.store import CreatedMatch, Player, SeatAssignment, Store
from readyroom.store.errors import ImportRejected
from readyroom.store.rows import match_row
from readyroom.testing.playouts import AnyMatch

SIGNER = Signer("A" * 43)
EVENT = "1|a|b|c|1"


@pytest.fixture
def signing(store: Store) -> Store:
    store.sign_with(SIGNER)
    return store


def opened(store: Store, host: Player, red: SeatAssignment, blue: SeatAssignment, words: str = "") -> CreatedMatch:
    return store.lobby.create(host, "straits", None, {}, {"red": red, "blue": blue}, dice_nonce=words)


def all_seats(store: Store, host: Player) -> tuple[str, dict[str, str]]:
    return opened(store, host, ME, ME, "host").id, {"red": "host", "blue": "host"}


def with_bot(store: Store, host: Player) -> tuple[str, dict[str, str]]:
    return opened(store, host, ME, BOT, "host").id, {"red": "host"}


def by_link(store: Store, host: Player) -> tuple[str, dict[str, str]]:
    new = opened(store, host, ME, FRIEND, "host")
    store.seats.join_by_link(new.links["blue"], enrolled(store).id, "guest")
    return new.id, {"red": "host", "blue": "guest"}


def by_open_seat(store: Store, host: Player) -> tuple[str, dict[str, str]]:
    new = opened(store, host, ME, ANYONE, "host")
    store.seats.join_open_seat(new.id, "blue", enrolled(store).id, "guest")
    return new.id, {"red": "host", "blue": "guest"}


def by_assigned_bot(store: Store, host: Player) -> tuple[str, dict[str, str]]:
    new = opened(store, host, ME, FRIEND, "host")
    store.seats.assign_bot(new.id, "blue", "random", host.id)
    return new.id, {"red": "host"}


def without_waiting(store: Store, host: Player) -> tuple[str, dict[str, str]]:
    new = opened(store, host, ME, FRIEND, "host")
    store.lobby.begin(new.id, host.id)
    store.seats.join_by_link(new.links["blue"], enrolled(store).id, "too late")
    return new.id, {"red": "host"}


def after_leaving(store: Store, host: Player) -> tuple[str, dict[str, str]]:
    new = opened(store, host, ME, FRIEND, "host")
    guest = enrolled(store)
    third = store.lobby.create(host, "straits", None, {}, {"red": ANYONE, "blue": ANYONE}).id
    store.seats.join_open_seat(third, "red", guest.id, "gone")
    store.seats.leave_seat(third, "red", guest.id)
    store.seats.join_open_seat(third, "red", host.id, "stays")
    store.seats.join_open_seat(third, "blue", guest.id)
    assert new.id != third
    return third, {"red": "stays"}


def without_words(store: Store, host: Player) -> tuple[str, dict[str, str]]:
    new = opened(store, host, ME, FRIEND)
    store.seats.join_by_link(new.links["blue"], enrolled(store).id)
    return new.id, {}


Way = Callable[[Store, Player], tuple[str, dict[str, str]]]
WAYS: list[Way] = [
    *(all_seats, with_bot, by_link, by_open_seat, by_assigned_bot, without_waiting, after_leaving, without_words)
]


@pytest.mark.sample(8)
@pytest.mark.parametrize("way", WAYS)
def test_key_is_secret_and_words_however_match_begins(signing: Store, way: Way) -> None:
    match_id, words = way(signing, enrolled(signing))
    summary = signing.listings.summary(match_id)
    with signing.database.reading() as connection:
        row = match_row(connection, match_id)
    header = msgspec.json.decode(row.header, type=Header)
    assert header.nonces == words
    assert header.fingerprint == summary.fingerprint
    assert check_signature(header, SIGNER.key) == summary.signer == SIGNER.key
    assert (header.match, header.signature) == (match_id, summary.signature)
    assert summary.dice_label == ""
    with signing.matches.open(match_id) as match:
        dice = match._dice.current.dice
        assert dice.roll(EVENT, 9) == KeyedDice(key_of(row.secret, words)).roll(EVENT, 9)
    play_bots_out(signing, match_id)
    record = signing.records.text(match_id)
    assert verify(record, match_at(signing, match_id).game).header == header


def play_bots_out(store: Store, match_id: str) -> None:
    play(store, match_id, Random(1))


def test_words_given_later_are_not_kept(signing: Store) -> None:
    match_id, _ = without_waiting(signing, enrolled(signing))
    with signing.database.reading() as connection:
        rows = connection.exec_driver_sql(f"SELECT words FROM seats WHERE match = '{match_id}'").scalars().all()
    assert sorted(rows) == ["", "host"]


def test_match_begins_once_with_one_key_in_two_processes(signing: Store, url: str) -> None:
    host, other = enrolled(signing), Store(url)
    other.sign_with(Signer(f"{'B' * 42}A"))
    guests = [enrolled(signing), enrolled(signing)]
    for _ in range(5):
        new = signing.lobby.create(host, "straits", None, {}, {"red": ANYONE, "blue": ANYONE})
        barrier = threading.Barrier(2)

        def join(
            store: Store, seat: str, guest: Player, match_id: str = new.id, start: threading.Barrier = barrier
        ) -> None:
            start.wait()
            store.seats.join_open_seat(match_id, seat, guest.id, f"words of {seat}")

        threads = [
            threading.Thread(target=join, args=(signing, "red", guests[0])),
            threading.Thread(target=join, args=(other, "blue", guests[1])),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        headers = []
        for store in (signing, other):
            with store.matches.open(new.id) as match:
                headers.append(match.header)
        assert headers[0] == headers[1]
        assert headers[0].nonces == {"red": "words of red", "blue": "words of blue"}
        assert check_signature(headers[0])
    other.close()


# -- labels ----------------------------------------------------------------------------------------------------------


def test_normal_match_has_no_label(signing: Store) -> None:
    new = opened(signing, enrolled(signing), ME, FRIEND)
    assert signing.listings.summary(new.id).dice_label == ""
    signing.seats.join_by_link(new.links["blue"], enrolled(signing).id)
    assert signing.listings.summary(new.id).dice_label == ""


def test_seed_is_labelled_and_signed(signing: Store) -> None:
    host = enrolled(signing)
    match_id = signing.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}, seed="s").id
    assert signing.listings.summary(match_id).dice_label.startswith("Predictable dice: this match uses a seed")
    signing.lobby.begin(match_id, host.id)
    with signing.matches.open(match_id) as match:
        assert match.header.origin == "seed"
        check_signature(match.header, SIGNER.key)


def test_import_that_continues_is_labelled_and_unsigned(signing: Store) -> None:
    host = enrolled(signing)
    match_id = signing.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ME}).id
    play(signing, match_id, Random(1), 3)
    with signing.matches.open(match_id) as match:
        record, secret = match.record(), match.secret
    again = signing.records.import_match(record, host, secret)
    summary = signing.listings.summary(again)
    assert summary.dice_label == "Predictable dice: this match was imported by its host, who can predict every roll."
    assert (summary.origin, summary.signer, summary.signature) == ("import", "", "")
    header = parse(signing.records.text(again)).header
    assert header.origin == "import"
    assert check_signature(header) == ""


def test_finished_import_is_only_for_replay(signing: Store) -> None:
    match_id, _ = all_seats(signing, enrolled(signing))
    play_bots_out(signing, match_id)
    again = signing.records.import_match(signing.records.text(match_id), enrolled(signing))
    assert signing.listings.summary(again).dice_label == REPLAY_ONLY
    assert signing.records.text(again) == signing.records.text(match_id)


def test_forged_unfinished_record_is_not_imported(signing: Store) -> None:
    match_id, _ = all_seats(signing, enrolled(signing))
    with signing.matches.open(match_id) as match:
        match.continue_record(msgspec.structs.replace(match.header, match="abc"))
        forged, secret = match.record(), match.secret
    signing._shared.live.forget(match_id)
    with pytest.raises(InvalidRecord, match="signature"):
        signing.records.import_match(forged, enrolled(signing), secret)


def test_record_with_long_words_is_not_imported(signing: Store) -> None:
    match: AnyMatch = Match(GAME, "many", nonces={"red": "x" * 300})
    with pytest.raises(ImportRejected, match="300 characters"):
        signing.records.import_match(match.record(), enrolled(signing), match.secret)


def test_unsigned_match_in_progress_is_labelled(store: Store) -> None:
    match_id, _ = all_seats(store, enrolled(store))
    assert store.listings.summary(match_id).dice_label == UNSIGNED
    play_bots_out(store, match_id)
    assert store.listings.summary(match_id).dice_label == ""
