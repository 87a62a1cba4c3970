"""Figures of the task force at sea and of the airstrike (sections 9 to 12)."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.figures.common import (
    Dice,
    Icon,
    Kinds,
    MarkerCup,
    Markers,
    Parity,
    PhaseList,
    Plain,
    Sourced,
    Weather,
    numbered,
)

# -- sea.toml --------------------------------------------------------------------------------------------------------

SeaCupName: TypeAlias = Literal["east", "central", "west"]
SEA_CUPS: tuple[SeaCupName, ...] = ("east", "central", "west")


class SeaDraw(Plain, frozen=True, kw_only=True):
    """[12.6.2] Markers that a sea area draws, and when: in some weather, after a number of failed tests and so on.

    `each` draws as many as the alert level, or as the enemy signals on the map.
    """

    cup: SeaCupName
    count: int = 0
    each: Literal["", "alert", "signals"] = ""
    weather: list[Weather] = []
    failed: int = 0
    alert: int = 0
    signals: int = 0


class SeaAreaCard(Plain, frozen=True, kw_only=True):
    """[9.1] A sea area: its weather box, its table of weather, its rendezvous number, and what it draws."""

    key: str
    name: str
    box: str
    table: SeaCupName
    rendezvous: int
    draw: list[SeaDraw]


class SeaAreas(Sourced, frozen=True, kw_only=True):
    """[9.1] The areas from east to west, the first one west of the date line, and what the port uses."""

    west_of_line: str
    port_table: SeaCupName
    winds: list[str]
    area: list[SeaAreaCard]


class WeatherTable(Sourced, frozen=True, kw_only=True):
    """[9.3.1, 12.5.1] The sum to get under way in each weather."""

    move: dict[Weather, int]


class Turns(Sourced, frozen=True, kw_only=True):
    """[9.2] The naval turns."""

    turn: list[str]


class Sea(Plain, frozen=True, kw_only=True, dict=True):
    """The figures of `sea.toml`."""

    areas: SeaAreas
    weather: Chart
    moves: dict[SeaCupName, WeatherTable]
    turns: Turns

    @cached_property
    def order(self) -> list[str]:
        """The sea areas from east to west."""
        return [area.key for area in self.areas.area]

    @cached_property
    def area(self) -> dict[str, SeaAreaCard]:
        """The sea areas by key."""
        return {area.key: area for area in self.areas.area}

    def west_of(self, area: str, other: str) -> bool:
        """Return whether an area lies farther west than another."""
        return self.order.index(area) > self.order.index(other)


# -- ships.toml ------------------------------------------------------------------------------------------------------

ShipType: TypeAlias = Literal["CV", "CA", "CL", "DD", "AO"]


class ShipCard(Plain, frozen=True, kw_only=True):
    """[10.1] A ship: her force, flak dice when whole and when damaged, reaction, hull, refuelling, and her size."""

    key: str
    name: str
    hull_number: str
    type: ShipType
    force: Literal["TF-18", "TF-16"]
    flak: int
    flak_damaged: int
    reaction: int
    hull: int
    refuel: int = 0
    size: int


class Fleet(Sourced, frozen=True, kw_only=True):
    """[10.1, 10.1.1, 10.1.2] All ships; hits that sink; types slow of themselves; whether a damaged ship may react."""

    hits: int
    slow: list[ShipType]
    launches: str
    ship: list[ShipCard]


class SubmarineCard(Plain, frozen=True, kw_only=True):
    """[12.1.3] A submarine."""

    key: str
    name: str


class Submarines(Sourced, frozen=True, kw_only=True):
    """[12.1.3, 14.2.1] The submarines, how contact is made, and how many crews each one rescues."""

    rescues: int
    dice: int
    contact: int
    submarine: list[SubmarineCard]


class ReconCard(Plain, frozen=True, kw_only=True):
    """[10.2] A recon marker: who launches it, the dice it rolls at a boat, and what else it can do."""

    key: str
    name: str
    ship: str = ""
    type: ShipType | None = None
    boat_dice: int
    strikes: bool = False
    escorts: bool = False
    patrols: bool = False
    after_rendezvous: bool = True
    enterprise: bool = False


class Recon(Sourced, frozen=True, kw_only=True):
    """[10.2] All recon markers, and how many areas ahead they may fly."""

    ahead: int
    task_force_boat_dice: int
    marker: list[ReconCard]


class LayoutSpace(Plain, frozen=True, kw_only=True):
    """[9.5.1] A space of the task force layout: its room, who may lie there, what adjoins it."""

    key: str
    name: str
    room: int = 0
    only: list[ShipType] = []
    only_slow: bool = False
    no: list[ShipType] = []
    adjacent: list[str]


class Layout(Sourced, frozen=True, kw_only=True, dict=True):
    """[9.5] The layout; the arrows of attacks by the face of a die; a room of 0 is endless.

    `usual` are the spaces over which ships of a type are spread where no one says otherwise.
    """

    space: list[LayoutSpace]
    usual: dict[ShipType, list[str]]
    torpedo: dict[str, list[str]]
    dive: dict[str, list[str]]
    i_boat: dict[str, list[str]]
    far_arrows: list[str]
    straggler_arrows: list[str]
    distress: str
    center: str

    @cached_property
    def spaces(self) -> dict[str, LayoutSpace]:
        """The spaces by key."""
        return {space.key: space for space in self.space}


class Ships(Plain, frozen=True, kw_only=True, dict=True):
    """The figures of `ships.toml`."""

    fleet: Fleet
    submarines: Submarines
    recon: Recon
    layout: Layout

    @cached_property
    def cards(self) -> dict[str, ShipCard]:
        """The ships by key."""
        return {ship.key: ship for ship in self.fleet.ship}


# -- sea_hazards.toml ------------------------------------------------------------------------------------------------


class SeaHazardKind(Plain, frozen=True, kw_only=True):
    """[12.6.6] A kind of sea hazard."""

    title: str
    rule: str
    attaches: bool = False
    text: str


class SeaHazardMarker(Markers, frozen=True, kw_only=True):
    """[12.6.6] A number of equal markers: the icon of their secrecy test, and the number to recover from them."""

    icon: Icon = ""
    recovery: int = 0


class SeaHazards(Plain, frozen=True, kw_only=True, dict=True):
    """The figures of `sea_hazards.toml`."""

    kinds: Kinds[SeaHazardKind]
    cups: dict[SeaCupName, MarkerCup[SeaHazardMarker]]

    @cached_property
    def markers(self) -> dict[str, SeaHazardMarker]:
        """Every single marker by its key: the cup, and a number in it."""
        return numbered({name: cup.marker for name, cup in self.cups.items()})


# -- naval.toml ------------------------------------------------------------------------------------------------------


class StormFigures(Sourced, frozen=True, kw_only=True):
    """[12.2.2] The effects of a storm on the task force."""

    signals_removed: int
    transit_hazards: int


class RendezvousFigures(Sourced, frozen=True, kw_only=True):
    """[12.5.3] The dice of a rendezvous check, what bears on them, and what silence broken may add."""

    dice: int
    planned_dice: int
    storm: int
    red_flags: int
    delayed: int
    planned_turn: int
    recon: int
    submarine: int
    failed_risk: int
    silence_most: int


class BotchedFigures(Sourced, frozen=True, kw_only=True):
    """[12.3.2] What bears on a botched take-off."""

    elite_pilot: int
    damaged: int
    fire_dice: int
    fuel: int
    flight_turns: int


class BoatFigures(Sourced, frozen=True, kw_only=True):
    """[12.6.6.A] What a boat met by the task force adds to the alert."""

    evade_dice: int
    alert: int


class SignalsFigures(Sourced, frozen=True, kw_only=True):
    """[12.6.6.C] The risk of a second marker in an area, and from which run of areas the secrecy value falls."""

    stacked_risk: int
    run: int
    dice: int


class PatrolPlaneFigures(Sourced, frozen=True, kw_only=True):
    """[12.6.6.D] A flying boat: dice against the number of ships, and the risk if it sees them."""

    dice: int
    risk: int
    signal_risk: int


class IBoatFigures(Sourced, frozen=True, kw_only=True):
    """[12.6.6.E] The four steps of an I-boat's attack."""

    dice: int
    detection: int
    calm: int
    destroyer: int
    local_recon: int
    low_cap: int
    reaction_storm: int
    reaction_adjacent: int
    reaction_recon: int


class ShipSighting(Parity, frozen=True, kw_only=True):
    """[12.6.6.H] A ship that meets the task force: an odd die adds this to the alert."""

    alert: int


class RefuelFigures(Sourced, frozen=True, kw_only=True):
    """[12.7.2] What weather takes off refuelling, and the ships that it damages when that fails."""

    dice: int
    modifier: dict[Weather, int]
    damaged: dict[Weather, int]


class Base(Plain, frozen=True, kw_only=True):
    """[12.4] A base of ours, and the first sea area from which bombers fly there."""

    key: str
    name: str
    first: str


class Ashore(Sourced, frozen=True, kw_only=True):
    """[12.4] Where bombers fly that are launched too far east, from east to west."""

    base: list[Base]


class Naval(Plain, frozen=True, kw_only=True):
    """The figures of `naval.toml`."""

    phases: PhaseList
    recovery: Dice
    storm: StormFigures
    underway: Dice
    rendezvous: RendezvousFigures
    launch: Dice
    launch_chart: Chart = msgspec.field(name="N7")
    ashore: Ashore
    botched: BotchedFigures
    botched_chart: Chart = msgspec.field(name="N7-botched")
    boat: BoatFigures
    signals: SignalsFigures
    flying_boat: PatrolPlaneFigures
    carrier_aim: Parity
    i_boat: IBoatFigures
    ship: ShipSighting
    refuel: RefuelFigures


# -- airstrike.toml --------------------------------------------------------------------------------------------------

StrikeType: TypeAlias = Literal["fighter", "torpedo", "dive"]
STRIKE_TYPES: tuple[StrikeType, ...] = ("fighter", "torpedo", "dive")


class ArrivalFigures(Sourced, frozen=True, kw_only=True):
    """[11.3] What is added when the strike force is counted: an attack of our own, and how far east it has to come."""

    counterstrike: int
    middle: int
    middle_areas: list[str]
    east: int
    east_of: str


class CounterFigures(Sourced, frozen=True, kw_only=True):
    """[11.5] What escorts add, and when an enemy ship goes down."""

    escort: int
    sunk_from: int


class Airstrike(Plain, frozen=True, kw_only=True):
    """The figures of `airstrike.toml`."""

    steps: PhaseList
    navy: Chart = msgspec.field(name="X1")
    army: Chart = msgspec.field(name="X2")
    arrival: ArrivalFigures
    force: Chart = msgspec.field(name="X3")
    aim: Parity
    flak: Chart = msgspec.field(name="X4")
    ordnance: Chart = msgspec.field(name="X5")
    counter: CounterFigures
    counterstrike: Chart = msgspec.field(name="X6")


def launched(cell: str) -> tuple[int, int] | None:
    """[11.2.1] Return the bombers and flights of a cell such as `8/2`; none is (0, 0), and all of them None.

    >>> launched("8/2"), launched("none"), launched("all")
    ((8, 2), (0, 0), None)
    """
    if cell == "all":
        return None
    bombers, _, flights = cell.partition("/")
    return (int(bombers), int(flights)) if flights else (0, 0)


_LETTERS: dict[str, StrikeType] = {"F": "fighter", "T": "torpedo", "D": "dive"}


def strike_force(cell: str) -> dict[StrikeType, int]:
    """[11.3.1] Return the markers of a cell such as `T 2D`; ValueError for what is none.

    >>> strike_force("T 2D")
    {'torpedo': 1, 'dive': 2}
    """
    if cell == "none":
        return {}
    counts: dict[StrikeType, int] = {}
    for part in cell.split():
        if part[-1] not in _LETTERS:
            raise ValueError(f"{part} is no part of a strike force")
        counts[_LETTERS[part[-1]]] = int(part[:-1] or "1")
    return counts
