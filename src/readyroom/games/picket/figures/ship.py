"""Figures of the ship, her guns and the planes."""

from __future__ import annotations

from typing import Literal

import msgspec

from readyroom.engine.rules.charts import HasSource
from readyroom.games.picket.figures.common import BEARINGS, Height, Kind, Section, Weapon


class RoomCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[1.1.1, 1.7] A compartment: section, boxes (the last destroys it), whether it floods, and its purpose."""

    key: str
    name: str
    section: Section
    boxes: int = 2
    floods: bool = False
    bonus: str = ""

    def __post_init__(self) -> None:
        if not 2 <= self.boxes <= 4:
            raise ValueError(f"{self.key} has {self.boxes} boxes, and a compartment has two to four")


class Rooms(HasSource, frozen=True):
    """The compartments of one kind."""

    room: list[RoomCard]


class CrewFigures(HasSource, frozen=True):
    """[1.3, 7.7] Men of the repair parties, and how many may work in one place."""

    men: dict[Section, int]
    in_a_room: int
    at_equipment: int


class Chits(HasSource, frozen=True):
    """[2.0] The value chits in the cup."""

    count: dict[str, int]


class Tracks(HasSource, frozen=True):
    """[1.2.1, 2.0, 8.1] Track maxima, and where they become yellow and red."""

    full: int
    morale: int
    deck_fires: int
    water_lines: int
    yellow: int
    red: int


class ShipFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[1.1, 1.3] The ship."""

    primary: Rooms
    secondary: Rooms
    crew: CrewFigures
    chits: Chits
    tracks: Tracks


class GunCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[1.1, 6.8] A gun mount: kind, section, hits that destroy it, arc, and magazines."""

    key: str
    name: str
    kind: Kind
    section: Section
    boxes: int
    arc: list[int]
    feeds: list[str]

    def __post_init__(self) -> None:
        strange = [bearing for bearing in self.arc if bearing not in BEARINGS]
        if strange:
            raise ValueError(f"{self.key} cannot fire into {strange[0]}; bearings are {', '.join(map(str, BEARINGS))}")


class Mounts(HasSource, frozen=True):
    """All gun mounts."""

    gun: list[GunCard]


class DirectorCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[6.8] A gun director, and the guns that it serves."""

    key: str
    name: str
    section: Section
    serves: list[str]


class Directors(HasSource, frozen=True):
    """All gun directors."""

    director: list[DirectorCard]


class RadarCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[5.3.1] A radar of the ship."""

    key: str
    name: str
    section: Section


class Radars(HasSource, frozen=True):
    """The radars of the ship."""

    radar: list[RadarCard]


class FireFigures(HasSource, frozen=True):
    """[6.8] Fire modifiers of directors and of target height."""

    director: dict[Kind, int]
    height: dict[Kind, dict[Height, int]]


class TiltLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[7.4] List or trim from which these heights cannot be fired at in these directions."""

    to: Literal["bow", "stern", "starboard", "port"]
    at: int
    bars: dict[str, str]


class Tilt(HasSource, frozen=True):
    """[7.4] Effects of list and trim on the guns."""

    limit: list[TiltLimit]
    bearings: dict[str, list[int]]


class Armament(HasSource, frozen=True):
    """[12.1] Another armament: mounts removed, mounts added, and modifiers."""

    title: str
    removes: list[str]
    bonus: dict[str, int] = {}
    gun: list[GunCard] = []


class GunFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[1.1, 6.8] Guns, directors and radars."""

    mounts: Mounts
    directors: Directors
    radars: Radars
    fire: FireFigures
    tilt: Tilt
    armaments: dict[str, Armament]


class PlaneCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[2.0, 6.6] A type of plane: engines, counters, and those set aside for a random attack."""

    key: str
    name: str
    engines: int
    regular: int
    special: dict[Weapon, int] = {}
    aside: int = 0


class Planes(HasSource, frozen=True):
    """All counters."""

    attack_ends: int
    plane: list[PlaneCard]
