"""The ladder, and what players have won and lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from litestar import Response, Router, get
from litestar.params import Parameter

from readyroom.bots.statistics import wilson_interval
from readyroom.engine.text import join_list
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.daily import days_in_a_row, longest_run
from readyroom.store.ladder.glicko import WIDEST, Rating
from readyroom.store.ladder.ladder import OpponentResults, RatedMatch, RatingPoint, SideResults
from readyroom.web import catalog
from readyroom.web.pages.cards import MatchListItem, match_list
from readyroom.web.rendering import Page

RECENT = 20
"""The number of rated matches on a player's page."""
FAVOURITES = 3
"""The number of favourite sides, and of the games played most, on a player's page."""
FAVOURITE_FROM = 5
"""A favourite side has been played in this many matches at least."""
OPPONENTS = 10
"""The most opponents of rated matches on a player's page."""
LATEST = 6
"""The number of results on the page of a ladder."""
STEP = 50
"""The points between which a curve of ratings begins and ends."""
PROVISIONAL = 110.0
"""The deviation above which too little is known of a rating."""


@dataclass(frozen=True)
class RatingCurve:
    """The ratings of a player in a game as a curve on 400 x 150 units: its points, grid lines, and what it shows.

    `band` is around the 95 % intervals; it is empty where they are not known.
    """

    title: str
    count: int
    first: str
    last: str
    start: int
    end: int
    low: int
    high: int
    points: str
    band: str
    at: tuple[float, float]
    grid: Sequence[tuple[float, int]]


class Pastimes(NamedTuple):
    """What a player has done apart from matches with others.

    The days with a counted challenge, how many of the last ones follow each other, and how many did at most; puzzles
    answered and solved, and the ratings in them by title of the game.
    """

    days: int
    days_in_a_row: int
    longest_run: int
    tries: int
    solved: int
    ratings: Sequence[tuple[str, Rating]]


@dataclass(frozen=True)
class Results:
    """A player's results by side, ratings by game, and last rated matches.

    Results by side come with its name and colour, the 95 % interval of the win rate in percent, and whether there was
    an opponent.
    A rated match comes with the opponent's name and id, which is empty for someone who has left the ladder.
    `favourites` are the sides played most often, if often enough: name, colour, title of the game, matches, and
    percentage won; `games` are the games: key (empty if no one can be challenged to it), title, matches, and percentage
    won.
    """

    by_side: Sequence[tuple[SideResults, str, str, tuple[int, int], bool]]
    ratings: Sequence[tuple[str, Rating]]
    recent: Sequence[tuple[MatchListItem, RatedMatch, tuple[str, str]]]
    curves: Sequence[RatingCurve]
    favourites: Sequence[tuple[str, str, str, int, int]]
    games: Sequence[tuple[str, str, int, int]]
    opponents: Sequence[OpponentResults]
    pastimes: Pastimes


def results_of(store: Store, player_id: str, *, public: bool = False) -> Results:
    """Return a player's results, for the player, or (`public`) for everyone if the player is on the ladder."""
    rated = store.ladder.rated_matches(player_id, RECENT)
    items = match_list([summary for summary, _ in rated], None)
    ratings = store.ladder.ratings_of([player_id]).get(player_id, {})
    by_side = store.ladder.statistics(player_id, public=public)
    return Results(
        [(one, *_side(one.game, one.side), _percentages(one), _has_sides(one.game) or not one.bots) for one in by_side],
        [(game_title(game), rating) for game, rating in ratings.items()],
        [(item, match, _opponent(item.summary, player_id)) for item, (_, match) in zip(items, rated, strict=True)],
        [_curve(game_title(game), points) for game, points in store.ladder.history(player_id).items()],
        _favourites(by_side),
        _favourite_games(by_side),
        store.ladder.opponents(player_id, OPPONENTS),
        _pastimes(store, player_id),
    )


def _percentages(results: SideResults) -> tuple[int, int]:
    """Return the 95 % interval of the win rate in percent."""
    low, high = wilson_interval(results.won, results.matches)
    return round(100 * low), round(100 * high)


def _pastimes(store: Store, player_id: str) -> Pastimes:
    days, answers = store.daily.counted_days(player_id), store.puzzles.answers(player_id).values()
    return Pastimes(
        len(days),
        days_in_a_row(days, store.daily.today()),
        longest_run(days),
        len(answers),
        sum(one.is_solved for one in answers),
        [(game_title(game), rating) for game, rating in store.puzzles.ratings_of(player_id).items()],
    )


def _opponent(summary: MatchSummary, player_id: str) -> tuple[str, str]:
    """Return the name and id of the opponent in a rated match; neither for someone who is not on the ladder."""
    people = [one for seat in summary.seats for one in seat.players]
    known = ((name, one) for one, name in people if one != player_id and one in summary.on_ladder)
    return next(known, ("a player", ""))


def _curve(title: str, history: Sequence[RatingPoint]) -> RatingCurve:
    """Return the curve of the ratings after each match, which begins at the rating before the first."""
    values = [history[0].before, *(point.after for point in history)]
    low, high = min(values), max(values)
    known = [point.deviation for point in history if point.deviation is not None]
    spreads = [1.96 * deviation for deviation in (WIDEST, *known)] if len(known) == len(history) else []
    ends = [(value - spread, value + spread) for value, spread in zip(values, spreads, strict=False)]
    bottom = min([low, *(least for least, _ in ends[1:])]) // STEP * STEP
    top = -(-max([high, *(most for _, most in ends[1:])]) // STEP) * STEP
    top = max(top, bottom + STEP)

    def place(number: int, value: float) -> tuple[float, float]:
        return round(44 + 346 * number / (len(values) - 1), 1), round(138 - 126 * (value - bottom) / (top - bottom), 1)

    places = [place(number, value) for number, value in enumerate(values)]
    upper = [place(number, min(most, top)) for number, (_, most) in enumerate(ends)]
    lower = [place(number, max(least, bottom)) for number, (least, _) in enumerate(ends)]
    marks = {bottom, (bottom + top) / 2, top}
    return RatingCurve(
        title,
        len(history),
        f"{history[0].at:%Y-%m-%d}",
        f"{history[-1].at:%Y-%m-%d}",
        round(values[0]),
        round(values[-1]),
        round(low),
        round(high),
        " ".join(f"{x},{y}" for x, y in places),
        " ".join(f"{x},{y}" for x, y in [*upper, *reversed(lower)]),
        places[-1],
        [(place(0, value)[1], round(value)) for value in sorted(marks)],
    )


def _favourites(by_side: Sequence[SideResults]) -> list[tuple[str, str, str, int, int]]:
    """Return the sides that a player has played most often, and often enough, in games of several sides."""
    played, won, titles = Counter[tuple[str, str]](), Counter[tuple[str, str]](), dict[str, str]()
    for results in by_side:
        if not _has_sides(results.game):
            continue
        titles[results.game] = results.title
        played[results.game, results.side] += results.matches
        won[results.game, results.side] += results.won
    return [
        (*_side(game, side), titles[game], many, round(100 * won[game, side] / many))
        for (game, side), many in played.most_common(FAVOURITES)
        if many >= FAVOURITE_FROM
    ]


def _favourite_games(by_side: Sequence[SideResults]) -> list[tuple[str, str, int, int]]:
    """Return the games that a player has played most often: key, title, matches, and percentage won."""
    played, won = Counter[str](), Counter[str]()
    for results in by_side:
        played[results.game] += results.matches
        won[results.game] += results.won
    titles = {results.game: results.title for results in by_side}
    return [
        (key if _has_sides(key) else "", titles[key], many, round(100 * won[key] / many))
        for key, many in played.most_common(FAVOURITES)
    ]


def _has_sides(key: str) -> bool:
    """Return whether a game is installed and has several sides."""
    game = catalog.games().get(key)
    return game is not None and len({seat.side for seat in catalog.first_seats(game)}) > 1


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


def ending_for(summary: MatchSummary, player_id: str) -> str:
    """Return how a match ended, or was decided before, for a player; empty for one with several sides, or an umpire.

    In a game with one side, an outcome without a winner has only its title.
    """
    own = summary.seats_of(player_id)
    sides, mine = {seat.side for seat in summary.seats}, {seat.side for seat in summary.seats if seat.key in own}
    if len(mine) != 1 or not mine <= {*summary.contenders}:
        return ""
    if summary.decided == "draw":
        return "Drawn by agreement"
    if summary.decided:
        how = "on time" if summary.decided == "time" else "by resignation"
        return f"Won {how}" if summary.decided_for in mine else f"Lost {how}"
    if summary.outcome is None or (len(sides) < 2 and summary.outcome.winner is None):
        return ""
    return "Drawn" if summary.outcome.winner is None else "Won" if summary.outcome.winner in mine else "Lost"


def last_results(store: Store, player_id: str) -> list[tuple[MatchListItem, str, str]]:
    """Return a player's last matches that have a result, public or not.

    Each with how it ended for the player, and the names of the others.
    """
    found = store.ladder.last_results(player_id, LATEST)
    endings = [ending_for(one, player_id) or (one.outcome.title if one.outcome else "given up") for one in found]
    others = [_others(one, player_id) for one in found]
    return list(zip(match_list(found, None), endings, others, strict=True))


def _others(summary: MatchSummary, player_id: str) -> str:
    """Return the names of the others in a match, and of bots."""
    names = [
        f"bot ({seat.bot})" if seat.bot else name
        for seat in summary.seats
        for one, name in seat.players or (("", ""),)
        if one != player_id and (seat.bot or name)
    ]
    return join_list(list(dict.fromkeys(names)))


@get("/ladder", sync_to_thread=True)
def ladder_page(
    page: Page, store: Store, player: Player | None, game: Annotated[str, Parameter(max_length=40)] = ""
) -> Response[str]:
    """Show the ladder of a game."""
    rated = store.ladder.games()
    games = {entry.game.key: entry.game.title for entry in catalog.list_games() if not entry.solitaire}
    games |= {key: game_title(key) for key in rated}
    chosen = game if game in games else next(iter([*rated, *games]), "")
    results = store.ladder.public_results(LATEST, game=chosen, viewer=player.id if player else "")
    installed = catalog.games().get(chosen)
    return page(
        "ladder.html",
        games=games,
        alone=[entry.game.title for entry in catalog.list_games() if entry.solitaire],
        chosen=chosen,
        results=match_list(results, player),
        package=installed.package if installed is not None else "",
        bots=catalog.bots_by_level(installed) if installed is not None else [],
        standings=store.ladder.standings(chosen) if chosen else [],
        provisional=PROVISIONAL,
        joined=store.ladder.joined(player.id) if player else None,
    )


router = Router("/", route_handlers=[ladder_page], include_in_schema=False)
