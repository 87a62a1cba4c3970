"""Exact odds of the game's dice."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from readyroom.games.picket.figures import Data
from readyroom.games.picket.figures_common import Kind
from readyroom.games.picket.scoring import Chances, Threat


@lru_cache(maxsize=512)
def fire_odds(data: Data, kind: Kind, added: int) -> Mapping[str, Fraction]:
    """[6.8] Return the exact odds of a gun's roll: miss, hit, flamed, destroyed."""
    odds = data.tables.fire.odds(kind, [("added", added)])
    return {result: odds.get(result, Fraction(0)) for result in ("miss", "hit", "flamed", "destroyed")}


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
