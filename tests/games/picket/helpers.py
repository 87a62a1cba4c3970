"""Helpers: a ship on station, planes around it, fixed dice, and answers by rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.helpers import fixed_table
from tests.games.helpers import log_text as log_text

from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Table
from readyroom.games.picket import GAME
from readyroom.games.picket.figures.common import Section
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.ship import damage
from readyroom.games.picket.state import Counter, Picket, Raid, Side, Tour, Wave
from readyroom.testing import playout, running
from readyroom.testing.running import Answers

DATA: Data = GAME.data
CHIT = {-2: 1, -1: 3, 0: 7, 1: 13, 2: 17}
"""The roll that draws the first chit of a value from a full cup."""
DEFAULTS = ("stay", "go-on", "fight-on", "keep", "enough", "hold")


def picket(scenario: str = "okinawa", phase: str = "morning-control-1", turn: int = 1, **options: Any) -> Picket:
    """Return a ship on station 9 in this phase; the whole crew has value 0."""
    state = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve(options))
    state.at = At(turn, phase)
    state.sea.station = 9
    state.tally.tours.append(Tour(state.ship.name, 9, turn))
    return state


def table(state: Picket, *dice: int, draws: Sequence[str] = ()) -> Table[Picket, Data]:
    """Return a table with exactly these dice."""
    return fixed_table(GAME, state, *dice, draws=draws)


def run(rules: object, answers: Answers | None = None, asked: list[Decision] | None = None) -> Any:
    """Run a rule to its end; unanswered questions get the answer with the least effect."""
    return running.run(rules, answers, asked, DEFAULTS)


def hit(table: Table[Picket, Data], what: str, section: Section, side: Side) -> list[str]:
    """Apply a cell of a damage table and return its further effects."""
    return run(damage.hit(table, DATA.damage_results[what], section, side))  # type: ignore[no-any-return]


def main_damage(table: Table[Picket, Data], section: Section, side: Side) -> list[str]:
    """Roll for damage and return the effects."""
    return run(damage.main_damage(table, section, side))  # type: ignore[no-any-return]


def rolled(table: Table[Picket, Data], rule: str) -> list[str]:
    """Return the roll results logged under a rule."""
    return [roll.result for line in table.log or [] if line.rule == rule for roll in line.rolls]


def plane(at: str = "180M", kind: str = "zero", number: int = 1, weapon: str = "", section: str = "") -> Counter:
    """Return a plane at a bearing and height; a special attacker has a weapon and a section."""
    key = f"{kind}-{weapon}-{number}" if weapon else f"{kind}-{number}"
    if weapon:
        return Counter(key=key, plane=kind, weapon=weapon, section=section)
    return Counter(key=key, plane=kind, bearing=int(at[:-1]), height=at[-1])


def attacked(state: Picket, *planes: Counter, specials: Sequence[Counter] = (), surface: int = 0) -> Picket:
    """Return the state with a wave of these planes."""
    state.raid = Raid(waves=[Wave(list(planes), list(specials))], surface=surface)
    state.ship.surface = surface
    return state


def fit(state: Picket, **hits: int) -> Picket:
    """Return the state with this number of hits on each compartment, named with underscores."""
    for key, count in hits.items():
        state.ship.rooms[key.replace("_", "-")].hits = count
    return state


def guns_of(decision: Decision) -> dict[str, list[str]]:
    """Return the targets offered to each gun."""
    return {group.key: sorted(option.value.plane.key for option in group.options) for group in decision.budget_groups}


def play(scenario: str = "first-watch", seed: str = "picket", **options: Any) -> Match[Picket, Data]:
    """Return a match played at random to its end."""
    return playout(GAME, scenario, options, seed)
