"""Small helpers for building sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RANGE = re.compile(r"(?<![\w-])(\d|[1-9]\d+)-([1-9]\d*)(?![\w-])")
_MARKUP = re.compile(r"[\\`*_\[\]<>]")
_ONE = re.compile(r"1 (?P<one>(?:(?! of | from )[^,])+)(?P<rest>(?:,| of | from ).*)?")


def capitalize_first(text: str) -> str:
    """Return the text with its first letter in upper case.

    >>> capitalize_first("the Ruhr"), capitalize_first("")
    ('The Ruhr', '')
    """
    return text[:1].upper() + text[1:]


def en_dashes(text: str) -> str:
    """Return a text with en dashes in its ranges of numbers, but not in dates.

    >>> en_dashes("2-5 April, flak 0-8, 03-24")
    '2–5 April, flak 0–8, 03-24'
    """
    return _RANGE.sub(r"\1–\2", text)


def escape_markdown(text: str) -> str:
    r"""Return a text that Markdown shows as it is, without markup, links or HTML.

    >>> escape_markdown("Strike [a](b) <i>")
    'Strike \\[a\\](b) \\<i\\>'
    """
    return _MARKUP.sub(r"\\\g<0>", text)


def possessive(name: str) -> str:
    """Return a name as an owner.

    >>> possessive("Japan"), possessive("the Allies")
    ('Japan’s', 'the Allies’')
    """
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def count_noun(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun; `many` is the plural if it is not formed with an s.

    >>> count_noun(1, "wave"), count_noun(22, "Kate"), count_noun(2, "factor of infantry", "factors of infantry")
    ('1 wave', '22 Kates', '2 factors of infantry')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def describe_times(count: int, text: str) -> str:
    """Describe several of the same, as the script of the page does.

    >>> describe_times(2, "Kaga"), describe_times(2, "1 escort factor, Pacific"), describe_times(1, "1 factor, Pacific")
    ('2 × Kaga', '2 escort factors, Pacific', '1 factor, Pacific')
    >>> describe_times(3, "1 escort factor from the Atlantic")
    '3 escort factors from the Atlantic'
    """
    if count == 1:
        return text
    match = _ONE.fullmatch(text)
    return f"{count} {match['one']}s{match['rest'] or ''}" if match else f"{count} × {text}"


def join_list(items: Sequence[str], word: str = "and") -> str:
    """Return items as a list in a sentence.

    >>> join_list(["Akagi"]), join_list(["Akagi", "Kaga", "Soryu"], "or"), join_list([])
    ('Akagi', 'Akagi, Kaga or Soryu', '')
    """
    return f" {word} ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def join_items(items: Sequence[str]) -> str:
    """Return items in a row; semicolons are between items with commas.

    >>> join_items(["Akagi", "2 × Kaga"]), join_items(["1 factor, Pacific", "Ultra"]), join_items(["1 factor, Pacific"])
    ('Akagi, 2 × Kaga', '1 factor, Pacific; Ultra', '1 factor, Pacific')
    """
    return ("; " if any("," in item for item in items) else ", ").join(items)


def count_or_no(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun, with "no" for zero.

    >>> count_or_no(1, "squadron"), count_or_no(3, "squadron"), count_or_no(0, "squadron")
    ('1 squadron', '3 squadrons', 'no squadrons')
    """
    return f"{count or 'no'}{count_noun(count, one, many).removeprefix(str(count))}"


def end_sentence(text: str) -> str:
    """Return a text with a full stop, unless it ends with a mark of its own.

    >>> end_sentence("Picket Duty"), end_sentence("Tora! Tora! Tora!")
    ('Picket Duty.', 'Tora! Tora! Tora!')
    """
    return text if text.endswith(("!", "?", ".")) else f"{text}."


def agree(count: int, one: str, many: str) -> str:
    """Return the form of a word or sentence that agrees with a count.

    >>> agree(1, "sinks", "sink"), agree(2, "sinks", "sink")
    ('sinks', 'sink')
    """
    return one if count == 1 else many
