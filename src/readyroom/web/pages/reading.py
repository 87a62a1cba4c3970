"""A game's book for readers: rule numbers are linked, glossary terms explained, and search words marked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from readyroom.engine.books import Rule, Ruling, Term
from readyroom.web import catalog

MOST_WORDS, LONGEST = 8, 100
"""The most words of a search, and the most characters."""
EXCERPT = 220
"""About the number of characters of an excerpt."""
LINK = Markup('<a class="{}" href="{}" title="{}">{}</a>')


# -- searching -------------------------------------------------------------------------------------------------------


def fold(text: str) -> str:
    """Fold a text for searches: lower case, without accents, of the same length.

    >>> fold("Kidō Butai")
    'kido butai'
    """
    if text.isascii():
        return text.lower()
    return "".join(unicodedata.normalize("NFKD", letter)[0].lower()[:1] for letter in text)


class SearchQuery(NamedTuple):
    """A search: all its words must occur, in any order."""

    text: str = ""
    words: tuple[str, ...] = ()

    def matches(self, *texts: str) -> bool:
        """Return whether all words occur in these texts; true for an empty search."""
        place = fold("\n".join(texts))
        return all(word in place for word in self.words)

    def marked(self, text: str) -> Markup:
        """Return the text with the search words marked."""
        if not self.words:
            return Markup.escape(text)
        pattern = "|".join(re.escape(word) for word in sorted(self.words, key=len, reverse=True))
        parts, done = [], 0
        for hit in re.finditer(pattern, fold(text)):
            marked = Markup("<mark>{}</mark>").format(text[hit.start() : hit.end()])
            parts += [Markup.escape(text[done : hit.start()]), marked]
            done = hit.end()
        return Markup("").join([*parts, Markup.escape(text[done:])])

    def excerpt(self, text: str) -> Markup:
        """Return the part of a long text around the first search word, marked."""
        if len(text) <= EXCERPT:
            return self.marked(text)
        place = fold(text)
        first = min((at for word in self.words if (at := place.find(word)) >= 0), default=0)
        start = max(0, first - EXCERPT // 3)
        start = text.find(" ", start) + 1 if start else 0
        end = text.rfind(" ", start, start + EXCERPT)
        part = self.marked(text[start : end if end > first else None])
        return Markup("{}{}{}").format("… " if start else "", part, " …" if end > first else "")


def parse_query(text: str) -> SearchQuery:
    """Parse a search."""
    content = " ".join(text[:LONGEST].split())
    return SearchQuery(content, tuple(dict.fromkeys(fold(content).split()[:MOST_WORDS])))


NOTHING = SearchQuery()


# -- texts with their references -------------------------------------------------------------------------------------


def slug(word: str) -> str:
    """Return a word as a part of an address: lower case with hyphens.

    >>> slug("Waiting to Land")
    'waiting-to-land'
    """
    return re.sub(r"[^a-z0-9]+", "-", fold(word)).strip("-")


class Reader:
    """One game's texts with rule numbers and glossary terms linked."""

    def __init__(self, game: catalog.AnyGame) -> None:
        self.game = game
        self.home = f"/games/{game.key}"
        self.has_tools = bool(game.presentation.tools(game.data))
        book = game.rulebook
        self.numbers = {rule.number: rule.title for rule in book.rule} | {one.id: one.title for one in book.ruling}
        self.terms = {form: term for term in game.glossary.term for form in (term.word, *term.also)}
        self._pattern = re.compile("|".join(filter(None, (self._references(), self._words()))) or r"(?!)")

    def _references(self) -> str:
        """Match rule numbers; whole numbers only where brackets or a word mark them as rules."""
        whole = [re.escape(number) for number in self.numbers if number.isdigit()]
        clear = [re.escape(number) for number in self.numbers if not number.isdigit()]
        parts = [rf"(?<![\w.])(?P<number>{'|'.join(_longest_first(clear))})(?![\w]|\.\d)"] if clear else []
        if whole:
            named = r"(?<=\[)|(?<=\brule )|(?<=\brules )|(?<=\bsection )|(?<=\bsections )"
            parts.append(rf"(?:{named})(?P<whole>{'|'.join(_longest_first(whole))})(?!\w|\.\d)")
        return "|".join(parts)

    def _words(self) -> str:
        """Match the glossary's terms; a capital letter must match, a small one may be a capital."""
        forms = [_either_case(form) for form in self.terms]
        return rf"(?<![\w-])(?P<word>{'|'.join(_longest_first(forms))})(?![\w-])" if forms else ""

    def term(self, form: str) -> Term | None:
        """Return the glossary's entry for a term or one of its forms."""
        return self.terms.get(form) or self.terms.get(form[:1].lower() + form[1:])

    def address(self, number: str) -> str:
        """Return the address of a rule or ruling."""
        return f"{self.home}/rules#{number}"

    def term_address(self, term: Term) -> str:
        """Return the address of a term of the glossary."""
        return f"{self.home}/rules#word-{slug(term.word)}"

    def linkify(
        self, text: str, wanted: SearchQuery = NOTHING, *, here: str = "", explained: set[str] | None = None
    ) -> Markup:
        """Return a text with its references linked, and the words of a search marked.

        The number `here` of its own rule is not linked, nor are terms that are `explained` already; new ones are added.
        """
        parts, done, explained = [], 0, set() if explained is None else explained
        for hit in self._pattern.finditer(text):
            result = hit.groupdict()
            number = result.get("number") or result.get("whole")
            if number and number != here:
                link = LINK.format("ref", self.address(number), self.numbers[number], wanted.marked(hit[0]))
            elif not number and (term := self.term(hit[0])) is not None and term.word not in explained:
                explained.add(term.word)
                link = LINK.format("term", self.term_address(term), term.text, wanted.marked(hit[0]))
            else:
                continue
            parts += [wanted.marked(text[done : hit.start()]), link]
            done = hit.end()
        return Markup("").join([*parts, wanted.marked(text[done:])])


def _either_case(form: str) -> str:
    """Return a pattern for a term that may start a sentence."""
    first = f"[{form[0].upper()}{form[0]}]" if form[0].islower() else re.escape(form[0])
    return first + re.escape(form[1:])


def _longest_first(parts: Iterable[str]) -> list[str]:
    return sorted(parts, key=len, reverse=True)


@lru_cache(maxsize=64)
def reader(name: str) -> Reader:
    """Return the reader of a game; raise `UnknownGame` if it is not installed."""
    return Reader(catalog.find(name))


# -- the rules as they are printed -----------------------------------------------------------------------------------


class Note(NamedTuple):
    """A ruling next to its rule; `option` and `option_key` name the option that changes it, if any."""

    number: str
    title: Markup
    text: Markup
    reason: Markup
    option: str
    option_key: str


class Section(NamedTuple):
    """A rule with its rulings."""

    number: str
    title: Markup
    text: Markup
    notes: list[Note]


class Chapter(NamedTuple):
    """A section of the rulebook with its subsections; `has_text` says whether `head` has more than its title."""

    head: Section
    has_text: bool
    parts: list[Section]


@lru_cache(maxsize=64)
def chapters(name: str, wanted: SearchQuery = NOTHING) -> list[Chapter]:
    """Return a game's rules with their rulings in order, or those that match a search."""
    reading, chapters = reader(name), []
    book = reading.game.rulebook
    for _, group in groupby(book.rule, key=lambda rule: rule.number.split(".")[0]):
        (head, *parts), explained = group, set[str]()
        visible = _is_found(head, book.ruling, wanted)
        first = _section(reading, head, wanted, explained)
        inside = [_section(reading, rule, wanted, explained) for rule in parts if _is_found(rule, book.ruling, wanted)]
        if visible or inside:
            chapters.append(Chapter(first, visible, inside))
    return chapters


def _is_found(rule: Rule, rulings: Iterable[Ruling], wanted: SearchQuery) -> bool:
    return wanted.matches(rule.number, rule.title, rule.text) or any(
        wanted.matches(ruling.id, ruling.title, ruling.text, ruling.reason)
        for ruling in rulings
        if ruling.rule == rule.number
    )


def _section(reading: Reader, rule: Rule, wanted: SearchQuery, explained: set[str]) -> Section:
    text = reading.linkify(rule.text.strip(), wanted, here=rule.number, explained=explained)
    rulings = [ruling for ruling in reading.game.rulebook.ruling if ruling.rule == rule.number]
    notes = [_note(reading, ruling, wanted, explained) for ruling in rulings]
    return Section(rule.number, wanted.marked(rule.title), text, notes)


def _note(reading: Reader, ruling: Ruling, wanted: SearchQuery, explained: set[str]) -> Note:
    text = reading.linkify(ruling.text.strip(), wanted, here=ruling.id, explained=explained)
    reason = reading.linkify(ruling.reason.strip(), wanted, here=ruling.id, explained=explained)
    titles = {option.key: option.title for option in reading.game.options}
    return Note(ruling.id, wanted.marked(ruling.title), text, reason, titles.get(ruling.option, ""), ruling.option)


# -- what a search finds ---------------------------------------------------------------------------------------------


class Hit(NamedTuple):
    """A search result: its kind, its place, and the text around it."""

    kind: str
    number: str
    title: Markup
    text: Markup
    address: str
    rank: int


def hits(reading: Reader, wanted: SearchQuery) -> list[Hit]:
    """Return all results in one game's book: exact names first, then titles, then texts."""
    return sorted(_hits(reading, wanted), key=lambda hit: hit.rank) if wanted.words else []


def _hits(reading: Reader, wanted: SearchQuery) -> Iterator[Hit]:
    game = reading.game
    for rule in game.rulebook.rule:
        yield from _hit(wanted, "Rule", rule.number, rule.title, rule.text, reading.address(rule.number))
    for ruling in game.rulebook.ruling:
        text = f"{ruling.text.strip()} Why: {ruling.reason.strip()}"
        yield from _hit(wanted, "Ruling", ruling.id, ruling.title, text, reading.address(ruling.id))
    for term in game.glossary.term:
        also = f" Also: {', '.join(term.also)}." if term.also else ""
        yield from _hit(wanted, "Glossary", "", term.word, term.text + also, reading.term_address(term))
    for chart in game.presentation.charts(game.data):
        rows = "; ".join(f"{row}: {', '.join(cells)}" for row, cells in chart.rows.items())
        text = f"{', '.join(chart.columns)}. {rows}. {chart.origin}."
        yield from _hit(wanted, "Chart", "", chart.title, text, f"{reading.home}/charts#{chart.id}")
    for scenario in game.rules.scenarios(game.data):
        yield from _hit(wanted, "Scenario", "", scenario.title, scenario.summary, f"{reading.home}#scenarios")


def _hit(wanted: SearchQuery, kind: str, number: str, title: str, text: str, address: str) -> Iterator[Hit]:
    if wanted.matches(number, title, text):
        named = fold(number) == fold(wanted.text) or fold(title) == fold(wanted.text)
        rank = 0 if named else 1 if wanted.matches(title) else 2
        yield Hit(kind, number, wanted.marked(title), wanted.excerpt(text.strip()), address, rank)
