"""Changes of seats within a transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from readyroom.store.base import now
from readyroom.store.cards import MatchSummary
from readyroom.store.errors import SeatBanned, SeatTaken
from readyroom.store.integrity import Seals
from readyroom.store.names import quote_name
from readyroom.store.rows import check_not_banned
from readyroom.store.tables import matches, passes, players, seats, sittings

SEAT_PLAYERS = 10
"""The most players of a seat, who share it by a link."""


def join(connection: Connection, seals: Seals, id: str, seat: str, player_id: str | None, dice_nonce: str) -> bool:
    """Add a player to a seat; return whether they were not there yet.

    Raises `SeatTaken` if it has `SEAT_PLAYERS` already.
    """
    here = select(sittings.c.player).where(sittings.c.match == id, sittings.c.seat == seat)
    sitting = set(connection.execute(here).scalars())
    if player_id is not None and player_id not in sitting and len(sitting) >= SEAT_PLAYERS:
        raise SeatTaken(f"This seat has {SEAT_PLAYERS} players already, which is the limit.")
    with seals.seats(connection, id):
        change_seat(connection, id, seat, came=func.coalesce(seats.c.came, now()))
        if dice_nonce:
            change_seat(connection, id, seat, words=dice_nonce)
    if player_id is not None:
        sit_down(connection, id, [seat], player_id)
    return player_id is not None and player_id not in sitting


def check_may_join(summary: MatchSummary, seat: str, player_id: str | None) -> None:
    """Raise `SeatBanned` or `SeatTaken` unless a player may take a free seat; None for a program without a player.

    See `MatchSummary.may_join`.
    """
    check_not_banned(summary, seat)
    place = next(known for known in summary.seats if known.key == seat)
    if player_id is None or summary.may_join(place, player_id):
        return
    if (excluded := summary.banned_from(player_id)) is not None:
        raise SeatBanned(excluded.name, excluded.banned)
    if summary.is_decided:
        raise SeatTaken("The match has a result, so no one else can join it.")
    if summary.known_sides(player_id) - {place.side}:
        raise SeatTaken(f"You have or had another side of this match, so you cannot take the seat {place.name}.")
    raise SeatTaken("An umpire of this match also plays a side, so no one else can join until they leave it.")


def sit_down(connection: Connection, id: str, places: Sequence[str], player_id: str) -> None:
    """Add a player to these seats, except where they sit already."""
    known = seats_with(connection, id, player_id)
    rows = [{"match": id, "seat": seat, "player": player_id, "since": now()} for seat in places if seat not in known]
    if rows:
        connection.execute(insert(sittings), rows)


def seats_with(connection: Connection, id: str, player_id: str) -> set[str]:
    """Return the seats that a player has, or in which a bot replaces them."""
    here = (sittings.c.match == id, sittings.c.player == player_id)
    return set(connection.execute(select(sittings.c.seat).where(*here)).scalars())


def change_seat(connection: Connection, id: str, seat: str, **values: object) -> None:
    """Change columns of a seat."""
    connection.execute(update(seats).where(seats.c.match == id, seats.c.seat == seat).values(**values))


def end_pass(connection: Connection, id: str, seat: str) -> None:
    """Let a seat that passes choose again."""
    connection.execute(delete(passes).where(passes.c.match == id, passes.c.seat == seat))


def remove_players(connection: Connection, id: str, seat: str, player_ids: Collection[str] | None = None) -> int:
    """Remove some players of a seat (None: all); return how many. Once the match has started, it is noted."""
    here = and_(sittings.c.match == id, sittings.c.seat == seat)
    if player_ids is not None:
        here = and_(here, sittings.c.player.in_(player_ids))
    gone = list(connection.execute(select(sittings.c.player).where(here)).scalars())
    connection.execute(delete(sittings).where(here))
    if gone and connection.execute(select(matches.c.begun).where(matches.c.id == id)).scalar_one():
        left_by = select(seats.c.left_by).where(seats.c.match == id, seats.c.seat == seat)
        known = str(connection.execute(left_by).scalar_one())
        change_seat(connection, id, seat, left_by=" ".join(dict.fromkeys([*known.split(), *gone])))
    return len(gone)


def clear_seat(connection: Connection, id: str, seat: str) -> None:
    """Clean up after a player has left: the link expires, and the last to leave opens the seat to anyone."""
    change_seat(connection, id, seat, link=None)
    if connection.execute(select(sittings.c.player).where(sittings.c.match == id, sittings.c.seat == seat)).first():
        return
    change_seat(connection, id, seat, came=None, words="")
    end_pass(connection, id, seat)


def player_name(connection: Connection, player_id: str | None) -> str:
    """Return a player's name for a message of the server; a program that uses a link has none."""
    name = connection.execute(select(players.c.name).where(players.c.id == player_id)).scalar()
    return quote_name(name or "Somebody")
