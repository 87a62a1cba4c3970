"""Chat messages."""

from __future__ import annotations

from litestar import get

from readyroom.store import Store
from readyroom.web.api.auth import own_seat, player_on, seat_of
from readyroom.web.api.request_models import ChatRequest
from readyroom.web.api.response_models import ChatMessage
from readyroom.web.api.schema import OF_ANYBODY, refusals, seat_post
from readyroom.web.rendering import AppRequest


@get(
    "/matches/{id:str}/talk",
    sync_to_thread=True,
    security=OF_ANYBODY,
    summary="List chat messages",
    responses=refusals(401, 403, 404),
)
def messages(request: AppRequest, store: Store, id: str) -> list[ChatMessage]:
    """Get the latest messages to everyone and to the side of the bearer token."""
    summary, seat = seat_of(request, store, id)
    sides = [known.side for known in summary.seats if known.key == seat]
    return [
        ChatMessage(message.id, message.name, message.side, message.text, message.at.isoformat())
        for message in store.chat.messages(id, sides, in_public=seat is None and summary.public)
    ]


@seat_post(
    "/matches/{id:str}/talk",
    status_code=204,
    summary="Send a chat message",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def post_message(request: AppRequest, store: Store, id: str, data: ChatRequest) -> None:
    """Send a message to everyone or to the seat's side, under the name of its player."""
    summary, seat = own_seat(request, store, id)
    side = next(known.side for known in summary.seats if known.key == seat)
    player = player_on(request, store, summary, seat)
    store.chat.post(id, player, data.text, side if data.to == "side" else None)
