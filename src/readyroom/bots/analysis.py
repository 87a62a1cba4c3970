"""Analysis of a decision: the estimated utility of each answer, from rollouts in imagined positions.

Every answer is tried with the same dice as the baseline, the default bot's answer. The best of many answers has often
been lucky, so one half of the rounds ranks the answers, and the figures are means over the rollouts of the other half,
with the half-widths of their 95 % confidence intervals. Answers with few rollouts are not ranked, and nothing shows
figures of them. The analysis knows what the seat knows, and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, hypot
from random import Random
from statistics import fmean
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
from readyroom.bots.statistics import DIGITS, GAIN, MARGIN, Interval, is_choosing, is_equivalent, mean_of, mean_utility
from readyroom.engine.game import Estimate, Game
from readyroom.engine.match import BotView, Match
from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Decision

OPTIONS, CHANGES = 30, 8
"""The most single options, and the most small changes of the baseline's answer, that are tried."""
CAUTION, PRIOR_WEIGHT = 2.0, 1.0
"""An answer ranks before the baseline if it is better by this many standard errors; and rollouts with no difference
that are added."""
PART = 4
"""In every round the best 1/PART of the answers are tried."""
NAMED = 4
"""The most options of an answer that are named."""
QUOTED = 60
"""The longest answer that is quoted in a sentence, in letters."""
FEWEST = 30
"""With fewer rollouts than this the error is as large as the estimate: no rank and no percentage is shown."""


class RatedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer: keys, text, policy, utility from 0 to 1 with its error, and the number of rollouts that measured it.

    `advantage` is its utility minus that of the baseline's answer, and `advantage_error` the error of that. With
    fewer than 30 rollouts these four are no estimates, and should not be shown. The rollouts that rank the answers are
    not counted: they are others. `is_selected` says that the player has selected this answer.
    """

    keys: Keys
    text: str = msgspec.field(name="words")
    policy: str = msgspec.field(name="doctrine")
    utility: float = msgspec.field(name="worth")
    error: float
    advantage: float = msgspec.field(name="gain")
    advantage_error: float = msgspec.field(name="doubt")
    rollouts: int = msgspec.field(name="trials")
    is_selected: bool = msgspec.field(default=False, name="selected")

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

    @property
    def measured(self) -> dict[int, float]:
        """The utilities of the rounds that do not rank."""
        return {number: utility for number, utility in self.utilities.items() if not is_choosing(number)}

    @property
    def promise(self) -> float:
        """What ranks the answer: the lower confidence bound of its advantage in the rounds that rank."""
        return self.candidate.lower_bound(CAUTION, PRIOR_WEIGHT)


def analyze(
    match: Match[Any, Any],
    seat: str,
    limit: Limit,
    random: Random | None = None,
    progress: Callable[[int, int], object] | None = None,
    selected: Keys | None = None,
) -> DecisionAnalysis:
    """Analyze a seat's pending decision.

    Args:
        match: the match.
        seat: the seat that must decide.
        limit: the time or number of rounds.
        random: generator of positions and dice; by default it is seeded by the decision.
        progress: called with the number of rollouts so far, and how many the limit allows at most.
        selected: a legal answer to try in every round, such as the one that a player has selected.

    Raises:
        NotYourDecision, MatchOver, UnknownSeat: the seat has no pending decision.
    """
    run = AnalysisRun(match, seat, random, selected)
    most = run.most(limit)
    for count in run.run(limit):
        if progress:
            progress(count, most)
    return run.result()


class AnalysisRun:
    """An analysis in progress: its candidates and their results so far; the arguments are those of `analyze`.

    The match must not change during the analysis.
    """

    def __init__(
        self, match: Match[Any, Any], seat: str, random: Random | None = None, selected: Keys | None = None
    ) -> None:
        self.decision = match.decision_for(seat)
        self._match, self._seat, self._view = match, seat, match.bot_view(seat)
        self._estimates: list[Estimate] = []
        if (beliefs := believe(match.game, self._view)) is not None:
            self._view, self._estimates = self._view.with_resample(beliefs.resample), beliefs.estimates()
        self._random = random or chance_of(match, self.decision)
        side = match.seat(seat).side
        self._rollouts = Rollouts(match.game, seat, baseline_policy(match.game), side)
        candidates = _candidates(match.game, self.decision, self._view, side, self._random)
        self._selected = next((each for each in candidates if each.answer == selected), None)
        if selected is not None and self._selected is None:
            self._selected = Candidate(selected, candidates[0].maker)
            candidates.append(self._selected)
        self._tried = [_Tried(candidate) for candidate in candidates]

    def run(self, limit: Limit) -> Iterator[int]:
        """Run rollouts up to the limit; yield their number after each.

        Each round begins with the baseline and the selected answer. Rounds alternate between ranking and measuring. The
        iteration may be stopped at any time; `result` returns what is known.
        """
        clock = limit.start()
        baseline, *others = self._tried
        by_candidate = {id(each.candidate): each for each in others}
        always = [baseline.candidate]
        if self._selected is not None and self._selected is not baseline.candidate:
            always.append(self._selected)
        for number in range(0 if self.decision.is_forced else limit.trials):
            seed = self._random.random()
            tried = next_candidate([each.candidate for each in others], number // 2, PART)
            for candidate in (*always, *(each for each in tried if each is not self._selected)):
                if clock.used >= 1.0:
                    return
                each = by_candidate.get(id(candidate), baseline)
                if not self._run_once(each, seed, clock.until, number):
                    return
                if each is not baseline:
                    candidate.add_sample(each.utilities[number] - baseline.utilities[number], number)
                yield self._count()

    def most(self, limit: Limit) -> int:
        """Return how many rollouts the rounds of a limit have."""
        others = len(self._tried) - 1
        best = -(-others // PART) + (self._selected is not None)
        first = min(limit.trials, 2)
        return first * (1 + others) + (limit.trials - first) * (1 + min(others, best + 1))

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
        rated = {id(each): _rated(decision, each, baseline, self._selected) for each in known}
        known.sort(key=lambda each: (1, 0.0) if _has_few_samples(each) else (0, -each.promise))
        chances = len({each.side for each in self._match.seats}) > 1
        return DecisionAnalysis(
            seat=self._seat,
            rule=decision.rule,
            question=decision.question,
            revision=decision.revision,
            rated=[rated[id(each)] for each in known],
            why=_why(decision, known, rated, chances),
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
    """Return the candidates: the baseline first, then other bots and plans, single options, small changes.

    The baseline's generator comes from the first number of `chance`, as that of a hint does: both say the same.
    """
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
    return len(each.measured) < FEWEST


def _rated(decision: Decision, each: _Tried, baseline: _Tried, selected: Candidate | None) -> RatedAnswer:
    """Return an answer's values: the baseline's mean over all its rollouts plus the mean of the differences."""
    base, own = _utility(baseline.measured), _utility(each.measured)
    gain = Interval(0.0, 0.0, 0.0, 0.0) if each is baseline else _difference(each, baseline)
    return RatedAnswer(
        keys=each.candidate.answer,
        text=answer_text(decision, each.candidate.answer, baseline.candidate.answer),
        policy=each.candidate.name,
        utility=round(min(1.0, max(0.0, base.mean + gain.mean)), DIGITS),
        error=min(own.reach, hypot(base.reach, gain.reach)),
        advantage=gain.mean,
        advantage_error=gain.reach,
        rollouts=len(each.measured),
        is_selected=each.candidate is selected,
    )


def _utility(measured: Mapping[int, float]) -> Interval:
    return mean_utility(list(measured.values())) if measured else Interval(0.5, 0.5, 0.0, 1.0)


def _difference(one: _Tried, other: _Tried) -> Interval:
    """Return the difference of two answers in the measuring rounds that both had."""
    mine, theirs = one.measured, other.measured
    differences = [mine[number] - theirs[number] for number in sorted(mine.keys() & theirs.keys())]
    return mean_of(differences, GAIN) if differences else Interval(0.0, 0.5, -1.0, 1.0)


def answer_text(decision: Decision, keys: Sequence[str], baseline: Sequence[str] = ()) -> str:
    """Return an answer as text; one that differs little from the baseline as the differences."""
    if len(keys) == len(decision.keys) > 1 and len(set(keys)) == len(keys):
        return "all"
    counts, removed, added = Counter(keys), Counter(baseline) - Counter(keys), Counter(keys) - Counter(baseline)
    if baseline and 0 < removed.total() + added.total() < min(len(counts), NAMED):
        changes = (("without", list(removed.elements())), ("with", list(added.elements())))
        parts = (f"{word} {decision.describe_answer(some, NAMED)}" for word, some in changes if some)
        return f"the bot’s answer {', '.join(parts)}"
    return decision.describe_answer(keys, NAMED)


def _why(decision: Decision, ranked: Sequence[_Tried], rated: Mapping[int, RatedAnswer], chances: bool) -> str:
    """Return a sentence on how the best answer did, and what it did better."""
    best, count = ranked[0], len(ranked[0].measured)
    if decision.is_forced:
        return "It is the only legal answer."
    if not best.utilities:
        return f"There was no time for rollouts; {_policy_of(best.candidate)}."
    if _has_few_samples(best):
        return f"There are too few rollouts to rank the answers; {_policy_of(best.candidate)}."
    first = rated[id(best)]
    mine, spread = utility_text(first.utility, chances), range_text(first.utility, first.error, chances)
    result = f"In {count} rollouts the first answer {mine} ({spread})"
    if len(ranked) == 1:
        return f"{result}; no other answer was tried."
    other = ranked[1]
    if _has_few_samples(other):
        return f"{result}; the other answers had too few rollouts."
    answer, utility = _quoted(rated[id(other)]), utility_text(rated[id(other)].utility, chances)
    difference = _difference(best, other)
    if difference.excludes_zero:
        reason = stat_reason(best.stats, other.stats)
        return f"{result}; {answer} {utility}{f': {reason}' if reason else ''}."
    if is_equivalent(difference.low, difference.high):
        return f"{result}; {answer} does about as well, within {100 * MARGIN:.0f} points."
    return f"{result}; {answer} {utility}, too close to call."


def _policy_of(candidate: Candidate) -> str:
    """Say where the first answer comes from if no other is known to be better."""
    return "the first answer is random" if candidate.name in ("", RANDOM) else "the first is the default bot's answer"


def utility_text(utility: float, chances: bool) -> str:
    """Return a utility as text.

    >>> utility_text(0.625, True), utility_text(0.625, False)
    ('wins 62 %', 'scores 62 of 100')
    """
    return f"wins {percent(utility)}" if chances else f"scores {points(utility, chances)} of 100"


def points(utility: float, chances: bool) -> str:
    """Return a utility as a percentage if it is a chance, else as points from 0 to 100."""
    return percent(utility) if chances else f"{100 * utility:.0f}"


def range_text(utility: float, error: float, chances: bool) -> str:
    """Return the 95 % interval of a utility as text.

    >>> range_text(0.625, 0.071, True), range_text(0.0, 0.071, False)
    ('55–70 %', '0–8')
    """
    low, high = (round(100 * share, 6) for share in (max(0.0, utility - error), min(1.0, utility + error)))
    return f"{floor(low)}–{ceil(high)}{' %' if chances else ''}"


def error_text(error: float, chances: bool) -> str:
    """Return the error of a utility, rounded up: no estimate is exact.

    >>> error_text(0.0032, True), error_text(0.071, False)
    ('1 %', '8')
    """
    figure = ceil(round(100 * error, 6)) or 1
    return f"{figure} %" if chances else str(figure)


def _quoted(rated: RatedAnswer) -> str:
    return f"“{rated.text}”" if len(rated.text) <= QUOTED else "the next answer"


RoundStats = Mapping[int, Mapping[str, float]]
"""The match statistics of an answer in each round."""


def stat_reason(best: RoundStats, other: RoundStats) -> str:
    """Return the match statistic in which two answers differ most, if they also do in the rounds that measure."""
    both = sorted(best.keys() & other.keys())
    ranking, measuring = ([n for n in both if is_choosing(n) == choosing] for choosing in (True, False))
    if min(len(ranking), len(measuring)) < 2:
        return ""
    by_title = {title: _stat_difference(title, best, other, ranking) for title in best[both[0]]}
    title = max(by_title, key=lambda title: abs(by_title[title].mean) / by_title[title].error, default=None)
    if title is None or not _stat_difference(title, best, other, measuring).excludes_zero:
        return ""
    mine, theirs = (fmean(each[number][title] for number in measuring) for each in (best, other))
    return f"{title} {mine:.1f} in a match on average, against {theirs:.1f}"


def _stat_difference(title: str, best: RoundStats, other: RoundStats, numbers: Sequence[int]) -> Interval:
    """Return the difference of a match statistic in these rounds."""
    return mean_of([best[number][title] - other[number][title] for number in numbers])
