"""Tests of results that consist of two numbers."""

from __future__ import annotations

import pytest

from readyroom.games.strategic.tables.grids import Pair
from readyroom.games.strategic.war.results import air_strengths, bombed, shot, stopped, sunk


@pytest.mark.rule("war", "SW.8", "A1")
@pytest.mark.parametrize(
    ("result", "escorts", "merchants", "reading", "expected"),
    [
        (Pair(2, 7), 16, 40, "escorts", (2, 7, 0)),
        (Pair(2, 7), 1, 40, "escorts", (1, 8, 0)),
        (Pair(2, 7), 0, 40, "escorts", (0, 9, 0)),
        (Pair(2, 7), 16, 40, "shipping", (0, 11, 0)),
        (Pair(0, 0), 16, 40, "escorts", (0, 0, 0)),
    ],
)
def test_sunk_by_submarines(
    result: Pair, escorts: int, merchants: int, reading: str, expected: tuple[int, int, int]
) -> None:
    assert sunk(result, escorts, merchants, reading, 6, 3) == expected


@pytest.mark.rule("war", "A21")
@pytest.mark.parametrize(("excess", "points"), [(0, 0), (6, 6), (12, 12), (None, 15)])
def test_excess_hits_cost_resources(excess: int | None, points: int) -> None:
    assert sunk(Pair(2, 7), 5, 2, "escorts", excess, 3) == (2, 2, points)


@pytest.mark.rule("war", "SW.8", "A1")
def test_stopped_by_escorts() -> None:
    assert stopped(Pair(2, 5), 12) == (2, 2)
    assert stopped(Pair(2, 5), 3) == (2, 1)
    assert stopped(Pair(2, 5), 1) == (1, 0)
    assert stopped(Pair(0, 1), 9) == (0, 0)


@pytest.mark.rule("war", "SW.10.3", "A18", "W8")
def test_air_strengths_give_rows() -> None:
    assert air_strengths(6, 0, 0, 0, 4, 0) == (4, 4, 6)
    assert air_strengths(3, 0, 2, 0, 9, 0) == (5, 9, 3)
    assert air_strengths(4, 7, 0, 2, 20, 3) == (4 + 9, 26, 6)
    assert air_strengths(6, 0, 0, 0, 0, 2) == (0, 4, 6)


@pytest.mark.rule("war", "SW.10.3", "A24")
def test_shot_hits_escorts_first() -> None:
    assert shot(Pair(3, 1), 2, 10) == (2, 1, 1)
    assert shot(Pair(1, 3), 3, 10) == (1, 0, 1)
    assert shot(Pair(5, 5), 0, 4) == (0, 4, 0)


@pytest.mark.rule("war", "SW.11", "A2", "W5")
def test_bombed_steps_and_points() -> None:
    assert bombed(Pair(4, 6), 3, "steps") == (3, 6)
    assert bombed(Pair(1, 2), 3, "steps") == (1, 2)
    assert bombed(Pair(1, 2), 3, "points") == (0, 4)
