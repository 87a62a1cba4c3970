"""A record, proved and played again, and how a test is named after the record that it is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from readyroom.engine.match import Match
from readyroom.engine.record.format import parse
from readyroom.engine.record.replay import verify
from readyroom.engine.rules.decisions import Decision
from readyroom.games.midway.state import Data, Midway, SideName


class Moment(NamedTuple):
    """A decision: the state in which it was taken, what was offered, and what was chosen."""

    state: Midway
    seat: str
    rule: str
    offered: tuple[str, ...]
    chose: tuple[str, ...]


class Watched(Match[Midway, Data]):
    """A match that remembers each moment of decision; a fork continues from there."""

    def __init__(self, *args: Any, **named: Any) -> None:
        self.moments: list[Moment] = []
        super().__init__(*args, **named)

    def decide(self, seat: str, answer: str | Sequence[str], revision: int | None = None) -> Decision | None:
        """Note what is asked and answered, then answer it."""
        asked = self.pending[seat]
        state = self.game.decode(self.game.encode(self.state))
        chose = (answer,) if isinstance(answer, str) else tuple(answer)
        self.moments.append(Moment(state, seat, asked.rule, tuple(asked.keys), chose))
        return super().decide(seat, answer, revision)


class Story:
    """A record, proved and played again.

    Raises:
        BadRecord: with the line that does not hold.
    """

    def __init__(self, record: str) -> None:
        self.parsed = parse(record)
        self.header = self.parsed.header
        match = verify(record, kind=Watched)
        assert isinstance(match, Watched)
        self.match = match
        self.moments = match.moments
        self.end = match.state

    @cached_property
    def states(self) -> list[Midway]:
        """The state at each decision, and at the end."""
        return [*(moment.state for moment in self.moments), self.end]

    @property
    def winner(self) -> str | None:
        """Return the winner; None also for a draw."""
        return self.match.outcome.winner if self.match.outcome else None

    def entries_of(self, kind: type[Any]) -> list[Any]:
        """The lines of the record of one kind."""
        return [line for _, line in self.parsed.entries if isinstance(line, kind)]

    def sunk(self, name: SideName) -> list[str]:
        """Which of a side's carriers have sunk at the end."""
        return [carrier.key for carrier in self.end.side(name).carriers if carrier.damage >= self.end.sink]

    def asked(self, rule: str) -> list[Moment]:
        """The decisions under a rule."""
        return [moment for moment in self.moments if moment.rule == rule]


Shows = Callable[[Story], bool]
ALL: dict[str, Shows] = {}
"""By the name of a record: whether a story is what the sentence in the manifest says."""


def shows(test: Shows) -> Shows:
    """Say what the record of this name must show."""
    ALL[test.__name__.replace("_", "-")] = test
    return test


def shown(name: str, record: str) -> bool:
    """Whether a record shows what the one of this name should."""
    return ALL[name](Story(record))
