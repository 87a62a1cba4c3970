"""The search bot: it imagines positions, lets the game's other bots play on from there, and compares the results.

Its candidates are the answers of the game's bots and plans, single options if there are few, and small changes of the
best answer. Each is tried in the same imagined positions with the same dice as the baseline, so that only the answer
makes a difference. What it learns about a whole policy it keeps from decision to decision with decaying weight; the
entries of the book do not decay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, ClassVar, NamedTuple, TypeAlias

from readyroom.bots.book import book
from readyroom.bots.rollouts import (
    Candidate,
    Keys,
    Rollouts,
    answer_of,
    baseline_policy,
    believe,
    mutations,
    next_candidate,
    policies_for,
    single_options,
    value_function,
)
from readyroom.engine.game import Bot, Game, ViewFn
from readyroom.engine.match import BotView
from readyroom.engine.rules.decisions import Decision

DECAY = 0.98
"""The factor by which the weight of earlier rollouts decays at each decision."""
PRIOR_WEIGHT, SINGLE_PRIOR_WEIGHT = 4.0, 40.0
"""Prior rollouts with no difference for a whole policy and for a single answer, which rarely makes a difference that a
few rollouts could separate from luck."""
CAUTION = 0.7
"""By how many standard errors a candidate must be better than the baseline."""
OPTIONS = 8
"""Single options are tried if there are at most this many."""
CHANGES = 3
"""The number of small changes tried if several options are chosen at once."""
MAX_POLICIES = 4
"""The number of policies tried at a time: the most promising ones."""
TURNS = 3
"""Where the values of positions are known, rollouts are cut after this many turns: many short ones separate answers
better than a few long ones."""
Memory: TypeAlias = dict[str, tuple[float, float, float]]
"""What a search bot has learned of each policy: weight, gain and sum of squares, see `Candidate`."""


class Limit(NamedTuple):
    """The limit of a decision: seconds, or rollouts (which can be repeated exactly)."""

    seconds: float = 0.05
    trials: int = 1_000_000


@dataclass
class Searcher:
    """A search bot for one seat of a match, with a limit for each decision."""

    is_quick: ClassVar[bool] = False
    game: Game[Any, Any]
    seat: str
    random: Random
    limit: Limit = Limit()
    known: list[Candidate] = field(default_factory=list)
    players: dict[str, Bot] = field(default_factory=dict)
    rollouts: Rollouts | None = None

    def __call__(self, decision: Decision, view: ViewFn) -> Sequence[str]:
        """Return the most promising answer."""
        until = perf_counter() + self.limit.seconds
        if not isinstance(view, BotView):
            raise TypeError("a search bot needs the BotView that Match.bot_view returns")
        rollouts = self.rollouts or self._start(view)
        candidates = self._candidates(decision, view)
        if len(candidates) > 1:
            self._try(rollouts, candidates, imagining_view(self.game, view), until)
        return max(candidates, key=_lower_bound).answer

    def memory(self) -> Memory:
        """Return what the bot has learned of whole policies, for `recall`."""
        return {known.name: (known.weight, known.gain, known.sum_of_squares) for known in self.known}

    def recall(self, view: BotView, memory: Memory) -> None:
        """Continue with what an earlier bot of the seat has learned."""
        self._start(view)
        for known in self.known:
            known.weight, known.gain, known.sum_of_squares = memory.get(known.name, (0.0, 0.0, 0.0))

    def _start(self, view: BotView) -> Rollouts:
        """Prepare the policies of the side before the first decision, without those that are worse in the book."""
        gains = book(self.game.package).gains(self.game.key, view.scenario, view.side)
        makers = policies_for(self.game, view.side)
        for name, maker in makers.items():
            entry = gains.get(name)
            if entry is None or entry.gain >= 0.0:
                self.players[name] = maker(self.seat, Random(self.random.random()))
                played, gain = (entry.matches, entry.gain) if entry is not None else (0.0, 0.0)
                self.known.append(Candidate((), maker, name, book_games=played, known=played * gain))
        baseline, values = baseline_policy(self.game), value_function(self.game)
        self.rollouts = Rollouts(self.game, self.seat, baseline, view.side, values, TURNS)
        return self.rollouts

    def _candidates(self, decision: Decision, view: BotView) -> list[Candidate]:
        """Return the candidates, the baseline first."""
        for known in self.known:
            known.decay(DECAY)
        baseline, *others = self.known
        candidates = [baseline]
        answer = self._answer(baseline, decision, view)
        baseline.answer = decision.sample(self.random) if answer is None else answer
        for known in sorted(others, key=lambda candidate: -_lower_bound(candidate))[:MAX_POLICIES]:
            if (answer := self._answer(known, decision, view)) is not None:
                known.answer = answer
                candidates.append(known)
        best = max(candidates, key=_lower_bound)
        return candidates + [Candidate(keys, best.maker) for keys in self._more(decision, best.answer, candidates)]

    def _answer(self, known: Candidate, decision: Decision, view: BotView) -> Keys | None:
        return answer_of(decision, self.players[known.name], view)

    def _more(self, decision: Decision, best: Keys, candidates: Sequence[Candidate]) -> list[Keys]:
        """Return further answers: single options and small changes of the most promising answer."""
        answers = {candidate.answer for candidate in candidates}
        single = list(single_options(decision, answers, OPTIONS))
        return single + list(mutations(decision, best, answers, CHANGES, self.random))

    def _try(self, rollouts: Rollouts, candidates: list[Candidate], view: BotView, until: float) -> None:
        """Run rollouts of the baseline and the other candidates in the same positions until time runs out."""
        baseline, others = candidates[0], candidates[1:]
        for number in range(self.limit.trials):
            seed = self.random.random()
            base = rollouts.utility(baseline, view, seed, until)
            if base is None:
                return
            for candidate in next_candidate(others, number):
                utility = rollouts.utility(candidate, view, seed, until)
                if utility is None:
                    return
                candidate.add_sample(utility - base)


def imagining_view(game: Game[Any, Any], view: BotView) -> BotView:
    """Return a seat's view that imagines positions by its beliefs, if the game has any."""
    beliefs = believe(game, view)
    return view if beliefs is None else view.with_resample(beliefs.resample)


def _lower_bound(candidate: Candidate) -> float:
    return candidate.lower_bound(CAUTION, PRIOR_WEIGHT if candidate.name else SINGLE_PRIOR_WEIGHT)
