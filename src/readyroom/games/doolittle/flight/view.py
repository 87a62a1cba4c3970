"""[5.0, 7.0] The flight map as a captain sees it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple

from readyroom.engine.text import en_dashes
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.flight import Hour, WindBox, ZoneCard
from readyroom.games.doolittle.names import count_text
from readyroom.games.doolittle.piece_views import MarkerView, markers
from readyroom.games.doolittle.state import Doolittle, Flight

Draw = tuple[str, int, bool, int, bool]
"""[8.3.2] A draw of hazards: the cup, how many, for each flight, from which alert, half the alert."""


class ZoneView(msgspec.Struct, frozen=True, kw_only=True):
    """[5.1, 5.2.2, 8.3.2] A flight zone: its light by China's time or Japan's, the hazards drawn, its markers."""

    key: str
    name: str
    light: str
    china: bool
    japan: bool
    draws: Sequence[Draw]
    markers: Sequence[MarkerView]

    @property
    def vessels(self) -> list[MarkerView]:
        """[8.3.7.M] The markers that stay in the zone."""
        return [marker for marker in self.markers if not marker.hidden]

    @property
    def waiting(self) -> list[MarkerView]:
        """[8.3.3] The hazards face down, still to be assigned."""
        return [marker for marker in self.markers if marker.hidden]

    @property
    def title(self) -> str:
        """The zone in a sentence."""
        texts = [f"Zone {self.key[1:]}, {self.name}, {self.light}", f"hazards: {draw_words(self.draws)}"]
        texts += [", ".join(vessel.summary for vessel in self.vessels)] if self.vessels else []
        texts += [f"{count_text(len(self.waiting), 'hazard')} face down, to be assigned"] if self.waiting else []
        return "; ".join(texts)


def draw_words(draws: Sequence[Draw]) -> str:
    """[8.3.2] Describe the hazards drawn in a zone.

    >>> draw_words([("II", 2, False, 0, False), ("alert", 1, True, 1, False)])
    '2 II; 1 alert per flight, from alert 1'
    >>> draw_words([("alert", 0, False, 0, True)])
    'alert: half the alert level'
    """
    parts = []
    for cup, number, each, alert, halved in draws:
        text = f"{cup}: half the alert level" if halved else f"{number} {cup}"
        parts.append(f"{text}{' per flight' if each else ''}{f', from alert {alert}' if alert else ''}")
    return "; ".join(parts)


class WindView(msgspec.Struct, frozen=True, kw_only=True):
    """[5.3] A wind box: its zones, its wind and its weather, each empty while it is unknown."""

    key: str
    zones: Sequence[str]
    wind: str
    title: str
    weather: str

    @property
    def label(self) -> str:
        """The name of the wind."""
        return self.title or "wind not known"

    @property
    def sentence(self) -> str:
        """The wind box in a sentence."""
        zones = ", ".join(zone[1:] for zone in self.zones)
        return f"Zones {zones}: {self.label}, {self.weather or 'weather not known'}"


class FlightView(msgspec.Struct, frozen=True, kw_only=True):
    """[7.1] A flight; `acts` says whether it has still to act in this phase, `site` where it has landed."""

    key: str
    members: Sequence[str]
    zone: str
    fuel: int
    high: bool
    alone: bool
    site: str
    site_name: str
    light: str
    weather: str
    waits: int
    acts: bool
    assigned: Sequence[MarkerView]


class GoalView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """[5.4, 5.5] A city or a landing site: the numbers to find it by day and by night.

    A city has its blast, its lights and its contact markers; a site its country, its landing number, its zones, the
    fuel that finding it costs from some of them, its beacon (none: it has no beacon; 0: not yet heard) and its stock.
    """

    key: str
    name: str
    day: int
    night: int
    blast: int | None = None
    dark: bool | None = None
    contact: int | None = None
    country: str = ""
    landing: int = 0
    zones: Sequence[str] | None = None
    fuel_from: Sequence[str] | None = None
    fuel: int = 0
    beacon: int | UnsetType | None = UNSET
    stock: int | None = None

    @property
    def numbers(self) -> str:
        """The numbers to find it, by day and by night."""
        return f"{self.day}/{self.night}"

    @property
    def has_beacon(self) -> bool:
        """[8.1.4] Whether there is a beacon, heard or not."""
        return isinstance(self.beacon, int)

    @property
    def title(self) -> str:
        """The place in a sentence."""
        texts = [f"{self.name}: {self.day} to find by day, {self.night} by night"]
        texts += [f"landing {self.landing}"] if self.landing else []
        texts += [f"{self.fuel} fuel to find it from zone {zone[1:]}" for zone in self.fuel_from or ()]
        texts += [f"beacon {self.beacon or 'not yet heard'}"] if self.has_beacon else []
        texts += [f"{self.stock} fuel waits"] if self.stock else []
        texts += [f"blast {self.blast}"] if self.blast else []
        texts += ["lights out"] if self.dark else []
        texts += [f"{count_text(self.contact, 'contact marker')}: a re-roll each"] if self.contact else []
        return "; ".join(texts)

    def cost(self, zone: str) -> int:
        """[5.5] Return the fuel to find it from a zone: that of the arrow's icon."""
        return self.fuel if zone in (self.fuel_from or ()) else 0


class AirView(msgspec.Struct, frozen=True, kw_only=True):
    """[5.0] The flight map: the hours in Japan and China on the clock, zones, winds, flights, cities and sites.

    `queue` are the flights that have still to act, `met` the hazards turned over in this phase.
    """

    turn: int
    hour: int
    china: int
    clock: Sequence[tuple[str, str]]
    phases: Sequence[tuple[str, str]]
    zones: Sequence[ZoneView]
    winds: Sequence[WindView]
    flights: Sequence[FlightView]
    cities: Sequence[GoalView]
    sites: Sequence[GoalView]
    queue: Sequence[str]
    met: Sequence[str]
    planned: bool
    fuel: int

    @property
    def description(self) -> str:
        """The time in Japan and in China."""
        return f"{self.clock[self.hour][0]} in Japan, {self.clock[self.china][0]} in China"

    @property
    def ahead(self) -> dict[str, str]:
        """[8.1.1] The zone west of each flight, where there is one."""
        order = [zone.key for zone in self.zones]
        return {one.key: order[order.index(one.zone) + 1] for one in self.flights if one.zone != order[-1]}

    def zones_of(self, goal: GoalView) -> Sequence[str]:
        """[5.4, 5.5] Return the zones from which a place can be found: a city from Japan's."""
        return [zone.key for zone in self.zones if zone.japan] if goal.zones is None else goal.zones

    def goals(self, zone: str) -> list[GoalView]:
        """[5.4, 5.5] Return the cities and landing sites that can be found from a zone."""
        return [goal for goal in (*self.cities, *self.sites) if zone in self.zones_of(goal)]


def air_view(state: Doolittle, data: Data) -> AirView | None:
    """[5.0] Return the flight map, if there is one."""
    if state.air is None:
        return None
    sky, figures = state.air, data.flight
    hours = figures.clock.box
    hour, china = sky.hour % len(hours), (sky.hour - figures.clock.china_boxes_earlier) % len(hours)
    return AirView(
        turn=sky.turn,
        hour=hour,
        china=china,
        clock=[(box.label, box.light) for box in hours],
        phases=[(phase.key, phase.title) for phase in data.flying.phases.phase],
        zones=[_zone_view(state, data, zone, hours[china], hours[hour]) for zone in figures.zones.zone],
        winds=[_wind_view(state, data, box) for box in figures.winds.box],
        flights=[_flight_view(state, data, flight) for flight in sky.flights],
        cities=[_city_view(state, data, key) for key in state.targets],
        sites=[_site_view(state, data, key) for key in figures.site],
        queue=list(sky.queue),
        met=[en_dashes(text) for text in sky.met],
        planned=sky.planned,
        fuel=state.ratings.fuel,
    )


def _zone_view(state: Doolittle, data: Data, card: ZoneCard, china: Hour, japan: Hour) -> ZoneView:
    """[5.1, 5.2.2, 8.3.2] Return a zone with its contents."""
    late = card.key in data.flight.china_side
    return ZoneView(
        key=card.key,
        name=card.name,
        light=(china if late else japan).light,
        china=late,
        japan=card.key == data.flight.zones.japan,
        draws=[astuple(draw) for draw in card.draw],
        markers=markers(data, state.sky.zones.get(card.key, ()), card.key),
    )


def _wind_view(state: Doolittle, data: Data, box: WindBox) -> WindView:
    """[5.3] Return a wind box."""
    wind, weather = state.sky.winds.get(box.key), state.sky.weather.get(box.key, "")
    title = data.flying.effects.wind[wind].title if wind else ""
    return WindView(key=box.key, zones=list(box.zones), wind=wind or "", title=title, weather=weather)


def _flight_view(state: Doolittle, data: Data, flight: Flight) -> FlightView:
    """[7.1] Return a flight."""
    return FlightView(
        key=flight.key,
        members=list(flight.members),
        zone=flight.zone,
        fuel=flight.fuel,
        high=flight.high,
        alone=flight.alone,
        site=flight.site,
        site_name=data.flight.site[flight.site].name if flight.site in data.flight.site else flight.site,
        light=flight.light,
        weather=flight.weather,
        waits=flight.waits,
        acts=flight.key in state.sky.queue,
        assigned=markers(data, flight.assigned, flight.key),
    )


def _city_view(state: Doolittle, data: Data, key: str) -> GoalView:
    """[5.4] Return a city box with the blast on its map and its lights."""
    card, target = data.flight.city[key], state.targets[key]
    blast = sum(area.blast + sum(box.blast for box in area.boxes.values()) for area in target.areas.values())
    contact, dark = state.sky.contacts.get(key, 0), target.dark
    return GoalView(key=key, name=card.name, day=card.day, night=card.night, blast=blast, dark=dark, contact=contact)


def _site_view(state: Doolittle, data: Data, key: str) -> GoalView:
    """[5.5] Return a landing site with its zones and its beacon."""
    card = data.flight.site[key]
    return GoalView(
        key=key,
        name=card.name,
        day=card.day,
        night=card.night,
        country=card.country,
        landing=card.landing,
        zones=list(card.zones),
        fuel_from=list(card.fuel_from),
        fuel=data.flight.sites.fuel,
        beacon=state.sky.beacons.get(key),
        stock=state.sky.stock.get(key, 0),
    )
