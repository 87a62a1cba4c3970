"""Delete matches and players with all that belongs to them."""

from __future__ import annotations

from sqlalchemy import Connection, delete, exists, func, literal, select, update

from readyroom.store.errors import UnknownPerson
from readyroom.store.integrity import Seals
from readyroom.store.lobby.seating import clear_seat
from readyroom.store.tables import (
    attempts,
    away,
    campaigns,
    checkpoints,
    entrants,
    entries,
    friends,
    highlights,
    invitations,
    log,
    matches,
    members,
    messages,
    notebooks,
    notes,
    passes,
    passkeys,
    players,
    puzzle_answers,
    puzzle_ratings,
    rated,
    ratings,
    scenarios,
    seats,
    sessions,
    sittings,
    takebacks,
    tournaments,
)

OF_A_MATCH = (
    highlights,
    log,
    entries,
    checkpoints,
    takebacks,
    messages,
    notes,
    away,
    invitations,
    passes,
    rated,
    sittings,
    seats,
)
"""Where else a match has rows, in the order in which they may go."""
_OF_A_PLAYER = (
    *(sessions, passkeys, sittings, away, notes, notebooks, scenarios, messages, ratings, rated, attempts),
    *(puzzle_ratings, puzzle_answers, friends, invitations),
)
"""Where a player has rows."""


def delete_match_rows(connection: Connection, id: str) -> None:
    """Delete a match and all that belongs to it."""
    for table in OF_A_MATCH:
        connection.execute(delete(table).where(table.c.match == id))
    connection.execute(delete(matches).where(matches.c.id == id))


def delete_campaign_rows(connection: Connection, id: str) -> list[str]:
    """Delete a campaign and its matches; return the ids of what was deleted: none if there is no such campaign."""
    known = connection.execute(select(campaigns.c.id).where(campaigns.c.id == id).with_for_update()).first()
    gone = list(connection.execute(select(matches.c.id).where(matches.c.campaign == id)).scalars()) if known else []
    for match in gone:
        delete_match_rows(connection, match)
    connection.execute(delete(members).where(members.c.campaign == id))
    connection.execute(delete(campaigns).where(campaigns.c.id == id))
    return [*gone, id] if known else []


def delete_player_rows(connection: Connection, seals: Seals, player_id: str) -> list[str]:
    """Delete a player as `Administration.delete_player` says; return the matches changed by it."""
    person = connection.execute(select(players).where(players.c.id == player_id)).one_or_none()
    if person is None:
        raise UnknownPerson(player_id)
    seated = select(sittings.c.match, sittings.c.seat).where(sittings.c.player == player_id)
    left = connection.execute(seated.order_by(sittings.c.match)).all()
    _unname(connection, person.name, {row.match for row in left})
    for table in _OF_A_PLAYER:
        connection.execute(delete(table).where(table.c.player == player_id))
    connection.execute(delete(friends).where(friends.c.friend == player_id))
    for row in left:
        with seals.seats(connection, row.match, lenient=True):
            clear_seat(connection, row.match, row.seat)
    for match in connection.execute(select(matches.c.id).where(matches.c.host == player_id)).scalars().all():
        with seals.seats(connection, match, lenient=True):
            connection.execute(update(matches).where(matches.c.id == match).values(host=None))
    connection.execute(update(members).where(members.c.player == player_id).values(player=None))
    connection.execute(update(campaigns).where(campaigns.c.host == player_id).values(host=None))
    has_player = exists().where(members.c.campaign == campaigns.c.id, members.c.player.is_not(None))
    connection.execute(update(campaigns).where(campaigns.c.host.is_(None), ~has_player).values(listed=False))
    is_open = entrants.c.tournament.in_(select(tournaments.c.id).where(tournaments.c.state == "open"))
    connection.execute(delete(entrants).where(entrants.c.player == player_id, is_open))
    connection.execute(update(entrants).where(entrants.c.player == player_id).values(player=None, link=None))
    connection.execute(update(tournaments).where(tournaments.c.host == player_id).values(host=None))
    connection.execute(delete(players).where(players.c.id == player_id))
    return sorted({row.match for row in left})


def _unname(connection: Connection, name: str, ids: set[str]) -> None:
    """Remove a name from system messages, which start with it."""
    named = messages.c.text.startswith(f"{name} has ", autoescape=True)
    system = update(messages).where(messages.c.player.is_(None), messages.c.match.in_(ids), named)
    rest = func.substr(messages.c.text, len(name) + 1)
    connection.execute(system.values(text=literal("Someone").concat(rest)))
