"""Match review: the value of each decision, and luck.

The course. From every decision, bots finish the match with new dice, after the answer given and after the default bot's
answer, with the same dice for both. For each decision

- the *value before* is the utility of the match to the side if its bot decides,
- the *value after* is the utility after the answer given; the difference is skill;
- the difference from there to the next decision's value before is luck, and the other side's decisions.

The differences add up from the first value to the outcome. The other side's part is known from its own course:
outcome = start + skill + other side + luck. Start plus skill is the result of such play without luck. All of this is
measured against the bot's play.

The costs. The cost of a decision uses only what the side knew: in sampled positions that the side cannot distinguish
from the true one, the answer given is compared with others. Three rounds avoid false positives: first all answers get a
few rollouts; then decisions that look costly are compared with their best alternative in new positions with new dice;
then the worst of them are measured again. Only the last round is reported, with the gain of the better answer in the
true position.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from readyroom.bots import make_bot
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import sides
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Entry, Undo
from readyroom.engine.record.replay import game_of_record, iter_replay, replay
from readyroom.engine.rules.decisions import Decision, DecisionKind
from readyroom.engine.rules.dice import secret_of_seed
from readyroom.study.estimates import (
    Interval,
    clip_unit,
    describe_ending,
    finish_match,
    interval_from_error,
    mean_of,
    mean_utility,
    players,
)
from readyroom.study.matches import map_parallel
from readyroom.study.results import StudyResult
from readyroom.study.review.what_if import finished

AnyMatch = Match[Any, Any]
Keys = tuple[str, ...]
SAMPLES = 16
SEED = "verdict"
OTHERS = 4
"""The number of answers tried in addition to the one given and the bot's."""
FEW, AGAIN, ONCE_MORE = 0.4, 2, 6
"""The rollouts of an answer in each of the three rounds, per rollout of the course."""
COURSE, SCREENING, CONFIRMATION, FINAL, TRUE_POSITION = range(5)
"""The rounds: the course of the match, three for the costs, and the last once more with the true hidden state."""
SUSPECTS, COSTLIEST = 8, 3
"""This many decisions of a side continue to the second round, and this many are reported."""


class Trial(NamedTuple):
    """A decision and the answers to try, each this many times, in one round."""

    n: int
    round: int
    answers: tuple[Keys, ...]
    samples: int


class ReviewJobSpec(NamedTuple):
    """A review job, in a form that can be sent to another process."""

    record: str
    data: Path | None
    bots: dict[str, str]
    seed: str


class TriedAnswers(NamedTuple):
    """The results of a trial: the utilities of each answer, sample by sample; None where an answer was illegal."""

    n: int
    utilities: tuple[tuple[float | None, ...], ...]


class Question(NamedTuple):
    """A reviewed decision: its position, its seat, and its answers as text, the decided one first."""

    n: int
    turn: int
    seat: str
    side: str
    rule: str
    question: str
    answers: tuple[Keys, ...]
    texts: tuple[str, ...]


class CourseStep(msgspec.Struct, frozen=True):
    """A decision in the course of a match: what the match was worth to the side before it and after it."""

    n: int
    turn: int
    before: float
    after: float


class Mistake(msgspec.Struct, frozen=True):
    """A costly decision: its question, its answer, a better one, and the difference.

    `cost` uses only what the side knew; `in_hindsight` is the gain of the better answer in the true position.
    """

    n: int
    turn: int
    seat: str
    rule: str
    question: str
    answer: list[str]
    text: str
    better: list[str]
    better_text: str
    cost: Interval
    in_hindsight: Interval = msgspec.field(name="truly")


class SideReview(msgspec.Struct, frozen=True, kw_only=True):
    """The review of a side. All figures are utilities from 0 to 1; a won match is 1.

    `start` is what the match was worth at its first decision, and `outcome` what it came to. `skill` is what its own
    decisions gave next to those of its bot, `others` what those of its opponent gave, and `luck` the rest; `play` is
    what such play gains against the opponent's bot with luck taken out, start and skill together.
    """

    side: str
    name: str
    start: Interval
    skill: Interval
    others: Interval
    luck: Interval
    play: Interval
    outcome: float
    steps: list[CourseStep]
    costliest: list[Mistake]


class Review(StudyResult, frozen=True, kw_only=True):
    """The review of a match. Everything but the seconds is the same for the same seed and samples."""

    game: str
    title: str
    version: str
    ended: str
    samples: int
    seed: str
    bots: dict[str, str]
    decisions: int
    continuations: int
    dropped: int
    sides: list[SideReview]
    seconds: float


def review(
    record: str,
    *,
    samples: int = SAMPLES,
    seed: str = SEED,
    bots: Mapping[str, str] | None = None,
    workers: int = 1,
    data: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> Review:
    """Review a finished match.

    Args:
        record: the text of the record.
        samples: how often each decision is played on for the course of the match; the rest follows from it.
        seed: words that fix positions, dice and bots.
        bots: a bot's name for each seat or side that it is compared with; the rest are by the game's first.
        workers: how many processes share the work; the result does not depend on it.
        data: a folder of an owner's own figures.
        progress: called with the part of the work that is done, from 0 to 1.

    Raises:
        NoSuchDecision, InvalidRecord: the record is not one of a match that is over and holds.
        UnknownSeat, UnknownBot: no one plays so.
    """
    start = perf_counter()
    game = game_of_record(finished(record).header, data)
    match: AnyMatch = replay(record, game=game)
    job = ReviewJobSpec(record, data, players(game, match.seats, bots or {}), seed)
    reviewer = _Reviewer(job, _questions(job), samples, workers, progress)
    reviewer.run()
    return _build_result(reviewer, match, perf_counter() - start)


def _build_result(reviewer: _Reviewer, match: AnyMatch, seconds: float) -> Review:
    assert match.outcome is not None
    utility = describe_ending(match).utility
    opposed = len(utility) > 1 and sum(utility.values()) == 1  # what one side gains the other loses
    names = {side: match.game.side_name(side, match.seats) for side in sides(match.seats)}
    return Review(
        game=match.game.key,
        title=match.game.title,
        version=match.game.version,
        ended=match.outcome.title,
        samples=reviewer.samples,
        seed=reviewer.job.seed,
        bots=reviewer.job.bots,
        decisions=len(reviewer.questions),
        continuations=reviewer.continuations,
        dropped=reviewer.dropped,
        sides=[reviewer.of_side(side, name, utility[side], opposed) for side, name in names.items()],
        seconds=round(seconds, 3),
    )


# -- the questions ---------------------------------------------------------------------------------------------------


def _questions(job: ReviewJobSpec) -> list[Question]:
    """Return the final decisions that had alternatives, with the answers to try at each."""
    entries = records.parse(job.record).entries
    undone = {n for _, entry in entries if isinstance(entry, Undo) for n in entry.undo}
    questions = []
    for match, entry in _walk(job):
        if isinstance(entry, Entry) and entry.n not in undone and not match.pending[entry.seat].is_forced:
            questions.append(_question(match, entry, job))
    return questions


def _walk(job: ReviewJobSpec) -> Iterable[tuple[AnyMatch, records.RecordEntry]]:
    game = game_of_record(finished(job.record).header, job.data)
    return iter_replay(job.record, game=game)


def _question(match: AnyMatch, entry: Entry, job: ReviewJobSpec) -> Question:
    decision = match.pending[entry.seat]
    answers = _answers(match, decision, entry, job)
    side = match.seat(entry.seat).side
    texts = tuple(decision.describe_answer(keys) for keys in answers)
    return Question(entry.n, match.state.at.turn, entry.seat, side, entry.rule, decision.question, answers, texts)


def _answers(match: AnyMatch, decision: Decision, entry: Entry, job: ReviewJobSpec) -> tuple[Keys, ...]:
    """Return the answer given, the bot's, and some others: all if there are few, otherwise a random sample.

    Answers with the same keys in another order count as one.
    """
    random = Random(f"{job.seed}/{entry.n}")
    bot = make_bot(match.game, job.bots[entry.seat], entry.seat, random)
    given, proposed = entry.chose, tuple(bot(decision, match.bot_view(entry.seat)))
    few = decision.kind is DecisionKind.ONE and len(decision.values) <= OTHERS + 2
    others: list[Keys] = [(key,) for key in decision.keys] if few else [decision.sample(random) for _ in range(OTHERS)]
    kept = {tuple(sorted(keys)): keys for keys in others}
    tried = {tuple(sorted(given)), tuple(sorted(proposed))}
    rest = [keys for each, keys in kept.items() if each not in tried]
    return (given, given if len(tried) == 1 else proposed, *rest[:OTHERS])


# -- the trials ------------------------------------------------------------------------------------------------------


def _try_answers(match: AnyMatch, seat: str, side: str, trial: Trial, job: ReviewJobSpec) -> TriedAnswers:
    """Play every answer of a trial on; the same numbers have the same positions, dice and bots."""
    texts = [f"{job.seed}/{trial.n}/{trial.round}/{number}" for number in range(trial.samples)]
    utilities = (
        tuple(_utility_after(_position(match, seat, trial, text), seat, side, answer, job, text) for text in texts)
        for answer in trial.answers
    )
    return TriedAnswers(trial.n, tuple(utilities))


def _position(match: AnyMatch, seat: str, trial: Trial, text: str) -> AnyMatch:
    """Return the match to continue from: with other dice, with the true hidden state or as the seat may imagine it."""
    if trial.round in (COURSE, TRUE_POSITION):
        return match.fork(secret_of_seed(text), log=False)
    return match.imagine(seat, Random(text))


def _utility_after(match: AnyMatch, seat: str, side: str, answer: Keys, job: ReviewJobSpec, text: str) -> float | None:
    """Return the utility after an answer; None if it is illegal in a sampled position."""
    try:
        match.decide(seat, answer)
        return finish_match(match, job.bots, text).utility[side]
    except ReadyRoomError:
        return None


def run_trials(job: ReviewJobSpec, trials: Sequence[Trial]) -> list[TriedAnswers]:
    """Make some trials, in the order of play, on one walk through the record."""
    waiting = {trial.n: trial for trial in trials}
    done: list[TriedAnswers] = []
    for match, entry in _walk(job):
        if isinstance(entry, Entry) and entry.n in waiting:
            done.append(_try_answers(match, entry.seat, match.seat(entry.seat).side, waiting.pop(entry.n), job))
        if not waiting:
            break
    return done


class _Reviewer:
    """Plays the rounds of a review and summarizes them for each side."""

    def __init__(
        self,
        job: ReviewJobSpec,
        questions: Sequence[Question],
        samples: int,
        workers: int,
        progress: Callable[[float], None] | None,
    ) -> None:
        self.job, self.samples, self.workers, self._progress = job, samples, workers, progress
        self.questions = {question.n: question for question in questions}
        self.sides = list(dict.fromkeys(question.side for question in questions))
        self.course: dict[int, TriedAnswers] = {}
        self.costs: dict[int, tuple[Keys, Interval]] = {}
        self.true_costs: dict[int, tuple[Keys, Interval]] = {}
        self.continuations = self.dropped = 0
        self._done, self._work = 0, 1

    def run(self) -> None:
        """Measure the course of the match and, in three rounds, the cost of its decisions."""
        some = self.samples
        begins = {next(one.n for one in self.questions.values() if one.side == side) for side in self.sides}
        course = [
            Trial(n, COURSE, _given_and_proposed(one.answers), ONCE_MORE * some if n in begins else some)
            for n, one in self.questions.items()
        ]
        few = max(2, round(FEW * some))
        screening = [Trial(n, SCREENING, _distinct(one.answers), few) for n, one in self.questions.items()]
        now = sum(len(trial.answers) * trial.samples for trial in (*course, *screening))
        later = 2 * some * len(self.sides) * (SUSPECTS * AGAIN + 2 * COSTLIEST * ONCE_MORE)
        self._work = max(1, now + later)  # an estimate
        self.course = self._run(course)
        suspects = self._worst(self._apparent_costs(self._run(screening)), SUSPECTS)
        doubts = self._round(CONFIRMATION, suspects, AGAIN * some)
        worst = self._worst({n: (better, cost.mean) for n, (better, cost) in doubts.items()}, COSTLIEST)
        self.costs = self._round(FINAL, worst, ONCE_MORE * some)
        self.true_costs = self._round(TRUE_POSITION, worst, ONCE_MORE * some)

    def _run(self, trials: Sequence[Trial]) -> dict[int, TriedAnswers]:
        """Return the results of trials by decision, in order; several processes may share the work."""
        chunks = [trials[at :: 4 * self.workers] for at in range(4 * self.workers)] if self.workers > 1 else [trials]
        result: dict[int, TriedAnswers] = {}
        with closing(self._spread([chunk for chunk in chunks if chunk])) as work:
            for done in work:
                for tried in done:
                    result[tried.n] = tried
                    self._count(tried)
        return dict(sorted(result.items()))

    def _spread(self, chunks: Sequence[Sequence[Trial]]) -> Generator[list[TriedAnswers], None, None]:
        if self.workers > 1:
            yield from map_parallel(partial(run_trials, self.job), chunks, self.workers)
            return
        for trials in chunks:
            size = max(1, len(trials) // 10)  # parts, for the progress bar
            for at in range(0, len(trials), size):
                yield run_trials(self.job, trials[at : at + size])

    def _count(self, tried: TriedAnswers) -> None:
        played = [value for utilities in tried.utilities for value in utilities]
        self.continuations += len(played)
        self.dropped += played.count(None)
        self._done += len(played)
        if self._progress is not None:
            self._progress(min(1.0, self._done / self._work))

    def _apparent_costs(self, tried: Mapping[int, TriedAnswers]) -> dict[int, tuple[Keys, float]]:
        """Return each decision's best alternative and its apparent cost."""
        looks: dict[int, tuple[Keys, float]] = {}
        for n, each in tried.items():
            answers = _distinct(self.questions[n].answers)
            gains = {answers[at]: _gain(each, at) for at in range(1, len(answers))}
            means = {answer: fmean(gain) for answer, gain in gains.items() if gain}
            if means:
                best = max(means, key=means.__getitem__)
                looks[n] = best, means[best]
        return looks

    def _worst(self, looks: Mapping[int, tuple[Keys, float]], count: int) -> dict[int, Keys]:
        """Return for each side this many decisions with the highest apparent cost, and the better answer."""
        chosen: dict[int, Keys] = {}
        for side in self.sides:
            own = [n for n, (_, cost) in looks.items() if self.questions[n].side == side and cost > 0]
            chosen |= {n: looks[n][0] for n in sorted(own, key=lambda n: -looks[n][1])[:count]}
        return chosen

    def _round(self, number: int, suspects: Mapping[int, Keys], samples: int) -> dict[int, tuple[Keys, Interval]]:
        """Measure the cost of suspected decisions against their alternative in new positions with new dice."""
        decided = {n: self.questions[n].answers[0] for n in suspects}
        trials = [Trial(n, number, (decided[n], better), samples) for n, better in sorted(suspects.items())]
        gains = {n: _gain(tried, 1) for n, tried in self._run(trials).items()}
        return {n: (suspects[n], mean_of(gain)) for n, gain in gains.items() if len(gain) > 1}

    # -- the report --------------------------------------------------------------------------------------------------

    def of_side(self, side: str, name: str, outcome: float, opposed: bool) -> SideReview:
        """Return the review of a side from all decisions; if `opposed`, the other side's skill is its loss."""
        own = [question for question in self.questions.values() if question.side == side]
        start, (skill, skill_error) = self._start(own, outcome), self._skills(side)
        opponents = [other for other in self.sides if other != side]
        gained, error = self._skills(opponents[0]) if opposed and len(opponents) == 1 else (0.0, 0.0)
        others, played = -gained, (skill_error**2 + start.error**2) ** 0.5
        costly = [n for n, (_, cost) in self.costs.items() if self.questions[n].side == side and cost.mean > 0]
        return SideReview(
            side=side,
            name=name,
            start=start,
            skill=interval_from_error(skill, skill_error),
            others=interval_from_error(others, error),
            luck=interval_from_error(outcome - start.mean - skill - others, (played**2 + error**2) ** 0.5),
            play=clip_unit(interval_from_error(start.mean + skill, played)),
            outcome=outcome,
            steps=[self._step(question) for question in own],
            costliest=[self._costly(n) for n in sorted(costly, key=lambda n: -self.costs[n][1].mean)],
        )

    def _step(self, question: Question) -> CourseStep:
        after = fmean(_known(self.course[question.n].utilities[0]))
        return CourseStep(question.n, question.turn, round(after - self._gained(question)[0], 3), round(after, 3))

    def _skills(self, side: str) -> tuple[float, float]:
        """Return the total skill of a side's decisions and its standard error."""
        gains = [self._gained(question) for question in self.questions.values() if question.side == side]
        return sum(mean for mean, _ in gains), sum(error**2 for _, error in gains) ** 0.5

    def _gained(self, question: Question) -> tuple[float, float]:
        """Return the paired advantage of the answer given over the bot's, with its standard error."""
        decided, proposed = question.answers[:2]
        if decided == proposed:
            return 0.0, 0.0
        gain = mean_of(_gain(self.course[question.n], 1))
        return -gain.mean, gain.error

    def _start(self, own: Sequence[Question], outcome: float) -> Interval:
        """Return the utility at the side's first decision if its bot decides."""
        if not own:
            return interval_from_error(outcome, 0.0)
        decided, proposed = own[0].answers[:2]
        figures = _known(self.course[own[0].n].utilities[0 if decided == proposed else 1])
        return mean_utility(figures) if figures else interval_from_error(outcome, 0.0)

    def _costly(self, n: int) -> Mistake:
        question, (better, cost) = self.questions[n], self.costs[n]
        return Mistake(
            n=n,
            turn=question.turn,
            seat=question.seat,
            rule=question.rule,
            question=question.question,
            answer=list(question.answers[0]),
            text=question.texts[0],
            better=list(better),
            better_text=question.texts[question.answers.index(better)],
            cost=cost,
            in_hindsight=self.true_costs[n][1],
        )


def _given_and_proposed(answers: tuple[Keys, ...]) -> tuple[Keys, ...]:
    """Return the answer given, and the bot's if it differs."""
    return answers[:1] if answers[0] == answers[1] else answers[:2]


def _distinct(answers: tuple[Keys, ...]) -> tuple[Keys, ...]:
    """Return all answers without duplicates, the one given first."""
    return (*_given_and_proposed(answers), *answers[2:])


def _known(utilities: Sequence[float | None]) -> list[float]:
    return [value for value in utilities if value is not None]


def _gain(tried: TriedAnswers, at: int) -> list[float]:
    """Return the advantage of another answer over the one given, paired where both are legal."""
    pairs = zip(tried.utilities[0], tried.utilities[at], strict=False)
    return [new - old for old, new in pairs if new is not None and old is not None]
