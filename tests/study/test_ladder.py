"""Bot ladders."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from readyroom.engine.errors import InvalidData, UnknownBot
from readyroom.engine.game import game_names, load_game
from readyroom.study.ladder import Ladder, ladder_study, run_ladder, strengths

pytestmark = pytest.mark.slow


def of_two(ladder: Ladder, bot: str) -> tuple[float, float, float]:
    """Return a bot's strength and interval."""
    return next((rung.elo, rung.low, rung.high) for rung in ladder.rungs if rung.bot == bot)


def test_fit_recovers_strengths() -> None:
    true = {"a": 1200.0, "b": 1000.0, "c": 800.0}
    count = 100_000
    points = {(one, two): count / (1 + 10 ** ((true[two] - true[one]) / 400)) for one, two in combinations(true, 2)}
    values = strengths(list(true), points, count)
    assert list(values) == pytest.approx(list(true.values()), abs=0.5)


def test_bot_that_wins_all_has_finite_elo() -> None:
    first, second = strengths(["a", "b"], {("a", "b"): 10.0}, 10)
    assert 400 < first - second < 800


@pytest.mark.torture(1)
def test_equal_bots_have_equal_strength(tmp_path: Path) -> None:
    ladder = run_ladder("tora", ["sunday", "ready"], scenario="sunday", matches=2, folder=tmp_path / "l", workers=1)
    assert ladder.met[0].share == 0.5
    assert {rung.elo for rung in ladder.rungs} == {1000}


def test_doctrine_beats_random_on_both_sides(tmp_path: Path) -> None:
    ladder = run_ladder("midway", ["random", "doctrine"], matches=6, folder=tmp_path / "l", workers=1)
    best = ladder.rungs[0]
    assert best.bot == "doctrine"
    assert best.low <= best.elo <= best.high
    met = ladder.met[0]
    assert met.matches == 12
    assert met.low <= met.share <= met.high < 0.5
    assert met.share == pytest.approx(sum(met.sides.values()) / 2)
    assert met.is_significant
    assert ladder.leader.bot == "doctrine"
    assert 0.4 < ladder.leader.share.low < ladder.leader.share.mean == 1


def test_solo_bots_are_compared_on_same_dice(tmp_path: Path) -> None:
    ladder = run_ladder(
        "picket", ["doctrine", "random"], scenario="first-watch", matches=8, folder=tmp_path / "l", workers=1
    )
    counts = ladder.met[0].counts
    mine, theirs, distance, error = counts["planes that attacked"]
    assert mine - theirs == pytest.approx(distance)
    assert error >= 0
    assert {"ships sunk", "planes shot down"} <= set(counts)


@pytest.mark.torture(2)
def test_resumed_ladder_gives_same_result(tmp_path: Path) -> None:
    def run_with_seed() -> Ladder:
        return run_ladder("midway", ["random", "eager"], matches=3, folder=tmp_path / "l", workers=1)

    assert run_with_seed() == run_with_seed()


def test_ladder_needs_two_known_bots(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="two different bots"):
        run_ladder("midway", ["doctrine", "doctrine"], folder=tmp_path / "l")
    with pytest.raises(UnknownBot):
        run_ladder("midway", ["doctrine", "admiral"], folder=tmp_path / "l")


def test_ladder_of_picket_duty_is_played_where_bots_differ() -> None:
    study = ladder_study("picket", ["doctrine", "steady"], matches=2)
    assert {case.table.scenario for case in study.cases} == {"evans"}
    study = ladder_study("picket", ["doctrine", "steady"], scenario="first-watch", matches=2)
    assert {case.table.scenario for case in study.cases} == {"first-watch"}


def test_ladder_scenarios_exist() -> None:
    for name in game_names():
        game = load_game(name)
        assert game.scenario(game.analysis.ladder_scenario)
