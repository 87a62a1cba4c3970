"""The challenge of the day."""

from __future__ import annotations

from litestar import get, post

from readyroom.store import Player, Store
from readyroom.store.cards import NO_NAME
from readyroom.store.errors import NotYourSeat
from readyroom.study.daily.challenge import Challenge
from readyroom.web.api.auth import bearer, create_program, first_on, opened_by
from readyroom.web.api.request_models import NewAttempt
from readyroom.web.api.response_models import ChallengeModel, ChallengeResult, CreatedAttempt
from readyroom.web.api.schema import OF_ANYBODY, refusals
from readyroom.web.pages.home.daily import day_context, played_challenge
from readyroom.web.rendering import AppRequest, address


@get("/challenge", sync_to_thread=True, summary="Get the challenge of today", responses=refusals(404, 409))
def todays_challenge(store: Store) -> ChallengeModel:
    """Get the challenge of today (UTC) and its results so far."""
    return _model(store, played_challenge(store, store.daily.today().isoformat()))


@get("/challenge/{day:str}", sync_to_thread=True, summary="Get a challenge", responses=refusals(404, 409))
def challenge_of_a_day(store: Store, day: str) -> ChallengeModel:
    """Get the challenge of a day that has begun, and its results; how matches ended only after the day."""
    return _model(store, played_challenge(store, day))


@post(
    "/challenge",
    sync_to_thread=True,
    security=OF_ANYBODY,
    summary="Start an attempt of today",
    responses=refusals(401, 403, 404, 409, 422),
)
def start_attempt(request: AppRequest, store: Store, client_tag: str, data: NewAttempt) -> CreatedAttempt:
    """Start an attempt at the challenge of today; only this returns the secrets of its seats.

    The first attempt of a player counts. With the secret of any seat of a program as a bearer token it is an attempt of
    that seat's player, otherwise of a new one.
    """
    return _start(request, store, client_tag, data, store.daily.today().isoformat())


@post(
    "/challenge/{day:str}",
    sync_to_thread=True,
    security=OF_ANYBODY,
    summary="Start an attempt",
    responses=refusals(401, 403, 404, 409, 422),
)
def start_past_attempt(
    request: AppRequest, store: Store, client_tag: str, data: NewAttempt, day: str
) -> CreatedAttempt:
    """Start an attempt at the challenge of a day that has begun; after that day it is practice."""
    return _start(request, store, client_tag, data, day)


def _start(request: AppRequest, store: Store, client_tag: str, data: NewAttempt, day: str) -> CreatedAttempt:
    challenge = played_challenge(store, day)
    player = player_of_token(request, store) or create_program(request, store, data.name)
    opened = store.daily.begin(player, challenge.day, client=client_tag, program=True)
    summary = store.listings.summary(opened.id)
    return CreatedAttempt(opened.id, f"{address(request)}/m/{opened.id}", summary.is_counted, opened.links)


def player_of_token(request: AppRequest, store: Store) -> Player | None:
    """Return the player of the seat of the bearer token; None without one, or before anyone has joined by it.

    Raises `NotYourSeat` for a player who is no program: others may know the secret of their seat.
    """
    if not (secret := bearer(request)):
        return None
    summary, seat = opened_by(store, secret)
    player_id = first_on(summary, seat) if summary.has_joined(seat) else None
    if player_id is None:
        return None
    if not store.players.is_program(player_id):
        raise NotYourSeat("A person plays this seat. They play challenges and puzzles in their browser.")
    if any(place.key == seat and place.shared for place in summary.seats):
        raise NotYourSeat("Who sent you the secret of this seat knows it, too. Replace it by a new link first.")
    return store.players.get(player_id)


def _model(store: Store, challenge: Challenge) -> ChallengeModel:
    context = day_context(store, None, challenge)
    results = [
        ChallengeResult(
            row.result.player if row.result.on_ladder else "",
            row.result.name if row.result.on_ladder else NO_NAME,
            row.percentile,
            *((row.result.match, row.result.outcome.title, row.result.score.lead) if context["is_over"] else ()),
        )
        for row in context["rows"]
    ]
    return ChallengeModel(
        challenge.day.isoformat(),
        challenge.number,
        challenge.game.key,
        challenge.scenario.key,
        challenge.side,
        challenge.options,
        challenge.bot if challenge.other_seats else "",
        context["dice_hash"],
        context["anchor"],
        context["is_over"],
        results,
    )
