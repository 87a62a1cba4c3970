"""Chat and notes."""

from __future__ import annotations

import pytest
from tests.store.playing import FRIEND, ME, enrolled

from readyroom.store import Player, Store
from readyroom.store.errors import InvalidText, NotYourSeat, UnknownMatchId


@pytest.fixture
def table(store: Store) -> tuple[str, Player, Player]:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.create_match(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    store.join_by_link(created.links["blue"], friend.id)
    return created.id, host, friend


def test_talk_is_for_all_or_for_ones_own_side(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, friend = table
    store.post_message(match_id, host.id, " Good evening. ", None)
    store.post_message(match_id, friend.id, "They are\nnorth of us.", "blue")
    store.post_message(match_id, host.id, "Shall we?", "red")
    assert [(m.name, m.side, m.text) for m in store.messages(match_id, [])] == [("Nimitz", None, "Good evening.")]
    blue = store.messages(match_id, ["blue"])
    assert [(m.name, m.side, m.text) for m in blue] == [
        ("Nimitz", None, "Good evening."),
        ("Nagumo", "blue", "They are\nnorth of us."),
    ]
    assert blue[0].id < blue[1].id
    assert blue[0].at <= blue[1].at
    assert len(store.messages(match_id, ["red", "blue"])) == 3


def test_nobody_talks_to_a_side_that_is_not_theirs(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, _ = table
    with pytest.raises(NotYourSeat, match="your own side"):
        store.post_message(match_id, host.id, "Hello?", "blue")
    with pytest.raises(NotYourSeat, match="Spectators"):
        store.post_message(match_id, enrolled(store, "Ghost").id, "Hello?", None)
    with pytest.raises(UnknownMatchId):
        store.post_message("nowhere", host.id, "Hello?", None)


def test_a_host_who_does_not_play_may_talk_to_all(store: Store) -> None:
    host = enrolled(store)
    created = store.create_match(host, "straits", None, {}, {"red": FRIEND, "blue": FRIEND})
    store.post_message(created.id, host.id, "Welcome.", None)
    assert len(store.messages(created.id, [])) == 1


@pytest.mark.parametrize("text", ["", " \n ", "x" * 2001, "a\0b", "\ud800"])
def test_a_message_is_plain_text(store: Store, table: tuple[str, Player, Player], text: str) -> None:
    with pytest.raises(InvalidText, match="message"):
        store.post_message(table[0], table[1].id, text, None)


def test_notes_are_for_oneself(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, friend = table
    assert store.notes(match_id, host.id) == ""
    store.note(match_id, host.id, "Watch the Hiryū 👀\nShe launches late.")
    store.note(match_id, friend.id, "Hurry.")
    assert store.notes(match_id, host.id) == "Watch the Hiryū 👀\nShe launches late."
    store.note(match_id, host.id, " ")
    assert store.notes(match_id, host.id) == ""
    assert store.notes(match_id, friend.id) == "Hurry."
    with pytest.raises(InvalidText):
        store.note(match_id, host.id, "x" * 20_001)
    with pytest.raises(UnknownMatchId):
        store.note("nowhere", host.id, "x")


def test_another_name_shows_on_what_was_said_before(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, _ = table
    store.post_message(match_id, host.id, "Ahoy", None)
    store.rename(host.id, "Chester")
    assert store.messages(match_id, [])[0].name == "Chester"
