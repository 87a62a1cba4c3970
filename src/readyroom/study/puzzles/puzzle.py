"""Puzzles and the files that keep them: matches as seed and answers, and of each puzzle its place in one.

A file has the matches that its puzzles are from, up to their last puzzle. It applies to one version of a game's rules
and figures; with others it has no puzzles, until `readyroom puzzles find` is run again.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from readyroom.bots.rollouts import Keys
from readyroom.bots.statistics import Interval
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.files import atomic_write
from readyroom.engine.game import Game, Seat, game_names, load_game, sides
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option

SETS = "sets"
"""The folder of the shipped files."""
SUFFIX = ".json.xz"
PICK = "Which answer is best?"
"""The question of a puzzle in which not every legal answer was measured."""


class NoSuchPuzzle(ReadyRoomError):
    """There is no puzzle of this name."""

    def __init__(self, id: str) -> None:
        super().__init__(f"There is no puzzle {id!r}.")


class NoPuzzles(ReadyRoomError):
    """A game has no puzzles, or its file is of other rules or figures."""

    def __init__(self, game: str) -> None:
        super().__init__(f"There are no puzzles for {game} as installed; `readyroom puzzles find {game}` makes some.")


class Answer(msgspec.Struct, frozen=True):
    """One answer of a puzzle, and how it differs from the best one (zero for that): a negative mean with its interval.

    `rounds` is how often it was played out. `utility` is what the best one is worth. `why` is the match statistic in
    which it differs most from the best one. `bots` is the share of the answers of the game's bots that are this one.
    """

    keys: Keys
    rounds: int
    loss: Interval
    utility: float = 0.0
    why: str = ""
    bots: float = 0.0


class PuzzleSpec(msgspec.Struct, frozen=True):
    """A puzzle in a file.

    Attributes:
        position: a hash of what the seat knows, and of the question.
        match: the number of the match that it is from.
        at: how many decisions come before it there.
        seat, rule, turn: of the decision.
        is_complete: whether the answers are all legal ones.
        answers: what was measured, the best first.
    """

    position: str
    match: int
    at: int
    seat: str
    rule: str
    turn: int
    is_complete: bool
    answers: list[Answer]


class SourceMatch(msgspec.Struct, frozen=True):
    """A match with default options: its scenario and seed, who played, and the answer to each decision."""

    scenario: str
    seed: str
    bots: dict[str, str]
    answers: list[tuple[str, Keys]]


class PuzzleSet(msgspec.Struct, kw_only=True):
    """The content of a file; `searched` is how many matches were looked through, `stages` how far decisions came."""

    game: str
    version: str
    figures: str
    command: str
    searched: int = 0
    stages: dict[str, int] = {}
    matches: list[SourceMatch] = []
    puzzles: list[PuzzleSpec] = []

    def fits(self, game: Game[Any, Any]) -> bool:
        """Return whether it is of a game's installed rules and figures."""
        return (self.game, self.version, self.figures) == (game.key, game.version, game.data_fingerprint)


class Puzzle(NamedTuple):
    """A puzzle with its id, which names the game and a hash of the position."""

    id: str
    game: Game[Any, Any]
    source: SourceMatch
    spec: PuzzleSpec

    @property
    def best(self) -> Answer:
        """The answer that solves it."""
        return self.spec.answers[0]

    @property
    def is_win_chance(self) -> bool:
        """Whether utilities are win chances; otherwise they rate the endings of a game for one side."""
        return len(sides(seats_of(self))) > 1

    def match(self, *, log: bool = True) -> Match[Any, Any]:
        """Return the match at the puzzle's decision."""
        return match_at(self.game, self.source, self.spec.at, log=log)

    def choices(self, decision: Decision) -> list[Answer]:
        """Return the answers in an order that says nothing of which is best: that of the options."""
        place = {key: at for at, key in enumerate(decision.keys)}
        return sorted(self.spec.answers, key=lambda one: ([place[key] for key in one.keys], one.keys))

    def is_pick(self, decision: Decision) -> bool:
        """Return whether one of the listed answers is picked, because the decision has others, or many in one form."""
        return not self.spec.is_complete or decision.kind is not DecisionKind.ONE

    def question(self, decision: Decision) -> Decision:
        """Return the decision to answer: the match's own, or a choice of one of the answers."""
        if not self.is_pick(decision):
            return decision
        options = [
            Option(f"answer-{at}", decision.describe_answer(one.keys, None))
            for at, one in enumerate(self.choices(decision), start=1)
        ]
        return Decision(DecisionKind.ONE, decision.seat, decision.rule, f"{decision.question} {PICK}", options, 1, 1)

    def answer(self, decision: Decision, keys: Sequence[str]) -> Answer:
        """Return what an answer to `question` stands for; raise `IllegalChoice`."""
        chosen = self.question(decision).accept(list(keys))[0]
        choices = self.choices(decision)
        if self.is_pick(decision):
            return choices[int(chosen[0].rpartition("-")[2]) - 1]
        return next(one for one in choices if one.keys == chosen)


def match_at(game: Game[Any, Any], source: SourceMatch, at: int, *, log: bool = True) -> Match[Any, Any]:
    """Return a match before a decision."""
    scenario, options = game.scenario(source.scenario), game.resolve({})
    match: Match[Any, Any] = Match(game, scenario, options, seed=source.seed, log=log)
    for seat, keys in source.answers[:at]:
        match.decide(seat, keys)
    return match


def seats_of(puzzle: Puzzle) -> Sequence[Seat]:
    """Return the seats of a puzzle's match."""
    game = puzzle.game
    return game.rules.seats(game.scenario(puzzle.source.scenario), game.resolve({}))


def seat_of(puzzle: Puzzle) -> Seat:
    """Return the seat that answers."""
    return next(seat for seat in seats_of(puzzle) if seat.key == puzzle.spec.seat)


# -- files -----------------------------------------------------------------------------------------------------------


def decode(content: bytes) -> PuzzleSet:
    """Return what a file contains."""
    return msgspec.json.decode(lzma.decompress(content), type=PuzzleSet)


def save(path: Path, found: PuzzleSet) -> None:
    """Write a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write(lzma.compress(msgspec.json.encode(found), preset=9))


@lru_cache(maxsize=32)
def shipped(game: str) -> PuzzleSet | None:
    """Return the file that the program comes with; None if there is none for this game."""
    file = files(__package__) / SETS / f"{game}{SUFFIX}"
    return decode(file.read_bytes()) if file.is_file() else None


def puzzle_games() -> list[str]:
    """Return the installed games that have puzzles."""
    return [name for name in game_names() if puzzles_of(name)]


@lru_cache(maxsize=32)
def puzzles_of(name: str) -> Mapping[str, Puzzle]:
    """Return the puzzles of an installed game by their ids; none if the file is of other rules or figures."""
    found, game = shipped(name), load_game(name)
    return numbered(found, game) if found is not None and found.fits(game) else {}


def numbered(found: PuzzleSet, game: Game[Any, Any]) -> dict[str, Puzzle]:
    """Return the puzzles of a file by their ids."""
    each = [Puzzle(f"{game.key}-{s.position}", game, found.matches[s.match], s) for s in found.puzzles]
    return {puzzle.id: puzzle for puzzle in each}


def position_hash(match: Match[Any, Any], decision: Decision) -> str:
    """Return a hash of a position as its seat knows it, and of the question."""
    known = msgspec.json.encode((match.view(decision.seat), decision.question, decision.keys))
    return blake2b(known, digest_size=4).hexdigest()


def find_puzzle(id: str) -> Puzzle:
    """Return a puzzle by its id; raise `NoSuchPuzzle`."""
    name = id.rpartition("-")[0]
    if name not in game_names() or id not in puzzles_of(name):
        raise NoSuchPuzzle(id)
    return puzzles_of(name)[id]
