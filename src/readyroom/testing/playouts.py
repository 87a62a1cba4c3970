"""Random playouts, and a recorder of their phase boundaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import msgspec

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.rules.dice import KeyedDice, key_of, secret_of_seed
from readyroom.engine.rules.state import At, Outcome, iter_pieces

AnyGame = Game[Any, Any]
AnyMatch = Match[Any, Any]
DECISIONS = 20_000
"""A playout with more decisions counts as endless."""
PHASES = 20_000
"""So does one with more phases in a row without a decision."""


class PlayoutTooLong(ReadyRoomError):
    """A playout that does not end."""


class NextPhaseChanges(ReadyRoomError):
    """Asking for the next phase changed the state."""


class PlayedAnswer(NamedTuple):
    """An answer: the seat and its keys."""

    seat: str
    keys: Sequence[str]


def counters(match: AnyMatch) -> Counter[str]:
    """Return the keys of a match's counters with their numbers of places."""
    return Counter(piece.key for piece in iter_pieces(match.state))


def play_on(
    match: AnyMatch, random: Random, *, upto: int | None = None, cap: int = DECISIONS
) -> Iterator[PlayedAnswer]:
    """Answer at random until the match is over or has `upto` decisions; yield each answer before it is given.

    Raises:
        PlayoutTooLong: after more than `cap` decisions.
    """
    while match.outcome is None and (upto is None or match.decision_count < upto):
        if match.decision_count >= cap:
            raise PlayoutTooLong(f"the playout has not ended after {cap} decisions")
        pending = match.pending
        seat = next(iter(pending)) if len(pending) == 1 else random.choice(list(pending))
        taken = PlayedAnswer(seat, pending[seat].sample(random))
        yield taken
        match.decide(*taken)


def playout(
    game: AnyGame,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    seed: str = "a playout",
    *,
    upto: int | None = None,
    cap: int = DECISIONS,
) -> AnyMatch:
    """Return the random playout of a seed, up to `upto` decisions (None: to its end).

    Raises:
        PlayoutTooLong: after more than `cap` decisions.
    """
    match = Match(game, scenario, options, seed)
    for _ in play_on(match, Random(seed), upto=upto, cap=cap):
        pass
    return match


def transcript(
    game: AnyGame, scenario: str | None = None, options: Mapping[str, str] | None = None, seed: str = "a playout"
) -> str:
    """Return a playout as text: record, full log, views and digest. Another process must write the same."""
    match = playout(game, scenario, options, seed)
    log = "".join(f"{line.plain()} {line.audience}\n" for line in match.full_log)
    views = "".join(f"{msgspec.json.encode(match.view(seat.key)).decode()}\n" for seat in match.seats)
    return f"{match.record()}{log}{views}{match.digest()}\n"


class CountingDice(KeyedDice):
    """Seeded dice that count rolls and draws."""

    __slots__ = ("rolls",)

    def __init__(self, seed: str) -> None:
        super().__init__(key_of(secret_of_seed(seed), {}))
        self.rolls = 0

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """Roll and count."""
        self.rolls += 1
        return super().roll(event, count, sides, start)

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """Draw and count."""
        self.rolls += 1
        return super().pick(event, keys)


class Boundary(NamedTuple):
    """A phase boundary: the number of decisions before it, and the encoded state."""

    position: int
    state: bytes


class BoundaryRecorder:
    """A wrapper of a game that records its phase boundaries.

    `game` is the game to play; before each answer the player sets `position` to its number. `been` has the phases
    entered, `repeated` those entered again, and `boundaries` the encoded states if they are kept.
    """

    def __init__(self, game: AnyGame) -> None:
        self._next: Callable[[Any], At | Outcome] = game.rules.next_phase
        self.game = replace(game, rules=replace(game.rules, next_phase=self._boundary))
        self.reset(keeping=False)

    def reset(self, *, keeping: bool) -> None:
        """Start a new playout."""
        self.position, self._last_position, self._idle, self._keeping, self._paused = 0, 0, 0, keeping, False
        self.been: set[At] = set()
        self.repeated: list[At] = []
        self.boundaries: list[Boundary] = []

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not record what is played on copies."""
        self._paused, self._idle = True, 0
        try:
            yield
        finally:
            self._paused, self._idle = False, 0

    def _boundary(self, state: Any) -> At | Outcome:
        self._check_progress()
        if self._paused:
            return self._next(state)
        kept = self.game.encode(state) if self._keeping else b""
        at = self._next(state)
        if self._keeping:
            self.boundaries.append(Boundary(self.position, kept))
            if self.game.encode(state) != kept:
                raise NextPhaseChanges("asking for the next phase changed the state")
        if isinstance(at, At):
            if at in self.been:
                self.repeated.append(at)
            self.been.add(at)
        return at

    def _check_progress(self) -> None:
        self._idle = self._idle + 1 if self.position == self._last_position else 0
        self._last_position = self.position
        if self._idle > PHASES:
            raise PlayoutTooLong(f"{PHASES} phases went by without a decision")
