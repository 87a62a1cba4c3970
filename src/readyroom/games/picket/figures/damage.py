"""Figures of damage, flooding, fires, repair and morale, and the results of the damage tables."""

from __future__ import annotations

import re
from enum import Enum
from typing import TypeAlias

import msgspec

from readyroom.engine.rules.charts import HasSource
from readyroom.games.picket.figures.common import Track


class RoomHit(msgspec.Struct, frozen=True):
    """[7.3.A] A primary compartment is hit, some so deep that it takes several markers at once."""

    code: str
    markers: int = 1


class SpaceHit(msgspec.Struct, frozen=True):
    """[7.3.K] A secondary compartment is hit."""

    code: str


class GunHit(msgspec.Struct, frozen=True):
    """[7.3.P] A gun is hit."""

    code: str


class GearHit(msgspec.Struct, frozen=True):
    """[7.3.M] A director or a radar is hit."""

    code: str


class TrackLoss(msgspec.Struct, frozen=True):
    """[1.2.1] A track is lowered."""

    code: str
    track: Track
    points: int


class Effect(Enum):
    """[7.2.B, 7.3] Every other result; the value is its text in the tables and in records."""

    DECK_FIRE = "deck-fire"
    WATER_LINE = "water-line"
    CREW = "crew"
    NEAR_MISS = "near-miss"
    RANDOM = "random"
    KEEL = "keel"
    DETONATION = "detonation"
    # near misses
    SUPERFICIAL = "superficial"
    SPACE_FLOODS = "flood a secondary compartment"
    LIGHT_GUN = "a 20mm mount"
    ANY_SPACE = "a secondary compartment"
    # random damage
    TEAM_LOST = "team-lost"
    SUPPORT_LOST = "support-lost"
    RADAR = "a radar"
    DUD = "dud"
    # special weapons
    ROOM_OPENED = "flood-1"

    @property
    def code(self) -> str:
        """Return the name in records."""
        return self.value


DamageResult: TypeAlias = RoomHit | SpaceHit | GunHit | GearHit | TrackLoss | Effect
LOSSES: dict[str, Track] = {"hull": "hull", "maneuver": "maneuver", "ammo": "ammunition"}
"""[7.3] The tracks that a result may lower, by their names in the tables."""


class HullLoss(msgspec.Struct, frozen=True):
    """[6.3] A storm costs some points of hull, and may turn the ship back."""

    points: int
    turns_back: bool


class Storm(Enum):
    """[6.3] Every other result of Table 6-4."""

    FOUNDER = "founder"
    RADAR = "radar-sg"
    NONE = "none"


STORM_HULL = re.compile(r"hull-(\d+)( and return)?")


def storm_result(cell: str) -> HullLoss | Storm:
    """[6.3] Decode a cell of Table 6-4, such as `hull-2 and return`; raise ValueError for an unknown one."""
    match = STORM_HULL.fullmatch(cell)
    return HullLoss(int(match[1]), bool(match[2])) if match else Storm(cell)


class Hits(HasSource, frozen=True):
    """[7.3.A] Damage rolls for each plane that strikes."""

    rolls_a_plane: int


class Flooding(HasSource, frozen=True):
    """[7.3.F, 7.3.K, 7.3.S] When a compartment floods, and the cost."""

    on: int
    destroys_on: int
    secondary_on: int
    flood: int
    maneuver: int
    tank_room_boxes: int


class Losses(HasSource, frozen=True):
    """[7.8.2.J] The cost of losing a compartment."""

    engine_room_maneuver: int
    fuel_tank_fuel: int
    rudder_damaged: int
    rudder_destroyed: int
    shaft_damaged: int
    shaft_destroyed: int
    stack_destroyed: int
    steering_destroyed: int
    leak: int
    radio_markers: int
    keel_hull: int
    explosion_hull: int
    secondary_hull: int


class Founder(HasSource, frozen=True):
    """[6.3] Die roll and cost when the ship is close to foundering."""

    sinks_to: int
    hull: int


class DeckFires(HasSource, frozen=True):
    """[7.8.1] Die rolls for deck fires."""

    out_to: int
    water_lines: int
    rolls: int


class OnDie(HasSource, frozen=True):
    """The lowest successful die roll."""

    on: int


class KilledOn(HasSource, frozen=True):
    """[7.7.K] The lowest die roll that kills a man in a section."""

    killed_on: int


class Damage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[7.3, 7.4, 7.8] Effects of damage."""

    hits: Hits
    flooding: Flooding
    losses: Losses
    founder: Founder
    deck_fires: DeckFires
    saves: OnDie
    secondary_crew: KilledOn


class PrimaryRepair(HasSource, frozen=True):
    """[7.8.2, 7.10, 7.11] Repairs of primary compartments and of equipment."""

    inherent: int
    penalty: dict[str, int]
    removes: dict[str, int]
    morale: int
    held: int
    all_hands: int
    shop: int
    equipment_column: int


class SecondaryRepair(HasSource, frozen=True):
    """[7.9] Repairs of secondary compartments."""

    repaired_to: int
    without_locker: int


class WaterLines(HasSource, frozen=True):
    """[7.12] Repairs of the water lines."""

    repaired_from: int


class AllHands(HasSource, frozen=True):
    """[7.7.L] The divisor for the share of compartments that must be damaged."""

    divisor: int = msgspec.field(name="share")


class MoraleFigures(HasSource, frozen=True):
    """[8.1] Morale modifiers."""

    galley: int
    berthing: int
    berths_lost: int


class Leaving(HasSource, frozen=True):
    """[9.G] When the captain may withdraw, and when a new ship arrives."""

    armament_divisor: int = msgspec.field(name="armament_share")
    new_ship_after: int


class Repair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[7.7 to 9] Damage control, upkeep and repairs."""

    primary: PrimaryRepair
    secondary: SecondaryRepair
    water_lines: WaterLines
    all_hands: AllHands
    morale: MoraleFigures
    leaving: Leaving
