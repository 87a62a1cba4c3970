"""Authentication: the secret a program sends and the seat it opens."""

from __future__ import annotations

from litestar.exceptions import NotAuthorizedException

from readyroom.store import MatchSummary, Player, Store
from readyroom.store.errors import NotYourSeat, SeatTaken, UnknownLink
from readyroom.store.names import PROGRAM_ENDING
from readyroom.web.pages.players.profile import create_player, random_name
from readyroom.web.rendering import AppRequest


class WrongSecret(NotAuthorizedException):
    """The bearer token belongs to no seat."""


def token_seat(request: AppRequest, store: Store, id: str) -> tuple[MatchSummary, str | None]:
    """Return the match and the seat of the bearer token, joined or not, or None without a token."""
    secret = bearer(request)
    if not secret:
        return store.listings.summary(id).seen_by(), None
    summary, seat = opened_by(store, secret)
    if summary.id != id:
        store.listings.summary(id)
        raise NotYourSeat("This secret belongs to a seat of another match.")
    store.expiry.visited(summary, None)
    return summary, seat


def seat_of(request: AppRequest, store: Store, id: str) -> tuple[MatchSummary, str | None]:
    """Return the match and the seat of the bearer token; None without one, or before anyone has joined by it."""
    summary, seat = token_seat(request, store, id)
    return summary, seat if summary.has_joined(seat) else None


def invited_seat(request: AppRequest, store: Store, id: str) -> tuple[MatchSummary, str]:
    """Return the match and the seat of the bearer token, joined or not; a missing token is rejected."""
    summary, seat = token_seat(request, store, id)
    if seat is None:
        raise _stranger("Only a seat can do this. Send its secret as a bearer token.")
    return summary, seat


def own_seat(request: AppRequest, store: Store, id: str) -> tuple[MatchSummary, str]:
    """Return the match and the seat of the bearer token; once the match has started, someone must have joined by it."""
    summary, seat = invited_seat(request, store, id)
    if summary.started and not summary.has_joined(seat):
        raise NotYourSeat("No one has joined by this link yet. Join the seat first.")
    return summary, seat


def opened_by(store: Store, secret: str) -> tuple[MatchSummary, str]:
    """Return the match and the seat that a secret opens."""
    try:
        return store.seats.match_by_link(secret)
    except UnknownLink as error:
        raise _stranger(str(error)) from error


def bearer(request: AppRequest) -> str:
    """Return the bearer token; empty without one."""
    text = request.headers.get("authorization", "")
    kind, _, secret = text.partition(" ")
    if text and kind.lower() != "bearer":
        raise _stranger("Send a seat's secret as a bearer token.")
    return secret.strip()


def player_on(request: AppRequest, store: Store, summary: MatchSummary, seat: str) -> str:
    """Return the player of the seat of the bearer token, creating one for a program that has just joined."""
    sitting = first_on(summary, seat)
    place = next(known for known in summary.seats if known.key == seat)
    if place.bot:
        raise SeatTaken(f"The bot {place.bot} plays {place.name}. Join the seat first.")
    if sitting is None:
        sitting = create_program(request, store).id
        store.seats.join_by_link(bearer(request), sitting, program=True)
    return sitting


def create_program(request: AppRequest, store: Store, name: str | None = None) -> Player:
    """Create a player for a program; raise as `create_player` does."""
    return create_player(request, store, program_name(name), program=True).player


def program_name(name: str | None = None) -> str:
    """Return the name of a player who joins here: the given one, or a random one that says what plays."""
    return name or f"{random_name()}{PROGRAM_ENDING}"


def first_on(summary: MatchSummary, seat: str) -> str | None:
    """Return the first player of a seat, or the one a bot replaces."""
    place = next(known for known in summary.seats if known.key == seat)
    players = place.players or place.previous_players
    return players[0][0] if players else None


def _stranger(sentence: str) -> WrongSecret:
    return WrongSecret(detail=sentence, headers={"WWW-Authenticate": "Bearer"})
