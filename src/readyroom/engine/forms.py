"""The desk: what may be asked of a game beside the table. Questions of odds, tools, and the blanks that both have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from readyroom.engine.charts import Chart
from readyroom.engine.errors import InvalidQuery, UnknownOption

_WHOLE = re.compile(r"[+\-−]?\d{1,9}")
QUOTED = 40
"""Letters of what was filled in that an error repeats."""
THROW, CLOSE = "throw", "close"
"""What is offered at a table that only throws what a question of odds reckons."""
CHECKBOX = {"no": "no", "yes": "yes"}
"""The choices of a blank that is ticked or not."""


@dataclass(frozen=True)
class FormField:
    """What is to be filled in: its label, what stands there at first, and what may stand there.

    `choices` are keys with their words; `whole` is the range of a whole number, both ends included, which may also be
    left out where nothing stands there at first. With neither it is any text, a `long` one perhaps. `group` is the
    heading under which it is asked.
    """

    label: str
    value: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    whole: tuple[int, int] | None = None
    multiline: bool = False
    group: str = ""

    @property
    def is_checked(self) -> bool:
        """Whether it is a box to be ticked."""
        return self.choices is CHECKBOX

    def read(self, name: str, inputs: str) -> str:
        """What was filled in, as it is worked with.

        Raises:
            UnknownOption: it is none of the choices.
            InvalidQuery: it is no whole number, or beyond the range.
        """
        inputs = inputs.strip()
        if self.choices and inputs not in self.choices:
            raise UnknownOption(inputs, self.choices, where=f"{name}=")
        if self.whole is None or (not inputs and not self.value):
            return inputs
        least, most = self.whole
        if not _WHOLE.fullmatch(inputs) or not least <= int(inputs.replace("−", "-")) <= most:
            raise InvalidQuery(f"{name} is a whole number from {least} to {most}, not {_short(inputs)!r}.")
        return str(int(inputs.replace("−", "-")))


def _short(told: str) -> str:
    return told if len(told) <= QUOTED else f"{told[:QUOTED]}…"


def checkbox(label: str, group: str = "") -> FormField:
    """A box that is not ticked at first."""
    return FormField(label, "no", CHECKBOX, group=group)


def fill_in(form_fields: Mapping[str, FormField], inputs: Mapping[str, str], where: str) -> dict[str, str]:
    """All blanks with what was told, the others as they stand at first.

    Raises:
        UnknownOption: there is no such blank, or it has no such choice.
        InvalidQuery: a number is none, or beyond its range.
    """
    for name in inputs:
        if name not in form_fields:
            raise UnknownOption(name, form_fields, where=where)
    return {name: blank.read(name, inputs.get(name, blank.value)) for name, blank in form_fields.items()}


@dataclass(frozen=True)
class ModifierEffect:
    """What a modifier adds now, and what it changes in what is expected: with it, less without it.

    `value` is what it adds when it counts; `counts` whether it does now.
    """

    what: str
    value: int
    counts: bool
    changes: Sequence[tuple[str, Fraction]]


@dataclass(frozen=True)
class OddsResult:
    """An exact answer to a question of odds: rows of (what, chance), and the mean where there is one.

    `net` is the arithmetic, line by line, of what is added to the dice; `expected` are means by name; `worth` is what
    each modifier is worth; `parts` are answers of which this one is made, or that belong beside it.
    """

    title: str
    rule: str
    rows: Sequence[tuple[str, Fraction]] = ()
    mean: Fraction | None = None
    note: str = ""
    net: Sequence[tuple[str, int]] | None = None
    expected: Sequence[tuple[str, Fraction]] = ()
    effects: Sequence[ModifierEffect] = ()
    parts: Sequence[OddsResult] = ()

    @property
    def total(self) -> int:
        """What all lines of the arithmetic add together."""
        return sum(value for _, value in self.net or ())


@dataclass(frozen=True)
class OddsQuery:
    """A named question of odds: what it asks for, and the function that answers it.

    `rolled` makes of what was filled in the text of a scenario in which that very thing is thrown at a table: its seat
    is asked again and again to `throw` or to `close`.
    """

    title: str
    form_fields: Mapping[str, FormField]
    answer: Callable[[Mapping[str, str]], OddsResult]
    about: str = ""
    rolled: Callable[[Mapping[str, str]], str] | None = None

    @property
    def parameters(self) -> dict[str, str]:
        """What stands in its blanks at first."""
        return {name: blank.value for name, blank in self.form_fields.items()}

    def evaluate(self, inputs: Mapping[str, str], where: str) -> OddsResult:
        """The answer, with the blanks that were not told as they stand at first.

        Raises:
            UnknownOption: there is no such blank, or it has no such choice.
            InvalidQuery: what was told makes no sense.
        """
        return self.answer(fill_in(self.form_fields, inputs, where))

    def roll_scenario_text(self, inputs: Mapping[str, str], where: str) -> str:
        """The text of a scenario in which just this is thrown; what was not told stands as it does at first.

        Raises:
            UnknownOption: there is no such blank, or it has no such choice.
            InvalidQuery: what was told makes no sense, or this is reckoned only.
        """
        if self.rolled is None:
            raise InvalidQuery(f"{self.title}: this is reckoned only, and not thrown.")
        return self.rolled(fill_in(self.form_fields, inputs, where))


def of_chart(chart: Chart) -> OddsQuery:
    """The odds of a chart that is read with dice, as a question without blanks."""

    def answer(_: Mapping[str, str]) -> OddsResult:
        several = len(chart.columns) > 1
        rows = [
            (f"{column}: {cell}" if several else cell, chance)
            for column in chart.columns
            for cell, chance in chart.odds(column).items()
        ]
        return OddsResult(f"{chart.title} ({chart.dice})", chart.rule, rows)

    return OddsQuery(chart.title, {}, answer)


@dataclass(frozen=True)
class ToolResult:
    """What a tool has found: rows of (what, text, whether it stands out), and a sentence on them."""

    rows: Sequence[tuple[str, str, bool]]
    note: str = ""


@dataclass(frozen=True)
class Tool:
    """Something to work with beside the table, such as a cipher; it knows nothing of any match.

    `work` is given what was filled in; it raises `InvalidQuery` where that makes no sense.
    """

    title: str
    rule: str
    about: str
    form_fields: Mapping[str, FormField]
    work: Callable[[Mapping[str, str]], ToolResult]

    @property
    def values(self) -> dict[str, str]:
        """What stands in its blanks at first."""
        return {key: blank.value for key, blank in self.form_fields.items()}

    def run(self, inputs: Mapping[str, str], where: str) -> ToolResult:
        """Work with what was told; what was not told stands as it does at first. Raises as `fill` does."""
        return self.work(fill_in(self.form_fields, inputs, where))


def groups(form_fields: Mapping[str, FormField]) -> Iterator[tuple[str, dict[str, FormField]]]:
    """The blanks under their headings, in the order of their first ones."""
    for heading in dict.fromkeys(blank.group for blank in form_fields.values()):
        yield heading, {name: blank for name, blank in form_fields.items() if blank.group == heading}
