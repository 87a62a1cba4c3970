"""[13.0] Planning: the four months from January to April, and the phases in them."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.state import At
from readyroom.engine.table import Steps
from readyroom.games.doolittle.state import Doolittle, T

Rule = Callable[[T], Steps | None]
PHASES: list[tuple[str, str, str, Rule]] = []
"""Name, title and rule of each phase, and what is done in it."""


def following(state: Doolittle) -> At:
    """The phase that comes next."""
    raise NotImplementedError
