"""All actions of the calculator, as the game's odds queries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from json import dumps

from readyroom.engine.forms import OddsQuery
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.staff import harbor, pearl, plain, submarines
from readyroom.games.strategic.staff.action import Action, Inputs
from readyroom.games.strategic.staff.bombing import BOMBING


@lru_cache(maxsize=1)
def actions() -> Mapping[str, Action]:
    """Return all actions by name."""
    return {
        **submarines.actions(),
        "bombing": BOMBING,
        "surprise": pearl.SURPRISE,
        "first-strike": pearl.FIRST,
        "second-strike": pearl.SECOND,
        "harbor-submarine": harbor.SUBMARINE,
        "harbor-carrier": harbor.CARRIER,
        **plain.actions(),
    }


def questions(data: Data) -> Mapping[str, OddsQuery]:
    """[ST.1] Return the queries that `readyroom odds strategic` answers."""
    return {
        name: OddsQuery(
            action.title,
            action.form_fields(data),
            partial(action.answer, data),
            about=action.about,
            rolled=partial(scenario_text, name, action),
        )
        for name, action in actions().items()
    }


def scenario_text(name: str, action: Action, inputs: Inputs) -> str:
    """[ST.2] Return a scenario that rolls one action."""
    head = {
        "kind": "staff",
        "title": action.title,
        "summary": "Roll the dice for a calculated action.",
        "question": name,
    }
    return "\n".join([*_lines(head), "", "[told]", *_lines(inputs), ""])


def _lines(values: Mapping[str, str]) -> list[str]:
    """Return TOML lines; their quoted strings are JSON strings."""
    return [f"{key} = {dumps(value)}" for key, value in values.items()]
