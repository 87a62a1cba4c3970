"""Tournaments."""

from __future__ import annotations

from litestar import get, post

from readyroom.store import Store
from readyroom.store.errors import NotYourSeat, UnknownLink
from readyroom.store.tournaments.tournaments import Tournament
from readyroom.web.api.auth import WrongSecret, bearer, create_program
from readyroom.web.api.request_models import JoinTournament, NewTournament, TournamentChoices
from readyroom.web.api.response_models import (
    EntrantModel,
    JoinedTournament,
    ListedTournament,
    PairingModel,
    PlaceModel,
    TournamentModel,
    TournamentSeats,
)
from readyroom.web.api.schema import refusals, seat_post
from readyroom.web.rendering import AppRequest, address


@get("/tournaments", sync_to_thread=True, summary="List public tournaments", responses=refusals())
def list_tournaments(store: Store) -> list[ListedTournament]:
    """List the public tournaments: open ones first, then running ones, then those that are over."""
    return [_listed(one) for one in store.tournaments.public()]


def _listed(one: Tournament) -> ListedTournament:
    return ListedTournament(one.id, one.title, one.game, one.kind, one.state, len(one.entrants), one.places)


@post("/tournaments", sync_to_thread=True, summary="Create a tournament", responses=refusals(403, 404, 409, 422))
def open_tournament(request: AppRequest, store: Store, client_tag: str, data: NewTournament) -> JoinedTournament:
    """Create a tournament for a new player, who organises it and plays. The secret is returned only here."""
    player = create_program(request, store, data.name)
    created = store.tournaments.create(
        player,
        data.title,
        data.game,
        data.scenario,
        kind=data.kind,
        both=data.both,
        places=data.places,
        pace=data.pace,
        days=data.days,
        minutes=data.minutes,
        listed=data.listed,
        client=client_tag,
    )
    return _join(request, store, created, player.id, data.words, client_tag)


@get("/tournaments/{id:str}", sync_to_thread=True, summary="Get a tournament", responses=refusals(404))
def one_tournament(store: Store, id: str) -> TournamentModel:
    """Get the players, pairings and standings of a tournament."""
    return _model(store, id)


def _model(store: Store, id: str) -> TournamentModel:
    found = store.tournaments.find(id)
    return TournamentModel(
        found.id,
        found.title,
        found.game,
        found.kind,
        found.both,
        found.state,
        found.places,
        found.pace,
        found.days,
        found.minutes,
        [EntrantModel(one.number, one.name, one.is_out) for one in found.entrants],
        [PairingModel(*one) for one in found.pairings],
        [PlaceModel(*one) for one in found.standings] if found.state != "open" else [],
        found.following,
    )


@post(
    "/tournaments/{id:str}/join",
    sync_to_thread=True,
    summary="Join a tournament",
    responses=refusals(403, 404, 409, 422),
)
def join_tournament(
    request: AppRequest, store: Store, client_tag: str, id: str, data: JoinTournament
) -> JoinedTournament:
    """Join a tournament as a new player. The secret is returned only here."""
    store.tournaments.find(id)
    player = create_program(request, store, data.name)
    return _join(request, store, id, player.id, data.words, client_tag)


def _join(request: AppRequest, store: Store, id: str, player_id: str, words: str, client_tag: str) -> JoinedTournament:
    secret = store.tournaments.join(id, player_id, words, program=True, client=client_tag)
    return JoinedTournament(id, f"{address(request)}/tournaments/{id}", secret)


@seat_post("/tournaments/{id:str}/seats", summary="Get seats in open matches", responses=refusals(401, 403, 404))
def tournament_seats(request: AppRequest, store: Store, id: str) -> TournamentSeats:
    """Get new secrets of the seats of the player of the secret in their open matches."""
    return TournamentSeats(id, store.tournaments.seats(id, _player(request, store, id)))


@seat_post(
    "/tournaments/{id:str}/choices",
    summary="Concede, leave, start or remove",
    responses=refusals(401, 403, 404, 409, 422),
)
def act_in_tournament(request: AppRequest, store: Store, id: str, data: TournamentChoices) -> TournamentModel:
    """Concede a match or withdraw; as the organiser, remove a player or start. They are done in this order."""
    player = _player(request, store, id)
    if data.concede is not None:
        store.tournaments.concede(id, data.concede, player)
    if data.remove is not None:
        store.tournaments.remove(id, data.remove, player)
    if data.start:
        store.tournaments.start(id, player)
    if data.withdraw:
        store.tournaments.withdraw(id, player)
    return _model(store, id)


def _player(request: AppRequest, store: Store, id: str) -> str:
    """Return the player of the bearer token."""
    store.tournaments.find(id)
    try:
        found, player = store.tournaments.by_link(bearer(request))
    except UnknownLink as error:
        raise WrongSecret(detail=str(error), headers={"WWW-Authenticate": "Bearer"}) from error
    if found != id:
        raise NotYourSeat("This secret belongs to a player of another tournament.")
    return player
