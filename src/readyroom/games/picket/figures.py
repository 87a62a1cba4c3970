"""The figures of Picket Duty, as its data files have them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date as calendar_day
from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.charts import Chart, Source

Section: TypeAlias = Literal["forward", "midship", "aft"]
SECTIONS: tuple[Section, Section, Section] = ("forward", "midship", "aft")
Height: TypeAlias = Literal["H", "M", "L"]
HEIGHTS: dict[Height, str] = {"H": "high", "M": "medium", "L": "low"}
Weapon: TypeAlias = Literal["bomb", "torpedo", "ohka"]
Kind: TypeAlias = Literal["5-inch", "40mm", "20mm"]
KINDS: tuple[Kind, Kind, Kind] = ("5-inch", "40mm", "20mm")
BEARINGS = (0, 45, 90, 135, 180, 225, 270, 315)
YEAR = 1945


class Sourced(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of figures, with where they come from."""

    source: Source
    origin: str


# -- the tables ------------------------------------------------------------------------------------------------------

_TABLES = {
    "stations": "1-1",
    "team": "3-1",
    "surface": "4-1",
    "land_radar": "5-1",
    "weather": "6-1",
    "storm": "6-2",
    "typhoon_days": "6-3",
    "typhoon": "6-4",
    "storm_repairs": "6-5",
    "air": "7-1",
    "markers": "7-2",
    "kikusui_markers": "7-3",
    "attack": "8-1",
    "attack_a": "8-1A",
    "attack_b": "8-1B",
    "attack_c": "8-1C",
    "attack_d": "8-1D",
    "attack_e": "8-1E",
    "attack_f": "8-1F",
    "random_attack": "8-2",
    "waves": "8-3",
    "kikusui": "22",
    "bearing": "22-1",
    "height": "22-1-height",
    "fire": "9-2",
    "strike": "10",
    "damage_forward": "11-forward",
    "damage_midship": "11-midship",
    "damage_aft": "11-aft",
    "near_miss": "11-1",
    "bomb": "12-1",
    "torpedo": "12-2",
    "ohka": "12-3",
    "killed": "13",
    "hull": "14-1",
    "random_damage": "15",
    "sinks": "16",
    "all_hands": "17",
    "repairs": "18",
    "replenishment": "18-1",
    "maneuvers": "19",
    "control": "20",
    "flooding": "21",
    "explosion": "21-1",
    "morale": "23",
    "supplies": "24",
    "stations_april": "2-2A",
    "stations_may_1": "2-3A",
    "stations_may_5": "2-3B",
    "stations_may_6": "2-3C",
    "stations_may_7": "2-3D",
    "stations_may_21": "2-3E",
    "stations_may_22": "2-3F",
    "stations_june_1": "2-4A",
    "stations_june_17": "2-4B",
    "stations_june_24": "2-4C",
}


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=_TABLES, dict=True):
    """All tables of the charts, each by what it is for; in the file they stand by their printed numbers."""

    stations: Chart
    team: Chart
    surface: Chart
    land_radar: Chart
    weather: Chart
    storm: Chart
    typhoon_days: Chart
    typhoon: Chart
    storm_repairs: Chart
    air: Chart
    markers: Chart
    kikusui_markers: Chart
    attack: Chart
    attack_a: Chart
    attack_b: Chart
    attack_c: Chart
    attack_d: Chart
    attack_e: Chart
    attack_f: Chart
    random_attack: Chart
    waves: Chart
    kikusui: Chart
    bearing: Chart
    height: Chart
    fire: Chart
    strike: Chart
    damage_forward: Chart
    damage_midship: Chart
    damage_aft: Chart
    near_miss: Chart
    bomb: Chart
    torpedo: Chart
    ohka: Chart
    killed: Chart
    hull: Chart
    random_damage: Chart
    sinks: Chart
    all_hands: Chart
    repairs: Chart
    replenishment: Chart
    maneuvers: Chart
    control: Chart
    flooding: Chart
    explosion: Chart
    morale: Chart
    supplies: Chart
    stations_april: Chart
    stations_may_1: Chart
    stations_may_5: Chart
    stations_may_6: Chart
    stations_may_7: Chart
    stations_may_21: Chart
    stations_may_22: Chart
    stations_june_1: Chart
    stations_june_17: Chart
    stations_june_24: Chart

    @cached_property
    def all(self) -> Mapping[str, Chart]:
        """The tables by their printed numbers."""
        return {number: getattr(self, name) for name, number in _TABLES.items()}

    def letter(self, letter: str) -> Chart:
        """[6.6] The lettered table of an attack."""
        return self.all[f"8-1{letter}"]

    def damage(self, section: Section) -> Chart:
        """[7.3] The main damage table of a section."""
        return self.all[f"11-{section}"]

    def special(self, weapon: Weapon) -> Chart:
        """[7.2] The table of a special weapon."""
        return {"bomb": self.bomb, "torpedo": self.torpedo, "ohka": self.ohka}[weapon]


# -- the ship --------------------------------------------------------------------------------------------------------


class RoomCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[1.1.1, 1.7] A compartment: its section, its boxes with that of its destruction, whether it floods, its use."""

    key: str
    name: str
    section: Section
    boxes: int = 2
    floods: bool = False
    bonus: str = ""

    def __post_init__(self) -> None:
        if not 2 <= self.boxes <= 4:
            raise ValueError(f"{self.key} has {self.boxes} boxes, and a compartment has two to four")


class Rooms(Sourced, frozen=True):
    """The compartments of one kind."""

    room: list[RoomCard]


class CrewFigures(Sourced, frozen=True):
    """[1.3, 7.7] The men of the repair parties, and how many may work in one place."""

    men: dict[Section, int]
    in_a_room: int
    at_equipment: int


class Chits(Sourced, frozen=True):
    """[2.0] The value chits in the cup."""

    count: dict[str, int]


class Tracks(Sourced, frozen=True):
    """[1.2.1, 2.0, 8.1] The tracks: where they begin, how far morale goes, and from where they are yellow and red."""

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


# -- guns ------------------------------------------------------------------------------------------------------------


class GunCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[1.1, 6.8] A gun mount: its kind, where it stands, the hits that destroy it, its arc, and what feeds it."""

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


class Mounts(Sourced, frozen=True):
    """All gun mounts."""

    gun: list[GunCard]


class DirectorCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[6.8] A gun director, and the guns that it serves."""

    key: str
    name: str
    section: Section
    serves: list[str]


class Directors(Sourced, frozen=True):
    """All gun directors."""

    director: list[DirectorCard]


class RadarCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[5.3.1] A radar of the ship."""

    key: str
    name: str
    section: Section


class Radars(Sourced, frozen=True):
    """The radars of the ship."""

    radar: list[RadarCard]


class FireFigures(Sourced, frozen=True):
    """[6.8] What a director adds, and what the height of a target does."""

    director: dict[Kind, int]
    height: dict[Kind, dict[Height, int]]


class TiltLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[7.4] From so much list or trim on, these heights cannot be fired at in these directions."""

    to: Literal["bow", "stern", "starboard", "port"]
    at: int
    bars: dict[str, str]


class Tilt(Sourced, frozen=True):
    """[7.4] What list and trim do to the guns."""

    limit: list[TiltLimit]
    bearings: dict[str, list[int]]


class Armament(Sourced, frozen=True):
    """[12.1] Another fit of guns: which mounts it has not, which it has besides, and what its mounts add."""

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


# -- planes ----------------------------------------------------------------------------------------------------------


class PlaneCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[2.0, 6.6] A type of plane: its engines, its counters, and those set aside for a random attack."""

    key: str
    name: str
    engines: int
    regular: int
    special: dict[Weapon, int] = {}
    aside: int = 0


class Planes(Sourced, frozen=True):
    """All counters."""

    attack_ends: int
    plane: list[PlaneCard]


# -- the calendar ----------------------------------------------------------------------------------------------------


class StationLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[4.0] The table of stations on some dates: its number, a station, two stations, or none."""

    since: str
    to: str
    table: str
    not_station: int = 0


class LandRadar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[5.3] A radar station on land, and the date from which it may be activated."""

    name: str
    since: str


class Kikusui(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[6.7] One of the great raids; its planes are told, not played."""

    number: int
    since: str
    to: str
    navy: int
    army: int


class Calendar(Sourced, frozen=True):
    """[1.6, 12.1] The time record; and how long a cruise of one's own may be, and how many planes may come."""

    first: str
    last: str
    sheet_last: str
    stations: list[StationLine]
    land_radar: list[LandRadar]
    kikusui: list[Kikusui]
    own_days: int
    own_planes: list[int]

    def __post_init__(self) -> None:
        spans = [(one.since, one.to) for one in self.stations] + [(one.since, one.to) for one in self.kikusui]
        days = (self.first, self.last, self.sheet_last, *(one.since for one in self.land_radar))
        for text in (*days, *(day for span in spans for day in span)):
            date(text)


def date(text: str) -> calendar_day:
    """A date of 1945 such as `04-06`; ValueError otherwise."""
    month, _, day = text.partition("-")
    if not (month.isdecimal() and day.isdecimal()):
        raise ValueError(f"a date is a month and a day such as 04-06, not {text!r}")
    return calendar_day(YEAR, int(month), int(day))


# -- what bears on what ----------------------------------------------------------------------------------------------


class Shifts(Sourced, frozen=True):
    """[5, 6.5] Shifts of the column of the attack table."""

    team: int
    no_team: int
    no_surface: int
    surface: int
    no_air: int
    land_radar: list[int]
    least: int
    most: int


class ShipRadar(Sourced, frozen=True):
    """[5.3.1] The shift by the radars of the ship."""

    whole: int
    damaged: int
    destroyed: int


class AttackDice(Sourced, frozen=True):
    """[6.6] What is added to the dice of the attack table."""

    rain: int
    command: int
    stations: dict[str, int]


class WeatherFigures(Sourced, frozen=True):
    """[6.2, 6.6.M] The dice of rain and of night."""

    wet: int
    rain_attack: int
    night_attack: int


class Support(Sourced, frozen=True):
    """[6.5, 6.9, 7.2, 11.4] What support and spray fire need, and when a special attacker strikes as well."""

    kill: int
    spray_kills_to: int
    spray_ammunition: int
    twin_engine: int
    special_strikes: int


class Attackers(Sourced, frozen=True):
    """[6.6, 6.7, 6.8] The hits that a plane takes, the special attackers of a wave, the die of a lesser raid."""

    hits_to_flame: int
    hits_to_damage: int
    specials_a_wave: int
    lesser_raid: int


class FireModifiers(Sourced, frozen=True):
    """[11.1, 11.2] What else is added to a gun's dice."""

    willow: int
    ace_kills: int
    ace: int
    magazine: int


class ManeuverFigures(Sourced, frozen=True):
    """[6.10] Emergency maneuvers: their fuel, what they take off a strike, and who leads them."""

    fuel: int
    strike: int
    nobody: int
    room: int


class Duty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[5, 6] What bears on an attack."""

    shifts: Shifts
    ship_radar: ShipRadar
    dice: AttackDice
    weather: WeatherFigures
    support: Support
    planes: Attackers
    fire: FireModifiers
    maneuvers: ManeuverFigures


class Hits(Sourced, frozen=True):
    """[7.3.A] The rolls for damage by each plane that strikes."""

    rolls_a_plane: int


class Flooding(Sourced, frozen=True):
    """[7.3.F, 7.3.K, 7.3.S] When a compartment floods, and what that costs."""

    on: int
    destroys_on: int
    secondary_on: int
    flood: int
    maneuver: int
    tank_room_boxes: int


class Losses(Sourced, frozen=True):
    """[7.8.2.J] What goes with a compartment."""

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
    """[6.3] A ship that founders: when she sinks, and what it costs if not."""

    sinks_to: int
    hull: int


class DeckFires(Sourced, frozen=True):
    """[7.8.1] The dice of deck fires."""

    out_to: int
    water_lines: int
    rolls: int


class OnDie(Sourced, frozen=True):
    """A thing that one die decides."""

    on: int


class KilledOn(Sourced, frozen=True):
    """[7.7.K] The die that kills a man in a section."""

    killed_on: int


class Damage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[7.3, 7.4, 7.8] What damage does."""

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
    """[7.7.L] The share of all compartments that has to be damaged: one in so many."""

    share: int


class MoraleFigures(Sourced, frozen=True):
    """[8.1] What else bears on morale."""

    galley: int
    berthing: int
    berths_lost: int


class Leaving(Sourced, frozen=True):
    """[9.G] When the captain may withdraw, and when a new ship comes."""

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


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[10.A] What a victory takes besides a ship that is not lost: so much hull, and such a share of the planes."""

    hull: int
    shot: tuple[int, int] = (0, 1)

    def __post_init__(self) -> None:
        part, whole = self.shot
        if not 0 <= part <= whole or not whole:
            raise ValueError(f"shot = {list(self.shot)} is no share of the planes, such as [2, 3]")


class ScenarioVictory(Sourced, frozen=True):
    """[10] How a scenario is judged that does not say it itself: an American marginal and decisive victory."""

    marginal: Card
    decisive: Card


class CampaignVictory(Sourced, frozen=True):
    """[10] What counts in a campaign."""

    plane: int
    ship: int
    withdrawal: int


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[10] How it is judged."""

    scenario: ScenarioVictory
    campaign: CampaignVictory


class History(Sourced, frozen=True):
    """What became of the destroyers on the picket line: how many there were, were sunk, and were damaged."""

    destroyers: int
    sunk: int
    damaged: int
    planes: int


# -- scenarios -------------------------------------------------------------------------------------------------------


class Cruise(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[12] A scenario, or a campaign: where and when it begins, what comes, and how it is judged.

    `raids` has for each day what comes in the morning, at midday and at night: `roll` by the tables, `kikusui` by those
    of the great raids, a letter for that table, a number for so many planes, `none`. Without it the calendar goes on to
    `last`. With `design` the captain says all of that himself. `levels` are the least scores of an American decisive
    and marginal victory, a draw, and a Japanese marginal; `marginal` and `decisive` what an American victory takes in a
    scenario.
    """

    title: str
    summary: str
    order: int = 10
    game: Literal["basic", "advanced"] = "advanced"
    first: str
    last: str = ""
    station: int = 0
    team: bool | None = None
    surface: int | None = None
    raids: list[tuple[str, str, str]] = []
    armament: str = ""
    ship: str = ""
    attack_ends: bool = True
    levels: tuple[int, int, int, int] | None = None
    marginal: Card | None = None
    decisive: Card | None = None
    withdrawal_limits: bool = False
    design: bool = False

    def __post_init__(self) -> None:
        begin, end = date(self.first), date(self.last or self.first)
        if end < begin:
            raise ValueError(f"last = {self.last} lies before first = {self.first}")
        if not self.raids and not self.last:
            raise ValueError("a cruise needs the raids of each day, or a last day")
        for day in self.raids:
            for raid in day:
                known = raid in ("roll", "kikusui", "none", *"ABCDEF")
                if not known and not (raid.isdecimal() and 1 <= int(raid) <= 18):
                    raise ValueError(f"a raid is roll, kikusui, none, a letter from A to F or 1 to 18, not {raid!r}")


class Names(Sourced, frozen=True):
    """[2.0.K] Ships of the class that served on the picket line."""

    ship: list[str]


class Data(msgspec.Struct, frozen=True, dict=True):
    """All figures of the game."""

    tables: Tables
    ship: ShipFigures
    guns: GunFigures
    planes: Planes
    calendar: Calendar
    duty: Duty
    damage: Damage
    repair: Repair
    victory: Victory
    history: History
    names: Names
    scenarios: dict[str, Cruise]

    @cached_property
    def rooms(self) -> Mapping[str, RoomCard]:
        """The primary compartments by key."""
        return {room.key: room for room in self.ship.primary.room}

    @cached_property
    def secondary(self) -> Mapping[str, RoomCard]:
        """The secondary compartments by key."""
        return {room.key: room for room in self.ship.secondary.room}

    @cached_property
    def mounts(self) -> Mapping[str, GunCard]:
        """All gun mounts of all fits by key."""
        fits = (gun for fit in self.guns.armaments.values() for gun in fit.gun)
        return {gun.key: gun for gun in (*self.guns.mounts.gun, *fits)}

    @cached_property
    def directors(self) -> Mapping[str, DirectorCard]:
        """The gun directors by key."""
        return {director.key: director for director in self.guns.directors.director}

    @cached_property
    def radars(self) -> Mapping[str, RadarCard]:
        """The radars by key."""
        return {radar.key: radar for radar in self.guns.radars.radar}

    @cached_property
    def cards(self) -> Mapping[str, PlaneCard]:
        """The types of planes by key."""
        return {plane.key: plane for plane in self.planes.plane}

    def mounted(self, armament: str) -> list[GunCard]:
        """[12.1] The mounts of a fit; the usual one has no name."""
        if not armament:
            return list(self.guns.mounts.gun)
        fit = self.guns.armaments[armament]
        return [gun for gun in self.guns.mounts.gun if gun.key not in fit.removes] + fit.gun


LETTERS = "ABCDEF"
"""[6.6.E] The lettered tables."""


def check(data: Data) -> None:
    """Figures that do not fit together, or not the rules that read them, are refused.

    Raises:
        DataMisfit: with file, key, what was expected and what was found.
    """
    from readyroom.games.picket import fitting  # the rules that it asks are written on the types of this module

    fitting.check(data)
