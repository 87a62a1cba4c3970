"""Bots that plan and fight by a named doctrine.

A Japanese doctrine fixes the attack plan and whether bombs are for the yard or for parked aircraft; an American one the
alert days. In the battle all bots of a side fight the same way. They see only their seat's view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import msgspec

from readyroom.engine.game import Bot, ViewFn
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.bots import japan, usa
from readyroom.games.tora.bots.battle_view import BattleView
from readyroom.games.tora.figures import JAPAN, USA, Data, SideName, builtin_data
from readyroom.games.tora.plans.data import QUADRANTS, AmericanPlan
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.phase import answer

DEFAULT = "doctrine"
NAMES = ("historical", "battleships", "yard", "cautious", "sunday", "ready")
MIXED = (DEFAULT, "historical", "battleships")
"""[7] The plans from which the default Japanese bot draws, so that its plan is not predictable."""
FIGHT = {JAPAN: japan.DECIDE, USA: usa.DECIDE}
Decide = Callable[[Decision, BattleView], list[str]]


def doctrine(name: str, seat: str, random: Random) -> Bot:
    """Return a bot for a seat. Without a doctrine of its side it uses the side's default.

    General-purpose bombs are for the yard, but in the historical raid for airfields.
    """
    side: SideName = JAPAN if seat.startswith(JAPAN) else USA
    chosen, plan = plan_of(name, side, random)
    fight: dict[str, Decide] = FIGHT[side]

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        if decision.only_continues:
            return decision.keys
        kind = decision.piece_key.partition(":")[0]
        handler = fight.get(kind) or fight.get(decision.rule)
        if handler is not None:
            return handler(decision, BattleView(look(), side, yard_first=chosen != "historical"))
        planned = answer(plan, decision, builtin_data())
        return decision.sample(random) if planned is None else planned

    return decide


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """Return all doctrines by name, the default first."""
    return {name: partial(doctrine, name) for name in (DEFAULT, *NAMES)}


# -- plans -----------------------------------------------------------------------------------------------------------


def plan_of(name: str, side: SideName, random: Random) -> tuple[str, Plan]:
    """Return the doctrine's name and plan; default bots draw plan, day and alert days at random."""
    data = builtin_data()
    known = name in NAMES and name in data.doctrines
    if side == USA:
        return name, (known and data.doctrines[name].usa) or _some_guard(data, random)
    plan = data.doctrines[name].japan if known else None
    if plan is not None:
        return name, plan
    chosen = random.choice(MIXED)
    plan = data.doctrines[chosen].japan
    assert plan is not None
    return chosen, msgspec.structs.replace(plan, day=random.randint(1, data.planning.calendar.days))


def _some_guard(data: Data, random: Random) -> AmericanPlan:
    """[5.1, 5.8, 5.9, 5.13] Draw a calendar: three days at alert 3 or six at alert 2, two sectors, two days in port."""
    days, alert = data.planning.calendar.days, data.planning.alert
    each = random.choice((alert.top, alert.base + 1)) - alert.base
    first = random.randint(0, days - alert.points // each)
    levels = tuple(alert.base + each * (first <= day < first + alert.points // each) for day in range(days))
    radar, patrol = random.sample(QUADRANTS, 2)
    in_port = dict(zip(data.planning.carriers.missions, random.sample(range(1, days + 1), 2), strict=True))
    return AmericanPlan(
        airfield=levels, ship=levels, aaa=levels, radar=(radar,) * days, patrol=(patrol,) * days, in_port=in_port
    )
