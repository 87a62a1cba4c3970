"""The ladder: Glicko-2 ratings of players who have joined it, and what players have won and lost."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Exists,
    Select,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from readyroom.engine.record.format import Undo
from readyroom.store.accounts.players import DAY
from readyroom.store.base import Part, now
from readyroom.store.cards import MatchSummary, from_timestamp
from readyroom.store.errors import UnknownPlayer
from readyroom.store.ladder.glicko import Rating, after_a_break, rate
from readyroom.store.names import distinguish
from readyroom.store.rows import AnyRow, all_cards, cards, match_row, outcome_of, seat_rows
from readyroom.store.tables import entries, matches, players, rated, ratings, seats, sittings
from readyroom.study.daily import keys

PERIOD = 5 * DAY
"""Seconds of a rating period: after each without a match, a rating is a little less certain."""
SHOWN = 100
"""The most players of a ladder that are listed."""
COUNTED = 1000
"""The most finished matches of a player that statistics count."""
REPLAYED = 2_000
"""The most ratings of a game that are calculated again for the deviations of a player."""
SETTLED_AFTER = 7 * DAY
"""Seconds after the end of a match in which a server that starts rates it, if it had been stopped."""
LADDER_LOCK = 0x4C414444
"""The key of PostgreSQL's advisory lock for rating matches, one after the other."""

logger = logging.getLogger("readyroom.store")
_undo = msgspec.json.Decoder(Undo).decode


class Standing(NamedTuple):
    """A player on the ladder of a game."""

    place: int
    player: str
    name: str
    rating: Rating
    matches: int


class ListedPlayer(NamedTuple):
    """A player on the ladder, whose name is public: since when, and how many of their matches are rated."""

    player: str
    name: str
    since: datetime
    matches: int


class SideResults(NamedTuple):
    """A player's results in a game with a side, against people or against bots; `on_time`: by a claim."""

    game: str
    title: str
    side: str
    bots: bool
    won: int
    drawn: int
    lost: int
    on_time: int = 0

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.won + self.drawn + self.lost


class RatedMatch(NamedTuple):
    """A player's score in a rated match, and the rating before and after it."""

    match: str
    score: float
    before: float
    after: float


class OpponentResults(NamedTuple):
    """A player's results in rated matches against another player on the ladder."""

    player: str
    name: str
    won: int
    drawn: int
    lost: int


class RatingPoint(NamedTuple):
    """A player's rating before and after a rated match that ended at a time.

    `deviation` is that after the match; None where more matches than `REPLAYED` would have to be rated again for it.
    """

    at: datetime
    before: float
    after: float
    deviation: float | None = None


class SideScore(NamedTuple):
    """How a player ended a match: whether their side won, its score (None: it has none), and the outcome's title.

    `bots` are the bots in its other seats, and `is_listed` is whether everyone may see it: the player is on the ladder.
    """

    player: str
    name: str
    match: str
    won: bool
    score: float | None
    title: str
    bots: tuple[str, ...] = ()
    is_listed: bool = True

    @property
    def rank(self) -> tuple[bool, float]:
        """The greater, the better."""
        return self.won, self.score if self.score is not None else 0.0


class Ladder(Part):
    """Ratings and statistics.

    A match is rated if two players, one on each side, have played it from its first decision, both on the ladder before
    it, with a scenario of the game and dice that no one can know, without bots and without a takeback by agreement.
    """

    # -- joining -----------------------------------------------------------------------------------------------------

    def joined(self, player_id: str) -> datetime | None:
        """Return when a player joined the ladder; None if they are not on it."""
        with self._shared.database.glance() as connection:
            at = connection.execute(select(players.c.ladder).where(players.c.id == player_id)).scalar()
        return None if at is None else from_timestamp(at)

    def join(self, player_id: str) -> None:
        """Put a player on the ladder: their later matches are rated, and their name and results are public."""
        here = players.c.id == player_id, players.c.ladder.is_(None)
        with self._shared.database.writing() as connection:
            connection.execute(update(players).where(*here).values(ladder=now()))

    def leave(self, player_id: str) -> None:
        """Take a player off the ladder and delete their ratings; those of their opponents stay."""
        with self._shared.database.writing() as connection:
            connection.execute(update(players).where(players.c.id == player_id).values(ladder=None))
            for table in (ratings, rated):
                connection.execute(delete(table).where(table.c.player == player_id))

    # -- rating ------------------------------------------------------------------------------------------------------

    def settle(self, id: str) -> bool:
        """Rate a match that is over, unless that is done; return whether it is rated now."""
        with self._shared.database.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LADDER_LOCK})
            row = match_row(connection, id)
            scores = _scores(connection, row)
            if scores:
                _rate(connection, row, scores)
        return bool(scores)

    def ended(self, id: str) -> None:
        """Rate a match that has just ended; an error is logged, because the match itself is saved."""
        try:
            self.settle(id)
        except Exception:
            logger.exception("match %s could not be rated", id)

    def catch_up(self) -> None:
        """Rate matches that ended while the server was stopped before it could rate them."""
        on_ladder = select(sittings.c.match).join(players).where(players.c.ladder.is_not(None))
        wanted = (
            select(matches.c.id)
            .where(
                matches.c.outcome.is_not(None) | (matches.c.decided != ""), matches.c.changed > now() - SETTLED_AFTER
            )
            .where(matches.c.id.in_(on_ladder), matches.c.id.not_in(select(rated.c.match)))
            .order_by(matches.c.changed)
        )
        with self._shared.database.glance() as connection:
            due = connection.execute(wanted).scalars().all()
        for match_id in due:
            self.ended(match_id)

    # -- reading -----------------------------------------------------------------------------------------------------

    def games(self) -> list[str]:
        """Return the games with a ladder."""
        with self._shared.database.glance() as connection:
            return list(connection.execute(select(ratings.c.game).distinct().order_by(ratings.c.game)).scalars())

    def standings(self, game: str) -> list[Standing]:
        """Return the ladder of a game, sorted by the lower end of the interval in which the rating is likely to be."""
        wanted = select(ratings, players.c.name).join(players).where(ratings.c.game == game)
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        names = distinguish((row.player, row.name) for row in sorted(rows, key=lambda row: row.player))
        known = [(_rating(row, now()), row) for row in rows]
        known.sort(key=lambda pair: (-pair[0].least, pair[1].player))
        return [
            Standing(place, row.player, names[row.player], rating, row.matches)
            for place, (rating, row) in enumerate(known[:SHOWN], start=1)
        ]

    def public_name(self, player_id: str) -> str:
        """Return the name of a player on the ladder; raise `UnknownPlayer` for anyone else."""
        if not (player_id.isascii() and player_id.isalnum()):
            raise UnknownPlayer
        wanted = select(players.c.name).where(players.c.id == player_id, players.c.ladder.is_not(None))
        with self._shared.database.glance() as connection:
            name: str | None = connection.execute(wanted).scalar()
        if name is None:
            raise UnknownPlayer
        return name

    def listed_players(
        self, name: str = "", limit: int = SHOWN, among: Collection[str] | None = None
    ) -> list[ListedPlayer]:
        """Return players on the ladder, by name.

        Only those in whose name this text is, if it is not empty, and of these ids, if there are any.
        """
        many = func.coalesce(func.sum(ratings.c.matches), 0)
        wanted = select(players.c.id, players.c.name, players.c.ladder, many.label("matches"))
        wanted = wanted.outerjoin(ratings, ratings.c.player == players.c.id).where(players.c.ladder.is_not(None))
        if name:
            wanted = wanted.where(players.c.name.icontains(name, autoescape=True))
        if among is not None:
            wanted = wanted.where(players.c.id.in_(among))
        wanted = wanted.group_by(players.c.id).order_by(func.lower(players.c.name), players.c.id).limit(limit)
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        names = distinguish((row.id, row.name) for row in sorted(rows, key=lambda row: row.id))
        return [ListedPlayer(row.id, names[row.id], from_timestamp(row.ladder), row.matches) for row in rows]

    def ratings_of(self, player_ids: Iterable[str]) -> dict[str, dict[str, Rating]]:
        """Return the ratings of players by player and game."""
        wanted = select(ratings).where(ratings.c.player.in_(list(player_ids)))
        result: dict[str, dict[str, Rating]] = {}
        with self._shared.database.glance() as connection:
            for row in connection.execute(wanted.order_by(ratings.c.game)):
                result.setdefault(row.player, {})[row.game] = _rating(row, now())
        return result

    def statistics(self, player_id: str, *, public: bool = False) -> list[SideResults]:
        """Return a player's results by game, side, and whether people or bots played the other sides.

        Imported matches do not count, nor those in which the player had several sides or was an umpire, nor, for the
        `public`, attempts at the challenge of a day that is not over.
        """
        sealed = matches.c.origin.in_(("daily", "practice")) & (
            matches.c.created >= keys.midnight(keys.clock().date()).timestamp()
        )
        wanted = (
            select(matches.c.id, matches.c.game, matches.c.title, seats.c.side, *_RESULT)
            .join(sittings, sittings.c.match == matches.c.id)
            .join(seats, (seats.c.match == sittings.c.match) & (seats.c.seat == sittings.c.seat))
            .add_columns(_has_opponent(player_id).label("people"))
            .where(sittings.c.player == player_id, seats.c.bot == "", seats.c.banned.is_(None), *_DECIDED, _can_win)
            .where(*[~sealed] if public else [])
            .order_by(matches.c.announced.desc(), matches.c.id)
            .limit(COUNTED)
        )
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        sides: dict[str, set[str]] = {}
        for row in rows:
            sides.setdefault(row.id, set()).add(row.side)
        counts, seen = dict[tuple[str, str, bool], Counter[str]](), set[str]()
        titles = {row.game: row.title for row in rows}
        for row in rows:
            if len(sides[row.id]) > 1 or row.id in seen:
                continue
            seen.add(row.id)
            winner = _winner_of(row)
            result = "drawn" if winner is None else "won" if winner == row.side else "lost"
            many = counts.setdefault((row.game, row.side, not row.people), Counter())
            many[result] += 1
            many["on time"] += row.decided == "time"
        return [
            SideResults(game, titles[game], side, bots, many["won"], many["drawn"], many["lost"], many["on time"])
            for (game, side, bots), many in sorted(counts.items())
        ]

    def rated_matches(self, player_id: str, limit: int) -> list[tuple[MatchSummary, RatedMatch]]:
        """Return a player's last rated matches, newest first."""
        wanted = select(rated).where(rated.c.player == player_id).order_by(rated.c.at.desc()).limit(limit)
        with self._shared.database.reading() as connection:
            rows = {row.match: row for row in connection.execute(wanted)}
            found = _summaries(connection, cards.where(matches.c.id.in_(list(rows))))
        return [
            (found[match], RatedMatch(match, row.score, row.before, row.after))
            for match, row in rows.items()
            if match in found
        ]

    def changes(self, id: str) -> dict[str, RatedMatch]:
        """Return how a match has changed the ratings of its players, by player; empty if it is not rated."""
        with self._shared.database.glance() as connection:
            rows = connection.execute(select(rated).where(rated.c.match == id)).all()
        return {row.player: RatedMatch(id, row.score, row.before, row.after) for row in rows}

    def can_rate(self, summary: MatchSummary) -> bool:
        """Return whether a match will be rated if two players on the ladder play it, as it is before its start."""
        sides: dict[str, set[str]] = {}
        for seat in summary.seats:
            sides.setdefault(seat.side, set()).update(player for player, _ in seat.players)
        if len(sides) != 2 or any(seat.bot or seat.banned for seat in summary.seats):
            return False
        one, other = sides.values()
        with self._shared.database.glance() as connection:
            return max(len(one), len(other)) < 2 and not one & other and _is_ratable(match_row(connection, summary.id))

    def will_rate(self, id: str) -> bool:
        """Return whether a match in progress will be rated at its end, as it is now."""
        with self._shared.database.glance() as connection:
            return bool(_rated_opponents(connection, match_row(connection, id)))

    def opponents(self, player_id: str, limit: int) -> list[OpponentResults]:
        """Return a player's results against each opponent in rated matches, those met most often first."""
        other, many = rated.alias(), func.count()
        wanted = (
            select(other.c.player, players.c.name, many, *(_matches_of(score) for score in (1.0, 0.5, 0.0)))
            .join(other, (other.c.match == rated.c.match) & (other.c.player != rated.c.player))
            .join(players, players.c.id == other.c.player)
            .where(rated.c.player == player_id)
            .group_by(other.c.player, players.c.name)
            .order_by(many.desc(), func.max(rated.c.at).desc(), other.c.player)
            .limit(limit)
        )
        with self._shared.database.reading() as connection:
            rows = connection.execute(wanted).all()
        names = distinguish((row.player, row.name) for row in sorted(rows, key=lambda row: row.player))
        return [OpponentResults(row.player, names[row.player], *row[3:]) for row in rows]

    def public_results(
        self, limit: int, *, without: str = "", game: str = "", player: str = "", viewer: str = "", people: bool = False
    ) -> list[MatchSummary]:
        """Return the public matches that are over, the last first; of a `player` also decided ones.

        Players who are not on the ladder have no names in them.

        Args:
            limit: how many at most.
            without: the id of a player whose matches are left out.
            game: only those of this game.
            player: only those of this player (an id).
            viewer: the id of a player who may read their own name.
            people: without matches in which only bots played.
        """
        wanted = cards.where(matches.c.listed, *(_DECIDED if player else _COUNTS))
        wanted = wanted.where(matches.c.game == game) if game else wanted
        if people:
            wanted = wanted.where(exists().where(seats.c.match == matches.c.id, seats.c.bot == ""))
        if without:
            wanted = wanted.where(matches.c.id.not_in(select(sittings.c.match).where(sittings.c.player == without)))
        if player:
            wanted = wanted.where(matches.c.id.in_(select(sittings.c.match).where(sittings.c.player == player)))
        with self._shared.database.reading() as connection:
            rows = connection.execute(wanted.order_by(matches.c.announced.desc()).limit(limit)).all()
            return [summary.in_public(viewer) for summary in all_cards(connection, rows)]

    def last_results(self, player_id: str, limit: int) -> list[MatchSummary]:
        """Return the matches of a player that are over or decided, public or not, the last first."""
        own = matches.c.id.in_(select(sittings.c.match).where(sittings.c.player == player_id))
        wanted = cards.where(own, *_DECIDED).order_by(matches.c.announced.desc()).limit(limit)
        with self._shared.database.reading() as connection:
            return all_cards(connection, connection.execute(wanted).all())

    def count_results(self, since: float) -> int:
        """Return the number of matches with people, public or not, that ended since a time (in seconds)."""
        is_of_people = exists().where(seats.c.match == matches.c.id, seats.c.bot == "")
        by_index = matches.c.listed.in_((True, False)), matches.c.announced >= since
        wanted = select(func.count()).select_from(matches).where(*_COUNTS, *by_index, is_of_people)
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).scalar_one()

    def history(self, player_id: str) -> dict[str, list[RatingPoint]]:
        """Return a player's ratings after each rated match, the first one first, by game."""
        wanted = select(matches.c.game, rated.c.match, rated.c.at, rated.c.before, rated.c.after).join(rated)
        wanted = wanted.where(rated.c.player == player_id).order_by(rated.c.at.desc()).limit(COUNTED)
        result: dict[str, list[RatingPoint]] = {}
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
            deviations = {game: _deviations(connection, game, player_id) for game in {row.game for row in rows}}
        for row in reversed(rows):
            deviation = deviations[row.game].get(row.match)
            result.setdefault(row.game, []).append(
                RatingPoint(from_timestamp(row.at), row.before, row.after, deviation)
            )
        return result

    def scenario_results(
        self, game: str, scenario: str, side: str, since: float, until: float, viewer: str = ""
    ) -> list[SideScore]:
        """Return how players on the ladder have ended a scenario with a side, the best first, and each player once.

        A viewer (an id) also sees their own result if they are not on the ladder.

        Only public matches with the game's own scenario and fresh dice count that were created in a period (seconds
        since 1970) and in which the player had no other side.
        """
        wanted = (
            select(matches.c.id, matches.c.announced, players.c.id.label("player"), players.c.name, *_RESULT)
            .join(sittings, sittings.c.match == matches.c.id)
            .join(seats, (seats.c.match == sittings.c.match) & (seats.c.seat == sittings.c.seat))
            .join(players, players.c.id == sittings.c.player)
            .add_columns(seats.c.side, players.c.ladder)
            .where(matches.c.game == game, matches.c.scenario == scenario, matches.c.own.is_(None), *_COUNTS)
            .where(matches.c.listed, matches.c.created >= since, matches.c.created < until, matches.c.origin == "")
            .where(or_(players.c.ladder.is_not(None), players.c.id == viewer))
            .where(seats.c.bot == "", seats.c.banned.is_(None))
            .order_by(matches.c.announced, matches.c.id)
            .limit(COUNTED)
        )
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        sides: dict[tuple[str, str], set[str]] = {}
        for row in rows:
            sides.setdefault((row.id, row.player), set()).add(row.side)
        best: dict[str, SideScore] = {}
        names = distinguish((row.player, row.name) for row in sorted(rows, key=lambda row: row.player))
        for row in rows:
            outcome = outcome_of(row)
            if outcome is None or sides[row.id, row.player] != {side}:
                continue
            is_won = _winner_of(row) == side
            result = SideScore(row.player, names[row.player], row.id, is_won, outcome.scores.get(side), outcome.title)
            result = result._replace(is_listed=row.ladder is not None)
            known = best.get(row.player)
            if known is None or result.rank > known.rank:
                best[row.player] = result
        opponents = self._bots_of([one.match for one in best.values()])
        results = [one._replace(bots=opponents.get(one.match, ())) for one in best.values()]
        return sorted(results, key=lambda one: one.rank, reverse=True)

    def _bots_of(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the bots that play each of these matches, each once."""
        wanted = select(seats.c.match, seats.c.bot).where(seats.c.match.in_(ids), seats.c.bot != "")
        found: dict[str, dict[str, None]] = {}
        with self._shared.database.glance() as connection:
            for row in connection.execute(wanted.order_by(seats.c.match, seats.c.place)):
                found.setdefault(row.match, {})[row.bot] = None
        return {match: tuple(bots) for match, bots in found.items()}


_COUNTS = (matches.c.outcome.is_not(None), matches.c.record.is_(None), matches.c.damaged.is_(None))
"""The conditions for matches that are over and were played here."""
_DECIDED = (matches.c.outcome.is_not(None) | (matches.c.decided != ""), *_COUNTS[1:])
"""Those, and the conditions for matches that their players have decided before the end."""
_before = seats.alias()
_sides_before = select(func.count(_before.c.side.distinct())).where(
    _before.c.match == seats.c.match, _before.c.place < seats.c.place, _before.c.side != seats.c.side
)
_can_win = _sides_before.correlate(seats).scalar_subquery() < 2
"""The condition for seats of the sides that can win: the first two; see `MatchSummary.contenders`."""
_RESULT = (matches.c.outcome, matches.c.decided_for, matches.c.decided)
"""The columns with the result of a match."""


def _matches_of(score: float) -> ColumnElement[int]:
    """Return the number of rated matches of this score."""
    return func.sum(case((rated.c.score == score, 1), else_=0))


def _has_opponent(player_id: str) -> Exists:
    """Return the condition that another person has a seat."""
    other = sittings.alias()
    return exists().where(other.c.match == matches.c.id, other.c.player != player_id)


def _summaries(connection: Connection, wanted: Select[*tuple[Any, ...]]) -> dict[str, MatchSummary]:
    return {summary.id: summary for summary in all_cards(connection, connection.execute(wanted).all())}


def _rating(row: AnyRow, at: float) -> Rating:
    """Return the rating of a row as it is at a time."""
    known = Rating(row.rating, row.deviation, row.volatility)
    return after_a_break(known, max(0.0, at - row.at) / PERIOD)


def _deviations(connection: Connection, game: str, player_id: str) -> dict[str, float]:
    """Return the deviation of a player after each match, by rating all matches of a game again.

    Someone who has left the ladder since counts as a newcomer. It is empty for more than `REPLAYED` ratings.
    """
    wanted = select(rated).join(matches).where(matches.c.game == game)
    wanted = wanted.order_by(rated.c.at, rated.c.match, rated.c.player).limit(REPLAYED + 1)
    rows = connection.execute(wanted).all()
    if len(rows) > REPLAYED:
        return {}
    known: dict[str, tuple[Rating, float]] = {}
    found: dict[str, float] = {}
    for match, pair in groupby(rows, key=lambda row: row.match):
        scores = {row.player: row for row in pair}
        before = {
            player: after_a_break(known[player][0], max(0.0, row.at - known[player][1]) / PERIOD)
            if player in known
            else Rating()
            for player, row in scores.items()
        }
        for player, row in scores.items():
            opponent = next((rating for other, rating in before.items() if other != player), Rating())
            known[player] = rate(before[player], [(opponent, row.score)]), row.at
        if player_id in scores:
            found[match] = known[player_id][0].deviation
    return found


def _scores(connection: Connection, row: AnyRow) -> dict[str, float]:
    """Return the score of each player if a match is to be rated; empty if not, or if that is done."""
    if outcome_of(row) is None and not row.decided:
        return {}
    winner = _winner_of(row)
    opponents = _rated_opponents(connection, row)
    return {player: 0.5 if winner is None else float(side == winner) for side, player in opponents.items()}


def _rated_opponents(connection: Connection, row: AnyRow) -> Mapping[str, str]:
    """Return the player of each side if a match is to be rated at its end; empty if not, or if that is done."""
    if not row.begun or not _is_ratable(row):
        return {}
    if connection.execute(select(rated.c.match).where(rated.c.match == row.id)).first():
        return {}
    first = connection.execute(select(func.min(entries.c.at)).where(entries.c.match == row.id)).scalar()
    opponents = _opponents(connection, row.id, first)
    if first is None or len(opponents) != 2 or _was_taken_back(connection, row.id):
        return {}
    on_ladder = select(func.count()).where(players.c.id.in_(opponents.values()), players.c.ladder <= first)
    return opponents if connection.execute(on_ladder).scalar() == 2 else {}


def _winner_of(row: AnyRow) -> str | None:
    """Return the side that has won a match; None for a draw, and empty for a match that its only side gave up.

    What its players have decided stays the result if they play on.
    """
    if row.decided:
        return None if row.decided == "draw" else str(row.decided_for)
    outcome = outcome_of(row)
    return outcome.winner if outcome is not None else None


def _is_ratable(row: AnyRow) -> bool:
    """Return whether a match has a scenario of the game, secret dice, no help, and no seat given to a bot."""
    is_known = row.origin or row.seed is not None or row.record is not None
    return not is_known and not row.help and row.own is None and row.damaged is None and not row.handed


def _opponents(connection: Connection, id: str, first: float | None) -> Mapping[str, str]:
    """Return the only player of each side since the first decision; empty if bots, several or later ones play."""
    wanted = select(sittings.c.seat, sittings.c.player, sittings.c.since).where(sittings.c.match == id)
    sitting: dict[str, set[tuple[str, float]]] = {}
    for row in connection.execute(wanted):
        sitting.setdefault(row.seat, set()).add((row.player, row.since))
    sides: dict[str, set[str]] = {}
    for place in seat_rows(connection, id):
        known = sitting.get(place.seat, set())
        if place.bot or place.banned is not None or not known or first is None:
            return {}
        if any(since > first for _, since in known):
            return {}
        sides.setdefault(place.side, set()).update(player for player, _ in known)
    if any(len(known) != 1 for known in sides.values()):
        return {}
    sole = {side: next(iter(known)) for side, known in sides.items()}
    return sole if len(set(sole.values())) == len(sole) else {}


def _was_taken_back(connection: Connection, id: str) -> bool:
    """Return whether a decision was taken back by agreement."""
    wanted = select(entries.c.told).where(entries.c.match == id, entries.c.undo)
    return any(_undo(text_of_undo).leave for text_of_undo in connection.execute(wanted).scalars())


def _rate(connection: Connection, row: AnyRow, scores: Mapping[str, float]) -> None:
    """Write the ratings after a match between two players."""
    wanted = select(ratings).where(ratings.c.game == row.game, ratings.c.player.in_(list(scores)))
    stored = {known.player: known for known in connection.execute(wanted)}
    at: float = row.changed
    before = {player: _rating(stored[player], at) if player in stored else Rating() for player in scores}
    (one, score), (other, others_score) = scores.items()
    results: Sequence[tuple[str, str, float]] = ((one, other, score), (other, one, others_score))
    for player, opponent, result in results:
        after = rate(before[player], [(before[opponent], result)])
        values = {**after._asdict(), "at": at}
        here = ratings.c.game == row.game, ratings.c.player == player
        if player in stored:
            connection.execute(update(ratings).where(*here).values(matches=ratings.c.matches + 1, **values))
        else:
            connection.execute(insert(ratings), {"game": row.game, "player": player, "matches": 1, **values})
        points = {"before": before[player].rating, "after": after.rating, "score": result, "at": at}
        connection.execute(insert(rated), {"match": row.id, "player": player, **points})
