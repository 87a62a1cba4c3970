"""The desk: what may be asked of a game beside the table. Questions of odds, tools, and the blanks that both have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from readyroom.engine.charts import Chart
from readyroom.engine.errors import BadQuestion, UnknownOption

_WHOLE = re.compile(r"[+\-−]?\d{1,9}")
QUOTED = 40
"""Letters of what was filled in that an error repeats."""
THROW, CLOSE = "throw", "close"
"""What is offered at a table that only throws what a question of odds reckons."""
TICK = {"no": "no", "yes": "yes"}
"""The choices of a blank that is ticked or not."""


@dataclass(frozen=True)
class Blank:
    """What is to be filled in: its label, what stands there at first, and what may stand there.

    `choices` are keys with their words; `whole` is the range of a whole number, both ends included, which may also be
    left out where nothing stands there at first. With neither it is any text, a `long` one perhaps. `group` is the
    heading under which it is asked.
    """

    label: str
    value: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    whole: tuple[int, int] | None = None
    long: bool = False
    group: str = ""

    @property
    def ticked(self) -> bool:
        """Whether it is a box to be ticked."""
        return self.choices is TICK

    def read(self, name: str, told: str) -> str:
        """What was filled in, as it is worked with.

        Raises:
            UnknownOption: it is none of the choices.
            BadQuestion: it is no whole number, or beyond the range.
        """
        told = told.strip()
        if self.choices and told not in self.choices:
            raise UnknownOption(told, self.choices, where=f"{name}=")
        if self.whole is None or (not told and not self.value):
            return told
        least, most = self.whole
        if not _WHOLE.fullmatch(told) or not least <= int(told.replace("−", "-")) <= most:
            raise BadQuestion(f"{name} is a whole number from {least} to {most}, not {_short(told)!r}.")
        return str(int(told.replace("−", "-")))


def _short(told: str) -> str:
    return told if len(told) <= QUOTED else f"{told[:QUOTED]}…"


def tick(label: str, group: str = "") -> Blank:
    """A box that is not ticked at first."""
    return Blank(label, "no", TICK, group=group)


def fill(blanks: Mapping[str, Blank], told: Mapping[str, str], where: str) -> dict[str, str]:
    """All blanks with what was told, the others as they stand at first.

    Raises:
        UnknownOption: there is no such blank, or it has no such choice.
        BadQuestion: a number is none, or beyond its range.
    """
    for name in told:
        if name not in blanks:
            raise UnknownOption(name, blanks, where=where)
    return {name: blank.read(name, told.get(name, blank.value)) for name, blank in blanks.items()}


@dataclass(frozen=True)
class Worth:
    """What a modifier adds now, and what it changes in what is expected: with it, less without it.

    `value` is what it adds when it counts; `counts` whether it does now.
    """

    what: str
    value: int
    counts: bool
    changes: Sequence[tuple[str, Fraction]]


@dataclass(frozen=True)
class OddsAnswer:
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
    worth: Sequence[Worth] = ()
    parts: Sequence[OddsAnswer] = ()

    @property
    def total(self) -> int:
        """What all lines of the arithmetic add together."""
        return sum(value for _, value in self.net or ())


@dataclass(frozen=True)
class OddsQuestion:
    """A named question of odds: what it asks for, and the function that answers it.

    `rolled` makes of what was filled in the text of a scenario in which that very thing is thrown at a table: its seat
    is asked again and again to `throw` or to `close`.
    """

    title: str
    blanks: Mapping[str, Blank]
    answer: Callable[[Mapping[str, str]], OddsAnswer]
    about: str = ""
    rolled: Callable[[Mapping[str, str]], str] | None = None

    @property
    def parameters(self) -> dict[str, str]:
        """What stands in its blanks at first."""
        return {name: blank.value for name, blank in self.blanks.items()}

    def ask(self, told: Mapping[str, str], where: str) -> OddsAnswer:
        """The answer, with the blanks that were not told as they stand at first.

        Raises:
            UnknownOption: there is no such blank, or it has no such choice.
            BadQuestion: what was told makes no sense.
        """
        return self.answer(fill(self.blanks, told, where))

    def laid(self, told: Mapping[str, str], where: str) -> str:
        """The text of a scenario in which just this is thrown; what was not told stands as it does at first.

        Raises:
            UnknownOption: there is no such blank, or it has no such choice.
            BadQuestion: what was told makes no sense, or this is reckoned only.
        """
        if self.rolled is None:
            raise BadQuestion(f"{self.title}: this is reckoned only, and not thrown.")
        return self.rolled(fill(self.blanks, told, where))


def of_chart(chart: Chart) -> OddsQuestion:
    """The odds of a chart that is read with dice, as a question without blanks."""

    def answer(_: Mapping[str, str]) -> OddsAnswer:
        several = len(chart.columns) > 1
        rows = [
            (f"{column}: {cell}" if several else cell, chance)
            for column in chart.columns
            for cell, chance in chart.odds(column).items()
        ]
        return OddsAnswer(f"{chart.title} ({chart.dice})", chart.rule, rows)

    return OddsQuestion(chart.title, {}, answer)


@dataclass(frozen=True)
class ToolAnswer:
    """What a tool has found: rows of (what, text, whether it stands out), and a sentence on them."""

    rows: Sequence[tuple[str, str, bool]]
    note: str = ""


@dataclass(frozen=True)
class Tool:
    """Something to work with beside the table, such as a cipher; it knows nothing of any match.

    `work` is given what was filled in; it raises `BadQuestion` where that makes no sense.
    """

    title: str
    rule: str
    about: str
    blanks: Mapping[str, Blank]
    work: Callable[[Mapping[str, str]], ToolAnswer]

    @property
    def values(self) -> dict[str, str]:
        """What stands in its blanks at first."""
        return {key: blank.value for key, blank in self.blanks.items()}

    def do(self, told: Mapping[str, str], where: str) -> ToolAnswer:
        """Work with what was told; what was not told stands as it does at first. Raises as `fill` does."""
        return self.work(fill(self.blanks, told, where))


def groups(blanks: Mapping[str, Blank]) -> Iterator[tuple[str, dict[str, Blank]]]:
    """The blanks under their headings, in the order of their first ones."""
    for heading in dict.fromkeys(blank.group for blank in blanks.values()):
        yield heading, {name: blank for name, blank in blanks.items() if blank.group == heading}
