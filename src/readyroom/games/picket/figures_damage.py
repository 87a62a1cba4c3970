"""Figures of damage, flooding, fires, repair and morale."""

from __future__ import annotations

import msgspec

from readyroom.games.picket.figures_common import Sourced


class Hits(Sourced, frozen=True):
    """[7.3.A] Damage rolls for each plane that strikes."""

    rolls_a_plane: int


class Flooding(Sourced, frozen=True):
    """[7.3.F, 7.3.K, 7.3.S] When a compartment floods, and the cost."""

    on: int
    destroys_on: int
    secondary_on: int
    flood: int
    maneuver: int
    tank_room_boxes: int


class Losses(Sourced, frozen=True):
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


class Founder(Sourced, frozen=True):
    """[6.3] Die roll and cost when the ship is close to foundering."""

    sinks_to: int
    hull: int


class DeckFires(Sourced, frozen=True):
    """[7.8.1] Die rolls for deck fires."""

    out_to: int
    water_lines: int
    rolls: int


class OnDie(Sourced, frozen=True):
    """The lowest successful die roll."""

    on: int


class KilledOn(Sourced, frozen=True):
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


class PrimaryRepair(Sourced, frozen=True):
    """[7.8.2, 7.10, 7.11] Repairs of primary compartments and of equipment."""

    inherent: int
    penalty: dict[str, int]
    removes: dict[str, int]
    morale: int
    held: int
    all_hands: int
    shop: int
    equipment_column: int


class SecondaryRepair(Sourced, frozen=True):
    """[7.9] Repairs of secondary compartments."""

    repaired_to: int
    without_locker: int


class WaterLines(Sourced, frozen=True):
    """[7.12] Repairs of the water lines."""

    repaired_from: int


class AllHands(Sourced, frozen=True):
    """[7.7.L] The divisor for the share of compartments that must be damaged."""

    share: int


class MoraleFigures(Sourced, frozen=True):
    """[8.1] Morale modifiers."""

    galley: int
    berthing: int
    berths_lost: int


class Leaving(Sourced, frozen=True):
    """[9.G] When the captain may withdraw, and when a new ship arrives."""

    armament_share: int
    new_ship_after: int


class Repair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[7.7 to 9] Damage control, upkeep and repairs."""

    primary: PrimaryRepair
    secondary: SecondaryRepair
    water_lines: WaterLines
    all_hands: AllHands
    morale: MoraleFigures
    leaving: Leaving
