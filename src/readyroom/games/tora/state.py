"""The pieces of Tora! Tora! Tora!, and their places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Literal

import msgspec

from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.state import Piece, State
from readyroom.engine.rules.table import Table
from readyroom.engine.text import count_noun
from readyroom.games.tora.figures import CATEGORIES, JAPAN, SIDE_TITLES, UMPIRE, Category, Data, SideName
from readyroom.games.tora.plans.data import QUADRANTS, AmericanPlan, Berth, JapanesePlan, Ordnance


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a match, typed for the rules."""

    japan_players: int
    usa_players: int
    umpire: Literal["no", "yes"]
    preset: Literal["prose", "table", "literal"]
    reach: Literal["quadrant", "ring"]
    zone_trigger: Literal["start", "immediate"]
    late_patrol: Literal["no", "yes"]
    rearm: int
    wrecks: Literal["shield", "clear"]
    diagonal: Literal["no", "yes"]
    landing: Literal["no", "yes"]
    battery: int
    yard_fire: Literal["alerted", "always"]
    waves_max: int
    luck_from: int
    row1_u: int
    row23_j: int
    revise: Literal["no", "usa", "both"]
    cipher: Literal["no", "yes"]
    questions: Literal["always"] | msgspec.UnsetType = msgspec.UNSET  # unset as in matches of version 2


ALERTS, DECK = "alerts", "luck"
"""The keys of places on the board: the American alert levels, and the deck of luck."""


def plan_key(side: SideName) -> str:
    """Return the key of a side's panel on the board, where its plan is."""
    return f"{side}-plan"


# -- pieces ----------------------------------------------------------------------------------------------------------


class AirUnit(Piece, gc=False):
    """[3.1, 6, 16.2] A unit of two to four aircraft; a strength point is an aircraft. Its key has its type: `kate-7`.

    `ordnance` is what it carries, hidden from the enemy until used [7.4]. `acted` is the turn in which it last moved or
    attacked, `wave` its last wave (0: none yet), `recovered` the turn of its last return to the carriers (0: never).
    """

    strength: int
    ordnance: Ordnance = Ordnance.NONE
    acted: int = 0
    wave: int = 0
    recovered: int = 0

    @property
    def type(self) -> str:
        """The key of its type."""
        return self.key.partition("-")[0]

    @property
    def name(self) -> str:
        """Type and number, as in P-40 7."""
        return _name(self.key)

    def __str__(self) -> str:
        return _label(self.key, self.strength)

    @classmethod
    def describe_many(cls, pieces: Sequence[AirUnit], data: Data) -> str:
        """Describe units: a few by name, more by type."""
        if len(pieces) <= FEW:
            return ", ".join(map(str, pieces))
        return describe_types([(unit.type, unit.strength) for unit in pieces])


FEW = 3
"""Up to this many units are listed by name."""


class PieceText(msgspec.Struct, frozen=True, gc=False):
    """For the log: pieces, with their text as it was before what the line reports."""

    pieces: tuple[Piece, ...]
    text: str

    @classmethod
    def of(cls, piece: Piece) -> PieceText:
        """Return the present text of a piece."""
        return cls((piece,), str(piece))

    def __str__(self) -> str:
        return self.text


def describe_types(units: Iterable[tuple[str, int]]) -> str:
    """Describe units by type, with their strengths where these differ.

    >>> describe_types([("kate", 4), ("zero", 2), ("kate", 4), ("zero", 4)])
    '2 Kate units, 2 Zero units (4, 2)'
    >>> describe_types([("val", 4), ("val", 3), ("val", 4), ("val", 4)])
    '4 Val units (3×4, 3)'
    """
    types: dict[str, list[int]] = {}
    for type_, strength in units:
        types.setdefault(type_, []).append(strength)
    parts = []
    for type_, strengths in types.items():
        counts = sorted(Counter(strengths).items(), reverse=True)
        each = ", ".join(f"{count}×{strength}" if count > 1 else str(strength) for strength, count in counts)
        title = count_noun(len(strengths), f"{TYPE_TITLES.get(type_, type_)} unit")
        parts.append(f"{title} ({each})" if len(counts) > 1 else title)
    return ", ".join(parts)


TYPE_TITLES = {
    "p40": "P-40",
    "p36": "P-36",
    "p26": "P-26",
    "f4f": "F4F",
    "f2a": "F2A",
    "kate": "Kate",
    "val": "Val",
    "zero": "Zero",
}


@lru_cache(maxsize=1024)
def _name(key: str) -> str:
    type_, _, number = key.partition("-")
    return f"{TYPE_TITLES.get(type_, type_)} {number}"


@lru_cache(maxsize=4096)
def _label(key: str, strength: int) -> str:
    return f"{_name(key)} ({strength})"


class Ship(Piece):
    """[3.2] A ship. `strength` is what sinks her, ZEBRA included; `berth` is None while a carrier is at sea.

    A rise to condition ZEBRA adds to the strength of ships that still float, so what has sunk stays sunk [5.6].
    `moved` and `fired` are the turns in which she last did so.
    """

    name: str
    kind: str
    capital: bool
    length: int
    strength: int
    hits: int = 0
    berth: Berth | None = None
    moved: int = 0
    fired: int = 0

    def __str__(self) -> str:
        return self.name

    @property
    def sunk(self) -> bool:
        """Whether she has sunk."""
        return self.hits >= self.strength

    @property
    def carrier(self) -> bool:
        """Whether she is an aircraft carrier."""
        return self.kind == "CV"

    @property
    def battleship(self) -> bool:
        """Whether she is a battleship."""
        return self.kind == "BB"


class Battery(Piece):
    """[4.3] A shore battery; at `strength` hits it is out of the battle."""

    name: str
    zone: str
    strength: int
    hits: int = 0
    fired: int = 0

    def __str__(self) -> str:
        return self.name

    @property
    def destroyed(self) -> bool:
        """Whether it is out of the battle."""
        return self.hits >= self.strength


class YardToken(Piece):
    """[4.4] A dry dock, shop or tank of the Navy Yard, and the hits on it."""

    capacity: int
    hits: int = 0

    def __str__(self) -> str:
        return f"Navy Yard {self.key.removeprefix('yard-')}"

    @property
    def destroyed(self) -> bool:
        """Whether it is destroyed."""
        return self.hits >= self.capacity


class Field(Piece):
    """[4.2] An airfield with its stacks, the lowest unit first and the top one last [5.11]."""

    name: str
    zone: str
    places: int
    stacks: list[list[AirUnit]] = []

    def __str__(self) -> str:
        return self.name

    def units(self) -> Iterator[AirUnit]:
        """Yield the parked units, the upper layer before the lower."""
        for stack in self.stacks:
            yield stack[-1]
        for stack in self.stacks:
            yield from stack[-2::-1]

    @property
    def room(self) -> int:
        """Free places."""
        return self.places - len(self.stacks)


class Card(Piece):
    """[13.2] A card of the deck of luck: its rank and suit are its key."""

    def __str__(self) -> str:
        return self.key.replace("-", " ")

    @property
    def black(self) -> bool:
        """Whether it ends the battle."""
        return self.key.endswith(("spades", "clubs"))


class Zone(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """[4.1] One of the twelve zones, and the aircraft in the air over it."""

    japan: list[AirUnit] = []
    usa: list[AirUnit] = []

    def of(self, side: SideName) -> list[AirUnit]:
        """Return the aircraft of one side."""
        return self.japan if side == JAPAN else self.usa


# -- sides -----------------------------------------------------------------------------------------------------------


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A locked plan: its published fingerprint, and the secret salt."""

    fingerprint: str
    salt: str


class Levels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[5.1] The current alert levels."""

    airfield: int
    ship: int
    aaa: int

    @classmethod
    def of_plan(cls, plan: AmericanPlan, day: int) -> Levels:
        """Return the planned levels of a day."""
        return cls(**{category: plan.levels(category)[day - 1] for category in CATEGORIES})

    def of(self, category: Category) -> int:
        """Return the level of one category."""
        level: int = getattr(self, category)
        return level

    def raised(self, top: int) -> Levels:
        """[5.4] Return every level raised by one, up to the top one (T4)."""
        return Levels(**{category: min(top, self.of(category) + 1) for category in CATEGORIES})


OUTSIDE = 4
"""A ring beyond the outermost one: no Japanese contact yet."""


class America(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """The American side. `commands` maps each quadrant to the seat that commands there.

    `pool` has the squadrons until they are deployed. `levels` are set on the day; `detected` says that radar or patrol
    planes searched a sector in which the first wave came in [5.3].
    """

    seats: tuple[str, ...]
    commands: dict[str, str]
    ships: list[Ship]
    batteries: list[Battery]
    yard: list[YardToken]
    fields: list[Field]
    pool: list[AirUnit] = []
    lost: list[AirUnit] = []
    plan: AmericanPlan | None = None
    sealed: tuple[Sealed, ...] = ()
    levels: Levels | None = None
    radar_works: bool | None = None
    detected: bool = False
    contact: int = OUTSIDE
    risen: int = 0

    @property
    def commander(self) -> str:
        """The seat that makes the plan."""
        return self.seats[0]

    def field(self, key: str) -> Field:
        """Return the field of this key."""
        return next(field for field in self.fields if field.key == key)

    def ship(self, key: str) -> Ship:
        """Return the ship of this key."""
        return next(ship for ship in self.ships if ship.key == key)

    def alert(self, category: Category) -> int:
        """[5.1] Return the current alert level of a category; there are none before the day."""
        assert self.levels is not None
        return self.levels.of(category)

    @property
    def yard_hits(self) -> int:
        """[17.2] All hits on the yard."""
        return sum(token.hits for token in self.yard)


class Wave(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """[7.3] A wave that has not entered yet: its number, and its units by sector, armed as planned.

    A wave is filled from the carriers when it is about to enter; until then its order is in the plan.
    """

    number: int
    turn: int
    sectors: dict[str, list[AirUnit]] = {}

    def units(self) -> Iterator[AirUnit]:
        """Yield all its units."""
        return chain.from_iterable(self.sectors.values())


class Nippon(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """The Japanese side. `carriers` has the units aboard, off the map; `waves` those ready to enter, in their order.

    `entered` counts the waves that have come in or stayed aboard, and `skipped` the latter; `off` says that no further
    one will come [13.1].
    """

    seats: tuple[str, ...]
    commands: dict[str, str]
    carriers: list[AirUnit] = []
    waves: list[Wave] = []
    lost: list[AirUnit] = []
    plan: JapanesePlan | None = None
    sealed: tuple[Sealed, ...] = ()
    entered: int = 0
    skipped: int = 0
    off: bool = False
    message: str = ""

    @property
    def commander(self) -> str:
        """The seat that makes the plan."""
        return self.seats[0]


class Tora(State):
    """The whole game. `zones` has the aircraft over each of the twelve zones; `day` is 0 until it is announced [8.1].

    `damaged_at` and `bomber_hit` are those of the preset (T1, T5). `luck` is the deck from which cards are drawn into
    `drawn`; `aside` has the card that is not shuffled in [13.2].
    """

    rulings: Rulings
    bomber_hit: int
    damaged_at: int
    usa: America
    japan: Nippon
    zones: dict[str, Zone]
    luck: Cup[Card]
    drawn: list[Card] = []
    aside: list[Card] = []
    day: int = 0

    def side(self, name: SideName) -> America | Nippon:
        """Return the side of this name."""
        return self.japan if name == JAPAN else self.usa

    def readers(self, side: SideName) -> tuple[str, ...]:
        """[T22] Return who may read a side's private log lines: its seats, and the umpire."""
        seats = self.side(side).seats
        return (*seats, UMPIRE) if self.rulings.umpire == "yes" else seats

    def damaged(self, ship: Ship) -> bool:
        """[14.2] Return whether a ship is damaged but not sunk (T5)."""
        return self.damaged_at <= ship.hits < ship.strength

    def japanese_aloft(self) -> Iterator[AirUnit]:
        """Yield all Japanese units in the air."""
        for zone in self.zones.values():
            yield from zone.japan

    def planned(self) -> bool:
        """Return whether both plans are made."""
        return self.usa.plan is not None and self.japan.plan is not None


T = Table[Tora, Data]


def quadrant(zone: str) -> str:
    """Return the quadrant of a zone: its letters."""
    return zone[1:]


def ring(zone: str) -> int:
    """Return the ring of a zone: 1 harbor, 2 island, 3 sea."""
    return int(zone[0])


def sees(state: Tora, side: SideName, seat: str | None) -> bool:
    """[T22] Return whether a seat sees everything of a side: its own seats do, and the umpire."""
    return seat == UMPIRE or seat in state.side(side).seats


def seat_of(side: America | Nippon, zone: str) -> str:
    """[16.1] Return the seat that commands a side's units in a zone or quadrant."""
    return side.commands[zone[-2:]]


SHARES: dict[int, tuple[tuple[str, tuple[str, ...]], ...]] = {
    1: (("", QUADRANTS),),
    2: (("north", ("NW", "NE")), ("south", ("SE", "SW"))),
    3: (("north", ("NW", "NE")), ("se", ("SE",)), ("sw", ("SW",))),
    4: (("nw", ("NW",)), ("ne", ("NE",)), ("se", ("SE",)), ("sw", ("SW",))),
}
"""[16.1] The quadrants of each seat by the number of players of a side; the first seat is the commander's."""


def seat_key(side: SideName, share: str) -> str:
    """Return the key of a seat: the side, and its part of the map if it has only a part."""
    return f"{side}-{share}" if share else side


def seat_name(side: SideName, share: str) -> str:
    """Return the name of a seat."""
    part = share if share in ("north", "south") else share.upper()
    return f"{SIDE_TITLES[side]}, {part}" if part else SIDE_TITLES[side]
