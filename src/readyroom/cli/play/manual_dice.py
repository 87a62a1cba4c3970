"""Dice that players roll by hand and type in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from random import SystemRandom
from typing import Any, NamedTuple, TypeVar

from readyroom.cli.screen import read_line
from readyroom.engine.errors import InvalidDice, UnknownRule
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import ChartRoll, Check, Modifiers, Rollable, Volley, signed
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import SEPARATOR, Dice, RecordedDice
from readyroom.engine.rules.state import Piece, iter_pieces
from readyroom.engine.rules.table import Table
from readyroom.engine.text import count_noun

R = TypeVar("R")
P = TypeVar("P", bound=Piece)
FEW = 3
"""This many numbered counters of a kind are listed one by one."""
ON_SALE = (4, 6, 8, 10, 12, 20, 100)
"""Sides of the dice that people have."""
HELP = """\
Roll the dice and type the results, such as 3 5 1 or 351; a ten on a ten-sided die is 10, not 0.
`roll`: let the computer roll or draw.  `wrong`: correct the previous roll.
`quit`: quit; when you resume, you repeat the decision these dice belong to."""
NO_EARLIER = "There is no earlier roll of this decision; rolls of earlier decisions are final."


class Mistyped(InvalidDice):
    """A roll was typed wrongly; its decision is carried out again and asks for it again."""


class Meaning(NamedTuple):
    """What a roll is for, how it is read, and the counters of a cup by key."""

    what: str = ""
    reading: str = ""
    counters: Mapping[str, str] = {}


def nothing() -> None:
    """Do nothing."""


class TypedDice(RecordedDice):
    """Dice that ask for faces and draws, after those in the record of a resumed match.

    `meaning` describes the next roll. `before` is called before each question, and `rewound` when a roll is
    to be asked for again.
    """

    def __init__(self) -> None:
        super().__init__(self.faces, self.counter)
        self.meaning = Meaning()
        self.before: Callable[[], None] = nothing
        self.rewound: Callable[[], None] = nothing
        self.rules: Callable[[str], str] = str
        self._recorded: RecordedDice | None = None
        self._typed: list[str] | None = None

    def remember(self, recorded_dice: RecordedDice) -> None:
        """Use the faces and draws of a record first."""
        self._recorded = recorded_dice

    def open(self) -> None:
        """Start a decision: what is typed from here on can be corrected."""
        self._typed = []

    def close(self) -> None:
        """Confirm the decision and its dice."""
        self._typed = None

    def faces(self, event: str, count: int, sides: int) -> list[int]:
        """Return the faces of a roll: from the record if it has the event, else typed by the player until they fit."""
        if self._recorded is not None:
            with suppress(InvalidDice):
                return list(self._recorded.roll(event, count, sides, len(self.remembered[event])))
        again = bool(self.remembered.get(event))
        hint = "" if sides in ON_SALE else f" (draw a random number from 1 to {sides}, or type `roll`)"
        prompt = f"Roll {count}d{sides} for {self._purpose(event, again)}{hint}: "
        while True:
            line = self._line(event, prompt)
            faces = _roll(count, sides) if line == "roll" else _faces(line, count, sides)
            if isinstance(faces, list):
                self._note(event)
                return faces
            print(faces)

    def counter(self, event: str, keys: Sequence[str]) -> str:
        """Return a counter drawn from a real cup."""
        if self._recorded is not None:
            with suppress(InvalidDice):
                return self._recorded.pick(event, keys)
        named = {key: self.meaning.counters.get(key, key) for key in keys}
        listed = _listed(named)
        prompt = f"Draw for {self._purpose(event, False)}, one of {listed}: "
        while True:
            line = self._line(event, prompt)
            counter = SystemRandom().choice(keys) if line == "roll" else _find_counter(line, named)
            if counter is not None:
                self._note(event)
                return counter
            print(f"{line!r} is not in the cup. It contains {listed}.")

    def _line(self, event: str, prompt: str) -> str:
        """Return the line typed at a roll, after any commands; raise `Mistyped` to correct the previous roll."""
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
        """Forget the previous roll and raise `Mistyped`; print a message if there is none."""
        if not self._typed:
            print(NO_EARLIER)
            return
        event = self._typed.pop()
        for dropped in (event, question):
            self.remembered.pop(dropped, None)
            self.picked.pop(dropped, None)
        raise Mistyped(f"{event} is rolled again.")

    def _purpose(self, event: str, again: bool) -> str:
        """Describe an event for a player: what it affects, the rule and its title, how to read the roll."""
        turn, _, rule, subject, *_ = event.split(SEPARATOR)
        what = f"{self.meaning.what or subject}{', again' if again else ''}"
        reading = f"; {self.meaning.reading}" if self.meaning.reading else ""
        return f"{what} [{self.rules(rule)}, turn {turn}]{reading}"


def _roll(count: int, sides: int) -> list[int]:
    """Roll by computer; the faces are recorded like typed ones."""
    faces = [SystemRandom().randint(1, sides) for _ in range(count)]
    print(f"Rolled: {' '.join(map(str, faces))}")
    return faces


def _faces(line: str, count: int, sides: int) -> list[int] | str:
    """Return the faces in a line, or an error. Dice with fewer than ten sides may be typed without spaces."""
    if re.search(r"[^\d\s,;]", line):
        return f"Type the faces as numbers, such as {' '.join(['3'] * min(count, 4))}, or `help`."
    texts: list[str] = re.findall(r"\d" if sides < 10 else r"\d+", line)
    if len(texts) != count:
        return f"{count_noun(count, 'die', 'dice')} needed, {len(texts)} given."
    faces = [int(word) for word in texts]
    wrong = next((face for face in faces if not 1 <= face <= sides), None)
    return faces if wrong is None else f"A {sides}-sided die has no {wrong}."


def _find_counter(line: str, named: Mapping[str, str]) -> str | None:
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
    texts: list[str] = []
    for (_, count), group in rows:
        names, identical = list(group), f" (×{count})" if count > 1 else ""
        short = [f"{len(names)} from {names[0]} to {names[-1]}"] if len(names) > FEW else names
        texts += [f"{text}{identical}" for text in short]
    return ", ".join(texts)


# -- what a roll is for ---------------------------------------------------------------------------------------------


class ManualDiceTable(Table[Any, Any]):
    """A table that describes each roll before it asks for the dice."""

    def roll(self, check: Rollable[R], subject: str) -> R:
        """Roll a check or a volley and describe it in the question."""
        name = getattr(check, "name", "") or getattr(getattr(check, "chart", None), "title", "")
        self._mean(Meaning(_of(name, self._called(subject)), _reading(check)))
        return super().roll(check, subject)

    def roll_dice(self, rule: str, subject: str, count: int = 1, sides: int = 6) -> bytes:
        """Roll plain dice, described by their subject."""
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
        """Return a subject with its piece's name in place of the key."""
        known = {piece.key: _legend(piece) for piece in iter_pieces(self.state)}
        name = max((key for key in known if subject == key or subject.startswith(f"{key}-")), key=len, default="")
        rest = subject.removeprefix(name).replace("-", " ").strip()
        return " ".join(filter(None, [known.get(name, ""), rest]))


def _legend(piece: Piece) -> str:
    return str(piece) if type(piece).__str__ is not object.__str__ else piece.key


def _of(name: str, subject: str) -> str:
    """Return a roll's name and subject, without one that repeats the other."""
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
        """Take an answer; after a mistyped roll, carry it out again with the other dice unchanged."""
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
    with suppress(UnknownRule):
        return f"{number} {game.rulebook.find(number).title}"
    return number
