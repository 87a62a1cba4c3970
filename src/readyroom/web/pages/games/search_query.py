"""What readers search for: the words of a search, marked in what it finds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup, escape

MOST_WORDS, LONGEST = 8, 100
"""The most words of a search, and the most characters."""
SHORTEST, SHORTEST_NUMBER = 3, 2
"""The fewest characters of a search word, and of one with a digit."""
EXCERPT = 220
"""About the number of characters of an excerpt."""


def fold(text: str) -> str:
    """Fold a text for searches: lower case, without accents, of the same length.

    >>> fold("Kidō Butai")
    'kido butai'
    """
    if text.isascii():
        return text.lower()
    return "".join(unicodedata.normalize("NFKD", letter)[0].lower()[:1] for letter in text)


class SearchQuery(NamedTuple):
    """A search: all its words must occur, in any order; those `ignored` are too short or too many."""

    text: str = ""
    words: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def normal(self) -> SearchQuery:
        """The search as a key: those with the same results are equal."""
        return SearchQuery(fold(self.text), tuple(sorted(self.words)))

    def marked(self, text: str) -> Markup:
        """Return the text with the search words marked."""
        if not self.words:
            return escape(text)
        parts, done = list[str](), 0
        for hit in _pattern(self.words).finditer(fold(text)):
            parts += [escape(text[done : hit.start()]), "<mark>", escape(text[hit.start() : hit.end()]), "</mark>"]
            done = hit.end()
        return Markup("".join([*parts, escape(text[done:])]))

    def excerpt(self, text: str, folded: str = "") -> Markup:
        """Return the part of a long text around the first search word, marked; `folded` is its folded text."""
        if len(text) <= EXCERPT:
            return self.marked(text)
        folded = folded or fold(text)
        first = min((at for word in self.words if (at := folded.find(word)) >= 0), default=0)
        start = max(0, first - EXCERPT // 3)
        start = text.find(" ", start) + 1 if start else 0
        end = text.rfind(" ", start, start + EXCERPT)
        part = self.marked(text[start : end if end > first else None])
        return Markup("{}{}{}").format("… " if start else "", part, " …" if end > first else "")


@lru_cache(maxsize=128)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, longest_first(words))))


def parse_query(text: str) -> SearchQuery:
    """Parse a search."""
    content = " ".join(text[:LONGEST].split())
    words = list(dict.fromkeys(fold(content).split()))
    used = [word for word in words if _is_long_enough(word)][:MOST_WORDS]
    return SearchQuery(content, tuple(used), tuple(word for word in words if word not in used))


def _is_long_enough(word: str) -> bool:
    return len(word) >= (SHORTEST_NUMBER if any(map(str.isdigit, word)) else SHORTEST)


NOTHING = SearchQuery()


def longest_first(parts: Iterable[str]) -> list[str]:
    """Return alternatives for a pattern, the longest first."""
    return sorted(parts, key=len, reverse=True)
