"""What the states of both games share: the rulings, and the calculator's rolls."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import msgspec

V = TypeVar("V")


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rulings on open questions; each is an option of one game or both, the rest have their defaults."""

    submarine_results: Literal["escorts", "shipping"] = "escorts"
    bombing_results: Literal["steps", "points"] = "steps"
    heavy: Literal["repeat", "twice"] = "repeat"
    codebreaking: Literal["commit", "count"] = "commit"
    nationality: Literal["even", "suggested"] = "even"
    excess: Literal["0", "6", "12", "all"] = "6"
    guns: Literal["table", "none"] = "table"
    critical: Literal["4", "5", "6"] = "5"
    final_die: Literal["die", "none"] = "die"
    surprise_bonus: Literal["once", "twice"] = "once"
    disarray: Literal["grounded", "guns"] = "grounded"
    edition: Literal["current", "classic"] = "current"
    questions: Literal["always"] | msgspec.UnsetType = msgspec.UNSET  # unset as in matches of version 1


class Staff(
    msgspec.Struct,
    eq=False,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="staff",
    rename={"inputs": "told", "results": "thrown"},
):
    """[ST.2] A calculator match: an action, its inputs, and the described results of each roll."""

    question: str
    title: str
    inputs: dict[str, str]
    results: list[list[str]] = []


def copy_as(part: Any, type_: type[V]) -> V:
    """Return a part of a state as a part of a view with the same fields."""
    return msgspec.convert(part, type_, from_attributes=True)
