"""Observations: a seat's view and its decision as vectors of a fixed length.

A view is a tree of plain data. Each leaf becomes a feature named after its path, and a hash of the name gives its place
and sign in the vector: the hashing trick. The hash is BLAKE2b, so the same view gives the same vector everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import copysign, log1p
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from readyroom.engine.game import MatchView
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.env.sequential import PartialAnswer

Vector = NDArray[np.float32]
Feature = tuple[str, float]
VIEW = 1024
"""The default length of a view vector."""
ASKED = 128
"""The length of a decision vector: `MEASURES` first, the rest by hash."""
REACH = 10.0
"""The maximum absolute value in an observation."""
MEASURES = (
    *("asked", "choose one", "choose some", "allot", "options", "options available now"),
    *("at least", "at most", "taken", "remaining budget", "may end"),
)
"""The first places of a decision vector; numbers are scaled."""
ROW = ("present", "available now", "chance known", "chance", "cost", "limit", "times taken", "done")
"""The first places of an option's features; the rest are by hash."""
REMEMBERED = 1 << 17
"""The number of cached feature places."""
KINDS = (DecisionKind.ONE, DecisionKind.SOME, DecisionKind.ALLOCATE)


class DecisionInProgress(NamedTuple):
    """A decision that a seat is answering: the partial answer, and the number of each option."""

    partial: PartialAnswer
    numbers: list[int]

    @property
    def decision(self) -> Decision:
        """The decision."""
        return self.partial.decision


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


def hash_features(features: Iterator[Feature] | Sequence[Feature], size: int) -> Vector:
    """Return the vector of features; features in the same place are added."""
    places, weights = list[int](), list[float]()
    for name, weight in features:
        at, sign = feature_slot(name, size)
        places.append(at)
        weights.append(sign * weight)
    summed = np.bincount(places, weights, size) if places else np.zeros(size)
    return np.clip(summed, -REACH, REACH).astype(np.float32)


def encode_view(view: MatchView[Any], size: int) -> Vector:
    """Return a view as a vector; see `flatten`."""
    features = list[Feature]()
    flatten(msgspec.to_builtins(view), "", features)
    return hash_features(features, size)


def flatten(node: Any, path: str, features: list[Feature]) -> None:
    """Add the features of a tree of plain data to `features`.

    A number is the feature of its path with its scaled value; a string or boolean is the feature "path=value"; None is
    nothing. A list has its length and its entries: strings as above, in any order; records by their key, or else by
    their position.

    >>> found = []
    >>> flatten({"turn": 0, "fleet": ["akagi"], "side": {"afloat": True}}, "", found)
    >>> [name for name, weight in found]
    ['/turn', '/fleet#', '/fleet=akagi', '/side/afloat=True']
    """
    if isinstance(node, str | bool):
        features.append((f"{path}={node}", 1.0))
    elif isinstance(node, int | float):
        features.append((path, signed_log(node)))
    elif isinstance(node, dict):
        for key, value in node.items():
            flatten(value, f"{path}/{key}", features)
    elif node is not None:
        features.append((f"{path}#", signed_log(len(node))))
        for at, entry in enumerate(node):
            name = entry.get("key", at) if isinstance(entry, dict) else at
            flatten(entry, path if isinstance(entry, str) else f"{path}/{name}", features)


def encode_decision(progress: DecisionInProgress | None) -> Vector:
    """Return a decision as a vector, with the options taken so far; zeros without a decision."""
    vector = np.zeros(ASKED, np.float32)
    if progress is not None:
        measures = len(MEASURES)
        vector[:measures] = _measures(progress.partial)
        vector[measures:] = hash_features(list(_named(progress)), ASKED - measures)
    return vector


def _measures(partial: PartialAnswer) -> list[float]:
    decision = partial.decision
    limits = (decision.at_least, decision.at_most)
    numbers = (len(partial.keys), len(partial.open), *limits, len(partial.taken), partial.left)
    kinds = [float(decision.kind is kind) for kind in KINDS]
    return [1.0, *kinds, *map(signed_log, numbers), float(partial.may_end)]


def _named(progress: DecisionInProgress) -> Iterator[Feature]:
    decision = progress.decision
    yield f"rule={decision.rule}", 1.0
    yield f"about={decision.piece_key}", 1.0
    for at in progress.partial.taken:
        yield f"taken={progress.partial.keys[at]}", 1.0


def action_features(progress: DecisionInProgress | None, slots: int, width: int) -> Vector:
    """Return the features of all actions, a row for each; zeros for numbers without an option."""
    matrix = np.zeros((slots + 1, width), np.float32)
    if progress is None:
        return matrix
    partial, measures = progress.partial, len(ROW)
    open_now = set(partial.open)
    matrix[0, measures - 1] = partial.may_end
    for at, (number, option) in enumerate(zip(progress.numbers, progress.decision.options, strict=True)):
        matrix[number, : measures - 1] = _figures(option, at in open_now, partial.taken.count(at))
        matrix[number, measures:] = hash_features(list(_terms(progress.decision.rule, option)), width - measures)
    return matrix


def _figures(option: Option, open_now: bool, taken: int) -> list[float]:
    chance = option.info.chance if option.info else None
    known = (float(chance is not None), chance or 0.0)
    return [1.0, float(open_now), *known, *map(signed_log, (option.cost, option.limit, taken))]


def _terms(rule: str, option: Option) -> Iterator[Feature]:
    yield f"{rule}|{option.key}", 1.0
    for part in (*option.key.split("-"), *option.text.split()):
        yield f"{rule}|{part}", 0.5
