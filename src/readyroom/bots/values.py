"""The value of a position: the expected utility of a match to a side if bots play on, estimated without rollouts.

Of the whole state it serves to review a match; of what a seat knows, for bots and for the analysis shown to a player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readyroom.bots.features import memory_of, scenario_numbers, seat_numbers, state_numbers
from readyroom.bots.fitted import Array, Fitted, column, fitted
from readyroom.engine.game import Game
from readyroom.engine.match import BotView, Match

STATE, SEAT = "value", "value of "
"""The names of nets: that of the whole match, and before a side's name that of what its seats know."""


class Values:
    """The values of a game's positions."""

    def __init__(self, game: Game[Any, Any], fitted: Fitted) -> None:
        self.game, self.sides, self.scenarios = game, fitted.about.sides, fitted.about.scenarios
        self._state = fitted.net(STATE)
        self._seats = {side: fitted.net(f"{SEAT}{side}") for side in self.sides}

    def of_match(self, match: Match[Any, Any]) -> Mapping[str, float]:
        """Return the value of a match as it is, hidden facts included, to each side: never for a seat."""
        assert self._state is not None
        numbers = state_numbers(self.game, match.state)
        outputs = self._state(self._row(numbers, match.scenario.key), chances=True)[0]
        return dict(zip(self.sides, map(float, outputs), strict=True))

    def of_seat(self, view: BotView) -> float:
        """Return the value of what a seat sees and remembers, to its side."""
        net = self._seats[view.side]
        assert net is not None
        numbers = seat_numbers(self.game, view(), memory_of(self.game, view))
        return float(net(self._row(numbers, view.scenario), chances=True)[0, 0])

    def _row(self, numbers: Sequence[float], scenario: str) -> Array:
        return column([*numbers, *scenario_numbers(self.scenarios, scenario)])


def values_of(game: Game[Any, Any]) -> Values | None:
    """Return the values of a game's positions; None if none are fitted to its rules and figures."""
    found = fitted(game)
    return Values(game, found) if found is not None and found.net(STATE) is not None else None
