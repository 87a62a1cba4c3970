"""[15.2] The intercepted message: pencil-and-paper ciphers, and the date spelled in the message.

All ciphers work on capital letters; other characters stay in place.

>>> encipher("caesar", "3", "CLIMB")
'FOLPE'
>>> decipher("caesar", "3", "FOLPE")
'CLIMB'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MONTH, MONTH_NUMBER = "DECEMBER", "TWELVE"
CARDINALS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")
ORDINALS = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH")
RAILS = range(2, 7)
"""Allowed numbers of rails."""


class Cipher(NamedTuple):
    """A cipher: title, one-sentence description, both directions, and a check of keys (empty: valid)."""

    title: str
    text: str
    encipher: Callable[[str, str], str]
    decipher: Callable[[str, str], str]
    why_not: Callable[[str], str]


def _shifted(letter: str, by: int) -> str:
    return ALPHABET[(ALPHABET.index(letter) + by) % len(ALPHABET)] if letter in ALPHABET else letter


def _caesar(text: str, key: str, way: int = 1) -> str:
    return "".join(_shifted(letter, way * int(key)) for letter in text)


def _atbash(text: str, key: str) -> str:
    return text.translate(str.maketrans(ALPHABET, ALPHABET[::-1]))


def keyed_alphabet(word: str) -> str:
    """Return the alphabet rearranged to begin with a word's letters.

    >>> keyed_alphabet("NIITAKA")
    'NITAKBCDEFGHJLMOPQRSUVWXYZ'
    """
    return "".join(dict.fromkeys(word + ALPHABET))


def _keyword(text: str, key: str, way: int = 1) -> str:
    plain, cipher = (ALPHABET, keyed_alphabet(key))[::way]
    return text.translate(str.maketrans(plain, cipher))


def _rails(length: int, rails: int) -> list[int]:
    """Return the positions of a text in the order in which a rail fence is read."""
    period = 2 * (rails - 1)
    rail = [min(at % period, period - at % period) for at in range(length)]
    return sorted(range(length), key=lambda at: (rail[at], at))


def _rail_fence(text: str, key: str) -> str:
    letters = text.replace(" ", "")
    return "".join(letters[at] for at in _rails(len(letters), int(key)))


def _unrail_fence(text: str, key: str) -> str:
    letters = text.replace(" ", "")
    placed = zip(_rails(len(letters), int(key)), letters, strict=True)
    return "".join(letter for _, letter in sorted(placed))


def _vigenere(text: str, key: str, way: int = 1) -> str:
    made, at = [], 0
    for letter in text:
        made.append(_shifted(letter, way * ALPHABET.index(key[at % len(key)])))
        at += letter in ALPHABET
    return "".join(made)


def _no_shift(key: str) -> str:
    if key.isascii() and key.isdigit() and 1 <= int(key) < len(ALPHABET):
        return ""
    return f"The key of a Caesar cipher is a number from 1 to 25, not {key!r}."


def _no_key(key: str) -> str:
    return "" if not key else f"The Atbash cipher takes no key; {key!r} was given."


def _no_word(key: str) -> str:
    if key and all(letter in ALPHABET for letter in key):
        return ""
    return f"The key is a word in capital letters, not {key!r}."


def _no_rails(key: str) -> str:
    if key.isascii() and key.isdigit() and int(key) in RAILS:
        return ""
    return f"The key of a rail fence is a number from {RAILS[0]} to {RAILS[-1]}, not {key!r}."


CIPHERS = {
    "caesar": Cipher(
        "Caesar", "Every letter is shifted by the same number.", _caesar, partial(_caesar, way=-1), _no_shift
    ),
    "atbash": Cipher("Atbash", "The alphabet backwards: A is Z, B is Y.", _atbash, _atbash, _no_key),
    "keyword": Cipher(
        "keyword", "The cipher alphabet begins with a keyword.", _keyword, partial(_keyword, way=-1), _no_word
    ),
    "rail-fence": Cipher(
        "rail fence", "Letters are written in a zigzag and read rail by rail.", _rail_fence, _unrail_fence, _no_rails
    ),
    "vigenere": Cipher(
        "Vigenère",
        "Each letter is shifted by the next letter of a keyword.",
        _vigenere,
        partial(_vigenere, way=-1),
        _no_word,
    ),
}

KEYS: dict[str, tuple[str, ...]] = {
    "caesar": ("3", "7", "13", "19"),
    "atbash": ("",),
    "keyword": ("NIITAKA", "CHRYSANTHEMUM", "TIGER", "HAWAII"),
    "rail-fence": ("2", "3", "4", "5"),
    "vigenere": ("AKAGI", "TIGER", "FUJI", "HIRYU"),
}
"""The keys offered on the sheet."""


def encipher(name: str, key: str, text: str) -> str:
    """Encipher a plaintext. An unknown cipher raises KeyError; check the key with `why_not_key` first."""
    return CIPHERS[name].encipher(text.upper(), key)


def decipher(name: str, key: str, text: str) -> str:
    """Decipher a text; some ciphers lose its spaces.

    >>> decipher("rail-fence", "3", encipher("rail-fence", "3", "TWELVE EIGHT"))
    'TWELVEEIGHT'
    """
    return CIPHERS[name].decipher(text.upper(), key)


def why_not_key(name: str, key: str) -> str:
    """Return what is wrong with a cipher or its key; empty if valid."""
    if name not in CIPHERS:
        return f"No cipher named {name!r}. Ciphers: {', '.join(CIPHERS)}."
    return CIPHERS[name].why_not(key)


# -- the date ----------------------------------------------------------------------------------------------------------

_DAYS = {word: day for words in (CARDINALS, ORDINALS) for day, word in enumerate(words, start=1)}
_DATE = re.compile(rf"\b(?:{MONTH}|{MONTH_NUMBER})\W+(?:THE\W+)?({'|'.join(_DAYS)})\b")
_RUN_ON = re.compile(rf"(?:{MONTH}|{MONTH_NUMBER})(?:THE)?(?:{'|'.join(_DAYS)})")


def spelled_dates(text: str) -> list[int]:
    """Return the days that a plaintext names, month and day in words, in their order.

    >>> spelled_dates("Climb Mount Niitaka, Twelve Eight"), spelled_dates("December the seventh"), spelled_dates("12/7")
    ([8], [7], [])
    """
    return [_DAYS[word] for word in _DATE.findall(text.upper())]


def names_a_date(text: str) -> bool:
    """Return whether a text names month and day in words; spaces may be lost.

    >>> names_a_date("CLIMBMOUNTNIITAKATWELVEEIGHT"), names_a_date("NOTHING")
    (True, False)
    """
    return bool(_RUN_ON.search(text.upper().replace(" ", "")))


def why_not(text: str, day: int) -> str:
    """Return what is wrong with a plaintext for an attack on this day; empty if valid."""
    dates = spelled_dates(text)
    if not dates:
        return "The message must name the month and day in words, such as December Tenth or Twelve Ten."
    if day not in dates:
        named = " and ".join(str(date) for date in dates)
        return f"The message names December {named}, but the attack is on December {day}."
    return ""


PHRASES = (
    "CLIMB MOUNT NIITAKA {}",
    "THE MAPLES TURN RED {}",
    "EAST WIND AND RAIN {} BRING UMBRELLAS",
    "UNCLE COMES HOME {} AIR THE ROOMS",
    "THE CRANES FLY SOUTH {} OR NEVER",
    "ALL SHOPS CLOSE {} FOR THE FESTIVAL",
)


def plaintexts(day: int) -> list[str]:
    """Return the messages offered for a day: each phrase with the date in two spellings."""
    dates = (f"{MONTH} {ORDINALS[day - 1]}", f"{MONTH_NUMBER} {CARDINALS[day - 1]}")
    return [phrase.format(date) for phrase in PHRASES for date in dates]


def offered(text: str, day: int) -> int | None:
    """Return which of a day's messages this is, from 1, ignoring case and punctuation; None if it is none of them.

    >>> offered("Climb Mount Niitaka, Twelve Eight", 8), offered("Attack on Twelve Eight", 8)
    (2, None)
    """
    normalized, texts = " ".join(re.findall("[A-Z]+", text.upper())), plaintexts(day)
    return texts.index(normalized) + 1 if normalized in texts else None


def why_not_offered(text: str, day: int, name: str, key: str) -> str:
    """Return why a message is not offered on the sheet in this cipher and key; empty if it is."""
    if offered(text, day) is None:
        return f"The message must be one of those on the sheet: {'; '.join(plaintexts(day))}."
    if key not in KEYS[name]:
        return f"The key for {CIPHERS[name].title} must be one of those on the sheet: {', '.join(KEYS[name])}."
    return ""
