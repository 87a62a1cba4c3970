"""Scenarios of players: made from the game's own in a form, tried by bots, shared by a link, and played."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.params import Parameter
from litestar.response import Redirect
from markupsafe import Markup

from readyroom.engine.errors import InvalidQuery, ReadyRoomError
from readyroom.store import Player, Store
from readyroom.store.cards import from_timestamp
from readyroom.store.errors import UnknownPlayer
from readyroom.store.limits import TITLE_LENGTH
from readyroom.store.scenarios import OwnScenario
from readyroom.study.trial import MATCHES, Trial, fingerprint_of, unpack_trial
from readyroom.web import catalog
from readyroom.web.jobs import tasks
from readyroom.web.jobs.client_jobs import AT_ONCE, ClientJobs, run_for
from readyroom.web.jobs.workers import OPENING, TRIAL, Busy, WorkerPool
from readyroom.web.pages.games import scenario_forms
from readyroom.web.pages.games.scenario_forms import FORM_BYTES, Draft
from readyroom.web.pages.home.new_match import SCENARIO_BYTES, file_text
from readyroom.web.pages.players.profile import get_or_create_player
from readyroom.web.rendering import AppRequest, Page, Reply, as_file
from readyroom.web.security import client

Name = Annotated[str, Parameter(max_length=100)]
SIDE = Annotated[str, Parameter(max_length=80)]


def _owner(page: Page) -> Player:
    if page.player is None:
        raise UnknownPlayer
    return page.player


def readable(store: Store, player: Player | None, key: str) -> OwnScenario:
    """Return a player's own scenario of this id, or the shared one with this link; raise `UnknownLink`."""
    if player is not None and any(each.id == key for each in store.scenarios.of_player(player.id)):
        return store.scenarios.find(key, player.id)
    return store.scenarios.shared(key)


# -- lists -------------------------------------------------------------------------------------------------------------


@get("/scenarios", sync_to_thread=True)
def scenarios(page: Page, store: Store, game: Name = "") -> Response[str]:
    """Show the player's scenarios, those that others show to everyone, and where to start from."""
    return _list_page(page, store, game)


def _list_page(page: Page, store: Store, game: str, *, wrong: str = "", status: int = 200) -> Response[str]:
    chosen = catalog.find(game) if game else None
    mine = store.scenarios.of_player(page.player.id) if page.player is not None else []
    own_links = {one.link for one in mine}
    return page(
        "scenarios.html",
        status=status,
        wrong=wrong,
        game=chosen,
        games=catalog.list_games(),
        titles={key: each.title for key, each in catalog.games().items()},
        mine=[(one, from_timestamp(one.changed)) for one in mine],
        shared=[
            (one, from_timestamp(one.changed)) for one in store.scenarios.listed(game) if one.link not in own_links
        ],
    )


@post("/scenarios", sync_to_thread=True, request_max_body_size=FORM_BYTES)
def create(request: AppRequest, store: Store, page: Page, form: FormMultiDict) -> Reply:
    """Create a scenario from one of the game's or from a file, for a new player if no one is signed in."""
    game = catalog.find(str(form.get("game", "")))
    upload = form.get("file")
    if form.get("do") != "file":
        known = str(form.get("scenario", ""))
        if known and known not in {one.key for one in catalog.scenarios(game)}:
            raise InvalidQuery("Choose one of the offered scenarios.")
        text = scenario_forms.text_to_start(game, known)
    elif isinstance(upload, UploadFile) and upload.filename:
        text, wrong = file_text(upload.filename, upload.file.read(SCENARIO_BYTES + 1))
        if wrong:
            return _list_page(page, store, game.key, wrong=wrong, status=422)
    else:
        return _list_page(page, store, game.key, wrong="Choose a scenario file (.toml).", status=422)
    draft = scenario_forms.from_text(game, text)
    if draft.scenario is None:
        return _list_page(page, store, game.key, wrong=draft.message, status=422)
    return _keep(request, store, page, draft)


def _keep(request: AppRequest, store: Store, page: Page, draft: Draft) -> Reply:
    """Keep a new scenario, and show it."""
    assert draft.scenario is not None
    arrival = get_or_create_player(request, store, page.player)
    kept = store.scenarios.create(arrival.player.id, draft.game.key, draft.scenario.title, draft.text)
    return arrival.seated(_back(kept))


def _back(id: str, part: str = "") -> Redirect:
    return Redirect(f"/scenarios/{id}{part}", status_code=303)


# -- editing -----------------------------------------------------------------------------------------------------------


@get("/scenarios/{id:str}")
async def scenario(
    request: AppRequest,
    page: Page,
    store: Store,
    client_jobs: ClientJobs,
    workers: WorkerPool,
    id: Name,
    done: Name = "",
    side: SIDE | None = None,
) -> Reply:
    """Show a scenario to its owner: the form, the text, the board, the trial."""
    found = await sync_to_thread(lambda: store.scenarios.find(id, _owner(page).id))
    draft = await sync_to_thread(scenario_forms.from_text, catalog.find(found.game), found.text)
    side = draft.sides[0].key if side is None else side
    board, trouble = await _board_soon(request, workers, draft, side)
    message = draft.message or trouble
    return await sync_to_thread(_editor, page, client_jobs, found, draft, board, side, message=message, done=done)


def _editor(
    page: Page,
    client_jobs: ClientJobs,
    found: OwnScenario,
    draft: Draft,
    board: str,
    side: str,
    *,
    message: str = "",
    done: str = "",
    status: int = 200,
) -> Response[str]:
    return page(
        "scenario.html",
        status=status,
        secret=True,
        found=found,
        game=draft.game,
        draft=draft,
        board=Markup(board),
        side=side,
        message=message,
        done=done,
        changed=from_timestamp(found.changed),
        link=f"/scenario/{found.link}" if found.link else "",
        file=scenario_forms.file_name(found.title),
        **_trial(client_jobs, found),
    )


def _trial(client_jobs: ClientJobs, found: OwnScenario) -> dict[str, Any]:
    """Return what the part of a page about the trial shows."""
    running = client_jobs.trial_job(found.id)
    return {
        "running": running,
        "trial": (trial := _result(found)),
        "is_current": trial is not None and trial.fingerprint == fingerprint_of(found.text),
        "matches": MATCHES,
    }


def _result(found: OwnScenario) -> Trial | None:
    """Return the last result of a scenario; None if there is none, or an earlier version has written it."""
    try:
        return unpack_trial(found.result) if found.result is not None else None
    except msgspec.MsgspecError:
        return None


async def _board(request: AppRequest, workers: WorkerPool, draft: Draft, side: str) -> tuple[str, str]:
    """Return the opening position as HTML, drawn by a worker, and why there is none."""
    if draft.scenario is None:
        return "", ""
    try:
        opening = await run_for(request, workers, OPENING, tasks.draw_opening, draft.game.key, draft.text, side)
    except ReadyRoomError as error:
        return "", str(error)
    return opening.board, ""


async def _board_soon(request: AppRequest, workers: WorkerPool, draft: Draft, side: str) -> tuple[str, str]:
    """Return the same for a page that does not wait long: without a board, its script asks again."""
    if draft.scenario is None:
        return "", ""
    try:
        job = workers.submit(client(request), OPENING, tasks.draw_opening, draft.game.key, draft.text, side)
        drawing = asyncio.ensure_future(job.wait())
        await asyncio.wait({drawing}, timeout=AT_ONCE)
        return (drawing.result().board, "") if drawing.done() else ("", "")
    except Busy:
        return "", ""
    except ReadyRoomError as error:
        return "", str(error)


@post("/scenarios/{id:str}/check", request_max_body_size=FORM_BYTES)
async def check(
    request: AppRequest, page: Page, store: Store, workers: WorkerPool, form: FormMultiDict, id: Name
) -> Response[dict[str, Any]]:
    """Check a draft while it is typed: return its text, its errors, its board, and its form if that has changed."""
    found = await sync_to_thread(lambda: store.scenarios.find(id, _owner(page).id))
    draft = await sync_to_thread(scenario_forms.from_form, catalog.find(found.game), form, found.text)
    board, trouble = await _board(request, workers, draft, str(form.get("side", "")))
    is_redrawn = form.get("mode") == "text" or str(form.get("do", "")).partition(":")[0] in ("add", "remove")
    redrawn = None
    if is_redrawn and draft.form is not None:
        redrawn = await sync_to_thread(page.text, "_scenario_form.html", drawn=draft.form, errors=draft.errors)
    content = {
        "text": draft.text,
        "valid": draft.scenario is not None and not draft.errors and not trouble,
        "message": draft.message or trouble,
        "errors": {name: message for name, message in draft.errors.items() if name},
        "form": redrawn,
        "board": board or None,
    }
    return Response(content, status_code=200, headers={"Cache-Control": "no-store"})


@post(["/scenarios/{id:str}", "/scenarios/{id:str}/try"], request_max_body_size=FORM_BYTES)
async def save(
    request: AppRequest,
    page: Page,
    store: Store,
    client_jobs: ClientJobs,
    workers: WorkerPool,
    form: FormMultiDict,
    id: Name,
) -> Reply:
    """Save a scenario that can be played, then do what the button says; show others again with their errors."""
    owner, do, side = _owner(page), str(form.get("do", "")), str(form.get("side", ""))
    is_trial = request.url.path.endswith("/try")
    found = await sync_to_thread(store.scenarios.find, id, owner.id)
    draft = await sync_to_thread(scenario_forms.from_form, catalog.find(found.game), form, found.text)
    board, trouble = await _board(request, workers, draft, side)
    message = draft.message or trouble
    is_saved = is_trial or do in ("save", "save-text", "play", "study")
    if not is_saved or draft.scenario is None or draft.errors or trouble:
        status = 422 if is_saved else 200
        if is_saved and not message:
            message = "Please fix the highlighted fields."
        return await sync_to_thread(
            _editor, page, client_jobs, found, draft, board, side, message=message, status=status
        )
    title, text = draft.scenario.title, draft.text
    await sync_to_thread(store.scenarios.save, id, owner.id, title, text)
    if do == "play":
        return Redirect(f"/new?game={found.game}&custom={id}", status_code=303)
    if do == "study":
        return Redirect(f"/studies?game={found.game}&scenario={id}#ask", status_code=303)
    if is_trial:
        started = client_jobs.trial_job(id)
        if started is None or started.over:
            workers.check_room(client(request), TRIAL)
            keep = partial(store.scenarios.write_result, id)
            client_jobs.trial(client(request), id, found.game, text, keep)
        return _back(id, "#trial")
    return _back(id, "?done=saved")


@get("/scenarios/{id:str}/trial", sync_to_thread=True)
def trial(page: Page, store: Store, client_jobs: ClientJobs, id: Name) -> Response[str]:
    """Return the part of the page about the trial, which refreshes itself."""
    found = store.scenarios.find(id, _owner(page).id)
    return page("_trial_part.html", found=found, **_trial(client_jobs, found))


@post("/scenarios/{id:str}/cancel", sync_to_thread=True)
def cancel_trial(page: Page, store: Store, client_jobs: ClientJobs, id: Name) -> Redirect:
    """Cancel the running trial of a scenario."""
    store.scenarios.find(id, _owner(page).id)
    running = client_jobs.trial_job(id)
    if running is not None:
        running.job.cancel()
    return _back(id, "#trial")


@get("/scenarios/{id:str}/file", sync_to_thread=True)
def download(page: Page, store: Store, id: Name) -> Response[str]:
    """Return a scenario as a file."""
    return _file(store.scenarios.find(id, _owner(page).id))


def _file(found: OwnScenario) -> Response[str]:
    return as_file(found.text, scenario_forms.file_name(found.title))


# -- sharing -----------------------------------------------------------------------------------------------------------


@post("/scenarios/{id:str}/share", sync_to_thread=True)
def share(page: Page, store: Store, form: FormMultiDict, id: Name) -> Redirect:
    """Create the link of a scenario, show it to everyone or no longer, or end the link."""
    do, owner = form.get("do"), _owner(page).id
    if do == "stop":
        store.scenarios.unshare(id, owner)
    else:
        store.scenarios.share(id, owner, listed=do == "list")
    return _back(id, "#share")


@post("/scenarios/{id:str}/copy", sync_to_thread=True)
def copy(request: AppRequest, page: Page, store: Store, id: Name) -> Reply:
    """Copy a scenario of the player."""
    return _copy(request, page, store, store.scenarios.find(id, _owner(page).id))


def _copy(request: AppRequest, page: Page, store: Store, found: OwnScenario) -> Reply:
    arrival = get_or_create_player(request, store, page.player)
    kept = store.scenarios.create(arrival.player.id, found.game, found.title[:TITLE_LENGTH], found.text)
    return arrival.seated(_back(kept))


@post("/scenarios/{id:str}/delete", sync_to_thread=True)
def delete(page: Page, store: Store, client_jobs: ClientJobs, id: Name) -> Redirect:
    """Delete a scenario with its link; matches that began with it keep its text."""
    store.scenarios.delete(id, _owner(page).id)
    running = client_jobs.trial_job(id)
    if running is not None:
        running.job.cancel()
    return Redirect("/scenarios", status_code=303)


@get("/scenario/{secret:str}")
async def shared(request: AppRequest, page: Page, store: Store, workers: WorkerPool, secret: Name) -> Reply:
    """Show a shared scenario to anyone who has its link."""
    found = await sync_to_thread(store.scenarios.shared, secret)
    draft = await sync_to_thread(scenario_forms.from_text, catalog.find(found.game), found.text)
    board, trouble = await _board_soon(request, workers, draft, "")
    trial = _result(found)
    return await sync_to_thread(
        page,
        "scenario-shared.html",
        secret=True,
        found=found,
        game=draft.game,
        draft=draft,
        board=Markup(board),
        wrong=draft.message or trouble,
        trial=trial,
        is_current=trial is not None and trial.fingerprint == fingerprint_of(found.text),
        changed=from_timestamp(found.changed),
        at=f"/scenario/{secret}",
        file=scenario_forms.file_name(found.title),
    )


@get("/scenario/{secret:str}/file", sync_to_thread=True)
def shared_download(store: Store, secret: Name) -> Response[str]:
    """Return a shared scenario as a file."""
    return _file(store.scenarios.shared(secret))


@post("/scenario/{secret:str}/copy", sync_to_thread=True)
def copy_shared(request: AppRequest, page: Page, store: Store, secret: Name) -> Reply:
    """Copy a shared scenario to the player's own."""
    return _copy(request, page, store, store.scenarios.shared(secret))


router = Router(
    "/",
    route_handlers=[
        *(scenarios, create, scenario, check, save, trial, cancel_trial, download, share, copy, delete),
        *(shared, shared_download, copy_shared),
    ],
    include_in_schema=False,
)
