"""The view of a calculator match."""

from __future__ import annotations

import msgspec


class ResultView(msgspec.Struct, frozen=True):
    """A result of the calculator: the modifiers that count, and the probability of each result."""

    title: str
    net: list[tuple[str, int]] | None
    rows: list[tuple[str, float]]

    @property
    def total(self) -> int:
        """The net modifier."""
        return sum(value for _, value in self.net or ())


class CalculatorView(msgspec.Struct, frozen=True, tag_field="part", tag="staff", rename={"results": "thrown"}):
    """[ST.2] The action with its odds (`subject` and the first of `parts`), and the described results of each roll."""

    question: str
    title: str
    rule: str
    subject: str
    parts: list[ResultView]
    expected: list[tuple[str, float]]
    results: list[list[str]]
