"""Tests of administration: deletion, bans and the audit log, on both kinds of database."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest
from sqlalchemy import select, update
from tests.store.playing import BOT, FRIEND, ME, check_whole, enrolled, opened, play

from readyroom.engine.errors import UnknownSeat
from readyroom.store import Store
from readyroom.store.database import Database, revision_of
from readyroom.store.errors import (
    InvalidText,
    NewerDatabase,
    SeatBanned,
    SeatTaken,
    UnknownLink,
    UnknownMatchId,
    UnknownPerson,
    UnknownPlayer,
)
from readyroom.store.tables import journal, matches, messages, metadata, players


def rows_of(store: Store, match: str) -> dict[str, int]:
    """Return the number of rows each table has for a match."""
    with store.database.reading() as connection:
        return {
            table.name: len(connection.execute(select(table).where(table.c.match == match)).all())
            for table in metadata.sorted_tables
            if "match" in table.c and table is not journal
        }


def two_seats(store: Store) -> tuple[str, str, str, str]:
    """Return a match with a host on red and a guest on blue: its id, both players, and blue's link."""
    host, guest = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    store.seats.join_by_link(created.links["blue"], guest.id)
    return created.id, host.id, guest.id, store.seats.new_link(created.id, "blue", guest.id)


def test_deleted_match_leaves_nothing(store: Store) -> None:
    gone, stays = opened(store), opened(store)
    for match in (gone, stays):
        play(store, match, Random(1), 6)
        host = store.listings.summary(match).host
        store.chat.post(match, host, "Ahoy.", None)
        store.chat.write_note(match, host, "Hurry.")
        store.listings.set_hidden(match, host)
    assert sum(rows_of(store, gone).values()) > 10
    held = store.admin.live_count
    store.admin.remove(gone, "asked for")
    assert not any(rows_of(store, gone).values())
    assert store.admin.live_count == held - 1
    with pytest.raises(UnknownMatchId):
        store.listings.summary(gone)
    with pytest.raises(UnknownMatchId), store.matches.open(gone):
        pass
    with pytest.raises(UnknownMatchId):
        store.admin.remove(gone)
    check_whole(store, stays)
    assert [(done.act, done.match, done.why) for done in store.admin.audit_log()][-1] == ("delete", gone, "asked for")


def test_deleted_match_is_dropped_by_other_process(url: str) -> None:
    with closing(Store(url)) as store, closing(Store(url)) as other:
        match = opened(store)
        play(store, match, Random(1), 3)
        with store.matches.open(match):
            other.admin.remove(match)
        with pytest.raises(UnknownMatchId):
            play(store, match, Random(2), 1)
        assert not any(rows_of(store, match).values())


def test_banned_seat_shows_reason_until_unbanned(store: Store) -> None:
    match, host, guest, link = two_seats(store)
    assert store.listings.summary(match).seats_of(guest) == ["blue"]
    store.admin.ban(match, "blue", "Foul words.")
    summary = store.listings.summary(match)
    assert summary.seats_of(guest) == []
    assert summary.banned_from(guest) is not None
    assert summary.banned_from(host) is None
    for attempt in (
        lambda: store.seats.match_by_link(link),
        lambda: store.seats.join_by_link(link, guest),
        lambda: store.seats.join_open_seat(match, "blue", guest),
        lambda: store.seats.new_link(match, "blue", guest),
        lambda: store.seats.new_link(match, "blue", host),
    ):
        with pytest.raises(SeatBanned, match=r"Foul words\.$"):
            attempt()
    assert store.admin.unban(match, "blue")
    assert not store.admin.unban(match, "blue")
    assert store.listings.summary(match).seats_of(guest) == ["blue"]
    assert store.seats.match_by_link(link)[1] == "blue"
    assert [(done.act, done.seat) for done in store.admin.audit_log() if done.match == match] == [
        ("ban", "blue"),
        ("unban", "blue"),
    ]


def test_host_assigns_bot_to_banned_seat(store: Store) -> None:
    match, host, guest, _ = two_seats(store)
    store.admin.ban(match, "blue", "Foul words")
    summary = store.seats.assign_bot(match, "blue", "random", host)
    assert not any(summary.may_take_back(seat, guest) for seat in summary.seats)
    play(store, match, Random(3))
    assert store.listings.summary(match).outcome is not None
    store.admin.unban(match, "blue")
    with pytest.raises(SeatTaken, match="bot"):
        store.admin.ban(match, "blue", "Again")


def test_used_link_to_banned_seat_shows_reason(store: Store) -> None:
    match, _, _, _ = two_seats(store)
    link = store.admin.invite(match, "blue")
    store.seats.join_by_link(link, enrolled(store, "Kusaka").id)
    store.admin.ban(match, "blue", "Foul words")
    with pytest.raises(SeatBanned):
        store.seats.used_link(link)


def test_new_link_of_banned_seat_is_for_another_player(store: Store) -> None:
    match, _, guest, link = two_seats(store)
    store.admin.ban(match, "blue", "Foul words")
    secret = store.admin.invite(match, "blue")
    assert store.seats.match_by_link(secret)[1] == "blue"
    with pytest.raises(UnknownLink):
        store.seats.match_by_link(link)
    assert store.listings.summary(match).seats_of(guest) == []
    other = enrolled(store, "Yamamoto")
    store.seats.join_by_link(secret, other.id)
    assert store.listings.summary(match).seats_of(other.id) == ["blue"]
    with pytest.raises(UnknownLink):
        store.seats.join_by_link(secret, enrolled(store, "Kusaka").id)
    play(store, match, Random(1))
    check_whole(store, match)


def test_impossible_ban_raises(store: Store) -> None:
    host = enrolled(store)
    match = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": BOT}).id
    with pytest.raises(SeatTaken):
        store.admin.ban(match, "blue", "x")
    with pytest.raises(SeatTaken):
        store.admin.invite(match, "blue")
    with pytest.raises(UnknownSeat):
        store.admin.ban(match, "green", "x")
    with pytest.raises(UnknownMatchId):
        store.admin.ban("nowhere", "red", "x")
    for reason in ("", " ", "x" * 301, "two\nlines"):
        with pytest.raises(InvalidText):
            store.admin.ban(match, "red", reason)
    assert store.admin.audit_log() == [] or store.admin.audit_log()[-1].match != match


@pytest.mark.slow
def test_deleted_player_cannot_return_by_shared_link(store: Store) -> None:
    match, _, guest, _ = two_seats(store)
    link = store.seats.new_link(match, "blue", guest)
    mate = enrolled(store, "Yamamoto")
    store.seats.join_by_link(link, mate.id)
    store.admin.delete_player(guest)
    with pytest.raises(UnknownLink):
        store.seats.join_by_link(link, enrolled(store, "Kusaka").id)
    assert store.listings.summary(match).seats_of(mate.id) == ["blue"]


def test_deleted_player_frees_their_seat(store: Store) -> None:
    match, host, guest, _ = two_seats(store)
    store.chat.post(match, guest, "My address is …", None)
    store.chat.write_note(match, guest, "Mine.")
    store.seats.assign_bot(match, "blue", "random", guest)
    store.seats.reclaim_seat(match, "blue", guest)
    mine = opened(store, host=store.players.get(guest))
    assert store.admin.delete_player(guest) == sorted([match, mine])
    with store.database.reading() as connection:
        assert not connection.execute(select(players).where(players.c.id == guest)).all()
        texts = connection.execute(select(messages.c.text, messages.c.player).where(messages.c.match == match)).all()
    assert all("Nagumo" not in row.text and row.player != guest for row in texts)
    assert any(row.text.startswith("Someone has ") for row in texts)
    assert rows_of(store, match)["notes"] == 0
    with pytest.raises(UnknownPlayer):
        store.players.get(guest)
    with pytest.raises(UnknownPerson):
        store.admin.delete_player(guest)
    summary = store.listings.summary(match)
    assert [seat.vacant for seat in summary.seats] == [False, True]
    assert store.listings.summary(mine).host == ""
    store.seats.join_by_link(store.seats.new_link(match, "blue", host), enrolled(store, "Yamamoto").id)
    play(store, match, Random(1))
    check_whole(store, match)


def test_lists_of_players_and_matches(store: Store) -> None:
    match, host, guest, _ = two_seats(store)
    store.players.set_notifications(guest, "", "nagumo@example.org")
    people = {person.id: person for person in store.admin.players()}
    assert (people[host].seats, people[host].hosts, people[host].notices) == (1, 1, False)
    assert (people[guest].seats, people[guest].hosts, people[guest].notices) == (1, 0, True)
    before = store.admin.stored_match(match)
    play(store, match, Random(1), 4)
    after = store.admin.stored_match(match)
    assert (before.state, after.summary.revision) == ("playing", store.listings.summary(match).revision)
    assert after.size > before.size > 0
    assert after in store.admin.stored_matches(["playing"])
    assert match not in {each.summary.id for each in store.admin.stored_matches(["over", "waiting"])}
    assert store.admin.counts()["playing"] >= 1


def test_idle_matches_are_listed(store: Store) -> None:
    match = opened(store)
    assert match not in {each.summary.id for each in store.admin.stored_matches(idle=30)}
    with store.database.writing() as connection:
        connection.execute(update(matches).where(matches.c.id == match).values(changed=matches.c.changed - 31 * 86400))
    (idle,) = [each for each in store.admin.stored_matches(idle=30) if each.summary.id == match]
    assert idle.summary.changed < store.listings.summary(match).changed
    assert idle == store.admin.stored_match(match)


def test_health_check_of_store(empty_url: str) -> None:
    with closing(Store(empty_url)) as store:
        store.integrity.probe()
        with closing(Database(empty_url, upto=None)) as database, database.writing() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
            assert revision_of(connection) == "9999"
        with pytest.raises(NewerDatabase):
            store.integrity.probe()
