"""Matches and seats as the database keeps them, and the cards that are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, Row, and_, bindparam, select

from readyroom.engine.state import Outcome
from readyroom.store.cards import MatchCard, SeatCard, moment
from readyroom.store.errors import UnknownMatchId
from readyroom.store.tables import matches, players, seats, sittings

AnyRow: TypeAlias = "Row[*tuple[Any, ...]]"

_LARGE = {"own", "secret", "header", "ending", "record"}
cards = select(*[column for column in matches.c if column.name not in _LARGE])
"""What a card is made of."""
_seats = (
    select(seats, players.c.id, players.c.name.label("player"))
    .outerjoin(sittings, and_(sittings.c.match == seats.c.match, sittings.c.seat == seats.c.seat))
    .outerjoin(players, players.c.id == sittings.c.player)
    .order_by(seats.c.match, seats.c.place, sittings.c.since)
)
"""A row for each who sits on a seat, and one for a seat that nobody sits on."""
_seats_of_one = _seats.where(seats.c.match == bindparam("id"))
_seats_of_many = _seats.where(seats.c.match.in_(bindparam("ids", expanding=True)))
_seats_alone = select(seats).where(seats.c.match == bindparam("id")).order_by(seats.c.place)
_one = cards.where(matches.c.id == bindparam("id"))
_whole = select(matches).where(matches.c.id == bindparam("id"))
_locked = _whole.with_for_update()


def check_id(id: str) -> None:
    """`UnknownMatchId` for what cannot be an id at all, such as an address that was garbled on the way."""
    if not (id.isascii() and id.isalnum()):
        raise UnknownMatchId(id)


def match_row(connection: Connection, id: str, *, lock: bool = False) -> AnyRow:
    """The row of a match; with `lock`, nobody else changes it before this transaction ends. `UnknownMatchId`."""
    check_id(id)
    found = connection.execute(_locked if lock else _whole, {"id": id}).one_or_none()
    if found is None:
        raise UnknownMatchId(id)
    return found


def one_card(connection: Connection, id: str) -> MatchCard:
    """The card of a match; `UnknownMatchId`."""
    check_id(id)
    found = connection.execute(_one, {"id": id}).one_or_none()
    if found is None:
        raise UnknownMatchId(id)
    return _card(found, connection.execute(_seats_of_one, {"id": id}).all())


def all_cards(connection: Connection, rows: Sequence[AnyRow]) -> list[MatchCard]:
    """The cards of these rows of `cards`, in their order."""
    places: dict[str, list[AnyRow]] = {row.id: [] for row in rows}
    if places:
        for row in connection.execute(_seats_of_many, {"ids": list(places)}):
            places[row.match].append(row)
    return [_card(row, places[row.id]) for row in rows]


def seat_rows(connection: Connection, id: str) -> list[AnyRow]:
    """The rows of a match's seats, in the order of the table."""
    return list(connection.execute(_seats_alone, {"id": id}))


def is_awaited(row: AnyRow) -> bool:
    """Whether nobody plays a seat yet."""
    return not row.bot and row.came is None


def _seat_card(rows: Sequence[AnyRow]) -> SeatCard:
    """A seat as everybody may see it, from its rows."""
    row, sitters = rows[0], tuple((each.id, each.player) for each in rows if each.id is not None)
    waits = is_awaited(row) and not sitters
    return SeatCard(
        key=row.seat,
        name=row.name,
        side=row.side,
        bot=row.bot,
        players=sitters,
        open=waits and row.who == "anyone",
        invited=waits and row.link is not None,
    )


def _card(row: AnyRow, places: Sequence[AnyRow]) -> MatchCard:
    return MatchCard(
        id=row.id,
        game=row.game,
        title=row.title,
        scenario=row.scenario_title,
        options=msgspec.json.decode(row.options, type=dict[str, str]),
        seats=tuple(_seat_card(list(of_one)) for _, of_one in groupby(places, attrgetter("place"))),
        pace=row.pace,
        listed=row.listed,
        begun=row.begun,
        revision=row.revision,
        turn=row.turn,
        phase=row.phase,
        waiting=msgspec.json.decode(row.waiting, type=tuple[str, ...]),
        outcome=outcome_of(row),
        fingerprint=row.fingerprint,
        host=row.host or "",
        created=moment(row.created),
        changed=moment(row.changed),
        guided=row.guided,
    )


def outcome_of(row: AnyRow) -> Outcome | None:
    """How the match of this row ended, if it has."""
    return None if row.outcome is None else msgspec.json.decode(row.outcome, type=Outcome)
