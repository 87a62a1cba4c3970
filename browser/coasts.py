"""Make the coasts of drawn boards from Natural Earth: `python browser/coasts.py` after `npm ci`.

A board's coasts are paths in the Mercator projection: x is the longitude, y the projected latitude, southward, both
times the units of a degree. They are in the project, so that neither a server nor a player needs the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from math import degrees, hypot, log, pi, radians, tan
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ATLAS = HERE / "node_modules" / "world-atlas"
GAMES = HERE.parent / "src" / "readyroom" / "games"
ROUND = 360.0

Point = tuple[float, float]
Ring = list[Point]


class Window(NamedTuple):
    """A part of the world: degrees west, east, south and north, units of a degree, and the least detail in degrees.

    Longitudes beyond 180 are those of the western hemisphere plus 360. Islands smaller than `least` square degrees are
    left out. `atlas` is the file of the package.
    """

    name: str
    west: float
    east: float
    south: float
    north: float
    units: int
    detail: float
    least: float
    atlas: str = "land-50m.json"


BOARDS: dict[str, tuple[Window, ...]] = {
    "strategic/war/presentation": (
        Window("world", -103, 262, -44, 71, 10, 0.28, 0.8),
        Window("europe", -16, 34, 34, 63, 40, 0.09, 0.12),
        Window("japan", 124, 149, 20, 48, 40, 0.08, 0.05),
    ),
    "doolittle": (
        Window("flight", 103, 160, 18, 48, 40, 0.08, 0.05),
        Window("pacific", 128, 244, 4, 58, 10, 0.25, 0.08),
    ),
    "strategic/pearl": (Window("hawaii", -166, -150, 16, 30, 200, 0.012, 0.002, "land-10m.json"),),
}
"""The windows of each board, by the folder of the package that draws it."""


def main() -> None:
    """Write the coasts of every board."""
    for game, windows in BOARDS.items():
        (GAMES / game / "coasts.toml").write_text(toml(windows), encoding="utf-8")


def toml(windows: Sequence[Window]) -> str:
    """Return a file of coasts."""
    lines = ["# Made by browser/coasts.py.", 'source = "Natural Earth, public domain"']
    for window in windows:
        rings = list(read_rings(json.loads((ATLAS / window.atlas).read_bytes())))
        covers = f"[{window.west}, {window.east}, {window.south}, {window.north}]"
        lines += ["", f"[coasts.{window.name}]", f"units = {window.units}", f"covers = {covers}"]
        lines += [f'land = "{path(rings, window)}"']
    return "\n".join(lines) + "\n"


def read_rings(topology: Any) -> Iterator[Ring]:
    """Yield the outlines of all land, and of lakes in it, as longitudes and latitudes."""
    (scale_x, scale_y), (at_x, at_y) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs: list[Ring] = []
    for arc in topology["arcs"]:
        x = y = 0
        points: Ring = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * scale_x + at_x, y * scale_y + at_y))
        arcs.append(points)
    for geometry in topology["objects"]["land"]["geometries"]:
        for ring in chain.from_iterable(geometry["arcs"]):
            parts = (arcs[number] if number >= 0 else arcs[~number][::-1] for number in ring)
            yield [point for part in parts for point in part[:-1]]


def path(rings: Sequence[Ring], window: Window) -> str:
    """Return the land of a window as an SVG path of whole numbers."""
    parts = []
    for ring in rings:
        for turn in (0.0, ROUND):
            clipped = clip([(x + turn, y) for x, y in ring], window)
            shape = simplify([(x, mercator(y)) for x, y in clipped], window.detail)
            points = [(round(x * window.units), round(-y * window.units)) for x, y in shape]
            if len(points) > 2 and area(shape) >= window.least:
                steps = "".join(f"{after[0] - at[0]} {after[1] - at[1]} " for at, after in pairwise(points))
                parts.append(f"M{points[0][0]} {points[0][1]}l{steps.strip().replace(' -', '-')}z")
    return "".join(parts)


def mercator(latitude: float) -> float:
    """Return the projected latitude in degrees at the equator.

    >>> round(mercator(60), 2)
    75.46
    """
    return degrees(log(tan(pi / 4 + radians(latitude) / 2)))


def clip(ring: Ring, window: Window) -> Ring:
    """Return the part of a ring in a window (Sutherland and Hodgman)."""
    for axis, limit, sign in ((0, window.west, 1), (0, window.east, -1), (1, window.south, 1), (1, window.north, -1)):
        kept: Ring = []
        for before, point in zip([*ring[-1:], *ring[:-1]], ring, strict=True):
            inside, was = sign * (point[axis] - limit) >= 0, sign * (before[axis] - limit) >= 0
            if inside != was:
                part = (limit - before[axis]) / (point[axis] - before[axis])
                kept.append((before[0] + part * (point[0] - before[0]), before[1] + part * (point[1] - before[1])))
            if inside:
                kept.append(point)
        ring = kept
    return ring


def simplify(ring: Ring, detail: float) -> Ring:
    """Return a ring without the points that make less difference than `detail` (Douglas and Peucker)."""
    if len(ring) < 4:
        return ring
    far = max(range(len(ring)), key=lambda at: hypot(ring[at][0] - ring[0][0], ring[at][1] - ring[0][1]))
    return [*_simplify(ring[: far + 1], detail)[:-1], *_simplify([*ring[far:], ring[0]], detail)[:-1]]


def _simplify(line: Ring, detail: float) -> Ring:
    (ax, ay), (bx, by) = line[0], line[-1]
    length = hypot(bx - ax, by - ay)

    def distance(at: int) -> float:
        x, y = line[at]
        return abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length if length else hypot(x - ax, y - ay)

    far = max(range(1, len(line) - 1), key=distance, default=0)
    if not far or distance(far) < detail:
        return [line[0], line[-1]]
    return [*_simplify(line[: far + 1], detail)[:-1], *_simplify(line[far:], detail)]


def area(ring: Ring) -> float:
    """Return the area of a ring in square degrees."""
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, [*ring[1:], *ring[:1]], strict=True))) / 2


if __name__ == "__main__":
    main()
