"""Tests of the rulebook: each number of the text occurs once and in order, and rulings belong to a rule."""

from __future__ import annotations

from importlib.resources import files

from readyroom.engine.books import Rulebook
from readyroom.engine.data import convert, parse

TEXT = files("readyroom.games.doolittle").joinpath("rules.toml").read_bytes()
BOOK = convert(parse(TEXT, "rules.toml"), Rulebook, "rules.toml")

LAST = dict(enumerate((10, 3, 5, 9, 5, 3, 2, 4, 5, 2, 5, 7, 5, 6, 4), start=1))
"""The last number of each section."""
SKIPPED = {"9.4"}
"""Numbers missing from the text."""
LETTERED = {"4.6.3": "N", "8.3.7": "N", "12.6.6": "H", "13.3.3": "J", "15.1.2": "I"}
"""The lists of effects, and the letter of the last one."""


def test_rulebook_sections_are_complete_and_ordered() -> None:
    expected = [f"{section}.{number}" for section, last in LAST.items() for number in range(last + 1)]
    names = [rule.number for rule in BOOK.rule if rule.number.count(".") == 1]
    assert names == [number for number in expected if number not in SKIPPED]


def test_rule_numbers_are_unique_and_nested() -> None:
    numbers = [rule.number for rule in BOOK.rule]
    assert len(numbers) == len(set(numbers))
    for number in numbers:
        parent = number.rpartition(".")[0]
        assert parent.count(".") == 0 or parent in numbers


def test_effect_lists_are_lettered() -> None:
    numbers = {rule.number for rule in BOOK.rule}
    for number, last in LETTERED.items():
        letters = [chr(code) for code in range(ord("A"), ord(last) + 1)]
        assert {f"{number}.{letter}" for letter in letters} <= numbers
        assert f"{number}.{chr(ord(last) + 1)}" not in numbers


def test_rulings_are_numbered_consecutively() -> None:
    assert [ruling.id for ruling in BOOK.ruling] == [f"DR{number}" for number in range(1, len(BOOK.ruling) + 1)]
    assert all(ruling.reason and ruling.text for ruling in BOOK.ruling)
