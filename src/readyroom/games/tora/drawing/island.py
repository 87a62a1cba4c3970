"""The chart of Oahu: rings 2 and 3, the fields and the batteries."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from readyroom.games.tora.board_data import batteries, field_title, zone_title
from readyroom.games.tora.drawing.air import HIGH, WIDE, Air
from readyroom.games.tora.drawing.chart import Ground, Label, Quarter
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.outlines import Point, clip, corners, polygon, quarter
from readyroom.games.tora.figures import USA
from readyroom.games.tora.view import FieldView

PARKED = 0.62
"""The size of counters on a field."""
COLUMNS = 5
"""The number of places in a row of a field."""
LIFT = 3.2
"""The offset of the upper unit of a stack from the lower one, up and to the right."""


class Island:
    """The chart of Oahu: rings 2 and 3, the fields and the batteries."""

    def __init__(self, air: Air, x: float, y: float) -> None:
        self.air, self.chart, self.table = air, air.chart, air.view.table
        self.map, self.x, self.y = drawn().oahu, x, y

    def draw(self) -> None:
        """Draw everything."""
        coast = [self._on(self.map.place(spot)) for spot in self.map.coast]
        for cape in self.map.cape:
            x, y = self._on(self.map.place(cape.spot))
            self.chart.labels.append(Label("cape", x + cape.by[0], y + cape.by[1], cape.name, cape.anchor))
        x, y = self._on((self.map.width / 2, 24))
        self.chart.labels.append(Label("ocean", x, y, "Pacific Ocean", "middle"))
        (x, y), gap, end = self._on(self.map.at), self.map.ring, self._on((self.map.width, self.map.height))
        self.chart.crosses.append(
            f"M{x:g} {self.y:g}V{y - gap:g}M{x:g} {y + gap:g}V{end[1]:g}"
            f"M{self.x:g} {y:g}H{x - gap:g}M{x + gap:g} {y:g}H{end[0]:g}"
        )
        self._zones(coast)
        for field in self.table.usa.fields:
            self._ground(field)
        for target in batteries(self.table):
            x, y = self._on(self.map.batteries.get(target.key, self.map.at))
            self.chart.batteries.append((target, x, y))

    def _on(self, point: Point) -> Point:
        return self.x + point[0], self.y + point[1]

    def _zones(self, coast: Sequence[Point]) -> None:
        middle = self._on(self.map.at)
        whole = (self.x + 3, self.y + 3, self.x + self.map.width - 3, self.y + self.map.height - 3)
        for key in self.table.zones:
            ring, quadrant = key[0], key[1:]
            if ring == "1":
                continue
            frame = quarter(whole, middle, quadrant)
            path = polygon(clip(coast, frame))
            if ring == "3":
                path = polygon(corners(frame)) + path
            x, y = self._on(self.map.names[key])
            anchor = "end" if quadrant.endswith("E") else "start"
            self.chart.quarters.append(Quarter(key, zone_title(self.table, key), path, (x, y), anchor))
            left, top, width, height = self.map.clouds[key]
            left, top = self._on((left, top))
            self.air.cloud(key, (left, top, left + width, top + height))

    def _ground(self, field: FieldView) -> None:
        """Draw a field's frame, its places row by row, and the units on them."""
        known = self.map.fields.get(field.key)
        left, top = self._on(known.at if known else self.map.at)
        spot = self._on(known.spot if known else self.map.at)
        wide, high = WIDE * PARKED, HIGH * PARKED
        count = int(self.air.room[field.key])
        places = [
            (left + 3 + (at % COLUMNS + 0.5) * wide, top + 15.5 + (at // COLUMNS + 0.5) * high) for at in range(count)
        ]
        frame = (left, top, left + 6 + COLUMNS * wide, top + 17.5 + ceil(count / COLUMNS) * high)
        self.chart.grounds.append(Ground(field, field_title(self.table, field), frame, places, spot))
        for (x, y), stack in zip(places, field.stacks, strict=False):
            for at, unit in enumerate(stack):
                counter = self.air.counter(USA, unit, field.key, _parked(field.name, at, len(stack)))
                lift = LIFT * (at - (len(stack) - 1) / 2)
                self.air.put(counter, (x + lift, y - lift), PARKED * (1 if len(stack) == 1 else 0.88))


def _parked(field: str, at: int, height: int) -> str:
    if height == 1:
        return f"parked at {field}"
    return f"parked at {field}, {'on top of another' if at == height - 1 else 'under another'}"
