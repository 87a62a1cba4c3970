"""A game's book for readers: rule numbers are linked, glossary terms explained, and search words marked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup, escape

from readyroom.engine.books import Rule, Term
from readyroom.web import catalog

MOST_WORDS, LONGEST = 8, 100
"""The most words of a search, and the most characters."""
SHORTEST, SHORTEST_NUMBER = 3, 2
"""The fewest characters of a search word, and of one with a digit."""
MOST_SECTIONS, MOST_TEXT = 50, 40_000
"""The most sections and terms that a search shows on the rules page, and about the most characters of them."""
MOST_HITS = 50
"""The most results of a search over all games."""
EXCERPT = 220
"""About the number of characters of an excerpt."""
LINK = Markup('<a class="{}" href="{}" title="{}">')


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
    return re.compile("|".join(map(re.escape, _longest_first(words))))


def parse_query(text: str) -> SearchQuery:
    """Parse a search."""
    content = " ".join(text[:LONGEST].split())
    words = list(dict.fromkeys(fold(content).split()))
    used = [word for word in words if _is_long_enough(word)][:MOST_WORDS]
    return SearchQuery(content, tuple(used), tuple(word for word in words if word not in used))


def _is_long_enough(word: str) -> bool:
    return len(word) >= (SHORTEST_NUMBER if any(map(str.isdigit, word)) else SHORTEST)


NOTHING = SearchQuery()


# -- texts with their references -------------------------------------------------------------------------------------


def slug(word: str) -> str:
    """Return a word as a part of an address: lower case with hyphens.

    >>> slug("Waiting to Land")
    'waiting-to-land'
    """
    return re.sub(r"[^a-z0-9]+", "-", fold(word)).strip("-")


class Piece(NamedTuple):
    """A part of a text, and the tag that opens its link, if it has one."""

    text: str
    link: str = ""


def joined(pieces: Iterable[Piece], wanted: SearchQuery = NOTHING) -> Markup:
    """Return the pieces as one text with the words of a search marked."""
    marked = ((wanted.marked(text), link) for text, link in pieces)
    return Markup("".join(f"{link}{text}</a>" if link else text for text, link in marked))


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

    def linkify(self, text: str, *, here: str = "", explained: set[str] | None = None) -> Markup:
        """Return a text with its references linked, as `pieces`."""
        return joined(self.pieces(text, here=here, explained=explained))

    def pieces(self, text: str, *, here: str = "", explained: set[str] | None = None) -> list[Piece]:
        """Return a text in pieces, with its references linked.

        The number `here` of its own rule is not linked, nor are terms that are `explained` already; new ones are added.
        """
        pieces, done, explained = list[Piece](), 0, set() if explained is None else explained
        for hit in self._pattern.finditer(text):
            result = hit.groupdict()
            number = result.get("number") or result.get("whole")
            if number and number != here:
                link = LINK.format("ref", self.address(number), self.numbers[number])
            elif not number and (term := self.term(hit[0])) is not None and term.word not in explained:
                explained.add(term.word)
                link = LINK.format("term", self.term_address(term), term.text)
            else:
                continue
            pieces += [Piece(text[done : hit.start()]), Piece(hit[0], link)]
            done = hit.end()
        return [*pieces, Piece(text[done:])]


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

    @property
    def size(self) -> int:
        """About the number of characters of the section on its page."""
        return len(self.text) + sum(len(note.text) + len(note.reason) for note in self.notes)


class Chapter(NamedTuple):
    """A section of the rulebook with its subsections; `has_text` says whether `head` has more than its title."""

    head: Section
    has_text: bool
    parts: list[Section]


@lru_cache(maxsize=64)
def chapters(name: str) -> list[Chapter]:
    """Return a game's rules with their rulings in order."""
    reading, chapters = reader(name), []
    for _, group in groupby(reading.game.rulebook.rule, key=_chapter_number):
        explained = set[str]()
        head, *parts = (_section(reading, rule, NOTHING, explained) for rule in group)
        chapters.append(Chapter(head, True, parts))
    return chapters


class FoundRules(NamedTuple):
    """What a search shows of a game's rules; `more` is the number of sections and terms that it leaves out."""

    chapters: list[Chapter]
    terms: list[Term]
    more: int


@lru_cache(maxsize=64)
def found_in_rules(name: str, wanted: SearchQuery) -> FoundRules:
    """Return the rules and terms of a game that match a search; if these are too many, the best of them."""
    reading = reader(name)
    book, terms = reading.game.rulebook, reading.game.glossary.term
    rules, by_word = {rule.number: rule for rule in book.rule}, {term.word: term for term in terms}
    rule_of = {ruling.id: ruling.rule for ruling in book.ruling} | {number: number for number in rules}
    best = dict.fromkeys(
        (place.kind == "Glossary", place.title if place.kind == "Glossary" else rule_of[place.number])
        for _, _, place in index(name).find(wanted)
        if place.kind in ("Rule", "Ruling", "Glossary")
    )
    sections, shown, left = dict[str, Section](), set[str](), MOST_TEXT
    for is_term, key in list(best)[:MOST_SECTIONS]:
        if left <= 0:
            break
        if is_term:
            shown.add(key)
            left -= len(by_word[key].text)
        else:
            sections[key] = _section(reading, rules[key], wanted)
            left -= sections[key].size
    return FoundRules(
        _grouped(reading, wanted, sections),
        [term for term in terms if term.word in shown],
        len(best) - len(sections) - len(shown),
    )


def _grouped(reading: Reader, wanted: SearchQuery, sections: Mapping[str, Section]) -> list[Chapter]:
    """Return these sections by chapter, in the order of the book."""
    chapters = []
    for _, group in groupby(reading.game.rulebook.rule, key=_chapter_number):
        head, *parts = group
        inside = [sections[rule.number] for rule in parts if rule.number in sections]
        if head.number in sections:
            chapters.append(Chapter(sections[head.number], True, inside))
        elif inside:
            title = Section(head.number, wanted.marked(head.title), Markup(""), [])
            chapters.append(Chapter(title, False, inside))
    return chapters


def _chapter_number(rule: Rule) -> str:
    return rule.number.split(".")[0]


def _section(reading: Reader, rule: Rule, wanted: SearchQuery, explained: set[str] | None = None) -> Section:
    """Return a rule with its rulings; without `explained`, as in a search, each text explains its terms by itself."""

    def linked(text: str, here: str) -> Markup:
        if explained is None:
            return joined(_pieces_alone(reading.game.key, text.strip(), here), wanted)
        return reading.linkify(text.strip(), here=here, explained=explained)

    titles = {option.key: option.title for option in reading.game.options}
    text = linked(rule.text, rule.number)
    notes = [
        Note(
            ruling.id,
            wanted.marked(ruling.title),
            linked(ruling.text, ruling.id),
            linked(ruling.reason, ruling.id),
            titles.get(ruling.option, ""),
            ruling.option,
        )
        for ruling in reading.game.rulebook.ruling
        if ruling.rule == rule.number
    ]
    return Section(rule.number, wanted.marked(rule.title), text, notes)


class RuleHelp(NamedTuple):
    """A rule for a pop-over: the section, the sections within it, and the title of the chapter around it, if any."""

    section: Section
    parts: list[Rule]
    chapter: Rule | None


@lru_cache(maxsize=512)
def rule_help(name: str, number: str) -> RuleHelp | None:
    """Return a rule, or the rule of a ruling, for a pop-over; None if the rulebook has none of this number."""
    reading = reader(name)
    rules = {rule.number: rule for rule in reading.game.rulebook.rule}
    of_ruling = {ruling.id: ruling.rule for ruling in reading.game.rulebook.ruling}
    rule = rules.get(of_ruling.get(number, number))
    if rule is None:
        return None
    parts = [one for one in rules.values() if one.number.rpartition(".")[0] == rule.number]
    chapter = rules.get(_chapter_number(rule))
    return RuleHelp(_section(reading, rule, NOTHING), parts, None if chapter is rule else chapter)


@lru_cache(maxsize=8192)
def _pieces_alone(name: str, text: str, here: str) -> list[Piece]:
    return reader(name).pieces(text, here=here)


# -- what a search finds ---------------------------------------------------------------------------------------------


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
        for part in _longest_first(parts):
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
