"""Points, frames and outlines, and their SVG texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

Point = tuple[float, float]
Frame = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def quarter(whole: Frame, middle: Point, quadrant: str) -> Frame:
    """Return one of the four parts of a frame.

    >>> quarter((0, 0, 10, 10), (4, 6), "SE")
    (4, 6, 10, 10)
    """
    left, top, right, bottom = whole
    north, west = quadrant[0] == "N", quadrant[1] == "W"
    return (
        left if west else middle[0],
        top if north else middle[1],
        middle[0] if west else right,
        middle[1] if north else bottom,
    )


def corners(frame: Frame) -> list[Point]:
    """Return the corners of a frame, clockwise."""
    left, top, right, bottom = frame
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def clip(outline: Sequence[Point], frame: Frame) -> list[Point]:
    """Return the part of an outline within a frame.

    >>> clip([(0, 0), (8, 0), (8, 8), (0, 8)], (4, 4, 10, 10))
    [(4.0, 4.0), (8.0, 4.0), (8, 8), (4.0, 8.0)]
    """
    left, top, right, bottom = frame
    points = list(outline)
    for axis, limit, way in ((0, left, 1), (0, right, -1), (1, top, 1), (1, bottom, -1)):
        kept: list[Point] = []
        for one, other in pairwise([points[-1], *points] if points else []):
            inside, was = way * (other[axis] - limit) >= 0, way * (one[axis] - limit) >= 0
            if inside != was:
                kept.append(_cut(one, other, axis, limit))
            if inside:
                kept.append(other)
        points = kept
    return points


def _cut(one: Point, other: Point, axis: int, limit: float) -> Point:
    share = (limit - one[axis]) / (other[axis] - one[axis])
    cut = [one[at] + share * (other[at] - one[at]) for at in (0, 1)]
    cut[axis] = float(limit)
    return cut[0], cut[1]


def polygon(points: Sequence[Point]) -> str:
    """Return an outline with straight sides as a path."""
    return f"{line(points)}Z" if points else ""


def line(points: Sequence[Point]) -> str:
    """Return a line from point to point as a path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def smooth(points: Sequence[Point]) -> str:
    """Return an outline with rounded corners: curves from the middle of each side to that of the next."""
    middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True)]
    curves = (
        f"Q{x:.1f} {y:.1f} {u:.1f} {v:.1f}"
        for (x, y), (u, v) in zip([*points[1:], points[0]], [*middles[1:], middles[0]], strict=True)
    )
    return f"M{middles[0][0]:.1f} {middles[0][1]:.1f}{''.join(curves)}Z"


def place(x: float, y: float, scale: float) -> str:
    """Return a place as an SVG transform."""
    moved = f"translate({round(x, 1):g} {round(y, 1):g})"
    return moved if scale == 1 else f"{moved} scale({round(scale, 3):g})"


@lru_cache(maxsize=64)
def clear(frame: Frame, taken: tuple[Frame, ...], wide: float, high: float) -> Frame:
    """Return the part of a frame, clear of taken frames, with room for most things of a size; else the largest.

    >>> clear((0, 0, 100, 50), ((10, 10, 20, 20), (90, 0, 200, 50)), 30, 30)
    (0, 20, 90, 50)
    """
    left, top, right, bottom = frame
    near = [other for other in taken if overlap(frame, other)]
    best, most = frame, (-1.0, -1.0)
    for low in dict.fromkeys([left, *(other[2] for other in near if other[2] < right)]):
        for end in dict.fromkeys([right, *(other[0] for other in near if other[0] > low)]):
            columns, upper = (end - low) // wide, top
            between = sorted((other[1], other[3]) for other in near if other[0] < end and other[2] > low)
            for start, stop in [*between, (bottom, bottom)]:
                size = columns * max(0.0, (start - upper) // high), (end - low) * (start - upper)
                if start > upper and size > most:
                    best, most = (low, upper, end, start), size
                upper = max(upper, stop)
    return best


def overlap(one: Frame, other: Frame) -> bool:
    """Return whether two frames overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
