"""Dice thrown on a real table and typed in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from readyroom.cli.screen import read_line
from readyroom.engine.dice import SEPARATOR, Dice, RememberedDice, typed
from readyroom.engine.errors import DiceMisfit
from readyroom.engine.match import Match


class TypedDice:
    """Asks for faces and draws; what a resumed record already tells is taken from there first."""

    def __init__(self) -> None:
        self._told: RememberedDice | None = None
        self.dice = typed(self.faces, self.draw)

    def remember(self, told: RememberedDice) -> None:
        """Faces and draws that a record tells."""
        self._told = told

    def faces(self, event: str, count: int, sides: int) -> list[int]:
        """The faces of a throw: those that the record still tells of the event, else asked for until they fit."""
        if self._told is not None:
            with suppress(DiceMisfit):
                return list(self._told.throw(event, count, sides, len(self.dice.remembered[event])))
        while True:
            found = _faces(read_line(f"Throw {count}d{sides} for {_named(event)}: "), count, sides)
            if isinstance(found, list):
                return found
            print(found)

    def draw(self, event: str, keys: Sequence[str]) -> str:
        """A counter drawn from a real cup."""
        if self._told is not None:
            with suppress(DiceMisfit):
                return self._told.pick(event, keys)
        while True:
            drawn = read_line(f"Draw for {_named(event)}, one of {', '.join(keys)}: ").strip()
            if drawn in keys:
                return drawn
            print(f"{drawn!r} is not in the cup; there are {', '.join(keys)}.")


def _faces(line: str, count: int, sides: int) -> list[int] | str:
    """The faces in a line, or the sentence that says why it does not fit. Small dice may be typed without spaces."""
    if re.search(r"[^\d\s,;]", line):
        return f"Type the faces as numbers, such as {' '.join(['3'] * min(count, 4))}."
    words: list[str] = re.findall(r"\d" if sides < 10 else r"\d+", line)
    if len(words) != count:
        return f"{count} dice are thrown, and {len(words)} were told."
    faces = [int(word) for word in words]
    wrong = next((face for face in faces if not 1 <= face <= sides), None)
    return faces if wrong is None else f"A die of {sides} sides does not show {wrong}."


def _named(event: str) -> str:
    """An event's name as a player reads it: subject, rule and turn."""
    turn, _, rule, subject, *_ = event.split(SEPARATOR)
    return f"{subject} [{rule}, turn {turn}]"


class MatchAtTable(Match[Any, Any]):
    """A match whose dice lie on a real table; replaying its record asks only for what is not told there."""

    def __init__(self, *settings: Any, dice: Dice | None = None, **others: Any) -> None:
        self.table_dice = TypedDice()
        if isinstance(dice, RememberedDice):
            self.table_dice.remember(dice)
        super().__init__(*settings, dice=self.table_dice.dice, **others)
