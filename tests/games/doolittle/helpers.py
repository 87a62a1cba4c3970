"""Helpers for flights: bombers at the start of a rule, fixed dice, answers by rule, and random matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.helpers import fixed_table
from tests.games.helpers import log_text as log_text

from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Table
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.figures.attack import BenefitName, Role
from readyroom.games.doolittle.figures.common import Weather, Wind
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Bomber, EliteMan, Marker
from readyroom.games.doolittle.state import Doolittle, Flight
from readyroom.testing import playout, running
from readyroom.testing.running import Answers

DATA: Data = GAME.data
USUAL = ("keep", "enough", "hold", "take", "wait", "together", "stay", "west", "leave", "prepare-none", "extra-none")
"""Default answers: those with the least effect."""


# -- running rules ---------------------------------------------------------------------------------------------------


def table(state: Doolittle, *dice: int, draws: Sequence[str] = ()) -> Table[Doolittle, Data]:
    """Return a table with exactly these dice and draws."""
    return fixed_table(GAME, state, *dice, draws=draws)


def run(rules: object, answers: Answers | None = None, asked: list[Decision] | None = None) -> Any:
    """Run a rule to its end; unanswered questions get the answer with the least effect."""
    return running.run(rules, answers, asked, USUAL)


def rules_asked(asked: Sequence[Decision]) -> list[str]:
    """Return the rules that asked questions, in order."""
    return [decision.rule for decision in asked]


def hints(decision: Decision) -> dict[str, float | None]:
    """Return the chance in the info of each option."""
    return {option.key: option.info.chance if option.info else None for option in decision.options}


# -- states ----------------------------------------------------------------------------------------------------------


def raiders(scenario: str = "early", phase: str = "move", turn: int = 2, **options: Any) -> Doolittle:
    """Return a scenario's initial state in this phase (flight scenarios: turn 2), without elite crewmen."""
    state = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve(options))
    state.at = At(turn, phase)
    for bomber in state.squad.values():
        bomber.elite = None
    if state.air is not None:
        state.air.turn = turn
    return state


def aloft(
    state: Doolittle, *members: str, zone: str = "Z6", fuel: int = 4, high: bool = False, other: Sequence[str] = ()
) -> Flight:
    """Return the first flight with these members, alone or with a second flight in the same zone."""
    flights = [Flight("flight-1", list(members), zone, fuel, high)]
    if other:
        flights.append(Flight("flight-2", list(other), zone, fuel, high))
    state.sky.flights = flights
    state.squad = {key: bomber for key, bomber in state.squad.items() if key in (*members, *other)}
    return flights[0]


def at_hour(state: Doolittle, hour: str) -> Doolittle:
    """Return the state at this hour in Japan."""
    state.sky.hour = [box.label for box in DATA.flight.clock.box].index(hour)
    return state


def windy(state: Doolittle, zone: str, wind: Wind, weather: Weather = "calm") -> Doolittle:
    """Return the state with this wind and weather over a zone."""
    box = DATA.flight.wind_of[zone].key
    state.sky.winds[box], state.sky.weather[box] = wind, weather
    return state


def man(state: Doolittle, bomber: str, benefit: BenefitName, role: Role | None = None) -> EliteMan:
    """Return an elite crewman with this benefit, aboard a bomber."""
    cards = DATA.bombers.crewmen
    key = next(key for key, card in cards.items() if card.benefit == benefit and role in (None, card.role))
    elite_man = state.squad[bomber].elite = EliteMan(key=key)
    return elite_man


def out_of_cup(state: Doolittle, kind: str, cup: str = "", icon: str | None = None) -> Marker:
    """Take a flight hazard of a kind out of its cup."""
    known = DATA.flight_hazards.markers
    for name in [cup] if cup else DATA.flight_hazards.cups:
        for marker in state.cups[name].contents:
            card = known[marker.key]
            if card.kind == kind and icon in (None, card.icon):
                state.cups[name].contents.remove(marker)
                return marker
    raise LookupError(f"no {kind} is left")


def attached(state: Doolittle, bomber: str, *kinds: str) -> Bomber:
    """Return the bomber with hazards of these kinds attached."""
    for kind in kinds:
        marker = out_of_cup(state, kind)
        marker.shown = True
        state.squad[bomber].markers.append(marker)
    return state.squad[bomber]


def assigned(state: Doolittle, bomber: str, kind: str, cup: str = "", icon: str | None = None) -> Marker:
    """Return a face-down hazard of a kind, assigned to this bomber."""
    marker = out_of_cup(state, kind, cup, icon)
    state.squad[bomber].assigned.append(marker)
    return marker


def drawn(state: Doolittle, kind: str, cup: str, number: int = 1) -> str:
    """Return the key of the `number`th marker of a kind in its cup, for drawing it by name."""
    known = DATA.flight_hazards.markers
    names = [marker.key for marker in state.cups[cup].contents if known[marker.key].kind == kind]
    return names[number - 1]


def in_cup(state: Doolittle, marker: Marker) -> bool:
    """Return whether a marker is face down in its cup again."""
    return marker in state.cups[marker.cup].contents and not marker.shown


# -- whole matches ---------------------------------------------------------------------------------------------------


def play(scenario: str = "early", seed: str = "doolittle", **options: Any) -> Match[Doolittle, Data]:
    """Return a match played at random to its end."""
    return playout(GAME, scenario, options, seed)
