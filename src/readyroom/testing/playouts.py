"""Random playouts, and a watch that stands at every phase boundary of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import msgspec

from readyroom.engine.dice import KeyedDice, key_of, secret_of_seed
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.state import At, Outcome, iter_pieces

AnyGame = Game[Any, Any]
AnyMatch = Match[Any, Any]
DECISIONS = 20_000
"""A playout of more decisions than this does not end."""
PHASES = 20_000
"""So many phases in a row without a decision do not end either."""


class PlayoutTooLong(ReadyRoomError):
    """A playout that does not end."""


class NextPhaseChanges(ReadyRoomError):
    """Asking for the next phase changed the state."""


class PlayedAnswer(NamedTuple):
    """An answer that was given: the seat and its keys."""

    seat: str
    keys: Sequence[str]


def counters(match: AnyMatch) -> Counter[str]:
    """The keys of a match's counters, each as often as it lies somewhere."""
    return Counter(piece.key for piece in iter_pieces(match.state))


def play_on(
    match: AnyMatch, random: Random, *, upto: int | None = None, cap: int = DECISIONS
) -> Iterator[PlayedAnswer]:
    """Answer at random, yielding each answer before it is given, until the match is over or `upto` decisions stand.

    Raises:
        Endless: after more than `cap` decisions.
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
    """The random playout of this seed, as far as `upto` decisions (None: to its end).

    Raises:
        Endless: after more than `cap` decisions.
    """
    match = Match(game, scenario, options, seed)
    for _ in play_on(match, Random(seed), upto=upto, cap=cap):
        pass
    return match


def transcript(
    game: AnyGame, scenario: str | None = None, options: Mapping[str, str] | None = None, seed: str = "a playout"
) -> str:
    """A playout as text: its record, its whole log and its final digest. Another process must write the same."""
    match = playout(game, scenario, options, seed)
    log = "".join(f"{line.plain()} {line.audience}\n" for line in match.full_log)
    views = "".join(f"{msgspec.json.encode(match.view(seat.key)).decode()}\n" for seat in match.seats)
    return f"{match.record()}{log}{views}{match.digest()}\n"


class CountingDice(KeyedDice):
    """The dice of a seed that count how often they were thrown or drawn from."""

    __slots__ = ("thrown",)

    def __init__(self, seed: str) -> None:
        super().__init__(key_of(secret_of_seed(seed), {}))
        self.thrown = 0

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """As the dice of the seed show it."""
        self.thrown += 1
        return super().roll(event, count, sides, start)

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """As the dice of the seed draw it."""
        self.thrown += 1
        return super().pick(event, keys)


class Boundary(NamedTuple):
    """A phase boundary: how many decisions came before it, and the encoded state."""

    position: int
    state: bytes


class BoundaryRecorder:
    """A game that tells what happens at its phase boundaries.

    `game` is the game to play; before each answer the player sets `position` to the number that it will have. `been`
    has the phases that were entered, `repeated` those that were entered again, and, where it keeps them, `boundaries`
    the encoded states.
    """

    def __init__(self, game: AnyGame) -> None:
        self._next: Callable[[Any], At | Outcome] = game.next_phase
        self.game = replace(game, next_phase=self._boundary)
        self.reset(keeping=False)

    def reset(self, *, keeping: bool) -> None:
        """Begin a new playout."""
        self.position, self._stood, self._idle, self._keeping, self._aside = 0, 0, 0, keeping, False
        self.been: set[At] = set()
        self.repeated: list[At] = []
        self.boundaries: list[Boundary] = []

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is played meanwhile, on copies, is not noted."""
        self._aside, self._idle = True, 0
        try:
            yield
        finally:
            self._aside, self._idle = False, 0

    def _boundary(self, state: Any) -> At | Outcome:
        self._tire()
        if self._aside:
            return self._next(state)
        kept = self.game.encode(state) if self._keeping else b""
        at = self._next(state)
        if self._keeping:
            self._keep(state, kept)
        if isinstance(at, At):
            if at in self.been:
                self.repeated.append(at)
            self.been.add(at)
        return at

    def _keep(self, state: Any, kept: bytes) -> None:
        self.boundaries.append(Boundary(self.position, kept))
        if self.game.encode(state) != kept:
            raise NextPhaseChanges("asking for the next phase changed the state")

    def _tire(self) -> None:
        self._idle = self._idle + 1 if self.position == self._stood else 0
        self._stood = self.position
        if self._idle > PHASES:
            raise PlayoutTooLong(f"{PHASES} phases went by without a decision")
