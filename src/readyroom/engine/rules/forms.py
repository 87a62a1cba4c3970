"""Odds queries and tools of a game, and their form fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from readyroom.engine.errors import InvalidQuery, UnknownOption
from readyroom.engine.rules.charts import Chart

_WHOLE = re.compile(r"[+\-−]?\d{1,9}")
QUOTED = 40
"""The most letters of an input that an error repeats."""
ROLL, CLOSE = "throw", "close"
"""The options at a table that only rolls what an odds query calculates."""
CHECKBOX = {"no": "no", "yes": "yes"}
"""The choices of a checkbox."""


@dataclass(frozen=True)
class FormField:
    """A form field: its label, default value, and allowed values.

    `choices` are keys with their texts; `whole` is the range of an integer, both ends included, which may be empty if
    the default is. With neither, any text is allowed, over several lines if `multiline`. `group` is its heading.
    """

    label: str
    value: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    whole: tuple[int, int] | None = None
    multiline: bool = False
    group: str = ""

    @property
    def is_checked(self) -> bool:
        """Whether the field is a checkbox."""
        return self.choices is CHECKBOX

    def read(self, name: str, inputs: str) -> str:
        """Return a valid input in its standard form.

        Raises:
            UnknownOption: it is not one of the choices.
            InvalidQuery: it is not a whole number, or out of range.
        """
        inputs = inputs.strip()
        if self.choices and inputs not in self.choices:
            raise UnknownOption(inputs, self.choices, where=f"{name}=")
        if self.whole is None or (not inputs and not self.value):
            return inputs
        least, most = self.whole
        if not _WHOLE.fullmatch(inputs) or not least <= int(inputs.replace("−", "-")) <= most:
            raise InvalidQuery(f"{name} must be a whole number from {least} to {most}, not {_short(inputs)!r}.")
        return str(int(inputs.replace("−", "-")))


def _short(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def checkbox(label: str, group: str = "") -> FormField:
    """Return a checkbox that is not selected by default."""
    return FormField(label, "no", CHECKBOX, group=group)


def fill_in(form_fields: Mapping[str, FormField], inputs: Mapping[str, str], where: str) -> dict[str, str]:
    """Return the values of all fields: valid inputs, and defaults for the rest.

    Raises:
        UnknownOption: there is no such field, or it has no such choice.
        InvalidQuery: a number is invalid or out of range.
    """
    for name in inputs:
        if name not in form_fields:
            raise UnknownOption(name, form_fields, where=where)
    return {name: each.read(name, inputs.get(name, each.value)) for name, each in form_fields.items()}


@dataclass(frozen=True)
class ModifierEffect:
    """A modifier's value, whether it applies now, and its effect on the expected results (with minus without it)."""

    what: str
    value: int
    counts: bool
    changes: Sequence[tuple[str, Fraction]]


@dataclass(frozen=True)
class OddsResult:
    """An exact answer to an odds query: rows of (result, probability), and the mean if there is one.

    `net` is the arithmetic of the modifiers line by line; `expected` are means by name; `effects` are the effects of
    each modifier; `parts` are the results that this one consists of, or related ones.
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
        """The sum of all modifiers."""
        return sum(value for _, value in self.net or ())


@dataclass(frozen=True)
class OddsQuery:
    """A named odds query: its form fields and the function that answers it.

    `rolled` returns the text of a scenario that rolls the same thing at a table: its seat chooses again and again
    between `throw` and `close`. `example` has the inputs of a form that is shown for the first time.
    """

    title: str
    form_fields: Mapping[str, FormField]
    answer: Callable[[Mapping[str, str]], OddsResult]
    about: str = ""
    rolled: Callable[[Mapping[str, str]], str] | None = None
    example: Mapping[str, str] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, str]:
        """The default values of its fields."""
        return {name: each.value for name, each in self.form_fields.items()}

    def evaluate(self, inputs: Mapping[str, str], where: str) -> OddsResult:
        """Return the answer, with defaults for missing inputs.

        Raises:
            UnknownOption: there is no such field, or it has no such choice.
            InvalidQuery: an input is invalid.
        """
        return self.answer(fill_in(self.form_fields, inputs, where))

    def roll_scenario_text(self, inputs: Mapping[str, str], where: str) -> str:
        """Return the text of a scenario that rolls this, with defaults for missing inputs.

        Raises:
            UnknownOption: there is no such field, or it has no such choice.
            InvalidQuery: an input is invalid, or the query has no scenario.
        """
        if self.rolled is None:
            raise InvalidQuery(f"{self.title} is calculated only and cannot be rolled.")
        return self.rolled(fill_in(self.form_fields, inputs, where))


class FilledQuery(NamedTuple):
    """An odds query that a position raises: a title, the query's name, and its inputs."""

    title: str
    question: str
    inputs: Mapping[str, str]


def of_chart(chart: Chart) -> OddsQuery:
    """Return the odds of a dice chart as a query without fields."""

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
    """A tool's result: rows of (label, text, whether to highlight), and a note."""

    rows: Sequence[tuple[str, str, bool]]
    note: str = ""


@dataclass(frozen=True)
class Tool:
    """A helper such as a cipher; it knows nothing of any match.

    `work` receives the inputs; it raises `InvalidQuery` if they make no sense.
    """

    title: str
    rule: str
    about: str
    form_fields: Mapping[str, FormField]
    work: Callable[[Mapping[str, str]], ToolResult]

    @property
    def values(self) -> dict[str, str]:
        """The default values of its fields."""
        return {key: each.value for key, each in self.form_fields.items()}

    def run(self, inputs: Mapping[str, str], where: str) -> ToolResult:
        """Return the result, with defaults for missing inputs. Raises as `fill_in` does."""
        return self.work(fill_in(self.form_fields, inputs, where))


def groups(form_fields: Mapping[str, FormField]) -> Iterator[tuple[str, dict[str, FormField]]]:
    """Yield the fields under their headings, in the order of the first field of each."""
    for heading in dict.fromkeys(each.group for each in form_fields.values()):
        yield heading, {name: each for name, each in form_fields.items() if each.group == heading}
