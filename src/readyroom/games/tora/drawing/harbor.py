"""The chart of Pearl Harbor: ring 1, the channel, the ships and the yard."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from readyroom.games.tora.board_data import Scene, Ship, dock, printed
from readyroom.games.tora.drawing.air import Air
from readyroom.games.tora.drawing.axis import Axis
from readyroom.games.tora.drawing.chart import Chart, Hull, Label, PlacedTarget, Quarter, Run, Shape
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.offers import Waters
from readyroom.games.tora.drawing.outlines import Frame, Point, clear, corners, overlap, polygon, quarter, smooth
from readyroom.games.tora.plan import Berth

BEAM = 12.0
"""The breadth of a hull."""
TOKEN = (33.0, 20.0)
"""A token of the Navy Yard."""
IN_A_ROW = 6
"""Tokens along the eastern shore; the others lie along the southern one, four of them west of the channel."""


class Harbor:
    """The chart of Pearl Harbor: ring 1, the channel, the ships and the yard."""

    def __init__(self, chart: Chart, air: Air, scene: Scene, shape: Shape, x: float, y: float) -> None:
        self.chart, self.air, self.scene, self.shape = chart, air, scene, shape
        self.map, self.cells = drawn().harbor, printed().places.harbor
        across = self.map.wide if shape.side_by_side else self.map.narrow
        self.frame = (x, y, x + across.width, y + self.map.height)
        columns, rows = self._needs()
        self.across = Axis(across.columns, columns, x + across.left)
        self.down = Axis(self.map.rows, rows, y + self.map.top)
        self.taken: list[Frame] = []

    def _needs(self) -> tuple[dict[int, float], dict[int, float]]:
        """How wide and high the cells have to be in which ships lie, so that they can be seen and touched."""
        columns, rows = dict[int, float](), dict[int, float]()
        for ship in self.scene.ships:
            if ship.berth is None:
                continue
            upright = ship.berth.lie == "v"
            for x, y in ship.berth.cells(ship.length):
                columns[x] = max(columns.get(x, 0), self.map.along)
                rows[y] = max(rows.get(y, 0), self.map.along if upright else self.map.room)
            if upright:
                columns[ship.berth.x] = self.map.room
        return columns, rows

    def draw(self) -> None:
        """Everything; names and aircraft find room around the ships."""
        x, y = self.across, self.down
        channel = self.cells.channel
        self.chart.mouth = (x((channel.x[0] + channel.x[1] + 1) / 2), y((channel.y[0] + channel.y[1]) / 2))
        self.chart.water = smooth([(x(cx), y(cy)) for cx, cy in self.map.shore])
        self._ford_island()
        dry = dock()
        if dry is not None:
            self.chart.dock = (x(dry.x) - 2, y(dry.y) - 3, x(dry.x + 1) + 2, y(dry.y + 4) + 3)
        self._yard()
        self._ships()
        self._adrift()
        self._zones()
        self._names()
        berths = {ship.key: ship.berth for ship in self.scene.ships if ship.berth is not None}
        self.chart.waters = Waters(printed(), x, y, berths)

    def _ford_island(self) -> None:
        """The island within its cells: pointed in the west, round in the east."""
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
        x, y = (left + middle[0]) / 2 + wide * 0.03, (middle[1] + bottom) / 2
        self.chart.labels.append(Label("isle", x, y + 4, "Ford Island", "middle"))
        self.taken.append((x - 40, y - 8, x + 40, y + 8))

    def _yard(self) -> None:
        """The tokens along the shore of the yard."""
        for target, (x, y) in zip(self.scene.yard, self._stands(), strict=False):
            self.chart.tokens.append(PlacedTarget(target, x, y))

    def _stands(self) -> Iterator[Point]:
        """Places for tokens: along the eastern shore, then on both sides of the channel, then farther inland."""
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

    # -- ships -------------------------------------------------------------------------------------------------------

    def _ships(self) -> None:
        """The hulls; then, when all are known, the lanes of torpedoes and the names."""
        moored = [(ship, ship.berth, self._lies(ship, ship.berth)) for ship in self.scene.ships if ship.berth]
        moored.sort(key=lambda each: (each[1].y, each[1].x))
        self.taken += [_around(*lies) for _, _, lies in moored]
        for ship, berth, (x, y, length, beam, upright) in moored:
            label, anchor = self._label(ship, x, y, length, beam, upright=upright)
            cells = _track(ship, length)
            self.chart.hulls.append(Hull(ship, x, y, length, beam, upright, label, anchor, cells))
            self._lane(ship, berth)

    def _lies(self, ship: Ship, berth: Berth) -> tuple[float, float, float, float, bool]:
        """Middle, length and breadth of a hull at its berth."""
        upright = berth.lie == "v"
        wide, high = (1, ship.length) if upright else (ship.length, 1)
        left, right = self.across(berth.x), self.across(berth.x + wide)
        top, bottom = self.down(berth.y), self.down(berth.y + high)
        length, beam = (bottom - top, right - left) if upright else (right - left, bottom - top)
        return (left + right) / 2, (top + bottom) / 2, length - 2, min(BEAM, beam - 1.4), upright

    def _label(self, ship: Ship, x: float, y: float, length: float, beam: float, *, upright: bool) -> tuple[Point, str]:
        """Where a ship's name has room: above or below her, or farther away; beside her if she lies upright."""
        width = len(ship.name) * self.shape.letter + 2
        if upright:
            spots = [(x - beam / 2 - 4, y + 3.5, "end"), (x + beam / 2 + 4, y + 3.5, "start")]
            spots += [(x, y - length / 2 - 4, "middle"), (x, y + length / 2 + 10, "middle")]
        else:
            up, down = y - beam / 2 - 3.5, y + beam / 2 + 9.5
            spots = [(x, up, "middle"), (x, down, "middle"), (x, up - 10, "middle"), (x, down + 10, "middle")]
            spots += [(x, down + 20, "middle"), (x, up - 20, "middle")]
        frames = [_print(spot, width) for spot in spots]
        within = [at for at, each in enumerate(frames) if self._inside(each)] or [0]
        best = min(within, key=lambda at: (sum(overlap(frames[at], other) for other in self.taken), at))
        self.taken.append(frames[best])
        return (spots[best][0], spots[best][1]), spots[best][2]

    def _inside(self, frame: Frame) -> bool:
        left, top, right, bottom = self.frame
        return left + 4 <= frame[0] and frame[2] <= right - 4 and top + 4 <= frame[1] and frame[3] <= bottom - 4

    def _lane(self, ship: Ship, berth: Berth) -> None:
        """[11.4] An arrow over the water from which torpedoes run, in the middle of what is open."""
        if not ship.runs:
            return
        patch = ship.runs[len(ship.runs) // 2]
        x = sum(cell[0] for cell in patch) / len(patch) + 0.5
        y = sum(cell[1] for cell in patch) / len(patch) + 0.5
        if berth.lie == "h":
            x = berth.x + ship.length / 2
            start, end = y + (0.9 if y > berth.y else -0.9), berth.y + (1.25 if y > berth.y else -0.25)
            path = f"M{self.across(x):.1f} {self.down(start):.1f}V{self.down(end):.1f}"
            tip = (self.across(x), self.down(end), 0 if y > berth.y else 180)
        else:
            start, end = x + (0.9 if x > berth.x else -0.9), berth.x + (1.25 if x > berth.x else -0.25)
            path = f"M{self.across(start):.1f} {self.down(y):.1f}H{self.across(end):.1f}"
            tip = (self.across(end), self.down(y), -90 if x > berth.x else 90)
        self.chart.runs.append(Run(tip[0], tip[1], f"{path}|{tip[2]}"))

    def _adrift(self) -> None:
        """Ships that lie nowhere: at sea, or where who looks may not know."""
        ships = self.scene.adrift
        if not ships:
            return
        few = len(ships) <= 3
        left, bottom = self.frame[0] + 18, self.down(self.cells.channel.y[1] + 1)
        top = bottom - 40 if few else self.down(31)
        width, high = 112.0, 18.0
        columns = max(1, int((self.across(39) - left) / width))
        self.chart.labels.append(Label("adrift", left, top, self.scene.adrift_title))
        for at, ship in enumerate(ships):
            row, column = divmod(at, columns)
            x, y = left + column * width, top + 14 + row * high
            length = 8.0 * ship.length
            self.chart.hulls.append(
                Hull(
                    ship, x + length / 2, y, length, 8, False, (x + length + 5, y + 3.5), "start", _track(ship, length)
                )
            )
        self.taken.append((left, top - 12, self.across(39), top + 14 + ceil(len(ships) / columns) * high))

    # -- zones -------------------------------------------------------------------------------------------------------

    def _zones(self) -> None:
        """The quarters of the harbor; aircraft find room beside ships and names."""
        x, y, cells = self.across, self.down, self.cells
        middle = (x(cells.west_to + 1), y(cells.north_to + 1))
        whole = (x(0), y(0), x(cells.width), y(cells.height))
        self.chart.crosses.append(
            f"M{middle[0]:.1f} {whole[1]:.1f}V{whole[3]:.1f}M{whole[0]:.1f} {middle[1]:.1f}H{whole[2]:.1f}"
        )
        for key, zone in self.scene.zones.items():
            if key[0] != "1":
                continue
            left, top, right, bottom = frame = quarter(whole, middle, key[1:])
            north, west = key[1] == "N", key[2] == "W"
            name = (left + 4 if west else right - 4, top + 12 if north else bottom - 5)
            self.chart.quarters.append(Quarter(zone, polygon(corners(frame)), name, "start" if west else "end"))
            room = (left + 3, top + 16, right - 3, y(cells.island.y[0] - 1) - 2)
            if not north:
                room = (left + 3, y(cells.island.y[1] + 2) + 2, right - 3, bottom - 16)
            self.air.cloud(zone, clear(room, self.taken))

    def _names(self) -> None:
        """What the places are called."""
        left, top, _, bottom = self.frame
        channel = (self.across(self.cells.channel.x[0]), self.down(self.cells.channel.y[0]))
        self.chart.labels += [
            Label("place", left + 14, top + 17, "Pearl Harbor"),
            Label("place", channel[0] - 12, channel[1] + 50, "Navy Yard", "end"),
            Label("small", channel[0] - 12, self.down(59), "Channel · 2SE", "end"),
            Label("small", left + 14, bottom - 10, "To sea · 3SE"),
        ]


def _around(x: float, y: float, length: float, beam: float, upright: bool) -> Frame:
    wide, high = (beam, length) if upright else (length, beam)
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _print(spot: tuple[float, float, str], width: float) -> Frame:
    """What a name covers."""
    x, y, anchor = spot
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    return left, y - 8.5, left + width, y + 1.5


def _track(ship: Ship, length: float) -> list[float]:
    """Where the cells of a hurt ship's damage track stand, from her middle."""
    if not ship.hits:
        return []
    step = min(7.0, (length - 8) / ship.strength)
    return [(at - (ship.strength - 1) / 2) * step for at in range(ship.strength)]
