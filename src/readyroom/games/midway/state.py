"""The pieces of A Terrible Resolve, and their places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import filterfalse
from operator import attrgetter
from typing import Annotated, Literal, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from readyroom.engine.errors import InvalidData
from readyroom.engine.rules.charts import Charts, HasSource
from readyroom.engine.rules.checks import Fire
from readyroom.engine.rules.decisions import OptionInfo
from readyroom.engine.rules.state import KeyedText, Piece, State
from readyroom.engine.rules.table import Table
from readyroom.engine.text import agree, count_noun, join_list

SideName = Literal["japan", "usa"]
JAPAN: SideName = "japan"
USA: SideName = "usa"
SIDES: tuple[SideName, SideName] = (JAPAN, USA)
SIDE_TITLES = {JAPAN: "Japan", USA: "United States"}
SIDE_ADJECTIVES = {JAPAN: "Japanese", USA: "American"}


Kind = Literal["F", "TB", "DB"]
"""[5] The three types of counter."""
FIGHTER: Kind = "F"
TORPEDO: Kind = "TB"
DIVE: Kind = "DB"
KINDS: tuple[Kind, ...] = (FIGHTER, TORPEDO, DIVE)
KIND_TITLES = {FIGHTER: "fighters", TORPEDO: "torpedo bombers", DIVE: "dive bombers"}
KIND_ADJECTIVES = {FIGHTER: "fighter", TORPEDO: "torpedo-bomber", DIVE: "dive-bomber"}


PlaceName = Literal["moving", "ready", "home", "waiting", "cap"]
"""[7, 11] The boxes of a circuit, and the combat air patrol."""


def place_key(side: SideName, place: PlaceName) -> str:
    """Return the key of a place on the board."""
    return f"{side}-{place}"


def search_key(group: int) -> str:
    """Return the key of a search group's place on the board."""
    return f"search-{group}"


# -- figures ---------------------------------------------------------------------------------------------------------


POSITIVE = {"minimum": 1}
"""The range of what `_at_least_one` checks, for forms."""


def _at_least_one(**figures: int) -> None:
    for name, figure in figures.items():
        if figure < 1:
            raise ValueError(f"{name} = {figure}; the rules need at least 1")


class SquadronFigures(HasSource, frozen=True):
    """[5] The strength of a full squadron."""

    strength: Annotated[int, msgspec.Meta(title="Strength of a full squadron", extra_json_schema=POSITIVE)]

    def __post_init__(self) -> None:
        _at_least_one(strength=self.strength)


class DeckFigures(HasSource, frozen=True):
    """[9.2, 14.1] The strength points that a carrier may land, or hold on deck."""

    points: Annotated[int, msgspec.Meta(title="Strength points that a deck holds or lands", extra_json_schema=POSITIVE)]

    def __post_init__(self) -> None:
        _at_least_one(points=self.points)


class DamageFigures(HasSource, frozen=True):
    """[6] The damage that cripples, and that sinks."""

    cripple: Annotated[int, msgspec.Meta(title="Damage that cripples", extra_json_schema=POSITIVE)]
    sink: Annotated[int, msgspec.Meta(title="Damage that sinks", extra_json_schema=POSITIVE)]

    def __post_init__(self) -> None:
        _at_least_one(cripple=self.cripple, sink=self.sink)
        if self.cripple > self.sink:
            raise ValueError(f"cripple = {self.cripple} must not exceed sink = {self.sink}")


class FireFigures(HasSource, frozen=True):
    """The dice of one kind of attack."""

    fire: Annotated[Fire, msgspec.Meta(title="")]


class VictoryFigures(HasSource, frozen=True):
    """[18.2] The points for enemy carriers, and the lead that wins."""

    sunk: Annotated[int, msgspec.Meta(title="Victory points for a carrier sunk")]
    crippled: Annotated[int, msgspec.Meta(title="Victory points for a carrier crippled")]
    lead: Annotated[int, msgspec.Meta(title="Lead in victory points that wins", extra_json_schema=POSITIVE)]

    def __post_init__(self) -> None:
        _at_least_one(lead=self.lead)


class Combat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of `combat.toml`."""

    squadron: Annotated[SquadronFigures, msgspec.Meta(title="")]
    deck: Annotated[DeckFigures, msgspec.Meta(title="")]
    damage: Annotated[DamageFigures, msgspec.Meta(title="")]
    dogfight: Annotated[FireFigures, msgspec.Meta(title="Dogfight")]
    antiaircraft: Annotated[FireFigures, msgspec.Meta(title="Antiaircraft fire")]
    dive: Annotated[FireFigures, msgspec.Meta(title="Dive bombers")]
    torpedo: Annotated[FireFigures, msgspec.Meta(title="Torpedo bombers")]
    victory: Annotated[VictoryFigures, msgspec.Meta(title="")]


Squadrons: TypeAlias = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 0, "maximum": 30})]
"""A number of squadrons."""


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[7] Squadrons of each type that are returning when the battle begins."""

    torpedo_bombers: Squadrons = 0
    dive_bombers: Squadrons = 0
    fighters: Squadrons = 0


class CarrierCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[6] One line of the ship data: a carrier, her guns, repair and squadrons.

    `damage` is what she has at the start, and `strength` that of each of her squadrons; 0: full (M28).
    """

    key: Annotated[str, msgspec.Meta(description="Small letters and single hyphens; no other carrier has it.")]
    name: str
    side: SideName
    antiaircraft: Annotated[
        int, msgspec.Meta(title="Anti-aircraft dice", extra_json_schema={"minimum": 0, "maximum": 60})
    ]
    repair: Annotated[
        int,
        msgspec.Meta(
            title="Repairs from",
            description="The least die that repairs a point; 7: never.",
            extra_json_schema={"minimum": 1, "maximum": 7},
        ),
    ]
    fighters: Annotated[Squadrons, msgspec.Meta(description="Squadrons, with those that are returning.")]
    torpedo_bombers: Squadrons
    dive_bombers: Squadrons
    returning: Annotated[Group, msgspec.Meta(description="Of these, squadrons in the air at the start.")] = Group()
    damage: Annotated[
        int, msgspec.Meta(title="Damage at the start", extra_json_schema={"minimum": 0, "maximum": 100})
    ] = 0
    strength: Annotated[
        int,
        msgspec.Meta(
            title="Squadron strength (0: full)",
            description="Of each squadron at the start.",
            extra_json_schema={"minimum": 0, "maximum": 100},
        ),
    ] = 0


class OrderOfBattle(HasSource, frozen=True):
    """A scenario file: the carriers, and whether the Japanese fleet has been found.

    `last_turn` ends the battle even if the option allows more turns (M28); 0: it does not.
    """

    title: str
    summary: str
    found: Annotated[bool, msgspec.Meta(title="Japanese fleet found", description="Has it been found at the start?")]
    carrier: Annotated[list[CarrierCard], msgspec.Meta(title="Carriers")]
    last_turn: Annotated[
        int,
        msgspec.Meta(
            description="The battle ends after it; 0: as the option says.",
            extra_json_schema={"minimum": 0, "maximum": 99},
        ),
    ] = 0

    @property
    def forces(self) -> list[tuple[str, str]]:
        """The carriers of each side, with its squadrons in the air at the start, for lists of scenarios."""
        return [(name, _force([card for card in self.carrier if card.side == name])) for name in SIDES]


def _force(cards: Sequence[CarrierCard]) -> str:
    squadrons = sum(sum(_squadrons(card)) for card in cards)
    away = sum(sum(_squadrons(card.returning)) for card in cards)
    names = join_list([card.name for card in cards])
    return f"{names}; {count_noun(squadrons, 'squadron')}{f', {away} of them in the air' if away else ''}"


def _squadrons(of: CarrierCard | Group) -> tuple[int, int, int]:
    return of.fighters, of.torpedo_bombers, of.dive_bombers


AGAIN = "again"
"""[17.2] The cell of the search chart for a re-roll."""
DIE = 6
"""Every die of the game has six sides."""


def repairs_on(least: int) -> str:
    """[15] Return the dice that repair a point of damage, as charts print them."""
    if least >= DIE:
        return str(DIE) if least == DIE else "never"
    return f"{least}–{DIE}"


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures of the game, one field per file of its data folder."""

    combat: Combat
    charts: Charts
    scenarios: dict[str, OrderOfBattle]

    def __post_init__(self) -> None:
        search = next((chart for chart in self.charts.chart if chart.id == "search"), None)
        if search is None or search.columns != ["group"] or not search.dice:
            raise InvalidData("charts.toml", "chart", "a dice chart 'search' with one column 'group'", "none")
        cells = {text for _, _, text in search.cells()} - {AGAIN}
        if not cells or cells != {str(number) for number in range(1, len(cells) + 1)}:
            groups = ", ".join(sorted(cells)) or "none"
            raise InvalidData("charts.toml", "search.rows", f"groups numbered from 1, or {AGAIN!r}", groups)

    def groups(self) -> int:
        """[17.1] Return how many groups search."""
        return len({text for _, _, text in self.charts["search"].cells()} - {AGAIN})


def known_carriers(data: Data) -> dict[str, CarrierCard]:
    """Return the carriers of all scenarios of the game by key."""
    return {card.key: card for scenario in data.scenarios.values() for card in scenario.carrier}


class Rulings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a match, typed for the rules."""

    enterprise_aa: int
    cap_rings: int
    crippled_load: Literal["no", "yes"] = "no"
    early_end: Literal["no", "yes"] = "no"
    turn_limit: int
    ditch_after: int
    attack: Literal["same-turn", "next-move"]
    first_wave: Literal["carrier", "fleet"]
    returning: Literal["listed", "choose"]
    sight: Literal["tables", "open"]
    seats: Literal["two", "groups"]
    questions: Literal["always"] | msgspec.UnsetType = msgspec.UNSET  # unset as in matches of version 2
    orders: Literal["together"] | msgspec.UnsetType = msgspec.UNSET  # unset as in matches of version 3


# -- pieces ----------------------------------------------------------------------------------------------------------


class Squadron(Piece, frozen=True, gc=False):  # type: ignore[misc]  # what dataclasses may not do, structs may
    """[5] A counter of one to five strength points from one carrier, keyed by carrier, type and number: `hiryu-tb-2`.

    `taken_over` names the seat that commands it since its own carrier sank (M18); `returning` marks the first wave
    until it has landed [7]; `waited` counts turns without a deck to land on. Immutable: changes make a new counter.
    """

    kind: Kind
    strength: int
    taken_over: str = ""
    returning: bool = False
    waited: int = 0

    @property
    def home(self) -> str:
        """The key of the carrier that it came from."""
        return self.key.rsplit("-", 2)[0]

    @property
    def seat(self) -> str:
        """With a seat for each carrier, the seat that commands it."""
        return self.taken_over or self.home

    @property
    def name(self) -> str:
        """Return carrier, type and number, as in Hiryu TB 2."""
        return squadron_name(self.key)

    def __str__(self) -> str:
        return _label(self.key, self.strength)

    @classmethod
    def describe_many(cls, pieces: Sequence[Squadron], data: Data) -> str:
        """Describe several squadrons for the log."""
        return in_wings(pieces, data.combat.squadron.strength)


FEW = 3
"""Up to this many squadrons are listed by name."""


class SquadronCount(msgspec.Struct, frozen=True, gc=False):
    """For the log: squadrons counted by type.

    >>> str(SquadronCount([Squadron("hiryu-f-1", FIGHTER, 5), Squadron("hiryu-db-1", DIVE, 5)]))
    '1 fighter and 1 dive-bomber squadron'
    """

    squadrons: Sequence[Squadron]

    @property
    def pieces(self) -> Sequence[Squadron]:
        """The squadrons."""
        return self.squadrons

    def __str__(self) -> str:
        counts = Counter(squadron.kind for squadron in self.squadrons)
        parts = [f"{counts[kind]} {KIND_ADJECTIVES[kind]}" for kind in KINDS if counts[kind]]
        last = next((counts[kind] for kind in reversed(KINDS) if counts[kind]), 0)
        return f"{join_list(parts)} {agree(last, 'squadron', 'squadrons')}"


class CarrierLoads(msgspec.Struct, frozen=True, gc=False):
    """For the log: what carriers do with squadrons, in one clause; carriers with the same squadrons are named together.

    `verbs` are those of one and of several carriers, and `where` is said after the first squadrons.

    >>> vals = [Squadron("hiryu-db-1", DIVE, 5)]
    >>> loads = [(KeyedText("Hiryu", "hiryu"), vals), (KeyedText("Kaga", "kaga"), vals)]
    >>> str(CarrierLoads(("spots", "spot"), loads, " on deck"))
    'Hiryu and Kaga spot 1 dive-bomber squadron each on deck'
    """

    verbs: tuple[str, str]
    loads: Sequence[tuple[KeyedText, Sequence[Squadron]]]
    where: str = ""

    @property
    def pieces(self) -> Sequence[object]:
        """The carriers and the squadrons."""
        return [piece for carrier, aboard in self.loads for piece in (carrier, *aboard)]

    def __str__(self) -> str:
        groups, parts = dict[str, list[str]](), list[str]()
        for carrier, aboard in self.loads:
            groups.setdefault(str(SquadronCount(aboard)), []).append(carrier)
        for count, names in groups.items():
            verb = "" if parts else f" {agree(len(names), *self.verbs)}"
            parts.append(
                f"{join_list(names)}{verb} {count}{' each' if len(names) > 1 else ''}{'' if parts else self.where}"
            )
        return "; ".join(parts)


class Points(msgspec.Struct, frozen=True, gc=False):
    """For the log: the strength points of squadrons."""

    pieces: Sequence[Squadron]

    @property
    def total(self) -> int:
        """Their sum."""
        return total(self.pieces)

    def __str__(self) -> str:
        return str(self.total)


def in_wings(squadrons: Sequence[Squadron], full: int) -> str:
    """Describe squadrons: a few by name, more by carrier and type, with strengths unless all full or lost.

    >>> squadrons = [Squadron("hornet-db-1", DIVE, 4), Squadron("enterprise-tb-1", TORPEDO, 5)]
    >>> in_wings(squadrons, full=5)
    'Hornet DB 1 (4), Enterprise TB 1 (5)'
    >>> in_wings([*squadrons, Squadron("hornet-db-2", DIVE, 5), Squadron("enterprise-tb-2", TORPEDO, 5)], full=5)
    'Hornet 2 DB (4, 5), Enterprise 2 TB'
    """
    if len(squadrons) <= FEW:
        return ", ".join(map(str, squadrons))
    wings = []
    for home in dict.fromkeys(squadron.home for squadron in squadrons):
        counts = []
        for kind in KINDS:
            strengths = [one.strength for one in squadrons if one.home == home and one.kind == kind]
            detail = "" if set(strengths) in ({full}, {0}) else f" ({', '.join(map(str, strengths))})"
            counts += [f"{len(strengths)} {kind}{detail}"] if strengths else []
        wings.append(f"{_titled(home)} {', '.join(counts)}")
    return ", ".join(wings)


def _titled(home: str) -> str:
    return home.replace("-", " ").title()


@lru_cache(maxsize=4096)
def squadron_name(key: str) -> str:
    """Return carrier, type and number, as in Hiryu TB 2."""
    home, kind, number = key.rsplit("-", 2)
    return f"{_titled(home)} {kind.upper()} {number}"


@lru_cache(maxsize=16384)
def _label(key: str, strength: int) -> str:
    return f"{squadron_name(key)} ({strength})" if strength else squadron_name(key)


@lru_cache(maxsize=4096)
def squadron_order(key: str) -> tuple[int, str, int]:
    """Return the sort key of a squadron's key: type, carrier and number."""
    home, kind, number = key.rsplit("-", 2)
    return [each.lower() for each in KINDS].index(kind), home, int(number)


class Carrier(Piece):
    """[6] A carrier: her guns, lowest repair die, damage, deck and hangar."""

    name: str
    antiaircraft: int
    repair: int
    seat: str
    damage: int = 0
    deck: Sequence[Squadron] = []
    hangar: Sequence[Squadron] = []

    def __str__(self) -> str:
        return self.name

    @property
    def named(self) -> KeyedText:
        """Her name, for the log."""
        return KeyedText(self.name, self.key)

    @classmethod
    def describe_many(cls, pieces: Sequence[Carrier], data: Data) -> str:
        """Return the names of several carriers for the log."""
        return join_list([carrier.name for carrier in pieces])


class Side(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """One fleet: carriers, boxes of the circuit, CAP rings, and lost counters.

    `attacking` has the squadrons over each enemy carrier; `cap[0]` is the centre. Boxes are replaced and never changed,
    so that copies of a fleet may share them.
    """

    name: SideName
    seats: tuple[str, ...]
    carriers: list[Carrier]
    cap: Sequence[Sequence[Squadron]]
    moving: Sequence[Squadron] = []
    ready: Sequence[Squadron] = []
    attacking: dict[str, Sequence[Squadron]] = {}
    home: Sequence[Squadron] = []
    waiting: Sequence[Squadron] = []
    lost: Sequence[Squadron] = []
    lands_early: bool = False  # M26: a first wave is out

    @property
    def title(self) -> str:
        """The side's name."""
        return SIDE_TITLES[self.name]

    @property
    def adjective(self) -> str:
        """The side's adjective: Japanese or American."""
        return SIDE_ADJECTIVES[self.name]

    def carrier(self, key: str) -> Carrier:
        """Return the carrier of this key; StopIteration is a bug."""
        return next(carrier for carrier in self.carriers if carrier.key == key)

    def airborne(self) -> Iterator[Squadron]:
        """Iterate over every squadron in the air."""
        for box in (self.moving, self.ready, *self.attacking.values(), self.home, self.waiting, *self.cap):
            yield from box

    def squadrons(self) -> Iterator[Squadron]:
        """Iterate over every squadron still in the game."""
        yield from self.airborne()
        for carrier in self.carriers:
            yield from carrier.deck
            yield from carrier.hangar

    def exchange(self, new: Mapping[Squadron, Squadron]) -> None:
        """Replace squadrons by counters with other figures, wherever they are; without strength they are gone."""

        def renewed(box: Sequence[Squadron]) -> Sequence[Squadron]:
            return exchanged(box, new)

        self.moving, self.ready = renewed(self.moving), renewed(self.ready)
        self.home, self.waiting = renewed(self.home), renewed(self.waiting)
        self.attacking = {target: renewed(wave) for target, wave in self.attacking.items()}
        self.cap = list(map(renewed, self.cap))
        for carrier in self.carriers:
            carrier.deck, carrier.hangar = renewed(carrier.deck), renewed(carrier.hangar)


class Midway(State):
    """The whole battle; `sink` and `cripple` are damage figures, `found` ends the search [17]."""

    rulings: Rulings
    sink: int
    cripple: int
    japan: Side
    usa: Side
    found: bool

    def side(self, name: SideName) -> Side:
        """Return the fleet of this name."""
        return self.japan if name == JAPAN else self.usa

    def enemy(self, side: Side) -> Side:
        """Return the other fleet."""
        return self.usa if side is self.japan else self.japan

    def asks(self, side: Side, since: int, carriers: Sequence[Carrier]) -> bool:
        """[M26] Return whether a side is asked even without a choice, because the enemy cannot know that it has none.

        The enemy knows it in open play, before turn `since`, and if the side has none of the carriers that it takes.
        """
        hidden = self.rulings.questions == "always" and self.rulings.sight != "open"
        return hidden and self.at.turn >= since and bool(carriers)

    @property
    def orders_together(self) -> bool:
        """[M27] Whether orders of one kind are one question, and not one for each ship, box or group."""
        return self.rulings.orders == "together"

    def afloat(self, side: Side) -> list[Carrier]:
        """[16.2] Return a side's carriers that have not sunk."""
        sink = self.sink
        return [carrier for carrier in side.carriers if carrier.damage < sink]

    def gone(self, side: Side) -> bool:
        """[16.2] Return whether all carriers of a side have sunk."""
        return not self.afloat(side)

    def working(self, side: Side) -> list[Carrier]:
        """[16.1] Return a side's carriers that are neither crippled nor sunk."""
        cripple = self.cripple
        return [carrier for carrier in side.carriers if carrier.damage < cripple]

    def crippled(self, carrier: Carrier) -> bool:
        """[16.1] Return whether a carrier is crippled but afloat."""
        return self.cripple <= carrier.damage < self.sink


def copy_state(state: Midway) -> Midway:
    """Return a copy of the battle, for a checkpoint.

    It shares the boxes and squadrons, which rules replace and never change: three times as fast as decoding them.
    """
    japan, usa = (
        replace(side, carriers=[replace(carrier) for carrier in side.carriers], attacking={**side.attacking})
        for side in (state.japan, state.usa)
    )
    return replace(state, japan=japan, usa=usa)


T = Table[Midway, Data]


CounterT = TypeVar("CounterT", Squadron, Carrier)


def by_seat(side: Side, counters: Sequence[CounterT]) -> list[tuple[str, Sequence[CounterT]]]:
    """Return squadrons or carriers by the seat that commands them, in seat order."""
    if len(side.seats) == 1:
        return [(side.seats[0], counters)] if counters else []
    shares = [(seat, [counter for counter in counters if counter.seat == seat]) for seat in side.seats]
    return [(seat, share) for seat, share in shares if share]


def leader(side: Side, squadrons: Sequence[Squadron]) -> str:
    """[M22] Return the seat that decides for several: the one with the most squadrons, the first of equals."""
    return max(by_seat(side, squadrons), key=lambda share: len(share[1]))[0]


points: Callable[[Squadron], int] = attrgetter("strength")
"""Return a squadron's strength."""


STRENGTH_INFO = OptionInfo("each squadron takes as many points as its strength, one to five")
"""The info of options that are paid for with their strength."""


def within(box: Iterable[Squadron], chosen: Container[Squadron]) -> list[Squadron]:
    """Return the chosen squadrons of a box, in order."""
    return list(filter(chosen.__contains__, box))


def without(box: Iterable[Squadron], gone: Container[Squadron]) -> list[Squadron]:
    """Return a box without the squadrons that have gone."""
    return list(filterfalse(gone.__contains__, box))


def parted(box: Sequence[Squadron], chosen: Container[Squadron]) -> tuple[list[Squadron], list[Squadron]]:
    """Return the chosen squadrons of a box, and the others."""
    return within(box, chosen), without(box, chosen)


def exchanged(box: Sequence[Squadron], new: Mapping[Squadron, Squadron]) -> Sequence[Squadron]:
    """Return a box with these counters replaced by others, without those that have no strength."""
    if new.keys().isdisjoint(box):
        return box
    return [now for squadron in box if (now := new.get(squadron, squadron)).strength]


def total(squadrons: Iterable[Squadron]) -> int:
    """Return the total strength of squadrons."""
    return sum(map(points, squadrons))
