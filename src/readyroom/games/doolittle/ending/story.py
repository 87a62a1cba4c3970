"""[1.9] The debriefing's pages: a front page, a letter home, a report to the Chiefs, and a time line.

Every sentence lists the happenings and the facts that it uses, and states nothing else. Its
sources are named by two words: `story 12` is a happening by its number, `fact blast` a fact of the debriefing,
`bomber b03`, `crew b03`, `city tokyo`, `site kian`, `ship hornet`, `talks stilwell`, `chit wake`, `view army`,
`check reprisal`, `launch`, `blotter` and `security` the state of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from readyroom.games.doolittle.ending import campaign, facts
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.state import Doolittle, Happening, Target

Ref = str


class Sentence(NamedTuple):
    """A sentence, and its sources."""

    text: str
    of: Sequence[Ref]


class Entry(NamedTuple):
    """Something on the time line: the month, the day as far as it is known, and a sentence."""

    month: str
    day: str
    sentence: Sentence


class Page(NamedTuple):
    """A page of the debriefing: its heading, the sentences of its paragraphs, and who has signed it."""

    key: str
    heading: Sentence
    paragraphs: Sequence[Sequence[Sentence]]
    signed: str = ""


class Story:
    """The sources of all pages: the state, the figures, the facts, and the index of each happening."""

    def __init__(self, state: Doolittle, data: Data) -> None:
        self.state, self.data = state, data
        self.told_to_the_end = campaign.is_due(state)
        self.off = state.called_off

    @cached_property
    def known(self) -> Mapping[str, int]:
        """The facts of the debriefing."""
        return facts.all_facts(self.state, self.data)

    def of(self, what: str | Iterable[str], who: str = "") -> list[tuple[int, Happening]]:
        """Return the happenings of some kinds, with their numbers; of one piece, or of all."""
        kinds = {what} if isinstance(what, str) else set(what)
        return [(at, one) for at, one in enumerate(self.state.story) if one.what in kinds and who in ("", one.who)]

    def refs(self, what: str | Iterable[str], who: str = "") -> list[Ref]:
        """Return the references to the happenings of some kinds."""
        return [f"story {at}" for at, _ in self.of(what, who)]

    def by(self, cause: str) -> str:
        """Return what damaged or destroyed something, as a phrase that fits into a sentence."""
        return self.data.debriefing.tales.by.get(cause, cause)

    def cities(self) -> list[tuple[str, Target]]:
        """Return the cities on which bombs fell."""
        return [(key, target) for key, target in self.state.targets.items() if target.tally]

    def flew(self) -> int:
        """Return how many bombers took off."""
        return self.known["launched"]


def in_box(target: Target) -> int:
    """[4.9.4] Return the blast in boxes of a city."""
    return sum(box.blast for _, box in target.boxes)


def boxes_hit(target: Target) -> list[str]:
    """[4.9.4] Return the boxes of a city that were hit, the worst first."""
    struck = [(box.blast, key) for key, box in target.boxes if box.blast]
    return [key for _, key in sorted(struck, key=lambda one: -one[0])]


def areas_hit(target: Target) -> list[str]:
    """[4.9] Return the areas of a city on which bombs fell next to the targets."""
    return [key for key, area in target.areas.items() if area.blast]
