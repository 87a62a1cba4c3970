"""Decisions: what is asked of a seat, the complete list of its options, and what it may answer.

The list of options is the only enumerator: pages, terminal, bots and the check of an answer all read this one list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import compress
from math import floor
from random import Random
from typing import Any, NoReturn, Protocol, TypeVar

import msgspec

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.text import capitalize_first, count_noun


class Keyed(Protocol):
    """Anything that can be an option: it has a stable, readable key, and its str() is its text."""

    @property
    def key(self) -> str:
        """The stable name by which it is chosen."""
        ...


K = TypeVar("K", bound=Keyed)
MANY = 5
"""More purses than these are told by the first and the last."""
NAMED = 6
"""Options of an answer that are told by name."""
_COINS = [tuple(byte >> bit & 1 for bit in range(8)) for byte in range(256)]
"""Eight tosses of a coin at once."""


def _once(_: Any) -> int:
    return 1


class DecisionKind(Enum):
    """The three shapes of a question."""

    ONE = "one"
    SOME = "some"
    ALLOT = "allot"


_ONE, _SOME = DecisionKind.ONE, DecisionKind.SOME  # looked up by themselves, members of an enumeration cost more


class OptionInfo(msgspec.Struct, frozen=True):
    """What a player may be told of an option before choosing: a note, and a chance from 0 to 1 where one is meant."""

    note: str
    chance: float | None = None


class Option(msgspec.Struct, frozen=True):
    """One legal option as it is shown. `value` carries what a rule wants to be given back where no piece serves.

    `cell` is its row and column where the options are a sheet to be filled in, such as a calendar.
    """

    key: str
    text: str
    value: Any = None  # whatever the rule that made the option wants back
    info: OptionInfo | None = None
    cost: int = 0
    budget_group: str = ""
    limit: int = 1
    cell: tuple[str, str] | None = None

    def __str__(self) -> str:
        return self.text


class BudgetGroup(msgspec.Struct, frozen=True, gc=False):
    """What pays for some of the options, such as the deck of a carrier: its key, its name, and these options."""

    key: str
    name: str
    options: Sequence[Any]


class Unavailable(msgspec.Struct, frozen=True):
    """Something a player might look for among the options, and the rule and reason for its absence."""

    key: str
    text: str
    rule: str
    reason: str


UnavailableOptions = Callable[[], Iterable[Unavailable]]
"""What is looked for in vain, told only when somebody reads it."""


class Decision(msgspec.Struct, eq=False, gc=False):
    """A question to one seat. Keys and texts are derived only when somebody looks: playouts hardly ever do.

    `about` is the key of the piece that it is about; `usual` says that most players take all that they may.
    With `purses` the budget holds for each of them by itself, without them for all options together. With a `limit` an
    option may be taken so many times, is paid for each time, and counts each time; without one, once.
    `sheet` is what stands so far on the sheet that the question belongs to, and changes with its answer.
    `values` may be the very box that the rule chooses from, so read what a decision offers before it is answered.
    """

    kind: DecisionKind
    seat: str
    rule: str
    question: str
    values: Sequence[Any]  # the pieces or options themselves; their types are the rule's own
    at_least: int
    at_most: int
    cost: Callable[[Any], int] | None = None
    budget: int = 0
    limit: Callable[[Any], int] | None = None
    text: Callable[[Any], str] | None = None
    info: Callable[[Any], OptionInfo | None] | None = None
    unavailable_options: UnavailableOptions | None = None
    piece_key: str = ""
    select_all_default: bool = False
    budget_groups: Sequence[BudgetGroup] = ()
    revision: int = -1
    index: dict[str, Any] | None = None
    render_cache: tuple[tuple[str, ...], list[Any]] | None = None
    sheet: Any = None  # what a game keeps of a plan in the making; its type is the game's own

    @property
    def keys(self) -> list[str]:
        """The keys of all legal options, in the order of the list."""
        return list(self.index or self._indexed())

    def _indexed(self) -> dict[str, Any]:
        self.index = {value.key: value for value in self.values}
        return self.index

    @property
    def options(self) -> list[Option]:
        """All legal options with their texts, hints, costs and limits."""
        return [self._shown(value) for value in self.values]

    @property
    def texts(self) -> list[str]:
        """The texts of all legal options alone."""
        return [self._text(value) for value in self.values]

    def _shown(self, value: Any) -> Option:
        return Option(
            key=value.key,
            text=self._text(value),
            info=self.info(value) if self.info else getattr(value, "info", None),
            cost=self.cost(value) if self.cost else 0,
            budget_group=next((purse.key for purse in self.budget_groups if value in purse.options), ""),
            limit=self.max_repeats(value),
            cell=getattr(value, "cell", None),
        )

    def _text(self, value: Any) -> str:
        return self.text(value) if self.text else str(value)

    @property
    def unavailable(self) -> list[Unavailable]:
        """What the player may look for in vain, each with its rule and reason."""
        return list(self.unavailable_options()) if self.unavailable_options else []

    def instruction(self) -> str:
        """How many may be chosen, in words."""
        if self.kind is DecisionKind.ONE:
            return "choose one"
        if self.kind is DecisionKind.ALLOT:
            return f"allot {self.at_least}, repeating a choice for each point"
        span = f"{self.at_least}" if self.at_least == self.at_most else f"{self.at_least} to {self.at_most}"
        again = ", repeating a choice to take it again" if self.limit else ""
        return f"choose {span}{again}{self._within()}"

    @property
    def is_forced(self) -> bool:
        """Whether there is but one legal answer."""
        all_of_it = self.at_least == sum(map(self.max_repeats, self.values))
        return not self.at_most or (self.at_least == self.at_most and (len(self.values) == 1 or all_of_it))

    def describe_answer(self, keys: Sequence[str], most: int | None = NAMED) -> str:
        """An answer in words: the texts of its options, and how often each is taken."""
        chosen = self.index or self._indexed()
        return summarize_counts([self._text(chosen[key]) if key in chosen else key for key in keys], most)

    def max_repeats(self, value: Any) -> int:
        """How many times an option may be taken."""
        return self.limit(value) if self.limit else 1

    def _within(self) -> str:
        if self.cost is None:
            return ""
        names = [purse.name for purse in self.budget_groups]
        listed = f"{names[0]} to {names[-1]}" if len(names) > MANY else ""
        each = f" each for {listed or ', '.join(names[:-1]) + ' and ' + names[-1]}" if len(names) > 1 else ""
        return f", within {count_noun(self.budget, 'point')}{each}"

    def accept(self, answer: str | Sequence[str]) -> tuple[tuple[str, ...], list[Any]]:
        """The answer as keys and as what they stand for, once it is known to be legal.

        Raises:
            IllegalChoice: with the rule, the reason and the legal keys.
        """
        if not isinstance(answer, (str, list, tuple)):
            self._reject(f"An answer is a key or a list of keys, not {answer!r}.")
        keys = (answer,) if isinstance(answer, str) else tuple(answer)
        index = self.index or self._indexed()
        try:
            values = list(map(index.__getitem__, keys))
        except (KeyError, TypeError):
            self._reject_unknown_keys(keys)
        count = len(keys)
        if not self.at_least <= count <= self.at_most:
            chosen = "nothing was" if not keys else f"{count} were" if count > 1 else "one was"
            self._reject(f"{self.question} Here you {self.instruction()}, and {chosen} chosen.")
        if count > 1 and len(set(keys)) < count:
            self._check_repeats(keys)
        if self.cost is not None:
            self._check_spending(values, self.cost)
        return keys, values

    def values_for(self, keys: tuple[str, ...]) -> list[Any]:
        """What keys stand for that were accepted before, when the same question is answered again in a replay."""
        if len(keys) > 1:
            return list(map((self.index or self._indexed()).__getitem__, keys))
        return [next(value for value in self.values if value.key == key) for key in keys]

    def _check_spending(self, values: list[Any], cost: Callable[[Any], int]) -> None:
        for name, payable in [(purse.name, purse.options) for purse in self.budget_groups] or [("", values)]:
            spent = sum([cost(value) for value in values if value in payable])
            if spent > self.budget:
                together = f"{capitalize_first(name)}: together" if name else "Together"
                self._reject(f"{together} these come to {count_noun(spent, 'point')}, and {self.budget} is the most.")

    def _check_repeats(self, keys: tuple[str, ...]) -> None:
        by_key = self.index or self._indexed()
        for key in dict.fromkeys(keys):
            limit = self.max_repeats(by_key[key])
            if keys.count(key) > limit:
                times = "once" if limit == 1 else f"{limit} times"
                self._reject(f"{key} was chosen {keys.count(key)} times; it may be chosen {times} at most.")

    def _reject_unknown_keys(self, keys: tuple[Any, ...]) -> NoReturn:
        stranger = next(key for key in keys if not isinstance(key, str) or key not in self.keys)
        for refused in self.unavailable:
            if refused.key == stranger:
                raise IllegalChoice(refused.rule, refused.reason, self.keys)
        self._reject(f"{str(stranger)!r} is not among the options.")

    def _reject(self, reason: str) -> NoReturn:
        raise IllegalChoice(self.rule, reason, self.keys)

    def sample(self, random: Random) -> tuple[str, ...]:
        """Some legal answer, drawn at random; every legal answer has a chance.

        It is meant for playouts, so it is quick rather than uniform; and what a decision has drawn itself (this very
        tuple) it need not check again. Of some, each is drawn by the toss of a coin, within the budget; then they are
        mended, from somewhere on around, to the numbers.
        """
        if self.kind is _SOME:
            values = self._random_by_group(random) if self.budget_groups else self._random_subset(self.values, random)
            count = len(values)
            if count > self.at_most:
                turn = floor(random.random() * count)
                values = (values[turn:] + values[:turn])[: self.at_most]
            elif count < self.at_least:
                values += random.sample(self._remaining(values), self.at_least - count)
        elif self.kind is _ONE:
            values = [self.values[floor(random.random() * len(self.values))]]
        else:
            values = self._sample_allotment(random)
        found = []
        for value in values:
            found.append(value.key)  # noqa: PERF401
        keys = tuple(found)
        self.render_cache = keys, values
        return keys

    def _random_by_group(self, random: Random) -> list[Any]:
        chosen = []
        for purse in self.budget_groups:
            chosen += self._random_subset(purse.options, random)
        return chosen

    def _repeated(self, values: Sequence[Any]) -> list[Any]:
        return [value for value in values for _ in range(self.max_repeats(value))]

    def _remaining(self, chosen: list[Any]) -> list[Any]:
        return [value for value in self.values for _ in range(self.max_repeats(value) - chosen.count(value))]

    def _random_subset(self, values: Sequence[Any], random: Random) -> list[Any]:
        if self.limit:
            values = self._repeated(values)
        coins = _COINS[floor(random.random() * 256.0)]
        tossed, count = 8, len(values)
        while tossed < count:
            coins += _COINS[floor(random.random() * 256.0)]
            tossed += 8
        chosen = [*compress(values, coins)]
        return chosen if self.cost is None else self._within_budget(chosen, floor(random.random() * len(chosen)))

    def _within_budget(self, chosen: list[Any], turn: int) -> list[Any]:
        """As many of these, from the one numbered `turn` on around, as the budget allows."""
        cost, left = self.cost, self.budget
        assert cost is not None
        if sum(map(cost, chosen)) <= left:
            return chosen
        kept = []
        for value in chosen[turn:] + chosen[:turn]:
            price = cost(value)
            if price <= left:
                left -= price
                kept.append(value)
                if not left:
                    break
        return kept

    def _sample_allotment(self, random: Random) -> list[Any]:
        pool: list[Any] = []
        drawn = []
        limit = self.limit or _once
        for value in self.values:
            pool += [value] * limit(value)
        for left in range(len(pool), len(pool) - self.at_least, -1):
            at = floor(random.random() * left)
            drawn.append(pool[at])
            pool[at] = pool[left - 1]
        return drawn

    def __repr__(self) -> str:
        return f"<{self.seat}: {self.question} [{self.rule}] {self.instruction()} of {', '.join(self.keys)}>"


def summarize_counts(words: Iterable[str], most: int | None = NAMED) -> str:
    """Words with how often each comes up; of more than `most` (None: of any number) the first few.

    >>> summarize_counts(["Akagi", "Kaga", "Kaga"]), summarize_counts("abc", most=1), summarize_counts([])
    ('Akagi, 2 × Kaga', 'a and 2 more', 'none')
    """
    told = [word if count == 1 else f"{count} × {word}" for word, count in Counter(words).items()]
    more = f" and {len(told) - most} more" if most is not None and len(told) > most else ""
    return f"{', '.join(told[:most]) or 'none'}{more}"


class Block:
    """Several seats deciding in secret at once: the decision that each still owes, and what has come of the others."""

    __slots__ = ("done", "open")

    def __init__(self) -> None:
        self.open: dict[str, Decision] = {}
        self.done: dict[str, Any] = {}

    def __iter__(self) -> Iterator[tuple[str, Decision]]:
        return iter(self.open.items())


PendingDecisions = Decision | Block
Answer = Any
"""What is sent back into a rule: a list of pieces; inside a secret block, the seat and that list."""
