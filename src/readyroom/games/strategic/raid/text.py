"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return a count with its noun, "no" for zero.

    >>> counted(1, "squadron"), counted(3, "squadron"), counted(0, "squadron")
    ('1 squadron', '3 squadrons', 'no squadrons')
    """
    return f"{number or 'no'} {one if number == 1 else many or one + 's'}"
