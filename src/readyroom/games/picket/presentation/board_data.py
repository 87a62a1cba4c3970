"""What both boards derive from a view: tracks, days, support, and the lines at the top."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as calendar_day
from datetime import timedelta
from typing import NamedTuple

from readyroom.engine.text import count_noun
from readyroom.games.picket.figures.common import BEARINGS, KINDS, Kind
from readyroom.games.picket.figures.data import date
from readyroom.games.picket.ship.view import MountView, ShipView
from readyroom.games.picket.view import CaptainView, CruiseView, PlaneView

TRACKS = {
    "hull": "Hull",
    "maneuver": "Maneuver",
    "ammunition": "Ammunition",
    "fuel": "Fuel",
    "flood": "Afloat",
}
"""[1.2.1] The tracks, in the order of the map."""
AIR = {"carrier": "from carriers", "land": "from land"}


class Track(NamedTuple):
    """[1.2.1] A track: its level and its colour zone."""

    key: str
    name: str
    level: int
    full: int
    zone: str

    @property
    def title(self) -> str:
        """Return name, level and zone."""
        return f"{self.name}: {self.level} of {self.full}, {self.zone}"


def tracks(ship: ShipView) -> list[Track]:
    """[1.2.1] Return the tracks with their zones; nothing is left of a lost ship."""
    tracks = []
    for key, name in TRACKS.items():
        level = 0 if ship.lost else getattr(ship.tracks, key)
        zone = "red" if level <= ship.red else "yellow" if level <= ship.yellow else "green"
        tracks.append(Track(key, name, level, ship.full, zone))
    return tracks


class Day(NamedTuple):
    """[1.6] A day of the time record."""

    date: calendar_day
    raid: int
    radar: str
    now: bool
    past: bool

    @property
    def title(self) -> str:
        """Return the date with its raid and radar."""
        raid = f", great raid {self.raid}" if self.raid else ""
        radar = f", radar {self.radar}" if self.radar else ""
        return f"{date_text(self.date)}{raid}{radar}"


def days(table: CruiseView) -> list[Day]:
    """[1.6] Return the days of a campaign with great raids and land radars."""
    calendar, today = table.calendar, calendar_day.fromisoformat(table.date)
    first, last = date(calendar.first), date(calendar.last)
    radars = {date(since): name for name, since in calendar.land_radar}
    record = []
    for day in (first + timedelta(days=at) for at in range((last - first).days + 1)) if table.campaign else ():
        raid = next((number for number, since, to in calendar.kikusui if date(since) <= day <= date(to)), 0)
        record.append(Day(day, raid, radars.get(day, ""), day == today, day < today))
    return record


def date_text(day: calendar_day) -> str:
    """Return a date as text.

    >>> date_text(calendar_day(1945, 4, 6))
    '6 April 1945'
    """
    return f"{day.day} {day:%B %Y}"


def current_watch(view: CaptainView) -> str:
    """[3.0] Return the phase of the day; nothing between the days."""
    return view.table.watch if view.phase.startswith(view.table.watch) else ""


def whereabouts(table: CruiseView) -> str:
    """[4.0] Return the station of the ship, that she is at the anchorage, or that she is lost."""
    return "lost" if table.ship.lost else f"station {table.sea.station}" if table.sea.station else "at the anchorage"


def top_lines(view: CaptainView) -> list[str]:
    """Return ship, station, date, watch and weather."""
    table, watch = view.table, current_watch(view)
    lines = [table.ship.name, whereabouts(table), date_text(calendar_day.fromisoformat(table.date))]
    return [*lines, *([f"{watch}, {table.hours}"] if watch else []), table.sea.weather]


def support(table: CruiseView) -> tuple[int, int]:
    """[5.2, 6.5] Return the markers of air support, and the gunboats that the wave leaves."""
    return table.sea.markers, table.raid.surface if table.raid.waves else table.sea.surface


def support_text(table: CruiseView) -> str:
    """[5.1, 5.2, 6.5] Describe air support, gunboats and direction team."""
    air, surface = support(table)
    kinds = " and ".join(AIR[kind] for kind in table.sea.air)
    markers = count_noun(air, "marker")
    planes = f"air support{f' {kinds}' if kinds else ''}, {markers}" if kinds or air else "no air support"
    ships = count_noun(surface, "gunboat") if surface else "no gunboats"
    return f"{planes}; {ships}; {'a' if table.sea.team else 'no'} direction team"


def by_bearing(planes: Sequence[PlaneView]) -> dict[int, list[PlaneView]]:
    """[6.6] Return planes by bearing, for all eight bearings."""
    return {bearing: [plane for plane in planes if plane.bearing == bearing] for bearing in BEARINGS}


def by_kind(mounts: Sequence[MountView]) -> dict[Kind, list[MountView]]:
    """[1.1] Return guns by kind, the heaviest first."""
    return {kind: [mount for mount in mounts if mount.kind == kind] for kind in KINDS}
