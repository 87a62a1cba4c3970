"""Tests of the exact odds of the battle, and of the calculator's queries for them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.games.tora.helpers import DATA

from readyroom.engine.errors import InvalidQuery, UnknownOption
from readyroom.engine.rules.forms import OddsResult
from readyroom.games.tora.odds import questions


def ask(name: str, **asked: str) -> OddsResult:
    return questions(DATA)[name].evaluate(asked, "the odds")


@pytest.mark.rule("tora", "11.1", "11.4", "11.5", "11.7", "T1")
@pytest.mark.parametrize(
    ("ordnance", "preset", "mean"),
    [
        ("torpedo", "prose", Fraction(4, 3)),
        ("torpedo", "table", Fraction(2)),
        ("ap", "prose", Fraction(8, 5)),
        ("ap", "table", Fraction(12, 5)),
        ("gp", "literal", Fraction(2)),
        ("none", "prose", Fraction(8, 3)),
    ],
)
def test_expected_hits_of_full_unit(ordnance: str, preset: str, mean: Fraction) -> None:
    assert ask("bombing", ordnance=ordnance, preset=preset).mean == mean


@pytest.mark.rule("tora", "10.3", "12.1", "12.2", "5.8", "13.3")
def test_other_questions() -> None:
    assert ask("dogfight", type="zero").mean == Fraction(8, 3)
    assert ask("dogfight", type="p26", planes="2").rows[1][1] == Fraction(1, 36)
    assert ask("guns", alert="3", guns="2").mean == Fraction(10, 6)
    assert ask("yard", alert="2").rows == [("1 hit", Fraction(11, 36))]
    assert ask("radar").rows == [("works", Fraction(2, 3))]


@pytest.mark.rule("tora", "7.4")
def test_loads_are_called_as_everywhere_else() -> None:
    choices = questions(DATA)["bombing"].form_fields["ordnance"].choices
    assert choices == {
        "none": "No ordnance",
        "gp": "General-purpose bombs",
        "ap": "Armor-piercing bombs",
        "torpedo": "Torpedoes",
    }


@pytest.mark.rule("tora", "13.2", "13.3")
@pytest.mark.parametrize(
    ("cards", "black", "safe"),
    [(1, 1, 0.952), (3, 1, 0.857), (15, 1, 0.286), (1, 2, 0.909), (5, 2, 0.589), (15, 2, 0.091), (21, 1, 0)],
)
def test_luck_duration_is_computed(cards: int, black: int, safe: float) -> None:
    rows = ask("luck", cards=str(cards), black=str(black)).rows
    assert float(rows[0][1]) == pytest.approx(safe, abs=0.0006)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("bombing", {"ordnance": "mines"}),
        ("bombing", {"preset": "history"}),
        ("dogfight", {"type": "b17"}),
        ("guns", {"alert": "4"}),
        ("guns", {"guns": "many"}),
        ("yard", {"alert": "0"}),
        ("luck", {"cards": "-1"}),
    ],
)
def test_impossible_question_is_rejected(name: str, asked: dict[str, str]) -> None:
    with pytest.raises((InvalidQuery, UnknownOption)):
        ask(name, **asked)


@pytest.mark.rule("tora", "13.2", "13.3")
@pytest.mark.parametrize(("cards", "black"), [("60", "2"), ("23", "2"), ("22", "1")])
def test_more_cards_than_in_deck_are_rejected(cards: str, black: str) -> None:
    with pytest.raises(InvalidQuery, match=r"22|21"):
        ask("luck", cards=cards, black=black)
    assert ask("luck", cards="22", black="2").rows == [("all red", Fraction(0))]


@pytest.mark.rule("tora", "11.1", "10.3")
@pytest.mark.parametrize("name", ["bombing", "dogfight"])
def test_zero_aircraft_hit_nothing(name: str) -> None:
    assert ask(name, planes="0").rows[0] == ("1 or more hit", Fraction(0))
