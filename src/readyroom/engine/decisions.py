"""Decisions: what is asked of a seat, the complete list of its options, and what it may answer.

The list of options is the only enumerator: pages, terminal, bots and the check of an answer all read this one list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from random import Random
from typing import Any, Protocol, TypeVar

import msgspec

from readyroom.engine.errors import IllegalChoice


class Keyed(Protocol):
    """Anything that can be an option: it has a stable, readable key, and its str() is its text."""

    @property
    def key(self) -> str:
        """The stable name by which it is chosen."""
        ...


K = TypeVar("K", bound=Keyed)


class Choose(Enum):
    """The three shapes of a question."""

    ONE = "one"
    SOME = "some"
    ALLOT = "allot"


class Hint(msgspec.Struct, frozen=True):
    """What a player may be told of an option before choosing: a note, and a chance from 0 to 1 where one is meant."""

    note: str
    chance: float | None = None


class Option(msgspec.Struct, frozen=True):
    """One legal option as it is shown. `value` carries what a rule wants to be given back where no piece serves."""

    key: str
    text: str
    value: Any = None  # whatever the rule that made the option wants back
    hint: Hint | None = None
    cost: int = 0
    limit: int = 1

    def __str__(self) -> str:
        return self.text


class Refused(msgspec.Struct, frozen=True):
    """Something a player might look for among the options, and the rule and reason for its absence."""

    key: str
    text: str
    rule: str
    reason: str


Refusals = Callable[[], Iterable[Refused]]


class Decision:
    """A question to one seat. Keys are derived only when somebody looks, for most playouts never show a text."""

    __slots__ = (
        "_by_key",
        "_keys",
        "_refused",
        "at_least",
        "at_most",
        "budget",
        "cost",
        "hint",
        "kind",
        "limit",
        "question",
        "revision",
        "rule",
        "seat",
        "text",
        "values",
    )

    def __init__(
        self,
        kind: Choose,
        seat: str,
        rule: str,
        question: str,
        values: Sequence[Any],  # the pieces or options themselves; their types are the rule's own
        at_least: int,
        at_most: int,
        cost: Callable[[Any], int] | None = None,
        budget: int = 0,
        limit: Callable[[Any], int] | None = None,
        text: Callable[[Any], str] | None = None,
        hint: Callable[[Any], Hint | None] | None = None,
        refused: Refusals | None = None,
    ) -> None:
        self.kind, self.seat, self.rule, self.question, self.values = kind, seat, rule, question, values
        self.at_least, self.at_most, self.cost, self.budget = at_least, at_most, cost, budget
        self.limit, self.text, self.hint, self._refused = limit, text, hint, refused
        self.revision = -1
        self._keys: list[str] | None = None
        self._by_key: dict[str, Any] | None = None

    @property
    def keys(self) -> list[str]:
        """The keys of all legal options, in the order of the list."""
        if self._keys is None:
            self._keys = [value.key for value in self.values]
        return self._keys

    @property
    def options(self) -> list[Option]:
        """All legal options with their texts, hints, costs and limits."""
        return [self._shown(value) for value in self.values]

    def _shown(self, value: Any) -> Option:
        return Option(
            key=value.key,
            text=self.text(value) if self.text else str(value),
            hint=self.hint(value) if self.hint else getattr(value, "hint", None),
            cost=self.cost(value) if self.cost else 0,
            limit=self.limit(value) if self.limit else 1,
        )

    @property
    def refused(self) -> list[Refused]:
        """What the player may look for in vain, each with its rule and reason."""
        return list(self._refused()) if self._refused else []

    def wanted(self) -> str:
        """How many may be chosen, in words."""
        if self.kind is Choose.ONE:
            return "choose one"
        if self.kind is Choose.ALLOT:
            return f"allot {self.at_least}, repeating a choice for each point"
        span = f"{self.at_least}" if self.at_least == self.at_most else f"{self.at_least} to {self.at_most}"
        spend = f", within {self.budget} points" if self.cost else ""
        return f"choose {span}{spend}"

    def accept(self, answer: str | Sequence[str]) -> tuple[str, ...]:
        """The answer as a tuple of keys, once it is known to be legal.

        Raises:
            IllegalChoice: with the rule, the reason and the legal keys.
        """
        keys = (answer,) if isinstance(answer, str) else tuple(answer)
        by_key = self._by_key
        if by_key is None:
            by_key = self._by_key = dict(zip(self.keys, self.values, strict=True))
        for key in keys:
            if key not in by_key:
                self._refuse_key(key)
        if not self.at_least <= len(keys) <= self.at_most:
            count = "nothing was" if not keys else f"{len(keys)} were" if len(keys) > 1 else "one was"
            self._refuse(f"{self.question} Here you {self.wanted()}, and {count} chosen.")
        if len(keys) > 1:
            self._check_repeats(keys)
        if self.cost is not None:
            self._check_budget(keys)
        return keys

    def values_of(self, keys: Iterable[str]) -> list[Any]:
        """The pieces or options behind accepted keys, in their order."""
        by_key = self._by_key
        if by_key is None:
            by_key = self._by_key = dict(zip(self.keys, self.values, strict=True))
        return [by_key[key] for key in keys]

    def _check_repeats(self, keys: tuple[str, ...]) -> None:
        if len(set(keys)) == len(keys):
            return
        for key in dict.fromkeys(keys):
            limit = self.limit(self.values_of([key])[0]) if self.limit else 1
            if keys.count(key) > limit:
                times = "once" if limit == 1 else f"{limit} times"
                self._refuse(f"{key} was chosen {keys.count(key)} times; it may be chosen {times} at most.")

    def _check_budget(self, keys: tuple[str, ...]) -> None:
        assert self.cost is not None
        total = sum(map(self.cost, self.values_of(keys)))
        if total > self.budget:
            self._refuse(f"Together these come to {total} points, and {self.budget} is the most.")

    def _refuse_key(self, key: str) -> None:
        for refused in self.refused:
            if refused.key == key:
                raise IllegalChoice(refused.rule, refused.reason, self.keys)
        self._refuse(f"{key!r} is not among the options.")

    def _refuse(self, reason: str) -> None:
        raise IllegalChoice(self.rule, reason, self.keys)

    def sample(self, random: Random) -> list[str]:
        """Some legal answer, drawn at random; every legal answer has a chance.

        It is meant for playouts, so it is quick rather than uniform.
        """
        keys = self.keys
        if self.kind is Choose.ONE:
            return [keys[int(random.random() * len(keys))]]
        if self.kind is Choose.ALLOT:
            return self._sample_allotment(random)
        return self._sample_some(random)

    def _sample_some(self, random: Random) -> list[str]:
        keys, toss = self.keys, random.random
        count = len(keys)
        turn = int(toss() * count)
        order = [*range(turn, count), *range(turn)]
        chosen = [i for i in order if toss() < 0.5]
        if len(chosen) > self.at_most:
            del chosen[self.at_most :]
        if len(chosen) < self.at_least:
            others = [i for i in order if i not in chosen]
            chosen += others[: self.at_least - len(chosen)]
        if self.cost is not None:
            chosen = self._affordable(chosen)
        return [keys[i] for i in chosen]

    def _affordable(self, chosen: list[int]) -> list[int]:
        assert self.cost is not None
        kept, left = [], self.budget
        for i in chosen:
            price = self.cost(self.values[i])
            if price <= left:
                left -= price
                kept.append(i)
        return kept

    def _sample_allotment(self, random: Random) -> list[str]:
        pool: list[str] = []
        for key, value in zip(self.keys, self.values, strict=True):
            pool += [key] * (self.limit(value) if self.limit else 1)
        random.shuffle(pool)
        return pool[: self.at_least]

    def __repr__(self) -> str:
        return f"<{self.seat}: {self.question} [{self.rule}] {self.wanted()} of {', '.join(self.keys)}>"


class Block:
    """Several seats deciding in secret at once: the decision that each still owes."""

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open: dict[str, Decision] = {}

    def __iter__(self) -> Iterator[tuple[str, Decision]]:
        return iter(self.open.items())


Asked = Decision | Block
Answer = Any
"""What is sent back into a rule: a list of pieces; inside a secret block, the seat and that list."""
