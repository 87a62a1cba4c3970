"""The two forms of the board, and what all its parts are measured with."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from readyroom.engine.drawing import Frame


@dataclass(frozen=True, slots=True)
class Shape:
    """A form of the board: its width, the height of its head, and the frame of the sea around the ship."""

    name: str
    width: float
    margin: float
    gap: float
    sea: Frame
    upright: bool
    length: float
    beam: float

    @property
    def inner(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    @property
    def turned(self) -> float:
        """How far the ship is turned from a bow to the right, in degrees."""
        return -90.0 if self.upright else 0.0

    @property
    def scale(self) -> tuple[float, float]:
        """The scales of the drawn hull, along and abeam."""
        return self.length / 100, self.beam / 20

    def toward(self, bearing: float) -> tuple[float, float]:
        """The way on the board from the ship to what bears so: the bow lies to the right, or up."""
        angle = radians(bearing - 90 if self.upright else bearing)
        return cos(angle), sin(angle)

    def on_deck(self, along: float, abeam: float) -> tuple[float, float]:
        """A place on the ship: from the stern (0) to the bow (1), and from port (-1) to starboard (1)."""
        x, y = self.sea.middle
        ahead, aside = (along - 0.5) * self.length, abeam * self.beam / 2
        return (x + aside, y - ahead) if self.upright else (x + ahead, y + aside)


WIDE = Shape("wide", 980, 6, 5, Frame(6, 50, 742, 396), False, 404, 72)
NARROW = Shape("narrow", 390, 6, 6, Frame(6, 88, 378, 560), True, 332, 66)
