"""A city with bombers over it, hazards that are named, loaded dice, and answers by the rule that asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.games.helpers import fixed_table
from tests.games.helpers import log_text as log_text

from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Table
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Bomber, EliteMan, Marker
from readyroom.games.doolittle.state import Doolittle, Flight, Raid
from readyroom.testing import playout, running
from readyroom.testing.running import Answers

DATA: Data = GAME.data
DEEDS: dict[str, Callable[..., Any]] = {phase.name: phase.play for phase in GAME.rules.phases}
"""The rule of each phase."""
USUAL = ("keep", "take", "wait", "enough")


def over(
    city: str = "tokyo", phase: str = "resolve", turn: int = 2, light: str = "day", alert: int = 0, **options: Any
) -> Doolittle:
    """An attack scenario's table with no one over the city yet, in this phase; bombers are put there by `bomber`."""
    scenario = {"tokyo": "capital", "nagoya": "nagoya", "osaka-kobe": "kobe"}[city]
    if light == "night":
        scenario = {"tokyo": "night"}.get(city, scenario)
        options |= {} if city == "tokyo" else {"variant": "variant"}
    state = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve(options))
    state.at, state.squad, state.security.alert = At(turn, phase), {}, alert
    assert state.raid is not None
    state.raid.turn = turn
    return state


def bomber(state: Doolittle, key: str, area: str = "", elite: str = "", **fields: Any) -> Bomber:
    """A bomber over an area of the city, with an elite crewman if one is named."""
    man = EliteMan(key=elite) if elite else None
    state.squad[key] = Bomber(key=key, area=area, elite=man, **fields)
    return state.squad[key]


def marker(state: Doolittle, kind: str, *, revealed: bool = False, **wanted: Any) -> Marker:
    """A hazard of this kind, with these figures, out of the cup that it lies in."""
    for cup in state.cups.values():
        for marker in cup.contents:
            card = DATA.hazards.markers.get(marker.key)
            if card and card.kind == kind and all(getattr(card, name) == value for name, value in wanted.items()):
                cup.contents.remove(marker)
                marker.shown = revealed
                return marker
    raise LookupError(f"no {kind} of {wanted} in the cups")


def on_the_way(state: Doolittle, kind: str) -> Marker:
    """A hazard of the flight, of this kind."""
    key = next(key for key, card in DATA.flight_hazards.markers.items() if card.kind == kind)
    for cup in state.cups.values():
        cup.contents[:] = [one for one in cup.contents if one.key != key]
    return Marker(key=key, shown=True)


def flight(*members: str, city: str = "tokyo", phase: str = "airspeed", **options: Any) -> tuple[Doolittle, Flight]:
    """A flight of the raid that has found its city, with none of its bombers over it yet."""
    state = GAME.rules.setup(DATA, GAME.scenario("early"), GAME.resolve(options))
    first = state.sky.flights[0]
    state.sky.flights[:] = [first]
    first.members[:] = list(members) or first.members
    first.zone, first.fuel = DATA.flight.zones.japan, 3
    state.at, state.sky.phase = At(3, phase), "move"
    state.raid = Raid(city, "day", first.key, first.high)
    return state, first


def table(state: Doolittle, *dice: int, draws: Sequence[str] = ()) -> Table[Doolittle, Data]:
    """A table with loaded dice, and no others."""
    return fixed_table(GAME, state, *dice, draws=draws)


def play_phase(at: Table[Doolittle, Data], answers: Answers | None = None, asked: list[Decision] | None = None) -> Any:
    """Play the phase in which the state stands."""
    return run(DEEDS[at.state.at.phase](at), answers, asked)


def run(rules: object, answers: Answers | None = None, asked: list[Decision] | None = None) -> Any:
    """Run a rule to its end; what a test leaves open is answered by whatever does least."""
    return running.run(rules, answers, asked, USUAL)


def in_cup(state: Doolittle, *markers: Marker) -> bool:
    """Whether these markers lie in their cups, face down."""
    return all(one in state.cups[one.cup].contents and not one.shown for one in markers)


def blast(state: Doolittle) -> dict[str, int]:
    """Where something has been hit, areas and boxes, and how hard."""
    areas = {key: area.blast for key, area in state.city.areas.items()}
    boxes = {key: box.blast for key, box in state.city.boxes}
    return {key: value for key, value in (areas | boxes).items() if value}


def rules_asked(asked: Sequence[Decision]) -> list[str]:
    """The rules under which something was asked."""
    return [decision.rule for decision in asked]


def play(scenario: str = "capital", seed: str = "raid", **options: Any) -> Match[Doolittle, Data]:
    """A match that is played at random until it is over."""
    return playout(GAME, scenario, options, seed)
