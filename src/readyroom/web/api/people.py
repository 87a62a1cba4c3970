"""The ladder, and the profiles of players on it: they have agreed to be public."""

from __future__ import annotations

from litestar import get
from litestar.exceptions import NotFoundException

from readyroom.store import Store
from readyroom.store.errors import UnknownPlayer
from readyroom.store.ladder.glicko import Rating
from readyroom.web import catalog
from readyroom.web.api.response_models import (
    LadderModel,
    LadderPlace,
    PlayerProfile,
    RatedFacts,
    RatingFacts,
    RatingPoint,
    SideFacts,
    WeeklyModel,
    WeeklyResult,
)
from readyroom.web.api.schema import refusals
from readyroom.web.pages.home import weekly
from readyroom.web.pages.players.ladder import PROVISIONAL, RECENT, game_title


@get("/ladder", sync_to_thread=True, summary="List ladders", responses=refusals())
def list_ladders(store: Store) -> list[LadderModel]:
    """List the ladders of all games with rated matches."""
    return [_ladder(store, game) for game in store.ladder.games()]


@get("/ladder/{game:str}", sync_to_thread=True, summary="Get a ladder", responses=refusals(404))
def one_ladder(store: Store, game: str) -> LadderModel:
    """Get the ladder of a game."""
    return _ladder(store, catalog.find_former(game).key)


@get("/players/{id:str}", sync_to_thread=True, summary="Get a player", responses=refusals(404))
def player(store: Store, id: str) -> PlayerProfile:
    """Get the ratings and results of a player on the ladder; others are not found."""
    try:
        name = store.ladder.public_name(id)
    except UnknownPlayer as error:
        raise NotFoundException(detail="No player of this id is on the ladder.") from error
    return PlayerProfile(
        id,
        name,
        [rating_facts(game, rating) for game, rating in store.ladder.ratings_of([id]).get(id, {}).items()],
        [SideFacts(*results) for results in store.ladder.statistics(id, public=True)],
        [
            RatedFacts(
                summary.id,
                summary.game,
                summary.title,
                summary.scenario,
                rated.score,
                round(rated.before, 1),
                round(rated.after, 1),
                summary.changed.isoformat(),
            )
            for summary, rated in store.ladder.rated_matches(id, RECENT)
        ],
        [
            RatingPoint(game, point.at.isoformat(), round(point.before, 1), round(point.after, 1))
            for game, points in store.ladder.history(id).items()
            for point in points
        ],
    )


@get("/week", sync_to_thread=True, summary="Get the scenarios of the week", responses=refusals())
def scenarios_of_the_week(store: Store) -> list[WeeklyModel]:
    """Get the scenario of this week and that of the last one, with their results."""
    return [
        WeeklyModel(
            week.game.key,
            week.scenario.key,
            week.side.key,
            week.starts.isoformat(),
            week.ends.isoformat(),
            [WeeklyResult(one.player, one.name, one.match, one.won, one.score, one.title) for one in results],
        )
        for week, results in weekly.last_weeks(store)
    ]


def rating_facts(game: str, rating: Rating) -> RatingFacts:
    """Return a rating as API data."""
    value, deviation = round(rating.rating, 1), round(rating.deviation, 1)
    return RatingFacts(game, game_title(game), value, deviation, rating.deviation > PROVISIONAL)


def _ladder(store: Store, game: str) -> LadderModel:
    places = [
        LadderPlace(
            each.place,
            each.player,
            each.name,
            round(each.rating.rating, 1),
            round(each.rating.deviation, 1),
            each.rating.deviation > PROVISIONAL,
            each.matches,
        )
        for each in store.ladder.standings(game)
    ]
    return LadderModel(game, game_title(game), places)
