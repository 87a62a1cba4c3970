"""Trying answers out: in positions that a seat could not tell from the true one, under the same dice for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import perf_counter
from typing import Any

from readyroom.bots.playing import Unfinished, play_on, random_bot
from readyroom.engine.decisions import Choose, Decision
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Bot, Game, Look
from readyroom.engine.match import Match, Sight

Maker = Callable[[str, Random], Bot]
Keys = tuple[str, ...]
RANDOM = "random"
"""The bot that answers at random: the usual doctrine of a game that has none."""
PRIOR = 0.3
"""The square of a difference as it is expected before anything is known of it."""
BETWEEN_MATCHES = 0.1
"""The mean square of the differences in worth between matches with the same dice, about as the games have it."""
TAKEN_OUT, PUT_IN = 0.7, 0.6
"""How often a small change of an answer takes a key out, and how often it then puts another in its place."""


@dataclass
class Thought:
    """An answer, the doctrine that is followed after it, and how it has done beside the usual one.

    `gain` and `squares` are the sums of the differences in worth and of their squares, over `weight` trials. `booked`
    is the number of matches in which long studies have tried the doctrine, `known` the sum of its gains there; that
    stands.
    """

    answer: Keys
    maker: Maker
    name: str = ""
    weight: float = 0.0
    gain: float = 0.0
    squares: float = 0.0
    booked: float = 0.0
    known: float = 0.0

    def learn(self, difference: float) -> None:
        """Take one more trial into account."""
        self.weight += 1.0
        self.gain += difference
        self.squares += difference * difference

    def forget(self, kept: float) -> None:
        """Let what was learned before count for less."""
        self.weight, self.gain, self.squares = self.weight * kept, self.gain * kept, self.squares * kept

    def promise(self, caution: float, doubt: float) -> float:
        """How much better than the usual answer it is with some certainty; `doubt` are trials against it."""
        weight = self.weight + self.booked
        if not weight:
            return 0.0
        squares = self.squares + BETWEEN_MATCHES * self.booked + PRIOR
        return (self.gain + self.known - caution * sqrt(squares)) / (weight + doubt)


@dataclass(frozen=True)
class Trials:
    """What answers of a seat come to: each is followed by a doctrine, and the others fight as they usually do.

    Args:
        game: the game.
        seat: whose answers are tried.
        usual: the doctrine that everybody else follows.
        side: the side that the seat plays for.
    """

    game: Game[Any, Any]
    seat: str
    usual: Maker
    side: str

    def worth(self, thought: Thought, look: Sight, seed: float, until: float) -> float | None:
        """What the match comes to in the position, and with the dice, of this seed; None where the time is over.

        An answer that cannot be carried out there comes to nothing.
        """
        ended = self.ended(thought, look, seed, until)
        if ended is None or ended.outcome is None:
            return None if ended is None else 0.0
        return self.game.worth(ended.outcome, self.side)

    def ended(self, thought: Thought, look: Sight, seed: float, until: float) -> Match[Any, Any] | None:
        """The imagined match at its end; None where the time is over before that."""
        if perf_counter() > until:
            return None
        match = look.imagine(Random(seed))
        try:
            match.decide(self.seat, thought.answer)
            play_on(match, self._staff(match, thought, seed), until)
        except Unfinished:
            return None
        except ReadyRoomError:
            pass
        return match

    def _staff(self, match: Match[Any, Any], thought: Thought, seed: float) -> dict[str, Bot]:
        return {
            seat.key: (thought.maker if seat.side == self.side else self.usual)(seat.key, Random(f"{seed} {seat.key}"))
            for seat in match.seats
        }


def makers_of(game: Game[Any, Any], side: str) -> dict[str, Maker]:
    """The doctrines and then the named plans of a side, by name; the usual doctrine first.

    In a game without doctrines chance is the usual one.
    """
    plans = {f"plan {key}": plan.bot for key, plan in game.plans().get(side, {}).items()}
    return {**(game.bots or {RANDOM: by_chance}), **plans}


def usual_of(game: Game[Any, Any]) -> Maker:
    """The doctrine that everybody follows of whom nothing else is known."""
    return next(iter(game.bots.values()), by_chance)


def by_chance(seat: str, random: Random) -> Bot:
    """A bot that answers at random."""
    return random_bot(random)


def answer_of(decision: Decision, player: Bot, look: Look) -> Keys | None:
    """What a bot answers, which may be to choose nothing; None where that is not legal."""
    try:
        return decision.accept(tuple(player(decision, look)))[0]
    except (ReadyRoomError, LookupError, ValueError):
        return None


def single(decision: Decision, thought_of: set[Keys], most: int) -> Iterator[Keys]:
    """The options that nobody has thought of, where one of `most` or fewer is to be chosen."""
    if decision.kind is Choose.ONE and len(decision.values) <= most:
        yield from ((key,) for key in decision.keys if (key,) not in thought_of)


def changed(decision: Decision, usual: Keys, thought_of: set[Keys], count: int, random: Random) -> Iterator[Keys]:
    """A few answers that differ a little from the usual one, where some are to be chosen or points to be allotted."""
    if decision.kind is Choose.ONE:
        return
    for _ in range(3 * count):
        keys = _other(decision, usual, random)
        if keys not in thought_of and _fits(decision, keys):
            thought_of.add(keys)
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


def in_turn(others: Sequence[Thought], number: int, part: int = 2) -> Iterator[Thought]:
    """Whom to try next: everybody at first; then the better half again and again, and one of the rest by turns.

    `part`: a third instead of a half, or a fourth, and so on.
    """
    if number == 0:
        yield from others
        return
    ranked = sorted(others, key=lambda thought: -thought.promise(0.0, 1.0))
    better = -(-len(ranked) // part)
    yield from ranked[:better]
    if rest := ranked[better:]:
        yield rest[number % len(rest)]
