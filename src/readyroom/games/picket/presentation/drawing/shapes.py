"""The shapes of the board, with their measures."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from readyroom.engine.drawing import Frame

POINTED = 41.0
"""The least size of what can be pointed at on a wide board: 36 pixels on a screen of 1366."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of the board: its measures, the frame of the sea, and the size of the ship."""

    name: str
    width: float
    margin: float
    gap: float
    sea: Frame
    upright: bool
    length: float
    beam: float
    guns: float = 1.0
    """The scale of the guns."""

    @property
    def packed(self) -> bool:
        """Return whether the head of the board is a single line."""
        return self.sea.y < 40

    @property
    def inner(self) -> float:
        """Return the width between the margins."""
        return self.width - 2 * self.margin

    @property
    def turned(self) -> float:
        """Return the rotation of the ship in degrees; 0 is a bow to the right."""
        return -90.0 if self.upright else 0.0

    @property
    def scale(self) -> tuple[float, float]:
        """Return the scales of the drawn hull, along and abeam."""
        return self.length / 100, self.beam / 20

    def toward(self, bearing: float) -> tuple[float, float]:
        """Return the direction of a bearing on the board as a unit vector."""
        angle = radians(bearing - 90 if self.upright else bearing)
        return cos(angle), sin(angle)

    def on_deck(self, along: float, abeam: float) -> tuple[float, float]:
        """Return a position on the ship: from stern (0) to bow (1), and from port (-1) to starboard (1)."""
        x, y = self.sea.middle
        ahead, aside = (along - 0.5) * self.length, abeam * self.beam / 2
        return (x + aside, y - ahead) if self.upright else (x + ahead, y + aside)


WIDE = Shape("wide", 980, margin=6, gap=4, sea=Frame(6, 44, 742, 416), upright=False, length=514, beam=124, guns=1.25)
PACKED = Shape("wide", 980, margin=6, gap=4, sea=Frame(6, 27, 742, 350), upright=False, length=514, beam=98, guns=1.25)
"""[1.7] A wide board that leaves room for the secondary compartments."""
NARROW = Shape("narrow", 390, margin=6, gap=6, sea=Frame(6, 88, 378, 560), upright=True, length=332, beam=66)
