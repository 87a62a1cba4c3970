"""Plans of a match: files, and the chart on which a side plans."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.enums import MediaType

from readyroom.engine.errors import PlanNotApplicable, UnknownPlan
from readyroom.engine.game import PlanEditor, Planner
from readyroom.engine.match.planning import files_of
from readyroom.store import Store
from readyroom.store.errors import NotYourSeat
from readyroom.web import catalog
from readyroom.web.pages.match import table_view
from readyroom.web.pages.match.table_page import act_for_seat, own_seat, updated_page, viewer_of_page
from readyroom.web.pages.match.table_view import DraftAnswer, SeatName, Viewer
from readyroom.web.rendering import AppRequest, Page, Reply, as_file

PLAN_BYTES = 64 * 1024
"""The most bytes of a plan file."""


@post("/m/{id:str}/plan", sync_to_thread=True, request_max_body_size=PLAN_BYTES)
def plan(request: AppRequest, store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Answer a seat's planning decisions by a file; errors name lines and rules.

    `again` replaces what the seat has answered in the same planning.
    """
    seat, upload = own_seat(store, page, id, form), _uploaded(form)
    if upload is None:
        return updated_page(request, store, page, id, seat, DraftAnswer(None, "Choose a plan file, TOML or CSV."))
    text, file = upload
    again = form.get("again") == "yes"
    return act_for_seat(
        request, store, page, form, id, lambda seat: store.matches.plan(id, seat, text, file, again=again)
    )


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


def _own_planner(viewer: Viewer) -> str:
    if viewer.seat is None or viewer.hand_to is not None:
        raise NotYourSeat("Only players can plan.")
    return viewer.seat


@get("/m/{id:str}/plan", sync_to_thread=True)
def plan_sheet(store: Store, page: Page, id: str, seat: SeatName = None) -> Response[bytes]:
    """Return what the planning chart of a seat shows, as JSON."""
    viewer = viewer_of_page(store, page, id, seat)
    editor, planner = _planner(store, id, _own_planner(viewer))
    has_hints = editor.suggest is not None and viewer.summary.has_help
    return _plan_json({**editor.sheet(planner), "hints": has_hints})


@get("/m/{id:str}/plan/hint", sync_to_thread=True)
def plan_hint(store: Store, page: Page, id: str, seat: SeatName = None) -> Response[bytes]:
    """Return a plan such as the game's default bot makes, a new one each time, as JSON."""
    viewer = viewer_of_page(store, page, id, seat)
    editor, planner = _planner(store, id, _own_planner(viewer))
    store.matches.use_help(viewer.summary)
    if editor.suggest is None:
        raise PlanNotApplicable("This game has no hints for its planning chart.")
    return _plan_json({"plan": editor.suggest(planner, Random())})


@post("/m/{id:str}/plan/check", sync_to_thread=True, status_code=200, request_max_body_size=PLAN_BYTES)
def check_plan(store: Store, page: Page, form: FormMultiDict, id: str) -> Response[bytes]:
    """Return a draft with everything that is wrong with it, as JSON; nothing is stored."""
    editor, planner = _planner(store, id, own_seat(store, page, id, form))
    text, file = _uploaded(form) or (b"", "")
    return _plan_json(editor.check(planner, text, file, str(form.get("about", ""))))


def _plan_json(data: Mapping[str, Any]) -> Response[bytes]:
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return Response(msgspec.json.encode(data), media_type=MediaType.JSON, headers=headers)


@post("/m/{id:str}/plan/file", sync_to_thread=True, status_code=200, request_max_body_size=PLAN_BYTES)
def plan_file(store: Store, page: Page, form: FormMultiDict, id: str) -> Reply:
    """Return a draft as a plan file to download."""
    editor, planner = _planner(store, id, own_seat(store, page, id, form))
    kind = "csv" if form.get("as") == "csv" else "toml"
    written = editor.write(planner, str(form.get("draft", "")).encode(), "draft.json", kind)
    kept = {"Content-Disposition": f'attachment; filename="plan.{kind}"', "Cache-Control": "no-store"}
    return Response(written, media_type="text/plain; charset=utf-8", headers=kept)


@get("/m/{id:str}/plan-template/{file:str}", sync_to_thread=True)
def plan_template(store: Store, page: Page, id: str, file: str, seat: SeatName = None) -> Reply:
    """Return a sample plan to the player of the seat."""
    viewer = viewer_of_page(store, page, id, seat)
    if viewer.side is None:
        raise NotYourSeat("Only players can load plans.")
    game = catalog.find(viewer.summary.game)
    written = files_of(game).templates(viewer.side, game.data)
    if file not in written:
        raise UnknownPlan(file, written)
    return as_file(written[file], file)


router = Router(
    path="/",
    route_handlers=[plan, plan_sheet, plan_hint, check_plan, plan_file, plan_template],
    include_in_schema=False,
)
