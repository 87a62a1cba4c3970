"""A bot that sends the fullest boat first and is anybody's guess about channels."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, ViewFn


def steady(seat: str, random: Random) -> Bot:
    """A bot for a seat: it answers with keys of the decision's options, and may look at its seat's view."""

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        if decision.rule == "2.1":
            drums = look().table["harbour"]
            return [max(decision.keys, key=lambda key: (drums[key], key))]
        return decision.sample(random)

    return decide
