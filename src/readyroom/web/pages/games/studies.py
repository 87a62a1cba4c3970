"""Studies: those that come with the games, and small ones that run here."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, NamedTuple

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.enums import MediaType
from litestar.params import Parameter
from litestar.response import Redirect

from readyroom.bots import limit_of
from readyroom.engine.data import parse_own
from readyroom.engine.errors import InvalidQuery
from readyroom.engine.game import sides
from readyroom.engine.toml import write_toml
from readyroom.store import Store
from readyroom.store.cards import from_timestamp
from readyroom.study.studyfile import OWN_FILE, StudyFile, builtin_studies, parse_study
from readyroom.web import catalog
from readyroom.web.jobs.client_jobs import MOST_MATCHES, ClientJobs, StudyJob, cancel
from readyroom.web.jobs.workers import STUDY, Busy, WorkerPool
from readyroom.web.pages.games.scenarios import readable
from readyroom.web.rendering import AppRequest, Page, Reply
from readyroom.web.security import POLICY, client

AMOUNTS = (100, 200, MOST_MATCHES)
"""The numbers of matches to choose from, all cases together."""
OWN_STYLES = "style-src 'self'"
STYLES = re.compile("<style>(.*?)</style>", re.DOTALL)
Name = Annotated[str, Parameter(max_length=64)]


class BuiltinStudy(NamedTuple):
    """A study that comes with a game."""

    name: str
    text: str
    study: StudyFile
    game: str


class StudyVariable(NamedTuple):
    """A variable of a study: its key in the form, its label, and the lines of the study file that vary it."""

    key: str
    title: str
    kind: str
    choices: Sequence[str]


# -- what there is to ask --------------------------------------------------------------------------------------------


def ready() -> list[BuiltinStudy]:
    """Return the built-in studies of the installed games."""
    result = []
    for name, file in builtin_studies().items():
        text = file.read_text(encoding="utf-8")
        study = parse_study(text.encode(), name)
        if study.game in catalog.games():
            result.append(BuiltinStudy(name, text, study, catalog.games()[study.game].title))
    return result


def varying(game: catalog.AnyGame) -> list[StudyVariable]:
    """Return the variables of a small study; the default of each comes first."""
    scenarios = _with_same_sides(game)
    study_variables = [StudyVariable("scenario", "Scenario", "", scenarios)] if len(scenarios) > 1 else []
    for option in game.options:
        choices = sorted(option.choices, key=lambda choice: choice != option.default)
        study_variables.append(StudyVariable(f"options.{option.key}", option.title, "options", choices))
    names = {side.key: side.name for side in catalog.sides(game, catalog.first_seats(game))}
    for side, name in names.items():
        study_variables.append(StudyVariable(f"bots.{side}", f"Bot for {name}", "bots", quick(game)))
    for side, plans in game.planning.plans().items():
        title = f"Plan of {names.get(side, side)}"
        study_variables.append(StudyVariable(f"plans.{side}", title, "plans", list(plans)))
    return study_variables


def quick(game: catalog.AnyGame) -> list[str]:
    """Return the bots that answer at once."""
    return [bot for bot in catalog.bots(game) if limit_of(bot) is None]


def _with_same_sides(game: catalog.AnyGame) -> list[str]:
    default, options = sides(catalog.first_seats(game)), game.resolve({})
    return [one.key for one in catalog.scenarios(game) if sides(game.rules.seats(one, options)) == default]


def study_text(game: catalog.AnyGame, form: Mapping[str, object], own: str = "") -> str:
    """Return the study file of a form, of a custom scenario if its text is given.

    Raises `InvalidQuery` for values that do not exist.
    """
    known = {one.key: one for one in varying(game) if not own or one.key != "scenario"}
    what = known.get(str(form.get("vary", "")))
    amount = str(form.get("matches", ""))
    if what is None or amount not in map(str, AMOUNTS):
        raise InvalidQuery("Choose a variable and one of the offered numbers of matches.")
    bots = {side: str(form.get(f"bot-{side}", "")) for side in sides(catalog.first_seats(game))}
    if not set(bots.values()) <= {"", *quick(game)}:
        raise InvalidQuery("This bot is not available here.")
    rest = {side: name for side, name in bots.items() if name and what.key != f"bots.{side}"}
    text = "\n".join(_lines(game, what, int(amount), rest)) + "\n"
    return text + ("\n" + write_toml({"scenario": parse_own(own.encode(), OWN_FILE)}) if own else "")


def _lines(game: catalog.AnyGame, what: StudyVariable, amount: int, bots: Mapping[str, str]) -> Iterable[str]:
    yield f"title = {_quoted(f'{game.title}: {what.title}')}"
    yield f"game = {_quoted(game.key)}"
    yield f"matches = {max(2, amount // len(what.choices))}"
    if bots:
        yield "\n[bots]"
        yield from (f"{side} = {_quoted(name)}" for side, name in bots.items())
    key = what.key.rpartition(".")[2]
    yield f"\n[vary.{what.kind}]" if what.kind else "\n[vary]"
    yield f"{key} = [{', '.join(map(_quoted, what.choices))}]"


def _quoted(text: str) -> str:
    """Return a text as a TOML string."""
    return json.dumps(text)


# -- pages -----------------------------------------------------------------------------------------------------------


@get("/studies", sync_to_thread=True)
def studies(
    request: AppRequest, page: Page, store: Store, client_jobs: ClientJobs, game: Name = "", scenario: Name = ""
) -> Response[str]:
    """Show the player's notebooks, the built-in studies, the form of a small one, and the one that is running.

    `scenario` is the id of a player's own scenario that the small one is about.
    """
    return _studies_page(page, store, game, client_jobs.running_study(client(request)), scenario=scenario)


def _studies_page(
    page: Page,
    store: Store,
    game: str,
    running: StudyJob | None,
    *,
    scenario: str = "",
    wrong: str = "",
    status: int = 200,
) -> Response[str]:
    own = readable(store, page.player, scenario) if scenario else None
    notebooks = [] if page.player is None else store.notebooks.of_player(page.player.id)
    game = own.game if own is not None else game
    chosen = catalog.find(game) if game else next(iter(catalog.games().values()))
    return page(
        "studies.html",
        status=status,
        secret=own is not None,
        own=own,
        running=running,
        wrong=wrong,
        ready=ready(),
        notebooks=[(one, from_timestamp(one.changed), catalog.games().get(one.game)) for one in notebooks],
        games=list(catalog.games().values()),
        game=chosen,
        varying=[one for one in varying(chosen) if own is None or one.key != "scenario"],
        sides=catalog.sides(chosen, catalog.first_seats(chosen)),
        bots=quick(chosen),
        amounts=AMOUNTS,
        most=MOST_MATCHES,
    )


@post("/studies", sync_to_thread=True)
def ask(
    request: AppRequest, page: Page, store: Store, workers: WorkerPool, client_jobs: ClientJobs, form: FormMultiDict
) -> Reply:
    """Start a small study; if one of the client is running, lead to it."""
    scenario = str(form.get("own", ""))
    try:
        workers.check_room(client(request), STUDY)
    except Busy as error:
        running = client_jobs.running_study(client(request))
        if running is None:
            raise
        wanted = str(form.get("game", "")), running
        response = _studies_page(page, store, *wanted, scenario=scenario, wrong=str(error), status=429)
        response.headers["Retry-After"] = str(error.retry_after)
        return response
    own = readable(store, page.player, scenario).text if scenario else ""
    asked = client_jobs.study(client(request), study_text(catalog.find(str(form.get("game", ""))), form, own))
    return Redirect(f"/studies/{asked.id}", status_code=303)


@get("/studies/{id:str}", sync_to_thread=True)
def study(page: Page, client_jobs: ClientJobs, id: Name) -> Response[str]:
    """Show the progress or the result of a study."""
    return page("study.html", asked=client_jobs.find_study(id))


@post("/studies/{id:str}/cancel", sync_to_thread=False)
def cancel_study(request: AppRequest, client_jobs: ClientJobs, id: Name) -> Redirect:
    """Cancel a study that this client started."""
    asked = client_jobs.find_study(id)
    cancel(asked, client(request))
    return Redirect(f"/studies/{asked.id}", status_code=303)


@get("/studies/{id:str}/report", sync_to_thread=True)
def report(client_jobs: ClientJobs, id: Name) -> Reply:
    """Show the report of a finished study."""
    asked = client_jobs.find_study(id)
    if asked.report is None:
        return Redirect(f"/studies/{id}")
    return report_response(asked.report.page)


def report_response(html: str) -> Response[str]:
    """Return a report, whose styles are its own, as a response."""
    return Response(html, media_type=MediaType.HTML, headers={"Content-Security-Policy": _policy(html)})


def _policy(html: str) -> str:
    """Return a content policy that allows the report's own styles by their hash."""
    hashes = [b64encode(sha256(styles.encode()).digest()).decode() for styles in STYLES.findall(html)]
    return POLICY.replace(OWN_STYLES, " ".join([OWN_STYLES, *(f"'sha256-{each}'" for each in hashes)]))


router = Router("/", route_handlers=[studies, ask, study, cancel_study, report], include_in_schema=False)
