"""The terminal: what is shown on it, and what is read from it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

QUIT = ("quit", "exit")
FORGET = "\x1b[3J"
"""Empties what a terminal can scroll back to; Rich does not know it."""


class EndOfInput(KeyboardInterrupt):
    """No one is there any more to type anything."""


def console(plain: bool = False) -> Console:
    """The terminal as Rich draws on it; it keeps to NO_COLOR, TERM=dumb and COLUMNS by itself."""
    still = {"color_system": None, "force_terminal": False} if plain else {}
    return Console(highlight=False, markup=False, emoji=False, **still)  # type: ignore[arg-type]


def read_line(prompt: str) -> str:
    """A line that someone types; `quit` leaves the table (KeyboardInterrupt), and so does the end of the input.

    Where the input is no terminal, the line is shown as if it had been typed, so that a transcript can be read.
    """
    typed = is_typed()
    if typed:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (input() then has a history)
    else:
        sys.stdout.write(prompt)
        sys.stdout.flush()
    try:
        line = _line(prompt if typed else "").strip()
    except EOFError:
        sys.stdout.write("\n")
        raise EndOfInput from None
    if not typed:
        sys.stdout.write(f"{line}\n")
    if line.casefold() in QUIT:
        raise KeyboardInterrupt
    return line


def is_typed() -> bool:
    """Whether someone sits at the keyboard."""
    return sys.stdin is not None and sys.stdin.isatty()


def is_attended() -> bool:
    """Whether someone sits at the keyboard and sees the screen: no pipe before, and no pager or file behind."""
    return is_typed() and sys.stdout is not None and sys.stdout.isatty()


def _line(prompt: str) -> str:
    if sys.stdin is None:
        raise EOFError
    return input(prompt)


class Screen:
    """What a player sees and types."""

    def __init__(self, plain: bool = False) -> None:
        self.console = console(plain)

    def show(self, *things: RenderableType) -> None:
        """Draw something."""
        for thing in things:
            self.console.print(thing)

    def print(self, sentence: str, style: str = "") -> None:
        """A sentence of the server."""
        self.console.print(Text(sentence, style))

    def list(self, lines: Iterable[str]) -> None:
        """Several lines, set in a little; what is too long continues below itself."""
        for line in lines:
            self.console.print(Padding(Text(line), (0, 0, 0, 2), expand=False))

    def verbatim(self, line: str) -> None:
        """A line that is to be copied, set in a little and never broken by us, however long it is."""
        self.console.print(Text(f"  {line}"), soft_wrap=True)

    def glossary(self, entries: Iterable[tuple[str, str]]) -> None:
        """Words, and next to each what it means."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        for word, meaning in entries:
            grid.add_row(Text(f"  {word}"), Text(meaning))
        self.console.print(grid)

    def ask(self, prompt: str) -> str:
        """A line from the player."""
        return read_line(prompt)

    def handover_screen(self, name: str, note: str = "") -> str:
        """Hide one side's information before the other plays; what a leaving player may still type."""
        self._wipe()
        if note:
            self.print(note)
        line = self.ask(f"Hand over to {name}, and press Enter. ")
        self._wipe()
        return line

    def _wipe(self) -> None:
        """Empty the screen, and what could be scrolled back to."""
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.clear()
            self.console.file.write(FORGET)
            self.console.file.flush()
