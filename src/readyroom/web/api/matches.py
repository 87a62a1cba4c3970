"""Matches: the public list, creating, status, events and record."""

from __future__ import annotations

import msgspec
from litestar import get, post
from litestar.concurrency import sync_to_thread
from litestar.response import Stream

from readyroom.engine.errors import UnknownSeat
from readyroom.store import MatchSummary, Pace, SeatAssignment, Store
from readyroom.store.errors import InvalidSeating, NotOver
from readyroom.web import catalog
from readyroom.web.api.auth import bearer, program_name, seat_of, token_seat
from readyroom.web.api.people import rating_facts
from readyroom.web.api.request_models import (
    GameKey,
    LastRevision,
    NewMatch,
    OpenSeats,
    Opponents,
    Revision,
    Since,
    View,
)
from readyroom.web.api.response_models import (
    CreatedMatch,
    FinishedMatch,
    MatchStatus,
    PlaybackModel,
    PublicMatch,
    RatingFacts,
)
from readyroom.web.api.schema import OF_ANYBODY, refusals
from readyroom.web.api.status import listed, match_status
from readyroom.web.jobs.replays import Replays
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.pages.home.new_match import BOT, SCENARIO_BYTES
from readyroom.web.pages.match.playback import played
from readyroom.web.pages.match.replay import ReplayPerspective
from readyroom.web.pages.match.table_view import Viewer
from readyroom.web.pages.players.profile import count_new_player
from readyroom.web.rendering import AppRequest, address

ME = "me"
RESULTS = 100
"""The most results that are listed."""
BODY = 4 * SCENARIO_BYTES


@get("/matches", sync_to_thread=True, summary="List public matches", responses=refusals(404))
def list_matches(
    store: Store,
    seats: OpenSeats = None,
    game: GameKey = None,
    pace: Pace | None = None,
    experience: Opponents = None,
) -> list[PublicMatch]:
    """List the public matches that are not finished, last changed first."""
    found = store.listings.public_matches(
        open_seats=seats,
        game=catalog.find_former(game).key if game else "",
        pace=pace or "",
        experience=experience or "",
    )
    ratings = store.ladder.ratings_of({summary.host for summary in found if summary.host})

    def host_rating(summary: MatchSummary) -> RatingFacts | None:
        known = ratings.get(summary.host, {}).get(summary.game)
        return rating_facts(summary.game, known) if known else None

    return [
        PublicMatch(**listed(summary), experience=summary.experience, host_rating=host_rating(summary))
        for summary in found
    ]


@get("/results", sync_to_thread=True, summary="List results", responses=refusals(404))
def list_results(store: Store, game: GameKey = None) -> list[FinishedMatch]:
    """List the last public matches that are over, the last first."""
    wanted = catalog.find_former(game).key if game else ""
    return [
        FinishedMatch(**listed(summary), outcome=summary.outcome, at=summary.changed.isoformat())
        for summary in store.ladder.public_results(RESULTS, game=wanted)
        if summary.outcome is not None
    ]


@post(
    "/matches",
    sync_to_thread=True,
    request_max_body_size=BODY,
    summary="Create a match",
    responses=refusals(403, 404, 413, 422),
)
def open_match(request: AppRequest, store: Store, client_tag: str, data: NewMatch) -> CreatedMatch:
    """Create a match. The secrets of its seats are returned only here."""
    game = catalog.find_former(data.game, lambda each: catalog.seats(each, data.scenario, data.own, {}))
    places = catalog.seats(game, data.scenario, data.own, data.options)
    inputs = {seat.key: data.seats.get(seat.key, data.seats.get(seat.side, ME)) for seat in places}
    strangers = data.seats.keys() - {name for seat in places for name in (seat.key, seat.side)}
    if strangers:
        raise UnknownSeat(min(strangers), inputs)
    if ME in inputs.values():
        count_new_player(request)
    opened = store.lobby.create(
        None,
        game.key,
        data.scenario,
        data.options,
        {seat: _who(sits) for seat, sits in inputs.items()},
        own=data.own,
        pace=data.pace,
        minutes=data.minutes,
        listed=data.listed,
        help_agreed=data.help,
        newcomer=program_name(data.name),
        dice_nonce=data.words,
        client=client_tag,
        seed=data.seed,
    )
    summary = store.listings.summary(opened.id)
    return CreatedMatch(opened.id, f"{address(request)}/m/{opened.id}", summary.started, opened.links)


def _who(text: str) -> SeatAssignment:
    if text.startswith(BOT):
        return SeatAssignment("bot", text.removeprefix(BOT))
    if text in (ME, "friend"):
        return SeatAssignment("friend", joins=text == ME)
    if text == "anyone":
        return SeatAssignment("anyone")
    raise InvalidSeating(f"A seat is me, friend, anyone or bot:NAME, not {text!r}.")


@get(
    "/matches/{id:str}",
    sync_to_thread=True,
    security=OF_ANYBODY,
    summary="Get a match",
    responses=refusals(401, 403, 404),
)
def look(request: AppRequest, store: Store, id: str, since: Since = None, view: View = False) -> MatchStatus:
    """Get the status of a match for the seat of the bearer token, or for a spectator.

    Before anyone has joined by the token, it shows only what spectators see.
    """
    summary, seat = token_seat(request, store, id)
    return match_status(store, summary, seat, since=since, look=view)


@get(
    "/matches/{id:str}/playback",
    sync_to_thread=True,
    security=OF_ANYBODY,
    summary="Get what happened on the board",
    responses=refusals(401, 403, 404, 409),
)
def match_playback(
    request: AppRequest,
    store: Store,
    replays: Replays,
    client_tag: str,
    id: str,
    since: Revision,
    upto: LastRevision = None,
) -> PlaybackModel:
    """Get the events from one revision to another, by default the newest, with the drawing at each.

    Events are the log lines that the seat of the bearer token, or a spectator, may read. Revisions count as in the
    status; `since` as in a status before the match was over.
    """
    summary, seat = seat_of(request, store, id)
    viewer = Viewer(summary, own=(seat,) if seat is not None else (), seat=seat)
    made = played(store, replays, viewer, ReplayPerspective(summary, seat), client_tag, since, upto)
    return msgspec.json.decode(made, type=PlaybackModel)


@get(
    "/matches/{id:str}/record",
    sync_to_thread=True,
    media_type="application/jsonl",
    summary="Get the record",
    responses=refusals(404, 409),
)
def record(store: Store, id: str) -> str:
    """Get the record of a finished match. A match in progress has none, as it would reveal hidden information."""
    if store.listings.summary(id).outcome is None:
        raise NotOver
    return store.records.text(id)


@get(
    "/matches/{id:str}/events",
    media_type="text/event-stream",
    security=OF_ANYBODY,
    summary="Stream events",
    responses=refusals(401, 403, 404),
)
async def events(request: AppRequest, store: Store, broadcaster: EventBroadcaster, id: str) -> Stream:
    """Stream events: `here` first, then `moved`, `talk`, `asked` and `seats`, each with the viewer's revision.

    A viewer gets `moved` only for what it may notice.
    """
    summary, seat = await sync_to_thread(seat_of, request, store, id)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    secret = bearer(request)
    stream = broadcaster.stream(
        id, summary.revision_for(seat), seat, may_watch=lambda: seat is None or store.seats.opens(secret, id, seat)
    )
    return Stream(stream, media_type="text/event-stream", headers=headers)
