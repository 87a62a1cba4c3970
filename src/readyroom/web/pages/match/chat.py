"""The chat of a match, private notes, and who has it open."""

from __future__ import annotations

from litestar import Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect

from readyroom.engine.match.observers import SPECTATOR
from readyroom.store import Store
from readyroom.store.chat import NOTE_LENGTH, TEXT_LENGTH
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.live.presence import Presence
from readyroom.web.pages.cards import player_ids
from readyroom.web.pages.match import table_view
from readyroom.web.pages.match.table_page import (
    chat_context,
    own_seat,
    redirect_to_handover,
    signed_in,
    viewer_of_page,
)
from readyroom.web.pages.match.table_view import SeatName, Viewer
from readyroom.web.rendering import AppRequest, Page, Reply, wants_part


@get("/m/{id:str}/talk", sync_to_thread=True)
def chat_part(store: Store, page: Page, id: str, seat: SeatName = None) -> Reply:
    """Return the chat."""
    return _chat_part(store, page, viewer_of_page(store, page, id, seat))


def _chat_part(store: Store, page: Page, viewer: Viewer, *, note_saved: bool = False) -> Reply:
    if viewer.hand_to is not None:
        return redirect_to_handover(viewer)
    return page("_talk.html", secret=True, **(chat_context(store, viewer) | {"note_saved": note_saved}))


@get("/m/{id:str}/presence")
async def presence_part(store: Store, page: Page, presence: Presence, id: str, seat: SeatName = None) -> Reply:
    """Return who has the match open, and who must decide."""
    await presence.look(id)
    viewer = await sync_to_thread(viewer_of_page, store, page, id, seat)
    revision = viewer.summary.revision_for(viewer.seat)
    return page("_presence.html", secret=True, revision=revision, **table_view.table_base_context(viewer))


@post("/m/{id:str}/say", sync_to_thread=True)
def post_message(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Send a message to everyone or to your own side."""
    seat, player = str(form.get("seat", "")), signed_in(page)
    text = str(form.get("text", "")).strip()[:TEXT_LENGTH]
    viewer = viewer_of_page(store, page, id, own_seat(store, page, id, form) if seat else None)
    if text:
        store.chat.post(id, player.id, text, viewer.side if form.get("to") == "side" else None)
    return _chat_response(request, store, page, viewer)


@post("/m/{id:str}/typing", sync_to_thread=True, status_code=204)
def typing(store: Store, page: Page, broadcaster: EventBroadcaster, form: FormMultiDict, id: str) -> None:
    """Show those who can read a message, without the message, that a player is typing one."""
    player = signed_in(page)
    seat = own_seat(store, page, id, form)
    if not broadcaster.may_type(id, player.id):
        return
    summary = store.listings.summary(id)
    side = next(place.side for place in summary.seats if place.key == seat)
    is_private = form.get("to") == "side"
    readers = [place.key for place in summary.seats if not is_private or place.side == side]
    broadcaster.announce_typing(
        id, player_ids(summary).index(player.id), readers if is_private else [SPECTATOR, *readers]
    )


@post("/m/{id:str}/remove-message", sync_to_thread=True)
def remove_message(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Remove a comment."""
    number = str(form.get("message", ""))
    store.chat.remove(id, int(number) if number.isdecimal() and len(number) < 16 else 0, signed_in(page).id)
    viewer = viewer_of_page(store, page, id, str(form.get("seat", "")) or None)
    return _chat_response(request, store, page, viewer)


@post("/m/{id:str}/note", sync_to_thread=True)
def note(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Save a private note."""
    store.chat.write_note(id, signed_in(page).id, str(form.get("text", ""))[:NOTE_LENGTH])
    viewer = viewer_of_page(store, page, id, str(form.get("seat", "")) or None)
    return _chat_response(request, store, page, viewer, note_saved=True)


def _chat_response(request: AppRequest, store: Store, page: Page, viewer: Viewer, *, note_saved: bool = False) -> Reply:
    if wants_part(request):
        return _chat_part(store, page, viewer, note_saved=note_saved)
    where = f"?seat={viewer.seat}" if viewer.seat else ""
    return Redirect(f"/m/{viewer.summary.id}{where}#said", status_code=303)


router = Router(
    path="/",
    route_handlers=[chat_part, presence_part, post_message, typing, remove_message, note],
    include_in_schema=False,
)
