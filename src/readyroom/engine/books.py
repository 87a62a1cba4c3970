"""A game's texts: the rulebook, the glossary and the tutorial."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence

import msgspec

from readyroom.engine.errors import IllegalChoice, UnknownRule
from readyroom.engine.rules.decisions import Decision


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A numbered section of a rulebook, in our words."""

    number: str
    title: str
    text: str


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to an open question of the rulebook, its reason, and the option that changes it."""

    id: str
    title: str
    text: str
    reason: str
    rule: str
    option: str = ""


class Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rules and rulings of a game, in order."""

    rule: list[Rule]
    ruling: list[Ruling] = []

    @property
    def numbers(self) -> dict[str, Rule | Ruling]:
        """All rules and rulings by number."""
        return {**{rule.number: rule for rule in self.rule}, **{ruling.id: ruling for ruling in self.ruling}}

    def find(self, number: str) -> Rule | Ruling:
        """Return the rule or ruling of this number; raise `UnknownRule` if there is none."""
        numbers = self.numbers
        if number not in numbers:
            raise UnknownRule(number, numbers)
        return numbers[number]

    def search(self, text: str) -> list[Rule | Ruling]:
        """Return the rules and rulings with all these words, or words that start with them, titles first."""
        patterns = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in text.split()]
        found = [
            (not all(each.search(f"{key} {rule.title}") for each in patterns), rule)
            for key, rule in self.numbers.items()
            if all(each.search(f"{key} {rule.title} {rule.text}") for each in patterns)
        ]
        return [rule for _, rule in sorted(found, key=lambda one: one[0])]

    def subsections(self, number: str) -> list[Rule | Ruling]:
        """Return the rule of this number, its subsections, and their rulings."""
        entry = self.find(number)
        if isinstance(entry, Ruling):
            return [entry]
        prefix = f"{number}."
        rules = [rule for rule in self.rule if rule.number == number or rule.number.startswith(prefix)]
        rulings = [ruling for ruling in self.ruling if ruling.rule == number or ruling.rule.startswith(prefix)]
        return [*rules, *rulings]


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A term of wargaming or of one game, explained; `also` has its other forms in texts."""

    word: str
    text: str
    also: list[str] = []


class Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The glossary of a game."""

    term: list[Term] = []


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tutorial's text for a rule's question, in the given turn or (0) in every other one.

    `about` limits it to questions about one piece. `show` names places on the board: keys of pieces or, with a leading
    dot, kinds of drawn objects. `pick` is the suggested answer, if it is known beforehand: the first n options whose
    keys match a pattern, or n points for a key. If `staff` is true, the bot's answer is suggested.
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
        """Return the suggested keys; empty if there are none, or if the decision does not allow them."""
        options = decision.keys
        keys = [key for pattern, count in self.pick.items() for key in _first_matches(options, pattern, count)]
        keys = keys[: decision.at_most]
        try:
            decision.accept(keys)
        except IllegalChoice:
            return []
        return keys


def _first_matches(keys: Sequence[str], pattern: str, count: int) -> list[str]:
    """Return the first `count` keys that match a pattern; a pattern that is itself a key is repeated."""
    return [pattern] * count if pattern in keys else fnmatch.filter(keys, pattern)[:count]


class LogNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tutorial's note on the first log line of a rule."""

    rule: str
    text: str


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A first match for a new player: its set-up and its texts.

    `seat` is the player's, and `bot` plays the others. `goal` is what the player should achieve. `turns` is the length
    of the tutorial; `closing` is shown after them, or when the match is over. `decisions` is about how many
    decisions the player makes, and `minutes` about how long a new player takes; 0 if that is not known.
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
    decisions: int = 0
    minutes: int = 0

    def tip(self, rule: str, turn: int, about: str = "") -> Step | None:
        """Return the step for a question of this rule; steps for this turn come first, then those about this piece."""
        steps = [
            step for step in self.step if step.rule == rule and step.turn in (turn, 0) and step.about in (about, "")
        ]
        return max(steps, key=lambda step: (step.turn, step.about), default=None)
