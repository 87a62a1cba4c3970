"""The match page: board, decisions, takebacks, chat, and the event stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractContextManager, aclosing
from functools import partial
from itertools import islice
from typing import Any, cast

import msgspec
from litestar import Response, Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.enums import MediaType
from litestar.response import Redirect, Stream

from readyroom.engine.errors import IllegalChoice, PlanNotApplicable, ReadyRoomError, RuleError, UnknownPlan
from readyroom.engine.game import PlanEditor, Planner
from readyroom.engine.match.planning import files_of
from readyroom.store import Player, Store
from readyroom.store.chat import NOTE_LENGTH, TEXT_LENGTH
from readyroom.store.errors import NotOver, NotYourSeat, SeatBanned, WriteFailed
from readyroom.store.matches.passes import Until
from readyroom.web import catalog
from readyroom.web.jobs.analysis import AnalysisService, page_data
from readyroom.web.jobs.bot_turns import BotTurns
from readyroom.web.jobs.replays import Replays
from readyroom.web.live.broadcast import EventBroadcaster, event
from readyroom.web.live.open_pages import ANONYMOUS, OpenPages
from readyroom.web.live.presence import Presence
from readyroom.web.pages import ending, lobby, table_view
from readyroom.web.pages.cards import bot_of, seat_controls
from readyroom.web.pages.table_view import DraftAnswer, SeatName, Viewer
from readyroom.web.rendering import AppRequest, Page, Reply, wants_part
from readyroom.web.security import client

POINTS, MOST_KEYS = 1000, 5000
"""The most points allocated to one option, and in all."""
PLAN_BYTES = 64 * 1024
"""The most bytes of a plan file."""
MESSAGES_SHOWN = 100
"""The number of chat messages shown."""

Action = Callable[[str], object]
Keys = list[str] | None


# -- viewing ---------------------------------------------------------------------------------------------------------


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
    viewer = table_view.resolve_viewer(summary, page.player, seat, page.shape)
    if page.player is not None:
        store.expiry.visited(viewer.summary, page.player.id)
    if not viewer.summary.started:
        return lobby.lobby_page(request, store, page, viewer.summary)
    more = _highlights(store, replays, viewer, client(request)) if viewer.hand_to is None else {}
    return _full_page(store, page, viewer, _linked_draft(store, viewer, ask, keys), ask=ask, **more)


def _highlights(store: Store, replays: Replays, viewer: Viewer, client_tag: str) -> Mapping[str, Any]:
    """Return the highlights of a finished match: the whole page has them without a script, if they are ready."""
    if viewer.summary.outcome is None:
        return {}
    return ending.known_highlights(store, replays, viewer.summary, viewer.seat, client_tag)


@get("/m/{id:str}/turning-points", sync_to_thread=True)
def turning_points_part(
    request: AppRequest, store: Store, page: Page, replays: Replays, id: str, seat: SeatName = None
) -> Reply:
    """Return the highlights of a finished match for its page, or a placeholder that asks again."""
    viewer = _viewer(store, page, id, seat)
    if viewer.summary.outcome is None:
        raise NotOver
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    found = _highlights(store, replays, viewer, client(request))
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
    return _part(store, page, _viewer(store, page, id, seat), ask=ask)


@get("/m/{id:str}/advice", sync_to_thread=True)
def advice(store: Store, player: Player | None, id: str, seat: SeatName = None) -> Reply:
    """Return the answer of the game's default bot for your own seat, as JSON."""
    viewer = table_view.resolve_viewer(store.listings.summary(id), player, seat)
    if viewer.seat is None or viewer.hand_to is not None:
        raise NotYourSeat(viewer.message or "Only the player in this seat can use this.")
    with store.matches.open(id) as match:
        decision = match.pending.get(viewer.seat)
        bot, keys = table_view.advice(match, decision) if decision is not None else ("", [])
        revision = match.revision_for(viewer.seat, decision.revision if decision is not None else None)
    return Response({"bot": bot, "keys": keys, "seat": viewer.seat, "revision": revision}, media_type=MediaType.JSON)


@get("/m/{id:str}/analysis")
async def analysis(
    request: AppRequest,
    store: Store,
    page: Page,
    analysis_service: AnalysisService,
    id: str,
    seat: SeatName = None,
    longer: bool = False,
) -> Reply:
    """Analyze the decision of your own seat: the part for htmx, or the whole page with it."""
    viewer = await sync_to_thread(_viewer, store, page, id, seat)
    if viewer.hand_to is not None:
        where = f"/m/{id}?seat={seat}" if seat else f"/m/{id}"
        return _redirect_to_handover(viewer) if wants_part(request) else Redirect(where, status_code=303)
    if viewer.seat is None:
        raise NotYourSeat(viewer.message or "Only the player in this seat can use this.")
    result = await analysis_service.analyze(request, store, viewer.summary, viewer.seat, longer=longer)
    data = page_data(result, longer=longer)
    if wants_part(request):
        return page("_analysis.html", secret=True, summary=viewer.summary, viewer=viewer, analysis=data)
    return await sync_to_thread(partial(_full_page, store, page, viewer, analysis=data))


@get("/m/{id:str}/analysis/progress", sync_to_thread=True)
def analysis_progress(
    request: AppRequest, store: Store, page: Page, analysis_service: AnalysisService, id: str, seat: SeatName = None
) -> Reply:
    """Return the progress of the analysis for your own seat, as JSON."""
    viewer = _viewer(store, page, id, seat)
    if viewer.seat is None or viewer.hand_to is not None:
        raise NotYourSeat(viewer.message or "Only the player in this seat can use this.")
    progress = analysis_service.progress(client(request), id, viewer.seat)
    headers = {"Cache-Control": "no-store"}
    return Response(progress._asdict(), media_type=MediaType.JSON, headers=headers)


def _viewer(store: Store, page: Page, id: str, seat: str | None) -> Viewer:
    return table_view.resolve_viewer(store.listings.summary(id), page.player, seat, page.shape)


def _full_page(
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
        **(data | _chat_context(store, viewer) | _seat_context(viewer) | more),
    )


def _seat_context(viewer: Viewer) -> dict[str, Any]:
    return {"seat_controls": seat_controls(viewer.summary, viewer.player), "bots": bot_of(viewer.summary)}


@get("/m/{id:str}/seats", sync_to_thread=True)
def seats_part(store: Store, page: Page, id: str, seat: SeatName = None) -> Reply:
    """Return the part of the page that changes when players join or leave."""
    viewer = _viewer(store, page, id, seat)
    data = {"summary": viewer.summary, "outcome": viewer.summary.outcome} | _seat_context(viewer)
    return page("_seats.html", secret=True, **data)


def _part(
    store: Store, page: Page, viewer: Viewer, draft: DraftAnswer | None = None, *, ask: str = "", status: int = 200
) -> Reply:
    """Return the part of the page, or a reload if the screen is to be passed on."""
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    return page("_table.html", status=status, secret=True, **table_view.table_context(store, viewer, draft, ask))


def _redirect_to_handover(viewer: Viewer) -> Reply:
    where = f"/m/{viewer.summary.id}?seat={viewer.seat or viewer.hand_to}"
    headers = {"HX-Redirect": where, "Cache-Control": "no-store"}
    return Response("", status_code=200, headers=headers, media_type=MediaType.HTML)


def _updated(
    request: AppRequest, store: Store, page: Page, id: str, seat: str | None, draft: DraftAnswer | None = None
) -> Reply:
    """Return the table after an action: the part for htmx, a redirect otherwise.

    A rejected answer is shown with its selection and the status of a conflict.
    """
    viewer = _viewer(store, page, id, seat)
    status = 409 if draft is not None and draft.error else 200
    if wants_part(request):
        return _part(store, page, viewer, draft, status=status)
    if status == 409:
        return _full_page(store, page, viewer, draft, status=status)
    where = f"/m/{id}?seat={seat}" if seat else f"/m/{id}"
    return Redirect(where, status_code=303)


# -- deciding --------------------------------------------------------------------------------------------------------


@post("/m/{id:str}/answer", sync_to_thread=True)
def answer(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Submit an answer; a rejected one is shown again with its selection and the reason."""
    keys, revision = chosen(form), _number(form.get("revision"))
    return _act(request, store, page, form, id, lambda seat: store.matches.answer(id, seat, keys, revision), keys)


def _own_seat(store: Store, page: Page, id: str, form: FormMultiDict) -> str:
    """Return the seat of a form; raise `NotYourSeat` unless the player sits there."""
    seat = str(form.get("seat", ""))
    summary = store.listings.summary(id)
    own = summary.seats_of(page.player.id) if page.player is not None else []
    if seat not in own:
        if page.player is not None and (excluded := summary.banned_from(page.player.id)) is not None:
            raise SeatBanned(excluded.name, excluded.banned)
        raise NotYourSeat("This seat is not yours.")
    return seat


def chosen(form: FormMultiDict) -> list[str]:
    """Return the selected options, repeated for each point allocated.

    `turns` has the same keys in the order of selection, where the page knows it.
    """
    keys = [str(key) for key in form.getall("key", [])]
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


@post("/m/{id:str}/plan", sync_to_thread=True, request_max_body_size=PLAN_BYTES)
def plan(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Answer a seat's planning decisions by a file; errors name lines and rules.

    `again` replaces what the seat has answered in the same planning.
    """
    seat, upload = _own_seat(store, page, id, form), _uploaded(form)
    if upload is None:
        return _updated(request, store, page, id, seat, DraftAnswer(None, "Choose a plan file, TOML or CSV."))
    text, file = upload
    again = form.get("again") == "yes"
    return _act(request, store, page, form, id, lambda seat: store.matches.plan(id, seat, text, file, again=again))


def _uploaded(form: FormMultiDict) -> tuple[bytes, str] | None:
    """Return the text and the name of the plan file in a form."""
    upload = form.get("plan")
    return (upload.file.read(), upload.filename) if isinstance(upload, UploadFile) and upload.filename else None


def _planner(store: Store, id: str, seat: str) -> tuple[PlanEditor, Planner]:
    """Return the planning chart of a game, and a seat that may plan on it now."""
    with store.matches.open(id) as match:
        if table_view.planning_state(match, seat) is None:
            raise PlanNotApplicable("There is nothing to plan on the chart now.")
        side = next(known.side for known in match.seats if known.key == seat)
        editor = files_of(match.game).editor
        assert editor is not None
        return editor, Planner(match.view(seat), side, match.options, match.game.data)


@get("/m/{id:str}/plan", sync_to_thread=True)
def plan_sheet(store: Store, page: Page, id: str, seat: SeatName = None) -> Response[bytes]:
    """Return what the planning chart of a seat shows, as JSON."""
    viewer = _viewer(store, page, id, seat)
    if viewer.seat is None or viewer.hand_to is not None:
        raise NotYourSeat("Only players can plan.")
    editor, planner = _planner(store, id, viewer.seat)
    return _plan_json(editor.sheet(planner))


@post("/m/{id:str}/plan/check", sync_to_thread=True, status_code=200, request_max_body_size=PLAN_BYTES)
def check_plan(store: Store, page: Page, form: FormMultiDict, id: str) -> Response[bytes]:
    """Return a draft with everything that is wrong with it, as JSON; nothing is stored."""
    editor, planner = _planner(store, id, _own_seat(store, page, id, form))
    text, file = _uploaded(form) or (b"", "")
    return _plan_json(editor.check(planner, text, file, str(form.get("about", ""))))


def _plan_json(data: Mapping[str, Any]) -> Response[bytes]:
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return Response(msgspec.json.encode(data), media_type=MediaType.JSON, headers=headers)


@post("/m/{id:str}/plan/file", sync_to_thread=True, status_code=200, request_max_body_size=PLAN_BYTES)
def plan_file(store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Return a draft as a plan file to download."""
    editor, planner = _planner(store, id, _own_seat(store, page, id, form))
    kind = "csv" if form.get("as") == "csv" else "toml"
    written = editor.write(planner, str(form.get("draft", "")).encode(), "draft.json", kind)
    kept = {"Content-Disposition": f'attachment; filename="plan.{kind}"', "Cache-Control": "no-store"}
    return Response(written, media_type="text/plain; charset=utf-8", headers=kept)


@get("/m/{id:str}/plan-template/{file:str}", sync_to_thread=True)
def plan_template(store: Store, page: Page, id: str, file: str, seat: SeatName = None) -> Reply:
    """Return a sample plan to the player of the seat."""
    viewer = _viewer(store, page, id, seat)
    if viewer.side is None:
        raise NotYourSeat("Only players can load plans.")
    game = catalog.find(viewer.summary.game)
    written = files_of(game).templates(viewer.side, game.data)
    if file not in written:
        raise UnknownPlan(file, written)
    kept = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(written[file], media_type="text/plain; charset=utf-8", headers=kept)


@post("/m/{id:str}/undo", sync_to_thread=True)
def undo(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Undo the last decision of a seat, which passes no more."""
    shared = table_view.resolve_viewer(store.listings.summary(id), page.player, None).is_hot_seat

    def act(seat: str) -> None:
        store.passes.end(id, seat)
        store.matches.undo(id, seat, shared=shared)

    return _act(request, store, page, form, id, act)


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

    return _act(request, store, page, form, id, act)


@post("/m/{id:str}/takeback", sync_to_thread=True)
def request_takeback(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Request a takeback for a seat, which passes no more."""

    def act(seat: str) -> None:
        store.passes.end(id, seat)
        store.matches.request_takeback(id, seat)

    return _act(request, store, page, form, id, act)


@post("/m/{id:str}/takeback/answer", sync_to_thread=True)
def answer_takeback(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Accept or decline a takeback."""
    yes = form.get("allow") == "yes"
    return _act(request, store, page, form, id, lambda seat: store.matches.answer_takeback(id, seat, yes))


@post("/m/{id:str}/lesson", sync_to_thread=True)
def set_tutorial(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Pause or resume the tutorial."""
    player, guided = _signed_in(page), form.get("guided") == "yes"
    return _act(request, store, page, form, id, lambda _: store.lobby.set_tutorial(id, player.id, guided))


def _act(
    request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str, act: Action, keys: Keys = None
) -> Reply:
    """Act for the seat of a form; if that is rejected, show the reason, and the selected keys of an illegal answer."""
    seat, draft = _own_seat(store, page, id, form), None
    try:
        act(seat)
    except (RuleError, WriteFailed):
        raise
    except ReadyRoomError as error:
        draft = DraftAnswer(None, str(error))
        if keys is not None and isinstance(error, IllegalChoice):
            draft = DraftAnswer(keys, error.reason, error.rule)
    return _updated(request, store, page, id, seat, draft)


# -- chat -----------------------------------------------------------------------------------------------------------


def _chat_context(store: Store, viewer: Viewer) -> dict[str, Any]:
    """Return the chat that the viewer may read, and their own notes."""
    summary, player = viewer.summary, viewer.player
    sides = [viewer.side] if viewer.side is not None else []
    in_public = summary.public and (player is None or not summary.has_player(player.id))
    return {
        **table_view.table_base_context(viewer),
        "messages": store.chat.messages(summary.id, sides, in_public=in_public)[-MESSAGES_SHOWN:],
        "can_chat": player is not None and (bool(viewer.own) or player.id == summary.host),
        "notes": store.chat.notes(summary.id, player.id) if player is not None else "",
        "note_saved": False,
        "text_length": TEXT_LENGTH,
        "note_length": NOTE_LENGTH,
    }


@get("/m/{id:str}/talk", sync_to_thread=True)
def chat_part(store: Store, page: Page, id: str, seat: SeatName = None) -> Reply:
    """Return the chat."""
    return _chat_part(store, page, _viewer(store, page, id, seat))


def _chat_part(store: Store, page: Page, viewer: Viewer, *, note_saved: bool = False) -> Reply:
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    return page("_talk.html", secret=True, **(_chat_context(store, viewer) | {"note_saved": note_saved}))


@get("/m/{id:str}/presence")
async def presence_part(store: Store, page: Page, presence: Presence, id: str, seat: SeatName = None) -> Reply:
    """Return who has the match open, and who must decide."""
    await presence.look(id)
    viewer = await sync_to_thread(_viewer, store, page, id, seat)
    return page("_presence.html", secret=True, **table_view.table_base_context(viewer))


@post("/m/{id:str}/say", sync_to_thread=True)
def post_message(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Send a message to everyone or to your own side."""
    seat, player = str(form.get("seat", "")), _signed_in(page)
    text = str(form.get("text", "")).strip()[:TEXT_LENGTH]
    viewer = _viewer(store, page, id, _own_seat(store, page, id, form) if seat else None)
    if text:
        store.chat.post(id, player.id, text, viewer.side if form.get("to") == "side" else None)
    return _chat_response(request, store, page, viewer)


@post("/m/{id:str}/note", sync_to_thread=True)
def note(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Save a private note."""
    store.chat.write_note(id, _signed_in(page).id, str(form.get("text", ""))[:NOTE_LENGTH])
    viewer = _viewer(store, page, id, str(form.get("seat", "")) or None)
    return _chat_response(request, store, page, viewer, note_saved=True)


def _signed_in(page: Page) -> Player:
    if page.player is None:
        raise NotYourSeat("You are not signed in. Enter a name on your profile page, then try again.")
    return page.player


def _chat_response(request: AppRequest, store: Store, page: Page, viewer: Viewer, *, note_saved: bool = False) -> Reply:
    if wants_part(request):
        return _chat_part(store, page, viewer, note_saved=note_saved)
    where = f"?seat={viewer.seat}" if viewer.seat else ""
    return Redirect(f"/m/{viewer.summary.id}{where}#said", status_code=303)


# -- what happens ----------------------------------------------------------------------------------------------------


@get("/m/{id:str}/events", media_type="text/event-stream")
async def events(
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
    looking = open_pages.looking(id, player.id if player is not None else ANONYMOUS, plays=bool(own))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    stream = with_presence(broadcaster.stream(id, summary.revision_for(seat), seat, presence=True), presence, id)
    result = watched(stream, looking)
    return Stream(result, media_type="text/event-stream", headers=headers)


async def with_presence(
    result: AsyncGenerator[bytes, None], presence: Presence, id: str
) -> AsyncGenerator[bytes, None]:
    """Pass a stream on, and say after its first event who has the match open in another process, if anyone."""
    async with aclosing(result) as stream:
        yield await anext(stream)
        if presence.shared:
            await presence.look(id)
            if presence.knows_others(id):
                yield event("presence", 0)
        async for each in stream:
            yield each


async def watched(
    result: AsyncGenerator[bytes, None], looking: AbstractContextManager[None]
) -> AsyncGenerator[bytes, None]:
    """Pass a stream on, and count its reader as watching while it lasts."""
    with looking:
        async with aclosing(result) as stream:
            async for each in stream:
                yield each


router = Router(
    path="/",
    route_handlers=[
        *(
            match_page,
            table_part,
            turning_points_part,
            seats_part,
            chat_part,
            presence_part,
            advice,
            analysis,
            analysis_progress,
            answer,
            plan,
        ),
        *(plan_sheet, check_plan, plan_file, plan_template, undo, pass_ahead),
        *(request_takeback, answer_takeback, set_tutorial, post_message, note, events),
    ],
    include_in_schema=False,
)
