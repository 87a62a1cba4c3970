"""[5, 7] Planning sheets in progress: entries made so far, and the answers behind them.

A secret plan changes nothing in the state before it is locked. A seat's entries so far are attached to its next
question, visible to its own side only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from readyroom.engine.data import ready
from readyroom.engine.game import MatchView
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import Choice, with_sheet
from readyroom.games.tora.figures import SIDES
from readyroom.games.tora.plans.data import AmericanPlan, JapanesePlan
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.state import Tora, sees

R = TypeVar("R")
Note = Callable[..., None]
"""Takes new entries of the plan, by field name."""


def forget(**entries: Any) -> None:
    """Discard entries of a plan that is not shown while it is made."""


class Answered(msgspec.Struct, frozen=True):
    """A question of a sheet, and the keys chosen."""

    about: str
    rule: str
    question: str
    keys: list[str]


class Sheet(msgspec.Struct):
    """A sheet in progress: entries of the plan, and the answers behind them."""

    plan: dict[str, Any] = {}
    answers: list[Answered] = []

    def note(self, **entries: Any) -> None:
        """Record new entries."""
        self.plan |= entries

    def record(self, decision: Decision, answer: list[Any]) -> None:
        """Record the answer to a question."""
        keys = [value.key for value in answer]
        self.answers.append(Answered(decision.piece_key, decision.rule, decision.question, keys))

    def make(self, planner: Callable[[Note], Choice[R]]) -> Choice[R]:
        """Make a plan on this sheet."""
        return with_sheet(planner(self.note), self, self.record)


P = TypeVar("P", AmericanPlan, JapanesePlan)


def plan_in_progress(view: MatchView[Any], side: str, kind: type[P]) -> P | None:
    """Return a side's plan in progress; None if it is not visible, not started, or locked."""
    plan = view.sheets.get(side, {}).get("plan")
    return msgspec.convert(plan, ready(kind)) if plan else None


def answers_so_far(view: MatchView[Any], side: str) -> list[Answered]:
    """Return the answers behind a side's plan in progress."""
    return msgspec.convert(view.sheets.get(side, {}).get("answers", ()), ready(list[Answered]))


def sheets(state: Tora, made: Mapping[str, Sheet | Plan], seat: str | None) -> dict[str, Any]:
    """[2] Return the sheets by side, for a seat of that side and the umpire; a finished one has no answers."""
    visible = {side: made.get(state.side(side).commander) for side in SIDES if sees(state, side, seat)}
    return {
        side: msgspec.to_builtins(sheet if isinstance(sheet, Sheet) else {"plan": sheet, "answers": ()})
        for side, sheet in visible.items()
        if sheet is not None
    }
