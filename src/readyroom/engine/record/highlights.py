"""What is worth showing of a finished match: its turning points, its scores over the turns, and the decisive scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from readyroom.engine.game import Game, MatchView
from readyroom.engine.match import Match
from readyroom.engine.record.positions import ReplayIndex
from readyroom.engine.record.turning_points import KeyMoment, ScorePoint, lead_taken, turning_points
from readyroom.engine.rules.state import At, Outcome


class Scene(msgspec.Struct, frozen=True):
    """A position of a match to be drawn: the state after a decision, and the key of what it is about, if anything.

    It holds what only one side may know: draw it by `view`.
    """

    number: int
    target: str
    deciding: tuple[str, ...]
    outcome: Outcome | None
    state: bytes

    def view(self, game: Game[Any, Any], scenario: str, seat: str | None, side: str | None) -> MatchView[Any]:
        """Return the scene from a seat of this side (None: a spectator), open if its game has such a view.

        `scenario` is the title of the scenario.
        """
        state = game.restore_state(self.state)
        at: At = state.at
        shown = at if self.outcome is not None else game.shown_at(at, side, self.deciding)
        table = (game.rules.open_view or game.rules.view)(state, game.data, seat)
        return MatchView(game.key, scenario, seat, shown.turn, shown.phase, self.outcome, table, {})


class Highlights(msgspec.Struct, frozen=True):
    """The turning points, the scores in order, and the scene of the decisive turning point, or else of the end."""

    moments: list[KeyMoment]
    scores: list[ScorePoint]
    scene: Scene


def find_highlights(index: ReplayIndex, game: Game[Any, Any]) -> Highlights:
    """Return the highlights of a finished match. `InvalidRecord`."""
    ending = index.parsed.ending
    winner = ending.outcome.winner if ending is not None else None
    moments = list(turning_points(index.moments, index.scores, winner))
    taken = lead_taken(index.scores, winner)
    decisive = max(
        moments, key=lambda one: (bool(one.target), one.number == taken, one.swing, one.rank, one.number), default=None
    )
    match = index.match_at(decisive.number if decisive is not None else index.revision, game)
    return Highlights(moments, index.scores, _scene(match, decisive.target if decisive is not None else ""))


def _scene(match: Match[Any, Any], target: str) -> Scene:
    state = match.game.encode(match.state)
    return Scene(match.revision, target, tuple(sorted(match.deciding_sides)), match.outcome, state)


def rules_hash(game: Game[Any, Any]) -> str:
    """Return a hash of the rules that replay a match: of the code and data of the engine and of the game."""
    return _hash(("readyroom.engine", *game.packages), game.data_fingerprint)


@lru_cache(maxsize=64)
def _hash(packages: Sequence[str], data: str) -> str:
    digest = blake2b(data.encode(), digest_size=16)
    for package in packages:
        for file in _sources(files(package)):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _sources(folder: Traversable) -> Iterator[Traversable]:
    for part in sorted(folder.iterdir(), key=lambda one: one.name):
        if part.is_dir():
            yield from _sources(part)
        elif part.name.endswith((".py", ".toml")):
            yield part
