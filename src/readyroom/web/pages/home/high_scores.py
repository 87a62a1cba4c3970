"""High scores of games with one side, by scenario."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from readyroom.engine.game import Scenario
from readyroom.store import Store
from readyroom.store.ladder.high_scores import HighScore
from readyroom.web import catalog

SHOWN = 10
"""The results of a scenario on the page of its game; that of the reader is there also below them."""


class ScenarioScores(NamedTuple):
    """A scenario with its best results, each with its place, and the number of players with a result."""

    scenario: Scenario
    rows: Sequence[tuple[int, HighScore]]
    players: int


def by_scenario(store: Store, game: catalog.AnyGame, viewer: str = "") -> list[ScenarioScores] | None:
    """Return the scenarios of a game that have results; None for a game of several sides."""
    if len(catalog.sides(game, catalog.first_seats(game))) > 1:
        return None
    known = store.high_scores.of_game(game.key, viewer)
    return [
        ScenarioScores(scenario, _first(known[scenario.key], viewer), len(known[scenario.key]))
        for scenario in catalog.scenarios(game)
        if scenario.key in known and scenario.key not in game.analysis.unranked
    ]


def _first(known: Sequence[HighScore], viewer: str) -> list[tuple[int, HighScore]]:
    places = enumerate(known, start=1)
    return [(place, one) for place, one in places if place <= SHOWN or one.player == viewer]


def leaders(store: Store, viewer: str, limit: int) -> list[tuple[catalog.AnyGame, list[ScenarioScores]]]:
    """Return the games of one side with the scenarios that most players have a result in, most first."""
    found = [(entry.game, by_scenario(store, entry.game, viewer)) for entry in catalog.list_games()]
    return [(game, sorted(rows, key=lambda one: -one.players)[:limit]) for game, rows in found if rows is not None]
