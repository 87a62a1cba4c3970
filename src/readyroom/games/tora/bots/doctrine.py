"""Bots that plan and fight by a named doctrine.

A Japanese doctrine fixes the attack plan and whether bombs are for the yard or for parked aircraft; an American one the
alert days. In the battle all bots of a side fight the same way. They see only their seat's view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import msgspec

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Bot, ViewFn
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.bots import japan, usa
from readyroom.games.tora.bots.battle_view import Aims, BattleView
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
    side = side_of(seat)
    chosen, plan = plan_of(name, side, random)
    return planned_bot(side, plan, Aims(yard_first=chosen != "historical"), random)


def side_of(seat: str) -> SideName:
    """Return the side of a seat."""
    return JAPAN if seat.startswith(JAPAN) else USA


def planned_bot(side: SideName, plan: Plan, aims: Aims, random: Random) -> Bot:
    """Return a bot that plans like this and fights for these aims."""
    fight: dict[str, Decide] = FIGHT[side]

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        if decision.only_continues:
            return decision.keys
        kind = decision.piece_key.partition(":")[0]
        handler = fight.get(kind) or fight.get(decision.rule)
        if handler is not None:
            return handler(decision, BattleView(look(), side, aims))
        planned = answer(plan, decision, builtin_data())
        return planned if planned is not None and _is_legal(decision, planned) else decision.sample(random)

    return decide


def _is_legal(decision: Decision, keys: Sequence[str]) -> bool:
    """Return whether a plan's answer is legal: a person who asks for a hint may have begun another plan."""
    try:
        decision.accept(keys)
    except ReadyRoomError:
        return False
    return True


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
    radar, patrol = random.sample(QUADRANTS, 2)
    ports = random.sample(range(1, days + 1), 2)
    return guard(data, each, first, (radar, patrol), ports)


def guard(data: Data, each: int, first: int, sectors: tuple[str, str], ports: Sequence[int]) -> AmericanPlan:
    """[5.1, 5.8, 5.9, 5.13] Return a calendar.

    Args:
        data: the game's data.
        each: by how much the alert is raised, in all categories, until its points are spent.
        first: the first day of that, from 0.
        sectors: the quadrants of radar and patrols.
        ports: the day in port of each carrier, from 1.
    """
    days, alert = data.planning.calendar.days, data.planning.alert
    levels = tuple(alert.base + each * (first <= day < first + alert.points // each) for day in range(days))
    radar, patrol = sectors
    in_port = dict(zip(data.planning.carriers.missions, ports, strict=True))
    return AmericanPlan(
        airfield=levels, ship=levels, aaa=levels, radar=(radar,) * days, patrol=(patrol,) * days, in_port=in_port
    )
