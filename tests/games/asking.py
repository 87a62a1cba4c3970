"""Running a rule by hand: its questions are answered one after the other, without a match around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from readyroom.engine.decisions import Block, Decision

Policy = Callable[[Decision], Sequence[str]]
Answer = Sequence[str] | Policy


def run(rules: Any, policy: Policy) -> Any:
    """What a rule comes to if every question is answered so; of several that are open the first is."""
    told: Any = None
    while True:
        try:
            asked = rules.send(told)
        except StopIteration as done:
            return done.value
        if isinstance(asked, Block):
            seat, decision = next(iter(asked))
            told = (seat, _chosen(decision, policy))
        else:
            told = _chosen(asked, policy)


def _chosen(decision: Decision, policy: Policy) -> list[Any]:
    return decision.accept(list(policy(decision)))[1]


def by_about(answers: Mapping[str, Answer], otherwise: Policy, asked: list[Decision] | None = None) -> Policy:
    """Answers by what the questions are about, another where none is told; `asked` takes what was asked."""

    def policy(decision: Decision) -> Sequence[str]:
        if asked is not None:
            asked.append(decision)
        answer = answers.get(decision.about, otherwise)
        return answer(decision) if callable(answer) else answer

    return policy


def by_chance(decision: Decision) -> Sequence[str]:
    """The first legal sample."""
    return decision.sample(Random(7))
