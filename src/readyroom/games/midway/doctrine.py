"""The bot that plays by the book."""

from __future__ import annotations

from random import Random

from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, Look


def doctrine(seat: str, random: Random) -> Bot:
    """A bot for a seat."""

    def decide(decision: Decision, look: Look) -> list[str]:
        return decision.sample(random)

    return decide
