"""Figures of bombers, crews and the attack over the target maps (sections 2 to 4)."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.figures.common import (
    Altitude,
    Dice,
    Kinds,
    Light,
    Markers,
    Parity,
    PhaseList,
    Plain,
    Sourced,
    Steps,
    numbered,
)

# -- bombers.toml ----------------------------------------------------------------------------------------------------


class BomberCard(Plain, frozen=True, kw_only=True):
    """[2.1] A bomber: its serial, its pilot, what its crew called it, and what became of it in 1942."""

    key: str
    serial: str
    pilot: str
    nickname: str = ""
    target: str = ""
    fate: str = ""


class Roster(Sourced, frozen=True, kw_only=True):
    """[2.1] All bombers, in the order in which they take off."""

    bomber: list[BomberCard]


Role: TypeAlias = Literal["pilot", "copilot", "doctor", "engineer", "gunner", "navigator", "bombardier"]
BenefitName: TypeAlias = Literal[
    "release", "repair", "medic", "fuel-conservation", "gunnery", "navigation", "ignore-damage", "re-roll"
]
Moment: TypeAlias = Literal[
    "detonation", "deck", "site", "capture", "fumes", "interceptor", "acquisition", "approach", "damage", "roll"
]
"""When a benefit may be used: at a check, on the carrier's deck, in a landing site, when hit, at any roll of his."""


class EliteCard(Plain, frozen=True, kw_only=True):
    """[2.3] An elite crewman: his bomber, his role, and his benefit."""

    key: str
    name: str
    home: str
    role: Role
    benefit: BenefitName


class Elites(Sourced, frozen=True, kw_only=True):
    """[2.3] All elite crewmen."""

    elite: list[EliteCard]


class Benefit(Sourced, frozen=True, kw_only=True):
    """[2.3.1 to 2.3.7] The benefit of an elite crewman: once or always, at which moments, and its effect."""

    title: str
    rule: str
    text: str
    once: bool
    moments: list[Moment]
    bonus: int = 0


class Armour(Sourced, frozen=True, kw_only=True):
    """[2.1.3, 13.3.3.E] What each hit makes of a bomber, by its armour."""

    normal: list[str]
    added: list[str]
    removed: list[str]


class CrewFigures(Sourced, frozen=True, kw_only=True):
    """[1.5, 2.3, 14.4.1] Men in a crew, elite crewmen aboard, and crews that a bomber carries out of China."""

    men: int
    elites: int
    carries: int
    carries_wounded: int


class Squadron(Sourced, frozen=True, kw_only=True):
    """[4.4, 4.5.1, 4.8.1, 4.9.3, 8.2.4] The ratings of all bombers; `factory` is what planning starts from."""

    gunnery: int
    evasion: int
    night_evasion: int
    elite_evasion: int
    navigation: dict[Light, int]
    bombing: int
    guzzle: int
    fuel: int
    norden: bool
    mark_twain: bool
    radio: bool
    de_icers: bool
    extra_ordnance: bool


class Bombers(Plain, frozen=True, kw_only=True, dict=True):
    """The figures of `bombers.toml`."""

    roster: Roster
    elites: Elites
    benefits: dict[BenefitName, Benefit]
    armour: Armour
    crew: CrewFigures
    standard: Squadron
    factory: Squadron

    @cached_property
    def cards(self) -> dict[str, BomberCard]:
        """The bombers by key."""
        return {card.key: card for card in self.roster.bomber}

    @cached_property
    def crewmen(self) -> dict[str, EliteCard]:
        """The elite crewmen by key."""
        return {card.key: card for card in self.elites.elite}


# -- targets.toml ----------------------------------------------------------------------------------------------------


class BoxCard(Plain, frozen=True, kw_only=True):
    """[3.3] A target box: the numbers to approach it and to hit it, by day and by night."""

    key: str
    name: str
    day: tuple[int, int]
    night: tuple[int, int]
    carrier: bool = False

    def approach(self, light: Light) -> int:
        """[4.8.1] Return the number to reach in order to get in."""
        return (self.day if light == "day" else self.night)[0]

    def blast(self, light: Light) -> int:
        """[4.9.3] Return the number to reach in order to hit."""
        return (self.day if light == "day" else self.night)[1]


class AreaCard(Plain, frozen=True, kw_only=True):
    """[3.2] An area: its limit of new hazards a turn, whether it is on the edge, and its neighbors."""

    key: str
    name: str
    hazards_max: int
    perimeter: bool
    adjacent: list[str]
    box: list[BoxCard] = []


class TargetMap(Sourced, frozen=True, kw_only=True, dict=True):
    """[3.0] A target map and the cups that it draws from."""

    title: str
    cups: dict[Light, str]
    area: list[AreaCard]

    @cached_property
    def areas(self) -> dict[str, AreaCard]:
        """The areas by key."""
        return {area.key: area for area in self.area}

    @cached_property
    def boxes(self) -> dict[str, BoxCard]:
        """The target boxes by key."""
        return {box.key: box for area in self.area for box in area.box}

    @cached_property
    def area_of(self) -> dict[str, str]:
        """The area of each target box."""
        return {box.key: area.key for area in self.area for box in area.box}

    @cached_property
    def carrier_box(self) -> str:
        """[4.6.3.K] The box of a carrier under construction; none on Nagoya's map."""
        return next((box.key for box in self.boxes.values() if box.carrier), "")


class Targets(Plain, frozen=True, kw_only=True):
    """The figures of `targets.toml`."""

    maps: dict[str, TargetMap]


# -- hazards.toml ----------------------------------------------------------------------------------------------------

TargetEffect: TypeAlias = Literal["range", "interceptor", "parity", "modifier", "carrier", "nothing"]


class HazardKind(Plain, frozen=True, kw_only=True):
    """[4.6.3] A kind of hazard: how it works, whether only down low, and whether it is met in target boxes alone."""

    title: str
    rule: str
    effect: TargetEffect
    front: Literal["plain", "interceptor"] = "plain"
    low_only: bool = False
    attaches: bool = False
    in_box: Literal["never", "some", "always"] = "never"
    text: str


class HazardMarker(Markers, frozen=True, kw_only=True):
    """[4.6.3] A number of equal markers: the sums that do damage, their effect on checks, and their icons."""

    low: int = 0
    high: int = 0
    approach: int = 0
    detonation: int = 0
    box: bool = False
    stay: bool = False


class HazardCup(Sourced, frozen=True, kw_only=True):
    """[4.2.1] A cup of hazards over the targets and how many markers it holds."""

    title: str
    total: int
    marker: list[HazardMarker]


class ReserveCup(Sourced, frozen=True, kw_only=True):
    """[4.2.2] The cup that is drawn from when a map's own is empty."""

    cup: str


class Hazards(Plain, frozen=True, kw_only=True, dict=True):
    """The figures of `hazards.toml`."""

    kinds: Kinds[HazardKind]
    cups: dict[str, HazardCup]
    reserve: ReserveCup

    @cached_property
    def markers(self) -> dict[str, HazardMarker]:
        """Every single marker by its key: the cup, and a number in it."""
        return numbered({name: cup.marker for name, cup in self.cups.items()})


# -- attack.toml -----------------------------------------------------------------------------------------------------


class AttackTurns(Sourced, frozen=True, kw_only=True):
    """[4.0.1, 4.1.1] The turns of the track, what the last costs a flight, and how many bombers enter in a turn."""

    last: int
    fuel: int
    enter: int


class DrawFigures(Sourced, frozen=True, kw_only=True):
    """[4.2.2, 4.3] Markers for each bomber and each level of alert, and how uneven a distribution may be."""

    bomber: int
    alert: int
    uneven: int


class EvasionFigures(Sourced, frozen=True, kw_only=True):
    """[4.4] Who may evade."""

    altitude: Altitude


class GunneryFigures(Sourced, frozen=True, kw_only=True):
    """[4.5] The face that hits, and how many interceptors a bomber fires at in a phase."""

    hit: int
    targets: int


class ApproachFigures(Sourced, frozen=True, kw_only=True):
    """[4.8] The dice of an approach check, the modifier for fires in the box, and the most bombers in a box."""

    dice: int
    dark_dice: int
    dark_keep: int
    burning: int
    in_a_box: int


class DetonationFigures(Sourced, frozen=True, kw_only=True):
    """[4.9] The dice of a detonation check, and the blast of each result."""

    dice: int
    damaged: int
    area_blast: int
    box_blast: int
    extra_blast: int
    missed_blast: int
    tally: int


class Coordinated(Sourced, frozen=True, kw_only=True):
    """[15.4] The dice of flak that searchlights guide."""

    low_dice: int
    high_dice: int
    keep: int


class FateFigures(Sourced, frozen=True, kw_only=True):
    """[4.0.1] What is added to the die of a bomber that is still over the target when an attack scenario ends."""

    interceptor: int
    damaged: int
    elite_pilot: int


class Attack(Plain, frozen=True, kw_only=True):
    """The figures of `attack.toml`."""

    phases: PhaseList
    turns: AttackTurns
    draws: DrawFigures
    detonations: Steps
    evasion: EvasionFigures
    gunnery: GunneryFigures
    fire: Dice
    collision: Parity
    approach: ApproachFigures
    detonation: DetonationFigures
    fate: FateFigures
    late: Chart = msgspec.field(name="A8")
    coordinated: Coordinated
