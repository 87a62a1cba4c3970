"""Helpers for air raids: one phase at a time, with fixed dice and given answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tests.games.helpers import Answer, by_about, random_answer
from tests.views import view_of

from readyroom.engine.game import MatchView
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import KeyedDice, fixed_dice
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import LogLine, MatchFinished, Table
from readyroom.games.strategic.pearl import GAME
from readyroom.games.strategic.pearl.sequence import PHASES
from readyroom.games.strategic.pearl.state import Raid, RaidState, Ship
from readyroom.games.strategic.pearl.views import RaidView
from readyroom.games.strategic.tables.figures import Data
from readyroom.testing import run

DATA: Data = GAME.data
PLAY = {phase.name.removeprefix("raid-"): phase.play for phase in PHASES}


class Battle:
    """A raid in a given state, with its questions so far and its log."""

    def __init__(self, scenario: str = "air-raid", magic: tuple[int, int] = (0, 0), **options: Any) -> None:
        self.state: RaidState = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve(options))
        self.raid: Raid = self.state.raid
        self.raid.magic = {"japan": magic[0], "usa": magic[1]}
        self.decisions: list[Decision] = []
        self.log: list[LogLine] = []
        self.outcome: Outcome | None = None

    def play(
        self, step: str, answers: Mapping[str, Answer] | None = None, dice: Iterable[int] = (), turn: int = 1
    ) -> Any:
        """Play a phase with fixed dice, then keyed ones, and record its questions."""
        self.state.at = At(turn, f"raid-{step}")
        table = Table(self.state, DATA, fixed_dice(*dice, fallback=KeyedDice(b"k" * 32)), self.log)
        try:
            run(PLAY[step](table), by_about(answers or {}, random_answer), self.decisions)
        except MatchFinished as finished:
            self.outcome = finished.outcome
        return self

    def question(self, about: str) -> Decision:
        """Return the last question about this subject."""
        return next(decision for decision in reversed(self.decisions) if decision.piece_key == about)

    def texts(self, rule: str, seat: str | None = "usa") -> list[str]:
        """Return the log lines of a rule that a seat may read."""
        return [line.text for line in self.log if line.rule == rule and line.seen_by(seat)]

    def ship(self, key: str) -> Ship:
        """Return the ship with this key, in any place."""
        raid = self.raid
        ships = [*raid.ships, *raid.carriers, *(ship for force in raid.forces for ship in force.carriers)]
        return next(ship for ship in ships if ship.key == key)

    def attackers(self, count: int, escorts: int = 0) -> Battle:
        """Place a number of squadrons over the harbor."""
        self.raid.escorts, self.raid.attackers = self.raid.aboard[:escorts], self.raid.aboard[escorts : escorts + count]
        del self.raid.aboard[: escorts + count]
        return self

    def force(self, key: str, place: str, *, seen: bool = False) -> Battle:
        """Return a carrier force in this place."""
        force = next(force for force in self.raid.forces if force.key == key)
        force.place, force.seen = place, seen
        return self

    def view(self, seat: str | None) -> RaidView:
        """Return a seat's view."""
        return self.whole(seat).table

    def whole(self, seat: str | None) -> MatchView[RaidView]:
        """Return a seat's view as a match shows it."""
        return view_of(GAME, self.state, seat)
