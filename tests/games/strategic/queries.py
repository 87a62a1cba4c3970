"""The calculator's queries of both strategic games."""

from __future__ import annotations

from typing import Any

from readyroom.engine.game import Game
from readyroom.engine.rules.forms import OddsQuery
from readyroom.games.strategic import pearl, war
from readyroom.games.strategic.tables.figures import figures

DATA = figures()
ACTIONS = {**pearl.ACTIONS, **war.ACTIONS}
"""All actions by name."""


def game_of(name: str) -> Game[Any, Any]:
    """Return the game with a query; Strategic War if both have it."""
    return war.GAME if name in war.ACTIONS else pearl.GAME


def find_query(name: str) -> OddsQuery:
    """Return a query."""
    return game_of(name).question(name)
