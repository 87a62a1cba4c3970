"""The rollouts of a review, in any process: from the units of a match, and from the positions before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from readyroom.bots.rollouts import believe
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import game_of_record, iter_replay
from readyroom.engine.rules.dice import secret_of_seed
from readyroom.study.estimates import finish_match
from readyroom.study.review.units import Answer, Decided, Unit, as_decided, bot_unit, play_unit, player_of

if TYPE_CHECKING:
    from readyroom.bots.beliefs import Beliefs

AnyMatch: TypeAlias = Match[Any, Any]
Stage: TypeAlias = Literal["positions", "gains", "confirmation"]
POSITIONS: Stage = "positions"
GAINS: Stage = "gains"
CONFIRMATION: Stage = "confirmation"


class ReviewJobSpec(NamedTuple):
    """A review, in a form that can be sent to another process.

    Attributes:
        record, data: the record, and the folder of an owner's own figures.
        seed: what all random numbers follow from.
        units: the units of the match.
        sides: its sides.
        bots: the bot of each seat.
    """

    record: str
    data: Path | None
    seed: str
    units: tuple[Unit, ...]
    sides: Sequence[str]
    bots: Mapping[str, str]


class Task(NamedTuple):
    """Samples to take: of which stage, from which unit, from which number up to which."""

    stage: Stage
    unit: int
    first: int
    beyond: int


class Sample(NamedTuple):
    """A sample: the utility of a position to each side, or the gain of a unit; None if its answers are illegal there.

    `decisions` is how many decisions bots made for it.
    """

    values: tuple[float, ...] | None
    decisions: int


def sample(job: ReviewJobSpec, task: Task) -> list[Sample]:
    """Take some samples; each follows from the job and its own number alone."""
    unit, start = job.units[task.unit], _starts(job.record, job.data, tuple(unit.decided for unit in job.units))
    take = _position_sample if task.stage == POSITIONS else _gain_sample
    texts = (f"{job.seed}/{unit.n}/{task.stage}/{number}" for number in range(task.first, task.beyond))
    return [take(job, unit, start[unit.n], text) for text in texts]


class _Start:
    """The match before a unit, what the seat that decides may believe, and the position after it."""

    def __init__(self, match: AnyMatch, unit: Decided) -> None:
        self.match, self.seat = match.fork(secret_of_seed(unit.seat), log=False, checkpoints=False), unit.seat
        self.position = play_unit(self.match, unit.seat, as_decided(unit.answers)).position
        self._beliefs: Beliefs | None = None
        self._is_known = match.game.analysis.hidden is None

    @property
    def beliefs(self) -> Beliefs | None:
        """What the seat may believe; None if nothing is fitted to the game."""
        if not self._is_known:
            self._beliefs, self._is_known = believe(self.match.game, self.match.bot_view(self.seat)), True
        return self._beliefs

    def copy(self, text: str) -> AnyMatch:
        """Return the match with other dice."""
        return self.match.fork(secret_of_seed(text), log=False)

    def imagined(self, text: str) -> AnyMatch:
        """Return a position that the seat cannot distinguish from the true one if it has beliefs; else the true one."""
        if self.beliefs is None:
            return self.copy(text)
        return self.match.imagine(self.seat, Random(f"{text}/position"), self.beliefs.resample)


@lru_cache(maxsize=1)
def _starts(record: str, data: Path | None, decided: tuple[Decided, ...]) -> dict[int, _Start]:
    """Return the match before each of these units, by the number of its first decision."""
    parsed, wanted = records.parse(record), {unit.n: unit for unit in decided}
    game = game_of_record(parsed.header, data)
    return {
        entry.n: _Start(match, wanted[entry.n])
        for match, entry in iter_replay(parsed, game=game)
        if isinstance(entry, records.Entry) and entry.n in wanted
    }


def _position_sample(job: ReviewJobSpec, unit: Unit, start: _Start, text: str) -> Sample:
    """Return the utilities of a rollout from before a unit."""
    random = Random(text)
    names = {seat: player.name(random.random()) for seat, player in unit.players.items()}
    return _finish(start.copy(text), "", (), names, job.sides, text)


def _gain_sample(job: ReviewJobSpec, unit: Unit, start: _Start, text: str) -> Sample:
    """Return the difference of two rollouts: after what was decided, and after what the bot may decide."""
    random = Random(text)
    place, players = random.random(), unit.players
    if start.beliefs is not None:  # the seat does not know either how the others have decided so far
        players = {seat: player_of(start.match, seat, job.bots[seat]) for seat in players}
    names = {seat: player.name(random.random()) for seat, player in players.items()}
    variant, policy = unit.draw(place)
    answers = variant.answers
    if variant.is_random:
        drawn = bot_unit(start.match, unit.seat, policy, f"{text}/{policy}")
        if drawn.position == start.position:
            return Sample((0.0,), len(drawn.answers))
        answers = drawn.answers
    own = names | {unit.seat: unit.player.name(place)}
    decided = _finish(start.imagined(text), unit.seat, unit.answers, own, (unit.side,), text)
    other = _finish(start.imagined(text), unit.seat, answers, names | {unit.seat: policy}, (unit.side,), text)
    decisions = decided.decisions + other.decisions
    if decided.values is None or other.values is None:
        return Sample(None, decisions)
    return Sample((decided.values[0] - other.values[0],), decisions)


def _finish(
    match: AnyMatch, seat: str, answers: Sequence[Answer], names: Mapping[str, str], sides: Sequence[str], text: str
) -> Sample:
    """Return the utilities to these sides if a seat answers so and bots play on."""
    before = match.revision
    try:
        for answer in answers:
            if match.outcome is None:
                match.decide(seat, answer.keys)
        ending = finish_match(match, names, text)
    except ReadyRoomError:
        return Sample(None, match.revision - before)
    return Sample(tuple(ending.utility[side] for side in sides), match.revision - before)
