"""Seats: joining, starting early, new links, and assigning bots."""

from __future__ import annotations

from litestar import post

from readyroom.store import Store
from readyroom.store.errors import NotTheHost
from readyroom.web.api.auth import (
    bearer,
    create_program,
    first_on,
    invited_seat,
    opened_by,
    own_seat,
    player_on,
)
from readyroom.web.api.request_models import AssignBotRequest, JoinRequest, NewLinkRequest, TakeSeatRequest
from readyroom.web.api.response_models import ClaimedSeat, MatchStatus
from readyroom.web.api.schema import refusals, seat_get, seat_post
from readyroom.web.api.status import match_status
from readyroom.web.rendering import AppRequest


@seat_get("/seat", summary="Get the seat of a secret", responses=refusals(401, 403))
def my_seat(request: AppRequest, store: Store) -> MatchStatus:
    """Get the status of the match that the bearer token belongs to, for programs that know only a link."""
    summary, seat = opened_by(store, bearer(request))
    return match_status(store, summary, seat)


@seat_post("/matches/{id:str}/sit", summary="Join by link", responses=refusals(401, 403, 404, 409, 413, 422))
def join_by_link(request: AppRequest, store: Store, id: str, data: JoinRequest) -> MatchStatus:
    """Join the seat of the bearer token; the match starts when all seats are filled.

    The token stays valid for programs, but no browser can join by it any more. If `lent` is true, its sender knows it
    too: replace it (`/link`). A link that the host sent is no token once a browser has joined by it, or someone has
    taken the seat without it. Before anyone has joined, a token shows only what spectators see.
    """
    summary, seat = invited_seat(request, store, id)
    is_back = summary.has_joined(seat) and first_on(summary, seat) is not None
    player = None if is_back else create_program(request, store, data.name).id
    summary = store.seats.join_by_link(bearer(request), player, data.words, program=True)
    return match_status(store, summary, seat)


@post(
    "/matches/{id:str}/take",
    sync_to_thread=True,
    summary="Join an open seat",
    responses=refusals(403, 404, 409, 413, 422),
)
def take_seat(request: AppRequest, store: Store, id: str, data: TakeSeatRequest) -> ClaimedSeat:
    """Join a seat that is open to anyone; the secret of its link is returned here and never again."""
    player = ""
    if any(seat.key == data.seat and seat.open for seat in store.listings.summary(id).seats):
        player = create_program(request, store, data.name).id
    summary = store.seats.join_open_seat(id, data.seat, player, data.words)
    return ClaimedSeat(id, data.seat, store.seats.new_link(id, data.seat, player), summary.started)


@seat_post("/matches/{id:str}/begin", summary="Start without waiting", responses=refusals(401, 403, 404))
def begin(request: AppRequest, store: Store, id: str) -> MatchStatus:
    """Start a match that a program has created without waiting; any seat can."""
    summary, seat = invited_seat(request, store, id)
    if summary.host:
        raise NotTheHost("start it")
    store.lobby.begin(id, None)
    return match_status(store, store.listings.summary(id), seat)


@seat_post(
    "/matches/{id:str}/link",
    status_code=201,
    summary="Create an invite link",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def new_link(request: AppRequest, store: Store, id: str, data: NewLinkRequest) -> ClaimedSeat:
    """Replace the secret of the seat of the bearer token; the old one stops working.

    Clients that were sent a secret by the host should ask for another: the host knows the first.
    """
    summary, seat = invited_seat(request, store, id)
    secret = store.seats.new_link(id, seat, player_on(request, store, summary, seat), data.secret or "")
    return ClaimedSeat(id, seat, secret, store.listings.summary(id).started)


@seat_post("/matches/{id:str}/hand-over", summary="Assign a bot", responses=refusals(401, 403, 404, 409, 413, 422))
def assign_bot(request: AppRequest, store: Store, client_tag: str, id: str, data: AssignBotRequest) -> MatchStatus:
    """Assign a bot to the seat of the bearer token; joining again with the token reclaims it."""
    summary, seat = own_seat(request, store, id)
    player = player_on(request, store, summary, seat)
    summary = store.seats.assign_bot(id, seat, data.bot, player, client=client_tag)
    return match_status(store, summary, seat)
