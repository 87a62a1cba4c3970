"""What the dice of a picket do, and its exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from readyroom.games.picket.figures import Data
from readyroom.games.picket.figures_common import Kind

_DATA: dict[int, Data] = {}


def fire_odds(data: Data, kind: Kind, added: int) -> Mapping[str, Fraction]:
    """[6.8] The exact chances of a gun's roll: miss, hit, flamed, destroyed."""
    _DATA[id(data)] = data
    return _fire_odds(id(data), kind, added)


@lru_cache(maxsize=512)
def _fire_odds(key: int, kind: Kind, added: int) -> Mapping[str, Fraction]:
    odds = _DATA[key].tables.fire.odds(kind, [("added", added)])
    return {result: odds.get(result, Fraction(0)) for result in ("miss", "hit", "flamed", "destroyed")}


def down(odds: Mapping[str, Fraction]) -> Fraction:
    """The chance that a roll brings a plane down by itself."""
    return odds["flamed"] + odds["destroyed"]


@lru_cache(maxsize=64)
def _strike_odds(key: int, state: str, added: int) -> Mapping[str, Fraction]:
    odds = _DATA[key].tables.strike.odds(state, [("added", added)])
    return {result: odds.get(result, Fraction(0)) for result in ("miss", "near miss", "hit")}


def strike_odds(data: Data, state: str, added: int) -> Mapping[str, Fraction]:
    """[7.1] The exact chances that a plane misses, comes near, or strikes."""
    _DATA[id(data)] = data
    return _strike_odds(id(data), state, added)
