"""What happened on the board, for pages that animate it."""

from __future__ import annotations

from functools import partial
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
from readyroom.web.pages.match.replay import Number, ReplayPerspective, resolve_perspective, viewer_of
from readyroom.web.pages.match.table_view import SeatName, Viewer, view_for
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
    since: Annotated[int, QueryParameter(ge=-1)],
    upto: Number = None,
    seat: SeatName = None,
    board: Annotated[str | None, QueryParameter(name="board", max_length=64)] = None,
    live: bool = True,
) -> Response[bytes]:
    """Return what the viewer could see happen from one of their revisions to another (by default the last), as JSON.

    Revision −1 is before all that happens before the first decision.

    Where all sides are shown, the events are those of everyone, and `board` is the seat whose board is drawn. Unless
    `live`, `since` is a revision as the viewer counts once the match is over, when everything is public.
    """
    viewer = viewer_of(store, page, id, seat)
    if viewer.hand_to is not None:
        raise NotYourSeat("Pass on the screen first.")
    perspective = resolve_perspective(viewer, seat)
    made = played(
        store,
        replays,
        viewer,
        perspective,
        client(page.request),
        since,
        upto,
        board=board,
        live=live,
    )
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return Response(made, media_type=MediaType.JSON, headers=headers)


def played(
    store: Store,
    replays: Replays,
    viewer: Viewer,
    perspective: ReplayPerspective,
    client_tag: str,
    since: int,
    upto: int | None,
    *,
    board: str | None = None,
    live: bool = True,
) -> bytes:
    """Return what happened between two revisions of a perspective as JSON, or `NOTHING`.

    Args:
        store: the store.
        replays: the replays of the server.
        viewer: who looks.
        perspective: whose log lines are the events.
        client_tag: who asks, if a worker must prepare the match.
        since: the revision before the first event, as the perspective counts; −1: before the first decision.
        upto: the revision after the last event; None: the newest.
        board: the seat whose board is drawn where all sides are shown; by default the viewer's.
        live: as for `Match.true_revision`, for `since`.

    Raises:
        UnknownSeat: the match has no such board.
    """
    summary = perspective.summary
    index = replays.index(summary, client_tag)
    if isinstance(index, Job):
        return NOTHING
    is_open = perspective.open
    shown = (board or viewer.seat) if is_open else perspective.seat
    with store.matches.open(summary.id) as match:
        if shown is not None:
            match.seat(shown)
        newest, game = min(match.revision, index.revision), match.game
        last = newest if summary.is_open else match.revision_for(perspective.seat, newest)
        upto = last if upto is None else min(upto, last)
        first = since if since < 0 else min(since, last)
        if summary.outcome is not None or not summary.is_open:
            upto = match.true_revision(perspective.seat, upto)
            first = first if first < 0 else match.true_revision(perspective.seat, first, live=live)
        first = min(first, upto)
    key = f"{summary.id} {perspective.name} {shown} {first} {upto} {viewer.shape} {shown in viewer.own}"
    made = replays.playbacks.get(key)
    if made is None:
        reader, view = EVERYONE if is_open else perspective.seat, partial(view_for, viewer, seat=shown, is_open=is_open)
        made = msgspec.json.encode(playback(game, index, view, reader, first, upto, viewer.shape))
        replays.playbacks.put(key, made, len(made))
    return made


router = Router("/", route_handlers=[match_playback], include_in_schema=False)
