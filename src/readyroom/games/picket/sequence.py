"""[3.0] The sequence of play: three phases a day with up to three waves each, and the end of turn."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.game import Phase, Scenario
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Steps
from readyroom.games.picket import setup
from readyroom.games.picket.combat import attack
from readyroom.games.picket.combat.fire import defensive_fire
from readyroom.games.picket.combat.special import special_fire, special_strikes
from readyroom.games.picket.combat.strike import cleared, maneuvers, regular_strikes
from readyroom.games.picket.ending import anchorage, upkeep
from readyroom.games.picket.figures.data import Data, day_of
from readyroom.games.picket.ship import assignments, crew, repair
from readyroom.games.picket.state import HOURS, MOST_WAVES, WATCHES, Picket, T
from readyroom.games.picket.station import support, weather

Rule = Callable[[T], Steps | None]


def _begins(table: T) -> Steps:
    """[6.2, 7.6.A] Begin a phase: replace the dead and roll for weather."""
    yield from crew.succession(table)
    weather.weather(table)


def _fire(table: T) -> Steps:
    """[6.7.I, 6.8, 6.9] Resolve guns and support against a wave, first its regular planes."""
    if table.state.ship.all_hands:
        yield from assignments.call_off_all_hands(table)
    yield from defensive_fire(table)
    yield from special_fire(table)


def _strike(table: T) -> Steps:
    """[6.10, 7.1, 7.2] Resolve emergency maneuvers and strikes."""
    yield from maneuvers(table)
    yield from regular_strikes(table)
    yield from special_strikes(table)
    cleared(table)


def _control(table: T) -> Steps:
    """[7.1.F, 7.7 to 7.12] Resolve damage control after a wave."""
    yield from repair.damage_control(table)
    table.state.raid.wave += 1
    table.state.raid.surface = table.state.ship.surface


def _phases() -> list[Phase[Picket, Data]]:
    phases: list[tuple[str, str, str, Rule]] = [
        ("station", "duty station", "4.0", support.assign),
        ("radar", "support and radar", "5.3", support.turn_begins),
    ]
    for watch in WATCHES:
        phases += [
            (f"{watch}-weather", f"{watch}: weather", "6.2", _begins),
            (f"{watch}-air", f"{watch}: air support", "6.5", support.air_support),
            (f"{watch}-attack", f"{watch}: attack", "6.6", attack.attack),
        ]
        for wave in range(1, MOST_WAVES + 1):
            phases += [
                (f"{watch}-fire-{wave}", f"{watch}: fire at wave {wave}", "6.8", _fire),
                (f"{watch}-strike-{wave}", f"{watch}: wave {wave} strikes", "7.1", _strike),
                (f"{watch}-control-{wave}", f"{watch}: damage control {wave}", "7.7", _control),
            ]
        phases += [
            (f"{watch}-control", f"{watch}: damage control", "7.7", repair.damage_control),
            (f"{watch}-end", f"{watch}: end of the phase", "7.3.Q", upkeep.phase_ends),
        ]
    phases += [
        ("upkeep", "end of the turn", "8.0", upkeep.turn_ends),
        ("anchorage", "the anchorage", "9", anchorage.anchorage),
    ]
    return [Phase("crew", "the crew", "2.0", setup.crew), *(Phase(*one) for one in phases)]


LATE = ("upkeep", "anchorage")
"""The phases after the night."""


def headings(scenario: Scenario, turn: int, phase: Phase[Picket, Data]) -> tuple[str, str]:
    """[1.5, 3.0] Return the log's headings: date and watch, and the phase."""
    day = day_of(scenario.content.first, turn)
    watch, _, what = phase.title.partition(": ")
    if watch not in WATCHES:
        return f"{day.day} {day:%B}{', end of the day' if phase.name in LATE else ''}", phase.title
    return f"{day.day} {day:%B}, {watch} watch, {HOURS[watch]}", what


PHASES = _phases()
_ORDER = [phase.name for phase in PHASES]
FIRST = _ORDER[1]


def next_phase(state: Picket) -> At:
    """[3.0.A, 3.0.B, 3.0.C, 6.3.B.1, 9] Return the next phase; waves that do not come are skipped.

    A typhoon takes the rest of the day; after the anchorage it is the next day, or the one on which the ship is back.
    """
    at = state.at
    if at.phase == setup.BEFORE:
        return At(1, _ORDER[0])
    gone = bool(state.ship.lost or state.ship.leaves)
    if at.phase == "anchorage":
        return At(at.turn + 1 + state.sea.days_lost, FIRST)
    if gone or state.sea.days_lost:
        return At(at.turn, "anchorage")
    name = _ORDER[_ORDER.index(at.phase) + 1]
    while _skipped(state, name):
        name = _ORDER[_ORDER.index(name) + 1]
    return At(at.turn, name)


def _skipped(state: Picket, name: str) -> bool:
    """Return whether to skip a wave that does not come, or damage control without waves (P33)."""
    watch, _, rest = name.partition("-")
    if watch not in WATCHES:
        return False
    if rest[-1].isdecimal():
        return int(rest[-1]) > len(state.raid.waves)
    return rest == "control" and bool(state.raid.waves)
