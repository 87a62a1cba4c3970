"""What-if studies and reviews of finished matches."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from time import monotonic
from typing import Any

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect
from markupsafe import Markup

from readyroom.bots import default_bot
from readyroom.engine.errors import IllegalChoice
from readyroom.engine.record.format import Entry
from readyroom.engine.rules.decisions import DecisionKind
from readyroom.engine.text import capitalize_first
from readyroom.store import MatchSummary, Player, Store
from readyroom.study import pages
from readyroom.study.what_if import DecisionPoint, NoSuchDecision, WhatIf, changed, load_decision_point, what_if
from readyroom.web import formatting
from readyroom.web.jobs.review_queue import QUEUE, review_of
from readyroom.web.pages.profile import get_or_create_player
from readyroom.web.pages.replay import NotOver, Number
from readyroom.web.pages.table import chosen
from readyroom.web.rendering import AppRequest, Page, Reply
from readyroom.web.security import TooMany

PAIRS, MOST_PAIRS = 60, 240
"""The number of pairs of continuations at first, and the most."""
SECONDS, PATIENCE = 3.0, 10.0
"""Seconds per `PAIRS` for a study, and seconds to wait for another one to end."""
ONE = Lock()
"""One study at a time, to leave time for other requests."""


# -- what if ---------------------------------------------------------------------------------------------------------


@get("/m/{id:str}/what-if", sync_to_thread=True)
def ask(store: Store, page: Page, id: str, at: Number = None) -> Response[Any]:
    """Show a decision of a finished match with all its options."""
    summary, text = _over(store, id)
    point = load_decision_point(text, at or 1, store.games(summary.game))
    return page("what-if.html", **_asked(summary, point, point.entry.chose), result=None, refused="")


@post("/m/{id:str}/what-if", sync_to_thread=True, status_code=200)
def answer(store: Store, page: Page, form: FormMultiDict, id: str) -> Response[Any]:
    """Compare another answer with the one played, by a few seconds of continuations."""
    summary, text = _over(store, id)
    at, keys, pairs = _number(form.get("at")), chosen(form), min(_number(form.get("pairs")) or PAIRS, MOST_PAIRS)
    point = load_decision_point(text, at, store.games(summary.game))
    try:
        what_if = _played(store, summary, text, at, keys, pairs)
    except IllegalChoice as error:
        asked = _asked(summary, point, keys)
        return page("what-if.html", status=422, **asked, result=None, refused=f"{error.reason} [{error.rule}]")
    more, drawn = pairs * 2 if pairs < MOST_PAIRS else 0, Markup(pages.what_if_part(what_if))
    asked = _asked(summary, point, keys)
    return page("what-if.html", **asked, result=what_if, drawn=drawn, more=more, keys=keys, refused="")


def _played(store: Store, summary: MatchSummary, text: str, at: int, keys: Sequence[str], pairs: int) -> WhatIf:
    if not ONE.acquire(timeout=PATIENCE):
        raise TooMany("The server is busy with other studies. Try again in a moment.")
    try:
        end = monotonic() + SECONDS * pairs / PAIRS
        game = store.games(summary.game)
        return what_if(text, at, [keys], matches=pairs, game=game, progress=lambda done: monotonic() > end)
    finally:
        ONE.release()


def _over(store: Store, id: str) -> tuple[MatchSummary, str]:
    """Return the summary and the record of a finished match; raise `NotOver`."""
    summary = store.lobby.summary(id)
    if summary.outcome is None:
        raise NotOver
    return summary, store.records.text(id)


def _number(data: object) -> int:
    text = str(data)
    return int(text) if text.isdecimal() and len(text) < 8 else 0


def _asked(summary: MatchSummary, point: DecisionPoint, selected: Sequence[str]) -> dict[str, Any]:
    """Return the decision, its options with the selected ones, and the answer played."""
    match, decision, entry = point
    seat = match.seat(entry.seat)
    asked = formatting.decision(decision)
    return {
        "summary": summary,
        "colour": match.game.presentation.colours,
        "at": entry.n,
        "turn": match.state.at.turn,
        "phase": match.game.phase(match.state.at.phase),
        "seat": seat,
        "asked": asked,
        "wanted": f"{capitalize_first(decision.instruction())}.",
        "counted": formatting.counts(asked),
        "one": decision.kind is DecisionKind.ONE,
        "selected": {key: list(selected).count(key) for key in decision.keys},
        "answered": decision.describe_answer(entry.chose),
    }


@post("/m/{id:str}/play-on", sync_to_thread=True)
def play_on(request: AppRequest, store: Store, player: Player | None, form: FormMultiDict, id: str) -> Reply:
    """Start a new match from another answer with the same dice; bots play the other sides."""
    summary, text = _over(store, id)
    match = changed(text, _number(form.get("at")), chosen(form), store.games(summary.game))
    if match.outcome is not None:
        raise NoSuchDecision("This answer ends the match, so there is nothing to play from.")
    last = match.record_entries()[-1]
    side = match.seat(last.seat).side if isinstance(last, Entry) else ""
    arrival = get_or_create_player(request, store, player)
    taken = store.records.import_match(match.record(), arrival.player, match.secret, origin="branch")
    bot = default_bot(match.game)
    for seat in match.seats:
        if seat.side != side:
            store.lobby.assign_bot(taken, seat.key, bot, arrival.player.id)
    return arrival.seated(Redirect(f"/m/{taken}", status_code=303))


# -- reviews ---------------------------------------------------------------------------------------------------------


@get("/m/{id:str}/review", sync_to_thread=True)
def review_page(store: Store, page: Page, id: str) -> Response[Any]:
    """Show the review of a finished match, its progress, or the button that starts it."""
    summary, _ = _over(store, id)
    return page("review.html", summary=summary, work=QUEUE.on(id), drawn=review_of(id))


@post("/m/{id:str}/review", sync_to_thread=True)
def start_review(store: Store, id: str) -> Redirect:
    """Start the review of a match."""
    _, text = _over(store, id)
    QUEUE.begin(id, text)
    return Redirect(f"/m/{id}/review", status_code=303)


router = Router(path="/", route_handlers=[ask, answer, play_on, review_page, start_review], include_in_schema=False)
