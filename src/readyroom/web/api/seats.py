"""Seats: whose secret it is, sitting down, beginning without the others, a new link, and handing over to the staff."""

from __future__ import annotations

from litestar import get, post

from readyroom.store import Store
from readyroom.store.errors import NotTheHost
from readyroom.web.api.asked import Coming, HandingOver, Renewing, Taking
from readyroom.web.api.bearer import bearer, first_on, opened_by, own_seat, player_on
from readyroom.web.api.schema import OF_A_SEAT, refusals
from readyroom.web.api.standing import standing
from readyroom.web.api.told import Standing, Taken
from readyroom.web.pages import Asking


@get("/seat", sync_to_thread=True, security=OF_A_SEAT, summary="Whose secret this is", responses=refusals(401, 403))
def my_seat(request: Asking, store: Store) -> Standing:
    """How the match stands at which the secret that is brought has a seat: for programs that know only a link."""
    card, seat = opened_by(store, bearer(request))
    return standing(store, card, seat, None, False)


@post(
    "/matches/{id:str}/sit",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Come to the table",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def sit(request: Asking, store: Store, id: str, data: Coming) -> Standing:
    """Come to the seat whose secret is brought; the match begins when everybody is there."""
    card, seat = own_seat(request, store, id)
    player = None if first_on(card, seat) else store.enrol(data.name).player.id
    card = store.sit(bearer(request), player, data.words)
    return standing(store, card, seat, None, False)


@post("/matches/{id:str}/take", sync_to_thread=True, summary="Take a seat", responses=refusals(403, 404, 409, 413, 422))
def take(store: Store, id: str, data: Taking) -> Taken:
    """Take a seat that is open to anyone; the secret of its link is told here and never again."""
    player = ""
    if any(seat.key == data.seat and seat.open for seat in store.card(id).seats):
        player = store.enrol(data.name).player.id
    card = store.take(id, data.seat, player, data.words)
    return Taken(id, data.seat, store.new_link(id, data.seat, player), card.begun)


@post(
    "/matches/{id:str}/begin",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Begin without the others",
    responses=refusals(401, 403, 404),
)
def begin(request: Asking, store: Store, id: str) -> Standing:
    """Begin without those who have not come: any seat may, at a match that a program has opened."""
    card, seat = own_seat(request, store, id)
    if card.host:
        raise NotTheHost("begin it")
    store.begin(id, None)
    return standing(store, store.card(id), seat, None, False)


@post(
    "/matches/{id:str}/link",
    sync_to_thread=True,
    security=OF_A_SEAT,
    summary="A new link",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def new_link(request: Asking, store: Store, id: str, data: Renewing) -> Taken:
    """A new secret for the seat whose secret is brought; the old one is dead from now on.

    Whoever was sent a secret by the host of a match should ask for another: the host knows the first.
    """
    card, seat = own_seat(request, store, id)
    secret = store.new_link(id, seat, player_on(store, card, seat, bearer(request)), data.secret or "")
    return Taken(id, seat, secret, store.card(id).begun)


@post(
    "/matches/{id:str}/hand-over",
    sync_to_thread=True,
    status_code=200,
    security=OF_A_SEAT,
    summary="Let the staff play on",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def hand_over(request: Asking, store: Store, id: str, data: HandingOver) -> Standing:
    """Let a bot play the seat whose secret is brought; who comes to the table by that secret again takes it back."""
    card, seat = own_seat(request, store, id)
    card = store.hand_over(id, seat, data.bot, player_on(store, card, seat, bearer(request)))
    return standing(store, card, seat, None, False)
