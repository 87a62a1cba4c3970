"""What is on the board of an air raid, in words and figures, out of a view; where it lies comes later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readyroom.engine.checks import percent, signed
from readyroom.engine.game import View
from readyroom.games.strategic.raid import sequence
from readyroom.games.strategic.raid.declare import cards_told
from readyroom.games.strategic.raid.knowledge import place_told
from readyroom.games.strategic.raid.state import FIRST, JAPAN, NAMES, SECOND, USA, Condition
from readyroom.games.strategic.raid.text import counted
from readyroom.games.strategic.tables import AUTO, PACIFIC, PEARL

Shown = dict[str, Any]

SHORT = {
    sequence.DECLARATION: "declaration",
    sequence.CARRIERS: "carriers",
    sequence.ATTACK: "attacks",
}
"""Steps whose titles are too long for their boxes."""
FIELDS = {
    "army": ("Army: Wheeler, Hickam", "Army airfields", "army air factors"),
    "naval": ("Navy: Ford Island, Ewa, Kaneohe", "Navy airfields", "naval squadrons"),
}
"""The airfields of each kind, in full and in brief, and what is parked there."""
STRIKES = {FIRST: "First strike", SECOND: "Second strike"}
STATES = {Condition.AFLOAT.value: "whole", Condition.DAMAGED.value: "damaged", Condition.SUNK.value: "sunk"}


@dataclass(frozen=True, slots=True)
class Vessel:
    """A ship with a name: `state` is `whole`, `damaged` or `sunk`; `aboard` are the squadrons on a Japanese carrier."""

    key: str
    name: str
    size: int
    carrier: bool
    side: str
    state: str
    title: str
    aboard: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """An American carrier force: where it is, in words, as far as the seat knows."""

    key: str
    name: str
    where: str
    known: bool
    title: str
    vessels: Sequence[Vessel]


@dataclass(frozen=True, slots=True)
class Field:
    """Aircraft of one kind on the island: on the ground, up, and lost."""

    key: str
    name: str
    brief: str
    up: int
    down: int
    lost: int
    title: str
    surprised: bool

    @property
    def told(self) -> str:
        """The count at the head of the field."""
        parts = [
            f"{self.down} on the ground" if self.surprised and self.down else f"{self.down} ready" if self.down else ""
        ]
        parts += [f"{self.up} up" if self.up else "", f"{self.lost} lost" if self.lost else ""]
        return ", ".join(filter(None, parts)) or "none left"


@dataclass(frozen=True, slots=True)
class Flight:
    """Aircraft in the air: whose, what they are there for, and how many."""

    side: str
    kind: str
    what: str
    count: int


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the Surprise Table, its odds, and how likely it is the one (None: it cannot be)."""

    label: str
    port: str
    sea: str
    intercepts: str
    surprise: str
    chance: float | None
    title: str

    @property
    def told(self) -> str:
        """How likely it is, in words."""
        return "" if self.chance is None else percent(self.chance)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the sequence of play, and whether it is `past`, `now` or to `come`."""

    name: str
    state: str


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is on the board."""

    title: str
    lines: Sequence[str]
    tension: str
    magic: str
    ships: Sequence[Vessel]
    in_port: Sequence[Vessel]
    light: str
    light_left: int
    fields: Sequence[Field]
    carriers: Sequence[Vessel]
    tally: str
    flights: Sequence[Flight]
    forces: Sequence[Group]
    columns: Sequence[Column]
    risk: str
    guns: str
    scores: Mapping[str, str]
    margin: str
    strikes: Sequence[tuple[str, Sequence[Step]]]
    chips: Sequence[Sequence[tuple[str, str]]]


def scene(view: View) -> Scene:
    """What a view shows."""
    table: Shown = view["table"]
    forces = [_group(force, table) for force in table["forces"]]
    port = {force["key"] for force in table["forces"] if force["port"]}
    return Scene(
        title=view["scenario"],
        lines=_lines(view),
        tension=_tension(table["tension"]),
        magic=_magic(table),
        ships=[_vessel(ship, USA) for ship in table["ships"]],
        in_port=[vessel for force in forces if force.key in port for vessel in force.vessels],
        light=f"{table['light']['left']} of {counted(table['light']['of'], 'factor')} of light ships",
        light_left=table["light"]["left"],
        fields=[_field(key, table) for key in ("army", "naval")],
        carriers=[_vessel(ship, JAPAN, table["squadrons"]["aboard"][ship["key"]]) for ship in table["carriers"]],
        tally=_tally(table["squadrons"]),
        flights=list(_flights(table)),
        forces=[force for force in forces if force.key not in port],
        columns=list(_columns(table)),
        risk=f"risk that a second strike is intercepted: {percent(table['risk'])}" if table["stays"] is None else "",
        guns=_guns(table),
        scores={side: _score(table, side) for side in (JAPAN, USA)},
        margin=_margin(table),
        strikes=list(_strikes(view)),
        chips=_chips(view),
    )


def _lines(view: View) -> list[str]:
    if view["outcome"] is not None:
        return [str(view["outcome"]["title"])]
    title, _ = sequence.TITLES.get(view["phase"], ("before the war", ""))
    return [STRIKES.get(view["turn"], "Before the war"), title]


def _tension(tension: Shown) -> str:
    if not tension["die"]:
        return f"Tension {tension['now']}"
    return f"Tension {tension['now']}: {tension['declared']}, and {signed(tension['adds'])} by the last die"


def _magic(table: Shown) -> str:
    magic = table["magic"]
    told = [f"{NAMES[side]} {cards_told(count)}" for side, count in magic["played"].items() if count is not None]
    if told:
        return f"Magic: {', '.join(told)}"
    limits = ", ".join(f"{NAMES[side]} up to {count}" for side, count in magic["limits"].items())
    return f"Magic: {limits}"


def _vessel(ship: Shown, side: str, aboard: int = 0) -> Vessel:
    state = STATES[ship["condition"]]
    kind = "carrier" if ship["carrier"] else "battleship"
    squadrons = f", {counted(aboard, 'squadron')} aboard" if side == JAPAN else ""
    title = f"{ship['name']}: {kind} of size {ship['size']}, {state}{squadrons}"
    return Vessel(ship["key"], ship["name"], ship["size"], ship["carrier"], side, state, title, aboard)


def _group(force: Shown, table: Shown) -> Group:
    place = force["place"]
    placed = table["surprise"] is not None
    where = place_told(place) if place else "nobody has seen it" if placed else "not placed yet"
    names = ", ".join(ship["name"] for ship in force["carriers"])
    left = force["squadrons"] - force["lost"]
    title = f"{force['name']} ({names}), {counted(left, 'squadron')}: {where}"
    vessels = [_vessel(ship, USA) for ship in force["carriers"]]
    return Group(force["key"], force["name"], where, bool(place), title, vessels)


def _field(key: str, table: Shown) -> Field:
    name, brief, what = FIELDS[key]
    found = table[key]
    down = found["ready"] + found["grounded"]
    title = f"{name}: {down} {what} on the ground, {found['up']} up, {found['lost']} lost"
    return Field(key, name, brief, found["up"], down, found["lost"], title, bool(found["grounded"]))


def _tally(squadrons: Shown) -> str:
    parts = {"patrol": "on patrol", "away": "at the American carriers", "back": "turned back", "lost": "lost"}
    told = [f"{squadrons[key]} {words}" for key, words in parts.items() if squadrons[key]]
    aboard = sum(squadrons["aboard"].values())
    return " · ".join([f"{aboard or 'none'} aboard", *told])


def _flights(table: Shown) -> Iterator[Flight]:
    """[PH.5] What is in the air over the harbor."""
    squadrons = table["squadrons"]
    found = [
        Flight(USA, "F", "army up", table["army"]["up"]),
        Flight(USA, "F", "navy up", table["naval"]["up"]),
        Flight(JAPAN, "F", "escorts", squadrons["escorts"]),
        Flight(JAPAN, "DB", "attackers", squadrons["attackers"]),
    ]
    yield from (flight for flight in found if flight.count)


def _columns(table: Shown) -> Iterator[Column]:
    chart = table["chart"]
    possible = {each["column"]: each["chance"] for each in table["columns"]}
    for at, (label, drm, places) in enumerate(zip(chart["columns"], chart["drms"], chart["places"], strict=True)):
        port, auto = places.get(PEARL, 0.0), places.get(AUTO, 0.0)
        sea = 1 - port - places.get(PACIFIC, 0.0)
        comes = chart["comes"][at]
        title = (
            f"Tension {label}: a force is in port with {percent(port)}, at sea with {percent(sea)}, of which "
            f"{percent(auto)} find the Japanese by themselves; it intercepts with {percent(comes)}; "
            f"die of surprise {signed(drm)}"
        )
        yield Column(label, percent(port), percent(sea), percent(comes), signed(drm), possible.get(at), title)


def _guns(table: Shown) -> str:
    guns, first = table["guns"], not table["stays"]
    if table["rulings"]["guns"] == "none":
        return "Guns without effect"
    row = max(0, guns["strength"] + (guns["surprised"] if first else 0))
    level = table["surprise"]
    if first and level and level["level"] >= level["disarray"]:
        return "Guns silent: disarray"
    return f"Guns: strength {row}"


def _score(table: Shown, side: str) -> str:
    lines = dict(table["points"][side])
    if table["kept"]:
        lines["Magic kept"] = table["kept"][side]
    told = ", ".join(f"{what} {value}" for what, value in lines.items() if value)
    return f"{NAMES[side]} {sum(lines.values())}{f': {told}' if told else ''}"


def _margin(table: Shown) -> str:
    win = table["win"]
    kept = table["kept"]
    margin = table["margin"] + (kept[JAPAN] - kept[USA] if kept else 0)
    leaving = table["surprise"] is not None and table["stays"] is None
    left = f" ({margin + table['figures']['score']['unseen']} if Japan leaves now)" if leaving else ""
    return f"Difference {margin}{left}. Japan wins from {win[JAPAN]}, the United States to {win[USA]}."


def _strikes(view: View) -> Iterator[tuple[str, Sequence[Step]]]:
    """The sequence of play of both strikes."""
    for turn, phases in sequence.TURNS.items():
        now = phases.index(view["phase"]) if view["turn"] == turn and view["phase"] in phases else -1
        gone = view["turn"] > turn or (view["outcome"] is not None and turn == view["turn"])
        states = ["now" if at == now else "past" if gone or at < now else "come" for at in range(len(phases))]
        names = [SHORT.get(phase, sequence.TITLES[phase][0]) for phase in phases]
        yield STRIKES[turn], [Step(name, state) for name, state in zip(names, states, strict=True)]


def _chips(view: View) -> Sequence[Sequence[tuple[str, str]]]:
    """What can only be said, as chips: keys and texts, in groups of which one is asked for at a time."""
    table = view["table"]
    aboard = sum(table["squadrons"]["aboard"].values())
    each = table["figures"]["factor"]
    counts = [(count, str(count)) for count in range(0, aboard + 1, each)]
    cards = max(table["magic"]["limits"].values())
    groups = {
        sequence.MAGIC: [[(f"magic-{count}", cards_told(count)) for count in range(cards + 1)]],
        sequence.ESCORTS: [[(f"escorts-{count}", text) for count, text in counts]],
        sequence.DECISION: [
            [("withdraw", "Leave"), ("second-strike", "Second strike")],
            [(f"patrol-{count}", text) for count, text in counts],
        ],
        sequence.INTERCEPTION: [[("quiet", "Go on")]],
    }
    return [] if view["outcome"] else groups.get(view["phase"], [])
