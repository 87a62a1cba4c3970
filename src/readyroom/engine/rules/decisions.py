"""Decisions: a question to a seat, the complete list of its options, and the check of its answer.

The list of options is the only source of legal answers: pages, terminal, bots and validation all read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import compress
from math import floor
from random import Random
from typing import Any, NoReturn, Protocol, TypeVar

import msgspec

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.text import capitalize_first, count_noun, describe_times, join_items, join_list


class Keyed(Protocol):
    """Anything that can be an option: it has a stable, readable key; its str() is its text."""

    @property
    def key(self) -> str:
        """The stable key by which it is chosen."""
        ...


K = TypeVar("K", bound=Keyed)
MANY = 5
"""With more budget groups than this, the instruction names only the first and the last."""
NAMED = 6
"""The most options of an answer that are named."""
_COINS = [tuple(byte >> bit & 1 for bit in range(8)) for byte in range(256)]
"""Eight coin flips for each byte."""


class DecisionKind(Enum):
    """The three kinds of decision: one option, some options, or points allocated over the options."""

    ONE = "one"
    SOME = "some"
    ALLOCATE = "allot"


ONE, SOME, ALLOCATE = DecisionKind


class OptionInfo(msgspec.Struct, frozen=True):
    """What a player may know of an option before choosing: a note, and perhaps a probability from 0 to 1."""

    note: str
    chance: float | None = None


class Option(msgspec.Struct, frozen=True):
    """One legal option as shown. `value` is what the rule receives if the option is not a piece itself.

    `cell` is its row and column if the options form a sheet, such as a calendar. `assigns` are the keys of the piece
    and the place on the board that it brings together.
    """

    key: str
    text: str
    value: Any = None  # any type the rule wants
    info: OptionInfo | None = None
    cost: int = 0
    budget_group: str = ""
    limit: int = 1
    cell: tuple[str, str] | None = None
    assigns: tuple[str, str] | None = None

    def __str__(self) -> str:
        return self.text


CONTINUE = Option("continue", "Continue")
"""The only option of a question that a seat is asked so that others do not see whether it had a choice.

One with another key and this text is the same.
"""


class BudgetGroup(msgspec.Struct, frozen=True, gc=False):
    """Options that share a budget, such as the deck of one carrier."""

    key: str
    name: str
    options: Sequence[Any]


class Unavailable(msgspec.Struct, frozen=True):
    """An option that a player may miss, with the rule and the reason it is not available."""

    key: str
    text: str
    rule: str
    reason: str


UnavailableOptions = Callable[[], Iterable[Unavailable]]
"""Returns the unavailable options; called only when they are shown."""


class Decision(msgspec.Struct, eq=False, gc=False):
    """A question to one seat. Keys and texts are computed on demand, because playouts rarely need them.

    `piece_key` is the key of the piece concerned; `select_all_default` says that most players choose everything they
    can. With `budget_groups` the budget applies to each group, without them to all options together; `unit` is what it
    counts, in the singular. With a `limit` an option may be chosen repeatedly, and each time is counted and paid for.
    `sheet` is the current content of the planning sheet that the question belongs to; the answer changes it. `values`
    may be the very list that the rule changes, so read a decision before answering it. With `assigns`, each option
    assigns a piece to a place, and of the options of one piece only one may be chosen.
    """

    kind: DecisionKind
    seat: str
    rule: str
    question: str
    values: Sequence[Any]  # the pieces or options themselves; any type the rule wants
    at_least: int
    at_most: int
    cost: Callable[[Any], int] | None = None
    budget: int = 0
    unit: str = "point"
    limit: Callable[[Any], int] | None = None
    text: Callable[[Any], str] | None = None
    info: Callable[[Any], OptionInfo | None] | None = None
    unavailable_options: UnavailableOptions | None = None
    piece_key: str = ""
    select_all_default: bool = False
    budget_groups: Sequence[BudgetGroup] = ()
    revision: int = -1
    index: dict[str, Any] | None = None
    sampled: tuple[tuple[str, ...], list[Any]] | None = None
    sheet: Any = None  # a plan in progress; any type the game wants
    assigns: Callable[[Any], tuple[str, str]] | None = None

    @property
    def keys(self) -> list[str]:
        """The keys of all legal options, in order."""
        return list(self._by_key())

    def _by_key(self) -> dict[str, Any]:
        if not self.index:
            try:
                self.index = {value.key: value for value in self.values}
            except AttributeError as error:
                raise self._without_key() from error
        return self.index

    @property
    def options(self) -> list[Option]:
        """All legal options with their texts, infos, costs and limits."""
        return [self._option(value) for value in self.values]

    @property
    def texts(self) -> list[str]:
        """The texts of all legal options."""
        return [self._text(value) for value in self.values]

    def _option(self, value: Any) -> Option:
        return Option(
            key=value.key,
            text=self._text(value),
            info=self.info(value) if self.info else getattr(value, "info", None),
            cost=self.cost(value) if self.cost else 0,
            budget_group=next((group.key for group in self.budget_groups if value in group.options), ""),
            limit=self.max_repeats(value),
            cell=getattr(value, "cell", None),
            assigns=self.assigns(value) if self.assigns else None,
        )

    def _text(self, value: Any) -> str:
        return self.text(value) if self.text else str(value)

    @property
    def unavailable(self) -> list[Unavailable]:
        """The unavailable options, each with its rule and reason."""
        return list(self.unavailable_options()) if self.unavailable_options else []

    def instruction(self) -> str:
        """Return how many options may be chosen, in words."""
        if self.kind is ONE:
            return "choose one"
        if self.kind is ALLOCATE:
            return f"allocate {self.at_least} over the options, repeats allowed"
        span = f"{self.at_least}" if self.at_least == self.at_most else f"{self.at_least} to {self.at_most}"
        repeats = ", repeats allowed" if self.limit else ""
        once = ", at most one for each piece" if self.has_alternatives else ""
        return f"choose {span}{repeats}{once}{self._budget_text()}"

    @property
    def has_alternatives(self) -> bool:
        """Whether some piece can be assigned to several places."""
        assigns = self.assigns
        return assigns is not None and len({assigns(value)[0] for value in self.values}) < len(self.values)

    @property
    def is_forced(self) -> bool:
        """Whether there is only one legal answer."""
        takes_all = self.at_least == sum(map(self.max_repeats, self.values))
        return not self.at_most or (self.at_least == self.at_most and (len(self.values) == 1 or takes_all))

    @property
    def only_continues(self) -> bool:
        """Whether there is nothing to decide: the question only hides from others that there is none."""
        return len(self.values) == 1 and isinstance(self.values[0], Option) and self.values[0].text == CONTINUE.text

    def describe_answer(self, keys: Sequence[str], most: int | None = NAMED) -> str:
        """Return an answer in words: the texts of its options with their counts."""
        by_key = self._by_key()
        return summarize_counts([self._text(by_key[key]) if key in by_key else key for key in keys], most)

    def max_repeats(self, value: Any) -> int:
        """Return how many times an option may be chosen."""
        return self.limit(value) if self.limit else 1

    def _budget_text(self) -> str:
        if self.cost is None:
            return ""
        names = [group.name for group in self.budget_groups]
        listed = f"{names[0]} to {names[-1]}" if len(names) > MANY else join_list(names)
        each = f" for each of {listed}" if names[1:] else ""
        return f", within {count_noun(self.budget, self.unit)}{each}"

    def accept(self, answer: str | Sequence[str]) -> tuple[tuple[str, ...], list[Any]]:
        """Return the keys and values of a legal answer.

        Raises:
            IllegalChoice: with rule, reason and legal keys.
        """
        if self.sampled is not None and answer is self.sampled[0]:
            return self.sampled
        if not isinstance(answer, (str, list, tuple)):
            self._reject(f"An answer must be a key or a list of keys, not {answer!r}.")
        keys = (answer,) if isinstance(answer, str) else tuple(answer)
        index = self.index or self._by_key()
        try:
            values = list(map(index.__getitem__, keys))
        except (KeyError, TypeError):
            self._reject_unknown_keys(keys)
        count = len(keys)
        if not self.at_least <= count <= self.at_most:
            self._reject(f"{self.question} {capitalize_first(self.instruction())}; you chose {count or 'none'}.")
        if count > 1 and len(set(keys)) < count:
            self._check_repeats(keys)
        if self.cost is not None:
            self._check_spending(values, self.cost)
        if count > 1 and self.assigns is not None:
            self._check_assignments(values, self.assigns)
        return keys, values

    def values_for(self, keys: tuple[str, ...]) -> list[Any]:
        """Return the values of keys that were accepted before, when a replay answers the same question again."""
        if len(keys) > 1:
            return list(map(self._by_key().__getitem__, keys))
        return [next(value for value in self.values if value.key == key) for key in keys]

    def _check_spending(self, values: list[Any], cost: Callable[[Any], int]) -> None:
        for name, payable in [(group.name, group.options) for group in self.budget_groups] or [("", values)]:
            spent = sum([cost(value) for value in values if value in payable])
            if spent > self.budget:
                these = f"{capitalize_first(name)}: together these" if name else "Together these"
                self._reject(f"{these} cost {count_noun(spent, self.unit)}; the budget is {self.budget}.")

    def _check_repeats(self, keys: tuple[str, ...]) -> None:
        by_key = self._by_key()
        for key in dict.fromkeys(keys):
            limit = self.max_repeats(by_key[key])
            if keys.count(key) > limit:
                self._reject(f"{key} was chosen {keys.count(key)} times; the limit is {limit}.")

    def _check_assignments(self, values: list[Any], assigns: Callable[[Any], tuple[str, str]]) -> None:
        earlier: dict[str, Any] = {}
        for value in values:
            piece = assigns(value)[0]
            if piece in earlier:
                texts = join_list([self._text(earlier[piece]), self._text(value)])
                self._reject(f"{texts} exclude each other: choose one of them.")
            earlier[piece] = value

    def _reject_unknown_keys(self, keys: tuple[Any, ...]) -> NoReturn:
        unknown = next(key for key in keys if not isinstance(key, str) or key not in self.keys)
        for option in self.unavailable:
            if option.key == unknown:
                raise IllegalChoice(option.rule, option.reason, self.keys)
        self._reject(f"{str(unknown)!r} is not among the options.")

    def _reject(self, reason: str) -> NoReturn:
        raise IllegalChoice(self.rule, reason, self.keys)

    def sample(self, random: Random) -> tuple[str, ...]:
        """Return a random legal answer; every legal answer has a positive probability.

        It is meant for playouts, so it is fast rather than uniform, and `accept` does not check this very tuple again.
        If some options may be chosen, each is included by a coin flip within the budget, then options are dropped or
        added to fit the numbers.
        """
        if self.kind is SOME:
            values = self._random_by_group(random) if self.budget_groups else self._random_subset(self.values, random)
            if self.assigns is not None:
                values = self._assigned_once(values, self.assigns, random)
            count = len(values)
            if count > self.at_most:
                start = floor(random.random() * count)
                values = (values[start:] + values[:start])[: self.at_most]
            elif count < self.at_least:
                values += random.sample(self._remaining(values), self.at_least - count)
        elif self.kind is ONE:
            values = [self.values[floor(random.random() * len(self.values))]]
        else:
            values = self._sample_allocation(random)
        keys = []
        try:
            for value in values:
                keys.append(value.key)  # noqa: PERF401  # a comprehension makes playouts 3 % slower before Python 3.12
        except AttributeError as error:
            raise self._without_key() from error
        self.sampled = tuple(keys), values
        return self.sampled[0]

    def _without_key(self) -> TypeError:
        strange = next(value for value in self.values if not hasattr(value, "key"))
        return TypeError(f"{self.question!r} [{self.rule}] offers {strange!r}, which has no key; use Option(key, text)")

    def _random_by_group(self, random: Random) -> list[Any]:
        chosen = []
        for group in self.budget_groups:
            chosen += self._random_subset(group.options, random)
        return chosen

    def _assigned_once(self, values: list[Any], assigns: Callable[[Any], tuple[str, str]], random: Random) -> list[Any]:
        """Return one value for each piece that has several."""
        by_piece: dict[str, list[Any]] = {}
        for value in values:
            by_piece.setdefault(assigns(value)[0], []).append(value)
        if len(by_piece) == len(values):
            return values
        return [same[floor(random.random() * len(same))] for same in by_piece.values()]

    def _repeated(self, values: Sequence[Any]) -> list[Any]:
        return [value for value in values for _ in range(self.max_repeats(value))]

    def _remaining(self, chosen: list[Any]) -> list[Any]:
        return [value for value in self.values for _ in range(self.max_repeats(value) - chosen.count(value))]

    def _random_subset(self, values: Sequence[Any], random: Random) -> list[Any]:
        if self.limit:
            values = self._repeated(values)
        coins = _COINS[floor(random.random() * 256.0)]
        flipped, count = 8, len(values)
        while flipped < count:
            coins += _COINS[floor(random.random() * 256.0)]
            flipped += 8
        chosen = [*compress(values, coins)]
        return chosen if self.cost is None else self._within_budget(chosen, floor(random.random() * len(chosen)))

    def _within_budget(self, chosen: list[Any], start: int) -> list[Any]:
        """Return those that the budget allows, going around from the one at `start`."""
        cost, left = self.cost, self.budget
        assert cost is not None
        if sum(map(cost, chosen)) <= left:
            return chosen
        kept = []
        for value in chosen[start:] + chosen[:start]:
            price = cost(value)
            if price <= left:
                left -= price
                kept.append(value)
                if not left:
                    break
        return kept

    def _sample_allocation(self, random: Random) -> list[Any]:
        pool, drawn = self._repeated(self.values), []
        for left in range(len(pool), len(pool) - self.at_least, -1):
            at = floor(random.random() * left)
            drawn.append(pool[at])
            pool[at] = pool[left - 1]
        return drawn

    def __repr__(self) -> str:
        return f"<{self.seat}: {self.question} [{self.rule}] {self.instruction()} of {', '.join(self.keys)}>"


def summarize_counts(texts: Iterable[str], most: int | None = NAMED) -> str:
    """Return texts with their counts; only the first `most` (None: all) are named.

    >>> summarize_counts(["Akagi", "Kaga", "Kaga"]), summarize_counts("abc", most=1), summarize_counts([])
    ('Akagi, 2 × Kaga', 'a and 2 more', 'none')
    >>> summarize_counts(["2 research points, torpedoes", "1 escort factor, Indian Ocean"])
    '2 research points, torpedoes; 1 escort factor, Indian Ocean'
    """
    labels = [describe_times(count, text) for text, count in Counter(texts).items()]
    more = f" and {len(labels) - most} more" if most is not None and len(labels) > most else ""
    return f"{join_items(labels[:most]) or 'none'}{more}"


class Block:
    """Several seats deciding in secret at once: `open` has the pending decisions, `done` the results by seat."""

    __slots__ = ("done", "open")

    def __init__(self) -> None:
        self.open: dict[str, Decision] = {}
        self.done: dict[str, Any] = {}


PendingDecisions = Decision | Block
ChosenValues = Any
"""What a rule receives: a list of pieces; inside a secret block, the seat and that list."""
