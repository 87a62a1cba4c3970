"""The terminal: output and input."""

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
"""The escape sequence that clears a terminal's scrollback; Rich lacks it."""


class EndOfInput(KeyboardInterrupt):
    """The input has ended."""


def console(plain: bool = False) -> Console:
    """Return Rich's console, which respects NO_COLOR, TERM=dumb and COLUMNS."""
    still = {"color_system": None, "force_terminal": False} if plain else {}
    return Console(highlight=False, markup=False, emoji=False, **still)  # type: ignore[arg-type]


def read_line(prompt: str) -> str:
    """Return a line of input; raise KeyboardInterrupt for `quit` and at the end of the input.

    If the input is not a terminal, the line is printed, so that transcripts are complete.
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
    """Return whether the input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def is_attended() -> bool:
    """Return whether both input and output are terminals."""
    return is_typed() and sys.stdout is not None and sys.stdout.isatty()


def _line(prompt: str) -> str:
    if sys.stdin is None:
        raise EOFError
    return input(prompt)


class Screen:
    """A player's terminal."""

    def __init__(self, plain: bool = False) -> None:
        self.console = console(plain)

    def show(self, *things: RenderableType) -> None:
        """Print renderables."""
        for thing in things:
            self.console.print(thing)

    def print(self, sentence: str, style: str = "") -> None:
        """Print a sentence."""
        self.console.print(Text(sentence, style))

    def list(self, lines: Iterable[str]) -> None:
        """Print indented lines; long ones wrap with the same indent."""
        for line in lines:
            self.console.print(Padding(Text(line), (0, 0, 0, 2), expand=False))

    def verbatim(self, line: str) -> None:
        """Print an indented line for copying, never wrapped."""
        self.console.print(Text(f"  {line}"), soft_wrap=True)

    def glossary(self, entries: Iterable[tuple[str, str]]) -> None:
        """Print terms with their meanings."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        for word, meaning in entries:
            grid.add_row(Text(f"  {word}"), Text(meaning))
        self.console.print(grid)

    def ask(self, prompt: str) -> str:
        """Return a line from the player."""
        return read_line(prompt)

    def handover_screen(self, name: str, note: str = "") -> str:
        """Hide one side's information before the other plays; return what is typed at the prompt."""
        self._wipe()
        if note:
            self.print(note)
        line = self.ask(f"Pass the screen to {name}, then press Enter. ")
        self._wipe()
        return line

    def _wipe(self) -> None:
        """Clear the screen and its scrollback."""
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.clear()
            self.console.file.write(FORGET)
            self.console.file.flush()
