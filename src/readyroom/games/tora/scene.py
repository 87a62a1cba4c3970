"""What is on the board, as a drawing tells of it: each piece with its look and its words, before it has a place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from readyroom.engine.data import load
from readyroom.engine.game import View
from readyroom.games.tora.figures import JAPAN, SIDE_TITLES, SIDES, USA, Data, SideName, number_of
from readyroom.games.tora.harbor import Moored, dock_of, torpedo_patches, zone_of
from readyroom.games.tora.luck import last_turn
from readyroom.games.tora.plan import ORDNANCE_TITLES, Berth, Ordnance

Shown = dict[str, Any]

LOADS = {"gp": "GP", "ap": "AP", "torpedo": "T"}
"""What hangs under a bomber, in letters."""
UNKNOWN = "?"
TYPE_LETTERS = {"p40": "40", "p36": "36", "p26": "26", "f4f": "4F", "f2a": "2A"}
"""What tells American fighters apart beside their shape."""
TINTS = {"": 0, UNKNOWN: 3, "GP": 4, "AP": 6, "T": 2}
"""The colour of what hangs under a unit; that of American fighters is 0."""
COMPASS = {"NW": "north-west", "NE": "north-east", "SE": "south-east", "SW": "south-west"}
WATERS = {
    "1": "the harbor, {} of Ford Island",
    "2": "the {} of Oahu",
    "3": "the sea {} of Oahu",
}
"""What the zones of each ring are."""
KINDS = {
    "CV": "aircraft carrier",
    "BB": "battleship",
    "CL": "light cruiser",
    "AG": "old battleship, now a target",
    "AO": "oiler",
    "AV": "seaplane tender",
    "AR": "repair ship",
}


@lru_cache(maxsize=1)
def printed() -> Data:
    """The figures of the package, for what a view does not say: names, full strengths, and the shape of the harbor."""
    return load(Data, "readyroom.games.tora")


@dataclass(frozen=True, slots=True)
class Art:
    """What an air unit looks like: its side, type and strength, and the letters of its tab."""

    id: str
    side: SideName
    type: str
    strength: int
    full: int
    letters: str

    @property
    def tint(self) -> int:
        """The colour of its tab."""
        return TINTS.get(self.letters, 0)


@dataclass(frozen=True, slots=True)
class Unit:
    """An air unit: its look, what it tells of itself, and whether it has moved or attacked in this turn.

    `group` names the like units of a zone, as questions do: zone, type and ordnance.
    """

    key: str
    art: str
    title: str
    acted: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """One of the twelve zones, and what flies over it, Japan's units first, type by type."""

    key: str
    title: str
    units: Mapping[SideName, Sequence[Unit]]

    @property
    def count(self) -> int:
        """All units over it."""
        return sum(map(len, self.units.values()))


@dataclass(frozen=True, slots=True)
class Field:
    """An airfield with its stacks, the lowest unit first; `planned` are those that are only on paper."""

    key: str
    name: str
    zone: str
    title: str
    places: int
    stacks: Sequence[Sequence[Unit]]
    planned: bool

    @property
    def count(self) -> int:
        """All units on it."""
        return sum(map(len, self.stacks))


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship: `state` is one of whole, hurt, damaged and sunk; `berth` is None if she lies nowhere.

    `zone` is where she lies, `planned` says that her berth is only on paper, and `runs` are the patches of water from
    which torpedoes reach her.
    """

    key: str
    name: str
    kind: str
    length: int
    hits: int
    strength: int
    state: str
    title: str
    berth: Berth | None
    zone: str
    planned: bool
    runs: Sequence[Sequence[tuple[int, int]]] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A battery, or a token of the yard, and the hits on it."""

    key: str
    name: str
    title: str
    hits: int
    strength: int

    @property
    def gone(self) -> bool:
        """Whether nothing is left of it."""
        return self.hits >= self.strength


@dataclass(frozen=True, slots=True)
class Day:
    """A column of the calendar: its day, its cells from above, the level of each (0: none), and if it is the day."""

    day: int
    cells: Sequence[str]
    levels: Sequence[int]
    now: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """What is told of a side beside the chart: lines, the alert levels, and the calendar with its row titles."""

    side: SideName
    heading: str
    lines: Sequence[str]
    alerts: Sequence[tuple[str, int]] = ()
    rows: Sequence[str] = ()
    days: Sequence[Day] = ()

    @property
    def title(self) -> str:
        """All lines in one."""
        return " ".join([f"{self.heading}.", *self.lines])


@dataclass(frozen=True, slots=True)
class Turn:
    """A box of the turn track: what happens on it, as far as who looks may know."""

    turn: int
    now: bool
    past: bool
    rise: bool
    luck: bool
    wave: int


@dataclass(frozen=True, slots=True)
class Luck:
    """The deck of luck: cards left, and the last one that was turned over: its rank and suit."""

    left: int
    drawn: int
    rank: str = ""
    suit: str = ""
    title: str = ""


@dataclass(slots=True)
class Scene:
    """All that is on the board. `adrift` are ships that lie nowhere, and `adrift_title` says why."""

    title: str
    lines: Sequence[str]
    zones: Mapping[str, Zone]
    fields: Sequence[Field]
    ships: Sequence[Ship]
    batteries: Sequence[Target]
    yard: Sequence[Target]
    panels: Sequence[Panel]
    turns: Sequence[Turn]
    luck: Luck
    adrift_title: str
    arts: Mapping[str, Art] = field(default_factory=dict)

    @property
    def adrift(self) -> Sequence[Ship]:
        """The ships without a berth."""
        return [ship for ship in self.ships if ship.berth is None]


def scene(view: View) -> Scene:
    """What a view shows."""
    return _Reader(view).scene()


class _Reader:
    """Reads a view, and on its way collects the looks of the units that it finds there."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.table: Shown = view["table"]
        self.sides: dict[SideName, Shown] = {side: self.table[side] for side in SIDES}
        self.day: int = self.table["day"] or 0
        self.turn: int = view["turn"]
        self.order = {each.key: at for at, each in enumerate(printed().air.type)}
        self.arts: dict[str, Art] = {}

    def scene(self) -> Scene:
        """Everything."""
        return Scene(
            title=self.view["scenario"],
            lines=self._lines(),
            zones={key: self._zone(key, over) for key, over in self.table["zones"].items()},
            fields=self._fields(),
            ships=self._ships(),
            batteries=[self._battery(each) for each in self.table["usa"]["batteries"]],
            yard=[self._token(each) for each in self.table["usa"]["yard"]],
            panels=[_japan_told(self.view, self.day), _usa_told(self.view, self.day)],
            turns=list(_turns(self.table, self.turn)),
            luck=_luck(self.table["luck"]),
            adrift_title="At sea" if self.day else "No berth yet" if self.sides[USA]["own"] else "Berth not told",
            arts=self.arts,
        )

    def _lines(self) -> list[str]:
        """Under the title: the day, the turn, and how it ended."""
        calendar = printed().planning.calendar
        when = f"{self.day} {calendar.month} {calendar.year}" if self.day else f"{calendar.month} {calendar.year}"
        told = f"turn {self.turn}" if self.turn else "before the attack" if self.day else "planning in secret"
        outcome = self.view["outcome"]
        return [when, outcome["title"] if outcome else told]

    # -- in the air --------------------------------------------------------------------------------------------------

    def _zone(self, key: str, over: Mapping[SideName, Sequence[Shown]]) -> Zone:
        ring, quadrant = key[0], key[1:]
        where = WATERS[ring].format(COMPASS[quadrant])
        units = {side: self._crowd(side, over[side], key) for side in SIDES}
        expected = [] if self.day else self._expected(key)
        if expected:
            units[JAPAN] = expected
            return Zone(key, f"Zone {key}, {where}; {len(expected)} units come in here with wave 1, as planned", units)
        told = [
            f"{SIDE_TITLES[side]} has {len(over[side])} units with {_planes(over[side])} aircraft over it"
            for side in SIDES
            if over[side]
        ]
        return Zone(key, "; ".join([f"Zone {key}, {where}", *(told or ["nobody over it"])]), units)

    def _expected(self, key: str) -> list[Unit]:
        """The units that come in over a zone with the first wave, as far as the plan is seen; they have no keys yet."""
        plan, types = on_the_sheets(self.sides[JAPAN]), printed().air.types
        found: list[Unit] = []
        for group in plan["wave"][0].get("group", ()) if plan and plan["wave"] else ():
            if group["sector"] == key:
                type_, letters = group["type"], LOADS.get(group.get("ordnance", "none"), "")
                art = self._art(JAPAN, type_, types[type_].strength, letters)
                found += [Unit("", art, types[type_].name)] * group["units"]
        return found

    def _crowd(self, side: SideName, units: Sequence[Shown], zone: str) -> list[Unit]:
        """Units in one place, by type and by what they carry, the strongest first."""
        found = sorted(units, key=lambda u: (self.order[u["type"]], str(u["ordnance"]), -u["strength"]))
        return [self.unit(side, unit, f"over {zone}", f"{zone}:{unit['type']}:{unit['ordnance']}") for unit in found]

    def unit(self, side: SideName, unit: Shown, where: str, group: str = "") -> Unit:
        """An air unit as it is drawn and told."""
        type_, strength = unit["type"], unit["strength"]
        printed_type = printed().air.types[type_]
        acted = self.turn > 0 and unit["acted"] == self.turn
        told = [f"{unit['name']}: {printed_type.name}, strength {strength} of {printed_type.strength}"]
        told += [words for words in (_carries(unit), where, "has acted this turn" if acted else "") if words]
        return Unit(unit["key"], self._art(side, type_, strength, _letters(unit)), ", ".join(told), acted, group)

    def _art(self, side: SideName, type_: str, strength: int, letters: str) -> str:
        mark = {UNKNOWN: "x"}.get(letters, letters.lower())
        art = "-".join(part for part in ("pc", type_, str(strength), mark) if part)
        full = printed().air.types[type_].strength
        return self.arts.setdefault(art, Art(art, side, type_, strength, max(full, strength), letters)).id

    # -- on the ground -----------------------------------------------------------------------------------------------

    def _fields(self) -> list[Field]:
        return [self._field(each) for each in self.table["usa"]["fields"]]

    def _field(self, each: Shown) -> Field:
        paper = () if self.day else self._parked_on_paper()
        planned = bool(paper)
        if planned:
            stacks = self._on_paper(each["key"], paper)
        else:
            stacks = [
                [self.unit(USA, unit, _parked(each["name"], at, len(stack))) for at, unit in enumerate(stack)]
                for stack in each["stacks"]
            ]
        count = sum(map(len, stacks))
        service = printed().places.fields[each["key"]].service
        told = f"{each['name']}, {service} airfield in {each['zone']}: {count} units on {each['places']} places"
        if planned:
            told += ", as planned"
        return Field(each["key"], each["name"], each["zone"], told, each["places"], stacks, planned)

    def _parked_on_paper(self) -> Sequence[Shown]:
        """What a plan says of the fields; one that is locked and says nothing means the usual deployment."""
        plan = on_the_sheets(self.sides[USA])
        if plan is None:
            return ()
        usual = [] if self.sides[USA]["draft"] else [_entry(each) for each in printed().planning.deployment.parked]
        return plan.get("parked") or usual

    def _on_paper(self, key: str, parked: Sequence[Shown]) -> list[list[Unit]]:
        """The stacks of a field as the plan has them; they have no keys yet."""
        types, stacks = printed().air.types, list[list[Unit]]()
        for entry in (entry for entry in parked if entry["field"] == key):
            layers = [type_ for type_ in (entry.get("under"), entry["top"]) if type_]
            for _ in range(entry.get("places", 1)):
                stacks.append([
                    Unit("", self._art(USA, each, types[each].strength, TYPE_LETTERS[each]), types[each].name)
                    for each in layers
                ])  # fmt: skip
        return stacks

    def _battery(self, each: Shown) -> Target:
        hits, strength = each["hits"], each["strength"]
        state = "silenced" if hits >= strength else f"{hits} of {strength} hits"
        title = f"{each['name']}, shore battery in {each['zone']}: {state}"
        return Target(each["key"], each["name"], title, hits, strength)

    def _token(self, each: Shown) -> Target:
        number, hits, capacity = each["key"].removeprefix("yard-"), each["hits"], each["capacity"]
        state = "destroyed" if hits >= capacity else f"{hits} of {capacity} hits"
        return Target(each["key"], number, f"Navy Yard {number}, in 2SE: {state}", hits, capacity)

    # -- ships -------------------------------------------------------------------------------------------------------

    def _ships(self) -> list[Ship]:
        ships, berths = self.table["usa"]["ships"], self._berths()
        moored = [
            Moored(_Hull(each), berths[each["key"]], each["sunk"]) for each in ships if each["key"] in berths
        ]  # fmt: skip
        return [self._ship(each, berths.get(each["key"]), moored) for each in ships]

    def _berths(self) -> dict[str, Berth]:
        """Where ships lie, or are planned to lie."""
        plan = on_the_sheets(self.sides[USA])
        if not self.day and plan is not None:
            own = {key: Berth(**berth) for key, berth in plan.get("berths", {}).items()}
            return own or ({} if self.sides[USA]["draft"] else dict(printed().places.anchorage.berths))
        ships = self.table["usa"]["ships"]
        return {each["key"]: Berth(**each["berth"]) for each in ships if each["berth"] is not None}

    def _ship(self, each: Shown, berth: Berth | None, moored: Sequence[Moored]) -> Ship:
        planned = berth is not None and not self.day
        state = "sunk" if each["sunk"] else "damaged" if each["damaged"] else "hurt" if each["hits"] else "whole"
        return Ship(
            key=each["key"],
            name=each["name"],
            kind=each["kind"],
            length=each["length"],
            hits=each["hits"],
            strength=each["strength"],
            state=state,
            title=self._ship_told(each, berth, state),
            berth=berth,
            zone=zone_of(printed().places.harbor, berth, each["length"]) if berth else "",
            planned=planned,
            runs=() if each["sunk"] or planned else self._runs(each["key"], moored),
        )

    def _ship_told(self, each: Shown, berth: Berth | None, state: str) -> str:
        told = [f"{each['name']}: {KINDS.get(each['kind'], each['kind'])}"]
        told += [f"{each['hits']} of {each['strength']} hits"] if each["hits"] else [f"strength {each['strength']}"]
        told += [state] if state in ("damaged", "sunk") else []
        if berth is None:
            told.append("at sea" if self.day else "no berth yet" if self.sides[USA]["own"] else "her berth is not told")
        elif berth.dock:
            told.append("in dry dock, where no torpedo runs")
        else:
            told.append(f"lies in {each['zone']}" if each["zone"] else "her planned berth")
        return ", ".join(told)

    def _runs(self, key: str, moored: Sequence[Moored]) -> Sequence[Sequence[tuple[int, int]]]:
        """[11.4] The patches of open water beside a ship."""
        ship = next((each for each in moored if each.hull.key == key), None)
        if ship is None:
            return ()
        others = [each for each in moored if each is not ship]
        shield = self.table["rulings"]["wrecks"] == "shield"
        return torpedo_patches(printed().places.harbor, ship, others, shield)


def on_the_sheets(side: Shown) -> Shown | None:
    """A side's plan as far as it is made, before the battle; None where it is not seen, or not begun."""
    plan: Shown | None = side["draft"] or side["plan"]
    return plan


class _Hull:
    """A ship of a view as the harbor knows ships."""

    def __init__(self, each: Shown) -> None:
        self.key: str = each["key"]
        self.name: str = each["name"]
        self.kind: str = each["kind"]
        self.length: int = each["length"]


def _entry(each: Any) -> Shown:
    return {"field": each.field, "top": each.top, "under": each.under, "places": each.places}


def _parked(field: str, at: int, height: int) -> str:
    if height == 1:
        return f"parked at {field}"
    return f"parked at {field}, {'on top of another' if at == height - 1 else 'under another'}"


def _planes(units: Iterable[Shown]) -> int:
    return sum(int(unit["strength"]) for unit in units)


def _letters(unit: Shown) -> str:
    if unit["type"] in TYPE_LETTERS:
        return TYPE_LETTERS[unit["type"]]
    return UNKNOWN if unit["ordnance"] is None else LOADS.get(unit["ordnance"], "")


def _carries(unit: Shown) -> str:
    """What hangs under a bomber, in words."""
    if not printed().air.types[unit["type"]].ordnance:
        return ""
    if unit["ordnance"] is None:
        return "ordnance not seen yet"
    return ORDNANCE_TITLES[Ordnance(unit["ordnance"])]


def dock() -> Berth | None:
    """Where the dry dock is."""
    return dock_of(printed().places)


# -- what is told beside the chart -------------------------------------------------------------------------------------


def in_the_air(table: Shown, side: SideName) -> list[Shown]:
    """A side's units over the twelve zones."""
    return [unit for over in table["zones"].values() for unit in over[side]]


def on_the_ground(table: Shown) -> list[Shown]:
    """The units that are parked."""
    return [unit for each in table["usa"]["fields"] for stack in each["stacks"] for unit in stack]


def by_type(units: Iterable[Shown]) -> str:
    """How many units of each type: "8 Kates, 11 Vals"."""
    counts = Counter(unit["type"] for unit in units)
    types = printed().air.types
    return ", ".join(number_of(counts[key], each.title) for key, each in types.items() if counts[key]) or "none"


def _japan_told(view: View, day: int) -> Panel:
    table: Shown = view["table"]
    japan, over, heading = table["japan"], in_the_air(table, JAPAN), _heading(view, JAPAN)
    aboard = japan["carriers"]
    if not day:
        return Panel(JAPAN, heading, _attack_told(japan) or [_sealed(japan)])
    waves = "no wave has come in" if not japan["entered"] else f"{number_of(japan['entered'], 'wave')} so far"
    lines = [f"Over Oahu: {by_type(over)}; {waves}.", f"Aircraft lost: {japan['aircraft_lost']}."]
    if aboard is None:
        lines.append("What is aboard, and what is still to come, is hidden.")
    else:
        lines.append(f"On the carriers: {by_type(aboard)}.")
        lines += _attack_told(japan, since=japan["entered"])
    return Panel(JAPAN, heading, lines)


def _attack_told(japan: Shown, since: int = 0) -> list[str]:
    """The waves of the plan that have not come in yet, a line each."""
    plan = on_the_sheets(japan)
    if plan is None:
        return []
    named = not since and plan["day"]
    day = [f"The attack comes on {printed().planning.calendar.month} {plan['day']}."] if named else []
    return day + [wave_told(number, wave) for number, wave in enumerate(plan["wave"], start=1) if number > since]


def wave_told(number: int, wave: Shown) -> str:
    """A planned wave: when it enters, and what flies in it from where."""
    types, sectors = printed().air.types, dict[str, list[str]]()
    for group in wave.get("group", ()):
        arms = LOADS.get(group.get("ordnance", "none"), "")
        title = number_of(group["units"], types[group["type"]].title) + (f" {arms}" if arms else "")
        sectors.setdefault(group["sector"], []).append(title)
    flown = "; ".join(f"{sector} {', '.join(groups)}" for sector, groups in sectors.items())
    return f"Wave {number}, turn {wave['turn']}: {flown}."


def _sealed(side: Shown) -> str:
    if side["sealed"]:
        return f"The plan is locked; its fingerprint is {side['sealed'][-1][:16]}."
    return "No plan is locked yet." if side["own"] else "The plan is not told."


def _heading(view: View, name: SideName) -> str:
    """A side's name; to its own seats also that it is theirs, and which quadrants a seat of several commands."""
    side = view["table"][name]
    if not side["own"]:
        return SIDE_TITLES[name]
    mine = [quadrant for quadrant, seat in side["commands"].items() if seat == view["seat"]]
    return f"{SIDE_TITLES[name]} (you{': ' + ', '.join(mine) if len(side['seats']) > 1 else ''})"


def capital_ships(table: Shown) -> tuple[int, int, int]:
    """[14.2] Undamaged, damaged and sunk capital ships; one at sea is undamaged (T16)."""
    ships = [ship for ship in table["usa"]["ships"] if ship["capital"]]
    sunk = sum(ship["sunk"] for ship in ships)
    damaged = sum(ship["damaged"] and not ship["sunk"] for ship in ships)
    return len(ships) - damaged - sunk, damaged, sunk


def yard_told(table: Shown) -> str:
    """[17.2] The hits on the yard, and the band of damage that they make."""
    yard, bands = table["usa"]["yard"], printed().places.yard.bands
    hits, most = sum(token["hits"] for token in yard), sum(token["capacity"] for token in yard)
    band = next((at for at, top in enumerate(bands) if hits <= top), len(bands) - 1)
    share = 100 // len(bands)
    return f"Navy Yard: {hits} of {most} hits ({band * share + (1 if band else 0)}–{(band + 1) * share} %)"


def _usa_told(view: View, day: int) -> Panel:
    table: Shown = view["table"]
    usa, heading = table["usa"], _heading(view, USA)
    if not day:
        plan = on_the_sheets(usa)
        if plan is None:
            return Panel(USA, heading, [_sealed(usa)])
        return Panel(USA, heading, [], rows=CALENDAR, days=list(calendar(plan, 0)))
    whole, damaged, sunk = capital_ships(table)
    over, parked = in_the_air(table, USA), on_the_ground(table)
    lines = [
        f"Capital ships: {whole} undamaged, {damaged} damaged, {sunk} sunk.",
        f"{yard_told(table)}.",
        f"Fighters: {len(over)} units in the air, {len(parked)} on the ground.",
        f"Aircraft lost: {usa['aircraft_lost']}.",
    ]
    levels = usa["levels"]
    alerts = [(title, levels[key]) for key, title in ALERTS.items()] if levels else []
    if not levels:
        lines.append("The alert levels are hidden.")
    return Panel(USA, heading, lines, alerts)


ALERTS = {"airfield": "Airfields", "ship": "Ships", "aaa": "Batteries"}
CALENDAR = [*ALERTS.values(), "Radar", "Patrol", "In port"]
"""The rows of the American calendar."""


def calendar(plan: Shown, now: int) -> Iterator[Day]:
    """The American plan day by day."""
    planning = printed().planning
    days = planning.calendar.days
    levels = [plan.get(key) or (planning.alert.base,) * days for key in ALERTS]
    searches = [plan.get(key) or ("",) * days for key in ("radar", "patrol")]
    ports: Shown = plan.get("in_port", {})
    for day in range(1, days + 1):
        in_port = "+".join(key[0].upper() for key, when in ports.items() if when == day)
        told = [str(row[day - 1]) for row in levels] + [row[day - 1] for row in searches] + [in_port]
        yield Day(day, told, [row[day - 1] for row in levels] + [0, 0, 0], day == now)


def _turns(table: Shown, turn: int) -> Iterator[Turn]:
    """The turn track, to the last turn that there can be; waves only where the plan is seen."""
    rises, luck = printed().planning.reaction.rises, table["rulings"]["luck_from"]
    plan = on_the_sheets(table["japan"])
    waves = {wave["turn"]: number for number, wave in enumerate(plan["wave"], start=1)} if plan else {}
    last = max(last_turn(printed(), table["rulings"]["luck_from"]), turn)
    for at in range(1, last + 1):
        yield Turn(at, at == turn, at < turn, at in rises, bool(luck) and at >= luck, waves.get(at, 0))


SUITS = {"hearts": "♥", "diamonds": "♦", "spades": "♠", "clubs": "♣"}


def _luck(luck: Shown) -> Luck:
    left, drawn = luck["left"], luck["drawn"]
    told = f"The deck of luck: {number_of(left, 'card')} left"
    if not drawn:
        return Luck(left, 0, title=f"{told}, none turned over")
    rank, _, suit = drawn[-1].partition("-of-")
    title = f"{told}, {len(drawn)} turned over, the last one the {rank} of {suit}"
    return Luck(left, len(drawn), "A" if rank == "ace" else rank, suit, title)
