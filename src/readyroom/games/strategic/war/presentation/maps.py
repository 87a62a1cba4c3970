"""The places of the war's maps: the seas with their convoy routes, and the bombed cities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readyroom.engine.maps import Region, Spot


class Sea(NamedTuple):
    """An ocean on the map: where its counters are, the route of its merchant ships, and what a map must show of it."""

    middle: Spot
    route: Sequence[Spot]
    region: Region


SEAS: Mapping[str, Sea] = {
    "atlantic": Sea(
        (-45, 27),
        (
            (-73.5, 40.3), (-58, 43.5), (-40, 51.5), (-20, 55.2), (-10, 56), (-6.3, 55.45), (-5.3, 54.4), (-3.8, 53.7),
        ),
        Region(-84, 8, 8, 61),
    ),
    "indian": Sea(
        (79, -10), ((34, -30), (41.5, -20), (46, -8), (53, 5), (60, 14), (71, 18.6)), Region(28, 121, -33, 24)
    ),
    "japan": Sea(
        (153.5, 18), ((104, 1.2), (110, 7), (118, 19), (126, 27), (134, 32), (139.6, 34.8)), Region(98, 188, -5, 46)
    ),
    "pacific": Sea(
        (234, -8), ((237.4, 37.6), (220, 32), (202, 21), (187, 3), (176, -16), (154, -27)), Region(148, 246, -31, 43)
    ),
}  # fmt: skip
EUROPE, JAPAN = Region(-15.5, 31, 41.5, 60), Region(126.5, 147.5, 28.5, 45.5)
CITIES: Mapping[str, Spot] = {
    "ruhr": (7.2, 51.5),
    "hamburg": (10.0, 53.55),
    "berlin": (13.4, 52.5),
    "ploesti": (26.0, 44.95),
    "tokyo": (139.7, 35.7),
    "london": (-0.1, 51.5),
    "midlands": (-1.9, 52.9),
}
"""Where the targets of the scenarios are; a target that is not here is only in its country's panel."""
BASES: Mapping[str, Spot] = {
    "britain": (-10.6, 46.6),
    "germany": (24.6, 56.2),
    "japan": (132.2, 41),
    "pacific": (143, 28.9),
}
"""The middles of a country's counters on its map, and of the bombers against Japan."""


def seas_region(seas: Sequence[str]) -> Region:
    """Return the region that shows these seas."""
    region = SEAS[seas[0]].region
    for sea in seas[1:]:
        region = region.join(SEAS[sea].region)
    return region
