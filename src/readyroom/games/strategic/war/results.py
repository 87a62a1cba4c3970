"""[A1, A2, A18, A21, A24] The effects of a two-number result at sea, in the air and on targets."""

from __future__ import annotations

from typing import NamedTuple

from readyroom.games.strategic.tables.grids import Pair

PAIRED = 2
"""[24.62.1] A first number counts as two second ones."""
ARMY_SHARE = 3
"""[A18] One in three army air factors bombs; the others escort."""


class Sunk(NamedTuple):
    """Losses to submarines: escort and merchant factors, and resources."""

    escorts: int
    merchants: int
    brp: int


class Stopped(NamedTuple):
    """Losses to escorts: submarine factors sunk, and factors that miss the next turn."""

    lost: int
    aborted: int


class Shot(NamedTuple):
    """Losses to interceptors: escorts and bombers shot down, and bombers turned back."""

    escorts: int
    bombers: int
    aborted: int


class Bombed(NamedTuple):
    """Damage by bombs: steps knocked out, and resources lost."""

    steps: int
    brp: int


def sunk(result: Pair, escorts: int, merchants: int, reading: str, excess: int | None, cost: int) -> Sunk:
    """[24.62.1, A1, A21] Return what the submarines' result sinks.

    Args:
        result: the table's result.
        escorts: escort factors in the box.
        merchants: merchant factors in the box.
        reading: "escorts": the first number sinks escorts, then merchant ships; the second sinks merchant ships.
            "shipping": all hits sink merchant ships, the first number counting double.
        excess: the most resources that excess hits cost; None: no limit.
        cost: resources for each excess hit.
    """
    hit = min(result.first, escorts) if reading == "escorts" else 0
    hits = result.second + result.first - hit if reading == "escorts" else PAIRED * result.first + result.second
    lost = min(hits, merchants)
    brp = cost * (hits - lost)
    return Sunk(hit, lost, brp if excess is None else min(brp, excess))


def stopped(result: Pair, submarines: int) -> Stopped:
    """[24.62.1, A1] Return what escorts do: a first number sinks submarines, every two of a second turn one back."""
    lost = min(result.first, submarines)
    return Stopped(lost, min(result.second // PAIRED, submarines - lost))


def air_strengths(
    bombers: int, army: int, escorts: int, escort_jets: int, defenders: int, jets: int
) -> tuple[int, int, int]:
    """[19.2, A18, W8] Return the attacker's row, the defender's row, and the factors that bomb.

    A jet counts twice and never bombs. Of the attacker's other factors only as many fight as the defender has, and
    bombing army factors do not. Factors are given without jets.

    Args:
        bombers: strategic bombers of the attacker.
        army: the attacker's army air factors; one in three bombs, rounded down, the others escort.
        escorts: the attacker's interceptors.
        escort_jets: the attacker's jets.
        defenders: the defender's interceptors and army air factors.
        jets: the defender's jets.
    """
    bombing = army // ARMY_SHARE
    fighting = bombers + escorts + army - bombing
    return PAIRED * escort_jets + min(defenders, fighting), defenders + PAIRED * jets, bombers + bombing


def shot(result: Pair, escorts: int, bombers: int) -> Shot:
    """[A24] Return the attackers shot down (first number) or turned back (second), escorts first, then bombers.

    Only bombers are reported as turned back: escorts that turn back are not lost.
    """
    escorts_lost = min(result.first, escorts)
    bombers_lost = min(result.first - escorts_lost, bombers)
    turned = max(0, result.second - (escorts - escorts_lost))
    return Shot(escorts_lost, bombers_lost, min(turned, bombers - bombers_lost))


def bombed(result: Pair, steps: int, reading: str) -> Bombed:
    """[A2, W5] Return what the bombers' result does to a target with this many steps left.

    `reading` "steps": the first number knocks out steps, the second costs resources. "points": all hits cost
    resources, the first number counting double.
    """
    if reading == "points":
        return Bombed(0, PAIRED * result.first + result.second)
    return Bombed(min(result.first, steps), result.second)
