"""The match page as a whole, and the part of it that an action changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from litestar import Response
from litestar.datastructures import FormMultiDict
from litestar.enums import MediaType
from litestar.response import Redirect

from readyroom.engine.errors import IllegalChoice, ReadyRoomError, RuleError, StaleRevision
from readyroom.store import Player, Store
from readyroom.store.cards import Message
from readyroom.store.chat import NOTE_LENGTH, TEXT_LENGTH, is_removable
from readyroom.store.errors import NotYourSeat, SeatBanned, WriteFailed
from readyroom.web import catalog
from readyroom.web.pages.cards import bot_of, seat_controls
from readyroom.web.pages.match import table_view
from readyroom.web.pages.match.table_view import DraftAnswer, Viewer
from readyroom.web.rendering import AppRequest, Page, Reply, wants_part

MESSAGES_SHOWN = 100
"""The number of chat messages shown."""

Action = Callable[[str], object]


# -- the page --------------------------------------------------------------------------------------------------------


def viewer_of_page(store: Store, page: Page, id: str, seat: str | None) -> Viewer:
    """Return the viewer of a match for a page with this seat."""
    return table_view.resolve_viewer(store.listings.summary(id), page.player, seat, page.shape, plays_on=page.plays_on)


def full_page(
    store: Store,
    page: Page,
    viewer: Viewer,
    draft: DraftAnswer | None = None,
    *,
    ask: str = "",
    status: int = 200,
    analysis: dict[str, Any] | None = None,
    **more: Any,
) -> Reply:
    """Return the whole page, or the one that passes the screen on; `more` is added to its context."""
    if viewer.hand_to is not None:
        return page("handover.html", secret=True, **table_view.handover_context(store, viewer))
    data = table_view.table_context(store, viewer, draft, ask, analysis)
    return page(
        "table.html",
        status=status,
        secret=True,
        **(data | chat_context(store, viewer) | seat_context(viewer) | more),
    )


def seat_context(viewer: Viewer) -> dict[str, Any]:
    """Return what the part of the page with the seats shows."""
    return {"seat_controls": seat_controls(viewer.summary, viewer.player), "bots": bot_of(viewer.summary)}


def chat_context(store: Store, viewer: Viewer) -> dict[str, Any]:
    """Return the chat that the viewer may read, and their own notes."""
    summary, player = viewer.summary, viewer.player
    sides = [viewer.side] if viewer.side is not None else []
    mates = {known for seat in summary.seats if seat.side == viewer.side for known, _ in seat.players}
    in_public = summary.public and (player is None or not summary.has_player(player.id))
    messages = store.chat.messages(summary.id, sides, in_public=in_public)
    return {
        **table_view.table_base_context(viewer),
        "messages": messages[-MESSAGES_SHOWN:],
        "to_side": _writes_to_side(viewer, messages),
        "has_mates": player is not None and viewer.seat is not None and bool(mates - {player.id}),
        "can_chat": player is not None and store.chat.can_post(summary, player.id),
        "is_removable": partial(is_removable, summary),
        "notes": store.chat.notes(summary.id, player.id) if player is not None else "",
        "note_saved": False,
        "text_length": TEXT_LENGTH,
        "note_length": NOTE_LENGTH,
    }


def _writes_to_side(viewer: Viewer, messages: Sequence[Message]) -> bool:
    """Return whether the viewer's next message is for their side: as the last was, or the first in secret planning."""
    summary, player = viewer.summary, viewer.player
    if player is None or viewer.seat is None:
        return False
    own = next((message for message in reversed(messages) if message.player == player.id), None)
    if own is not None:
        return own.side is not None
    game = catalog.games().get(summary.game)
    plans = game is not None and game.planning.files is not None and summary.outcome is None
    seats = [one for one in summary.seats if one.side == viewer.side]
    return plans and any(one.vacant or dict(one.players).keys() - {player.id} for one in seats)


def page_part(
    store: Store,
    page: Page,
    viewer: Viewer,
    draft: DraftAnswer | None = None,
    *,
    ask: str = "",
    status: int = 200,
    **more: Any,
) -> Reply:
    """Return the part of the page, or a reload if the screen is to be passed on; `more` is added to its context."""
    if viewer.hand_to is not None:
        return redirect_to_handover(viewer)
    data = table_view.table_context(store, viewer, draft, ask)
    return page("_table.html", status=status, secret=True, **(data | more))


def redirect_to_handover(viewer: Viewer) -> Reply:
    """Return a reload, by which the page passes the screen on."""
    where = f"/m/{viewer.summary.id}?seat={viewer.seat or viewer.hand_to}"
    headers = {"HX-Redirect": where, "Cache-Control": "no-store"}
    return Response("", status_code=200, headers=headers, media_type=MediaType.HTML)


# -- actions ---------------------------------------------------------------------------------------------------------


def own_seat(store: Store, page: Page, id: str, form: FormMultiDict) -> str:
    """Return the seat of a form; raise `NotYourSeat` unless the player sits there."""
    seat = str(form.get("seat", ""))
    summary = store.listings.summary(id)
    own = summary.seats_of(page.player.id) if page.player is not None else []
    if seat not in own:
        if page.player is not None and (excluded := summary.banned_from(page.player.id)) is not None:
            raise SeatBanned(excluded.name, excluded.banned)
        raise NotYourSeat("This seat is not yours.")
    return seat


def signed_in(page: Page) -> Player:
    """Return the player; raise `NotYourSeat` if no one is signed in."""
    if page.player is None:
        raise NotYourSeat("You are not signed in. Enter a name on your profile page, then try again.")
    return page.player


def act_for_seat(
    request: AppRequest,
    store: Store,
    page: Page,
    form: FormMultiDict,
    id: str,
    act: Action,
    keys: list[str] | None = None,
    *,
    ask: str = "",
) -> Reply:
    """Act for the seat of a form; if that is rejected, show the reason, and the selected keys of an illegal answer.

    `ask` is as for the table.
    """
    seat, draft = own_seat(store, page, id, form), None
    try:
        act(seat)
    except (RuleError, WriteFailed):
        raise
    except ReadyRoomError as error:
        draft = DraftAnswer(None, str(error), is_stale=isinstance(error, StaleRevision))
        if keys is not None and isinstance(error, IllegalChoice):
            draft = DraftAnswer(keys, error.reason, error.rule)
    return updated_page(request, store, page, id, seat, draft, ask)


def updated_page(
    request: AppRequest,
    store: Store,
    page: Page,
    id: str,
    seat: str | None,
    draft: DraftAnswer | None = None,
    ask: str = "",
) -> Reply:
    """Return the table after an action: the part for htmx, a redirect otherwise.

    A rejected answer is shown with its selection and the status of a conflict.
    """
    viewer = viewer_of_page(store, page, id, seat)
    status = 409 if draft is not None and draft.error else 200
    if wants_part(request):
        return page_part(store, page, viewer, draft, ask=ask, status=status)
    if status == 409:
        return full_page(store, page, viewer, draft, status=status)
    where = f"/m/{id}?seat={seat}{f'&ask={ask}' if ask else ''}" if seat else f"/m/{id}"
    return Redirect(where, status_code=303)
