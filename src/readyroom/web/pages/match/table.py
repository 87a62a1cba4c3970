"""The match page and its parts: board, decision, hint and analysis."""

from __future__ import annotations

from functools import partial

from litestar import Response, Router, get
from litestar.concurrency import sync_to_thread
from litestar.enums import MediaType
from litestar.response import Redirect

from readyroom.bots.analysis import DecisionAnalysis
from readyroom.store import Player, Store
from readyroom.store.errors import NotOver, NotYourSeat
from readyroom.web import formatting
from readyroom.web.jobs.analysis import AnalysisService, page_data
from readyroom.web.jobs.bot_turns import BotTurns
from readyroom.web.jobs.replays import Replays
from readyroom.web.pages.match import ending, lobby, table_view
from readyroom.web.pages.match.answering import MOST_KEYS
from readyroom.web.pages.match.table_page import (
    full_page,
    page_part,
    redirect_to_handover,
    seat_context,
    viewer_of_page,
)
from readyroom.web.pages.match.table_view import DraftAnswer, SeatName, Viewer
from readyroom.web.rendering import AppRequest, Page, Reply, wants_part
from readyroom.web.security import client


@get("/m/{id:str}", sync_to_thread=True)
def match_page(
    request: AppRequest,
    store: Store,
    page: Page,
    bot_turns: BotTurns,
    replays: Replays,
    id: str,
    seat: SeatName = None,
    ask: str = "",
    keys: str = "",
) -> Reply:
    """Show the match, or its lobby while seats are empty."""
    summary = bot_turns.repair(store.listings.summary(id))
    viewer = table_view.resolve_viewer(summary, page.player, seat, page.shape, plays_on=page.plays_on)
    if page.player is not None:
        store.expiry.visited(viewer.summary, page.player.id)
    if not viewer.summary.started:
        return lobby.lobby_page(request, store, page, viewer.summary)
    more = ending.highlights(request, store, replays, viewer.summary, viewer.seat) if viewer.hand_to is None else {}
    return full_page(store, page, viewer, _linked_draft(store, viewer, ask, keys), ask=ask, **more)


@get("/m/{id:str}/turning-points", sync_to_thread=True)
def turning_points_part(
    request: AppRequest, store: Store, page: Page, replays: Replays, id: str, seat: SeatName = None
) -> Reply:
    """Return the highlights of a finished match for its page, or a placeholder that asks again."""
    viewer = viewer_of_page(store, page, id, seat)
    if viewer.summary.outcome is None:
        raise NotOver
    if viewer.hand_to is not None:
        return redirect_to_handover(viewer)
    found = ending.highlights(request, store, replays, viewer.summary, viewer.seat)
    return page("_turning_points.html", secret=True, is_part=True, **table_view.table_base_context(viewer), **found)


def _linked_draft(store: Store, viewer: Viewer, ask: str, keys: str) -> DraftAnswer | None:
    """Return the answer of a link with `ask=these`, limited to existing options."""
    if ask != "these" or viewer.seat is None or viewer.hand_to is not None:
        return None
    with store.matches.open(viewer.summary.id, viewer.summary.true_revision) as match:
        asked = match.pending.get(viewer.seat)
        known = set(asked.keys) if asked is not None else set()
    names = [key for key in keys.split()[:MOST_KEYS] if key in known]
    return DraftAnswer(names, message="Selected. Press Confirm to play.") if names or not keys else None


@get("/m/{id:str}/table", sync_to_thread=True)
def table_part(store: Store, page: Page, id: str, seat: SeatName = None, ask: str = "") -> Reply:
    """Return the part of the page that changes when the match moves."""
    return page_part(store, page, viewer_of_page(store, page, id, seat), ask=ask)


@get("/m/{id:str}/advice", sync_to_thread=True)
def advice(store: Store, player: Player | None, id: str, seat: SeatName = None) -> Reply:
    """Return the answer of the game's default bot for your own seat, as JSON."""
    viewer = table_view.resolve_viewer(store.listings.summary(id), player, seat)
    if viewer.seat is None or viewer.hand_to is not None:
        raise NotYourSeat(viewer.message or "Only the player in this seat can use this.")
    store.matches.use_help(viewer.summary)
    with store.matches.open(id) as match:
        decision = match.pending.get(viewer.seat)
        bot, keys = table_view.advice(match, decision) if decision is not None else ("", [])
        revision = match.revision_for(viewer.seat, decision.revision if decision is not None else None)
    return Response({"bot": bot, "keys": keys, "seat": viewer.seat, "revision": revision}, media_type=MediaType.JSON)


@get("/m/{id:str}/odds", sync_to_thread=True)
def odds(store: Store, player: Player | None, id: str, seat: SeatName = None, keys: str = "") -> Reply:
    """Return what a selection for your own seat would do to each target, as JSON: words by the target's key."""
    viewer = table_view.resolve_viewer(store.listings.summary(id), player, seat)
    if viewer.seat is None or viewer.hand_to is not None:
        raise NotYourSeat(viewer.message or "Only the player in this seat can use this.")
    with store.matches.open(id) as match:
        words = match.selection_odds(viewer.seat, keys.split()[:MOST_KEYS])
    return Response({"odds": words}, media_type=MediaType.JSON)


@get("/m/{id:str}/analysis")
async def analysis(
    request: AppRequest,
    store: Store,
    page: Page,
    analysis_service: AnalysisService,
    id: str,
    seat: SeatName = None,
    longer: bool = False,
    keys: str = "",
) -> Reply:
    """Analyze the decision of your own seat, and the answer of these keys: the part for htmx, or the whole page."""
    viewer = await sync_to_thread(viewer_of_page, store, page, id, seat)
    if viewer.hand_to is not None:
        where = f"/m/{id}?seat={seat}" if seat else f"/m/{id}"
        return redirect_to_handover(viewer) if wants_part(request) else Redirect(where, status_code=303)
    if viewer.seat is None:
        raise NotYourSeat(viewer.message or "Only the player in this seat can use this.")
    chosen = keys.split()[:MOST_KEYS]
    result = await analysis_service.analyze(request, store, viewer.summary, viewer.seat, longer=longer, keys=chosen)
    texts = await sync_to_thread(_short_texts, store, viewer, result)
    data = page_data(result, longer=longer) | {"texts": texts}
    if wants_part(request):
        return page("_analysis.html", secret=True, summary=viewer.summary, viewer=viewer, analysis=data)
    return await sync_to_thread(partial(full_page, store, page, viewer, analysis=data))


def _short_texts(store: Store, viewer: Viewer, advice: DecisionAnalysis) -> dict[tuple[str, ...], str]:
    """Return the answers that are too long to be named in full in few words, as hints are, by their keys."""
    long = [rated.keys for rated in advice.rated if rated.text.endswith(" more")]
    with store.matches.open(viewer.summary.id, viewer.summary.true_revision) as match:
        asked = match.pending.get(advice.seat)
        if not long or asked is None or match.revision_for(advice.seat, asked.revision) != advice.revision:
            return {}
        data = formatting.decision(asked)
    return {keys: formatting.summarize(data, keys) for keys in long}


@get("/m/{id:str}/analysis/progress", sync_to_thread=True)
def analysis_progress(
    request: AppRequest, store: Store, page: Page, analysis_service: AnalysisService, id: str, seat: SeatName = None
) -> Reply:
    """Return the progress of the analysis for your own seat, as JSON."""
    viewer = viewer_of_page(store, page, id, seat)
    if viewer.seat is None or viewer.hand_to is not None:
        raise NotYourSeat(viewer.message or "Only the player in this seat can use this.")
    progress = analysis_service.progress(client(request), id, viewer.seat)
    headers = {"Cache-Control": "no-store"}
    return Response(progress._asdict(), media_type=MediaType.JSON, headers=headers)


@get("/m/{id:str}/seats", sync_to_thread=True)
def seats_part(store: Store, page: Page, id: str, seat: SeatName = None) -> Reply:
    """Return the part of the page that changes when players join or leave."""
    viewer = viewer_of_page(store, page, id, seat)
    data = {"summary": viewer.summary, "outcome": viewer.summary.outcome} | seat_context(viewer)
    return page("_seats.html", secret=True, **data)


router = Router(
    path="/",
    route_handlers=[match_page, table_part, turning_points_part, seats_part, advice, odds, analysis, analysis_progress],
    include_in_schema=False,
)
