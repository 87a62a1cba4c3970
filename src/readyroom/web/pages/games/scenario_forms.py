"""Drafts of scenarios: the form, the text and the errors of what a player is making, kept in step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from litestar.datastructures import FormMultiDict, UploadFile

from readyroom.campaign.config import content_of
from readyroom.engine.data import parse_own
from readyroom.engine.errors import InvalidData, ReadyRoomError
from readyroom.engine.game import Scenario
from readyroom.engine.scenario_form import FormGroup, ScenarioForm
from readyroom.engine.text import capitalize_first
from readyroom.engine.toml import write_toml
from readyroom.web import catalog
from readyroom.web.pages.home.new_match import SCENARIO_BYTES, explain_scenario_error, too_long

FIELD, HAS, KEY = "f:", "has", "key:"
"""What the names of fields begin with; the name of the markers of groups; what the names of new keys begin with."""
FILE = "scenario.toml"
FORM_BYTES = 512 * 1024
"""The most bytes of a form: every figure has a field, and the text is sent with it."""
MOST_FIELDS = 4_000
"""The most fields of a form; the largest scenario that a game brings has some hundred."""


@dataclass
class Draft:
    """A scenario as it is being made: its text, its form (None: the text cannot be read), and what is wrong with it.

    `errors` are the messages by the names of fields; `message` is the first one, with its line.
    """

    game: catalog.AnyGame
    text: str
    form: FormGroup | None = None
    scenario: Scenario | None = None
    message: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def sides(self) -> list[catalog.Side]:
        """The sides of the scenario; those of the game's first one while it is not valid."""
        if self.scenario is None:
            return catalog.sides(self.game, catalog.first_seats(self.game))
        return catalog.sides(self.game, self.game.rules.seats(self.scenario, self.game.resolve({})))


def from_text(game: catalog.AnyGame, text: str) -> Draft:
    """Return the draft of a text."""
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    draft = Draft(game, text)
    try:
        if (size := len(text.encode(errors="replace"))) > SCENARIO_BYTES:
            draft.message = too_long("Your scenario", size)
            return draft
        tables = parse_own(text.encode(), FILE)
        if _count(tables) > MOST_FIELDS:
            draft.message = f"Your scenario has too many values; the maximum is {MOST_FIELDS:,}."
            return draft
        _check(draft, form_of(game, tables), tables)
    except InvalidData as error:
        draft.message = explain_scenario_error(error, text)
    except (RecursionError, UnicodeEncodeError):
        draft.message = "Your scenario is nested too deeply, or has characters that are no text."
    return draft


def _count(value: Any) -> int:
    """Return how many values plain data has."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, inner))


def form_of(game: catalog.AnyGame, tables: Mapping[str, Any]) -> ScenarioForm:
    """Return the form of a game's scenarios."""
    return ScenarioForm(game.rules.scenario_type, game.presentation.scenario_choices(game.data), tables)


def _check(draft: Draft, form: ScenarioForm, tables: Mapping[str, Any]) -> None:
    """Complete a draft whose text can be read: its form, and whether the game can play it."""
    draft.form = form.draw(tables)
    try:
        draft.scenario = catalog.own_scenario(draft.game, draft.text)
    except InvalidData as error:
        draft.message = explain_scenario_error(error, draft.text)
        place = form.place_of(draft.form, error)
        draft.errors.setdefault(place, field_message(error))
    except ReadyRoomError as error:
        draft.message = str(error)


def field_message(error: InvalidData) -> str:
    """Return what is wrong next to a field, which says already where."""
    if error.expected.startswith("the key `"):
        return "This is missing."
    return capitalize_first(error.problem)


def from_form(game: catalog.AnyGame, submitted: FormMultiDict, before: str) -> Draft:
    """Return the draft of a submitted form, after the change that its button asks for ("add:" or "remove:").

    `before` is the saved text: of which kind the scenario is follows from it.
    """
    do = str(submitted.get("do", ""))
    if submitted.get("mode") == "text" or do == "save-text":
        return from_text(game, str(submitted.get("text", "")))
    form = form_of(game, parse_own(before.encode(), FILE))
    texts = {
        key.removeprefix(FIELD): str(value)
        for key, value in submitted.multi_items()
        if key.startswith(FIELD) and not isinstance(value, UploadFile)
    }
    tables, wrong = form.read(texts, [str(name) for name in submitted.getall(HAS, [])])
    action, _, name = do.partition(":")
    trouble = ""
    if action in ("add", "remove") and name:
        try:
            tables = form.change(tables, action, name, str(submitted.get(f"{KEY}{name}", "")))
        except InvalidData as error:
            trouble = field_message(error)
    draft = from_text(game, write_toml(tables))
    if trouble:
        draft.errors[name] = trouble
    draft.errors |= wrong
    return draft


def text_to_start(game: catalog.AnyGame, key: str) -> str:
    """Return the text of a new scenario that starts from one of the game's; raise `UnknownScenario`."""
    known = {one.key: one for one in catalog.scenarios(game)}
    scenario = known[key] if key in known else game.scenario(key or None)
    tables = content_of(scenario)
    form = form_of(game, tables)
    drawn = form.draw(tables)
    fields = {part.name: part.text for part in drawn.walk() if not isinstance(part, FormGroup)}
    tables, _ = form.read(fields, [part.name for part in drawn.walk() if isinstance(part, FormGroup) and part.present])
    tables.pop("order", None)
    if "origin" in tables:
        tables |= {"source": "reconstructed", "origin": f"Changed from {scenario.title}"}
    return write_toml(tables | {"title": f"My {scenario.title}"})


def file_name(title: str) -> str:
    """Return the name of a scenario's file.

    >>> file_name("My Midway, at noon")
    'my-midway-at-noon.toml'
    """
    return f"{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')[:60] or 'scenario'}.toml"
