"""An action of the calculator: its form, its exact odds, and its roll at a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from readyroom.engine.rules.forms import FormField, ModifierEffect, OddsResult
from readyroom.engine.rules.table import Table
from readyroom.games.strategic.tables.figures import Data, Modifier
from readyroom.games.strategic.tables.grids import Pair, add_up
from readyroom.games.strategic.tables.modifiers import adds, example_value

T: TypeAlias = Table[Any, Data]
"""A match of either game."""
Inputs: TypeAlias = Mapping[str, str]
"""The values entered, by field."""
Means: TypeAlias = Sequence[tuple[str, Fraction]]
"""Expected values, by name."""
FORCES, SITUATION = "The forces", "The situation"
"""The headings of most fields."""


@dataclass(frozen=True)
class Action:
    """One action: its form, its exact odds, and its roll at a table.

    `roll` rolls the dice, writes the log, and returns a short description of each result, which
    the state keeps: do not reword them. `added` are fields that matches of earlier versions lack: a match keeps them
    only if they differ from their defaults.
    """

    title: str
    rule: str
    about: str
    form_fields: Callable[[Data], Mapping[str, FormField]]
    answer: Callable[[Data, Inputs], OddsResult]
    roll: Callable[[T, Inputs], list[str]]
    added: Collection[str] = ()

    def kept(self, data: Data, inputs: Inputs) -> dict[str, str]:
        """Return the inputs that a match keeps."""
        fields = self.form_fields(data)
        return {key: value for key, value in inputs.items() if key not in self.added or value != fields[key].value}

    def complete(self, data: Data, kept: Inputs) -> dict[str, str]:
        """Return the inputs of all fields, from those that a match keeps."""
        return {key: each.value for key, each in self.form_fields(data).items()} | dict(kept)


def chances(odds: Mapping[Pair, Fraction], describe: Callable[[Pair], str]) -> list[tuple[str, Fraction]]:
    """Return described results with their probabilities, equal descriptions merged."""
    return list(add_up((describe(result), chance) for result, chance in odds.items()).items())


def modifier_effects(
    lines: Sequence[Modifier], inputs: Inputs, net: int, expected: Callable[[int], Means]
) -> list[ModifierEffect]:
    """Return the change in the expected values that each line makes, all others unchanged."""
    effects = []
    for line in lines:
        now = adds(line, inputs[line.key])
        value = now or adds(line, example_value(line))
        without = net - now
        changes = [
            (what, with_it - without_it)
            for (what, with_it), (_, without_it) in zip(expected(without + value), expected(without), strict=True)
        ]
        effects.append(ModifierEffect(line.title, value, bool(now), changes))
    return effects


def number(inputs: Inputs, name: str) -> int:
    """Return an input as a number."""
    return int(inputs[name])


def factors(label: str, value: int, most: int = 120) -> FormField:
    """Return a field for a number of factors."""
    return FormField(label, str(value), whole=(0, most), group=FORCES)
