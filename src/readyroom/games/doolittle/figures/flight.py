"""Figures of secrecy and of the flight from the carrier to the landing (sections 5 to 8)."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.figures.common import (
    Dice,
    Icon,
    Kinds,
    Light,
    MarkerCup,
    Markers,
    Parity,
    PhaseList,
    Plain,
    Sourced,
    Steps,
    Wind,
    numbered,
)

# -- security.toml ---------------------------------------------------------------------------------------------------


class SecurityTrack(Sourced, frozen=True, kw_only=True):
    """[6.1, 6.2] Where the markers of the security track end, and the levels of the alert."""

    failed_max: int
    alert_max: int
    risk_min: int
    risk_max: int
    value: int
    value_min: int
    value_max: int


class SecrecyTest(Sourced, frozen=True, kw_only=True):
    """[6.3.1] What a secrecy test adds to the risk and, failed, to the failures."""

    risk: int
    failed: int


class IconFigures(Plain, frozen=True, kw_only=True):
    """[6.3.1] The effect of an icon in the naval segment: the alert that brings an airstrike, or a modifier."""

    title: str
    airstrike_from: int
    alert: int


class Icons(Sourced, frozen=True, kw_only=True):
    """[6.3.1] The icons of secrecy tests."""

    icon: dict[str, IconFigures]


class Security(Plain, frozen=True, kw_only=True):
    """The figures of `security.toml`."""

    track: SecurityTrack
    alert_by_failed: Steps
    test: SecrecyTest
    icons: Icons


# -- flight.toml -----------------------------------------------------------------------------------------------------

FlightCupName: TypeAlias = Literal["I", "II", "III", "alert"]
FLIGHT_CUPS: tuple[FlightCupName, ...] = ("I", "II", "III", "alert")


class ZoneDraw(Plain, frozen=True, kw_only=True):
    """[8.3.2] Markers that a zone draws; `halved` draws half the alert level instead, rounded down."""

    cup: FlightCupName
    count: int = 0
    each_flight: bool = False
    alert: int = 0
    halved: bool = False


class ZoneCard(Plain, frozen=True, kw_only=True):
    """[5.1] A flight zone, from east to west: its sea area, and its draws."""

    key: str
    name: str
    sea_area: str = ""
    draw: list[ZoneDraw]


class Zones(Sourced, frozen=True, kw_only=True):
    """[5.1, 5.2.2] The zones from east to west, the first that keeps China's time, and the one of Japan."""

    china_from: str
    japan: str
    zone: list[ZoneCard]


class CityCard(Plain, frozen=True, kw_only=True):
    """[5.4] A city in Japan, whose key is that of its target map, and the numbers to find it."""

    key: str
    name: str
    day: int
    night: int

    def acquisition(self, light: Light) -> int:
        """[8.1.4] Return the number to reach."""
        return self.day if light == "day" else self.night


class Cities(Sourced, frozen=True, kw_only=True):
    """[5.4] The cities."""

    city: list[CityCard]


class SiteCard(Plain, frozen=True, kw_only=True):
    """[5.5] A landing site: numbers to find it, to land on it and to stock it, its zones and those that cost fuel."""

    key: str
    name: str
    country: Literal["china", "ussr", "korea"]
    day: int
    night: int
    landing: int
    stockpile: int = 0
    zones: list[str]
    fuel_from: list[str] = []

    def acquisition(self, light: Light) -> int:
        """[8.1.4] Return the number to reach without a beacon."""
        return self.day if light == "day" else self.night


class Sites(Sourced, frozen=True, kw_only=True):
    """[5.5] The landing sites, and the fuel that an arrow with its icon costs."""

    fuel: int
    site: list[SiteCard]


class Beacons(Sourced, frozen=True, kw_only=True):
    """[8.1.4] The numbers of the landing beacons."""

    values: list[int]


class WindBox(Plain, frozen=True, kw_only=True):
    """[5.3] A wind box: the zones it governs, and the sea areas' box, or its own chart, that gives its weather."""

    key: str
    zones: list[str]
    sea_box: str = ""
    china_side: bool = False


class WindBoxes(Sourced, frozen=True, kw_only=True):
    """[5.3] The wind boxes from east to west."""

    box: list[WindBox]


class Hour(Plain, frozen=True, kw_only=True):
    """[5.2] A box of the flight turn track."""

    label: str
    light: Light


class Clock(Sourced, frozen=True, kw_only=True):
    """[5.2, 12.4.2] The flight turn track, how many boxes China is behind, and what a later launch costs."""

    hours: int
    china_boxes_earlier: int
    slide: int
    slide_risk_dice: int
    box: list[Hour]


class LaunchFigures(Sourced, frozen=True, kw_only=True):
    """[12.4, 12.4.1] Dice for the first zone, zones that cost fuel at once, and from where no one reaches Japan."""

    emergency_dice: int
    planned_dice: int
    fuel: dict[str, int]
    west_of: str
    delayed_turns: int


class FlightMap(Plain, frozen=True, kw_only=True, dict=True):
    """The figures of `flight.toml`."""

    zones: Zones
    cities: Cities
    sites: Sites
    beacons: Beacons
    winds: WindBoxes
    weather: Chart
    clock: Clock
    emergency: Chart
    launch: LaunchFigures
    first_zone: Chart

    @cached_property
    def order(self) -> list[str]:
        """The zones from east to west."""
        return [zone.key for zone in self.zones.zone]

    @cached_property
    def wind_of(self) -> dict[str, WindBox]:
        """The wind box of each zone."""
        return {zone: box for box in self.winds.box for zone in box.zones}

    @cached_property
    def site(self) -> dict[str, SiteCard]:
        """The landing sites by key."""
        return {site.key: site for site in self.sites.site}

    @cached_property
    def city(self) -> dict[str, CityCard]:
        """The cities by key."""
        return {city.key: city for city in self.cities.city}

    def sites_in(self, country: str) -> list[SiteCard]:
        """[5.5] Return the landing sites of a country, from east to west."""
        return [site for site in self.sites.site if site.country == country]

    def sites_of(self, zone: str) -> list[SiteCard]:
        """[5.5] Return the landing sites that can be found from a zone."""
        return [site for site in self.sites.site if zone in site.zones]

    @cached_property
    def china_side(self) -> frozenset[str]:
        """[5.2.2] The zones that keep China's time."""
        return frozenset(self.order[self.order.index(self.zones.china_from) :])


# -- flying.toml -----------------------------------------------------------------------------------------------------


class FlightSizes(Sourced, frozen=True, kw_only=True):
    """[7.1, 7.1.1] How many flights there are, and of how many bombers."""

    most: int
    bombers_min: int
    bombers_max: int


class FuelFigures(Sourced, frozen=True, kw_only=True):
    """[7.1.3, 7.2, 7.2.3, 8.4] What a marker holds, and what climbing, a turn and eluding a fighter cost."""

    marker: int
    climb: int
    turn: int
    elude: int


class FumesFigures(Sourced, frozen=True, kw_only=True):
    """[7.2.4] The dice of a check on fumes, and what each dry tank adds to them."""

    dice: int
    keep: int
    leak: int
    evaporation: int
    marker: int


class WindFigures(Sourced, frozen=True, kw_only=True):
    """[8.2.3] The dice of a wind check, and those of the first after a planned launch."""

    dice: int
    planned_dice: int
    keep: int


class WindEffect(Plain, frozen=True, kw_only=True):
    """[8.2.1, 8.2.2] What a wind does to a flight that would move or look for its target in the wind phase.

    `before` is paid to try; `guzzle` says whether a check is made. `pass_cost` and `fail_cost` are what it then pays,
    and `needs_pass` whether only a passed check lets it act. `forced` asks for the check though it may not act.
    `must` is a loaded flight's duty to look for its target (DR28).
    """

    title: str
    may: bool
    must: bool = False
    before: int = 0
    guzzle: bool
    needs_pass: bool = False
    pass_cost: int = 0
    fail_cost: int = 0
    forced: bool = False


class WindEffects(Sourced, frozen=True, kw_only=True):
    """[8.2.1] The six winds."""

    wind: dict[Wind, WindEffect]


class GuzzleFigures(Sourced, frozen=True, kw_only=True):
    """[8.2.4] The dice of a guzzle check, what weighs on it, and below which stock a leak is checked as well."""

    dice: int
    marker: int
    loaded: int
    leak_below: int


class AcquisitionFigures(Sourced, frozen=True, kw_only=True):
    """[8.1.4] What is added when a target is looked for, and what goes with a second attempt."""

    dice: int
    dark_dice: int
    dark_keep: int
    blast: int
    submarine: int
    persistent: int
    contact_rerolls: int
    high_rerolls: int
    deviation_alert: int
    deviation_hazards: int
    attacked_alert: int


class Bonus(Sourced, frozen=True, kw_only=True):
    """[15.2] The markers that a planned launch may take out of the game."""

    removes: dict[str, int]


class Flying(Plain, frozen=True, kw_only=True):
    """The figures of `flying.toml`."""

    phases: PhaseList
    flights: FlightSizes
    fuel: FuelFigures
    fumes: FumesFigures
    fumes_chart: Chart = msgspec.field(name="F1")
    wind: WindFigures
    wind_chart: Chart = msgspec.field(name="F2")
    effects: WindEffects
    guzzle: GuzzleFigures
    acquisition: AcquisitionFigures
    lights: Dice
    bonus: Bonus


# -- flight_hazards.toml ---------------------------------------------------------------------------------------------


class FlightHazardKind(Plain, frozen=True, kw_only=True):
    """[8.3.7] A kind of flight hazard: whether it stays with the bomber, works by day only, or leaves the game."""

    title: str
    rule: str
    attaches: bool = False
    day_only: bool = False
    leaves_game: bool = False
    radio_tests: bool = False
    text: str


class FlightHazardMarker(Markers, frozen=True, kw_only=True):
    """[8.3.7] A number of equal markers: their icon, and their effect on gunnery, detonation checks and landings."""

    name: str = ""
    icon: Icon = ""
    gunnery: int = 0
    detonation: int = 0
    landing: int = 0


class CompassFigures(Sourced, frozen=True, kw_only=True):
    """[8.3.7.A, 8.3.7.C] Dice and delays of a bomber that has lost its way."""

    error_dice: int
    faulty_turn: int
    landing_dice: int
    beacon_dice: int


class FlyingBoatFigures(Sourced, frozen=True, kw_only=True):
    """[8.3.7.E] Dice to elude a flying boat, of which one or all must be even, and what a shadow brings."""

    high_dice: int
    low_dice: int
    wary_dice: int
    wary_from: int
    landing_alert: int


class VesselFigures(Sourced, frozen=True, kw_only=True):
    """[8.3.7.M] The dice that identify vessels, and the effect of a report on the alert."""

    high_dice: int
    low_dice: int
    alert: int
    removes: int


class FlightHazards(Plain, frozen=True, kw_only=True, dict=True):
    """The figures of `flight_hazards.toml`."""

    kinds: Kinds[FlightHazardKind]
    cups: dict[FlightCupName, MarkerCup[FlightHazardMarker]]
    fire: Parity
    burning: Parity
    lost: Parity
    night_fighter: Parity
    briefed_beacons: Parity
    compass: CompassFigures
    flying_boat: FlyingBoatFigures
    shadow: Steps
    vessel: VesselFigures

    @cached_property
    def markers(self) -> dict[str, FlightHazardMarker]:
        """Every single marker by its key: the cup, and a number in it."""
        return numbered({name: cup.marker for name, cup in self.cups.items()})
