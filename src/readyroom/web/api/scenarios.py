"""Scenarios that players share, and whether the text of a scenario can be played."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import Parameter

from readyroom.store import Store
from readyroom.store.cards import from_timestamp
from readyroom.web import catalog
from readyroom.web.api.request_models import GameKey, ScenarioText
from readyroom.web.api.response_models import CheckedScenario, SharedScenarioModel, SharedScenarioSummary
from readyroom.web.api.schema import OF_ANYBODY, refusals
from readyroom.web.pages.games import scenario_forms
from readyroom.web.pages.home.new_match import line_of

Secret = Annotated[str, Parameter(max_length=64)]


@get("/scenarios", sync_to_thread=True, summary="List shared scenarios", responses=refusals())
def list_scenarios(store: Store, game: GameKey = None) -> list[SharedScenarioSummary]:
    """List the scenarios that players show to everyone, the last changed first."""
    return [
        SharedScenarioSummary(one.link, one.game, one.title, one.author, from_timestamp(one.changed).isoformat())
        for one in store.scenarios.listed(game or "")
    ]


@get("/scenarios/{link:str}", sync_to_thread=True, summary="Get a shared scenario", responses=refusals(404))
def shared_scenario(store: Store, link: Secret) -> SharedScenarioModel:
    """Get a scenario by the secret of its link; `text` can be sent as `own` for a new match."""
    found = store.scenarios.shared(link)
    return SharedScenarioModel(found.game, found.title, found.author, found.version, found.text)


@post(
    "/scenarios/check",
    sync_to_thread=True,
    status_code=200,
    security=OF_ANYBODY,
    summary="Check a scenario",
    responses=refusals(404, 413),
)
def check_scenario(data: ScenarioText) -> CheckedScenario:
    """Check whether a game can play a scenario; nothing is stored."""
    draft = scenario_forms.from_text(catalog.find(data.game), data.text)
    field = next(iter(draft.errors), "")
    line = line_of(field.replace("/", "."), draft.text) if field else 0
    title = draft.scenario.title if draft.scenario is not None else ""
    return CheckedScenario(draft.scenario is not None, title, draft.message, field, line)
