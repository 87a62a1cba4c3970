"""Trying answers out: in positions that a seat could not tell from the true one, under the same dice for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import perf_counter
from typing import Any

from readyroom.bots.playing import Unfinished, play_on, random_bot
from readyroom.engine.decisions import Decision, DecisionKind
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Bot, Game, ViewFn
from readyroom.engine.match import BotView, Match

PolicyFactory = Callable[[str, Random], Bot]
Keys = tuple[str, ...]
RANDOM = "random"
"""The bot that answers at random: the usual doctrine of a game that has none."""
PRIOR = 0.3
"""The square of a difference as it is expected before anything is known of it."""
SPREAD_BETWEEN_MATCHES = 0.1
"""The mean square of the differences in worth between matches with the same dice, about as the games have it."""
TAKEN_OUT, PUT_IN = 0.7, 0.6
"""How often a small change of an answer takes a key out, and how often it then puts another in its place."""


@dataclass
class Candidate:
    """An answer, the doctrine that is followed after it, and how it has done beside the usual one.

    `gain` and `squares` are the sums of the differences in worth and of their squares, over `weight` trials. `booked`
    is the number of matches in which long studies have tried the doctrine, `known` the sum of its gains there; that
    stands.
    """

    answer: Keys
    maker: PolicyFactory
    name: str = ""
    weight: float = 0.0
    gain: float = 0.0
    sum_of_squares: float = 0.0
    book_games: float = 0.0
    known: float = 0.0

    def add_sample(self, difference: float) -> None:
        """Take one more trial into account."""
        self.weight += 1.0
        self.gain += difference
        self.sum_of_squares += difference * difference

    def decay(self, kept: float) -> None:
        """Let what was learned before count for less."""
        self.weight, self.gain, self.sum_of_squares = self.weight * kept, self.gain * kept, self.sum_of_squares * kept

    def lower_bound(self, caution: float, doubt: float) -> float:
        """How much better than the usual answer it is with some certainty; `doubt` are trials against it."""
        weight = self.weight + self.book_games
        if not weight:
            return 0.0
        squares = self.sum_of_squares + SPREAD_BETWEEN_MATCHES * self.book_games + PRIOR
        return (self.gain + self.known - caution * sqrt(squares)) / (weight + doubt)


@dataclass(frozen=True)
class Rollouts:
    """What answers of a seat come to: each is followed by a doctrine, and the others fight as they usually do.

    Args:
        game: the game.
        seat: whose answers are tried.
        usual: the doctrine that everybody else follows.
        side: the side that the seat plays for.
    """

    game: Game[Any, Any]
    seat: str
    baseline: PolicyFactory
    side: str

    def utility(self, thought: Candidate, look: BotView, seed: float, until: float) -> float | None:
        """What the match comes to in the position, and with the dice, of this seed; None where the time is over.

        An answer that cannot be carried out there comes to nothing.
        """
        ended = self.ended(thought, look, seed, until)
        if ended is None or ended.outcome is None:
            return None if ended is None else 0.0
        return self.game.utility(ended.outcome, self.side)

    def ended(self, thought: Candidate, look: BotView, seed: float, until: float) -> Match[Any, Any] | None:
        """The imagined match at its end; None where the time is over before that."""
        if perf_counter() > until:
            return None
        match = look.imagine(Random(seed))
        try:
            match.decide(self.seat, thought.answer)
            play_on(match, self._players(match, thought, seed), until)
        except Unfinished:
            return None
        except ReadyRoomError:
            pass
        return match

    def _players(self, match: Match[Any, Any], thought: Candidate, seed: float) -> dict[str, Bot]:
        return {
            seat.key: (thought.maker if seat.side == self.side else self.baseline)(
                seat.key, Random(f"{seed} {seat.key}")
            )
            for seat in match.seats
        }


def policies_for(game: Game[Any, Any], side: str) -> dict[str, PolicyFactory]:
    """The doctrines and then the named plans of a side, by name; the usual doctrine first.

    In a game without doctrines chance is the usual one.
    """
    plans = {f"plan {key}": plan.bot for key, plan in game.plans().get(side, {}).items()}
    return {**(game.bots or {RANDOM: by_chance}), **plans}


def baseline_policy(game: Game[Any, Any]) -> PolicyFactory:
    """The doctrine that everybody follows of whom nothing else is known."""
    return next(iter(game.bots.values()), by_chance)


def by_chance(seat: str, random: Random) -> Bot:
    """A bot that answers at random."""
    return random_bot(random)


def answer_of(decision: Decision, player: Bot, look: ViewFn) -> Keys | None:
    """What a bot answers, which may be to choose nothing; None where that is not legal."""
    try:
        return decision.accept(tuple(player(decision, look)))[0]
    except (ReadyRoomError, LookupError, ValueError):
        return None


def single_options(decision: Decision, known: set[Keys], most: int) -> Iterator[Keys]:
    """The options that nobody has thought of, where one of `most` or fewer is to be chosen."""
    if decision.kind is DecisionKind.ONE and len(decision.values) <= most:
        yield from ((key,) for key in decision.keys if (key,) not in known)


def mutations(decision: Decision, usual: Keys, known: set[Keys], count: int, random: Random) -> Iterator[Keys]:
    """A few answers that differ a little from the usual one, where some are to be chosen or points to be allotted."""
    if decision.kind is DecisionKind.ONE:
        return
    for _ in range(3 * count):
        keys = _other(decision, usual, random)
        if keys not in known and _fits(decision, keys):
            known.add(keys)
            count -= 1
            yield keys
        if not count:
            return


def _other(decision: Decision, usual: Keys, random: Random) -> Keys:
    """The usual answer with one key taken out, put in, or put in the place of another."""
    keys, more = list(usual), [key for key in decision.keys if key not in usual]
    if keys and random.random() < TAKEN_OUT:
        keys.pop(int(random.random() * len(keys)))
    if more and (len(keys) == len(usual) or random.random() < PUT_IN):
        keys.append(more[int(random.random() * len(more))])
    return tuple(keys)


def _fits(decision: Decision, keys: Keys) -> bool:
    try:
        decision.accept(keys)
    except ReadyRoomError:
        return False
    return True


def next_candidate(others: Sequence[Candidate], number: int, part: int = 2) -> Iterator[Candidate]:
    """Whom to try next: everybody at first; then the better half again and again, and one of the rest by turns.

    `part`: a third instead of a half, or a fourth, and so on.
    """
    if number == 0:
        yield from others
        return
    ranked = sorted(others, key=lambda thought: -thought.lower_bound(0.0, 1.0))
    better = -(-len(ranked) // part)
    yield from ranked[:better]
    if rest := ranked[better:]:
        yield rest[number % len(rest)]
