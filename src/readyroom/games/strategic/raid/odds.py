"""Exact odds of the raid's throws, for hints and bots: what is worked out here is what the rules then do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from readyroom.engine.checks import percent
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.raid.state import Condition, Ship
from readyroom.games.strategic.tables import SIDES, Grid, Pair

Chances = Mapping[int, Fraction]


def in_factors(squadrons: int, data: Data) -> int:
    """[PH.5, P3] Squadrons as air factors, three of them or a part of three for one."""
    each = data.pearl.rows.squadrons_a_factor
    return -(-squadrons // each)


def air_factors(army: int, naval: int, data: Data) -> int:
    """[PH.5] Army air factors and naval squadrons together, as air factors."""
    return army + in_factors(naval, data)


class Through(NamedTuple):
    """What an air battle leaves of a strike: escorts and attackers, and how many squadrons are lost."""

    escorts: int
    attackers: int
    lost: int


def after_battle(escorts: int, attackers: int, result: Pair, each: int) -> Through:
    """[PH.5] Losses fall on escorts first, then on attackers: shot down by the first number, turned back by the second.

    >>> after_battle(6, 24, Pair(1, 3), 3)
    Through(escorts=0, attackers=18, lost=3)
    """
    gone = min(escorts + attackers, result.first * each)
    back = min(escorts + attackers - gone, result.second * each)
    left = max(0, escorts - gone - back)
    return Through(left, escorts + attackers - gone - back - left, gone)


def battle(escorts: int, attackers: int, up: int, net: int, data: Data) -> dict[Through, Fraction]:
    """[19.2] What so many defending factors leave of a strike."""
    each = data.pearl.rows.squadrons_a_factor
    found: dict[Through, Fraction] = {}
    for result, chance in data.air.odds(up, net).items() if up else [(Pair(0, 0), Fraction(1))]:
        left = after_battle(escorts, attackers, result, each)
        found[left] = found.get(left, Fraction(0)) + chance
    return found


class Fate(NamedTuple):
    """The chances that a ship is sunk by an attack, and that she is no more than damaged."""

    sunk: Fraction
    damaged: Fraction

    def __str__(self) -> str:
        return f"sinks {percent(self.sunk)}, damages {percent(self.damaged)}"


def fate(ship: Ship, squadrons: int, net: int, grid: Grid, critical: tuple[int, int] | None) -> Fate:
    """[PH.8, PH.9] What an attack with so many squadrons does to a ship.

    `critical` is the face from which the critical hit die counts and the effects that it adds; None: it is not thrown.
    """
    sunk, damaged = Fraction(0), Fraction(0)
    for result, chance in grid.odds(squadrons, net).items():
        after = ship.after(result.first)
        if after is Condition.SUNK:
            sunk += chance
        elif result.first >= ship.hurt_at:
            finished = _critical_sinks(ship, result.first, critical)
            sunk += chance * finished
            damaged += chance * (1 - finished)
    return Fate(sunk, damaged)


def _critical_sinks(ship: Ship, effects: int, critical: tuple[int, int] | None) -> Fraction:
    if critical is None or ship.after(effects + critical[1]) is not Condition.SUNK:
        return Fraction(0)
    return Fraction(SIDES + 1 - critical[0], SIDES)


def losses(count: int, each: int, squadrons: int, net: int, grid: Grid) -> Chances:
    """[PH.8] How many of so many light ships or aircraft an attack destroys, `each` for every effect."""
    found: dict[int, Fraction] = {}
    for result, chance in grid.odds(squadrons, net).items():
        gone = min(count, result.first * each)
        found[gone] = found.get(gone, Fraction(0)) + chance
    return found


def mean(chances: Chances) -> Fraction:
    """What is expected of so many."""
    return sum((value * chance for value, chance in chances.items()), Fraction(0))


def shown(value: Fraction) -> str:
    """A mean, as people read it.

    >>> shown(Fraction(7, 3)), shown(Fraction(2))
    ('2.3', '2')
    """
    return f"{float(value):.1f}".removesuffix(".0")


def worth_showing(most: int) -> Iterator[int]:
    """The strengths of which a hint tells: half of the most on."""
    yield from range(max(1, most // 2), most + 1)
