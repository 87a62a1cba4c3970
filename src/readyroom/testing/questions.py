"""Checks of a decision: its question, and what it accepts and rejects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from readyroom.engine.errors import (
    IllegalChoice,
    NotYourDecision,
    ReadyRoomError,
    RuleError,
    StaleRevision,
    UnknownSeat,
)
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.engine.rules.dice import SEPARATOR
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch
from readyroom.testing.snapshots import table_snapshot

UNKNOWN_KEY = "no-such-option"


def check_decision(case: Case, decision: Decision) -> None:
    """Check that a decision has options with distinct and valid keys, and numbers that can be met."""
    keys = [value.key for value in decision.values]
    case.check(Invariant.OPTIONS, bool(keys), f"{decision.question!r} [{decision.rule}] has no options")
    error = _question_error(decision, keys) or _rule_error(case, decision.rule)
    case.check(Invariant.QUESTIONS, not error, f"{decision.question!r} [{decision.rule}] {error}")


def _rule_error(case: Case, rule: str) -> str:
    return "" if rule in case.rules else "names a rule that rules.toml does not have"


def _question_error(decision: Decision, keys: list[str]) -> str:
    if len(set(keys)) != len(keys):
        return f"has a key twice among {', '.join(sorted(keys))}"
    if any(not key or SEPARATOR in key for key in keys):
        return f"has an empty key, or one with {SEPARATOR!r}, among {', '.join(keys)}"
    if not decision.rule or not decision.question:
        return "has no rule or no question"
    paid = [value.key for group in decision.budget_groups for value in group.options]
    if decision.budget_groups and (decision.cost is None or sorted(paid) != sorted(keys)):
        return "has budget groups without a cost, or not exactly one for every option"
    if any(decision.max_repeats(value) < 1 for value in decision.values):
        return "has an option with a limit below 1"
    most = sum(map(decision.max_repeats, decision.values)) if decision.kind is not DecisionKind.ONE else 1
    if not 0 <= decision.at_least <= decision.at_most <= most:
        return f"asks for {decision.at_least} to {decision.at_most} of {len(keys)}"
    return ""


def accepts(case: Case, match: AnyMatch, seat: str, random: Random, tries: int) -> None:
    """Check on forks that an answer with each option is accepted, and so is a sample."""
    decision = match.pending[seat]
    before = table_snapshot(match)
    options = decision.options
    if len(options) > tries:
        options = random.sample(options, tries)
    for answer in [*(with_option(decision, option) for option in options), decision.sample(random)]:
        fork = match.fork(random.randbytes(32), log=False)
        try:
            fork.decide(seat, answer)
        except IllegalChoice as error:
            case.check(Invariant.ACCEPTS, False, f"{answer} was offered but is rejected: {error.reason}")
        except RuleError as error:
            case.check(Invariant.PLAYS, False, f"rule {decision.rule} fails on {answer}: {error.__cause__!r}")
        else:
            case.check(Invariant.ACCEPTS, True, "")
    case.same(Invariant.FORKS, "after answers on forks of it", before, table_snapshot(match))


def with_option(decision: Decision, option: Option) -> list[str]:
    """Return an answer that contains this option and should be legal."""
    if decision.kind is DecisionKind.ALLOCATE:
        limits = {other.key: other.limit for other in decision.options}
        first = [option.key] * min(option.limit, decision.at_least)
        rest = [key for key, limit in limits.items() if key != option.key for _ in range(limit)]
        return (first or [option.key]) + rest[: decision.at_least - max(1, len(first))]
    others = [other.key for other in decision.options if other.key != option.key for _ in range(other.limit)]
    keys = [option.key, *others[: max(0, decision.at_least - 1)]]
    return keys + [option.key] * (decision.at_least - len(keys))


def refuses(case: Case, match: AnyMatch, seat: str, random: Random) -> None:
    """Check that illegal answers raise the right error and change nothing."""
    decision = match.pending[seat]
    before = _position(match)
    for what, error, attempt in _illicit(match, seat, decision, random):
        try:
            attempt()
        except error:
            kept, text = True, ""
        except Exception as other:  # the kit has to survive whatever a broken game does
            kept, text = False, f"{what} raises {type(other).__name__} and not {error.__name__}: {other}"
        else:
            kept, text = False, f"{what} is accepted"
        if not case.check(Invariant.REFUSES, kept, text):
            break
    case.same(Invariant.REFUSES, "after rejected answers", before, _position(match))


def _position(match: AnyMatch) -> dict[str, bytes]:
    return table_snapshot(match) | {"the record": f"{match.revision} {match.record()}".encode()}


Attempt = tuple[str, type[ReadyRoomError], Callable[[], object]]


def _illicit(match: AnyMatch, seat: str, decision: Decision, random: Random) -> Iterator[Attempt]:
    for answer in _illegal_answers(decision, random):
        yield f"the answer {answer}", IllegalChoice, lambda answer=answer: match.decide(seat, answer)  # type: ignore[misc]
    legal = decision.sample(random)
    yield "an answer to another revision", StaleRevision, lambda: match.decide(seat, legal, decision.revision - 1)
    yield "an answer of an unknown seat", UnknownSeat, lambda: match.decide("nobody", legal)
    idle = [other.key for other in match.seats if other.key not in match.pending]
    if idle:
        yield f"an answer of {idle[0]}, which has no decision", NotYourDecision, lambda: match.decide(idle[0], legal)


def _illegal_answers(decision: Decision, random: Random) -> Iterator[Sequence[str]]:
    legal, keys = decision.sample(random), decision.keys
    yield [UNKNOWN_KEY]
    yield [*legal[:-1], UNKNOWN_KEY]
    yield [*legal, *[keys[0]] * (decision.at_most + 1)]
    if decision.at_least:
        yield []
        yield legal[: decision.at_least - 1]
    most = decision.at_most if decision.kind is DecisionKind.SOME else decision.at_least
    limited = [option for option in decision.options if option.limit < most]
    if limited and decision.kind is not DecisionKind.ONE:  # an option more often than its limit
        yield [limited[0].key] * max(limited[0].limit + 1, decision.at_least)
    if decision.cost is not None:
        yield from _too_expensive(decision)
    if decision.assigns is not None:
        yield from _assigned_twice(decision)
    for option in decision.unavailable[:3]:
        yield [option.key, *legal[1:]]


def _assigned_twice(decision: Decision) -> Iterator[list[str]]:
    """Yield two places for one piece."""
    options = [option for option in decision.options if option.assigns]
    pieces = [option.assigns[0] for option in options if option.assigns]
    for piece in dict.fromkeys(pieces):
        if pieces.count(piece) > 1:
            yield [option.key for option in options if option.assigns and option.assigns[0] == piece][:2]
            return


def _too_expensive(decision: Decision) -> Iterator[list[str]]:
    """Yield for each budget group more than it can pay."""
    for group in dict.fromkeys(option.budget_group for option in decision.options):
        paid = [option for option in decision.options if option.budget_group == group]
        chosen = [option for option in paid for _ in range(option.limit)][: decision.at_most]
        if sum(option.cost for option in chosen) > decision.budget:
            yield [option.key for option in chosen]
