"""Rollouts: try answers in imagined positions that a seat cannot distinguish from the true one, with common dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from readyroom.bots.playing import Unfinished, play_on, random_bot
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Bot, Game, ViewFn
from readyroom.engine.match import BotView, Match
from readyroom.engine.rules.decisions import Decision, DecisionKind

if TYPE_CHECKING:
    from readyroom.bots.beliefs import Beliefs
    from readyroom.bots.values import Values

PolicyFactory = Callable[[str, Random], Bot]
Keys = tuple[str, ...]
RANDOM = "random"
"""The bot that answers at random: the default of a game without bots."""
PRIOR = 0.3
"""The prior of a squared difference."""
SPREAD_BETWEEN_MATCHES = 0.1
"""The approximate mean square of utility differences between matches with the same dice."""
REMOVAL_RATE, INSERTION_RATE = 0.7, 0.6
"""The probability that a mutation removes a key, and that it then inserts another one."""


@dataclass
class Candidate:
    """An answer, the policy that plays on after it, and its results relative to the baseline.

    `gain` and `sum_of_squares` are the sums of the utility differences and of their squares, over `weight` rollouts.
    `book_games` is the number of matches in which long studies have tried the policy, `known` the sum of its gains
    there.
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
        """Add the difference of one rollout."""
        self.weight += 1.0
        self.gain += difference
        self.sum_of_squares += difference * difference

    def decay(self, kept: float) -> None:
        """Reduce the weight of earlier rollouts."""
        self.weight, self.gain, self.sum_of_squares = self.weight * kept, self.gain * kept, self.sum_of_squares * kept

    def lower_bound(self, caution: float, prior_weight: float) -> float:
        """Return a lower confidence bound of the gain; `prior_weight` is a number of rollouts with no gain."""
        weight = self.weight + self.book_games
        if not weight:
            return 0.0
        squares = self.sum_of_squares + SPREAD_BETWEEN_MATCHES * self.book_games + PRIOR
        return (self.gain + self.known - caution * sqrt(squares)) / (weight + prior_weight)


@dataclass(frozen=True)
class Rollouts:
    """Estimates the utility of a seat's answers: a policy plays on for its side, the baseline for the others.

    Args:
        game: the game.
        seat: the seat that answers.
        baseline: the policy of all other sides.
        side: the side that the seat plays for.
        values: estimates the utility where a rollout is cut.
        turns: after how many further turns it is cut; 0: it is played to the end.
    """

    game: Game[Any, Any]
    seat: str
    baseline: PolicyFactory
    side: str
    values: Values | None = None
    turns: int = 0

    def utility(self, candidate: Candidate, view: BotView, seed: float, until: float) -> float | None:
        """Return the utility of a rollout from the position and dice of this seed; None if time runs out.

        An answer that is not possible there has utility 0.
        """
        last_turn = view().turn + self.turns if self.values is not None and self.turns else None
        ended = self.ended(candidate, view, seed, until, last_turn)
        if ended is None:
            return None
        if ended.outcome is not None:
            return self.game.analysis.utility(ended.outcome, self.side)
        if self.values is not None and last_turn is not None and ended.state.at.turn > last_turn:
            return self.values.of_match(ended)[self.side]
        return 0.0

    def ended(
        self, candidate: Candidate, view: BotView, seed: float, until: float, last_turn: int | None = None
    ) -> Match[Any, Any] | None:
        """Return the imagined match at its end, or after a turn; None if time runs out."""
        if perf_counter() > until:
            return None
        match = view.imagine(Random(seed))
        try:
            match.decide(self.seat, candidate.answer)
            play_on(match, self._players(match, candidate, seed), until, last_turn)
        except Unfinished:
            return None
        except ReadyRoomError:
            pass
        return match

    def _players(self, match: Match[Any, Any], candidate: Candidate, seed: float) -> dict[str, Bot]:
        makers = {seat.key: candidate.maker if seat.side == self.side else self.baseline for seat in match.seats}
        return {seat: maker(seat, Random(f"{seed} {seat}")) for seat, maker in makers.items()}


def believe(game: Game[Any, Any], view: BotView) -> Beliefs | None:
    """Return what a seat may believe about what it cannot see; None if the game has nothing fitted."""
    if game.analysis.hidden is None:
        return None
    from readyroom.bots.beliefs import beliefs_at  # NumPy takes a while to load

    return beliefs_at(game, view)


def value_function(game: Game[Any, Any]) -> Values | None:
    """Return the values at which rollouts are cut; None if nothing is fitted to the game's rules and figures.

    Nor are they where the game declares no features: its values are too rough to compare answers.
    """
    if game.analysis.features is None:
        return None
    from readyroom.bots.values import values_of  # NumPy takes a while to load

    return values_of(game)


def policies_for(game: Game[Any, Any], side: str) -> dict[str, PolicyFactory]:
    """Return the bots and then the named plans of a side; the default bot first, or the random one."""
    plans = {f"plan {key}": plan.bot for key, plan in game.planning.plans().get(side, {}).items()}
    return {**(game.analysis.bots or {RANDOM: random_policy}), **plans}


def baseline_policy(game: Game[Any, Any]) -> PolicyFactory:
    """Return the default bot of a game."""
    return next(iter(game.analysis.bots.values()), random_policy)


def random_policy(seat: str, random: Random) -> Bot:
    """Return a bot that answers at random."""
    return random_bot(random)


def answer_of(decision: Decision, player: Bot, view: ViewFn) -> Keys | None:
    """Return a bot's answer, which may be empty; None if it is not legal."""
    try:
        return decision.accept(tuple(player(decision, view)))[0]
    except (ReadyRoomError, LookupError, ValueError):
        return None


def single_options(decision: Decision, known: set[Keys], most: int) -> Iterator[Keys]:
    """Yield the options not known yet, if one of at most `most` is to be chosen."""
    if decision.kind is DecisionKind.ONE and len(decision.values) <= most:
        yield from ((key,) for key in decision.keys if (key,) not in known)


def mutations(decision: Decision, baseline: Keys, known: set[Keys], count: int, random: Random) -> Iterator[Keys]:
    """Yield a few small changes of the baseline's answer, if several options or points are to be chosen."""
    if decision.kind is DecisionKind.ONE:
        return
    for _ in range(3 * count):
        keys = _mutate(decision, baseline, random)
        if keys not in known and _is_legal(decision, keys):
            known.add(keys)
            count -= 1
            yield keys
        if not count:
            return


def _mutate(decision: Decision, baseline: Keys, random: Random) -> Keys:
    """Return the baseline's answer with one key removed, inserted or replaced."""
    keys, more = list(baseline), [key for key in decision.keys if key not in baseline]
    if keys and random.random() < REMOVAL_RATE:
        keys.pop(int(random.random() * len(keys)))
    if more and (len(keys) == len(baseline) or random.random() < INSERTION_RATE):
        keys.append(more[int(random.random() * len(more))])
    return tuple(keys)


def _is_legal(decision: Decision, keys: Keys) -> bool:
    try:
        decision.accept(keys)
    except ReadyRoomError:
        return False
    return True


def next_candidate(others: Sequence[Candidate], number: int, part: int = 2) -> Iterator[Candidate]:
    """Yield the candidates to try next: all in round 0, later the best 1/`part` of them and one of the rest in turn."""
    if number == 0:
        yield from others
        return
    ranked = sorted(others, key=lambda candidate: -candidate.lower_bound(0.0, 1.0))
    better = -(-len(ranked) // part)
    yield from ranked[:better]
    if rest := ranked[better:]:
        yield rest[number % len(rest)]
