"""The two plans as plain data, made on the planning sheets or read from a file."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

DAYS = 10


def span(low: int, high: int) -> Meta:
    """Return limits that the form of scenarios shows; what is legal is checked by `validation`, with the rule."""
    return Meta(extra_json_schema={"minimum": low, "maximum": high})


def by_day(title: str) -> Meta:
    """Return the title of a row of the calendar for the form of scenarios."""
    return Meta(title=title, description="For each day.", extra_json_schema={"minItems": DAYS, "maxItems": DAYS})


Day: TypeAlias = Annotated[int, span(1, DAYS)]
Level: TypeAlias = Annotated[int, span(1, 3)]
Count: TypeAlias = Annotated[int, span(1, 99)]
Cell: TypeAlias = Annotated[int, span(0, 99)]

QUADRANTS = ("NW", "NE", "SE", "SW")
"""The four quadrants in a circle; those of the outer ring are the sectors of approach."""


class Ordnance(Enum):
    """[7.4] The ordnance of a unit. Zeros carry none."""

    NONE = "none"
    GP = "gp"
    AP = "ap"
    TORPEDO = "torpedo"

    @property
    def phrase(self) -> str:
        """What follows the units that carry it, such as " with torpedoes"; empty for none."""
        return "" if self is Ordnance.NONE else f" with {ORDNANCE_TITLES[self]}"


ORDNANCE_TITLES = {
    Ordnance.NONE: "no ordnance",
    Ordnance.GP: "general-purpose bombs",
    Ordnance.AP: "armor-piercing bombs",
    Ordnance.TORPEDO: "torpedoes",
}


class Berth(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[5.14] A ship's berth: north-west cell, east-west (h) or north-south (v), and whether it is the dry dock."""

    x: Cell
    y: Cell
    lie: Annotated[Literal["h", "v"], Meta(description="h: east-west, v: north-south.")] = "h"
    dock: Annotated[bool, Meta(title="Dry dock")] = False

    @property
    def key(self) -> str:
        """The key: orientation and cell, as in h-24-27."""
        return f"{self.lie}-{self.x}-{self.y}"

    def cells(self, length: int) -> list[tuple[int, int]]:
        """Return the cells under a base of this length, from the north-west one on."""
        if self.lie == "h":
            return [(self.x + step, self.y) for step in range(length)]
        return [(self.x, self.y + step) for step in range(length)]


class Parked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[5.10, 5.11] Places of a field with the same content: a unit of type `top`, on one of type `under` if any."""

    field: str
    top: str
    under: str = ""
    places: Count = 1


THIRD = 3
"""[7.3] The wave in which first-wave units may fly again."""
LEVELS = (1,) * DAYS
NOWHERE = ("",) * DAYS


class AmericanPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[5] The American plan.

    Alert levels and searched quadrants ("" for none) by day; each carrier's day in port; squadrons and ships. Without
    `parked` or `berths` the defaults of the data files apply.
    """

    airfield: Annotated[tuple[Level, ...], by_day("Alert of airfields")] = LEVELS
    ship: Annotated[tuple[Level, ...], by_day("Alert of ships")] = LEVELS
    aaa: Annotated[tuple[Level, ...], by_day("Alert of batteries")] = LEVELS
    radar: Annotated[tuple[str, ...], by_day("Radar looks at")] = NOWHERE
    patrol: Annotated[tuple[str, ...], by_day("Patrols search")] = NOWHERE
    in_port: Annotated[dict[str, Day], Meta(title="Day in port of each carrier")] = {}
    parked: Annotated[
        tuple[Parked, ...], Meta(title="Squadrons on the fields", description="None: as the game deploys them.")
    ] = ()
    berths: Annotated[dict[str, Berth], Meta(title="Berths of ships", description="None: the historical ones.")] = {}

    def levels(self, category: str) -> tuple[int, ...]:
        """Return the alert levels of a category by day."""
        levels: tuple[int, ...] = getattr(self, category)
        return levels


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[7.2, 7.3, 7.4] Some units of a wave: the sector in which they come in, their type, ordnance and number."""

    sector: str
    type: str
    units: Count
    ordnance: Ordnance = Ordnance.NONE


class WaveOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[7.3] A wave: the turn on which it enters, and its groups."""

    turn: Annotated[Count, Meta(description="On which it enters.")]
    group: Annotated[tuple[Group, ...], Meta(title="Groups")] = ()

    @property
    def units(self) -> int:
        """The number of units."""
        return sum(group.units for group in self.group)

    def of(self, type: str) -> int:
        """Return how many units of a type fly in it."""
        return sum(group.units for group in self.group if group.type == type)


class JapanesePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """[7] The Japanese plan: the day, and the waves in their order; with option 15.2 a message, its cipher and key."""

    day: Annotated[Day, Meta(title="Day of the attack")]
    wave: Annotated[tuple[WaveOrder, ...], Meta(title="Waves")]
    message: Annotated[str, Meta(description="Only with the option of ciphers.")] = ""
    cipher: str = ""
    key: str = ""
