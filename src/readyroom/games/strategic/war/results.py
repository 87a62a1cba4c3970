"""[A1, A2, A18, A21, A24] What a result of two numbers comes to: ships and submarines lost, aircraft, and bombs."""

from __future__ import annotations

from typing import NamedTuple

from readyroom.games.strategic.tables import Pair

PAIRED = 2
"""[24.62.1] A first number is worth two second ones."""
ARMY_SHARE = 3
"""[A18] One army air factor in so many bombs; the others escort."""


class Sunk(NamedTuple):
    """What submarines sank: factors of escorts and of merchant ships, and resource points beyond them."""

    escorts: int
    merchants: int
    brp: int


class Stopped(NamedTuple):
    """What escorts did to submarines: factors lost, and factors that turn back and miss the next turn."""

    lost: int
    aborted: int


class Shot(NamedTuple):
    """What interceptors did to a raid: escorts and bombers lost, and bombers that turn back and do not bomb."""

    escorts: int
    bombers: int
    aborted: int


class Bombed(NamedTuple):
    """What bombs did: steps of the target knocked out, and resource points lost."""

    steps: int
    brp: int


def sunk(result: Pair, escorts: int, merchants: int, reading: str, excess: int | None, cost: int) -> Sunk:
    """[A1, A21] What the submarines' result sinks of these escorts and merchant ships.

    Args:
        result: what stands in the table.
        escorts: factors of escorts in the box.
        merchants: factors of merchant ships in the box.
        reading: "escorts": the first number sinks escorts, and merchant ships where there are no more; the second sinks
            merchant ships. "shipping": all of it sinks merchant ships, a first number two of them.
        excess: the most resource points that hits beyond the last merchant ship cost; None: no limit.
        cost: what a hit costs, in resource points, when there is no merchant ship left to sink.
    """
    hit = min(result.first, escorts) if reading == "escorts" else 0
    hits = result.second + result.first - hit if reading == "escorts" else PAIRED * result.first + result.second
    lost = min(hits, merchants)
    brp = cost * (hits - lost)
    return Sunk(hit, lost, brp if excess is None else min(brp, excess))


def stopped(result: Pair, submarines: int) -> Stopped:
    """[A1] What escorts do to so many submarines: the first number sinks one each, two of the second turn one back."""
    lost = min(result.first, submarines)
    return Stopped(lost, min(result.second // PAIRED, submarines - lost))


def air_strengths(
    bombers: int, army: int, escorts: int, escort_jets: int, defenders: int, jets: int
) -> tuple[int, int, int]:
    """[19.2, A18, W8] The attacker's row, the defender's row, and the factors that bomb if nothing stops them.

    A jet counts twice and never bombs. Of the attacker's other factors only as many fight as the defender has, and army
    air that bombs does not. What is told of either side's factors leaves its jets out.

    Args:
        bombers: strategic bombers of the attacker.
        army: his army air factors; one in three bombs, rounded down, the others escort.
        escorts: his interceptors.
        escort_jets: his jets.
        defenders: the defender's interceptors and army air factors.
        jets: the defender's jets.
    """
    bombing = army // ARMY_SHARE
    fighting = bombers + escorts + army - bombing
    return PAIRED * escort_jets + min(defenders, fighting), defenders + PAIRED * jets, bombers + bombing


def shot(result: Pair, escorts: int, bombers: int) -> Shot:
    """[A24] Who of the attackers falls or turns back by the defender's result: escorts first, then bombers.

    The first number shoots down, the second turns back. What is told as turned back are bombers: an escort that turns
    back comes home as any other does.
    """
    escorts_lost = min(result.first, escorts)
    bombers_lost = min(result.first - escorts_lost, bombers)
    turned = max(0, result.second - (escorts - escorts_lost))
    return Shot(escorts_lost, bombers_lost, min(turned, bombers - bombers_lost))


def bombed(result: Pair, steps: int, reading: str) -> Bombed:
    """[A2, W5] What the bombers' result does to a target with so many steps left.

    `reading` "steps": the first number knocks steps out, the second costs resource points. "points": all of it costs
    resource points, a first number two of them.
    """
    if reading == "points":
        return Bombed(0, PAIRED * result.first + result.second)
    return Bombed(min(result.first, steps), result.second)
