"""The chart of Pearl Harbor: ring 1, the channel, the ships and the yard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from readyroom.games.tora.board_data import absent_title, ship_title, torpedo_runs, yard_tokens, zone_title
from readyroom.games.tora.drawing.air import HIGH, WIDE, Air
from readyroom.games.tora.drawing.axis import Axis
from readyroom.games.tora.drawing.chart import Hull, Label, Quarter, Run
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.offers import Waters
from readyroom.games.tora.drawing.outlines import Frame, Point, clear, corners, overlap, polygon, quarter, smooth
from readyroom.games.tora.figures import builtin_data
from readyroom.games.tora.harbor import dock_of
from readyroom.games.tora.plans.data import Berth
from readyroom.games.tora.view import ShipView

BEAM = 29.2
"""The breadth of a ship with her damage track: 24 pixels on a board that fits on a screen of 1366 by 768."""
TOKEN = (42.0, 25.0)
"""A token of the Navy Yard."""
ABOVE_SHORE = 42.0
"""The room between the names of ships without a berth and the southern shore, with the heading and the zone's name."""
SHIPS_WITH_NAMES = 136.0
"""The width of ships without a berth with their names; what is in the same corner is next to them."""
IN_A_ROW = 6
"""The number of tokens along the eastern shore; the others are along the southern one."""


class Harbor:
    """The chart of Pearl Harbor: ring 1, the channel, the ships and the yard."""

    def __init__(self, air: Air, x: float, y: float) -> None:
        self.air, self.chart, self.table = air, air.chart, air.view.table
        self.map, self.cells = drawn().harbor, builtin_data().places.harbor
        across = self.map.wide if self.chart.form.side_by_side else self.map.narrow
        self.frame = (x, y, x + across.width, y + self.map.height)
        columns, rows = self._needs()
        self.across = Axis(across.columns, columns, x + across.left)
        self.down = Axis(self.map.rows, rows, y + self.map.top)
        self.taken: list[Frame] = []

    def _needs(self) -> tuple[dict[int, float], dict[int, float]]:
        """Return the least width and height of cells with ships, so that they can be seen and touched."""
        columns, rows = dict[int, float](), dict[int, float]()
        for ship in self.table.usa.ships_at_berths:
            upright = ship.berth.lie == "v"
            for x, y in ship.cells:
                columns[x] = max(columns.get(x, 0), self.map.along)
                rows[y] = max(rows.get(y, 0), self.map.along if upright else self.map.room)
            if upright:
                columns[ship.berth.x] = self.map.room
        return columns, rows

    def draw(self) -> None:
        """Draw everything; names and aircraft find room around the ships."""
        x, y = self.across, self.down
        channel = self.cells.channel
        self.chart.mouth = (x((channel.x[0] + channel.x[1] + 1) / 2), y((channel.y[0] + channel.y[1]) / 2))
        self.chart.water = smooth([(x(cx), y(cy)) for cx, cy in self.map.shore])
        self._ford_island()
        dry = dock_of(builtin_data().places)
        if dry is not None:
            self.chart.dock = (x(dry.x) - 2, y(dry.y) - 3, x(dry.x + 1) + 2, y(dry.y + 4) + 3)
        for target, (tx, ty) in zip(yard_tokens(self.table), self._stands(), strict=False):
            self.chart.tokens.append((target, tx, ty))
        self._ships()
        self._adrift()
        self._zones()
        self._names()
        berths = {ship.hull.key: ship.berth for ship in self.table.usa.ships_at_berths}
        self.chart.waters = Waters(builtin_data(), x, y, berths)

    def _ford_island(self) -> None:
        """Draw the island within its cells: pointed in the west, round in the east."""
        island = self.cells.island
        left, right = self.across(island.x[0]) + 1, self.across(island.x[1] + 1) - 1
        top, bottom = self.down(island.y[0]) + 1, self.down(island.y[1] + 1) - 1
        wide, high = right - left, bottom - top
        shape = [(0, 0.5), (0.03, 0.2), (0.12, 0.03), (0.5, 0), (0.9, 0.02), (0.99, 0.2), (1, 0.6), (0.97, 0.93)]
        shape += [(0.85, 1), (0.45, 0.98), (0.13, 1), (0.04, 0.8)]
        self.chart.island = smooth([(left + wide * fx, top + high * fy) for fx, fy in shape])
        self.chart.strip = (
            f"M{left + wide * 0.17:.1f} {top + high * 0.5:.1f}L{right - wide * 0.12:.1f} {top + high * 0.26:.1f}"
        )
        middle = self.across(self.cells.west_to + 1), self.down(self.cells.north_to + 1)
        x, y = (left + middle[0]) / 2 - wide * 0.06, middle[1] + 8
        self.chart.labels.append(Label("isle", x, y + 4, "Ford Island", "middle"))
        self.taken.append((x - 38, y - 8, x + 38, y + 8))

    def _stands(self) -> Iterator[Point]:
        """Yield places for tokens: along the eastern shore, then on both sides of the channel, then farther inland."""
        wide, high = TOKEN
        east, south = self.across(self.cells.width) + 8 + wide / 2, self.down(self.cells.height) + 8 + high / 2
        channel = self.cells.channel
        first, last = self.down(self.cells.yard_east.y[0]) + 10, self.down(self.cells.height) - 10
        for at in range(IN_A_ROW):
            yield east, first + (last - first) * at / (IN_A_ROW - 1)
        west, mouth = self.across(channel.x[0]), self.across(channel.x[1] + 1)
        for row in range(100):
            y = south + row * (high + 5)
            for at in range(4):
                yield west - 12 - wide / 2 - (3 - at) * (wide + 5), y
            for at in range(2):
                yield mouth + 12 + wide / 2 + at * (wide + 5), y

    def _ships(self) -> None:
        """Draw the hulls; then, when all are known, torpedo lanes and names."""
        berthed = [(ship.berth, self._hull(ship, ship.berth)) for ship in self.table.usa.ships if ship.berth]
        berthed.sort(key=lambda each: (each[0].y, each[0].x))
        self.taken += [hull.frame for _, hull in berthed]
        runs = torpedo_runs(self.table)
        for berth, hull in berthed:
            label, anchor = self._label(hull)
            self.chart.hulls.append(hull._replace(label=label, anchor=anchor))
            patches = runs.get(hull.ship.key)
            if patches:
                self.chart.runs.append(self._lane(patches[len(patches) // 2], berth, hull.ship.length))

    def _hull(self, ship: ShipView, berth: Berth) -> Hull:
        """Return the hull of a ship at her berth."""
        upright = berth.lie == "v"
        wide, high = (1, ship.length) if upright else (ship.length, 1)
        left, right = self.across(berth.x), self.across(berth.x + wide)
        top, bottom = self.down(berth.y), self.down(berth.y + high)
        length, beam = (bottom - top, right - left) if upright else (right - left, bottom - top)
        return Hull(
            ship=ship,
            title=ship_title(self.table, ship),
            planned=not self.table.day,
            x=(left + right) / 2,
            y=(top + bottom) / 2,
            length=length - 2,
            beam=min(BEAM, beam - 1.4),
            upright=upright,
            cells=_track(ship, length - 2),
        )

    def _label(self, hull: Hull) -> tuple[Point, str]:
        """Return a free place for a ship's name: above or below her, or farther away; to the side if she is upright."""
        x, y = hull.x, hull.y
        width = len(hull.ship.name) * self.chart.form.letter + 2
        if hull.upright:
            spots = [(x - hull.beam / 2 - 4, y + 3.5, "end"), (x + hull.beam / 2 + 4, y + 3.5, "start")]
            spots += [(x, y - hull.length / 2 - 4, "middle"), (x, y + hull.length / 2 + 10, "middle")]
        else:
            up, down = y - hull.beam / 2 - 3.5, y + hull.beam / 2 + 10.5
            spots = [(x, at, "middle") for at in (up, down, up - 11, down + 11, down + 22, up - 22)]
        frames = [_print(spot, width) for spot in spots]
        within = [at for at, each in enumerate(frames) if self._inside(each)] or [0]
        best = min(within, key=lambda at: (sum(overlap(frames[at], other) for other in self.taken), at))
        self.taken.append(frames[best])
        return (spots[best][0], spots[best][1]), spots[best][2]

    def _inside(self, frame: Frame) -> bool:
        left, top, right, bottom = self.frame
        return left + 4 <= frame[0] and frame[2] <= right - 4 and top + 4 <= frame[1] and frame[3] <= bottom - 4

    def _lane(self, patch: Sequence[tuple[int, int]], berth: Berth, length: int) -> Run:
        """[11.4] Return an arrow over a patch of open water from which torpedoes run at a ship."""
        x = sum(cell[0] for cell in patch) / len(patch) + 0.5
        y = sum(cell[1] for cell in patch) / len(patch) + 0.5
        if berth.lie == "h":
            x, below = self.across(berth.x + length / 2), y > berth.y
            start, end = self.down(y + (0.9 if below else -0.9)), self.down(berth.y + (1.25 if below else -0.25))
            return Run(f"M{x:.1f} {start:.1f}V{end:.1f}", x, end, 0 if below else 180)
        y, right = self.down(y), x > berth.x
        start, end = self.across(x + (0.9 if right else -0.9)), self.across(berth.x + (1.25 if right else -0.25))
        return Run(f"M{start:.1f} {y:.1f}H{end:.1f}", end, y, -90 if right else 90)

    def _adrift(self) -> None:
        """Draw ships without a berth: at sea, or where the viewer may not know."""
        ships = [ship for ship in self.table.usa.ships if ship.berth is None]
        if not ships:
            return
        left, width, high = self.frame[0] + 18, 112.0, 16.0
        shore, right = self.down(self.cells.height), self.across(39)
        columns, top = 1, shore + 12
        if len(ships) > 3:
            columns = max(1, int((right - left) / width))
            rows = ceil(len(ships) / columns)
            width, high = (right - left) / columns, 18.0 if rows <= 6 else high
            top = min(self.down(31), shore - ABOVE_SHORE - rows * high)
        self.chart.labels.append(Label("adrift", left, top, absent_title(self.table)))
        for at, ship in enumerate(ships):
            row, column = divmod(at, columns)
            x, y, length = left + column * width, top + 14 + row * high, 8.0 * ship.length
            hull = Hull(
                ship=ship,
                title=ship_title(self.table, ship),
                planned=False,
                x=x + length / 2,
                y=y,
                length=length,
                beam=8,
                upright=False,
                cells=_track(ship, length),
                label=(x + length + 5, y + 3.5),
            )
            self.chart.hulls.append(hull)
        self.taken.append((left, top - 12, right, top + 14 + ceil(len(ships) / columns) * high))

    def _zones(self) -> None:
        """Draw the quarters of the harbor; aircraft find room next to ships and names."""
        x, y, cells = self.across, self.down, self.cells
        middle = (x(cells.west_to + 1), y(cells.north_to + 1))
        whole = (x(0), y(0), x(cells.width), y(cells.height))
        self.chart.crosses.append(
            f"M{middle[0]:.1f} {whole[1]:.1f}V{whole[3]:.1f}M{whole[0]:.1f} {middle[1]:.1f}H{whole[2]:.1f}"
        )
        for key in self.table.zones:
            if key[0] != "1":
                continue
            left, top, right, bottom = frame = quarter(whole, middle, key[1:])
            north, west = key[1] == "N", key[2] == "W"
            name = (left + 4 if west else right - 4, top + 12 if north else bottom - 5)
            title, path = zone_title(self.table, key), polygon(corners(frame))
            self.chart.quarters.append(Quarter(key, title, path, name, "start" if west else "end"))
            room = (left + 3, top + 16, right - 3, y(cells.island.y[0] - 1) - 2)
            if not north:
                room = (left + 3, y(cells.island.y[1] + 2) + 2, right - 3, bottom - 16)
            self.air.cloud(key, [clear(room, tuple(self.taken), WIDE, HIGH)])

    def _names(self) -> None:
        """Draw the names of places."""
        left, top, _, bottom = self.frame
        channel = (self.across(self.cells.channel.x[0]), self.down(self.cells.channel.y[0]))
        mouth = self.across(self.cells.channel.x[1] + 1)
        self.chart.labels += [
            Label("place", left + 14, top + 17, "Pearl Harbor"),
            Label("place", channel[0] - 12, channel[1] + 53, "Navy Yard", "end"),
            Label("small", mouth + 12, channel[1] + 61, "Channel · 2SE"),
            Label("small", left + SHIPS_WITH_NAMES, bottom - 10, "To sea · 3SE"),
        ]


def _print(spot: tuple[float, float, str], width: float) -> Frame:
    """Return the frame that a name covers."""
    x, y, anchor = spot
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    return left, y - 9.5, left + width, y + 1.5


def _track(ship: ShipView, length: float) -> list[float]:
    """Return the cells of a ship's damage track, from her middle; without a berth only damaged ships show it."""
    if not ship.hits and ship.berth is None:
        return []
    step = min(7.0, (length - 8) / ship.strength)
    return [(at - (ship.strength - 1) / 2) * step for at in range(ship.strength)]
