"""The ladder, and what players have won and lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from litestar import Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from readyroom.store import Player, Store
from readyroom.store.errors import UnknownPlayer
from readyroom.store.glicko import Rating
from readyroom.store.ladder import RatedMatch, SideResults
from readyroom.web import catalog
from readyroom.web.pages.cards import MatchListItem, match_list
from readyroom.web.rendering import Page

RECENT = 20
"""The number of rated matches on a player's page."""
PROVISIONAL = 110.0
"""The deviation above which too little is known of a rating."""


@dataclass(frozen=True)
class Results:
    """A player's results by side (with its name and colour), ratings by game, and last rated matches."""

    by_side: Sequence[tuple[SideResults, str, str]]
    ratings: Sequence[tuple[str, Rating]]
    recent: Sequence[tuple[MatchListItem, RatedMatch]]


def results_of(store: Store, player_id: str) -> Results:
    """Return a player's results, for the player, or for everyone if the player is on the ladder."""
    rated = store.ladder.rated_matches(player_id, RECENT)
    items = match_list([summary for summary, _ in rated], None)
    ratings = store.ladder.ratings_of([player_id]).get(player_id, {})
    return Results(
        [(results, *_side(results.game, results.side)) for results in store.ladder.statistics(player_id)],
        [(game_title(game), rating) for game, rating in ratings.items()],
        [(item, match) for item, (_, match) in zip(items, rated, strict=True)],
    )


def _side(key: str, side: str) -> tuple[str, str]:
    """Return the name and colour of a game's side; its key for a game that is not installed."""
    game = catalog.games().get(key)
    if game is None:
        return side, "ink"
    seats = [seat for seat in catalog.first_seats(game) if seat.side == side]
    return (game.side_name(side, seats) if seats else side), catalog.colour(game, side)


def game_title(key: str) -> str:
    """Return the title of a game; its key if it is not installed."""
    game = catalog.games().get(key)
    return game.title if game is not None else key


@get("/players/{id:str}", sync_to_thread=True)
def player_page(page: Page, store: Store, id: str) -> Response[str]:
    """Show the results of a player on the ladder."""
    try:
        name = store.ladder.public_name(id)
    except UnknownPlayer as error:
        raise NotFoundException from error
    return page("player.html", name=name, results=results_of(store, id), provisional=PROVISIONAL)


@get("/ladder", sync_to_thread=True)
def ladder_page(
    page: Page, store: Store, player: Player | None, game: Annotated[str, Parameter(max_length=40)] = ""
) -> Response[str]:
    """Show the ladder of a game."""
    games = {key: game_title(key) for key in store.ladder.games()}
    chosen = game if game in games else next(iter(games), "")
    return page(
        "ladder.html",
        games=games,
        chosen=chosen,
        standings=store.ladder.standings(chosen) if chosen else [],
        provisional=PROVISIONAL,
        joined=store.ladder.joined(player.id) if player else None,
    )


router = Router("/", route_handlers=[player_page, ladder_page], include_in_schema=False)
