"""A bot that sends the fullest boat first and chooses channels at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from readyroom.authoring import Bot, Decision, ViewFn


def steady(seat: str, random: Random) -> Bot:
    """Sends the fullest boat first, through a random channel."""

    def decide(decision: Decision, view: ViewFn) -> Sequence[str]:
        if decision.rule == "2.1":
            drums = view().table.harbour
            return [max(decision.keys, key=lambda key: (drums[key], key))]
        return decision.sample(random)

    return decide
