"""[1.1 to 1.3] What the captain sees of the ship: tracks, compartments, guns and officers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import field

from readyroom.engine.rules.checks import signed
from readyroom.engine.text import count_noun
from readyroom.games.picket.combat import guns
from readyroom.games.picket.figures.common import BEARINGS, SECTIONS, Kind, Section
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.state import CHIEFS, DESTROYED, NAMES, Picket

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
ENDS, PAIRED = ("forward", "aft"), ("fire-room", "engine-room", "stack")
"""The rooms amidships of which there are two."""
SHORT = {
    **{f"magazine-{number}": f"5-in. mag. {number}" for number in range(1, 6)},
    **{f"torpedo-{number}": f"Torp. mount {number}" for number in (1, 2)},
    **{f"crew-quarters-{number}": f"Crew qtrs. {number}" for number in (1, 2, 3)},
    **{f"repair-locker-{number}": f"Locker {number}" for number in (1, 2, 3)},
    **{f"{section}-40mm-magazine": "40mm mag." for section in SECTIONS},
    **{f"{section}-20mm-magazine": "20mm mag." for section in SECTIONS},
    **{f"{section}-fuel": "Fuel tanks" for section in SECTIONS},
    **{f"{end}-{kind}": f"{end.capitalize()} {kind.replace('-', ' ')}" for end in ENDS for kind in PAIRED},
    "cic": "CIC",
    "radio": "Radio",
    "steering-room": "Steering",
    "port-shaft": "Port shaft",
    "starboard-shaft": "Stbd. shaft",
    "chiefs-quarters": "CPO qtrs.",
    "staterooms": "Staterooms",
    "plotting-room": "Plotting",
    "machine-shop": "Machinery",
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


def ship_view(state: Picket, data: Data) -> ShipView:
    """Return what the captain sees of the ship."""
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
