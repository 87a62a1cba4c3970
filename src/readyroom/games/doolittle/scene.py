"""What the board shows, in words and figures for a reader: the same for the terminal and for the drawn board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readyroom.engine.game import View

Shown = Mapping[str, Any]
SHORT = {
    "balloons": "wires",
    "break-off": "breaks",
    "crash": "crash",
    "panicked-streets": "panic",
    "ryuho": "CV",
    "hiyo": "CV",
    "compass-error": "compass",
    "faulty-compass": "compass",
    "faulty-doors": "doors",
    "flying-boat": "boat",
    "fuel-leak": "leak",
    "fuel-evaporation": "dry tank",
    "mechanical": "engine",
    "medals": "medals",
    "vessel": "vessel",
    "interceptor": "fighter",
}
"""Kinds of markers, as short as a chip has room for."""
LETTERS = {"approach": "A", "detonation": "D", "gunnery": "G", "landing": "L"}
"""What a marker adds to, in a letter."""
FATES = {
    "home": "home",
    "destroyed": "destroyed",
    "ditched": "down",
    "captured": "captured",
    "landed": "landed",
    "crashed": "crashed",
    "ashore": "ashore",
    "overboard": "overboard",
    "saved": "saved",
    "wrecked": "burned",
    "seized": "seized",
    "interned": "interned",
}
ROLES = {
    "pilot": "pilot",
    "copilot": "copilot",
    "doctor": "doctor",
    "engineer": "engineer",
    "gunner": "gunner",
    "navigator": "navigator",
    "bombardier": "bombardier",
}
LIGHTS = {"day": "by day", "night": "by night"}
COUNTRIES = {"china": "China", "ussr": "Soviet Union", "korea": "Korea"}
CUPS = {"I": "I", "II": "II", "III": "III", "alert": "alert"}


def signed(value: int) -> str:
    """A value with its sign, as it is printed.

    >>> signed(2), signed(0), signed(-1)
    ('+2', '0', '−1')
    """
    return f"{value:+d}".replace("-", "−") if value else "0"


def many(number: int, thing: str) -> str:
    """So many things, in words.

    >>> many(1, "blast"), many(3, "hit")
    ('1 blast', '3 hits')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Hazard:
    """[4.2, 4.6.3, 8.3.7] A marker: face down with its front, or turned over; then its key is known."""

    at: str
    key: str
    kind: str
    short: str
    title: str
    hidden: bool
    fighter: bool
    box: bool

    @property
    def style(self) -> str:
        """What it looks like."""
        if self.hidden:
            return "hidden"
        return "good" if self.short.startswith(("A+", "D+", "medals", "CV")) else "open"


@dataclass(frozen=True, slots=True)
class Elite:
    """[2.3] An elite crewman."""

    name: str
    role: str
    benefit: str
    used: bool
    title: str


@dataclass(frozen=True, slots=True)
class Plane:
    """[2.1] A bomber."""

    key: str
    number: int
    pilot: str
    serial: str
    loaded: bool
    hits: int
    elite: Elite | None
    attached: Sequence[Hazard]
    assigned: Sequence[Hazard]
    fumes: int
    area: str
    box: str
    enters: int
    fate: str
    status: str
    flight: str
    title: str

    @property
    def hazards(self) -> Sequence[Hazard]:
        """[4.4] All hazards that it has, in the order in which it is asked about them."""
        return (*self.assigned, *self.attached)

    @property
    def lost(self) -> bool:
        """Whether nothing is left of it."""
        return self.fate in ("destroyed", "captured", "ditched")


@dataclass(frozen=True, slots=True)
class Box:
    """[3.3] A target box."""

    key: str
    name: str
    approach: int
    detonation: int
    blast: int
    hazards: Sequence[Hazard]
    title: str


@dataclass(frozen=True, slots=True)
class Area:
    """[3.2] An area of a target map."""

    key: str
    name: str
    limit: int
    perimeter: bool
    blast: int
    hazards: Sequence[Hazard]
    boxes: Sequence[Box]
    planes: Sequence[Plane]
    title: str


@dataclass(frozen=True, slots=True)
class City:
    """[3.0] A target map."""

    key: str
    title: str
    light: str
    dark: bool
    tally: int
    steps: Sequence[int]
    left: tuple[int, int]
    met: Sequence[str]
    areas: Sequence[Area]

    @property
    def adds(self) -> int:
        """[3.4] What the tally adds to the hazards of an area."""
        return self.steps[min(self.tally, len(self.steps) - 1)]


@dataclass(frozen=True, slots=True)
class Raid:
    """[4.0] The attack that goes on."""

    turn: int
    turns: int
    high: bool
    flight: str
    entry: str
    phases: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Security:
    """[6.1] The security track."""

    alert: int
    most: int
    failed: int
    risk: int
    value: int

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What it says."""
        return [
            ("Alert", f"{self.alert} of {self.most}"),
            ("Failed tests", str(self.failed)),
            ("Risk", str(self.risk)),
            ("Secrecy value", f"{self.value} dice"),
        ]


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
    """[5.1] A flight zone."""

    key: str
    name: str
    light: str
    china: bool
    japan: bool
    draws: str
    vessels: Sequence[Hazard]
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
    title: str


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


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that the board shows."""

    title: str
    phase: str
    points: int
    security: Security
    ratings: Shown
    squad: Sequence[Plane]
    city: City | None
    raid: Raid | None
    way: Way | None
    over: bool

    @property
    def mission(self) -> Sequence[Plane]:
        """The bombers of the attack that goes on; all of them where there are no flights."""
        if self.raid is None or not self.raid.flight:
            return self.squad
        return [plane for plane in self.squad if plane.flight == self.raid.flight]

    @property
    def lines(self) -> list[str]:
        """Where the raid stands, in a few words each."""
        found = [self.title]
        if self.city is not None:
            found.append(f"{self.city.title} {LIGHTS[self.city.light]}")
        if self.raid is not None:
            found.append(f"attack turn {max(1, self.raid.turn)} of {self.raid.turns}")
        elif self.way is not None:
            found += [f"flight turn {self.way.turn}", self.way.told]
        return found


# -- markers and bombers ---------------------------------------------------------------------------------------------


def hazard(found: Shown) -> Hazard:
    """A marker as it lies."""
    fighter, box = found["fighter"], found["box"]
    if "kind" not in found:
        red = " with the red box" if box else ""
        title = f"An interceptor's front{red}" if fighter else f"A hazard face down{red}"
        return Hazard(found["at"], "", "", "?", title, True, fighter, box)
    return Hazard(found["at"], found["key"], found["kind"], _short(found), _told(found), False, fighter, box)


def _short(found: Shown) -> str:
    """A marker in a few letters: its range, what it adds, or a word."""
    if found.get("range"):
        low, high = found["range"]
        return str(low) if low == high else f"{low}-{high}"
    adds = "".join(f"{LETTERS[what]}{signed(value)}" for what, value in found.get("adds", {}).items())
    named = SHORT.get(found["kind"])
    return named or adds or str(found["name"]).lower()[:8]


def _told(found: Shown) -> str:
    words = str(found["name"])
    if found.get("range"):
        low, high = found["range"]
        words += f", hits on {low}" if low == high else f", hits on {low} to {high}"
    for what, value in found.get("adds", {}).items():
        words += f", {what} {signed(value)}"
    return f"{words}{', stays' if found.get('stay') else ''}. {found['text']}".strip()


def _elite(found: Shown | None) -> Elite | None:
    if found is None:
        return None
    spent = ", used" if found["used"] else ", once" if found["once"] else ""
    title = f"{found['name']}, elite {found['role']}: {found['benefit'].lower()}{spent}"
    return Elite(found["name"], ROLES[found["role"]], found["benefit"].lower(), found["used"], title)


def _plane(found: Shown, number: int, names: Mapping[str, str]) -> Plane:
    elite = _elite(found["elite"])
    attached = [hazard(one) for one in found["attached"]]
    assigned = [hazard(one) for one in found["assigned"]]
    status = _status(found, names)
    carries = "bombs aboard" if found["loaded"] else "bombs gone"
    words = [f"{found['pilot']}, bomber {number}", carries]
    words += ["damaged"] if found["hits"] and not found["fate"] else []
    words += [status, elite.title if elite else ""]
    words += [many(found["fumes"], "marker") + " of fumes"] if found["fumes"] else []
    words += [one.title.split(".")[0] for one in (*assigned, *attached)]
    return Plane(
        found["key"],
        number,
        found["pilot"],
        found["serial"],
        found["loaded"],
        found["hits"],
        elite,
        attached,
        assigned,
        found["fumes"],
        found["area"],
        found["box"],
        found["enters"],
        found["fate"],
        status,
        found["flight"],
        "; ".join(filter(None, words)),
    )


def _status(found: Shown, names: Mapping[str, str]) -> str:
    """Where a bomber is, or what became of it."""
    if found["fate"]:
        where = f", {found['where']}" if found["where"] and found["fate"] not in ("home", "destroyed") else ""
        return f"{FATES[found['fate']]}{where}"
    if found["area"]:
        return names.get(found["box"] or found["area"], found["area"])
    if found["enters"]:
        return f"{'late, ' if found['delayed'] else ''}enters on turn {found['enters']}"
    return f"at {found['site']}" if found["site"] else "in the air"


# -- the target ------------------------------------------------------------------------------------------------------


def _box(found: Shown) -> Box:
    hazards = [hazard(one) for one in found["markers"]]
    words = [f"{found['name']}: approach {found['approach']}, hit {found['detonation']}"]
    words += [f"blast {found['blast']}, it burns"] if found["blast"] else []
    words += [one.title.split(".")[0] for one in hazards]
    title = "; ".join(words)
    return Box(found["key"], found["name"], found["approach"], found["detonation"], found["blast"], hazards, title)


def _area(found: Shown, squad: Sequence[Plane]) -> Area:
    planes = [plane for plane in squad if plane.area == found["key"]]
    hazards = [hazard(one) for one in found["markers"]]
    words = [f"{found['name']}{', on the edge' if found['perimeter'] else ''}"]
    words += [f"at most {many(found['limit'], 'new hazard')} a turn"]
    words += [f"blast {found['blast']}"] if found["blast"] else []
    words += [", ".join(plane.pilot for plane in planes)] if planes else []
    boxes = [_box(one) for one in found["boxes"]]
    return Area(
        found["key"],
        found["name"],
        found["limit"],
        found["perimeter"],
        found["blast"],
        hazards,
        boxes,
        planes,
        "; ".join(words),
    )


def _city(key: str, found: Shown, squad: Sequence[Plane]) -> City:
    areas = [_area(one, squad) for one in found["areas"]]
    left = (found["cup"], found["reserve"])
    often = sorted(found["met"].items(), key=lambda one: (-one[1], one[0]))
    met = [words.replace(",", "") + (f" ×{number}" if number > 1 else "") for words, number in often]
    return City(key, found["title"], found["light"], found["dark"], found["tally"], found["steps"], left, met, areas)


def _raid(found: Shown | None) -> Raid | None:
    if found is None:
        return None
    phases = [(key, title) for key, title in found["phases"]]
    return Raid(found["turn"], found["turns"], found["high"], found["flight"], found["entry"], phases)


# -- the way ---------------------------------------------------------------------------------------------------------


def _flight(found: Shown, full: int, squad: Mapping[str, Plane]) -> Flight:
    number, _, alone = found["key"].removeprefix("flight-").partition("-")
    name = f"Lone bomber of flight {number}" if alone or found["alone"] else f"Flight {number}"
    short = f"{number}{chr(96 + int(alone)) if alone.isdecimal() else '*' if alone else ''}"
    planes = [squad[key] for key in found["members"]]
    height = "high" if found["high"] else "low"
    where = f"landed at {found['site_name']}" if found["site"] else f"zone {found['zone'][1:]}"
    flying = sum(not plane.fate for plane in planes)
    loaded = sum(plane.loaded and not plane.fate for plane in planes)
    title = f"{name}: {many(flying, 'bomber')}, {loaded} loaded; {where}, {height}, fuel {found['fuel']}"
    hazards = [hazard(one) for one in found["assigned"]]
    title += f"; {many(len(hazards), 'hazard')} to share out" if hazards else ""
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
    """[8.3.2] What is drawn in a zone, in a few words.

    >>> draw_words([["II", 2, False, 0, False], ["alert", 1, True, 1, False]])
    '2 II, 1 alert each'
    """
    told = []
    for cup, count, each, alert, halved in draws:
        number = "half the alert:" if halved else str(count)
        told.append(f"{number} {cup}{' each' if each else ''}{f' (from alert {alert})' if alert > 1 else ''}")
    return ", ".join(told)


def _zone(found: Shown) -> Zone:
    draws = draw_words(found["draws"])
    vessels = [hazard(one) for one in found["markers"]]
    words = [f"Zone {found['key'][1:]}, {found['name']}, {found['light']}", f"hazards: {draws}"]
    words += [", ".join(one.title.split(".")[0] for one in vessels)] if vessels else []
    return Zone(
        found["key"],
        found["name"],
        found["light"],
        found["china"],
        found["japan"],
        draws,
        vessels,
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
    words += [f"beacon {beacon or 'not yet heard'}"] if beacon is not None else []
    words += [f"{found['stock']} fuel waits"] if found.get("stock") else []
    words += [f"blast {found['blast']}"] if found.get("blast") else []
    words += ["lights out"] if found.get("dark") else []
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
        "; ".join(words),
    )


def _way(found: Shown | None, squad: Mapping[str, Plane]) -> Way | None:
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


# -- reading a view --------------------------------------------------------------------------------------------------


def scene(view: View) -> Scene:
    """What a captain sees."""
    table = view["table"]
    raid, targets = table["raid"], table["targets"]
    city = raid["city"] if raid else table["card"]
    names = _names(targets)
    squad = [_plane(one, number, names) for number, one in enumerate(table["squad"], start=1)]
    security = table["security"]
    return Scene(
        title=table["title"],
        phase=view["phase"],
        points=table["points"],
        security=Security(
            security["alert"], security["alert_max"], security["failed"], security["risk"], security["value"]
        ),
        ratings=table["ratings"],
        squad=squad,
        city=_city(city, targets[city], squad) if city else None,
        raid=_raid(raid),
        way=_way(table["air"], {plane.key: plane for plane in squad}),
        over=view["outcome"] is not None,
    )


def _names(targets: Mapping[str, Shown]) -> dict[str, str]:
    """Areas and boxes by what they are called."""
    found = {}
    for target in targets.values():
        for area in target["areas"]:
            found[area["key"]] = area["name"]
            found |= {box["key"]: box["name"] for box in area["boxes"]}
    return found
