"""Tests of friends, who are private, and of invitations of known players to a match."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.store.playing import FRIEND, ME, enrolled, two_players

from readyroom.store import Player, Store
from readyroom.store.errors import NotInvited, TooManyInvitations, UnknownPlayer
from readyroom.store.friends import MOST_INVITATIONS, Friend


@pytest.fixture
def met(store: Store) -> tuple[Player, Player]:
    """Return two players who have a match with each other."""
    _, host, friend, _ = two_players(store)
    return Player(host, "Nimitz"), Player(friend, "Nagumo")


def challenge(store: Store, host: Player, other: Player) -> str:
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    store.friends.invite(created.id, host, other.id, ["blue"])
    return created.id


def test_only_known_people_are_marked_and_only_the_marker_sees_it(store: Store, met: tuple[Player, Player]) -> None:
    host, friend = met
    stranger = enrolled(store, "Spruance")
    with pytest.raises(UnknownPlayer):
        store.friends.mark(host.id, stranger.id)
    store.friends.mark(host.id, friend.id)
    assert store.friends.of_player(host.id) == [Friend(friend.id, "Nagumo")]
    assert store.friends.of_player(friend.id) == []
    store.ladder.join(stranger.id)
    store.friends.mark(host.id, stranger.id)
    store.friends.mark(host.id, friend.id, False)
    assert [one.name for one in store.friends.of_player(host.id)] == ["Spruance"]


def test_accepted_invitation_starts_the_match(store: Store, met: tuple[Player, Player]) -> None:
    host, friend = met
    match_id = challenge(store, host, friend)
    (invitation,) = store.friends.invitations(friend.id)
    assert (invitation.match.id, invitation.seats, invitation.host) == (match_id, ("blue",), "Nimitz")
    assert store.friends.invited(match_id) == {"blue": ["Nagumo"]}
    assert store.friends.invitations(host.id) == []
    with pytest.raises(NotInvited):
        store.friends.accept(match_id, enrolled(store, "Spruance").id)
    assert store.friends.accept(match_id, friend.id).started
    assert store.friends.invitations(friend.id) == []
    with pytest.raises(NotInvited):
        store.friends.accept(match_id, friend.id)


def test_accepted_invitation_takes_only_its_seats(store: Store, met: tuple[Player, Player]) -> None:
    host, friend = met
    created = store.lobby.create(host, "tora", None, {"usa_players": "2"}, {"japan": ME, "usa": FRIEND})
    usa = [seat.key for seat in store.listings.summary(created.id).seats if seat.side == "usa"]
    store.friends.invite(created.id, host, friend.id, usa[1:])
    assert not store.friends.accept(created.id, friend.id).started
    summary = store.listings.summary(created.id)
    assert summary.seats_of(friend.id) == usa[1:]
    assert [seat.key for seat in summary.seats if seat.vacant and seat.invited] == usa[:1]


def test_older_invitations_are_for_all_free_seats_with_a_link(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'older.sqlite'}"
    with closing(Store(url)) as store:
        _, host_id, friend_id, _ = two_players(store)
        match_id = challenge(store, Player(host_id, "Nimitz"), Player(friend_id, "Nagumo"))
        with store.database.writing() as connection:
            connection.execute(text("ALTER TABLE invitations DROP COLUMN seats"))
            connection.execute(text("ALTER TABLE tournaments DROP COLUMN minutes"))
            connection.execute(text("ALTER TABLE sittings DROP COLUMN seen"))
            connection.execute(text("ALTER TABLE seats DROP COLUMN left_by"))
            connection.execute(text("ALTER TABLE matches RENAME COLUMN decided_for TO claimed"))
            for column in ("decided", "draw_offer", "help"):
                connection.execute(text(f"ALTER TABLE matches DROP COLUMN {column}"))
            connection.execute(text("UPDATE alembic_version SET version_num = '0019'"))
    with closing(Store(url)) as store:
        assert store.friends.invited(match_id) == {"blue": ["Nagumo"]}


def test_declined_invitation_is_gone_and_its_link_still_works(store: Store, met: tuple[Player, Player]) -> None:
    host, friend = met
    match_id = challenge(store, host, friend)
    store.friends.decline(match_id, friend.id)
    assert store.friends.invitations(friend.id) == []
    assert not store.listings.summary(match_id).started
    assert store.listings.summary(match_id).seats[1].invited


def test_strangers_and_too_many_are_not_invited(store: Store, met: tuple[Player, Player]) -> None:
    host, friend = met
    with pytest.raises(UnknownPlayer):
        store.friends.check(host.id, enrolled(store, "Spruance").id)
    for _ in range(MOST_INVITATIONS):
        challenge(store, host, friend)
    with pytest.raises(TooManyInvitations):
        store.friends.check(host.id, friend.id)


def test_deleted_player_is_on_no_list_of_friends(store: Store, met: tuple[Player, Player]) -> None:
    host, friend = met
    store.friends.mark(host.id, friend.id)
    challenge(store, host, friend)
    store.admin.delete_player(friend.id)
    assert store.friends.of_player(host.id) == []
