"""The scenario of the week: the same for everyone, with the results of players on the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from litestar import Response, Router, get

from readyroom.engine.game import Scenario
from readyroom.store import Player, Store
from readyroom.store.ladder.ladder import SideScore
from readyroom.web import catalog
from readyroom.web.rendering import Page

SCENARIOS: Sequence[tuple[str, str, str]] = (
    ("midway", "duel", "japan"),
    ("picket", "lingayen", "usa"),
    ("pearl", "air-raid-classic", "usa"),
    ("doolittle", "thirteen", "usa"),
    ("tora", "sunday", "japan"),
    ("war", "atlantic", "axis"),
    ("picket", "kyushu", "usa"),
    ("pearl", "air-raid-carriers-in", "japan"),
    ("doolittle", "early", "usa"),
    ("midway", "duel", "usa"),
    ("tora", "december", "usa"),
    ("war", "bomber-offensive", "allies"),
    ("doolittle", "close-in", "usa"),
)
"""Game, scenario and side of each week, in turn; those of games that are not installed are left out.

None is a challenge of the day, so that the two always differ.
"""
EPOCH = date(2024, 1, 1)
"""The Monday of the first of these weeks."""
WEEK = timedelta(weeks=1)
SEASON = 8
"""The number of weeks, this one included, whose points the table of the season adds."""
POINTS = (10, 8, 6, 5, 4, 3, 2, 1)
"""The points of the first places of a week."""


class WeeklyScenario(NamedTuple):
    """The scenario of a week that begins on a Monday at 0:00 UTC."""

    game: catalog.AnyGame
    scenario: Scenario
    side: catalog.Side
    starts: date

    @property
    def is_alone(self) -> bool:
        """Whether the game has one side only."""
        return len({seat.side for seat in catalog.first_seats(self.game)}) == 1

    @property
    def name(self) -> str:
        """The title of the scenario, and the side if there are several."""
        return self.scenario.title if self.is_alone else f"{self.scenario.title} as {self.side.name}"

    @property
    def number(self) -> int:
        """The number of the ISO week."""
        return self.starts.isocalendar().week

    @property
    def ends(self) -> date:
        """The last day of the week, a Sunday."""
        return self.starts + WEEK - timedelta(days=1)


class SeasonRow(NamedTuple):
    """A player's points of the last weeks, and in how many of them they have points."""

    player: str
    name: str
    points: int
    weeks: int


def this_monday(today: date | None = None) -> date:
    """Return the Monday on or before a day, by default today (UTC)."""
    day = today or datetime.now(UTC).date()
    return day - timedelta(days=day.weekday())


def this_week(today: date | None = None) -> WeeklyScenario | None:
    """Return the scenario of the week of a day, by default today (UTC); None if no game of the list is installed."""
    monday = this_monday(today)
    known = [one for one in SCENARIOS if _is_known(*one)]
    if not known:
        return None
    key, scenario, side = known[(monday - EPOCH) // WEEK % len(known)]
    game = catalog.games()[key]
    found = next(one for one in catalog.scenarios(game) if one.key == scenario)
    sides = catalog.sides(game, catalog.seats(game, scenario, None, {}))
    return WeeklyScenario(game, found, next(one for one in sides if one.key == side), monday)


def _is_known(key: str, scenario: str, side: str) -> bool:
    game = catalog.games().get(key)
    return game is not None and any(one.key == scenario for one in catalog.scenarios(game))


@get("/week", sync_to_thread=True)
def week_page(page: Page, store: Store, player: Player | None) -> Response[str]:
    """Show the scenario of the week, the results of this week and the one before, and the table of the season."""
    weeks = last_weeks(store, player.id if player is not None else "")
    return page("week.html", weeks=weeks, season=season(store), season_weeks=SEASON)


def last_weeks(store: Store, viewer: str = "") -> list[tuple[WeeklyScenario, list[SideScore]]]:
    """Return the scenario of this week and of the one before with their results; empty if there is none.

    A viewer (a player's id) also sees their own result if they are not on the ladder.
    """
    week = this_week()
    before = this_week(week.starts - WEEK) if week is not None else None
    return [(one, _results(store, one, viewer)) for one in (week, before) if one is not None]


def season(store: Store) -> list[SeasonRow]:
    """Return the players on the ladder with their points of the last weeks, the most first."""
    week = this_week()
    weeks = [this_week(week.starts - number * WEEK) for number in range(SEASON)] if week is not None else []
    rows = dict[str, SeasonRow]()
    for one in weeks:
        for place, result in enumerate(_results(store, one)[: len(POINTS)] if one is not None else ()):
            known = rows.get(result.player, SeasonRow(result.player, result.name, 0, 0))
            rows[result.player] = known._replace(points=known.points + POINTS[place], weeks=known.weeks + 1)
    return sorted(rows.values(), key=lambda row: (-row.points, row.name))


def _results(store: Store, week: WeeklyScenario, viewer: str = "") -> list[SideScore]:
    """Return the results of players on the ladder who began the scenario in its week, the best first."""
    since = datetime.combine(week.starts, datetime.min.time(), UTC).timestamp()
    until = since + WEEK.total_seconds()
    return store.ladder.scenario_results(week.game.key, week.scenario.key, week.side.key, since, until, viewer)


router = Router("/", route_handlers=[week_page], include_in_schema=False)
