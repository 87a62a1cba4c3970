"""The table: looking, answering, taking back, talking, and the stream of what happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, aclosing, nullcontext
from itertools import islice
from threading import Lock
from typing import Any

from litestar import Response, Router, get, post
from litestar.background_tasks import BackgroundTask
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.enums import MediaType
from litestar.response import Redirect, Stream

from readyroom.engine.errors import IllegalChoice, ReadyRoomError, RuleError, UnknownPlan
from readyroom.engine.planning import files_of
from readyroom.store import Player, Store
from readyroom.store.chat import NOTE_LENGTH, TEXT_LENGTH
from readyroom.store.errors import NotYourSeat, SeatBanned, WriteFailed
from readyroom.web import analysis as officers
from readyroom.web import catalog, lobby, table_view
from readyroom.web.analysis import AnalysisService
from readyroom.web.broadcast import EventBroadcaster
from readyroom.web.cards import bot_of, seat_controls
from readyroom.web.open_pages import OpenPages
from readyroom.web.pages import Asking, Page, wants_part
from readyroom.web.table_view import DraftAnswer, SeatName, Viewer

POINTS, MOST_KEYS = 1000, 5000
"""More points than these are never allotted to one option, and to all of them, whatever a form says."""
PLAN_BYTES = 64 * 1024
"""A plan's file is no longer."""
HEARD = 100
"""The last remarks that the page shows."""

Reply = Response[Any]


# -- looking ---------------------------------------------------------------------------------------------------------


@get("/m/{id:str}", sync_to_thread=True)
def look(
    request: Asking, store: Store, page: Page, id: str, seat: SeatName = None, ask: str = "", keys: str = ""
) -> Reply:
    """The match page, or the lobby while a seat is empty."""
    seen = _eyes(store, page, id, seat)
    if page.player is not None and seen.card.lent_to(page.player.id):
        store.expire_shared_links(id, page.player.id)
    if not seen.card.started:
        return lobby.lobby_page(request, store, page, seen.card)
    return _staffed(store, seen, _whole(store, page, seen, _ticked(store, seen, ask, keys), ask=ask))


def _ticked(store: Store, seen: Viewer, ask: str, keys: str) -> DraftAnswer | None:
    """With `ask=these` the keys of an answer are preselected, as far as they are options."""
    if ask != "these" or seen.seat is None or seen.hand_to is not None:
        return None
    with store.match(seen.card.id, seen.card.revision) as match:
        asked = match.pending.get(seen.seat)
        known = set(asked.keys) if asked is not None else set()
    names = [key for key in keys.split()[:MOST_KEYS] if key in known]
    return DraftAnswer(names, message="Selected. Press Confirm to play.") if names or not keys else None


@get("/m/{id:str}/table", sync_to_thread=True)
def part(store: Store, page: Page, id: str, seat: SeatName = None, ask: str = "") -> Reply:
    """The part of the page that changes when the match moves."""
    return _part(store, page, _eyes(store, page, id, seat), ask=ask)


@get("/m/{id:str}/advice", sync_to_thread=True)
def advice(store: Store, player: Player | None, id: str, seat: SeatName = None) -> Reply:
    """Return the answer of the game's first bot for one's own seat, as JSON."""
    seen = table_view.resolve_viewer(store.match_summary(id), player, seat)
    if seen.seat is None or seen.hand_to is not None:
        raise NotYourSeat(seen.message or "Only the player in this seat can use this.")
    with store.match(id) as match:
        decision = match.pending.get(seen.seat)
        bot, keys = table_view.advice(match, decision) if decision is not None else ("", [])
        revision = decision.revision if decision is not None else match.revision
    return Response({"bot": bot, "keys": keys, "seat": seen.seat, "revision": revision}, media_type=MediaType.JSON)


@get("/m/{id:str}/analysis", sync_to_thread=True)
def analysis(
    request: Asking, store: Store, page: Page, officer: AnalysisService, id: str, seat: SeatName = None
) -> Reply:
    """Return the analysis for one's own seat: the part for htmx, or the whole page with it."""
    seen = _eyes(store, page, id, seat)
    if seen.hand_to is not None:
        return _to_the_curtain(seen) if wants_part(request) else Redirect(f"/m/{id}?seat={seat}", status_code=303)
    if seen.seat is None:
        raise NotYourSeat(seen.message or "Only the player in this seat can use this.")
    data = officers.shown(officer.analyze(store, seen.card, seen.seat))
    if wants_part(request):
        return page("_analysis.html", secret=True, card=seen.card, seen=seen, officer=data)
    return _whole(store, page, seen, officer=data)


def _eyes(store: Store, page: Page, id: str, seat: str | None) -> Viewer:
    return table_view.resolve_viewer(store.match_summary(id), page.player, seat, page.shape)


def _whole(
    store: Store,
    page: Page,
    seen: Viewer,
    tried: DraftAnswer | None = None,
    *,
    ask: str = "",
    status: int = 200,
    officer: dict[str, Any] | None = None,
) -> Reply:
    """Render the whole page of the match, or the handover screen."""
    if seen.hand_to is not None:
        return page("handover.html", secret=True, **table_view.handover_context(store, seen))
    data = table_view.table_context(store, seen, tried, ask, officer) | _talk(store, seen)
    data |= _chairs(seen)
    return page("table.html", status=status, secret=True, **data)


def _chairs(seen: Viewer) -> dict[str, Any]:
    return {"chairs": seat_controls(seen.card, seen.player), "staff": bot_of(seen.card)}


@get("/m/{id:str}/seats", sync_to_thread=True)
def the_seats(store: Store, page: Page, id: str, seat: SeatName = None) -> Reply:
    """The part of the page that changes when someone comes to a seat or leaves it."""
    seen = _eyes(store, page, id, seat)
    return page("_seats.html", secret=True, card=seen.card, outcome=seen.card.outcome, **_chairs(seen))


def _part(
    store: Store, page: Page, seen: Viewer, tried: DraftAnswer | None = None, *, ask: str = "", status: int = 200
) -> Reply:
    """Return what replaces the board; the handover screen replaces the whole page."""
    if seen.hand_to is not None:
        return _to_the_curtain(seen)
    return page("_table.html", status=status, secret=True, **table_view.table_context(store, seen, tried, ask))


def _to_the_curtain(seen: Viewer) -> Reply:
    where = f"/m/{seen.card.id}?seat={seen.seat or seen.hand_to}"
    return Response(
        "", status_code=200, headers={"HX-Redirect": where, "Cache-Control": "no-store"}, media_type=MediaType.HTML
    )


def _back(
    request: Asking, store: Store, page: Page, id: str, seat: str | None, tried: DraftAnswer | None = None
) -> Reply:
    """Return the match after a change: the part for htmx, a redirect to the page otherwise.

    What was refused is shown with its choices and the status of a conflict.
    """
    seen = _eyes(store, page, id, seat)
    if wants_part(request):
        return _staffed(store, seen, _part(store, page, seen, tried, status=_status(tried)))
    if tried is not None and tried.error:
        return _whole(store, page, seen, tried, status=_status(tried))
    where = f"/m/{id}?seat={seat}" if seat else f"/m/{id}"
    return _staffed(store, seen, Redirect(where, status_code=303))


def _status(tried: DraftAnswer | None) -> int:
    return 409 if tried is not None and tried.error else 200


# -- assigning bots ---------------------------------------------------------------------------------------------------


class BotRunner:
    """Bots that are still to answer continue behind the page that was sent; at one match in one thread at a time."""

    def __init__(self) -> None:
        self._busy: set[str] = set()
        self._lock = Lock()

    def goes_on(self, store: Store, id: str) -> None:
        """Let the bots answer until someone else is to decide."""
        with self._lock:
            if id in self._busy:
                return
            self._busy.add(id)
        try:
            while store.run_bots(id):
                pass
        finally:
            with self._lock:
                self._busy.discard(id)


BOT_RUNNER = BotRunner()


def _staffed(store: Store, seen: Viewer, response: Reply) -> Reply:
    """The response; when it is sent, bots that are to answer do so."""
    if any(seen.seats[key].bot for key in seen.card.waiting):
        response.background = BackgroundTask(BOT_RUNNER.goes_on, store, seen.card.id)
    return response


# -- deciding --------------------------------------------------------------------------------------------------------


@post("/m/{id:str}/answer", sync_to_thread=True)
def answer(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Take an answer; one that is refused is shown again with its choices and the reason."""
    seat, keys = _own(store, page, id, form), chosen(form)
    try:
        store.answer(id, seat, keys, _number(form.get("revision")))
    except IllegalChoice as refusal:
        return _back(request, store, page, id, seat, DraftAnswer(keys, f"{refusal.reason} [{refusal.rule}]"))
    except (RuleError, WriteFailed):
        raise
    except ReadyRoomError as refusal:
        return _back(request, store, page, id, seat, DraftAnswer(None, str(refusal)))
    return _back(request, store, page, id, seat)


def _own(store: Store, page: Page, id: str, form: FormMultiDict) -> str:
    """Return the seat that a form names; `NotYourSeat` unless the player has it."""
    seat = str(form.get("seat", ""))
    card = store.match_summary(id)
    own = card.seats_of(page.player.id) if page.player is not None else []
    if seat not in own:
        if page.player is not None and (excluded := card.banned_from(page.player.id)) is not None:
            raise SeatBanned(excluded.name, excluded.banned)
        raise NotYourSeat("This seat is not yours. If it is yours on another device, open your recovery link here.")
    return seat


def chosen(form: FormMultiDict) -> list[str]:
    """The chosen options: selected ones, and for allotted points each as often as it gets points.

    `turns` has the same keys in the order in which they were chosen, where the page knows it.
    """
    keys = [str(key) for key in form.getall("key", [])]
    counts = form.getall("count", None)
    if counts is not None:
        points = (key for key, count in zip(keys, counts, strict=False) for _ in range(min(_number(count), POINTS)))
        keys = list(islice(points, MOST_KEYS))
    turns = str(form.get("turns", "")).split()
    return turns if Counter(turns) == Counter(keys) else keys


def _number(data: Any) -> int:
    """Return a number of a form; -1, which is never valid, if it is none."""
    text = str(data).strip()
    return int(text) if text.isdecimal() and len(text) < 10 else -1


@post("/m/{id:str}/plan", sync_to_thread=True, request_max_body_size=PLAN_BYTES)
def plan(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Answer a seat's planning questions from a file; errors name their lines and rules."""
    seat, upload = _own(store, page, id, form), form.get("plan")
    if not isinstance(upload, UploadFile) or not upload.filename:
        return _back(request, store, page, id, seat, DraftAnswer(None, "Choose a plan file, TOML or CSV."))
    text, file = upload.file.read(), upload.filename
    return _done(request, store, page, form, id, lambda seat: store.plan(id, seat, text, file))


@get("/m/{id:str}/plan-template/{file:str}", sync_to_thread=True)
def paper(store: Store, page: Page, id: str, file: str, seat: SeatName = None) -> Reply:
    """Return a sample plan, for the seat's player."""
    seen = _eyes(store, page, id, seat)
    if seen.side is None:
        raise NotYourSeat("Only players can load plans.")
    game = catalog.find(seen.card.game)
    written = files_of(game).templates(seen.side, game.data)
    if file not in written:
        raise UnknownPlan(file, written)
    kept = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(written[file], media_type="text/plain; charset=utf-8", headers=kept)


@post("/m/{id:str}/undo", sync_to_thread=True)
def undo(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Take the last decision of a seat back."""
    return _done(request, store, page, form, id, lambda seat: store.undo(id, seat))


@post("/m/{id:str}/takeback", sync_to_thread=True)
def request_takeback(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Ask the others to allow a longer way back."""
    return _done(request, store, page, form, id, lambda seat: store.request_takeback(id, seat))


@post("/m/{id:str}/takeback/answer", sync_to_thread=True)
def answer_takeback(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Allow the way back that someone asked for, or refuse it."""
    yes = form.get("allow") == "yes"
    return _done(request, store, page, form, id, lambda seat: store.answer_takeback(id, seat, yes))


@post("/m/{id:str}/lesson", sync_to_thread=True)
def set_tutorial(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Pause the tutorial of this match, or resume it."""
    player = _somebody(page)
    return _done(
        request, store, page, form, id, lambda seat: store.set_tutorial(id, player.id, form.get("guided") == "yes")
    )


def _done(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str, act: Any) -> Reply:
    seat = _own(store, page, id, form)
    try:
        act(seat)
    except (RuleError, WriteFailed):
        raise
    except ReadyRoomError as refusal:
        return _back(request, store, page, id, seat, DraftAnswer(None, str(refusal)))
    return _back(request, store, page, id, seat)


# -- talking ---------------------------------------------------------------------------------------------------------


def _talk(store: Store, seen: Viewer) -> dict[str, Any]:
    """Return the chat messages for this viewer, and their private notes."""
    card, player = seen.card, seen.player
    sides = [seen.side] if seen.side is not None else []
    return {
        **table_view.table_base_context(seen),
        "said": store.messages(card.id, sides)[-HEARD:],
        "may_talk": player is not None and (bool(seen.own) or player.id == card.host),
        "notes": store.notes(card.id, player.id) if player is not None else "",
        "kept": False,
        "text_length": TEXT_LENGTH,
        "note_length": NOTE_LENGTH,
    }


@get("/m/{id:str}/talk", sync_to_thread=True)
def talk(store: Store, page: Page, id: str, seat: SeatName = None) -> Reply:
    """The part of the page that changes when someone says something."""
    return _talk_part(store, page, _eyes(store, page, id, seat))


def _talk_part(store: Store, page: Page, seen: Viewer, *, kept: bool = False) -> Reply:
    if seen.hand_to is not None:
        return _to_the_curtain(seen)
    return page("_chat.html", secret=True, **(_talk(store, seen) | {"kept": kept}))


@post("/m/{id:str}/say", sync_to_thread=True)
def post_message(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Post a chat message to everyone, or to one's own side."""
    seat, player = str(form.get("seat", "")), _somebody(page)
    text = str(form.get("text", "")).strip()[:TEXT_LENGTH]
    seen = _eyes(store, page, id, _own(store, page, id, form) if seat else None)
    if text:
        store.post_message(id, player.id, text, seen.side if form.get("to") == "side" else None)
    return _spoken(request, store, page, seen)


@post("/m/{id:str}/note", sync_to_thread=True)
def note(request: Asking, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Keep a note that no one else reads."""
    player = _somebody(page)
    seat = str(form.get("seat", "")) or None
    store.note(id, player.id, str(form.get("text", ""))[:NOTE_LENGTH])
    return _spoken(request, store, page, _eyes(store, page, id, seat), kept=True)


def _somebody(page: Page) -> Player:
    if page.player is None:
        raise NotYourSeat("You are not signed in. Enter a name on your profile page, then try again.")
    return page.player


def _spoken(request: Asking, store: Store, page: Page, seen: Viewer, *, kept: bool = False) -> Reply:
    if wants_part(request):
        return _talk_part(store, page, seen, kept=kept)
    where = f"?seat={seen.seat}" if seen.seat else ""
    return Redirect(f"/m/{seen.card.id}{where}#talk", status_code=303)


# -- what happens ----------------------------------------------------------------------------------------------------


@get("/m/{id:str}/events", media_type="text/event-stream")
async def events(store: Store, player: Player | None, herald: EventBroadcaster, watchers: OpenPages, id: str) -> Stream:
    """The stream of what happens: `here` with the match's revision at first, then each note by its name."""
    card = await sync_to_thread(store.match_summary, id)
    looking = watchers.looking(id, player.id) if player is not None else nullcontext()
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    result = watched(herald.stream(id, card.revision), looking)
    return Stream(result, media_type="text/event-stream", headers=headers)


async def watched(
    result: AsyncGenerator[bytes, None], looking: AbstractContextManager[None]
) -> AsyncGenerator[bytes, None]:
    """A stream as it is; as long as it lasts, its reader is known to be looking."""
    with looking:
        async with aclosing(result):
            async for event in result:
                yield event


router = Router(
    path="/",
    route_handlers=[
        look,
        part,
        the_seats,
        advice,
        analysis,
        talk,
        answer,
        plan,
        paper,
        undo,
        request_takeback,
        answer_takeback,
        set_tutorial,
        post_message,
        note,
        events,
    ],
    include_in_schema=False,
)
