"""Analysis of a decision: the estimated utility of each answer, from rollouts in imagined positions.

Every answer is tried with the same dice as the baseline, the default bot's answer; the values are means over these
rollouts with the half-widths of their 95 % confidence intervals. Answers with few rollouts are not ranked, and nothing
shows figures of them. The analysis knows what the seat knows, and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt
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
    believe,
    mutations,
    next_candidate,
    policies_for,
    single_options,
)
from readyroom.bots.search import Limit
from readyroom.engine.game import Estimate, Game
from readyroom.engine.match import BotView, Match
from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.text import count_noun

OPTIONS, CHANGES = 30, 8
"""The most single options, and the most small changes of the baseline's answer, that are tried."""
CONFIDENCE, ERRORS = 0.95, 1.96
"""The level of confidence intervals, and their half-width in standard errors."""
PART = 4
"""In every round the best 1/PART of the answers are tried."""
NAMED = 4
"""The most options of an answer that are named."""
QUOTED = 60
"""The longest answer that is quoted in a sentence, in letters."""
FEWEST = 30
"""With fewer rollouts than this the error is as large as the estimate: no rank and no percentage is shown."""


class RatedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer: keys, text, policy, utility from 0 to 1 with its error, and number of rollouts.

    `advantage` is its utility minus that of the baseline's answer, and `advantage_error` the error of that. With
    fewer than 30 rollouts these four are no estimates, and should not be shown.
    """

    keys: Keys
    text: str = msgspec.field(name="words")
    policy: str = msgspec.field(name="doctrine")
    utility: float = msgspec.field(name="worth")
    error: float
    advantage: float = msgspec.field(name="gain")
    advantage_error: float = msgspec.field(name="doubt")
    rollouts: int = msgspec.field(name="trials")

    @property
    def is_ranked(self) -> bool:
        """Whether there are enough rollouts for figures and a rank."""
        return self.rollouts >= FEWEST


class DecisionAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """The result: the answers, best first, then those with too few rollouts for a rank, and a one-sentence reason.

    `chances` says whether utilities are win chances; otherwise they rate the endings of a solo game. `rollouts` is the
    total of all answers. `estimates` are of what the seat cannot see.
    """

    seat: str
    rule: str
    question: str
    revision: int
    rated: list[RatedAnswer] = msgspec.field(name="judged")
    why: str
    chances: bool
    rollouts: int = msgspec.field(name="trials")
    estimates: list[Estimate] = []


@dataclass
class _Tried:
    """One answer's rollouts: its utility and the match statistics of each."""

    candidate: Candidate
    utilities: dict[int, float] = field(default_factory=dict)
    stats: dict[int, Mapping[str, float]] = field(default_factory=dict)


def analyze(
    match: Match[Any, Any],
    seat: str,
    limit: Limit,
    random: Random | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> DecisionAnalysis:
    """Analyze a seat's pending decision.

    Args:
        match: the match.
        seat: the seat that must decide.
        limit: the time or number of rounds.
        random: generator of positions and dice; by default it is seeded by the decision.
        progress: called with the number of rollouts so far, and how many the limit allows at most.

    Raises:
        NotYourDecision, MatchOver, UnknownSeat: the seat has no pending decision.
    """
    run = AnalysisRun(match, seat, random)
    most = run.most(limit)
    for count in run.run(limit):
        if progress:
            progress(count, most)
    return run.result()


class AnalysisRun:
    """An analysis in progress: its candidates and their results so far; the arguments are those of `analyze`.

    The match must not change during the analysis.
    """

    def __init__(self, match: Match[Any, Any], seat: str, random: Random | None = None) -> None:
        self.decision = match.decision_for(seat)
        self._match, self._seat, self._view = match, seat, match.bot_view(seat)
        self._estimates: list[Estimate] = []
        if (beliefs := believe(match.game, self._view)) is not None:
            self._view, self._estimates = self._view.with_resample(beliefs.resample), beliefs.estimates()
        self._random = random or chance_of(match, self.decision)
        side = match.seat(seat).side
        self._rollouts = Rollouts(match.game, seat, baseline_policy(match.game), side)
        candidates = _candidates(match.game, self.decision, self._view, side, self._random)
        self._tried = [_Tried(candidate) for candidate in candidates]

    def run(self, limit: Limit) -> Iterator[int]:
        """Run rollouts up to the limit; yield their number after each.

        Each round begins with the baseline. The iteration may be stopped at any time; `result` returns what is known.
        """
        until = perf_counter() + limit.seconds
        baseline, *others = self._tried
        by_candidate = {id(each.candidate): each for each in others}
        for number in range(0 if self.decision.is_forced else limit.trials):
            seed = self._random.random()
            for candidate in (baseline.candidate, *next_candidate([each.candidate for each in others], number, PART)):
                each = by_candidate.get(id(candidate), baseline)
                if not self._run_once(each, seed, until, number):
                    return
                if each is not baseline:
                    candidate.add_sample(each.utilities[number] - baseline.utilities[number])
                yield self._count()

    def most(self, limit: Limit) -> int:
        """Return how many rollouts the rounds of a limit have."""
        others = len(self._tried) - 1
        best = -(-others // PART)
        return 1 + others + (limit.trials - 1) * (1 + min(others, best + 1))

    def _run_once(self, each: _Tried, seed: float, until: float, number: int) -> bool:
        """Run one rollout of one answer; return whether there was time for it."""
        match = self._rollouts.ended(each.candidate, self._view, seed, until)
        if match is None:
            return False
        each.utilities[number] = 0.0
        if match.outcome is not None:
            each.stats[number] = match.game.analysis.match_stats(match.state, match.game.data)
            each.utilities[number] = match.game.analysis.utility(match.outcome, self._rollouts.side)
        return True

    def _count(self) -> int:
        return sum(len(each.utilities) for each in self._tried)

    def result(self) -> DecisionAnalysis:
        """Return the analysis so far."""
        decision, baseline = self.decision, self._tried[0]
        known = [each for each in self._tried if each.utilities] or [baseline]
        rated = {id(each): _rated(decision, each, baseline) for each in known}
        known.sort(key=lambda each: (1, 0.0) if _has_few_samples(each) else (0, -rated[id(each)].utility))
        chances = len({each.side for each in self._match.seats}) > 1
        return DecisionAnalysis(
            seat=self._seat,
            rule=decision.rule,
            question=decision.question,
            revision=decision.revision,
            rated=[rated[id(each)] for each in known],
            why=f"{_why(decision, known, rated, chances)} [{_title(self._match.game, decision.rule)}]",
            chances=chances,
            rollouts=self._count(),
            estimates=self._estimates,
        )


def analysis_seed(match: Match[Any, Any], decision: Decision) -> str:
    """Return the seed of a decision's analysis, which depends on nothing that its seat does not know."""
    return f"officer {match.fingerprint} {decision.seat} {match.revision_for(decision.seat, decision.revision)}"


def chance_of(match: Match[Any, Any], decision: Decision) -> Random:
    """Return a generator for a decision's analysis."""
    return Random(analysis_seed(match, decision))


def _candidates(game: Game[Any, Any], decision: Decision, view: BotView, side: str, chance: Random) -> list[Candidate]:
    """Return the candidates: the baseline first, then other bots and plans, single options, small changes."""
    by_keys: dict[Keys, Candidate] = {}
    for name, maker in policies_for(game, side).items():
        keys = answer_of(decision, maker(view.seat, Random(chance.random())), view)
        if keys is None and not by_keys:
            keys, name = decision.sample(chance), ""
        if keys is not None:
            by_keys.setdefault(keys, Candidate(keys, maker, name))
    baseline = next(iter(by_keys.values()))
    single = single_options(decision, set(by_keys), OPTIONS)
    changed = mutations(decision, baseline.answer, set(by_keys), CHANGES, chance)
    return [*by_keys.values(), *(Candidate(keys, baseline.maker) for keys in (*single, *changed))]


# -- texts -----------------------------------------------------------------------------------------------------------


def _has_few_samples(each: _Tried) -> bool:
    return len(each.utilities) < FEWEST


def _rated(decision: Decision, each: _Tried, baseline: _Tried) -> RatedAnswer:
    """Return an answer's values: the baseline's mean over all its rollouts plus the mean of the differences."""
    base = list(baseline.utilities.values())
    differences = [utility - baseline.utilities[number] for number, utility in each.utilities.items()]
    gain, gain_error = fmean(differences or [0.0]), error(differences) if each is not baseline else 0.0
    own = min(0.5, error(list(each.utilities.values())))
    return RatedAnswer(
        keys=each.candidate.answer,
        text=answer_text(decision, each.candidate.answer, baseline.candidate.answer),
        policy=each.candidate.name,
        utility=min(1.0, max(0.0, fmean(base or [0.5]) + gain)),
        error=min(own, sqrt(error(base) ** 2 + gain_error**2)),
        advantage=gain,
        advantage_error=min(1.0, gain_error),
        rollouts=len(differences),
    )


def error(values: Sequence[float]) -> float:
    """Return the half-width of the 95 % confidence interval of a mean; 0.5 for fewer than two values.

    >>> round(error([0.0, 1.0] * 50), 3), error([1.0])
    (0.099, 0.5)
    """
    if len(values) < 2:
        return 0.5
    mean = fmean(values)
    spread = sum((each - mean) ** 2 for each in values) / (len(values) - 1)
    return ERRORS * sqrt((spread + 0.25 / len(values)) / len(values))


def answer_text(decision: Decision, keys: Sequence[str], baseline: Sequence[str] = ()) -> str:
    """Return an answer as text; one that differs little from the baseline as the differences."""
    if len(keys) == len(decision.keys) > 1 and len(set(keys)) == len(keys):
        return "all"
    counts, removed, added = Counter(keys), Counter(baseline) - Counter(keys), Counter(keys) - Counter(baseline)
    if baseline and 0 < removed.total() + added.total() < min(len(counts), NAMED):
        changes = (("without", list(removed.elements())), ("with", list(added.elements())))
        parts = (f"{word} {decision.describe_answer(some, NAMED)}" for word, some in changes if some)
        return f"baseline {', '.join(parts)}"
    return decision.describe_answer(keys, NAMED)


def _why(decision: Decision, ranked: Sequence[_Tried], rated: Mapping[int, RatedAnswer], chances: bool) -> str:
    """Return a sentence on how the best answer did, and what it did better."""
    best, count = ranked[0], len(ranked[0].utilities)
    if decision.is_forced:
        return "It is the only legal answer."
    if not count:
        return f"There was no time for rollouts; {_policy_of(best.candidate)}."
    if _has_few_samples(best):
        return f"Only {count_noun(count, 'rollout')}, too few to rank the answers; {_policy_of(best.candidate)}."
    mine = utility_text(rated[id(best)].utility, chances)
    result = f"In {count} rollouts this answer {mine} ± {error_text(rated[id(best)].error, chances)}"
    if len(ranked) == 1:
        return f"{result}; no other answer was tried."
    other = ranked[1]
    if _has_few_samples(other):
        return f"{result}; the other answers had too few rollouts."
    answer, utility = _quoted(rated[id(other)]), utility_text(rated[id(other)].utility, chances)
    if utility == mine:
        return f"{result}; {answer} does equally well."
    if not _is_separate(best, other):
        return f"{result}; {answer} {utility}, which is no significant difference."
    return f"{result}; {answer} {utility}{_because(best, other)}."


def _policy_of(candidate: Candidate) -> str:
    """Say where the first answer comes from if no other is known to be better."""
    return "this answer is random" if candidate.name in ("", RANDOM) else "this is the default bot's answer"


def utility_text(utility: float, chances: bool) -> str:
    """Return a utility as text.

    >>> utility_text(0.625, True), utility_text(0.625, False)
    ('wins 62 %', 'scores 62 of 100')
    """
    return f"wins {percent(utility)}" if chances else f"scores {points(utility, chances)} of 100"


def points(utility: float, chances: bool) -> str:
    """Return a utility as a percentage if it is a chance, else as points from 0 to 100."""
    return percent(utility) if chances else f"{100 * utility:.0f}"


def error_text(error: float, chances: bool) -> str:
    """Return the error of a utility, rounded up: no estimate is exact.

    >>> error_text(0.0032, True), error_text(0.071, False)
    ('1 %', '8')
    """
    figure = ceil(round(100 * error, 6)) or 1
    return f"{figure} %" if chances else str(figure)


def _quoted(rated: RatedAnswer) -> str:
    return f"“{rated.text}”" if len(rated.text) <= QUOTED else "the next answer"


def _is_separate(best: _Tried, other: _Tried) -> bool:
    """Return whether two answers differ significantly in the rollouts that both had."""
    both = best.utilities.keys() & other.utilities.keys()
    differences = [best.utilities[number] - other.utilities[number] for number in sorted(both)]
    return len(differences) >= FEWEST and abs(fmean(differences)) > error(differences)


def _because(best: _Tried, other: _Tried) -> str:
    """Return the match statistic in which two answers differ most significantly, if any does."""
    both = sorted(best.stats.keys() & other.stats.keys())
    if len(both) < FEWEST:
        return ""
    texts = [_difference_text(title, best, other, both) for title in best.stats[both[0]]]
    ratio, text = max(texts, default=(0.0, ""))
    return f": {text}" if ratio > 1.0 else ""


def _difference_text(title: str, best: _Tried, other: _Tried, both: Sequence[int]) -> tuple[float, str]:
    """Return the difference of a match statistic relative to its error, and its text."""
    mine, theirs = ([each.stats[number][title] for number in both] for each in (best, other))
    differences = [one - two for one, two in zip(mine, theirs, strict=True)]
    text = f"{title} {fmean(mine):.1f} against {fmean(theirs):.1f}"
    return abs(fmean(differences)) / max(error(differences), 1e-9), text


def _title(game: Game[Any, Any], rule: str) -> str:
    """Return a rule's number with its title, if the rulebook has one."""
    return next((f"{rule} {each.title}" for each in game.rulebook.rule if each.number == rule), rule)
