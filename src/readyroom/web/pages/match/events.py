"""The stream of a match's events, for its open pages."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, aclosing

from litestar import Router, get
from litestar.concurrency import sync_to_thread
from litestar.response import Stream

from readyroom.store import Player, Store
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.live.open_pages import ANONYMOUS, OpenPages
from readyroom.web.live.presence import Presence
from readyroom.web.pages.match.table_view import SeatName
from readyroom.web.pages.players.profile import COOKIE
from readyroom.web.rendering import AppRequest


@get("/m/{id:str}/events", media_type="text/event-stream")
async def events(
    request: AppRequest,
    store: Store,
    player: Player | None,
    broadcaster: EventBroadcaster,
    open_pages: OpenPages,
    presence: Presence,
    id: str,
    seat: SeatName = None,
) -> Stream:
    """Stream the events that a seat of the player, or a spectator, may notice: `here` first, then each by its name."""
    summary = await sync_to_thread(store.listings.summary, id)
    own = summary.seats_of(player.id) if player is not None else []
    seat = seat if seat in own else own[0] if own and seat is None else None
    reader = player.id if player is not None else ANONYMOUS

    async def players_hash(look: bool) -> str:
        if look:
            await presence.look(id)
        return presence.players_hash(id, player)

    session = request.cookies.get(COOKIE, "")
    stream = broadcaster.stream(
        id,
        summary.revision_for(seat),
        seat,
        players_hash,
        player_id=reader,
        may_watch=lambda: player is None or store.seats.may_watch(session, id, seat),
    )
    return _response(watched(stream, open_pages.looking(id, reader, plays=bool(own))))


def changes(broadcaster: EventBroadcaster, open_pages: OpenPages, player: Player | None, id: str) -> Stream:
    """Stream the changes of a campaign or tournament, for its open pages."""
    looking = open_pages.looking(id, player.id if player is not None else ANONYMOUS, plays=False)
    return _response(watched(broadcaster.stream(id, 0, None), looking))


def _response(stream: AsyncGenerator[bytes, None]) -> Stream:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Stream(stream, media_type="text/event-stream", headers=headers)


async def watched(
    result: AsyncGenerator[bytes, None], looking: AbstractContextManager[None]
) -> AsyncGenerator[bytes, None]:
    """Pass a stream on, and count its reader as watching while it lasts."""
    with looking:
        async with aclosing(result) as stream:
            async for each in stream:
                yield each


router = Router(path="/", route_handlers=[events], include_in_schema=False)
