"""Dice checks, with their arithmetic and exact odds.

A `Check` compares a sum with a target. A `Volley` counts hits die by die; some faces may be rolled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Annotated, Generic, Protocol, TypeVar

import icepool
import msgspec

from readyroom.engine.text import count_noun

Modifiers = Sequence[tuple[str, int]]
"""Named modifiers."""
Roller = Callable[[int, int, int], bytes]
"""`roller(count, sides, start)` returns the dice of one event."""

FAILED = "failed"
"""How the result text of a failed check ends."""
R_co = TypeVar("R_co", covariant=True)


class Rollable(Protocol[R_co]):
    """Anything that a table can roll."""

    @property
    def rule(self) -> str:
        """The rule that the roll is made under."""
        ...

    def resolve(self, roller: Roller, /) -> R_co:
        """Roll the dice of this event and return the result."""
        ...


class RolledDice(msgspec.Struct, frozen=True):
    """A roll as the log stores it: its name, the faces round by round, and the arithmetic as text.

    `thresholds` has for each round the lowest face that counts as a hit; it is empty if single dice do not hit.
    """

    name: str
    faces: tuple[tuple[int, ...], ...]
    sides: int
    result: str
    thresholds: tuple[int, ...] = msgspec.field(default=(), name="least")

    @property
    def needed(self) -> tuple[int, ...]:
        """The lowest face that counts in each round; without thresholds all count, or none of a failed check."""
        every = self.sides + 1 if self.result.endswith(FAILED) else 1
        return self.thresholds or (every,) * len(self.faces)

    def to_log(self) -> RolledDice:
        """Return itself."""
        return self


class Roll(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A check that was rolled; true if it passed."""

    check: Check
    dice: bytes
    total: int
    passed: bool

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return "passed" if self.passed else FAILED

    def to_log(self) -> RolledDice:
        """Return the roll for the log, with its arithmetic."""
        result = f"{self.check.arithmetic()}: {self.total}, {self}"
        return RolledDice(self.check.name, (tuple(self.dice),), self.check.sides, result)


_REACHING = [bytes(face >= least for face in range(256)) for least in range(257)]
"""For each threshold a translation table that maps faces that reach it to 1, so that hits can be counted."""


def nonzero_modifiers(modifiers: Iterable[tuple[str, int]]) -> Modifiers:
    """Return the modifiers that are not zero, in order.

    >>> nonzero_modifiers([("navigator", 1), ("haze", 0)])
    [('navigator', 1)]
    """
    return [one for one in modifiers if one[1]]


def with_signs(modifiers: Modifiers) -> str:
    """Return named modifiers as text for a line of arithmetic.

    >>> with_signs([("navigator", +1), ("haze", -1)])
    ' + 1 navigator − 1 haze'
    """
    return "".join(f" {'+' if value >= 0 else '−'} {abs(value)} {name}" for name, value in modifiers)


@lru_cache(maxsize=4096)
def sum_distribution(dice: int, sides: int) -> Mapping[int, Fraction]:
    """Return the exact probability of each sum of the dice."""
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
        """Return whether this sum, modifiers included, passes."""
        return total >= self.at_least if self.at_least is not None else total <= (self.at_most or 0)

    def resolve(self, roller: Roller) -> Roll:
        """Roll the dice and compare."""
        dice = roller(self.dice, self.sides, 0)
        total = sum(dice)
        for _, value in self.modifiers:
            total += value
        return Roll(self, dice, total, self.passes(total))

    def odds(self) -> Fraction:
        """Return the exact probability to pass."""
        shift = sum(value for _, value in self.modifiers)
        chances = sum_distribution(self.dice, self.sides)
        return sum((chance for total, chance in chances.items() if self.passes(total + shift)), Fraction(0))

    def arithmetic(self) -> str:
        """Return dice, modifiers and target as one line."""
        need = f"≥ {self.at_least}" if self.at_least is not None else f"≤ {self.at_most}"
        return f"{self.dice}d{self.sides}{with_signs(self.modifiers)} {need}"

    def __str__(self) -> str:
        return f"{percent(self.odds())}: {self.arithmetic()}"


class Fire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each die of a volley scores `hits` on `at_least` or more, and is rolled again on `again` or more.

    Such a die scores `best` hits on its first roll instead of `hits`, and `further` hits for each further roll of
    `again` or more. `again = 0`: no die is rolled again.
    """

    at_least: Annotated[int, msgspec.Meta(title="least roll that hits", extra_json_schema={"minimum": 1})]
    hits: Annotated[int, msgspec.Meta(title="hits of a die")] = 1
    again: Annotated[int, msgspec.Meta(title="least roll that rolls again (0: none)")] = 0
    best: Annotated[int, msgspec.Meta(title="hits of a die that rolls again")] = 0
    further: Annotated[int, msgspec.Meta(title="hits of each further roll")] = 0
    sides: Annotated[int, msgspec.Meta(title="sides of a die", extra_json_schema={"minimum": 1, "maximum": 255})] = 6

    def __post_init__(self) -> None:
        if not 1 <= self.sides <= 255 or self.at_least < 1 or min(self.hits, self.best, self.further) < 0:
            raise ValueError("a die has 1 to 255 sides, hits on 1 or more, and scores 0 or more hits")
        if self.again and not 1 < self.again <= self.sides:
            raise ValueError(f"a die that is rolled again on {self.again} or more would never stop, or never start")

    @property
    def scoring_again(self) -> int:
        """The lowest face that scores on a further roll."""
        return self.again

    def first(self, face: int) -> int:
        """Return the hits of a die's first roll."""
        if self.again and face >= self.again:
            return self.best
        return self.hits if face >= self.at_least else 0


class Cascade(Fire, frozen=True, kw_only=True):
    """A fire whose further rolls score on `further_at` or more, though only `again` or more is rolled again."""

    further_at: int

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.further_at <= self.again:
            raise ValueError(f"a further roll cannot score on {self.further_at} and be rolled again on {self.again}")

    @property
    def scoring_again(self) -> int:
        """The lowest face that scores on a further roll."""
        return self.further_at


class Salvo(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A volley that was rolled: the faces round by round, and the hits."""

    volley: Volley
    rounds: tuple[bytes, ...]
    hits: int

    def __int__(self) -> int:
        return self.hits

    def __str__(self) -> str:
        return count_noun(self.hits, "hit")

    def to_log(self) -> RolledDice:
        """Return the salvo for the log, with its arithmetic."""
        faces = tuple(tuple(dice) for dice in self.rounds)
        fire = self.volley.fire
        first = min(fire.at_least, fire.again or fire.at_least)
        least = (first, *[fire.scoring_again] * (len(faces) - 1))
        return RolledDice(self.volley.name, faces, fire.sides, f"{self.volley.arithmetic()}: {self}", least)


class Volley(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Dice, each of which may hit.

    >>> Volley("12.3", "dive bombing", 10, Fire(at_least=5, again=6, best=1, further=1)).mean()
    Fraction(11, 3)
    """

    rule: str
    name: str
    dice: int
    fire: Fire

    def resolve(self, roller: Roller) -> Salvo:
        """Roll all dice, then roll again those that may be, until none may."""
        fire = self.fire
        dice = roller(self.dice, fire.sides, 0)
        hitting = dice.translate(_REACHING[fire.at_least]).count(1)
        if not fire.again:
            return Salvo(self, (dice,), fire.hits * hitting)
        again_on, scoring = _REACHING[fire.again], _REACHING[fire.scoring_again]
        again = dice.translate(again_on).count(1)
        hits = fire.hits * max(0, hitting - again) + fire.best * again
        rounds, start = [dice], self.dice
        while again:
            dice = roller(again, fire.sides, start)
            start += again
            again = dice.translate(again_on).count(1)
            hits += fire.further * dice.translate(scoring).count(1)
            rounds.append(dice)
        return Salvo(self, tuple(rounds), hits)

    def odds(self, cap: int) -> list[Fraction]:
        """Return the exact probabilities of 0, 1, … hits; the last entry is `cap` hits or more."""
        return list(volley_odds(self.dice, self.fire, cap))

    def mean(self) -> Fraction:
        """Return the exact expected number of hits."""
        return self.dice * mean_hits(self.fire)

    def arithmetic(self) -> str:
        """Return dice and target as one line."""
        fire = self.fire
        hit = "hit" if fire.hits == 1 else count_noun(fire.hits, "hit")
        parts = [f"{self.dice}d{fire.sides}", f"{hit} on {fire.at_least}{'+' if fire.at_least < fire.sides else ''}"]
        if fire.again:
            if fire.best != fire.hits:
                parts.append(f"{count_noun(fire.best, 'hit')} on {fire.again}")
            each = f" for {count_noun(fire.further, 'hit')}" if fire.further != fire.best else ""
            parts.append(f"{fire.again} rolled again{each}")
        return ", ".join(parts)

    def __str__(self) -> str:
        return f"{self.arithmetic()}: {float(self.mean()):.2f} hits expected"


@lru_cache(maxsize=256)
def mean_hits(fire: Fire) -> Fraction:
    """Return the exact expected hits of one die: its first roll and the infinite series of further ones."""
    first = Fraction(sum(fire.first(face) for face in range(1, fire.sides + 1)), fire.sides)
    if not fire.again:
        return first
    p_again = Fraction(fire.sides + 1 - fire.again, fire.sides)
    p_scores = Fraction(fire.sides + 1 - fire.scoring_again, fire.sides)
    return first + p_again * fire.further * p_scores / (1 - p_again)


@lru_cache(maxsize=4096)
def die_odds(fire: Fire, cap: int) -> tuple[Fraction, ...]:
    """Return the exact probabilities that one die scores 0, 1, … hits; the last entry is `cap` hits or more."""
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
    """Return the exact probabilities that the dice score 0, 1, … hits; the last entry is `cap` hits or more."""
    chances = die_odds(fire, cap)
    scale = lcm(*(chance.denominator for chance in chances))
    below = _power([int(chance * scale) for chance in chances[:cap]], dice, scale)
    every = scale**dice
    return (*(Fraction(ways, every) for ways in below), Fraction(every - sum(below), every))


def _power(ways: Sequence[int], dice: int, scale: int) -> list[int]:
    """Return the number of ways to roll each sum with `dice` dice, given one die's ways to 0, 1, …; drop larger sums.

    The ways are packed side by side in one integer, with room for the largest count, so that multiplying two integers
    convolves them. This is a hundred times as fast as adding sum by sum.
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


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign; zero has none.

    >>> signed(2), signed(-1), signed(0), signed(-0.251, 2), signed(0.001, 2)
    ('+2', '−1', '0', '−0.25', '0.00')
    """
    text = f"{value:+.{digits}f}".replace("-", "−")
    return text if float(text[1:]) else text[1:]


def exact(chance: Fraction) -> str:
    """Return a probability as a short fraction, else as a percentage with six decimals.

    >>> exact(Fraction(5, 12)), exact(Fraction(1, 2**50))
    ('5/12', '0.000000 %')
    """
    short = f"{chance.numerator}/{chance.denominator}"
    return short if len(short) <= 13 else f"{float(chance) * 100:.6f} %"


def percent(chance: Fraction | float) -> str:
    """Return a probability as a whole percentage; 0 % and 100 % only if exact.

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
    """A roll on a chart: the dice, the modified total, and the cell; a `goal` is for the log: "hit on 8 or more"."""

    __slots__ = ("cell", "chart", "column", "dice", "goal", "modifiers", "sides", "total")

    def __init__(
        self, chart: str, column: str, dice: bytes, sides: int, modifiers: Modifiers, total: int, cell: T
    ) -> None:
        self.chart, self.column, self.dice, self.sides = chart, column, dice, sides
        self.modifiers, self.total, self.cell = modifiers, total, cell
        self.goal = ""

    def __str__(self) -> str:
        return str(self.cell)

    def to_log(self) -> RolledDice:
        """Return the roll for the log, with its arithmetic; a chart with a number for a name is called a table."""
        place = (f", column {self.column}" if self.column else "") + (f", {self.goal}" if self.goal else "")
        sums = f"{len(self.dice)}d{self.sides}{with_signs(self.modifiers)} = {self.total}{place}: {self.cell}"
        name = f"table {self.chart}" if self.chart[:1].isdigit() else self.chart
        return RolledDice(name, (tuple(self.dice),), self.sides, sums)
