"""What is answered to the questions of a rule that a test runs by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from readyroom.engine.decisions import Decision

Policy = Callable[[Decision], Sequence[str]]
Answer = Sequence[str] | Policy


def by_about(answers: Mapping[str, Answer], otherwise: Policy) -> Policy:
    """Answers by what the questions are about, another where none is told."""

    def policy(decision: Decision) -> Sequence[str]:
        answer = answers.get(decision.piece_key, otherwise)
        return answer(decision) if callable(answer) else answer

    return policy


def by_chance(decision: Decision) -> Sequence[str]:
    """The first legal sample."""
    return decision.sample(Random(7))
