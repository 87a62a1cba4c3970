"""The search bot: it plays on as a veteran does, unless imagined positions show that another way is better.

It compares whole policies, and single answers after which its own policy plays on. All are tried in the same imagined
positions with the same dice against opponents who play the mix of their side. What it learns of a policy it keeps from
decision to decision, with less weight in later turns. Of many candidates the best has often been lucky: so one half of
the rollouts chooses, and the other half must confirm the choice. A policy that is confirmed becomes the bot's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import ceil, isfinite, log2, sqrt
from random import Random
from time import perf_counter, thread_time
from typing import Any, ClassVar, NamedTuple

import msgspec

from readyroom.bots.levels import opponents_of
from readyroom.bots.policies import side_policies
from readyroom.bots.rollouts import (
    Candidate,
    Differences,
    Keys,
    Rollouts,
    answer_of,
    believe,
    groups,
    mutations,
    single_options,
    value_function,
)
from readyroom.engine.game import Bot, Game, ViewFn
from readyroom.engine.match import BotView
from readyroom.engine.rules.decisions import Decision

KEPT = 0.8
"""The weight that evidence on a policy keeps from turn to turn: positions change."""
CAUTION = 2.0
"""By how many standard errors a candidate must be better."""
EXPECTED_WEIGHT = 8.0
"""How many rollouts the studies of a policy count as where candidates are ranked."""
POLICIES = 8
"""The most policies that are tried at a decision: the most promising ones that answer it differently."""
OPTIONS, GROUPS, CHANGES = 10, 6, 3
"""The most single options, answers by kind of option, and small changes that are tried at a decision."""
LEAST_ROUNDS = 6
"""With so little time that candidates would be tried less often, fewer are tried."""
HOPELESS = 1.0
"""Candidates that are worse by this many standard errors are given up."""
TURNS = 3
"""Where the values of positions are known, rollouts are cut after this many turns: many short ones separate answers
better than a few long ones."""


PATIENCE = 4.0
"""How many times longer than its seconds a decision may take on a busy machine."""


class Clock:
    """How much of some seconds has been used: processor time of this thread, or if that takes long, elapsed time."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._start, self._began = seconds, thread_time(), perf_counter()
        self.until = self._start + seconds

    @property
    def used(self) -> float:
        """The share that is used up."""
        if not self.seconds:
            return 1.0
        spent, elapsed = thread_time() - self._start, perf_counter() - self._began
        return max(spent, elapsed / PATIENCE) / self.seconds


class Limit(NamedTuple):
    """The limit of a decision: seconds of processor time, or rounds of rollouts (which can be repeated exactly).

    On a busy machine it takes longer, but no longer than `PATIENCE` times the seconds.
    """

    seconds: float = 0.05
    trials: int = 1_000_000

    def start(self) -> Clock:
        """Return a clock that starts now."""
        return Clock(self.seconds)


SHORT = Limit()


class Memory(msgspec.Struct, frozen=True):
    """What a search bot has learned: its own policy, the turn, and of each policy the differences of both halves."""

    own: str = ""
    turn: int = 0
    differences: dict[str, tuple[Differences, Differences]] = {}


class Searcher:
    """A search bot for one seat of a match, with a limit for each decision."""

    is_quick: ClassVar[bool] = False

    def __init__(self, game: Game[Any, Any], seat: str, random: Random, limit: Limit = SHORT) -> None:
        self.game, self.seat, self.random, self.limit = game, seat, random, limit
        self.place = random.random()
        self.policies: list[Candidate] = []
        self._players: dict[str, Bot] = {}
        self._expected: dict[str, float] = {}
        self._rollouts: Rollouts | None = None
        self._turn = 0
        self._seconds = 0.0  # of a rollout, about

    @property
    def own(self) -> Candidate:
        """The bot's own policy."""
        return self.policies[0]

    def __call__(self, decision: Decision, view: ViewFn) -> Sequence[str]:
        """Return the answer of the bot's policy, or a better one."""
        clock = self.limit.start()
        if not isinstance(view, BotView):
            raise TypeError("a search bot needs the BotView that Match.bot_view returns")
        rollouts = self._rollouts or self._start(view)
        answer = self._answer(self.own, decision, view)
        self.own.answer = decision.sample(self.random) if answer is None else answer
        if decision.is_forced:
            return self.own.answer
        self._age(view().turn)
        candidates = self._candidates(decision, view)
        if candidates:
            self._try(rollouts, candidates, imagining_view(self.game, view), clock)
        better = confirmed(candidates)
        if better is None:
            return self.own.answer
        if better.name:
            self._adopt(better)
        return better.answer

    def memory(self) -> Memory:
        """Return what the bot has learned, for `recall`."""
        differences = {known.name: (known.choosing, known.testing) for known in self.policies if _weight(known)}
        return Memory(self.own.name if self.policies else "", self._turn, differences)

    def recall(self, view: BotView, memory: Memory) -> None:
        """Continue with what an earlier bot of the seat has learned."""
        self._start(view)
        self._turn = memory.turn
        self.policies.sort(key=lambda known: known.name != memory.own)
        for known in self.policies:
            known.choosing, known.testing = memory.differences.get(known.name, (Differences(), Differences()))

    def _start(self, view: BotView) -> Rollouts:
        """Prepare the policies of the side before the first decision."""
        for name, maker, gain in side_policies(self.game, view, self.place):
            self.policies.append(Candidate((), maker, name))
            self._players[name] = maker(self.seat, Random(self.random.random()))
            self._expected[name] = gain
        values, opponents = value_function(self.game), opponents_of(self.game)
        self._rollouts = Rollouts(self.game, self.seat, opponents, view.side, values, TURNS)
        return self._rollouts

    def _age(self, turn: int) -> None:
        """Reduce the weight of what was learned in earlier turns."""
        if turn > self._turn:
            kept = KEPT ** (turn - self._turn)
            for known in self.policies:
                known.choosing, known.testing = known.choosing.scaled(kept), known.testing.scaled(kept)
            self._turn = turn

    def _adopt(self, better: Candidate) -> None:
        """Play by another policy from now on; what is known of the others was relative to the old one."""
        old = self.own
        old.choosing, old.testing = (differences.scaled(1.0, -1.0) for differences in (better.choosing, better.testing))
        for known in self.policies[1:]:
            known.choosing, known.testing = Differences(), Differences()
        lead = self._expected[better.name]
        self._expected = {name: gain - lead for name, gain in self._expected.items()}
        self.policies.sort(key=lambda known: known is not better)

    # -- candidates --------------------------------------------------------------------------------------------------

    def _candidates(self, decision: Decision, view: BotView) -> list[Candidate]:
        """Return the policies with other answers than the bot's own, the most promising ones first, and other answers.

        Of policies with the same answer only the most promising one is tried.
        """
        by_answer: dict[Keys, Candidate] = {}
        for known in sorted(self.policies[1:], key=self._promise, reverse=True):
            answer = self._answer(known, decision, view)
            if answer is not None and not _same(answer, self.own.answer):
                known.answer = answer
                by_answer.setdefault(tuple(sorted(answer)), known)
        policies = list(by_answer.values())[:POLICIES]
        answers = {self.own.answer, *(known.answer for known in policies)}
        more = [
            *single_options(decision, answers, OPTIONS),
            *groups(decision, self.own.answer, answers, GROUPS, self.random),
            *mutations(decision, self.own.answer, answers, CHANGES, self.random),
        ]
        return self._limited([*policies, *(Candidate(keys, self.own.maker) for keys in more)])

    def _limited(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return as many candidates as can be tried a few times each."""
        if not self._seconds:
            return candidates
        most = self.limit.seconds / self._seconds / LEAST_ROUNDS - 1
        return candidates if most > len(candidates) else candidates[: max(1, int(most))]

    def _answer(self, known: Candidate, decision: Decision, view: BotView) -> Keys | None:
        return answer_of(decision, self._players[known.name], view)

    def _promise(self, candidate: Candidate) -> float:
        """Return the gain that is expected of a candidate, by which candidates are ranked."""
        differences, expected = candidate.choosing, self._expected.get(candidate.name, 0.0)
        return (differences.gain + EXPECTED_WEIGHT * expected) / (differences.weight + EXPECTED_WEIGHT)

    # -- rollouts ----------------------------------------------------------------------------------------------------

    def _try(self, rollouts: Rollouts, candidates: list[Candidate], view: BotView, clock: Clock) -> None:
        """Run rollouts of the bot's own answer and of the candidates in the same positions until time runs out.

        Candidates are halved several times: the better ones get more rollouts.
        """
        start, halvings, left = clock.used, ceil(log2(len(candidates))) + 1, list(candidates)
        done, stage = 0, 0
        for number in count():
            used = max(number / self.limit.trials, clock.used)
            if used >= 1.0:
                break
            if int(used * halvings) > stage:
                stage = int(used * halvings)
                left = self._better_half(left, ceil(len(candidates) / 2**stage))
            if not left:
                break
            done += self._round(rollouts, left, view, clock.until, number)
        if done and isfinite(clock.seconds):
            spent = (clock.used - start) * clock.seconds / done
            self._seconds = spent if not self._seconds else 0.8 * self._seconds + 0.2 * spent

    def _round(self, rollouts: Rollouts, left: list[Candidate], view: BotView, until: float, number: int) -> int:
        """Try each of these candidates once; return the number of rollouts."""
        seed = self.random.random()
        base = rollouts.utility(self.own, view, seed, until)
        if base is None:
            return 0
        for at, candidate in enumerate(left):
            utility = rollouts.utility(candidate, view, seed, until)
            if utility is None:
                return 1 + at
            candidate.add_sample(utility - base, number)
        return 1 + len(left)

    def _better_half(self, left: list[Candidate], most: int) -> list[Candidate]:
        hopeful = [candidate for candidate in left if not _is_hopeless(candidate)]
        return sorted(hopeful, key=self._promise, reverse=True)[:most]


def _same(answer: Keys, other: Keys) -> bool:
    return answer == other or sorted(answer) == sorted(other)


def _weight(candidate: Candidate) -> float:
    return candidate.choosing.weight + candidate.testing.weight


def _is_hopeless(candidate: Candidate) -> bool:
    both = candidate.choosing + candidate.testing
    return both.gain + HOPELESS * sqrt(both.squares) < 0.0


def confirmed(candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the candidate that is better than the bot's own answer beyond chance; None if there is none.

    The best of one half must be better by `CAUTION` standard errors in the other half. If it is the best of both, the
    halves are taken together.
    """
    if not candidates:
        return None
    bound = {id(each): tuple(map(_bound, (each.choosing, each.testing))) for each in candidates}
    first = max(candidates, key=lambda each: bound[id(each)][0])
    second = max(candidates, key=lambda each: bound[id(each)][1])
    if first is second:
        return first if _bound(first.choosing + first.testing) > 0.0 else None
    choice, least = max(((first, bound[id(first)][1]), (second, bound[id(second)][0])), key=lambda pair: pair[1])
    return choice if least > 0.0 else None


def _bound(differences: Differences) -> float:
    return differences.lower_bound(CAUTION, 0.0, 0.0)


def imagining_view(game: Game[Any, Any], view: BotView) -> BotView:
    """Return a seat's view that imagines positions by its beliefs, if the game has any."""
    beliefs = believe(game, view)
    return view if beliefs is None else view.with_resample(beliefs.resample)
