"""The contents of an air raid's board, read from a view; `drawing` places them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from readyroom.engine.game import MatchView
from readyroom.engine.rules.checks import percent, signed
from readyroom.engine.text import capitalize_first, count_or_no, en_dashes
from readyroom.games.strategic.pearl import sequence
from readyroom.games.strategic.pearl.knowledge import describe_place
from readyroom.games.strategic.pearl.pieces import ATTACKERS, AWAY, BACK, ESCORTS, PATROL, up
from readyroom.games.strategic.pearl.state import FIRST, JAPAN, NAMES, SECOND, USA, Condition
from readyroom.games.strategic.pearl.views import AircraftView, ForceView, RaidView, ShipView, SquadronsView
from readyroom.games.strategic.tables.grids import AUTO, PACIFIC, PEARL

SHORT = {sequence.DECLARATION: "declaration", sequence.CARRIERS: "carriers", sequence.ATTACK: "attacks"}
"""Short titles for phases whose titles do not fit their boxes."""
FIELDS = {
    "army": ("Army: Wheeler, Hickam", "Army airfields", "army air factors"),
    "naval": ("Navy: Ford Island, Ewa, Kaneohe", "Navy airfields", "naval squadrons"),
}
"""Each kind of airfield: name, short name, and the unit of its aircraft."""
STRIKES = {FIRST: "First strike", SECOND: "Second strike"}
STATES = {Condition.AFLOAT.value: "whole", Condition.DAMAGED.value: "damaged", Condition.SUNK.value: "sunk"}


class Vessel(NamedTuple):
    """A named ship; `state` is `whole`, `damaged` or `sunk`, `aboard` counts squadrons on a Japanese carrier."""

    key: str
    name: str
    size: int
    carrier: bool
    side: str
    state: str
    title: str
    aboard: int = 0


class Group(NamedTuple):
    """An American carrier force, and where it is as far as the seat knows; its ships are in the harbor if it is."""

    key: str
    name: str
    where: str
    known: bool
    title: str
    vessels: Sequence[Vessel]
    in_port: bool


class Field(NamedTuple):
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
    def status(self) -> str:
        """The counts shown at the head of the field."""
        counts = {"on the ground" if self.surprised else "ready": self.down, "up": self.up, "lost": self.lost}
        return ", ".join(f"{count} {label}" for label, count in counts.items() if count) or "none left"


class Flight(NamedTuple):
    """Aircraft in the air: the key of their counter, side, kind, role and number."""

    key: str
    side: str
    kind: str
    what: str
    number: int


class Column(NamedTuple):
    """A column of the Surprise Table, its odds, and the probability that it is the true one (None: impossible)."""

    label: str
    port: str
    sea: str
    intercepts: str
    surprise: str
    chance: float | None
    title: str

    @property
    def probability(self) -> str:
        """The probability as text."""
        return "" if self.chance is None else percent(self.chance)


class Step(NamedTuple):
    """A phase of a strike: its place, its name, and whether it is `past`, `now` or to `come`."""

    place: str
    name: str
    state: str


class Scene(NamedTuple):
    """Everything on the board.

    `most_chips` are the most chips that the questions of a match can have, with the longest text of one.
    """

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
    over_sea: Sequence[Flight]
    forces: Sequence[Group]
    columns: Sequence[Column]
    risk: str
    guns: str
    scores: Mapping[str, str]
    margin: str
    strikes: Sequence[tuple[str, Sequence[Step]]]
    chips: Sequence[Sequence[tuple[str, str]]]
    most_chips: Sequence[tuple[int, str]]
    result: str = ""


def scene(view: MatchView[RaidView]) -> Scene:
    """Return the board's contents for a view."""
    table = view.table
    forces = [_group(force, table) for force in table.forces]
    declared, die, adds, now = msgspec.structs.astuple(table.tension)
    tension = f"Tension {now}" + (f": {declared}, {signed(adds)} by the final roll" if die else "")
    return Scene(
        title=view.scenario,
        lines=_lines(view),
        tension=tension,
        magic=_magic(table),
        ships=[_vessel(ship, USA) for ship in table.ships],
        in_port=[vessel for force in forces if force.in_port for vessel in force.vessels],
        light=f"{table.light.left} of {count_or_no(table.light.of, 'light-ship factor')}",
        light_left=table.light.left,
        fields=[_field("army", table.army), _field("naval", table.naval)],
        carriers=[_vessel(ship, JAPAN, table.squadrons.aboard[ship.key]) for ship in table.carriers],
        tally=_tally(table.squadrons, is_over=table.over),
        flights=_flights(table),
        over_sea=_over_sea(table.squadrons),
        forces=forces,
        columns=list(_columns(table)),
        risk=_risk(table),
        guns=_guns(table),
        scores={side: _score(table, side) for side in (JAPAN, USA)},
        margin=_margin(table),
        strikes=list(_strikes(view)),
        chips=_chips(view),
        most_chips=_most_chips(table),
        result=_result(view),
    )


def _result(view: MatchView[RaidView]) -> str:
    """Return the result with both scores; empty before the end."""
    if view.outcome is None:
        return ""
    scores = view.outcome.scores
    return f"{capitalize_first(view.outcome.title)}: Japan {scores[JAPAN]}, United States {scores[USA]}"


def _lines(view: MatchView[RaidView]) -> list[str]:
    if view.outcome is not None:
        return [capitalize_first(view.outcome.title)]
    lines = [STRIKES.get(view.turn, "Before the war"), sequence.TITLES.get(view.phase, "")]
    return [line for line in lines if line]


def _magic(table: RaidView) -> str:
    magic = table.magic
    played = [
        f"{NAMES[side]} {count_or_no(count, 'card')}" for side, count in magic.played.items() if count is not None
    ]
    limits = [f"{NAMES[side]} up to {count}" for side, count in magic.limits.items()]
    return f"Magic: {', '.join(played or limits)}"


def _vessel(ship: ShipView, side: str, aboard: int = 0) -> Vessel:
    state = STATES[ship.condition]
    kind = "carrier" if ship.carrier else "battleship"
    squadrons = f", {count_or_no(aboard, 'squadron')} aboard" if side == JAPAN else ""
    title = f"{ship.name}: {kind} of size {ship.size}, {state.replace('whole', 'undamaged')}{squadrons}"
    return Vessel(ship.key, ship.name, ship.size, ship.carrier, side, state, title, aboard)


def _group(force: ForceView, table: RaidView) -> Group:
    place = force.place
    placed = table.surprise is not None
    where = describe_place(place) if place else "location unknown" if placed else "not placed yet"
    names = ", ".join(ship.name for ship in force.carriers)
    left = force.squadrons - force.lost
    title = f"{force.name} ({names}), {count_or_no(left, 'squadron')}: {where}"
    vessels = [_vessel(ship, USA) for ship in force.carriers]
    return Group(force.key, force.name, where, bool(place), title, vessels, bool(force.port))


def _field(key: str, aircraft: AircraftView) -> Field:
    name, brief, what = FIELDS[key]
    down = aircraft.ready + aircraft.grounded
    title = f"{name}: {down} {what} on the ground, {aircraft.up} up, {aircraft.lost} lost"
    return Field(key, name, brief, aircraft.up, down, aircraft.lost, title, bool(aircraft.grounded))


def _tally(squadrons: SquadronsView, *, is_over: bool) -> str:
    counts = {
        "returning": squadrons.escorts + squadrons.attackers if is_over else 0,
        "on patrol": squadrons.patrol,
        "at carriers": squadrons.away,
        "turned back": squadrons.back,
    }
    elsewhere = [f"{count} {label}" for label, count in counts.items() if count]
    lost = [f"{squadrons.lost} lost"] if squadrons.lost else []
    return " · ".join([f"{sum(squadrons.aboard.values()) or 'none'} aboard", *lost, *elsewhere])


def _flights(table: RaidView) -> list[Flight]:
    """[PH.5] Return what is in the air over the harbor; after the raid, nothing."""
    if table.over:
        return []
    flights = [
        Flight(up("army"), USA, "F", "army up", table.army.up),
        Flight(up("naval"), USA, "F", "navy up", table.naval.up),
        Flight(ESCORTS, JAPAN, "F", "escorts", table.squadrons.escorts),
        Flight(ATTACKERS, JAPAN, "DB", "attackers", table.squadrons.attackers),
    ]
    return [flight for flight in flights if flight.number]


def _over_sea(squadrons: SquadronsView) -> list[Flight]:
    """Return the Japanese squadrons that are neither aboard nor over the harbor."""
    flights = [
        Flight(PATROL, JAPAN, "F", "patrol", squadrons.patrol),
        Flight(AWAY, JAPAN, "TB", "at carriers", squadrons.away),
        Flight(BACK, JAPAN, "DB", "turned back", squadrons.back),
    ]
    return [flight for flight in flights if flight.number]


def _columns(table: RaidView) -> Iterator[Column]:
    chart = table.chart
    possible = {each.column: each.chance for each in table.columns}
    labels = map(en_dashes, chart.columns)
    for at, (label, drm, places) in enumerate(zip(labels, chart.drms, chart.places, strict=True)):
        port, auto = places.get(PEARL, 0.0), places.get(AUTO, 0.0)
        sea = 1 - port - places.get(PACIFIC, 0.0)
        intercepts = chart.comes[at]
        title = (
            f"Tension {label}: a force is in port {percent(port)}, at sea {percent(sea)}, of which automatic "
            f"{percent(auto)}; it intercepts {percent(intercepts)}; surprise roll {signed(drm)}"
        )
        yield Column(label, percent(port), percent(sea), percent(intercepts), signed(drm), possible.get(at), title)


def _risk(table: RaidView) -> str:
    """Return the risk of a second strike to Japan, while it is open."""
    stays = "you stay" if table.own == JAPAN else "Japan stays"
    return f"risk of interception if {stays}: {percent(table.risk)}" if table.stays is None else ""


def _guns(table: RaidView) -> str:
    guns, first = table.guns, not table.stays
    if table.rulings.guns == "none":
        return "Guns without effect"
    row = max(0, guns.strength + (guns.surprised if first else 0))
    level = table.surprise
    if first and level and level.level >= level.disarray:
        return "Guns silent: disarray"
    return f"Guns: strength {row}"


def _score(table: RaidView, side: str) -> str:
    lines = table.points[side] | ({"Magic kept": table.kept[side]} if table.kept else {})
    details = ", ".join(f"{what} {value}" for what, value in lines.items() if value)
    return f"{NAMES[side]} {sum(lines.values())}{f': {details}' if details else ''}"


def _margin(table: RaidView) -> str:
    win, kept = table.win, table.kept
    margin = table.margin + (kept[JAPAN] - kept[USA] if kept else 0)
    leaving = table.surprise is not None and table.stays is None
    left = f" ({margin + table.figures.score['unseen']} if Japan withdraws now)" if leaving else ""
    return f"Difference {margin}{left}. Japan wins at {win[JAPAN]} or more, the United States at {win[USA]} or less."


def _strikes(view: MatchView[RaidView]) -> Iterator[tuple[str, Sequence[Step]]]:
    """Return the sequence of play of both strikes."""
    for turn, phases in sequence.TURNS.items():
        now = phases.index(view.phase) if view.turn == turn and view.phase in phases else -1
        over = view.turn > turn or (view.outcome is not None and turn == view.turn)
        states = ["now" if at == now else "past" if over or at < now else "come" for at in range(len(phases))]
        names = [SHORT.get(phase, sequence.TITLES[phase]) for phase in phases]
        places = [f"step-{turn}-{phase}" for phase in phases]
        yield STRIKES[turn], [Step(*parts) for parts in zip(places, names, states, strict=True)]


def _chips(view: MatchView[RaidView]) -> Sequence[Sequence[tuple[str, str]]]:
    """Return option keys and texts of choices with no piece on the board, of one or two lines, by question."""
    table = view.table
    aboard = sum(table.squadrons.aboard.values())
    counts = range(0, aboard + 1, table.figures.factor)
    cards = max(table.magic.limits.values())
    groups = {
        sequence.MAGIC: [[(f"magic-{count}", count_or_no(count, "card")) for count in range(cards + 1)]],
        sequence.ESCORTS: [[(f"escorts-{count}", f"{count} escort\n{aboard - count} attack") for count in counts]],
        sequence.DECISION: [
            [("withdraw", "Withdraw"), ("second-strike", "Second strike")],
            [(f"patrol-{count}", f"{count} patrol\n{aboard - count} strike") for count in counts],
        ],
    }
    return [] if view.outcome else groups.get(view.phase, [])


def _most_chips(table: RaidView) -> Sequence[tuple[int, str]]:
    """Return the most chips of each question, whatever happens, with the longest text of one."""
    cards, squadrons = max(table.magic.limits.values()), table.squadrons.each * len(table.carriers)
    return [
        (cards + 1, count_or_no(cards, "card")),
        (squadrons // table.figures.factor + 1, f"{squadrons} escort"),
        (2, "Second strike"),
    ]
