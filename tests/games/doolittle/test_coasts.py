"""Tests of the coastlines under the maps: true places are on land, in their zones."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import raiders
from tests.games.doolittle.test_drawing import charts

from readyroom.engine.maps import Spot, mercator, read_rings
from readyroom.games.doolittle.presentation.drawing.coasts import EAST_ASIA, PACIFIC, coast
from readyroom.games.doolittle.presentation.drawing.way import course_of

TOWNS: dict[str, tuple[Spot, str]] = {
    "Tokyo": ((139.6, 35.8), "Z6"),
    "Nagoya": ((137, 35.3), "Z6"),
    "Chuchow": ((118.9, 28.9), "Z10"),
    "Yushan": ((118.2, 28.7), "Z11"),
    "Kweilin": ((110.3, 25.3), "Z12"),
}


def is_land(name: str, place: Spot) -> bool:
    """Return whether a longitude and latitude are on land of a coast."""
    x, y = place[0], mercator(place[1])
    found = False
    for ring in read_rings(coast(name)):
        for (left, above), (right, below) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (above > y) != (below > y) and x < (right - left) * (y - above) / (below - above) + left:
                found = not found
    return found


@pytest.mark.parametrize(
    ("name", "place", "expected"),
    [
        *((EAST_ASIA, spot, True) for spot, _ in TOWNS.values()),
        (EAST_ASIA, (150, 35), False),
        (EAST_ASIA, (123.5, 30), False),
        (PACIFIC, (239.5, 37.5), True),
        (PACIFIC, (204.5, 19.6), True),
        (PACIFIC, (138, 36), True),
        (PACIFIC, (180, 30), False),
    ],
)
def test_coasts_are_those_of_the_world(name: str, place: Spot, *, expected: bool) -> None:
    assert is_land(name, place) is expected


@pytest.mark.parametrize("town", TOWNS)
def test_towns_are_in_their_zones(town: str) -> None:
    spot, zone = TOWNS[town]
    state = raiders()
    for chart in charts(state):
        assert chart.way is not None
        course = course_of(chart.way.lanes, chart.way.frame, 16.0, upright=chart.shape == "narrow")
        x, y = course.place(spot)
        lane = next(lane.frame for lane in chart.way.lanes if lane.zone.key == zone)
        assert lane.x <= x <= lane.right if chart.shape == "wide" else lane.y <= y <= lane.bottom
