"""[1.9] The pages at the end of a raid, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from readyroom.games.doolittle.ending.dispatch import dispatch
from readyroom.games.doolittle.ending.front_page import front_page
from readyroom.games.doolittle.ending.letter import letter
from readyroom.games.doolittle.ending.story import Entry, Page, Sentence, Story
from readyroom.games.doolittle.ending.timeline import events_by_month
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.state import Doolittle


class Tale(NamedTuple):
    """The front page, the letter, the report, and the time line."""

    pages: Sequence[Page]
    line: Sequence[Entry]

    @property
    def sentences(self) -> list[Sentence]:
        """Every sentence of it."""
        sentences = [entry.sentence for entry in self.line]
        for page in self.pages:
            sentences.append(page.heading)
            sentences += [one for paragraph in page.paragraphs for one in paragraph]
        return sentences


def build_tale(state: Doolittle, data: Data) -> Tale:
    """[1.9] Return what happened, in four forms."""
    teller = Story(state, data)
    return Tale([front_page(teller), letter(teller), dispatch(teller)], events_by_month(teller))
