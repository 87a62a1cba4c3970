"""Checks: dice thrown against something, with their arithmetic and their exact odds.

A `Check` compares a sum with a target. A `Volley` counts hits, die by die, where some faces may be thrown again.
Both know their exact odds before the throw and tell their arithmetic after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Generic, Protocol, TypeVar

import icepool
import msgspec

from readyroom.engine.text import count_noun

Modifiers = Sequence[tuple[str, int]]
"""Names, and what each adds."""
Roller = Callable[[int, int, int], bytes]
"""`thrower(count, sides, start)`: the dice of one event."""

FAILED = "failed"
"""How the result of a check ends that was not passed."""
R_co = TypeVar("R_co", covariant=True)


class Rollable(Protocol[R_co]):
    """Anything that a table can roll."""

    @property
    def rule(self) -> str:
        """The rule that the roll is made under."""
        ...

    def resolve(self, throw: Roller) -> R_co:
        """Throw the dice of this event and say what they mean."""
        ...


class RolledDice(msgspec.Struct, frozen=True):
    """A roll as the log keeps it: its name, the faces shown round by round, and the arithmetic in words.

    `thresholds` has for each round the least face that counts as a hit; it is empty where no single die hits.
    """

    name: str
    faces: tuple[tuple[int, ...], ...]
    sides: int
    result: str
    thresholds: tuple[int, ...] = msgspec.field(default=(), name="least")

    @property
    def needed(self) -> tuple[int, ...]:
        """The least face that counts in each round: where no single die hits, all do, or none of a failed check."""
        every = self.sides + 1 if self.result.endswith(FAILED) else 1
        return self.thresholds or (every,) * len(self.faces)

    def to_log(self) -> RolledDice:
        """Itself: a roll that was kept is told again as it was."""
        return self


class Roll(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A check that has been rolled; true when it was passed."""

    check: Check
    dice: bytes
    total: int
    passed: bool

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return "passed" if self.passed else FAILED

    def to_log(self) -> RolledDice:
        """The roll for the log, with its arithmetic."""
        shown = f"{self.check.arithmetic()}: {self.total}, {self}"
        return RolledDice(self.check.name, (tuple(self.dice),), self.check.sides, shown)


_REACHING = [bytes(face >= least for face in range(256)) for least in range(257)]
"""For a number, which faces reach it: a throw is translated by it, and the ones are counted."""


def nonzero_modifiers(modifiers: Iterable[tuple[str, int]]) -> Modifiers:
    """Those modifiers that change anything, in their order.

    >>> nonzero_modifiers([("navigator", 1), ("haze", 0)])
    [('navigator', 1)]
    """
    return [one for one in modifiers if one[1]]


def with_signs(modifiers: Modifiers) -> str:
    """Named modifiers as they stand behind the dice in a line of arithmetic.

    >>> with_signs([("navigator", +1), ("haze", -1)])
    ' + 1 navigator − 1 haze'
    """
    return "".join(f" {'+' if value >= 0 else '−'} {abs(value)} {name}" for name, value in modifiers)


@lru_cache(maxsize=4096)
def sum_distribution(dice: int, sides: int) -> Mapping[int, Fraction]:
    """The exact chance of each sum of so many dice."""
    pool = dice @ icepool.d(sides)
    return {int(total): Fraction(quantity, pool.denominator()) for total, quantity in pool.items()}


class Check(msgspec.Struct, frozen=True, eq=False):
    """A sum of dice and named modifiers that must reach `at_least`, or stay at or under `at_most`.

    >>> check = Check("4.8.1", "approach", dice=2, at_least=8, modifiers=[("navigator", +1), ("haze", -1)])
    >>> check.odds()
    Fraction(5, 12)
    >>> check.arithmetic()
    '2d6 + 1 navigator − 1 haze ≥ 8'
    """

    rule: str
    name: str
    dice: int = 1
    at_least: int | None = None
    at_most: int | None = None
    modifiers: Modifiers = ()
    sides: int = 6

    def __post_init__(self) -> None:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError(f"check {self.name!r} needs either at_least or at_most")

    def passes(self, total: int) -> bool:
        """Whether this sum, modifiers included, passes."""
        return total >= self.at_least if self.at_least is not None else total <= (self.at_most or 0)

    def resolve(self, throw: Roller) -> Roll:
        """Throw the dice and compare."""
        dice = throw(self.dice, self.sides, 0)
        total = sum(dice)
        for _, value in self.modifiers:
            total += value
        return Roll(self, dice, total, self.passes(total))

    def odds(self) -> Fraction:
        """The exact chance to pass."""
        shift = sum(value for _, value in self.modifiers)
        chances = sum_distribution(self.dice, self.sides)
        return sum((chance for total, chance in chances.items() if self.passes(total + shift)), Fraction(0))

    def arithmetic(self) -> str:
        """What is thrown, what is added and what is needed, in one line."""
        need = f"≥ {self.at_least}" if self.at_least is not None else f"≤ {self.at_most}"
        return f"{self.dice}d{self.sides}{with_signs(self.modifiers)} {need}"

    def __str__(self) -> str:
        return f"{percent(self.odds())}: {self.arithmetic()}"


class Fire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each die of a volley does: `hits` on `at_least` or more; a die that shows `again` or more is thrown again.

    On its first throw such a die scores `best` hits instead of `hits`, and on every throw after that `further` hits
    for each further face of `again` or more. `again = 0`: nothing is thrown again.
    """

    at_least: int
    hits: int = 1
    again: int = 0
    best: int = 0
    further: int = 0
    sides: int = 6

    def __post_init__(self) -> None:
        if not 1 <= self.sides <= 255 or self.at_least < 1 or min(self.hits, self.best, self.further) < 0:
            raise ValueError("a die has 1 to 255 sides, hits on 1 or more, and scores no fewer hits than none")
        if self.again and not 1 < self.again <= self.sides:
            raise ValueError(f"a die that is thrown again on {self.again} or more would never end, or never begin")

    @property
    def scoring_again(self) -> int:
        """The least face that scores on a further throw."""
        return self.again

    def first(self, face: int) -> int:
        """The hits of a die's first throw."""
        if self.again and face >= self.again:
            return self.best
        return self.hits if face >= self.at_least else 0


class Cascade(Fire, frozen=True, kw_only=True):
    """A fire whose further throws score on `further_at` or more, though only `again` or more is thrown once more."""

    further_at: int

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.further_at <= self.again:
            raise ValueError(f"a further throw cannot score on {self.further_at} and be thrown again on {self.again}")

    @property
    def scoring_again(self) -> int:
        """The least face that scores on a further throw."""
        return self.further_at


class Salvo(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A volley that has been thrown: the faces round by round, and the hits."""

    volley: Volley
    rounds: tuple[bytes, ...]
    hits: int

    def __int__(self) -> int:
        return self.hits

    def __str__(self) -> str:
        return count_noun(self.hits, "hit")

    def to_log(self) -> RolledDice:
        """The salvo for the log, with its arithmetic."""
        faces = tuple(tuple(dice) for dice in self.rounds)
        fire = self.volley.fire
        first = min(fire.at_least, fire.again or fire.at_least)
        least = (first, *[fire.scoring_again] * (len(faces) - 1))
        return RolledDice(self.volley.name, faces, fire.sides, f"{self.volley.arithmetic()}: {self}", least)


class Volley(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Some dice, each of which may hit.

    >>> Volley("12.3", "dive bombing", 10, Fire(at_least=5, again=6, best=1, further=1)).mean()
    Fraction(11, 3)
    """

    rule: str
    name: str
    dice: int
    fire: Fire

    def resolve(self, throw: Roller) -> Salvo:
        """Throw all dice, then those again that may be, until none may."""
        fire = self.fire
        dice = throw(self.dice, fire.sides, 0)
        hitting = dice.translate(_REACHING[fire.at_least]).count(1)
        if not fire.again:
            return Salvo(self, (dice,), fire.hits * hitting)
        again_on, scoring = _REACHING[fire.again], _REACHING[fire.scoring_again]
        again = dice.translate(again_on).count(1)
        hits = fire.hits * max(0, hitting - again) + fire.best * again
        rounds, start = [dice], self.dice
        while again:
            dice = throw(again, fire.sides, start)
            start += again
            again = dice.translate(again_on).count(1)
            hits += fire.further * dice.translate(scoring).count(1)
            rounds.append(dice)
        return Salvo(self, tuple(rounds), hits)

    def odds(self, cap: int) -> list[Fraction]:
        """The exact chances of 0, 1, … hits; the last entry is that of `cap` hits or more."""
        return list(volley_odds(self.dice, self.fire, cap))

    def mean(self) -> Fraction:
        """The exact expected number of hits."""
        return self.dice * mean_hits(self.fire)

    def arithmetic(self) -> str:
        """What is thrown and what hits, in one line."""
        fire = self.fire
        again = f", {fire.again} thrown again" if fire.again else ""
        return f"{self.dice}d{fire.sides}, hit on {fire.at_least}{'+' if fire.at_least < fire.sides else ''}{again}"

    def __str__(self) -> str:
        return f"{self.arithmetic()}: {float(self.mean()):.2f} hits expected"


@lru_cache(maxsize=256)
def mean_hits(fire: Fire) -> Fraction:
    """The exact expected hits of one die: the first throw, and the endless row of further ones."""
    first = Fraction(sum(fire.first(face) for face in range(1, fire.sides + 1)), fire.sides)
    if not fire.again:
        return first
    p_again = Fraction(fire.sides + 1 - fire.again, fire.sides)
    p_scores = Fraction(fire.sides + 1 - fire.scoring_again, fire.sides)
    return first + p_again * fire.further * p_scores / (1 - p_again)


@lru_cache(maxsize=4096)
def die_odds(fire: Fire, cap: int) -> tuple[Fraction, ...]:
    """The exact chances that one die scores 0, 1, … hits; the last entry is that of `cap` hits or more."""
    chances = [Fraction(0)] * (cap + 1)
    for face in range(1, fire.sides + 1):
        if not (fire.again and face >= fire.again):
            chances[min(fire.first(face), cap)] += Fraction(1, fire.sides)
    if fire.again:
        p_again = Fraction(fire.sides + 1 - fire.again, fire.sides)
        p_scores = Fraction(fire.sides + 1 - fire.scoring_again, fire.sides)
        reach, hits = p_again, fire.best
        while hits < cap and fire.further:
            chances[hits] += reach * (1 - p_scores)
            chances[min(hits + fire.further, cap)] += reach * (p_scores - p_again)
            reach, hits = reach * p_again, hits + fire.further
        chances[min(hits, cap)] += reach
    return tuple(chances)


@lru_cache(maxsize=4096)
def volley_odds(dice: int, fire: Fire, cap: int) -> tuple[Fraction, ...]:
    """The exact chances that so many dice score 0, 1, … hits; the last entry is that of `cap` hits or more."""
    chances = die_odds(fire, cap)
    scale = lcm(*(chance.denominator for chance in chances))
    below = _power([int(chance * scale) for chance in chances[:cap]], dice, scale)
    every = scale**dice
    return (*(Fraction(ways, every) for ways in below), Fraction(every - sum(below), every))


def _power(ways: Sequence[int], dice: int, scale: int) -> list[int]:
    """In how many ways so many dice come to each sum, of one die's ways to 0, 1, …; greater sums are left out.

    The ways stand side by side in one whole number, with room for as many as there are in all, so that multiplying two
    such numbers adds the dice. It is a hundred times as quick as adding them sum by sum.
    """
    room = (scale**dice).bit_length()
    every = (1 << room * len(ways)) - 1
    power = sum(count << room * total for total, count in enumerate(ways))
    pool, left = 1 & every, dice
    while left:
        if left % 2:
            pool = pool * power & every
        power, left = power * power & every, left // 2
    one = (1 << room) - 1
    return [pool >> room * total & one for total in range(len(ways))]


def signed(value: int) -> str:
    """A number as it is added: with its sign, and nothing as that.

    >>> signed(2), signed(-1), signed(0)
    ('+2', '−1', '0')
    """
    return f"{value:+d}".replace("-", "−") if value else "0"


def exact(chance: Fraction) -> str:
    """A chance as a fraction where that can be read, else to six digits of a per cent.

    >>> exact(Fraction(5, 12)), exact(Fraction(1, 2**50))
    ('5/12', '0.000000 %')
    """
    short = f"{chance.numerator}/{chance.denominator}"
    return short if len(short) <= 13 else f"{float(chance) * 100:.6f} %"


def percent(chance: Fraction | float) -> str:
    """A chance as people read it: whole per cents, with the ends kept honest.

    >>> percent(Fraction(5, 12)), percent(0.999), percent(0.001), percent(1)
    ('42 %', 'over 99 %', 'under 1 %', '100 %')
    """
    share = float(chance) * 100
    if 0 < share < 1:
        return "under 1 %"
    if 99 < share < 100:
        return "over 99 %"
    return f"{share:.0f} %"


T = TypeVar("T")


class ChartRoll(Generic[T]):
    """A chart that has been consulted: the dice, the modified total, and the cell found."""

    __slots__ = ("cell", "chart", "column", "dice", "modifiers", "sides", "total")

    def __init__(
        self, chart: str, column: str, dice: bytes, sides: int, modifiers: Modifiers, total: int, cell: T
    ) -> None:
        self.chart, self.column, self.dice, self.sides = chart, column, dice, sides
        self.modifiers, self.total, self.cell = modifiers, total, cell

    def __str__(self) -> str:
        return str(self.cell)

    def to_log(self) -> RolledDice:
        """The roll for the log, with its arithmetic; a chart that has but a number is called a table."""
        place = f", column {self.column}" if self.column else ""
        sums = f"{len(self.dice)}d{self.sides}{with_signs(self.modifiers)} = {self.total}{place}: {self.cell}"
        name = f"table {self.chart}" if self.chart[:1].isdigit() else self.chart
        return RolledDice(name, (tuple(self.dice),), self.sides, sums)
