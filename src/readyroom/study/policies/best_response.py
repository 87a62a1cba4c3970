"""The best reply to a mix of policies, found by the cross-entropy method.

Each generation draws policies from a distribution. All of them meet the same opponents with the same dice in a few
matches, the better ones in more, and the distribution moves towards the best. Further starts lie at random, because a
search from one start may end at a policy that is only the best near it. At last the best of all starts meet again in
new matches. The score that a policy got while it was chosen is too high, so the caller has to measure it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import NamedTuple

from readyroom.bots.parameters import Settings, parameters_of, random_settings
from readyroom.engine.game import PolicySpace, score_to_utility
from readyroom.study.policies.parameters import Sampler
from readyroom.study.policies.policy_matches import Arena, Bout, Score, stratify

CANDIDATES, RANDOM_CANDIDATES = 24, 10
"""Policies of a generation, and how many of the first one are drawn from the whole space."""
FIRST, MORE, FINAL = 12, 24, 80
"""Matches of every candidate, further matches of the better ones, and those of the last few."""
BETTER, BEST = 8, 6
"""How many play on, and how many set the next distribution."""
VICTORY = 0.8
"""The weight of the utility; the rest is that of the lead in the game's score, which says more in few matches."""
GENERATION = CANDIDATES * FIRST + BETTER * MORE
"""Matches of a generation."""


class Mixed(NamedTuple):
    """A mix: policies, and the share of each."""

    policies: Sequence[Settings]
    shares: Sequence[float]

    @property
    def main(self) -> Settings:
        """The policy with the largest share."""
        return self.policies[max(range(len(self.shares)), key=lambda at: self.shares[at])]

    def opponents(self, count: int) -> list[Settings]:
        """Return the policy of each of this many matches."""
        return [self.policies[at] for at in stratify(self.shares, count)]


@dataclass(frozen=True)
class Search:
    """A search for the best reply of a side.

    Attributes:
        arena: plays the matches.
        space: the game's policies.
        sides: the sides; the second one is missing in a solitaire game.
        side: the side that replies.
        own: the mix of its known policies.
        other: the mix that it replies to.
        matches: the approximate number of matches of each start.
        starts: the number of starts.
        label: names the search in the journal, and is the seed of its random numbers.
    """

    arena: Arena
    space: PolicySpace
    sides: Sequence[str]
    side: str
    own: Mixed
    other: Mixed
    matches: int
    starts: int
    label: str

    def run(self) -> Settings:
        """Return the best reply."""
        random, finals = Random(self.label), list[Settings]()
        parameters = parameters_of(self.space.type_of(self.side))
        for start in range(self.starts):
            center = random_settings(parameters, random) if start else self.own.main
            known = [] if start else self.own.policies
            finals += self._climb(Sampler.around(parameters, center), known, f"{self.label}/start {start}", random)
        finals = distinct(finals)
        scores = self.scores(f"{self.label}/final", finals, range(FINAL))
        return finals[best_of(scores, 1)[0]]

    def _climb(self, sampler: Sampler, known: Sequence[Settings], label: str, random: Random) -> list[Settings]:
        """Return the best policies of the last generation."""
        best: list[Settings] = []
        for generation in range(max(1, (self.matches - BEST * FINAL) // GENERATION)):
            candidates = self._candidates(sampler, known if not generation else best[:1], random, first=not generation)
            here = f"{label}/generation {generation}"
            scores = self.scores(f"{here}/first", candidates, range(FIRST))
            better = best_of(scores, BETTER)
            more = self.scores(f"{here}/more", [candidates[at] for at in better], range(FIRST, FIRST + MORE))
            together = [scores[at] + again for at, again in zip(better, more, strict=True)]
            best = [candidates[better[at]] for at in best_of(together, BEST)]
            sampler.learn(best)
        return best

    def _candidates(
        self, sampler: Sampler, known: Sequence[Settings], random: Random, *, first: bool
    ) -> list[Settings]:
        drawn = RANDOM_CANDIDATES if first else 0
        policies = [*known, *(random_settings(sampler.parameters, random) for _ in range(drawn))]
        return distinct([*policies, *(sampler.draw(random) for _ in range(CANDIDATES - drawn))])

    def scores(self, label: str, candidates: Sequence[Settings], numbers: range) -> list[list[float]]:
        """Return the scores of each candidate in the matches of these numbers, which are the same for all."""
        others = self.other.opponents(numbers.stop)
        bouts = [
            Bout(paired(self.sides, self.side, candidate, others[number]), f"{label}/{number}")
            for candidate in candidates
            for number in numbers
        ]
        values = [self._value(score) for score in self.arena.play(label, bouts)]
        return [values[at : at + len(numbers)] for at in range(0, len(values), len(numbers))]

    def _value(self, score: Score) -> float:
        """Return what an ending counts in the search, for the side that replies."""
        utility, lead = for_side(score, self.sides, self.side)
        if not self.space.lead:
            return utility
        return VICTORY * utility + (1 - VICTORY) * score_to_utility(lead, self.space.lead)


def paired(sides: Sequence[str], side: str, own: Settings, other: Settings) -> dict[str, Settings]:
    """Return the policies by side; a solitaire game has no other."""
    return {each: own if each == side else other for each in sides}


def for_side(score: Score, sides: Sequence[str], side: str) -> Score:
    """Return a score of the first side as that of another."""
    return score if side == sides[0] else Score(1.0 - score.utility, -score.lead)


def best_of(scores: Sequence[Sequence[float]], count: int) -> list[int]:
    """Return the places of the highest means, the best first."""
    return sorted(range(len(scores)), key=lambda at: -fmean(scores[at]))[:count]


def distinct(policies: Sequence[Settings]) -> list[Settings]:
    """Return policies without repetitions."""
    return [policy for at, policy in enumerate(policies) if policy not in policies[:at]]
