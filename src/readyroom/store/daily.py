"""Attempts at challenges of the day: the first of a day counts, and its results."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, delete, func, insert, select

from readyroom.engine.record.format import Origin
from readyroom.engine.rules.dice import fingerprint
from readyroom.engine.rules.state import Outcome
from readyroom.store.base import Part, Shared, new_id
from readyroom.store.cards import NO_NAME, CreatedMatch, Player, SeatAssignment
from readyroom.store.database import WriteConflict
from readyroom.store.errors import AttemptUnfinished
from readyroom.store.lobby.lobby import DailyAttempt, Lobby
from readyroom.store.names import distinguish
from readyroom.store.rows import AnyRow, outcome_of
from readyroom.store.tables import attempts, baselines, matches, players
from readyroom.study.daily import keys
from readyroom.study.daily.challenge import Challenge, challenge_of
from readyroom.study.daily.keys import DayKeys, DaySealed, ends
from readyroom.study.daily.results import Baseline, Score, score_of, shipped_baseline

DAILY_PREFIX = "0"
"""The first character of the ids of attempts; random ids do not contain it, so addresses show what is an attempt."""


class Attempt(NamedTuple):
    """A player's counted attempt at a challenge: its match, and its outcome if it ended in time.

    `is_gone`: the match was deleted. `is_late`: it did not end on its day, so it has no result.
    """

    match: str
    outcome: Outcome | None
    is_gone: bool
    is_late: bool


class DailyResult(NamedTuple):
    """A counted attempt in the table of its day; `name` is that of a player on the ladder, or of the viewer."""

    player: str
    name: str
    match: str
    outcome: Outcome
    score: Score
    on_ladder: bool


class Streak(NamedTuple):
    """On how many days in a row, up to today or yesterday, a player on the ladder has a counted attempt."""

    player: str
    name: str
    days: int


class Daily(Part):
    """Challenges of the day. `keys` is the chain of dice secrets, the shared one unless the server has its own."""

    def __init__(self, shared: Shared, lobby: Lobby) -> None:
        super().__init__(shared)
        self._lobby = lobby
        self.keys = DayKeys()

    def today(self) -> date:
        """Return the day (UTC)."""
        return keys.clock().date()

    def dice_hash(self, day: date) -> str:
        """Return the dice seed hash of a day; raise `DaySealed` before it."""
        return fingerprint(self.keys.secret(day, keys.clock()))

    # -- attempts ----------------------------------------------------------------------------------------------------

    def begin(self, player: Player, day: date, *, client: str = "", program: bool = False) -> CreatedMatch:
        """Begin an attempt at a challenge, and return its match: counted if it is the first on its day.

        A `program` gets the secrets of its seats.

        Raises:
            DaySealed: the day has not begun.
            NoSuchDay, NoChallenge: there is no challenge to play.
            AttemptUnfinished: the player's counted attempt is not finished, also if it began at the same moment.
        """
        at = keys.clock()
        if day > at.date():
            raise DaySealed(day)
        challenge, secret = challenge_of(day), self.keys.secret(day, at)
        origin = self._next_origin(player.id, day, at.date())
        wanted = {
            **{seat: SeatAssignment("me", joins=program) for seat in challenge.own_seats},
            **{seat: SeatAssignment("bot", challenge.bot) for seat in challenge.other_seats},
        }
        match = DAILY_PREFIX + new_id()
        try:
            return self._lobby.create(
                player,
                challenge.game.key,
                challenge.scenario.key,
                challenge.options,
                wanted,
                client=client,
                id=match,
                daily=DailyAttempt(day, secret, origin, at.timestamp()),
            )
        except WriteConflict:  # another tab was faster
            self._next_origin(player.id, day, at.date())
            raise

    def _next_origin(self, player_id: str, day: date, today: date) -> Origin:
        """Return what the next attempt is; raise `AttemptUnfinished`."""
        if day != today:
            return "past"
        counted = self.attempt(player_id, day)
        if counted is None:
            return "daily"
        if counted.outcome is None and not counted.is_gone and not counted.is_late:
            raise AttemptUnfinished(counted.match)
        return "practice"

    def attempt(self, player_id: str, day: date) -> Attempt | None:
        """Return a player's counted attempt on a day, if they have begun one."""
        wanted = _with_matches(day).where(attempts.c.player == player_id, attempts.c.counted)
        with self._shared.database.glance() as connection:
            row = connection.execute(wanted).one_or_none()
        if row is None:
            return None
        in_time = row.changed is not None and row.changed < ends(day).timestamp()
        outcome = outcome_of(row) if in_time else None
        is_late = outcome is None and keys.clock() >= ends(day)
        return Attempt(row.match, outcome, row.changed is None or row.damaged is not None, is_late)

    # -- results -----------------------------------------------------------------------------------------------------

    def results(self, challenge: Challenge, viewer: str = "") -> list[DailyResult]:
        """Return the results of a day, the best first; players who are not on the ladder have no name.

        Only counted attempts that ended on the day have a result. `viewer` is the id of a player who may read their own
        name.
        """
        wanted = (
            _with_matches(challenge.day)
            .add_columns(players.c.name, players.c.ladder)
            .join(players, players.c.id == attempts.c.player)
            .where(attempts.c.counted, matches.c.outcome.is_not(None), matches.c.damaged.is_(None))
            .where(matches.c.changed < ends(challenge.day).timestamp())
            .order_by(matches.c.changed)
        )
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        named = [row for row in rows if row.ladder is not None or row.player == viewer]
        names = distinguish((row.player, row.name) for row in sorted(named, key=lambda row: row.player))
        found = [_result(challenge, row, names.get(row.player, NO_NAME)) for row in rows]
        return sorted(found, key=lambda result: result.score, reverse=True)

    def counts(self, days: Iterable[date]) -> dict[str, int]:
        """Return the number of counted attempts of each of these days."""
        wanted = (
            select(attempts.c.day, func.count())
            .where(attempts.c.counted, attempts.c.day.in_([day.isoformat() for day in days]))
            .group_by(attempts.c.day)
        )
        with self._shared.database.glance() as connection:
            return {row[0]: row[1] for row in connection.execute(wanted)}

    def counted_days(self, player_id: str) -> set[str]:
        """Return the days on which a player has a counted attempt."""
        wanted = select(attempts.c.day).where(attempts.c.counted, attempts.c.player == player_id)
        with self._shared.database.glance() as connection:
            return set(connection.execute(wanted).scalars())

    def streaks(self, limit: int) -> list[Streak]:
        """Return the players on the ladder with the longest runs of days, the longest first; none of one day only."""
        today = self.today()
        lately = select(attempts.c.player).where(attempts.c.counted, attempts.c.day >= _before(today).isoformat())
        wanted = (
            select(attempts.c.player, attempts.c.day, players.c.name)
            .join(players, players.c.id == attempts.c.player)
            .where(attempts.c.counted, players.c.ladder.is_not(None), attempts.c.player.in_(lately))
            .order_by(attempts.c.player)
        )
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        names, days = distinguish((row.player, row.name) for row in rows), dict[str, set[str]]()
        for row in rows:
            days.setdefault(row.player, set()).add(row.day)
        found = [Streak(player, names[player], days_in_a_row(known, today)) for player, known in days.items()]
        found = sorted((one for one in found if one.days > 1), key=lambda one: (-one.days, one.name))
        return found[:limit]

    # -- bot runs ----------------------------------------------------------------------------------------------------

    def baseline(self, challenge: Challenge) -> Baseline | None:
        """Return what bots reach in a challenge: by the program's file, or as it was computed here; None if neither."""
        known = shipped_baseline(challenge)
        if known is not None:
            return known
        with self._shared.database.glance() as connection:
            wanted = select(baselines.c.scores).where(baselines.c.slot == challenge.slot.key)
            content: bytes | None = connection.execute(wanted).scalar()
        found = None if content is None else msgspec.json.decode(content, type=Baseline)
        return found if found is not None and found.fits(challenge.game) else None

    def write_baseline(self, challenge: Challenge, baseline: Baseline) -> None:
        """Keep what bots reach in a challenge, in place of earlier figures."""
        with self._shared.database.writing() as connection:
            connection.execute(delete(baselines).where(baselines.c.slot == challenge.slot.key))
            row = {"slot": challenge.slot.key, "scores": msgspec.json.encode(baseline)}
            connection.execute(insert(baselines), row)


def days_in_a_row(days: Collection[str], today: date) -> int:
    """Return how many of these days (ISO) follow each other up to today, or to yesterday while today has none.

    >>> days_in_a_row({"2026-03-01", "2026-03-03", "2026-03-04"}, date(2026, 3, 5))
    2
    """
    day = today if today.isoformat() in days else _before(today)
    count = 0
    while day.isoformat() in days:
        count, day = count + 1, _before(day)
    return count


def longest_run(days: Iterable[str]) -> int:
    """Return how many of these days (ISO) at most follow each other.

    >>> longest_run({"2026-03-01", "2026-03-02", "2026-03-04"})
    2
    """
    longest, length, last = 0, 0, 0
    for day in sorted(date.fromisoformat(one).toordinal() for one in days):
        length, last = (length + 1 if day == last + 1 else 1), day
        longest = max(longest, length)
    return longest


def _before(day: date) -> date:
    return day - timedelta(days=1)


def _with_matches(day: date) -> Select[*tuple[Any, ...]]:
    """Return the attempts of a day with what is known of their matches."""
    known = (matches.c.outcome, matches.c.changed, matches.c.damaged)
    return (
        select(attempts, *known)
        .outerjoin(matches, matches.c.id == attempts.c.match)
        .where(attempts.c.day == day.isoformat())
    )


def _result(challenge: Challenge, row: AnyRow, name: str) -> DailyResult:
    outcome = outcome_of(row)
    assert outcome is not None
    return DailyResult(row.player, name, row.match, outcome, score_of(challenge, outcome), row.ladder is not None)
