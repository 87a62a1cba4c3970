"""The state of a raid: bombers, markers, targets, flights, the security track, the story."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.state import State
from readyroom.engine.rules.table import Choice, Table
from readyroom.games.doolittle.denouement.state import DenouementState
from readyroom.games.doolittle.figures.attack import Squadron, TargetMap
from readyroom.games.doolittle.figures.common import MONTHS, Light, Weather, Wind
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Scenario, Segment
from readyroom.games.doolittle.pieces import Bomber, Crew, Marker
from readyroom.games.doolittle.planning.state import Blotter, Talks
from readyroom.games.doolittle.voyage.state import Deck, Launch, Plan, Strike, Voyage

CAPTAIN = "captain"
"""[1.4] The one who plays; where several share a raid, the first of them."""
OVER_JAPAN: tuple[Segment, ...] = ("flight", "attack")
"""Segments that are played only if bombers were launched."""
DEBRIEFING = "debriefing"
"""The phase with which every match ends."""
CALLED_OFF = "called-off"
"""[15.1.2] The fact that the raid was called off before the force sailed."""


class Box(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[3.3] A target box: markers that wait in it, and its blast."""

    markers: list[Marker] = []
    blast: int = 0


class Area(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[3.2] An area: markers that no one has, its blast, and its boxes."""

    boxes: dict[str, Box]
    markers: list[Marker] = []
    blast: int = 0


class Target(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[3.0] A target map, which lives through the whole match: its areas, its tally of detonations, its lights.

    `met` counts the markers turned over there so far, by name: most of them are in a cup again.
    """

    areas: dict[str, Area]
    tally: int = 0
    dark: bool = False
    met: dict[str, int] = {}

    @property
    def boxes(self) -> Iterator[tuple[str, Box]]:
        """All boxes by key."""
        for area in self.areas.values():
            yield from area.boxes.items()

    @property
    def burns(self) -> bool:
        """[8.1.4] Whether there is a blast anywhere on the map."""
        return any(area.blast for area in self.areas.values()) or any(box.blast for _, box in self.boxes)


class Raid(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[4.0] An attack in progress: its city, its flight (none in an attack scenario), its light and altitude.

    `entry` is the area in which the flight enters, and `met` lists in order what has been turned over this turn.
    """

    city: str
    light: Light
    flight: str = ""
    high: bool = False
    turn: int = 0
    entry: str = ""
    met: list[str] = []


class Flight(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[7.1] Bombers that fly together: where, with how much fuel, how high; and where they have landed.

    It has no counter: it is created when a bomber continues alone (7.1.2), and ends with its last one.
    `assigned` are hazards that it has yet to share among its bombers, `light` and `weather` those in which it found its
    landing site (DR47), and `waits` the turns by which it was held up at the launch.
    """

    key: str
    members: list[str]
    zone: str
    fuel: int
    high: bool = False
    alone: bool = False
    site: str = ""
    light: Light = "day"
    weather: Weather = "calm"
    waits: int = 0
    assigned: list[Marker] = []


class Security(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[6.1] The security track."""

    alert: int = 0
    failed: int = 0
    risk: int = 0
    value: int = 0


class Air(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[5.0, 7.0] The flight map: the hour in Japan, flights, markers in zones, winds and the weather they come from.

    `queue` are the flights that have still to act in `phase`, which an attack may interrupt; `attacked` says that one
    has raided a city in it, `planned` that the launch was, and `checked` that the first wind has been looked for.
    A beacon has no number (0) until someone looks for its site; `stock` is fuel that waits at sites. `contacts` are
    the markers at the cities, `submarines` those in contact off Japan, and `briefed` says whether Stilwell was. There
    are `groundcrews` at sites, and `taken` are sites that were attacked (13.2.4); `eased` says that the bonus
    of a planned launch was given (15.2). The map lies there from the start of
    every scenario but the first six, for planning and voyage already affect it. `met` lists in order what has
    been turned over since the hazards phase began, for most of it is in a cup again; `gunners` are the bombers whose
    guns have fired at an interceptor in this phase.
    """

    hour: int
    flights: list[Flight]
    zones: dict[str, list[Marker]]
    winds: dict[str, Wind] = {}
    weather: dict[str, Weather] = {}
    beacons: dict[str, int] = {}
    stock: dict[str, int] = {}
    contacts: dict[str, int] = {}
    turn: int = 1
    planned: bool = False
    checked: bool = False
    queue: list[str] = []
    phase: str = ""
    attacked: bool = False
    submarines: int = 0
    briefed: bool = False
    groundcrews: dict[str, int] = {}
    taken: list[str] = []
    eased: bool = False
    met: list[str] = []
    gunners: list[str] = []


class Happening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event for the story at the end: its segment, time, kind, and subjects.

    `when` is the month on the blotter, the box of the naval turn track, or the hour of the flight.
    """

    segment: Segment
    turn: int
    what: str
    who: str = ""
    where: str = ""
    when: str = ""


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The optional rules, and who plays."""

    players: Literal["1", "2", "3"]
    variant: Literal["printed", "variant", "second", "third"]
    tracers: Literal["no", "yes"]
    coordinated: Literal["no", "yes"]
    interceptors: Literal["die", "none"]
    crosswind: Literal["text", "example"]
    limit: Literal["new", "all"]
    lights: Literal["text", "card"]
    boxes: Literal["wait", "return"]
    bonus: Literal["no", "yes"] = "no"
    ending: Literal["short", "told"] = "short"
    incidents: Literal["no", "yes"] = "no"
    elites: Literal["drawn", "chosen"] = "drawn"
    conservation: Literal["first", "highest"] = "first"
    lead: Literal["first", "turns"] = "first"


class Doolittle(State):
    """A raid, or a part of it.

    `agenda` are the segments still to come, `scenario` its key, `raid` the attack that continues, `air` the flight map;
    `poured` says into which other cup the markers of one go, `out` are those that have left the game; `turrets` says
    that both turrets of the bombers were taken out or improved. `blotter`, `voyage` and `ending` are there while their
    segments last and after them; `plan`, `talks` and `launched` are what one segment leaves to the next, and `facts`
    count what the debriefing asks for and nothing on the table shows any more. `own` is the scenario itself where a
    player wrote it.
    """

    scenario: str
    rulings: Rulings
    agenda: list[Segment]
    segment: Segment
    seats: list[str]
    ratings: Squadron
    security: Security
    squad: dict[str, Bomber]
    targets: dict[str, Target]
    cups: dict[str, Cup[Marker]]
    out: list[Marker] = []
    poured: dict[str, str] = {}
    armour: Literal["normal", "added", "removed"] = "normal"
    turrets: bool = False
    raid: Raid | None = None
    air: Air | None = None
    blotter: Blotter | None = None
    talks: Talks = msgspec.field(default_factory=Talks)
    plan: Plan | None = None
    voyage: Voyage | None = None
    deck: Deck | None = None
    strike: Strike | None = None
    launched: Launch | None = None
    ending: DenouementState | None = None
    crews: list[Crew] = []
    facts: dict[str, int] = {}
    story: list[Happening] = []
    own: Scenario | None = None

    @property
    def captain(self) -> str:
        """[1.4, DR111] The seat that leads: it decides what concerns all.

        The captains lead in turn: a month of planning, a naval turn, a flight turn, a phase of the denouement each.
        """
        if len(self.seats) == 1 or self.rulings.lead == "first":
            return self.seats[0]
        return self.seats[self._turn() % len(self.seats)]

    def _turn(self) -> int:
        """[1.4, DR111] Return the turn of the segment by which the lead goes round, counted from 0."""
        if self.segment == "planning":
            return MONTHS.index(self.notes.month)
        if self.segment == "naval":
            return self.sea.turn - 1
        if self.segment == "denouement":
            return self.at.turn
        return self.air.turn - 1 if self.air is not None else 0

    @property
    def next_segment(self) -> Segment | None:
        """[1.1] The segment after this one, None at the end; without a launch neither flight nor attack is played."""
        grounded = self.launched is not None and self.launched.how == "none"
        for segment in self.agenda:
            if segment != "attack" and not (grounded and segment in OVER_JAPAN):
                return segment
        return None

    def begin(self, segment: Segment) -> None:
        """[1.1] Begin a segment, in its first phase; those before it are done."""
        self.segment = segment
        if segment in self.agenda:
            self.agenda = self.agenda[self.agenda.index(segment) + 1 :]

    @property
    def called_off(self) -> bool:
        """[15.1.2] Whether the raid was called off."""
        return bool(self.facts.get(CALLED_OFF))

    def call_off(self) -> None:
        """[15.1.2] Call the raid off: the debriefing follows at once."""
        self.facts[CALLED_OFF] = 1
        self.agenda = []

    @property
    def city(self) -> Target:
        """[3.0] The map of the raid that continues."""
        return self.targets[self.attack.city]

    @property
    def attack(self) -> Raid:
        """[4.0] The raid that continues, where there is one."""
        assert self.raid is not None
        return self.raid

    @property
    def sky(self) -> Air:
        """[5.0] The flight map, which there is in every scenario but the first six."""
        assert self.air is not None
        return self.air

    @property
    def notes(self) -> Blotter:
        """[13.0.1] The blotter, which there is in the campaign."""
        assert self.blotter is not None
        return self.blotter

    @property
    def orders(self) -> Plan:
        """[13.5.1] The naval plan, which exists wherever ships sail."""
        assert self.plan is not None
        return self.plan

    @property
    def sea(self) -> Voyage:
        """[9.0] The naval map, which exists wherever ships take part."""
        assert self.voyage is not None
        return self.voyage

    @property
    def launching(self) -> Deck:
        """[12.3] The launch that is continuing."""
        assert self.deck is not None
        return self.deck

    @property
    def airstrike(self) -> Strike:
        """[11.0] The airstrike that is continuing."""
        assert self.strike is not None
        return self.strike

    @property
    def denouement(self) -> DenouementState:
        """[14.0] The denouement, once it has begun."""
        assert self.ending is not None
        return self.ending

    def add_to_story(self, what: str, who: str = "", where: str = "") -> None:
        """[1.9] Add an event to the story at the end."""
        self.story.append(Happening(self.segment, self.at.turn, what, who, where, self._story_time()))

    def _story_time(self) -> str:
        """[1.9, 9.2, 5.2] Return the time of an event: a month, a naval turn, or an hour of the flight."""
        if self.segment == "planning":
            return self.notes.month
        if self.segment == "naval" and self.voyage is not None:
            return str(self.voyage.turn)
        return str(self.air.hour) if self.segment in ("flight", "attack") and self.air is not None else ""

    def put_back(self, *markers: Marker) -> None:
        """[4.6.1, 8.3.5, DR112] Put markers back into their cups, face down."""
        for marker in markers:
            marker.shown = False
            self.cups[self.poured.get(marker.cup, marker.cup)].contents.append(marker)

    def flight(self, key: str) -> Flight:
        """Return a flight by its key."""
        return next(flight for flight in self.sky.flights if flight.key == key)

    def find_flight(self, bomber: str) -> Flight | None:
        """[7.1] Return the flight that a bomber flies in, or None; there is none in an attack scenario."""
        if self.air is None:
            return None
        return next((flight for flight in self.air.flights if bomber in flight.members), None)

    def flight_with(self, bomber: str) -> Flight:
        """[7.1] Return the flight of a bomber that is known to fly on the flight map."""
        flight = self.find_flight(bomber)
        assert flight is not None
        return flight

    def in_flight(self, flight: Flight) -> list[Bomber]:
        """Return the bombers of a flight that are in the air."""
        return [self.squad[key] for key in flight.members if self.squad[key].flies]

    def over_target(self) -> list[Bomber]:
        """Return the bombers that are on the target map now."""
        return [bomber for bomber in self.squad.values() if bomber.over]

    def in_area(self, area: str) -> list[Bomber]:
        """Return the bombers in an area, those in its boxes among them."""
        return [bomber for bomber in self.over_target() if bomber.area == area]


T: TypeAlias = Table[Doolittle, Data]


def leader_name(state: Doolittle) -> str:
    """[1.4, DR111] Return the name of the captain who leads now; empty where the lead never changes."""
    changes = len(state.seats) > 1 and state.rulings.lead == "turns"
    return f"Captain {state.seats.index(state.captain) + 1}" if changes else ""


def announce_lead(table: T) -> None:
    """[1.4, DR111] Log which of several captains leads from now on."""
    if leader := leader_name(table.state):
        table.log_line("1.4", "{} leads.", leader)


def scenario_card(state: Doolittle, data: Data) -> Scenario:
    """[1.2] Return the scenario that is played: a player's own, or a shipped one."""
    return state.own or data.scenarios[state.scenario]


def target_map(table: T) -> TargetMap:
    """[3.0] Return the figures of the map over which the raid continues."""
    return table.data.targets.maps[table.state.attack.city]


def ask(table: T, bomber: Bomber, rule: str, question: str, options: Sequence[Option]) -> Choice[Option]:
    """[1.4] Ask a bomber's captain a question."""
    return (yield from table.choose(seat_of(table.state, bomber.key), rule, question, options, piece_key=bomber.key))


def choose_exactly(table: T, rule: str, question: str, options: Sequence[Option], count: int) -> Choice[list[Any]]:
    """[1.4] Let the leading captain choose this number of options; return their values."""
    seat = table.state.captain
    chosen = yield from table.choose_some(seat, rule, question, options, at_least=count, at_most=count)
    return [option.value for option in chosen]


def seat_of(state: Doolittle, bomber: str = "", flight: Any = None) -> str:
    """[1.4] Return who answers for a bomber or a flight: the players share the flights in turn, the first has all else.

    Without flights they share the bombers.
    """
    if len(state.seats) == 1:
        return state.captain
    owner = flight or (state.find_flight(bomber) if bomber else None)
    if owner is not None:
        first = owner.key.split("-")[1]
        return state.seats[(int(first) - 1) % len(state.seats)]
    if bomber:
        return state.seats[list(state.squad).index(bomber) % len(state.seats)]
    return state.captain
