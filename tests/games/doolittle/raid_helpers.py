"""Helpers for attacks: a city with bombers, named hazards, fixed dice, and answers by rule."""

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
    """Return the table of an attack scenario in this phase, without bombers; place them with `bomber`."""
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
    """Return a bomber over an area of the city, optionally with an elite crewman."""
    man = EliteMan(key=elite) if elite else None
    state.squad[key] = Bomber(key=key, area=area, elite=man, **fields)
    return state.squad[key]


def marker(state: Doolittle, kind: str, *, revealed: bool = False, **wanted: Any) -> Marker:
    """Take a hazard of this kind with these values out of its cup."""
    for cup in state.cups.values():
        for marker in cup.contents:
            card = DATA.hazards.markers.get(marker.key)
            if card and card.kind == kind and all(getattr(card, name) == value for name, value in wanted.items()):
                cup.contents.remove(marker)
                marker.shown = revealed
                return marker
    raise LookupError(f"no {kind} of {wanted} in the cups")


def on_the_way(state: Doolittle, kind: str) -> Marker:
    """Return a flight hazard of this kind."""
    key = next(key for key, card in DATA.flight_hazards.markers.items() if card.kind == kind)
    for cup in state.cups.values():
        cup.contents[:] = [one for one in cup.contents if one.key != key]
    return Marker(key=key, shown=True)


def flight(*members: str, city: str = "tokyo", phase: str = "airspeed", **options: Any) -> tuple[Doolittle, Flight]:
    """Return a flight that has found its city, with none of its bombers over it yet."""
    state = GAME.rules.setup(DATA, GAME.scenario("early"), GAME.resolve(options))
    first = state.sky.flights[0]
    state.sky.flights[:] = [first]
    first.members[:] = list(members) or first.members
    first.zone, first.fuel = DATA.flight.zones.japan, 3
    state.at, state.sky.phase = At(3, phase), "move"
    state.raid = Raid(city, "day", first.key, first.high)
    return state, first


def table(state: Doolittle, *dice: int, draws: Sequence[str] = ()) -> Table[Doolittle, Data]:
    """Return a table with exactly these dice."""
    return fixed_table(GAME, state, *dice, draws=draws)


def play_phase(at: Table[Doolittle, Data], answers: Answers | None = None, asked: list[Decision] | None = None) -> Any:
    """Play the current phase."""
    return run(DEEDS[at.state.at.phase](at), answers, asked)


def run(rules: object, answers: Answers | None = None, asked: list[Decision] | None = None) -> Any:
    """Run a rule to its end; unanswered questions get the answer with the least effect."""
    return running.run(rules, answers, asked, USUAL)


def in_cup(state: Doolittle, *markers: Marker) -> bool:
    """Return whether these markers are face down in their cups."""
    return all(one in state.cups[one.cup].contents and not one.shown for one in markers)


def blast(state: Doolittle) -> dict[str, int]:
    """Return the areas and boxes hit, with the strength of each hit."""
    areas = {key: area.blast for key, area in state.city.areas.items()}
    boxes = {key: box.blast for key, box in state.city.boxes}
    return {key: value for key, value in (areas | boxes).items() if value}


def rules_asked(asked: Sequence[Decision]) -> list[str]:
    """Return the rules that asked questions."""
    return [decision.rule for decision in asked]


def play(scenario: str = "capital", seed: str = "raid", **options: Any) -> Match[Doolittle, Data]:
    """Return a match played at random to its end."""
    return playout(GAME, scenario, options, seed)
