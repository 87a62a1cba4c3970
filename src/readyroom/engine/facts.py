"""Facts of a finished match: figures and words under stable keys, so that what follows can depend on them.

Every game has `title`, `winner`, `score SIDE` and, with two sides, `lead`; a game's own are listed in its `facts.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from readyroom.engine.errors import Unknown
from readyroom.engine.rules.state import Outcome

FactValue: TypeAlias = int | str | list[str]
"""A number, a word, or a list of words such as names of ships."""
DRAW = "draw"
"""The fact `winner` if no side has won."""


class UnknownFact(Unknown):
    """The game reports no fact of this name."""

    kind = "fact"


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact that a game reports: a number from `low` to `high`, one of some `words`, or a list of names.

    Without `low` or `high` a number has no limit there. A fact that is neither has any word, or, with `names`, any
    number of them. A key that ends with `*` is for every key that begins in the same way, such as one for each ship.
    """

    title: str
    rule: str = ""
    low: int | None = None
    high: int | None = None
    words: list[str] = []
    text: bool = False
    names: bool = False

    @property
    def is_number(self) -> bool:
        """Whether its value is a number."""
        return not (self.words or self.text or self.names)

    def describe_values(self) -> str:
        """Return in words which values are possible.

        >>> Fact("Carriers sunk", low=0, high=4).describe_values()
        'A number from 0 to 4'
        """
        if self.is_number:
            low = "" if self.low is None else f" from {self.low}"
            return f"A number{low}" + ("" if self.high is None else f" {'to' if low else 'up to'} {self.high}")
        if self.names:
            return "A list of names"
        return f"One of {', '.join(self.words)}" if self.words else "A text"

    def fits(self, value: FactValue) -> bool:
        """Return whether a value is possible."""
        if self.is_number:
            small = isinstance(value, int) and self.low is not None and value < self.low
            large = isinstance(value, int) and self.high is not None and value > self.high
            return isinstance(value, int) and not (small or large)
        if self.names:
            return isinstance(value, list)
        return isinstance(value, str) and (not self.words or value in self.words)


def find_fact(known: Mapping[str, Fact], key: str, where: str = "") -> Fact:
    """Return the fact of a key, or of the longest pattern that fits; raise `UnknownFact` if there is none."""
    if key in known:
        return known[key]
    patterns = [one for one in known if one.endswith("*") and key.startswith(one[:-1]) and len(key) >= len(one)]
    if not patterns:
        raise UnknownFact(key, known, where=where)
    return known[max(patterns, key=len)]


def common_facts(sides: Sequence[str]) -> dict[str, Fact]:
    """Return the facts that every game with these sides reports."""
    facts = {
        "title": Fact("How the match ended", text=True),
        "winner": Fact("The winning side", words=[*sides, DRAW]),
        **{f"score {side}": Fact(f"Score of {side}; 0 if the game has none") for side in sides},
    }
    return facts | ({"lead": Fact(f"Score of {sides[0]} minus that of {sides[1]}")} if len(sides) == 2 else {})


def outcome_facts(outcome: Outcome, sides: Iterable[str]) -> dict[str, FactValue]:
    """Return the facts that every game reports, from the outcome of a match."""
    scores = {side: outcome.scores.get(side, 0) for side in sides}
    facts: dict[str, Any] = {"title": outcome.title, "winner": outcome.winner or DRAW}
    facts |= {f"score {side}": score for side, score in scores.items()}
    if len(scores) == 2:
        first, second = scores.values()
        facts["lead"] = first - second
    return facts
