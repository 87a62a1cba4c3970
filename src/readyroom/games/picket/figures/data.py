"""Types of the game's data files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date as calendar_day
from datetime import timedelta
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from readyroom.engine.rules.charts import HasSource
from readyroom.games.picket.figures.common import YEAR
from readyroom.games.picket.figures.damage import (
    LOSSES,
    Damage,
    DamageResult,
    Effect,
    GearHit,
    GunHit,
    HullLoss,
    Repair,
    RoomHit,
    SpaceHit,
    Storm,
    TrackLoss,
    storm_result,
)
from readyroom.games.picket.figures.ship import (
    DirectorCard,
    GunCard,
    GunFigures,
    PlaneCard,
    Planes,
    RadarCard,
    RoomCard,
    ShipFigures,
)
from readyroom.games.picket.figures.tables import Tables


class StationLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[4.0] The table of stations for some dates: its number, a station, two stations, or none."""

    since: str
    to: str
    table: str
    not_station: int = 0


class LandRadar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[5.3] A land radar station, and the date from which it may be activated."""

    name: str
    since: str


class Kikusui(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[6.7] A great raid; its aircraft numbers are for display only."""

    number: int
    since: str
    to: str
    navy: int
    army: int


class Calendar(HasSource, frozen=True):
    """[1.6, 12.1] The time record; also limits for a custom cruise's days and planes."""

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

    def raid_on(self, day: calendar_day) -> Kikusui | None:
        """[6.7.A] Return the great raid of a day, if any."""
        return next((raid for raid in self.kikusui if date(raid.since) <= day <= date(raid.to)), None)


def date(text: str) -> calendar_day:
    """Parse a date of 1945 such as `04-06`; raise ValueError otherwise."""
    month, _, day = text.partition("-")
    if not (month.isdecimal() and day.isdecimal()):
        raise ValueError(f"a date is a month and a day such as 04-06, not {text!r}")
    return calendar_day(YEAR, int(month), int(day))


def day_of(first: str, turn: int) -> calendar_day:
    """[1.6, 3.0.A] Return the date of a turn in a cruise that begins on `first`; before turn 1 that date itself.

    >>> day_of("04-06", 3)
    datetime.date(1945, 4, 8)
    """
    return date(first) + timedelta(days=max(0, turn - 1))


class Shifts(HasSource, frozen=True):
    """[5, 6.5] Column shifts of the attack table."""

    team: int
    no_team: int
    no_surface: int
    surface: int
    no_air: int
    land_radar: list[int]
    least: int
    most: int


class ShipRadar(HasSource, frozen=True):
    """[5.3.1] The shift for the ship's radars."""

    whole: int
    damaged: int
    destroyed: int


class AttackDice(HasSource, frozen=True):
    """[6.6] Modifiers of the attack table."""

    rain: int
    command: int
    stations: dict[str, int]


class WeatherFigures(HasSource, frozen=True):
    """[6.2, 6.6.M] Die rolls for rain and night."""

    wet: int
    rain_attack: int
    night_attack: int


class Support(HasSource, frozen=True):
    """[6.5, 6.9, 7.2, 11.4] Die rolls for support and spray fire, and for a special attacker that also dives."""

    kill: int
    spray_kills_to: int
    spray_ammunition: int
    twin_engine: int
    special_strikes: int


class Attackers(HasSource, frozen=True):
    """[6.6, 6.7, 6.8] Hits that a plane takes, special attackers in a wave, and the die of a smaller raid."""

    hits_to_flame: int
    hits_to_damage: int
    specials_a_wave: int
    lesser_raid: int


class FireModifiers(HasSource, frozen=True):
    """[11.1, 11.2] Optional modifiers of gunfire."""

    willow: int
    ace_kills: int
    ace: int
    magazine: int


class ManeuverFigures(HasSource, frozen=True):
    """[6.10] Emergency maneuvers: fuel, effect on a strike, and modifiers."""

    fuel: int
    strike: int
    leaderless: int = msgspec.field(name="nobody")
    room: int


class Duty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[5, 6] Everything that affects an attack."""

    shifts: Shifts
    ship_radar: ShipRadar
    dice: AttackDice
    weather: WeatherFigures
    support: Support
    planes: Attackers
    fire: FireModifiers
    maneuvers: ManeuverFigures


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[10.A] Victory conditions for a ship that is not lost: hull, and share of planes shot down."""

    hull: Annotated[int, Meta(description="The least hull left.", ge=0, le=99)]
    shot: Annotated[
        tuple[
            Annotated[int, Meta(title="Shot down", ge=0, le=99)], Annotated[int, Meta(title="Of planes", ge=1, le=99)]
        ],
        Meta(title="Share of planes shot down"),
    ] = (0, 1)

    def __post_init__(self) -> None:
        part, whole = self.shot
        if not 0 <= part <= whole or not whole:
            raise ValueError(f"shot = {list(self.shot)} is no share of the planes, such as [2, 3]")


class ScenarioVictory(HasSource, frozen=True):
    """[10] Default conditions for an American marginal and decisive victory."""

    marginal: Card
    decisive: Card


class CampaignVictory(HasSource, frozen=True):
    """[10] Victory points in a campaign."""

    plane: int
    ship: int
    withdrawal: int


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[10] Victory conditions."""

    scenario: ScenarioVictory
    campaign: CampaignVictory


class History(HasSource, frozen=True):
    """Historical losses on the picket line."""

    destroyers: int
    sunk: int
    damaged: int
    planes: int


Points: TypeAlias = Annotated[int, Meta(ge=-999, le=999)]


class Cruise(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[12] A scenario or campaign: where and when it begins, what attacks, and how it is judged.

    `raids` has for each day the attack of morning, midday and night: `roll` by the tables, `kikusui` by those
    of the great raids, a letter for that table, a number of planes, `none`. Without it the calendar runs to
    `last`. With `design` the captain chooses all of that. `levels` are the least scores of an American decisive
    and marginal victory, a draw, and a Japanese marginal; `marginal` and `decisive` are a scenario's conditions
    for an American victory. `great_raids` has first and last days of great raids, instead of the calendar's (P59).
    """

    title: str
    summary: str
    order: int = 10
    game: Literal["basic", "advanced"] = "advanced"
    first: Annotated[str, Meta(title="First day", description="Month and day of 1945, such as 04-06.")]
    last: Annotated[str, Meta(title="Last day", description="With raids of their own days it may be empty.")] = ""
    station: Annotated[int, Meta(description="0: drawn by the tables.", ge=0, le=99)] = 0
    team: Annotated[bool | None, Meta(title="Fighter director team", description="Empty: by the tables.")] = None
    surface: Annotated[
        Annotated[int, Meta(ge=0, le=9)] | None,
        Meta(title="Surface support", description="Empty: by the tables."),
    ] = None
    raids: Annotated[
        list[
            Annotated[
                tuple[
                    Annotated[str, Meta(title="Morning")],
                    Annotated[str, Meta(title="Midday")],
                    Annotated[str, Meta(title="Night")],
                ],
                Meta(title="Day"),
            ]
        ],
        Meta(
            max_length=120,
            description="For each day: roll (by the tables), kikusui (by those of great raids), none, the letter of a "
            "table (A to F), or a number of planes from 1 to 18.",
        ),
    ] = []
    armament: str = ""
    ship: Annotated[str, Meta(max_length=40, description="Her name; empty: the captain chooses.")] = ""
    officers: Annotated[dict[str, Annotated[str, Meta(max_length=40)]], Meta(title="Names of officers")] = {}
    attack_ends: Annotated[bool, Meta(title="Attack-ends counters", description="Yes: they are in the pool.")] = True
    levels: Annotated[
        tuple[
            Annotated[Points, Meta(title="Decisive")],
            Annotated[Points, Meta(title="Marginal")],
            Annotated[Points, Meta(title="Draw")],
            Annotated[Points, Meta(title="Japanese marginal")],
        ]
        | None,
        Meta(title="Least scores of a campaign"),
    ] = None
    marginal: Annotated[Card | None, Meta(title="Marginal victory")] = None
    decisive: Annotated[Card | None, Meta(title="Decisive victory")] = None
    withdrawal_limits: bool = False
    design: Annotated[bool, Meta(title="Designed by the captain", description="The captain chooses all this.")] = False
    great_raids: Annotated[
        list[tuple[Annotated[str, Meta(title="First day")], Annotated[str, Meta(title="Last day")]]]
        | msgspec.UnsetType,
        Meta(description="Instead of those of the calendar."),
    ] = msgspec.UNSET

    def __post_init__(self) -> None:
        for first, last in self.great_raids or ():
            if date(last) < date(first):
                raise ValueError(f"a great raid has a first and a last day, not {first} and {last}")
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


class Names(HasSource, frozen=True):
    """[2.0.K] Ships of the class that served on the picket line."""

    ship: list[str]


class Data(msgspec.Struct, frozen=True, eq=False, dict=True):
    """All figures of the game. They never change, so derived values are cached by identity."""

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

    @cached_property
    def part_names(self) -> Mapping[str, str]:
        """The names of compartments, guns, directors and radars by key."""
        guns = {key: f"{gun.kind} mount {gun.name}" for key, gun in self.mounts.items()}
        named = (self.radars, self.directors, self.secondary, self.rooms)
        return guns | {key: card.name for cards in named for key, card in cards.items()}

    @cached_property
    def damage_results(self) -> Mapping[str, DamageResult]:
        """[7.3] The results of the damage tables by the text of a cell, such as `hull-2` or `magazine-1 x2`."""
        results: dict[str, DamageResult] = {effect.value: effect for effect in Effect}
        for name, track in LOSSES.items():
            results |= {f"{name}-{points}": TrackLoss(f"{name}-{points}", track, points) for points in range(1, 11)}
        results |= {key: GearHit(key) for key in (*self.radars, *self.directors)}
        results |= {key: GunHit(key) for key in self.mounts}
        results |= {key: SpaceHit(key) for key in self.secondary}
        for key, room in self.rooms.items():
            deep = {f"{key} x{markers}": RoomHit(key, markers) for markers in range(2, room.boxes + 1)}
            results |= {key: RoomHit(key)} | deep
        return results

    @cached_property
    def storm_results(self) -> Mapping[str, HullLoss | Storm]:
        """[6.3] The results of Table 6-4 by the text of a cell."""
        return {cell: storm_result(cell) for _, _, cell in self.tables.typhoon.cells()}

    def mounted(self, armament: str) -> list[GunCard]:
        """[12.1] Return the mounts of an armament; the standard one has the name ""."""
        if not armament:
            return list(self.guns.mounts.gun)
        fit = self.guns.armaments[armament]
        return [gun for gun in self.guns.mounts.gun if gun.key not in fit.removes] + fit.gun


LETTERS = "ABCDEF"
"""[6.6.E] The lettered tables."""
