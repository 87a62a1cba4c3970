"""[6.8, 7.1] The odds of gunfire and strikes, and which shots prevent most strikes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Decision, Option
from readyroom.games.picket.figures.common import Kind
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.state import Counter, T

Fates = tuple[float, ...]
"""The chances that a plane still flies with no hit, with one and so on, and last that it comes down in flames."""
Threat = tuple[float, ...]
"""The chance to strike the ship in each of these states."""
HIT = 0.12
"""The value of a hit that does not shoot a plane down, relative to one that does."""
LESS = 1e-9
"""Differences up to this are none."""


class Chances(NamedTuple):
    """The chances of one gun's roll; the rest is a miss."""

    hit: float
    flamed: float
    destroyed: float


class Shot(NamedTuple):
    """A possible shot: gun, target, whether by the Mark 37, its chances and the plane's threat."""

    gun: str
    plane: Counter
    slaved: bool
    chances: Chances
    threat: Threat


Rows = Sequence[Sequence[Shot]]
"""The possible shots of each gun; it chooses one."""


@lru_cache(maxsize=512)
def fire_odds(data: Data, kind: Kind, added: int) -> Mapping[str, Fraction]:
    """[6.8] Return the exact odds of a gun's roll: miss, hit, flamed, destroyed."""
    odds = data.tables.fire.odds(kind, [("added", added)])
    return {result: odds.get(result, Fraction(0)) for result in ("miss", "hit", "flamed", "destroyed")}


@lru_cache(maxsize=32)
@lru_cache(maxsize=512)
def shot_chances(data: Data, kind: Kind, added: int) -> Chances:
    """[6.8] Return the odds of a gun's roll as floats, for sums over many guns."""
    odds = fire_odds(data, kind, added)
    return Chances(float(odds["hit"]), float(odds["flamed"]), float(odds["destroyed"]))


@lru_cache(maxsize=16)
def threat(data: Data, added: int) -> Threat:
    """[7.1.A] Return a plane's chance to strike with no hit, with one and so on, and in flames."""
    figures = data.duty.planes
    states = ["damaged" if hits >= figures.hits_to_damage else "undamaged" for hits in range(figures.hits_to_flame)]
    return tuple(float(strike_odds(data, state, added)["hit"]) for state in (*states, "flamed"))


@lru_cache(maxsize=64)
def strike_odds(data: Data, state: str, added: int) -> Mapping[str, Fraction]:
    """[7.1] Return the exact odds that a plane misses, comes near, or strikes."""
    odds = data.tables.strike.odds(state, [("added", added)])
    return {result: odds.get(result, Fraction(0)) for result in ("miss", "near miss", "hit")}


def before(plane: Counter, threat: Threat) -> Fates:
    """Return the fates of a plane before fire."""
    return tuple(float(state == plane.hits) for state in range(len(threat)))


@lru_cache(maxsize=4096)
def after(fates: Fates, chances: Chances) -> Fates:
    """[6.8.K] Return the fates of a plane after one more gun fires at it.

    >>> after((1.0, 0.0, 0.0, 0.0), Chances(0.5, 0.25, 0.25))
    (0.0, 0.5, 0.0, 0.25)
    """
    hit, flamed, destroyed = chances
    miss, flying = 1.0 - hit - flamed - destroyed, fates[:-1]
    moved = [here * miss + below * hit for here, below in zip(flying, (0.0, *flying), strict=False)]
    return *moved, fates[-1] + flying[-1] * hit + sum(flying) * flamed


def strikes(fates: Fates, threat: Threat) -> float:
    """[7.1] Return the probability that a plane strikes.

    >>> strikes((0.5, 0.0, 0.5, 0.0), (0.25, 0.25, 0.125, 0.0))
    0.1875
    """
    total: float = sum(map(mul, fates, threat))
    return total


def fates_of(shots: Iterable[Shot]) -> dict[str, Fates]:
    """Return the fates of each target by key."""
    fates = dict[str, Fates]()
    for shot in shots:
        fates[shot.plane.key] = after(_fates(fates, shot), shot.chances)
    return fates


def _fates(fates: Mapping[str, Fates], shot: Shot) -> Fates:
    return fates.get(shot.plane.key) or before(shot.plane, shot.threat)


def selection_odds(table: T, decision: Decision, chosen: Sequence[Option]) -> Mapping[str, str]:
    """[6.8, 7.1] Describe the chances that the chosen guns bring each plane down, and that it strikes the ship."""
    shots = [option.value for option in chosen if isinstance(option.value, Shot)]
    threats = {shot.plane.key: shot.threat for shot in shots}
    return {
        plane: f"shot down {percent(1 - sum(fates[:-1]))}, strikes {percent(strikes(fates, threats[plane]))}"
        for plane, fates in fates_of(shots).items()
    }


def prevents(fates: Mapping[str, Fates], shot: Shot) -> float:
    """Return how much a shot lowers its plane's chance to strike, given the fates so far."""
    so_far = _fates(fates, shot)
    return strikes(so_far, shot.threat) - strikes(after(so_far, shot.chances), shot.threat)


def assign_shots(rows: Rows) -> tuple[dict[str, Shot], float]:
    """Assign a shot to each gun greedily; return the shots and the strikes prevented.

    Guns that have least choice choose first, each where it prevents most.
    """
    fates, chosen, prevented = dict[str, Fates](), dict[str, Shot](), 0.0
    for row in sorted(rows, key=len):
        shot = max(row, key=lambda one: prevents(fates, one))
        prevented += prevents(fates, shot)
        fates[shot.plane.key] = after(_fates(fates, shot), shot.chances)
        chosen[shot.gun] = shot
    return chosen, prevented


def best_assignment(rows: Rows) -> dict[str, Shot]:
    """Improve the greedy assignment gun by gun while that prevents more strikes."""
    chosen, _ = assign_shots(rows)
    while sum(_reassign(chosen, row) for row in rows):
        pass
    return chosen


def _reassign(chosen: dict[str, Shot], row: Sequence[Shot]) -> bool:
    """Move one gun to its best target given all others; return whether it moved."""
    mine = chosen[row[0].gun]
    fates = fates_of(shot for shot in chosen.values() if shot is not mine)
    best = max(row, key=lambda one: prevents(fates, one))
    if prevents(fates, best) <= prevents(fates, mine) + LESS:
        return False
    chosen[mine.gun] = best
    return True
