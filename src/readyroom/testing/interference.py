"""Non-interference: what a seat may not know changes nothing that the other viewers can observe.

Two matches differ in one answer, and are then played on by the same policies. Every other viewer must observe the same
in both until its own view or log differs: the same public phase, the same seats to wait for in the same order, and the
same questions of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import zip_longest
from random import Random
from typing import NamedTuple

import msgspec

from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch, PlayedAnswer
from readyroom.testing.snapshots import excerpt, lines, question, viewers

ONWARD = 60
"""The number of decisions played on after the two answers."""
TRIES = 8
"""How often another answer is looked for."""


class Shown(NamedTuple):
    """What a viewer may learn: its view, and its log."""

    view: bytes
    log: bytes


class Signs(NamedTuple):
    """What a viewer also observes: the public phase, the seats that must decide, and its own question."""

    phase: str
    waiting: tuple[str, ...]
    question: bytes


class Epoch(NamedTuple):
    """The signs, in order and without repeats, while view and log stay the same."""

    shown: Shown
    signs: list[Signs]


class Observer:
    """One viewer of one match, and everything it observes, in epochs."""

    def __init__(self, match: AnyMatch, viewer: str | None) -> None:
        self.match, self.viewer = match, viewer
        self.epochs: list[Epoch] = []

    def look(self) -> None:
        """Note what has changed since the last look."""
        match, viewer = self.match, self.viewer
        seen = match.view(viewer)
        shown = Shown(
            msgspec.json.encode([seen.table, seen.sheets, seen.outcome]),
            lines(match.log(viewer)),
        )
        own = match.pending.get(viewer or "")
        signs = Signs(f"{seen.turn} {seen.phase}", tuple(sorted(match.pending)), question(own))
        if not self.epochs or self.epochs[-1].shown != shown:
            self.epochs.append(Epoch(shown, []))
        signs_so_far = self.epochs[-1].signs
        if not signs_so_far or signs_so_far[-1] != signs:
            signs_so_far.append(signs)


def answer(seed: str, decision: Decision, count: int) -> tuple[str, ...]:
    """Return a random answer that depends only on the seed, the question, and how often its seat was asked before."""
    words = (seed, decision.seat, str(count), question(decision).hex())
    return decision.sample(Random(blake2b("|".join(words).encode(), digest_size=8).digest()))


class Policy:
    """The same policy for all seats: of several pending seats the first one decides, whole plans at a time."""

    def __init__(self, seed: str, asked: dict[tuple[str, int, str], int] | None = None) -> None:
        self.seed, self.asked = seed, dict(asked or {})

    def next(self, match: AnyMatch) -> PlayedAnswer:
        """Return the next answer."""
        seat = min(match.pending)
        decision = match.pending[seat]
        at = (seat, match.state.at.turn, decision.rule)
        count = self.asked[at] = self.asked.get(at, 0) + 1
        return PlayedAnswer(seat, answer(self.seed, decision, count))


def pairs(case: Case, random: Random, *, splits: int, cap: int) -> Iterator[tuple[AnyMatch, AnyMatch, str]]:
    """Play once, then yield pairs of matches that differ in one answer of the seat that is yielded with them."""
    policy = Policy(case.seed)
    match: AnyMatch = Match(case.game, case.scenario, case.options, case.seed)
    taken: list[PlayedAnswer] = []
    while match.outcome is None and len(taken) < cap:
        taken.append(policy.next(match))
        match.decide(*taken[-1])
    open_places = [at for at in range(len(taken))]
    for place in sorted(random.sample(open_places, min(splits, len(taken)))):
        case.at = place
        one, other = (_replayed(case, taken[:place]) for _ in range(2))
        seat, keys = taken[place]
        different = _other_answer(one.pending[seat], keys, random)
        if different is None:
            continue
        one.decide(seat, keys)
        other.decide(seat, different)
        yield one, other, seat


def _replayed(case: Case, taken: Sequence[PlayedAnswer]) -> AnyMatch:
    match: AnyMatch = Match(case.game, case.scenario, case.options, case.seed)
    for one in taken:
        match.decide(*one)
    return match


def _other_answer(decision: Decision, keys: Sequence[str], random: Random) -> tuple[str, ...] | None:
    for _ in range(TRIES):
        different = decision.sample(random)
        if sorted(different) != sorted(keys):
            return different
    return None


def does_not_interfere(case: Case, random: Random, *, splits: int, cap: int, onward: int = ONWARD) -> None:
    """Check for every viewer but the deciding one that both matches of each pair look alike as long as they may."""
    with case.guard(Invariant.INTERFERES, "playing a pair of matches"):
        for one, other, seat in pairs(case, random, splits=splits, cap=cap):
            watching = [viewer for viewer in viewers(one) if viewer != seat]
            mine, yours = (_observe(case, match, watching, onward) for match in (one, other))
            for viewer in watching:
                text = compare(mine[viewer].epochs, yours[viewer].epochs)
                who = viewer or "a spectator"
                case.check(Invariant.INTERFERES, not text, f"{who} can tell what {seat} answered: {text}")


def _observe(
    case: Case, match: AnyMatch, watching: Sequence[str | None], onward: int
) -> dict[str | None, Observer]:
    """Play on, and return what each viewer observes."""
    observers = {viewer: Observer(match, viewer) for viewer in watching}
    policy = Policy(f"{case.seed} onward")
    for _ in range(onward):
        for observer in observers.values():
            observer.look()
        if match.outcome is not None:
            break
        match.decide(*policy.next(match))
    return observers


def compare(one: Sequence[Epoch], other: Sequence[Epoch]) -> str:
    """Return a text on the first difference that view and log do not explain; empty if there is none."""
    for at, (mine, yours) in enumerate(zip(one, other, strict=False)):
        if mine.shown != yours.shown:
            return ""  # from here on the viewer may know
        last = at + 1 in (len(one), len(other))
        for left, right in zip_longest(mine.signs, yours.signs):
            if left == right:
                continue
            if left is None or right is None:
                if last or one[at + 1].shown != other[at + 1].shown:
                    return ""  # an answer had a visible effect in one match only
                extra = left or right
                return f"only in one match {_describe(extra)}"
            return _difference(left, right)
    return ""


def _describe(signs: Signs) -> str:
    turn, phase = signs.phase.split(" ", 1)
    return f"{', '.join(signs.waiting) or 'nobody'} must decide in phase {phase} of turn {turn}"


def _difference(one: Signs, other: Signs) -> str:
    if (one.phase, one.waiting) != (other.phase, other.waiting):
        return f"{_describe(one)}, or {_describe(other)}"
    return f"its own question differs: {excerpt(one.question, other.question)}"
