"""What the conformance kit finds: the promises that a game keeps or breaks, and every fault as a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from traceback import walk_tb
from typing import Any

from readyroom.engine.errors import RuleError
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.testing.playouts import AnyMatch, NextPhaseChanges, PlayoutTooLong, counters
from readyroom.testing.snapshots import difference

KEPT = 5
"""So many faults of a kind are kept with their words; the rest are only counted."""


class Invariant(Enum):
    """What every game promises to its table; the value says it in words."""

    PLAYS = "no rule raises an error on an answer that was offered"
    ENDS = "every playout ends"
    OPTIONS = "a decision always has options"
    QUESTIONS = "keys are distinct and speakable, and a question names a seat, a rule and a number that can be met"
    ACCEPTS = "every option that is offered is accepted"
    REFUSES = "what is not offered is refused, and nothing changes"
    PHASES = "no phase comes twice in the same turn, and asking for the next one changes nothing"
    PIECES = "every counter lies in exactly one place, and none comes or goes"
    SAME_AGAIN = "the same seed and the same answers give the same match, told or untold"
    SAVES = "a state that is saved and loaded plays on as before"
    REPLAYS = "a record, replayed to any point, gives the same table"
    FORKS = "a fork shows the same table and leaves the first one alone"
    UNDOES = "an undo returns to exactly where the match stood"
    BARS = "an undo never passes dice, a draw, a disclosure or another seat's move"
    VIEWS = "a view is plain data, and looking changes nothing"
    SECRETS = "a seat is shown nothing that it may not know"
    IMAGINES = "a seat can imagine a position: it is shown and asked the same there, and the rules go on from it"
    LOG = "a line of the log is addressed to seats of the table, and never says anything else later"
    OUTCOME = "the winner is a side of the table, or nobody"
    VERIFIES = "the record of a match that is over proves itself"
    BRINGS = "what it brings fits together: rulebook, options, lesson, colours, boards, and figures of the end"


@dataclass(frozen=True)
class Violation:
    """A broken promise: which, where, in a sentence, and how to stand before it again.

    `decision` is how many decisions had been taken; `options` are those that differ from their defaults; `points` at
    how many places the playout was looked at closely.
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
        """Lines of Python that show the fault again; the first three bring the match to where it came up."""
        case = f"games.load({self.game!r}), {self.scenario!r}, {dict(self.options)!r}, {self.seed!r}"
        return (
            "from readyroom import games\n"
            "from readyroom.testing import examine, playout\n"
            f"match = playout({case}, upto={self.decision})\n"
            f"print(examine({case}, points={self.points}))"
        )

    def __str__(self) -> str:
        chosen = ", ".join(f"{key}={choice}" for key, choice in self.options.items()) or "default options"
        place = f"{self.game}, {self.scenario}, {chosen}, seed {self.seed!r}, after {self.decision} decisions"
        indented = "\n".join(f"    {line}" for line in self.reproduce.splitlines())
        return f"{self.kind.name}: {self.text}\n  ({place})\n{indented}"


@dataclass(repr=False)
class CheckReport:
    """The result of some playouts: how much was looked at, and every fault that came up."""

    game: str
    playouts: int = 0
    decisions: int = 0
    checks: Counter[Invariant] = field(default_factory=Counter)
    failed: Counter[Invariant] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every promise was kept."""
        return not self.failed

    @property
    def kinds(self) -> set[Invariant]:
        """The promises that were broken."""
        return set(self.failed)

    def add(self, fault: Violation) -> None:
        """Count a fault, and keep it unless there are enough of its kind."""
        self.failed[fault.kind] += 1
        if self.failed[fault.kind] <= KEPT:
            self.violations.append(fault)

    def __repr__(self) -> str:
        broken = sum(self.failed.values())
        return f"{self.game}: {self.playouts} playouts, {self.decisions} decisions, {broken} faults"

    def __str__(self) -> str:
        lines = [repr(self)]
        for promise in Invariant:
            broken = f", BROKEN {self.failed[promise]} times" if self.failed[promise] else ""
            lines.append(f"  {promise.name:<10} {self.checks[promise]:>8} checks{broken}: {promise.value}")
        return "\n".join([*lines, *map(str, self.violations)])


class Case:
    """One playout under examination: what is played, and where its faults are written down.

    `at` is the number of decisions taken where it is being looked at; `digests` are those after each decision;
    `points`, at how many places it is looked at closely.
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

    def begun(self, state: bytes) -> AnyMatch:
        """A match that begins with this encoded state, at a phase boundary, and runs to its first decision."""
        return Match(self.game, self.scenario, self.options, self.seed, start=state)

    def same(self, promise: Invariant, when: str, one: Mapping[str, bytes], other: Mapping[str, bytes]) -> bool:
        """Count a check that two tables, as `shown.table_snapshot` tells them, show the same."""
        differs = difference(one, other)
        return self.check(promise, not differs, f"{when}, {differs}")

    def check(self, promise: Invariant, kept: bool, text: str) -> bool:
        """Count a check; where it fails, write down the fault in this sentence."""
        self.findings.checks[promise] += 1
        if not kept:
            self.fail(promise, text)
        return kept

    def conserves(self, start: Counter[str], match: AnyMatch, where: str = "") -> None:
        """Count a check that the counters of a match are those of its start; `where`, if that is not the table."""
        now = counters(match)
        lost, more = sorted((start - now).elements()), sorted((now - start).elements())
        text = f"counters are lost ({', '.join(lost) or 'none'}) or too many ({', '.join(more) or 'none'}){where}"
        self.check(Invariant.PIECES, start == now, text)

    def fail(self, promise: Invariant, text: str) -> None:
        """Write down a fault."""
        fault = Violation(promise, self.game.key, self.scenario, self.options, self.seed, self.at, text, self.points)
        self.findings.add(fault)

    @contextmanager
    def guard(self, promise: Invariant, what: str) -> Iterator[None]:
        """Whatever is raised inside breaks this promise, or the one that it plainly speaks of."""
        try:
            yield
        except Exception as error:  # the kit has to survive whatever a broken game does
            cause = error.__cause__ if isinstance(error, RuleError) and error.__cause__ else error
            text = f"{what}: {type(cause).__name__}: {cause}{_place(cause, self.game.package)}"
            self.fail(_spoken_of(cause, promise), text)


def _place(cause: BaseException, package: str) -> str:
    """The last line of the game's own code on the way to an error, as `module:line`; empty if there is none."""
    steps = [(frame.f_globals.get("__name__", ""), line) for frame, line in walk_tb(cause.__traceback__)]
    own = [f" ({module}:{line})" for module, line in steps if f"{module}.".startswith(f"{package}.")]
    return own[-1] if own else ""


def _spoken_of(cause: BaseException, otherwise: Invariant) -> Invariant:
    if isinstance(cause, PlayoutTooLong):
        return Invariant.ENDS
    if isinstance(cause, NextPhaseChanges):
        return Invariant.PHASES
    if isinstance(cause, ValueError) and "has no options" in str(cause):
        return Invariant.OPTIONS
    return otherwise
