"""Plans that were written down answer the questions of planning."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.toys.tiny import ask, tiny

from readyroom.engine.errors import IllegalChoice, NoPlan
from readyroom.engine.game import PlanFiles
from readyroom.engine.match import Match
from readyroom.engine.planning import files_of, follow

FILES = PlanFiles(
    read=lambda text, file, options, data: text.decode(),
    side=lambda plan: "red" if plan.islower() else "blue",
    asks=lambda asked: asked.rule != "9",
    answer=lambda plan, asked, data: [plan],
    written=lambda side, data: {f"{side}.txt": "a"},
)
GAME = replace(tiny(ask("red"), ask("red"), ask("blue"), ask("red")), plan_files=FILES)


def test_a_file_answers_until_somebody_else_is_asked() -> None:
    match = Match(GAME)
    assert follow(match, "red", b"a", "red.txt") == 2
    assert list(match.pending) == ["blue"]


def test_a_file_of_no_use_is_refused() -> None:
    match = Match(GAME)
    with pytest.raises(NoPlan, match="not a plan of Red"):
        follow(match, "red", b"A", "blue.txt")
    with pytest.raises(NoPlan, match="nothing to plan now"):
        follow(match, "blue", b"A", "blue.txt")
    with pytest.raises(IllegalChoice):
        follow(match, "red", b"z", "red.txt")
    assert match.position == 0
    with pytest.raises(NoPlan, match="nothing is planned on paper"):
        files_of(tiny())
