"""The report of the conformance kit: invariants and their violations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from traceback import walk_tb
from typing import Any

from readyroom.engine.errors import RuleError
from readyroom.engine.game import Game
from readyroom.engine.match import Match, Start
from readyroom.testing.playouts import AnyMatch, NextPhaseChanges, PlayoutTooLong, counters
from readyroom.testing.snapshots import difference

KEPT = 5
"""The number of violations of an invariant that are kept with their texts; the rest are only counted."""


class Invariant(Enum):
    """What must be true for every game; the value is its description."""

    PLAYS = "no rule raises an error on a legal answer"
    ENDS = "every playout ends"
    OPTIONS = "a decision always has options"
    QUESTIONS = "keys are distinct and valid, and a question names a seat, a known rule and a number that can be met"
    ACCEPTS = "every option that is offered is accepted"
    REFUSES = "an illegal answer is rejected, and nothing changes"
    PHASES = "no phase occurs twice in a turn, and asking for the next one changes nothing"
    PIECES = "every counter is in exactly one place, and none is lost or added"
    SAME_AGAIN = "the same seed and the same answers give the same match, with or without a log"
    SAVES = "a state that is saved and loaded plays on as before"
    REPLAYS = "a record, replayed to any point, gives the same table"
    FORKS = "a fork shows the same table and does not change the original"
    UNDOES = "an undo restores the exact position"
    BARS = "an undo never crosses dice, a draw, a disclosure or another seat's decision"
    VIEWS = "a view is plain data that does not change later, and viewing changes nothing"
    SECRETS = "a seat is shown nothing that it may not know"
    INTERFERES = "what a seat may not know changes nothing that it can observe"
    IMAGINES = "a seat can imagine a position: it has the same view and decision there, and the match can be played on"
    LOSSES = "what is hit or lost is so on the board once the log reports it"
    LOG = "a log line names a known rule and is addressed to seats of the match, and its text never changes"
    OUTCOME = "the winner is a side of the match, or none"
    VERIFIES = "the record of a finished match verifies"
    BRINGS = "its parts fit together: rulebook, options, tutorial, colours, boards, bots, and match statistics"


@dataclass(frozen=True)
class Violation:
    """A violated invariant: which, where, a sentence, and how to reproduce it.

    `decision` is the number of decisions before it; `options` are those that differ from their defaults; `points` is
    the number of places at which the playout was checked closely.
    """

    kind: Invariant
    game: str
    scenario: str
    options: Mapping[str, str]
    seed: str
    decision: int
    text: str
    points: int = 0

    @property
    def reproduce(self) -> str:
        """Python code that reproduces the violation; its first three lines replay the match to that point."""
        case = f"games.load({self.game!r}), {self.scenario!r}, {dict(self.options)!r}, {self.seed!r}"
        return (
            "from readyroom import games\n"
            "from readyroom.testing import check_playout, playout\n"
            f"match = playout({case}, upto={self.decision})\n"
            f"print(check_playout({case}, points={self.points}))"
        )

    def __str__(self) -> str:
        chosen = ", ".join(f"{key}={choice}" for key, choice in self.options.items()) or "default options"
        place = f"{self.game}, {self.scenario}, {chosen}, seed {self.seed!r}, after {self.decision} decisions"
        indented = "\n".join(f"    {line}" for line in self.reproduce.splitlines())
        return f"{self.kind.name}: {self.text}\n  ({place})\n{indented}"


@dataclass(repr=False)
class CheckReport:
    """The result of playouts: how much was checked, and all violations.

    `resampled` counts resampled states, and `redistributed` those of them that differed from the original.
    """

    game: str
    playouts: int = 0
    decisions: int = 0
    checks: Counter[Invariant] = field(default_factory=Counter)
    failed: Counter[Invariant] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)
    resampled: int = 0
    redistributed: int = 0

    @property
    def ok(self) -> bool:
        """Whether all invariants held."""
        return not self.failed

    @property
    def kinds(self) -> set[Invariant]:
        """The violated invariants."""
        return set(self.failed)

    def add(self, violation: Violation) -> None:
        """Count a violation, and keep it unless there are enough of its kind."""
        self.failed[violation.kind] += 1
        if self.failed[violation.kind] <= KEPT:
            self.violations.append(violation)

    def __repr__(self) -> str:
        broken = sum(self.failed.values())
        return f"{self.game}: {self.playouts} playouts, {self.decisions} decisions, {broken} faults"

    def __str__(self) -> str:
        lines = [repr(self)]
        for promise in Invariant:
            broken = f", BROKEN {self.failed[promise]} times" if self.failed[promise] else ""
            lines.append(f"  {promise.name:<10} {self.checks[promise]:>8} checks{broken}: {promise.value}")
        lines.append(f"  resampling changed {self.redistributed} of {self.resampled} states")
        return "\n".join([*lines, *map(str, self.violations)])


class Case:
    """One playout being checked, and where its violations are reported.

    `at` is the number of decisions at the current check; `digests` are those after each decision; `points` is the
    number of places that are checked closely.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        scenario: str,
        options: Mapping[str, str],
        seed: str,
        findings: CheckReport,
        points: int = 0,
    ) -> None:
        self.game, self.scenario, self.options, self.seed = game, scenario, dict(options), seed
        self.findings, self.points = findings, points
        self.at = 0
        self.digests: list[str] = []

    @cached_property
    def rules(self) -> Mapping[str, object]:
        """The rules and rulings of the game by number."""
        return self.game.rulebook.numbers

    def begun(self, state: bytes) -> AnyMatch:
        """Return a match started from an encoded state at a phase boundary."""
        return Match(self.game, self.scenario, self.options, self.seed, start=Start(state))

    def same(self, promise: Invariant, when: str, one: Mapping[str, bytes], other: Mapping[str, bytes]) -> bool:
        """Check that two snapshots are equal."""
        text = difference(one, other)
        return self.check(promise, not text, f"{when}, {text}")

    def check(self, promise: Invariant, kept: bool, text: str) -> bool:
        """Count a check; report a violation with this text if it fails."""
        self.findings.checks[promise] += 1
        if not kept:
            self.fail(promise, text)
        return kept

    def conserves(self, start: Counter[str], match: AnyMatch, where: str = "") -> None:
        """Check that the counters of a match are those of its start; `where` is added to the text."""
        now = counters(match)
        lost, more = sorted((start - now).elements()), sorted((now - start).elements())
        text = f"counters lost: {', '.join(lost) or 'none'}; counters added: {', '.join(more) or 'none'}{where}"
        self.check(Invariant.PIECES, start == now, text)

    def fail(self, promise: Invariant, text: str) -> None:
        """Report a violation."""
        place = (self.game.key, self.scenario, self.options, self.seed, self.at)
        self.findings.add(Violation(promise, *place, text, self.points))

    @contextmanager
    def guard(self, promise: Invariant, what: str) -> Iterator[None]:
        """Report any exception inside as a violation of this invariant, or of the one that it indicates."""
        try:
            yield
        except Exception as error:  # the kit has to survive whatever a broken game does
            cause = error.__cause__ if isinstance(error, RuleError) and error.__cause__ else error
            text = f"{what}: {type(cause).__name__}: {cause}{_place(cause, self.game.packages)}"
            self.fail(_indicated(cause, promise), text)


def _place(cause: BaseException, packages: Iterable[str]) -> str:
    """Return the innermost line of the game's code in a traceback as `module:line`; empty if there is none."""
    steps = [(frame.f_globals.get("__name__", ""), line) for frame, line in walk_tb(cause.__traceback__)]
    roots = tuple(f"{package}." for package in packages)
    own = [f" ({module}:{line})" for module, line in steps if f"{module}.".startswith(roots)]
    return own[-1] if own else ""


def _indicated(cause: BaseException, otherwise: Invariant) -> Invariant:
    if isinstance(cause, PlayoutTooLong):
        return Invariant.ENDS
    if isinstance(cause, NextPhaseChanges):
        return Invariant.PHASES
    if isinstance(cause, ValueError) and "has no options" in str(cause):
        return Invariant.OPTIONS
    return otherwise
