"""Exact odds of the raid's rolls, for hints and bots."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from readyroom.engine.rules.checks import percent
from readyroom.games.strategic.pearl.state import Condition, Ship
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import SIDES, Grid, Pair, add_up


def in_factors(squadrons: int, data: Data) -> int:
    """[PH.5, P3] Return squadrons as air factors, three or part of three for one."""
    each = data.pearl.rows.squadrons_a_factor
    return -(-squadrons // each)


def air_factors(army: int, naval: int, data: Data) -> int:
    """[PH.5] Return army air factors and naval squadrons together, as air factors."""
    return army + in_factors(naval, data)


class Through(NamedTuple):
    """Escorts and attackers left after an air battle, and squadrons lost."""

    escorts: int
    attackers: int
    lost: int


def after_battle(escorts: int, attackers: int, result: Pair, each: int) -> Through:
    """[PH.5] Apply a result, to escorts first: the first number shoots down, the second turns back.

    >>> after_battle(6, 24, Pair(1, 3), 3)
    Through(escorts=0, attackers=18, lost=3)
    """
    gone = min(escorts + attackers, result.first * each)
    back = min(escorts + attackers - gone, result.second * each)
    left = max(0, escorts - gone - back)
    return Through(left, escorts + attackers - gone - back - left, gone)


def battle(escorts: int, attackers: int, up: int, net: int, data: Data) -> dict[Through, Fraction]:
    """[19.2] Return the probability of each state of a strike after the air battle."""
    each = data.pearl.rows.squadrons_a_factor
    odds = data.air.odds(up, net) if up else {Pair(0, 0): Fraction(1)}
    return add_up((after_battle(escorts, attackers, result, each), chance) for result, chance in odds.items())


def after_guns(attackers: int, result: Pair) -> tuple[int, int]:
    """[PH.6] Return how many attackers the guns shoot down, and how many they turn back.

    >>> after_guns(4, Pair(1, 5))
    (1, 3)
    """
    lost = min(attackers, result.first)
    return lost, min(attackers - lost, result.second)


class Fate(NamedTuple):
    """The probabilities that an attack sinks a ship, and that it only damages her."""

    sunk: Fraction
    damaged: Fraction

    def __str__(self) -> str:
        return f"sinks {percent(self.sunk)}, damages {percent(self.damaged)}"


def fate(ship: Ship, squadrons: int, net: int, grid: Grid, critical: tuple[int, int] | None) -> Fate:
    """[PH.8, PH.9] Return what an attack by this many squadrons does to a ship.

    `critical` is the critical hit die's lowest hit and the effects it adds; None if it is not rolled.
    """
    sunk, damaged = Fraction(0), Fraction(0)
    for result, chance in grid.odds(squadrons, net).items():
        if ship.after(result.first) is Condition.SUNK:
            sunk += chance
        elif result.first >= ship.hurt_at:
            finished = Fraction(0)
            if critical is not None and ship.after(result.first + critical[1]) is Condition.SUNK:
                finished = Fraction(SIDES + 1 - critical[0], SIDES)
            sunk += chance * finished
            damaged += chance * (1 - finished)
    return Fate(sunk, damaged)


def losses(count: int, each: int, squadrons: int, net: int, grid: Grid) -> dict[int, Fraction]:
    """[PH.8] Return the probability of each number of light ships or aircraft destroyed, `each` per effect."""
    odds = grid.odds(squadrons, net).items()
    return add_up((min(count, result.first * each), chance) for result, chance in odds)


def format_mean(value: Fraction) -> str:
    """Return a mean with at most one decimal.

    >>> format_mean(Fraction(7, 3)), format_mean(Fraction(2))
    ('2.3', '2')
    """
    return f"{float(value):.1f}".removesuffix(".0")


def hint_strengths(most: int) -> range:
    """Return the strengths a hint lists: from half of `most` on."""
    return range(max(1, most // 2), most + 1)
