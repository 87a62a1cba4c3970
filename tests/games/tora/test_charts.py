"""Tests of the charts: every number in the rulebook's tables matches the data."""

from __future__ import annotations

import pytest

from readyroom.games.tora import GAME


@pytest.mark.rule("tora", "3", "5.2", "5.3", "5.5", "9", "17")
@pytest.mark.parametrize(
    ("chart", "row", "column", "cell"),
    [
        ("aircraft", "A6M2 Zero", "scores in the air on", "3-6"),
        ("aircraft", "P-26 Peashooter", "scores in the air on", "6"),
        ("aircraft", "B5N Kate", "fields or ordnance", "general-purpose bombs, armor-piercing bombs, torpedoes"),
        ("aircraft", "F4F Wildcat", "units", "10"),
        ("ships", "Nevada", "hits to sink her, usual", "6"),
        ("ships", "bombs score on", "hits to sink her, usual", "5-6"),
        ("ships", "hits that damage any ship", "hits to sink her, by the word of the rules", "1"),
        ("alert", "2", "airfields", "Strip Alert"),
        ("alert", "3", "ships", "General Quarters, ZEBRA"),
        ("alert", "1", "launches a field and turn", "2"),
        ("alert", "3", "airborne a field", "3"),
        ("alert", "3", "ship strength", "+1"),
        ("reaction", "1", "undetected", "turn 4"),
        ("reaction", "3", "detected", "turn 1"),
        ("outcome", "2 undamaged, 3 to 6 damaged, 2 to 5 sunk", "yard 25-36", "J"),
    ],
)
def test_cell(chart: str, row: str, column: str, cell: str) -> None:
    results = {(label, name): text for label, name, text in GAME.chart(chart).cells()}
    assert results[row, column] == cell
