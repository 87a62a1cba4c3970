"""Puzzles."""

from __future__ import annotations

import msgspec
from litestar import get, post

from readyroom.store import Store
from readyroom.study.puzzles.puzzle import Puzzle, find_puzzle, puzzles_of
from readyroom.web import catalog
from readyroom.web.api.challenge import player_of_token
from readyroom.web.api.request_models import PuzzleAnswer
from readyroom.web.api.response_models import PuzzleModel, PuzzleRated, PuzzleResult, PuzzleSolution
from readyroom.web.api.schema import OF_ANYBODY, refusals
from readyroom.web.pages.games.puzzles import chosen_answer, position
from readyroom.web.rendering import AppRequest


@get("/puzzles", sync_to_thread=True, summary="List puzzles", responses=refusals(404))
def list_puzzles(store: Store, game: str) -> list[PuzzleRated]:
    """List the puzzles of a game with their ratings."""
    known = puzzles_of(catalog.find(game).key)
    return [
        PuzzleRated(key, each.rating.rating, each.rating.deviation, each.tries, each.solved)
        for key, each in store.puzzles.ratings(known.values()).items()
    ]


@get("/puzzles/{id:str}", sync_to_thread=True, summary="Get a puzzle", responses=refusals(404))
def one_puzzle(id: str) -> PuzzleModel:
    """Get the position of a puzzle as its seat knows it, and the question."""
    puzzle, known = find_puzzle(id), position(id)
    return PuzzleModel(
        puzzle.id,
        puzzle.game.key,
        puzzle.source.scenario,
        puzzle.spec.seat,
        msgspec.to_builtins(known.view),
        known.asked,
    )


@post(
    "/puzzles/{id:str}",
    sync_to_thread=True,
    status_code=200,
    security=OF_ANYBODY,
    summary="Answer a puzzle",
    responses=refusals(401, 403, 404, 413, 422),
)
def answer_puzzle(request: AppRequest, store: Store, id: str, data: PuzzleAnswer) -> PuzzleResult:
    """Answer a puzzle, and get the solution.

    With the secret of any seat of a program as a bearer token the first answer of that seat's player counts, otherwise
    none.
    """
    puzzle = find_puzzle(id)
    chosen, player = chosen_answer(puzzle, data.keys), player_of_token(request, store)
    first = store.puzzles.answer(player.id, puzzle, chosen.keys) if player is not None else None
    keys = chosen.keys if first is None else first.keys
    return PuzzleResult(keys == puzzle.best.keys, list(keys), first is not None, _solution(puzzle))


def _solution(puzzle: Puzzle) -> list[PuzzleSolution]:
    return [
        PuzzleSolution(list(one.keys), one.loss.mean, one.loss.low, one.loss.high, one.rounds, one.why)
        for one in puzzle.spec.answers
    ]
