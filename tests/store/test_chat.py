"""Tests of chat and notes."""

from __future__ import annotations

from random import Random

import pytest
from tests.store.playing import FRIEND, ME, enrolled, play

from readyroom.store import Player, Store
from readyroom.store.chat import COMMENTS
from readyroom.store.errors import InvalidText, NotYourSeat, UnknownMatchId


@pytest.fixture
def table(store: Store) -> tuple[str, Player, Player]:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    store.seats.join_by_link(created.links["blue"], friend.id)
    return created.id, host, friend


def test_message_reaches_all_or_own_side(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, friend = table
    store.chat.post(match_id, host.id, " Good evening. ", None)
    store.chat.post(match_id, friend.id, "They are\nnorth of us.", "blue")
    store.chat.post(match_id, host.id, "Shall we?", "red")
    assert [(m.name, m.side, m.text) for m in store.chat.messages(match_id, [])] == [("Nimitz", None, "Good evening.")]
    blue = store.chat.messages(match_id, ["blue"])
    assert [(m.name, m.side, m.text) for m in blue] == [
        ("Nimitz", None, "Good evening."),
        ("Nagumo", "blue", "They are\nnorth of us."),
    ]
    assert blue[0].id < blue[1].id
    assert blue[0].at <= blue[1].at
    assert len(store.chat.messages(match_id, ["red", "blue"])) == 3


def test_others_get_no_event_of_message_to_own_side(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, _ = table
    heard: list[set[str]] = []
    store.listen(lambda match, what, revisions: heard.append(set(revisions)))
    store.chat.post(match_id, host.id, "Hello.", None)
    store.chat.post(match_id, host.id, "North?", "red")
    assert heard == [{"", "red", "blue"}, {"red"}]


def test_message_to_foreign_side_is_rejected(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, _ = table
    with pytest.raises(NotYourSeat, match="your own side"):
        store.chat.post(match_id, host.id, "Hello?", "blue")
    with pytest.raises(NotYourSeat, match="Spectators"):
        store.chat.post(match_id, enrolled(store, "Ghost").id, "Hello?", None)
    with pytest.raises(UnknownMatchId):
        store.chat.post("nowhere", host.id, "Hello?", None)


def test_host_without_seat_may_message_all(store: Store) -> None:
    host = enrolled(store)
    created = store.lobby.create(host, "straits", None, {}, {"red": FRIEND, "blue": FRIEND})
    store.chat.post(created.id, host.id, "Welcome.", None)
    assert len(store.chat.messages(created.id, [])) == 1


@pytest.mark.parametrize("text", ["", " \n ", "x" * 2001, "a\0b", "\ud800"])
def test_message_is_plain_text(store: Store, table: tuple[str, Player, Player], text: str) -> None:
    with pytest.raises(InvalidText, match="message"):
        store.chat.post(table[0], table[1].id, text, None)


def test_notes_are_private(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, friend = table
    assert store.chat.notes(match_id, host.id) == ""
    store.chat.write_note(match_id, host.id, "Watch the Hiryū 👀\nShe launches late.")
    store.chat.write_note(match_id, friend.id, "Hurry.")
    assert store.chat.notes(match_id, host.id) == "Watch the Hiryū 👀\nShe launches late."
    store.chat.write_note(match_id, host.id, " ")
    assert store.chat.notes(match_id, host.id) == ""
    assert store.chat.notes(match_id, friend.id) == "Hurry."
    with pytest.raises(InvalidText):
        store.chat.write_note(match_id, host.id, "x" * 20_001)
    with pytest.raises(UnknownMatchId):
        store.chat.write_note("nowhere", host.id, "x")


def test_renamed_player_shows_on_earlier_messages(store: Store, table: tuple[str, Player, Player]) -> None:
    match_id, host, _ = table
    store.chat.post(match_id, host.id, "Ahoy", None)
    store.players.rename(host.id, "Chester")
    assert store.chat.messages(match_id, [])[0].name == "Chester"


# -- comments ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def finished(store: Store) -> tuple[str, Player, Player]:
    """A public match that is over, its host, and a stranger."""
    host, stranger = enrolled(store), enrolled(store, "Nagumo")
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ME}, listed=True).id
    play(store, match_id, Random(1))
    return match_id, host, stranger


def test_stranger_on_the_ladder_may_comment_on_finished_public_match(
    store: Store, finished: tuple[str, Player, Player]
) -> None:
    match_id, _, stranger = finished
    assert not store.chat.can_post(store.listings.summary(match_id), stranger.id)
    with pytest.raises(NotYourSeat, match="ladder"):
        store.chat.post(match_id, stranger.id, "Well fought.", None)
    store.ladder.join(stranger.id)
    assert store.chat.can_post(store.listings.summary(match_id), stranger.id)
    store.chat.post(match_id, stranger.id, "Well fought.", None)
    with pytest.raises(NotYourSeat, match="own side"):
        store.chat.post(match_id, stranger.id, "Psst.", "red")
    assert [(found, message.name, message.text) for found, _, message in store.chat.latest_comments(5)] == [
        (match_id, "Nagumo", "Well fought.")
    ]


def test_live_or_private_matches_take_no_comments(store: Store, table: tuple[str, Player, Player]) -> None:
    host, stranger = enrolled(store), enrolled(store, "Nagumo")
    store.ladder.join(stranger.id)
    live = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ME}, listed=True).id
    private = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ME}).id
    play(store, private, Random(1))
    for match_id in (live, private):
        with pytest.raises(NotYourSeat, match="over"):
            store.chat.post(match_id, stranger.id, "Well fought.", None)


def test_comments_of_one_stranger_are_few(store: Store, finished: tuple[str, Player, Player]) -> None:
    match_id, _, stranger = finished
    store.ladder.join(stranger.id)
    for number in range(COMMENTS):
        store.chat.post(match_id, stranger.id, f"Point {number}.", None)
    with pytest.raises(NotYourSeat, match="Remove one"):
        store.chat.post(match_id, stranger.id, "And another thing.", None)


def test_comment_is_removed_by_its_author_or_by_players(store: Store, finished: tuple[str, Player, Player]) -> None:
    match_id, host, stranger = finished
    other = enrolled(store, "Ozawa")
    for player in (stranger, other):
        store.ladder.join(player.id)
        store.chat.post(match_id, player.id, "Well fought.", None)
    store.chat.post(match_id, host.id, "Thank you.", None)
    first, second, own = store.chat.messages(match_id, [])
    for message, player in ((first, other), (own, stranger), (own, host)):
        with pytest.raises(NotYourSeat, match="remove"):
            store.chat.remove(match_id, message.id, player.id)
    with pytest.raises(NotYourSeat, match="remove"):
        store.chat.remove(match_id, 10**9, host.id)
    store.chat.remove(match_id, first.id, stranger.id)
    store.chat.remove(match_id, second.id, host.id)
    assert store.chat.messages(match_id, []) == [own]


def test_what_a_player_wrote_is_no_comment_once_they_have_left(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}, listed=True)
    store.seats.join_by_link(created.links["blue"], friend.id)
    store.chat.post(created.id, friend.id, "A friendly game?", None)
    store.chat.post(created.id, friend.id, "North.", "blue")
    written = store.chat.messages(created.id, ["blue"])
    store.seats.leave_seat(created.id, "blue", friend.id)
    for over in (False, True):
        if over:
            store.seats.assign_bot(created.id, "blue", "random", host.id)
            play(store, created.id, Random(1))
        for message in written:
            with pytest.raises(NotYourSeat, match="remove"):
                store.chat.remove(created.id, message.id, host.id)
