"""The log as the terminal prints it, with its dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from readyroom.engine.rules.checks import RolledDice
from readyroom.engine.rules.table import LogLine

Headings = Callable[[int, str], tuple[str, str]]
"""Returns the headings of a phase in a turn."""


def render_log(
    lines: Iterable[LogLine], headings: Headings, printed: tuple[str, str] | None = None
) -> Iterator[RenderableType]:
    """Yield log lines under the headings of their turns and phases, without the first if it is already `printed`."""
    for heading, within in groupby(lines, lambda line: headings(line.turn, line.phase)):
        if heading != printed:
            yield Text(" · ".join(heading), "bold")
        printed = None
        for line in within:
            yield Padding(Text(f"{line.text} [{line.rule}]"), (0, 0, 0, 2))
            for roll in line.rolls:
                yield Padding(Text(f"{roll.name}: {roll.result}", "dim"), (0, 0, 0, 4))
                yield Padding(dice(roll), (0, 0, 0, 4))


def dice(roll: RolledDice) -> Text:
    """Return the dice of a roll: those that count in a frame, those rolled again after an arrow."""
    text = Text()
    for at, (faces, needed) in enumerate(zip(roll.faces, roll.needed, strict=True)):
        if at:
            text.append(" → ")
        for face in faces:
            text.append(*((f"[{face}]", "bold reverse") if face >= needed else (f" {face} ", "dim")))
    return text
