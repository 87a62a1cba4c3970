"""What the staff can reckon and throw: an action of the strategic war, with everything that bears on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from readyroom.engine.forms import FormField, ModifierEffect, OddsResult
from readyroom.games.strategic.figures import Data, Modifier
from readyroom.games.strategic.modifiers import adds, usual
from readyroom.games.strategic.tables import Pair

if TYPE_CHECKING:
    from readyroom.games.strategic.state import T

Told: TypeAlias = Mapping[str, str]
"""What was filled in, each blank by its name."""
Means: TypeAlias = Sequence[tuple[str, Fraction]]
"""What is expected, by name."""
FORCES, SITUATION = "The forces", "The situation"
"""The headings under which most blanks stand."""


@dataclass(frozen=True)
class Action:
    """One thing to reckon and to throw: its blanks, its exact odds, and its throw at a table.

    `throw` throws it, tells the log, and gives back the results in a few words each.
    """

    title: str
    rule: str
    about: str
    blanks: Callable[[Data], Mapping[str, FormField]]
    answer: Callable[[Data, Told], OddsResult]
    throw: Callable[[T, Told], list[str]]


def chances(odds: Mapping[Pair, Fraction], words: Callable[[Pair], str]) -> list[tuple[str, Fraction]]:
    """The results of a table in words, with their chances; results that come to the same stand once."""
    found: dict[str, Fraction] = {}
    for result, chance in odds.items():
        text = words(result)
        found[text] = found.get(text, Fraction(0)) + chance
    return list(found.items())


def mean(odds: Mapping[Pair, Fraction], value: Callable[[Pair], int]) -> Fraction:
    """What a result comes to on average."""
    return sum((chance * value(result) for result, chance in odds.items()), Fraction(0))


def worth(lines: Sequence[Modifier], told: Told, net: int, expected: Callable[[int], Means]) -> list[ModifierEffect]:
    """What each line is worth: what is expected with it, less what is without it, all others as they are."""
    found = []
    for line in lines:
        now = adds(line, told[line.key])
        value = now or adds(line, usual(line))
        without = net - now
        changes = [
            (what, with_it - without_it)
            for (what, with_it), (_, without_it) in zip(expected(without + value), expected(without), strict=True)
        ]
        found.append(ModifierEffect(line.title, value, bool(now), changes))
    return found


def number(told: Told, name: str) -> int:
    """A number that was filled in."""
    return int(told[name])


def factors(label: str, value: int, most: int = 120) -> FormField:
    """A blank for so many factors."""
    return FormField(label, str(value), whole=(0, most), group=FORCES)
