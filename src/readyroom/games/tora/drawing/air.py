"""Counters: crowds over the zones, piled up where there are too many for a small screen, and spread out on cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple, TypeVar

from readyroom.engine.text import count_noun
from readyroom.games.tora.board_data import Art, Unit, Zone, printed
from readyroom.games.tora.drawing.chart import EDGE, Card, Chart, Heap, Pile, Placed, Shape
from readyroom.games.tora.drawing.outlines import Frame, Point, place
from readyroom.games.tora.figures import SIDES, SideName

Thing = TypeVar("Thing")
WIDE, HIGH = 29.6, 31.6
"""Room for a counter, which is 26 wide and 28 high, with what surrounds it when it can be chosen."""
CROWDED = 0.72
"""Counters smaller than this cannot be read on a small screen."""


class Grid(NamedTuple):
    """Counters in rows: their scale, and how many stand in a row."""

    scale: float
    columns: int


def pack(counts: Sequence[int], width: float, height: float) -> Grid:
    """Return the largest scale up to 1 at which crowds, each starting a row, fit into a frame.

    >>> pack([4], 130, 40)
    Grid(scale=1.0, columns=4)
    >>> pack([48], 130, 140).scale < 0.7
    True
    """
    scale = 1.0
    while True:
        columns = max(1, int(width / (WIDE * scale)))
        rows = sum(ceil(count / columns) for count in counts)
        if rows * HIGH * scale <= height or scale < 0.05:
            return Grid(scale, columns)
        scale *= 0.96


def spread(
    crowds: Sequence[tuple[SideName, Sequence[Thing]]], frame: Frame, fit: Grid
) -> Iterator[tuple[SideName, Thing, Point]]:
    """Crowds in rows around the middle of a frame, one crowd below the other, each thing with its middle."""
    left, top, right, bottom = frame
    rows = sum(ceil(len(things) / fit.columns) for _, things in crowds)
    y = top + (bottom - top - rows * HIGH * fit.scale) / 2
    for side, things in crowds:
        for first in range(0, len(things), fit.columns):
            row = things[first : first + fit.columns]
            x = (left + right - len(row) * WIDE * fit.scale) / 2
            for at, thing in enumerate(row):
                yield side, thing, (x + (at + 0.5) * WIDE * fit.scale, y + HIGH * fit.scale / 2)
            y += HIGH * fit.scale


class Air:
    """Lays counters down on a board: those over a zone, and those that others place."""

    def __init__(self, chart: Chart, shape: Shape, arts: Mapping[str, Art]) -> None:
        self.chart, self.shape, self.arts = chart, shape, arts
        self.crowded: list[Zone] = []

    def cloud(self, zone: Zone, frame: Frame) -> None:
        """The aircraft over a zone; on a small screen a crowd is piled up by types, and lies spread out on a card."""
        crowds = [(side, zone.units[side]) for side in SIDES if zone.units[side]]
        fit = pack([len(units) for _, units in crowds], frame[2] - frame[0], frame[3] - frame[1])
        if self.shape.side_by_side or fit.scale >= CROWDED:
            for side, unit, middle in spread(crowds, frame, fit):
                self.put(side, unit, middle, fit.scale, zone.key)
            return
        self.crowded.append(zone)
        piles = [(side, list(heaps(units, self.arts))) for side, units in crowds]
        fit = pack([len(stacked) for _, stacked in piles], frame[2] - frame[0], frame[3] - frame[1])
        for _, heap, middle in spread(piles, frame, fit):
            self.chart.piles.append(
                Pile(heap, place(middle[0] - 13 * fit.scale, middle[1] - 14 * fit.scale, fit.scale), zone.key)
            )

    def cards(self, top: float) -> float:
        """[8.3] What flies over each crowded zone, spread out below the charts; where the last card ends."""
        left, right = EDGE, self.shape.width - EDGE
        for zone in self.crowded:
            crowds = [(side, zone.units[side]) for side in SIDES if zone.units[side]]
            columns = int((right - left - 12) / WIDE)
            rows = sum(ceil(len(units) / columns) for _, units in crowds)
            bottom = top + 24 + rows * HIGH + 4
            self.chart.cards.append(Card(zone, (left, top, right, bottom)))
            inner = (left + 6, top + 24, right - 6, bottom - 4)
            for side, unit, middle in spread(crowds, inner, Grid(1, columns)):
                self.put(side, unit, middle, 1, zone.key)
            top = bottom + EDGE
        return top

    def put(self, side: SideName, unit: Unit, middle: Point, scale: float, on: str) -> None:
        """Lay a counter down with its middle there, on a zone or field."""
        at = place(middle[0] - 13 * scale, middle[1] - 14 * scale, scale)
        self.chart.counters.append(Placed(side, unit.key, at, unit.art, unit.title, unit.acted, on, unit.group))


def heaps(units: Sequence[Unit], arts: Mapping[str, Art]) -> Iterator[Heap]:
    """Yield units by type and ordnance, the strongest on top."""
    for (type_, letters), run in groupby(units, key=lambda unit: (arts[unit.art].type, arts[unit.art].letters)):
        heap = list(run)
        name = count_noun(len(heap), printed().air.types[type_].title)
        yield Heap(heap[0].art, f"{name}{f' {letters}' if letters else ''}", heap)
