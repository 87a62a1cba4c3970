"""A search over the texts of all games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from readyroom.web import catalog
from readyroom.web.pages.games.reader import Reader, reader
from readyroom.web.pages.games.search_query import SearchQuery, fold, longest_first

MOST_HITS = 50
"""The most results of a search over all games."""


class Place(NamedTuple):
    """A text that searches can find; `folded` is the folded text, and `names` are other words for the title."""

    kind: str
    number: str
    title: str
    text: str
    address: str
    folded: str
    names: Sequence[str] = ()


class Words:
    """The places of words; a set of places is a number whose bits they are."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._places = dict[str, int]()
        for at, text in enumerate(texts):
            for word in text.split():
                self._places[word] = self._places.get(word, 0) | 1 << at
        self._lines = "\n".join(["", *self._places, ""])

    def having(self, parts: Iterable[str]) -> int:
        """Return the places of words that contain these parts, for each part one; all places for no parts."""
        every = -1
        for part in longest_first(parts):
            if not every:
                break
            every &= self._having(part)
        return every

    def _having(self, part: str) -> int:
        lines, places = self._lines, 0
        at = lines.find(part)
        while at >= 0:
            end = lines.index("\n", at)
            places |= self._places[lines[lines.rindex("\n", 0, at) + 1 : end]]
            at = lines.find(part, end)
        return places


class Index:
    """The words of one game's book with their places."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = places
        titles = [fold(place.title) for place in places]
        self._words = Words(f"{fold(each.number)} {fold(each.title)} {each.folded}" for each in places)
        self._title_words = Words(titles)
        self._by_name = dict[str, int]()
        for at, place in enumerate(places):
            for name in {titles[at], fold(place.number), *map(fold, place.names)} - {""}:
                self._by_name[name] = self._by_name.get(name, 0) | 1 << at

    def find(self, wanted: SearchQuery) -> list[tuple[int, int, Place]]:
        """Return the places with all words or parts of words of a search, best first.

        Each comes with its rank and its place in this rank: those of this name or number have rank 0, titles 1 and
        texts 2. A search without a word that is long enough finds only names and numbers.
        """
        named = self._by_name.get(fold(wanted.text), 0)
        titled = every = 0
        if wanted.words:
            titled, every = self._title_words.having(wanted.words), self._words.having(wanted.words)
        ranks = (named, titled & ~named, every & ~titled & ~named)
        return [
            (rank, at, self._places[bit]) for rank, these in enumerate(ranks) for at, bit in enumerate(_bits(these))
        ]


def _bits(places: int) -> Iterator[int]:
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest


@lru_cache(maxsize=64)
def index(name: str) -> Index:
    """Return the index of a game."""
    return Index(list(_places(reader(name))))


def _places(reading: Reader) -> Iterator[Place]:
    game = reading.game
    for rule in game.rulebook.rule:
        yield _place("Rule", rule.number, rule.title, rule.text, reading.address(rule.number))
    for ruling in game.rulebook.ruling:
        text = f"{ruling.text.strip()} Why: {ruling.reason.strip()}"
        yield _place("Ruling", ruling.id, ruling.title, text, reading.address(ruling.id))
    for term in game.glossary.term:
        also = f" Also: {', '.join(term.also)}." if term.also else ""
        yield _place("Glossary", "", term.word, term.text + also, reading.term_address(term), term.also)
    for chart in game.presentation.charts(game.data):
        rows = "; ".join(f"{row}: {', '.join(cells)}" for row, cells in chart.rows.items())
        text = f"{', '.join(chart.columns)}. {rows}. {chart.origin}."
        yield _place("Chart", "", chart.title, text, f"{reading.home}/charts#{chart.id}")
    for scenario in game.rules.scenarios(game.data):
        yield _place("Scenario", "", scenario.title, scenario.summary, f"{reading.home}#scenarios")


def _place(kind: str, number: str, title: str, text: str, address: str, names: Sequence[str] = ()) -> Place:
    return Place(kind, number, title, text.strip(), address, fold(text.strip()), names)


class Hit(NamedTuple):
    """A search result: its kind, its place, and the text around it."""

    kind: str
    number: str
    title: Markup
    text: Markup
    address: str


class Results(NamedTuple):
    """The results of a search by game, of which there are `total`; `more` are not shown."""

    by_game: list[tuple[Reader, list[Hit]]]
    total: int
    more: int


@lru_cache(maxsize=128)
def search_all(wanted: SearchQuery) -> Results:
    """Return the results in all games; if these are too many, the best of each game."""
    names = list(catalog.games())
    found = [(rank, nth, at, place) for at, name in enumerate(names) for rank, nth, place in index(name).find(wanted)]
    shown: dict[str, list[Hit]] = {}
    for _, _, at, place in sorted(found, key=lambda each: each[:3])[:MOST_HITS]:
        text = wanted.excerpt(place.text, place.folded)
        hit = Hit(place.kind, place.number, wanted.marked(place.title), text, place.address)
        shown.setdefault(names[at], []).append(hit)
    by_game = [(reader(name), shown[name]) for name in names if name in shown]
    return Results(by_game, len(found), max(0, len(found) - MOST_HITS))
