"""Words as sentences need them."""

from __future__ import annotations


def capitalize_first(words: str) -> str:
    """Words as a sentence begins with them.

    >>> begun("the Ruhr"), begun("")
    ('The Ruhr', '')
    """
    return words[:1].upper() + words[1:]


def count_noun(count: int, one: str, many: str = "") -> str:
    """A number with its noun; `many` where more than one is said otherwise than by an s.

    >>> number_of(1, "wave"), number_of(22, "Kate"), number_of(2, "factor of infantry", "factors of infantry")
    ('1 wave', '22 Kates', '2 factors of infantry')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"
