"""Matches between policies: played by many processes, kept in a journal, so that a stopped study continues.

A batch of matches has a label and follows from its policies and seeds alone. The journal has a line for each finished
batch; a study that is run again finds its results there instead of playing them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from readyroom.bots import play_to_end
from readyroom.bots.parameters import Settings
from readyroom.engine.files import append, save
from readyroom.engine.game import sides
from readyroom.engine.match import Match
from readyroom.study.matches import Mapper, MatchSetup, chunk

CHUNK = 12
"""Matches that a worker plays before it reports."""
JOURNAL = "journal.jsonl"
GOLDEN, SILVER = (5**0.5 - 1) / 2, 2**0.5 - 1
"""Steps by which numbers spread evenly over the unit interval, however many there are."""
Progress = Callable[[int], None]


class Bout(NamedTuple):
    """A match to play: the policy of each side, and the seed of dice and bots."""

    policies: dict[str, Settings]
    seed: str


class Score(NamedTuple):
    """How a match ended for the first side: its utility, and its lead in the game's score."""

    utility: float
    lead: float


class Line(msgspec.Struct, frozen=True):
    """A line of the journal: a batch, the hash of what was played, and the scores."""

    label: str
    played: str
    scores: list[Score]


@dataclass
class Arena:
    """Plays batches of matches in one set-up.

    Attributes:
        setup: the game, scenario and options.
        mapper: applies a function to tasks, in as many processes as there are.
        folder: where the journal is kept.
        progress: called with the number of matches of each finished part.
    """

    setup: MatchSetup
    mapper: Mapper[Any, Any]
    folder: Path
    progress: Progress | None = None
    played: int = 0
    lines: dict[str, Line] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.journal = self.folder / JOURNAL
        texts = self.journal.read_bytes().splitlines() if self.journal.exists() else []
        for text in texts:
            with suppress(msgspec.DecodeError):  # a line that was not written to its end
                line = msgspec.json.decode(text, type=Line)
                self.lines[line.label] = line
        if not texts or len(self.lines) < len(texts):
            save(self.journal, "".join(f"{_text(line)}\n" for line in self.lines.values()))

    def play(self, label: str, bouts: Sequence[Bout]) -> list[Score]:
        """Return the scores of these matches, from the journal if it has them."""
        name = blake2b(msgspec.json.encode(bouts), digest_size=8).hexdigest()
        line = self.lines.get(label)
        if line is None or line.played != name:
            line = Line(label, name, list(self._play(bouts)))
            self.lines[label] = line
            append(self.journal, [_text(line)])
        else:
            self._count(len(bouts))
        return line.scores

    def _play(self, bouts: Sequence[Bout]) -> Iterator[Score]:
        parts = [[bouts[number] for number in numbers] for numbers in chunk(len(bouts), CHUNK)]
        for scores in self.mapper(partial(play_bouts, self.setup), parts):
            self._count(len(scores))
            yield from scores

    def _count(self, matches: int) -> None:
        self.played += matches
        if self.progress is not None:
            self.progress(self.played)


def _text(line: Line) -> str:
    return msgspec.json.encode(line).decode()


def play_bouts(setup: MatchSetup, bouts: Sequence[Bout]) -> list[Score]:
    """Play some matches; each follows from its policies and its seed alone."""
    game = setup.load_game()
    scenario, space = setup.scenario_of(game), game.analysis.policies
    assert space is not None
    scores = []
    for bout in bouts:
        match: Match[Any, Any] = Match(game, scenario, setup.options, seed=bout.seed, log=False, checkpoints=False)
        policies = {side: msgspec.convert(settings, space.type_of(side)) for side, settings in bout.policies.items()}
        play_to_end(
            match,
            {
                seat.key: space.bot(policies[seat.side], seat.key, Random(f"{bout.seed}/{seat.key}"))
                for seat in match.seats
            },
        )
        assert match.outcome is not None
        first, *others = sides(match.seats)
        values = match.outcome.scores
        lead = values.get(first, 0) - max((values.get(side, 0) for side in others), default=0)
        scores.append(Score(game.analysis.utility(match.outcome, first), float(lead)))
    return scores


def stratify(shares: Sequence[float], count: int, step: float = GOLDEN) -> list[int]:
    """Return which member of a mix plays in each of `count` matches; any run of matches has all in proportion.

    >>> stratify([0.5, 0.5], 4)
    [1, 0, 1, 0]
    """
    limits = list(accumulate(shares))
    return [
        min(bisect_right(limits, (0.5 + number * step) % 1 * limits[-1]), len(shares) - 1) for number in range(count)
    ]
