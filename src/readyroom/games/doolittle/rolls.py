"""Dice of this game that the server has not: the lowest of several, sums between two numbers, even and odd faces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from readyroom.engine.checks import Check, Roll, Roller
from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Choice
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.bombers import benefit, medals, pilot_of, use
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.state import T, seat_of

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


IN_THE_AIR = ("flight", "attack")
"""[12.6.6.G] The segments in which medals are good for something."""


class Reroll(NamedTuple):
    """What allows dice to be rolled again: who or what it is, under which rule, who is asked, and what it costs."""

    who: str
    rule: str
    seat: str
    about: str
    spend: Callable[[], None]


def roll_with_rerolls(
    table: T,
    check: Thrown,
    subject: str,
    bombers: Sequence[Bomber],
    *,
    wanted: bool = True,
    enough: Callable[[Roll], bool] | None = None,
) -> Choice[Roll]:
    """[2.3.7] A roll; if it went ill, an elite pilot among these bombers may have some of its dice rolled again.

    `enough` says of a roll that no one would want it again, where that is more than passing or not.
    """
    roll = table.roll(check, subject)
    for chance in (one for bomber in bombers for one in rerolls_of(table, bomber)):
        if enough(roll) if enough else roll.passed == wanted:
            break
        roll = yield from again(table, check, roll, subject, chance, wanted=wanted)
    return roll


def rerolls_of(table: T, bomber: Bomber) -> Iterator[Reroll]:
    """[2.3.7, 12.6.6.G] What lets dice of a bomber be rolled again: its elite pilot, and medals tied to a bomb."""
    if benefit(table.data, bomber, "re-roll"):
        yield of_pilot(table, bomber)
    if table.state.segment in IN_THE_AIR:
        for marker in medals(table, bomber):
            yield Reroll(
                "the medals' luck",
                "12.6.6.G",
                seat_of(table.state, bomber.key),
                bomber.key,
                _spent(table, bomber, marker),
            )


def _spent(table: T, bomber: Bomber, marker: Marker) -> Callable[[], None]:
    """[12.6.6.G] The medals are used up, and go back."""

    def spend() -> None:
        table.log_line("12.6.6.G", "The medals of {} bring luck.", pilot_of(table, bomber))
        bomber.markers.remove(marker)
        table.state.put_back(marker)

    return spend


def of_pilot(table: T, bomber: Bomber) -> Reroll:
    """[2.3.7] The elite pilot who has dice rolled again, once."""
    assert bomber.elite is not None
    name = table.data.bombers.crewmen[bomber.elite.key].name
    return Reroll(name, "2.3.7", seat_of(table.state, bomber.key), bomber.key, lambda: use(table, bomber))


def again(table: T, check: Thrown, roll: Roll, subject: str, chance: Reroll, *, wanted: bool = True) -> Choice[Roll]:
    """[2.3.4, 2.3.7, 8.1.4, DR45] Which dice are rolled again, if any; no one is asked where no die could help."""
    text = ", ".join(map(str, roll.dice))
    options = [Option("keep", "keep it", ())]
    for number in range(1, len(roll.dice) + 1):
        options += [_anew(check, roll, some, wanted=wanted) for some in combinations(range(len(roll.dice)), number)]
    if not any(option.info and option.info.chance for option in options):
        return roll
    question = f"{check.name.capitalize()}: {text} ({check.arithmetic()}). Does {chance.who} roll again?"
    chosen = yield from table.choose(chance.seat, chance.rule, question, options, piece_key=chance.about, always=True)
    if not chosen.value:
        return roll
    first = "failed" if roll.passed != wanted else "was not good enough"
    table.log_line(
        check.rule,
        "{} re-rolls the dice ({}). The first roll {}.",
        capitalize_first(chance.who),
        check.name,
        first,
        roll,
    )
    chance.spend()
    fresh = table.roll_dice(chance.rule, f"{subject}-again", len(chosen.value))
    dice = bytearray(roll.dice)
    for at, face in zip(chosen.value, fresh, strict=True):
        dice[at] = face
    return check.read(bytes(dice))


def _anew(check: Thrown, roll: Roll, some: tuple[int, ...], *, wanted: bool) -> Option:
    """Some dice to be rolled again, with the chance that it then goes well."""
    kept = tuple(face for at, face in enumerate(roll.dice) if at not in some)
    chance = check.again(kept, len(some))
    faces = " and ".join(f"the {roll.dice[at]}" for at in some)
    key = "again-" + "-".join(str(at + 1) for at in some)
    return Option(key, f"re-roll {faces}", some, OptionInfo(check.well, float(chance if wanted else 1 - chance)))
