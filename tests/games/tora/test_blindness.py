"""[2] Until first contact, views, questions and log do not depend on the enemy's plan."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, cast

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE, table

from readyroom.engine.match import Match
from readyroom.games.tora import GAME
from readyroom.games.tora.battle.reaction import reacts
from readyroom.games.tora.figures import CATEGORIES, JAPAN, USA, SideName
from readyroom.games.tora.plans.data import AmericanPlan, JapanesePlan
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.phase import random_plan
from readyroom.games.tora.plans.reading import Draft
from readyroom.games.tora.plans.upload import PLAN_FILES, Paper
from readyroom.games.tora.state import Tora
from readyroom.testing.snapshots import log, question, view

OTHERS = 8
Raid = Match[Any, Any]
ENEMY: dict[str, SideName] = {JAPAN: USA, USA: JAPAN}
OWN: dict[str, Plan] = {JAPAN: ATTACK, USA: DEFENCE}


def _paper(plan: Plan) -> Paper:
    return Paper(plan, "plan.toml", Draft(JAPAN if isinstance(plan, JapanesePlan) else USA, {}, {}))


def glimpse(match: Raid, seat: str) -> bytes:
    """Return a seat's view, question and log."""
    return b"\n".join([view(match, seat), question(match.pending.get(seat)), log(match, seat)])


def glimpses(seat: str, enemy: Plan, until: Callable[[Tora], bool], **options: object) -> list[bytes]:
    """Return everything a seat sees while the enemy uses this plan and the seat its default one."""
    match = Match(GAME, options={"umpire": "yes", **options}, seed="blind")
    chunks, random = [glimpse(match, seat)], Random(1)
    while match.outcome is None and not until(match.state):
        asked = ENEMY[seat] if ENEMY[seat] in match.pending else next(iter(match.pending))
        decision, plan = match.pending[asked], enemy if asked == ENEMY[seat] else OWN[seat]
        planned = (
            PLAN_FILES.answer(_paper(plan), decision, DATA)
            if PLAN_FILES.is_planning(decision)
            else decision.sample(random)
        )
        match.decide(asked, planned)
        seen = glimpse(match, seat)
        if seen != chunks[-1] and not until(match.state):
            chunks.append(seen)
    return chunks


def made_up(side: SideName, number: int) -> Plan:
    """Return a plan that differs from another in every respect."""
    return random_plan(table(), side, Random(number))


def on_the_day(state: Tora) -> bool:
    """Return whether the day is announced, which makes ships and fields visible."""
    return state.day > 0


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.rule("tora", "2", "5", "7", "15.1")
@pytest.mark.parametrize("revise", ["no", "both"])
@pytest.mark.parametrize("seat", [JAPAN, USA])
def test_enemy_plan_is_hidden_until_day_of_attack(seat: str, revise: str) -> None:
    chunks = glimpses(seat, OWN[ENEMY[seat]], on_the_day, revise=revise)
    assert len(chunks) > 3, "its own plan goes forward"
    for number in range(OTHERS):
        assert glimpses(seat, made_up(ENEMY[seat], number), on_the_day, revise=revise) == chunks


@pytest.mark.rule("tora", "7", "8.1")
def test_first_wave_sectors_and_loads_are_hidden_until_seen() -> None:
    def entered(state: Tora) -> bool:
        return state.japan.entered > 0

    chunks = glimpses(USA, ATTACK, entered)
    for number in range(OTHERS):
        other = cast(JapanesePlan, made_up(JAPAN, number))
        first = msgspec.structs.replace(other.wave[0], turn=ATTACK.wave[0].turn)
        other = msgspec.structs.replace(other, day=ATTACK.day, wave=(first, *other.wave[1:]))
        assert glimpses(USA, other, entered) == chunks


def another_calendar(number: int) -> AmericanPlan:
    """Return a plan with the same fields and berths but other levels and searches, and no visible CAP."""
    other = cast(AmericanPlan, made_up(USA, number))
    levels: dict[str, Any] = {category: other.levels(category) for category in CATEGORIES}
    if other.airfield[ATTACK.day - 1] == DATA.planning.alert.top:
        levels["airfield"] = DEFENCE.airfield
    return msgspec.structs.replace(DEFENCE, **levels, radar=other.radar, patrol=other.patrol)


@pytest.mark.rule("tora", "5", "5.1", "5.8", "5.9")
def test_american_calendar_is_hidden_until_reaction() -> None:
    def awake(state: Tora) -> bool:
        return state.usa.levels is not None and any(reacts(state, DATA, each) for each in CATEGORIES)

    chunks, longest = glimpses(JAPAN, DEFENCE, awake), 0
    for number in range(OTHERS):
        other = glimpses(JAPAN, another_calendar(number), awake)
        assert other == chunks[: len(other)] or chunks == other[: len(chunks)]
        longest = max(longest, min(len(chunks), len(other)))
    assert longest > len(glimpses(JAPAN, DEFENCE, on_the_day)), "one plan reached the day"


@pytest.mark.rule("tora", "2")
def test_comparison_detects_leak() -> None:
    """The Japanese do see that their own plan has changed."""
    pairs = list[tuple[bytes, bytes]]()
    for plan in (ATTACK, made_up(JAPAN, 1)):
        match = Match(GAME, options={"revise": "both"}, seed="leak")
        while match.state.at.phase == "plan":
            side, decision = next(iter(match.pending.items()))
            match.decide(side, PLAN_FILES.answer(_paper(plan if side == JAPAN else DEFENCE), decision, DATA))
        pairs.append((glimpse(match, JAPAN), glimpse(match, USA)))
    (ours, theirs), (others, theirs_again) = pairs
    assert ours != others
    assert theirs == theirs_again
