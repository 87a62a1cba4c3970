"""[24.62.3] The net modifier, from the lines of the modifier tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.forms import FormField, checkbox
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.tables.figures import Data, Modifier

MOST, FAR = 9, 60
"""Upper limits of the form fields: of levels and counts, and of distances."""
SIDES = {"neither": "neither side", "attacker": "the attacker", "defender": "the defender"}
_SIGN = {"neither": 0, "attacker": 1, "defender": -1}
NATIONS = {"german": "German", "japanese": "Japanese", "american": "American"}
_COUNTS_FOR = {
    **{key: f"{name} submarines" for key, name in NATIONS.items()},
    "europe": "raids in Europe",
    "pacific": "raids in the Pacific",
}
_CHOICES = {"later": "later turn", "first": "first turn", "second": "second turn"}


def form_fields(lines: Iterable[Modifier], group: str) -> dict[str, FormField]:
    """Return the form fields for these lines."""
    return {line.key: _form_field(line, group) for line in lines}


def _form_field(line: Modifier, group: str) -> FormField:
    label = capitalize_first(line.title)
    if line.kind == "tick":
        return checkbox(label, group)
    if line.kind == "advantage":
        return FormField(label, "neither", SIDES, group=group)
    if line.kind == "choice":
        return FormField(
            label, next(iter(line.choices)), {key: _CHOICES.get(key, key) for key in line.choices}, group=group
        )
    most = FAR if line.kind == "steps" or line.key in ("hex", "air-units", "earlier") else MOST
    return FormField(label, "0", whole=(-most if line.kind == "difference" else 0, most), group=group)


def adds(line: Modifier, value: str) -> int:
    """Return what a line adds for an input value."""
    if line.kind == "tick":
        return line.value if value == "yes" else 0
    if line.kind == "advantage":
        return line.value * _SIGN[value]
    if line.kind == "choice":
        return line.choices[value]
    if line.kind == "steps":
        return line.value * min(line.most, int(value) // line.step)
    return line.value * int(value)


def net(lines: Iterable[Modifier], inputs: Mapping[str, str], by: str = "") -> list[tuple[str, int]]:
    """[24.62.3] Return the lines that add something; their sum is the net modifier (A5).

    `by` is the nationality of the submarines, or the theater, where that matters.

    Raises:
        InvalidQuery: a line applies to others only, or lacks a line it needs.
    """
    modifiers = []
    lines = list(lines)
    for line in lines:
        value = adds(line, inputs[line.key])
        if not value:
            continue
        if line.only and by not in line.only:
            counts = " and ".join(_COUNTS_FOR[who] for who in line.only)
            raise InvalidQuery(
                f"{capitalize_first(line.title)} [{line.rule}] applies to {counts} only, not to {_COUNTS_FOR[by]}. "
                f"Reset {line.key}."
            )
        needed = next((other for other in lines if other.key == line.needs), None)
        if needed is not None and not adds(needed, inputs[needed.key]):
            raise InvalidQuery(
                f"{line.key}={inputs[line.key]} needs {needed.key}: {needed.title} [{line.rule}]. Set that too."
            )
        modifiers.append((line.title, value))
    return modifiers


def example_value(line: Modifier) -> str:
    """Return the smallest input with which a line adds something."""
    if line.kind == "tick":
        return "yes"
    if line.kind == "advantage":
        return "attacker"
    if line.kind == "choice":
        return max(line.choices, key=lambda key: line.choices[key])
    return str(line.step)


def unset(line: Modifier) -> str:
    """Return the input with which a line adds nothing."""
    if line.kind == "choice":
        return next(key for key, value in line.choices.items() if not value)
    return {"tick": "no", "advantage": "neither"}.get(line.kind, "0")


def counting(lines: Sequence[Modifier], by: str) -> list[Modifier]:
    """Return the lines that can apply to these submarines, or in this theater."""
    return [line for line in lines if not line.only or by in line.only]


def total(lines: Iterable[tuple[str, int]]) -> int:
    """Return the sum of modifiers."""
    return sum(value for _, value in lines)


def strength(data: Data, inputs: Mapping[str, str]) -> list[tuple[str, int]]:
    """[24.62.10] Return the strength of a target, part by part."""
    counts = ((part, int(inputs[part.key])) for part in data.modifiers.strength)
    return [(part.title, part.value * count) for part, count in counts if count]
