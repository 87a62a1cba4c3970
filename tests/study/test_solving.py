"""Cases with changed figures and with solved mixes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.toys.hands import ROCK, Habit

from readyroom.engine.errors import InvalidData
from readyroom.engine.figures import UnknownFigure
from readyroom.study import studies
from readyroom.study.folder import FACTS, MATCHES
from readyroom.study.policies.known import NoPolicies, known_policies
from readyroom.study.policies.solving import pair_tasks, play_pair, with_mixes
from readyroom.study.studies import NoSuchMatch, check_study, match_record, run
from readyroom.study.studyfile import StudyFile, checked, parse_study

SOLVED = b"""
title = "Mixes"
game = "hands"
matches = 30
pair_matches = 20
[[case]]
name = "random"
[[case]]
name = "solved"
mixes = "solved"
"""
DIVE = b"""
title = "Dive"
game = "midway"
scenario = "duel"
matches = 6
[bots]
japan = "regular"
usa = "regular"
[vary.figures]
"combat/dive/fire/at_least" = [5, 2]
"""


@pytest.fixture
def three_hands(hands: str, monkeypatch: pytest.MonkeyPatch) -> StudyFile:
    """Return a study of a game whose best mix is a third of each policy."""
    for side in ("red", "blue"):
        monkeypatch.setitem(ROCK, side, {hand: Habit(hand) for hand in ("rock", "paper", "scissors")})
    return parse_study(SOLVED, "mixes.toml")


def test_solution_of_known_game_is_found(three_hands: StudyFile) -> None:
    study = checked(three_hands)
    better = {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}

    def utility(task: Any) -> float:
        red, blue = (task.bouts[0].policies[side]["hand"] for side in ("red", "blue"))
        return 0.5 if red == blue else float((red, blue) in better)

    pairs = pair_tasks(study)
    assert len(pairs) == 9
    assert {task.case for task in pairs} == {1}
    assert all(len(task.bouts) == 20 for task in pairs)
    solved, [mixes] = with_mixes(study, {task.part: [utility(task)] for task in pairs})
    assert [one.share for one in solved.cases[1].table.mixes["blue"]] == [pytest.approx(1 / 3, abs=1e-3)] * 3
    assert not solved.cases[0].table.mixes
    assert [(side.name, len(side.policies)) for side in mixes.sides] == [("Red", 3), ("Blue", 3)]
    assert mixes.sides[0].policies[0].published is None


def test_solved_study_is_the_same_in_a_folder_and_when_stopped(
    three_hands: StudyFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(three_hands, folder=tmp_path / "whole", workers=1)
    [mixes] = whole.result.mixes
    assert sum(policy.share for policy in mixes.sides[0].policies) == pytest.approx(1, abs=1e-3)
    assert json.loads(whole.matches.row(-1, named=True)["bots"]) == {"red": "mix", "blue": "mix"}
    assert {row["winner"] for row in whole.matches.rows(named=True) if row["case"] == 1} == {"red", "blue", None}
    play, count = play_pair, iter(range(5))

    def stop(task: Any) -> Any:
        if next(count, None) is None:
            raise KeyboardInterrupt
        return play(task)

    with monkeypatch.context() as patched:
        patched.setattr(studies, "play_pair", stop)
        with pytest.raises(KeyboardInterrupt):
            run(three_hands, folder=tmp_path / "stopped", workers=1)
    moved = list[tuple[int, int]]()
    run(three_hands, folder=tmp_path / "stopped", workers=1, progress=lambda done, total: moved.append((done, total)))
    assert moved[0] == (5 * 20, 9 * 20 + 2 * 30)
    assert moved[-1] == (240, 240)
    for name in (MATCHES, FACTS):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "stopped" / name).read_bytes()


def test_changed_figure_changes_the_matches() -> None:
    outcome = run(parse_study(DIVE, "dive.toml"), workers=1)
    assert [json.loads(row["figures"]) for row in outcome.matches.rows(named=True)][::6] == [
        {"combat/dive/fire/at_least": 5},
        {"combat/dive/fire/at_least": 2},
    ]
    assert outcome.result.changes[0] == []
    [change] = outcome.result.changes[1]
    assert (change.title, change.before, change.after) == ("Combat: Dive bombers, least roll that hits", "5", "2")
    scores = [figure.mean for figure in outcome.result.measured("score of usa").figures if figure is not None]
    assert scores[0] != scores[1]


def test_study_without_changes_is_identified_as_before() -> None:
    [case] = checked(parse_study(b'title = "A"\ngame = "midway"\n', "a.toml")).identity()["cases"]
    assert set(case) == {"name", "scenario", "options", "bots", "plans", "text"}


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ('[figures]\n"combat/dive/at_most" = 1', UnknownFigure, "combat/dive"),
        ('[figures]\n"combat/deck/points" = "many"', InvalidData, "a whole number from 1 to 200"),
        ('mixes = "solved"\nscenario = "daybreak"\n[plans]\njapan = "x"', Exception, "plans"),
        ("pair_matches = 0", InvalidData, "between 1 and 10,000"),
        ('mixes = "best"', InvalidData, "mixes"),
    ],
)
def test_invalid_cases_are_rejected(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        check_study(parse_study(f'title = "A"\ngame = "midway"\n{text}\n'.encode(), "a.toml"))


def test_records_cannot_hold_changed_figures() -> None:
    with pytest.raises(NoSuchMatch, match="changed figures"):
        match_record(checked(parse_study(DIVE, "dive.toml")), 1, 0)


def test_game_without_policies_cannot_be_solved() -> None:
    from tests.toys.tiny import tiny

    game = tiny()
    with pytest.raises(NoPolicies):
        known_policies(game, game.first_scenario, {})
