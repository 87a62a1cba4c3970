"""What a question offers by its keys: places for a ship in the harbor, ways of a formation, units of a wave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from readyroom.games.tora.drawing.outlines import Frame
from readyroom.games.tora.figures import Data
from readyroom.games.tora.harbor import DOCK, NEST, STREAM, dock_of
from readyroom.games.tora.plans.data import Berth
from readyroom.games.tora.plans.deployment import (
    BERTH,
    COLUMN,
    MOORING,
    TO_BERTH,
    TO_COLUMN,
    berth_title,
    mooring_title,
)

Axis = Callable[[float], float]
MOVE = "move:"
"""How the keys of questions begin that ask where aircraft fly."""
RULER = 18.0
"""The height of the ruler on which a column is clicked."""
LEAST = 7.0
"""The least width of a place that can be chosen."""
MARK = (34.0, 14.0)
"""The mark for a mooring in open water, the size of a ship."""


def formation_ways(group: str, about: str, can: Iterable[str]) -> list[str]:
    """[8.3] Return the options that send a formation, `zone:type:ordnance`, somewhere without the rest of its zone.

    >>> formation_ways("3NW:zero:none", "move:3NW", {"2NW", "zero:none:2NW", "val:gp:2NW"})
    ['zero:none:2NW']
    """
    zone, _, kind = group.partition(":")
    return sorted(key for key in can if key.startswith(f"{kind}:")) if about == f"{MOVE}{zone}" and kind else []


def ways_to(place: str, about: str, can: Iterable[str]) -> list[str]:
    """[8.3] Return the options that send one of several formations to a place.

    >>> ways_to("2NW", "move:3NW", {"2NW", "zero:none:2NW", "zero:none:3NE"})
    ['zero:none:2NW']
    """
    return sorted(key for key in can if key.endswith(f":{place}")) if about.startswith(MOVE) else []


class Offer(NamedTuple):
    """A place that can be chosen: its key and title, the frame to click, and the outline shown when it is selected."""

    key: str
    title: str
    frame: Frame
    outline: Frame


class Waters:
    """The chart of the harbor with its two axes, and the lengths and berths of ships."""

    def __init__(self, data: Data, across: Axis, down: Axis, berths: Mapping[str, Berth]) -> None:
        self.data, self.harbor, self.across, self.down = data, data.places.harbor, across, down
        self.lengths = {card.key: card.length for card in data.ships.ship}
        self.names = {card.key: card.name for card in data.ships.ship}
        self.berths = berths

    def offers(self, keys: Iterable[str], about: str) -> list[Offer]:
        """Return the places that a question about a ship's place offers; none for other questions."""
        kind, _, ship = about.partition(":")
        column, berth = self._column, self._berth
        finders = {MOORING: self._mooring, COLUMN: column, TO_COLUMN: column, BERTH: berth, TO_BERTH: berth}
        find = finders.get(kind)
        if find is None or ship not in self.lengths:
            return []
        return [offer for key in sorted(keys) for offer in find(key, ship)]

    def _mooring(self, key: str, ship: str) -> Iterator[Offer]:
        frame = self._place(key)
        if frame is not None:
            yield Offer(key, f"The {self.names[ship]}: {mooring_title(self.data, key)}", frame, frame)

    def _column(self, key: str, ship: str) -> Iterator[Offer]:
        """Yield a strip from north to south, an inch wide; it is clicked on a ruler along the northern shore."""
        x = int(key.removeprefix("x-"))
        west, top = self.across(0), self.down(0)
        inch = (self.across(self.harbor.width) - west) / self.harbor.width
        touched = west + x * inch, top + 1, west + (x + 1) * inch, top + 1 + RULER
        outline = self.across(x), top + 1 + RULER, self.across(x + 1), self.down(self.harbor.height)
        yield Offer(key, f"The {self.names[ship]}: {x} inches from the west", touched, outline)

    def _berth(self, key: str, ship: str) -> Iterator[Offer]:
        """Yield a berth; it is clicked in its middle, since neighbouring berths overlap its ends."""
        lie, x, y = key.split("-")
        berth = Berth(int(x), int(y), "h" if lie == "h" else "v")
        outline = self._covered(berth, self.lengths[ship])
        middle = (outline[0] + outline[2]) / 2, (outline[1] + outline[3]) / 2
        wide = max(LEAST, self.across(berth.x + 1) - self.across(berth.x)) / 2
        high = max(LEAST, self.down(berth.y + 1) - self.down(berth.y)) / 2
        touched = middle[0] - wide, middle[1] - high, middle[0] + wide, middle[1] + high
        yield Offer(key, f"The {self.names[ship]}: {berth_title(berth)}", touched, outline)

    def _covered(self, berth: Berth, length: int) -> Frame:
        """Return the frame that a base covers."""
        cells = berth.cells(length)
        return _wide((
            self.across(cells[0][0]), self.down(cells[0][1]), self.across(cells[-1][0] + 1), self.down(cells[-1][1] + 1)
        ))  # fmt: skip

    # -- moorings by their names -------------------------------------------------------------------------------------

    def _place(self, name: str) -> Frame | None:
        """Return the frame of a mooring, None if it has no place."""
        kind, _, rest = name.partition("-")
        if name == DOCK:
            dock = dock_of(self.data.places)
            return self._covered(dock, 4) if dock else None
        if kind == NEST:
            return self._alongside(rest)
        if kind == STREAM:
            return self._stream(*rest.split("-"))
        return self._shores().get(name)

    def _shores(self) -> dict[str, Frame]:
        """[5.14] Return the frames along the sides of Ford Island and the two shores of the Navy Yard."""
        island, east, south = self.harbor.island, self.harbor.yard_east, self.harbor.yard_south
        (west, right), (north, bottom) = island.x, island.y
        cells = {
            "island-north": (west, north - 1, right + 1, north),
            "island-south": (west, bottom + 1, right + 1, bottom + 2),
            "island-west": (west - 1, north, west, bottom + 1),
            "island-east": (right + 1, north, right + 2, bottom + 1),
            "yard-v": (east.x[0], east.y[0], east.x[1] + 1, east.y[1] + 1),
            "yard-h": (south.x[0], south.y[0], south.x[1] + 1, south.y[1] + 1),
        }
        return {
            name: _wide((self.across(x), self.down(y), self.across(u), self.down(v)))
            for name, (x, y, u, v) in cells.items()
        }

    def _alongside(self, ship: str) -> Frame | None:
        """[5.15] Return the frame alongside a ship, on her side away from the island or the shore."""
        berth = self.berths.get(ship)
        if berth is None:
            return None
        left, top, right, bottom = self._covered(berth, self.lengths[ship])
        if berth.lie == "v":
            step = (right - left) * (-1 if berth.x > self.harbor.west_to else 1)
            return left + step, top, right + step, bottom
        step = (bottom - top) * (-1 if berth.y <= self.harbor.north_to or berth.y > self.harbor.yard_east.y[1] else 1)
        return left, top + step, right, bottom + step

    def _stream(self, zone: str, lie: str) -> Frame:
        """[5.14] Return a mark on the open water of a quadrant."""
        harbor, island = self.harbor, self.harbor.island
        north, west = zone[1] == "N", zone[2] == "W"
        left, right = (0, harbor.west_to + 1) if west else (harbor.west_to + 1, harbor.width)
        top, bottom = (0, island.y[0] - 1) if north else (island.y[1] + 3, harbor.height - 1)
        third = 0.36 if lie == "h" else 0.64
        x = self.across(left) + (self.across(right) - self.across(left)) * third
        y = (self.down(top) + self.down(bottom)) / 2
        wide, high = MARK if lie == "h" else MARK[::-1]
        return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _wide(frame: Frame) -> Frame:
    """Return a frame widened so that it can be clicked."""
    left, top, right, bottom = frame
    aside, above = max(0.0, LEAST - (right - left)) / 2, max(0.0, LEAST - (bottom - top)) / 2
    return left - aside, top - above, right + aside, bottom + above
