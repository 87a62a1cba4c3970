"""Answers to the decisions of a rule that a test runs alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from readyroom.engine.rules.decisions import Decision

Policy = Callable[[Decision], Sequence[str]]
Answer = Sequence[str] | Policy


def by_about(answers: Mapping[str, Answer], otherwise: Policy) -> Policy:
    """Return a policy of answers by piece key, with another policy for the rest."""

    def policy(decision: Decision) -> Sequence[str]:
        answer = answers.get(decision.piece_key, otherwise)
        return answer(decision) if callable(answer) else answer

    return policy


def random_answer(decision: Decision) -> Sequence[str]:
    """Return a random legal answer, always the same one."""
    return decision.sample(Random(7))
