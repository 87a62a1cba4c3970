"""`readyroom replay`: steps through a record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, CommandError, DataFolder, Plain, RecordFile, SeatName, record_text, replayed
from readyroom.cli.paper import print_json
from readyroom.cli.play.question import render_question
from readyroom.cli.play.saved_matches import secret_beside
from readyroom.cli.screen import Screen, is_attended
from readyroom.cli.story import render_log
from readyroom.engine.match import Match, seats_of
from readyroom.engine.record import format as records
from readyroom.engine.rules.decisions import summarize_counts
from readyroom.engine.rules.table import LogLine

HELP = "Enter: next; b: back; j N: go to decision N; q: quit."


def replay(
    file: RecordFile,
    at: Annotated[int | None, typer.Option("--at", metavar="N", min=0, help="Go to decision N.")] = None,
    seat: SeatName = None,
    data: DataFolder = None,
    plain: Plain = False,
    as_json: AsJson = False,
) -> None:
    """Step through a record; without a terminal, print its log, or its position at N."""
    path, text, figures = record_text(file, data)
    cursor = ReplayCursor(text, figures, secret_beside(path), seat)
    if as_json:
        print_json({"file": str(path), **cursor.facts(cursor.checked(cursor.last if at is None else at))})
        return
    screen = Screen(plain)
    if cursor.is_incomplete:
        screen.print("The last line of the record is incomplete and was ignored.")
    if is_attended():
        _step_through(cursor, screen, cursor.checked(at or 0))
    elif at is not None:
        screen.show(*cursor.position(cursor.checked(at)))
    else:
        screen.show(*cursor.story())


class ReplayCursor:
    """A record at any of its decisions, as one seat sees it.

    Without a seat, a finished match is shown in full, with the board of the next to decide; an unfinished one as
    a spectator sees it. `last` is the number of decisions and undos in the record, `is_over` whether it has an ending.
    """

    def __init__(self, text: str, data: Path | None, secret: bytes | None, seat: str | None) -> None:
        parsed = records.parse(text, repair=True)
        sound = text.split("\n")[: 1 + len(parsed.entries) + (parsed.ending is not None)]
        self._text, self._data, self._secret = "".join(f"{line}\n" for line in sound), data, secret
        self.is_incomplete, self._entries = parsed.is_incomplete, [line for _, line in parsed.entries]
        self._at, self.last, self.is_over = -1, len(self._entries), parsed.ending is not None
        self._open = self.is_over and seat is None
        self._seat = seats_of(self.stand(self.last), seat)[0] if seat is not None else None

    def checked(self, at: int) -> int:
        """Return the number; raise `CommandError` if the record has fewer decisions."""
        if not 0 <= at <= self.last:
            raise CommandError(f"--at is a number from 0 to {self.last}, not {at}.")
        return at

    def stand(self, at: int) -> Match[Any, Any]:
        """Return the match after this many decisions and undos."""
        if at != self._at:
            self._match = replayed(self._text, self._data, self._secret, at)
            self._at = at
        return self._match

    def story(self) -> Iterator[RenderableType]:
        """Yield the whole log and the outcome."""
        match = self.stand(self.last)
        lines = self._log(match)
        yield from render_log(lines, match.log_heading)
        if not lines and self._seat is not None:
            yield Text("Nothing visible to this seat has happened yet.")
        elif not lines:
            yield Text("Nothing public has happened yet; --seat shows what a seat sees.")
        if match.outcome is not None:
            yield Text(f"{match.outcome.title}. {match.outcome.text}", "bold")

    def facts(self, at: int) -> dict[str, Any]:
        """Return the log up to number `at` and the position there, for programs."""
        match = self.stand(at)
        return {
            "at": at,
            "last": self.last,
            "torn": self.is_incomplete,
            "lines": [line.plain() for line in self._log(match)],
            "position": msgspec.to_builtins(match.view(self._seat or self._eyes(match, at))),
            "asked": {seat: decision.rule for seat, decision in match.pending.items()},
        }

    def position(self, at: int) -> Iterator[RenderableType]:
        """Yield the last decision with its log lines, the board, and the next decision."""
        before = len(self._log(self.stand(at - 1))) if at else 0
        match = self.stand(at)
        names = {seat.key: seat.name for seat in match.seats}
        yield Text(f"{at} of {self.last}: {self._decided(at, names)}", "bold")
        yield from render_log(self._log(match)[before:], match.log_heading)
        perspective = self._seat or self._eyes(match, at)
        if match.game.presentation.board is not None:
            yield match.game.presentation.board(match.view(perspective))
        if match.outcome is not None:
            yield Text(f"{match.outcome.title}. {match.outcome.text}", "bold")
        for seat, decision in match.pending.items():
            if seat == perspective:
                yield from render_question(decision, names[seat])
            else:
                yield Text(f"Next to decide: {names[seat]} [{decision.rule}].")

    def _decided(self, at: int, names: dict[str, str]) -> str:
        if at == 0:
            return "the match starts"
        line = self._entries[at - 1]
        if isinstance(line, records.Undo):
            return f"{names[line.by]} takes back {', '.join(map(str, line.undo))}"
        if isinstance(line, records.Fork):
            return "new dice from here on"
        secret = not self._open and line.seat != self._seat
        chosen = "" if secret else f": {summarize_counts(line.chose, None)}"
        return f"decision of {names[line.seat]} [{line.rule}]{chosen}"

    def _eyes(self, match: Match[Any, Any], at: int) -> str | None:
        """Return the seat whose view of a finished match is shown: the next to decide, or the last who did."""
        if not self._open:
            return None
        last = self._entries[at - 1] if at else None
        return next(iter(match.pending), last.seat if isinstance(last, records.Entry) else None)

    def _log(self, match: Match[Any, Any]) -> list[LogLine]:
        return match.full_log if self._open else match.log(self._seat)


def _step_through(cursor: ReplayCursor, screen: Screen, at: int) -> None:
    screen.print(HELP)
    with suppress(KeyboardInterrupt):
        while True:
            screen.show(*cursor.position(at))
            at = _wanted(cursor, screen, at)


def _wanted(cursor: ReplayCursor, screen: Screen, at: int) -> int:
    """Return the next position; raise KeyboardInterrupt to quit."""
    while True:
        texts = screen.ask(f"{at}/{cursor.last} > ").split()
        match texts:
            case [] if at < cursor.last:
                return at + 1
            case []:
                screen.print("End of the record.")
            case ["b"] if at:
                return at - 1
            case ["j", number] if number.isdecimal() and int(number[:9]) <= cursor.last:
                return int(number)
            case ["q"]:
                raise KeyboardInterrupt
            case _:
                screen.print(f"{HELP} The last decision is {cursor.last}.")
