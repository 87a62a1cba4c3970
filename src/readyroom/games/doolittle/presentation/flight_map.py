"""[5.0, 7.0] The flight map, in words and figures for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readyroom.engine.game import View
from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.presentation.squadron import Hazard, Plane, hazard


@dataclass(frozen=True, slots=True)
class Flight:
    """[7.1] A flight."""

    key: str
    name: str
    short: str
    zone: str
    fuel: int
    full: int
    high: bool
    alone: bool
    landed: str
    acts: bool
    planes: Sequence[Plane]
    hazards: Sequence[Hazard]
    title: str

    @property
    def flies(self) -> bool:
        """Whether any of its bombers is in the air."""
        return not self.landed and any(not plane.fate for plane in self.planes)


@dataclass(frozen=True, slots=True)
class Zone:
    """[5.1] A flight zone; `waiting` are hazards, face down, that are still to be assigned."""

    key: str
    name: str
    light: str
    china: bool
    japan: bool
    draws: str
    vessels: Sequence[Hazard]
    waiting: Sequence[Hazard]
    title: str


@dataclass(frozen=True, slots=True)
class Wind:
    """[5.3] A wind box: its zones, wind and weather."""

    key: str
    zones: Sequence[str]
    wind: str
    words: str
    weather: str
    title: str


@dataclass(frozen=True, slots=True)
class Goal:
    """[5.4, 5.5] A city or a landing site: where, and the numbers to find it."""

    key: str
    name: str
    country: str
    zones: Sequence[str]
    numbers: str
    landing: int
    beacon: int | None
    blast: int
    dark: bool
    contact: int
    stock: int
    fuel_from: Sequence[str]
    fuel: int
    title: str

    def cost(self, zone: str) -> int:
        """[5.5] The fuel to find it from a zone: that of the arrow's icon."""
        return self.fuel if zone in self.fuel_from else 0


@dataclass(frozen=True, slots=True)
class Way:
    """[5.0] The flight map."""

    turn: int
    hour: int
    china: int
    clock: Sequence[tuple[str, str]]
    phases: Sequence[tuple[str, str]]
    zones: Sequence[Zone]
    winds: Sequence[Wind]
    flights: Sequence[Flight]
    cities: Sequence[Goal]
    sites: Sequence[Goal]

    @property
    def ahead(self) -> dict[str, str]:
        """[8.1.1] The zone west of each flight, where there is one."""
        order = [zone.key for zone in self.zones]
        return {one.key: order[order.index(one.zone) + 1] for one in self.flights if one.zone != order[-1]}

    @property
    def description(self) -> str:
        """What time it is."""
        return f"{self.clock[self.hour][0]} in Japan, {self.clock[self.china][0]} in China"


def _flight(data: View, full: int, squad: Mapping[str, Plane]) -> Flight:
    number, _, sole = data["key"].removeprefix("flight-").partition("-")
    name = f"Lone bomber of flight {number}" if sole or data["alone"] else f"Flight {number}"
    short = f"{number}{chr(96 + int(sole)) if sole.isdecimal() else '*' if sole else ''}"
    planes = [squad[key] for key in data["members"]]
    height = "high" if data["high"] else "low"
    where = f"landed at {data['site_name']}" if data["site"] else f"zone {data['zone'][1:]}"
    flying = sum(not plane.fate for plane in planes)
    loaded = sum(plane.loaded and not plane.fate for plane in planes)
    title = f"{name}: {count(flying, 'bomber')}, {loaded} loaded; {where}, {height}, fuel {data['fuel']}"
    hazards = [hazard(one) for one in data["assigned"]]
    title += f"; {count(len(hazards), 'hazard')} to share out" if hazards else ""
    return Flight(
        data["key"],
        name,
        short,
        data["zone"],
        data["fuel"],
        full,
        data["high"],
        data["alone"],
        data["site_name"] if data["site"] else "",
        data["acts"],
        planes,
        hazards,
        title,
    )


def draw_words(draws: Sequence[Sequence[Any]]) -> str:
    """[8.3.2] The hazards drawn in a zone, in a few words.

    >>> draw_words([["II", 2, False, 0, False], ["alert", 1, True, 1, False]])
    '2 II; 1 alert per flight, from alert 1'
    >>> draw_words([["alert", 0, False, 0, True]])
    'alert: half the alert level'
    """
    return "; ".join(_draw(*draw) for draw in draws)


def _draw(cup: str, markers: int, each: bool, alert: int, halved: bool) -> str:
    text = f"{cup}: half the alert level" if halved else f"{markers} {cup}"
    return f"{text}{' per flight' if each else ''}{f', from alert {alert}' if alert else ''}"


def _zone(data: View) -> Zone:
    draws = draw_words(data["draws"])
    markers = [hazard(one) for one in data["markers"]]
    vessels, waiting = [one for one in markers if not one.hidden], [one for one in markers if one.hidden]
    texts = [f"Zone {data['key'][1:]}, {data['name']}, {data['light']}", f"hazards: {draws}"]
    texts += [", ".join(one.title.split(".")[0] for one in vessels)] if vessels else []
    texts += [f"{count(len(waiting), 'hazard')} face down, to be assigned"] if waiting else []
    return Zone(
        data["key"],
        data["name"],
        data["light"],
        data["china"],
        data["japan"],
        draws,
        vessels,
        waiting,
        "; ".join(texts),
    )


def _wind(data: View) -> Wind:
    text = data["title"] or "wind not known"
    title = f"Zones {', '.join(zone[1:] for zone in data['zones'])}: {text}, {data['weather'] or 'weather not known'}"
    return Wind(data["key"], data["zones"], data["wind"], text, data["weather"], title)


def _goal(data: View, zones: Sequence[str]) -> Goal:
    numbers = f"{data['day']}/{data['night']}"
    beacon = data.get("beacon")
    texts = [f"{data['name']}: {data['day']} to find by day, {data['night']} by night"]
    texts += [f"landing {data['landing']}"] if "landing" in data else []
    texts += [f"{data['fuel']} fuel to find it from zone {zone[1:]}" for zone in data.get("fuel_from", ())]
    texts += [f"beacon {beacon or 'not yet heard'}"] if beacon is not None else []
    texts += [f"{data['stock']} fuel waits"] if data.get("stock") else []
    texts += [f"blast {data['blast']}"] if data.get("blast") else []
    texts += ["lights out"] if data.get("dark") else []
    texts += [f"{count(data['contact'], 'contact marker')}: a re-roll each"] if data.get("contact") else []
    return Goal(
        data["key"],
        data["name"],
        data.get("country", ""),
        zones,
        numbers,
        data.get("landing", 0),
        beacon,
        data.get("blast", 0),
        data.get("dark", False),
        data.get("contact", 0),
        data.get("stock", 0),
        data.get("fuel_from", ()),
        data.get("fuel", 0),
        "; ".join(texts),
    )


def way(data: View | None, squad: Mapping[str, Plane]) -> Way | None:
    """[5.0] The flight map, if there is one."""
    if data is None:
        return None
    japan = [zone["key"] for zone in data["zones"] if zone["japan"]]
    return Way(
        data["turn"],
        data["hour"],
        data["china"],
        [(label, light) for label, light in data["clock"]],
        [(key, title) for key, title in data["phases"]],
        [_zone(zone) for zone in data["zones"]],
        [_wind(wind) for wind in data["winds"]],
        [_flight(flight, data["fuel"], squad) for flight in data["flights"]],
        [_goal(city, japan) for city in data["cities"]],
        [_goal(site, site["zones"]) for site in data["sites"]],
    )
