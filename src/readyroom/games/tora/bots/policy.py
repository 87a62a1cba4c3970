"""What can be varied in a bot's plan and in how it fights: a policy for each side, and the named ones."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from readyroom.engine.game import Bot
from readyroom.games.tora.bots.battle_view import Aims
from readyroom.games.tora.bots.doctrine import guard, planned_bot
from readyroom.games.tora.figures import JAPAN, USA, builtin_data
from readyroom.games.tora.plans.builtin import named
from readyroom.games.tora.plans.data import QUADRANTS, JapanesePlan

Template = Literal[
    "sunday-from-the-north",
    "first-day",
    "southern-approach",
    "yard-raid",
    "late-from-the-north-west",
    "kates-on-the-tenth",
]
"""The named plan whose waves are flown."""
Quadrant = Literal["NW", "NE", "SE", "SW"]
Day: TypeAlias = Annotated[int, Meta(ge=1, le=10)]


class JapanesePolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How Japan plans and fights.

    Attributes:
        plan: the named plan whose waves are flown [7].
        day: the day of the attack.
        turned: by how many quadrants the approach is turned, clockwise.
        yard_first: whether general-purpose bombs are for the yard, not for parked aircraft.
        hurt, sink: the values of damaging and sinking a capital ship.
        margin: extra hits aimed for beyond those needed.
        patience: after this many turns bombers take the targets below them.
    """

    plan: Template
    day: Day
    turned: Annotated[int, Meta(ge=0, le=3)] = 0
    yard_first: bool = True
    hurt: Annotated[float, Meta(ge=0, le=4)] = 2.0
    sink: Annotated[float, Meta(ge=0, le=4)] = 1.0
    margin: Annotated[float, Meta(ge=0, le=3)] = 0.9
    patience: Annotated[int, Meta(ge=0, le=15)] = 8


class AmericanPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the United States plan.

    Attributes:
        alert: whether the alert is raised to 3 on three days or to 2 on six [5.1].
        first: the first of these days; the last possible one if there are not enough days left.
        radar, patrol: the quadrants that are searched [5.8, 5.9].
        port_1, port_2: the day in port of each carrier [5.13].
    """

    alert: Literal["three-days", "six-days"]
    first: Day
    radar: Quadrant = "NW"
    patrol: Quadrant = "SE"
    port_1: Day = 4
    port_2: Day = 8


Policy: TypeAlias = JapanesePolicy | AmericanPolicy


def _sector(sector: str, turned: int) -> str:
    """Return a sector, such as 3SE, turned by this many quadrants."""
    ring, quadrant = sector[:-2], sector[-2:]
    return ring + QUADRANTS[(QUADRANTS.index(quadrant) + turned) % len(QUADRANTS)]


def japanese_plan(policy: JapanesePolicy) -> JapanesePlan:
    """[7] Return the plan of a policy."""
    plan, replace = named(policy.plan), msgspec.structs.replace
    assert isinstance(plan, JapanesePlan)
    waves = [
        replace(wave, group=tuple(replace(each, sector=_sector(each.sector, policy.turned)) for each in wave.group))
        for wave in plan.wave
    ]
    return replace(plan, day=policy.day, wave=tuple(waves))


def bot_of(policy: Policy, seat: str, random: Random) -> Bot:
    """Return a bot that plays a seat by this policy."""
    if isinstance(policy, JapanesePolicy):
        aims = Aims(policy.yard_first, policy.hurt, policy.sink, policy.margin, policy.patience)
        return planned_bot(JAPAN, japanese_plan(policy), aims, random)
    data = builtin_data()
    each = 2 if policy.alert == "three-days" else 1
    first = min(policy.first, data.planning.calendar.days - data.planning.alert.points // each + 1) - 1
    ports = [policy.port_1, policy.port_2]
    return planned_bot(USA, guard(data, each, first, (policy.radar, policy.patrol), ports), Aims(), random)


STYLES: Mapping[str, Mapping[str, Policy]] = {
    JAPAN: {
        "sunday": JapanesePolicy(plan="sunday-from-the-north", day=7, yard_first=False),
        "first-day": JapanesePolicy(plan="first-day", day=1),
        "southern": JapanesePolicy(plan="southern-approach", day=4),
        "yard-raid": JapanesePolicy(plan="yard-raid", day=6),
        "north-west": JapanesePolicy(plan="late-from-the-north-west", day=9),
        "kates": JapanesePolicy(plan="kates-on-the-tenth", day=10),
    },
    USA: {
        "early-guard": AmericanPolicy(alert="three-days", first=1, patrol="SW"),
        "midweek-guard": AmericanPolicy(alert="three-days", first=3, radar="SE", patrol="SW"),
        "late-guard": AmericanPolicy(alert="three-days", first=8, radar="NW", patrol="NE"),
        "long-guard": AmericanPolicy(alert="six-days", first=3, radar="SE", patrol="NW"),
        "long-late-guard": AmericanPolicy(alert="six-days", first=5, radar="NE", patrol="SW"),
    },
}
"""Named policies by side: those of the named plans, as far as they fit."""

CHALLENGERS: Mapping[str, Mapping[str, Policy]] = {
    JAPAN: {
        "kates-at-once": JapanesePolicy(plan="kates-on-the-tenth", day=1),
        "kates-midweek": JapanesePolicy(plan="kates-on-the-tenth", day=5, turned=2),
        "yard-early": JapanesePolicy(plan="yard-raid", day=2, sink=0.0),
        "north-late": JapanesePolicy(plan="sunday-from-the-north", day=10, sink=3.0),
        "sinker": JapanesePolicy(plan="southern-approach", day=8, hurt=0.5, sink=4.0),
    },
    USA: {
        "first-days": AmericanPolicy(alert="three-days", first=1, radar="SE", patrol="SE"),
        "last-days": AmericanPolicy(alert="three-days", first=8, radar="SE", patrol="SW"),
        "weekend": AmericanPolicy(alert="three-days", first=5, radar="NE", patrol="NW"),
        "always-early": AmericanPolicy(alert="six-days", first=1, radar="SE", patrol="SW"),
        "always-late": AmericanPolicy(alert="six-days", first=5, radar="SE", patrol="SW"),
    },
}
"""Policies written to win, by which mixes are tested but from which no search starts."""
