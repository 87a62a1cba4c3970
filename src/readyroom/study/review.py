"""Match review: the value of each decision, and luck.

The course. At every decision bots play on from the match as it was, with other dice to come: after what was decided,
and after what the game's own bot would have decided, each time with the same dice. So for each decision

- its *value before* is what the match is worth to the side if its bot decides,
- its *value after* is what it is worth after what was decided, and the step between them is skill;
- from there to the next decision's value before, the step is luck, and what the other side decided.

From the first value to the true outcome all these steps add up. What the other side's decisions gave is known from its
own course, so: outcome = start + skill + the other's + luck. Start and skill together are what such play gains with
luck taken out. The bot's play is the measure of all this, and it is no oracle.

The costs. The cost of a decision is judged by what the side knew: positions are sampled that it could not tell from
the true one, and what was decided is played on in them next to other answers. That is asked in three rounds, so that
nothing is reported that only looked bad by chance: all answers are tried a few times; decisions that look costly are
tried again, each against its best other answer, with fresh positions and dice; and those that then look the worst are
measured once more. Only the last round is reported, next to what the other answer gains in the match with
its hidden information.
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

from readyroom import bots as staff
from readyroom.engine import record as records
from readyroom.engine.decisions import Decision, DecisionKind
from readyroom.engine.dice import secret_of_seed
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import sides
from readyroom.engine.match import Match
from readyroom.engine.record import Entry, Undo
from readyroom.engine.replay import game_of_record, iter_replay, replay
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
from readyroom.study.what_if import finished

AnyMatch = Match[Any, Any]
Keys = tuple[str, ...]
SAMPLES = 16
SEED = "verdict"
OTHERS = 4
"""This many other answers are tried besides the decided one and the bot's."""
FEW, AGAIN, ONCE_MORE = 0.4, 2, 6
"""How often an answer is tried in each of the three rounds, for each continuation of the course."""
COURSE, LOOK, DOUBT, FINAL, AS_IT_LAY = range(5)
"""The rounds: the course of the match, three for the costs, and the last once more with the true hidden state."""
SUSPECTS, COSTLIEST = 8, 3
"""This many decisions of a side continue to the second round, and this many are reported."""


class Trial(NamedTuple):
    """A decision and the answers tried at it, each this many times, in one round."""

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
    """What came of a trial: the worths of each answer, sample by sample; None where an answer could not be given."""

    n: int
    worths: tuple[tuple[float | None, ...], ...]


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
    """A decision that cost something: the question, what was answered, what was better, and by how much.

    `cost` is by what the side knew, and `in_hindsight` what the better answer gains with the true hidden state.
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
    """Judge the decisions of a finished match.

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
    asked = ReviewJobSpec(record, data, players(game, match.seats, bots or {}), seed)
    judge = _Reviewer(asked, _questions(asked), samples, workers, progress or _nothing, _opposed(match))
    judge.run()
    return _build_result(judge, match, perf_counter() - start)


def _build_result(judge: _Reviewer, match: AnyMatch, seconds: float) -> Review:
    assert match.outcome is not None
    values = describe_ending(match).utility
    return Review(
        game=match.game.key,
        title=match.game.title,
        version=match.game.version,
        ended=match.outcome.title,
        samples=judge.samples,
        seed=judge.asked.seed,
        bots=judge.asked.bots,
        decisions=len(judge.questions),
        continuations=judge.continuations,
        dropped=judge.dropped,
        sides=[
            judge.of_side(side, match.game.side_name(side, match.seats), values[side]) for side in sides(match.seats)
        ],
        seconds=round(seconds, 3),
    )


def _opposed(match: AnyMatch) -> bool:
    """Whether what one side gains the other loses."""
    values = describe_ending(match).utility
    return len(values) > 1 and sum(values.values()) == 1


def _nothing(part: float) -> None:
    """No one asks how far it is."""


# -- the questions ---------------------------------------------------------------------------------------------------


def _questions(asked: ReviewJobSpec) -> list[Question]:
    """Return the final decisions that had alternatives, with the answers to try at each."""
    undone = _undone(asked.record)
    questions = []
    for match, entry in _walk(asked):
        if isinstance(entry, Entry) and entry.n not in undone and not match.pending[entry.seat].is_forced:
            questions.append(_question(match, entry, asked))
    return questions


def _walk(asked: ReviewJobSpec) -> Iterable[tuple[AnyMatch, records.RecordEntry]]:
    game = game_of_record(finished(asked.record).header, asked.data)
    return iter_replay(asked.record, game=game)


def _undone(record: str) -> set[int]:
    """The numbers of the decisions that were taken back."""
    return {n for _, entry in records.parse(record).entries if isinstance(entry, Undo) for n in entry.undo}


def _question(match: AnyMatch, entry: Entry, asked: ReviewJobSpec) -> Question:
    decision = match.pending[entry.seat]
    answers = _answers(match, decision, entry, asked)
    side = match.seat(entry.seat).side
    texts = tuple(decision.describe_answer(keys) for keys in answers)
    return Question(entry.n, match.state.at.turn, entry.seat, side, entry.rule, decision.question, answers, texts)


def _answers(match: AnyMatch, decision: Decision, entry: Entry, asked: ReviewJobSpec) -> tuple[Keys, ...]:
    """What was decided, what the bot would do, and a few others: all where there are few, otherwise some by chance."""
    random = Random(f"{asked.seed}/{entry.n}")
    bot = staff.make(match.game, asked.bots[entry.seat], entry.seat, random)
    answers = [entry.chose, tuple(bot(decision, match.bot_view(entry.seat)))]
    few = decision.kind is DecisionKind.ONE and len(decision.values) <= OTHERS + 2
    others: list[Keys] = [(key,) for key in decision.keys] if few else [decision.sample(random) for _ in range(OTHERS)]
    kept = {_as_a_set(keys): keys for keys in others}
    first, proposed = _as_a_set(answers[0]), _as_a_set(answers[1])
    rest = [keys for each, keys in kept.items() if each not in (first, proposed)]
    return (answers[0], answers[0] if proposed == first else answers[1], *rest[:OTHERS])


def _as_a_set(keys: Sequence[str]) -> Keys:
    """An answer without the order of its keys, so that the same answer is not tried twice."""
    return tuple(sorted(keys))


# -- the trials ------------------------------------------------------------------------------------------------------


def _tried(match: AnyMatch, seat: str, side: str, trial: Trial, asked: ReviewJobSpec) -> TriedAnswers:
    """Play every answer of a trial on; the same numbers have the same positions, dice and bots."""
    worths: list[tuple[float | None, ...]] = []
    for answer in trial.answers:
        texts = (f"{asked.seed}/{trial.n}/{trial.round}/{number}" for number in range(trial.samples))
        worths.append(
            tuple(_worth(_beginning(match, seat, trial, each), seat, side, answer, asked, each) for each in texts)
        )
    return TriedAnswers(trial.n, tuple(worths))


def _beginning(match: AnyMatch, seat: str, trial: Trial, text: str) -> AnyMatch:
    """Return the match to continue from: with other dice, with the true hidden state or as the seat may imagine it."""
    if trial.round in (COURSE, AS_IT_LAY):
        return match.fork(secret_of_seed(text), log=False)
    return match.imagine(seat, Random(text))


def _worth(match: AnyMatch, seat: str, side: str, answer: Keys, asked: ReviewJobSpec, text: str) -> float | None:
    """What the match comes to after an answer; None where it cannot be given in an imagined position."""
    try:
        match.decide(seat, answer)
        return finish_match(match, asked.bots, text).utility[side]
    except ReadyRoomError:
        return None


def run_trials(asked: ReviewJobSpec, trials: Sequence[Trial]) -> list[TriedAnswers]:
    """Make some trials, in the order of play, on one walk through the record."""
    waiting = {trial.n: trial for trial in trials}
    done: list[TriedAnswers] = []
    for match, entry in _walk(asked):
        if isinstance(entry, Entry) and entry.n in waiting:
            side = match.seat(entry.seat).side
            done.append(_tried(match, entry.seat, side, waiting.pop(entry.n), asked))
        if not waiting:
            break
    return done


class _Reviewer:
    """The three rounds, and what they say of each side."""

    def __init__(
        self,
        asked: ReviewJobSpec,
        questions: Sequence[Question],
        samples: int,
        workers: int,
        progress: Callable[[float], None],
        opposed: bool,
    ) -> None:
        self.asked, self.samples, self.workers, self._progress = asked, samples, workers, progress
        self.opposed = opposed
        self.questions = {question.n: question for question in questions}
        self.course: dict[int, TriedAnswers] = {}
        self.costs: dict[int, tuple[Keys, Interval]] = {}
        self.truly: dict[int, tuple[Keys, Interval]] = {}
        self.continuations = self.dropped = 0
        self._done, self._work = 0, 1

    def run(self) -> None:
        """The course of the match, and the three rounds of what its decisions cost."""
        some = self.samples
        begins = {next(one.n for one in self.questions.values() if one.side == side) for side in self._sides()}
        course = [
            Trial(n, COURSE, _both(one.answers), ONCE_MORE * some if n in begins else some)
            for n, one in self.questions.items()
        ]
        few = max(2, round(FEW * some))
        looks = [Trial(n, LOOK, _tested(one.answers), few) for n, one in self.questions.items()]
        self._expect([*course, *looks], 2 * some * len(self._sides()))
        self.course = self._run(course)
        suspects = self._worst(self._looks(self._run(looks)), SUSPECTS)
        doubts = self._round(DOUBT, suspects, AGAIN * some)
        worst = self._worst({n: (better, cost.mean) for n, (better, cost) in doubts.items()}, COSTLIEST)
        self.costs = self._round(FINAL, worst, ONCE_MORE * some)
        self.truly = self._round(AS_IT_LAY, worst, ONCE_MORE * some)

    def _expect(self, trials: Sequence[Trial], later: int) -> None:
        """How many continuations there will be, about."""
        now = sum(len(trial.answers) * trial.samples for trial in trials)
        self._work = max(1, now + later * (SUSPECTS * AGAIN + 2 * COSTLIEST * ONCE_MORE))

    def _sides(self) -> list[str]:
        return list(dict.fromkeys(question.side for question in self.questions.values()))

    def _run(self, trials: Sequence[Trial]) -> dict[int, TriedAnswers]:
        """Yield the results of trials, however many processes share them."""
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
            yield from map_parallel(partial(run_trials, self.asked), chunks, self.workers)
            return
        for chunk in chunks:
            for part in _parts(chunk):
                yield run_trials(self.asked, part)

    def _count(self, tried: TriedAnswers) -> None:
        played = [value for worths in tried.worths for value in worths]
        self.continuations += len(played)
        self.dropped += played.count(None)
        self._done += len(played)
        self._progress(min(1.0, self._done / self._work))

    def _looks(self, tried: Mapping[int, TriedAnswers]) -> dict[int, tuple[Keys, float]]:
        """For each decision its best other answer, and what it seems to have cost."""
        looks: dict[int, tuple[Keys, float]] = {}
        for n, each in tried.items():
            answers = _tested(self.questions[n].answers)
            gains = {answers[at]: _gain(each, at) for at in range(1, len(answers))}
            means = {answer: fmean(gain) for answer, gain in gains.items() if gain}
            if means:
                best = max(means, key=means.__getitem__)
                looks[n] = best, means[best]
        return looks

    def _worst(self, looks: Mapping[int, tuple[Keys, float]], count: int) -> dict[int, Keys]:
        """Return for each side this many decisions with the highest apparent cost, and the better answer."""
        chosen: dict[int, Keys] = {}
        for side in self._sides():
            own = [n for n, (_, cost) in looks.items() if self.questions[n].side == side and cost > 0]
            chosen |= {n: looks[n][0] for n in sorted(own, key=lambda n: -looks[n][1])[:count]}
        return chosen

    def _round(self, number: int, suspects: Mapping[int, Keys], samples: int) -> dict[int, tuple[Keys, Interval]]:
        """What suspects cost against the answer that seemed better, by fresh positions and dice."""
        decided = {n: self.questions[n].answers[0] for n in suspects}
        trials = [Trial(n, number, (decided[n], better), samples) for n, better in sorted(suspects.items())]
        gains = {n: _gain(tried, 1) for n, tried in self._run(trials).items()}
        return {n: (suspects[n], mean_of(gain)) for n, gain in gains.items() if len(gain) > 1}

    # -- the report --------------------------------------------------------------------------------------------------

    def of_side(self, side: str, name: str, outcome: float) -> SideReview:
        """Return the review of a side from all decisions."""
        own = [question for question in self.questions.values() if question.side == side]
        start, (skill, wrong) = self._start(own, outcome), self._skills(side)
        others, error = self._of_the_other(side)
        played = (wrong**2 + start.error**2) ** 0.5
        return SideReview(
            side=side,
            name=name,
            start=start,
            skill=interval_from_error(skill, wrong),
            others=interval_from_error(others, error),
            luck=interval_from_error(outcome - start.mean - skill - others, (played**2 + error**2) ** 0.5),
            play=clip_unit(interval_from_error(start.mean + skill, played)),
            outcome=outcome,
            steps=[self._step(question) for question in own],
            costliest=[self._costly(n) for n in self._side_review(side)],
        )

    def _step(self, question: Question) -> CourseStep:
        """A decision in the course of the match."""
        after = fmean(_figures(self.course[question.n].worths[0]))
        return CourseStep(question.n, question.turn, round(after - self._gained(question)[0], 3), round(after, 3))

    def _skills(self, side: str) -> tuple[float, float]:
        """What a side's decisions were worth next to its bot's, all together, and the standard error of that."""
        gained = [self._gained(question) for question in self.questions.values() if question.side == side]
        return sum(mean for mean, _ in gained), sum(error**2 for _, error in gained) ** 0.5

    def _gained(self, question: Question) -> tuple[float, float]:
        """By how much what was decided is better than what the bot would do, pair by pair, with its standard error."""
        decided, proposed = question.answers[:2]
        if decided == proposed:
            return 0.0, 0.0
        gain = mean_of(_gain(self.course[question.n], 1))
        return -gain.mean, gain.error

    def _of_the_other(self, side: str) -> tuple[float, float]:
        """What the decisions of the other side gave, where there is one, and what it loses the first one gains."""
        others = [other for other in self._sides() if other != side]
        if len(others) != 1 or not self.opposed:
            return 0.0, 0.0
        skill, error = self._skills(others[0])
        return -skill, error

    def _start(self, own: Sequence[Question], outcome: float) -> Interval:
        """What the match was worth at the side's first decision, its bot deciding."""
        if not own:
            return interval_from_error(outcome, 0.0)
        decided, proposed = own[0].answers[:2]
        figures = _figures(self.course[own[0].n].worths[0 if decided == proposed else 1])
        return mean_utility(figures) if figures else interval_from_error(outcome, 0.0)

    def _side_review(self, side: str) -> list[int]:
        """The costliest decisions of a side, the worst first; what turned out to cost nothing is none."""
        own = [n for n, (_, cost) in self.costs.items() if self.questions[n].side == side and cost.mean > 0]
        return sorted(own, key=lambda n: -self.costs[n][1].mean)

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
            in_hindsight=self.truly[n][1],
        )


def _both(answers: tuple[Keys, ...]) -> tuple[Keys, ...]:
    """What was decided, and what the bot would do, where it is something else."""
    return answers[:1] if answers[0] == answers[1] else answers[:2]


def _tested(answers: tuple[Keys, ...]) -> tuple[Keys, ...]:
    """All answers, what was decided first and none twice."""
    return (*_both(answers), *answers[2:])


def _parts(trials: Sequence[Trial]) -> Iterable[Sequence[Trial]]:
    """Trials in a few parts, so that someone hears how far it is."""
    size = max(1, len(trials) // 10)
    return [trials[at : at + size] for at in range(0, len(trials), size)]


def _figures(worths: Sequence[float | None]) -> list[float]:
    return [value for value in worths if value is not None]


def _gain(tried: TriedAnswers, at: int) -> list[float]:
    """By how much another answer is better than what was decided, pair by pair where both could be given."""
    pairs = zip(tried.worths[0], tried.worths[at], strict=False)
    return [new - old for old, new in pairs if new is not None and old is not None]
