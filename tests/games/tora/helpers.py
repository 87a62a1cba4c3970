"""Helpers for planning and setup: one sheet or phase at a time, with answers by piece key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.games.helpers import Answer, by_about, fixed_table, random_answer

from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Table
from readyroom.games.tora import GAME
from readyroom.games.tora.figures import Data
from readyroom.games.tora.harbor import ShipAtBerth
from readyroom.games.tora.plans.data import AmericanPlan, Group, JapanesePlan, Ordnance, WaveOrder
from readyroom.games.tora.plans.phase import answer
from readyroom.games.tora.state import Tora
from readyroom.testing import playout, run

DATA: Data = GAME.data
SHIPS = {card.key: card for card in DATA.ships.ship}
SUNDAY = GAME.scenario("sunday").content
DEFENCE: AmericanPlan = SUNDAY.usa
ATTACK: JapanesePlan = SUNDAY.japan


def tora(turn: int = 0, phase: str = "plan", scenario: str = "december", **options: object) -> Tora:
    """Return a game before any planning."""
    options = {"questions": "as-needed", **options}  # a test names the questions that have a choice
    state = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve(options))
    state.at = At(turn, phase)
    return state


def table(state: Tora | None = None, *dice: int) -> Table[Tora, Data]:
    """Return a table with fixed dice, followed by keyed ones."""
    return fixed_table(GAME, state or tora(), *dice, keyed=True)


def fill(rules: Any, answers: Mapping[str, Answer] | None = None, asked: list[Decision] | None = None) -> Any:
    """Run a rule; answer questions by piece key, and others with their first legal sample."""
    return run(rules, by_about({} if answers is None else answers, random_answer), asked)


class Following(dict[str, Answer]):
    """Answers from a plan to every question of a side."""

    def __init__(self, *plans: AmericanPlan | JapanesePlan) -> None:
        super().__init__()
        self.plans = plans

    def get(self, about: str, default: Any = None) -> Any:
        """Return a function that answers the question; the type of the plan determines the side."""

        def keys(decision: Decision) -> list[str]:
            for plan in self.plans:
                names = answer(plan, decision, DATA) if _asks(decision, plan) else None
                if names is not None:
                    return names
            raise AssertionError(decision)

        return keys


def _asks(decision: Decision, plan: AmericanPlan | JapanesePlan) -> bool:
    return decision.seat.startswith("usa" if isinstance(plan, AmericanPlan) else "japan")


def play(seed: str = "tora", scenario: str = "december", **options: Any) -> Match[Tora, Data]:
    """Return a match played at random to its end."""
    return playout(GAME, scenario, options, seed)


def default_ships(*without: str) -> list[ShipAtBerth]:
    """Return the ships of the default anchorage."""
    berths = DATA.places.anchorage.berths.items()
    return [ShipAtBerth(SHIPS[key], berth) for key, berth in berths if key not in without]


def others(ship: ShipAtBerth, ships: list[ShipAtBerth]) -> list[ShipAtBerth]:
    """Return all ships except one."""
    return [other for other in ships if other.hull.key != ship.hull.key]


def the(key: str, ships: list[ShipAtBerth]) -> ShipAtBerth:
    """Return the ship with this key."""
    return next(ship for ship in ships if ship.hull.key == key)


def wave(turn: int, *groups: tuple[str, str, str, int]) -> WaveOrder:
    """Return a wave of groups (sector, type, ordnance, units)."""
    return WaveOrder(turn, tuple(Group(sector, kind, units, Ordnance(load)) for sector, kind, load, units in groups))
