"""The staff officer: what each answer to a question promises, played on from positions that the seat cannot tell apart.

Every answer is tried under the same dice as what the usual doctrine would do; the figures are means over these trials,
with the half-width of their 95 % intervals. The officer sees what its seat sees, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any

import msgspec

from readyroom.bots.rollouts import (
    RANDOM,
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
from readyroom.bots.search import Limit
from readyroom.engine.checks import percent
from readyroom.engine.decisions import Decision
from readyroom.engine.game import Game
from readyroom.engine.match import BotView, Match

OPTIONS, CHANGES = 30, 8
"""How many single options, and how many small changes of the usual answer, are weighed at most."""
ERRORS = 1.96
"""So many standard errors to either side of a mean hold the true one in 95 cases of 100."""
PART = 4
"""Of the answers, one in so many is tried in every round: those that have done best."""
NAMED = 4
"""Options of an answer that are told by name."""
QUOTED = 60
"""Letters of an answer that is still quoted in a sentence."""
FEW_SAMPLES = 8
"""With fewer trials than these an answer is not placed before the usual one, whatever it came to."""


class RatedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer: its keys, its words, whose it is, what it comes to from 0 to 1, the error of that, and the trials.

    `advantage` is its utility less that of the baseline's answer, and `advantage_error` the error of that.
    """

    keys: Keys
    text: str = msgspec.field(name="words")
    policy: str = msgspec.field(name="doctrine")
    utility: float = msgspec.field(name="worth")
    error: float
    advantage: float = msgspec.field(name="gain")
    advantage_error: float = msgspec.field(name="doubt")
    rollouts: int = msgspec.field(name="trials")


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """What the officer says: the answers, the best first, and one sentence why; `rule` is that of the question.

    `chances` tells whether the figures are chances to win, or else what an ending is worth where only one side plays.
    `revision` is that of the question, and `rollouts` counts those of all answers.
    """

    seat: str
    rule: str
    question: str
    revision: int
    rated: list[RatedAnswer] = msgspec.field(name="judged")
    why: str
    chances: bool
    rollouts: int = msgspec.field(name="trials")


@dataclass
class _Tried:
    """One answer's trials: what it came to in each, and the game's counts of each ending."""

    thought: Candidate
    worth: dict[int, float] = field(default_factory=dict)
    counts: dict[int, Mapping[str, float]] = field(default_factory=dict)


def analyze(match: Match[Any, Any], seat: str, limit: Limit = Limit(1.0), random: Random | None = None) -> Analysis:  # noqa: B008
    """What a seat is advised to answer to the question that it is asked.

    Args:
        match: the match as it stands.
        seat: whose question it is.
        limit: how long the officer may think.
        random: where the positions and the dice to come are drawn from; without one, they follow from the question.

    Raises:
        NotYourDecision, MatchOver, UnknownSeat: the seat is asked nothing.
    """
    inquiry = AnalysisRun(match, seat, random)
    for _ in inquiry.run(limit):
        pass
    return inquiry.result()


class AnalysisRun:
    """A question that the officer thinks about: what came to his mind, and what has come of it so far.

    Args:
        match: the match as it stands; it must not move while he thinks.
        seat: whose question it is.
        random: where the positions and the dice to come are drawn from; without one, they follow from the question.

    Raises:
        NotYourDecision, MatchOver, UnknownSeat: the seat is asked nothing.
    """

    def __init__(self, match: Match[Any, Any], seat: str, random: Random | None = None) -> None:
        self.decision = match.decision_for(seat)
        self._match, self._seat, self._look = match, seat, match.bot_view(seat)
        self._random = random or chance_of(match, self.decision)
        side = match.seat(seat).side
        self._trials = Rollouts(match.game, seat, baseline_policy(match.game), side)
        thoughts = _candidates(match.game, self.decision, self._look, side, self._random)
        self._tried = [_Tried(thought) for thought in thoughts]

    def run(self, limit: Limit) -> Iterator[int]:
        """Try answers out until the time or the number of rounds is over; after each trial, how many there were.

        Each round begins with the usual answer. Whoever has heard enough need not go on; `advice` tells what is known.
        """
        until = perf_counter() + limit.seconds
        usual, *others = self._tried
        by_thought = {id(each.thought): each for each in others}
        for number in range(0 if self.decision.is_forced else limit.trials):
            seed = self._random.random()
            for thought in (usual.thought, *next_candidate([each.thought for each in others], number, PART)):
                each = by_thought.get(id(thought), usual)
                if not self._one(each, seed, until, number):
                    return
                if each is not usual:
                    thought.add_sample(each.worth[number] - usual.worth[number])
                yield self._made()

    def _one(self, each: _Tried, seed: float, until: float, number: int) -> bool:
        """One trial of one answer; whether there was time for it."""
        match = self._trials.ended(each.thought, self._look, seed, until)
        if match is None:
            return False
        if match.outcome is not None:
            each.counts[number] = match.game.match_stats(match.state, match.game.data)
        each.worth[number] = 0.0 if match.outcome is None else match.game.utility(match.outcome, self._trials.side)
        return True

    def _made(self) -> int:
        return sum(len(each.worth) for each in self._tried)

    def result(self) -> Analysis:
        """What is known by now."""
        decision, usual = self.decision, self._tried[0]
        known = [each for each in self._tried if each.worth] or [usual]
        judged = {id(each): _rated(decision, each, usual) for each in known}
        known.sort(key=lambda each: (each is not usual and _has_few_samples(each), -judged[id(each)].utility))
        chances = len({each.side for each in self._match.seats}) > 1
        return Analysis(
            seat=self._seat,
            rule=decision.rule,
            question=decision.question,
            revision=decision.revision,
            rated=[judged[id(each)] for each in known],
            why=f"{_why(decision, known, judged, chances)} [{_title(self._match.game, decision.rule)}]",
            chances=chances,
            rollouts=self._made(),
        )


def chance_of(match: Match[Any, Any], decision: Decision) -> Random:
    """Chance that follows from the question, and from nothing that its seat does not know."""
    return Random(f"officer {match.fingerprint} {decision.seat} {decision.revision}")


def _candidates(game: Game[Any, Any], decision: Decision, look: BotView, side: str, chance: Random) -> list[Candidate]:
    """What comes to mind: the usual answer first, then those of other doctrines, single options, small changes."""
    found: dict[Keys, Candidate] = {}
    for name, maker in policies_for(game, side).items():
        keys = answer_of(decision, maker(look.seat, Random(chance.random())), look)
        if keys is None and not found:
            keys, name = decision.sample(chance), ""
        if keys is not None:
            found.setdefault(keys, Candidate(keys, maker, name))
    usual = next(iter(found.values()))
    more = [
        *single_options(decision, set(found), OPTIONS),
        *mutations(decision, usual.answer, set(found), CHANGES, chance),
    ]
    return [*found.values(), *(Candidate(keys, usual.maker) for keys in more)]


# -- telling ---------------------------------------------------------------------------------------------------------


def _has_few_samples(each: _Tried) -> bool:
    return len(each.worth) < FEW_SAMPLES


def _rated(decision: Decision, each: _Tried, usual: _Tried) -> RatedAnswer:
    """An answer's figures: the usual one's mean over all its trials, and beside it the mean of the differences."""
    base = list(usual.worth.values())
    differences = [worth - usual.worth[number] for number, worth in each.worth.items()]
    gain, doubt = fmean(differences or [0.0]), error(differences) if each is not usual else 0.0
    own = min(0.5, error(list(each.worth.values())))
    return RatedAnswer(
        keys=each.thought.answer,
        text=answer_text(decision, each.thought.answer, usual.thought.answer),
        policy=each.thought.name,
        utility=min(1.0, max(0.0, fmean(base or [0.5]) + gain)),
        error=min(own, sqrt(error(base) ** 2 + doubt**2)),
        advantage=gain,
        advantage_error=min(1.0, doubt),
        rollouts=len(differences),
    )


def error(found: Sequence[float]) -> float:
    """Half the width of the 95 % interval of a mean; one half where there are too few figures to tell.

    >>> round(error([0.0, 1.0] * 50), 3), error([1.0])
    (0.099, 0.5)
    """
    if len(found) < 2:
        return 0.5
    mean = fmean(found)
    spread = sum((each - mean) ** 2 for each in found) / (len(found) - 1)
    return ERRORS * sqrt((spread + 0.25 / len(found)) / len(found))


def answer_text(decision: Decision, keys: Sequence[str], usual: Sequence[str] = ()) -> str:
    """An answer as a player reads it; one that differs little from the usual one by what is different."""
    if len(keys) == len(decision.keys) > 1 and len(set(keys)) == len(keys):
        return "all"
    told, out, more = Counter(keys), Counter(usual) - Counter(keys), Counter(keys) - Counter(usual)
    if usual and 0 < out.total() + more.total() < min(len(told), NAMED):
        changes = (("without", list(out.elements())), ("with", list(more.elements())))
        named = (f"{word} {decision.describe_answer(some, NAMED)}" for word, some in changes if some)
        return f"as usual, {', '.join(named)}"
    return decision.describe_answer(keys, NAMED)


def _why(decision: Decision, ranked: Sequence[_Tried], judged: Mapping[int, RatedAnswer], chances: bool) -> str:
    """One plain sentence: how the best answer did, and what it did better."""
    best, count = ranked[0], len(ranked[0].worth)
    if decision.is_forced:
        return "It is the only answer that is legal here."
    if not count:
        return f"There was no time to try anything out; {_policy_of(best.thought)}."
    if _has_few_samples(best):
        return f"There was time for only {_times(count)}, too few to tell answers apart; {_policy_of(best.thought)}."
    mine = utility_text(judged[id(best)].utility, chances)
    found = f"Played on {count} times from here, it {mine}, give or take {points(judged[id(best)].error, chances)}"
    if len(ranked) == 1:
        return f"{found}, and nothing else came to mind."
    other = ranked[1]
    if _has_few_samples(other):
        return f"{found}; there was too little time to tell how the others do."
    words, worth = _quoted(judged[id(other)]), utility_text(judged[id(other)].utility, chances)
    theirs = f"{words} {worth}"
    if worth == mine:
        return f"{found}; {words} does just as well."
    if not _is_separate(best, other):
        return f"{found}; {theirs}, and chance alone may make the difference."
    return f"{found}; {theirs}{_because(best, other)}."


def _times(count: int) -> str:
    return "one trial of it" if count == 1 else f"{count} trials of it"


def _policy_of(thought: Candidate) -> str:
    """Where the answer is from that stands first because nothing speaks for another."""
    by_chance = thought.name in ("", RANDOM)
    return "this one was drawn by chance" if by_chance else "this is what the usual doctrine does"


def utility_text(worth: float, chances: bool) -> str:
    """What an answer comes to, in words.

    >>> utility_text(0.625, True), utility_text(0.625, False)
    ('wins 62 %', 'comes to 62 of 100')
    """
    return f"wins {percent(worth)}" if chances else f"comes to {points(worth, chances)} of 100"


def points(worth: float, chances: bool) -> str:
    """A worth, or its error, as a figure: per cents where it is a chance, else points of a hundred."""
    return percent(worth) if chances else f"{100 * worth:.0f}"


def _quoted(judged: RatedAnswer) -> str:
    return f"“{judged.text}”" if len(judged.text) <= QUOTED else "the next answer"


def _is_separate(best: _Tried, other: _Tried) -> bool:
    """Whether two answers differ beyond what chance makes of them, in the trials that both had."""
    both = best.worth.keys() & other.worth.keys()
    apart = [best.worth[number] - other.worth[number] for number in sorted(both)]
    return len(apart) >= FEW_SAMPLES and abs(fmean(apart)) > error(apart)


def _because(best: _Tried, other: _Tried) -> str:
    """The count of the game in which two answers differ most beyond chance, if any does."""
    both = sorted(best.counts.keys() & other.counts.keys())
    if len(both) < FEW_SAMPLES:
        return ""
    found = [_difference_text(title, best, other, both) for title in best.counts[both[0]]]
    ratio, told = max(found, default=(0.0, ""))
    return f": {told}" if ratio > 1.0 else ""


def _difference_text(title: str, best: _Tried, other: _Tried, both: Sequence[int]) -> tuple[float, str]:
    """By how many of its errors a count differs, and the words for it."""
    mine, theirs = ([each.counts[number][title] for number in both] for each in (best, other))
    apart = [one - two for one, two in zip(mine, theirs, strict=True)]
    told = f"{title} {fmean(mine):.1f} against {fmean(theirs):.1f}"
    return abs(fmean(apart)) / max(error(apart), 1e-9), told


def _title(game: Game[Any, Any], rule: str) -> str:
    """A rule's number with its title, where the rulebook has one."""
    found: Iterator[str] = (f"{rule} {each.title}" for each in game.rulebook.rule if each.number == rule)
    return next(found, rule)
