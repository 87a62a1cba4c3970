"""A rule by itself: run to its end with answers that a test has written down."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from readyroom.engine.decisions import Block, Decision, DecisionKind

Answer: TypeAlias = str | Sequence[str] | Callable[[Decision], Sequence[str]]
"""Keys, or what finds them."""
Answers: TypeAlias = Mapping[str, Answer | list[list[str]]]
"""Answers by the number of the rule that asks; a list of lists answers one time after the other."""


def run(
    rules: object,
    answers: Answers | Callable[[Decision], Sequence[str]] | None = None,
    asked: list[Decision] | None = None,
    usual: Sequence[str] = (),
) -> Any:
    """Run a rule to its end, on a table with loaded dice; what the rule returns.

    Args:
        rules: what calling the rule gave: a generator, or, of a rule that asks nothing, its result.
        answers: what is answered to whom; or a function that answers every question.
        asked: gets every question that came up; of several that are open at once, the first does.
        usual: keys that are chosen where nothing is written down, if they are offered; otherwise the first option of
            those that ask for one, and of the rest as few as may be.

    Raises:
        IllegalChoice: an answer that the question does not allow.
    """
    if not isinstance(rules, Generator):
        return rules
    answer = answers if callable(answers) else _by_rule(answers or {}, usual)
    told: Any = None
    while True:
        try:
            open_ = rules.send(told)
        except StopIteration as done:
            return done.value
        seat, decision = next(iter(open_)) if isinstance(open_, Block) else ("", open_)
        if asked is not None:
            asked.append(decision)
        chosen = decision.accept(list(answer(decision)))[1]
        told = (seat, chosen) if isinstance(open_, Block) else chosen


def _by_rule(answers: Answers, usual: Sequence[str]) -> Callable[[Decision], Sequence[str]]:
    given = {rule: _in_turn(answer) for rule, answer in answers.items()}
    return lambda decision: _answer(decision, given.get(decision.rule), usual)


def _in_turn(answer: Any) -> Any:
    several = isinstance(answer, list) and bool(answer) and not isinstance(answer[0], str)
    return iter(answer) if several else answer


def _answer(decision: Decision, given: Any, usual: Sequence[str]) -> list[str]:
    if isinstance(given, Iterator):
        given = next(given, None)
    if given is None:
        return _least(decision, usual)
    if callable(given):
        given = given(decision)
    return [given] if isinstance(given, str) else list(given)


def _least(decision: Decision, usual: Sequence[str]) -> list[str]:
    if decision.kind is DecisionKind.ONE:
        return [next((key for key in usual if key in decision.keys), decision.keys[0])]
    return list(decision.keys[: decision.at_least])
