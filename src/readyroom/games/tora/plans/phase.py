"""[5, 7, 15.1] Planning: both sides in secret at once, locked plans, and the final plan change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, TypeVar, cast

import msgspec

from readyroom.engine.rules.decisions import Decision, Option
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.tora.figures import JAPAN, SIDE_ADJECTIVES, SIDES, USA, Data, SideName
from readyroom.games.tora.plans import cipher, lock
from readyroom.games.tora.plans.alerts import calendar_answer, plan_calendar
from readyroom.games.tora.plans.attack_sheets import attack_answer, gone_out, plan_attack, plan_day
from readyroom.games.tora.plans.data import AmericanPlan, JapanesePlan
from readyroom.games.tora.plans.deployment import (
    MOORING,
    deployment_answer,
    mooring_answer,
    plan_anchorage,
    plan_fields,
)
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.sheets import Note, Sheet, forget
from readyroom.games.tora.plans.validation import completed
from readyroom.games.tora.state import America, T, plan_key

R = TypeVar("R")
REVISE = "revise"
STANDS, CHANGES = "stands", "changes"


def plan_defence(table: T, seat: str, note: Note = forget) -> Choice[AmericanPlan]:
    """[5] Make the American plan: calendar, fields, anchorage."""
    plan = yield from plan_calendar(table, seat, note)
    parked = yield from plan_fields(table, seat, note)
    berths = yield from plan_anchorage(table, seat, note)
    return msgspec.structs.replace(plan, parked=parked, berths=berths)


def _planner(table: T, side: SideName, started: JapanesePlan | None = None) -> Choice[Plan]:
    seat = table.state.side(side).commander
    if side == JAPAN:
        return Sheet().make(lambda note: plan_attack(table, seat, started, note))
    return Sheet().make(lambda note: plan_defence(table, seat, note))


def plan(table: T) -> Steps:
    """[5, 7] Each side without a plan from the scenario makes one in secret.

    As an option the Americans get Japan's ciphertext first, and must decipher it [15.2] (T28).
    """
    planning = [side for side in SIDES if table.state.side(side).plan is None]
    started = None
    if JAPAN in planning and table.state.rulings.cipher == "yes":
        started = yield from Sheet().make(lambda note: plan_day(table, table.state.japan.commander, note))
        text = table.state.japan.message = cipher.encipher(started.cipher, started.key, started.message)
        table.reveal("15.2", "Intercepted from Tokyo: {}", text)
    planners = {table.state.side(side).commander: _planner(table, side, started) for side in planning}
    made = yield from table.choose_in_secret(planners)
    _lock(table, {side: made[table.state.side(side).commander] for side in planning})


def _lock(table: T, plans: Mapping[SideName, Plan]) -> None:
    """[2] Store plans and publish their fingerprints; the board stops once for all of them."""
    for name, plan in plans.items():
        one = f"The {SIDE_ADJECTIVES[name]} plan is sealed"
        is_last = name == list(plans)[-1]
        _lock_one(table, name, plan, "" if not is_last else "Both plans are sealed" if len(plans) > 1 else one)


def _lock_one(table: T, name: SideName, plan: Plan, moment: str) -> None:
    """[2] Store a plan and publish its fingerprint, unless a player may know the dice of its salt (T27)."""
    salt = "".join(map(str, table.roll_dice("T27", name, lock.SALT)))
    side, sealed = table.state.side(name), lock.seal(plan, salt)
    if isinstance(side, America):
        side.plan = cast(AmericanPlan, plan)
    else:
        side.plan = cast(JapanesePlan, plan)
    side.sealed = (*side.sealed, sealed)
    adjective, place = SIDE_ADJECTIVES[name], plan_key(name)
    both = ", as is the other" if moment.startswith("Both") else ""
    if table.known_dice:
        table.log_line("T27", "The {} plan is locked{}.", adjective, both, target=place, moment=moment)
    else:
        facts = (adjective, both, sealed.fingerprint)
        table.log_line("T27", "The {} plan is locked{}; its fingerprint is {}.", *facts, target=place, moment=moment)


def revise(table: T) -> Steps:
    """[15.1] As an option let the Americans, or both sides, change their plans before the attack."""
    allowed = {"no": (), "usa": (USA,), "both": SIDES}[table.state.rulings.revise]
    sides = [side for side in allowed if table.state.side(side).sealed]
    if not sides:
        return
    revisions = {table.state.side(side).commander: _revision(table, side) for side in sides}
    revised = yield from table.choose_in_secret(revisions)
    changed = {side: revised[table.state.side(side).commander] for side in sides}
    _lock(table, {side: plan for side, plan in changed.items() if plan is not None})


def _revision(table: T, side: SideName) -> Choice[Plan | None]:
    plan, sent = table.state.japan.plan, None
    if side == JAPAN and plan is not None and plan.message:
        sent = msgspec.structs.replace(plan, wave=())  # the day and message sent are final [15.2] (T28)
    chosen = yield from table.choose(
        table.state.side(side).commander,
        "15.1",
        "Change the plan?",
        [Option(STANDS, "Keep"), Option(CHANGES, "Change")],
        unavailable=partial(gone_out, sent, table.data) if sent else None,
        piece_key=REVISE,
    )
    return (yield from _planner(table, side, sent)) if chosen.key == CHANGES else None


def answer(plan: Plan, decision: Decision, data: Data) -> list[str] | None:
    """Return a plan's answer to a planning question as keys, None for other questions.

    A plan that passes `validation.check` answers all questions of its side, in any order.
    """
    if decision.piece_key == REVISE:
        return [STANDS]
    kind, _, key = decision.piece_key.partition(":")
    if kind == MOORING and isinstance(plan, AmericanPlan):
        return mooring_answer(completed(plan, data), data, key, decision.keys)
    return entered(plan, decision.piece_key, data)


def entered(plan: Plan, about: str, data: Data) -> list[str] | None:
    """Return a plan's answer to a question independent of others as keys, None for other questions."""
    if isinstance(plan, JapanesePlan):
        return attack_answer(plan, data, about)
    whole = completed(plan, data)
    keys = calendar_answer(whole, data, about)
    return deployment_answer(whole, data, about) if keys is None else keys


def random_plan(table: T, side: SideName, random: Random) -> Plan:
    """Return a random plan from the planning sheets, for sampled states."""
    return run_at_random(lambda: _planner(table, side), random)


def run_at_random(rule: Callable[[], Choice[R]], random: Random) -> R:
    """Run a rule with random answers and return its result."""
    questions, answer = rule(), None
    while True:
        try:
            decision: Any = questions.send(answer)
        except StopIteration as done:
            return cast(R, done.value)
        answer = decision.accept(decision.sample(random))[1]
