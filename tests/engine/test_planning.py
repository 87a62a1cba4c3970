"""Plan files answer the planning decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.toys.tiny import ask, tiny

from readyroom.engine.errors import IllegalChoice, InvalidPlan, PlanNotApplicable
from readyroom.engine.game import GamePlanning, MatchView, PlanFiles
from readyroom.engine.match import Match
from readyroom.engine.match.planning import files_of, follow

FILES = PlanFiles(
    read=lambda text, file, options, data: text.decode(),
    side=lambda plan: "red" if plan.islower() else "blue",
    is_planning=lambda decision: decision.rule != "9",
    answer=lambda plan, decision, data: [plan],
    templates=lambda side, data: {f"{side}.txt": "a"},
)
GAME = replace(tiny(ask("red"), ask("red"), ask("blue"), ask("red")), planning=GamePlanning(files=FILES))


def test_plan_file_answers_until_other_seat_decides() -> None:
    match = Match(GAME)
    assert follow(match, "red", b"a", "red.txt") == 2
    assert list(match.pending) == ["blue"]


def test_plan_file_that_does_not_apply_is_rejected() -> None:
    match = Match(GAME)
    with pytest.raises(PlanNotApplicable, match="not for Red"):
        follow(match, "red", b"A", "blue.txt")
    with pytest.raises(PlanNotApplicable, match="nothing to plan now"):
        follow(match, "blue", b"A", "blue.txt")
    with pytest.raises(IllegalChoice):
        follow(match, "red", b"z", "red.txt")
    assert match.decision_count == 0
    with pytest.raises(PlanNotApplicable, match="has no plan files"):
        files_of(tiny())


def test_plan_file_stops_at_question_to_change_plan() -> None:
    match = Match(
        replace(
            GAME,
            planning=replace(
                GAME.planning, files=replace(FILES, restarts_plan=lambda decision: match.decision_count == 1)
            ),
        )
    )
    assert follow(match, "red", b"a", "red.txt") == 1
    assert follow(match, "red", b"a", "red.txt") == 1
    assert list(match.pending) == ["blue"]


def test_plan_contradicting_earlier_answers_is_rejected() -> None:
    def validate(plan: str, view: MatchView[Any], data: Any) -> None:
        if view.seat == "red":
            raise InvalidPlan(f"{plan} does not fit.")

    match = Match(replace(GAME, planning=replace(GAME.planning, files=replace(FILES, validate=validate))))
    with pytest.raises(InvalidPlan, match="a does not fit"):
        follow(match, "red", b"a", "red.txt")
    assert match.decision_count == 0
