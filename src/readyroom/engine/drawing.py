"""Helpers for drawing boards: frames, text widths, and run-length text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

CONDENSED = 0.47
"""The average width of a letter relative to the font size."""
SLACK = 0.1
"""Frames that overlap by at most this still count as clear of each other."""
REPEATED = 3
"""Runs of at least this length are counted instead of repeated."""


class Frame(NamedTuple):
    """A rectangle in drawing units: top left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The bottom edge."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, edge: float) -> Frame:
        """Return the frame reduced by a margin."""
        return Frame(self.x + edge, self.y + edge, self.width - 2 * edge, self.height - 2 * edge)

    def is_clear_of(self, other: Frame) -> bool:
        """Return whether the frames do not overlap.

        >>> Frame(0, 0, 10, 10).is_clear_of(Frame(10, 0, 5, 5)), Frame(0, 0, 10, 10).is_clear_of(Frame(9, 9, 5, 5))
        (True, False)
        """
        return (
            self.right <= other.x + SLACK
            or other.right <= self.x + SLACK
            or self.bottom <= other.y + SLACK
            or other.bottom <= self.y + SLACK
        )


class LazyChart:
    """One of a layout's charts, which is computed when its attributes are first used: a page needs one shape only."""

    def __init__(self, shape: str, lay_out: Callable[[], Any]) -> None:
        self.shape, self._lay_out = shape, lay_out

    @cached_property
    def _chart(self) -> Any:
        return self._lay_out()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._chart, name)


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text.

    >>> round(text_width("4-5", 12), 1)
    16.9
    """
    return len(text) * size * CONDENSED


def run_length_text(figures: Iterable[int]) -> Iterator[str]:
    """Yield numbers in order, with runs of equal ones as count and value.

    >>> list(run_length_text([8, 8, 8, 8, 5, 4, 4]))
    ['4×8', '5', '4', '4']
    """
    for figure, run in groupby(figures):
        count = len(list(run))
        yield from [f"{count}×{figure}"] if count >= REPEATED else [str(figure)] * count
