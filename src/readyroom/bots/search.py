"""The bot that searches: it imagines where it may stand, lets the game's other bots play on from there, and compares.

It knows no game. What it weighs are the answers that the game's own doctrines would give, single options where few are
offered, and small changes of the usual answer; each is tried in the same imagined positions under the same dice as the
usual answer, so that little but the answer itself makes a difference. What it finds out about a whole doctrine it
remembers from question to question, and forgets slowly; what the book has of it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from readyroom.bots.book import Entry, book
from readyroom.bots.rollouts import (
    Candidate,
    Keys,
    Rollouts,
    answer_of,
    baseline_policy,
    mutations,
    next_candidate,
    policies_for,
    single_options,
)
from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, Game, ViewFn
from readyroom.engine.match import BotView

DECAY = 0.98
"""What is left of an older trial's weight at each new question."""
DOUBT, LONE_DOUBT = 4.0, 40.0
"""So many trials without any difference are what a whole doctrine has to speak against, and what a single answer has,
which seldom makes so much of a difference that a few trials could tell it from luck."""
CAUTION = 0.7
"""By how many standard errors a thought must be better than the usual one."""
OPTIONS = 8
"""Single options are weighed where no more than so many are offered."""
CHANGES = 3
"""How many small changes of the usual answer are weighed where several things are chosen at once."""
DOCTRINES = 4
"""How many doctrines and plans are weighed at a time: those that promise most."""


class Limit(NamedTuple):
    """How long a decision may take: so many seconds, or so many trials (which can be repeated exactly)."""

    seconds: float = 0.05
    trials: int = 1_000_000


@dataclass
class Searcher:
    """A seat's search through a match.

    Args:
        game: the game.
        seat: whose decisions it takes.
        random: where its chance comes from.
        limit: how long it may think of one decision.
    """

    game: Game[Any, Any]
    seat: str
    random: Random
    limit: Limit = Limit()
    known: list[Candidate] = field(default_factory=list)
    players: dict[str, Bot] = field(default_factory=dict)
    trials: Rollouts | None = None

    def __call__(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """The answer that promises most."""
        until = perf_counter() + self.limit.seconds
        if not isinstance(look, BotView):
            raise TypeError("a bot that searches is given a Sight of its match, as Match.sight makes it")
        trials = self.trials or self._start(look)
        thoughts = self._candidates(decision, look)
        if len(thoughts) > 1:
            self._try(trials, thoughts, look, until)
        return max(thoughts, key=_lower_bound).answer

    def _start(self, look: BotView) -> Rollouts:
        """Before the first decision: the doctrines of the own side but those that the book has found to be worse."""
        gains = book(self.game.package).gains(self.game.key, look.scenario, look.side)
        makers = policies_for(self.game, look.side)
        for name, maker in makers.items():
            entry = gains.get(name)
            if entry is None or entry.gain >= 0.0:
                self.players[name] = maker(self.seat, Random(self.random.random()))
                self.known.append(_booked(Candidate((), maker, name), entry))
        self.trials = Rollouts(self.game, self.seat, baseline_policy(self.game), look.side)
        return self.trials

    def _candidates(self, decision: Decision, look: BotView) -> list[Candidate]:
        """What comes to mind: the usual answer first."""
        for known in self.known:
            known.decay(DECAY)
        usual, *others = self.known
        found = [usual]
        answer = self._of(usual, decision, look)
        usual.answer = decision.sample(self.random) if answer is None else answer
        for known in sorted(others, key=lambda thought: -_lower_bound(thought))[:DOCTRINES]:
            answer = self._of(known, decision, look)
            if answer is not None:
                known.answer = answer
                found.append(known)
        best = max(found, key=_lower_bound)
        return found + [Candidate(keys, best.maker) for keys in self._more(decision, best.answer, found)]

    def _of(self, known: Candidate, decision: Decision, look: BotView) -> Keys | None:
        return answer_of(decision, self.players[known.name], look)

    def _more(self, decision: Decision, best: Keys, found: Sequence[Candidate]) -> list[Keys]:
        """Answers that no doctrine gives; they differ little from the one that promises most."""
        thought_of = {thought.answer for thought in found}
        alone = list(single_options(decision, thought_of, OPTIONS))
        return alone + list(mutations(decision, best, thought_of, CHANGES, self.random))

    def _try(self, trials: Rollouts, thoughts: list[Candidate], look: BotView, until: float) -> None:
        """Trials until the time is over: the usual answer and others beside it, in the same position."""
        usual, others = thoughts[0], thoughts[1:]
        for number in range(self.limit.trials):
            seed = self.random.random()
            base = trials.utility(usual, look, seed, until)
            if base is None:
                return
            for thought in next_candidate(others, number):
                found = trials.utility(thought, look, seed, until)
                if found is None:
                    return
                thought.add_sample(found - base)


def _lower_bound(thought: Candidate) -> float:
    return thought.lower_bound(CAUTION, DOUBT if thought.name else LONE_DOUBT)


def _booked(thought: Candidate, entry: Entry | None) -> Candidate:
    """A doctrine as the book knows it."""
    if entry is not None:
        thought.book_games, thought.known = entry.matches, entry.matches * entry.gain
    return thought
