"""Views of states without a match."""

from __future__ import annotations

from typing import Any

from readyroom.engine.game import Game, MatchView
from readyroom.engine.rules.state import Outcome, State


def view_of(
    game: Game[Any, Any], state: State, seat: str | None, *, turn: int | None = None, outcome: Outcome | None = None
) -> MatchView[Any]:
    """Return a seat's view of a state; `turn` replaces the state's turn."""
    at = state.at
    table = game.rules.view(state, game.data, seat)
    return MatchView(game.key, "", seat, at.turn if turn is None else turn, at.phase, outcome, table, {})
