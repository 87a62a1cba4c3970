"""[2.3.7, 4.5.1, 4.6.3, 4.8.4, 7.2.4, 8.1.3, 8.3.7, 12.6.6.G] Checks that look at single dice, and re-rolls of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import icepool

from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import Check, Roll, Roller
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.bombers import has_benefit, tied_medals, use_benefit
from readyroom.games.doolittle.names import pilot
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.state import T, seat_of

Faces = tuple[int, ...]


@lru_cache(maxsize=512)
def _sorted_rolls(dice: int, sides: int) -> list[tuple[Faces, int]]:
    """Return every sorted roll of the dice, with the number of ways to roll it."""
    return list(icepool.d(sides).pool(dice).expand().items())


class FaceCheck(Check, frozen=True, eq=False, kw_only=True):
    """A check that may look at single faces, and whose dice may be rolled again.

    `success` describes a successful roll in an option's info.
    """

    success: str = "goes well"

    def value(self, faces: Faces) -> int:
        """Return what the dice count, without modifiers."""
        return sum(faces)

    def succeeds(self, faces: Faces) -> bool:
        """Return whether a roll succeeds."""
        return self.passes(self.value(faces) + sum(value for _, value in self.modifiers))

    def read(self, dice: bytes) -> Roll:
        """Return the result of these dice."""
        faces = tuple(dice)
        total = self.value(faces) + sum(value for _, value in self.modifiers)
        return Roll(self, dice, total, self.succeeds(faces))

    def resolve(self, roll: Roller) -> Roll:
        """Roll the dice and return the result."""
        return self.read(roll(self.dice, self.sides, 0))

    def odds(self) -> Fraction:
        """Return the exact probability to pass."""
        return self.reroll_odds((), self.dice)

    def reroll_odds(self, kept: Faces, rolled: int) -> Fraction:
        """Return the exact probability to pass if these faces are kept and the other dice are rolled again."""
        rolls = _sorted_rolls(rolled, self.sides)
        return Fraction(sum(ways for faces, ways in rolls if self.succeeds(kept + faces)), self.sides**rolled)


class BandCheck(FaceCheck, frozen=True, eq=False, kw_only=True):
    """[14.1.2] Dice with several results; `bands` says which sums give which: "crash on 1–3, no damage on 4–6"."""

    bands: str

    def arithmetic(self) -> str:
        """Return the dice and what their sums give."""
        return f"{self.dice}d{self.sides}, {self.bands}"


class LowestDiceCheck(FaceCheck, frozen=True, eq=False, kw_only=True):
    """[4.8.4, 7.2.4, 8.1.3] Several dice of which only the lowest count; `why` says what adds dice: "lights out".

    >>> LowestDiceCheck("8.1.4", "acquisition", dice=3, keep=2, at_least=8).odds()
    Fraction(7, 36)
    """

    keep: int = 2
    why: str = ""

    def value(self, faces: Faces) -> int:
        """Return the sum of the lowest dice."""
        return sum(sorted(faces)[: self.keep])

    def arithmetic(self) -> str:
        """Return the dice, those that count, and the target."""
        plain, dice = Check.arithmetic(self), f"{self.dice}d{self.sides}"
        if self.dice == self.keep:
            return plain
        why = f" (worse for {self.why})" if self.why else ""
        return f"the {self.keep} lowest of {dice}{why}{plain.removeprefix(dice)}"


class RangeCheck(FaceCheck, frozen=True, eq=False, kw_only=True):
    """[4.6.3] Two dice whose sum must be in a range; with `pick`, the sum of any `pick` of the dice.

    >>> RangeCheck("4.6.3.F", "flak", dice=2, at_least=6, highest=8).odds()
    Fraction(4, 9)
    """

    highest: int
    pick: int = 0

    def succeeds(self, faces: Faces) -> bool:
        """Return whether the sum of the dice, or of some `pick` of them, is in the range."""
        assert self.at_least is not None
        sums = [sum(some) for some in combinations(faces, self.pick)] if self.pick else [sum(faces)]
        return any(self.at_least <= one <= self.highest for one in sums)

    def arithmetic(self) -> str:
        """Return the dice and the range."""
        picked = f", any {self.pick} of them" if self.pick else ""
        span = str(self.at_least) if self.at_least == self.highest else f"{self.at_least} to {self.highest}"
        return f"{self.dice}d{self.sides}{picked}, hit on {span}"


class ShakeOffCheck(FaceCheck, frozen=True, eq=False, kw_only=True):
    """[4.6.3.H] Two dice for a fighter: `at_least` or more shakes it off, `lowest` or more below that hits.

    >>> ShakeOffCheck("4.6.3.H", "interceptor", dice=2, lowest=4, at_least=6).odds()
    Fraction(13, 18)
    """

    lowest: int

    def arithmetic(self) -> str:
        """Return the dice, and the sums that hit and shake off."""
        assert self.at_least is not None
        hitting = str(self.lowest) if self.lowest == self.at_least - 1 else f"{self.lowest} to {self.at_least - 1}"
        return f"{self.dice}d{self.sides}, hit on {hitting}, shaken off by {self.at_least} or more"


class EvenCheck(FaceCheck, frozen=True, eq=False, kw_only=True):
    """[8.3.7] Dice of which one, or with `every` all, must be even."""

    at_least: int | None = 0
    every: bool = False

    def succeeds(self, faces: Faces) -> bool:
        """Return whether one die, or every die, is even."""
        return (all if self.every else any)(face % 2 == 0 for face in faces)

    def arithmetic(self) -> str:
        """Return the dice and how many must be even."""
        if self.dice == 1:
            return "1d6, even"
        return f"{self.dice}d6, {'all' if self.every else 'one of them'} even"


class BelowCheck(FaceCheck, frozen=True, eq=False, kw_only=True):
    """[8.3.7.M] Dice that must all be below a number."""

    at_least: int | None = 0
    limit: int

    def succeeds(self, faces: Faces) -> bool:
        """Return whether all dice are below the limit."""
        return all(face < self.limit for face in faces)

    def arithmetic(self) -> str:
        """Return the dice and the limit."""
        return f"{self.dice}d6, {'all ' if self.dice > 1 else ''}below {self.limit}"


class HitCheck(FaceCheck, frozen=True, eq=False, kw_only=True):
    """[4.5.1] Dice of which one must show a face or more."""

    at_least: int | None = 0
    face: int

    def succeeds(self, faces: Faces) -> bool:
        """Return whether a die hits."""
        return any(face >= self.face for face in faces)

    def arithmetic(self) -> str:
        """Return the dice and the lowest face that hits."""
        return f"{self.dice}d6, one {self.face}"


def lowest_total(chart: Chart, column: str, wanted: Callable[[str], bool]) -> int:
    """Return the lowest total of a chart's dice that gives a wanted cell in a column."""
    dice, sides = chart.dice_pool()
    return next(total for total in range(dice, dice * sides + 1) if wanted(chart.cell(total, column)))


# -- re-rolls --------------------------------------------------------------------------------------------------------

IN_THE_AIR = ("flight", "attack")
"""[12.6.6.G] The segments in which medals can be used."""


class Reroll(NamedTuple):
    """A re-roll that can be used: its source and rule, the seat that decides, its piece, and how it is used up."""

    who: str
    rule: str
    seat: str
    piece_key: str
    spend: Callable[[], None]


def roll_with_rerolls(
    table: T,
    check: FaceCheck,
    subject: str,
    bombers: Sequence[Bomber],
    *,
    wanted: bool = True,
    enough: Callable[[Roll], bool] | None = None,
) -> Choice[Roll]:
    """[2.3.7] Roll a check of these bombers; their re-rolls may follow while the result is not `wanted`.

    `enough` replaces that test if more than success counts.
    """
    roll = table.roll(check, subject)
    sources = rerolls_of(table, *bombers)
    return (yield from offer_rerolls(table, check, roll, subject, sources, wanted=wanted, enough=enough))


def offer_rerolls(
    table: T,
    check: FaceCheck,
    roll: Roll,
    subject: str,
    sources: Iterable[Reroll],
    *,
    wanted: bool = True,
    enough: Callable[[Roll], bool] | None = None,
) -> Choice[Roll]:
    """[2.3.7, 8.1.4, DR45] Offer re-rolls one after the other until the roll is good enough."""
    for source in sources:
        if enough(roll) if enough else roll.passed == wanted:
            break
        roll = yield from offer_reroll(table, check, roll, subject, source, wanted=wanted)
    return roll


def rerolls_of(table: T, *bombers: Bomber) -> Iterator[Reroll]:
    """[2.3.7, 12.6.6.G] Yield the re-rolls of bombers: an elite pilot, and medals tied to a bomb."""
    for bomber in bombers:
        if has_benefit(table.data, bomber.elite, "re-roll"):
            yield reroll_of_crewman(table, bomber, "2.3.7")
        if table.state.segment in IN_THE_AIR:
            for marker in tied_medals(table, bomber):
                yield _reroll_of_medals(table, bomber, marker)


def reroll_of_crewman(table: T, bomber: Bomber, rule: str) -> Reroll:
    """[2.3.4, 2.3.7] Return the re-roll of a bomber's elite crewman."""
    assert bomber.elite is not None
    name = table.data.bombers.crewmen[bomber.elite.key].name
    return Reroll(name, rule, seat_of(table.state, bomber.key), bomber.key, lambda: use_benefit(table, bomber))


def _reroll_of_medals(table: T, bomber: Bomber, marker: Marker) -> Reroll:
    """[12.6.6.G] Return the re-roll of medals, which then go back into their cup."""

    def spend() -> None:
        bomber.markers.remove(marker)
        table.state.put_back(marker)
        table.log_line("12.6.6.G", "The medals of {} bring luck.", pilot(table.data, bomber.key), target=bomber)

    return Reroll("the bomber with the medals", "12.6.6.G", seat_of(table.state, bomber.key), bomber.key, spend)


def offer_reroll(
    table: T, check: FaceCheck, roll: Roll, subject: str, source: Reroll, *, wanted: bool = True
) -> Choice[Roll]:
    """[2.3.4, 2.3.7, 8.1.4, DR45] Choose which dice are rolled again, if any; there is no choice if none can help."""
    dice = range(len(roll.dice))
    options = [Option("keep", "keep the roll", ())]
    for number in range(1, len(dice) + 1):
        options += [_reroll_option(check, roll, some, wanted=wanted) for some in combinations(dice, number)]
    if not any(option.info and option.info.chance for option in options):
        return roll
    faces = ", ".join(map(str, roll.dice))
    question = f"{check.name.capitalize()}: {faces} ({check.arithmetic()}). Does {source.who} re-roll?"
    chosen = yield from table.choose(
        source.seat, source.rule, question, options, piece_key=source.piece_key, always=True
    )
    if not chosen.value:
        return roll
    text = "{} re-rolls the dice ({}). The first roll {}."
    first = "failed" if roll.passed != wanted else "was not good enough"
    who = capitalize_first(source.who)
    table.log_line(check.rule, text, who, check.name, first, roll, target=source.piece_key)
    source.spend()
    fresh = table.roll_dice(source.rule, f"{subject}-again", len(chosen.value))
    result = bytearray(roll.dice)
    for at, face in zip(chosen.value, fresh, strict=True):
        result[at] = face
    return check.read(bytes(result))


def _reroll_option(check: FaceCheck, roll: Roll, some: tuple[int, ...], *, wanted: bool) -> Option:
    """Return the option to roll some of the dice again, with the chance of a good result."""
    kept = tuple(face for at, face in enumerate(roll.dice) if at not in some)
    chance = check.reroll_odds(kept, len(some))
    faces = " and ".join(f"the {roll.dice[at]}" for at in some)
    key = "again-" + "-".join(str(at + 1) for at in some)
    return Option(key, f"re-roll {faces}", some, OptionInfo(check.success, float(chance if wanted else 1 - chance)))
