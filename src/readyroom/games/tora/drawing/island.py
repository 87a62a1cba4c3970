"""The chart of Oahu: rings 2 and 3, the fields and the batteries."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from readyroom.games.tora.board_data import batteries, field_title, zone_title
from readyroom.games.tora.drawing.air import HIGH, WIDE, Air
from readyroom.games.tora.drawing.chart import Ground, Label, Quarter
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.outlines import Point, clip, corners, polygon, quarter
from readyroom.games.tora.view import FieldView

COLUMNS, PLACES = 2, 5
"""The number of piles in a row of a field, and the number of its places for which there is a pile."""


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
            clouds = [(*self._on((u, v)), wide, high) for u, v, wide, high in self.map.clouds[key]]
            self.air.cloud(key, [(u, v, u + wide, v + high) for u, v, wide, high in clouds])

    def _ground(self, field: FieldView) -> None:
        """Draw a field's frame and the units on it."""
        known = self.map.fields.get(field.key)
        left, top = self._on(known.at if known else self.map.at)
        spot = self._on(known.spot if known else self.map.at)
        rows = ceil(field.places / PLACES / COLUMNS)
        right, bottom = left + COLUMNS * WIDE + 4, top + 16 + rows * HIGH + 1
        self.chart.grounds.append(Ground(field, field_title(self.table, field), (left, top, right, bottom), spot))
        self.air.parked(field, (left + 2, top + 16, right - 2, bottom - 1))
