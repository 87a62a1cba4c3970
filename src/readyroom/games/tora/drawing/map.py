"""The drawn coordinates of `data/map.toml`: the island, and the harbor."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from readyroom.engine.data import load
from readyroom.games.tora.drawing.outlines import Frame, Point


class Cape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named point of the coast, and the place of the name."""

    name: str
    spot: Point
    by: Point
    anchor: str


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The corner of a field as drawn, and its place on the island."""

    at: Point
    spot: Point


class Oahu(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chart of the island."""

    source: str
    origin: str
    width: float
    height: float
    middle: Point
    at: Point
    east: float
    north: float
    south: float
    coast: list[Point]
    lochs: str
    ring: float
    ridges: list[list[Point]]
    cape: list[Cape]
    fields: dict[str, Spot]
    batteries: dict[str, Point]
    clouds: dict[str, list[Frame]]
    names: dict[str, Point]

    def place(self, spot: Point) -> Point:
        """Return the place of a longitude and latitude."""
        east, north = spot[0] - self.middle[0], spot[1] - self.middle[1]
        return self.at[0] + east * self.east, self.at[1] - north * (self.north if north > 0 else self.south)


class Across(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The harbor's width on one of the boards, its left margin, and how wide columns are drawn."""

    width: float
    left: float
    columns: list[Point]


class HarborChart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chart of the harbor."""

    source: str
    origin: str
    height: float
    top: float
    rows: list[Point]
    room: float
    along: float
    shore: list[Point]
    wide: Across
    narrow: Across


class Map(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of `map.toml`."""

    oahu: Oahu
    harbor: HarborChart


class _Folder(msgspec.Struct, frozen=True):
    """The file of the data folder that only the drawing reads."""

    map: Map


@lru_cache(maxsize=1)
def drawn() -> Map:
    """Return the drawn coordinates."""
    return load(_Folder, "readyroom.games.tora").map
