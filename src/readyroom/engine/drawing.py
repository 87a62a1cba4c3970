"""What boards are drawn with: frames, about how wide words are, and figures in few words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

CONDENSED = 0.47
"""How wide a letter of the boards' type is on the average, in parts of its size."""
SLACK = 0.1
"""So far two frames may lie over each other and still lie beside each other."""
REPEATED = 3
"""From so many equal figures on they are counted instead of repeated."""


class Frame(NamedTuple):
    """A rectangle: its corner at the top left, its width and its height, in the units of the drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, edge: float) -> Frame:
        """What is left within an edge."""
        return Frame(self.x + edge, self.y + edge, self.width - 2 * edge, self.height - 2 * edge)

    def is_clear_of(self, other: Frame) -> bool:
        """Whether it does not lie over another one.

        >>> Frame(0, 0, 10, 10).is_clear_of(Frame(10, 0, 5, 5)), Frame(0, 0, 10, 10).is_clear_of(Frame(9, 9, 5, 5))
        (True, False)
        """
        return (
            self.right <= other.x + SLACK
            or other.right <= self.x + SLACK
            or self.bottom <= other.y + SLACK
            or other.bottom <= self.y + SLACK
        )


def text_width(text: str, size: float) -> float:
    """About how wide a text of this size is.

    >>> round(text_width("4-5", 12), 1)
    16.9
    """
    return len(text) * size * CONDENSED


def run_length_text(figures: Iterable[int]) -> Iterator[str]:
    """Figures in their order, those that are repeated told by their number.

    >>> list(run_length_text([8, 8, 8, 8, 5, 4, 4]))
    ['4×8', '5', '4', '4']
    """
    for figure, run in groupby(figures):
        count = len(list(run))
        yield from [f"{count}×{figure}"] if count >= REPEATED else [str(figure)] * count
