"""Dice rolled on a real table and typed in: the machine keeps the sequence, the modifiers and the record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from random import SystemRandom
from typing import Any, NamedTuple, TypeVar

from readyroom.cli.screen import read_line
from readyroom.engine.charts import Chart
from readyroom.engine.checks import ChartRoll, Check, Modifiers, Rollable, Volley, signed
from readyroom.engine.cups import Cup
from readyroom.engine.decisions import Decision
from readyroom.engine.dice import SEPARATOR, Dice, RecordedDice
from readyroom.engine.errors import InvalidDice, UnknownRule
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.state import Piece, iter_pieces
from readyroom.engine.table import Table

R = TypeVar("R")
P = TypeVar("P", bound=Piece)
FEW = 3
"""This many numbered counters of a kind are listed one by one."""
ON_SALE = (4, 6, 8, 10, 12, 20, 100)
"""Sides of the dice that people have."""
HELP = """\
Roll the dice on your table and type the faces, such as 3 5 1 or 351; a ten on a ten-sided die is 10, not 0.
`roll`: the computer makes this roll or draw.  `wrong`: the roll before this one was mistyped.
`quit`: leave; the decision that these dice belong to is made again when the match continues."""
NO_EARLIER = "No roll of this decision was typed before this one; rolls of earlier decisions stand."


class Mistyped(InvalidDice):
    """A roll was typed wrongly; the decision that it belongs to is carried out once more, and asks for it again."""


class Meaning(NamedTuple):
    """What a roll is for, how it is read, and the counters of a cup by key."""

    what: str = ""
    reading: str = ""
    counters: Mapping[str, str] = {}


def nothing() -> None:
    """What is done at a roll where no one watches."""


class TypedDice(RecordedDice):
    """Dice that ask for their faces and draws; those that a resumed record has are taken from there first.

    `meaning` describes the next roll. `before` is called before each question, and `rewound` when a roll is
    to be asked for again.
    """

    def __init__(self) -> None:
        super().__init__(self.faces, self.counter)
        self.meaning = Meaning()
        self.before: Callable[[], None] = nothing
        self.rewound: Callable[[], None] = nothing
        self.rules: Callable[[str], str] = str
        self._told: RecordedDice | None = None
        self._typed: list[str] | None = None

    def remember(self, recorded_dice: RecordedDice) -> None:
        """Return the faces and draws in a record."""
        self._told = recorded_dice

    def open(self) -> None:
        """A decision is being carried out: what is typed from here on may be typed again."""
        self._typed = []

    def close(self) -> None:
        """Confirm the decision and its dice."""
        self._typed = None

    def faces(self, event: str, count: int, sides: int) -> list[int]:
        """Return the faces of a roll: from the record if it has the event, else typed by the player until they fit."""
        if self._told is not None:
            with suppress(InvalidDice):
                return list(self._told.roll(event, count, sides, len(self.remembered[event])))
        again = bool(self.remembered.get(event))
        prompt = f"Roll {count}d{sides} for {self._purpose(event, again)}{_no_such_die(sides)}: "
        while True:
            line = self._line(event, prompt)
            faces = _thrown(count, sides) if line == "roll" else _faces(line, count, sides)
            if isinstance(faces, list):
                self._note(event)
                return faces
            print(faces)

    def counter(self, event: str, keys: Sequence[str]) -> str:
        """A counter drawn from a real cup."""
        if self._told is not None:
            with suppress(InvalidDice):
                return self._told.pick(event, keys)
        named = {key: self.meaning.counters.get(key, key) for key in keys}
        listed = _listed(named)
        prompt = f"Draw for {self._purpose(event, False)}, one of {listed}: "
        while True:
            line = self._line(event, prompt)
            drawn = SystemRandom().choice(keys) if line == "roll" else _drawn(line, named)
            if drawn is not None:
                self._note(event)
                return drawn
            print(f"{line!r} is not in the cup; there are {listed}.")

    def _line(self, event: str, prompt: str) -> str:
        """What is typed at a roll, where it is no command; `Mistyped` where the roll before was wrong."""
        self.before()
        while True:
            line = read_line(prompt).strip()
            if line == "wrong":
                self._forget(event)
            elif line in ("help", "?"):
                print(HELP)
            else:
                return line

    def _note(self, event: str) -> None:
        if self._typed is not None and event not in self._typed:
            self._typed.append(event)

    def _forget(self, question: str) -> None:
        """Forget the roll that was typed before the one asked for, by `Mistyped`; where there is none, say so."""
        if not self._typed:
            print(NO_EARLIER)
            return
        event = self._typed.pop()
        for forgotten in (event, question):
            self.remembered.pop(forgotten, None)
            self.picked.pop(forgotten, None)
        raise Mistyped(f"{event} is rolled again.")

    def _purpose(self, event: str, again: bool) -> str:
        """Describe an event for a player: what it affects, the rule and its title, how to read the roll."""
        turn, _, rule, subject, *_ = event.split(SEPARATOR)
        what = f"{self.meaning.what or subject}{', once more' if again else ''}"
        reading = f"; {self.meaning.reading}" if self.meaning.reading else ""
        return f"{what} [{self.rules(rule)}, turn {turn}]{reading}"


def _thrown(count: int, sides: int) -> list[int]:
    """Faces that the machine rolls; they are kept in the record, as those are that were typed."""
    hand = SystemRandom()
    faces = [hand.randint(1, sides) for _ in range(count)]
    print(f"Rolled: {' '.join(map(str, faces))}")
    return faces


def _no_such_die(sides: int) -> str:
    return "" if sides in ON_SALE else f" (a number from 1 to {sides}, drawn blindly, or `roll`)"


def _faces(line: str, count: int, sides: int) -> list[int] | str:
    """The faces in a line, or the sentence that says why it does not fit. Small dice may be typed without spaces."""
    if re.search(r"[^\d\s,;]", line):
        return f"Type the faces as numbers, such as {' '.join(['3'] * min(count, 4))}, or `help`."
    texts: list[str] = re.findall(r"\d" if sides < 10 else r"\d+", line)
    if len(texts) != count:
        dice = "1 die" if count == 1 else f"{count} dice"
        return f"{dice} needed, {len(texts)} given."
    faces = [int(word) for word in texts]
    wrong = next((face for face in faces if not 1 <= face <= sides), None)
    return faces if wrong is None else f"A die of {sides} sides does not show {wrong}."


def _drawn(line: str, named: Mapping[str, str]) -> str | None:
    """Return the counter with this key or text; the first of several identical ones."""
    if line in named:
        return line
    text = line.casefold()
    identical = [key for key, name in named.items() if name.casefold() == text]
    begun = [key for key, name in named.items() if name.casefold().startswith(text)] if text else []
    names = identical or (begun if len({named[key] for key in begun}) == 1 else [])
    return names[0] if names else None


def _listed(named: Mapping[str, str]) -> str:
    """List the counters of a cup; of identical ones their number, and of numbered ones the first and last."""
    counted = Counter(named.values())
    rows = groupby(counted, lambda name: (re.sub(r"\d+", "#", name), counted[name]))
    return ", ".join(_row(list(names), count) for (_, count), names in rows)


def _row(names: list[str], count: int) -> str:
    identical = f" (×{count})" if count > 1 else ""
    if len(names) <= FEW:
        return ", ".join(f"{name}{identical}" for name in names)
    return f"{len(names)} from {names[0]} to {names[-1]}{identical}"


# -- what a roll is for ---------------------------------------------------------------------------------------------


class ManualDiceTable(Table[Any, Any]):
    """A table that says of each roll what it is for, before the dice are asked for."""

    def roll(self, check: Rollable[R], subject: str) -> R:
        """Roll a check or a volley and describe it in the question."""
        name = getattr(check, "name", "") or getattr(getattr(check, "chart", None), "title", "")
        self._mean(Meaning(_of(name, self._called(subject)), _reading(check)))
        return super().roll(check, subject)

    def roll_dice(self, rule: str, subject: str, count: int = 1, sides: int = 6) -> bytes:
        """Plain dice, of which no more is known than their subject."""
        self._mean(Meaning(self._called(subject)))
        return super().roll_dice(rule, subject, count, sides)

    def roll_on_chart(self, chart: Chart, column: str, subject: str, modifiers: Modifiers = ()) -> ChartRoll[str]:
        """Roll for a chart and describe title, column and modifiers in the question."""
        place = f"column {column}" if column and len(chart.columns) > 1 else ""
        reading = ", ".join(filter(None, [place, _added(modifiers)]))
        self._mean(Meaning(_of(chart.title, self._called(subject)), reading))
        return super().roll_on_chart(chart, column, subject, modifiers)

    def draw(self, cup: Cup[P], rule: str, subject: str) -> P:
        """Draw a counter; the player may type its key or its text."""
        self._mean(Meaning(self._called(subject), counters={piece.key: _legend(piece) for piece in cup.contents}))
        return super().draw(cup, rule, subject)

    def _mean(self, meaning: Meaning) -> None:
        if isinstance(self.dice, TypedDice):
            self.dice.meaning = meaning

    def _called(self, subject: str) -> str:
        """The name of the piece whose key the subject is, or begins with; otherwise its words."""
        known = {piece.key: _legend(piece) for piece in iter_pieces(self.state)}
        name = max((key for key in known if subject == key or subject.startswith(f"{key}-")), key=len, default="")
        rest = subject.removeprefix(name).replace("-", " ").strip()
        return " ".join(filter(None, [known.get(name, ""), rest]))


def _legend(piece: Piece) -> str:
    """Return the text on a counter, or its key if it has none."""
    return str(piece) if type(piece).__str__ is not object.__str__ else piece.key


def _of(name: str, subject: str) -> str:
    """The name of a roll and its subject, of which only one is said where it says the other."""
    here, there = _words(name), _words(subject)
    if here <= there:
        return subject
    return name if there <= here else f"{name}, {subject}"


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _reading(roll: object) -> str:
    """Describe how a roll is read: what it needs, or what is added to it."""
    if isinstance(roll, Volley):
        return roll.arithmetic().partition(", ")[2]
    added = _added(getattr(roll, "modifiers", ()))
    if not isinstance(roll, Check):
        return added
    need = " ".join(roll.arithmetic().split()[-2:])
    return ", ".join(filter(None, [added, f"needed {need}"]))


def _added(modifiers: Modifiers) -> str:
    return ", ".join(f"{signed(value)} {name}" for name, value in modifiers if value)


class ManualDiceMatch(Match[Any, Any]):
    """A match with dice rolled on a real table; replaying its record asks only for those that are not in it."""

    table_kind = ManualDiceTable

    def __init__(self, game: Game[Any, Any], *settings: Any, dice: Dice | None = None, **others: Any) -> None:
        self.table_dice = TypedDice()
        self.table_dice.rules = lambda number: _titled(game, number)
        if isinstance(dice, RecordedDice):
            self.table_dice.remember(dice)
        super().__init__(game, *settings, dice=self.table_dice, **others)

    def decide(self, seat: str, answer: str | Sequence[str], revision: int | None = None) -> Decision | None:
        """Take an answer; where a roll was mistyped, carry it out once more with the other dice as they lie."""
        self.table_dice.open()
        while True:
            try:
                sole = super().decide(seat, answer, revision)
            except Mistyped:
                self.table_dice.rewound()
            else:
                self.table_dice.close()
                return sole


def _titled(game: Game[Any, Any], number: str) -> str:
    """A rule's number and title."""
    with suppress(UnknownRule):
        return f"{number} {game.rulebook.find(number).title}"
    return number
