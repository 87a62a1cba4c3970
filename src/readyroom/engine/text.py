"""Words as sentences need them."""

from __future__ import annotations


def capitalize_first(words: str) -> str:
    """Words as a sentence begins with them.

    >>> capitalize_first("the Ruhr"), capitalize_first("")
    ('The Ruhr', '')
    """
    return words[:1].upper() + words[1:]


def count_noun(count: int, one: str, many: str = "") -> str:
    """A number with its noun; `many` where more than one is said otherwise than by an s.

    >>> count_noun(1, "wave"), count_noun(22, "Kate"), count_noun(2, "factor of infantry", "factors of infantry")
    ('1 wave', '22 Kates', '2 factors of infantry')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"
