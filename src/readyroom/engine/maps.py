"""Maps of drawn boards: true coasts in Mercator's projection, cut by `browser/coasts.py`, in a frame of a chart.

Positions are degrees of longitude and latitude; longitudes east of 180 are those of the western hemisphere plus 360.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import degrees, log, pi, radians, tan
from typing import NamedTuple, TypeAlias

import msgspec

from readyroom.engine.data import convert, parse
from readyroom.engine.drawing import Frame

FILE = "coasts.toml"
Spot: TypeAlias = tuple[float, float]


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


class Coast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The land of a map as a path, the units of a degree in it, and the region that it covers."""

    units: int
    covers: tuple[float, float, float, float]
    land: str


NUMBER = re.compile(r"-?\d+")


@lru_cache(maxsize=8)
def read_rings(coast: Coast) -> Sequence[Sequence[Spot]]:
    """Return the outlines of a coast's land: longitudes and projected latitudes (`mercator`) in degrees."""
    rings = list[list[Spot]]()
    for shape in coast.land.split("z")[:-1]:
        numbers = [int(number) for number in NUMBER.findall(shape)]
        x = y = 0
        points = list[Spot]()
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            points.append((x / coast.units, -y / coast.units))
        rings.append(points)
    return rings


class _Coasts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    coasts: Mapping[str, Coast]


@lru_cache(maxsize=4)
def load_coasts(package: str) -> Mapping[str, Coast]:
    """Return the coasts of a game's board by name."""
    return convert(parse(files(package).joinpath(FILE).read_bytes(), FILE), _Coasts, FILE).coasts


def mercator(latitude: float) -> float:
    """Return the projected latitude in degrees at the equator.

    >>> round(mercator(60), 2)
    75.46
    """
    return degrees(log(tan(pi / 4 + radians(latitude) / 2)))


class Map(NamedTuple):
    """A map in a frame of the chart: its coast, its western and northern edge (projected), and chart units a degree."""

    coast: Coast
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
        x, y = self.frame.x - self.west * self.scale, self.frame.y + self.north * self.scale
        return f"translate({x:.2f} {y:.2f}) scale({self.scale / self.coast.units:.5f})"

    @property
    def land(self) -> str:
        """The coast's path."""
        return self.coast.land

    def path(self, spots: Sequence[Spot]) -> str:
        """Return a smooth line through places on the map."""
        start, *rest = [self.place(spot) for spot in spots]
        parts = [f"M{start[0]:.1f} {start[1]:.1f}"]
        for (x, y), (then_x, then_y) in pairwise(rest):
            parts.append(f"Q{x:.1f} {y:.1f} {(x + then_x) / 2:.1f} {(y + then_y) / 2:.1f}")
        return f"{''.join(parts)}L{rest[-1][0]:.1f} {rest[-1][1]:.1f}"


def fit_map(coast: Coast, region: Region, frame: Frame) -> Map:
    """Return a map that shows a region, and as much around it as fills the frame and the coast covers."""
    low, high, bounds = mercator(region.south), mercator(region.north), Region(*coast.covers)
    scale = min(frame.width / (region.east - region.west), frame.height / (high - low))
    width, height = frame.width / scale, frame.height / scale
    west, north = (region.west + region.east - width) / 2, (low + high + height) / 2
    west = min(max(west, bounds.west), bounds.east - width)
    north = max(min(north, mercator(bounds.north)), mercator(bounds.south) + height)
    return Map(coast, frame, west, north, scale)
