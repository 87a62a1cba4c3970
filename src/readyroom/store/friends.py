"""Friends, marked by a player for themselves alone, and invitations of known people to a match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from readyroom.engine.text import join_list
from readyroom.store.base import Part, PlayerEvent, Shared
from readyroom.store.cards import MatchSummary, Player
from readyroom.store.errors import NotInvited, TooManyFriends, TooManyInvitations, UnknownPlayer
from readyroom.store.lobby.seating import change_seat, check_may_join, join
from readyroom.store.lobby.starting import Joined, Starter
from readyroom.store.names import distinguish
from readyroom.store.rows import all_cards, cards, check_not_banned, match_row, one_card
from readyroom.store.tables import friends, invitations, matches, players, sittings

_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(tuple[str, ...]).decode

MOST_FRIENDS = 100
"""The most friends of a player."""
MOST_INVITATIONS = 10
"""The most invitations of a player that are not answered yet."""


class Friend(NamedTuple):
    """Someone marked as a friend."""

    player: str
    name: str


class KnownPerson(NamedTuple):
    """Someone known to a player, and whether they are marked as a friend."""

    player: str
    name: str
    is_friend: bool


class Invitation(NamedTuple):
    """A match in which seats wait for a player; `seats` are their keys, `host` is who invites."""

    match: MatchSummary
    seats: tuple[str, ...]
    host: str

    @property
    def seat_names(self) -> str:
        """The names of the seats."""
        return join_list([seat.name for seat in self.match.seats if seat.key in self.seats])


class Friends(Part):
    """The friends of all players. Who is marked does not learn of it."""

    def __init__(self, shared: Shared, starter: Starter) -> None:
        super().__init__(shared)
        self._starter = starter

    # -- friends -----------------------------------------------------------------------------------------------------

    def of_player(self, player_id: str) -> list[Friend]:
        """Return a player's friends by name."""
        wanted = select(players.c.id, players.c.name).join(friends, friends.c.friend == players.c.id)
        wanted = wanted.where(friends.c.player == player_id).order_by(func.lower(players.c.name), players.c.id)
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        names = distinguish((row.id, row.name) for row in sorted(rows, key=lambda row: row.id))
        return [Friend(row.id, names[row.id]) for row in rows]

    def known(self, player_id: str, met: Iterable[Friend]) -> list[KnownPerson]:
        """Return a player's friends, then the people they have met."""
        marked = self.of_player(player_id)
        ids = {one.player for one in marked}
        return [KnownPerson(*one, True) for one in marked] + [
            KnownPerson(*one, False) for one in met if one.player not in ids
        ]

    def mark(self, player_id: str, friend_id: str, yes: bool = True) -> None:
        """Mark someone known as a friend, or (no) unmark them; raise `UnknownPlayer` or `TooManyFriends`."""
        if yes and not self.known_name(player_id, friend_id):
            raise UnknownPlayer
        here = (friends.c.player == player_id, friends.c.friend == friend_id)
        with self._shared.database.writing() as connection:
            connection.execute(delete(friends).where(*here))
            if yes:
                many = select(func.count()).where(friends.c.player == player_id)
                if connection.execute(many).scalar_one() >= MOST_FRIENDS:
                    raise TooManyFriends(MOST_FRIENDS)
                connection.execute(insert(friends), {"player": player_id, "friend": friend_id})

    def known_name(self, player_id: str, other_id: str) -> str:
        """Return the name of someone a player may know: a friend, someone they have met, or a player on the ladder."""
        if not (other_id.isascii() and other_id.isalnum()) or other_id == player_id:
            return ""
        mine, theirs = sittings.alias(), sittings.alias()
        met = (
            select(theirs.c.player)
            .join(mine, mine.c.match == theirs.c.match)
            .join(matches, matches.c.id == mine.c.match)
            .where(mine.c.player == player_id, matches.c.begun)
        )
        marked = select(friends.c.friend).where(friends.c.player == player_id)
        is_known = players.c.ladder.is_not(None) | players.c.id.in_(met) | players.c.id.in_(marked)
        wanted = select(players.c.name).where(players.c.id == other_id, is_known)
        with self._shared.database.glance() as connection:
            name: str | None = connection.execute(wanted).scalar()
        return name or ""

    # -- invitations -------------------------------------------------------------------------------------------------

    def check(self, player_id: str, other_id: str) -> None:
        """Raise `UnknownPlayer` or `TooManyInvitations` unless a player can invite someone to a match."""
        if not self.known_name(player_id, other_id):
            raise UnknownPlayer
        open_ones = select(func.count()).select_from(invitations.join(matches)).where(matches.c.host == player_id)
        with self._shared.database.glance() as connection:
            if connection.execute(open_ones.where(~matches.c.begun)).scalar_one() >= MOST_INVITATIONS:
                raise TooManyInvitations(MOST_INVITATIONS)

    def invite(self, match: str, host: Player, other_id: str, seats: Collection[str]) -> None:
        """Invite someone to these seats of a new match, whose invite links stay valid."""
        self.check(host.id, other_id)
        row = {"match": match, "player": other_id, "seats": _encode(sorted(seats)).decode()}
        with self._shared.database.writing() as connection:
            match_row(connection, match, lock=True)
            connection.execute(insert(invitations), row)
        self._shared.report(PlayerEvent("challenged", match, host.id, frozenset({other_id})))

    def invitations(self, player_id: str) -> list[Invitation]:
        """Return the matches to which a player is invited, the newest first."""
        wanted = cards.add_columns(invitations.c.seats.label("invited_to"))
        wanted = wanted.join(invitations, invitations.c.match == matches.c.id)
        wanted = wanted.where(invitations.c.player == player_id, matches.c.damaged.is_(None))
        with self._shared.database.reading() as connection:
            rows = connection.execute(wanted.order_by(matches.c.created.desc())).all()
            found = all_cards(connection, rows)
            hosts = select(players.c.id, players.c.name).where(players.c.id.in_([one.host for one in found]))
            names = {row.id: row.name for row in connection.execute(hosts)}
        return [
            Invitation(one, seats, names.get(one.host, ""))
            for one, row in zip(found, rows, strict=True)
            if (seats := _free_seats(one, row.invited_to))
        ]

    def invited(self, match: str) -> dict[str, list[str]]:
        """Return the names of those who are invited to each seat of a match and have not answered."""
        wanted = select(players.c.name, invitations.c.seats).join(invitations, invitations.c.player == players.c.id)
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted.where(invitations.c.match == match)).all()
        invited = dict[str, list[str]]()
        for row in rows:
            for seat in _decode(row.seats):
                invited.setdefault(seat, []).append(row.name)
        return invited

    def accept(self, match: str, player_id: str) -> MatchSummary:
        """Join the seats of an invitation that are still free, and no others; raise `NotInvited`."""

        def sit(connection: Connection, seats: tuple[str, ...]) -> None:
            for seat in seats:
                check_may_join(one_card(connection, match), seat, player_id)
                join(connection, self._shared.seals, match, seat, player_id, "")
                change_seat(connection, match, seat, link=None)

        with self._shared.database.writing() as connection:
            seats = self._answer(connection, match, player_id, sit)
            begun = self._starter.begin_if_ready(connection, match)
        return self._starter.report(match, begun, joined=Joined("joined", player_id, seats))

    def decline(self, match: str, player_id: str) -> None:
        """Decline an invitation; raise `NotInvited`."""
        with self._shared.database.writing() as connection:
            self._answer(connection, match, player_id, lambda *_: None)

    def _answer(
        self, connection: Connection, match: str, player_id: str, act: Callable[[Connection, tuple[str, ...]], None]
    ) -> tuple[str, ...]:
        """Remove an invitation, and act on its seats; return them."""
        match_row(connection, match, lock=True)
        here = (invitations.c.match == match, invitations.c.player == player_id)
        summary = one_card(connection, match)
        invited_to = connection.execute(select(invitations.c.seats).where(*here)).scalar()
        seats = _free_seats(summary, invited_to or "[]")
        if not seats:
            raise NotInvited
        connection.execute(delete(invitations).where(*here))
        for seat in seats:
            check_not_banned(summary, seat)
        act(connection, seats)
        return seats


def _free_seats(summary: MatchSummary, invited_to: str) -> tuple[str, ...]:
    """Return the seats of an invitation that are still free; `invited_to` are its seats as JSON."""
    invited = _decode(invited_to)
    return tuple(seat.key for seat in summary.seats if seat.key in invited and seat.vacant and seat.invited)
