"""[1.0] What the captain sees: everything but the order of the pool.

The names of the fields, or those given with `field`, are the keys of the JSON that programs read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeAlias

import msgspec
from msgspec import field
from msgspec.structs import asdict

from readyroom.engine.data import ready
from readyroom.engine.game import MatchView
from readyroom.engine.rules.checks import Modifiers, signed
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.picket import guns
from readyroom.games.picket.attack import column, dice_modifiers, shifts
from readyroom.games.picket.figures import Data, Kikusui
from readyroom.games.picket.figures_common import BEARINGS, HEIGHTS, SECTIONS, Kind, Section, section_of
from readyroom.games.picket.figures_damage import TrackLoss
from readyroom.games.picket.state import (
    CHIEFS,
    DESTROYED,
    HOURS,
    NAMES,
    Counter,
    Picket,
    ShipLog,
    Struck,
    last_turn,
)
from readyroom.games.picket.text import a, weapon_name
from readyroom.games.picket.victory import needs, score

HAPPENS = {
    "deck-fire": "fire on deck",
    "water-line": "a water line",
    "crew": "casualties",
    "random": "random damage",
    "keel": "her back is strained",
    "near-miss": "a near miss",
    "dud": "a dud",
    "team-lost": "the direction team",
    "support-lost": "a gunboat",
    "flood-1": "flood −1",
}
"""[7.3] Results other than things that are hit."""
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
"""The label of an officer's counter."""
SHORT = {
    **{f"magazine-{number}": f"5-in. mag. {number}" for number in range(1, 6)},
    **{f"torpedo-{number}": f"Torpedoes {number}" for number in (1, 2)},
    **{f"repair-locker-{number}": f"Locker {number}" for number in (1, 2, 3)},
    **{f"{section}-40mm-magazine": "40mm mag." for section in SECTIONS},
    **{f"{section}-20mm-magazine": "20mm mag." for section in SECTIONS},
    **{f"{section}-fuel": "Fuel tanks" for section in SECTIONS},
    **{f"{section}-fire-room": "Fire room" for section in SECTIONS},
    **{f"{section}-engine-room": "Engine room" for section in SECTIONS},
    **{f"{section}-stack": "Stack" for section in SECTIONS},
    "cic": "CIC",
    "radio": "Radio",
    "steering-room": "Steering",
    "port-shaft": "Port shaft",
    "starboard-shaft": "Stbd. shaft",
    "plotting-room": "Plotting room",
    "staterooms": "Staterooms",
    "depth-charge-racks": "Depth charges",
    "forward-peak": "Peak tank",
    "after-peak": "Peak tank",
    "radar-shop": "Radar shop",
    "diesel-tank": "Diesel tank",
    "feed-tank": "Feed tank",
    "mk37": "Mk 37",
    "radar-sg": "SG",
    "radar-sc": "SC",
}
"""Short names of compartments, directors and radars for the drawing; a 40mm director has the letter of its mount."""

# -- parts of the ship -----------------------------------------------------------------------------------------------


class Part:
    """A part of the ship that can be damaged; `boxes` are the hits that destroy it."""

    __slots__ = ()
    key: str
    name: str
    section: Section
    hits: int
    man: bool
    boxes: int = DESTROYED
    floods: bool = False
    flooded: bool = False

    @property
    def men(self) -> int:
        """Return the number of men at work."""
        return int(self.man)

    @property
    def note(self) -> str:
        """Return what else there is to say about its state."""
        return ""

    @property
    def full_name(self) -> str:
        """Return the name with the kind of part."""
        return self.name

    @property
    def short(self) -> str:
        """Return the name for little room."""
        return SHORT.get(self.key, self.name)

    @property
    def destroyed(self) -> bool:
        """Return whether all boxes are hit."""
        return self.hits >= self.boxes

    @property
    def hurt(self) -> bool:
        """Return whether it has any damage."""
        return bool(self.hits or self.destroyed or self.flooded)

    @property
    def burns(self) -> bool:
        """[7.3.A] Return whether it has a fire marker."""
        return bool(self.hits) and not self.flooded and not self.destroyed

    @property
    def title(self) -> str:
        """Return name and state."""
        states = ["destroyed"] if self.destroyed else [count_noun(self.hits, "hit")] if self.hits else []
        states += ["flooded"] if self.flooded else []
        states += [f"{self.men} at work"] if self.men else []
        states += [self.note] if self.note else []
        return f"{self.full_name}: {', '.join(states)}" if states else f"{self.full_name}, intact"

    @property
    def label(self) -> str:
        """Return the drawn label followed by the full description."""
        return self.title if self.short.lower() in self.full_name.lower() else f"{self.short}, {self.title}"


class RoomView(Part, msgspec.Struct, frozen=True):
    """[1.1.1] A primary compartment."""

    key: str
    name: str
    section: Section
    boxes: int
    floods: bool
    hits: int
    destroyed: bool
    flooded: bool
    men: int
    held: bool

    @property
    def note(self) -> str:
        """[7.8.2.G] Return whether its men cannot be moved."""
        return "its men stayed" if self.held else ""


class SpaceView(Part, msgspec.Struct, frozen=True):
    """[1.7] A secondary compartment."""

    key: str
    name: str
    section: Section
    floods: bool
    hits: int = field(name="boxes")
    flooded: bool
    man: bool


class MountView(Part, msgspec.Struct, frozen=True):
    """[1.1, 6.8] A gun with its arc; `name` is its number or letter."""

    key: str
    name: str
    kind: Kind
    section: Section
    boxes: int
    arc: tuple[int, ...]
    hits: int
    kills: int
    works: bool
    directed: bool
    ace: bool
    men: int

    @property
    def full_name(self) -> str:
        """Return kind and number."""
        return f"{self.kind} mount {self.name}"

    @property
    def note(self) -> str:
        """Return whether it is silent, directed, or manned by aces."""
        silent = not self.works and not self.destroyed
        notes = {"silent": silent, "its director works": self.directed, "aces": self.ace}
        return ", ".join(note for note, holds in notes.items() if holds)

    @property
    def description(self) -> str:
        """Return name, state, kills and arc."""
        kills = f", {count_noun(self.kills, 'plane')} shot down" if self.kills else ""
        return f"{self.title}{kills}; bears {', '.join(f'{bearing:03d}' for bearing in self.arc)}"


class GearView(Part, msgspec.Struct, frozen=True):
    """[7.3.M] A director or a radar."""

    key: str
    name: str
    section: Section
    hits: int
    man: bool

    @property
    def short(self) -> str:
        """Return the name for little room."""
        return SHORT.get(self.key, self.key.rpartition("-")[2].upper())


# -- the ship and her crew -------------------------------------------------------------------------------------------


class OfficerView(msgspec.Struct, frozen=True):
    """[1.3.1] A key officer or a repair chief."""

    key: str
    name: str
    value: int
    place: str
    dead: bool

    @property
    def rank(self) -> str:
        """Return the label of the counter."""
        return RANKS[self.key]

    @property
    def title(self) -> str:
        """Return the full description."""
        return f"{self.rank}, {self.name}: {'killed' if self.dead else f'value {signed(self.value)}'}"


class Levels(msgspec.Struct, frozen=True):
    """[1.2.1] The levels of the tracks."""

    hull: int
    maneuver: int
    ammunition: int
    fuel: int
    flood: int


class ShipView(msgspec.Struct, frozen=True):
    """[1.1 to 1.3] The ship: tracks, damage and crew; `masked_heights` are those that her guns cannot fire at."""

    name: str
    tracks: Levels
    full: int
    deck_fires: int
    water_lines_full: int
    morale_most: int
    masked_heights: Mapping[str, Sequence[str]] = field(name="barred")
    lost: str
    leaves: str
    yellow: int
    red: int
    morale: int
    heel: int = field(name="list")
    trim: int
    fires: Mapping[Section, int]
    water_lines: int
    all_hands: bool
    rooms: Sequence[RoomView]
    spaces: Sequence[SpaceView]
    mounts: Sequence[MountView]
    gear: Sequence[GearView]
    officers: Sequence[OfficerView]
    men: Mapping[Section, int]

    @property
    def fate(self) -> str:
        """[9.G] Return how the ship was lost, or why she has to leave."""
        return self.lost or (f"returns to the anchorage: {self.leaves}" if self.leaves else "")

    def chief(self, section: Section) -> int:
        """[1.3.2] Return the value of a section's repair chief."""
        return next(officer.value for officer in self.officers if officer.key == CHIEFS[section])


# -- sea and sky -----------------------------------------------------------------------------------------------------


class SeaView(msgspec.Struct, frozen=True):
    """[4.0 to 6.6] Station, weather and support, and the column of the attack table."""

    station: int
    weather: str
    team: bool
    surface: int
    land_radars: Sequence[str]
    air: Mapping[str, int]
    markers: int
    column: int
    shifts: Modifiers
    dice: Modifiers
    storm: str
    kikusui: Sequence[Kikusui]


class PlaneView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """[6.6] An attacker; `plane` is its type."""

    key: str
    plane: str = ""
    weapon: str = ""
    bearing: int = -1
    height: str = ""
    section: str = ""
    hits: int = 0
    fate: str = ""
    name: str
    engines: int

    @property
    def where(self) -> str:
        """Return the position as text."""
        if self.weapon:
            return f"at the {self.section} section" if self.section else "not yet seen"
        return f"{self.bearing:03d} degrees, {HEIGHTS[self.height]}"  # type: ignore[index]

    @property
    def title(self) -> str:
        """Return the full description."""
        armed = f" with {a(weapon_name(self.weapon))}" if self.weapon else ""
        state = {"flamed": ", going down in flames", "destroyed": ", destroyed"}.get(self.fate, "")
        hits = f", {count_noun(self.hits, 'hit')}" if self.hits else ""
        return f"{self.name}{armed}, {self.where}{hits}{state}"

    @property
    def label(self) -> str:
        """Return the drawn label followed by the full description."""
        return f"{self.name} {self.height or self.section}".strip() + self.title.removeprefix(self.name)


class WaveView(msgspec.Struct, frozen=True):
    """[6.6.L] A wave: its regular planes, and its special attackers."""

    planes: Sequence[PlaneView]
    specials: Sequence[PlaneView]

    @property
    def ordered(self) -> list[PlaneView]:
        """[6.6] Return the regular planes by bearing, the highest first."""
        order = ["", *HEIGHTS]
        return sorted(self.planes, key=lambda one: (one.bearing, order.index(one.height)))

    @property
    def everything(self) -> list[PlaneView]:
        """Return all planes, the special attackers last."""
        return [*self.ordered, *self.specials]


class RaidView(msgspec.Struct, frozen=True):
    """[6.6] The attack of a phase; `wave` counts from 1."""

    wave: int
    waves: Sequence[WaveView]
    maneuvered: bool | None
    struck: int
    surface: int

    @property
    def now(self) -> WaveView:
        """[6.6.L] Return the current wave; it is empty after the last one."""
        return self.waves[self.wave - 1] if self.wave <= len(self.waves) else WaveView([], [])

    @property
    def to_come(self) -> list[tuple[int, WaveView]]:
        """[6.6.G] Return the waves after the current one with their numbers."""
        return list(enumerate(self.waves, start=1))[self.wave :]


class HitView(Struck, frozen=True, kw_only=True):
    """[1.5] A hit with the plane's name and its effects as text."""

    name: str
    effects: Sequence[str] = field(name="told")

    @property
    def weapon(self) -> str:
        """Return what a special attacker carried, else an empty text."""
        return self.plane.partition(" ")[2]

    @property
    def section(self) -> Section:
        """[7.1.C] Return the section of the bearing; a special attacker names its own."""
        return self.height if self.bearing < 0 else section_of(self.bearing)  # type: ignore[return-value]

    @property
    def title(self) -> str:
        """Return what hit, where, when, and with what effect."""
        where = f"at the {self.section} section" if self.bearing < 0 else f"from {self.bearing:03d} {self.height}"
        what = f"{weapon_name(self.weapon)} of {a(self.name)}" if self.weapon else self.name
        text = f"{what}{' alongside' if self.near else ''} {where}, {self.watch}: {self.effect}"
        return capitalize_first(text)

    @property
    def effect(self) -> str:
        """Return the effects as one text."""
        return ", ".join(self.effects) or "nothing more"


# -- everything ------------------------------------------------------------------------------------------------------


class CalendarView(msgspec.Struct, frozen=True):
    """[1.6] The time record: first and last day, land radars and great raids by their dates."""

    first: str
    last: str
    land_radar: Sequence[tuple[str, str]]
    kikusui: Sequence[tuple[int, str, str]]


class PoolView(msgspec.Struct, frozen=True):
    """[2.0.E] The number of planes in the cup, and of those set aside."""

    planes: int
    aside: int


class CruiseView(msgspec.Struct, frozen=True):
    """[1.1 to 1.7] The ship, the sea, the planes, and a copy of the ship's log."""

    title: str
    advanced: bool
    campaign: bool
    date: str
    watch: str
    hours: str
    turns: int
    score: int
    needs: str
    ship: ShipView
    sea: SeaView
    raid: RaidView
    tally: ShipLog
    hits: Sequence[HitView]
    ace_kills: int
    calendar: CalendarView
    pool: PoolView


CaptainView: TypeAlias = MatchView[CruiseView]


def view(state: Picket, data: Data, seat: str | None) -> CruiseView:
    """[1.1 to 1.7] Return what the captain, and any spectator, sees."""
    return CruiseView(
        title=state.plan.title,
        advanced=state.plan.advanced,
        campaign=state.plan.campaign,
        date=state.day.isoformat(),
        watch=state.watch,
        hours=HOURS[state.watch],
        turns=last_turn(state),
        score=score(state, data),
        needs=needs(state.plan, data),
        ship=_ship(state, data),
        sea=_sea(state, data),
        raid=_raid(state, data),
        tally=msgspec.convert(msgspec.to_builtins(state.tally), ready(ShipLog)),
        hits=[_hit(data, one) for one in state.tally.hits],
        ace_kills=data.duty.fire.ace_kills,
        calendar=CalendarView(
            state.plan.first,
            state.plan.last,
            [(radar.name, radar.since) for radar in data.calendar.land_radar],
            [(raid.number, raid.since, raid.to) for raid in data.calendar.kikusui],
        ),
        pool=PoolView(sum(not one.ends for one in state.pool.cup.contents), len(state.pool.aside)),
    )


def _ship(state: Picket, data: Data) -> ShipView:
    ship, tracks = state.ship, data.ship.tracks
    return ShipView(
        name=ship.name,
        tracks=Levels(ship.hull, ship.maneuver, ship.ammunition, ship.fuel, ship.flood),
        full=tracks.full,
        deck_fires=tracks.deck_fires,
        water_lines_full=tracks.water_lines,
        morale_most=tracks.morale,
        masked_heights={str(bearing): sorted(guns.masked_heights(state, data, bearing)) for bearing in BEARINGS},
        lost=ship.lost,
        leaves=ship.leaves,
        yellow=tracks.yellow,
        red=tracks.red,
        morale=ship.morale,
        heel=ship.heel,
        trim=ship.trim,
        fires=dict(ship.fires),
        water_lines=ship.water_lines,
        all_hands=ship.all_hands,
        rooms=[_room(state, data, key) for key in ship.rooms],
        spaces=[_space(state, data, key) for key in ship.spaces] if state.plan.advanced else [],
        mounts=[_mount(state, data, key) for key in ship.mounts],
        gear=[_gear(state, data, key) for key in ship.gear],
        officers=[OfficerView(key, NAMES[key], one.value, one.place, one.dead) for key, one in ship.officers.items()],
        men=dict(ship.men),
    )


def _room(state: Picket, data: Data, key: str) -> RoomView:
    room, card = state.ship.rooms[key], data.rooms[key]
    return RoomView(
        key=key,
        name=card.name,
        section=card.section,
        boxes=card.boxes,
        floods=card.floods,
        hits=room.hits,
        destroyed=room.destroyed,
        flooded=room.flooded,
        men=room.men,
        held=room.held,
    )


def _space(state: Picket, data: Data, key: str) -> SpaceView:
    space, card = state.ship.spaces[key], data.secondary[key]
    return SpaceView(
        key=key,
        name=card.name,
        section=card.section,
        floods=card.floods,
        hits=space.boxes,
        flooded=space.flooded,
        man=space.man,
    )


def _mount(state: Picket, data: Data, key: str) -> MountView:
    mount, card = state.ship.mounts[key], data.mounts[key]
    return MountView(
        key=key,
        name=card.name,
        kind=card.kind,
        section=card.section,
        boxes=card.boxes,
        arc=tuple(card.arc),
        hits=mount.hits,
        kills=mount.kills,
        works=guns.works(state, data, key),
        directed=guns.directed(state, data, key),
        ace=guns.is_ace(state, data, mount),
        men=mount.men,
    )


def _gear(state: Picket, data: Data, key: str) -> GearView:
    gear = state.ship.gear[key]
    card = data.directors.get(key) or data.radars[key]
    return GearView(key, card.name, card.section, gear.hits, gear.man)


def _sea(state: Picket, data: Data) -> SeaView:
    sea = state.sea
    return SeaView(
        station=sea.station,
        weather=sea.weather,
        team=state.ship.team,
        surface=state.ship.surface,
        land_radars=list(sea.land_radars),
        air=dict(sea.air),
        markers=sea.markers,
        column=column(state, data),
        shifts=shifts(state, data),
        dice=[(name, value) for name, value in dice_modifiers(state, data) if value],
        storm=sea.storm,
        kikusui=data.calendar.kikusui,
    )


def _raid(state: Picket, data: Data) -> RaidView:
    raid = state.raid
    waves = [
        WaveView([_plane(data, plane) for plane in wave.planes], [_plane(data, plane) for plane in wave.specials])
        for wave in raid.waves
    ]
    return RaidView(raid.wave + 1, waves, raid.maneuvered, raid.struck, raid.surface)


def _plane(data: Data, plane: Counter) -> PlaneView:
    card = data.cards[plane.plane]
    return PlaneView(**asdict(plane), name=card.name, engines=card.engines)


def _hit(data: Data, hit: Struck) -> HitView:
    name = data.cards[hit.plane.partition(" ")[0]].name
    return HitView(**asdict(hit), name=name, effects=[describe_result(data, code) for code in hit.what])


def describe_result(data: Data, code: str) -> str:
    """[7.3] Return the name of a damage table result."""
    result = data.damage_results.get(code)
    if isinstance(result, TrackLoss):
        return f"{result.track} −{result.points}"
    return data.part_names.get(code) or HAPPENS.get(code, code.replace("-", " "))


def resample(state: Picket, data: Data, seat: str, random: Random) -> Picket:
    """[1.0] Return the state; nothing is hidden but future dice."""
    return state
