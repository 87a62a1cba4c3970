"""Everything that the staff can reckon, as the game's questions of odds; each can be thrown at the staff's table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from json import dumps

from readyroom.engine.forms import OddsQuery
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.staff import harbor, pearl, plain, submarines
from readyroom.games.strategic.staff.action import Action, Told
from readyroom.games.strategic.staff.bombing import BOMBING


@lru_cache(maxsize=1)
def actions() -> Mapping[str, Action]:
    """All actions by name."""
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
    """[ST.1] The questions that `readyroom odds strategic` answers."""
    return {
        name: OddsQuery(
            action.title,
            action.blanks(data),
            partial(action.answer, data),
            about=action.about,
            rolled=partial(scenario_text, name, action),
        )
        for name, action in actions().items()
    }


def scenario_text(name: str, action: Action, told: Told) -> str:
    """[ST.2] The scenario in which just this is thrown."""
    head = {
        "kind": "staff",
        "title": action.title,
        "summary": "The staff throws what it has reckoned.",
        "question": name,
    }
    return "\n".join([*_lines(head), "", "[told]", *_lines(told), ""])


def _lines(values: Mapping[str, str]) -> list[str]:
    """Texts as lines of TOML, whose quoted strings are those of JSON."""
    return [f"{key} = {dumps(value)}" for key, value in values.items()]
