"""The state of a cruise: ship, crew, sea, planes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as calendar_day
from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.state import Piece, State
from readyroom.engine.rules.table import Table
from readyroom.games.picket.figures.common import Section
from readyroom.games.picket.figures.data import Calendar, Card, Data, Kikusui, date, day_of

CAPTAIN = "captain"
"""[1.3.1] The only seat: the captain of the destroyer."""
Watch: TypeAlias = Literal["morning", "midday", "night"]
WATCHES: tuple[Watch, Watch, Watch] = ("morning", "midday", "night")
"""[3.0] The three phases of a turn."""
HOURS: dict[Watch, str] = {"morning": "0400 to 1200", "midday": "1200 to 2000", "night": "2000 to 0400"}
Side: TypeAlias = Literal["bow", "stern", "starboard", "port"]
SIDES: tuple[Side, ...] = ("bow", "stern", "starboard", "port")
MOST_WAVES = 3
WITHDRAWALS = ("disabled", "radar", "armament")
"""[9.G, 9.H] The ways to leave that count as a Japanese success (P41)."""
DAMAGED, DESTROYED = 1, 2
"""[7.3.K, 7.3.N] The two boxes of equipment and of secondary compartments."""


class Counter(Piece):
    """[6.6] A plane, or the end of an attack; in the pool it has no attack data.

    `away` says that it has struck, missed, or turned away, so that it is no longer in sight.
    """

    plane: str = ""
    weapon: str = ""
    bearing: int = -1
    height: str = ""
    section: str = ""
    hits: int = 0
    fate: Literal["", "flamed", "destroyed"] = ""
    away: bool = False

    @property
    def ends(self) -> bool:
        """Return whether it is the end of an attack."""
        return not self.plane

    def fresh(self) -> Counter:
        """[7.1.H] Clear the attack data, for the pool."""
        self.bearing, self.height, self.section, self.hits, self.fate, self.away = -1, "", "", 0, "", False
        return self


class PrimaryCompartment(Piece):
    """[1.1.1] A primary compartment: its hit markers, and who works there.

    `held` says that its men stayed from the phase before, `tended` that a man worked there in this one, `side` where
    the water stands, and `hit_from` where the last hit came from.
    """

    hits: int = 0
    destroyed: bool = False
    flooded: bool = False
    men: int = 0
    held: bool = False
    tended: bool = False
    side: str = ""
    hit_from: str = ""

    @property
    def whole(self) -> bool:
        """Return whether it is undamaged."""
        return not self.hits and not self.destroyed


class SecondaryCompartment(Piece):
    """[1.7] A secondary compartment: its boxes, whether a `man` works there, and whether a repair was `tried`."""

    boxes: int = 0
    flooded: bool = False
    man: bool = False
    tried: bool = False

    @property
    def whole(self) -> bool:
        """Return whether it is undamaged."""
        return not self.boxes


class Mount(Piece):
    """[1.1, 11.2] A gun: hits, planes shot down, and, with rule 11.5, the men who repair it."""

    hits: int = 0
    kills: int = 0
    men: int = 0


class Gear(Piece):
    """[7.3.M] A director or a radar: hits, and whether a `man` repairs it."""

    hits: int = 0
    man: bool = False


class Officer(Piece):
    """[1.3.1, 1.3.2] A key officer or a repair chief: value and place.

    `post` is the starting place; `assigned` means at work at the place; `held` means unable to leave it this phase.
    """

    value: int
    place: str = ""
    dead: bool = False
    post: str = ""
    assigned: bool = False
    held: bool = False


OFFICERS = {
    "captain": "Captain",
    "executive": "Executive officer",
    "engineer": "Engineering officer",
    "gunnery": "Gunnery officer",
    "damage-control": "Damage control officer",
    "chief": "Chief petty officer",
}
"""[7.6.B] The chain of command, from the top."""
START = {
    "captain": "bridge",
    "executive": "bridge",
    "engineer": "forward-engine-room",
    "gunnery": "cic",
    "damage-control": "cic",
    "chief": "radio",
}
"""[2.0.B, 2.0.C] Starting places; for engineer and chief petty officer the defaults."""
CHIEFS: dict[Section, str] = {"forward": "repair-1", "midship": "repair-2", "aft": "repair-3"}
CHIEF_NAMES = {"repair-1": "Repair chief 1", "repair-2": "Repair chief 2", "repair-3": "Repair chief 3"}
NAMES = OFFICERS | CHIEF_NAMES


class Ship(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[1.2, 2.0, 2.0.I] The destroyer.

    `men` are those of the repair parties who are at no work; `attacked` says that a wave came since all hands were
    called; `lost` is what sank her, `leaves` why she has to go, and `shafts_hit` says that both shafts were damaged at
    the same time (9.G).
    """

    name: str
    rooms: dict[str, PrimaryCompartment]
    spaces: dict[str, SecondaryCompartment]
    mounts: dict[str, Mount]
    gear: dict[str, Gear]
    officers: dict[str, Officer]
    men: dict[Section, int]
    ammunition: int
    fuel: int
    hull: int
    maneuver: int
    flood: int
    fires: dict[Section, int]
    tilt: dict[Side, int]
    morale: int = 0
    water_lines: int = 0
    team: bool = False
    surface: int = 0
    surface_lost: int = 0
    all_hands: bool = False
    attacked: bool = False
    lost: str = ""
    leaves: str = ""
    shafts_hit: bool = False

    @property
    def heel(self) -> int:
        """[2.0.H, 7.4.E] Return the net list; positive is to starboard."""
        return self.tilt["starboard"] - self.tilt["port"]

    @property
    def trim(self) -> int:
        """[7.4.E] Return the net trim; positive is to the bow."""
        return self.tilt["bow"] - self.tilt["stern"]

    @property
    def power(self) -> bool:
        """[7.8.2.J] Return whether a fire room still gives steam."""
        return not (self.rooms["forward-fire-room"].destroyed and self.rooms["aft-fire-room"].destroyed)

    def works(self, *rooms: str) -> bool:
        """Return whether all of these compartments are undamaged; others give no benefit [7.8.2.G]."""
        return all(self.rooms[room].whole if room in self.rooms else self.spaces[room].whole for room in rooms)

    def value(self, officer: str) -> int:
        """Return the value of an officer; 0 for a dead one."""
        person = self.officers[officer]
        return 0 if person.dead else person.value


class Sea(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[4.0 to 6.5] Station, weather, radars on land, and the planes and ships that help.

    `away` says that rain keeps the Japanese away in this phase.
    """

    station: int = 0
    land_radars: list[str] = []
    weather: Literal["clear", "rain", "storm"] = "clear"
    storm: str = ""
    away: bool = False
    air: dict[str, int] = {}
    air_shift: int = 0
    markers: int = 0
    days_lost: int = 0


class Wave(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[6.6.L] A wave: its regular planes, and its special attackers."""

    planes: list[Counter]
    specials: list[Counter]


class Raid(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[6.6] The attack of a phase: waves, and the ship's reactions so far.

    `maneuvered` is None until emergency maneuvers were tried, and then whether they came off; `struck` counts the
    planes that hit the ship, `surface` is the support that is left for the wave, and `declared` says that all hands
    were called for in this phase.
    """

    waves: list[Wave] = []
    wave: int = 0
    maneuvered: bool | None = None
    struck: int = 0
    surface: int = 0
    declared: bool = False


class Struck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hit on the ship, for the report's map: time, weapon, bearing, height, effects.

    `near` says that it went off alongside, and did not strike her.
    """

    turn: int
    watch: str
    plane: str
    bearing: int
    height: str
    what: list[str]
    near: bool = False


class Fallen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[7.6.A] An officer or a chief who was killed: time, ship, post, value and cause."""

    turn: int
    watch: str
    ship: str
    officer: str
    value: int
    cause: str


class Tour(msgspec.Struct, forbid_unknown_fields=True, eq=False):
    """[4.0, 9] A tour of duty: from the assignment of a station until the ship leaves it."""

    ship: str
    station: int
    first: int
    last: int = 0
    struck: int = 0
    planes: int = 0
    shot: int = 0
    hurt: bool = False
    attacked: int = 0
    end: str = ""


class ShipLog(msgspec.Struct, forbid_unknown_fields=True, eq=False):
    """[1.5] The ship's log: planes, hits, tours, and what the day used up; `raided` are the turns with an attack."""

    planes: int = 0
    shot: int = 0
    watches: int = 0
    attacks: int = 0
    raided: list[int] = []
    lost: list[str] = []
    withdrawals: int = 0
    hits: list[Struck] = []
    fallen: list[Fallen] = []
    kills: dict[str, int] = {}
    heights: dict[str, int] = {}
    types: dict[str, int] = {}
    tours: list[Tour] = []
    fired: bool = False
    sprayed: bool = False
    left: str = ""


class Pool(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[2.0.E] The cup of planes, those set aside for random attacks, and those out of play."""

    cup: Cup[Counter]
    aside: list[Counter]
    ends: list[Counter] = []
    spent: list[Counter] = []


class Yard(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[12.1] Guns and directors that a custom ship does not carry."""

    mounts: list[Mount] = []
    gear: list[Gear] = []


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The basic or advanced game, the optional rules, and rulings."""

    game: Literal["scenario", "basic", "advanced"]
    willow: Literal["no", "yes"]
    aces: Literal["no", "yes"]
    attack_ends: Literal["scenario", "in", "out"]
    twin_engines: Literal["no", "yes"]
    gun_repairs: Literal["no", "yes"]
    green_gunnery: Literal["no", "-1", "-2"]
    morale_fire: Literal["no", "yes"]
    magazines: Literal["own", "both"]
    maneuver_fuel: Literal["1", "2"]
    succession: Literal["chain", "chits"]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[12] The cruise, as its scenario defines it."""

    title: str
    advanced: bool
    first: str
    last: str
    station: int
    raids: list[tuple[str, str, str]]
    armament: str
    levels: tuple[int, int, int, int] | None
    marginal: Card
    decisive: Card
    withdrawal_limits: bool
    fixed_team: bool | None
    fixed_surface: int | None
    named: str
    design: bool
    officers: dict[str, str] = {}
    great_raids: list[tuple[str, str]] | msgspec.UnsetType = msgspec.UNSET

    def raids_of(self, calendar: Calendar) -> Sequence[Kikusui]:
        """[6.7.A, P59] Return the great raids: the scenario's own, or else those of the calendar."""
        if not self.great_raids:
            return calendar.kikusui
        own = enumerate(self.great_raids, start=1)
        return [Kikusui(number=number, since=since, to=to, navy=0, army=0) for number, (since, to) in own]

    @property
    def campaign(self) -> bool:
        """Return whether it follows the calendar from ship to ship."""
        return not self.raids


def title_of(plan: Plan, officer: str) -> str:
    """[2.0.K] Return an officer's rank, and name where the scenario gives one."""
    name = plan.officers.get(officer, "")
    return f"{NAMES[officer].lower()} {name}".rstrip()


class Picket(State):
    """The state of a cruise."""

    rulings: Rulings
    plan: Plan
    ship: Ship
    sea: Sea
    raid: Raid
    pool: Pool
    tally: ShipLog
    yard: Yard = msgspec.field(default_factory=Yard)

    @property
    def day(self) -> calendar_day:
        """Return the date of the turn."""
        return day_of(self.plan.first, self.at.turn)

    @property
    def watch(self) -> Watch:
        """Return the current phase of the day; outside of all of them the first."""
        return next((watch for watch in WATCHES if self.at.phase.startswith(watch)), "morning")

    @property
    def wave(self) -> Wave:
        """[6.6.L] Return the current wave."""
        return self.raid.waves[self.raid.wave]

    def planned(self) -> str:
        """Return the scenario's attack for this phase; "roll" for the tables."""
        plan = self.plan
        if plan.campaign:
            return "roll"
        row = plan.raids[min(self.at.turn, len(plan.raids)) - 1]
        return row[WATCHES.index(self.watch)]


T: TypeAlias = Table[Picket, Data]


def last_turn(state: Picket) -> int:
    """Return the number of the last turn."""
    if not state.plan.campaign:
        return len(state.plan.raids)
    return (date(state.plan.last) - date(state.plan.first)).days + 1
