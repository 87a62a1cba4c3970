"""Board contents as text and numbers, shared by the terminal and the drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as calendar_day
from datetime import timedelta
from typing import Any

from readyroom.engine.game import MatchView, View
from readyroom.games.picket.figures import date
from readyroom.games.picket.figures_common import BEARINGS, HEIGHTS, KINDS, SECTIONS, Kind, Section, section_of
from readyroom.games.picket.hits import Mark, marks
from readyroom.games.picket.state import CHIEFS, DESTROYED, WATCHES
from readyroom.games.picket.text import a, count, signed, weapon_name

TRACKS = {
    "hull": "Hull",
    "maneuver": "Maneuver",
    "ammunition": "Ammunition",
    "fuel": "Fuel",
    "flood": "Afloat",
}
"""[1.2.1] The tracks, in the order of the map."""
RANKS = {
    "captain": "CO",
    "executive": "XO",
    "engineer": "ENG",
    "gunnery": "GUN",
    "damage-control": "DC",
    "chief": "CPO",
    "repair-1": "R1",
    "repair-2": "R2",
    "repair-3": "R3",
}
"""What stands on an officer's counter."""
SHORT = {
    "cic": "CIC",
    "magazine-1": "5-in. mag. 1",
    "magazine-2": "5-in. mag. 2",
    "magazine-3": "5-in. mag. 3",
    "magazine-4": "5-in. mag. 4",
    "magazine-5": "5-in. mag. 5",
    "forward-40mm-magazine": "40mm mag.",
    "forward-20mm-magazine": "20mm mag.",
    "aft-40mm-magazine": "40mm mag.",
    "aft-20mm-magazine": "20mm mag.",
    "forward-fuel": "Fuel tanks",
    "aft-fuel": "Fuel tanks",
    "forward-fire-room": "Fire room",
    "aft-fire-room": "Fire room",
    "forward-engine-room": "Engine room",
    "aft-engine-room": "Engine room",
    "forward-stack": "Stack",
    "aft-stack": "Stack",
    "radio": "Radio",
    "steering-room": "Steering",
    "port-shaft": "Port shaft",
    "starboard-shaft": "Stbd. shaft",
    "plotting-room": "Plotting Room",
    "staterooms": "Staterooms",
    "depth-charge-racks": "Depth Charges",
    "forward-peak": "Peak Tank",
    "after-peak": "Peak Tank",
    "radar-shop": "Radar Shop",
    "torpedo-1": "Torpedoes 1",
    "torpedo-2": "Torpedoes 2",
    "diesel-tank": "Diesel Tank",
    "feed-tank": "Feed Tank",
    "repair-locker-1": "Locker 1",
    "repair-locker-2": "Locker 2",
    "repair-locker-3": "Locker 3",
}
"""Names that are too long for a room of the drawing."""
GEAR = {"mk37": "Mk 37", "radar-sg": "SG", "radar-sc": "SC"}
"""What directors and radars are called where there is little room; a 40mm director has the letter of its tub."""
WEATHER = {"clear": "clear", "rain": "rain", "storm": "storm"}
AIR = {"carrier": "from carriers", "land": "from land"}


@dataclass(frozen=True, slots=True)
class Track:
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


@dataclass(frozen=True, slots=True)
class Plane:
    """[6.6] An attacker."""

    key: str
    type: str
    name: str
    engines: int
    weapon: str
    bearing: int
    height: str
    section: str
    hits: int
    fate: str

    @property
    def where(self) -> str:
        """Return the position in words."""
        if self.weapon:
            return f"at the {self.section} section" if self.section else "not yet seen"
        return f"{self.bearing:03d} degrees, {HEIGHTS[self.height]}"  # type: ignore[index]

    @property
    def title(self) -> str:
        """Return the full description."""
        armed = f" with {a(weapon_name(self.weapon))}" if self.weapon else ""
        state = {"flamed": ", going down in flames", "destroyed": ", destroyed"}.get(self.fate, "")
        hits = f", {count(self.hits, 'hit')}" if self.hits else ""
        return f"{self.name}{armed}, {self.where}{hits}{state}"

    @property
    def label(self) -> str:
        """Return the drawn label followed by the full description."""
        return f"{self.name} {self.height or self.section}".strip() + self.title.removeprefix(self.name)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the ship that can be damaged: a compartment, gun, director or radar."""

    key: str
    name: str
    short: str
    section: Section
    boxes: int
    hits: int
    destroyed: bool
    flooded: bool
    floods: bool
    men: int
    note: str = ""

    @property
    def hurt(self) -> bool:
        """Return whether it has any damage."""
        return bool(self.hits or self.destroyed or self.flooded)

    @property
    def burns(self) -> bool:
        """[7.3.A] Return whether it has a fire marker."""
        return bool(self.hits) and not self.flooded and not self.destroyed

    @property
    def state(self) -> str:
        """Return its state in words."""
        states = ["destroyed"] if self.destroyed else [count(self.hits, "hit")] if self.hits else []
        states += ["flooded"] if self.flooded else []
        states += [f"{self.men} at work"] if self.men else []
        states += [self.note] if self.note else []
        return ", ".join(states)

    @property
    def title(self) -> str:
        """Return name and state."""
        state = self.state
        return f"{self.name}: {state}" if state else f"{self.name}, whole"

    @property
    def label(self) -> str:
        """Return the drawn label followed by the full description."""
        return self.title if self.short.lower() in self.name.lower() else f"{self.short}, {self.title}"


@dataclass(frozen=True, slots=True)
class Mount:
    """[1.1, 6.8] A gun: a part of the ship with an arc."""

    part: Part
    kind: Kind
    arc: Sequence[int]
    works: bool
    kills: int
    ace: bool

    @property
    def title(self) -> str:
        """Return the full description."""
        kills = f", {count(self.kills, 'plane')} shot down" if self.kills else ""
        arc = ", ".join(f"{bearing:03d}" for bearing in self.arc)
        return f"{self.part.title}{kills}; bears {arc}"


@dataclass(frozen=True, slots=True)
class Officer:
    """[1.3.1] A key officer or a repair chief."""

    key: str
    rank: str
    name: str
    value: int
    place: str
    dead: bool

    @property
    def title(self) -> str:
        """Return the full description."""
        return f"{self.rank}, {self.name}: {'killed' if self.dead else f'value {signed(self.value)}'}"


@dataclass(frozen=True, slots=True)
class Burst:
    """[1.5] A hit of this turn: where it struck and what it did."""

    bearing: int
    section: Section
    near: bool
    title: str


@dataclass(frozen=True, slots=True)
class Day:
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


@dataclass(frozen=True, slots=True)
class Party:
    """[1.3.2] The repair party of a section: its free men, and the fires on its deck."""

    section: Section
    chief: int
    free: int
    fires: int


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything the board shows."""

    title: str
    ship: str
    advanced: bool
    campaign: bool
    date: calendar_day
    turn: int
    turns: int
    watch: str
    hours: str
    score: int
    needs: str
    shot: int
    attackers: int
    station: int
    sea: View
    tracks: Sequence[Track]
    heel: int
    trim: int
    morale: int
    morale_most: int
    water_lines: tuple[int, int]
    most_fires: int
    lost: bool
    fate: str
    masked_heights: Mapping[str, Sequence[str]]
    planes: Sequence[Plane]
    specials: Sequence[Plane]
    to_come: Sequence[tuple[int, Sequence[Plane], Sequence[Plane]]]
    wave: int
    waves: int
    maneuvered: bool | None
    support: tuple[int, int]
    mounts: Sequence[Mount]
    rooms: Mapping[str, Part]
    spaces: Sequence[Part]
    gear: Sequence[Part]
    officers: Sequence[Officer]
    parties: Mapping[Section, Party]
    bursts: Sequence[Burst]
    log: Sequence[Mark]
    kills: Mapping[str, int]
    ace_kills: int
    days: Sequence[Day]

    @property
    def raided(self) -> bool:
        """Return whether planes are in sight."""
        return bool(self.planes or self.specials or self.to_come)

    @property
    def lines(self) -> list[str]:
        """Return ship, station, date, watch and weather."""
        lines = [self.ship, f"station {self.station}" if self.station else "at the anchorage", date_text(self.date)]
        lines += [f"{self.watch}, {self.hours}"] if self.watch else []
        lines.append(WEATHER[self.sea["weather"]])
        return lines

    @property
    def helpers(self) -> str:
        """[5.1, 5.2, 6.5] Describe air support, gunboats and direction team."""
        air, surface = self.support
        kinds = " and ".join(AIR[kind] for kind in self.sea["air"])
        planes = (
            f"air support{f' {kinds}' if kinds else ''}, {count(air, 'marker')}" if kinds or air else "no air support"
        )
        ships = f"{count(surface, 'gunboat')}" if surface else "no gunboats"
        team = "a direction team" if self.sea["team"] else "no direction team"
        return f"{planes}; {ships}; {team}"


def date_text(day: calendar_day) -> str:
    """Return a date as text.

    >>> date_text(calendar_day(1945, 4, 6))
    '6 April 1945'
    """
    return f"{day.day} {day:%B %Y}"


# -- reading a view --------------------------------------------------------------------------------------------------


def read_scene(view: MatchView[Any]) -> Scene:
    """Build the scene from the captain's view."""
    table = view.table
    ship, sea, raid = table["ship"], table["sea"], table["raid"]
    return Scene(
        **_when(view),
        **_afloat(ship),
        **_raided(raid),
        score=table["score"],
        needs=table["needs"],
        shot=table["tally"]["shot"],
        attackers=table["tally"]["planes"],
        station=sea["station"],
        sea=sea,
        support=(sea["markers"], raid["surface"] if raid["waves"] else sea["surface"]),
        bursts=[_burst(hit) for hit in table["hits"] if hit["turn"] == view.turn],
        log=marks(table),
        kills=table["tally"]["kills"],
        ace_kills=table["ace_kills"],
        days=list(_days(table)) if table["campaign"] else [],
    )


def _when(view: MatchView[Any]) -> dict[str, Any]:
    """Return the fields for scenario and time."""
    table = view.table
    return {
        "title": table["title"],
        "advanced": table["advanced"],
        "campaign": table["campaign"],
        "date": calendar_day.fromisoformat(table["date"]),
        "turn": max(1, view.turn),
        "turns": table["turns"],
        "watch": table["watch"] if view.phase.startswith(table["watch"]) else "",
        "hours": table["hours"],
    }


def _afloat(ship: View) -> dict[str, Any]:
    """Return the fields for the ship, her guns, compartments and crew."""
    return {
        "ship": ship["name"],
        "tracks": list(_tracks(ship)),
        "heel": ship["list"],
        "trim": ship["trim"],
        "morale": ship["morale"],
        "morale_most": ship["morale_most"],
        "water_lines": (ship["water_lines"], ship["water_lines_full"]),
        "most_fires": ship["deck_fires"],
        "lost": bool(ship["lost"]),
        "fate": _fate(ship),
        "masked_heights": ship["barred"],
        "mounts": [_mount(mount) for mount in ship["mounts"]],
        "rooms": {room["key"]: _room(room) for room in ship["rooms"]},
        "spaces": [_space(space) for space in ship["spaces"]],
        "gear": [_gear(gear) for gear in ship["gear"]],
        "officers": [_officer(officer) for officer in ship["officers"]],
        "parties": dict(_parties(ship)),
    }


def _raided(raid: View) -> dict[str, Any]:
    """Return the fields for the current wave and the later ones."""
    now = raid["waves"][raid["wave"] - 1] if raid["wave"] <= len(raid["waves"]) else {"planes": (), "specials": ()}
    return {
        "planes": _planes(now["planes"]),
        "specials": _planes(now["specials"]),
        "to_come": list(_to_come(raid)),
        "wave": raid["wave"],
        "waves": len(raid["waves"]),
        "maneuvered": raid["maneuvered"],
    }


def _fate(ship: View) -> str:
    if ship["lost"]:
        return str(ship["lost"])
    return f"returns to the anchorage: {ship['leaves']}" if ship["leaves"] else ""


def _tracks(ship: View) -> Iterator[Track]:
    for key, name in TRACKS.items():
        level = ship["tracks"][key]
        zone = "red" if level <= ship["red"] else "yellow" if level <= ship["yellow"] else "green"
        yield Track(key, name, level, ship["full"], zone)


def _planes(planes: Sequence[View]) -> list[Plane]:
    """[6.6] Return planes by bearing, the highest first."""
    attackers = [
        Plane(
            plane["key"],
            plane["plane"],
            plane["name"],
            plane["engines"],
            plane.get("weapon", ""),
            plane.get("bearing", -1),
            plane.get("height", ""),
            plane.get("section", ""),
            plane.get("hits", 0),
            plane.get("fate", ""),
        )
        for plane in planes
    ]
    order = list(HEIGHTS)
    return sorted(attackers, key=lambda one: (one.bearing, order.index(one.height) if one.height else 0))  # type: ignore[arg-type]


def _to_come(raid: View) -> Iterator[tuple[int, list[Plane], list[Plane]]]:
    """[6.6.G] Yield the waves after the current one."""
    for number, wave in enumerate(raid["waves"], start=1):
        if number > raid["wave"]:
            yield number, _planes(wave["planes"]), _planes(wave["specials"])


def _mount(mount: View) -> Mount:
    destroyed = mount["hits"] >= mount["boxes"]
    silent = "silent" if not mount["works"] and not destroyed else ""
    note = ", ".join(
        filter(None, [silent, "its director works" if mount["directed"] else "", "aces" if mount["ace"] else ""])
    )
    name = f"{mount['kind']} mount {mount['name']}"
    part = Part(
        mount["key"],
        name,
        mount["name"],
        mount["section"],
        mount["boxes"],
        mount["hits"],
        destroyed,
        False,
        False,
        mount["men"],
        note,
    )
    return Mount(part, mount["kind"], tuple(mount["arc"]), mount["works"], mount["kills"], mount["ace"])


def _room(room: View) -> Part:
    return Part(
        room["key"],
        room["name"],
        SHORT.get(room["key"], str(room["name"])),
        room["section"],
        room["boxes"],
        room["boxes"] if room["destroyed"] else room["hits"],
        room["destroyed"],
        room["flooded"],
        room["floods"],
        room["men"],
        "its men stayed" if room["held"] else "",
    )


def _space(space: View) -> Part:
    return Part(
        space["key"],
        space["name"],
        SHORT.get(space["key"], str(space["name"])),
        space["section"],
        DESTROYED,
        space["boxes"],
        space["boxes"] >= DESTROYED,
        space["flooded"],
        space["floods"],
        int(space["man"]),
    )


def _gear(gear: View) -> Part:
    key = gear["key"]
    short: str = GEAR.get(key, key.rpartition("-")[2].upper())
    destroyed = gear["hits"] >= DESTROYED
    return Part(
        key,
        gear["name"],
        short,
        gear["section"],
        DESTROYED,
        gear["hits"],
        destroyed,
        False,
        False,
        int(gear["man"]),
    )


def _officer(officer: View) -> Officer:
    key = officer["key"]
    return Officer(key, RANKS[key], officer["name"], officer["value"], officer["place"], officer["dead"])


def _parties(ship: View) -> Iterator[tuple[Section, Party]]:
    values = {officer["key"]: officer["value"] for officer in ship["officers"]}
    for section in SECTIONS:
        yield section, Party(section, values[CHIEFS[section]], ship["men"][section], ship["fires"][section])


def _burst(hit: View) -> Burst:
    """[7.1.C] Return a hit in the section of its bearing; a special attacker names its own section."""
    bearing, near = hit["bearing"], hit["near"]
    named = hit["height"] if bearing < 0 else section_of(bearing)
    where = f"at the {named} section" if bearing < 0 else f"from {bearing:03d} {hit['height']}"
    _, _, weapon = hit["plane"].partition(" ")
    what = f"{weapon_name(weapon)} of {a(hit['name'])}" if weapon else str(hit["name"])
    did = ", ".join(hit["told"]) or "nothing more"
    text = f"{what}{' alongside' if near else ''} {where}, {hit['watch']}: {did}"
    return Burst(bearing, named, near, text[0].upper() + text[1:])


def _days(table: View) -> Iterator[Day]:
    """[1.6] Yield the days of the campaign with great raids and land radars."""
    calendar, today = table["calendar"], calendar_day.fromisoformat(table["date"])
    day, last = date(calendar["first"]), date(calendar["last"])
    radars = {date(since): name for name, since in calendar["land_radar"]}
    while day <= last:
        raid = next((number for number, since, to in calendar["kikusui"] if date(since) <= day <= date(to)), 0)
        yield Day(day, raid, radars.get(day, ""), day == today, day < today)
        day += timedelta(days=1)


def by_bearing(planes: Sequence[Plane]) -> dict[int, list[Plane]]:
    """[6.6] Return planes by bearing, for all eight bearings."""
    return {bearing: [plane for plane in planes if plane.bearing == bearing] for bearing in BEARINGS}


def by_kind(mounts: Sequence[Mount]) -> dict[Kind, list[Mount]]:
    """[1.1] Return guns by kind, the heaviest first."""
    return {kind: [mount for mount in mounts if mount.kind == kind] for kind in KINDS}


WATCH_NAMES = {watch: watch.capitalize() for watch in WATCHES}
