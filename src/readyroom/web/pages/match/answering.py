"""Answers on the match page, undo, passing, takebacks, resignations and draws."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any, cast

from litestar import Router, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect

from readyroom.store import Store
from readyroom.store.matches.passes import Until
from readyroom.web.pages.match import table_view
from readyroom.web.pages.match.table_page import act_for_seat, own_seat, signed_in
from readyroom.web.pages.players.profile import A_YEAR, app_cookie
from readyroom.web.rendering import PLAY_ON, AppRequest, Page, Reply

POINTS, MOST_KEYS = 1000, 5000
"""The most points allocated to one option, and in all."""


@post("/m/{id:str}/answer", sync_to_thread=True)
def answer(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Submit an answer; a rejected one is shown again with its selection and the reason."""
    keys, revision = chosen(form), _number(form.get("revision"))
    return act_for_seat(
        request, store, page, form, id, lambda seat: store.matches.answer(id, seat, keys, revision), keys
    )


def chosen(form: FormMultiDict) -> list[str]:
    """Return the selected options, repeated for each point allocated.

    `turns` has the same keys in the order of selection, where the page knows it.
    """
    keys = [str(key) for key in form.getall("key", []) if key]  # "none" has no key
    counts = form.getall("count", None)
    if counts is not None:
        points = (key for key, count in zip(keys, counts, strict=False) for _ in range(min(_number(count), POINTS)))
        keys = list(islice(points, MOST_KEYS))
    turns = str(form.get("turns", "")).split()
    return turns if Counter(turns) == Counter(keys) else keys


def _number(data: Any) -> int:
    """Return a number of a form; -1, which is always invalid, for anything else."""
    text = str(data).strip()
    return int(text) if text.isdecimal() and len(text) < 10 else -1


@post("/m/{id:str}/undo", sync_to_thread=True)
def undo(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Undo the last decision of a seat, which passes no more."""
    shared = table_view.resolve_viewer(store.listings.summary(id), page.player, None).is_hot_seat

    def act(seat: str) -> None:
        store.passes.end(id, seat)
        store.matches.undo(id, seat, shared=shared)

    return act_for_seat(request, store, page, form, id, act, ask="undone")


@post("/m/{id:str}/pass", sync_to_thread=True)
def pass_ahead(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Pass until the phase or the turn is over or dice are rolled; without `until`, pass no more."""
    until = str(form.get("until", ""))

    def act(seat: str) -> None:
        if not until:
            store.passes.end(id, seat)
            return
        store.passes.begin(id, seat, cast(Until, until))
        store.passes.run(id, store.matches)

    return act_for_seat(request, store, page, form, id, act)


@post("/m/{id:str}/takeback", sync_to_thread=True)
def request_takeback(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Request a takeback for a seat, which passes no more."""

    def act(seat: str) -> None:
        store.passes.end(id, seat)
        store.matches.request_takeback(id, seat)

    return act_for_seat(request, store, page, form, id, act, ask="undone")


@post("/m/{id:str}/takeback/answer", sync_to_thread=True)
def answer_takeback(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Accept or decline a takeback."""
    yes = form.get("allow") == "yes"
    return act_for_seat(request, store, page, form, id, lambda seat: store.matches.answer_takeback(id, seat, yes))


@post("/m/{id:str}/claim", sync_to_thread=True)
def claim_win(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Claim the win for a seat whose opponent's time is over."""
    return act_for_seat(request, store, page, form, id, lambda seat: store.matches.claim_win(id, seat))


@post("/m/{id:str}/resign", sync_to_thread=True)
def resign(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Resign for a seat."""
    return act_for_seat(request, store, page, form, id, lambda seat: store.matches.resign(id, seat))


@post("/m/{id:str}/continue", sync_to_thread=True)
def play_on(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Show a seat of a decided match its decisions again, in this browser."""
    reply = Redirect(f"/m/{id}?seat={own_seat(store, page, id, form)}", status_code=303)
    reply.set_cookie(app_cookie(request, PLAY_ON, "yes", A_YEAR, f"/m/{id}"))
    return reply


@post("/m/{id:str}/draw", sync_to_thread=True)
def offer_draw(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Offer a draw for a seat."""
    return act_for_seat(request, store, page, form, id, lambda seat: store.matches.offer_draw(id, seat))


@post("/m/{id:str}/draw/answer", sync_to_thread=True)
def answer_draw(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Accept, decline or withdraw an offer of a draw."""
    yes = form.get("allow") == "yes"
    return act_for_seat(request, store, page, form, id, lambda seat: store.matches.answer_draw(id, seat, yes))


@post("/m/{id:str}/lesson", sync_to_thread=True)
def set_tutorial(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Pause or resume the tutorial."""
    player, guided = signed_in(page), form.get("guided") == "yes"
    return act_for_seat(request, store, page, form, id, lambda _: store.lobby.set_tutorial(id, player.id, guided))


router = Router(
    path="/",
    route_handlers=[
        *(answer, undo, pass_ahead, request_takeback, answer_takeback),
        *(claim_win, resign, play_on, offer_draw, answer_draw, set_tutorial),
    ],
    include_in_schema=False,
)
