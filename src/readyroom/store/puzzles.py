"""Puzzles on a server: first answers, and Glicko-2 ratings in which a puzzle is a player's opponent."""

from __future__ import annotations

from collections.abc import Iterable
from math import log10
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Integer, cast, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from readyroom.bots.rollouts import Keys
from readyroom.store.base import Part, now
from readyroom.store.database import WriteConflict
from readyroom.store.ladder.glicko import MEAN, Rating, after_a_break, rate
from readyroom.store.ladder.ladder import PERIOD
from readyroom.store.names import distinguish
from readyroom.store.tables import players, puzzle_answers, puzzle_ratings, puzzles
from readyroom.study.puzzles.puzzle import Puzzle

FIRST_DEVIATION = 200.0
"""The deviation of a puzzle that no one has tried: bots have."""
SURE = 0.05
"""No puzzle is thought to be solved by fewer than this share of players, or by more than all but this share."""


class PuzzleRating(NamedTuple):
    """How hard a puzzle is, and how many have tried and solved it."""

    rating: Rating
    tries: int = 0
    solved: int = 0


class Solver(NamedTuple):
    """A player on the ladder: how many puzzles they have answered, and how many they have solved at once."""

    player: str
    name: str
    solved: int
    tries: int


class FirstAnswer(NamedTuple):
    """A player's first answer to a puzzle, and whether it was the best."""

    keys: Keys
    is_solved: bool


def expected_rating(puzzle: Puzzle) -> Rating:
    """Return the rating of a puzzle that no one has tried: from how many bots and random answers solve it."""
    share = min(1 - SURE, max(SURE, (puzzle.best.bots + 1 / len(puzzle.spec.answers)) / 2))
    return Rating(round(MEAN + 400 * log10((1 - share) / share)), FIRST_DEVIATION)


class Puzzles(Part):
    """First answers to puzzles, and ratings."""

    def rating(self, puzzle: Puzzle) -> PuzzleRating:
        """Return how hard a puzzle is."""
        return self.ratings([puzzle])[puzzle.id]

    def ratings(self, known: Iterable[Puzzle]) -> dict[str, PuzzleRating]:
        """Return how hard puzzles are, by their ids."""
        with self._shared.database.glance() as connection:
            return {puzzle.id: _puzzle_rating(connection, puzzle) for puzzle in known}

    def player_rating(self, player_id: str, game: str) -> Rating:
        """Return how well a player solves the puzzles of a game."""
        with self._shared.database.glance() as connection:
            return _player_rating(connection, player_id, game)[0]

    def ratings_of(self, player_id: str) -> dict[str, Rating]:
        """Return how well a player solves puzzles, by game, of the games in which they have answered any."""
        wanted = select(puzzle_ratings.c.game).where(puzzle_ratings.c.player == player_id)
        with self._shared.database.glance() as connection:
            games = connection.execute(wanted.order_by(puzzle_ratings.c.game)).scalars().all()
            return {game: _player_rating(connection, player_id, game)[0] for game in games}

    def answers(self, player_id: str) -> dict[str, FirstAnswer]:
        """Return a player's first answers by puzzle."""
        wanted = select(puzzle_answers).where(puzzle_answers.c.player == player_id)
        with self._shared.database.glance() as connection:
            return {row.puzzle: FirstAnswer(_keys(row.answer), row.solved) for row in connection.execute(wanted)}

    def solvers(self, limit: int) -> list[Solver]:
        """Return the players on the ladder who have solved the most puzzles with their first answer."""
        solved = func.sum(cast(puzzle_answers.c.solved, Integer)).label("solved")
        wanted = (
            select(players.c.id, players.c.name, solved, func.count().label("tries"))
            .join(puzzle_answers, puzzle_answers.c.player == players.c.id)
            .where(players.c.ladder.is_not(None))
            .group_by(players.c.id, players.c.name)
            .having(solved > 0)
            .order_by(solved.desc(), func.count(), players.c.id)
            .limit(limit)
        )
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        names = distinguish((row.id, row.name) for row in sorted(rows, key=lambda row: row.id))
        return [Solver(row.id, names[row.id], row.solved, row.tries) for row in rows]

    def count_answers(self, since: float) -> int:
        """Return the number of first answers since a time (in seconds)."""
        wanted = select(func.count()).select_from(puzzle_answers).where(puzzle_answers.c.at >= since)
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).scalar_one()

    def answer(self, player_id: str, puzzle: Puzzle, keys: Keys) -> FirstAnswer:
        """Write down and rate a player's answer; return the first one, if there was one before."""
        known = self.answers(player_id).get(puzzle.id)
        if known is not None:
            return known
        is_solved = keys == puzzle.best.keys
        try:
            with self._shared.database.writing() as connection:
                text = msgspec.json.encode(keys).decode()
                row = {"puzzle": puzzle.id, "player": player_id, "answer": text, "solved": is_solved, "at": now()}
                connection.execute(insert(puzzle_answers), row)
                _rate(connection, player_id, puzzle, is_solved)
        except (IntegrityError, WriteConflict):  # another tab was faster
            known = self.answers(player_id).get(puzzle.id)
            if known is None:
                raise
            return known
        return FirstAnswer(keys, is_solved)


def _rate(connection: Connection, player_id: str, puzzle: Puzzle, is_solved: bool) -> None:
    """Rate a player against a puzzle: who solves it has won."""
    mine, is_new = _player_rating(connection, player_id, puzzle.game.key)
    its, score = _puzzle_rating(connection, puzzle), float(is_solved)
    after, harder = rate(mine, [(its.rating, score)]), rate(its.rating, [(mine, 1 - score)])
    here = (puzzle_ratings.c.game == puzzle.game.key, puzzle_ratings.c.player == player_id)
    values = {**after._asdict(), "at": now()}
    if is_new:
        connection.execute(insert(puzzle_ratings), {"game": puzzle.game.key, "player": player_id, **values})
    else:
        connection.execute(update(puzzle_ratings).where(*here).values(values))
    connection.execute(delete(puzzles).where(puzzles.c.puzzle == puzzle.id))
    counts = {"tries": its.tries + 1, "solved": its.solved + is_solved}
    connection.execute(insert(puzzles), {"puzzle": puzzle.id, **harder._asdict(), **counts})


def _puzzle_rating(connection: Connection, puzzle: Puzzle) -> PuzzleRating:
    row = connection.execute(select(puzzles).where(puzzles.c.puzzle == puzzle.id)).one_or_none()
    if row is None:
        return PuzzleRating(expected_rating(puzzle))
    return PuzzleRating(Rating(row.rating, row.deviation, row.volatility), row.tries, row.solved)


def _player_rating(connection: Connection, player_id: str, game: str) -> tuple[Rating, bool]:
    """Return a player's rating as it is now, and whether it is that of a newcomer."""
    wanted = select(puzzle_ratings).where(puzzle_ratings.c.game == game, puzzle_ratings.c.player == player_id)
    row = connection.execute(wanted).one_or_none()
    if row is None:
        return Rating(), True
    known = Rating(row.rating, row.deviation, row.volatility)
    return after_a_break(known, max(0.0, now() - row.at) / PERIOD), False


def _keys(text: str) -> Keys:
    return msgspec.json.decode(text, type=Keys)
