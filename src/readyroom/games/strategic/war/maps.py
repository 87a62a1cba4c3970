"""The maps of the war's chart: true coasts, the seas with their convoy routes, and the bombed cities.

Positions are degrees of longitude and latitude; longitudes east of 180 are those of the western hemisphere plus 360.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import degrees, log, pi, radians, tan
from typing import NamedTuple

import msgspec

from readyroom.engine.data import convert, parse
from readyroom.engine.drawing import Frame

FILE = "coasts.toml"
Spot = tuple[float, float]


class Region(NamedTuple):
    """A part of a map: degrees west, east, south and north."""

    west: float
    east: float
    south: float
    north: float

    def join(self, other: Region) -> Region:
        """Return the smallest region that contains both."""
        return Region(
            min(self.west, other.west), max(self.east, other.east),
            min(self.south, other.south), max(self.north, other.north),
        )  # fmt: skip


class Sea(NamedTuple):
    """An ocean on the map: where its counters are, the route of its merchant ships, and what a map must show of it."""

    middle: Spot
    route: Sequence[Spot]
    region: Region


SEAS: Mapping[str, Sea] = {
    "atlantic": Sea(
        (-43, 32), ((-73.5, 40.3), (-58, 43.5), (-40, 51.5), (-20, 55.2), (-10, 56), (-6.3, 55.45), (-5.3, 54.4), (-3.8, 53.7)), Region(-84, 8, 8, 61)
    ),
    "indian": Sea(
        (78, -9), ((34, -30), (41.5, -20), (46, -8), (53, 5), (60, 14), (71, 18.6)), Region(28, 121, -33, 24)
    ),
    "japan": Sea(
        (158, 14), ((104, 1.2), (110, 7), (118, 19), (126, 27), (134, 32), (139.6, 34.8)), Region(98, 188, -5, 46)
    ),
    "pacific": Sea(
        (218, -6), ((237.4, 37.6), (220, 32), (202, 21), (187, 3), (176, -16), (154, -27)), Region(148, 246, -31, 43)
    ),
}  # fmt: skip
WORLD = Region(-102, 261, -42, 70)
"""What the coasts of the world cover."""
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
BASES: Mapping[str, Spot] = {"britain": (-10.6, 46.6), "germany": (24.6, 56.2), "japan": (132.2, 40.6), "pacific": (143, 30.6)}
"""The middles of a country's counters on its map, and of the bombers against Japan."""


class Coast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The land of a map as a path in Mercator's projection, and its units of a degree of longitude."""

    units: int
    land: str


class Coasts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of coasts, see `browser/coasts.py`."""

    source: str
    world: Coast
    europe: Coast
    japan: Coast


@lru_cache(maxsize=1)
def coasts() -> Coasts:
    """Return the coasts."""
    return convert(parse(files(__package__).joinpath(FILE).read_bytes(), FILE), Coasts, FILE)


def mercator(latitude: float) -> float:
    """Return the projected latitude in degrees at the equator.

    >>> round(mercator(60), 2)
    75.46
    """
    return degrees(log(tan(pi / 4 + radians(latitude) / 2)))


class Map(NamedTuple):
    """A map in a frame of the chart: its name, its western and northern edges (projected), and chart units a degree."""

    name: str
    frame: Frame
    west: float
    north: float
    scale: float

    def place(self, spot: Spot) -> Spot:
        """Return the chart position of a longitude and latitude."""
        x, y = spot
        return self.frame.x + (x - self.west) * self.scale, self.frame.y + (self.north - mercator(y)) * self.scale

    @property
    def transform(self) -> str:
        """The transform from the coast's path to the chart."""
        units = getattr(coasts(), self.name).units
        x, y = self.frame.x - self.west * self.scale, self.frame.y + self.north * self.scale
        return f"translate({x:.2f} {y:.2f}) scale({self.scale / units:.5f})"

    @property
    def land(self) -> str:
        """The coast's path."""
        land: str = getattr(coasts(), self.name).land
        return land

    def path(self, spots: Sequence[Spot]) -> str:
        """Return a smooth line through places on the map."""
        points = [self.place(spot) for spot in spots]
        start, *rest = points
        parts = [f"M{start[0]:.1f} {start[1]:.1f}"]
        for (x, y), (then_x, then_y) in pairwise(rest):
            parts.append(f"Q{x:.1f} {y:.1f} {(x + then_x) / 2:.1f} {(y + then_y) / 2:.1f}")
        return f"{''.join(parts)}L{points[-1][0]:.1f} {points[-1][1]:.1f}"


def fit(name: str, region: Region, frame: Frame, bounds: Region | None = None) -> Map:
    """Return a map that shows a region in a frame, with what is around it as far as `bounds` to fill the frame."""
    low, high = mercator(region.south), mercator(region.north)
    scale = min(frame.width / (region.east - region.west), frame.height / (high - low))
    width, height = frame.width / scale, frame.height / scale
    west, north = (region.west + region.east - width) / 2, (low + high + height) / 2
    if bounds is not None:
        west = min(max(west, bounds.west), bounds.east - width)
        north = max(min(north, mercator(bounds.north)), mercator(bounds.south) + height)
    return Map(name, frame, west, north, scale)


def seas_region(seas: Sequence[str]) -> Region:
    """Return the region that shows these seas."""
    region = SEAS[seas[0]].region
    for sea in seas[1:]:
        region = region.join(SEAS[sea].region)
    return region
