"""True coasts under the maps: zones or sea areas one after the other from east to west, and China."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from readyroom.engine.drawing import Frame
from readyroom.engine.maps import Coast, Spot, load_coasts, mercator, read_rings

PACKAGE = "readyroom.games.doolittle"
EAST_ASIA, PACIFIC = "flight", "pacific"
"""The coasts from Kwangsi to the launch, and of the whole North Pacific."""


class Course(NamedTuple):
    """A map whose zones follow each other along the course, from right to left or downwards.

    Each zone has a range of longitudes, which fills it: `edges` are longitudes, from east to west, and their positions
    along the course. `start` is the projected latitude at the top, or at the left of an upright map, and `scale` the
    units of a degree across the course.
    """

    name: str
    frame: Frame
    edges: Sequence[Spot]
    start: float
    scale: float
    upright: bool

    @property
    def coast(self) -> Coast:
        """The coast."""
        return coast(self.name)

    def place(self, spot: Spot) -> Spot:
        """Return the position of a longitude and latitude on the board."""
        return self._on_board(spot[0], mercator(spot[1]))

    def _on_board(self, longitude: float, projected: float) -> Spot:
        along, across = self._along(longitude), (self.start - projected) * self.scale
        return (self.frame.x + across, along) if self.upright else (along, self.frame.y + across)

    def _along(self, longitude: float) -> float:
        bands = list(pairwise(self.edges))
        (east, first), (west, last) = next((band for band in bands if longitude >= band[1][0]), bands[-1])
        return first + (east - longitude) / (east - west) * (last - first)

    @property
    def land(self) -> str:
        """The land as a path."""
        return _land(self._replace(edges=tuple(self.edges)))


def coast(name: str) -> Coast:
    """Return one of the coasts."""
    return load_coasts(PACKAGE)[name]


@lru_cache(maxsize=32)
def _land(course: Course) -> str:
    return "".join(_outline([course._on_board(x, y) for x, y in ring]) for ring in read_rings(course.coast))


def _outline(ring: Sequence[Spot]) -> str:
    """Return a closed line through points, in whole units."""
    points = [(round(x), round(y)) for x, y in ring]
    steps = ((x - ax, y - ay) for (ax, ay), (x, y) in pairwise(points))
    return f"M{points[0][0]} {points[0][1]}l{' '.join(f'{dx} {dy}' for dx, dy in steps if dx or dy)}z"
