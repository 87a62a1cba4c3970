"""Display names: which are allowed, and which could be taken for each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from readyroom.engine.text import capitalize_first
from readyroom.store.errors import InvalidText

NAME_LENGTH = 40
HOUSE = "Ready Room"
"""The name under which the server itself speaks."""
RESERVED = (
    *(HOUSE, "a player", "a deleted player", "you", "bot"),
    *("the server", "server", "system", "admin", "administrator"),
)
"""What the server shows in place of a name, and what else could be taken for it."""
MARKS = 3
"""The most marks on one letter; more would cover other lines."""

_ALIKE = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN", "LISU"})
"""Scripts that share the shapes of many letters. A word that mixes them imitates another."""
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that count as printable and show nothing. Zero-width and direction marks are not printable."""
_BOT = re.compile(r"bot\s*\(", re.IGNORECASE)
"""How the names of bots begin where players are listed."""
_PLAIN = re.compile(r"[\w'’-]+( (?=[^a-z])[\w'’-]+)?( \(program\))?")
"""Names of one word or two, of which the second is no verb, so that it cannot be read as a sentence."""
PROGRAM_ENDING = " (program)"
"""How the name of a program without a name of its own ends."""
_NO_QUOTES = str.maketrans(dict.fromkeys("“”„", "'"))
_SHAPES = str.maketrans(
    "АВЕКМНОРСТУХІЈЅасеорухіјѕԛԝһӏԁΑΒΕΖΗΙΚΜΝΟΡΤΥΧορνικυαχՏՕսոհօցI|10",
    "ABEKMHOPCTYXlJSaceopyxijsqwhldABEZHlKMNOPTYXopvikuaxSOunhoglllo",
)
"""Letters and digits, and the Latin letters of the same shape (after Unicode's confusables, TS 39)."""


def check_name(text: str) -> None:
    """Raise `InvalidText` for a display name that others could misread."""
    if _INVISIBLE.search(text) or _covers(text):
        raise InvalidText("The name contains characters that cannot be displayed.")
    for word in text.split():
        if len(scripts := sorted(_scripts(word) & _ALIKE)) > 1:
            named = " and ".join(script.capitalize() for script in scripts)
            raise InvalidText(
                f"The name mixes {named} letters in one word. Use one alphabet, so that no one misreads it."
            )
    for name in RESERVED:
        if look_alike("".join(filter(str.isalnum, text)), "".join(name.split())):
            raise InvalidText(f"{capitalize_first(name)} is reserved for the server.")
    if text.endswith(PROGRAM_ENDING):
        raise InvalidText("Names that end with “(program)” are reserved for programs.")
    if _BOT.match(text):
        raise InvalidText("Names that begin with “Bot (” are reserved for bots.")


def quote_name(name: str) -> str:
    """Return a name as the server's own messages show it: in quotes if it could be read as a part of the message.

    >>> quote_name("Ensign Tern"), quote_name("Kondo has resigned. Abe")
    ('Ensign Tern', '“Kondo has resigned. Abe”')
    """
    return name if _PLAIN.fullmatch(name) else f"“{name.translate(_NO_QUOTES)}”"


def look_alike(one: str, other: str) -> bool:
    """Return whether two names could be taken for each other.

    >>> look_alike("Ian", "lan"), look_alike("кот", "kot"), look_alike("NIMITZ", "Nimitz")
    (True, False, True)
    """
    return one.casefold() == other.casefold() or _shape(one) == _shape(other)


def distinguish(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the names to show by id: of names that look alike, all but the first get a number.

    >>> distinguish([("a", "Tern"), ("b", "tern"), ("c", "Skua")])
    {'a': 'Tern', 'b': 'tern (2)', 'c': 'Skua'}
    """
    shown: dict[str, str] = {}
    taken, numbers = set[str](), dict[str, int]()
    for player_id, name in dict(named).items():
        shape = _shape(name)
        text, number = name, numbers.get(shape, 1)
        while taken & {text.casefold(), _shape(text)}:
            number += 1
            text = f"{name} ({number})"
        taken |= {text.casefold(), _shape(text)}
        numbers[shape] = number
        shown[player_id] = text
    return shown


@lru_cache(maxsize=4096)
def _shape(name: str) -> str:
    """Return a name with each letter replaced by the Latin one of its shape."""
    return name.translate(_SHAPES).casefold().replace("rn", "m").replace("vv", "w")


def _scripts(word: str) -> set[str]:
    """Return the scripts of a word's letters, as Unicode's names of the letters begin."""
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha()}


def _covers(text: str) -> bool:
    """Return whether too many marks are on one letter."""
    marks = 0
    for letter in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > MARKS:
            return True
    return False
