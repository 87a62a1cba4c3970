"""The widths of the harbor's cells as drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from readyroom.games.tora.drawing.outlines import Point

LEAST = 0.35
"""How narrow cells without a ship can become."""


class Axis:
    """The edges of the harbor's cells in one direction.

    Cells have the widths of the map, but those under a ship have at least room for her. The others become narrower, and
    where that is not enough, all do: the total length is kept.
    """

    def __init__(self, widths: Sequence[Point], needs: Mapping[int, float], start: float) -> None:
        cells, done = list[float](), 0
        for upto, width in widths:
            cells += [width] * (int(upto) - done)
            done = int(upto)
        length = sum(cells)
        room = {at: max(cells[at], need) for at, need in needs.items() if 0 <= at < len(cells)}
        others = sum(width for at, width in enumerate(cells) if at not in room)
        squeeze = max(LEAST, (length - sum(room.values())) / others) if others else 1
        cells = [room.get(at, width * squeeze) for at, width in enumerate(cells)]
        scale = length / sum(cells)
        self.edges = list(accumulate((width * scale for width in cells), initial=start))

    def __call__(self, cell: float) -> float:
        """Return the position of a cell's edge, or of a point within or beyond the cells."""
        last = len(self.edges) - 1
        at = min(max(int(cell // 1), 0), last - 1)
        low, high = self.edges[at], self.edges[at + 1]
        return low + (cell - at) * (high - low)
