"""The bot that plays by doctrine, on either side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, ViewFn
from tokyo_express.state import HARBOUR


def doctrine(seat: str, random: Random) -> Bot:
    """All destroyers loaded and careful, or half of them and bold; cruisers where the coast watchers point."""

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        answer = ANSWERS.get(decision.rule)
        return answer(decision, look().table, random) if answer else decision.sample(random)

    return decide


def _load(decision: Decision, table: Mapping[str, Any], random: Random) -> Sequence[str]:
    """[2.2.1] Drums on all that can sail, or on half of them, so that nobody knows what comes."""
    most = decision.at_most
    return random.sample(decision.keys, random.choice([most, most, (most + 1) // 2]))


def _escort(decision: Decision, table: Mapping[str, Any], random: Random) -> Sequence[str]:
    """[2.2.2] Whoever can sail with them does."""
    return random.sample(decision.keys, decision.at_most)


def _lie_in_wait(decision: Decision, table: Mapping[str, Any], random: Random) -> Sequence[str]:
    """[3.1] Where the report says; without one, somewhere else than the boats."""
    tonight = table["tonight"]
    guesses = [key for key in decision.keys if key not in (HARBOUR, tonight["boats"])]
    return [tonight["passage"] or random.choice(guesses)]


def _press_on(decision: Decision, table: Mapping[str, Any], random: Random) -> Sequence[str]:
    """[4.2] With escorts enough for a fight, when points are behind the nights, and on the last one whatever comes."""
    tonight = table["tonight"]
    strong = len(tonight["loaded"]) * 2 <= len(tonight["sailing"])
    behind = table["points"] * table["nights"] < table["need"] * (table["night"] - 1)
    return ["press" if strong or behind or table["night"] == table["nights"] else "turn"]


ANSWERS: Mapping[str, Callable[[Decision, Mapping[str, Any], Random], Sequence[str]]] = {
    "2.2.1": _load,
    "2.2.2": _escort,
    "3.1": _lie_in_wait,
    "4.2": _press_on,
}
