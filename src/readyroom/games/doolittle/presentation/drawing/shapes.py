"""The two forms of the board, and what all its parts are measured with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readyroom.engine.drawing import Frame, text_width


class Shape(NamedTuple):
    """A form of the board: its width, its margins, and the frames of the city and of the way on it."""

    name: str
    width: float
    margin: float
    gap: float
    head: float
    city: Frame
    upright: bool

    @property
    def inner(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin


class Room:
    """How much room the parts of a board need, and the least that they get, so that several views have one layout.

    `needs` is what one view needs, by the names of the parts; call the room with a part to know what it gets.
    """

    def __init__(self, least: Mapping[str, float] | None = None) -> None:
        """Give parts at least this room."""
        self.least, self.needs, self.prefix = least or {}, dict[str, float](), ""

    def __call__(self, part: str, needs: float) -> float:
        """Note what a part of the present shape needs, and return what it gets."""
        part = f"{self.prefix} {part}"
        self.needs[part] = needs
        return max(needs, self.least.get(part, 0.0))


FULL = 684.0
"""The height of a wide board that fills a screen of 1366 by 768, with its smallest print of 11 pixels."""
POINTED = 41.0
"""The least size of what can be pointed at on a wide board: 36 pixels on a screen of 1366."""

WIDE = Shape("wide", 980, 6, 6, 46, Frame(6, 46, 640, 574), False)
NARROW = Shape("narrow", 390, 6, 6, 78, Frame(6, 78, 378, 790), True)


def wrap(parts: Sequence[str], width: float, size: float) -> list[str]:
    """Return texts in lines of this width; each stays in one line.

    >>> wrap(["flak 4-5 ×2", "haze"], 50, 12)
    ['flak 4-5 ×2,', 'haze']
    """
    names: list[str] = []
    for part in parts:
        if names and text_width(f"{names[-1]}, {part}", size) <= width:
            names[-1] += f", {part}"
        else:
            names = [*names[:-1], f"{names[-1]},", part] if names else [part]
    return names


def path(points: Sequence[tuple[float, float]], *, closed: bool = False) -> str:
    """Return the path of straight lines from point to point."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


def spread(
    count: int, room: Frame, cell: tuple[float, float], most: float = 1.15
) -> tuple[float, list[tuple[float, float]]]:
    """Return how large cells may be to fit a frame, and the corner of each."""
    (width, height), best, columns = cell, 0.0, 1
    for across in range(1, max(1, count) + 1):
        rows = -(-max(1, count) // across)
        scale = min(most, room.width / (across * width), room.height / (rows * height))
        if scale > best + 0.001:
            best, columns = scale, across
    return best, [(room.x + at % columns * width * best, room.y + at // columns * height * best) for at in range(count)]


def fan(count: int, room: Frame, cell: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the corners of cells of this size in a frame, which overlap as little as there is room for.

    >>> fan(3, Frame(0, 0, 50, 80), (40, 40))
    [(0.0, 0.0), (0.0, 20.0), (0.0, 40.0)]
    """
    (width, height), best, shown = cell, [(0.0, 0.0)] * count, 0.0
    for across in range(1, count + 1):
        rows = -(-count // across)
        right = min(width, (room.width - width) / max(1, across - 1))
        down = min(height, (room.height - height) / max(1, rows - 1))
        least = min(right if across > 1 else width, down if rows > 1 else height)
        if least > shown:
            shown = least
            best = [(room.x + at % across * right, room.y + at // across * down) for at in range(count)]
    return best
