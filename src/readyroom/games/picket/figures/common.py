"""Names that all figures share."""

from __future__ import annotations

from typing import Literal, TypeAlias

Section: TypeAlias = Literal["forward", "midship", "aft"]
SECTIONS: tuple[Section, Section, Section] = ("forward", "midship", "aft")
Height: TypeAlias = Literal["H", "M", "L"]
HEIGHTS: dict[Height, str] = {"H": "high", "M": "medium", "L": "low"}
Track: TypeAlias = Literal["hull", "maneuver", "ammunition", "fuel", "flood"]
Weapon: TypeAlias = Literal["bomb", "torpedo", "ohka"]
Kind: TypeAlias = Literal["5-inch", "40mm", "20mm"]
KINDS: tuple[Kind, Kind, Kind] = ("5-inch", "40mm", "20mm")
BEARINGS = (0, 45, 90, 135, 180, 225, 270, 315)
YEAR = 1945


def section_of(bearing: int) -> Section:
    """[7.1.C] Return the section that a plane from this bearing strikes.

    >>> section_of(315), section_of(90), section_of(225)
    ('forward', 'midship', 'aft')
    """
    if bearing in (90, 270):
        return "midship"
    return "forward" if bearing in (315, 0, 45) else "aft"
