"""What happened on the board, for pages that animate it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, Router, get
from litestar.enums import MediaType
from litestar.params import QueryParameter

from readyroom.engine.record.playback import EVERYONE
from readyroom.store import Store
from readyroom.store.errors import NotYourSeat
from readyroom.web.jobs.replays import Replays
from readyroom.web.jobs.workers import Job
from readyroom.web.pages.replay import Number, resolve_perspective, viewer_of
from readyroom.web.pages.table_view import SeatName
from readyroom.web.playback import playback
from readyroom.web.rendering import Page
from readyroom.web.security import client

NOTHING = b'{"before":[],"omitted":0,"events":[],"colours":{}}'
"""The answer where a worker must prepare the match first: a page shows the board without playing anything."""


@get("/m/{id:str}/playback", sync_to_thread=True)
def match_playback(
    store: Store,
    page: Page,
    replays: Replays,
    id: str,
    since: Annotated[int, QueryParameter(ge=0)],
    upto: Number = None,
    seat: SeatName = None,
    board: SeatName = None,
) -> Response[bytes]:
    """Return what the viewer could see happen from one of their revisions to another (by default the last), as JSON.

    Where all sides are shown, the events are those of everyone, and `board` is the seat whose board is drawn.
    """
    viewer = viewer_of(store, page, id, seat)
    if viewer.hand_to is not None:
        raise NotYourSeat("Pass on the screen first.")
    perspective, index = resolve_perspective(viewer, seat), replays.index(viewer.summary, client(page.request))
    if isinstance(index, Job):
        return _json(NOTHING)
    shown = board if perspective.open else perspective.seat
    with store.matches.open(id) as match:
        if shown is not None:
            match.seat(shown)
        last = match.revision_for(perspective.seat, min(match.revision, index.revision))
        first, upto = (
            match.true_revision(perspective.seat, min(revision, last))
            for revision in (since, last if upto is None else upto)
        )
        game = match.game
    key = f"{id} {perspective.name} {shown} {first} {upto} {viewer.shape}"
    made = replays.playbacks.get(key)
    if made is None:
        reader = EVERYONE if perspective.open else perspective.seat
        made = msgspec.json.encode(playback(game, index, shown, reader, first, upto, viewer.shape))
        replays.playbacks.put(key, made, len(made))
    return _json(made)


def _json(content: bytes) -> Response[bytes]:
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return Response(content, media_type=MediaType.JSON, headers=headers)


router = Router("/", route_handlers=[match_playback], include_in_schema=False)
