"""A position as numbers: those that a game declares, or those of all numbers in its state or view.

The numbers of any tree of plain data are sums by path, put into a vector of fixed length by a hash of the path: the
hashing trick. The hash is BLAKE2b, so the same tree gives the same numbers everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from math import copysign, log1p
from typing import Any

import msgspec

from readyroom.engine.game import Game, MatchView
from readyroom.engine.match import BotView

SIZE = 256
"""How many numbers describe a position of a game that declares none."""
NAMES = frozenset({"key", "name", "title", "text", "summary", "seat", "seats"})
"""Fields that name something and describe nothing."""
REMEMBERED = 1 << 17
"""The number of cached feature places."""


def signed_log(number: float) -> float:
    """Return sign(x) · log(1 + |x|).

    >>> signed_log(0), signed_log(-1) == -signed_log(1), round(signed_log(100), 2)
    (0.0, True, 4.62)
    """
    return copysign(log1p(abs(number)), number)


@lru_cache(REMEMBERED)
def feature_slot(name: str, size: int) -> tuple[int, float]:
    """Return the place of a feature in a vector of this size, and its sign.

    >>> feature_slot("/turn", 1024)
    (96, -1.0)
    """
    hashed = int.from_bytes(blake2b(name.encode(), digest_size=8, person=b"rr-feature").digest(), "big")
    return (hashed >> 1) % size, 1.0 if hashed & 1 else -1.0


def state_numbers(game: Game[Any, Any], state: Any) -> list[float]:
    """Return the numbers of a whole state: for the review of a match, never for a seat."""
    features = game.analysis.features
    if features is not None:
        return list(features.state(state, game.data))
    return tree_numbers(state)


def seat_numbers(game: Game[Any, Any], view: MatchView[Any], memory: Any) -> list[float]:
    """Return the numbers that a seat knows, of its view and its memory."""
    features = game.analysis.features
    if features is not None:
        return list(features.seat(view, memory))
    return tree_numbers({"turn": view.turn, "phase": view.phase, "table": view.table})


def scenario_numbers(scenarios: Sequence[str], scenario: str) -> list[float]:
    """Return which of some scenarios a match is of; all are 0 for another one."""
    return [float(each == scenario) for each in scenarios]


def memory_of(game: Game[Any, Any], view: BotView) -> Any:
    """Return what a seat remembers; None in a game that declares no memory."""
    features = game.analysis.features
    return view.recall(features.remember) if features is not None else None


def tree_numbers(tree: Any, size: int = SIZE) -> list[float]:
    """Return the numbers of a tree of plain data.

    Numbers with the same path are added, where entries of lists have the same path; large sums are compressed by a
    logarithm. Of a list also its length counts, and of a text how often it occurs.

    >>> numbers = tree_numbers({"ships": [{"damage": 2}, {"damage": 1}]})
    >>> sorted(round(abs(number), 2) for number in numbers if number)  # log 3 for the length, log 4 for the damage
    [1.1, 1.39]
    """
    sums: dict[str, float] = {}
    _add(sums, "", msgspec.to_builtins(tree, str_keys=True))
    numbers = [0.0] * size
    for path, total in sums.items():
        at, sign = feature_slot(path, size)
        numbers[at] += sign * signed_log(total)
    return numbers


def _add(sums: dict[str, float], path: str, tree: Any) -> None:
    if isinstance(tree, dict):
        for key, value in tree.items():
            if key not in NAMES:
                _add(sums, f"{path}/{key}", value)
    elif isinstance(tree, list | tuple):
        sums[f"{path}#"] = sums.get(f"{path}#", 0.0) + len(tree)
        for value in tree:
            _add(sums, path, value)
    elif isinstance(tree, str):
        sums[f"{path}={tree}"] = sums.get(f"{path}={tree}", 0.0) + 1.0
    elif tree is not None:
        sums[path] = sums.get(path, 0.0) + tree
