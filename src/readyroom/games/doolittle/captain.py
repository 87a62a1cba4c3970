"""[doctrine] The captain who plays by the book."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, Look


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """The captain."""
    return {"doctrine": lambda seat, random: Captain(random)}


class Captain:
    """[doctrine] Answers by the rule that asks."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def __call__(self, decision: Decision, look: Look) -> Sequence[str]:
        """The answer to a question."""
        return decision.sample(self.random)
