"""[5, 7] The planning sheets while they are filled: what stands on one, and which answers it comes from.

A secret plan touches nothing, so the state knows of no plan before it is locked. What a seat has written so far goes
with the question that it is asked next, for the eyes of its own side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from readyroom.engine.decisions import Decision
from readyroom.engine.table import Choice
from readyroom.games.tora.figures import SIDES
from readyroom.games.tora.seal import Plan
from readyroom.games.tora.state import Tora, sees

R = TypeVar("R")
Note = Callable[..., None]
"""Takes entries of the plan that have just been made, by the names that they have in the plan."""


def forget(**entries: Any) -> None:
    """A plan that nobody looks at while it is made."""


class Answered(msgspec.Struct, frozen=True):
    """A question of a sheet, and the keys that were chosen."""

    about: str
    rule: str
    question: str
    keys: list[str]


class Sheet(msgspec.Struct):
    """A sheet as far as it is filled: the entries of the plan, and the answers that they come from."""

    plan: dict[str, Any] = {}
    answers: list[Answered] = []

    def note(self, **entries: Any) -> None:
        """Entries that have just been made."""
        self.plan |= entries


def on_a_sheet(planner: Callable[[Note], Choice[R]]) -> Choice[R]:
    """Make a plan so that each question goes with what stands on the sheet when it is asked."""
    sheet = Sheet()
    planning, told = planner(sheet.note), None
    while True:
        try:
            asked = planning.send(told)
        except StopIteration as done:
            plan: R = done.value
            return plan
        assert isinstance(asked, Decision)
        asked.sheet = sheet
        told = yield asked
        sheet.answers.append(Answered(asked.piece_key, asked.rule, asked.question, [value.key for value in told]))


def sheets(state: Tora, made: Mapping[str, Sheet | Plan], seat: str | None) -> dict[str, Any]:
    """[2] The sheets by side, for a seat of that side and the umpire; one that is filled has no answers any more."""
    return {
        side: _shown(made[state.side(side).commander])
        for side in SIDES
        if state.side(side).commander in made and sees(state, side, seat)
    }


def _shown(made: Sheet | Plan) -> dict[str, Any]:
    sheet = made if isinstance(made, Sheet) else {"plan": made, "answers": ()}
    shown: dict[str, Any] = msgspec.to_builtins(sheet)
    return shown
