"""The two plans as plain data: what a player has written on his sheets, whether by answering questions or in a file."""

from __future__ import annotations

from enum import Enum
from typing import Literal

import msgspec

QUADRANTS = ("NW", "NE", "SE", "SW")
"""The four quadrants in a circle; those of the outer ring are the sectors of approach."""


class Ordnance(Enum):
    """[7.4] What hangs under a unit. Zeros carry none."""

    NONE = "none"
    GP = "gp"
    AP = "ap"
    TORPEDO = "torpedo"


ORDNANCE_TITLES = {
    Ordnance.NONE: "no ordnance",
    Ordnance.GP: "general-purpose bombs",
    Ordnance.AP: "armor-piercing bombs",
    Ordnance.TORPEDO: "torpedoes",
}


class Berth(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[5.14] Where a ship lies: north-west cell, east-west (h) or north-south (v), and whether in dry dock."""

    x: int
    y: int
    lie: Literal["h", "v"] = "h"
    dock: bool = False

    @property
    def key(self) -> str:
        """Lie and cell, as in h-24-27."""
        return f"{self.lie}-{self.x}-{self.y}"

    def cells(self, length: int) -> list[tuple[int, int]]:
        """The cells under a base of this length, from the north-west one on."""
        if self.lie == "h":
            return [(self.x + step, self.y) for step in range(length)]
        return [(self.x, self.y + step) for step in range(length)]


class Parked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[5.10, 5.11] Some places of a field that hold the same: a unit of type `top` on one of type `under`."""

    field: str
    top: str
    under: str = ""
    places: int = 1


THIRD = 3
"""[7.3] The wave in which units of the first may fly once more."""
LEVELS = (1,) * 10
NOWHERE = ("",) * 10


class AmericanPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[5] The American plan.

    Alert levels and searched quadrants ("" for none) by day, beginning with the first; each carrier's day in port;
    where squadrons and ships are. Without `parked` or `berths` those of the data files hold.
    """

    airfield: tuple[int, ...] = LEVELS
    ship: tuple[int, ...] = LEVELS
    aaa: tuple[int, ...] = LEVELS
    radar: tuple[str, ...] = NOWHERE
    patrol: tuple[str, ...] = NOWHERE
    in_port: dict[str, int] = {}
    parked: tuple[Parked, ...] = ()
    berths: dict[str, Berth] = {}

    def levels(self, category: str) -> tuple[int, ...]:
        """The alert levels of a category by day."""
        levels: tuple[int, ...] = getattr(self, category)
        return levels


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[7.2, 7.3, 7.4] Some units of a wave: the sector in which they come in, their type, ordnance and number."""

    sector: str
    type: str
    units: int
    ordnance: Ordnance = Ordnance.NONE


class WaveOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[7.3] A wave: the turn on which it enters, and its groups."""

    turn: int
    group: tuple[Group, ...] = ()

    @property
    def units(self) -> int:
        """How many units fly in it."""
        return sum(group.units for group in self.group)

    def of(self, type: str) -> int:
        """How many units of a type fly in it."""
        return sum(group.units for group in self.group if group.type == type)


class JapanesePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[7] The Japanese plan: the day, and the waves in their order; with option 15.2 a message, its cipher and key."""

    day: int
    wave: tuple[WaveOrder, ...]
    message: str = ""
    cipher: str = ""
    key: str = ""
