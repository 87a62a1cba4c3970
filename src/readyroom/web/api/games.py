"""The installed games."""

from __future__ import annotations

from litestar import get

from readyroom.web import catalog
from readyroom.web.api.response_models import GameFacts, OptionFacts, ScenarioFacts, SeatFacts
from readyroom.web.api.schema import refusals


@get("/games", sync_to_thread=False, summary="List games", responses=refusals())
def list_games() -> list[GameFacts]:
    """List all installed games."""
    return [game_facts(game) for game in catalog.games().values()]


@get("/games/{game:str}", sync_to_thread=False, summary="Get a game", responses=refusals(404))
def one_game(game: str) -> GameFacts:
    """Get a game with its scenarios, options, seats and bots."""
    return game_facts(catalog.find_former(game))


def game_facts(game: catalog.AnyGame) -> GameFacts:
    """Return a game as API data."""
    return GameFacts(
        game.key,
        game.title,
        game.summary,
        game.players,
        game.length,
        game.version,
        [ScenarioFacts(s.key, s.title, s.summary) for s in catalog.scenarios(game)],
        [OptionFacts(o.key, o.title, o.rule, o.choices, o.default) for o in game.options],
        [SeatFacts(seat.key, seat.name, seat.side) for seat in catalog.first_seats(game)],
        catalog.bots(game),
    )
