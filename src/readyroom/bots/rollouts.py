"""Rollouts: try answers in imagined positions that a seat cannot distinguish from the true one, with common dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from time import thread_time
from typing import TYPE_CHECKING, Any

from readyroom.bots.playing import Unfinished, play_on, random_bot
from readyroom.bots.statistics import is_choosing
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
WORD = re.compile(r"[a-z]+")
"""A word of an option's key."""
PRIOR = 0.3
"""The prior of a squared difference."""
REMOVAL_RATE, INSERTION_RATE = 0.7, 0.6
"""The probability that a mutation removes a key, and that it then inserts another one."""


@dataclass
class Differences:
    """Differences from the baseline: their number, or a smaller weight, their sum, and the sum of their squares."""

    weight: float = 0.0
    gain: float = 0.0
    squares: float = 0.0

    def __add__(self, other: Differences) -> Differences:
        """Return both together."""
        return Differences(self.weight + other.weight, self.gain + other.gain, self.squares + other.squares)

    def add(self, difference: float) -> None:
        """Add the difference of one rollout."""
        self.weight += 1.0
        self.gain += difference
        self.squares += difference * difference

    def scaled(self, kept: float, sign: float = 1.0) -> Differences:
        """Return the same with less weight, or of the opposite differences."""
        return Differences(self.weight * kept, self.gain * kept * sign, self.squares * kept)

    def lower_bound(self, caution: float, prior_weight: float, prior: float = PRIOR) -> float:
        """Return a lower confidence bound of the mean, with a prior of `prior_weight` rollouts without a difference.

        Args:
            caution: by how many standard errors it is lower.
            prior_weight: the number of rollouts that are added.
            prior: the sum of squares that is added.
        """
        if not self.weight:
            return 0.0
        return (self.gain - caution * sqrt(self.squares + prior)) / (self.weight + prior_weight)


@dataclass
class Candidate:
    """An answer, the policy that plays on after it, and its results relative to the baseline, in two halves.

    One half of the rollouts chooses among candidates, the other one tests the choice.
    """

    answer: Keys
    maker: PolicyFactory
    name: str = ""
    choosing: Differences = field(default_factory=Differences)
    testing: Differences = field(default_factory=Differences)

    def add_sample(self, difference: float, number: int = 0) -> None:
        """Add the difference of the rollout of this number."""
        (self.choosing if is_choosing(number) else self.testing).add(difference)

    def lower_bound(self, caution: float, prior_weight: float) -> float:
        """Return a lower confidence bound of the gain in the half that chooses."""
        return self.choosing.lower_bound(caution, prior_weight)


@dataclass(frozen=True)
class Rollouts:
    """Estimates the utility of a seat's answers: a policy plays on for its side, another one for the others.

    Args:
        game: the game.
        seat: the seat that answers.
        opponents: the policy of all other sides.
        side: the side that the seat plays for.
        values: estimates the utility where a rollout is cut.
        turns: after how many further turns it is cut; 0: it is played to the end.
    """

    game: Game[Any, Any]
    seat: str
    opponents: PolicyFactory
    side: str
    values: Values | None = None
    turns: int = 0

    def utility(self, candidate: Candidate, view: BotView, seed: float, until: float) -> float | None:
        """Return the utility of a rollout from the position and dice of this seed; None if time runs out.

        An answer that is not possible there has utility 0.
        """
        ended = self._play(candidate, view, seed, until, cut=self.values is not None and self.turns > 0)
        if ended is None:
            return None
        match, is_cut = ended
        if match.outcome is not None:
            return self.game.analysis.utility(match.outcome, self.side)
        return self.values.of_match(match)[self.side] if is_cut and self.values is not None else 0.0

    def ended(self, candidate: Candidate, view: BotView, seed: float, until: float) -> Match[Any, Any] | None:
        """Return the imagined match at its end, or where a rule rejects the answer; None if time runs out."""
        ended = self._play(candidate, view, seed, until, cut=False)
        return None if ended is None else ended[0]

    def _play(
        self, candidate: Candidate, view: BotView, seed: float, until: float, *, cut: bool
    ) -> tuple[Match[Any, Any], bool] | None:
        """Return the imagined match after a rollout, and whether it was cut; None if time runs out."""
        if thread_time() > until:
            return None
        match = view.imagine(Random(seed))
        last_turn = match.state.at.turn + self.turns if cut else None
        try:
            match.decide(self.seat, candidate.answer)
            play_on(match, self._players(match, candidate, seed), until, last_turn)
        except Unfinished:
            return None
        except ReadyRoomError:
            return match, False
        return match, match.outcome is None

    def _players(self, match: Match[Any, Any], candidate: Candidate, seed: float) -> dict[str, Bot]:
        makers = {seat.key: candidate.maker if seat.side == self.side else self.opponents for seat in match.seats}
        return {seat: maker(seat, Random(f"{seed} {seat}")) for seat, maker in makers.items()}


def believe(game: Game[Any, Any], view: BotView) -> Beliefs | None:
    """Return what a seat may believe about what it cannot see; None if the game has nothing fitted."""
    if game.analysis.hidden is None:
        return None
    from readyroom.bots.beliefs import beliefs_at  # NumPy takes a while to load

    return beliefs_at(game, view)


def has_beliefs(game: Game[Any, Any]) -> bool:
    """Return whether `believe` has an answer in this game."""
    if game.analysis.hidden is None:
        return False
    from readyroom.bots.fitted import fitted  # NumPy takes a while to load

    return fitted(game) is not None


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


def groups(decision: Decision, baseline: Keys, known: set[Keys], count: int, random: Random) -> Iterator[Keys]:
    """Yield all options, none, and the baseline's answer with and without all options of a kind.

    Options are of a kind if their keys have a word in common, such as the type of a unit or the place that it goes to.
    """
    if decision.kind is DecisionKind.ONE:
        return
    keys = decision.keys
    words = {key: set(WORD.findall(key)) for key in keys}
    kinds = dict.fromkeys(word for key in keys for word in WORD.findall(key))
    families = [tuple(key for key in keys if word in words[key]) for word in kinds]
    families = [family for family in dict.fromkeys(families) if 1 < len(family) < len(keys)]
    random.shuffle(families)
    wanted = [tuple(keys), ()]
    for family in families:
        wanted += [
            tuple(key for key in baseline if key not in family),
            (*baseline, *(key for key in family if key not in baseline)),
            family,
        ]
    for answer in wanted:
        if count and answer not in known and _is_legal(decision, answer):
            known.add(answer)
            count -= 1
            yield answer


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
