"""Non-interference: what a seat may not know changes nothing that the other viewers can observe.

Two matches differ in one answer, and are then played on by the same policies. Every other viewer must observe the same
in both until its own view or log differs: the same public phase, the same seats to wait for in the same order, and the
same questions of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import zip_longest
from random import Random
from typing import NamedTuple

import msgspec

from readyroom.engine.match import Match
from readyroom.engine.match.resume import resume
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import Piece
from readyroom.engine.rules.table import LoggedEvent, pieces_named
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch, PlayedAnswer
from readyroom.testing.snapshots import excerpt, lines, question, viewers

ONWARD = 40
"""The number of decisions played on after the two answers."""
LONGEST = 400
"""The number of decisions after which no pair begins."""
NOTHING = 0.5
"""How often nothing is chosen instead of something, because whether anything happened is what questions show first."""
TRIES = 8
"""How often another answer is looked for."""


class Known(NamedTuple):
    """What a viewer may learn: its view, and its log."""

    view: bytes
    log: bytes


class Signs(NamedTuple):
    """What a viewer also observes: the shown phase, the seats that must decide, its own question, undo and revision."""

    phase: str
    waiting: tuple[str, ...]
    question: bytes
    can_undo: bool
    revision: int


class Epoch(NamedTuple):
    """The signs, in order and without repeats, while view and log stay the same."""

    shown: Known
    signs: list[Signs]


class Event(NamedTuple):
    """A log line with the view at that line, and what a board plays of it: keys on that board, target and moment."""

    line: bytes
    view: bytes
    played: tuple[Sequence[str], str, str]


class Observer:
    """One viewer of one match, and everything it observes, in epochs; and the events that its board plays."""

    def __init__(self, match: AnyMatch, viewer: str | None) -> None:
        self.match, self.viewer = match, viewer
        self.epochs: list[Epoch] = []
        self.events: list[Event] = []
        self._log, self._read = b"", 0

    def hear(self, logged: LoggedEvent) -> None:
        """Note an event that the viewer may know."""
        if logged.line.seen_by(self.viewer):
            seen = msgspec.json.encode(self.match.view(self.viewer).table)
            target = logged.target.key if isinstance(logged.target, Piece) else logged.target or ""
            on_board = [key for key in (*pieces_named(logged.facts), target) if f'"{key}"'.encode() in seen]
            self.events.append(Event(lines([logged.line]), seen, (on_board, target, logged.moment)))

    def look(self) -> None:
        """Note what has changed since the last look."""
        match, viewer = self.match, self.viewer
        seen, new = match.view(viewer), match.log(viewer, self._read)
        self._read += len(new)
        self._log += lines(new)
        shown = Known(msgspec.json.encode([seen.table, seen.sheets, seen.outcome]), self._log)
        own = match.pending.get(viewer or "")
        can_undo = viewer is not None and match.can_undo(viewer)
        waiting = tuple(match.shown_waiting(viewer))
        revision = match.revision_for(viewer) if match.outcome is None else 0  # then everything is public
        signs = Signs(f"{seen.turn} {seen.phase}", waiting, question(own), can_undo, revision)
        if not self.epochs or self.epochs[-1].shown != shown:
            self.epochs.append(Epoch(shown, []))
        so_far = self.epochs[-1].signs
        if not so_far or so_far[-1] != signs:
            so_far.append(signs)


class Policy:
    """Random answers that depend only on a seed, on the question, and on how often its seat was asked it in this turn.

    Of several seats that plan in secret the first one makes its whole plan.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.asked: Counter[tuple[int, bytes]] = Counter()

    def next(self, match: AnyMatch) -> PlayedAnswer:
        """Return the next answer."""
        seat = min(match.pending)
        decision = match.pending[seat]
        asked = match.state.at.turn, question(decision)
        self.asked[asked] += 1
        digest = blake2b(f"{self.seed}|{self.asked[asked]}|".encode() + asked[1], digest_size=8).digest()
        return PlayedAnswer(seat, decision.sample(Random(digest)))


class Pair(NamedTuple):
    """Two copies of a match, and the two answers of a seat with which they continue."""

    seat: str
    matches: tuple[AnyMatch, AnyMatch]
    answers: tuple[Sequence[str], Sequence[str]]


def pairs(case: Case, random: Random, *, splits: int, cap: int) -> Iterator[Pair]:
    """Play a match at random, and yield pairs at about `splits` decisions in which a seat has a choice."""
    policy, match = Policy(case.seed), Match(case.game, case.scenario, case.options, case.seed)
    length = _length(case, cap)
    places = set(random.sample(range(length), min(splits, length)))
    for case.at in range(length):
        taken = policy.next(match)
        if case.at in places:
            different = _other_answer(match.pending[taken.seat], taken.keys, random)
            if different is not None:
                saved = match.saved()
                copies = resume(saved, case.game), resume(saved, case.game)
                yield Pair(taken.seat, copies, (taken.keys, different))
        match.decide(*taken)


def _length(case: Case, cap: int) -> int:
    """Return the number of decisions of the match, at most `cap`."""
    policy, match = Policy(case.seed), Match(case.game, case.scenario, case.options, case.seed, log=False)
    while match.outcome is None and match.decision_count < cap:
        match.decide(*policy.next(match))
    return match.decision_count


def _other_answer(decision: Decision, keys: Sequence[str], random: Random) -> tuple[str, ...] | None:
    """Return another answer, half of the time nothing instead of something; None if there seems to be none."""
    if keys and not decision.at_least and random.random() < NOTHING:
        return ()
    for _ in range(TRIES):
        different = decision.sample(random)
        if sorted(different) != sorted(keys):
            return different
    return None


def does_not_interfere(case: Case, *, splits: int, cap: int = LONGEST, onward: int = ONWARD) -> None:
    """Check for every viewer but the deciding one that both matches of each pair look alike as long as they must."""
    random = Random(f"{case.seed} pairs")
    with case.guard(Invariant.INTERFERES, "playing a pair of matches"):
        for pair in pairs(case, random, splits=splits, cap=cap):
            watching = outsiders(pair.matches[0], pair.seat)
            mine, yours = (
                observe(match, PlayedAnswer(pair.seat, keys), watching, Policy(f"{case.seed} onward"), onward)
                for match, keys in zip(pair.matches, pair.answers, strict=True)
            )
            for viewer, one, other in zip(watching, mine, yours, strict=True):
                text = compare(one.epochs, other.epochs) or compare_events(one.events, other.events)
                who = viewer or "a spectator"
                case.check(Invariant.INTERFERES, not text, f"{who} can infer what {pair.seat} answered: {text}")


def outsiders(match: AnyMatch, seat: str) -> list[str | None]:
    """Return the viewers that a seat has secrets from: all but its own side and an umpire."""
    own = [each.key for each in match.seats if each.side == match.seat(seat).side]
    return [viewer for viewer in viewers(match) if viewer not in own and not match.is_umpire(viewer)]


def observe(
    match: AnyMatch, first: PlayedAnswer, watching: Sequence[str | None], policy: Policy, onward: int
) -> list[Observer]:
    """Give an answer and play on; return what each viewer observes from just before that answer."""
    match.observe({})
    observers = [Observer(match, viewer) for viewer in watching]

    def hear(logged: LoggedEvent) -> None:
        for observer in observers:
            observer.hear(logged)

    match.listen(hear)
    answer = first
    for _ in range(onward):
        for observer in observers:
            observer.look()
        if match.outcome is not None:
            break
        match.decide(*answer)
        if match.outcome is None:
            answer = policy.next(match)
    return observers


def comparable(one: Sequence[Epoch], other: Sequence[Epoch]) -> tuple[list[Signs], list[Signs]]:
    """Return the signs of two matches that must be equal: those before view or log differ."""
    mine, yours = list[Signs](), list[Signs]()
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left.shown != right.shown:
            break
        both = min(len(left.signs), len(right.signs))
        last = at + 1 in (len(one), len(other)) or one[at + 1].shown != other[at + 1].shown
        # an answer may have a visible effect in one match only
        mine += left.signs[:both] if last else left.signs
        yours += right.signs[:both] if last else right.signs
        if last:
            break
    return mine, yours


def compare(one: Sequence[Epoch], other: Sequence[Epoch]) -> str:
    """Return a text on the first difference that view and log do not explain; empty if there is none."""
    for left, right in zip_longest(*comparable(one, other)):
        if left != right:
            return _difference(left, right) if left and right else f"only in one match {_describe(left or right)}"
    return ""


def compare_events(one: Sequence[Event], other: Sequence[Event]) -> str:
    """Return a text on the first difference between events of equal lines and views; empty if there is none."""
    for left, right in zip(one, other, strict=False):
        if (left.line, left.view) != (right.line, right.view):
            break
        if left.played != right.played:
            return f"the board plays {left.played} or {right.played} at the line {left.line.decode()}"
    return ""


def _describe(signs: Signs) -> str:
    turn, phase = signs.phase.split(" ", 1)
    return f"{', '.join(signs.waiting) or 'no seat'} must decide in phase {phase} of turn {turn}"


def _difference(one: Signs, other: Signs) -> str:
    if (one.phase, one.waiting) != (other.phase, other.waiting):
        return f"{_describe(one)}, or {_describe(other)}"
    if one.can_undo != other.can_undo:
        return f"only in one match it can undo while {_describe(one)}"
    if one.revision != other.revision:
        return f"its revision is {one.revision} or {other.revision} while {_describe(one)}"
    return f"its own question differs: {excerpt(one.question, other.question)}"
