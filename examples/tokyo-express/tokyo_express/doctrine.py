"""The bot that plays by doctrine, on either side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from readyroom.authoring import Bot, Decision, ViewFn
from tokyo_express.state import HARBOUR
from tokyo_express.view import ExpressView, OrdersView


def doctrine(seat: str, random: Random) -> Bot:
    """Loads all or half of the destroyers; sends cruisers where the coast watchers report the run."""

    def decide(decision: Decision, view: ViewFn) -> Sequence[str]:
        answer = ANSWERS.get(decision.rule)
        return answer(decision, view().table, random) if answer else decision.sample(random)

    return decide


def _load(decision: Decision, table: ExpressView, random: Random) -> Sequence[str]:
    """[2.2.1] Load all that can sail, or half of them, at random."""
    most = decision.at_most
    return random.sample(decision.keys, random.choice([most, most, (most + 1) // 2]))


def _escort(decision: Decision, table: ExpressView, random: Random) -> Sequence[str]:
    """[2.2.2] Send as many escorts as can sail."""
    return random.sample(decision.keys, decision.at_most)


def _lie_in_wait(decision: Decision, table: ExpressView, random: Random) -> Sequence[str]:
    """[3.1] Go where the report says; without one, to a passage without boats."""
    assert table.tonight is not None
    guesses = [key for key in decision.keys if key not in (HARBOUR, table.tonight.boats)]
    return [table.tonight.passage or random.choice(guesses)]


def _press_on(decision: Decision, table: ExpressView, random: Random) -> Sequence[str]:
    """[4.2] Press on with enough escorts, when behind on points, and on the last night."""
    orders = table.tonight or OrdersView()
    strong = len(orders.loaded or ()) * 2 <= len(orders.sailing or ())
    behind = table.points * table.nights < table.need * (table.night - 1)
    return ["press" if strong or behind or table.night == table.nights else "turn"]


ANSWERS: Mapping[str, Callable[[Decision, ExpressView, Random], Sequence[str]]] = {
    "2.2.1": _load,
    "2.2.2": _escort,
    "3.1": _lie_in_wait,
    "4.2": _press_on,
}
