"""Charts: completeness, exact odds and error messages."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readyroom.engine.errors import InvalidData
from readyroom.engine.rules.charts import FAR, Chart, Charts, UnknownColumn, plain_table, row_range


def chart(rows: dict[str, list[str]], dice: str = "2d6", modified: tuple[int, int] = (0, 0)) -> Chart:
    columns = ["calm", "gale"][: len(next(iter(rows.values()), ["", ""]))]
    return Chart("weather", "Weather", "3", "rulebook", "page 4", columns, rows, dice, modified)


ROWS = {"<=4": ["sinks", "sinks"], "5-8": ["drifts", "sinks"], "9": ["holds", "drifts"], "10+": ["holds", "holds"]}


@pytest.mark.parametrize(
    ("label", "covered"),
    [
        ("4", (4, 4)),
        ("-4", (-4, -4)),
        ("2-5", (2, 5)),
        ("-3--1", (-3, -1)),
        ("-3-2", (-3, 2)),
        ("9+", (9, FAR)),
        ("<=3", (-FAR, 3)),
        ("<=-3", (-FAR, -3)),
        ("many", None),
        ("", None),
        ("3-", None),
        ("4 ", None),
        ("++", None),
    ],
)
def test_row_range_of_label(label: str, covered: tuple[int, int] | None) -> None:
    assert row_range(label) == covered


@given(low=st.integers(-50, 50), width=st.integers(0, 50))
def test_row_range_of_every_span(low: int, width: int) -> None:
    assert row_range(f"{low}-{low + width}") == (low, low + width)


def test_total_chart_is_accepted() -> None:
    wind_chart = chart(ROWS, modified=(-3, 2))
    assert wind_chart.dice_pool() == (2, 6)
    assert [wind_chart.cell(total, "calm") for total in (-1, 4, 5, 8, 9, 10, 14)] == [
        "sinks",
        "sinks",
        "drifts",
        "drifts",
        "holds",
        "holds",
        "holds",
    ]


@pytest.mark.parametrize(
    ("rows", "modified", "what"),
    [
        ({"2-5": ["a"], "7-12": ["b"]}, (0, 0), "one row for a result of 6, found none"),
        ({"2-7": ["a"], "7-12": ["b"]}, (0, 0), "one row for a result of 7, found 2-7 and 7-12"),
        ({"2-12": ["a"]}, (-1, 0), "one row for a result of 1, found none"),
        ({"2-12": ["a"]}, (0, 1), "one row for a result of 13, found none"),
        ({"2-12": ["a"], "more": ["b"]}, (0, 0), "a result such as 4, 2-5, 9. or <=3, found 'more'"),
        ({}, (0, 0), "one row for a result of 2, found none"),
    ],
)
def test_incomplete_chart_is_rejected(rows: dict[str, list[str]], modified: tuple[int, int], what: str) -> None:
    with pytest.raises(InvalidData, match=f"chart weather: at rows.*: expected {what}"):
        chart(rows, modified=modified)


def test_row_with_missing_cells_is_rejected() -> None:
    with pytest.raises(InvalidData, match=r"chart weather: at rows\.5-8: expected 2 cells, found 1 cells"):
        chart(ROWS | {"5-8": ["drifts"]})


@pytest.mark.parametrize("dice", ["d6", "2D6", "two", "2d6+1", "6"])
def test_chart_dice_format(dice: str) -> None:
    with pytest.raises(InvalidData, match="at dice: expected dice such as 2d6"):
        chart(ROWS, dice=dice)


def test_result_outside_chart_raises() -> None:
    with pytest.raises(InvalidData, match="expected a row for a result of 13, found none"):
        chart({"2-12": ["a"]}).cell(13, "calm")


def test_unknown_column_error_lists_columns() -> None:
    with pytest.raises(UnknownColumn, match=r"No column named 'gail' in chart weather.*calm, gale.*'gale'\?"):
        chart(ROWS).cell(7, "gail")


@pytest.mark.parametrize("shift", [-3, 0, 2])
@pytest.mark.parametrize("column", ["calm", "gale"])
def test_chart_odds_match_enumeration(shift: int, column: str) -> None:
    wind_chart, counted = chart(ROWS, modified=(-3, 2)), dict[str, Fraction]()
    for faces in product(range(1, 7), repeat=2):
        cell = wind_chart.cell(sum(faces) + shift, column)
        counted[cell] = counted.get(cell, Fraction(0)) + Fraction(1, 36)
    assert wind_chart.odds(column, [("wind", shift)]) == counted
    assert sum(counted.values()) == 1


def test_chart_roll_applies_modifiers() -> None:
    rows: list[tuple[int, int, int]] = []

    def roll(count: int, sides: int, start: int) -> bytes:
        rows.append((count, sides, start))
        return bytes([3, 5])

    result = chart(ROWS, modified=(-3, 2)).roll(roll, "gale", [("wind", -2), ("luck", 3)])
    assert (result.total, result.cell) == (9, "drifts")
    assert rows == [(2, 6, 0)]
    assert result.to_log().result == "2d6 − 2 wind + 3 luck = 9, column gale: drifts"


def test_cells_yields_every_cell() -> None:
    cells = list(chart(ROWS).cells())
    assert len(cells) == 8
    assert cells[2] == ("5-8", "calm", "drifts")


def test_charts_are_found_by_id() -> None:
    charts = Charts([chart(ROWS)])
    assert charts["weather"].title == "Weather"
    with pytest.raises(KeyError, match="whether"):
        charts["whether"]


def test_plain_table_accepts_any_labels() -> None:
    table = plain_table("ships", "Ships", "6", "published", "a book", ["guns"], [("Akagi", ["16"]), ("Kaga", ["16"])])
    assert list(table.cells()) == [("Akagi", "guns", "16"), ("Kaga", "guns", "16")]
