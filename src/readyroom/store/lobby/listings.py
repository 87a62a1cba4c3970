"""Summaries of matches, and lists of them."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Exists, case, delete, exists, func, insert, literal, or_, select

from readyroom.engine.game import Scenario
from readyroom.store.base import Part
from readyroom.store.cards import MatchSummary
from readyroom.store.errors import NotYourSeat
from readyroom.store.lobby.seating import seats_with
from readyroom.store.lobby.setup import find_scenario
from readyroom.store.rows import all_cards, cards, match_row, one_card
from readyroom.store.tables import away, matches, pairings, seats, sittings

MANY = 200
"""The number of matches that are listed at once."""
ACQUAINTED = 1000
"""The most seats of others that are looked at for the people that a player has played with."""
LISTED_EACH = 5
"""The number of public matches of one client that are listed on a server with limits."""


class Acquaintance(NamedTuple):
    """Someone that a player has played with: their id and name, how many matches, and the last one of them."""

    player: str
    name: str
    matches: int
    last: MatchSummary


class Listings(Part):
    """Summaries of matches, and lists of them; of a client `listed_each` public matches are listed (0: all)."""

    listed_each: int = 0

    def summary(self, id: str) -> MatchSummary:
        """Return the public facts of a match; raise `UnknownMatchId`."""
        with self._shared.database.glance() as connection:
            return one_card(connection, id)

    def scenario(self, id: str) -> Scenario:
        """Return the scenario of a match; raise `UnknownMatchId`, or `UnknownScenario` if there is none any more."""
        with self._shared.database.glance() as connection:
            row = match_row(connection, id)
        return find_scenario(self._shared.games(row.game), row.scenario, row.own)

    def matches_of(self, player_id: str, *, hidden: bool = False, limit: int = MANY) -> list[MatchSummary]:
        """Return the matches that a player plays or hosts: their turn first, then unfinished ones, then the rest.

        With `hidden`, return only the hidden matches; otherwise all others. Each kind is sorted by its last change.
        """
        is_asked = matches.c.waiting.contains(literal('"').concat(seats.c.seat).concat('"'))
        their_turn = (matches.c.waiting != "[]") & _plays(player_id, is_asked)
        kind = case((matches.c.outcome.is_not(None) | (matches.c.decided != ""), 2), (their_turn, 0), else_=1)
        wanted = cards.where(*_listed_for(player_id, hidden)).order_by(kind, matches.c.announced.desc()).limit(limit)
        with self._shared.database.reading() as connection:
            return all_cards(connection, connection.execute(wanted).all())

    def waiting_for(self, player_id: str) -> list[str]:
        """Return the matches that wait for a player and that they have not hidden, the one that waits longest first."""
        is_asked = matches.c.waiting.contains(literal('"').concat(seats.c.seat).concat('"'))
        wanted = (
            select(matches.c.id)
            .where(matches.c.begun, matches.c.outcome.is_(None), matches.c.damaged.is_(None), matches.c.waiting != "[]")
            .where(*_listed_for(player_id, hidden=False), _plays(player_id, is_asked), matches.c.decided == "")
            .order_by(matches.c.announced, matches.c.id)
            .limit(MANY)
        )
        with self._shared.database.glance() as connection:
            return list(connection.execute(wanted).scalars())

    def count_hidden(self, player_id: str) -> int:
        """Return the number of matches that a player has hidden."""
        wanted = select(func.count()).select_from(matches).where(*_listed_for(player_id, hidden=True))
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).scalar_one()

    def set_hidden(self, id: str, player_id: str, yes: bool = True) -> None:
        """Hide a match from a player's list, or (no) show it again. `NotYourSeat`."""
        here = (away.c.match == id, away.c.player == player_id)
        with self._shared.database.writing() as connection:
            row = match_row(connection, id, lock=True)
            if row.host != player_id and not seats_with(connection, id, player_id):
                raise NotYourSeat("You can hide only matches that you play or host.")
            connection.execute(delete(away).where(*here))
            if yes:
                connection.execute(insert(away), {"match": id, "player": player_id})

    def public_matches(
        self,
        *,
        open_seats: bool | None = None,
        without: str = "",
        limit: int = MANY,
        game: str = "",
        pace: str = "",
        experience: str = "",
    ) -> list[MatchSummary]:
        """Return the public matches that are not over, the last changed first; of a client only `listed_each`.

        Players who are not on the ladder have no names in them.

        Args:
            open_seats: only those with a seat open to anyone, or only those in progress without one.
            without: the id of a player whose matches are left out.
            limit: how many at most.
            game: only those of this game.
            pace: only those of this speed.
            experience: only those whose host looks for this, or for anyone.
        """
        wanted = cards.where(matches.c.listed, matches.c.outcome.is_(None), matches.c.decided == "")
        wanted = wanted.where(matches.c.tournament.is_(None) | ~_IS_DECIDED)
        wanted = wanted.where(matches.c.game == game) if game else wanted
        wanted = wanted.where(matches.c.pace == pace) if pace else wanted
        wanted = wanted.where(matches.c.experience.in_(("", experience))) if experience else wanted
        if open_seats is not None:
            wanted = wanted.where(HAS_OPEN_SEAT if open_seats else matches.c.begun & ~HAS_OPEN_SEAT)
        if without:
            wanted = wanted.where(~_plays(without))
        changed = matches.c.announced.desc()
        if self.listed_each:
            creator = case((matches.c.client == "", matches.c.id), else_=matches.c.client)
            place = func.row_number().over(partition_by=creator, order_by=changed).label("place")
            ranked = select(matches.c.id, place).where(matches.c.listed, matches.c.outcome.is_(None)).subquery()
            first = select(ranked.c.id).where(ranked.c.place <= self.listed_each)
            wanted = wanted.where(matches.c.id.in_(first))
        with self._shared.database.reading() as connection:
            found = all_cards(connection, connection.execute(wanted.order_by(changed).limit(limit)).all())
        return [summary.in_public(without) for summary in found]

    def acquaintances(self, player_id: str, limit: int) -> list[Acquaintance]:
        """Return the people that a player has played with in matches that had begun, the last ones first."""
        mine, other = sittings.alias(), sittings.alias()
        wanted = (
            select(other.c.player, matches.c.id)
            .join(mine, mine.c.match == other.c.match)
            .join(matches, matches.c.id == other.c.match)
            .where(mine.c.player == player_id, other.c.player != player_id)
            .where(matches.c.begun, matches.c.damaged.is_(None))
            .order_by(matches.c.announced.desc(), matches.c.id)
            .limit(ACQUAINTED)
        )
        with self._shared.database.reading() as connection:
            pairs = dict.fromkeys((row.player, row.id) for row in connection.execute(wanted))
            met: dict[str, list[str]] = {}
            for other_id, match_id in pairs:
                met.setdefault(other_id, []).append(match_id)
            shown = dict(list(met.items())[:limit])
            last = cards.where(matches.c.id.in_([ids[0] for ids in shown.values()]))
            summaries = {one.id: one for one in all_cards(connection, connection.execute(last).all())}
        found = list[Acquaintance]()
        for other_id, ids in shown.items():
            summary = summaries.get(ids[0])
            name = _name_in(summary, other_id) if summary is not None else ""
            if summary is not None and name:
                found.append(Acquaintance(other_id, name, len(ids), summary))
        return found

    def count_open_seats(self, without: str = "") -> int:
        """Return the number of seats of public matches that are open to anyone, without the matches of a player."""
        wanted = select(func.count()).select_from(seats.join(matches, matches.c.id == seats.c.match))
        wanted = wanted.where(matches.c.listed, matches.c.outcome.is_(None), matches.c.decided == "", *_IS_OPEN)
        if without:
            wanted = wanted.where(seats.c.match.not_in(select(sittings.c.match).where(sittings.c.player == without)))
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).scalar_one()


_IS_OPEN = (
    *(seats.c.who == "anyone", seats.c.bot == "", seats.c.came.is_(None), seats.c.banned.is_(None)),
    ~exists().where(sittings.c.match == seats.c.match, sittings.c.seat == seats.c.seat),
)
"""The conditions for a seat that anyone can take."""
HAS_OPEN_SEAT = exists().where(seats.c.match == matches.c.id, *_IS_OPEN)
"""The condition that anyone can take a seat of a match."""


_IS_DECIDED = exists().where(pairings.c.match == matches.c.id, pairings.c.result != "")
"""The condition that a match has a result in its tournament, although it may not be over."""


def _name_in(summary: MatchSummary, player_id: str) -> str:
    """Return the name of a player of a match; empty for someone who is banned from it."""
    places = ({**dict(seat.previous_players), **dict(seat.players)} for seat in summary.seats)
    return next((names[player_id] for names in places if player_id in names), "")


def _plays(player_id: str, *also: ColumnElement[bool]) -> Exists:
    """Return the condition that a player has a seat, for which more may hold, and no bot replaces them and no ban."""
    place = (seats.c.match == matches.c.id, sittings.c.match == matches.c.id, sittings.c.seat == seats.c.seat)
    return exists().where(*place, sittings.c.player == player_id, seats.c.bot == "", seats.c.banned.is_(None), *also)


def _listed_for(player_id: str, hidden: bool) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for the matches that a player plays or hosts, and has hidden or not."""
    sits = select(sittings.c.match).where(sittings.c.player == player_id)
    is_away = matches.c.id.in_(select(away.c.match).where(away.c.player == player_id))
    return or_(matches.c.id.in_(sits), matches.c.host == player_id), is_away if hidden else ~is_away
