"""The community: what people play today and this week, open seats, live matches, results, leaders, and players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, NamedTuple

from litestar import Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from readyroom.engine.text import count_noun
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.errors import UnknownPlayer
from readyroom.store.ladder.ladder import ListedPlayer
from readyroom.store.lobby.listings import Acquaintance
from readyroom.store.lobby.rematch_seats import can_swap, reserved_seats
from readyroom.store.lobby.rematches import WaitingRematch
from readyroom.store.tournaments.tournaments import Tournament
from readyroom.study.recorded import recorded_matches
from readyroom.web import catalog
from readyroom.web.live.presence import Here
from readyroom.web.pages.cards import match_list
from readyroom.web.pages.games.puzzles import todays_puzzle
from readyroom.web.pages.home import daily, high_scores, weekly
from readyroom.web.pages.home.watch import watching
from readyroom.web.pages.players.badges import badges_of
from readyroom.web.pages.players.ladder import PROVISIONAL, ending_for, game_title, results_of
from readyroom.web.rendering import Page

OPEN, LIVE, RESULTS, LEADERS, TOURNAMENTS, MOST_MET = 4, 3, 6, 5, 4, 12
"""The most open seats, live matches, results, players of a list, tournaments or campaigns, and people met."""
BEST_DAYS = 7
"""The days before today whose best challenge results are on the page."""
COMMENTS = 5
"""The number of latest comments."""
RECORDED = 4
"""The recorded matches on the page while there are no results."""
PUBLIC = 6
"""The number of public matches on a player's page."""
ONLINE = 12
"""The most players who are online, on the page."""
PLAYERS = 100
"""The most players that a search shows."""


class PersonMet(NamedTuple):
    """Someone that a player has played, the last match with them, and what can be done with it.

    `page` is the address of their public page; empty if they have none. `rematch` is one of the last match that is not
    over, if there is one, and `may_join` whether it waits for the player.
    """

    person: Acquaintance
    page: str
    may_rematch: bool
    may_swap: bool
    rematch: WaitingRematch | None = None
    may_join: bool = False


def people_met(store: Store, player: Player | None, limit: int = MOST_MET) -> list[PersonMet]:
    """Return the people that a player has played, the last first."""
    if player is None:
        return []
    found = store.listings.acquaintances(player.id, limit)
    open_rematches = {one.match.id: one for one in store.rematches.unfinished(each.last for each in found)}
    return [_met(one, player, open_rematches.get(one.last.id)) for one in found]


def _met(person: Acquaintance, player: Player, rematch: WaitingRematch | None) -> PersonMet:
    last = person.last
    page = f"/players/{person.player}" if person.player in last.on_ladder else ""
    if rematch is not None:
        may_join = bool(reserved_seats(rematch.match, rematch.rematch, player.id, swap=rematch.swap))
        return PersonMet(person, page, False, False, rematch, may_join)
    return PersonMet(person, page, may_rematch := _may_rematch(last, player), may_rematch and can_swap(last))


def _may_rematch(last: MatchSummary, player: Player) -> bool:
    return last.outcome is not None and not last.replay_only and not last.campaign and bool(last.seats_of(player.id))


@get("/community", sync_to_thread=True)
def community(page: Page, store: Store, player: Player | None) -> Response[str]:
    """Show what people play today and this week, open seats, live matches, results, leaders, and players."""
    me = player.id if player is not None else ""
    live = store.listings.public_matches(open_seats=False, without=me, limit=LIVE)
    open_matches = store.listings.public_matches(open_seats=True, without=me, limit=OPEN)
    challenge, since = daily.today(store), weekly.this_monday(store.daily.today())
    days = [since + timedelta(days=n) for n in range(7)]
    attempts = store.daily.counts(days)
    at = datetime.combine(since, datetime.min.time(), UTC).timestamp()
    return page(
        "community.html",
        **(daily.day_context(store, player, challenge) if challenge is not None else {"challenge": None, "rows": []}),
        played=attempts.get(store.daily.today().isoformat(), 0),
        best=daily.best_of_days(store, player, BEST_DAYS),
        best_days=BEST_DAYS,
        streaks=store.daily.streaks(LEADERS),
        solvers=store.puzzles.solvers(LEADERS),
        high_scores=high_scores.leaders(store, me, LEADERS),
        since=since,
        week_counts=[
            count_noun(many, one, several)
            for many, one, several in (
                (store.ladder.count_results(at), "finished match", "finished matches"),
                (sum(attempts.values()), "attempt at a challenge", "attempts at challenges"),
                (store.puzzles.count_answers(at), "answer to a puzzle", "answers to puzzles"),
            )
            if many
        ],
        campaigns=[one for one in store.campaigns.public(me) if not one.over][:TOURNAMENTS],
        open_matches=match_list(open_matches, player),
        live=match_list(live, player),
        watching=watching(page, live),
        games=catalog.list_games(),
        recorded=[*recorded_matches().values()][:RECORDED],
        puzzle_today=todays_puzzle(store, player),
        results=match_list(store.ladder.public_results(RESULTS, viewer=me), player),
        comments=store.chat.latest_comments(COMMENTS),
        weeks=weekly.last_weeks(store, me)[:1],
        ladders=_leaders(store),
        rated_bots=next(
            ((game, bots) for game in catalog.games().values() if (bots := catalog.rated_bots(game))), None
        ),
        tournaments=[one for one in store.tournaments.public(me) if one.state != "over"][:TOURNAMENTS],
        provisional=PROVISIONAL,
        met=people_met(store, player),
        joined=store.ladder.joined(me) if me else None,
        online=_online(page, store, me),
    )


def _online(page: Page, store: Store, without: str) -> list[ListedPlayer]:
    """Return the players on the ladder who have a match open, without the reader."""
    here: Here = page.request.app.state.site.presence.here()
    found = store.ladder.listed_players(limit=ONLINE + 1, among=here.players)
    return [one for one in found if one.player != without][:ONLINE]


def _leaders(store: Store) -> Sequence[tuple[str, str, Sequence[Any]]]:
    """Return the first players of the ladder of each game that has one."""
    return [(game, game_title(game), store.ladder.standings(game)[:LEADERS]) for game in store.ladder.games()]


@get("/players/{id:str}", sync_to_thread=True)
def player_page(page: Page, store: Store, player: Player | None, id: str) -> Response[str]:
    """Show a player on the ladder: results, ratings, opponents, tournaments and campaigns, and what one has played."""
    try:
        name = store.ladder.public_name(id)
    except UnknownPlayer as error:
        raise NotFoundException from error
    public = store.ladder.public_results(PUBLIC, player=id)
    return page(
        "player.html",
        id=id,
        name=name,
        joined=store.ladder.joined(id),
        results=(results := results_of(store, id, public=True)),
        badges=[one for one in badges_of(store, id, results) if one.is_earned],
        public=match_list(public, None),
        ended={one.id: ending_for(one, id) for one in public},
        met=[one for one in people_met(store, player, PLAYERS) if one.person.player == id],
        is_friend=player is not None and id in {one.player for one in store.friends.of_player(player.id)},
        tournaments=_tournaments_of(store, id),
        campaigns=[one for one in store.campaigns.of_player(id) if one.public and one.sides_of(id)],
        provisional=PROVISIONAL,
    )


def _tournaments_of(store: Store, player_id: str) -> list[tuple[Tournament, int | None]]:
    """Return the public tournaments that a player on the ladder plays, with their place in those that have started."""
    found = list[tuple[Tournament, int | None]]()
    for one in store.tournaments.of_player(player_id):
        seed = one.seed_of(player_id)
        if one.public and seed is not None:
            places = {row.player: row.place for row in one.standings} if one.state != "open" else {}
            found.append((one, places.get(seed)))
    return found


@get("/players", sync_to_thread=True)
def players(
    page: Page, store: Store, player: Player | None, q: Annotated[str, Parameter(max_length=100)] = ""
) -> Response[str]:
    """Show the players on the ladder, by name, the people that the visitor has played, and bots."""
    text = q.strip()
    found = store.ladder.listed_players(text, PLAYERS)
    ratings = store.ladder.ratings_of(one.player for one in found)
    return page(
        "players.html",
        text=text,
        found=[
            (one, [(game_title(game), known) for game, known in ratings.get(one.player, {}).items()]) for one in found
        ],
        bots=[(game, catalog.bots_by_level(game)) for game in catalog.games().values()],
        limit=PLAYERS,
        provisional=PROVISIONAL,
        met=people_met(store, player, PLAYERS),
        joined=store.ladder.joined(player.id) if player is not None else None,
    )


router = Router("/", route_handlers=[community, players, player_page], include_in_schema=False)
