"""Setup: the built-in scenarios, and the rulings of a match."""

from __future__ import annotations

from collections.abc import Mapping

from readyroom.engine.data import convert
from readyroom.engine.game import Scenario, as_rulings
from readyroom.engine.rules.state import At
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.state import Rulings

BEFORE = At(0, "before")
"""The phase of a match before its first one."""


def scenarios(kind: type, data: Data) -> list[Scenario]:
    """Return the built-in scenarios of a kind in their `order`."""
    ordered = sorted(data.scenarios.items(), key=lambda item: (item[1].order, item[0]))
    return [
        Scenario(key=key, title=each.title, summary=each.summary, content=each)
        for key, each in ordered
        if isinstance(each, kind)
    ]


def rulings(options: Mapping[str, str]) -> Rulings:
    """Return the rulings that a match's options make."""
    return convert(as_rulings(options), Rulings, "options")
