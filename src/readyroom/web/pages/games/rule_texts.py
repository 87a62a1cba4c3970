"""A game's rules as they are printed: chapters with rulings, what a search finds in them, and help for one rule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from readyroom.engine.books import Rule, Term
from readyroom.web.pages.games.reader import Piece, Reader, joined, reader
from readyroom.web.pages.games.search import index
from readyroom.web.pages.games.search_query import NOTHING, SearchQuery

MOST_SECTIONS, MOST_TEXT = 50, 40_000
"""The most sections and terms that a search shows on the rules page, and about the most characters of them."""


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
