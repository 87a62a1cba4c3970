"""Matches and seats as the database keeps them, and the cards that are made of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from time import time
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, Row, Select, and_, bindparam, insert, select

from readyroom.engine.errors import UnknownSeat
from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.record.format import Sealed
from readyroom.engine.rules.state import Outcome
from readyroom.store.cards import DrawOffer, MatchSummary, SeatSummary, from_timestamp
from readyroom.store.clock import read_clock
from readyroom.store.errors import LinkAlreadyUsed, SeatBanned, UnknownLink, UnknownMatchId
from readyroom.store.names import PROGRAM_ENDING, distinguish
from readyroom.store.tables import matches, messages, players, seats, sittings

AnyRow: TypeAlias = "Row[*tuple[Any, ...]]"

_options = msgspec.json.Decoder(dict[str, str]).decode
_waiting = msgspec.json.Decoder(tuple[str, ...]).decode
_revisions = msgspec.json.Decoder(dict[str, int]).decode
_outcome = msgspec.json.Decoder(Outcome).decode
_draw_offer = msgspec.json.Decoder(DrawOffer).decode

_SAVED_STATE = {
    "secret",
    "header",
    "ending",
    "head",
    "seed",
    "changed",
    "lines",
    "barrier",
    "seal",
    "handed",
    "seating",
}
_UNUSED = _SAVED_STATE | {"own", "record", "version", "scenario", "visited", "follows", "client"}
cards = select(
    *[column for column in matches.c if column.name not in _UNUSED], matches.c.record.is_not(None).label("replay_only")
)
"""What a summary is made of: nearly every request reads one."""
_sitter = (
    players.c.id.label("occupant"),
    players.c.name.label("occupant_name"),
    players.c.ladder.label("occupant_ladder"),
    sittings.c.since.label("sat_since"),
    sittings.c.seen.label("sat_seen"),
)


def _with_sitters(wanted: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Return a row per player of each seat, and one for each empty seat."""
    return (
        wanted.outerjoin(sittings, and_(sittings.c.match == seats.c.match, sittings.c.seat == seats.c.seat))
        .outerjoin(players, players.c.id == sittings.c.player)
        .order_by(seats.c.match, seats.c.place, sittings.c.since)
    )


_places = [column for column in seats.c if column.name not in ("words", "spent")]
_one = _with_sitters(cards.add_columns(*_places, *_sitter).join(seats, seats.c.match == matches.c.id))
"""A whole summary in one query, because nearly every request needs it."""
_one_by_id = _one.where(matches.c.id == bindparam("id"))
_led_to = select(seats.c.match).where(seats.c.link == bindparam("link")).correlate(None).scalar_subquery()
_one_by_link = _one.where(matches.c.id == _led_to)
_seats_of_many = _with_sitters(select(*_places, *_sitter)).where(seats.c.match.in_(bindparam("ids", expanding=True)))
PROGRAM = "program "
"""How the recovery secret of a player that a program created begins: it is no hash, so no link leads to it."""
IS_PROGRAM = players.c.recovery.startswith(PROGRAM) | players.c.name.endswith(PROGRAM_ENDING)
"""The condition that a program created a player; earlier versions said so in the name alone."""
_programs = select(players.c.id).where(IS_PROGRAM, players.c.id.in_(bindparam("ids", expanding=True)))
_sitters = (
    select(players.c.id, players.c.name)
    .join(sittings, sittings.c.player == players.c.id)
    .where(sittings.c.match == bindparam("id"))
    .order_by(sittings.c.since, players.c.id)
)
_seats_alone = select(seats).where(seats.c.match == bindparam("id")).order_by(seats.c.place)
_add_message = insert(messages)
_whole = select(matches).where(matches.c.id == bindparam("id"))
_locked = _whole.with_for_update()


def check_id(id: str) -> None:
    """Raise `UnknownMatchId` for a text that cannot be an id."""
    if not (id.isascii() and id.isalnum()):
        raise UnknownMatchId(id)


def match_row(connection: Connection, id: str, *, lock: bool = False) -> AnyRow:
    """Return the row of a match, with `lock` locked until the transaction ends; raise `UnknownMatchId`."""
    check_id(id)
    row = connection.execute(_locked if lock else _whole, {"id": id}).one_or_none()
    if row is None:
        raise UnknownMatchId(id)
    return row


def one_card(connection: Connection, id: str) -> MatchSummary:
    """Return the summary of a match; raise `UnknownMatchId`."""
    check_id(id)
    rows = connection.execute(_one_by_id, {"id": id}).all()
    if not rows:
        raise UnknownMatchId(id)
    return _card(rows[0], rows)


def linked_card(connection: Connection, link: str) -> tuple[MatchSummary, str]:
    """Return the match and the seat of a link's hash; raise `UnknownLink`, or `LinkAlreadyUsed`.

    A link that was sent to someone is spent once a person has the seat: earlier versions did not always delete it.
    """
    rows = connection.execute(_one_by_link, {"link": link}).all()
    row = next((row for row in rows if row.link == link), None)
    if row is None:
        raise UnknownLink
    summary = _card(rows[0], rows)
    check_not_banned(summary, row.seat)
    sitters = {each.occupant for each in rows if each.seat == row.seat and each.occupant is not None}
    if row.lent and row.came is not None and sitters and not any_program(connection, sitters):
        raise LinkAlreadyUsed
    return summary, row.seat


def any_program(connection: Connection, player_ids: Collection[str]) -> bool:
    """Return whether programs have created any of these players."""
    return connection.execute(_programs, {"ids": list(player_ids)}).first() is not None


def check_not_banned(summary: MatchSummary, seat: str) -> None:
    """Raise `SeatBanned` if an admin has banned this seat."""
    for place in summary.seats:
        if place.key == seat and place.banned:
            raise SeatBanned(place.name, place.banned)


def locked_seat(connection: Connection, id: str, seat: str) -> tuple[MatchSummary, SeatSummary]:
    """Return the summary of a match, locked until the transaction ends, and one of its seats."""
    match_row(connection, id, lock=True)
    summary = one_card(connection, id)
    known = {place.key: place for place in summary.seats}
    if seat not in known:
        raise UnknownSeat(seat, known)
    return summary, known[seat]


def all_cards(connection: Connection, rows: Sequence[AnyRow]) -> list[MatchSummary]:
    """Return the summaries of these rows, in their order."""
    places: dict[str, list[AnyRow]] = {row.id: [] for row in rows}
    if places:
        for row in connection.execute(_seats_of_many, {"ids": list(places)}):
            places[row.match].append(row)
    return [_card(row, places[row.id]) for row in rows]


def seat_rows(connection: Connection, id: str) -> list[AnyRow]:
    """Return the rows of a match's seats in order."""
    return list(connection.execute(_seats_alone, {"id": id}))


def sitter_names(connection: Connection, id: str) -> list[tuple[str, str]]:
    """Return the ids and names of the players with a seat, in the order in which they joined."""
    return [(row.id, row.name) for row in connection.execute(_sitters, {"id": id})]


def post_system_message(connection: Connection, id: str, text: str) -> None:
    """Post a system message to everyone."""
    connection.execute(_add_message, {"match": id, "player": None, "side": None, "text": text, "at": time()})


def is_vacant(row: AnyRow) -> bool:
    """Return whether no one plays a seat yet."""
    return not row.bot and row.came is None


def _seat_card(rows: Sequence[AnyRow], names: Mapping[str, str], is_decided: bool) -> SeatSummary:
    row = rows[0]
    sitters = tuple((each.occupant, names[each.occupant]) for each in rows if each.occupant is not None)
    banned = row.banned is not None
    waits = is_vacant(row) and not sitters and not banned
    return SeatSummary(
        key=row.seat,
        name=row.name,
        side=row.side,
        bot=row.bot,
        players=() if row.bot or banned else sitters,
        open=waits and row.who == "anyone" and not is_decided,
        invited=waits and row.link is not None,
        vacant=waits,
        previous_players=sitters if row.bot and not banned else (),
        shared=row.link is not None and row.lent,
        banned=row.banned or "",
        banned_players=sitters if banned else (),
        unjoined=row.link is not None and row.came is None,
        since=row.came or 0.0,
        left_by=tuple(row.left_by.split()),
    )


def _card(row: AnyRow, places: Sequence[AnyRow]) -> MatchSummary:
    try:
        facts = _facts(row)
    except (ArithmeticError, OSError, TypeError, ValueError):
        facts = dict(_UNREADABLE)
    sat = sorted((place for place in places if place.occupant is not None), key=attrgetter("sat_since", "occupant"))
    names = distinguish((place.occupant, place.occupant_name) for place in sat)
    is_decided = row.outcome is not None or bool(row.decided)
    return MatchSummary(
        id=row.id,
        game=row.game,
        title=row.title,
        scenario=row.scenario_title,
        seats=tuple(_seat_card(list(each), names, is_decided) for _, each in groupby(places, attrgetter("place"))),
        pace=row.pace,
        public=row.listed,
        started=row.begun,
        true_revision=row.revision,
        turn=row.turn,
        phase=row.phase,
        fingerprint=row.fingerprint,
        host=row.host or "",
        tutorial=row.guided,
        origin=row.origin,
        replay_only=row.replay_only,
        signer=row.signer,
        signature=row.signature,
        experience=row.experience,
        help_agreed=row.help,
        campaign=row.campaign or "",
        chapter=row.chapter,
        has_order=bool(row.salt),
        tournament=row.tournament or "",
        decided_for=row.decided_for,
        decided=row.decided,
        on_ladder=frozenset(place.occupant for place in sat if place.occupant_ladder is not None),
        last_seen={place.occupant: from_timestamp(place.sat_seen) for place in sat if place.sat_seen is not None},
        **facts,
    )


def _facts(row: AnyRow) -> dict[str, Any]:
    """Return what of a summary is decoded from the row; raise if the row is damaged."""
    return {
        "options": _options(row.options),
        "waiting": _waiting(row.waiting),
        "revisions": _revisions(row.revisions or "{}"),
        "outcome": outcome_of(row),
        "created": from_timestamp(row.created),
        "changed": from_timestamp(row.announced),
        "expires": None if row.expires is None else from_timestamp(row.expires),
        "damaged": row.damaged is not None,
        "clock": read_clock(row.clock),
        "draw_offer": _draw_offer(row.draw_offer) if row.draw_offer else None,
    }


_UNREADABLE: dict[str, Any] = {
    "options": {},
    "waiting": (),
    "revisions": {},
    "outcome": None,
    "created": from_timestamp(0),
    "changed": from_timestamp(0),
    "damaged": True,
}
"""Stands in a list for what cannot be decoded, so that one damaged match does not hide the others."""


def public_revision(revision: int, revisions: str) -> int:
    """Return the revision as spectators count it, from the columns of a match."""
    return _revisions(revisions or "{}").get(SPECTATOR, revision)


def sealed_of(row: AnyRow) -> Sealed | None:
    """Return the sealed scenario of the match of this row, if it has one."""
    return Sealed(row.own, row.salt) if row.salt else None


def outcome_of(row: AnyRow) -> Outcome | None:
    """Return the outcome of the match of this row, if it is over."""
    return None if row.outcome is None else _outcome(row.outcome)
