"""Run a single rule with given answers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from readyroom.engine.rules.decisions import Block, Decision, DecisionKind

Answer: TypeAlias = str | Sequence[str] | Callable[[Decision], Sequence[str]]
"""Keys, or a function that returns them."""
Answers: TypeAlias = Mapping[str, Answer | list[list[str]]]
"""Answers by rule number; a list of lists has one answer for each time."""


def run(
    rules: object,
    answers: Answers | Callable[[Decision], Sequence[str]] | None = None,
    asked: list[Decision] | None = None,
    defaults: Sequence[str] = (),
) -> Any:
    """Run a rule to its end and return its result.

    Args:
        rules: what calling the rule returned: a generator, or the result of a rule without decisions.
        answers: the answers, or a function that answers every decision.
        asked: collects the decisions; of several that are pending at once, the first one.
        defaults: keys chosen without a given answer, if offered; otherwise the first option if one is needed, and as
            few as possible otherwise.

    Raises:
        IllegalChoice: an answer is not legal.
    """
    if not isinstance(rules, Generator):
        return rules
    answer = answers if callable(answers) else _by_rule(answers or {}, defaults)
    reply: Any = None
    while True:
        try:
            pending = rules.send(reply)
        except StopIteration as done:
            return done.value
        seat, decision = next(iter(pending.open.items())) if isinstance(pending, Block) else ("", pending)
        if asked is not None:
            asked.append(decision)
        chosen = decision.accept(list(answer(decision)))[1]
        reply = (seat, chosen) if isinstance(pending, Block) else chosen


def _by_rule(answers: Answers, defaults: Sequence[str]) -> Callable[[Decision], Sequence[str]]:
    given = {rule: _in_turn(answer) for rule, answer in answers.items()}
    return lambda decision: _answer(decision, given.get(decision.rule), defaults)


def _in_turn(answer: Any) -> Any:
    several = isinstance(answer, list) and bool(answer) and not isinstance(answer[0], str)
    return iter(answer) if several else answer


def _answer(decision: Decision, given: Any, defaults: Sequence[str]) -> list[str]:
    if isinstance(given, Iterator):
        given = next(given, None)
    if given is None:
        return _least(decision, defaults)
    if callable(given):
        given = given(decision)
    return [given] if isinstance(given, str) else list(given)


def _least(decision: Decision, defaults: Sequence[str]) -> list[str]:
    if decision.kind is DecisionKind.ONE:
        return [next((key for key in defaults if key in decision.keys), decision.keys[0])]
    return list(decision.keys[: decision.at_least])
