"""Helpers for the voyage: the force at sea, named hazards, and matches with late launches."""

from __future__ import annotations

from random import Random

from tests.games.doolittle.helpers import DATA

from readyroom.engine.match import Match
from readyroom.engine.rules.state import At
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.figures.common import Weather
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.formation import place_ships, usual_layout
from readyroom.games.doolittle.voyage.general_quarters import sail
from readyroom.games.doolittle.voyage.ships import HANGAR, TASK_FORCE, box_of, ships_afloat
from readyroom.games.doolittle.voyage.state import FIRST_FORCE, Ship, Voyage

from .helpers import table


def at_sea(
    area: str = "midway", weather: Weather = "calm", phase: str = "underway", *, met: bool = False, turn: int = 4,
    **options: str,
) -> Doolittle:  # fmt: skip
    """Return the force in a sea area with this weather, before or after the rendezvous, without elite crewmen."""
    state = GAME.rules.setup(DATA, GAME.scenario("carrier"), GAME.resolve(options))
    state.at = At(turn, phase)
    state.sky.planned = False
    for bomber in state.squad.values():
        bomber.elite = None
    sail(table(state))
    sea = state.sea
    sea.area, sea.turn = area, turn
    sea.weather[box_of(DATA, area)] = weather
    if met:
        join(state)
    return state


def join(state: Doolittle) -> None:
    """Let the other force join."""
    sea = state.sea
    sea.met = True
    for ship in sea.ships.values():
        ship.group = ""
    for recon in sea.recon.values():
        recon.place = HANGAR
    place_ships(ships_afloat(state), usual_layout(DATA, ships_afloat(state)))


def sea(state: Doolittle) -> Voyage:
    """Return the naval map."""
    return state.sea


def ship(state: Doolittle, key: str) -> Ship:
    """Return a ship by key."""
    return state.sea.ships[key]


def fast(state: Doolittle) -> None:
    """Leave slow ships behind."""
    for one in ships_afloat(state):
        if DATA.ships.cards[one.key].type in DATA.ships.fleet.slow:
            one.group, one.space = "home", ""


def hazard(state: Doolittle, kind: str, icon: str | None = None, cup: str = "") -> Marker:
    """Take a sea hazard of a kind out of its cup."""
    known = DATA.sea_hazards.markers
    for name in [cup] if cup else DATA.sea_hazards.cups:
        for marker in state.cups[name].contents:
            if known[marker.key].kind == kind and icon in (None, known[marker.key].icon):
                state.cups[name].contents.remove(marker)
                return marker
    raise LookupError(f"no {kind} is left")


def met_by(state: Doolittle, patrol: str, kind: str, icon: str | None = None, cup: str = "") -> Marker:
    """Return a sea hazard of this patrol that has just been turned over."""
    marker = hazard(state, kind, icon, cup)
    marker.shown = True
    state.sea.assigned.setdefault(patrol, []).append(marker)
    if not state.sea.queue:
        state.sea.queue, state.sea.drawn = [state.sea.area], True
    return marker


def signals(state: Doolittle, *areas: str) -> None:
    """Place enemy signals in these areas."""
    for area in areas:
        marker = hazard(state, "enemy-signals")
        marker.shown = True
        state.sea.signals[area].append(marker)


def play_on(scenario: str, seed: str, *, patience: float = 0.97, **options: str) -> Match[Doolittle, Data]:
    """Return a match played at random to its end, with few early launches."""
    match, random = Match(GAME, scenario, options=options, seed=seed), Random(seed)
    while match.outcome is None:
        seat, decision = next(iter(match.pending.items()))
        keys = list(decision.sample(random))
        if keys == ["launch"] and random.random() < patience:
            keys = [next(key for key in decision.keys if key != "launch")]
        match.decide(seat, keys)
    return match


__all__ = [
    "FIRST_FORCE", "TASK_FORCE", "at_sea", "fast", "hazard", "join", "met_by", "play_on", "sea", "ship", "signals",
]  # fmt: skip
