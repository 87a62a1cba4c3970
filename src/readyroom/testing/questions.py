"""Checks of a decision: what it asks, what it accepts, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from readyroom.engine.decisions import Decision, DecisionKind, Option
from readyroom.engine.dice import SEPARATOR
from readyroom.engine.errors import (
    IllegalChoice,
    NotYourDecision,
    ReadyRoomError,
    RuleError,
    StaleRevision,
    UnknownSeat,
)
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch
from readyroom.testing.snapshots import table_snapshot

STRANGER = "no-such-option"


def check_decision(case: Case, decision: Decision) -> None:
    """A decision has options, with distinct and speakable keys, and asks for a number that can be met."""
    keys = [value.key for value in decision.values]
    case.check(Invariant.OPTIONS, bool(keys), f"{decision.question!r} [{decision.rule}] has no options")
    fault = _ill_put(decision, keys)
    case.check(Invariant.QUESTIONS, not fault, f"{decision.question!r} [{decision.rule}] {fault}")


def _ill_put(decision: Decision, keys: list[str]) -> str:
    if len(set(keys)) != len(keys):
        return f"has a key twice among {', '.join(sorted(keys))}"
    if any(not key or SEPARATOR in key for key in keys):
        return f"has an empty key, or one with {SEPARATOR!r}, among {', '.join(keys)}"
    if not decision.rule or not decision.question:
        return "has no rule or no question"
    paid = [value.key for purse in decision.budget_groups for value in purse.options]
    if decision.budget_groups and (decision.cost is None or sorted(paid) != sorted(keys)):
        return "has purses, but no cost, or not one purse for every option"
    if any(decision.max_repeats(value) < 1 for value in decision.values):
        return "has an option that may not be taken once"
    most = sum(map(decision.max_repeats, decision.values)) if decision.kind is not DecisionKind.ONE else 1
    if not 0 <= decision.at_least <= decision.at_most <= most:
        return f"asks for {decision.at_least} to {decision.at_most} of {len(keys)}"
    return ""


def accepts(case: Case, match: AnyMatch, seat: str, random: Random, tries: int) -> None:
    """Every option is part of some answer that is accepted, and so is whatever `sample` gives; tried on forks."""
    decision = match.pending[seat]
    before = table_snapshot(match)
    options = decision.options
    if len(options) > tries:
        options = random.sample(options, tries)
    for answer in [*(with_option(decision, option) for option in options), decision.sample(random)]:
        fork = match.fork(random.randbytes(32), log=False)
        try:
            fork.decide(seat, answer)
        except IllegalChoice as refusal:
            text = f"{answer} was offered and is refused: {refusal.reason}"
            case.check(Invariant.ACCEPTS, False, text)
        except RuleError as fault:
            text = f"rule {decision.rule} fails on {answer}: {fault.__cause__!r}"
            case.check(Invariant.PLAYS, False, text)
        else:
            case.check(Invariant.ACCEPTS, True, "")
    case.same(Invariant.FORKS, "after answers on forks of it", before, table_snapshot(match))


def with_option(decision: Decision, option: Option) -> list[str]:
    """An answer that should be legal and has this option in it."""
    if decision.kind is DecisionKind.ALLOT:
        limits = {other.key: other.limit for other in decision.options}
        first = [option.key] * min(option.limit, decision.at_least)
        rest = [key for key, limit in limits.items() if key != option.key for _ in range(limit)]
        return (first or [option.key]) + rest[: decision.at_least - max(1, len(first))]
    others = [other.key for other in decision.options if other.key != option.key for _ in range(other.limit)]
    found = [option.key, *others[: max(0, decision.at_least - 1)]]
    return found + [option.key] * (decision.at_least - len(found))


def refuses(case: Case, match: AnyMatch, seat: str, random: Random) -> None:
    """What is not offered raises the right error, and nothing has changed afterwards."""
    decision = match.pending[seat]
    before = _standing(match)
    for what, error, attempt in _illicit(match, seat, decision, random):
        try:
            attempt()
        except error:
            kept, text = True, ""
        except Exception as other:  # the kit has to survive whatever a broken game does
            kept, text = False, f"{what} raises {type(other).__name__} and not {error.__name__}: {other}"
        else:
            kept, text = False, f"{what} is taken"
        if not case.check(Invariant.REFUSES, kept, text):
            break
    case.same(Invariant.REFUSES, "after refusals", before, _standing(match))


def _standing(match: AnyMatch) -> dict[str, bytes]:
    return table_snapshot(match) | {"the record": f"{match.revision} {match.record()}".encode()}


Attempt = tuple[str, type[ReadyRoomError], Callable[[], object]]


def _illicit(match: AnyMatch, seat: str, decision: Decision, random: Random) -> Iterator[Attempt]:
    for answer in _illegal_answers(decision, random):
        yield f"the answer {answer}", IllegalChoice, lambda answer=answer: match.decide(seat, answer)  # type: ignore[misc]
    legal = decision.sample(random)
    yield "an answer to another revision", StaleRevision, lambda: match.decide(seat, legal, decision.revision - 1)
    yield "an answer of a stranger", UnknownSeat, lambda: match.decide("nobody", legal)
    idle = [other.key for other in match.seats if other.key not in match.pending]
    if idle:
        yield f"an answer of {idle[0]}, who is not asked", NotYourDecision, lambda: match.decide(idle[0], legal)


def _illegal_answers(decision: Decision, random: Random) -> Iterator[Sequence[str]]:
    legal, keys = decision.sample(random), decision.keys
    yield [STRANGER]
    yield [*legal[:-1], STRANGER]
    yield [*legal, *[keys[0]] * (decision.at_most + 1)]
    if decision.at_least:
        yield []
        yield legal[: decision.at_least - 1]
    if decision.kind is DecisionKind.SOME:
        yield from _too_often(decision)
    if decision.kind is DecisionKind.ALLOT:
        yield from _too_much(decision)
    if decision.cost is not None:
        yield from _too_dear(decision)
    for refused in decision.unavailable[:3]:
        yield [refused.key, *legal[1:]]


def _too_often(decision: Decision) -> Iterator[list[str]]:
    """An option once more than it may be taken, where so many may be chosen."""
    for option in decision.options:
        if option.limit < decision.at_most:
            yield [option.key] * max(option.limit + 1, decision.at_least)
            return


def _too_much(decision: Decision) -> Iterator[list[str]]:
    for option in decision.options:
        if option.limit < decision.at_least:
            yield [option.key] * decision.at_least
            return


def _too_dear(decision: Decision) -> Iterator[list[str]]:
    """For each purse what it cannot pay, though others are full."""
    for purse in dict.fromkeys(option.budget_group for option in decision.options):
        paid = [option for option in decision.options if option.budget_group == purse]
        dear = [option for option in paid for _ in range(option.limit)][: decision.at_most]
        if sum(option.cost for option in dear) > decision.budget:
            yield [option.key for option in dear]
