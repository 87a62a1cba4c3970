"""Views of states that no match is at."""

from __future__ import annotations

from typing import Any

from readyroom.engine.game import Game, MatchView
from readyroom.engine.rules.state import Outcome, State


def view_of(
    game: Game[Any, Any], state: State, seat: str | None, *, turn: int | None = None, outcome: Outcome | None = None
) -> MatchView[Any]:
    """Return what a seat sees of a state, as a match would show it; `turn` replaces the state's own."""
    at = state.at
    table = game.rules.view(state, game.data, seat)
    return MatchView(game.key, "", seat, at.turn if turn is None else turn, at.phase, outcome, table, {})
