"""Observations: a seat's view and its decision as vectors of a fixed length.

A view is a tree of plain data. Each leaf becomes a feature named after its path, and a hash of the name gives its place
and sign in the vector: the hashing trick. The hash is BLAKE2b, so the same view gives the same vector everywhere.

Successive views differ little, so a `ViewEncoder` only encodes what has changed. Weights are whole multiples of
`UNIT`, so that sums are exact and do not depend on the order in which features came and went.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from readyroom.bots.features import feature_slot, signed_log
from readyroom.engine.game import MatchView
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.env.numbering import DONE, numbered
from readyroom.env.sequential import END, PartialAnswer

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
TREES = 1 << 15
"""The number of cached encodings of trees."""
UNIT = 2.0**-32
"""The unit of feature weights while they are summed."""
KINDS = (DecisionKind.ONE, DecisionKind.SOME, DecisionKind.ALLOCATE)


class DecisionInProgress:
    """A decision that a seat is answering: the partial answer, and the number of each option."""

    __slots__ = ("numbers", "partial")

    def __init__(self, decision: Decision, slots: int) -> None:
        self.partial = PartialAnswer(decision)
        self.numbers = numbered(tuple(self.partial.keys), slots)

    @property
    def decision(self) -> Decision:
        """The decision."""
        return self.partial.decision

    @property
    def legal(self) -> list[int]:
        """The legal actions."""
        numbers = self.numbers
        return [DONE if step == END else numbers[step] for step in self.partial.steps]

    def step(self, action: int) -> int | None:
        """Return the step of an action; None if the action is not legal."""
        try:
            step = END if action == DONE else self.numbers.index(action)
        except ValueError:
            return None
        return step if step in self.partial.steps else None

    def again(self, decision: Decision) -> DecisionInProgress:
        """Return the same partial answer to the same decision in a copy of the match."""
        other = object.__new__(DecisionInProgress)
        other.partial, other.numbers = self.partial.again(decision), self.numbers
        return other


def hash_features(features: Iterable[Feature], size: int) -> Vector:
    """Return the vector of features; features in the same place are added."""
    total = FeatureSum(size)
    total.add(features)
    return total.vector()


class FeatureSum:
    """A sum of features by place, in units."""

    def __init__(self, size: int) -> None:
        self.weights = np.zeros(size)

    def copy(self) -> FeatureSum:
        """Return an independent copy."""
        other = FeatureSum(0)
        other.weights = self.weights.copy()
        return other

    def add(self, features: Iterable[Feature]) -> None:
        """Add features."""
        size, weights = len(self.weights), self.weights
        for name, weight in features:
            at, sign = feature_slot(name, size)
            weights[at] += sign * round(weight / UNIT)

    def vector(self) -> Vector:
        """Return the sum as a new vector within bounds."""
        vector = np.empty(len(self.weights), np.float32)
        np.multiply(self.weights, UNIT, vector, casting="same_kind")
        return vector.clip(-REACH, REACH, vector)


class Sparse(NamedTuple):
    """The features of a tree: their places, each once, and the weights there, in units; and what removes them."""

    places: list[int]
    weights: list[float]
    negative: list[float]


@lru_cache(TREES, typed=True)
def _encode_tree(path: str, tree: Any, size: int) -> Sparse:
    """Return the features of a tree of immutable data."""
    features = list[Feature]()
    flatten(msgspec.to_builtins(tree), path, features)
    total = FeatureSum(size)
    total.add(features)
    places = np.flatnonzero(total.weights)
    weights = total.weights[places]
    return Sparse(places.tolist(), weights.tolist(), (-weights).tolist())


@lru_cache(None)
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a struct, and their names as plain data; none if the plain data has other names too."""
    config = kind.__struct_config__
    if config.tag is not None or config.omit_defaults or config.array_like:
        return ()
    return tuple(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))


def encode_view(view: MatchView[Any], size: int) -> Vector:
    """Return a view as a vector; see `flatten`."""
    return ViewEncoder(size).encode(view)


class ViewEncoder:
    """Encodes views as vectors of this size, and of each only what differs from the one before.

    A view must not change after it was made: it shares no mutable data with the state.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._last: MatchView[Any] | None = None
        self._sum = FeatureSum(size)
        self._mutable = set[type]()
        self._places, self._weights = list[int](), list[float]()  # what changes

    def copy(self) -> ViewEncoder:
        """Return an independent copy."""
        other = ViewEncoder(self.size)
        other._last, other._sum = self._last, self._sum.copy()
        return other

    def encode(self, view: MatchView[Any]) -> Vector:
        """Return a view as a new vector."""
        if view.sheets:  # plans in progress change
            view = replace(view, sheets=msgspec.to_builtins(view.sheets))
        if view != self._last:
            self._places, self._weights = [], []
            self._replace("", self._last, view)
            if self._places:
                self._sum.weights += np.bincount(self._places, self._weights, self.size)
            self._last = view
        return self._sum.vector()

    def _replace(self, path: str, old: Any, new: Any) -> None:
        """Replace the features of one tree (None: nothing) by those of another one that differs from it."""
        if old is not None and new is not None and type(old) is not type(new):
            self._replace(path, old, None)
            self._replace(path, None, new)
            return
        tree = old if new is None else new
        if isinstance(tree, list | tuple):
            self._replace_list(path, old, new)
        elif isinstance(tree, dict):
            before, after = old or {}, new or {}
            self._replace_parts(path, ((key, before.get(key), after.get(key)) for key in {**before, **after}))
        elif not self._replace_immutable(path, old, new):
            if isinstance(tree, msgspec.Struct) and (fields := _fields(type(tree))):
                parts = ((name, getattr(old, field, None), getattr(new, field, None)) for field, name in fields)
                self._replace_parts(path, parts)
            else:
                self._replace(path, *(None if each is None else msgspec.to_builtins(each) for each in (old, new)))

    def _replace_parts(self, path: str, parts: Iterable[tuple[Any, Any, Any]]) -> None:
        """Replace those parts of a tree that differ, each by its name."""
        for name, old, new in parts:
            if old is not new and (old != new or type(old) is not type(new)):
                self._replace(f"{path}/{name}", old, None if new is msgspec.UNSET else new)

    def _replace_immutable(self, path: str, old: Any, new: Any) -> bool:
        """Replace trees of immutable data, whose features are cached; return whether they are immutable."""
        kind = type(old if new is None else new)
        if kind in self._mutable:
            return False
        try:
            gone = None if old is None else _encode_tree(path, old, self.size)
            come = None if new is None else _encode_tree(path, new, self.size)
        except TypeError:  # unhashable
            self._mutable.add(kind)
            return False
        if gone is not None:
            self._places += gone.places
            self._weights += gone.negative
        if come is not None:
            self._places += come.places
            self._weights += come.weights
        return True

    def _replace_list(self, path: str, old: Sequence[Any] | None, new: Sequence[Any] | None) -> None:
        """Replace a list: its length, and its entries by their names."""
        lengths = [None if each is None else len(each) for each in (old, new)]
        if lengths[0] != lengths[1]:
            self._replace_immutable(f"{path}#", *lengths)
        old, new = old or (), new or ()
        ids = {id(each) for each in old}, {id(each) for each in new}
        if [len(old), len(new)] == [*map(len, ids)] and _all_keyed(new or old):  # skip what is in both
            both = ids[0] & ids[1]
            old, new = ([each for each in some if id(each) not in both] for some in (old, new))
        before, after = _entries(old), _entries(new)
        for name in {**before, **after}:
            for one, other in zip_longest(before.get(name, ()), after.get(name, ())):
                if one is not other and (one != other or type(one) is not type(other)):
                    self._replace(path if name is None else f"{path}/{name}", one, other)


def _all_keyed(entries: Sequence[Any]) -> bool:
    """Return whether the entries of a list, judged by the first one, are records that always have a key."""
    kind: type = type(entries[0]) if entries else type(None)
    return _is_keyed(kind)


@lru_cache(None)
def _is_keyed(kind: type) -> bool:
    return issubclass(kind, msgspec.Struct) and "key" in dict(_fields(kind))


def _entries(entries: Sequence[Any]) -> dict[Any, list[Any]]:
    """Return the entries of a list by name: a record's key, None for strings, else the index."""
    named: dict[Any, list[Any]] = {}
    for at, entry in enumerate(entries):
        named.setdefault(_name(entry, at), []).append(entry)
    return named


def _name(entry: Any, at: int) -> Any:
    if isinstance(entry, str):
        return None
    if isinstance(entry, dict):
        return entry.get("key", at)
    key = getattr(entry, "key", None)
    return at if key is None or (isinstance(entry, msgspec.Struct) and key == _omitted_key(type(entry))) else key


@lru_cache(None)
def _omitted_key(kind: type[msgspec.Struct]) -> Any:
    """Return the key that is left out of plain data because it is the default; `NODEFAULT` if none is."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    return fields["key"].default if kind.__struct_config__.omit_defaults and "key" in fields else msgspec.NODEFAULT


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
            name = _name(entry, at)
            flatten(entry, path if name is None else f"{path}/{name}", features)


def encode_decision(progress: DecisionInProgress | None) -> Vector:
    """Return a decision as a vector, with the options taken so far; zeros without a decision."""
    vector = np.zeros(ASKED, np.float32)
    if progress is not None:
        measures = len(MEASURES)
        vector[:measures] = _measures(progress.partial)
        for name in _names(progress):
            place, sign = feature_slot(name, ASKED - measures)
            vector[measures + place] += sign
    return vector.clip(-REACH, REACH)


def _measures(partial: PartialAnswer) -> list[float]:
    decision = partial.decision
    limits = (decision.at_least, decision.at_most)
    numbers = (len(partial.keys), partial.count_open, *limits, len(partial.taken), partial.left)
    kinds = [float(decision.kind is kind) for kind in KINDS]
    return [1.0, *kinds, *map(signed_log, numbers), float(partial.may_end)]


def _names(progress: DecisionInProgress) -> Iterator[str]:
    """Yield the names of a decision's features; each has the weight 1."""
    decision, keys = progress.decision, progress.partial.keys
    yield f"rule={decision.rule}"
    yield f"about={decision.piece_key}"
    for at in progress.partial.taken:
        yield f"taken={keys[at]}"


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
        matrix[number, measures:] = hash_features(_terms(progress.decision.rule, option), width - measures)
    return matrix


def _figures(option: Option, open_now: bool, taken: int) -> list[float]:
    chance = option.info.chance if option.info else None
    known = (float(chance is not None), chance or 0.0)
    return [1.0, float(open_now), *known, *map(signed_log, (option.cost, option.limit, taken))]


def _terms(rule: str, option: Option) -> Iterator[Feature]:
    yield f"{rule}|{option.key}", 1.0
    for part in (*option.key.split("-"), *option.text.split()):
        yield f"{rule}|{part}", 0.5
