"""Helpers for battles: place units, play one phase, and answer questions by subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from tests.games.helpers import Answer, fixed_table
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE, table, tora

from readyroom.engine.rules.decisions import Decision, DecisionKind
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import LogLine, MatchFinished
from readyroom.games.tora import GAME
from readyroom.games.tora.battle.day import set_day
from readyroom.games.tora.plans.data import Berth, JapanesePlan, Ordnance
from readyroom.games.tora.state import AirUnit, Levels, Ship
from readyroom.testing import run

Answers = Mapping[str, Answer]


def least(decision: Decision) -> list[str]:
    """Return the legal answer with the fewest options; units need not move or attack."""
    if decision.kind is DecisionKind.ONE:
        return decision.keys[:1]
    keys = [option.key for option in decision.options for _ in range(option.limit)]
    return keys[: decision.at_least]


class Battle:
    """A match on 7 December with all units still on their fields or carriers.

    `turn` is the current turn.
    """

    def __init__(
        self, turn: int = 4, levels: int = 1, attack: JapanesePlan = ATTACK, in_port: bool = False, **options: Any
    ) -> None:
        state = tora(phase="day", **options)
        state.usa.plan, state.japan.plan = DEFENCE, attack
        if in_port:
            state.usa.plan = msgspec.structs.replace(DEFENCE, in_port={"lexington": 7, "enterprise": 7})
        for _ in set_day(table(state)):
            raise AssertionError("nothing is asked on this day")
        for wave in state.japan.waves:
            for unit in wave.units():
                unit.ordnance, unit.wave = Ordnance.NONE, 0
                state.japan.carriers.append(unit)
        state.japan.waves, state.japan.entered = [], 1
        self.state, self.turn = state, turn
        self.log: list[LogLine] = []
        self.asked: list[Decision] = []
        self.outcome: Outcome | None = None
        state.usa.levels = Levels(airfield=levels, ship=levels, aaa=levels)

    # -- setup --------------------------------------------------------------------------------------------------------

    def put(self, zone: str, *keys: str, load: str = "none", strength: int = 0) -> Battle:
        """Move units from any place into the air over a zone."""
        for key in keys:
            unit = self._taken(key)
            unit.ordnance, unit.strength = Ordnance(load), strength or unit.strength
            side = "japan" if unit.type in ("kate", "val", "zero") else "usa"
            unit.wave = 1 if side == "japan" else 0
            self.state.zones[zone].of(side).append(unit)  # type: ignore[arg-type]
        return self

    def _taken(self, key: str) -> AirUnit:
        boxes = [self.state.japan.carriers, *(stack for field in self.state.usa.fields for stack in field.stacks)]
        for box in boxes:
            for unit in box:
                if unit.key == key:
                    box.remove(unit)
                    for field in self.state.usa.fields:
                        field.stacks[:] = [stack for stack in field.stacks if stack]
                    return unit
        raise KeyError(key)

    def berth(self, key: str, x: int, y: int, lie: Any = "h") -> Ship:
        """Move a ship to a berth."""
        ship = self.ship(key)
        ship.berth = Berth(x, y, lie)
        return ship

    def park(self, field: str, *stacks: Sequence[str]) -> Battle:
        """Set the stacks of a field, lowest unit first, and remove its other units from the battle."""
        units = {unit.key: unit for each in self.state.usa.fields for unit in each.units()}
        place = self.state.usa.field(field)
        for each in self.state.usa.fields:
            for stack in each.stacks:
                stack[:] = [unit for unit in stack if unit.key not in {key for keys in stacks for key in keys}]
            each.stacks[:] = [stack for stack in each.stacks if stack]
        self.state.usa.pool += place.units()
        place.stacks = [[units[key] for key in keys] for keys in stacks]
        return self

    # -- playing -----------------------------------------------------------------------------------------------------

    def play(
        self, phase: str, answers: Answers | None = None, dice: Sequence[int] = (), draws: Sequence[str] = ()
    ) -> None:
        """Play a phase; answer questions by piece key, and all others with the fewest options."""
        self.state.at = At(self.turn, phase)
        game_table = fixed_table(GAME, self.state, *dice, draws=draws, keyed=True)
        assert game_table.log is not None
        given, self.log, self.asked = dict(answers or {}), game_table.log, []
        try:
            run(GAME.phases_by_name[phase](game_table), lambda decision: self._answer(decision, given), self.asked)
        except MatchFinished as finished:
            self.outcome = finished.outcome
        assert not given, f"never asked: {given}; asked: {[each.piece_key for each in self.asked]}"

    def _answer(self, decision: Decision, given: dict[str, Answer]) -> Sequence[str]:
        """Answer a question; each given answer is used once."""
        answer = given.pop(decision.piece_key, least)
        return answer(decision) if callable(answer) else answer

    # -- inspection ---------------------------------------------------------------------------------------------------

    @property
    def abouts(self) -> list[str]:
        """Return the subjects of the last phase's questions."""
        return [decision.piece_key for decision in self.asked]

    def question(self, about: str) -> Decision:
        """Return a question of the last phase."""
        return next(decision for decision in self.asked if decision.piece_key == about)

    def ship(self, key: str) -> Ship:
        """Return a ship by key."""
        return self.state.usa.ship(key)

    def unit(self, key: str) -> AirUnit:
        """Return an air unit by key, in any place."""
        return self.where(key)[1]

    def where(self, key: str) -> tuple[str, AirUnit]:
        """Return an air unit and its place (a zone, field, carriers or lost)."""
        state = self.state
        boxes = {
            **{zone: [*over.japan, *over.usa] for zone, over in state.zones.items()},
            **{field.key: list(field.units()) for field in state.usa.fields},
            "carriers": state.japan.carriers,
            "lost": [*state.japan.lost, *state.usa.lost],
        }
        return next((name, unit) for name, box in boxes.items() for unit in box if unit.key == key)

    def place(self, key: str) -> str:
        """Return the place of an air unit."""
        return self.where(key)[0]

    def texts(self, rule: str) -> list[str]:
        """Return the last phase's log lines under a rule."""
        return [line.text for line in self.log if line.rule == rule]

    def rolled(self, rule: str) -> list[list[int]]:
        """Return the faces of all rolls of the last phase under a rule, as one list."""
        return [
            [face for faces in roll.faces for face in faces]
            for line in self.log
            if line.rule == rule
            for roll in line.rolls
        ]


__all__ = ["DATA", "Battle", "least"]
