"""Dice of this game that the server has not: the lowest of several, sums between two numbers, even and odd faces."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

from readyroom.engine.checks import Check, Roll, Roller

Faces = tuple[int, ...]


@lru_cache(maxsize=512)
def _throws(dice: int, sides: int) -> dict[Faces, int]:
    """Yield every sorted roll of the dice, with its multiplicity."""
    throws: dict[Faces, int] = {}
    for faces in product(range(1, sides + 1), repeat=dice):
        key = tuple(sorted(faces))
        throws[key] = throws.get(key, 0) + 1
    return throws


def _odds(dice: int, sides: int, passes: Callable[[Faces], bool]) -> Fraction:
    rolls = _throws(dice, sides)
    return Fraction(sum(ways for faces, ways in rolls.items() if passes(faces)), sides**dice)


class Thrown(Check, frozen=True, eq=False, kw_only=True):
    """A check that looks at the faces, not only at their sum; `well` says in a hint what it is to pass."""

    well: str = "goes well"

    def value(self, faces: Faces) -> int:
        """What the dice come to, before anything is added."""
        return sum(faces)

    def comes_off(self, faces: Faces) -> bool:
        """Whether a roll passes."""
        return self.passes(self.value(faces) + sum(value for _, value in self.modifiers))

    def read(self, dice: bytes) -> Roll:
        """What a roll means."""
        faces = tuple(dice)
        total = self.value(faces) + sum(value for _, value in self.modifiers)
        return Roll(self, dice, total, self.comes_off(faces))

    def resolve(self, roll: Roller) -> Roll:
        """Roll the dice and read them."""
        return self.read(roll(self.dice, self.sides, 0))

    def odds(self) -> Fraction:
        """The exact chance to pass."""
        return _odds(self.dice, self.sides, lambda faces: self.comes_off(faces))

    def again(self, kept: Faces, rolled: int) -> Fraction:
        """The exact chance to pass when these faces are kept and the others are rolled again."""
        return _odds(rolled, self.sides, lambda faces: self.comes_off(kept + faces))


class Lowest(Thrown, frozen=True, eq=False, kw_only=True):
    """[4.8.4, 7.2.4, 8.1.3] Several dice of which only the lowest count.

    >>> Lowest("8.1.4", "acquisition", dice=3, keep=2, at_least=8).odds()
    Fraction(7, 36)
    """

    keep: int = 2

    def value(self, faces: Faces) -> int:
        """The sum of the lowest."""
        return sum(sorted(faces)[: self.keep])

    def arithmetic(self) -> str:
        """What is rolled, what counts and what is needed."""
        plain = Check.arithmetic(self)
        return plain if self.dice == self.keep else f"the {self.keep} lowest of {plain}"


class Within(Thrown, frozen=True, eq=False, kw_only=True):
    """[4.6.3] Two dice whose sum has to lie between two numbers; `pick` says that any two of more dice may do it.

    >>> Within("4.6.3.F", "flak", dice=2, at_least=6, highest=8).odds()
    Fraction(4, 9)
    """

    highest: int
    pick: int = 0

    def comes_off(self, faces: Faces) -> bool:
        """Whether the sum, or that of some two of them, is in the range."""
        assert self.at_least is not None
        sums = [sum(some) for some in combinations(faces, self.pick)] if self.pick else [sum(faces)]
        return any(self.at_least <= one <= self.highest for one in sums)

    def arithmetic(self) -> str:
        """What is rolled and what hits."""
        picked = f", any {self.pick} of them" if self.pick else ""
        return f"{self.dice}d{self.sides}{picked}, {self.at_least} to {self.highest}"


class Shaken(Thrown, frozen=True, eq=False, kw_only=True):
    """[4.6.3.H] Two dice for a fighter: `at_least` and more shake it off, within `lowest` to there it hits.

    >>> Shaken("4.6.3.H", "interceptor", dice=2, lowest=4, at_least=6).odds()
    Fraction(13, 18)
    """

    lowest: int

    def arithmetic(self) -> str:
        """What is rolled, what hits and what shakes it off."""
        assert self.at_least is not None
        hitting = str(self.lowest) if self.lowest == self.at_least - 1 else f"{self.lowest} to {self.at_least - 1}"
        return f"{self.dice}d{self.sides}, hit on {hitting}, shaken off by {self.at_least} or more"


class Even(Thrown, frozen=True, eq=False, kw_only=True):
    """[8.3.7] Dice of which one, or every one, has to show an even face."""

    every: bool = False

    def comes_off(self, faces: Faces) -> bool:
        """Whether they do."""
        return (all if self.every else any)(face % 2 == 0 for face in faces)

    def arithmetic(self) -> str:
        """What is rolled and what is needed."""
        if self.dice == 1:
            return "1d6, even"
        return f"{self.dice}d6, {'all' if self.every else 'one of them'} even"


class Below(Thrown, frozen=True, eq=False, kw_only=True):
    """[8.3.7.M] Dice that all have to show less than a number."""

    limit: int

    def comes_off(self, faces: Faces) -> bool:
        """Whether they do."""
        return all(face < self.limit for face in faces)

    def arithmetic(self) -> str:
        """What is rolled and what is needed."""
        return f"{self.dice}d6, {'all ' if self.dice > 1 else ''}below {self.limit}"


class Hits(Thrown, frozen=True, eq=False, kw_only=True):
    """[4.5.1] Dice of which one has to show a face, or more."""

    face: int

    def comes_off(self, faces: Faces) -> bool:
        """Whether one does."""
        return any(face >= self.face for face in faces)

    def arithmetic(self) -> str:
        """What is rolled and what hits."""
        return f"{self.dice}d6, one {self.face}"


def even(rule: str, name: str, dice: int = 1, *, every: bool = False) -> Even:
    """[8.3.7] A roll for even faces."""
    return Even(rule, name, dice=dice, at_least=0, every=every)


def below(rule: str, name: str, dice: int, limit: int) -> Below:
    """[8.3.7.M] A roll for faces below a number."""
    return Below(rule, name, dice=dice, at_least=0, limit=limit)


def hits(rule: str, name: str, dice: int, face: int) -> Hits:
    """[4.5.1] A roll for one face of a number or more."""
    return Hits(rule, name, dice=dice, at_least=0, face=face)
