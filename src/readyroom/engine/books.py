"""What a game's package tells of its rules: the rulebook in our words, the glossary, and the lesson."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

import msgspec

from readyroom.engine.decisions import Decision
from readyroom.engine.errors import IllegalChoice, UnknownRule


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A numbered section of a rulebook, told in our words."""

    number: str
    title: str
    text: str


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an open question of the rulebook is answered, why, and which option changes it."""

    id: str
    title: str
    text: str
    reason: str
    rule: str
    option: str = ""


class Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rules and rulings of a game, in the order of the text."""

    rule: list[Rule]
    ruling: list[Ruling] = []

    def find(self, number: str) -> Rule | Ruling:
        """The rule or ruling of this number; `UnknownRule` otherwise."""
        for rule in self.rule:
            if rule.number == number:
                return rule
        for ruling in self.ruling:
            if ruling.id == number:
                return ruling
        raise UnknownRule(number, [rule.number for rule in self.rule] + [r.id for r in self.ruling])

    def subsections(self, number: str) -> list[Rule | Ruling]:
        """The rule of this number, its sub-sections, and the rulings that belong to them."""
        found = self.find(number)
        if isinstance(found, Ruling):
            return [found]
        inside = (number, f"{number}.")
        rules = [r for r in self.rule if r.number == number or r.number.startswith(inside[1])]
        rulings = [r for r in self.ruling if r.rule == number or r.rule.startswith(inside[1])]
        return [*rules, *rulings]


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of the hobby or of a game, in plain words; `also` are the other forms in which texts have it."""

    word: str
    text: str
    also: list[str] = []


class Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What words mean."""

    term: list[Term] = []


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a lesson says when a rule asks: in the turn that it names, or (0) in every other one.

    `about` narrows it to the questions about one thing. `show` are the places on the board that it tells of: keys of
    pieces, or, with a dot before them, kinds of drawn things. `pick` is what it advises, where that can be said
    beforehand: of the options whose keys fit a pattern the first so many, and to a key itself so many points. Where
    `staff` is true, it advises what the staff would do.
    """

    rule: str
    title: str
    text: str
    turn: int = 0
    about: str = ""
    suggest: str = ""
    show: list[str] = []
    pick: dict[str, int] = {}
    staff: bool = False

    def suggested_keys(self, decision: Decision) -> list[str]:
        """The keys of what it advises; empty where it advises nothing, or what this question does not allow."""
        known = decision.keys
        keys = [key for pattern, count in self.pick.items() for key in _so_many(known, pattern, count)]
        keys = keys[: decision.at_most]
        try:
            decision.accept(keys)
        except IllegalChoice:
            return []
        return keys


def _so_many(keys: Sequence[str], pattern: str, count: int) -> list[str]:
    """The first so many keys that fit a pattern; a pattern that is one of the keys, so many times."""
    return [pattern] * count if pattern in keys else fnmatch.filter(keys, pattern)[:count]


class LogNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a lesson says beneath the first line of the log that a rule writes."""

    rule: str
    text: str


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A first match for somebody who has never seen a wargame: the table that is laid, and what is said at it.

    `seat` is the learner's, and `bot` plays all the others. `goal` says what the learner is to achieve. `turns` is how
    long the lesson lasts; `closing` is said when they are over, or the match is.
    """

    title: str
    summary: str
    intro: str
    goal: str
    seat: str
    bot: str
    scenario: str
    seed: str
    turns: int
    closing: str
    step: list[Step]
    news: list[LogNote] = []
    options: dict[str, str] = {}

    def tip(self, rule: str, turn: int, about: str = "") -> Step | None:
        """What the lesson says to a question of this rule: what is meant for the turn comes before the rest.

        Of two that are meant for the turn alike, the one that is meant for what the question is about comes first.
        """
        found = [
            step for step in self.step if step.rule == rule and step.turn in (turn, 0) and step.about in (about, "")
        ]
        return max(found, key=lambda step: (step.turn, step.about), default=None)
