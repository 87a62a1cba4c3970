"""The client: the secret of its request, and the seat that it opens."""

from __future__ import annotations

from litestar.exceptions import NotAuthorizedException

from readyroom.store import MatchSummary, Store
from readyroom.store.errors import NotYourSeat, SeatTaken, UnknownLink
from readyroom.web.api.request_models import PROGRAM
from readyroom.web.pages import Asking


class WrongSecret(NotAuthorizedException):
    """A bearer that is no seat's."""


def seat_of(request: Asking, store: Store, id: str) -> tuple[MatchSummary, str | None]:
    """The match, and the seat of the request's secret; None without one."""
    secret = bearer(request)
    if not secret:
        return store.match_summary(id), None
    card, seat = opened_by(store, secret)
    if card.id != id:
        store.match_summary(id)
        raise NotYourSeat("This secret belongs to a seat of another match.")
    return card, seat


def own_seat(request: Asking, store: Store, id: str) -> tuple[MatchSummary, str]:
    """The match, and the seat of the request's secret; requests without one are rejected."""
    card, seat = seat_of(request, store, id)
    if seat is None:
        raise _stranger("Only a seat can do this. Send its secret as a bearer token.")
    return card, seat


def opened_by(store: Store, secret: str) -> tuple[MatchSummary, str]:
    """The match and the seat that a secret opens."""
    try:
        return store.match_by_link(secret)
    except UnknownLink as refusal:
        raise _stranger(str(refusal)) from refusal


def bearer(request: Asking) -> str:
    """The request's secret; empty without one."""
    text = request.headers.get("authorization", "")
    kind, _, secret = text.partition(" ")
    if text and kind.lower() != "bearer":
        raise _stranger("Send a seat's secret as a bearer token.")
    return secret.strip()


def player_on(store: Store, card: MatchSummary, seat: str, secret: str) -> str:
    """The player of a seat where a name is needed: its player, or a program that joins only now."""
    sitting = first_on(card, seat)
    place = next(known for known in card.seats if known.key == seat)
    if place.bot:
        raise SeatTaken(f"The bot {place.bot} plays {place.name}. Join the seat first.")
    if sitting is None:
        sitting = store.create_player(PROGRAM).player.id
        store.join_by_link(secret, sitting)
    return sitting


def first_on(card: MatchSummary, seat: str) -> str | None:
    """The first who sits on a seat, or in whose place a bot plays."""
    place = next(known for known in card.seats if known.key == seat)
    players = place.players or place.previous_players
    return players[0][0] if players else None


def _stranger(sentence: str) -> WrongSecret:
    return WrongSecret(detail=sentence, headers={"WWW-Authenticate": "Bearer"})
