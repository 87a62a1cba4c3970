"""Straits: a small game that uses every feature of the engine and violates no invariant.

Red and Blue each have ships in harbour. In secret both make some ready; then each sails its ready ships, the weather is
drawn from a cup, and ships at sea fire at each other. The enemy cannot distinguish ready ships from others in
harbour. After the last turn the side with more ships wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec

from readyroom.engine.game import Game, GameOption, GameRules, Phase, PhaseGroup, Scenario, Seat, View
from readyroom.engine.rules.checks import Check, Fire, Volley
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.rules.state import At, Outcome, Piece, State
from readyroom.engine.rules.table import Choice, Steps, Table

SEATS = ("red", "blue")
GUNS = Fire(at_least=5, again=6, best=1, further=1)
LANES = [Option("north", "the north lane", 0), Option("middle", "the middle lane", 1), Option("south", "the south", 2)]


class Figures(msgspec.Struct, frozen=True):
    """The figures of the game."""

    turns: int = 5
    load: int = 5


class Fleets(msgspec.Struct, frozen=True):
    """A scenario: how many ships of which strength each fleet has."""

    title: str
    summary: str
    strengths: list[int]


class Ship(Piece):
    """A counter with a name and strength points."""

    name: str
    strength: int
    lane: int = 0

    def __str__(self) -> str:
        return self.name


class Weather(Piece):
    """A counter of the weather cup: a modifier of the check to find the enemy."""

    name: str
    haze: int

    def __str__(self) -> str:
        return self.name


class Fleet(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """One side's ships by place."""

    seat: str
    harbour: list[Ship]
    ready: list[Ship] = []
    sea: list[Ship] = []
    lost: list[Ship] = []


class Straits(State):
    """The state."""

    last: int
    rough: bool
    red: Fleet
    blue: Fleet
    cup: Cup[Weather]
    drawn: list[Weather] = []

    def fleet(self, seat: str) -> Fleet:
        """Return the fleet of a seat."""
        return self.red if seat == "red" else self.blue

    def enemy(self, seat: str) -> Fleet:
        """Return the other fleet."""
        return self.blue if seat == "red" else self.red


T = Table[Straits, Figures]
Play = Callable[[T], Steps]


def strength(ship: Ship) -> int:
    """Return a ship's strength points."""
    return ship.strength


# -- the rules ---------------------------------------------------------------------------------------------------------


def prepare(table: T) -> Steps:
    """[1] Both sides choose in secret which ships make ready."""
    plans = {
        seat: table.always_asks(seat, "1", "No ship is in harbour.", _prepare(table, table.state.fleet(seat)))
        for seat in SEATS
    }
    chosen = yield from table.choose_in_secret(plans)
    for seat, ships in chosen.items():
        fleet = table.state.fleet(seat)
        fleet.harbour = [ship for ship in fleet.harbour if ship not in ships]
        fleet.ready = [*(ship for ship in fleet.ready if ship not in ships), *ships]
        table.log_line("1", "{} makes {} ready.", seat, ships, audience=(seat,))


def _prepare(table: T, fleet: Fleet) -> Choice[list[Ship]]:
    first = yield from table.choose_some(
        fleet.seat, "1", "Which ships make ready?", fleet.harbour, cost=strength, budget=table.data.load
    )
    rest = [ship for ship in fleet.harbour if ship not in first]
    more = yield from table.choose_some(fleet.seat, "1", "And which one more?", rest, at_most=1)
    return [*first, *more]


def sail(seat: str) -> Play:
    """[2] Ready ships sail in one lane, visible to all; a fleet that cannot sail does not show it."""

    def play(table: T) -> Steps:
        fleet = table.state.fleet(seat)
        choosing = table.choose_some(seat, "2", "Which ships sail?", fleet.ready, unavailable=lambda: _not_ready(fleet))
        sailing = yield from table.always_asks(seat, "2", "No ship is ready to sail.", choosing)
        if not sailing:
            return
        lane = yield from table.choose(seat, "2", "In which lane?", LANES)
        for ship in sailing:
            fleet.ready.remove(ship)
            fleet.sea.append(ship)
            ship.lane = lane.value
        table.reveal("2", "{} sails with {} in {}.", seat, sailing, lane.text)

    return play


def _not_ready(fleet: Fleet) -> list[Unavailable]:
    return [Unavailable(ship.key, ship.name, "1", f"{ship.name} is not ready.") for ship in fleet.harbour]


def weather(table: T) -> Steps:
    """[3] The weather is drawn; an empty cup is filled again."""
    state = table.state
    if not state.cup.contents:
        state.cup.contents, state.drawn = state.drawn, []
    state.drawn.append(table.draw(state.cup, "3", "weather"))
    table.log_line("3", "The weather: {}.", state.drawn[-1])
    return
    yield


def fire(seat: str) -> Play:
    """[4] A side with ships at sea finds the enemy, aims and fires; the enemy allocates the hits."""

    def play(table: T) -> Steps:
        state = table.state
        fleet, enemy = state.fleet(seat), state.enemy(seat)
        if not fleet.sea or not enemy.sea:
            return
        target = yield from table.choose(
            seat,
            "4",
            "Which ship is aimed at?",
            enemy.sea,
            info=lambda ship: OptionInfo(f"strength {ship.strength}", 0.5),
        )
        if not table.roll(Check("4", "finding", dice=2, at_least=5, modifiers=_haze(state)), target.key):
            table.log_line("4", "{} does not find {}.", seat, target)
            return
        salvo = table.roll(Volley("4", "guns", sum(map(strength, fleet.sea)), GUNS), target.key)
        table.log_line("4", "{} fires at {}: {}.", seat, target, salvo)
        yield from suffer(table, enemy, salvo.hits)

    return play


def _haze(state: Straits) -> list[tuple[str, int]]:
    return [(weather.name, -weather.haze) for weather in state.drawn[-1:]]


def suffer(table: T, fleet: Fleet, hits: int) -> Steps:
    """[5] The owner allocates hits; a ship without strength is lost."""
    struck = yield from table.allocate(fleet.seat, "5", f"Who bears {hits} hits?", hits, fleet.sea, strength)
    for ship in struck:
        ship.strength -= 1
    sunk = [ship for ship in fleet.sea if not ship.strength]
    fleet.sea = [ship for ship in fleet.sea if ship.strength]
    fleet.lost += sunk
    if sunk:
        table.log_line("5", "{} loses {}.", fleet.seat, sunk)


def end(table: T) -> Steps:
    """[6] After the last turn, or once a fleet is gone, the side with more ships wins."""
    state = table.state
    left = {seat: sum(map(len, (f.harbour, f.ready, f.sea))) for seat in SEATS for f in [state.fleet(seat)]}
    if state.at.turn >= state.last or not all(left.values()):
        lead = left["red"] - left["blue"]
        winner = "red" if lead > 0 else "blue" if lead < 0 else None
        table.end_match(Outcome(winner, f"{winner} wins" if winner else "draw", "It is over.", left))
    return
    yield


PHASES: list[Phase[Straits, Figures]] = [
    Phase("prepare", "making ready", "1", prepare),
    Phase("red-sail", "Red sails", "2", sail("red"), PhaseGroup("red-sail", "Red sails")),
    Phase("blue-sail", "Blue sails", "2", sail("blue"), PhaseGroup("blue-sail", "Blue sails")),
    Phase("weather", "weather", "3", weather),
    Phase("red-fire", "Red fires", "4", fire("red")),
    Phase("blue-fire", "Blue fires", "4", fire("blue")),
    Phase("end", "end of the turn", "6", end),
]
ORDER = [phase.name for phase in PHASES]


def next_phase(state: Straits) -> At | Outcome:
    """Return the next phase, turn by turn."""
    at = state.at
    after = ORDER.index(at.phase) + 1 if at.phase in ORDER else 0
    return At(at.turn, ORDER[after]) if 0 < after < len(ORDER) else At(at.turn + 1, ORDER[0])


# -- views -------------------------------------------------------------------------------------------------------------


def visible_ships(ships: list[Ship]) -> list[dict[str, Any]]:
    """Return ships as plain data."""
    return [{"key": ship.key, "strength": ship.strength, "lane": ship.lane} for ship in ships]


def view(state: Straits, data: Figures, seat: str | None) -> View:
    """Return a view: ships at sea, losses and drawn counters are public, the rest is visible to its owner only."""
    payload: View = {"turns": state.last, "weather": [weather.name for weather in state.drawn]}
    for fleet in (state.red, state.blue):
        own = seat == fleet.seat
        payload[fleet.seat] = {
            "sea": visible_ships(fleet.sea),
            "lost": visible_ships(fleet.lost),
            "harbour": visible_ships(fleet.harbour) if own else None,
            "ready": visible_ships(fleet.ready) if own else None,
            "hidden": len(fleet.harbour) + len(fleet.ready),
        }
    return payload


def resample(state: Straits, data: Figures, seat: str, random: Random) -> Straits:
    """Choose at random which of the enemy's hidden ships are ready."""
    enemy = state.enemy(seat)
    hidden = sorted([*enemy.harbour, *enemy.ready], key=lambda ship: ship.key)
    random.shuffle(hidden)
    count = random.randint(0, len(hidden))
    enemy.harbour, enemy.ready = hidden[:count], hidden[count:]
    return state


# -- setup -------------------------------------------------------------------------------------------------------------

OPTIONS = (
    GameOption(key="turns", title="Turns", rule="6", choices={"5": "five", "8": "eight"}, default="5"),
    GameOption(key="weather", title="Weather", rule="3", choices={"fair": "fair", "rough": "rough"}, default="fair"),
)
SCENARIOS = {
    "even": Fleets("Even", "Four ships each.", [1, 2, 3, 4]),
    "many": Fleets("Many", "Seven ships each.", [1, 1, 1, 2, 2, 3, 5]),
}


def scenarios(data: Figures) -> list[Scenario]:
    """Return the two scenarios."""
    return [Scenario(key=key, title=f.title, summary=f.summary, content=f) for key, f in SCENARIOS.items()]


def seats(scenario: Scenario, options: Mapping[str, str]) -> list[Seat]:
    """Return one seat per side."""
    return [Seat(seat, seat.title(), seat) for seat in SEATS]


def setup(data: Figures, scenario: Scenario, options: Mapping[str, str]) -> Straits:
    """Put all ships in harbour."""
    red, blue = (
        Fleet(seat, [Ship(f"{seat}-{n}", f"{seat.title()} {n}", s) for n, s in enumerate(scenario.content.strengths)])
        for seat in SEATS
    )
    cup = Cup([Weather(f"weather-{n}", name, n) for n, name in enumerate(("clear", "haze", "squall"))])
    return Straits(At(0, "set-up"), int(options["turns"]), options["weather"] == "rough", red, blue, cup)


GAME: Game[Straits, Figures] = Game(
    key="straits",
    title="Straits",
    summary="A toy.",
    players="2",
    length="a minute",
    version="1",
    package="tests.toys",
    data_type=Figures,
    data=Figures(),
    options=OPTIONS,
    rules=GameRules(
        state=Straits,
        scenario_type=Fleets,
        scenarios=scenarios,
        seats=seats,
        setup=setup,
        phases=PHASES,
        next_phase=next_phase,
        view=view,
        resample=resample,
    ),
)
