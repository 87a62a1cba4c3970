"""What if: one decision of a match is changed, and bots play on from it and from what was decided, with the same luck.

The match is replayed to the decision and forked: the same other dice come after what was decided and after what might
have been, and the same bots play both to the end. Many such pairs show how the two compare. What was
hidden in the match stays as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from readyroom.bots.analysis import FEWEST
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, sides
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Entry, Fork
from readyroom.engine.record.replay import game_of_record, iter_replay, replay
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import secret_of_seed
from readyroom.study.estimates import Ending, Interval, finish_match, mean_of, mean_utility, players, share_of
from readyroom.study.matches import chunk, map_parallel
from readyroom.study.results import StudyResult

AnyMatch = Match[Any, Any]
SEED = "what if"
CHUNK = 10
"""Pairs of continuations that a worker plays before it reports."""
DRAW = "draw"


class NoSuchDecision(ReadyRoomError):
    """The record has no decision there that could be changed; the sentence says why."""


class DecisionPoint(NamedTuple):
    """A match before one of its decisions, the question, and the answer."""

    match: AnyMatch
    decision: Decision
    entry: Entry


class Continuation(msgspec.Struct, frozen=True):
    """The rollouts of an answer: win shares, and means of scores and statistics.

    `utility` is what the endings are worth to the side that decides, from 0 to 1; `endings` how often each came.
    """

    answer: list[str]
    text: str
    utility: Interval = msgspec.field(name="worth")
    winners: dict[str, Interval]
    endings: dict[str, Interval]
    scores: dict[str, Interval]
    match_stats: dict[str, Interval] = msgspec.field(name="counts")


class Change(msgspec.Struct, frozen=True):
    """The paired difference of an answer from the one given, under the same dice."""

    worth: Interval
    scores: dict[str, Interval]
    counts: dict[str, Interval]


class WhatIf(StudyResult, frozen=True, kw_only=True):
    """A decision and what might have been. Everything but the seconds is the same for the same seed and matches.

    The first of the `branches` is what was decided, and `changes` has one entry for each of the others. `order` has the
    the endings, from best to worst for the side that decides; `happened` is that of the match itself.
    """

    game: str
    title: str
    version: str
    at: int
    seat: str
    name: str
    side: str
    rule: str
    question: str
    turn: int
    matches: int
    seed: str
    bots: dict[str, str]
    names: dict[str, str]
    happened: str
    order: list[str]
    branches: list[Continuation]
    changes: list[Change]
    seconds: float

    @property
    def has_few_rollouts(self) -> bool:
        """Whether the errors would be as large as the estimates."""
        return self.matches < FEWEST

    def share(self, branch: int, title: str) -> Interval:
        """Return the share of an ending after an answer."""
        return self.branches[branch].endings.get(title) or share_of(0, self.matches)


class WhatIfJobSpec(NamedTuple):
    """The rollouts to play, as data for another process."""

    record: str
    data: Path | None
    at: int
    seat: str
    answers: tuple[tuple[str, ...], ...]
    bots: dict[str, str]
    seed: str


# -- the moment ------------------------------------------------------------------------------------------------------


def load_decision_point(record: str, at: int, game: Game[Any, Any] | None = None) -> DecisionPoint:
    """Return the match of a record before its decision number `at`.

    Raises `InvalidRecord`, or `NoSuchDecision` if the match is not over, or number `at` is no decision.
    """
    parsed = finished(record)
    entry = next((entry for _, entry in parsed.entries if entry.n == at and not isinstance(entry, Fork)), None)
    if not isinstance(entry, Entry):
        last = max((entry.n for _, entry in parsed.entries), default=0)
        raise NoSuchDecision(f"Number {at} of the record is not a decision. Decisions have numbers from 1 to {last}.")
    match: AnyMatch = replay(parsed, at - 1, game=game)
    return DecisionPoint(match, match.pending[entry.seat], entry)


class Choice(NamedTuple):
    """A decision of a match: its number, the turn, who decided, the rule, the question, the answer in words.

    `free`: there was more than one way to answer.
    """

    n: int
    turn: int
    name: str
    rule: str
    question: str
    answer: str
    free: bool


def choices(record: str, game: Game[Any, Any] | None = None) -> Iterator[Choice]:
    """Yield every decision in a finished match's record, in the order of play."""
    for match, entry in iter_replay(finished(record), game=game):
        if isinstance(entry, Entry):
            decision, turn, name = match.pending[entry.seat], match.state.at.turn, match.seat(entry.seat).name
            text, free = decision.describe_answer(entry.chose), not decision.is_forced
            yield Choice(entry.n, turn, name, entry.rule, decision.question, text, free)


def finished(record: str) -> records.Parsed:
    """Return the record of a finished match; raise `NoSuchDecision` for another one."""
    parsed = records.parse(record)
    if parsed.ending is None:
        raise NoSuchDecision("The match is not over; what-ifs are available when nothing is hidden any more.")
    return parsed


def changed(record: str, at: int, answer: Sequence[str], game: Game[Any, Any] | None = None) -> AnyMatch:
    """Return the match with another answer at decision `at`, under the same dice.

    Dice belong to events, so events that happen again show the same faces. Raises `IllegalChoice`, or `NoSuchDecision`
    if there is no such decision, or the dice of the match cannot be rolled again.
    """
    point = load_decision_point(record, at, game)
    entry = [entry for _, entry in records.parse(record).entries if entry.n <= at]
    if point.match.header.dice != "keyed" or any(isinstance(each, Fork) for each in entry):
        raise NoSuchDecision("Only a match whose dice follow from one key can continue with the same dice.")
    point.match.decide(point.entry.seat, answer)
    return point.match


# -- playing on ------------------------------------------------------------------------------------------------------


def what_if(
    record: str,
    at: int,
    answers: Sequence[Sequence[str]],
    *,
    matches: int = 100,
    seed: str = SEED,
    bots: Mapping[str, str] | None = None,
    workers: int = 1,
    data: Path | None = None,
    game: Game[Any, Any] | None = None,
    progress: Callable[[int], bool | None] | None = None,
) -> WhatIf:
    """Change one decision of a finished match, and see how it continues.

    Args:
        record: the text of the record.
        at: the number of the decision.
        answers: what might have been answered, each as keys.
        matches: how often each answer is played on, and what was decided next to it.
        seed: words that fix the other dice.
        bots: a bot's name for each seat or side; the rest are played on by the game's first.
        workers: how many processes share the work; the result does not depend on it.
        data: a folder of an owner's own figures.
        game: the game, where it is not the installed one of that name; then with one worker.
        progress: called with the number of pairs played so far; where it says True, the study ends early.

    Raises:
        NoSuchDecision, InvalidRecord, IllegalChoice, UnknownSeat, UnknownBot: what was asked for does not exist.
    """
    start = perf_counter()
    point = load_decision_point(record, at, game or game_of_record(records.parse(record).header, data))
    others = [point.decision.accept(list(answer))[0] for answer in answers]
    named = players(point.match.game, point.match.seats, bots or {})
    job = WhatIfJobSpec(record, data, at, point.entry.seat, (point.entry.chose, *others), named, seed)
    rows: list[list[Ending]] = []
    with closing(_work(job, point, matches, workers)) as work:
        for part in work:
            rows += part
            if progress and progress(len(rows)):
                break
    return _build_result(job, point, rows, perf_counter() - start)


def _work(
    job: WhatIfJobSpec, point: DecisionPoint, matches: int, workers: int
) -> Generator[list[list[Ending]], None, None]:
    """Yield pairs of continuations in their order, whichever process plays them."""
    if workers <= 1:
        for number in range(matches):
            yield [_row(point.match, job, number)]
        return
    yield from map_parallel(partial(play_part, job), chunk(matches, CHUNK), workers)


def play_part(job: WhatIfJobSpec, numbers: Iterable[int]) -> list[list[Ending]]:
    """Play the continuations of these numbers; each follows from the seed and its own number alone."""
    game = game_of_record(records.parse(job.record).header, job.data)
    match = load_decision_point(job.record, job.at, game).match
    return [_row(match, job, number) for number in numbers]


def _row(match: AnyMatch, job: WhatIfJobSpec, number: int) -> list[Ending]:
    """Play one rollout of each answer, all with the same new dice and bots."""
    text, endings = f"{job.seed}/{job.at}/{number}", list[Ending]()
    for answer in job.answers:
        other = match.fork(secret_of_seed(text), log=False)
        other.decide(job.seat, answer)
        endings.append(finish_match(other, job.bots, text))
    return endings


# -- what it says ----------------------------------------------------------------------------------------------------


def _build_result(job: WhatIfJobSpec, point: DecisionPoint, rows: list[list[Ending]], seconds: float) -> WhatIf:
    match, entry = point.match, point.entry
    seat = match.seat(entry.seat)
    ended = [[row[at] for row in rows] for at in range(len(job.answers))]
    ending = records.parse(job.record).ending
    assert ending is not None
    worths = dict[str, list[float]]()
    for end in chain.from_iterable(ended):
        worths.setdefault(end.title, []).append(end.utility[seat.side])
    return WhatIf(
        game=match.game.key,
        title=match.game.title,
        version=match.game.version,
        at=job.at,
        seat=seat.key,
        name=seat.name,
        side=seat.side,
        rule=entry.rule,
        question=point.decision.question,
        turn=match.state.at.turn,
        matches=len(rows),
        seed=job.seed,
        bots=job.bots,
        names={side: match.game.side_name(side, match.seats) for side in sides(match.seats)},
        happened=ending.outcome.title,
        order=sorted(worths, key=lambda title: (-fmean(worths[title]), title)),
        branches=[
            _branch(match, seat.side, answer, point.decision.describe_answer(answer), ends)
            for answer, ends in zip(job.answers, ended, strict=True)
        ],
        changes=[_change(seat.side, ends, ended[0]) for ends in ended[1:]],
        seconds=round(seconds, 3),
    )


def _branch(match: AnyMatch, side: str, answer: Sequence[str], text: str, ends: list[Ending]) -> Continuation:
    winners, titles = Counter(end.winner or DRAW for end in ends), Counter(end.title for end in ends)
    return Continuation(
        answer=list(answer),
        text=text,
        utility=mean_utility([end.utility[side] for end in ends]),
        winners={name: share_of(winners[name], len(ends)) for name in [*sides(match.seats), DRAW]},
        endings={title: share_of(times, len(ends)) for title, times in sorted(titles.items())},
        scores=_means([end.scores for end in ends]),
        match_stats=_means([end.match_stats for end in ends]),
    )


def _means(mappings: Sequence[Mapping[str, float]]) -> dict[str, Interval]:
    """Return the means of figures that every match reports."""
    return {name: mean_of([figures[name] for figures in mappings]) for name in _common(mappings)}


def _common(mappings: Sequence[Mapping[str, float]]) -> list[str]:
    return [name for name in mappings[0] if all(name in figures for figures in mappings)]


def _change(side: str, ends: list[Ending], before: list[Ending]) -> Change:
    pairs = list(zip(ends, before, strict=True))
    return Change(
        worth=mean_of([end.utility[side] - was.utility[side] for end, was in pairs]),
        scores=_differences([(end.scores, was.scores) for end, was in pairs]),
        counts=_differences([(end.match_stats, was.match_stats) for end, was in pairs]),
    )


def _differences(pairs: Sequence[tuple[Mapping[str, float], Mapping[str, float]]]) -> dict[str, Interval]:
    common = _common([figures for pair in pairs for figures in pair])
    return {name: mean_of([new[name] - old[name] for new, old in pairs]) for name in common}
