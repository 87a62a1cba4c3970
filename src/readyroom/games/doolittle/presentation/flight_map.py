"""[5.0, 7.0] The flight map, in words and figures for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.presentation.squadron import Hazard, Plane, Shown, hazard


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
    def told(self) -> str:
        """What time it is."""
        return f"{self.clock[self.hour][0]} in Japan, {self.clock[self.china][0]} in China"


def _flight(found: Shown, full: int, squad: Mapping[str, Plane]) -> Flight:
    number, _, alone = found["key"].removeprefix("flight-").partition("-")
    name = f"Lone bomber of flight {number}" if alone or found["alone"] else f"Flight {number}"
    short = f"{number}{chr(96 + int(alone)) if alone.isdecimal() else '*' if alone else ''}"
    planes = [squad[key] for key in found["members"]]
    height = "high" if found["high"] else "low"
    where = f"landed at {found['site_name']}" if found["site"] else f"zone {found['zone'][1:]}"
    flying = sum(not plane.fate for plane in planes)
    loaded = sum(plane.loaded and not plane.fate for plane in planes)
    title = f"{name}: {count(flying, 'bomber')}, {loaded} loaded; {where}, {height}, fuel {found['fuel']}"
    hazards = [hazard(one) for one in found["assigned"]]
    title += f"; {count(len(hazards), 'hazard')} to share out" if hazards else ""
    return Flight(
        found["key"],
        name,
        short,
        found["zone"],
        found["fuel"],
        full,
        found["high"],
        found["alone"],
        found["site_name"] if found["site"] else "",
        found["acts"],
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
    words = f"{cup}: half the alert level" if halved else f"{markers} {cup}"
    return f"{words}{' per flight' if each else ''}{f', from alert {alert}' if alert else ''}"


def _zone(found: Shown) -> Zone:
    draws = draw_words(found["draws"])
    markers = [hazard(one) for one in found["markers"]]
    vessels, waiting = [one for one in markers if not one.hidden], [one for one in markers if one.hidden]
    words = [f"Zone {found['key'][1:]}, {found['name']}, {found['light']}", f"hazards: {draws}"]
    words += [", ".join(one.title.split(".")[0] for one in vessels)] if vessels else []
    words += [f"{count(len(waiting), 'hazard')} face down, to be assigned"] if waiting else []
    return Zone(
        found["key"],
        found["name"],
        found["light"],
        found["china"],
        found["japan"],
        draws,
        vessels,
        waiting,
        "; ".join(words),
    )


def _wind(found: Shown) -> Wind:
    words = found["title"] or "wind not known"
    title = (
        f"Zones {', '.join(zone[1:] for zone in found['zones'])}: {words}, {found['weather'] or 'weather not known'}"
    )
    return Wind(found["key"], found["zones"], found["wind"], words, found["weather"], title)


def _goal(found: Shown, zones: Sequence[str]) -> Goal:
    numbers = f"{found['day']}/{found['night']}"
    beacon = found.get("beacon")
    words = [f"{found['name']}: {found['day']} to find by day, {found['night']} by night"]
    words += [f"landing {found['landing']}"] if "landing" in found else []
    words += [f"{found['fuel']} fuel to find it from zone {zone[1:]}" for zone in found.get("fuel_from", ())]
    words += [f"beacon {beacon or 'not yet heard'}"] if beacon is not None else []
    words += [f"{found['stock']} fuel waits"] if found.get("stock") else []
    words += [f"blast {found['blast']}"] if found.get("blast") else []
    words += ["lights out"] if found.get("dark") else []
    words += [f"{count(found['contact'], 'contact marker')}: a re-roll each"] if found.get("contact") else []
    return Goal(
        found["key"],
        found["name"],
        found.get("country", ""),
        zones,
        numbers,
        found.get("landing", 0),
        beacon,
        found.get("blast", 0),
        found.get("dark", False),
        found.get("contact", 0),
        found.get("stock", 0),
        found.get("fuel_from", ()),
        found.get("fuel", 0),
        "; ".join(words),
    )


def way(found: Shown | None, squad: Mapping[str, Plane]) -> Way | None:
    """[5.0] The flight map, if there is one."""
    if found is None:
        return None
    japan = [zone["key"] for zone in found["zones"] if zone["japan"]]
    return Way(
        found["turn"],
        found["hour"],
        found["china"],
        [(label, light) for label, light in found["clock"]],
        [(key, title) for key, title in found["phases"]],
        [_zone(zone) for zone in found["zones"]],
        [_wind(wind) for wind in found["winds"]],
        [_flight(flight, found["fuel"], squad) for flight in found["flights"]],
        [_goal(city, japan) for city in found["cities"]],
        [_goal(site, site["zones"]) for site in found["sites"]],
    )
