"""Designers' notebooks: change charts and options of a game, run the study, save it and share it by a link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.params import Parameter
from litestar.response import Redirect

from readyroom.engine.errors import InvalidQuery, ReadyRoomError, UnknownChart
from readyroom.engine.text import capitalize_first
from readyroom.store import Player, Store
from readyroom.store.errors import UnknownPlayer, WriteFailed
from readyroom.store.notebooks import TITLE_LENGTH
from readyroom.store.notebooks import Notebook as StoredNotebook
from readyroom.study.notebooks import (
    FILE,
    NOTES_LENGTH,
    Notebook,
    NotebookReport,
    can_solve,
    changes_of,
    check_notebook,
    from_text,
    new_notebook,
    pair_matches,
    player_name,
    to_text,
    unpack_report,
)
from readyroom.study.studyfile import unplayed_figures
from readyroom.web import catalog
from readyroom.web.jobs.client_jobs import ClientJobs
from readyroom.web.jobs.workers import NOTEBOOK, WorkerPool
from readyroom.web.markdown import render_markdown
from readyroom.web.pages.games.games import SOURCES
from readyroom.web.pages.games.notebook_forms import (
    AMOUNTS,
    changed_figures,
    chart_fields,
    chart_groups,
    offered_options,
    read_settings,
)
from readyroom.web.pages.games.reader import reader
from readyroom.web.pages.games.studies import report_response
from readyroom.web.pages.players.profile import get_or_create_player
from readyroom.web.rendering import AppRequest, Page, Reply, as_file
from readyroom.web.security import client

At = Annotated[str, Parameter(max_length=400)]
FORM_BYTES = 256 * 1024
"""The most bytes of a form: the largest chart has some hundred fields."""


def _owner(page: Page) -> Player:
    if page.player is None:
        raise UnknownPlayer
    return page.player


def _back(id: str, part: str = "") -> Redirect:
    return Redirect(f"/notebooks/{id}{part}", status_code=303)


# -- a notebook --------------------------------------------------------------------------------------------------------


@post("/notebooks", sync_to_thread=True)
def create(request: AppRequest, store: Store, page: Page, form: FormMultiDict) -> Reply:
    """Create a notebook of a game, for a new player if no one is signed in."""
    game = catalog.find(str(form.get("game", "")))
    scenario = game.scenario(str(form.get("scenario", "")) or None)
    if scenario.text is not None:
        raise InvalidQuery("Choose one of the offered scenarios.")
    notebook = new_notebook(game, scenario, f"Notebook for {scenario.title}"[:TITLE_LENGTH])
    return _keep(request, store, page, notebook)


def _keep(request: AppRequest, store: Store, page: Page, notebook: Notebook) -> Reply:
    """Keep a new notebook, and show it."""
    game = catalog.find(notebook.game)
    arrival = get_or_create_player(request, store, page.player)
    kept = store.notebooks.create(arrival.player.id, game.key, notebook.title, to_text(game, notebook))
    return arrival.seated(_back(kept))


@get("/notebooks/{id:str}", sync_to_thread=True)
def notebook(page: Page, store: Store, client_jobs: ClientJobs, id: str, done: At = "") -> Response[str]:
    """Show a notebook to its owner."""
    return _notebook_page(page, client_jobs, store.notebooks.find(id, _owner(page).id), done=done)


def _notebook_page(
    page: Page,
    client_jobs: ClientJobs,
    found: StoredNotebook,
    *,
    edited: Notebook | None = None,
    done: str = "",
    wrong: str = "",
    status: int = 200,
) -> Response[str]:
    """Return a notebook's page; `edited` has the fields of a form that was rejected, and `wrong` says why."""
    game, saved = catalog.find(found.game), from_text(found.text)
    shown = edited or saved
    scenario = game.scenario(shown.scenario)
    solvable = can_solve(game, scenario)
    return page(
        "notebook.html",
        status=status,
        secret=True,
        found=found,
        notebook=shown,
        game=game,
        book=reader(game.key),
        scenarios=catalog.scenarios(game),
        options=offered_options(game, shown),
        groups=chart_groups(game, saved),
        solvable=solvable,
        pairs=pair_matches(game, shown) if solvable else 0,
        players=player_name(game),
        amounts=sorted({*AMOUNTS, shown.matches}),
        notes_length=NOTES_LENGTH,
        title_length=TITLE_LENGTH,
        done=done,
        wrong=wrong,
        running=client_jobs.notebook_job(found.id),
        link=f"/n/{found.link}" if found.link else "",
        **_content(game, found),
    )


def _content(game: catalog.AnyGame, found: StoredNotebook) -> dict[str, Any]:
    """Return what owner and readers of a notebook see alike: notes, changes, and the last result."""
    saved = from_text(found.text)
    wrong, changes, unplayed = "", [], list[str]()
    try:
        study = check_notebook(game, saved)
        changes, unplayed = changes_of(game, study), unplayed_figures(study)
    except ReadyRoomError as error:  # the game's data has changed since
        wrong = capitalize_first(str(error))
    report = _report(found)
    return {
        "saved": saved,
        "scenario_title": _scenario_title(game, saved.scenario),
        "notes": render_markdown(saved.notes),
        "changes": changes,
        "unplayed": unplayed,
        "misfit": wrong,
        "report": report,
        "is_current": report is not None and report.text == found.text,
    }


def _scenario_title(game: catalog.AnyGame, key: str) -> str:
    return next((each.title for each in catalog.scenarios(game) if each.key == key), key)


def _report(found: StoredNotebook) -> NotebookReport | None:
    """Return the last result of a notebook; None if there is none, or an earlier version has written it."""
    try:
        return unpack_report(found.result) if found.result is not None else None
    except msgspec.MsgspecError:
        return None


@post("/notebooks/{id:str}", sync_to_thread=True, request_max_body_size=FORM_BYTES)
def save(page: Page, store: Store, client_jobs: ClientJobs, form: FormMultiDict, id: str) -> Reply:
    """Save name, notes, scenario, options and how it is measured; then open a chart if the form names one."""
    if rejected := _save_settings(page, store, client_jobs, id, form):
        return rejected
    return _back(id, f"/chart?at={quote(str(form['chart']), safe='')}" if "chart" in form else "?done=saved")


def _save_settings(
    page: Page, store: Store, client_jobs: ClientJobs, id: str, form: FormMultiDict
) -> Response[str] | None:
    """Save the settings of a form; return the page that says why if they were rejected, else None."""
    owner = _owner(page)
    found = store.notebooks.find(id, owner.id)
    game = catalog.find(found.game)

    def change(text: str) -> tuple[str, str]:
        edited = read_settings(game, from_text(text), form)
        check_notebook(game, edited)
        return edited.title, to_text(game, edited)

    wrong = _rejected(store, owner, id, change)
    if not wrong:
        return None
    return _notebook_page(page, client_jobs, found, edited=_entered(found, form), wrong=wrong, status=422)


def _rejected(store: Store, owner: Player, id: str, change: Callable[[str], tuple[str, str]]) -> str:
    """Save a change of a notebook; return why it was rejected, or "" if it was saved."""
    try:
        store.notebooks.edit(id, owner.id, change)
    except WriteFailed:
        raise
    except ReadyRoomError as error:
        return capitalize_first(str(error))
    return ""


def _entered(found: StoredNotebook, form: FormMultiDict) -> Notebook:
    """Return a notebook with the texts of a form that was rejected, so that they are not lost."""
    before = from_text(found.text)
    notes, title = (str(form.get(key, ""))[: 2 * NOTES_LENGTH] for key in ("notes", "title"))
    return msgspec.structs.replace(before, notes=notes, title=title)


# -- charts ------------------------------------------------------------------------------------------------------------


@get("/notebooks/{id:str}/chart", sync_to_thread=True)
def chart(page: Page, store: Store, id: str, at: At = "") -> Response[str]:
    """Show a chart with a field for each figure."""
    found = store.notebooks.find(id, _owner(page).id)
    return _chart_page(page, found, at, FormMultiDict([]))


def _chart_page(
    page: Page, found: StoredNotebook, at: str, form: FormMultiDict, *, wrong: str = "", status: int = 200
) -> Response[str]:
    game, saved = catalog.find(found.game), from_text(found.text)
    table = game.figures.table(at)
    if table is None:
        raise UnknownChart(at, [each.key for each in game.figures.tables], where=game.key)
    fields = chart_fields(table, saved.figures, form)
    return page(
        "notebook-chart.html",
        status=status,
        secret=True,
        found=found,
        game=game,
        book=reader(game.key),
        chart=fields,
        wrong=wrong,
        sources=SOURCES,
    )


@post("/notebooks/{id:str}/chart", sync_to_thread=True, request_max_body_size=FORM_BYTES)
def save_chart(page: Page, store: Store, form: FormMultiDict, id: str, at: At = "") -> Reply:
    """Save the figures of a chart; errors are shown at their fields."""
    owner = _owner(page)
    found = store.notebooks.find(id, owner.id)
    game = catalog.find(found.game)
    table = game.figures.table(at)
    if table is None:
        raise UnknownChart(at, [each.key for each in game.figures.tables], where=game.key)
    if chart_fields(table, {}, form).wrong:
        return _chart_page(page, found, at, form, wrong="Please fix the highlighted fields.", status=422)

    def change(text: str) -> tuple[str, str]:
        before = from_text(text)
        figures = changed_figures(chart_fields(table, before.figures, form), before.figures)
        edited = msgspec.structs.replace(before, figures=figures)
        check_notebook(game, edited)
        return edited.title, to_text(game, edited)

    if wrong := _rejected(store, owner, id, change):
        return _chart_page(page, found, at, form, wrong=wrong, status=422)
    return _back(id, "?done=chart#changes")


@post("/notebooks/{id:str}/reset", sync_to_thread=True)
def reset(page: Page, store: Store, form: FormMultiDict, id: str) -> Reply:
    """Set an option or a figure back to its published value; without one, all of them."""
    what = str(form.get("what", ""))
    owner = _owner(page)
    game = catalog.find(store.notebooks.find(id, owner.id).game)

    def change(text: str) -> tuple[str, str]:
        before = from_text(text)
        options = {key: each for key, each in before.options.items() if what not in ("", key)}
        figures = {key: each for key, each in before.figures.items() if what not in ("", key)}
        edited = msgspec.structs.replace(before, options=options, figures=figures)
        return edited.title, to_text(game, edited)

    store.notebooks.edit(id, owner.id, change)
    return _back(id, "#changes")


# -- running -----------------------------------------------------------------------------------------------------------


@post("/notebooks/{id:str}/run", sync_to_thread=True, request_max_body_size=FORM_BYTES)
def run(
    request: AppRequest,
    page: Page,
    store: Store,
    client_jobs: ClientJobs,
    workers: WorkerPool,
    form: FormMultiDict,
    id: str,
) -> Reply:
    """Save the settings and run the study of a notebook, or show it if it is running."""
    if rejected := _save_settings(page, store, client_jobs, id, form):
        return rejected
    found = store.notebooks.find(id, _owner(page).id)
    game = catalog.find(found.game)
    started = client_jobs.notebook_job(id)
    if started is None or started.over:
        study = check_notebook(game, from_text(found.text))
        if not changes_of(game, study):
            message = "Nothing is changed yet. Change an option or a chart first."
            return _notebook_page(page, client_jobs, found, wrong=message, status=422)
        workers.check_room(client(request), NOTEBOOK)

        def keep(result: bytes) -> None:
            store.notebooks.write_result(id, result)

        client_jobs.notebook(client(request), id, found.text, study, keep)
    return _back(id, "#result")


@post("/notebooks/{id:str}/cancel", sync_to_thread=True)
def cancel_run(page: Page, store: Store, client_jobs: ClientJobs, id: str) -> Redirect:
    """Cancel the running study of a notebook."""
    store.notebooks.find(id, _owner(page).id)
    running = client_jobs.notebook_job(id)
    if running is not None:
        running.job.cancel()
    return _back(id, "#result")


@get("/notebooks/{id:str}/report", sync_to_thread=True)
def report(page: Page, store: Store, id: str) -> Reply:
    """Show the full report of the last run."""
    return _full_report(store.notebooks.find(id, _owner(page).id), f"/notebooks/{id}")


def _full_report(found: StoredNotebook, otherwise: str) -> Reply:
    result = _report(found)
    return Redirect(otherwise) if result is None else report_response(result.page)


@get("/notebooks/{id:str}/study.toml", sync_to_thread=True)
def download(page: Page, store: Store, id: str) -> Response[str]:
    """Return a notebook as a study file."""
    return _study_file(store.notebooks.find(id, _owner(page).id))


def _study_file(found: StoredNotebook) -> Response[str]:
    return as_file(found.text, FILE)


# -- sharing -----------------------------------------------------------------------------------------------------------


@post("/notebooks/{id:str}/share", sync_to_thread=True)
def share(page: Page, store: Store, form: FormMultiDict, id: str) -> Redirect:
    """Create the link of a notebook, or end it."""
    change = store.notebooks.unshare if form.get("do") == "stop" else store.notebooks.share
    change(id, _owner(page).id)
    return _back(id, "#share")


@post("/notebooks/{id:str}/copy", sync_to_thread=True)
def copy(request: AppRequest, page: Page, store: Store, id: str) -> Reply:
    """Copy a notebook of the player."""
    return _copy(request, page, store, store.notebooks.find(id, _owner(page).id))


@post("/notebooks/{id:str}/delete", sync_to_thread=True)
def delete(page: Page, store: Store, client_jobs: ClientJobs, id: str) -> Redirect:
    """Delete a notebook with its result and its link."""
    store.notebooks.delete(id, _owner(page).id)
    running = client_jobs.notebook_job(id)
    if running is not None:
        running.job.cancel()
    return Redirect("/studies#notebooks", status_code=303)


@get("/n/{secret:str}", sync_to_thread=True)
def shared(page: Page, store: Store, secret: str) -> Response[str]:
    """Show a shared notebook to anyone who has its link."""
    found = store.notebooks.shared(secret)
    game = catalog.find(found.game)
    return page("notebook-shared.html", secret=True, found=found, game=game, at=f"/n/{secret}", **_content(game, found))


@get("/n/{secret:str}/report", sync_to_thread=True)
def shared_report(store: Store, secret: str) -> Reply:
    """Show the full report of a shared notebook."""
    return _full_report(store.notebooks.shared(secret), f"/n/{secret}")


@get("/n/{secret:str}/study.toml", sync_to_thread=True)
def shared_download(store: Store, secret: str) -> Response[str]:
    """Return a shared notebook as a study file."""
    return _study_file(store.notebooks.shared(secret))


@post("/n/{secret:str}/copy", sync_to_thread=True)
def copy_shared(request: AppRequest, page: Page, store: Store, secret: str) -> Reply:
    """Copy a shared notebook to the player's own."""
    return _copy(request, page, store, store.notebooks.shared(secret))


def _copy(request: AppRequest, page: Page, store: Store, found: StoredNotebook) -> Reply:
    original = from_text(found.text)
    title = f"Copy of {original.title.removeprefix('Copy of ')}"[:TITLE_LENGTH]
    return _keep(request, store, page, msgspec.structs.replace(original, title=title))


router = Router(
    "/",
    route_handlers=[
        create,
        notebook,
        save,
        chart,
        save_chart,
        reset,
        run,
        cancel_run,
        report,
        download,
        share,
        copy,
        delete,
        shared,
        shared_report,
        shared_download,
        copy_shared,
    ],
    include_in_schema=False,
)
