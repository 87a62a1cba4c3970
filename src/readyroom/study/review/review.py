"""Match review: how much of a result was skill, and how much luck.

A match is divided into units: all that a seat decided in one phase up to the first dice. The bots with which it is
compared decide the same unit. If the position is the same afterwards, the unit gains nothing. Otherwise bots play on
from both with the same dice and random numbers, many times: the mean difference is the gain of the unit. Where a seat
has beliefs about what it cannot see, both are played on from positions that it could not distinguish from the true one.

- start: the utility of the opening if bots play, see `opening`;
- skill: the sum of the gains of a side; others: what those of the other side cost it;
- luck: the rest. What was hidden from a side is part of its luck where its units are judged by its beliefs.

start + skill + others + luck = outcome. A sum of gains may exceed 100 points: each counts from where the match was.

A first stage measures all units that differ, a second one those where more rollouts reduce the error most. Units that
look costly are measured again with new rollouts, and only these count for the marks: the costliest of many units have
also been unlucky. Their p-values are adjusted together (Holm).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import exp, sqrt
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Literal, NamedTuple

import msgspec

from readyroom.bots import reference_bot
from readyroom.bots.rollouts import has_beliefs
from readyroom.bots.statistics import (
    GAIN,
    SIGNIFICANT,
    Interval,
    Limits,
    MeanEstimate,
    difference_limits,
    estimate_mean,
    holm,
    interval_from_error,
    mean_utility,
    p_value,
    rounded,
    utility_limits,
)
from readyroom.engine.game import Game, sides
from readyroom.engine.match import Match
from readyroom.engine.record.format import Entry, Parsed, Undo
from readyroom.engine.record.replay import game_of_record, iter_replay, replay
from readyroom.engine.record.turning_points import KeyMoment, MomentCollector
from readyroom.engine.rules.decisions import summarize_counts
from readyroom.engine.text import count_noun
from readyroom.study.estimates import describe_ending, players
from readyroom.study.matches import Mapper, shared_workers
from readyroom.study.results import StudyResult
from readyroom.study.review.opening import opening_utility, play_openings
from readyroom.study.review.rollouts import CONFIRMATION, GAINS, POSITIONS, ReviewJobSpec, Sample, Stage, Task, sample
from readyroom.study.review.units import Answer, find_units
from readyroom.study.review.what_if import finished

AnyMatch = Match[Any, Any]
SAMPLES = 16
SEED = "verdict"
FIRST_EVALUATION = 2
"""The rollouts from a position in the first stage, for each of those from a unit."""
PRECISE = 0.015
"""The standard error of a side's skill at which no more rollouts are needed."""
EVALUATED = 0.03
"""The standard error of an evaluation at which no more rollouts are needed."""
SUSPECTS = 8
"""The most units that are measured again."""
MOST_POINTS = 40
"""The most positions that are evaluated."""
MOST_TURNING_POINTS, LEAST_CHANGE = 3, 0.01
"""The most turning points of a side, and the least change of one."""
MOST_UNCLEAR = 3
"""The most turning points of a side that may be chance, and units without a mark, that are listed."""
MOST_NAMED = 16
"""The most choices of a difference that are named."""
PILOTS = 4
"""Matches that show how long one takes."""
PART = 20.0
"""The rollouts of a task, in whole matches."""


class Effort(NamedTuple):
    """What a review costs for each sample.

    `gains`, `positions` and `opening` are limits in whole matches; `confirmation` is the pairs of rollouts by which
    a suspect is measured again. Without `positions` there is no course.
    """

    gains: int = 720
    positions: int = 100
    opening: int = 60
    confirmation: int = 10


EFFORT = Effort()
Mark = Literal["blunder", "mistake", "inaccuracy", "strong", "unclear"]
MARKS: Sequence[tuple[float, Mark]] = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))
"""What a loss of at least this much is called."""
STRONG = 0.05
"""A gain of at least this much over the bot is marked, too."""


class MarkedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that gained or cost much: what was decided, and what its bot would have decided instead.

    `gain` is measured by rollouts that did not select the unit, and `p` is its p-value adjusted for all that were
    measured so. Answers that are the same in both are left out.
    """

    n: int
    last: int
    turn: int
    phase: str
    seat: str
    mark: Mark
    gain: Interval
    p: float
    played: list[Answer]
    instead: list[Answer]


class Evaluation(msgspec.Struct, frozen=True):
    """The utility of the match to a side if bots play on, before decision `n` (0: the opening)."""

    n: int
    turn: int
    value: Interval


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The largest changes between two evaluations: by how much, and the most important line of the log that fits.

    `n` and `until` are the decisions before which the match was evaluated. `target` is the key of the piece or place
    that the line is about, if any.
    """

    n: int
    until: int
    turn: int
    change: Interval
    text: str
    target: str = ""


class SideReview(msgspec.Struct, frozen=True, kw_only=True):
    """The review of a side. All figures are utilities from 0 to 1 and differences of them; a won match is 1.

    Attributes:
        side, name: the side.
        start: what the opening is worth.
        skill: what its own decisions gained over those of its bot.
        others: what those of its opponent gained it.
        luck: the rest of the outcome.
        play: start and skill together: what such play is worth without luck.
        outcome: what the match was worth in the end.
        accuracy: from 0 to 1, from the mean loss of a unit, see `accuracy`.
        units: how many units had a choice, and in how many of them the bot would have ended elsewhere (`differing`).
        course: the evaluations along the match.
        turning_points: the largest changes beyond chance.
        marks: units that gained or cost much beyond chance.
        maybe_turning: without turning points, the largest changes, which may be chance. Their sizes are those of the
            largest of many, and so too large.
        unclear: without marks, units that looked as if they gained or cost most, and what new rollouts say of them.
    """

    side: str
    name: str
    start: Interval
    skill: Interval
    others: Interval
    luck: Interval
    play: Interval
    outcome: float
    accuracy: Interval
    units: int
    differing: int
    course: list[Evaluation]
    turning_points: list[TurningPoint]
    marks: list[MarkedUnit]
    maybe_turning: list[TurningPoint] = []
    unclear: list[MarkedUnit] = []


class Review(StudyResult, frozen=True, kw_only=True):
    """The review of a match. Everything but the seconds is the same for the same seed and samples.

    `by_beliefs` says whether units are judged in positions that a seat may believe, and not in the true one.
    `opposed`: what one side gains the other one loses. `last` is the number of the last decision.
    """

    game: str
    title: str
    version: str
    ended: str
    samples: int
    seed: str
    bots: dict[str, str]
    by_beliefs: bool
    opposed: bool
    decisions: int
    last: int
    units: int
    continuations: int
    dropped: int
    sides: list[SideReview]
    seconds: float

    def all_turning_points(self) -> list[tuple[SideReview, TurningPoint]]:
        """Return the turning points with their sides; of opposed sides only the first one's, as the other has the same.

        They are in order.
        """
        sides = self.sides[:1] if self.opposed else self.sides
        return sorted(((side, point) for side in sides for point in side.turning_points), key=lambda one: one[1].n)


def review(
    record: str,
    *,
    samples: int = SAMPLES,
    seed: str = SEED,
    bots: Mapping[str, str] | None = None,
    workers: int = 1,
    data: Path | None = None,
    effort: Effort = EFFORT,
    progress: Callable[[float], object] | None = None,
) -> Review:
    """Review a finished match.

    Args:
        record: the text of the record.
        samples: the pairs of rollouts of each unit in the first stage; the rest of the effort follows from it.
        seed: words that fix positions, dice and bots.
        bots: a bot's name for each seat or side that it is compared with; for the rest the reference bot.
        workers: how many processes share the work; the result does not depend on it.
        data: a folder of an owner's own figures.
        effort: what it may cost.
        progress: called with the part of the work that is done, from 0 to 1.

    Raises:
        NoSuchDecision, InvalidRecord: the record is not one of a match that is over and holds.
        UnknownSeat, UnknownBot: no one plays so.
    """
    begin = perf_counter()
    parsed = finished(record)
    game = game_of_record(parsed.header, data)
    walk = _Walk(parsed, game)
    named = players(game, walk.match.seats, bots or {}, reference_bot(game))
    text = f"{seed}/{parsed.header.fingerprint}"  # so that the errors of several matches are independent
    job = ReviewJobSpec(record, data, text, tuple(find_units(parsed, game, named, text)), walk.sides, named)
    with shared_workers(workers) as mapper:
        reviewer = _Reviewer(job, seed, samples, effort, walk, mapper, progress or (lambda share: None))
        reviewer.run()
    return reviewer.build_result(perf_counter() - begin)


def affordable_samples(record: str, seconds: float) -> int:
    """Return the samples with which the review of a match takes about this long in one process, at least 2."""
    parsed = finished(record)
    game = game_of_record(parsed.header)
    match: AnyMatch = replay(parsed, 0, game=game, quick=True)
    begin = perf_counter()
    play_openings(record, None, sides(match.seats), players(game, match.seats, {}, reference_bot(game)), range(PILOTS))
    matches = EFFORT.gains + EFFORT.positions + EFFORT.opening
    return max(2, int(seconds / matches * PILOTS / (perf_counter() - begin)))


class _Walk:
    """A finished match: its sides, outcome and key moments, and the number of its decisions."""

    def __init__(self, parsed: Parsed, game: Game[Any, Any]) -> None:
        self.decisions, self.moments = 0, list[KeyMoment]()
        undone = {n for _, entry in parsed.entries if isinstance(entry, Undo) for n in entry.undo}
        collector: MomentCollector | None = None
        before = 0
        for match, entry in iter_replay(parsed, game=game):
            if collector is None:
                collector = MomentCollector(match)
            self._take(collector, before, match)
            before = entry.n if isinstance(entry, Entry) and entry.n not in undone else 0
            self.decisions += before > 0
            collector.listen(match)
            self.match = match
        if collector is not None:
            self._take(collector, before, self.match)
        self.sides = sides(self.match.seats)
        self.names = {side: game.side_name(side, self.match.seats) for side in self.sides}
        self.utility = describe_ending(self.match).utility
        self.opposed = len(self.sides) > 1 and sum(self.utility.values()) == 1  # what one side gains the other loses

    def _take(self, collector: MomentCollector, n: int, match: AnyMatch) -> None:
        if not n:
            collector.rewind(match)
        elif (moment := collector.take(n, match)) is not None:
            self.moments.append(moment)

    def moment_between(self, first: int, beyond: int, side: str, change: float) -> KeyMoment | None:
        """Return the most important moment from one decision to another; None without one.

        A moment in which the score of the side moved against the change of its win chance does not count.
        """
        found = [one for one in self.moments if first <= one.number < beyond and _lead_gained(one, side) * change >= 0]
        return max(found, key=lambda moment: (moment.rank, moment.swing), default=None)


# -- sampling --------------------------------------------------------------------------------------------------------


class _Samples:
    """The samples of a unit or a position, and what they cost on average in whole matches."""

    def __init__(self, weight: float = 1.0) -> None:
        self.weight, self.taken, self.cost = weight, 0, 0.0
        self.values: list[tuple[float, ...]] = []

    def add(self, samples: Iterable[Sample], match: float) -> None:
        """Add some samples; `match` is the mean number of decisions of a whole match."""
        for each in samples:
            self.taken += 1
            self.cost += each.decisions / match
            if each.values is not None:
                self.values.append(each.values)

    def of(self, at: int) -> list[float]:
        """Return the values of this index."""
        return [values[at] for values in self.values]

    @property
    def variance(self) -> float:
        """The variance of a sample, with that of one more that is unknown."""
        own = self.of(0)
        mean = fmean(own) if own else 0.0
        return self.weight**2 * (sum((value - mean) ** 2 for value in own) + 0.25) / max(1, len(own) - 1)

    def mean_cost(self) -> float:
        """Return what a sample costs."""
        return max(0.02, self.cost / max(1, self.taken))


def allocate(variances: Sequence[float], costs: Sequence[float], taken: Sequence[int], budget: float) -> list[int]:
    """Return how many samples each estimate should have, so that the variance of their sum is least.

    Args:
        variances: of a sample of each.
        costs: of a sample of each.
        taken: how many each has already; it will not have fewer.
        budget: what all samples together may cost.

    >>> allocate([0.04, 0.01], [1.0, 1.0], [10, 10], 90.0)
    [60, 30]
    """
    numbers = list(map(float, taken))
    open_, left = set(range(len(taken))), budget
    while open_:
        scale = max(0.0, left) / sum(sqrt(variances[at] * costs[at]) for at in open_)
        wanted = {at: scale * sqrt(variances[at] / costs[at]) for at in open_}
        if not (enough := {at for at in open_ if wanted[at] <= taken[at]}):
            return [int(wanted.get(at, number) + 1e-9) for at, number in enumerate(numbers)]
        left -= sum(costs[at] * taken[at] for at in enough)
        open_ -= enough
    return list(taken)


class _Reviewer:
    """Plays the rollouts of a review and summarizes them for each side."""

    def __init__(
        self,
        job: ReviewJobSpec,
        seed: str,
        samples: int,
        effort: Effort,
        walk: _Walk,
        mapper: Mapper[Any, Any],
        progress: Callable[[float], object],
    ) -> None:
        self.job, self.seed, self.samples, self.effort, self.walk = job, seed, samples, effort, walk
        self._map, self._progress = mapper, progress
        self.units = job.units
        self.differing = [at for at, unit in enumerate(self.units) if unit.variants and unit.differs > 0]
        self.gains = {at: _Samples(self.units[at].differs) for at in self.differing}
        self.confirmed: dict[int, _Samples] = {}
        points = [at for at in range(len(self.units)) if self._is_point(at)]
        self.points = _spread(points, MOST_POINTS) if effort.positions else []
        self.evaluations = {at: _Samples() for at in self.points}
        self.continuations = self.dropped = 0
        self._used, self._decisions = 0.0, 1.0
        self._most = float(samples * (effort.positions + bool(self.differing) * effort.gains + effort.opening))

    def _is_point(self, at: int) -> bool:
        """Return whether the position before a unit is evaluated: in each turn the first, and where the bot differs."""
        return at in self.gains or at == 0 or self.units[at].turn != self.units[at - 1].turn

    def run(self) -> None:
        """Measure the opening, the positions, the gains, and again those of suspects."""
        matches = self.samples * self.effort.opening
        opening = opening_utility(self.job, matches, self._map, self._move)
        self.opening, self._decisions = opening.utility, opening.decisions
        self._most += self._used - matches  # it may have been known
        self._evaluate()
        self._measure()
        self._confirm()
        self._progress(1.0)

    def _evaluate(self) -> None:
        self._sample(POSITIONS, self.evaluations, dict.fromkeys(self.points, FIRST_EVALUATION * self.samples))
        self._refine(POSITIONS, self.evaluations, self.samples * self.effort.positions, EVALUATED**2 * len(self.points))

    def _measure(self) -> None:
        self._sample(GAINS, self.gains, dict.fromkeys(self.differing, self.samples))
        self._refine(GAINS, self.gains, self.samples * self.effort.gains, PRECISE**2 * len(self.walk.sides))

    def _refine(self, stage: Stage, known: Mapping[int, _Samples], budget: float, precise: float) -> None:
        """Take more samples within a budget, until the sum of all variances is precise enough."""
        if not known:
            return
        estimates = list(known.values())
        variances, costs = [each.variance for each in estimates], [each.mean_cost() for each in estimates]
        needed = sum(sqrt(v * c) for v, c in zip(variances, costs, strict=True)) ** 2 / precise
        numbers = allocate(variances, costs, [each.taken for each in estimates], min(budget, needed))
        self._most -= max(0.0, budget - needed)
        self._sample(stage, known, dict(zip(known, numbers, strict=True)))

    def _confirm(self) -> None:
        """Measure again those units that look as if they gained or cost much."""
        likely = {at: p for at in self.differing if (p := self._p_value(self.gains[at])) < SIGNIFICANT}
        suspects = sorted(sorted(likely, key=likely.__getitem__)[:SUSPECTS])
        self.confirmed = {at: _Samples(self.units[at].differs) for at in suspects}
        self._sample(CONFIRMATION, self.confirmed, dict.fromkeys(suspects, self.effort.confirmation * self.samples))

    def _sample(self, stage: Stage, known: Mapping[int, _Samples], numbers: Mapping[int, int]) -> None:
        """Take samples until there are as many as wanted; several processes may share the work."""
        tasks = [task for at, number in numbers.items() for task in self._tasks(stage, at, known[at], number)]
        for task, samples in zip(tasks, self._map(partial(sample, self.job), tasks), strict=True):
            known[task.unit].add(samples, self._decisions)
            self._move(sum(each.decisions for each in samples) / self._decisions)
            self.continuations += len(samples) * (1 if stage == POSITIONS else 2)
            self.dropped += sum(each.values is None for each in samples)

    def _tasks(self, stage: Stage, at: int, known: _Samples, number: int) -> list[Task]:
        left = (self.walk.decisions - self.units[at].n + 1) / self.walk.decisions
        cost = known.mean_cost() if known.taken else max(0.02, left)
        size = max(1, int(PART / cost))
        return [Task(stage, at, first, min(first + size, number)) for first in range(known.taken, number, size)]

    def _move(self, matches: float) -> None:
        """Report the progress after rollouts that cost as much as this many more matches."""
        self._used += matches
        self._progress(min(0.99, self._used / max(1.0, self._most)))

    # -- the report --------------------------------------------------------------------------------------------------

    def build_result(self, seconds: float) -> Review:
        """Return the review."""
        match = self.walk.match
        assert match.outcome is not None
        return Review(
            game=match.game.key,
            title=match.game.title,
            version=match.game.version,
            ended=match.outcome.title,
            samples=self.samples,
            seed=self.seed,
            bots=dict(self.job.bots),
            by_beliefs=has_beliefs(match.game),
            opposed=self.walk.opposed,
            decisions=self.walk.decisions,
            last=match.revision,
            units=len(self.units),
            continuations=self.continuations,
            dropped=self.dropped,
            sides=[self._of_side(side) for side in self.walk.sides],
            seconds=round(seconds, 3),
        )

    def _of_side(self, side: str) -> SideReview:
        start, outcome = self.opening[side], self.walk.utility[side]
        skill, skill_error = self._skill(side)
        opponents = [other for other in self.walk.sides if other != side]
        gained, error = self._skill(opponents[0]) if self.walk.opposed and len(opponents) == 1 else (0.0, 0.0)
        others, played = 0.0 - gained, sqrt(skill_error**2 + start.error**2)
        own = [at for at, unit in enumerate(self.units) if unit.side == side]
        clear, maybe_turning = self._turning_points(side)
        marks, unclear = self._marks(own)
        return SideReview(
            side=side,
            name=self.walk.names[side],
            start=start,
            skill=interval_from_error(skill, skill_error),
            others=interval_from_error(others, error),
            luck=interval_from_error(outcome - start.mean - skill - others, sqrt(played**2 + error**2)),
            play=interval_from_error(start.mean + skill, played),
            outcome=outcome,
            accuracy=_accuracy(interval_from_error(skill, skill_error), len(own)),
            units=len(own),
            differing=sum(at in self.gains for at in own),
            course=self._course(side),
            turning_points=clear,
            marks=marks,
            maybe_turning=[] if clear else maybe_turning,
            unclear=[] if marks else unclear,
        )

    def _skill(self, side: str) -> tuple[float, float]:
        """Return the sum of a side's gains and its standard error."""
        own = [each for at, each in self.gains.items() if self.units[at].side == side and each.values]
        variance = sum(each.variance / len(each.values) for each in own)
        return sum(each.weight * fmean(each.of(0)) for each in own), sqrt(variance)

    def _p_value(self, samples: _Samples) -> float:
        return p_value(_estimate(samples).interval) if len(samples.values) > 1 else 1.0

    def _marks(self, own: Sequence[int]) -> tuple[list[MarkedUnit], list[MarkedUnit]]:
        """Return the marked units of a side, and of the other suspects those that looked most like one."""
        measured = {at: each for at, each in self.confirmed.items() if each.values}
        adjusted = dict(zip(measured, holm([self._p_value(each) for each in measured.values()]), strict=True))
        suspects = [at for at in own if at in adjusted]
        marks = [
            self._marked(at, mark, adjusted[at])
            for at in suspects
            if adjusted[at] < SIGNIFICANT and (mark := mark_of(_estimate(self.confirmed[at]).mean))
        ]
        likely = sorted(suspects, key=lambda at: self._p_value(self.gains[at]))[:MOST_UNCLEAR]
        return marks, [self._marked(at, "unclear", adjusted[at]) for at in sorted(likely)]

    def _marked(self, at: int, mark: Mark, p: float) -> MarkedUnit:
        unit, estimate = self.units[at], _estimate(self.confirmed[at])
        player = unit.players[unit.seat]
        instead = max(
            unit.variants, key=lambda each: sum(w * p for w, p in zip(player.likely, each.likely, strict=True))
        ).answers
        return MarkedUnit(
            n=unit.n,
            last=unit.last,
            turn=unit.turn,
            phase=unit.phase,
            seat=unit.seat,
            mark=mark,
            gain=rounded(estimate.mean, estimate.error, *estimate.interval()),
            p=p,
            played=differing(unit.answers, instead),
            instead=differing(instead, unit.answers),
        )

    def _course(self, side: str) -> list[Evaluation]:
        at_side = self.walk.sides.index(side)
        course = [Evaluation(0, self.units[0].turn if self.units else 1, self.opening[side])]
        for at, each in self.evaluations.items():
            if each.values:
                course.append(Evaluation(self.units[at].n, self.units[at].turn, mean_utility(each.of(at_side))))
        return course

    def _turning_points(self, side: str) -> tuple[list[TurningPoint], list[TurningPoint]]:
        """Return the largest changes between neighboring evaluations: those beyond chance, and those of all.

        Each in the order of play.
        """
        at_side, ends = self.walk.sides.index(side), list[tuple[int, int, Sequence[float]]]()
        for at, each in self.evaluations.items():
            if each.values:
                ends.append((self.units[at].n, self.units[at].turn, each.of(at_side)))
        ends.append((self.walk.match.revision + 1, self.walk.match.state.at.turn, [self.walk.utility[side]]))
        changes = [_change(first[2], last[2], is_last=last is ends[-1]) for first, last in pairwise(ends)]
        adjusted = holm([p_value(limits) for _, limits in changes])
        all_ = [at for at, (change, _) in enumerate(changes) if abs(change) >= LEAST_CHANGE]
        clear = [at for at in all_ if adjusted[at] < SIGNIFICANT]

        def largest(found: Sequence[int], most: int) -> list[TurningPoint]:
            return [
                self._turning_point(side, ends[at], ends[at + 1][0], _interval(*changes[at]))
                for at in sorted(sorted(found, key=lambda at: -abs(changes[at][0]))[:most])
            ]

        return largest(clear, MOST_TURNING_POINTS), largest(all_, MOST_UNCLEAR)

    def _turning_point(
        self, side: str, start: tuple[int, int, Sequence[float]], until: int, change: Interval
    ) -> TurningPoint:
        n, turn, _ = start
        moment = self.walk.moment_between(n, until, side, change.mean)
        text, target = (moment.text, moment.target) if moment is not None else ("", "")
        return TurningPoint(n=n, until=until, turn=turn, change=change, text=text, target=target)


def _lead_gained(moment: KeyMoment, side: str) -> int:
    """Return by how much a moment moved the score of a side away from those of the others."""
    return sum(gain if whose == side else -gain for whose, gain in moment.gains.items())


def mark_of(gain: float) -> Mark | None:
    """Return the mark of a unit that gained this much; None if it is too little.

    >>> mark_of(-0.25), mark_of(-0.1), mark_of(-0.04), mark_of(0.07)
    ('blunder', 'mistake', None, 'strong')
    """
    if gain >= STRONG:
        return "strong"
    return next((mark for least, mark in MARKS if gain <= -least), None)


def accuracy(loss: float) -> float:
    """Return the accuracy of a side whose units lose this much utility on average, from 0 to 1.

    It is the curve by which lichess rates a move from the win chance that it loses. A side that plays as well as its
    bot, or better, has 1.

    >>> [round(accuracy(loss), 2) for loss in (-0.01, 0.0, 0.05, 0.2)]
    [1.0, 1.0, 0.8, 0.4]
    """
    return min(1.0, max(0.0, 1.031668 * exp(-4.354 * loss) - 0.031668))


def _accuracy(skill: Interval, units: int) -> Interval:
    """Return the accuracy of a side from its skill in this many units."""
    count = max(1, units)
    mean, low, high = (accuracy(-figure / count) for figure in (skill.mean, skill.low, skill.high))
    return rounded(mean, (high - low) / 3.92, low, high)


def _estimate(samples: _Samples) -> MeanEstimate:
    """Return the gain of a unit: that of the samples, which count as often as the bot would differ."""
    estimate, weight = estimate_mean(samples.of(0), GAIN), samples.weight
    return MeanEstimate(
        weight * estimate.mean, weight * estimate.center, weight * estimate.error, estimate.freedom, (-weight, weight)
    )


def differing(answers: Sequence[Answer], others: Sequence[Answer]) -> list[Answer]:
    """Return the answers that are not among the others, in words without the choices that both have.

    >>> one, other = (Answer("5", "Who flies?", tuple(keys), "", tuple(keys)) for keys in ("abc", "abd"))
    >>> differing([one], [other])[0].text, differing([one], [one])
    ('c (and the same 2 choices in both answers)', [])
    """
    found, left = list[Answer](), _only_in(others, answers)
    for each in _only_in(answers, others):
        other = next((one for one in left if one[:2] == each[:2]), None)  # the rule and the question
        if other is not None:
            left.remove(other)
        text = _difference(each.choices, other.choices if other is not None else ())
        found.append(each._replace(text=text, choices=()))
    return found


def _only_in(answers: Sequence[Answer], others: Sequence[Answer]) -> list[Answer]:
    known = {(*each[:2], tuple(sorted(each.keys))) for each in others}
    return [each for each in answers if (*each[:2], tuple(sorted(each.keys))) not in known]


def _difference(choices: Sequence[str], others: Sequence[str]) -> str:
    common = Counter(choices) & Counter(others)
    left, count = list((Counter(choices) - common).elements()), common.total()
    if not count:
        return summarize_counts(left, MOST_NAMED)
    named = summarize_counts(left, MOST_NAMED) if left else "nothing more"
    return f"{named} (and the same {count_noun(count, 'choice')} in both answers)"


def _spread(points: Sequence[int], most: int) -> list[int]:
    """Return at most this many points, evenly spread.

    >>> _spread(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(points) <= most:
        return list(points)
    return [points[round(at * (len(points) - 1) / (most - 1))] for at in range(most)]


def _change(
    before: Sequence[float], after: Sequence[float], *, is_last: bool
) -> tuple[float, Callable[[float], Limits]]:
    """Return the change between two evaluations and its intervals; the last one is certain."""
    old, new = fmean(before), fmean(after)

    def limits(level: float) -> Limits:
        last = (new, new) if is_last else utility_limits(after, level)
        return difference_limits((old, utility_limits(before, level)), (new, last))

    return new - old, limits


def _interval(mean: float, limits: Callable[[float], Limits]) -> Interval:
    low, high = limits(0.95)
    return rounded(mean, (high - low) / 3.92, low, high)
