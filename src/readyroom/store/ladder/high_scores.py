"""High scores of games with one side: the best results of players on the ladder, by scenario."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, exists, func, select

from readyroom.engine.game import Game
from readyroom.store.base import Part, Shared, now
from readyroom.store.cards import from_timestamp
from readyroom.store.names import distinguish
from readyroom.store.rows import AnyRow, outcome_of
from readyroom.store.tables import entries, matches, players, seats, sittings
from readyroom.study.daily.results import Score, score_for

KEPT = 50
"""The most results of a scenario that are kept in memory."""
SCANNED = 20_000
"""The most finished matches of a game that are looked at, the last ones."""
FRESH = 300.0
"""Seconds for which the results of a game are kept in memory."""


class HighScore(NamedTuple):
    """A player's best result in a scenario: its score (None: it has none), title and end, and how it is ranked.

    `is_public`: everyone may see the match. `is_listed`: everyone may see the row, because the player is on the ladder.
    """

    player: str
    name: str
    scenario: str
    match: str
    score: int | None
    title: str
    at: datetime
    rank: Score
    is_public: bool = False
    is_listed: bool = True


class HighScores(Part):
    """The best results of each player in games with one side.

    A match counts if one player has played it from its first decision to the last, with a scenario of the game, its
    default options and dice that no one can know, without hint, analysis or bots. Undo may be used: it takes back no
    dice. Challenges of the day do not count: their dice are known to all who have played them.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._known: dict[str, tuple[float, list[HighScore]]] = {}

    def of_game(self, game: str, viewer: str = "") -> dict[str, list[HighScore]]:
        """Return the best result of each player on the ladder by scenario, the best first.

        A viewer (an id) also sees their own best result, as it is now, if they are not on the ladder. Those of others
        may be some minutes old, but no one is in it who has left the ladder, and no match that is gone.
        """
        at, known = self._known.get(game, (0.0, []))
        if now() - at > FRESH:
            known = self._best(game, players.c.ladder.is_not(None))
            self._known[game] = now(), known
        own = self._best(game, players.c.id == viewer) if viewer else []
        result: dict[str, list[HighScore]] = {}
        for one in sorted(self._current([*own, *(one for one in known if one.player != viewer)], viewer), key=_by_rank):
            result.setdefault(one.scenario, []).append(one)
        return result

    def _best(self, key: str, who: ColumnElement[bool]) -> list[HighScore]:
        """Return the best results of players in a game, of each scenario at most `KEPT`, and of each player one."""
        other, place = sittings.alias(), seats.alias()
        shared = exists().where(other.c.match == matches.c.id, other.c.player != sittings.c.player)
        replaced = exists().where(place.c.match == matches.c.id, (place.c.bot != "") | place.c.banned.is_not(None))
        wanted = (
            select(matches.c.id, matches.c.scenario, matches.c.options, matches.c.changed, matches.c.outcome)
            .add_columns(seats.c.side, players.c.id.label("player"), sittings.c.since)
            .join(sittings, sittings.c.match == matches.c.id)
            .join(seats, (seats.c.match == sittings.c.match) & (seats.c.seat == sittings.c.seat))
            .join(players, players.c.id == sittings.c.player)
            .where(matches.c.game == key, matches.c.listed.in_((True, False)), matches.c.outcome.is_not(None), who)
            .where(matches.c.damaged.is_(None), matches.c.record.is_(None), matches.c.own.is_(None))
            .where(matches.c.origin == "", matches.c.seed.is_(None), matches.c.handed == 0, matches.c.decided == "")
            .where(~matches.c.help, ~matches.c.guided, ~shared, ~replaced)
            .order_by(matches.c.announced.desc())
            .limit(SCANNED)
        )
        game, best, counts = self._shared.games(key), dict[tuple[str, str], HighScore](), dict[str, int]()
        with self._shared.database.reading() as connection:
            rows = [(one, row) for row in connection.execute(wanted) if (one := _high_score(game, row)) is not None]
            for one, row in sorted(rows, key=lambda pair: _by_rank(pair[0])):
                here = one.scenario, one.player
                if here in best or counts.get(one.scenario, 0) >= KEPT or not _was_there(connection, row):
                    continue
                best[here] = one
                counts[one.scenario] = counts.get(one.scenario, 0) + 1
        return list(best.values())

    def _current(self, known: Sequence[HighScore], viewer: str) -> list[HighScore]:
        """Return results with the names as they are now, without matches that are gone; of others only listed ones."""
        wanted = (
            select(matches.c.id, matches.c.listed, players.c.id.label("player"), players.c.name, players.c.ladder)
            .join(sittings, sittings.c.match == matches.c.id)
            .join(players, players.c.id == sittings.c.player)
            .where(matches.c.id.in_({one.match for one in known}), matches.c.damaged.is_(None))
        )
        with self._shared.database.glance() as connection:
            rows = {row.id: row for row in connection.execute(wanted)}
        names = distinguish((row.player, row.name) for row in sorted(rows.values(), key=lambda row: row.player))
        return [
            one._replace(name=names[one.player], is_public=row.listed, is_listed=row.ladder is not None)
            for one in known
            if (row := rows.get(one.match)) is not None and (row.ladder is not None or one.player == viewer)
        ]


def _by_rank(one: HighScore) -> tuple[float, int, datetime]:
    """Return what sorts results: the best first, and of equal ones the earliest."""
    return -one.rank.utility, -one.rank.lead, one.at


def _was_there(connection: Connection, row: AnyRow) -> bool:
    """Return whether the player of a match was there before its first decision."""
    first = connection.execute(select(func.min(entries.c.at)).where(entries.c.match == row.id)).scalar()
    return first is not None and row.since <= first


def _high_score(game: Game[Any, Any], row: AnyRow) -> HighScore | None:
    """Return the result of a row; None with other options, or if the installed game cannot compare it."""
    outcome = outcome_of(row)
    if outcome is None or game.non_default_options(msgspec.json.decode(row.options, type=dict[str, str])):
        return None
    try:
        rank = score_for(game, row.side, outcome)
    except (LookupError, ValueError):  # it ended by the rules of another version
        return None
    score, at = outcome.scores.get(row.side), from_timestamp(row.changed)
    return HighScore(row.player, "", row.scenario, row.id, score, outcome.title, at, rank)
