"""[24.62.3] What is added to a roll: each line of the tables of modifiers, filled in and added up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.forms import FormField, checkbox
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.figures import Data, Modifier

MOST, FAR = 9, 60
"""More levels, or more of anything that is counted one by one, than there can be."""
SIDES = {"neither": "neither side", "attacker": "the attacker", "defender": "the defender"}
_SIGN = {"neither": 0, "attacker": 1, "defender": -1}
NATIONS = {"german": "German", "japanese": "Japanese", "american": "American"}
_COUNTS_FOR = {
    **{key: f"{name} submarines" for key, name in NATIONS.items()},
    "europe": "raids in Europe",
    "pacific": "raids in the Pacific",
}
_WORDS = {"later": "a later one", "first": "the first", "second": "the second"}


def blanks(lines: Iterable[Modifier], group: str) -> dict[str, FormField]:
    """What is to be filled in for these lines."""
    return {line.key: _blank(line, group) for line in lines}


def _blank(line: Modifier, group: str) -> FormField:
    label = capitalize_first(line.title)
    if line.kind == "tick":
        return checkbox(label, group)
    if line.kind == "advantage":
        return FormField(label, "neither", SIDES, group=group)
    if line.kind == "choice":
        return FormField(
            label, next(iter(line.choices)), {key: _WORDS.get(key, key) for key in line.choices}, group=group
        )
    most = FAR if line.kind == "steps" or line.key in ("hex", "air-units", "earlier") else MOST
    return FormField(label, "0", whole=(-most if line.kind == "difference" else 0, most), group=group)


def adds(line: Modifier, told: str) -> int:
    """What a line adds, by what was filled in for it."""
    if line.kind == "tick":
        return line.value if told == "yes" else 0
    if line.kind == "advantage":
        return line.value * _SIGN[told]
    if line.kind == "choice":
        return line.choices[told]
    if line.kind == "steps":
        return line.value * min(line.most, int(told) // line.step)
    return line.value * int(told)


def net(lines: Iterable[Modifier], told: Mapping[str, str], by: str = "") -> list[tuple[str, int]]:
    """[24.62.3] Every line that adds something, with what it adds; their sum is the net modifier (A5).

    `by` says whose submarines attack, or in which theater, where that matters.

    Raises:
        InvalidQuery: a line is filled in that counts for others only, or without another that it needs.
    """
    found = []
    lines = list(lines)
    for line in lines:
        value = adds(line, told[line.key])
        if not value:
            continue
        if line.only and by not in line.only:
            counts = " and ".join(_COUNTS_FOR[who] for who in line.only)
            raise InvalidQuery(
                f"{capitalize_first(line.title)} [{line.rule}]: that counts for {counts} only, and these are "
                f"{_COUNTS_FOR[by]}. Set {line.key} back."
            )
        needed = next((other for other in lines if other.key == line.needs), None)
        if needed is not None and not adds(needed, told[needed.key]):
            raise InvalidQuery(
                f"{line.key}={told[line.key]} needs {needed.key}: {needed.title} [{line.rule}]. Tick that as well."
            )
        found.append((line.title, value))
    return found


def usual(line: Modifier) -> str:
    """What a line is tried with where it is not filled in, to see what it is worth: the least that adds something."""
    if line.kind == "tick":
        return "yes"
    if line.kind == "advantage":
        return "attacker"
    if line.kind == "choice":
        return max(line.choices, key=lambda key: line.choices[key])
    return str(line.step)


def unset(line: Modifier) -> str:
    """What stands for a line that does not count."""
    if line.kind == "choice":
        return next(key for key, value in line.choices.items() if not value)
    return {"tick": "no", "advantage": "neither"}.get(line.kind, "0")


def counting(lines: Sequence[Modifier], by: str) -> list[Modifier]:
    """The lines that can count for these submarines, or in this theater."""
    return [line for line in lines if not line.only or by in line.only]


def strength(data: Data, told: Mapping[str, str]) -> list[tuple[str, int]]:
    """[24.62.10] The strength of a target, part by part."""
    return [(part.title, part.value * int(told[part.key])) for part in data.modifiers.strength if int(told[part.key])]
