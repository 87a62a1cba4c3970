"""Counters: crowds over the zones; on small screens large crowds are piled up, and spread out on cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from math import ceil
from typing import NamedTuple, TypeVar

from readyroom.engine.game import MatchView
from readyroom.engine.text import count_noun
from readyroom.games.tora.board_data import UNKNOWN, has_acted, tab_letters, unit_title
from readyroom.games.tora.drawing.chart import EDGE, Art, Card, Chart, Counter, Pile
from readyroom.games.tora.drawing.outlines import Frame, Point, place
from readyroom.games.tora.figures import SIDES, USA, SideName, builtin_data
from readyroom.games.tora.view import ToraView, UnitView

Thing = TypeVar("Thing")
WIDE, HIGH = 29.6, 31.6
"""Room for a counter of 26 by 28 and its halo when it can be chosen."""
LARGEST = {"wide": 1.8, "narrow": 1.5}
"""The largest scale of counters by shape: 36 pixels or more where a few are over a zone."""
CROWDED = 0.72
"""Counters smaller than this cannot be read on a small screen."""


class Grid(NamedTuple):
    """Counters in rows: their scale, and the number in a row."""

    scale: float
    columns: int


def pack(counts: Sequence[int], width: float, height: float, most: float = 1.0) -> Grid:
    """Return the largest scale up to `most` at which crowds, each starting a row, fit into a frame.

    >>> pack([4], 130, 40)
    Grid(scale=1.0, columns=4)
    >>> pack([48], 130, 140).scale < 0.7
    True
    """
    scale = most
    while True:
        columns = max(1, int(width / (WIDE * scale)))
        rows = sum(ceil(count / columns) for count in counts)
        if rows * HIGH * scale <= height or scale < 0.05:
            return Grid(scale, columns)
        scale *= 0.96


def spread(crowds: Sequence[Sequence[Thing]], frame: Frame, fit: Grid) -> Iterator[tuple[Thing, Point]]:
    """Yield each thing with its middle: crowds in rows around the middle of a frame, one crowd below the other."""
    left, top, right, bottom = frame
    rows = sum(ceil(len(things) / fit.columns) for things in crowds)
    y = top + (bottom - top - rows * HIGH * fit.scale) / 2
    for things in crowds:
        for first in range(0, len(things), fit.columns):
            row = things[first : first + fit.columns]
            x = (left + right - len(row) * WIDE * fit.scale) / 2
            for at, thing in enumerate(row):
                yield thing, (x + (at + 0.5) * WIDE * fit.scale, y + HIGH * fit.scale / 2)
            y += HIGH * fit.scale


def crowds(table: ToraView) -> dict[str, float]:
    """Return the number of each side's units over each zone, by zone and side, and of places used on each field."""
    over: dict[str, float] = {
        f"{zone}-{side}": len(over.of(side)) for zone, over in table.zones.items() for side in SIDES
    }
    return over | {field.key: max(field.places, len(field.stacks)) for field in table.usa.fields}


def unit_arts(table: ToraView) -> Iterator[Art]:
    """Yield the look of every unit on the board."""
    for over in table.zones.values():
        yield from (_art(side, unit) for side in SIDES for unit in over.of(side))
    for field in table.usa.fields:
        yield from (_art(USA, unit) for unit in field.units)


class Air:
    """Puts counters on a chart: those over a zone, and those of a field.

    There is room for as many as there are, or as `room` says by zone and side, or by field.
    """

    def __init__(self, chart: Chart, view: MatchView[ToraView], room: Mapping[str, float]) -> None:
        self.chart, self.view, self.room = chart, view, crowds(view.table)
        self.room |= {key: max(self.room[key], room.get(key, 0)) for key in self.room}
        self.crowded: list[str] = []

    def cloud(self, zone: str, frame: Frame) -> None:
        """Draw the aircraft over a zone.

        On a small screen a crowd is piled up by type and ordnance, the strongest on top, and spread out on a card.
        """
        crowds = self._crowds(zone)
        width, height, most = frame[2] - frame[0], frame[3] - frame[1], LARGEST[self.chart.form.name]
        fit = pack(self._counts(zone), width, height, most)
        if self.chart.form.side_by_side or fit.scale >= CROWDED:
            for counter, middle in spread(crowds, frame, fit):
                self.put(counter, middle, fit.scale)
            return
        self.crowded.append(zone)
        piles = [
            [list(run) for _, run in groupby(crowd, key=lambda counter: (counter.art.type, counter.art.letters))]
            for crowd in crowds
        ]
        fit = pack([len(heaps) for heaps in piles], width, height, most)
        for heap, middle in spread(piles, frame, fit):
            art = heap[0].art
            title = f"{count_noun(len(heap), builtin_data().air.types[art.type].title)} {art.letters}".rstrip()
            self.chart.piles.append(Pile(heap, title, _corner(middle, fit.scale), zone))

    def cards(self, top: float) -> float:
        """[8.3] Spread out what flies over each crowded zone below the charts; return the bottom of the last card."""
        left, right = EDGE, self.chart.width - EDGE
        for zone in self.crowded:
            crowds = self._crowds(zone)
            columns = int((right - left - 12) / WIDE)
            rows = sum(ceil(count / columns) for count in self._counts(zone))
            bottom = top + 24 + rows * HIGH + 4
            self.chart.cards.append(Card(zone, (left, top, right, bottom)))
            for counter, middle in spread(crowds, (left + 6, top + 24, right - 6, bottom - 4), Grid(1, columns)):
                self.put(counter, middle, 1)
            top = bottom + EDGE
        return top

    def _counts(self, zone: str) -> list[int]:
        """Return the numbers of units over a zone by side, with room for more."""
        counts = (int(self.room[f"{zone}-{side}"]) for side in SIDES)
        return [count for count in counts if count]

    def _crowds(self, zone: str) -> list[list[Counter]]:
        """Return the counters over a zone by side."""
        over = self.view.table.zones[zone]
        return [
            [self.counter(side, unit, zone, f"over {zone}", aloft=True) for unit in over.of(side)]
            for side in SIDES
            if over.of(side)
        ]

    def counter(self, side: SideName, unit: UnitView, on: str, where: str, aloft: bool = False) -> Counter:
        """Return a unit's counter."""
        load, turn = unit.ordnance.value if unit.ordnance else None, self.view.turn
        group = f"{on}:{unit.type}:{load}" if aloft and unit.key else ""
        acted = has_acted(unit, turn)
        return Counter(unit.key, side, _art(side, unit), unit_title(unit, where, turn), acted, on, group)

    def put(self, counter: Counter, middle: Point, scale: float) -> None:
        """Put a counter on the chart."""
        self.chart.counters.append((counter, _corner(middle, scale)))


def _corner(middle: Point, scale: float) -> str:
    """Return where a counter of 26 by 28 with this middle begins."""
    return place(middle[0] - 13 * scale, middle[1] - 14 * scale, scale)


@lru_cache(maxsize=1024)
def _art(side: SideName, unit: UnitView) -> Art:
    """Return the look of a unit."""
    letters, full = tab_letters(unit), builtin_data().air.types[unit.type].strength
    mark = "x" if letters == UNKNOWN else letters.lower()
    name = "-".join(part for part in ("pc", unit.type, str(unit.strength), mark) if part)
    return Art(name, side, unit.type, strength=unit.strength, full=max(full, unit.strength), letters=letters)
