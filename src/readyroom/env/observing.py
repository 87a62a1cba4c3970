"""Observations: what a seat sees, and what it is asked, as vectors of a fixed length.

A view is a tree of plain data. Each leaf becomes a feature named after its path, and each feature goes to one place of
the vector, with one sign, both told by a hash of its name: the usual hashing trick. The hash is BLAKE2b, so the same
view gives the same vector in every process and on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import copysign, log1p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from readyroom.engine.decisions import Decision, DecisionKind, Option
from readyroom.engine.game import View
from readyroom.env.sequential import PartialAnswer

Vector = NDArray[np.float32]
Feature = tuple[str, float]
VIEW = 1024
"""Places for what is seen, where nothing else is said."""
ASKED = 128
"""Places for what is asked: those of `MEASURES` first, the others by hash."""
REACH = 10.0
"""No place of an observation lies further from 0."""
MEASURES = (
    "asked",
    "choose one",
    "choose some",
    "allot",
    "options",
    "options that may be taken now",
    "at least",
    "at most",
    "taken",
    "left of the budget",
    "may end",
)
"""What the first places of a question's features hold; numbers are scaled."""
ROW = (
    "there",
    "may be taken now",
    "a chance is told",
    "chance",
    "cost",
    "may be taken so often",
    "taken so often",
    "done",
)
"""What the first places of an option's features hold; the others are by hash."""
REMEMBERED = 1 << 17
"""So many names of features are remembered with their places."""
KINDS = (DecisionKind.ONE, DecisionKind.SOME, DecisionKind.ALLOT)


class DecisionInProgress(NamedTuple):
    """A question that a seat is answering: the answer in the making, and the number of each option."""

    answering: PartialAnswer
    numbers: list[int]

    @property
    def decision(self) -> Decision:
        """The question."""
        return self.answering.decision


def signed_log(number: float) -> float:
    """A number brought nearer to 0: the sign, and the logarithm of one more than its size.

    >>> signed_log(0), signed_log(-1) == -signed_log(1), round(signed_log(100), 2)
    (0.0, True, 4.62)
    """
    return copysign(log1p(abs(number)), number)


@lru_cache(REMEMBERED)
def feature_slot(name: str, size: int) -> tuple[int, float]:
    """The place of a feature in a vector of this size, and its sign.

    >>> feature_slot("/turn", 1024)
    (96, -1.0)
    """
    hashed = int.from_bytes(blake2b(name.encode(), digest_size=8, person=b"rr-feature").digest(), "big")
    return (hashed >> 1) % size, 1.0 if hashed & 1 else -1.0


def hash_features(features: Iterator[Feature] | Sequence[Feature], size: int) -> Vector:
    """The vector of some features; what falls on the same place is added up."""
    places, weights = list[int](), list[float]()
    for name, weight in features:
        at, sign = feature_slot(name, size)
        places.append(at)
        weights.append(sign * weight)
    summed = np.bincount(places, weights, size) if places else np.zeros(size)
    return np.clip(summed, -REACH, REACH).astype(np.float32)


def encode_view(view: View, size: int) -> Vector:
    """A view as a vector: see `leaves`."""
    found = list[Feature]()
    flatten(view, "", found)
    return hash_features(found, size)


def flatten(node: Any, path: str, found: list[Feature]) -> None:
    """The features of a tree of plain data, added to `found`.

    A number is the feature of its path with its scaled value; a word, True or False is the feature "path=word", present
    or not; None is nothing. A list is told by its length and its entries: words as above, whatever their order; records
    by their key, where they have one, and otherwise by their place.

    >>> found = []
    >>> flatten({"turn": 0, "fleet": ["akagi"], "side": {"afloat": True}}, "", found)
    >>> [name for name, weight in found]
    ['/turn', '/fleet#', '/fleet=akagi', '/side/afloat=True']
    """
    kind = node.__class__
    if kind is str or kind is bool:
        found.append((f"{path}={node}", 1.0))
    elif kind is int or kind is float:
        found.append((path, signed_log(node)))
    elif kind is dict:
        for key, value in node.items():
            flatten(value, f"{path}/{key}", found)
    elif node is not None:
        _entries(node, path, found)


def _entries(entries: Sequence[Any], path: str, found: list[Feature]) -> None:
    found.append((f"{path}#", signed_log(len(entries))))
    for at, entry in enumerate(entries):
        if entry.__class__ is str:
            found.append((f"{path}={entry}", 1.0))
        else:
            name = entry.get("key", at) if entry.__class__ is dict else at
            flatten(entry, f"{path}/{name}", found)


def encode_decision(asking: DecisionInProgress | None) -> Vector:
    """A question as a vector, with what has been taken so far; zeros for a seat that is not asked."""
    vector = np.zeros(ASKED, np.float32)
    if asking is not None:
        measures = len(MEASURES)
        vector[:measures] = _measures(asking.answering)
        vector[measures:] = hash_features(list(_named(asking)), ASKED - measures)
    return vector


def _measures(answering: PartialAnswer) -> list[float]:
    decision = answering.decision
    numbers = (len(answering.keys), len(answering.open), decision.at_least, decision.at_most)
    so_far = (len(answering.taken), answering.left)
    kinds = [float(decision.kind is kind) for kind in KINDS]
    return [1.0, *kinds, *map(signed_log, (*numbers, *so_far)), float(answering.may_end)]


def _named(asking: DecisionInProgress) -> Iterator[Feature]:
    decision = asking.decision
    yield f"rule={decision.rule}", 1.0
    yield f"about={decision.piece_key}", 1.0
    for at in asking.answering.taken:
        yield f"taken={asking.answering.keys[at]}", 1.0


def action_features(asking: DecisionInProgress | None, slots: int, width: int) -> Vector:
    """The features of all actions, a row of this width for each: zeros for what is not an option of the question."""
    matrix = np.zeros((slots + 1, width), np.float32)
    if asking is None:
        return matrix
    answering, measures = asking.answering, len(ROW)
    open_now = set(answering.open)
    matrix[0, measures - 1] = answering.may_end
    for at, (number, option) in enumerate(zip(asking.numbers, asking.decision.options, strict=True)):
        matrix[number, : measures - 1] = _figures(option, at in open_now, answering.taken.count(at))
        matrix[number, measures:] = hash_features(list(_words(asking.decision.rule, option)), width - measures)
    return matrix


def _figures(option: Option, open_now: bool, taken: int) -> list[float]:
    chance = option.info.chance if option.info else None
    known = (float(chance is not None), chance or 0.0)
    return [1.0, float(open_now), *known, *map(signed_log, (option.cost, option.limit, taken))]


def _words(rule: str, option: Option) -> Iterator[Feature]:
    yield f"{rule}|{option.key}", 1.0
    for part in (*option.key.split("-"), *option.text.split()):
        yield f"{rule}|{part}", 0.5
