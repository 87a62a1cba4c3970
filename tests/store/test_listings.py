"""Tests of lists of matches."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from tests.store.playing import ANYONE, FRIEND, ME, enrolled, opened, two_players
from tests.toys.straits import GAME

from readyroom.store import Store
from readyroom.store.errors import (
    NotYourSeat,
)
from readyroom.store.names import distinguish


def test_many_equal_names_are_distinguished_quickly() -> None:
    began = process_time()
    names = distinguish([(str(n), "Nagumo" if n % 2 else "NAGUMO") for n in range(2000)])
    assert names["1999"] == "Nagumo (2000)"
    assert len(set(names.values())) == 2000
    assert process_time() - began < 1


def test_public_matches_of_a_client_are_limited(store: Store) -> None:
    def create(client: str, listed: bool = True) -> str:
        seats = {"red": ANYONE, "blue": ANYONE}
        return store.lobby.create(None, "straits", None, {}, seats, listed=listed, client=client).id

    of_one, of_none = [create("one") for _ in range(4)], [create("") for _ in range(4)]
    hidden, other = create("other", listed=False), create("other")
    made = {*of_one, *of_none, hidden, other}

    def listed() -> list[str]:
        return [summary.id for summary in store.listings.public_matches() if summary.id in made]

    assert listed() == [other, *reversed([*of_one, *of_none])]
    store.listings.listed_each = 2
    assert listed() == [other, *reversed([*of_one[2:], *of_none])]


def test_hidden_match_is_shown_again(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    store.listings.set_hidden(match_id, host)
    store.listings.set_hidden(match_id, host)
    assert store.listings.matches_of(host) == []
    assert [summary.id for summary in store.listings.matches_of(host, hidden=True)] == [match_id]
    assert [summary.id for summary in store.listings.matches_of(friend)] == [match_id]
    with pytest.raises(NotYourSeat):
        store.listings.set_hidden(match_id, enrolled(store, "Kondo").id)
    store.listings.set_hidden(match_id, host, False)
    assert [summary.id for summary in store.listings.matches_of(host)] == [match_id]
    assert store.listings.matches_of(host, hidden=True) == []


def test_matches_of_player_list_waiting_ones_first(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    seats = {"red": ME, "blue": FRIEND}
    waiting = store.lobby.create(host, "straits", None, {}, seats)
    store.seats.join_by_link(waiting.links["blue"], friend.id)
    unbegun = store.lobby.create(host, "straits", None, {}, seats)
    over = store.records.import_match(_over(), host)
    assert [summary.id for summary in store.listings.matches_of(host.id)] == [waiting.id, unbegun.id, over]
    assert [summary.id for summary in store.listings.matches_of(friend.id)] == [waiting.id]
    assert store.listings.matches_of("nobody") == []
    assert [summary.id for summary in store.listings.matches_of(host.id, limit=1)] == [waiting.id], "the oldest of them"
    store.listings.set_hidden(unbegun.id, host.id)
    store.listings.set_hidden(over, host.id)
    assert [store.listings.count_hidden(player.id) for player in (host, friend)] == [2, 0]
    assert [summary.id for summary in store.listings.matches_of(host.id, hidden=True)] == [unbegun.id, over]


def test_seat_of_bot_or_ban_is_not_listed_as_own_turn(store: Store) -> None:
    host = enrolled(store)
    first, second, third = (opened(store, host=host) for _ in range(3))
    with store.matches.open(first) as match:
        asked_seat = next(iter(match.pending))
    store.admin.ban(first, asked_seat, "for a test")
    assert [summary.id for summary in store.listings.matches_of(host.id)] == [third, second, first]


def test_public_matches_are_selected_by_open_seats_and_player(store: Store) -> None:
    host, other = enrolled(store), enrolled(store, "Nagumo")
    free = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}, listed=True).id
    begun = opened(store, host=host, listed=True)
    invited = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}, listed=True).id
    opened(store, host=host)

    def listed(**data: Any) -> list[str]:
        return [summary.id for summary in store.listings.public_matches(**data) if summary.host == host.id]

    assert listed() == [invited, begun, free]
    assert listed(limit=1) == [invited]
    assert (listed(open_seats=True), listed(open_seats=False)) == ([free], [begun])
    assert (listed(without=host.id), listed(without=other.id)) == ([], [invited, begun, free])
    store.lobby.begin(free, host.id)
    assert listed(open_seats=True) == [free], "a seat may stay open after the start"
    store.seats.join_open_seat(free, "blue", other.id)
    assert (listed(open_seats=True), listed(open_seats=False, without=other.id)) == ([], [begun])


def _over() -> str:
    from random import Random

    from readyroom import Match
    from readyroom.testing.playouts import play_on

    match = Match(GAME, seed="over")
    for _ in play_on(match, Random(1)):
        pass
    return match.record()
