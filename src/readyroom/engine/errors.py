"""Errors that Ready Room raises for its users.

Each message is one or two sentences: what happened, what was expected, what to do. The command line prints it and exits
with code 2; the pages show it next to the control it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from traceback import walk_tb


class ReadyRoomError(Exception):
    """Base class; the text is written for the user."""

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle, (type(self), self.args, self.__dict__)


def _unpickle(kind: type[ReadyRoomError], args: tuple[object, ...], attributes: dict[str, object]) -> ReadyRoomError:
    """Return an error that was raised in another process."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(attributes)
    return error


MANY = 24
"""The most names that an error lists."""


class Unknown(ReadyRoomError):
    """An unknown name; the message lists the known names and suggests the nearest."""

    kind = "name"

    def __init__(
        self, name: str, known: Iterable[str], *, where: str = "", heading: str = "Known", more: str = ""
    ) -> None:
        self.name = name
        self.known = list(known)
        near = get_close_matches(name, self.known, n=1)
        guess = f" Did you mean {near[0]!r}?" if near else ""
        place = f" in {where}" if where else ""
        few = self.known if len(self.known) <= MANY else get_close_matches(name, self.known, n=6) or self.known[:6]
        listed = ", ".join(few) + (" and others" if few is not self.known else "") or "none"
        super().__init__(f"No {self.kind} named {name!r}{place}. {heading}: {listed}{more}.{guess}")


class UnknownGame(Unknown):
    """No installed package provides a game of this name."""

    kind = "game"


class BrokenGame(ReadyRoomError):
    """An installed package provides a game of this name, but importing it raises an error.

    The place of the error is the innermost line outside Python's import system, or else the entry point.
    """

    def __init__(self, name: str, cause: BaseException, entry_point: str) -> None:
        _, *inner = walk_tb(cause.__traceback__)
        places = [
            f"{frame.f_code.co_filename}, line {line}"
            for frame, line in inner
            if not frame.f_globals.get("__name__", "").startswith("importlib")
        ]
        super().__init__(
            f"Cannot load the game {name}: {type(cause).__name__}: {cause}, in {[entry_point, *places][-1]}. "
            "Other games are not affected."
        )


class UnknownScenario(Unknown):
    """The game has no scenario of this name."""

    kind = "scenario"


class UnknownOption(Unknown):
    """The game has no option of this name, or the option has no such choice."""

    kind = "option"


class UnknownChoice(UnknownOption):
    """The option has no such choice."""

    kind = "choice"


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
    """A plan file that cannot be played; the message names its lines and the rules."""


class PlanNotApplicable(ReadyRoomError):
    """A plan file does not apply: nothing is being planned, or it belongs to another side."""


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
    """A feature needs a library that is not installed; the message names the extra that installs it."""

    def __init__(self, library: str, extra: str) -> None:
        self.library, self.extra = library, extra
        super().__init__(f"This needs {library}, which is not installed. Run: pip install 'readyroom[{extra}]'")


FIRST = 12
"""The most legal keys that an error lists."""


def preview_legal(legal: Iterable[str]) -> str:
    """Return the first legal keys, with an ellipsis if there are more."""
    keys = list(legal)
    return (", ".join(keys[:FIRST]) or "nothing") + (" …" if len(keys) > FIRST else "")


class NotYourDecision(ReadyRoomError):
    """A seat answered while it has no pending decision."""

    def __init__(self, seat: str, waiting: Sequence[str]) -> None:
        self.seat = seat
        self.waiting = tuple(waiting)
        super().__init__(f"It is not {seat}'s turn. Waiting for {' and '.join(waiting) or 'no one'}.")


class StaleRevision(ReadyRoomError):
    """The answer is for a decision that is no longer pending."""

    def __init__(self, seat: str, given: int, current: int) -> None:
        self.seat, self.given, self.current = seat, given, current
        super().__init__("The match has changed since you loaded it. Please choose again.")


class IllegalChoice(ReadyRoomError):
    """The answer is not legal.

    `rule` forbids it, for this `reason`; `legal` has the keys that would have been accepted.
    """

    def __init__(self, rule: str, reason: str, legal: Sequence[str]) -> None:
        self.rule, self.reason, self.legal = rule, reason, list(legal)
        super().__init__(f"{reason} [{rule}] Legal here: {preview_legal(self.legal)}.")

    def of_bot(self, seat: str, name: str = "") -> IllegalChoice:
        """Return the error with the bot in its reason."""
        bot = f"The bot {name}" if name else "The bot"
        return type(self)(self.rule, f"{bot} of {seat} gave an illegal answer: {self.reason}", self.legal)


class MatchOver(ReadyRoomError):
    """The match has ended."""

    def __init__(self, title: str) -> None:
        super().__init__(f"The match is over ({title}).")


class CannotUndo(ReadyRoomError):
    """The last decision cannot be undone; the message says why."""


class InvalidRecord(ReadyRoomError):
    """A record that does not verify: the `line` (counted from 1) and what `differs` there."""

    def __init__(self, line: int, differs: str) -> None:
        self.line, self.differs = line, differs
        super().__init__(f"Record is invalid at line {line}: {differs}.")

    def __reduce__(self) -> tuple[type[InvalidRecord], tuple[int, str]]:
        return type(self), (self.line, self.differs)


class SaveError(ReadyRoomError):
    """A file could not be written or read; its old content is unchanged."""


class InvalidData(ReadyRoomError):
    """A data file that does not fit its schema: which file, which key, what was expected, what the file has.

    Without `expected`, `actual` is the whole text, such as that of a game's own check.
    """

    def __init__(self, file: str, key: str, expected: str, actual: str) -> None:
        self.file, self.key, self.expected, self.actual = file, key, expected, actual
        place = f"at {key or 'the top'}: " if key or expected else ""
        super().__init__(f"{file}: {place}{self.problem}")

    @property
    def problem(self) -> str:
        """What is wrong, without the place."""
        text = f"expected {self.expected}, found {self.actual}" if self.expected else self.actual
        return text if text.endswith(("?", ".")) else f"{text}."


class InvalidQuery(ReadyRoomError):
    """An odds query with invalid parameters."""


class InvalidDice(ReadyRoomError):
    """Fixed or typed dice that do not fit the roll: too few, or a face the die does not have."""


class RuleError(ReadyRoomError):
    """A rule raised an unexpected error; the match is as it was before the answer.

    `record` is the match's record followed by the answer that failed: replaying it reproduces the error.
    """

    def __init__(self, rule: str, cause: BaseException, record: str) -> None:
        self.record = record
        super().__init__(
            f"Rule {rule} failed (internal error: {type(cause).__name__}: {cause}). "
            "Your answer was not applied; the match is unchanged. Please report this."
        )
