"""Replay a record for the checks of its content, and register these checks by record name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from readyroom.engine.match import Match
from readyroom.engine.record.format import parse
from readyroom.engine.record.replay import verify
from readyroom.engine.rules.decisions import Decision
from readyroom.games.midway.state import Data, Midway, SideName


class DecisionPoint(NamedTuple):
    """The state before a decision, the options' keys and the answer."""

    state: Midway
    seat: str
    rule: str
    options: tuple[str, ...]
    answer: tuple[str, ...]


class RecordingMatch(Match[Midway, Data]):
    """A match that keeps a copy of the state before each decision."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.points: list[DecisionPoint] = []
        super().__init__(*args, **kwargs)

    def decide(self, seat: str, answer: str | Sequence[str], revision: int | None = None) -> Decision | None:
        """Save the decision point, then apply the answer."""
        decision = self.pending[seat]
        state = self.game.decode(self.game.encode(self.state))
        keys = (answer,) if isinstance(answer, str) else tuple(answer)
        self.points.append(DecisionPoint(state, seat, decision.rule, tuple(decision.keys), keys))
        return super().decide(seat, answer, revision)


class ReplayedRecord:
    """A verified record with the state at each decision.

    Raises:
        InvalidRecord: the record cannot be verified.
    """

    def __init__(self, record: str) -> None:
        self.parsed = parse(record)
        self.header = self.parsed.header
        match = verify(record, kind=RecordingMatch)
        assert isinstance(match, RecordingMatch)
        self.match = match
        self.points = match.points
        self.end = match.state

    @cached_property
    def states(self) -> list[Midway]:
        """The state at each decision and at the end."""
        return [*(point.state for point in self.points), self.end]

    @property
    def winner(self) -> str | None:
        """The winning side; None for a draw."""
        return self.match.outcome.winner if self.match.outcome else None

    def entries_of(self, kind: type[Any]) -> list[Any]:
        """Return the record's entries of one type."""
        return [entry for _, entry in self.parsed.entries if isinstance(entry, kind)]

    def sunk(self, name: SideName) -> list[str]:
        """Return the keys of a side's sunk carriers."""
        return [carrier.key for carrier in self.end.side(name).carriers if carrier.damage >= self.end.sink]

    def decisions_under(self, rule: str) -> list[DecisionPoint]:
        """Return the decisions that a rule asks for."""
        return [point for point in self.points if point.rule == rule]


Check = Callable[[ReplayedRecord], bool]
CHECKS: dict[str, Check] = {}
"""The check of each record, by record name: whether the manifest's description is true."""


def check(function: Check) -> Check:
    """Register a check under its function's name, with hyphens."""
    CHECKS[function.__name__.replace("_", "-")] = function
    return function


def matches_description(name: str, record: str) -> bool:
    """Return whether a record passes the check of this name."""
    return CHECKS[name](ReplayedRecord(record))
