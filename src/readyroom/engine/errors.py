"""Everything that can be refused, as a small family of named errors.

Each message is one sentence (or two) for the person who reads it: what was wrong, what was expected, what to do.
The command line prints it and leaves with exit code 2; the pages show it beside the thing it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from traceback import walk_tb


class ReadyRoomError(Exception):
    """Base of all that Ready Room refuses; the text is meant for the person who asked."""

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[ReadyRoomError], words: tuple[object, ...], facts: dict[str, object]) -> ReadyRoomError:
    """An error that came from another process."""
    error = kind.__new__(kind, *words)
    error.args = words
    error.__dict__.update(facts)
    return error


MANY = 24
"""More names than these are not listed in an error."""


class Unknown(ReadyRoomError):
    """A name that nothing here goes by; says which names are known and which is nearest."""

    kind = "name"

    def __init__(self, name: str, known: Iterable[str], *, where: str = "") -> None:
        self.name = name
        self.known = list(known)
        near = get_close_matches(name, self.known, n=1)
        guess = f" Did you mean {near[0]!r}?" if near else ""
        place = f" in {where}" if where else ""
        few = self.known if len(self.known) <= MANY else get_close_matches(name, self.known, n=6, cutoff=0.0)
        listed = ", ".join(few) + (" and others" if few is not self.known else "") or "none"
        super().__init__(f"No {self.kind} named {name!r}{place}. Known: {listed}.{guess}")


class UnknownGame(Unknown):
    """No installed package offers a game of this name."""

    kind = "game"


class BrokenGame(ReadyRoomError):
    """An installed package offers a game of this name, but reading it raises an error of its own."""

    def __init__(self, name: str, cause: BaseException) -> None:
        *_, (frame, line) = walk_tb(cause.__traceback__)
        super().__init__(
            f"Cannot load the game {name}: {type(cause).__name__}: {cause}, in {frame.f_code.co_filename}, "
            f"line {line}. Other games are not affected."
        )


class UnknownScenario(Unknown):
    """The game has no scenario of this name."""

    kind = "scenario"


class UnknownOption(Unknown):
    """The game has no option of this name, or the option has no such choice."""

    kind = "option"


class UnknownSeat(Unknown):
    """The match has no seat of this name."""

    kind = "seat"


class UnknownBot(Unknown):
    """The game has no bot of this name."""

    kind = "bot"


class UnknownPlan(Unknown):
    """The game has no plan of this name for the side."""

    kind = "plan"


class InvalidPlan(ReadyRoomError):
    """A plan's file that cannot be played; the sentence names its lines and the rules."""


class PlanNotApplicable(ReadyRoomError):
    """A plan's file is of no use here: nothing is planned now, or it is another side's."""


class UnknownTool(Unknown):
    """The game has no tool of this name."""

    kind = "tool"


class UnknownRule(Unknown):
    """The game has no rule, chart or check of this name."""

    kind = "rule"


class UnknownChart(Unknown):
    """The game has no chart or check of this name."""

    kind = "chart or check"


class MissingLibrary(ReadyRoomError):
    """Something is asked for that needs a library which is not installed; says which extra brings it."""

    def __init__(self, library: str, extra: str) -> None:
        self.library, self.extra = library, extra
        super().__init__(f"This needs {library}, which is not installed. Run: pip install 'readyroom[{extra}]'")


FIRST = 12
"""So many of what would be legal are told in an error."""


def preview_legal(legal: Iterable[str]) -> str:
    """The first of what would be legal, and whether there is more."""
    keys = list(legal)
    return (", ".join(keys[:FIRST]) or "nothing") + (" …" if len(keys) > FIRST else "")


class NotYourDecision(ReadyRoomError):
    """A seat answered while nothing is asked of it."""

    def __init__(self, seat: str, waiting: Sequence[str]) -> None:
        self.seat = seat
        self.waiting = tuple(waiting)
        awaited = " and ".join(waiting) or "no one"
        super().__init__(f"It is not {seat}'s turn. Waiting for {awaited}.")


class StaleRevision(ReadyRoomError):
    """The answer was meant for a question that is no longer the open one."""

    def __init__(self, seat: str, meant: int, current: int) -> None:
        self.seat, self.meant, self.current = seat, meant, current
        super().__init__(
            f"The match has changed since {seat} loaded it (revision {meant}, now {current}). Reload and choose again."
        )


class IllegalChoice(ReadyRoomError):
    """The answer is not among the legal ones.

    Carries the `rule` that refuses it, the `reason`, and `legal`, the keys that would have been accepted.
    """

    def __init__(self, rule: str, reason: str, legal: Sequence[str]) -> None:
        self.rule, self.reason, self.legal = rule, reason, list(legal)
        super().__init__(f"{reason} [{rule}] Legal here: {preview_legal(self.legal)}.")


class MatchOver(ReadyRoomError):
    """The match has ended; nothing more can be decided in it."""

    def __init__(self, title: str) -> None:
        super().__init__(f"The match is over ({title}).")


class CannotUndo(ReadyRoomError):
    """The last decision cannot be taken back; the reason says what stands in the way."""


class InvalidRecord(ReadyRoomError):
    """A record that does not verify: the `line` (counted from 1) and what `differs` there."""

    def __init__(self, line: int, differs: str) -> None:
        self.line, self.differs = line, differs
        super().__init__(f"Record is invalid at line {line}: {differs}.")


class SaveError(ReadyRoomError):
    """A file could not be written, or not be read; what was there before is still there."""


class InvalidData(ReadyRoomError):
    """A data file that does not fit its schema: which file, which key, what was expected, what was found."""

    def __init__(self, file: str, key: str, expected: str, found: str) -> None:
        self.file, self.key, self.expected, self.found = file, key, expected, found
        super().__init__(f"{file}: at {key or 'the top'}: expected {expected}, found {found}.")


class InvalidQuery(ReadyRoomError):
    """A question of odds whose parameters do not fit."""


class InvalidDice(ReadyRoomError):
    """Loaded or typed dice that do not fit the throw: too few, or a face the die does not have."""


class RuleError(ReadyRoomError):
    """A rule raised an error of its own; the match stands where it stood before the answer.

    `record` is the record of the match followed by the answer that failed: replaying it shows the fault again.
    """

    def __init__(self, rule: str, cause: BaseException, record: str) -> None:
        self.record = record
        super().__init__(
            f"Rule {rule} failed (internal error: {type(cause).__name__}: {cause}). "
            "Your answer was not applied; the match is unchanged. Please report this."
        )
