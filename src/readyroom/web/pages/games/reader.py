"""A game's texts for readers: rule numbers are linked, and glossary terms explained."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from readyroom.engine.books import Term
from readyroom.web import catalog
from readyroom.web.pages.games.search_query import NOTHING, SearchQuery, fold, longest_first

LINK = Markup('<a class="{}" href="{}" title="{}">')


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
        parts = [rf"(?<![\w.])(?P<number>{'|'.join(longest_first(clear))})(?![\w]|\.\d)"] if clear else []
        if whole:
            named = r"(?<=\[)|(?<=\brule )|(?<=\brules )|(?<=\bsection )|(?<=\bsections )"
            parts.append(rf"(?:{named})(?P<whole>{'|'.join(longest_first(whole))})(?!\w|\.\d)")
        return "|".join(parts)

    def _words(self) -> str:
        """Match the glossary's terms; a capital letter must match, a small one may be a capital."""
        forms = [_either_case(form) for form in self.terms]
        return rf"(?<![\w-])(?P<word>{'|'.join(longest_first(forms))})(?![\w-])" if forms else ""

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


@lru_cache(maxsize=64)
def reader(name: str) -> Reader:
    """Return the reader of a game; raise `UnknownGame` if it is not installed."""
    return Reader(catalog.find(name))
