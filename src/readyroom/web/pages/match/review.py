"""What-if studies and reviews of finished matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

from litestar import Response, Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict
from litestar.params import Parameter
from litestar.response import Redirect
from markupsafe import Markup

from readyroom.bots import default_bot
from readyroom.engine.game import Seat
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.cards import SeatSummary
from readyroom.store.errors import NotOver
from readyroom.study.review import pages
from readyroom.web.jobs import tasks
from readyroom.web.jobs.client_jobs import LONGER, MOST_PAIRS, PAIRS, ClientJobs, WhatIfJob, cancel, run_for
from readyroom.web.jobs.workers import REPLAY, REVIEW, Busy, WorkerPool
from readyroom.web.pages.match.answering import chosen
from readyroom.web.pages.match.replay import Number
from readyroom.web.pages.players.profile import get_or_create_player
from readyroom.web.rendering import AppRequest, Page, Reply
from readyroom.web.security import client

MORE = 4
"""How many times as many rollouts a comparison offers to run."""
Key = Annotated[str, Parameter(max_length=64)]


# -- what if ---------------------------------------------------------------------------------------------------------


@get("/m/{id:str}/what-if")
async def ask(
    request: AppRequest,
    store: Store,
    page: Page,
    workers: WorkerPool,
    client_jobs: ClientJobs,
    id: str,
    at: Number = None,
    run: Key = "",
) -> Response[Any]:
    """Show a decision of a finished match with all its options, and the progress or the result of a comparison."""
    work = client_jobs.what_ifs.find(run)
    if work is not None and work.match == id:
        return _page(store, page, await sync_to_thread(store.listings.summary, id), work.decision, work)
    summary, _, decision = await _replay_job(request, store, workers, id, tasks.describe_decision, at or 1, None)
    return _page(store, page, summary, decision, lost=bool(run))


@post("/m/{id:str}/what-if")
async def answer(
    request: AppRequest,
    store: Store,
    page: Page,
    workers: WorkerPool,
    client_jobs: ClientJobs,
    form: FormMultiDict,
    id: str,
) -> Reply:
    """Start a comparison of another answer with the one played."""
    at, keys, pairs = _place(form)
    summary, text, decision = await _replay_job(request, store, workers, id, tasks.describe_decision, at, keys)
    if decision["refused"]:
        return _page(store, page, summary, decision, status=422)
    work = client_jobs.what_if(client(request), id, text, decision, keys, pairs)
    return Redirect(f"/m/{id}/what-if?at={at}&run={work.key}", status_code=303)


@post("/m/{id:str}/what-if/cancel", sync_to_thread=True)
def cancel_what_if(
    request: AppRequest, store: Store, client_jobs: ClientJobs, form: FormMultiDict, id: str
) -> Redirect:
    """Cancel a comparison that this client started."""
    _finished(store, id)
    if work := client_jobs.what_ifs.find(str(form.get("run", ""))):
        cancel(work, client(request))
    return Redirect(f"/m/{id}/what-if?at={max(1, _number(form.get('at')))}", status_code=303)


async def _replay_job(
    request: AppRequest, store: Store, workers: WorkerPool, id: str, function: Callable[..., Any], *args: Any
) -> tuple[MatchSummary, str, Any]:
    """Call a function with the record of a finished match in a worker; return summary, record and result.

    Raises `NotOver`, `Busy` or `JobFailed`.
    """
    workers.check_room(client(request), REPLAY)
    summary, text = await sync_to_thread(_over, store, id)
    return summary, text, await run_for(request, workers, REPLAY, function, text, *args)


def _place(form: FormMultiDict) -> tuple[int, list[str], int]:
    """Return the decision, the answer and the number of pairs of a form."""
    pairs = min(_number(form.get("pairs")) or PAIRS, MOST_PAIRS)
    return _number(form.get("at")), chosen(form), pairs


def _page(
    store: Store,
    page: Page,
    summary: MatchSummary,
    decision: Mapping[str, Any],
    work: WhatIfJob | None = None,
    *,
    lost: bool = False,
    status: int = 200,
) -> Response[Any]:
    result = work.job.result() if work is not None and work.job.state == "done" else None
    more = min(MOST_PAIRS, MORE * work.pairs) if work is not None and 2 * work.pairs <= MOST_PAIRS else 0
    return page(
        "what-if.html",
        status=status,
        **decision,
        summary=summary,
        colour=store.games(summary.game).presentation.colours,
        work=work,
        result=result,
        drawn=Markup(pages.what_if_part(result)) if result is not None else "",
        more=more,
        lost=lost,
    )


def _finished(store: Store, id: str) -> MatchSummary:
    """Return the summary of a finished match; raise `NotOver`."""
    summary = store.listings.summary(id)
    if summary.outcome is None:
        raise NotOver
    return summary


def _over(store: Store, id: str) -> tuple[MatchSummary, str]:
    """Return the summary and the record of a finished match; raise `NotOver`."""
    return _finished(store, id), store.records.text(id)


def _number(data: object) -> int:
    text = str(data)
    return int(text) if text.isdecimal() and len(text) < 8 else 0


@post("/m/{id:str}/play-on")
async def play_on(
    request: AppRequest,
    store: Store,
    workers: WorkerPool,
    player: Player | None,
    form: FormMultiDict,
    client_tag: str,
    id: str,
) -> Reply:
    """Start a new match from another answer with the same dice; bots play the other sides."""
    at, keys, _ = _place(form)
    summary, _, branch = await _replay_job(request, store, workers, id, tasks.branch, at, keys)
    return await sync_to_thread(open_branch, request, store, player, client_tag, summary.game, summary.seats, branch)


def open_branch(
    request: AppRequest,
    store: Store,
    player: Player | None,
    client_tag: str,
    game: str,
    seats: Iterable[SeatSummary | Seat],
    branch: tasks.BranchedMatch,
) -> Reply:
    """Write a match that continues from a decision, and lead the player to it; bots play the other sides."""
    arrival = get_or_create_player(request, store, player)
    new = store.records.write_import(branch.prepared, arrival.player, client=client_tag)
    bot = default_bot(store.games(game))
    for seat in seats:
        if seat.side != branch.side:
            store.seats.assign_bot(new, seat.key, bot, arrival.player.id, client=client_tag)
    return arrival.seated(Redirect(f"/m/{new}", status_code=303))


# -- reviews ---------------------------------------------------------------------------------------------------------


@get("/m/{id:str}/review", sync_to_thread=True)
def review_page(
    request: AppRequest,
    store: Store,
    page: Page,
    workers: WorkerPool,
    client_jobs: ClientJobs,
    id: str,
    start: Literal["yes", "no"] = "yes",
) -> Response[Any]:
    """Show the review of a finished match, its progress, or the button that starts it.

    For a player of the match it starts at once if there is room, unless `start` is "no", as after a cancellation.
    """
    summary = _finished(store, id)
    is_player = page.player is not None and summary.has_player(page.player.id)
    if is_player and start == "yes" and not summary.replay_only and client_jobs.reviews.find(id) is None:
        with suppress(Busy):
            _start_review(request, store, workers, client_jobs, id)
    return page(
        "review.html",
        summary=summary,
        work=client_jobs.reviews.find(id),
        drawn=client_jobs.review_part(id),
        longer=LONGER,
    )


@post("/m/{id:str}/review", sync_to_thread=True)
def start_review(
    request: AppRequest, store: Store, workers: WorkerPool, client_jobs: ClientJobs, form: FormMultiDict, id: str
) -> Redirect:
    """Start the review of a match, unless one is running or finished, or a longer one after that."""
    work, longer = client_jobs.reviews.find(id), form.get("longer") == "yes"
    if work is None or work.may_be_replaced(longer=longer):
        _start_review(request, store, workers, client_jobs, id, longer=longer)
    return Redirect(f"/m/{id}/review", status_code=303)


def _start_review(
    request: AppRequest, store: Store, workers: WorkerPool, client_jobs: ClientJobs, id: str, *, longer: bool = False
) -> None:
    workers.check_room(client(request), REVIEW)
    client_jobs.review(client(request), id, _over(store, id)[1], longer=longer)


@post("/m/{id:str}/review/cancel", sync_to_thread=True)
def cancel_review(request: AppRequest, store: Store, client_jobs: ClientJobs, id: str) -> Redirect:
    """Cancel the review of a match that this client started."""
    _finished(store, id)
    if work := client_jobs.reviews.find(id):
        cancel(work, client(request))
    return Redirect(f"/m/{id}/review?start=no", status_code=303)


router = Router(
    path="/",
    route_handlers=[ask, answer, cancel_what_if, play_on, review_page, start_review, cancel_review],
    include_in_schema=False,
)
